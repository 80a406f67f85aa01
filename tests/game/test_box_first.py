"""Rule on the points of a box without its dice, as each roll in turn would."""

from random import Random

import pytest

import fivedice as fd
from fivedice.core.dice import rolls
from fivedice.core.game.legality import answers, roll_for
from fivedice.errors import IllegalError, IllegalMove
from for_each import for_each
from long import few
from solver.tiny_books import newer_book, random_book, random_card, saving_book

YAHTZEE = fd.book("yahtzee")


def brute(card: fd.Scorecard, box: str) -> dict[int, set[int]]:
    """The points that the box may take, each with the extras that rolls for it bring."""
    found: dict[int, set[int]] = {}
    for roll in rolls(card.book.dice, card.book.faces):
        legal = card.options(roll)
        if box in legal:
            found.setdefault(legal[box].points, set()).add(legal[box].bonus)
    return found


def compare(card: fd.Scorecard) -> None:
    for box in card.book.boxes:
        wanted, found = brute(card, box.key), answers(card, box.key)
        assert [each.points for each in found] == sorted(wanted)
        for each in found:
            entry = card.options(each.roll)[box.key]
            assert (entry.points, entry.bonus, entry.joker) == (each.points, each.extra, each.joker)
            assert (each.other is not None) == (len(wanted[each.points]) > 1)
            if each.other is None:
                assert roll_for(card, box.key, each.points) == each.roll
                continue
            assert card.options(each.other)[box.key].points == each.points
            assert card.options(each.other)[box.key].bonus != each.extra
            with pytest.raises(IllegalMove, match="Enter the dice"):
                roll_for(card, box.key, each.points)


@for_each("make", [random_book, newer_book, saving_book])
def test_points_match_every_roll_for_any_book_and_card(make: object) -> None:
    random = Random(17)
    for _ in range(60):
        book = make(random)  # type: ignore[operator]
        compare(random_card(random, book))


@for_each("key", few(fd.rules.SHIPPED, 3))
def test_points_match_every_roll_for_shipped_books(key: str) -> None:
    random = Random(key)
    for _ in range(4):
        compare(random_card(random, fd.book(key)))


def test_points_that_imply_or_leave_open_their_dice() -> None:
    card = fd.Scorecard.of(YAHTZEE, {"five_of_a_kind": 50})
    assert str(roll_for(card, "fours", 12)) == "11444"
    assert str(roll_for(card, "fours", 20)) == "44444"  # only with the extra bonus
    assert str(roll_for(card, "full_house", 25)) == "11122"  # jokers must go in their own boxes, which are open
    card = fd.Scorecard.of(YAHTZEE, {"five_of_a_kind": 0, "aces": 3})
    assert str(roll_for(card, "full_house", 25)) == "11122"
    assert card.options(fd.Roll.parse("11111"))["full_house"].joker
    card = fd.Scorecard.of(YAHTZEE, {"five_of_a_kind": 50, "fours": 16})
    with pytest.raises(IllegalMove) as refused:
        roll_for(card, "chance", 20)
    assert str(refused.value) == "20 in Chance may come with an extra bonus or without. Enter the dice."
    (answer,) = (each for each in answers(card, "chance") if each.points == 20)
    assert (str(answer.roll), answer.extra, str(answer.other)) == ("11666", 0, "44444")


@for_each("points", [13, -4, True, "12"])
def test_impossible_points_are_refused(points: object) -> None:
    with pytest.raises(IllegalMove) as refused:
        roll_for(fd.Scorecard.empty(YAHTZEE), "fours", points)  # type: ignore[arg-type]
    assert str(refused.value) == f"Fours cannot take {points!r} now. It can take 0, 4, 8, 12, 16 or 20."


def test_closed_box_gives_its_reason() -> None:
    with pytest.raises(IllegalMove, match="Fours already has 8"):
        roll_for(fd.Scorecard.of(YAHTZEE, {"fours": 8}), "fours", 12)
    with pytest.raises(IllegalError, match="nothing"):
        roll_for(fd.Scorecard.empty(YAHTZEE), "nothing", 12)
