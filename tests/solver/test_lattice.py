from itertools import product

import numpy as np
import pytest

from fivedice.core.dice import Roll, keeps, rolls, ways
from fivedice.solver.model.book_arrays import lattice
from for_each import for_each


@for_each(("dice", "faces"), [(1, 2), (2, 3), (5, 6), (6, 6), (3, 9), (8, 2)])
def test_lattice_rows_are_keeps_and_rolls(dice: int, faces: int) -> None:
    grid = lattice(dice, faces)
    assert set(grid.multisets) == {keep.faces for keep in keeps(dice, faces)}
    assert set(grid.rolls) == {roll.faces for roll in rolls(dice, faces)}
    assert [grid.row[each] for each in grid.multisets] == list(range(grid.rows))
    assert [len(each) for each in grid.multisets] == sorted(len(each) for each in grid.multisets)
    weights = [ways(Roll(roll)) / faces**dice for roll in grid.rolls]
    assert grid.weights.tolist() == weights
    assert sum(weights) == pytest.approx(1, abs=1e-12)


@for_each(("dice", "faces"), [(1, 2), (3, 4), (5, 6)])
def test_neighbours_by_one_die(dice: int, faces: int) -> None:
    grid = lattice(dice, faces)
    for row, face in product(range(grid.first_roll), range(faces)):
        assert grid.multisets[grid.successors[row, face]] == tuple(sorted((*grid.multisets[row], face + 1)))
    at = 0
    for start, stop, count in grid.groups.tolist():
        for row in range(start, stop):
            fewer = [grid.multisets[each] for each in grid.predecessors[at : at + count]]
            assert {_difference(grid.multisets[row], each) for each in fewer} == set(grid.multisets[row])
            at += count
    assert at == len(grid.predecessors)
    assert [row for start, stop, _ in grid.groups.tolist() for row in range(start, stop)] == list(range(1, grid.rows))


def test_sizes_of_lattices_and_read_only_tables() -> None:
    grid = lattice(5, 6)
    assert (grid.rows, len(grid.rolls)) == (462, 252)
    assert [grid.multisets[row] for row in grid.alike] == [(face,) * 5 for face in range(1, 7)]
    assert lattice(8, 9).rows == 24_310
    with pytest.raises(ValueError, match="read-only"):
        lattice(5, 6).weights[0] = np.float64(1)


def _difference(more: tuple[int, ...], fewer: tuple[int, ...]) -> int:
    left = list(more)
    for face in fewer:
        left.remove(face)
    assert len(left) == 1
    return left[0]
