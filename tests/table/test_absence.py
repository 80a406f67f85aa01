"""Leaving, coming back, handing over; and the house, which plays for people who are away."""

import pytest

from fivedice.table import commands as ask, events as log
from fivedice.table.decide.decision import HOUSE, house_plays, is_absent
from fivedice.table.refusals import BadRequest, NotAllowed, NotYourTurn, WrongPhase
from table.parlour import ANN, BOB, CAT, HAL, ZOE, opened, play_out, started


def test_leaving_and_coming_back() -> None:
    parlour = started(ANN, BOB)
    assert parlour.do(ask.Leave(ANN, 0)) == (log.Left(0),)
    assert parlour.do(ask.Leave(ANN, 0)) == ()
    assert parlour.state.people() == {BOB}
    assert parlour.do(ask.ComeBack(ANN, 0)) == (log.Returned(0),)
    assert parlour.do(ask.ComeBack(ANN, 0)) == ()
    assert parlour.state.people() == {ANN, BOB}


@pytest.mark.parametrize("kind", [ask.Leave, ask.ComeBack])
def test_only_from_and_to_ones_own_seat(kind: type[ask.Leave] | type[ask.ComeBack]) -> None:
    parlour = started(ANN, BOB)
    for player in (BOB, HAL, ZOE, "", HOUSE):
        assert parlour.refused(kind(player, 0), NotAllowed) == "That is not your seat."
    for seat in (-1, 2):
        assert "There is no seat" in parlour.refused(kind(ANN, seat), BadRequest)


def test_a_game_is_left_while_it_runs() -> None:
    seating, over = opened(), started(ANN)
    seating.do(ask.SitDown(ANN, "Ann"))
    play_out(over)
    for parlour in (seating, over):
        assert "No game is running" in parlour.refused(ask.Leave(ANN, 0), WrongPhase)


def test_whoever_rolls_or_scores_is_back() -> None:
    parlour = started(ANN)
    parlour.do(ask.Leave(ANN, 0))
    parlour.roll(ANN, "12345")
    assert isinstance(parlour.log[-2], log.Returned)
    parlour.do(ask.Leave(ANN, 0))
    parlour.score(ANN, "chance")
    assert not parlour.state.seats[0].away


# Who is absent


def test_absence_is_leaving_or_silence() -> None:
    parlour = started(ANN, BOB, bots=["steady"])
    ann, _, bot = parlour.state.seats
    assert is_absent(ann, frozenset({BOB}))
    assert not is_absent(ann, frozenset({ANN}))
    assert not is_absent(ann, None)
    assert not is_absent(bot, frozenset())
    parlour.do(ask.Leave(ANN, 0))
    assert is_absent(parlour.state.seats[0], frozenset({ANN}))
    assert is_absent(parlour.state.seats[0], None)


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
def test_somebody_who_is_there_is_not_passed_over(kind: type[ask.SkipTurn] | type[ask.Dismiss]) -> None:
    parlour = started(ANN, BOB)
    for present in (None, frozenset({ANN, BOB}), frozenset({ANN})):
        parlour.present = present
        assert parlour.refused(kind(BOB, 0), NotAllowed) == "Ann is still at the table."
    parlour.present = frozenset()
    assert parlour.refused(kind(ANN, 0), NotAllowed) == "Ann is still at the table."


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
def test_only_players_at_the_table_decide_about_absent_ones(kind: type[ask.SkipTurn] | type[ask.Dismiss]) -> None:
    parlour = started(ANN, BOB)
    parlour.do(ask.Leave(ANN, 0))
    for player in (HAL, ZOE, "", HOUSE, ANN):
        assert "Only players who are at the table" in parlour.refused(kind(player, 0), NotAllowed)
    assert "There is no seat" in parlour.refused(kind(BOB, 9), BadRequest)
    assert parlour.do(kind(BOB, 0)) == (log.StoodIn(0, rest=kind is ask.Dismiss),)
    assert parlour.do(kind(BOB, 0)) == ()


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
def test_a_bot_is_never_absent(kind: type[ask.SkipTurn] | type[ask.Dismiss]) -> None:
    parlour = started(ANN, bots=["steady"])
    parlour.present = frozenset()
    assert "a bot" in parlour.refused(kind(ANN, 1), NotAllowed)


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
def test_only_in_a_running_game(kind: type[ask.SkipTurn] | type[ask.Dismiss]) -> None:
    parlour = started(ANN, BOB)
    play_out(parlour)
    parlour.present = frozenset({BOB})
    assert "No game is running" in parlour.refused(kind(BOB, 0), WrongPhase)


def test_only_the_seat_on_turn_is_skipped() -> None:
    parlour = started(ANN, BOB)
    parlour.do(ask.Leave(BOB, 1))
    assert parlour.refused(ask.SkipTurn(ANN, 1), WrongPhase) == "Bob is not on turn."


# The house


def test_the_house_plays_one_turn() -> None:
    parlour = started(ANN, BOB)
    parlour.present = frozenset({BOB})
    parlour.do(ask.SkipTurn(BOB, 0))
    assert house_plays(parlour.state, 0)
    assert not house_plays(parlour.state, 1)
    parlour.turn(HOUSE, "12345", "chance")
    parlour.turn(BOB, "12345", "chance")
    assert not house_plays(parlour.state, 0)
    assert parlour.refused(ask.RollDice(HOUSE), NotYourTurn) == "It is Ann's turn."


def test_the_house_plays_the_rest_of_the_game() -> None:
    parlour = started(ANN, BOB)
    parlour.do(ask.Leave(ANN, 0))
    parlour.do(ask.Dismiss(BOB, 0))
    for _ in range(2):
        assert house_plays(parlour.state, 0)
        parlour.turn(HOUSE, "12345", "chance" if parlour.state.version < 10 else "aces")
        parlour.turn(BOB, "12345", "chance" if parlour.state.version < 12 else "aces")
    parlour.do(ask.ComeBack(ANN, 0))
    assert not house_plays(parlour.state, 0)


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
@pytest.mark.parametrize("away", [False, True])
def test_who_comes_back_in_the_middle_of_a_turn_plays_it_to_the_end(
    kind: type[ask.SkipTurn] | type[ask.Dismiss], *, away: bool
) -> None:
    parlour = started(ANN, BOB)
    if away:
        parlour.do(ask.Leave(ANN, 0))
    parlour.present = frozenset({BOB})
    parlour.do(kind(BOB, 0))
    parlour.roll(HOUSE, "12345")
    assert parlour.do(ask.ComeBack(ANN, 0)) == (log.Returned(0),)
    assert parlour.refused(ask.RollDice(HOUSE), NotYourTurn) == "It is Ann's turn."
    assert parlour.do(ask.FillBox(ANN, "chance")) == (log.Scored(0, "chance", 15),)


@pytest.mark.parametrize("kind", [ask.SkipTurn, ask.Dismiss])
def test_the_house_stops_when_the_owner_moves(kind: type[ask.SkipTurn] | type[ask.Dismiss]) -> None:
    parlour = started(ANN, BOB)
    parlour.present = frozenset({BOB})
    parlour.do(kind(BOB, 0))
    parlour.roll(ANN, "12345")
    assert isinstance(parlour.log[-2], log.Returned)
    assert parlour.refused(ask.FillBox(HOUSE, "aces"), NotYourTurn) == "It is Ann's turn."
    assert not parlour.state.seats[0].helped


def test_a_turn_given_to_the_house_survives_an_undo_before_it() -> None:
    parlour = started(ANN, BOB)
    parlour.turn(ANN, "12345", "chance")
    parlour.do(ask.Leave(BOB, 1))
    parlour.do(ask.SkipTurn(ANN, 1))
    parlour.do(ask.TakeBack(ANN))
    assert not house_plays(parlour.state, 0)
    assert not house_plays(parlour.state, 1)  # the turn is Ann's again
    parlour.score(ANN, "aces")
    assert house_plays(parlour.state, 1)


def test_a_seat_knows_that_the_house_helped() -> None:
    parlour = started(ANN, BOB)
    parlour.do(ask.Leave(ANN, 0))
    parlour.do(ask.Dismiss(BOB, 0))
    assert not parlour.state.seats[0].helped  # nothing was played yet
    parlour.roll(HOUSE, "12345")
    parlour.do(ask.ComeBack(ANN, 0))
    assert parlour.state.seats[0].helped
    assert not parlour.state.seats[1].helped


# Handing over


def test_a_seat_is_handed_over_in_the_middle_of_a_turn() -> None:
    parlour = started(ANN, BOB)
    parlour.roll(ANN, "12345")
    assert parlour.do(ask.TakeOver(CAT, 0)) == (log.HandedOver(0, CAT),)
    assert parlour.refused(ask.FillBox(ANN, "chance"), NotYourTurn) == "It is Ann's turn."  # the name stays
    assert parlour.score(CAT, "chance").points == 15


def test_handing_over_ends_absence_and_the_work_of_the_house() -> None:
    parlour = started(ANN, BOB)
    parlour.do(ask.Leave(ANN, 0))
    parlour.do(ask.SkipTurn(BOB, 0))
    parlour.do(ask.TakeOver(CAT, 0))
    assert not house_plays(parlour.state, 0)
    assert parlour.state.people() == {BOB, CAT}


def test_the_own_link_leads_back() -> None:
    parlour = started(ANN, BOB)
    assert parlour.do(ask.TakeOver(ANN, 0)) == ()
    parlour.do(ask.Leave(ANN, 0))
    assert parlour.do(ask.TakeOver(ANN, 0)) == (log.Returned(0),)


def test_what_cannot_be_taken_over() -> None:
    parlour = started(ANN, bots=["steady"])
    assert parlour.refused(ask.TakeOver(BOB, 1), NotAllowed) == "The house plays that seat."
    assert "There is no seat" in parlour.refused(ask.TakeOver(BOB, 2), BadRequest)
    for nobody in ("", HOUSE):
        assert "person" in parlour.refused(ask.TakeOver(nobody, 0), NotAllowed)


def test_seats_are_handed_over_only_while_the_game_runs() -> None:
    """Before it they may still move up, and after it the result belongs to who played."""
    seating, over = opened(), started(ANN)
    seating.do(ask.SitDown(ANN, "Ann"))
    play_out(over)
    for parlour in (seating, over):
        assert "No game is running" in parlour.refused(ask.TakeOver(BOB, 0), WrongPhase)
