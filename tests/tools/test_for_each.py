"""One item runs every case and reports each failure."""

from enum import Enum

import pytest

from for_each import for_each
from long import LONG, every_run, few, is_left_for_another_day


class Colour(Enum):
    RED = 1
    BLUE = 2


def test_every_case_runs_with_the_fixtures_of_the_item() -> None:
    seen = []

    @for_each("colour", Colour)
    @for_each(("number", "text"), lambda: [(1, "a"), (2, "b")])
    def run(given: str, number: int, text: str, colour: Colour) -> None:
        seen.append((given, number, text, colour.name))

    run(given="fixture")
    assert seen == [("fixture", n, t, c) for c in ("RED", "BLUE") for n, t in ((1, "a"), (2, "b"))]


def test_failures_are_reported_with_their_cases() -> None:
    @for_each("number", range(6), ids=lambda number: f"number {number}")
    def run(number: int) -> None:
        assert number not in (2, 4)

    with pytest.raises(BaseExceptionGroup, match="2 of 6 cases failed") as caught:
        run()
    assert [error.__notes__ for error in caught.value.exceptions] == [["case: number 2"], ["case: number 4"]]

    @for_each("number", [1, 2])
    def run_one(number: int) -> None:
        if number == 2:
            pytest.fail("two")

    with pytest.raises(pytest.fail.Exception, match="two") as caught:
        run_one()
    assert caught.value.__notes__ == ["case: 2"]


def test_no_case_fails_and_only_skips_skip() -> None:
    @for_each("number", [])
    def empty(number: int) -> None: ...

    with pytest.raises(AssertionError, match="no case"):
        empty()

    @for_each("number", [1, 2])
    def skipping(number: int) -> None:
        pytest.skip(f"not {number}")

    with pytest.raises(pytest.skip.Exception):
        skipping()


def test_samples_follow_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("long.LONG", False)
    draws = set()
    for day in range(1, 29):
        monkeypatch.setattr("long.SEED", f"2026-11-{day:02}")
        draws.add(tuple(few(range(10), 3)))
        assert few(range(10), 3) == few(range(10), 3) == sorted(few(range(10), 3))
    assert len(draws) > 15
    assert set().union(*draws) == set(range(10)), "within a month every case has its day"
    monkeypatch.setattr("long.LONG", True)
    assert few(range(10), 3) == list(range(10))
    assert few(range(2), 3) == [0, 1]
    assert isinstance(LONG, bool)


def test_each_test_runs_on_one_day_in_three(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("long.DAYS", 3)
    late = []
    for month, day in ((11, 29), (11, 30), (12, 1), (12, 2), (12, 3)):
        monkeypatch.setattr("long.SEED", f"2026-{month}-{day:02}")
        late.append(is_left_for_another_day(request.node))
    assert sorted(late[:3]) == sorted(late[1:4]) == sorted(late[2:]) == [False, True, True]
    request.node.add_marker(every_run)
    assert not is_left_for_another_day(request.node)
