"""Storage stays bounded: rules stored once, logs limited, old games archived."""

import re
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from fivedice.store import schema
from fivedice.store.backups.integrity import check_everything
from fivedice.store.forgetting import Forgetting
from fivedice.store.retention import AT_ONCE, Retention
from fivedice.store.table_store import Store
from fivedice.table.action import MOST_IN_BETWEEN, check_room, check_version, utc_now
from fivedice.table.actions import commands as cmd
from fivedice.table.refusals import BadRequest, LogFull, PromiseServed, StaleVersion, UnknownTable
from fivedice.table.service import Tables
from for_each import for_each
from support.tables import finish, later, sweep
from table.table_harness import Parlour, open_table, pad, start_table, summary

RULES = 'extends = "yatzy"\nname = "Ours"\n' + "# a long remark\n" * 500


def start_stored_game(tables: Tables, **options: object) -> str:
    then = [cmd.SitDown("ann", "Ann"), cmd.SitDown("bob", "Bob"), cmd.StartGame("ann")]
    return tables.open("ann", "yatzy", then=then, **options)  # type: ignore[arg-type]


def test_house_rules_are_stored_once(tables: Tables, engine: Engine) -> None:
    alike = [start_stored_game(tables, rules=RULES) for _ in range(3)]
    data = schema.events.c.data
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(schema.books)).scalar_one() == 1
        firsts = connection.execute(select(data).where(schema.events.c.kind == "Opened")).scalars().all()
        assert all(len(str(first)) < 1000 for first in firsts)
        assert check_everything(connection).tables == 3
    anew = Tables(Store(engine))
    assert [anew.state(table).rules for table in alike] == [RULES] * 3
    assert anew.store.events_after(alike[0], 0)[0].data()["rules"] == RULES


def test_rules_in_a_log_of_an_earlier_version_are_read(tables: Tables, engine: Engine) -> None:
    table = start_stored_game(tables, rules=RULES)
    event = schema.events.c
    with engine.begin() as connection:
        data = connection.execute(select(event.data).where(event.kind == "Opened")).scalar_one()
        old = {name: value for name, value in data.items() if name != "rules_id"} | {"rules": RULES}
        connection.execute(update(schema.events).where(event.kind == "Opened").values(data=old))
    assert Tables(Store(engine)).state(table).rules == RULES


def test_joining_and_leaving_is_bounded_and_play_is_not(tables: Tables) -> None:
    table = start_stored_game(tables)

    def come_and_go() -> None:
        for _ in range(MOST_IN_BETWEEN):
            tables.execute(table, cmd.Leave("bob", 1))
            tables.execute(table, cmd.ComeBack("bob", 1))

    with pytest.raises(LogFull):
        come_and_go()
    state = tables.state(table)
    assert state.version - state.game_version <= MOST_IN_BETWEEN + 1
    on_turn = state.seats[state.on_turn or 0].player or ""
    tables.execute(table, cmd.RollDice(on_turn), version=state.version)
    tables.execute(table, cmd.Leave("bob", 1))


def test_repeated_undo_is_bounded(tables: Tables) -> None:
    then = [cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")]
    table = tables.open("ann", "yatzy", then=then)
    tables.execute(table, cmd.RollDice("ann"), version=tables.state(table).version)

    def back_and_forth() -> None:
        for _ in range(2000):
            tables.execute(table, cmd.FillBox("ann", "chance"), version=tables.state(table).version)
            tables.execute(table, cmd.TakeBack("ann"), version=tables.state(table).version)

    with pytest.raises(LogFull):
        back_and_forth()
    assert tables.state(table).version < 1000
    tables.execute(table, cmd.RollDice("ann"), version=tables.state(table).version)


def test_untouched_game_is_archived(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    word = tables.store.promises.make().word
    old = start_stored_game(tables, word=word)
    assert neighbour.state(old).seats, "another process knows it too"
    assert sweep(tables, Retention(180, 0), 179) == 0
    assert tables.state(old).seats, "within its time"
    assert sweep(tables, Retention(0, 1), 4000) == 0, "0 is for ever"
    assert sweep(tables, Retention(180, 0), 181) == 1
    assert tables.store.attic.sweep(Retention(180, 0), later(182)) == 0
    for one in (tables, neighbour):
        with pytest.raises(UnknownTable, match="not touched for a long time"):
            one.state(old)
        with pytest.raises(UnknownTable):
            one.execute(old, cmd.Leave("bob", 1))
    assert tables.store.own_tables.of("ann") == []
    with pytest.raises((PromiseServed, UnknownTable)):
        start_stored_game(tables, word=word)  # its dice are known
    with engine.connect() as connection:
        check_everything(connection)
        row, log = schema.tables.c, schema.events.c
        assert connection.execute(select(row.secret).where(row.id == old)).scalar_one() == ""
        assert connection.execute(select(log.version).where(log.table_id == old)).all() == []


def test_briefly_wrong_clock_archives_nothing(tables: Tables) -> None:
    """One start 200 days ahead, as a board without a battery does."""
    games = [start_stored_game(tables) for _ in range(3)]
    attic = tables.store.attic
    attic.sweep(Retention(), later(-2))
    assert attic.sweep(Retention(), later(200)) == 0, "they were not due at the first look"
    assert attic.sweep(Retention(), later(0)) == 0
    assert all(tables.state(table).seats for table in games)


def test_games_archived_by_a_wrong_clock_return(tables: Tables, neighbour: Tables) -> None:
    old = start_stored_game(tables)
    before = tables.state(old)
    assert neighbour.state(old).seats
    assert sweep(tables, Retention(180, 0), 200) == 1, "a day of wrong time, and a game played in it"
    with pytest.raises(UnknownTable):
        tables.state(old)
    tables.store.attic.sweep(Retention(180, 0), later(0))
    for one in (tables, neighbour):
        assert summary(one.state(old)) == summary(before)
    assert [entry.id for entry in tables.store.own_tables.of("ann")] == [old]
    tables.execute(old, cmd.Leave("bob", 1))


def read_attic(tables: Tables) -> list[dict[str, Any]]:
    """Return the rows of all games that are kept after they were put away."""
    return tables.store.write(lambda connection: list(connection.execute(select(schema.attic.c.content)).scalars()))


def test_archived_games_are_deleted_after_thirty_daily_sweeps(tables: Tables, engine: Engine) -> None:
    start_stored_game(tables)
    assert sweep(tables, Retention(180, 0), 200) == 1
    for day in range(202, 231):
        for hour in (0, 12):
            tables.store.attic.sweep(Retention(180, 0), later(day + hour / 24))
            assert len(read_attic(tables)) == 1, day
    assert tables.store.attic.sweep(Retention(180, 0), later(231.1)) == 1
    assert not read_attic(tables)
    with engine.connect() as connection:
        assert not connection.execute(select(schema.parts)).all()
        check_everything(connection)


def test_jumping_or_fast_clocks_delete_nothing_early(tables: Tables) -> None:
    """However far it jumps, each jump counts as one look."""
    old = start_stored_game(tables)
    assert sweep(tables, Retention(180, 0), 200) == 1
    for day in (240, 241, 242, 400, 401, 2000, 2001, 150, 300, 301, 302):
        tables.store.attic.sweep(Retention(180, 0), later(day))
    assert len(read_attic(tables)) == 1
    tables.store.attic.sweep(Retention(180, 0), later(3))
    assert tables.state(old).seats
    start_stored_game(tables)
    for day in (0, 200, 0.5, 1, 200, 1.5, 300):
        tables.store.attic.sweep(Retention(180, 0), later(day))
        assert not read_attic(tables), day


def test_idle_server_deletes_its_games(tables: Tables) -> None:
    start_stored_game(tables)
    for day in (0, 182, *range(184, 215)):
        tables.store.attic.sweep(Retention(), later(day))
    assert not any(tables.store.own_data.of("ann").values())


def test_deletion_of_data_includes_archived_games(tables: Tables, engine: Engine) -> None:
    old = start_stored_game(tables)
    assert sweep(tables, Retention(180, 0), 200) == 1
    Forgetting(tables.store).all_of("bob")
    (kept,) = read_attic(tables)
    assert "Ann" in str(kept)
    assert "bob" not in str(kept).lower()
    tables.store.attic.sweep(Retention(180, 0), later(0))
    assert [seat.name for seat in tables.state(old).seats] == ["Ann", "Former player 2"]
    assert sweep(tables, Retention(180, 0), 200) == 1
    Forgetting(tables.store).all_of("ann")
    assert not read_attic(tables)
    with engine.connect() as connection:
        check_everything(connection)


def test_archived_games_are_exported(tables: Tables) -> None:
    finish(tables, start_stored_game(tables))
    before = tables.store.own_data.of("ann")
    assert before["games"][0]["results"]
    assert sweep(tables, Retention(180, 180), 200) == 1
    after = tables.store.own_data.of("ann")
    assert after == before | {"games": [game | {"phase": "put away"} for game in before["games"]]}


def test_reused_opening_key_does_not_block_a_return(tables: Tables) -> None:
    old = start_stored_game(tables, key="k" * 20)
    assert sweep(tables, Retention(180, 0), 200) == 1
    new = start_stored_game(tables, key="k" * 20)
    tables.store.attic.sweep(Retention(180, 0), later(0))
    assert tables.state(old).seats
    assert start_stored_game(tables, key="k" * 20) == new != old


def test_two_processes_sweep_concurrently(tables: Tables, neighbour: Tables) -> None:
    games = [start_stored_game(tables) for _ in range(3)]
    wrong: list[Exception] = []

    def look(one: Tables, day: float, gate: Barrier) -> None:
        gate.wait()
        try:
            one.store.attic.sweep(Retention(180, 0), later(day))
        except Exception as error:
            wrong.append(error)

    for day in (0, 200, 201, 0, 200, 201, 0) * 2:
        gate = Barrier(2)
        threads = [Thread(target=look, args=(one, day, gate)) for one in (tables, neighbour)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong
    assert all(tables.state(table).seats for table in games)


def test_many_games_return_without_a_pause(tables: Tables) -> None:
    games = [tables.open("ann", "yatzy") for _ in range(AT_ONCE + 2)]
    assert sweep(tables, Retention(), 200) == AT_ONCE
    assert tables.store.attic.sweep(Retention(), later(201)) == 2
    assert [tables.store.attic.sweep(Retention(), later(0)) for _ in range(3)] == [AT_ONCE, 2, 0]
    assert all(tables.state(table).version for table in games)


def test_archived_games_follow_a_new_key(tables: Tables) -> None:
    old = start_stored_game(tables)
    assert sweep(tables, Retention(180, 0), 200) == 1
    tables.store.own_data.change_key("ann", "ann-2")
    tables.store.attic.sweep(Retention(180, 0), later(0))
    assert tables.state(old).seats[0].player == "ann-2"


def test_finished_games_have_their_own_retention(tables: Tables) -> None:
    table = start_stored_game(tables)
    tables.execute(table, cmd.GiveUp("ann"), version=tables.state(table).version)
    assert sweep(tables, Retention(0, 1000), 999) == 0
    assert sweep(tables, Retention(0, 1000), 1001) == 1


def test_sweeps_are_limited(tables: Tables) -> None:
    for _ in range(AT_ONCE + 2):
        tables.open("ann", "yatzy")
    assert sweep(tables, Retention(), 200) == AT_ONCE
    assert [tables.store.attic.sweep(Retention(), later(201)) for _ in range(2)] == [2, 0]


@for_each(
    ("table", "most"),
    [
        (open_table("yatzy"), 500),
        (start_table("ann", book="yatzy"), 500 + 30 * 15),
        (start_table("ann", "bob", book="yahtzee"), 500 + 30 * 13 * 2),
        (pad("Ann", "Bob", book="yahtzee", games=3), 500 + 30 * 13 * 2 * 3),
    ],
    ids=["seating", "one", "two", "sheet"],
)
def test_log_length_is_bounded(table: Parlour, most: int) -> None:
    coming, state = cmd.Leave("ann", 0), table.state
    state.version = state.game_version = most - 1
    check_room(state, coming)
    state.version = state.game_version = most
    with pytest.raises(LogFull) as caught:
        check_room(state, coming)
    assert caught.value.message.kind == "table.log-full"
    check_room(state, cmd.RollDice("ann"))


def test_age_of_commands_and_events() -> None:
    state = start_table("ann").state
    state.version = state.game_version + MOST_IN_BETWEEN - 1
    check_room(state, cmd.Leave("ann", 0))
    state.version += 1
    with pytest.raises(LogFull):
        check_room(state, cmd.Leave("ann", 0))
    state = start_table("ann", "bob").state
    state.version = state.game_version + 2
    for version in range(state.game_version, state.version + 1):
        check_version(state, cmd.RollDice("ann"), version)
    for version in (state.game_version - 1, state.version + 1):
        with pytest.raises(StaleVersion) as caught:
            check_version(state, cmd.RollDice("ann"), version)
        assert (caught.value.message.kind, caught.value.version) == ("table.stale", state.version)
    with pytest.raises(BadRequest) as missing:
        check_version(state, cmd.RollDice("ann"), None)
    assert missing.value.message.kind == "table.version-missing"
    check_version(state, cmd.Leave("ann", 0), None)
    before, now, after = datetime.now(UTC), utc_now(), datetime.now(UTC)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now)
    assert before - timedelta(milliseconds=1) <= datetime.fromisoformat(now) <= after
