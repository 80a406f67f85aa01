"""The daily game and deals at the tables: the same dice for everyone, one attempt that counts, and no early secret."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from fivedice.core.dice import commitment
from fivedice.core.rules import SHIPPED
from fivedice.store import schema
from fivedice.store.database import open_database
from fivedice.store.deals import Deal
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.daily import GRACE, book_of_day, end_of, today
from fivedice.table.fairness.commitments import check_record, record_of
from fivedice.table.refusals import WrongPhase
from fivedice.table.service import Tables
from fivedice.table.service.days import Days
from fivedice.table.state import Phase
from fivedice.text.squares import squares_of
from support.tables import at_once, finish, play
from table.table_harness import ANN, BOB

DAY = date(2026, 11, 18)
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


class Server:
    """Tables with a clock that a test sets."""

    def __init__(self, store: Store, zone: str = "UTC") -> None:
        self.now = NOON
        self.days = Days(store, zone, lambda: self.now)
        self.tables = Tables(store, is_over=self.days.is_over)

    @property
    def deal(self) -> Deal:
        found = self.days.of(DAY)
        assert found is not None
        return found

    def begin(self, player: str, *, practice: bool = False) -> str:
        return self.tables.open_deal(player, self.deal, practice=practice)

    def dice(self, table: str) -> list[tuple[int, ...]]:
        return [roll.dice for rolls in self.tables.state(table).lain for roll in rolls]


@pytest.fixture
def server(store: Store) -> Server:
    return Server(store)


def test_everyone_has_the_same_dice_and_another_server_has_others(server: Server, tmp_path: Path) -> None:
    tables = [server.begin(ANN), server.begin(BOB), server.begin(ANN, practice=True)]
    for table in tables:
        finish(server.tables, table)
    ann, *others = map(server.dice, tables)
    assert others == [ann, ann]
    other = Server(Store(open_database(f"sqlite:///{tmp_path / 'other.db'}")))
    table = other.begin(ANN)
    finish(other.tables, table)
    assert other.dice(table) != ann
    assert other.deal.book == server.deal.book


def test_the_first_attempt_counts_once_however_often_it_is_asked_for(server: Server) -> None:
    found = at_once(*[lambda: server.begin(ANN)] * 4)
    assert len(set(found)) == 1
    attempt = server.tables.store.deals.attempt(DAY.isoformat(), ANN)
    assert attempt is not None
    assert (attempt.table_id, attempt.finished, attempt.total) == (found[0], None, None)
    finish(server.tables, attempt.table_id)
    ended = server.tables.store.deals.attempt(DAY.isoformat(), ANN)
    assert ended is not None
    assert ended.total == server.tables.state(attempt.table_id).running.position.cards[0].total
    practice = server.begin(ANN, practice=True)
    finish(server.tables, practice)
    assert server.tables.store.deals.attempt(DAY.isoformat(), ANN) == ended
    assert len(server.tables.store.results.of(ANN, 10)) == 1  # practice with known dice is not in the statistics


def test_a_finished_result_cannot_be_taken_back(server: Server) -> None:
    table = server.begin(ANN)
    play(server.tables, table)
    state = server.tables.state(table)
    server.tables.execute(table, cmd.TakeBack(ANN), version=state.version)  # before new dice: nothing is learnt by it
    finish(server.tables, table)
    with pytest.raises(WrongPhase):
        server.tables.execute(table, cmd.TakeBack(ANN), version=server.tables.state(table).version)


def test_no_hints_where_it_counts(server: Server) -> None:
    assert not server.tables.state(server.begin(ANN)).coach
    assert server.tables.state(server.begin(ANN, practice=True)).coach


def test_the_secret_is_revealed_when_the_day_is_over_and_verifies(server: Server) -> None:
    table, running = server.begin(ANN), server.begin(BOB)
    finish(server.tables, table)
    promise = server.tables.state(table).promise
    server.now = end_of(DAY) - timedelta(seconds=1)
    assert server.tables.state(table).secret is None
    server.now = end_of(DAY)  # Bob still plays: his dice must not be known
    assert server.tables.state(table).secret is None
    finish(server.tables, running)
    state = server.tables.state(table)
    assert state.secret == server.days.secret(DAY)
    assert commitment(state.secret) == promise == state.promise
    assert state.game is not None
    assert check_record(record_of(state, state.game)).verdict.commitment == promise
    assert server.tables.state(running).secret == state.secret


def test_an_abandoned_game_delays_the_secret_by_half_a_day_at_most(server: Server) -> None:
    table, left = server.begin(ANN), server.begin(BOB)
    finish(server.tables, table)
    server.now = end_of(DAY) + GRACE - timedelta(seconds=1)
    assert server.tables.state(table).secret is None
    server.now += timedelta(seconds=1)
    assert server.tables.state(table).secret is not None
    finish(server.tables, left)
    attempt = server.tables.store.deals.attempt(DAY.isoformat(), BOB)
    assert attempt is not None
    assert attempt.total is not None  # by the real clock this test is long before that day


def test_a_game_that_goes_on_past_midnight_counts_for_its_day(server: Server) -> None:
    server.now = end_of(DAY) - timedelta(minutes=1)
    table = server.begin(ANN)
    server.now += timedelta(hours=1)
    assert server.days.today() == DAY + timedelta(days=1)
    assert not server.days.is_open(server.deal)
    finish(server.tables, table)
    attempt = server.tables.store.deals.attempt(DAY.isoformat(), ANN)
    assert attempt is not None
    assert attempt.total is not None
    late = (end_of(DAY) + GRACE).isoformat()
    for finished, counts in ((end_of(DAY).isoformat(), True), (late, False)):
        at_end = type(attempt)(DAY.isoformat(), ANN, table, finished=finished, total=1)
        assert server.days.counts(server.deal, at_end) is counts


def test_a_game_ended_early_has_no_result(server: Server) -> None:
    table = server.begin(ANN)
    server.tables.execute(table, cmd.GiveUp(ANN))
    attempt = server.tables.store.deals.attempt(DAY.isoformat(), ANN)
    assert attempt is not None
    assert attempt.finished is not None
    assert not server.days.counts(server.deal, attempt)
    assert server.tables.state(table).phase is Phase.GIVEN_UP
    assert server.tables.state(table).secret is None


def test_the_field_equals_a_recount_and_ties_share_a_rank(server: Server) -> None:
    deals = server.tables.store.deals
    for number, lost in enumerate((52, 31, 31, 0, 99_999, 70)):
        player = f"player {number}"
        finish(server.tables, server.begin(player))
        attempt = deals.attempt(DAY.isoformat(), player)
        assert attempt is not None
        assert deals.settle(attempt, lost, {})
        assert not deals.settle(attempt, 0, {})  # judged by two processes
    stored = [attempt.lost for attempt in deals.attempts(DAY.isoformat()) if attempt.lost is not None]
    field = deals.field(DAY.isoformat())
    assert field.counts == {lost: stored.count(lost) for lost in sorted(set(stored))}
    assert field.players == 6
    assert [field.rank(lost) for lost in sorted(stored)] == [1, 2, 2, 4, 5, 6]
    assert [field.rank(lost) for lost in stored] == [1 + sum(each < lost for each in stored) for lost in stored]


def test_deleting_a_person_leaves_only_counts(server: Server) -> None:
    deals, store = server.tables.store.deals, server.tables.store
    finish(server.tables, server.begin(ANN))
    attempt = deals.attempt(DAY.isoformat(), ANN)
    assert attempt is not None
    deals.settle(attempt, 42, {"luck": 1.0})
    mine = Deal("dmine", "yatzy", "5" * 64, player=ANN, title="Ann’s class", closes=DAY.isoformat())
    deals.add(mine)
    found = store.own_data.of(ANN)
    assert [row["lost"] for row in found["daily"]] == [42]
    assert [row["title"] for row in found["deals"]] == ["Ann’s class"]
    assert "5" * 64 not in str(found)
    server.tables.forget(ANN)
    assert deals.attempt(DAY.isoformat(), ANN) is None
    assert deals.field(DAY.isoformat()).counts == {42: 1}
    with store._reading() as connection:
        rows = str(connection.execute(select(schema.attempts)).all()) + str(
            connection.execute(select(schema.deals)).all()
        )
    assert ANN not in rows
    assert "class" not in rows


def test_a_new_key_keeps_the_results(server: Server) -> None:
    finish(server.tables, server.begin(ANN))
    server.tables.store.own_data.change_key(ANN, BOB)
    assert server.tables.store.deals.attempt(DAY.isoformat(), ANN) is None
    assert server.tables.store.deals.attempt(DAY.isoformat(), BOB) is not None


def test_days_without_visitors_exist_and_days_before_the_first_do_not(server: Server) -> None:
    assert server.deal.closes == DAY.isoformat()
    server.now += timedelta(days=3)
    missed = server.days.of(DAY + timedelta(days=2))
    assert missed is not None
    assert not server.days.is_open(missed)
    assert server.days.of(DAY - timedelta(days=1)) is None
    assert server.days.of(server.days.today() + timedelta(days=1)) is None


def test_the_day_begins_in_the_zone_of_the_server() -> None:
    late = datetime(2026, 11, 18, 23, 30, tzinfo=UTC)
    assert today("UTC", late) == DAY
    assert today("Europe/Berlin", late) == DAY + timedelta(days=1)
    assert end_of(DAY, "Europe/Berlin") == datetime(2026, 11, 18, 23, tzinfo=UTC)


def test_every_day_has_rules_and_all_of_them_have_their_turn() -> None:
    books = [book_of_day(DAY + timedelta(days=number)) for number in range(22)]
    assert books[:11] == books[11:]
    assert len(set(books)) == 11
    assert set(books) < set(SHIPPED)


def test_daily_dice_are_not_counted_in_the_statistics_of_all_dice(server: Server) -> None:
    finish(server.tables, server.begin(ANN))
    assert server.tables.store.dice_counts.look().games == 0


def test_squares_show_the_size_of_each_loss() -> None:
    assert squares_of([0.0, 0.04, 0.05, 0.99, 1.0, 3.9, 4.0]) == "🟩🟩🟨🟨🟧🟧🟥"


def test_a_clock_that_was_wrong_hides_no_day_and_shows_none_early(server: Server) -> None:
    later = DAY + timedelta(days=400)
    server.now = end_of(later) - timedelta(hours=1)
    assert server.days.of(later) is not None
    server.now = NOON
    assert server.days.of(later) is None, "its dice would be known before it begins"
    assert server.days.first() == DAY
    assert server.deal.closes == DAY.isoformat()
