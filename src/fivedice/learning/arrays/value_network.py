"""A small network in numpy that learns the value of a score sheet, and its optimiser."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.learning.arrays.batch_rules import Sheets, Whole, batch_rules

Reals = NDArray[np.float64]
Singles = NDArray[np.float32]

_UNIT = 50.0  # points per unit of the network
_BUMPS = 9  # inputs for the progress to the bonus


class SheetInputs:
    """The inputs of the network: open boxes, progress to the bonus, and the solver's flag."""

    def __init__(self, book: RuleBook) -> None:
        self.compiled = batch_rules(book).compiled
        counted = np.array([self.compiled.counted >> box & 1 for box in range(self.compiled.boxes)])
        most = counted * self.compiled.plain.max(axis=0)
        self._par = (self.compiled.reach * most / max(1, int(most.sum()))).astype(np.float32)  # share of the threshold

    @cached_property
    def size(self) -> int:
        return len(self.of(Sheets(*(np.zeros(1, dtype=np.int64),) * 3))[0])

    def of(self, sheets: Sheets) -> Singles:
        book = self.compiled
        filled = (sheets.masks[:, None] >> np.arange(book.boxes) & 1).astype(np.float32)
        parts: list[NDArray[Any]] = [1.0 - filled]
        if book.threshold:
            ahead = (sheets.lanes - filled @ self._par)[:, None] / max(1.0, 0.2 * book.reach)
            bumps = np.maximum(0.0, 1.0 - np.abs(2.0 * ahead - np.linspace(-4, 4, _BUMPS, dtype=np.float32)))
            parts += [ahead, bumps, sheets.lanes[:, None] / book.threshold, (sheets.lanes >= book.threshold)[:, None]]
        alike = sheets.flags % book.payments.alikes
        parts += [alike[:, None] == np.arange(1, book.payments.alikes)]
        if book.sums.caps:
            parts += [book.sums.totals[sheets.flags // book.payments.alikes] / np.array(book.sums.caps)]
        return np.concatenate(parts, axis=1, dtype=np.float32)


class ValueNetwork:
    """Two hidden layers. Full sheets need no estimate: their value is the bonuses they have earned."""

    def __init__(self, book: RuleBook, hidden: int, random: np.random.Generator) -> None:
        self.inputs = SheetInputs(book)
        sizes = [self.inputs.size, hidden, hidden, 1]
        self.weights: list[Singles] = [
            (random.standard_normal((before, after)) * np.sqrt(2.0 / before)).astype(np.float32)
            for before, after in pairwise(sizes)
        ]
        self.biases: list[Singles] = [np.zeros(size, dtype=np.float32) for size in sizes[1:]]
        self.weights[-1] *= np.float32(0.1)
        self._moments = [[np.zeros_like(each), np.zeros_like(each)] for each in self.parameters]
        self._steps = 0

    @property
    def parameters(self) -> list[Singles]:
        return [*self.weights, *self.biases]

    def values(self, sheets: Sheets) -> Reals:
        """Return the points still to come from the start of a turn, with bonuses."""
        book = self.inputs.compiled
        number = (sheets.masks * book.flags + sheets.flags) * book.lanes + sheets.lanes
        _, first, of = np.unique(number, return_index=True, return_inverse=True)  # many games have the same sheet
        some = sheets.at(first)
        found = self._forward(self.inputs.of(some))[-1][:, 0].astype(np.float64) * _UNIT
        return np.where(some.masks == book.full, book.final[some.flags, some.lanes], found)[of]

    def _forward(self, seen: Singles) -> list[Singles]:
        layers = [seen]
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            out = _multiply(layers[-1], weights)
            out += biases
            layers.append(out if number == len(self.weights) - 1 else np.maximum(out, np.float32(0.0), out=out))
        return layers

    def learn(self, seen: Singles, targets: Reals, rate: float) -> float:
        """Take one step of Adam towards the targets. Return the mean squared error before it, in points."""
        off, gradients = self.slopes(seen, targets)
        self._adam(gradients, rate)
        return float(np.mean(off.astype(np.float64) ** 2)) * _UNIT**2

    def slopes(self, seen: Singles, targets: Reals) -> tuple[Singles, list[Singles]]:
        """Return the error of each value, and the gradient of half the mean square, with errors clipped to one unit."""
        layers = self._forward(seen)
        off: Singles = layers[-1][:, 0] - (targets / _UNIT).astype(np.float32)
        slope = np.clip(off, -1.0, 1.0)[:, None] / np.float32(len(off))
        weights, biases = [], []
        for number in reversed(range(len(self.weights))):
            found: Singles = np.matmul(_stack_rows(layers[number]).transpose(0, 2, 1), _stack_rows(slope)).sum(axis=0)
            weights.append(found)
            biases.append(slope.sum(axis=0))
            slope = _multiply(slope, self.weights[number].T) * (layers[number] > 0)
        return off, [*reversed(weights), *reversed(biases)]

    def _adam(self, gradients: list[Singles], rate: float) -> None:
        self._steps += 1
        scale = rate * np.sqrt(1.0 - 0.999**self._steps) / (1.0 - 0.9**self._steps)
        for parameter, gradient, moments in zip(self.parameters, gradients, self._moments, strict=True):
            first, second = moments
            first += np.float32(0.1) * (gradient - first)
            second += np.float32(0.001) * (gradient**2 - second)
            parameter -= np.float32(scale) * first / (np.sqrt(second) + np.float32(1e-8))


# Products of a few rows each: BLAS runs larger ones on threads that wait for each other on a busy machine.
_ROWS = 64


def _stack_rows(rows: Singles) -> Singles:
    """Return [parts, rows, columns], padded with zeros."""
    full = np.zeros((-(-len(rows) // _ROWS) * _ROWS, rows.shape[1]), dtype=np.float32)
    full[: len(rows)] = rows
    return full.reshape(-1, _ROWS, rows.shape[1])


def _multiply(rows: Singles, weights: Singles) -> Singles:
    found: Singles = np.matmul(_stack_rows(rows), weights).reshape(-1, weights.shape[1])[: len(rows)]
    return found


def shuffle(count: int, size: int, random: np.random.Generator) -> list[Whole]:
    """Return all numbers below a count in random order, in parts of about this size."""
    return np.array_split(random.permutation(count), max(1, count // size))
