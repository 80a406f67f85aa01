"""Deleting a player's data removes their names and results, and keeps the games of others."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, insert, select

from fivedice.core.dice import Place
from fivedice.core.notation.proof import verify_record
from fivedice.errors import IllegalRecord
from fivedice.store import forgetting, schema
from fivedice.store.backups.integrity import check_everything
from fivedice.store.forgetting import Forgetting
from fivedice.store.retention import Retention
from fivedice.table.actions import commands as cmd
from fivedice.table.fairness.commitments import dice_of, record_of
from fivedice.table.refusals import UnknownTable
from fivedice.table.seat_names import is_former
from fivedice.table.service import Tables
from fivedice.table.service.handing_over import offer_seat, take_over
from fivedice.table.state import TableState
from fivedice.table.view.table_view import view
from fivedice.web.jobs.telemetry import Housekeeping
from support.tables import NO_DATA, finish

ANN, BOB, CAT = "a" * 64, "b" * 64, "c" * 64


def open_game(tables: Tables, *, start: bool = True, host: str = ANN, **options: Any) -> str:
    then: list[cmd.Command] = [cmd.SitDown(ANN, "Annabel", text="rainbow"), cmd.SitDown(BOB, "Bob", text="thunder")]
    return tables.open(host, "yatzy", then=[*then, cmd.StartGame(host)] if start else then, **options)


def everything(engine: Engine) -> str:
    with engine.connect() as connection:
        names = [name for name in schema.metadata.tables if name not in ("facts", "promises")]
        rows = [list(row) for name in names for row in connection.execute(select(schema.metadata.tables[name]))]
        assert check_everything(connection)
    return json.dumps(rows, default=str)


def record(state: TableState) -> str:
    return record_of(state, state.running)


def throws(state: TableState, secret: str) -> list[tuple[int, ...]]:
    return [dice_of(state, secret).throw(Place(turn, 1, 0), 5, 6) for turn in range(1, 9)]


def test_finished_game_of_others_still_verifies(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    table = open_game(tables)
    finish(tables, table)
    before = tables.state(table)
    whole = verify_record(record(before))
    assert not whole.kept
    assert neighbour.state(table).seats[0].given == "Annabel", "another process knows the table"
    tables.store.choices.remember(ANN, {"name": "Annabel"})
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n', ANN)
    assert tables.forget(ANN) == 1
    left = everything(engine)
    assert not [trace for trace in ("Annabel", "rainbow", ANN) if trace in left]
    assert "thunder" in left
    for one in (tables, neighbour):
        after = one.state(table)
        assert [card.total for card in after.running.position.cards] == [
            card.total for card in before.running.position.cards
        ]
        assert [seat.name for seat in after.seats] == ["Former player 1", "Bob"]
        assert [seat.name for seat in view(after, BOB, None).seats] == ["Former player 1", "Bob"]
    again = verify_record(record(tables.state(table)))
    assert (again.dice, again.throws, again.commitment) == (whole.dice, whole.throws, whole.commitment)
    assert again.kept, "a name was removed, so the names could not be checked"
    assert again.texts == ("", "thunder")
    assert tables.store.own_data.of(ANN) == NO_DATA


def test_results_of_the_deleted_player_go_and_others_stay(tables: Tables) -> None:
    table = open_game(tables)
    finish(tables, table)
    theirs = tables.store.results.of(BOB, 10)
    assert len(tables.store.results.of(ANN, 10)) == 1
    tables.forget(ANN)
    assert tables.store.results.of(ANN, 10) == []
    assert tables.store.results.best(ANN) == {}
    assert tables.store.results.of(BOB, 10) == theirs
    (entry,) = tables.store.own_tables.of(BOB)
    assert entry.names == ("Former player 1", "Bob")
    tables.execute(table, cmd.PlayAgain(BOB))
    assert tables.store.results.of(BOB, 10) != []


def test_record_with_another_hash_is_refused(tables: Tables) -> None:
    table = open_game(tables)
    finish(tables, table)
    tables.forget(ANN)
    text = record(tables.state(table))
    known = text.partition('[Known "')[2].partition('"')[0]
    with pytest.raises(IllegalRecord):
        verify_record(text.replace(known, "0" * 64))


def test_running_game_continues_with_the_same_dice(tables: Tables, engine: Engine) -> None:
    table = open_game(tables, host=BOB)
    header = tables.store.header(table)
    assert header is not None
    before = tables.state(table)
    answer: list[int] = []
    tables._listener = lambda state: answer.append(state.version)
    tables.forget(ANN)
    after = tables.state(table)
    assert after.version > before.version, "the other screens are notified"
    assert answer == [after.version]
    assert throws(before, header.secret) == throws(after, header.secret)
    assert after.seats[0].away
    assert is_former(after.seats[0].player)
    assert tables.execute(table, cmd.Dismiss(BOB, 0)).state.seats[0].stand_in, "the others may let a bot play"
    finish(tables, table)
    assert verify_record(record(tables.state(table))).kept
    assert ANN not in everything(engine)


def test_seat_is_freed_before_the_game_and_host_replaced(tables: Tables, engine: Engine) -> None:
    table = open_game(tables, start=False)
    tables.forget(ANN)
    state = tables.state(table)
    assert [seat.name for seat in state.seats] == ["Bob"]
    assert state.host == BOB
    tables.execute(table, cmd.SitDown(CAT, "Cat"))
    tables.execute(table, cmd.StartGame(BOB))
    finish(tables, table)
    assert not verify_record(record(tables.state(table))).kept, "the names were settled afterwards"
    assert not [trace for trace in ("Annabel", "rainbow", ANN) if trace in everything(engine)]


def test_tables_of_one_person_are_deleted_and_hosts_without_a_seat_found(tables: Tables, engine: Engine) -> None:
    alone = tables.open(ANN, "yatzy", then=[cmd.SitDown(ANN, "Annabel"), cmd.SitDown(ANN, "Tom"), cmd.StartGame(ANN)])
    assert tables.forget(ANN) == 1
    with pytest.raises(UnknownTable):
        tables.state(alone)
    assert not [trace for trace in ("Annabel", "Tom", ANN) if trace in everything(engine)]
    table = tables.open(CAT, "yatzy", then=[cmd.SitDown(ANN, "Ann"), cmd.SitDown(BOB, "Bob"), cmd.StartGame(CAT)])
    assert [entry["id"] for entry in tables.store.own_data.of(CAT)["also_in"]] == [table]
    tables.forget(CAT)
    assert tables.state(table).host == ANN
    assert CAT not in everything(engine)
    assert tables.state(table).seats[0].given == "Ann"


def test_names_follow_the_player_who_gave_them(tables: Tables) -> None:
    table = open_game(tables)
    take_over(tables, table, CAT, offer_seat(tables, table, ANN, 0))
    finish(tables, table)
    tables.forget(ANN)
    assert tables.state(table).seats[0].name == "Former player 1"
    assert len(tables.store.results.of(CAT, 10)) == 1
    # Ann plays on for Bob: his name is his.
    table = open_game(tables)
    take_over(tables, table, ANN, offer_seat(tables, table, BOB, 1))
    tables.forget(ANN)
    assert [seat.name for seat in tables.state(table).seats] == ["Former player 1", "Bob"]


def test_later_names_are_deleted_too(tables: Tables, engine: Engine) -> None:
    table = tables.open(BOB, "yatzy", then=[cmd.SitDown(ANN, "Annabel"), cmd.SitDown(BOB, "Bob")])
    version = tables.state(table).version
    tables.execute(table, cmd.Introduce(ANN, 0, "Annalise"), version=version)
    tables.execute(table, cmd.StartGame(BOB))
    tables.forget(ANN)
    assert not [trace for trace in ("Annabel", "Annalise") if trace in everything(engine)]


def test_two_of_three_players_can_be_deleted(tables: Tables) -> None:
    people = [cmd.SitDown(player, name) for player, name in ((ANN, "Ann"), (BOB, "Bob"), (CAT, "Cat"))]
    table = tables.open(ANN, "yatzy", then=[*people, cmd.StartGame(ANN)])
    finish(tables, table)
    tables.forget(ANN)
    tables.forget(CAT)
    state = tables.state(table)
    assert [seat.name for seat in state.seats] == ["Former player 1", "Bob", "Former player 3"]
    assert state.seats[0].player != state.seats[2].player
    assert verify_record(record(state)).kept


def test_deletion_resumes_after_a_kill(tables: Tables, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first batch is on disk when the process dies; the next one continues."""
    monkeypatch.setattr(forgetting, "AT_ONCE", 2)
    for _ in range(5):
        open_game(tables)
    assert len(Forgetting(tables.store).step(ANN)) == 2
    assert ANN in everything(engine)
    assert len(Forgetting(tables.store).finish()) == 3
    assert ANN not in everything(engine)
    assert Forgetting(tables.store).finish() == ()


def test_starting_server_finishes_a_deletion(tables: Tables, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "AT_ONCE", 1)
    open_game(tables)
    open_game(tables)
    Forgetting(tables.store).step(ANN)
    assert ANN in everything(engine)
    asyncio.run(Housekeeping(tables.store, Retention(0, 0))._handful())
    assert ANN not in everything(engine)


def test_batches_are_atomic(tables: Tables, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    open_game(tables)
    open_game(tables)
    before = everything(engine)
    done = []

    def fails(connection: Connection, table: str, *names: str) -> list[int]:
        if done:
            raise RuntimeError("killed")
        done.append(table)
        return real(connection, table, *names)

    real = forgetting._rewrite
    monkeypatch.setattr(forgetting, "_rewrite", fails)
    with pytest.raises(RuntimeError):
        tables.forget(ANN)
    assert everything(engine) == before


def test_report_facts_are_deleted_with_results(tables: Tables, engine: Engine) -> None:
    table = open_game(tables)
    fact = {"table_id": table, "game": 0, "version": 1, "release": "1", "content": {}}
    with engine.begin() as connection:
        connection.execute(insert(schema.game_facts), [fact | {"seat": seat} for seat in (0, 1)])
    left = []
    for person in (ANN, BOB):
        tables.forget(person)
        with engine.connect() as connection:
            left.append(connection.execute(select(schema.game_facts.c.seat)).scalars().all())
    assert left == [[1], []]


def test_unknown_player_has_no_data(tables: Tables) -> None:
    open_game(tables)
    assert tables.forget(CAT) == 0


def test_score_pad_stays_with_the_remaining_players(tables: Tables) -> None:
    table = open_game(tables, real_dice=True)
    tables.forget(ANN)
    state = tables.state(table)
    assert state.host == BOB
    tables.execute(table, cmd.WriteTurn(BOB, 0, 0, (2, 4, 4, 6, 6), "chance"))


def test_rows_of_other_versions_are_ignored(tables: Tables, engine: Engine) -> None:
    """A table that was put away has no log any more."""
    table = open_game(tables)
    with engine.begin() as connection:
        from fivedice.store.retention import put_away

        put_away(connection, [table])
        connection.execute(insert(schema.parts).values(player=ANN, table_id=table))
    assert tables.forget(ANN) == 1
    assert ANN not in everything(engine)
