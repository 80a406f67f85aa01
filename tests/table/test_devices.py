"""Two browsers of one person: a link works once, and what both have kept is joined, neither lost nor doubled."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import Engine, select, update

from fivedice.store import device_store as devices, schema
from fivedice.store.backups.integrity import check_everything
from fivedice.store.circles import ALL_TIME, recount
from fivedice.store.database import open_database
from fivedice.store.deals import Attempt, Deal
from fivedice.store.device_store import MOST_FAILURES, MOST_SUBSCRIPTIONS, Devices, NoticeStore, SitsTwice, Subscription
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import NotAllowed, NotYourTurn
from fivedice.table.service import Tables
from support.tables import at_once, finish, rows

ANN, PHONE, BOB = player_id("a" * 30), player_id("p" * 30), player_id("b" * 30)


@pytest.fixture
def links(tables: Tables) -> Devices:
    return Devices(tables.store)


def join(links: Devices) -> None:
    links.offer("code", ANN, "sealed", spare=False)
    assert links.join("code", PHONE) is not None


def test_link_works_once_and_only_the_newest_of_its_kind(links: Devices) -> None:
    links.offer("first", ANN, "1", spare=False)
    links.offer("spare", ANN, "2", spare=True)
    links.offer("second", ANN, "3", spare=False)
    assert [links.find(code) is not None for code in ("first", "second", "spare", "other")] == [
        False,
        True,
        True,
        False,
    ]
    assert links.has_spare(ANN)
    found = at_once(*[lambda: links.join("spare", PHONE)] * 3)
    assert sorted(link is None for link in found) == [False, True, True]
    assert not links.has_spare(ANN)


def test_link_expires_and_a_spare_one_does_not(links: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    links.offer("short", ANN, "1", spare=False)
    links.offer("spare", ANN, "2", spare=True)
    monkeypatch.setattr(devices, "LINK_LASTS", timedelta(seconds=-1))
    assert links.find("short") is None
    assert links.join("short", PHONE) is None
    assert links.join("spare", PHONE) is not None


def test_expired_links_are_deleted(links: Devices, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    links.offer("old", BOB, "1", spare=False)
    monkeypatch.setattr(devices, "LINK_LASTS", timedelta(seconds=-1))
    links.offer("new", ANN, "2", spare=False)
    with engine.connect() as connection:
        assert connection.execute(select(schema.device_links.c.code)).scalars().all() == ["new"]


@pytest.mark.parametrize("end", ["key", "forget"])
def test_links_and_notices_end_with_the_key(links: Devices, tables: Tables, end: str) -> None:
    notices = NoticeStore(tables.store)
    links.offer("short", ANN, "1", spare=False)
    links.offer("spare", ANN, "2", spare=True)
    notices.subscribe(ANN, Subscription("https://push.example/1", "p", "a"))
    found = tables.store.own_data.of(ANN)
    assert [link["spare"] for link in found["device_links"]] == [False, True]
    assert [each["endpoint"] for each in found["notices"]] == ["https://push.example/1"]
    assert "sealed" not in str(found)
    if end == "key":
        tables.store.own_data.change_key(ANN, BOB)
    else:
        tables.forget(ANN)
    assert links.find("short") is links.find("spare") is None
    assert notices.of(ANN) == notices.of(BOB) == []


def test_games_are_joined_at_every_process(links: Devices, tables: Tables, neighbour: Tables, engine: Engine) -> None:
    mine = tables.open(ANN, "yatzy", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
    then = [cmd.SitDown(PHONE, "Phone"), cmd.SitDown(BOB, "Bob"), cmd.StartGame(PHONE)]
    theirs = tables.open(PHONE, "yatzy", then=then)
    assert neighbour.state(theirs).seats_of(PHONE) == (0,)
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n', ANN)
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n', PHONE)
    tables.store.shelf.save('extends = "yatzy"\nname = "Of the phone"\n', PHONE)
    tables.store.choices.remember(PHONE, {"name": "Phone"})
    join(links)
    for each in (tables, neighbour):
        state = each.state(theirs)
        assert (state.host, state.seats_of(ANN), state.seats_of(PHONE)) == (ANN, (0,), ())
        with pytest.raises((NotAllowed, NotYourTurn)):
            each.execute(theirs, cmd.Leave(PHONE, 0))
    found = tables.store.own_data.of(ANN)
    assert {game["id"] for game in found["games"]} == {mine, theirs}
    assert sorted(book["name"] for book in found["house_rules"]) == ["Of the phone", "Ours"]
    assert found["choices"]["name"] == "Phone", "Ann had none"
    empty = tables.store.own_data.of(PHONE)
    assert not any(empty.values())
    with engine.connect() as connection:
        for rows in schema.metadata.sorted_tables:
            assert PHONE not in str(connection.execute(select(rows)).all()), rows.name
        check_everything(connection)


def test_circles_are_joined_and_counted_once(links: Devices, tables: Tables, engine: Engine) -> None:
    circles, cat = tables.store.circles, player_id("c" * 30)
    shared, own = circles.make(PHONE, "Shared", "Phone"), circles.make(PHONE, "Of the phone", "Phone")
    for player, name in ((BOB, "Bob"), (ANN, "Ann"), (cat, "Cat")):
        circles.join(shared.id, shared.code, player, name)

    def play(*people: str) -> None:
        then: list[cmd.Command] = [cmd.SitDown(player, str(number)) for number, player in enumerate(people)]
        table = tables.open(people[0], "crag", then=[*then, cmd.StartGame(people[0])])
        finish(tables, table)
        circles.judge(table, {player: (number, number) for number, player in enumerate(people)})

    for people in ((PHONE, BOB), (ANN, BOB), (PHONE, ANN), (PHONE, ANN, BOB, cat)):
        play(*people)
    waiting = tables.open(BOB, "crag", then=[cmd.SitDown(BOB, "Bob"), cmd.StartWith(BOB, 2)])
    circles.note_game(shared.id, waiting, 1)
    join(links)
    assert [(member.number, member.name) for member in circles.members(shared.id).values()] == [
        (2, "Bob"),
        (3, "Ann"),
        (4, "Cat"),
    ]
    assert [(circle.id, circle.is_mine) for circle in circles.of(ANN)] == [(own.id, True), (shared.id, True)]
    assert circles.of(PHONE) == []
    assert [game.asked for game in circles.open_games([shared.id], ANN)] == [3]
    games = {player: circles.results(shared.id, ALL_TIME)[player].games for player in (ANN, BOB, cat)}
    assert games == {ANN: 2, BOB: 3, cat: 1}, "none between both browsers, and none where both of them sat"
    before = sorted(rows(engine, schema.meetings))
    for player in (ANN, BOB, cat):
        tables.store.write(partial(recount, player=player))
    assert sorted(rows(engine, schema.meetings)) == before
    play(ANN, BOB)
    assert circles.results(shared.id, ALL_TIME)[ANN].games == 3


def test_own_choices_stay(links: Devices, tables: Tables) -> None:
    tables.store.choices.remember(ANN, {"name": "Ann"})
    tables.store.choices.remember(PHONE, {"name": "Phone"})
    join(links)
    assert tables.store.choices.of(ANN) == {"name": "Ann"}
    assert tables.store.choices.of(PHONE) == {}


@pytest.mark.parametrize("started", [False, True])
def test_no_person_sits_twice_in_an_unfinished_game(links: Devices, tables: Tables, started: bool) -> None:
    then: list[cmd.Command] = [cmd.SitDown(ANN, "Ann"), cmd.SitDown(PHONE, "Phone")]
    table = tables.open(BOB, "yatzy", then=[*then, cmd.StartGame(BOB)] if started else then)
    other = tables.open(PHONE, "yatzy", then=[cmd.SitDown(PHONE, "Phone"), cmd.StartGame(PHONE)])
    links.offer("code", ANN, "sealed", spare=False)
    with pytest.raises(SitsTwice) as caught:
        links.join("code", PHONE)
    assert caught.value.table == table
    assert tables.state(other).seats_of(PHONE) == (0,), "nothing has changed"
    assert links.find("code") is not None, "the link still works"
    if started:
        finish(tables, table)
        assert links.join("code", PHONE) is not None
        assert tables.state(table).seats_of(ANN) == (0, 1)


def attempt(tables: Tables, player: str, begun: str, *, lost: int | None, deal: str = "d1") -> str:
    """An attempt at a deal, with its result once it is known."""
    store = tables.store
    if store.deals.find(deal) is None:
        store.deals.add(Deal(deal, "yatzy", "5" * 64))
    table = tables.open_deal(player, store.deals.find(deal), practice=False)  # type: ignore[arg-type]
    with store._engine.begin() as connection:
        row = schema.attempts.c
        mine = update(schema.attempts).where(row.deal == deal, row.player == player)
        connection.execute(mine.values(begun=begun, finished=None if lost is None else begun))
    if lost is not None:
        assert store.deals.settle(Attempt(deal, player, table), lost, {})
    return table


@pytest.mark.parametrize(
    ("mine", "theirs", "kept", "counts"),
    [
        (("1", 30), ("2", 70), 30, {30: 1, 70: 0}),
        (("2", 30), ("1", 70), 70, {30: 0, 70: 1}),
        (("1", None), ("2", 0), None, {0: 0}),
        (("2", 0), ("1", None), None, {0: 0}),
        (("1", 30), ("2", 30), 30, {30: 1}),
    ],
)
def test_first_attempt_at_a_deal_counts(
    links: Devices,
    tables: Tables,
    mine: tuple[str, int | None],
    theirs: tuple[str, int | None],
    kept: int | None,
    counts: dict[int, int],
) -> None:
    own, other = (attempt(tables, who, at, lost=lost) for who, (at, lost) in ((ANN, mine), (PHONE, theirs)))
    attempt(tables, PHONE, "3", lost=90, deal="d2")
    join(links)
    found = tables.store.deals.attempt("d1", ANN)
    assert found is not None
    assert (found.lost, found.table_id) == (kept, own if mine < theirs else other)
    assert tables.store.deals.attempt("d1", PHONE) is None
    assert dict(tables.store.deals.field("d1").counts) == counts
    alone = tables.store.deals.attempt("d2", ANN)
    assert alone is not None
    assert alone.lost == 90
    assert tables.state(own).seats_of(ANN) == tables.state(other).seats_of(ANN) == (0,), "both games stay"


def answer_ten(tables: Tables, player: str, lost: float, *, late: bool = False, count: int = 10) -> None:
    for number in range(count):
        tables.store.decisions.answer_ten(player, "2026-11-18", number, "ones", lost, late=late)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [((PHONE, 1.0, False), (ANN, 2.0, False), 10.0), ((ANN, 1.0, True), (PHONE, 2.0, False), 20.0)],
)
def test_first_ten_of_a_day_counts(
    links: Devices,
    tables: Tables,
    first: tuple[str, float, bool],
    second: tuple[str, float, bool],
    kept: float,
    engine: Engine,
) -> None:
    for number, (who, lost, late) in enumerate((first, second)):
        answer_ten(tables, who, lost, late=late)
        with engine.begin() as connection:  # the clock of a test may stand still
            mine = update(schema.tens).where(schema.tens.c.player == who)
            assert connection.execute(select(schema.tens.c.begun)).scalars().all()[-1] is not None
            connection.execute(mine.values(begun=str(number)))
    join(links)
    found = tables.store.decisions.ten_result(ANN, "2026-11-18")
    assert found is not None
    assert (found.lost, found.late) == (kept, False)
    assert {lost: count for lost, count in tables.store.decisions.field("2026-11-18").counts.items() if count} == {
        int(10 * kept): 1
    }
    assert tables.store.decisions.ten_result(PHONE, "2026-11-18") is None


def test_ten_without_a_time_is_the_older_one(links: Devices, tables: Tables, engine: Engine) -> None:
    """Rows of earlier versions have none."""
    answer_ten(tables, PHONE, 1.0)
    with engine.begin() as connection:
        connection.execute(update(schema.tens).values(begun=None))
    answer_ten(tables, ANN, 2.0)
    join(links)
    found = tables.store.decisions.ten_result(ANN, "2026-11-18")
    assert found is not None
    assert found.lost == 10.0


def test_training_of_both_is_added_up(links: Devices, tables: Tables) -> None:
    save = tables.store.decisions.save_trainee
    save(ANN, 0, {"answered": 3, "hints": 1, "rating": "mine"})
    save(PHONE, 0, {"answered": 9, "hints": 2, "rating": "theirs"})
    save(PHONE, 1, {"answered": 10, "hints": 2, "rating": "theirs"})
    join(links)
    assert tables.store.decisions.trainee(ANN) == (3, {"answered": 13, "hints": 3, "rating": "theirs"})
    assert tables.store.decisions.trainee(PHONE) == (0, {})


def test_deals_and_notices_move(links: Devices, tables: Tables) -> None:
    tables.store.deals.add(Deal("d9", "yatzy", "5" * 64, player=PHONE, title="Ours"))
    notices = NoticeStore(tables.store)
    for number in range(MOST_SUBSCRIPTIONS):
        notices.subscribe(ANN, Subscription(f"https://push.example/a{number}", "p", "a"))
        notices.subscribe(PHONE, Subscription(f"https://push.example/p{number}", "p", "a"))
    join(links)
    assert [deal["title"] for deal in tables.store.own_data.of(ANN)["deals"]] == ["Ours"]
    assert len(notices.of(ANN)) == MOST_SUBSCRIPTIONS
    assert notices.of(PHONE) == []


def test_games_out_of_sight_are_joined(links: Devices, tables: Tables, engine: Engine) -> None:
    from fivedice.store.retention import _move_to_attic

    table = tables.open(PHONE, "yatzy", then=[cmd.SitDown(PHONE, "Phone"), cmd.StartGame(PHONE)])
    with engine.begin() as connection:
        _move_to_attic(connection, table, datetime.now(UTC).isoformat())
    join(links)
    assert [game["id"] for game in tables.store.own_data.of(ANN)["games"]] == [table]
    with engine.connect() as connection:
        assert PHONE not in str(connection.execute(select(schema.attic.c.content)).all())


def test_subscriptions_are_bounded_and_end(tables: Tables, engine: Engine) -> None:
    notices = NoticeStore(tables.store)
    for number in range(MOST_SUBSCRIPTIONS + 3):
        notices.subscribe(ANN, Subscription(f"https://push.example/{number}", "p", "a"))
        with engine.begin() as connection:
            mine = schema.subscriptions.c.endpoint == f"https://push.example/{number}"
            connection.execute(update(schema.subscriptions).where(mine).values(created=f"{number:02}"))
    assert [each.endpoint.rpartition("/")[2] for each in notices.of(ANN)] == [str(n) for n in range(3, 11)]
    one = notices.of(ANN)[0]
    notices.subscribe(BOB, one)
    assert len(notices.of(ANN)) == MOST_SUBSCRIPTIONS - 1, "the browser is Bob's now"
    notices.unsubscribe(ANN, one.endpoint)
    assert notices.belongs(one.id, BOB)
    for delivered in (*[False] * (MOST_FAILURES - 1), True, *[False] * (MOST_FAILURES - 1)):
        notices.note_subscription(one.id, delivered=delivered)
    assert notices.belongs(one.id, BOB)
    notices.note_subscription(one.id, delivered=False)
    assert notices.of(BOB) == []
    last = notices.of(ANN)[0]
    notices.note_subscription(last.id, delivered=None)
    assert not notices.belongs(last.id, ANN)


def test_webhook_ends_after_failures_unless_replaced(tables: Tables) -> None:
    notices, circle = NoticeStore(tables.store), tables.store.circles.make(ANN, "Ours", "Ann").id
    notices.set_webhook(circle, "https://one.example/")
    for _ in range(MOST_FAILURES - 1):
        notices.note_webhook(circle, "https://one.example/", delivered=False)
    notices.set_webhook(circle, "https://two.example/")
    notices.note_webhook(circle, "https://one.example/", delivered=None)
    assert notices.webhook(circle) == "https://two.example/"
    for _ in range(MOST_FAILURES):
        notices.note_webhook(circle, "https://two.example/", delivered=False)
    assert notices.webhook(circle) == ""
    notices.set_webhook(circle, "https://three.example/")
    notices.set_webhook(circle, "")
    assert notices.webhook(circle) == ""


@pytest.mark.parametrize("end", ["key", "forget"])
def test_key_that_ends_waits_for_a_join_under_way(postgres_url: str, end: str) -> None:
    """Otherwise the games of the phone would move to a key that has just ended, or stay after the deletion."""
    engine = open_database(postgres_url)
    tables = Tables(Store(engine))
    game = tables.open(PHONE, "yatzy", then=[cmd.SitDown(PHONE, "Phone"), cmd.StartGame(PHONE)])
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n', PHONE)
    Devices(tables.store).offer("code", ANN, "sealed", spare=False)
    ending = (lambda: tables.store.own_data.change_key(ANN, BOB)) if end == "key" else (lambda: tables.forget(ANN))
    with ThreadPoolExecutor(1) as pool, engine.connect() as watching:
        with engine.begin() as connection:
            assert devices._join(connection, "code", PHONE) is not None
            ended = pool.submit(ending)
            while not watching.exec_driver_sql("SELECT count(*) FROM pg_locks WHERE NOT granted").scalar():
                watching.rollback()
        ended.result()
    assert not any(tables.store.own_data.of(ANN).values())
    found = tables.store.own_data.of(BOB)
    assert [each["id"] for each in found["games"]] == ([game] if end == "key" else [])
    assert len(found["house_rules"]) == (end == "key")
    engine.dispose()


def test_every_table_with_people_is_known() -> None:
    """A person’s rows are joined, exported and deleted: a new table with a `player` belongs into all three."""
    owned = {rows.name for rows in schema.metadata.sorted_tables if "player" in rows.c}
    known = {"seats", "shelves", "parts", "leaving", "deals", "attempts", "tens", "trainees"}
    known |= {"circle_members", "shared_games", "meetings", "played_days"}
    assert owned == known | {"device_links", "subscriptions"}, "join, export and delete its rows, too"
