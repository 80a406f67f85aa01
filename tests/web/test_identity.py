"""Who is asking, which page sent a form, and the coach choices of a browser."""

import asyncio
import socket
from types import SimpleNamespace
from typing import Any, Self, cast

import pytest
from litestar import Request

from fivedice.coaching.training import AUTO, WIN, Goal
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import NotAllowed
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import NoKey, Req
from fivedice.web.http.identity import (
    LIFETIME,
    dropped_cookies,
    forget_key,
    known_person,
    lan_address,
    person_of,
    public_base,
    refuse_foreign_origin,
)
from fivedice.web.http.settings import Settings
from fivedice.web.services.app_services import CoachChoices, apply_form, coach_choices
from for_each import for_each

KEY = "k" * 20


def make_request(
    method: str = "GET", *, scheme: str = "http", base_url: str = "", root: str = "", **headers: str
) -> Req:
    """As much of a request as identity needs; in the names of headers _ stands for -."""
    state = SimpleNamespace(services=SimpleNamespace(settings=Settings(base_url=base_url)))
    app = SimpleNamespace(state=state)
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "scheme": scheme, "path": f"{root}/", "headers": sent, "state": {}}
    return cast("Req", Request(cast("Any", scope | {"root_path": root, "app": app, "litestar_app": app})))


@for_each("method", ["GET", "HEAD", "OPTIONS"])
def test_other_sites_may_read(method: str) -> None:
    request = make_request(method, host="dice.test", origin="https://evil.example", sec_fetch_site="cross-site")
    asyncio.run(refuse_foreign_origin(request))


@for_each("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
@for_each("headers", [{"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}])
def test_other_sites_may_not_act(method: str, headers: dict[str, str]) -> None:
    with pytest.raises(NotAllowed) as refused:
        asyncio.run(refuse_foreign_origin(make_request(method, host="dice.test", **headers)))
    assert refused.value.message.kind == "web.other-site"


def test_programs_may_act_from_anywhere() -> None:
    request = make_request("POST", host="dice.test", origin="https://evil.example", authorization=f"Bearer {KEY}")
    asyncio.run(refuse_foreign_origin(request))


@for_each(
    "headers",
    [{"authorization": f"Bearer {KEY}"}, {"authorization": f"Bearer  {KEY} "}, {"cookie": f"fivedice_player={KEY}"}],
)
def test_visitors_are_known_by_their_key(headers: dict[str, str]) -> None:
    person = known_person(make_request(**headers))
    assert (person.id, person.key, person.fresh) == (player_id(KEY), KEY, False)


@for_each("length", [20, 200])
def test_shortest_and_longest_key(length: int) -> None:
    key = "k" * length
    assert known_person(make_request(authorization=f"Bearer {key}")).key == key
    assert known_person(make_request(cookie=f"fivedice_player={key}")).key == key


@for_each("length", [0, 19, 201])
def test_keys_of_other_lengths_are_refused(length: int) -> None:
    """A program gets an error; a browser gets a new identity."""
    key = "k" * length
    with pytest.raises(NoKey) as refused:
        person_of(make_request(authorization=f"Bearer {key}"))
    assert (refused.value.message.kind, refused.value.message.args) == ("web.bad-key", {"shortest": 20, "longest": 200})
    person = person_of(make_request(cookie=f"fivedice_player={key}"))
    assert person.fresh
    assert person.key != key


def test_new_visitors_have_one_identity_per_request() -> None:
    request = make_request()
    person = person_of(request)
    assert person == person_of(request) != person_of(make_request())
    assert (person.id, person.fresh) == (player_id(person.key), True)
    with pytest.raises(NoKey) as refused:
        known_person(request)
    assert refused.value.message.kind == "web.no-key"
    request = make_request(cookie=f"fivedice_player={KEY}")
    forget_key(request)
    person = person_of(request)
    assert (person.id, person.fresh) == (player_id(person.key), True)
    assert person.key != KEY


@for_each(
    ("scheme", "base_url", "cookies", "key"),
    [
        ("http", "", f"fivedice_player={KEY}; __Host-fivedice_player={KEY}s", KEY),
        ("https", "", f"fivedice_player={KEY}; __Host-fivedice_player={KEY}s", f"{KEY}s"),
        ("http", "https://dice.test", f"fivedice_player={KEY}; __Host-fivedice_player={KEY}s", f"{KEY}s"),
        ("http", "http://dice.test", f"fivedice_player={KEY}; __Host-fivedice_player={KEY}s", KEY),
    ],
)
def test_cookie_that_counts(scheme: str, base_url: str, cookies: str, key: str) -> None:
    """Over HTTPS it is the one that no page in the clear can have set."""
    assert person_of(make_request(scheme=scheme, base_url=base_url, cookie=cookies)).key == key


@for_each(("scheme", "base_url"), [("https", ""), ("http", "https://dice.test")])
def test_insecure_planted_cookie_opens_nothing(scheme: str, base_url: str) -> None:
    person = person_of(make_request(scheme=scheme, base_url=base_url, cookie=f"fivedice_player={KEY}"))
    assert person.fresh
    assert person.key != KEY


@for_each("kind", ["text/plain", "Text/Plain; charset=utf-8"])
def test_plain_text_is_refused_without_a_bearer_key(kind: str) -> None:
    """A form of any site may send it, and an old browser says no word of where it comes from."""
    with pytest.raises(NotAllowed) as refused:
        asyncio.run(refuse_foreign_origin(make_request("POST", host="dice.test", content_type=kind)))
    assert refused.value.message.kind == "web.plain-text"
    program = make_request("POST", host="dice.test", content_type=kind, authorization=f"Bearer {KEY}")
    asyncio.run(refuse_foreign_origin(program))


@for_each(
    ("scheme", "root", "name", "path"),
    [
        ("https", "", "__Host-fivedice_player", "/"),
        ("http", "", "fivedice_player", "/"),
        ("https", "/dice", "__Host-fivedice_player.dice", "/"),  # browsers refuse such a name with another path
        ("http", "/games/dice", "fivedice_player.games.dice", "/games/dice"),
    ],
)
def test_cookie_of_a_visitor(scheme: str, root: str, name: str, path: str) -> None:
    request = make_request(scheme=scheme, root=root, cookie=f"{name}={KEY}")
    cookie = person_of(request).cookie(request.scope)
    assert (cookie.key, cookie.value, cookie.max_age, cookie.path) == (name, KEY, LIFETIME, path)
    assert (cookie.httponly, cookie.samesite, cookie.domain) == (True, "lax", None)
    assert cookie.secure == (scheme == "https")


@for_each("root", ["", "/other"])
def test_cookie_of_another_path_does_not_count(root: str) -> None:
    assert person_of(make_request(root=root, cookie=f"fivedice_player.dice={KEY}")).fresh


@for_each(
    ("scheme", "root", "names"),
    [("https", "", {"__Host-x", "x"}), ("http", "", {"x"}), ("https", "/dice", {"__Host-x.dice", "x.dice"})],
)
def test_cookies_are_dropped_by_each_name(scheme: str, root: str, names: set[str]) -> None:
    dropped = dropped_cookies(make_request(scheme=scheme, root=root).scope, "x")
    assert {cookie.key for cookie in dropped} == names
    assert len(dropped) == len(names)
    assert all((cookie.value, cookie.max_age) == ("", 0) for cookie in dropped)


class Probe:
    """A socket with this local address, or without a route."""

    def __init__(self, address: str | None) -> None:
        self.address = address

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _: tuple[str, int]) -> None:
        if self.address is None:
            raise OSError("no network")

    def getsockname(self) -> tuple[str, int]:
        return (self.address or "", 54321)


@pytest.mark.parametrize(("found", "told"), [("192.168.1.7", "192.168.1.7"), ("127.0.0.1", None), (None, None)])
def test_address_in_the_local_network(monkeypatch: pytest.MonkeyPatch, found: str | None, told: str | None) -> None:
    opened: list[object] = []

    def probe(*kind: object) -> Probe:
        opened.append(kind)
        return Probe(found)

    monkeypatch.setattr(socket, "socket", probe)
    assert lan_address() == told
    assert opened == [(socket.AF_INET, socket.SOCK_DGRAM)], "nothing is sent before an answer"


CHOICES = [
    CoachChoices(),
    CoachChoices(CoachChoices.limits[-1], True, WIN),
    CoachChoices(0, True, Goal("target", 275), "table-1"),
]


@for_each("choices", CHOICES)
def test_coach_choices_round_trip_in_the_cookie(choices: CoachChoices) -> None:
    cookie = choices.cookie(make_request().scope)
    assert cookie.key == "fivedice_coach"
    assert coach_choices(make_request(cookie=f"fivedice_coach={cookie.value}")) == choices


@for_each(
    ("text", "wanted"),
    [
        ("", CoachChoices()),
        ("training=99&odds=maybe&aim=nothing&game=" + "g" * 65, CoachChoices(game="g" * 64)),
        ("training=x&odds=11&aim=", CoachChoices()),
        ("odds=0&odds=1&aim=points&aim=win", CoachChoices(odds=True, aim=WIN)),
    ],
)
def test_unreadable_choices_are_ignored(text: str, wanted: CoachChoices) -> None:
    assert coach_choices(make_request(cookie=f"fivedice_coach={text}")) == wanted


BEFORE = CoachChoices(CoachChoices.limits[-1], True, Goal("target", 275), "table-1")


@for_each(
    ("fields", "after"),
    [
        ({}, BEFORE),
        ({"odds": ["off"]}, CoachChoices(BEFORE.training, False, BEFORE.aim, "table-1")),
        ({"odds": ["other"]}, BEFORE),
        ({"training": ["0"]}, CoachChoices(0, True, BEFORE.aim, "table-1")),
        ({"aim": ["win"]}, CoachChoices(BEFORE.training, True, WIN, "")),
        ({"aim": ["300"]}, CoachChoices(BEFORE.training, True, Goal("target", 300), "table-2")),
    ],
)
def test_form_changes_only_named_choices(fields: dict[str, list[str]], after: CoachChoices) -> None:
    assert apply_form(BEFORE, Form(fields), "table-2") == after


def test_odds_and_totals_in_the_choices() -> None:
    assert apply_form(CoachChoices(), Form({"odds": ["on"]}), "table") == CoachChoices(odds=True)
    assert [BEFORE.aim_at(table) for table in ("table-1", "table-2")] == [BEFORE.aim, AUTO]
    assert CoachChoices(aim=WIN).aim_at("table-2") == WIN


@for_each("told", ["https://dice.test/X", "https://dice.test/X/"])
def test_links_use_the_configured_address(told: str) -> None:
    assert public_base(Settings(base_url=told), make_request(host="elsewhere.test")) == "https://dice.test/X"
