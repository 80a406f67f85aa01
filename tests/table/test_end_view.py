"""The result of a game as each viewer reads it, and the celebrated moments."""

from collections.abc import Sequence

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.view.table_view import view
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, Parlour, open_table, play_out, start_table


def end_game(*last: tuple[str, str], players: Sequence[str] = (ANN, BOB), book: str = "yahtzee") -> Parlour:
    """Return a game worth nothing but for the chance boxes, scored last with these dice."""
    parlour = start_table(*players, book=book)
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


def test_winner_and_margin_for_each_viewer() -> None:
    parlour = end_game((ANN, "66654"), (BOB, "66655"))
    assert title(parlour, BOB) == "You win by 1"
    assert title(parlour, ANN) == title(parlour, ZOE) == title(parlour, None) == "Bob wins by 1"
    end = view(parlour.state, ANN).end
    assert end is not None
    assert (end.standing, end.margin, end.seat) == ((1, 0), 1, 0)
    parlour = end_game((ANN, "11112"), (BOB, "66655"), (CAT, "66555"), players=(ANN, BOB, CAT))
    assert title(parlour, ANN) == "Bob wins by 1"
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.standing == (1, 2, 0)


def test_ties_and_single_players() -> None:
    both = end_game((ANN, "66655"), (BOB, "66655"))
    total = view(both.state, ANN).seats[0].total
    assert title(both, ANN) == title(both, BOB) == f"A tie at {total}"
    two = end_game((ANN, "66655"), (BOB, "66655"), (CAT, "11112"), players=(ANN, BOB, CAT))
    assert title(two, CAT) == f"Ann and Bob tie at {total}"
    parlour = end_game((ANN, "66655"), players=(ANN,))
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.title == f"{view(parlour.state, ANN).seats[0].total} points"
    assert end.margin is None


def test_unnamed_players_and_shared_devices() -> None:
    parlour = open_table(host=ANN)
    parlour.do(cmd.SitDown(ANN), cmd.SitDown(BOB), cmd.StartGame(ANN))
    play_out(parlour, until=2)
    parlour.turn(ANN, "66666", "chance")
    parlour.turn(BOB, "11112", "chance")
    assert title(parlour, ANN).startswith("You win by ")
    assert title(parlour, BOB).startswith("Player 1 wins by ")
    parlour = start_table(ANN, BOB)
    parlour.append(ev.HandedOver(1, ANN))
    play_out(parlour, until=2)
    parlour.turn(ANN, "66666", "chance")
    parlour.turn(ANN, "11112", "chance")
    assert title(parlour, ANN).startswith("Ann wins by ")
    end = view(parlour.state, ANN).end
    assert end is not None
    assert end.seat is None


def test_no_winner_before_the_end_or_after_an_early_end() -> None:
    parlour = start_table(ANN, BOB)
    assert view(parlour.state, ANN).end is None
    parlour.roll(ANN, "66666")
    parlour.do(cmd.GiveUp(HAL))
    end = view(parlour.state, ANN).end
    assert end is not None
    assert (end.title, end.margin) == ("This game ended early", None)


# Celebrations


def celebration(parlour: Parlour, viewer: str | None = ANN) -> str | None:
    return view(parlour.state, viewer).celebrate


def test_equal_dice_are_celebrated_once_as_they_fall() -> None:
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "44446")
    assert celebration(parlour) is None
    parlour.roll(ANN, "4", hold=(0, 1, 2, 3))
    assert celebration(parlour) == celebration(parlour, BOB) == celebration(parlour, ZOE) == "alike"
    parlour.score(ANN, "yahtzee")
    assert celebration(parlour) is None, "the moment is over"
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "44444")
    parlour.score(ANN, "aces")
    assert celebration(parlour) is None


def test_large_straight_is_celebrated_on_the_first_roll_only() -> None:
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "53421")
    assert celebration(parlour) == celebration(parlour, BOB) == "straight"
    parlour.roll(ANN, "6", hold=(0, 1, 2, 3))
    assert celebration(parlour) is None, "it took a second roll"
    parlour.score(ANN, "large_straight")
    assert celebration(parlour) is None
    parlour.roll(BOB, "12346")
    assert celebration(parlour) is None


def test_upper_bonus_is_celebrated_when_reached() -> None:
    parlour = start_table(ANN)
    found = []
    for key, dice in (
        ("sixes", "66661"),
        ("fives", "55551"),
        ("fours", "44441"),
        ("threes", "33331"),
        ("twos", "22223"),
    ):
        parlour.turn(ANN, dice, key)
        found.append(celebration(parlour))
    assert found == [None, None, None, "bonus", None], "24, 44, 60 and 72 points; 63 are needed"


def test_wins_are_celebrated_by_winners_and_nothing_before_play() -> None:
    parlour = end_game((ANN, "66654"), (BOB, "66655"))
    assert (celebration(parlour, BOB), celebration(parlour, ANN), celebration(parlour, ZOE)) == ("win", "played", None)
    parlour.do(cmd.PlayAgain(ANN))
    assert celebration(parlour, BOB) is None
    assert celebration(end_game((ANN, "66655"), (BOB, "66655")), ANN) == "win", "a tie is a win for both"
    assert celebration(end_game((ANN, "66655"), players=(ANN,))) is None, "a solo player has no opponent"
    assert celebration(start_table(ANN, BOB)) is None
    assert celebration(open_table()) is None
