"""What the benches of the server say of their figures."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles

from bench._drive import Log


def percentiles(seconds: Sequence[float]) -> str:
    """Half of them, nearly all of them, and the worst."""
    if len(seconds) < 2:
        return "too few to say"
    cuts = quantiles(seconds, n=100, method="inclusive")
    return f"{1000 * cuts[49]:.0f} ms (99th {1000 * cuts[98]:.0f}, slowest {1000 * max(seconds):.0f})"


def moves(log: Log, seconds: float, processor: float) -> str:
    """How many moves, what each took of the processor, and how soon it was acknowledged and heard."""
    each = 1000 * processor / max(1, len(log.waits))
    answer = [f"{len(log.waits) / seconds:.0f} moves/s", f"{each:.2f} ms of processor each"]
    answer.append(f"acknowledged in {percentiles(log.waits)}")
    if heard := log.fan_out():
        answer.append(f"heard elsewhere in {percentiles(heard)}")
    return "; ".join(answer)
