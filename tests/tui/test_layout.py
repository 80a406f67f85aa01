"""What fits where."""

from __future__ import annotations

import pytest

from fivedice.tui.screen.layout import lay, shortened


@pytest.mark.parametrize("seats", range(1, 5))
def test_the_usual_window_has_everything_beside_each_other(seats):
    layout = lay(80, 24, dice=5, seats=seats)
    assert layout.beside
    assert layout.big_dice
    assert layout.sheet_width(seats) + layout.felt_width(5) <= 80


def test_six_dice_and_four_players_still_fit():
    layout = lay(80, 24, dice=6, seats=4)
    assert layout.beside
    assert layout.sheet_width(4) + layout.felt_width(6) <= 80


@pytest.mark.parametrize(("size", "beside", "big"), [((60, 40), False, True), ((40, 20), False, False)])
def test_narrow_windows_stack(size, beside, big):
    layout = lay(*size, dice=5, seats=2)
    assert (layout.beside, layout.big_dice, layout.too_small) == (beside, big, False)
    assert layout.sheet_width(2) <= size[0]


def test_wide_but_low_windows_get_small_dice():
    assert not lay(80, 15, dice=5, seats=2).big_dice
    assert lay(80, 15, dice=5, seats=2).beside


def test_some_windows_are_too_small():
    assert lay(29, 24, 5, 1).too_small
    assert lay(80, 11, 5, 1).too_small
    assert not lay(30, 12, 5, 1).too_small


def test_shortened():
    assert shortened("Bartholomew", 11) == "Bartholomew"
    assert shortened("Bartholomew", 5) == "Bart…"
