"""Who plays on a score sheet, who keeps its score, and that no phone is lost with it."""

from __future__ import annotations

import pytest

from fivedice.notation import read_game
from fivedice.paper import sheet_model
from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide import handing_over
from fivedice.table.decide.pad_people import MOST_SKIPS
from fivedice.table.decide.rights import MOST_SEATS
from fivedice.table.refusals import BadRequest, Conflict, LogFull, NotAllowed, TableFull, WrongPhase
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from fivedice.table.view.announcements import announcement, headline
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from table.parlour import ANN, BOB, ZOE, pad, summary, write, write_out
from table.test_pad import opened


def test_a_player_who_is_skipped_catches_up() -> None:
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


def test_a_skip_of_somebody_else_is_a_conflict() -> None:
    parlour = pad("Ann", "Bob")
    assert parlour.refused(cmd.PassTurn(ANN, 0, 0, 1), Conflict) == "It is Ann’s turn."
    assert parlour.reason(cmd.PassTurn(ANN, 0, 0, 5), BadRequest) == "table.no-seat"
    assert parlour.reason(cmd.PassTurn(ANN, 7, 0, 0), BadRequest) == "table.no-turn"
    assert pad("Ann").do(cmd.PassTurn(ANN, 0, 0, 0)) == (), "there is nobody else"


def test_skipping_has_an_end() -> None:
    parlour = pad("Ann", "Bob")
    for number in range(MOST_SKIPS):
        parlour.state.running.skip()
        assert parlour.state.on_turn == (number + 1) % 2
    assert parlour.reason(cmd.PassTurn(ANN, 0, 0, 0), LogFull) == "table.log-full"


def test_a_late_player_has_a_column_from_now_on() -> None:
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


def test_a_sheet_has_room_for_so_many() -> None:
    parlour = pad("Ann")
    for _ in range(MOST_SEATS - 1):
        parlour.do(cmd.JoinSheet(ANN))
    assert parlour.reason(cmd.JoinSheet(ANN), TableFull) == "table.full"
    assert parlour.state.seats[-1].name == f"Player {MOST_SEATS}"


def test_who_has_left_wins_nothing() -> None:
    parlour = pad("Ann", "Bob", "Cat", games=2)
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1))
    parlour.do(cmd.Retire(ANN, 0))
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


def test_the_last_player_ends_the_sheet_instead() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.Retire(ANN, 1))
    assert parlour.do(cmd.Retire(ANN, 1)) == ()
    assert parlour.refused(cmd.Retire(ANN, 0), NotAllowed) == "Ann is the last player. End the score sheet instead."
    assert parlour.do(cmd.Rejoin(ANN, 1)) == (ev.Rejoined(1),)
    assert parlour.do(cmd.Rejoin(ANN, 1)) == ()
    assert parlour.do(cmd.Retire(ANN, 0)) == (ev.Retired(0),)


def test_whoever_left_by_mistake_gets_their_game_back() -> None:
    parlour = pad("Ann", "Bob")
    write_out(parlour, until=1)
    parlour.do(cmd.Retire(ANN, 1))
    assert (parlour.state.phase, parlour.state.running.winners) == (Phase.FINISHED, ("Ann",))
    parlour.do(cmd.Rejoin(ANN, 1))
    assert (parlour.state.phase, parlour.state.on_turn) == (Phase.PLAYING, 1)
    write_out(parlour)
    assert parlour.state.running.winners == ("Ann", "Bob")


def test_names_change_in_every_game() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1))
    parlour.do(cmd.Rename(ANN, 1, "Bobby"))
    assert parlour.do(cmd.Rename(ANN, 1, "Bobby")) == ()
    assert [game.players for game in parlour.state.all_games] == [("Ann", "Bobby")] * 2
    assert parlour.reason(cmd.Rename(ZOE, 1, "Zed"), NotAllowed) == "table.own-seat-only"
    assert parlour.reason(cmd.Rename(ANN, 1, "\n"), BadRequest) == "table.name-refused"
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_next_sheet_is_without_those_who_left(tables: Tables) -> None:
    table = opened(tables)
    tables.execute(table, cmd.Retire(ANN, 1))
    tables.execute(table, cmd.EndSheet(ANN))
    assert [seat.name for seat in tables.state(tables.rematch(table, ANN)).seats] == ["Ann"]


# The pencil


def test_whoever_opened_the_sheet_takes_the_pencil_back(tables: Tables) -> None:
    table = opened(tables)
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


def test_a_spare_link_outlives_the_phone(tables: Tables) -> None:
    table = opened(tables)
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


def test_a_new_spare_link_makes_the_old_one_void(tables: Tables) -> None:
    table = opened(tables)
    first, second = (handing_over.offer_spare(tables, table, ANN) for _ in range(2))
    with pytest.raises(NotAllowed):
        handing_over.take_pencil(tables, table, ZOE, first)
    handing_over.take_pencil(tables, table, ANN, second)
    assert tables.state(table).host == ANN
