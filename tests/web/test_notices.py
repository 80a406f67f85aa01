"""“Your turn” by Web Push, and webhooks: what arrives, is tried again, and ends; and that no move waits for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from fivedice.message import message
from fivedice.store import schema
from fivedice.store.device_store import MOST_FAILURES
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import HOUSE, player_id
from fivedice.table.refusals import BadRequest, NotAllowed
from fivedice.text.languages import PSEUDO
from fivedice.web.http.client_limits import Buckets
from fivedice.web.jobs import outgoing
from fivedice.web.live.notifier import SEEN_LATELY, Presence
from fivedice.web.services import notices as module
from fivedice.web.services.notices import Notices
from for_each import for_each
from web.inside import Inside
from web.push_service import Browser, PushService, Sent, signed_claims
from web.stage import Seat, key_of

ANN, BOB = (player_id(key_of(name)) for name in ("Ann", "Bob"))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRIES", (0.0, 0.0, 0.0))


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path, notices_loopback=True) as server:
        add_circle(server)
        yield server


def add_circle(server: Inside) -> None:
    row = {"id": "circle", "code": "", "name": "Ours", "owner": 1, "joined": 1, "rounds": 0, "made": ""}
    server.stage.store.write(lambda connection: connection.execute(schema.circles.insert().values(row)).close())


def notices_of(server: Inside) -> Notices:
    found: Notices = server.app.state.services.notices
    return found


def run(server: Inside, *actions: Callable[[], object]) -> None:
    """Do this in threads, as requests do, and work until nothing is left to send."""
    notices = notices_of(server)

    async def work() -> None:
        notices.attach()
        for action in actions:
            await asyncio.to_thread(action)
        await asyncio.sleep(0)  # what threads have put there arrives
        while notices._queue or notices._busy:
            await asyncio.wait(notices._busy) if notices._busy else await asyncio.sleep(0)
        await notices.close()

    server._loop.run(work())


def wants(server: Inside, service: PushService, name: str = "Bob", path: str = "/one", **more: Any) -> Browser:
    """A browser that asks for notices."""
    browser = Browser(service.url + path)
    answer = server.ask("POST", "/devices/notices", name, data=browser.form, **more)
    assert answer.status_code == 201, answer.text
    return browser


def rolled(server: Inside, *more: Seat) -> str:
    """A game in which Ann has rolled, and Bob is next."""
    scene = server.stage.scene("yatzy", Seat("Ann"), Seat("Bob"), *more).start(first=0).roll("24466")
    return server.stage.put(scene).removeprefix("/t/")


def done(server: Inside, table: str, command: cmd.Command) -> Callable[[], object]:
    services = server.app.state.services
    return lambda: services.execute(table, command, services.tables.state(table).version)


def scored(server: Inside, table: str) -> Callable[[], object]:
    return done(server, table, cmd.FillBox(ANN, "chance"))


def kept(server: Inside, player: str = BOB) -> int:
    return len(notices_of(server).store.of(player))


def test_notice_is_encrypted_and_signed(server: Inside, service: PushService) -> None:
    browser, table = wants(server, service), rolled(server)
    run(server, scored(server, table))
    (sent,) = service.sent
    notice = browser.read(sent.content)
    assert notice == {
        "title": "Your turn",
        "body": "The others wait for you in Yatzy.",
        "path": f"/t/{table}",
        "count": 1,
    }, "no dice, no secret, no name, no key"
    assert sent.path == "/one"
    assert table.encode() not in sent.content
    assert signed_claims(sent.headers["authorization"], notices_of(server).public_key) | {"exp": 0} == {
        "aud": service.url,
        "sub": "mailto:operator@localhost",
        "exp": 0,
    }
    plain = {name: sent.headers[name] for name in ("content-encoding", "urgency", "ttl")}
    assert plain == {"content-encoding": "aes128gcm", "urgency": "normal", "ttl": "86400"}
    assert len(sent.headers["topic"]) == 32
    assert "cookie" not in sent.headers


def test_another_browser_cannot_read_it(server: Inside, service: PushService) -> None:
    wants(server, service)
    run(server, scored(server, rolled(server)))
    with pytest.raises(InvalidTag):
        Browser(service.url).read(service.sent[0].content)
    with pytest.raises(AssertionError):
        signed_claims(service.sent[0].headers["authorization"], outgoing.public_key(outgoing.private_key("7")))


def test_language_is_that_of_the_request(server: Inside, service: PushService) -> None:
    browser = wants(server, service, headers={"accept-language": PSEUDO})
    run(server, scored(server, rolled(server)))
    assert browser.read(service.sent[0].content)["title"] not in ("Your turn", "")


def test_operator_is_reached_by_the_site(tmp_path: Path, service: PushService) -> None:
    with Inside(tmp_path, notices_loopback=True, base_url="https://dice.example:8443") as server:
        wants(server, service, base="https://dice.example:8443")
        run(server, scored(server, rolled(server)))
        found = signed_claims(service.sent[0].headers["authorization"], notices_of(server).public_key)
        assert found["sub"] == "https://dice.example"


def test_every_turn_is_sent_once(server: Inside, service: PushService) -> None:
    wants(server, service)
    table, services = rolled(server), server.app.state.services
    again = services.tables.state
    run(server, scored(server, table), lambda: services.notices.note_change(again(table)))
    assert len(service.sent) == 1
    run(server, done(server, table, cmd.RollDice(BOB)))
    assert len(service.sent) == 1


def test_alone_and_against_bots_nothing_is_sent(server: Inside, service: PushService) -> None:
    wants(server, service, "Ann")
    scene = server.stage.scene("yatzy", Seat("Bot", bot="steady"), Seat("Ann")).start(first=0).roll("24466")
    table = server.stage.put(scene).removeprefix("/t/")
    services = server.app.state.services
    run(server, lambda: services.notices.note_change(services.tables.state(table)))
    run(server, done(server, table, cmd.FillBox(HOUSE, "chance")))
    assert service.sent == []


def test_each_browser_gets_it(server: Inside, service: PushService) -> None:
    for path in ("/one", "/two"):
        wants(server, service, path=path)
    wants(server, service, "Ann", path="/ann")
    run(server, scored(server, rolled(server)))
    assert {sent.path for sent in service.sent} == {"/one", "/two"}


@for_each("statuses", [[503, 201], [429, 500, 201], [408, 201], [503, 503, 503, 201]])
def test_notice_is_tried_again(server: Inside, service: PushService, statuses: list[int]) -> None:
    service.answers[:] = statuses
    service._sent.clear()
    wants(server, service)
    run(server, scored(server, rolled(server)))
    assert len(service.sent) == len(statuses)
    assert kept(server) == 1


def test_retries_are_bounded(server: Inside, service: PushService) -> None:
    service.answers[:] = [503] * 20
    wants(server, service)
    run(server, scored(server, rolled(server)))
    assert len(service.sent) == 1 + len(module.RETRIES)


@for_each("status", [400, 403, 413, 301, 307, 204, 201])
def test_other_answers_are_not_tried_again(server: Inside, service: PushService, status: int) -> None:
    service._sent.clear()
    service.answers[:] = [status]
    service.headers = {"location": f"{service.url}/elsewhere"}
    wants(server, service)
    run(server, scored(server, rolled(server)))
    assert [sent.path for sent in service.sent] == ["/one"], "redirects are not followed"


@for_each("status", [404, 410])
def test_subscription_ends_when_the_service_says_so(server: Inside, service: PushService, status: int) -> None:
    service._sent.clear()
    service.answers[:] = [status]
    wants(server, service)
    run(server, scored(server, rolled(server)))
    assert (len(service.sent), kept(server)) == (1, 0)


def test_subscription_ends_after_failures(server: Inside, service: PushService) -> None:
    service.answers[:] = [403] * (MOST_FAILURES + 1)
    wants(server, service)
    for number in range(MOST_FAILURES):
        assert kept(server) == 1, number
        run(server, scored(server, rolled(server)))
    assert kept(server) == 0


def test_delays_grow_and_follow_the_service(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRIES", (30.0, 120.0, 600.0))
    notices, delays = notices_of(server), []

    def put(_: object, delay: float = 0.0) -> None:
        delays.append(delay)

    monkeypatch.setattr(notices, "_put", put)
    for tries, wait in ((0, 0), (1, 0), (2, 0), (3, 0), (0, 90), (0, 99_999)):
        notices._retry(lambda: asyncio.sleep(0), outgoing.Answer(503, wait), tries)
    assert delays == [30.0, 120.0, 600.0, 90.0, module.LONGEST_RETRY]


def test_service_says_when_to_come_back(service: PushService) -> None:
    service.answers[:], service.headers = [429, 429, 429], {"retry-after": "77"}
    ask = outgoing.Outgoing(loopback=True)
    assert asyncio.run(ask.post(service.url, b"", {})) == outgoing.Answer(429, 77)
    service.headers = {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}
    assert asyncio.run(ask.post(service.url, b"", {})) == outgoing.Answer(429, 0)
    service.headers = {"retry-after": "9" * 5000}
    assert asyncio.run(ask.post(service.url, b"", {})) == outgoing.Answer(429, 0)


@for_each("path", ["/you/key", "/you/delete"])
def test_nothing_is_sent_to_a_person_who_is_gone(tmp_path: Path, path: str, service: PushService) -> None:
    """The deletion comes between the first try and the second."""
    (tmp_path / path.replace("/", "")).mkdir()
    with Inside(tmp_path / path.replace("/", ""), notices_loopback=True) as server:
        service._sent.clear()
        wants(server, service)
        server.ask("POST", path, "Bob", data={"sure": "yes"})
        run(server, scored(server, rolled(server)))
        assert service.sent == []
        assert kept(server) == 0


def test_retry_stops_once_the_turn_is_played(server: Inside, service: PushService) -> None:
    wants(server, service)
    table = rolled(server)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        done(server, table, cmd.RollDice(BOB))()
        done(server, table, cmd.FillBox(BOB, "chance"))()
        handler.send_response(503)
        handler.send_header("content-length", "0")
        handler.end_headers()

    service.answers[:] = [answer]
    run(server, scored(server, table))
    assert len(service.sent) == 1


def test_no_move_waits_for_a_slow_service(
    server: Inside, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every worker hangs at the service; moves are made all the same, and the service is given up in the end."""
    monkeypatch.setattr(outgoing, "TOTAL", 0.3)
    monkeypatch.setattr(module, "RETRIES", ())
    released, tables = Event(), [rolled(server) for _ in range(module.AT_ONCE + 2)]
    service.answers[:] = [lambda _: released.wait() and None] * len(tables)
    wants(server, service)
    played: list[bool] = []

    def play() -> None:
        for table in tables:
            scored(server, table)()
        played.append(released.is_set())

    run(server, play)
    assert played == [False], "all were made before the service answered"
    released.set()
    assert kept(server) in (0, 1)
    assert len(service.sent) >= MOST_FAILURES


ODD: dict[str, Callable[[BaseHTTPRequestHandler], object]] = {
    "closes": lambda handler: handler.connection.shutdown(2),
    "not http": lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n"),
    "endless head": lambda handler: handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 500_000),
    "bad status": lambda handler: handler.wfile.write(b"HTTP/1.1 999999 ??\r\n\r\n"),
    "two lengths": lambda handler: handler.wfile.write(
        b"HTTP/1.1 500 No\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
    ),
}


@for_each("what", list(ODD))
def test_odd_answers_are_failures(service: PushService, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "TOTAL", 3.0)
    service._sent.clear()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        ODD[what](handler)
        handler.close_connection = True

    service.answers[:] = [answer]
    assert asyncio.run(outgoing.Outgoing(loopback=True).post(service.url, b"", {})) == outgoing.Answer(0)


def test_body_is_not_read(service: PushService) -> None:
    """A gigabyte of an answer is not waited for: the status is all that counts."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 201 Yes\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 1000)

    service.answers[:] = [answer]
    assert asyncio.run(outgoing.Outgoing(loopback=True).post(service.url, b"", {})).status == 201


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_people_at_the_table_get_it_only_after_leaving(
    server: Inside, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    presence = Presence(clock)
    clock.now += SEEN_LATELY + 1
    notices, (table, played) = notices_of(server), (rolled(server), rolled(server))
    monkeypatch.setattr(notices, "_presence", presence)
    wants(server, service)
    for each in (table, played):
        presence.mark_present(each, BOB)
    run(server, scored(server, table), scored(server, played), notices.look)
    assert service.sent == [], "Bob is at both games"
    run(server, done(server, played, cmd.RollDice(BOB)), done(server, played, cmd.FillBox(BOB, "chance")))
    clock.now += SEEN_LATELY + 1
    run(server, notices.look, notices.look)
    assert len(service.sent) == 1, "of the game that still waits"
    assert not notices._present


def test_people_who_stay_are_looked_at_again(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    notices, looks = notices_of(server), Event()
    monkeypatch.setattr(module, "LOOK_AGAIN", 0.0)
    monkeypatch.setattr(notices, "look", looks.set)
    run(server, looks.wait)


def test_notices_per_hour_are_bounded(server: Inside, service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices_of(server), "_pushes", Buckets(0.001, 2))
    wants(server, service)
    run(server, *(scored(server, rolled(server)) for _ in range(4)))
    assert len(service.sent) == 2


def test_queue_is_bounded(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    notices = notices_of(server)
    for _ in range(10):
        notices._push(lambda: asyncio.sleep(0), 0.0)
    assert len(notices._queue) == 3


def test_a_notice_of_a_circle(server: Inside, service: PushService) -> None:
    browser = wants(server, service)
    text = message("web.your-turn-in", game="Yatzy")
    run(server, lambda: notices_of(server).tell(text, "/circle/ours", ANN, BOB))
    notice = browser.read(service.sent[0].content)
    assert (notice["title"], notice["path"], notice["count"]) == ("Fivedice", "/circle/ours", 0)


@for_each(
    "wrong",
    [
        {"endpoint": "http://push.example/1"},
        {"endpoint": "https://ann:word@push.example/1"},
        {"endpoint": "https://"},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": "https://push.example/" + "x" * 1000},
        {"endpoint": "https://push.example/\n"},
        {"endpoint": ""},
        {"p256dh": "AAAA"},
        {"p256dh": "é"},
        {"auth": "AAAA"},
        {"auth": ""},
    ],
)
def test_only_valid_subscriptions_are_kept(tmp_path: Path, wrong: dict[str, str]) -> None:
    with Inside(tmp_path) as server:
        form = Browser("https://push.example/1").form | wrong
        assert server.ask("POST", "/devices/notices", "Bob", data=form).status_code == 400
        assert kept(server) == 0


def test_off_where_the_operator_says_so(tmp_path: Path, service: PushService) -> None:
    with Inside(tmp_path, notices_loopback=True) as server:
        wants(server, service)
        add_circle(server)
        notices_of(server).set_webhook("circle", service.url)
        assert 'id="notices"' in server.ask("GET", "/devices", "Bob").text
    with Inside(tmp_path, notices=False, notices_loopback=True) as server:
        page = server.ask("GET", "/devices", "Bob").text
        assert 'id="notices"' not in page
        form = Browser("https://push.example/1").form
        assert server.ask("POST", "/devices/notices", "Bob", data=form).status_code == 404
        with pytest.raises(NotAllowed):
            notices_of(server).set_webhook("circle", service.url)
        run(server, scored(server, rolled(server)), lambda: notices_of(server).call_webhook("circle", {}))
        assert service.sent == []
        notices_of(server).set_webhook("circle", "")


def test_off_without_its_libraries(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "find_spec", lambda _: None)
    outgoing.is_installed.cache_clear()
    try:
        assert not notices_of(server).is_offered
    finally:
        outgoing.is_installed.cache_clear()


def test_without_loopback_this_machine_is_not_called(tmp_path: Path, service: PushService) -> None:
    with Inside(tmp_path) as server:
        form = Browser(service.url).form
        assert server.ask("POST", "/devices/notices", "Bob", data=form).status_code == 400
        secure = service.url.replace("http:", "https:")
        for address, status in ((secure, 400), (secure.replace("127.0.0.1", "localhost"), 201)):
            form = Browser(address).form
            assert server.ask("POST", "/devices/notices", "Bob", data=form).status_code == status
        run(server, scored(server, rolled(server)))
        assert service.connections == 0


# Webhooks.


def call(server: Inside, payload: dict[str, Any], circle: str = "circle") -> list[Sent]:
    run(server, lambda: notices_of(server).call_webhook(circle, payload))
    return []


def test_webhook_gets_json(server: Inside, service: PushService) -> None:
    notices_of(server).set_webhook("circle", f"{service.url}/hook")
    call(server, {"event": "finished", "name": "Zoë"})
    call(server, {}, "another circle")
    (sent,) = service.sent
    assert (sent.path, sent.headers["content-type"]) == ("/hook", "application/json")
    assert json.loads(sent.content) == {"event": "finished", "name": "Zoë"}


def test_webhook_is_tried_again_and_ends(server: Inside, service: PushService) -> None:
    notices, service.answers[:] = notices_of(server), [500, 502, 201, 410, 201]
    notices.set_webhook("circle", service.url)
    call(server, {"number": 1})
    assert len(service.sent) == 3
    call(server, {"number": 2})
    assert notices.store.webhook("circle") == ""
    call(server, {"number": 3})
    assert len(service.sent) == 4


def test_webhook_calls_are_bounded(server: Inside, service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    notices = notices_of(server)
    monkeypatch.setattr(notices, "_calls", Buckets(0.001, 2))
    notices.set_webhook("circle", service.url)
    for number in range(4):
        call(server, {"number": number})
    call(server, {"text": "x" * outgoing.LARGEST_CONTENT})
    assert len(service.sent) == 2


@for_each("address", ["http://hook.example/", "https://ann:word@hook.example/", "gopher://hook.example", "hook", "//x"])
def test_webhook_needs_a_secure_address(tmp_path: Path, address: str) -> None:
    with Inside(tmp_path) as server, pytest.raises(BadRequest):
        notices_of(server).set_webhook("circle", address)


# The number of games that wait.


def test_waiting_games_are_counted(server: Inside) -> None:
    first, _ = rolled(server), rolled(server)
    server.stage.put(server.stage.scene("yatzy", Seat("Ann")).start())

    def waiting(who: str, query: str = "") -> int:
        found: int = server.ask("GET", f"/devices/turns{query}", who).json()["waiting"]
        return found

    assert [waiting("Ann"), waiting("Ann", f"?besides={first}"), waiting("Bob"), waiting("")] == [2, 1, 0, 0]
    scored(server, first)()
    assert [waiting("Ann"), waiting("Bob")] == [1, 1]
