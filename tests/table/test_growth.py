"""What is kept does not grow without end: rules once, logs with a bound, old games put away."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, func, select, update

from fivedice.table import commands as cmd
from fivedice.table.decide.action import MOST_IN_BETWEEN, check_room, check_version, utc_now
from fivedice.table.refusals import BadRequest, LogFull, PromiseServed, StaleVersion, UnknownTable
from fivedice.table.service import Tables
from fivedice.table.store import schema
from fivedice.table.store.integrity import check_everything
from fivedice.table.store.retention import AT_ONCE, Retention
from fivedice.table.store.table_store import Store
from for_each import for_each
from table.parlour import Parlour, opened, pad, started

RULES = 'extends = "yatzy"\nname = "Ours"\n' + "# a long remark\n" * 500


def begun(tables: Tables, **options: object) -> str:
    then = [cmd.SitDown("ann", "Ann"), cmd.SitDown("bob", "Bob"), cmd.StartGame("ann")]
    return tables.open("ann", "yatzy", then=then, **options)  # type: ignore[arg-type]


def test_house_rules_are_kept_once(tables: Tables, engine: Engine) -> None:
    alike = [begun(tables, rules=RULES) for _ in range(3)]
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
    table = begun(tables, rules=RULES)
    event = schema.events.c
    with engine.begin() as connection:
        data = connection.execute(select(event.data).where(event.kind == "Opened")).scalar_one()
        old = {name: value for name, value in data.items() if name != "rules_id"} | {"rules": RULES}
        connection.execute(update(schema.events).where(event.kind == "Opened").values(data=old))
    assert Tables(Store(engine)).state(table).rules == RULES


def test_coming_and_going_has_a_bound_and_playing_on_has_none(tables: Tables) -> None:
    table = begun(tables)

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


def test_taking_back_again_and_again_has_a_bound(tables: Tables) -> None:
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


def later(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def test_a_game_that_nobody_touched_is_put_away(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    word = tables.store.promises.make().word
    old = begun(tables, word=word)
    assert neighbour.state(old).seats, "another process knows it too"
    assert tables.store.attic.sweep(Retention(180, 0), later(179)) == 0
    assert tables.state(old).seats, "within its time"
    assert tables.store.attic.sweep(Retention(0, 1), later(4000)) == 0, "0 is for ever"
    assert tables.store.attic.sweep(Retention(180, 0), later(181)) == 1
    assert tables.store.attic.sweep(Retention(180, 0), later(9999)) == 0
    for one in (tables, neighbour):
        with pytest.raises(UnknownTable, match="not touched for a long time"):
            one.state(old)
        with pytest.raises(UnknownTable):
            one.execute(old, cmd.Leave("bob", 1))
    assert tables.store.own_tables.of("ann") == []
    with pytest.raises((PromiseServed, UnknownTable)):
        begun(tables, word=word)  # its dice are known
    with engine.connect() as connection:
        assert check_everything(connection).events == 0
        assert connection.execute(select(schema.tables.c.secret)).scalar_one() == ""


def test_a_finished_game_has_a_time_of_its_own(tables: Tables) -> None:
    table = begun(tables)
    tables.execute(table, cmd.GiveUp("ann"), version=tables.state(table).version)
    assert tables.store.attic.sweep(Retention(1, 1000), later(999)) == 0
    assert tables.store.attic.sweep(Retention(1, 1000), later(1001)) == 1


def test_only_some_are_put_away_at_once(tables: Tables) -> None:
    for _ in range(AT_ONCE + 2):
        tables.open("ann", "yatzy")
    assert [tables.store.attic.sweep(Retention(), later(200)) for _ in range(3)] == [AT_ONCE, 2, 0]


@for_each(
    ("table", "most"),
    [
        (opened("yatzy"), 500),
        (started("ann", book="yatzy"), 500 + 30 * 15),
        (started("ann", "bob", book="yahtzee"), 500 + 30 * 13 * 2),
        (pad("Ann", "Bob", book="yahtzee", games=3), 500 + 30 * 13 * 2 * 3),
    ],
    ids=["seating", "one", "two", "sheet"],
)
def test_a_log_has_room_for_so_many_events(table: Parlour, most: int) -> None:
    coming, state = cmd.Leave("ann", 0), table.state
    state.version = state.game_version = most - 1
    check_room(state, coming)
    state.version = state.game_version = most
    with pytest.raises(LogFull) as caught:
        check_room(state, coming)
    assert caught.value.message.kind == "table.log-full"
    check_room(state, cmd.RollDice("ann"))


def test_so_many_may_come_and_go_between_two_moves() -> None:
    state = started("ann").state
    state.version = state.game_version + MOST_IN_BETWEEN - 1
    check_room(state, cmd.Leave("ann", 0))
    state.version += 1
    with pytest.raises(LogFull):
        check_room(state, cmd.Leave("ann", 0))


def test_a_command_is_as_old_as_what_it_is_about() -> None:
    state = started("ann", "bob").state
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


def test_the_time_of_an_event_is_utc_to_the_millisecond() -> None:
    before, now, after = datetime.now(UTC), utc_now(), datetime.now(UTC)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now)
    assert before - timedelta(milliseconds=1) <= datetime.fromisoformat(now) <= after
