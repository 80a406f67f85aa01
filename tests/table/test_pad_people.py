"""Players and the scorekeeper of a score sheet: joining late, leaving, skipping, lost phones."""

from collections.abc import Callable

import pytest

from fivedice.core.notation import read_game
from fivedice.drawing.paper import sheet_model
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.pad_people import MOST_SKIPS
from fivedice.table.actions.rights import MOST_SEATS
from fivedice.table.refusals import (
    BadRequest,
    Conflict,
    LogFull,
    NotAllowed,
    NotYourTurn,
    Refusal,
    TableFull,
    TurnMissing,
    WrongPhase,
)
from fivedice.table.service import Tables, handing_over
from fivedice.table.state import Phase, TableState, fold_events
from fivedice.table.view.announcements import announcement, headline
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from for_each import for_each
from support.tables import open_sheet
from table.table_harness import ANN, BOB, ZOE, Parlour, pad, summary, write, write_out


def test_skipped_player_catches_up() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
    assert parlour.do(cmd.PassTurn(ANN, 0, 0, 0)) == (ev.Withdrawn(0), ev.Passed(0))
    assert announcement(parlour.state, None) == "Ann was skipped and plays later."
    assert parlour.do(cmd.PassTurn(ANN, 0, 0, 0)) == (), "done already"
    write(parlour, "66644", "full_house")
    assert parlour.do(cmd.PassTurn(ANN, 0, 0, 0)) == (), "and played since"
    assert (parlour.state.on_turn, parlour.state.round) == (0, 1)
    write_out(parlour)
    assert parlour.state.phase is Phase.FINISHED
    record = summary(parlour.state)["record"]
    assert "\n1. - ~44666=fh:25\n" in record
    assert record.splitlines()[-2].count("=") == 1, "the last turn stands alone"
    assert read_game(record).is_over


def test_skips_conflict_and_end() -> None:
    parlour = pad("Ann", "Bob")
    assert parlour.refused(cmd.PassTurn(ANN, 0, 0, 1), Conflict) == "It is Ann’s turn."
    assert parlour.reason(cmd.PassTurn(ANN, 0, 0, 5), BadRequest) == "table.no-seat"
    assert parlour.reason(cmd.PassTurn(ANN, 7, 0, 0), BadRequest) == "table.no-turn"
    assert pad("Ann").do(cmd.PassTurn(ANN, 0, 0, 0)) == (), "there is no other player"
    parlour = pad("Ann", "Bob")
    for number in range(MOST_SKIPS):
        parlour.state.running.skip()
        assert parlour.state.on_turn == (number + 1) % 2
    assert parlour.reason(cmd.PassTurn(ANN, 0, 0, 0), LogFull) == "table.log-full"


def test_late_player_joins_from_now_on() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write_out(parlour)
    first = summary(parlour.state)["record"]
    assert isinstance(parlour.do(cmd.JoinSheet(ANN, "Cat"))[0], ev.Sat)
    assert (parlour.state.between_games, summary(parlour.state)["record"]) == (True, first), "that game was without her"
    assert [sheet.totals[0] for sheet in sheets(parlour.state)][2] is None
    parlour.do(cmd.NextGame(ANN, 1))
    write(parlour, "66644", "full_house")
    parlour.do(cmd.JoinSheet(ANN, "Dan"))
    assert announcement(parlour.state, None) == "Dan joined the game."
    write_out(parlour)
    state = parlour.state
    assert state.phase is Phase.FINISHED
    assert [len(game.players) for game in state.all_games] == [2, 4]
    assert [len(state.cards_in(number)) for number in range(2)] == [4, 4]
    assert len(state.match.totals) == 4
    assert [len(leaf.heads) for leaf in sheet_model(state.book, games=2, played=state.all_games).leaves] == [2, 2, 1, 1]
    for game in state.all_games:
        assert read_game(summary(parlour.state)["record"]) is not None
        assert game.is_over


def test_number_of_players_on_a_sheet_is_bounded_and_the_last_cannot_leave() -> None:
    parlour = pad("Ann")
    for _ in range(MOST_SEATS - 1):
        parlour.do(cmd.JoinSheet(ANN))
    assert parlour.reason(cmd.JoinSheet(ANN), TableFull) == "table.full"
    assert parlour.state.seats[-1].name == f"Player {MOST_SEATS}"
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.Retire(ANN, 1))
    assert parlour.do(cmd.Retire(ANN, 1)) == ()
    assert parlour.refused(cmd.Retire(ANN, 0), NotAllowed) == "Ann is the last player. End the score sheet instead."
    assert parlour.do(cmd.Rejoin(ANN, 1)) == (ev.Rejoined(1),)
    assert parlour.do(cmd.Rejoin(ANN, 1)) == ()
    assert parlour.do(cmd.Retire(ANN, 0)) == (ev.Retired(0),)


def test_leaver_cannot_win() -> None:
    parlour = pad("Ann", "Bob", "Cat", games=2)
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1), cmd.Retire(ANN, 0))
    assert announcement(parlour.state, None) == "Ann left the game."
    write_out(parlour)
    state = parlour.state
    totals = state.match.totals
    assert totals[0] > max(totals[1:]) // 2
    assert 0 not in state.match.winners
    assert [sheet.won[0] for sheet in sheets(state)] == [True, False, False], "that one was hers"
    assert "Ann" not in str(headline(state, None))
    assert view(state, ANN).seats[0].out
    assert parlour.reason(cmd.Retire(ANN, 1), WrongPhase) == "table.not-playing"


def test_rejoining_and_renaming_apply_to_every_game() -> None:
    parlour = pad("Ann", "Bob")
    write_out(parlour, until=1)
    parlour.do(cmd.Retire(ANN, 1))
    assert (parlour.state.phase, parlour.state.running.winners) == (Phase.FINISHED, ("Ann",))
    parlour.do(cmd.Rejoin(ANN, 1))
    assert (parlour.state.phase, parlour.state.on_turn) == (Phase.PLAYING, 1)
    write_out(parlour)
    assert parlour.state.running.winners == ("Ann", "Bob")
    parlour = pad("Ann", "Bob", games=2)
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1), cmd.Rename(ANN, 1, "Bobby"))
    assert parlour.do(cmd.Rename(ANN, 1, "Bobby")) == ()
    assert [game.players for game in parlour.state.all_games] == [("Ann", "Bobby")] * 2
    assert parlour.reason(cmd.Rename(ZOE, 1, "Zed"), NotAllowed) == "table.own-seat-only"
    assert parlour.reason(cmd.Rename(ANN, 1, "\n"), BadRequest) == "table.name-refused"
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_next_sheet_omits_leavers(tables: Tables) -> None:
    table = open_sheet(tables)
    tables.execute(table, cmd.Retire(ANN, 1))
    tables.execute(table, cmd.EndSheet(ANN))
    assert [seat.name for seat in tables.state(tables.rematch(table, ANN)).seats] == ["Ann"]


# The scorekeeper


def test_opener_becomes_scorekeeper_again(tables: Tables) -> None:
    table = open_sheet(tables)
    handing_over.take_pencil(tables, table, BOB, handing_over.offer_pencil(tables, table, ANN))
    state = tables.state(table)
    assert (state.host, state.opener) == (BOB, ANN)
    assert [view(state, who).opener for who in (ANN, BOB, None)] == [True, False, False]
    with pytest.raises(NotAllowed):
        tables.execute(table, cmd.KeepScore(BOB))
    assert tables.execute(table, cmd.KeepScore(ANN)).state.host == ANN
    assert tables.execute(table, cmd.KeepScore(ANN)).events == ()
    tables.execute(table, cmd.EndSheet(ANN))
    with pytest.raises(WrongPhase):
        tables.execute(table, cmd.KeepScore(ANN))


def test_spare_links_outlive_the_phone_and_void_older_ones(tables: Tables) -> None:
    table = open_sheet(tables)
    spare = handing_over.offer_spare(tables, table, ANN)
    handing_over.take_pencil(tables, table, BOB, handing_over.offer_pencil(tables, table, ANN))
    with pytest.raises(NotAllowed, match="opened this score sheet"):
        handing_over.offer_spare(tables, table, BOB)
    handing_over.take_pencil(tables, table, ZOE, spare)
    state = tables.state(table)
    assert (state.host, state.opener) == (ZOE, ZOE)
    with pytest.raises(NotAllowed, match="used or replaced"):
        handing_over.take_pencil(tables, table, BOB, spare)
    with pytest.raises(NotAllowed):
        tables.execute(table, cmd.KeepScore(ANN))
    assert tables.store.handovers.seat("x", table) is None
    table = open_sheet(tables)
    first, second = (handing_over.offer_spare(tables, table, ANN) for _ in range(2))
    with pytest.raises(NotAllowed):
        handing_over.take_pencil(tables, table, ZOE, first)
    handing_over.take_pencil(tables, table, ANN, second)
    assert tables.state(table).host == ANN


# Refusals


def not_begun() -> Parlour:
    parlour = pad("Ann", "Bob")
    parlour.state = fold_events(TableState("T"), parlour.log[:-1])
    return parlour


def ended_early() -> Parlour:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.EndSheet(ANN))
    return parlour


def gone_on() -> Parlour:
    parlour = pad("Ann", "Bob")
    write_out(parlour)
    parlour.append(ev.Rematched("other"))
    return parlour


@for_each(
    ("sheet", "kind"),
    [(not_begun, "table.not-playing"), (ended_early, "table.ended"), (gone_on, "table.rematch-exists")],
)
@for_each(
    "command",
    [cmd.Erase(ANN, 0, 0), cmd.PassTurn(ANN, 0, 0, 0), cmd.JoinSheet(ANN), cmd.Retire(ANN, 0), cmd.Rejoin(ANN, 0)],
    ids=lambda command: command.wire,
)
def test_closed_sheet_gives_its_reason(sheet: Callable[[], Parlour], kind: str, command: cmd.Command) -> None:
    assert sheet().reason(command, WrongPhase) == kind


def refusal(parlour: Parlour, command: cmd.Command, kind: type[Refusal]) -> tuple[str, dict[str, object]]:
    with pytest.raises(kind) as caught:
        parlour.do(command)
    return caught.value.message.kind, dict(caught.value.message.args)


def test_skips_outside_the_current_turn_are_refused() -> None:
    parlour = pad("Ann", "Bob", games=2)
    later = refusal(parlour, cmd.PassTurn(ANN, 1, 0, 0), WrongPhase)
    assert later == ("table.game-not-begun", {"game": 2})
    write_out(parlour)
    over = refusal(parlour, cmd.PassTurn(ANN, 0, 26, 0), WrongPhase)
    assert over == ("table.game-full", {"game": 1})
    parlour.do(cmd.NextGame(ANN, 1))
    assert refusal(parlour, cmd.PassTurn(ANN, 0, 26, 0), WrongPhase) == over
    parlour = pad("Ann", "Bob")
    found = refusal(parlour, cmd.PassTurn(ANN, 0, 1, 0), TurnMissing)
    assert found == ("table.turn-missing", {"player": parlour.state.who(0), "round": 1})
    assert refusal(parlour, cmd.PassTurn(ZOE, 0, 0, 1), NotYourTurn) == (
        "table.not-your-turn",
        {"player": parlour.state.who(1)},
    )


@for_each(("game", "turn"), [(-1, 0), (2, 0), (0, -1)])
def test_impossible_turn_is_not_skipped(game: int, turn: int) -> None:
    found = refusal(pad("Ann", "Bob", games=2), cmd.PassTurn(ANN, game, turn, 0), BadRequest)
    assert found == ("table.no-turn", {"turn": repr(turn), "game": repr(game), "games": 2})


# A score that was taken back


def taken_back() -> Parlour:
    """Bob's score is taken back, with his dice on the table and Cat's put by."""
    parlour = pad("Ann", "Bob", "Cat")
    write(parlour, "12345", "chance")
    write(parlour, "66644", "full_house")
    parlour.do(cmd.EnterDice(ANN, (1, 1, 1, 1, 2)), cmd.TakeBack(ANN))
    assert (parlour.state.on_turn, parlour.state.slots, parlour.state.taken_back) == (1, (6, 6, 6, 4, 4), True)
    assert [roll.dice for roll in parlour.state.put_by] == [(1, 1, 1, 1, 2)]
    return parlour


@for_each(("command", "event"), [(cmd.PassTurn(ANN, 0, 1, 1), ev.Passed(1)), (cmd.Retire(ANN, 1), ev.Retired(1))])
def test_undone_score_of_a_skipped_player_is_not_awaited(command: cmd.Command, event: ev.Event) -> None:
    parlour = taken_back()
    assert parlour.do(command) == (ev.Withdrawn(1), event)
    state = parlour.state
    assert (state.on_turn, state.rolls, state.put_by, state.taken_back) == (2, (), (), False)
    write(parlour, "33312", "threes")
    assert (parlour.state.on_turn, parlour.state.rolls) == (0, ()), "the dice that were put by are gone"
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_undone_score_is_awaited_while_others_leave() -> None:
    parlour = taken_back()
    assert parlour.do(cmd.Retire(ANN, 0)) == (ev.Retired(0),)
    state = parlour.state
    assert (state.on_turn, state.slots, state.taken_back, len(state.put_by)) == (1, (6, 6, 6, 4, 4), True, 1)
    parlour.score(ANN, "sixes")
    assert (parlour.state.on_turn, parlour.state.slots, parlour.state.taken_back) == (2, (1, 1, 1, 1, 2), False)


def test_dice_set_aside_are_dropped_for_others_and_at_the_end() -> None:
    parlour = taken_back()
    assert parlour.do(cmd.Retire(ANN, 2)) == (ev.Retired(2),)
    parlour.score(ANN, "sixes")
    state = parlour.state
    assert (state.on_turn, state.rolls, state.put_by, state.taken_back) == (0, (), (), False)
    parlour = taken_back()
    assert parlour.do(cmd.EndSheet(ANN)) == (ev.Withdrawn(1), ev.SheetEnded(ANN))
    state = parlour.state
    assert (state.on_turn, state.rolls, state.put_by, state.taken_back) == (None, (), (), False)


def test_leaver_does_not_win_the_match_by_earlier_games() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1), cmd.Retire(ANN, 0))
    assert parlour.state.match.winners == (1,)
    parlour.do(cmd.EndSheet(ANN))
    state = parlour.state
    assert (state.counted, state.match.winners) == ([0], (1,))
    assert state.outcome_of(0) == state.played[0].game.position.standing
    assert [state.outcome_of(number) for number in (-1, 1, 2)] == [None, None, None]


def test_undo_keeps_joins_and_leaves_of_meanwhile() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write_out(parlour)
    parlour.do(cmd.JoinSheet(ANN, "Cat"), cmd.TakeBack(ANN))
    game = parlour.state.running
    assert (game.players, game.position.seats_in, game.position.seat) == (("Ann", "Bob", "Cat"), (0, 1, 2), 1)
    parlour.do(cmd.Withdraw(ANN))
    write_out(parlour)
    assert [card.is_full for card in parlour.state.running.position.cards] == [True] * 3
    parlour = pad("Ann", "Bob", "Cat")
    write(parlour, "12345", "chance")
    parlour.do(cmd.JoinSheet(ANN, "Dan"), cmd.Retire(ANN, 2))
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    position = parlour.state.running.position
    assert (position.seats_in, position.seat, parlour.state.slots) == ((0, 1, 3), 0, (1, 2, 3, 4, 5))


def test_undo_of_a_leavers_score_and_of_points_without_dice() -> None:
    parlour = pad("Ann", "Bob", "Cat")
    write(parlour, "12345", "chance")
    parlour.do(cmd.Retire(ANN, 0))
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    state = parlour.state
    assert (state.on_turn, state.rolls, state.lain, state.taken_back) == (1, (), [], False)
    assert not state.running.position.cards[0].filled
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.WriteTurn(ANN, 0, 0, None, "fours", points=12), cmd.TakeBack(ANN))
    state = parlour.state
    assert (state.on_turn, state.rolls, state.lain, state.taken_back) == (0, (), [], False)


def test_rejoining_clears_answers_about_the_next_sheet() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.Retire(ANN, 1))
    write_out(parlour)
    parlour.do(cmd.PlayAgain(ANN))
    assert parlour.state.again_yes == (ANN,)
    parlour.do(cmd.Rejoin(ANN, 1))
    assert parlour.state.again_yes == ()
