"""Layout by window size."""

import pytest

from fivedice.terminal.layout import NARROWEST_COLUMN, choose_layout, shorten


@pytest.mark.parametrize("seats", range(1, 5))
def test_usual_window_shows_everything_side_by_side(seats):
    layout = choose_layout(80, 24, dice=5, names=["Ann"] * seats)
    assert layout.beside
    assert layout.big_dice
    assert layout.sheet_width + layout.felt_width(5) <= 80


def test_wide_low_and_small_windows() -> None:
    layout = choose_layout(80, 24, dice=6, names=["Ann"] * 4)
    assert layout.beside
    assert layout.sheet_width + layout.felt_width(6) <= 80
    assert not choose_layout(80, 15, dice=5, names=["Ann", "Bob"]).big_dice
    assert choose_layout(80, 15, dice=5, names=["Ann", "Bob"]).beside
    assert choose_layout(29, 24, 5, ["Ann"]).too_small
    assert choose_layout(80, 11, 5, ["Ann"]).too_small
    assert not choose_layout(30, 12, 5, ["Ann"]).too_small
    assert shorten("Bartholomew", 11) == "Bartholomew"
    assert shorten("Bartholomew", 5) == "Bart…"


@pytest.mark.parametrize(("size", "beside", "big"), [((60, 40), False, True), ((40, 20), False, False)])
def test_narrow_windows_stack(size, beside, big):
    layout = choose_layout(*size, dice=5, names=["Ann", "Bob"])
    assert (layout.beside, layout.big_dice, layout.too_small) == (beside, big, False)
    assert layout.sheet_width <= size[0]


def test_label_of_a_total_is_whole_where_columns_have_room() -> None:
    label, column = len(" Total of the combinations"), NARROWEST_COLUMN
    for names in (["Ann"], ["Ann", "Bob"], ["Ann", "Newcomer bot"]):
        layout = choose_layout(80, 24, 3, names, box=len("Three of a Kind"), line=label - 1)
        assert layout.label >= label or layout.columns == (column,) * len(names), layout


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
@pytest.mark.parametrize("names", [["Ann", "Steady bot"], ["Ann", "Bob", "Steady bot"], ["Bartholomew", "Steady bot"]])
def test_names_are_cut_only_if_needed(size, names):
    layout = choose_layout(*size, dice=5, names=names, box=len("Three of a Kind"))
    needed = [max(NARROWEST_COLUMN, len(name) + 1) for name in names]
    free = [column - need for column, need in zip(layout.columns, needed, strict=True)]
    assert min(free) >= 0 or (max(free) <= 0 and layout.label <= len(" 10 Three of a Kind")), layout
    assert size[0] == 60 or names[0] == "Bartholomew" or min(free) >= 0, "Steady bot has room"
