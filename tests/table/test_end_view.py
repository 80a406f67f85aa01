"""The end of a game in words for the one who looks, and what is worth a moment of everybody's attention."""

from __future__ import annotations

from collections.abc import Sequence

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.view.table_view import view
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, Parlour, opened, play_out, started


def ended(*last: tuple[str, str], players: Sequence[str] = (ANN, BOB), book: str = "yahtzee") -> Parlour:
    """A game that is worthless but for the chance boxes, which are filled last with these dice."""
    parlour = started(*players, book=book)
    for _ in range(12 * len(players)):
        on_turn = parlour.state.on_turn
        assert on_turn is not None
        player = players[on_turn]
        parlour.roll(player, "12346")
        legal = parlour.state.running.position.ruling().legal
        parlour.score(player, next(box for box in legal if box != "chance"))
    for player, dice in last:
        parlour.turn(player, dice, "chance")
    return parlour


def title(parlour: Parlour, viewer: str | None) -> str:
    end = view(parlour.state, viewer).end
    assert end is not None
    return end.title


def test_who_won_and_by_how_much_from_where_one_sits() -> None:
    parlour = ended((ANN, "66654"), (BOB, "66655"))
    assert title(parlour, BOB) == "You win by 1"
    assert title(parlour, ANN) == title(parlour, ZOE) == title(parlour, None) == "Bob wins by 1"
    end = view(parlour.state, ANN).end
    assert end is not None
    assert (end.standing, end.margin, end.seat) == ((1, 0), 1, 0)


def test_the_margin_is_that_to_the_next_one() -> None:
    parlour = ended((ANN, "11112"), (BOB, "66655"), (CAT, "66555"), players=(ANN, BOB, CAT))
    assert title(parlour, ANN) == "Bob wins by 1"
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.standing == (1, 2, 0)


def test_a_tie() -> None:
    both = ended((ANN, "66655"), (BOB, "66655"))
    total = view(both.state, ANN).seats[0].total
    assert title(both, ANN) == title(both, BOB) == f"A tie at {total}"
    two = ended((ANN, "66655"), (BOB, "66655"), (CAT, "11112"), players=(ANN, BOB, CAT))
    assert title(two, CAT) == f"Ann and Bob tie at {total}"


def test_alone() -> None:
    parlour = ended((ANN, "66655"), players=(ANN,))
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.title == f"{view(parlour.state, ANN).seats[0].total} points"
    assert end.margin is None


def test_someone_without_a_name_is_told_as_such() -> None:
    parlour = opened(host=ANN)
    parlour.do(cmd.SitDown(ANN))
    parlour.do(cmd.SitDown(BOB))
    parlour.do(cmd.StartGame(ANN))
    play_out(parlour, until=2)
    parlour.turn(ANN, "66666", "chance")
    parlour.turn(BOB, "11112", "chance")
    assert title(parlour, ANN).startswith("You win by ")
    assert title(parlour, BOB).startswith("Player 1 wins by ")


def test_a_hot_seat_is_told_by_names() -> None:
    parlour = started(ANN, BOB)
    parlour.append(ev.HandedOver(1, ANN))
    play_out(parlour, until=2)
    parlour.turn(ANN, "66666", "chance")
    parlour.turn(ANN, "11112", "chance")
    assert title(parlour, ANN).startswith("Ann wins by ")
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.seat is None


def test_no_end_before_the_end_and_none_to_win_if_it_was_given_up() -> None:
    parlour = started(ANN, BOB)
    assert view(parlour.state, ANN).end is None
    parlour.roll(ANN, "66666")
    parlour.do(cmd.GiveUp(HAL))
    end = view(parlour.state, ANN).end
    assert end is not None
    assert (end.title, end.margin) == ("This game ended early", None)


# What is celebrated


def celebrated(parlour: Parlour, viewer: str | None = ANN) -> str | None:
    return view(parlour.state, viewer).celebrate


def test_all_dice_the_same_are_celebrated_once_as_they_fall() -> None:
    parlour = started(ANN, BOB)
    parlour.roll(ANN, "44446")
    assert celebrated(parlour) is None
    parlour.roll(ANN, "4", hold=(0, 1, 2, 3))
    assert celebrated(parlour) == celebrated(parlour, BOB) == celebrated(parlour, ZOE) == "alike"
    parlour.score(ANN, "yahtzee")
    assert celebrated(parlour) is None, "the moment is over"


def test_a_large_straight_is_celebrated_on_the_first_roll_only() -> None:
    parlour = started(ANN, BOB)
    parlour.roll(ANN, "53421")
    assert celebrated(parlour) == celebrated(parlour, BOB) == "straight"
    parlour.roll(ANN, "6", hold=(0, 1, 2, 3))
    assert celebrated(parlour) is None, "it took a second roll"
    parlour.score(ANN, "large_straight")
    assert celebrated(parlour) is None
    parlour.roll(BOB, "12346")
    assert celebrated(parlour) is None


def test_all_dice_the_same_in_a_box_where_they_are_worth_nothing() -> None:
    parlour = started(ANN, BOB)
    parlour.roll(ANN, "44444")
    parlour.score(ANN, "aces")
    assert celebrated(parlour) is None


def test_the_upper_bonus_in_the_moment_when_it_is_reached() -> None:
    parlour = started(ANN)
    found = []
    for key, dice in (
        ("sixes", "66661"),
        ("fives", "55551"),
        ("fours", "44441"),
        ("threes", "33331"),
        ("twos", "22223"),
    ):
        parlour.turn(ANN, dice, key)
        found.append(celebrated(parlour))
    assert found == [None, None, None, "bonus", None], "24, 44, 60 and 72 points; 63 are needed"


def test_a_win_is_celebrated_by_who_wins() -> None:
    parlour = ended((ANN, "66654"), (BOB, "66655"))
    assert (celebrated(parlour, BOB), celebrated(parlour, ANN), celebrated(parlour, ZOE)) == ("win", "played", None)
    parlour.do(cmd.PlayAgain(ANN))
    assert celebrated(parlour, BOB) is None
    assert celebrated(ended((ANN, "66655"), (BOB, "66655")), ANN) == "win", "a tie is a win for both"
    assert celebrated(ended((ANN, "66655"), players=(ANN,))) is None, "alone there is nobody to win against"


def test_nothing_is_celebrated_before_anything_happened() -> None:
    assert celebrated(started(ANN, BOB)) is None
    assert celebrated(opened()) is None
