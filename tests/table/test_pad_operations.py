"""Late and repeated operations of a phone: turns by points, games, corrections, erased turns."""

import pytest

from fivedice.core.notation import read_game
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.corrections import consequences
from fivedice.table.refusals import AgainstTheRules, BadRequest, Conflict, NotAllowed, WrongPhase
from fivedice.table.state import Phase
from fivedice.table.view.announcements import announcement, end_view, headline
from fivedice.table.view.sheet_rows import sheets
from table.table_harness import ANN, ZOE, Parlour, pad, summary, write, write_out


def by_points(parlour: Parlour, box: str, points: int, saved: int = 0) -> tuple[ev.Event, ...]:
    """The next turn, by its points alone."""
    state = parlour.state
    return parlour.do(cmd.WriteTurn(ANN, state.game_number, state.turn, None, box, saved, points))


def stands(parlour: Parlour, command: cmd.Command) -> list[dict[str, object]]:
    """Return the turn that a conflict names."""
    with pytest.raises(Conflict) as caught:
        parlour.do(command)
    return list(caught.value.stands)


# By points alone


def test_points_alone_are_a_turn_without_dice() -> None:
    parlour = pad("Ann", "Bob")
    rolled, scored = by_points(parlour, "fours", 12)
    assert isinstance(rolled, ev.Rolled)
    assert (rolled.told, rolled.last, sum(face == 4 for face in rolled.dice)) == (False, True, 3)
    assert scored == ev.Scored(0, "fours", 12)
    assert announcement(parlour.state, None) == "Ann scored 12 in Fours. Bob is next."
    record = summary(parlour.state)["record"]
    assert "1. ~=4s:12\n" in record
    assert summary(parlour.replayed()) == summary(parlour.state)
    cell = next(row for row in sheets(parlour.state)[0].rows if row.box == "fours").cells[0]
    assert (cell.points, cell.dice, cell.by_points, cell.final_dice) == (12, (), True, True)


def test_points_of_a_turn_are_checked_against_box_and_dice() -> None:
    parlour = pad("Ann")
    command = cmd.WriteTurn(ANN, 0, 0, None, "fours", points=13)
    assert parlour.reason(command, AgainstTheRules) == "game.points-impossible"
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 0, None, "pairs", points=13), AgainstTheRules) == "rules.unknown-box"
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 0, None, "fours"), BadRequest) == "table.wrong-dice"
    parlour = pad("Ann")
    write(parlour, "66666", "five_of_a_kind")
    by_points(parlour, "fours", 12)
    command = cmd.WriteTurn(ANN, 0, 2, None, "chance", points=20)
    assert parlour.reason(command, AgainstTheRules) == "game.points-ambiguous"
    assert by_points(parlour, "chance", 21), "no five of a kind adds up to it"
    parlour = pad("Ann")
    wrong = cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours", points=16)
    assert parlour.refused(wrong, AgainstTheRules) == "These dice score 12 in Fours, not 16."
    assert parlour.do(cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours", points=12))


# Twice and late


def test_identical_turn_is_accepted_again() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "44412", "fours")
    for dice, points in (((4, 4, 4, 1, 2), None), ((1, 2, 4, 4, 4), 12), (None, 12)):
        assert parlour.do(cmd.WriteTurn(ANN, 0, 0, dice, "fours", points=points, seat=0)) == ()
    there = {"game": 0, "turn": 0, "seat": 0, "dice": "12444", "box": "fours", "points": 12, "extra": 0, "saved": 0}
    for other in (
        cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 3), "fours"),
        cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "chance"),
        cmd.WriteTurn(ANN, 0, 0, None, "fours", points=8),
        cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours", seat=1),
        cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "nothing"),
        cmd.WriteTurn(ZOE, 0, 0, (4, 4, 4, 1, 2), "fours"),
    ):
        assert stands(parlour, other) == [there]


def test_conflicting_turns_are_named_before_rules() -> None:
    parlour = pad("Ann")
    by_points(parlour, "fours", 12)
    other = cmd.WriteTurn(ANN, 0, 0, (1, 2, 3, 4, 5), "chance")
    assert parlour.refused(other, Conflict) == "Already scored: Ann has 12 in Fours."
    assert stands(parlour, other)[0]["dice"] is None
    assert parlour.do(cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours", points=12)) == ()
    assert stands(parlour, cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours")), (
        "the points are all that can be compared"
    )
    parlour = pad("Ann", "Bob")
    command = cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 1, 2), "fours", seat=1)
    assert parlour.refused(command, Conflict) == "It is Ann’s turn."


def test_starting_a_started_game_does_nothing() -> None:
    parlour = pad("Ann", games=2)
    assert parlour.do(cmd.NextGame(ANN, 0)) == ()
    assert parlour.reason(cmd.NextGame(ANN, 1), WrongPhase) == "table.game-unfinished"
    write_out(parlour)
    assert parlour.do(cmd.NextGame(ANN, 1)) == (ev.NextStarted(0),)
    assert parlour.do(cmd.NextGame(ANN, 1)) == ()
    write_out(parlour)
    assert parlour.do(cmd.NextGame(ANN, 1)) == ()
    assert parlour.reason(cmd.NextGame(ZOE, 1), NotAllowed) == "table.scorekeeper-only"


# Corrections that say what was there


def test_correction_names_the_corrected_turn() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "44412", "fours")
    was = cmd.Was(0, 0, (4, 4, 4, 1, 2), 12, "fours")
    wanted = cmd.Correct(ANN, (cmd.Change(0, 0, (4, 4, 1, 2, 3)),), (was,))
    assert not wanted.needs_version
    assert parlour.do(wanted)
    assert parlour.do(wanted) == (), "it is as wanted already"
    other = cmd.Correct(ANN, (cmd.Change(0, 0, (4, 4, 4, 4, 3)),), (was,))
    assert stands(parlour, other)[0]["dice"] == "12344"
    missing = cmd.Correct(ANN, (cmd.Change(0, 1, (4, 4, 4, 4, 3)),), (cmd.Was(0, 1, None, 3, "fours"),))
    assert stands(parlour, missing) == []
    write(parlour, "33312", "threes")
    second = cmd.Correct(ANN, (cmd.Change(0, 1, box="chance"),), (cmd.Was(0, 1, None, 3, "fours"),))
    assert [(one["game"], one["turn"]) for one in stands(parlour, second)] == [(0, 1)]
    elsewhere = cmd.Correct(ANN, (cmd.Change(0, 0, box="chance"),), (cmd.Was(0, 1, None, 3, "fours"),))
    assert parlour.reason(elsewhere, BadRequest) == "table.was-missing"
    many = cmd.Correct(ANN, (cmd.Change(0, 0, box="chance"),), (was,) * 101)
    assert parlour.reason(many, BadRequest) == "table.many-changes"


def test_correction_swaps_dice_and_points() -> None:
    parlour = pad("Ann")
    write(parlour, "44412", "fours")
    parlour.do(cmd.Correct(ANN, (cmd.Change(0, 0, points=8),)))
    assert "~=4s:8" in summary(parlour.state)["record"]
    parlour.do(cmd.Correct(ANN, (cmd.Change(0, 0, box="chance"),)))
    assert "~=ch:8" in summary(parlour.state)["record"], "another box keeps the number"
    assert parlour.do(cmd.Correct(ANN, (cmd.Change(0, 0, points=8, box="chance"),))) == ()
    parlour.do(cmd.Correct(ANN, (cmd.Change(0, 0, (1, 1, 1, 2, 3)),)))
    assert "~11123=ch:8" in summary(parlour.state)["record"]
    assert summary(parlour.replayed()) == summary(parlour.state)
    assert parlour.reason(cmd.Correct(ANN, (cmd.Change(0, 0, points=-1),)), BadRequest) == "table.points-range"


def test_impossible_points_are_refused_with_possible_boxes() -> None:
    parlour = pad("Ann")
    write(parlour, "12344", "chance")
    by_points(parlour, "fours", 12)
    found = consequences(parlour.state, [cmd.Change(0, 0, box="fours")])
    assert [(one.turn, one.dice, one.points) for one in found.problems] == [(1, (), 12)]
    assert "chance" in {one.box for one in found.problems[0].boxes}
    assert "fours" not in {one.box for one in found.problems[0].boxes}
    swapped = (cmd.Change(0, 0, box="fours"), cmd.Change(0, 1, box="chance"))
    assert consequences(parlour.state, swapped).problems == ()
    parlour.do(cmd.Correct(ANN, swapped))
    assert [card.total for card in parlour.state.running.position.cards] == [8 + 12]


# Taking turns back


def test_turns_are_erased_one_by_one_across_games() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write_out(parlour)
    first = summary(parlour.state)
    parlour.do(cmd.NextGame(ANN, 1))
    write(parlour, "44412", "fours")
    parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
    assert parlour.do(cmd.Erase(ANN, 1, 0)) == (ev.Erased(1, 0, 1),)
    assert announcement(parlour.state, None) == "Bob’s last turn was taken back."
    assert (parlour.state.on_turn, parlour.state.slots, parlour.state.turn) == (1, (), 0)
    assert parlour.do(cmd.Erase(ANN, 1, 0)) == (), "it is gone already"
    assert parlour.do(cmd.Erase(ANN, 0, 25)) == (ev.Erased(0, 25, 1),)
    assert (parlour.state.game_number, parlour.state.turn, parlour.state.on_turn) == (0, 25, 1)
    write(parlour, "12346", "chance")
    assert summary(parlour.state)["record"] == first["record"]
    for turn in range(25, -1, -1):
        parlour.do(cmd.Erase(ANN, 0, turn))
    assert (parlour.state.turn, parlour.state.on_turn, parlour.state.running.moves) == (0, 0, ())
    assert parlour.do(cmd.Erase(ANN, 0, 0)) == ()
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_erasing_a_turn_keeps_later_joins_and_leaves() -> None:
    parlour = pad("Ann", "Bob", "Cat")
    write(parlour, "44412", "fours")
    parlour.do(cmd.JoinSheet(ANN, "Dan"), cmd.Retire(ANN, 2), cmd.Erase(ANN, 0, 0))
    position = parlour.state.running.position
    assert (position.seats_in, position.seat, parlour.state.turn) == ((0, 1, 3), 0, 0)


def test_only_the_last_turn_is_erased_and_a_sheet_can_reopen() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "44412", "fours")
    write(parlour, "44411", "fours")
    assert [(one["game"], one["turn"]) for one in stands(parlour, cmd.Erase(ANN, 0, 0))] == [(0, 1)]
    assert parlour.reason(cmd.Erase(ZOE, 0, 1), NotAllowed) == "table.scorekeeper-only"
    parlour = pad("Ann")
    write_out(parlour)
    assert parlour.state.phase is Phase.FINISHED
    parlour.do(cmd.Erase(ANN, 0, 12))
    assert (parlour.state.phase, parlour.state.on_turn) == (Phase.PLAYING, 0)


# The end


def test_abandoned_game_does_not_count_if_others_are_over() -> None:
    for command in (cmd.EndSheet(ANN), cmd.GiveUp(ANN)):
        parlour = pad("Ann", "Bob", games=3)
        write(parlour, "66644", "full_house")
        write_out(parlour)
        parlour.do(cmd.NextGame(ANN, 1))
        write(parlour, "66666", "five_of_a_kind")  # of Bob, who would lead with it
        parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
        assert isinstance(parlour.do(command)[-1], ev.SheetEnded)
        state = parlour.state
        assert (state.phase, state.on_turn, state.slots) == (Phase.FINISHED, None, ())
        totals = state.played[0].game.position.standing.totals
        assert str(headline(state, None)) == f"After 1 game: Ann wins with {totals[0]}"
        assert [(sheet.match_total, sheet.leads) for sheet in sheets(state)] == [(totals[0], True), (totals[1], False)]
        assert len(state.games_over) == 1
        end = end_view(state, None)
        assert end is not None
        assert (end.standing, end.margin) == ((0, 1), totals[0] - totals[1])
        assert summary(parlour.replayed()) == summary(state)


def test_unfinished_first_game_decides_the_sheet() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "44412", "fours")
    write(parlour, "44411", "chance")
    parlour.do(cmd.EndSheet(ANN))
    assert str(headline(parlour.state, None)) == "Bob wins with 14"
    assert [sheet.won for sheet in sheets(parlour.state)] == [(False,), (True,)]
    assert len(parlour.state.games_over) == 1
    assert parlour.do(cmd.EndSheet(ANN)) == ()
    for command in (cmd.Erase(ANN, 0, 1), cmd.TakeBack(ANN)):
        assert parlour.reason(command, WrongPhase) == "table.ended"
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 2, (1, 2, 3, 4, 5), "chance"), WrongPhase) == "table.not-playing"
    assert parlour.reason(cmd.EndSheet(ZOE), NotAllowed) == "table.scorekeeper-only"
    assert read_game(summary(parlour.state)["record"]).position.standing.winners == (1,)
