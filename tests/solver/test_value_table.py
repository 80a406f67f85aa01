"""Progress, interruption, and the planned work of solving."""

import io
import threading
from random import Random

import numpy as np
import pytest
from rich.console import Console

from fivedice.core.game import Scorecard
from fivedice.core.rules import book, load_book
from fivedice.errors import IllegalError
from fivedice.solver import solve
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime.worker_threads import bar
from fivedice.solver.values import kernel_inputs as value_table
from for_each import for_each
from long import long_only
from solver.tiny_books import Make, newer_book, random_book


def test_progress_counts_cards_and_fills_the_bar() -> None:
    seen: list[tuple[int, int]] = []
    value_table.fill(compiled_book(book("yahtzee-plain")), lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (8191, 8191)
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    with bar("Solving", screen) as progress:
        progress(1, 2)
    assert "Solving" in screen.file.getvalue()  # type: ignore[attr-defined]


@for_each("error", [KeyboardInterrupt, ZeroDivisionError])
def test_interruption_stops_all_threads_of_solving(error: type[BaseException]) -> None:
    def interrupt(done: int, _total: int) -> None:
        if done > 100:
            raise error

    with pytest.raises(error):
        value_table.fill(compiled_book(book("yatzy")), interrupt)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fivedice-solver")]


def test_book_beyond_memory_is_refused() -> None:
    boxes = "".join(
        f'[boxes.b{n}]\nname = "B {n}"\ncode = "m{n:x}"\nsection = "lower"\npattern = "anything"\npoints = "all"\n'
        for n in range(16)
    )
    with pytest.raises(IllegalError, match="too large"):
        solve(load_book(f'format = 1\nextends = "yahtzee-plain"\n{boxes}'), cache=False)


@long_only
def test_many_dice_and_faces_use_wider_tables() -> None:
    """24,310 rows of eight lanes are more than sixteen bits can name. With one roll the mean is known otherwise."""
    single = '[boxes.chance]\nname = "Chance"\ncode = "ch"\nsection = "lower"\npattern = "anything"\npoints = "all"\n'
    rules = load_book(f'format = 1\nkey = "big"\nname = "Big"\ndice = 8\nfaces = 9\nrolls = 2\n{single}')
    kept = sum(max(face, 5) for face in range(1, 10)) / 9  # a die below the mean of five is thrown again
    assert solve(rules, cache=False).value(Scorecard.empty(rules)) == pytest.approx(8 * kept, abs=1e-9)


@for_each("key", ["yahtzee", "yatzy", "yahtzee-plain"])
def test_every_reachable_total_is_solved(key: str) -> None:
    """By brute force over the upper boxes: each reachable total has a number, and it is the right lane's."""
    compiled = compiled_book(book(key))
    table = value_table.fill(compiled)
    masks = np.arange(compiled.full + 1)
    for mask in Random(key).sample(masks.tolist(), 400):
        upper = [box for box in range(compiled.boxes) if (mask & compiled.counted) >> box & 1]
        totals = {0}
        for box in upper:
            totals = {total + points for total in totals for points in set(compiled.plain[:, box].tolist())}
        lanes = sorted({min(total, compiled.threshold) for total in totals})
        assert not np.isnan(table[mask, 0, lanes]).any()


@for_each(
    ("key", "states"), [("yahtzee", 536_448), ("yardzee", 536_448), ("yatzy", 1_430_528), ("yahtzee-plain", 357_632)]
)
def test_counts_of_states(key: str, states: int) -> None:
    assert work_plan.count_states(compiled_book(book(key))) == states


@for_each("make", [random_book, newer_book])
@for_each("seed", range(40))
def test_blocks_cover_the_needed_range(seed: int, make: Make) -> None:
    compiled = compiled_book(make(Random(seed)))
    blocks = work_plan.blocks(compiled)
    reachable = work_plan.totals_of(compiled, work_plan.counted_boxes(compiled))
    assert len(blocks.starts) == len(blocks.floors) + 1
    for kind, (start, stop) in enumerate(zip(blocks.starts[:-1], blocks.starts[1:], strict=True)):
        covered = {int(lane) + step for lane in blocks.lanes[start:stop] for step in range(work_plan.BLOCK)}
        needed = work_plan._select_needed(reachable[kind], int(blocks.floors[kind]))
        assert {lane for lane in range(compiled.lanes) if needed >> lane & 1} <= covered
        assert max(blocks.lanes[start:stop]) < compiled.lanes
