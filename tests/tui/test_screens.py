"""Snapshots of every screen. `pytest tests/tui/test_screens.py --snapshot-update` accepts a change on purpose."""

import pytest

from fivedice.table.state import Phase
from fivedice.terminal.game_lines import HintLines
from tui.keyboard import best_box, enter, go_to, settle


@pytest.fixture
def looks_as_before(snap_compare):
    """Compare a table, after some keys, with the picture that is kept of it."""

    def compare(app, *keys: str, size: tuple[int, int] = (80, 24), then=None) -> bool:
        async def prepare(pilot) -> None:
            await settle(pilot)
            await pilot.press(*keys)
            if then is not None:
                await then(pilot)
            await settle(pilot)

        return snap_compare(app, terminal_size=size, run_before=prepare)

    return compare


def test_the_start_with_a_roll_off(begin, show, looks_as_before):
    assert looks_as_before(show(begin("yahtzee", "Ann", "Bob")))


def test_rolled_with_held_dice(begin, show, looks_as_before):
    assert looks_as_before(show(begin("yahtzee", "Ann", "Bob")), "r", "3", "5", "r")


def test_digits(begin, show, looks_as_before):
    assert looks_as_before(show(begin("yatzy", "Ann", "Bob", "Cy", "Di")), "r", "d", "2", "4")


async def second_yahtzee(pilot) -> None:
    await enter(pilot, "44444")
    await go_to(pilot, "five_of_a_kind")
    await pilot.press("enter")
    await enter(pilot, "44444")


def test_a_forced_joker_is_explained(begin, show, looks_as_before):
    async def at_a_closed_box(pilot) -> None:
        await second_yahtzee(pilot)
        await go_to(pilot, "full_house")

    assert looks_as_before(show(begin(pad=True)), then=at_a_closed_box)


def test_a_joker_in_a_lower_box(begin, show, looks_as_before):
    async def third(pilot) -> None:
        await second_yahtzee(pilot)
        await pilot.press("enter")
        await enter(pilot, "44444")
        await go_to(pilot, "large_straight")

    assert looks_as_before(show(begin(pad=True)), then=third)


def test_an_avoidable_zero(begin, show, looks_as_before):
    assert looks_as_before(show(begin()), "r", "down", "enter")


def test_a_hint(begin, show, looks_as_before, monkeypatch):
    lines = ["keep 3-3    251.4  best", "keep 3-3-5  249.9  −1.5", "Aces for 2  242.4  −9.0"]
    monkeypatch.setattr("fivedice.terminal.live_table.hints", lambda *_, **__: HintLines(lines, lines))
    assert looks_as_before(show(begin()), "r", "h")


def test_help(begin, show, looks_as_before):
    assert looks_as_before(show(begin()), "question_mark")


def test_the_record(begin, show, looks_as_before):
    assert looks_as_before(show(begin("yahtzee", "Ann", "Bob")), "r", "1", "r", "enter", "enter", "c")


@pytest.mark.parametrize("key", ["yardzee", "yahtzee", "yatzy", "yahtzee-classic"])
def test_finished(begin, show, looks_as_before, key):
    session = begin(key, "Ann", "Bob")
    while session.state.phase is Phase.PLAYING:
        session.roll()
        session.score(best_box(session))
    assert looks_as_before(show(session))


@pytest.mark.parametrize("size", [(60, 40), (40, 20), (120, 40), (24, 9)], ids=["tall", "small", "wide", "too-small"])
def test_other_windows(begin, show, looks_as_before, size):
    assert looks_as_before(show(begin("yatzy", "Ann", "Bob")), "r", "2", "4", size=size)


def test_six_dice_and_twenty_boxes(begin, show, looks_as_before):
    assert looks_as_before(show(begin("maxi-yatzy", "Ann", "Bob")), "r", "2", "6")


def test_the_pad_asks_what_fell(begin, show, looks_as_before):
    assert looks_as_before(show(begin("yardzee", "Ann", "Bob", pad=True)), "r", "2", "4")
