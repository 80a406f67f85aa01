"""Limits per client: what passes, what is refused, and with which answer."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st

from fivedice.table.actions import commands as cmd
from fivedice.table.refusals import BadRequest
from fivedice.table.service import Tables
from fivedice.web.http import client_limits
from fivedice.web.http.client_limits import (
    CONTEXT,
    Buckets,
    Limits,
    RequestContext as Context,
    TooMany,
    duration,
    peer_of,
    was_forwarded,
)
from fivedice.web.http.settings import Settings
from for_each import for_each
from support.clock import Clock
from web.inside import Inside


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def context() -> Iterator[Context]:
    here = Context("192.0.2.7")
    token = CONTEXT.set(here)
    yield here
    CONTEXT.reset(token)


def test_bucket_allows_a_burst_then_its_rate(clock: Clock) -> None:
    buckets = Buckets(2.0, 5.0, clock)
    assert [buckets.take("a") for _ in range(5)] == [0.0] * 5
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("b") == 0.0, "others are not concerned"
    clock.now += 0.5
    assert buckets.take("a") == 0.0
    assert buckets.take("a") > 0
    clock.now += 3600
    assert [buckets.take("a") for _ in range(6)][-2:] == [0.0, pytest.approx(0.5)], "never more than its size"


@given(st.floats(0.1, 50), st.integers(1, 30), st.lists(st.floats(0, 5, allow_nan=False), min_size=1, max_size=60))
def test_bucket_never_exceeds_rate_and_burst(rate: float, size: int, gaps: list[float]) -> None:
    clock = Clock()
    buckets = Buckets(rate, size, clock)
    taken = 0
    for gap in gaps:
        clock.now += gap
        wait = buckets.take("a")
        taken += wait == 0
        assert taken <= size + rate * (clock.now - 1000) + 1e-6
        if wait:  # waiting as long as stated is enough
            clock.now += wait + 1e-6
            assert buckets.take("a") == 0
            taken += 1


def test_buckets_without_rate_and_bounded_memory(clock: Clock) -> None:
    buckets = Buckets(0.0, 1.0, clock)
    assert not any(buckets.take("a") for _ in range(1000))
    assert len(buckets) == 0, "and keeps no client"
    buckets = Buckets(0.0, 4.0, clock)
    buckets.spend("a", 100)
    assert (buckets.wait("a"), len(buckets)) == (0.0, 0)
    buckets = Buckets(2.0, 4.0, clock)
    buckets.take("a", 4)
    buckets.give_back("a")
    assert [buckets.take("a"), buckets.take("a")] == [0.0, 0.5]
    for _ in range(9):
        buckets.give_back("a")
    assert [buckets.take("a", 4), buckets.take("a")] == [0.0, 0.5]


def test_bucket_memory_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_limits, "MOST_CLIENTS", 100)
    buckets = Buckets(1.0, 2.0, clock)
    for number in range(1000):
        buckets.take(f"client-{number}")
        buckets.take("busy")
    assert len(buckets) == 100
    assert buckets.take("busy") > 0, "a client that keeps coming is remembered"


@for_each(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("", "", True),
        ("a socket", "another socket", False),
    ],
)
def test_addresses_that_share_a_limit(one: str, other: str, same: bool) -> None:
    """All addresses of one IPv6 network count once."""
    assert (Context(one).client == Context(other).client) is same


HOMES = [f"2001:db8:1:{number:x}::1" for number in range(100)]


def _count_let_in(action: Callable[[Context], object]) -> int:
    """Return how many of a hundred homes of one site are let in, and see that others still are."""
    found = 0
    for context in map(Context, HOMES):
        token = CONTEXT.set(context)
        with suppress(TooMany):
            action(context)
            found += 1
        CONTEXT.reset(token)
    for other in map(Context, ("2001:db8:2::1", "192.0.2.7", "192.0.2.8")):
        token = CONTEXT.set(other)
        action(other)
        CONTEXT.reset(token)
    return found


def test_networks_share_a_larger_limit(clock: Clock) -> None:
    """Who has a /48 has 65,536 clients."""
    limits = Limits(Settings(read_rate=0.1, streams_at_once=1, megabytes_per_day=1, work_rate=100.0), clock)
    share = client_limits.SITE_SHARE
    assert _count_let_in(lambda context: limits.request(context, "GET")) == share
    assert _count_let_in(lambda _: limits.hold_stream()) == share
    assert _count_let_in(lambda _: limits.saves(1_000_000)) == share

    def work(context: Context) -> None:
        limits.afford(context, "work")
        limits.charge(context, "work", 3.0)

    assert _count_let_in(work) == share
    limits = Limits(Settings(read_rate=0.1), clock)
    _count_let_in(lambda context: limits.request(context, "GET"))
    clock.now += 2.5  # a token for the site
    limits.request(Context(HOMES[-1]), "GET")


def test_repeated_refusals_are_delayed(clock: Clock) -> None:
    """To refuse thousands of requests a second was what slowed others down."""
    limits = Limits(clock=clock)
    context, at_once = Context("192.0.2.7"), int(client_limits.REFUSALS_AT_ONCE)
    assert [limits.refusal_pause(context) for _ in range(at_once + 1)] == [0.0] * at_once + [
        client_limits.REFUSAL_PAUSE
    ]
    assert limits.refusal_pause(Context("192.0.2.8")) == limits.refusal_pause(Context("192.0.2.7", free=True)) == 0.0
    clock.now += 1.0
    assert limits.refusal_pause(context) == 0.0


def test_only_refusals_are_delayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("fivedice.web.middleware.sleep", sleep)
    monkeypatch.setattr(client_limits, "REFUSALS_AT_ONCE", 2.0)
    with Inside(tmp_path, read_rate=0.5) as server:
        found = [server.ask("GET", "/help").status_code for _ in range(10)]
        assert found == [200] * 5 + [429] * 5
        assert pauses == [client_limits.REFUSAL_PAUSE] * 3


@for_each(
    ("address", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::"),
        ("fe80::1", "fe80::"),
        ("a socket", "a socket"),
        ("x" * 65, "x" * 64),
    ],
)
def test_client_of_an_address(address: str, client: str) -> None:
    assert Context(address).client == client


@for_each(("client", "peer"), [(("192.0.2.1", 50_000), "192.0.2.1"), (None, "")])
def test_peer_of_a_connection(client: tuple[str, int] | None, peer: str) -> None:
    assert peer_of({"client": client}) == peer  # type: ignore[typeddict-item,arg-type]


@for_each(
    ("names", "forwarded"),
    [
        ([], False),
        (["host", "accept"], False),
        (["host", "x-forwarded-for"], True),
        (["forwarded", "host"], True),
        (["host", "via"], True),
        (["x-real-ip"], True),
    ],
)
def test_forwarded_requests_are_detected(names: list[str], forwarded: bool) -> None:
    assert was_forwarded({"headers": [(name.encode(), b"x") for name in names]}) is forwarded  # type: ignore[typeddict-item,arg-type]


@pytest.mark.parametrize(("spent", "wait"), [(0, 0.0), (3.0, 0.0), (3.5, 0.25), (4.0, 0.5), (10.0, 3.5)])
def test_time_until_the_next_token(clock: Clock, spent: float, wait: float) -> None:
    """One is enough, and asking takes none."""
    buckets = Buckets(2.0, 4.0, clock)
    buckets.spend("a", spent)
    assert [buckets.wait("a"), buckets.wait("a"), buckets.wait("b")] == [wait, wait, 0.0]


@pytest.mark.parametrize(("rate", "at_once", "wait"), [(3.0, 30, 1), (0.05, 1, 20)])
@pytest.mark.parametrize(
    ("kind", "method"),
    [("reads", "GET"), ("reads", "HEAD"), ("reads", "OPTIONS"), ("writes", "POST"), ("writes", "DELETE")],
)
def test_burst_is_ten_seconds_of_requests(
    clock: Clock, context: Context, kind: str, method: str, rate: float, at_once: int, wait: int
) -> None:
    """At least one; reading and writing are counted each by itself."""
    other = "POST" if kind == "reads" else "GET"
    limits = Limits(Settings(read_rate=rate, write_rate=rate), clock)
    for _ in range(at_once):
        limits.request(context, method)
    with pytest.raises(TooMany) as refused:
        limits.request(context, method)
    assert refused.value.message.kind == f"web.too-many-{kind}"
    assert (context.limit, context.wait) == (kind, wait)
    limits.request(context, other)


@pytest.mark.parametrize(("budget", "most"), [("work", 3.0), ("looks", 1.0)])
def test_burst_of_processor_time(clock: Clock, context: Context, budget: Literal["work", "looks"], most: float) -> None:
    """Half a minute's for work, ten seconds' for looks."""
    limits = Limits(Settings(work_rate=100.0, look_rate=100.0), clock)
    limits.charge(context, budget, most - 0.001)
    limits.afford(context, budget)
    limits.charge(context, budget, 1.0)
    with pytest.raises(TooMany) as refused:
        limits.afford(context, budget)
    assert refused.value.message.kind == f"web.too-many-{budget}"
    assert (context.limit, context.wait) == (budget, 10)


def test_operator_programs_have_no_limit(clock: Clock, context: Context) -> None:
    least = Settings(
        read_rate=0.1, write_rate=0.1, work_rate=0.1, look_rate=0.1, tables_per_hour=1, books_per_hour=1,
        streams_at_once=1, megabytes_per_day=1, unlimited_from="192.0.2.0/24",
    )  # fmt: skip
    limits = Limits(least, clock)
    for number in range(3):
        context.streaming = False
        limits.request(context, "GET")
        limits.request(context, "POST")
        limits.charge(context, "work", 100.0)
        limits.afford(context, "work")
        limits.saves(2_000_000)
        limits.hold_stream()
        with limits.one_more("tables"), limits.one_more("books"):
            assert limits.streams == number + 1


@pytest.mark.parametrize(
    "visitor",
    [Context("198.51.100.7"), Context("192.0.2.7", known=False), Context("a socket"), Context("192.0.2.7", free=True)],
)
def test_everyone_else_is_limited(clock: Clock, visitor: Context) -> None:
    """Other networks, unknown proxies, and servers without a configured operator are limited."""
    limits = Limits(Settings(read_rate=0.1, unlimited_from="" if visitor.free else "192.0.2.0/24"), clock)
    limits.request(visitor, "GET")
    with pytest.raises(TooMany):
        limits.request(visitor, "GET")
    assert not visitor.free


def test_server_and_background_work_are_not_limited(clock: Clock) -> None:
    limits = Limits(Settings(megabytes_per_day=1, streams_at_once=1), clock)
    assert CONTEXT.get() is None
    limits.saves(2_000_000)
    limits.hold_stream()
    assert limits.streams == 0
    # For example, a rematch that the server begins counts against no client.
    limits, kept = Limits(Settings(tables_per_hour=1), clock), []
    assert CONTEXT.get() is None
    for number in range(3):
        with limits.one_more("tables"):
            kept.append(number)
    assert kept == [0, 1, 2]


@for_each(("wait", "told"), [(0.001, 1), (1.0, 1), (1.001, 2), (90.5, 91)])
def test_stated_wait_is_long_enough(wait: float, told: int) -> None:
    assert TooMany("reads", wait).wait == told


def test_refused_table_does_not_count(clock: Clock, context: Context) -> None:
    limits = Limits(Settings(tables_per_hour=1), clock)
    for _ in range(3):
        with pytest.raises(BadRequest), limits.one_more("tables"):
            raise BadRequest("no such book")
    with limits.one_more("tables"):
        pass
    with pytest.raises(TooMany, match=r"Too many new games.*Wait 60 minutes") as refused, limits.one_more("tables"):
        pytest.fail("not let in")
    assert context.wait == refused.value.wait == 3600
    clock.now += 3600
    with limits.one_more("tables"):
        pass


def test_closed_streams_free_their_place(context: Context) -> None:
    limits = Limits(Settings(streams_at_once=2))
    others = [Context("192.0.2.7"), Context("192.0.2.8")]
    limits.hold_stream()
    limits.hold_stream()  # the same request holds one stream, however often it is asked
    assert limits.streams == 1
    for one in others:
        CONTEXT.set(one)
        limits.hold_stream()
    CONTEXT.set(third := Context("192.0.2.7"))
    with pytest.raises(TooMany, match="Close some"):
        limits.hold_stream()
    assert (third.limit, third.wait, third.streaming, limits.streams) == ("streams", 30, False, 3)
    for one in (context, *others, third):
        limits.leave(one)
        limits.leave(one)
    assert limits.streams == 0
    assert not limits._streams, "a client without connections is forgotten"


@for_each(
    ("seconds", "words"), [(1, "1 second"), (2, "2 seconds"), (90, "90 seconds"), (91, "2 minutes"), (121, "3 minutes")]
)
def test_wait_in_words(seconds: int, words: str) -> None:
    assert str(duration(seconds)) == words


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path, read_rate=0.5, write_rate=0.2, tables_per_hour=2, trusted_proxies="10.0.0.1") as server:
        yield server


def test_too_many_requests_get_a_waiting_time(strict: Inside) -> None:
    answers = [strict.ask("GET", "/help") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    page = answers[-1]
    assert page.headers["retry-after"] == "2"
    assert "Too many requests from your address. Wait 2 seconds and try again." in page.text
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    program = strict.ask("GET", "/api/books")
    assert (program.status_code, program.json()["error"]) == (429, "too-many")
    assert program.headers["retry-after"] == "2"
    assert strict.ask("GET", "/nowhere").status_code == 429, "what leads nowhere counts as well"
    assert strict.ask("GET", "/help", address="192.0.2.9").status_code == 200, "others are not concerned"
    assert strict.ask("POST", "/api/players").status_code == 201, "changes are counted by themselves"
    assert strict.ask("POST", "/api/players").status_code == 201
    assert strict.ask("POST", "/api/players").status_code == 429
    assert strict.ask("GET", "/health").status_code == 200, "health checks are always answered"


def test_odd_keys_are_limited_too(strict: Inside) -> None:
    for _ in range(6):
        answer = strict.ask("GET", "/help", headers={"authorization": "Bearer short"})
    assert answer.status_code == 429


@pytest.mark.parametrize("path", ["/tables", "/play", "/api/tables"])
def test_new_tables_are_limited_everywhere(tmp_path: Path, path: str) -> None:
    body = {"json": {"seats": [{"name": "Ann"}]}} if path.startswith("/api") else {"data": {"name": "Ann"}}
    with Inside(tmp_path, tables_per_hour=2) as server:
        answers = [server.ask("POST", path, "Ann", **body) for _ in range(3)]  # type: ignore[arg-type]
        assert [answer.status_code for answer in answers[:2]] == [201 if path.startswith("/api") else 303] * 2
        assert answers[2].status_code == 429
        # Half an hour, less what the tables themselves took on a busy machine.
        assert 1500 < int(answers[2].headers["retry-after"]) <= 1800
        assert "Too many new games" in answers[2].text
        assert len(server.ask("GET", "/api/tables", "Ann").json()["tables"]) == 2
        assert server.ask("POST", path, "Ann", address="192.0.2.9", **body).status_code < 400  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/house", "/api/books"])
def test_new_house_rules_are_limited(tmp_path: Path, path: str) -> None:
    with Inside(tmp_path, books_per_hour=2) as server:

        def bring(text: str) -> int:
            body: dict[str, Any] = {"json": {"text": text}} if path.startswith("/api") else {"data": {"text": text}}
            return server.ask("POST", path, "Ann", **body).status_code

        assert bring("what is this?") == 422
        good = [bring(f'extends = "yatzy"\nname = "Ours {number}"\n') for number in range(3)]
        assert good == [201 if path.startswith("/api") else 303] * 2 + [429]


@pytest.mark.usefixtures("context")
def test_stored_bytes_are_counted_per_day(clock: Clock) -> None:
    limits = Limits(Settings(megabytes_per_day=3), clock)
    limits.saves(3_000_000)
    with pytest.raises(TooMany) as refused:
        limits.saves(1)
    assert refused.value.message.kind == "web.too-many-bytes"
    clock.now += 24 * 3600 / 3
    limits.saves(999_999)
    with pytest.raises(TooMany):
        limits.saves(2)


def test_storage_per_client_and_day_is_limited(tmp_path: Path) -> None:
    """House rules and tables count; other clients are not affected."""
    with Inside(tmp_path, megabytes_per_day=1) as server:

        def bring(number: int, address: str = "192.0.2.1") -> Any:
            text = f'extends = "yatzy"\nname = "Ours {number}"\n' + "# a remark\n" * 2500
            return server.ask("POST", "/api/books", "Ann", address=address, json={"text": text})

        statuses = [bring(number).status_code for number in range(40)]
        assert statuses.count(201) in range(30, 37)
        refused = bring(41)
        assert (refused.status_code, refused.json()["kind"]) == (429, "web.too-many-bytes")
        assert "Too much was saved from your address today" in refused.text
        bots = {"book": "yatzy", "seats": [{"bot": "greedy"}] * 6}
        assert server.ask("POST", "/api/tables", "Ann", address="192.0.2.1", json=bots).status_code == 429
        assert bring(42, "192.0.2.9").status_code == 201


def test_rematch_counts_as_a_new_table(tmp_path: Path) -> None:
    with Inside(tmp_path, tables_per_hour=2) as server:
        tables = server.app.state.services.tables
        token = CONTEXT.set(Context("192.0.2.1"))
        first = tables.open("ann", "yatzy", real_dice=True, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
        _write_all(tables, first)
        second = tables.rematch(first, "ann")
        tables.execute(second, cmd.StartGame("ann"))
        _write_all(tables, second)
        with pytest.raises(TooMany, match="Too many new games"):
            tables.rematch(second, "ann")
        assert tables.state(second).rematch is None
        CONTEXT.reset(token)


def _write_all(tables: Tables, table: str) -> None:
    while (game := tables.state(table).game) is not None and game.outcome is None:
        tables.execute(table, cmd.EnterDice("ann", (1, 2, 3, 4, 6)), version=tables.state(table).version)
        box = next(iter(tables.state(table).running.position.ruling().legal))
        tables.execute(table, cmd.FillBox("ann", box), version=tables.state(table).version)


def test_only_a_trusted_proxy_names_the_client(strict: Inside) -> None:
    def ask(number: int, peer: str) -> int:
        headers = {"x-forwarded-for": f"203.0.113.{number}"}
        return strict.ask("GET", "/help", address=peer, headers=headers).status_code

    assert [ask(number, "10.0.0.1") for number in range(8)] == [200] * 8, "eight clients behind our proxy"
    assert [ask(number, "10.9.9.9") for number in range(8)] == [200] * 5 + [429] * 3, "one who makes names up"


def test_defaults_allow_a_club_behind_one_router() -> None:
    """Forty phones behind one router: all open their pages together, then one table plays a move a second."""
    clock, router = Clock(), Context("192.0.2.1")
    limits = Limits(clock=clock)
    for _ in range(40 * 8):
        limits.request(router, "GET")
    for _ in range(600):
        clock.now += 1
        limits.request(router, "POST")
        for _ in range(40):
            limits.request(router, "GET")
    token = CONTEXT.set(router)
    for _ in range(40 * 4):
        router.streaming = False
        limits.hold_stream()
    for _ in range(40 * 6):
        with limits.one_more("tables"):
            pass
    CONTEXT.reset(token)


def test_rules_of_a_refused_table_count(tmp_path: Path) -> None:
    """A large book takes seconds to work out, and a seat without a name must not make that free."""
    with Inside(tmp_path, books_per_hour=2) as server:

        def opened(rules: str, name: str) -> int:
            body = {"book": "yatzy", "rules": rules, "seats": [{"name": name}]}
            return server.ask("POST", "/api/tables", "Ann", json=body).status_code

        texts = [f"extends = 'yatzy'\nname = 'House {number}'\n" for number in range(3)]
        assert [opened("nonsense", "Ann") for _ in range(3)] == [422] * 3, "what cannot be read costs nothing"
        assert [opened(texts[0], "Ann") for _ in range(4)] == [201] * 4, "a known text is worked out once"
        assert [opened(text, "") for text in (texts[1], texts[2])] == [400, 429]
        assert opened(texts[0], "Ann") == 201
