"""Data derived from the log: own tables, best scores, tables waiting for the server, links."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from fivedice.store.database import open_database
from fivedice.store.handover_links import Pencil
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE
from fivedice.table.service import Tables
from fivedice.table.state import Phase, fold_events
from support.tables import finish, on_turn, play, start_game
from table.table_harness import ANN, BOB, HAL


def force(tables: Tables, table: str, *events: ev.Event) -> None:
    """Events that need no decision."""
    state = tables.state(table)
    tables.store.append(state, fold_events(state, events), events)


def house_turn(tables: Tables, table: str) -> None:
    state = tables.state(table)
    tables.execute(table, cmd.RollDice(HOUSE), version=state.version)
    state = tables.state(table)
    box = next(iter(state.running.position.ruling().legal))
    tables.execute(table, cmd.FillBox(HOUSE, box), version=state.version)


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_c: Any, _k: Any, text: str, *_: Any) -> None:
        seen.append(" ".join(text.split()[:3]))

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


def test_own_tables_are_listed_newest_first_with_names(tables: Tables, store: Store) -> None:
    first, second = start_game(tables, ANN, BOB), start_game(tables, ANN)
    start_game(tables, BOB)
    force(tables, first, ev.Left(0))
    entries = store.own_tables.of(ANN)
    assert {entry.id for entry in entries} == {first, second}
    assert [entry.updated for entry in entries] == sorted((entry.updated for entry in entries), reverse=True)
    named = {entry.id: entry.names for entry in entries}
    assert named[first] == ("Ann", "Bob")
    assert {(entry.phase, entry.total, entry.won) for entry in entries} == {("playing", None, None)}
    assert len(store.own_tables.of(ANN, limit=1)) == 1
    assert store.own_tables.of("") == []


def test_finished_game_counts_and_undone_end_does_not(tables: Tables, store: Store) -> None:
    """An end can be undone if it revealed no secret."""
    table = tables.open(ANN, "yatzy", seed="7", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
    finish(tables, table)
    game = tables.state(table).running
    assert game.outcome is not None
    best = store.results.best(ANN)["yatzy"]
    assert (best.total, best.games, best.table) == (game.outcome.totals[0], 1, table)
    entry = store.own_tables.of(ANN)[0]
    assert (entry.total, entry.won, entry.phase) == (best.total, True, "finished")
    tables.execute(table, cmd.TakeBack(ANN), version=tables.state(table).version)
    assert store.results.best(ANN) == {}
    assert store.own_tables.of(ANN)[0].phase == "playing"
    finish(tables, table)
    assert store.results.best(ANN)["yatzy"].games == 1


def test_best_score_is_the_highest_total(tables: Tables, store: Store) -> None:
    totals = {}
    for _ in range(3):
        table = start_game(tables, ANN)
        finish(tables, table)
        game = tables.state(table).running
        totals[table] = game.position.cards[0].total
    best = store.results.best(ANN)["yatzy"]
    assert (best.total, best.games) == (max(totals.values()), 3)
    assert totals[best.table] == best.total


def away(tables: Tables) -> tuple[str, str, str, int]:
    """A table where the person on turn has left: table, who left, who stayed, and the seat of who left."""
    table = start_game(tables, ANN, BOB)
    gone = on_turn(tables, table)
    (seat,) = tables.state(table).seats_of(gone)
    tables.execute(table, cmd.Leave(gone, seat))
    return table, gone, BOB if gone == ANN else ANN, seat


def finish_with_the_house(tables: Tables, table: str) -> None:
    while (seat := tables.state(table).on_turn) is not None:
        if tables.state(table).house_plays(seat):
            house_turn(tables, table)
        else:
            play(tables, table)


def test_dismissed_seat_counts_for_no_one(tables: Tables, store: Store) -> None:
    table, gone, stayed, seat = away(tables)
    tables.execute(table, cmd.Dismiss(stayed, seat))
    finish_with_the_house(tables, table)
    assert store.results.best(gone) == {}
    assert store.results.best(stayed)["yatzy"].games == 1
    assert store.own_tables.of(gone)[0].total is None


def test_returning_after_the_end_does_not_make_a_game_count(tables: Tables, store: Store) -> None:
    table, gone, stayed, seat = away(tables)
    tables.execute(table, cmd.Dismiss(stayed, seat))
    finish_with_the_house(tables, table)
    tables.execute(table, cmd.ComeBack(gone, seat))
    assert store.results.best(gone) == {}


def test_returning_before_the_end_does_not_make_a_game_count(tables: Tables, store: Store) -> None:
    """Otherwise a strong stand-in would play most of the game, and the best score would be ours."""
    table, gone, stayed, seat = away(tables)
    tables.execute(table, cmd.SkipTurn(stayed, seat), version=tables.state(table).version)
    house_turn(tables, table)
    tables.execute(table, cmd.ComeBack(gone, seat))
    finish(tables, table)
    assert store.results.best(gone) == {}


def test_unused_dismissal_does_not_void_the_result(tables: Tables, store: Store) -> None:
    table, gone, stayed, seat = away(tables)
    tables.execute(table, cmd.Dismiss(stayed, seat))
    tables.execute(table, cmd.ComeBack(gone, seat))
    finish(tables, table)
    assert store.results.best(gone)["yatzy"].games == 1


def test_tables_waiting_for_the_server_are_found_after_restart(tables: Tables, store: Store) -> None:
    table, gone, stayed, seat = away(tables)
    start_game(tables, ANN)
    assert store.waiting_for_house() == []
    tables.execute(table, cmd.Dismiss(stayed, seat))
    assert store.waiting_for_house() == [table]
    tables.execute(table, cmd.ComeBack(gone, seat))
    assert store.waiting_for_house() == []


def test_bots_are_awaited_only_on_their_turn(tables: Tables, store: Store) -> None:
    table = tables.open(HAL, "yatzy")
    tables.execute(table, cmd.SitDown(ANN, "Ann"))
    force(tables, table, ev.Sat("Bot", "red", "●", bot="steady"), ev.Started(1))
    assert store.waiting_for_house() == [table]
    house_turn(tables, table)
    assert store.waiting_for_house() == []
    finish_with_the_house(tables, table)
    assert tables.state(table).phase is Phase.FINISHED
    assert store.waiting_for_house() == []


def test_move_takes_three_statements(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    """The row with its key is read, changed, and the event appended; the log is read only where it has grown."""
    table = start_game(tables, ANN)
    version = tables.state(table).version

    def roll(version: int) -> list[str]:
        with statements(engine) as seen:
            tables.execute(table, cmd.RollDice(ANN), version=version, key=f"k{version}")
        return [text.split()[0] for text in seen if not text.startswith("BEGIN")]

    assert roll(version) == ["SELECT", "UPDATE", "INSERT"]
    neighbour.execute(table, cmd.RollDice(ANN), version=version + 1)
    assert roll(version + 2) == ["SELECT", "SELECT", "UPDATE", "INSERT"]
    assert len(tables.state(table).rolls) == 3


def test_reused_key_acts_once(tables: Tables) -> None:
    table = start_game(tables, ANN)
    version = tables.state(table).version
    answers = [tables.execute(table, cmd.RollDice(ANN), version=version + n, key="k").repeated for n in range(2)]
    assert (answers, len(tables.state(table).rolls)) == ([False, True], 1)


def test_roll_writes_no_seats(tables: Tables, engine: Engine) -> None:
    table = start_game(tables, ANN, BOB)
    state = tables.state(table)
    with statements(engine) as seen:
        tables.execute(table, cmd.RollDice(on_turn(tables, table)), version=state.version, key="k")
    writes = [text for text in seen if text.startswith(("UPDATE", "INSERT", "DELETE"))]
    assert writes == ["UPDATE tables SET", "INSERT INTO events"]


def test_choices_are_stored_and_replaced(store: Store) -> None:
    assert store.choices.of(ANN) == {}
    store.choices.remember(ANN, {"book": "yatzy", "name": "Ann \N{GRINNING FACE}"})
    store.choices.remember(ANN, {"book": "yahtzee"})
    assert store.choices.of(ANN) == {"book": "yahtzee"}
    assert store.choices.of(BOB) == {}


def test_hostile_names_are_stored_unchanged(tables: Tables, store: Store) -> None:
    table = tables.open(ANN, "yatzy")
    hostile = "'); DROP TABLE seats; -- <img src=x>"
    tables.execute(table, cmd.SitDown(ANN, hostile))
    assert store.own_tables.of(ANN)[0].names == (hostile,)
    assert Tables(store).state(table).seats[0].name == hostile


def offer_links(tables: Tables) -> tuple[str, str]:
    """Return two tables; the first has links for two seats, the scorekeeper and a spare."""
    table, other = (tables.open(ANN, "yatzy") for _ in range(2))
    links = tables.store.handovers
    links.offer("first", table, 0)
    links.offer("second", table, 1)
    links.offer("pencil", table, Pencil.HANDED_ON)
    links.offer("spare", table, Pencil.SPARE)
    return table, other


def test_links_work_once_for_their_target_and_void_older_ones(tables: Tables) -> None:
    table, other = offer_links(tables)
    links = tables.store.handovers
    assert [links.claim_seat("first", at) for at in (other, table, table)] == [None, 0, None]
    assert [links.claim_seat("second", at) for at in (other, table, table)] == [None, 1, None]
    assert [links.claim_pencil("pencil", at) for at in (other, table, table)] == [None, Pencil.HANDED_ON, None]
    assert [links.claim_pencil("spare", at) for at in (other, table, table)] == [None, Pencil.SPARE, None]
    assert [pencil.is_spare for pencil in (Pencil.HANDED_ON, Pencil.SPARE)] == [False, True]
    table, other = offer_links(tables)
    codes = ("first", "second", "pencil", "spare", "none")
    assert [links.claim_pencil(code, table) for code in ("first", "second", "none")] == [None] * 3
    assert [links.claim_seat(code, table) for code in ("pencil", "spare", "none")] == [None] * 3
    assert [links.seat(code, table) for code in codes] == [0, 1, None, None, None]
    assert [links.seat(code, other) for code in codes] == [None] * 5
    assert [links.claim_pencil(code, table) for code in ("pencil", "spare")] == [Pencil.HANDED_ON, Pencil.SPARE]
    assert [links.claim_seat(code, table) for code in ("first", "second")] == [0, 1]
    table, other = offer_links(tables)
    links.offer("elsewhere", other, 0)
    links.offer("newer", table, 0)
    links.offer("newer spare", table, Pencil.SPARE)
    assert [links.seat(code, table) for code in ("first", "newer", "second")] == [None, 0, 1]
    assert links.seat("elsewhere", other) == 0
    assert links.claim_pencil("spare", table) is None
    assert [links.claim_pencil(code, table) for code in ("pencil", "newer spare")] == [Pencil.HANDED_ON, Pencil.SPARE]


def test_connection_in_use_is_closed_on_return(database: str) -> None:
    engine = open_database(database)
    store = Store(engine)
    with engine.connect() as connection:
        line = connection.connection.dbapi_connection
        assert line is not None
        store.close()
        assert connection.execute(text("SELECT 1")).scalar() == 1
    assert engine.dialect.dbapi is not None
    with pytest.raises(engine.dialect.dbapi.Error):
        line.cursor().execute("SELECT 1")
