"""The gate: who may open games and save rules where the operator set one."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice.cli import command_list as cli
from fivedice.errors import MalformedError
from fivedice.web.http.client_limits import GUESSES_PER_HOUR
from fivedice.web.http.identity import GATE_COOKIE, HEADER
from fivedice.web.http.settings import Settings, load_settings, read_passphrase, settings_of
from for_each import for_each
from long import few, takes_turns
from support.access_requests import fits, send
from web.access_matrix import ACCESS, CALLERS, OPENING, Access
from web.inside import Inside
from web.stage import key_of

pytestmark = takes_turns

PASSPHRASE = "six dice would be tóo many"  # noqa: S105 - of these tests
PROXY, OUTSIDE = "10.1.2.3", "203.0.113.9"
SIGNED_IN = {"Remote-User": "ann"}
GUESTS = (["sit"], ["roll"], ["score"], ["again"], ["write"])
NEW = {"book": "yatzy", "seats": [{"name": "Ann"}]}


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("gated"), passphrase=PASSPHRASE) as server:
        yield server


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path, opener_header="Remote-User", trusted_proxies="10.0.0.0/8") as server:
        yield server


def opening() -> list[Access]:
    """Return every way to open or save something, by page and by API."""
    return [access for access in ACCESS if access.method == "POST" and access.path in OPENING]


def others() -> list[Access]:
    """Return some of all other ways, and always those by which guests join, play and get a rematch."""
    rest = [access for access in ACCESS if access not in opening()]
    guests = [access for access in rest if access.name.split()[-2:-1] in GUESTS or access.path.endswith("/rematch")]
    return guests + few(rest, len(rest) // 12)


def enter(server: Inside, passphrase: str, who: str = "Ann", **more: Any) -> httpx.Response:
    return server.ask("POST", "/passphrase", who, data={"passphrase": passphrase}, **more)


def cookie_of(answer: httpx.Response) -> dict[str, str]:
    """Return the header by which a browser sends back what it was given, with the key of Ann."""
    return {"cookie": f"fivedice_player={key_of('Ann')}; {GATE_COOKIE}={answer.cookies[GATE_COOKIE]}"}


@for_each("access", opening, ids=lambda access: access.name)
def test_strangers_cannot_open_or_save(gated: Inside, access: Access) -> None:
    answers = [send(gated, access, who) for who in CALLERS.values()]
    wanted = [status if status in ("401", "404") else "403" for status in access.gets.split()]
    assert [str(answer.status_code) for answer in answers] == wanted
    refused = [answer for answer in answers if answer.status_code == 403]
    assert "assphrase" in refused[-1].text
    assert GATE_COOKIE not in answers[-1].cookies


@for_each("access", others, ids=lambda access: access.name)
def test_gate_does_not_affect_existing_games(gated: Inside, access: Access) -> None:
    found = [str(send(gated, access, who).status_code) for who in CALLERS.values()]
    assert all(map(fits, found, access.gets.split())), f"{' '.join(found)} instead of {access.gets}"


@for_each("access", opening, ids=lambda access: access.name)
def test_passphrase_allows_opening_and_saving(gated: Inside, access: Access) -> None:
    known = cookie_of(enter(gated, f" {PASSPHRASE} "))
    if access.path != "/passphrase":
        assert send(gated, access, "", headers=known).status_code in {201, 303}


def test_program_sends_the_passphrase_as_header(gated: Inside) -> None:
    program = {"authorization": f"Bearer {key_of('Ann')}"}

    def opened(passphrase: bytes | None = None) -> httpx.Response:
        sent = program if passphrase is None else {**program, HEADER: passphrase}
        return gated.ask("POST", "/api/tables", headers=sent, json=NEW)  # type: ignore[arg-type]

    assert opened(PASSPHRASE.encode()).status_code == 201
    assert opened().json()["error"] == "passphrase-needed"
    assert HEADER in opened().json()["message"]
    for wrong in (b"wrong", PASSPHRASE[:-1].encode(), b"x" * 15_000, b"\xff\xfe"):
        answer = opened(wrong)
        assert (answer.status_code, answer.json()["error"]) == (403, "passphrase-wrong")


@for_each("wrong", few(["", " ", "wrong", PASSPHRASE.upper(), "x" * 60_000, "\ud83d", "\0"], 3))
def test_wrong_passphrase_is_refused_and_not_echoed(tmp_path_factory: Any, wrong: str) -> None:
    with Inside(tmp_path_factory.mktemp("wrong"), passphrase=PASSPHRASE) as server:
        answer = enter(server, wrong.encode("utf-8", "replace").decode())
        assert answer.status_code == 403
        assert GATE_COOKIE not in answer.cookies
        assert "This is not the passphrase." in answer.text
        assert PASSPHRASE not in answer.text
        assert len(wrong.strip()) < 3 or wrong not in answer.text


def test_guessing_is_limited_and_new_passphrases_lock_out(tmp_path: Path) -> None:
    with Inside(tmp_path, passphrase=PASSPHRASE) as server:
        for _ in range(GUESSES_PER_HOUR):
            assert enter(server, "wrong").status_code == 403
        answer = enter(server, PASSPHRASE)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 1
        assert enter(server, PASSPHRASE, address=OUTSIDE).status_code == 303
    with Inside(tmp_path, passphrase=PASSPHRASE) as server:
        known = cookie_of(enter(server, PASSPHRASE))
    for passphrase, status in ((PASSPHRASE, 303), ("another passphrase", 403)):
        with Inside(tmp_path, passphrase=passphrase) as server:
            assert server.ask("POST", "/play", headers=known).status_code == status


def test_gate_cookie_is_http_only_and_redirects_stay_local(gated: Inside) -> None:
    answer = enter(gated, PASSPHRASE)
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert PASSPHRASE not in answer.headers["set-cookie"]
    stolen = {"cookie": f"fivedice_player={key_of('Dora')}; {GATE_COOKIE}={answer.cookies[GATE_COOKIE]}"}
    assert gated.ask("POST", "/play", headers=stolen).status_code == 403
    assert f"__Host-{GATE_COOKIE}" in enter(gated, PASSPHRASE, base="https://dice.test").headers["set-cookie"]
    for back, leads in (("/new", "/new"), ("/pad", "/pad"), ("//evil.example", "/"), ("https://evil.example", "/")):
        answer = gated.ask("POST", "/passphrase", "Ann", data={"passphrase": PASSPHRASE, "back": back})
        assert answer.headers["location"] == leads


def test_trusted_proxy_signs_people_in(behind_proxy: Inside) -> None:
    sent: dict[str, Any] = {"headers": SIGNED_IN | {"x-forwarded-for": OUTSIDE}}
    assert behind_proxy.ask("POST", "/play", "Ann", address=PROXY, **sent).status_code == 303
    assert behind_proxy.ask("POST", "/play", "Ann", address=PROXY).status_code == 403
    answer = behind_proxy.ask("POST", "/api/tables", "Ann", address=PROXY, json=NEW)
    assert answer.json()["error"] == "sign-in-needed"


@for_each(
    ("address", "headers"),
    [
        (OUTSIDE, [("Remote-User", "ann")]),
        (OUTSIDE, [("Remote-User", "ann"), ("X-Forwarded-For", PROXY)]),
        ("127.0.0.1", [("Remote-User", "ann")]),
        (PROXY, [("Remote-User", " ")]),
        (PROXY, [("Remote-User", "ann"), ("Remote-User", "bob")]),
        (PROXY, [("Remote-User-Name", "ann")]),
    ],
)
def test_no_one_else_signs_in_by_a_header(behind_proxy: Inside, address: str, headers: list[tuple[str, str]]) -> None:
    assert behind_proxy.ask("POST", "/play", "Ann", address=address, headers=headers).status_code == 403


def test_passphrase_does_not_replace_sign_in(behind_proxy: Inside) -> None:
    assert GATE_COOKIE not in enter(behind_proxy, "anything at all").cookies
    assert "passphrase" not in behind_proxy.ask("GET", "/").text


def test_guest_joins_but_cannot_open(gated: Inside) -> None:
    host = {"authorization": f"Bearer {key_of('Ann')}", HEADER: PASSPHRASE.encode()}
    table = gated.ask("POST", "/api/tables", headers=host, json=NEW).json()
    guest = {"authorization": f"Bearer {key_of('Bob')}"}
    sit = {"move": "sit", "name": "Bob", "join_code": table["join_code"]}
    assert gated.ask("POST", f"/api/tables/{table['id']}/moves", headers=guest, json=sit).status_code == 200
    assert gated.ask("POST", "/api/tables", headers=guest, json=NEW).status_code == 403


def test_pages_say_what_is_needed_and_offer_the_field(gated: Inside) -> None:
    for path in ("/", "/new", "/pad", "/house"):
        page = gated.ask("GET", path, "Ann").text
        assert 'name="passphrase"' in page, path
        assert not any(f'action="{door}"' in page for door in ("/play", "/friend", "/tables", "/house")), path
        known = gated.ask("GET", path, headers=cookie_of(enter(gated, PASSPHRASE))).text
        assert 'name="passphrase"' not in known, path


def test_no_gate_asks_nothing(tmp_path: Path) -> None:
    with Inside(tmp_path) as server:
        assert "passphrase" not in server.ask("GET", "/", headers=SIGNED_IN).text
        assert enter(server, "anything").headers["location"] == "/"
        assert GATE_COOKIE not in enter(server, "anything").cookies
        assert server.ask("POST", "/play", "Ann").status_code == 303


def test_passphrase_is_in_no_log_or_listing(
    gated: Inside, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with caplog.at_level(logging.DEBUG):
        enter(gated, PASSPHRASE)
        enter(gated, f"{PASSPHRASE}, wrong")
    assert PASSPHRASE not in caplog.text
    assert PASSPHRASE not in repr(Settings(passphrase=PASSPHRASE))
    monkeypatch.delenv("FIVEDICE_CONFIG")
    monkeypatch.setenv("FIVEDICE_PASSPHRASE", PASSPHRASE)
    for more in ([], ["--json"]):
        assert cli.run(["serve", "--show-config", *more]) == 0
        shown = capsys.readouterr().out
        assert "***" in shown
        assert PASSPHRASE not in shown


def test_settings_of_a_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIVEDICE_CONFIG")
    file = tmp_path / "passphrase"
    file.write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    assert read_passphrase(Settings(passphrase_file=str(file))) == PASSPHRASE
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    for wrong, says in (
        ({"passphrase": "short"}, "8 to 200"),
        ({"passphrase": "two lines\nof text"}, "one line"),
        ({"passphrase": "x" * 201}, "8 to 200"),
        ({"passphrase_file": str(tmp_path / "missing")}, "missing"),
        ({"passphrase_file": str(tmp_path / "empty")}, "8 to 200"),
        ({"passphrase": PASSPHRASE, "passphrase_file": str(file)}, "not both"),
        ({"opener_header": "Remote-User"}, "trusted_proxies"),
        ({"opener_header": "Remote User", "trusted_proxies": "10.0.0.1"}, "'Remote User'"),
    ):
        environment = {f"FIVEDICE_{name.upper()}": value for name, value in wrong.items()}
        with pytest.raises(MalformedError, match=says) as refused:
            settings_of(load_settings({}, environment))
        assert wrong.get("passphrase", "-----") not in str(refused.value)
