"""Every page is available, light, guarded, and free of private data."""

import re
from pathlib import Path

import httpx
import pytest

from browser.scenes import all_sights
from fivedice.table.actions.rights import player_id
from fivedice.web.http.page_files import STATIC
from web.conftest import Caller
from web.stage import CODE, Stage, key_of

LARGEST = 100_000
MOST_REQUESTS = 5  # a handful


def test_pages_are_small_with_few_requests(stage: Stage, caller: Caller) -> None:
    clients = {}
    for sight in all_sights(stage):
        client = clients.setdefault(sight.who, caller(sight.who))
        answer = client.get(sight.path)
        assert answer.status_code == sight.status, sight
        needs = set(
            re.findall(r'<(?:script|link rel="(?:stylesheet|icon)"|img)[^>]+(?:src|href)="([^"]+)"', answer.text)
        )
        weight = len(answer.content) + sum(
            len(client.get(path).content) for path in needs if path.endswith((".css", ".js"))
        )
        assert weight < LARGEST, (sight, weight)
        assert len(needs) <= MOST_REQUESTS, (sight, needs)
        assert "style=" not in answer.text, "the policy forbids styles in the page"
        assert not re.search(r'<script(?![^>]*(?:src=|type="application/json"))|\son\w+=', answer.text), "and scripts"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rules",
        "/rules/nope",
        "/t/nowhere",
        "/static/core/style.css",
        "/static/nope",
        "/nope",
        "/api/books",
        "/api/nope",
        "/schema/openapi.json",
        "/health",
        "/favicon.ico",
        "/t/nowhere/live",
        "/t/nowhere/qr.svg",
    ],
)
def test_every_response_has_guard_headers(caller: Caller, path: str) -> None:
    answer = caller("").get(path)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


def test_browser_cookie_is_http_only(caller: Caller) -> None:
    client = caller("")
    first = client.get("/").headers["set-cookie"]
    assert "HttpOnly" in first
    assert "SameSite=lax" in first
    assert "Path=/" in first
    renewed = client.get("/").headers["set-cookie"]
    assert renewed.split(";")[0] == first.split(";")[0], "renewed, not replaced"
    assert "set-cookie" not in client.get("/help").headers


def test_pages_are_fresh_and_polls_get_no_new_key(caller: Caller, stage: Stage) -> None:
    """A late answer would replace the key of someone who has opened their own link meanwhile."""
    path = stage.put(stage.scene("yahtzee", "Ann").start())
    client = caller("")
    assert "set-cookie" not in client.get(path, headers={"fivedice-fragment": "1"}).headers
    assert "set-cookie" in client.get(path).headers
    # So that the back button shows how things are.
    client = caller("")
    assert client.get("/").headers["cache-control"] == "no-store"


FILES = ["core/style.css", "play/table.js", "core/icon.svg"]
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.mark.parametrize("name", FILES)
def test_page_files_are_cached_for_ever(caller: Caller, name: str) -> None:
    client = caller("")
    found = re.search(r'href="(/static/[0-9a-f]{12}/)core/style.css"', client.get("/").text)
    assert found is not None
    answer = client.get(found[1] + name)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, FOR_EVER)
    assert answer.headers["content-encoding"] == "gzip"
    plain = client.get(found[1] + name, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("below", ["/static/", f"/static/{'0' * 12}/"])
def test_old_file_addresses_are_revalidated(caller: Caller, below: str, name: str) -> None:
    """Pages of the version before ask for it so: what they get must not be kept under their address."""
    client, path = caller(""), below + name
    first = client.get(path)
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    for known in (tag, tag.removeprefix("W/"), f'"another", {tag}', "*"):
        again = client.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert (again.headers["etag"], again.headers["cache-control"]) == (tag, "no-cache")
    for unknown in ('W/"another"', '"another"', tag[:-2] + '"', tag.strip('W/"')):
        other = client.get(path, headers={"if-none-match": unknown})
        assert (other.status_code, other.content) == (200, first.content), unknown
    head = client.head(path)
    assert (head.status_code, head.headers["etag"], head.content) == (200, tag, b"")


def test_scripts_import_by_relative_addresses() -> None:
    """One by an absolute address would come without the fingerprint, and from another version one day."""
    scripts = [path for path in STATIC.rglob("*.js") if path.name != "worker.js"]
    assert len(scripts) > 5
    for script in scripts:
        assert "/static/" not in script.read_text(encoding="utf-8"), script.name


@pytest.mark.parametrize(
    "name",
    ["../pages.py", "%2e%2e/pages.py", "core", "core/", "", "//etc/passwd", "core/none.js", f"{'0' * 12}/core/none.js"],
)
def test_nothing_but_static_files_is_served(caller: Caller, name: str) -> None:
    assert caller("").get(f"/static/{name}").status_code == 404


def test_secrets_are_in_no_answer(stage: Stage, caller: Caller, program: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().roll("24466"))
    header = stage.store.header(path.removeprefix("/t/"))
    assert header is not None
    ids = [player_id(key_of(name)) for name in ("Ann", "Bob")]
    secrets = [header.secret, *ids, key_of("Ann"), key_of("Bob")]
    for name in ("Ann", "Bob", "Dora"):
        answers = [caller(name).get(path).text]
        answers += [program(name).get(f"{path.replace('/t/', '/tables/')}{part}").text for part in ("", "/events")]
        for secret in secrets:
            assert not any(secret in answer for answer in answers), name


def test_invitation_is_shown_only_to_invited(stage: Stage, caller: Caller, program: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann"))
    api = path.replace("/t/", "/tables/")
    assert CODE in caller("Ann").get(path).text
    assert CODE in caller("Dora").get(f"{path}/join/{CODE}").text
    assert program("Ann").get(f"{api}/invitation").json()["join_code"] == CODE
    for answer in (caller("Dora").get(path), caller("Dora").get(f"{path}/join/wrong"), program("Dora").get(api)):
        assert CODE not in answer.text
    assert program("Dora").get(f"{api}/invitation").status_code == 403
    assert caller("Ann").get(f"{path}/qr.svg").text.startswith("<svg")
    assert caller("Dora").get(f"{path}/qr.svg").status_code == 404


def test_loopback_server_warns_about_phones(stage: Stage, caller: Caller) -> None:
    text = caller("Ann").get(stage.put(stage.scene("yahtzee", "Ann"))).text
    assert "Only this device can open the link" in text
    assert "make run" not in text
    assert 'href="/help#phones"' in text
    assert "make run HOST=0.0.0.0" in caller("Ann").get("/help").text


def test_host_without_a_seat_can_fill_the_table(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Bob", host="Ann"))
    text = caller("Ann").get(path).text
    assert "Start game" in text
    assert "Invitation link" in text
    assert caller("Ann").post(f"{path}/start", data={}).status_code == 303
    watching = caller("Ann").get(path).text
    assert 'id="roll"' not in watching
    assert "Waiting for" in watching


def test_names_on_pages_are_escaped(caller: Caller) -> None:
    client = caller("Mallory")
    name = "<script>alert(1)</script>\"'&"
    answer = client.post("/tables", data={"name": name, "book": "yatzy"}, follow_redirects=True)
    assert answer.status_code == 200
    assert "<script>alert" not in client.get("/").text
    for page in (answer, client.get("/new"), client.get("/tables")):
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert(1)" in page.text


def test_unavailable_level_is_marked_and_refused(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    client = caller("Rita")
    assert "No perfect bot for Maxi Yatzy" in client.get("/new").text
    chosen = {"name": ["Rita"], "bot": ["perfect"], "book": "maxi-yatzy", "action": "invite"}
    refused = client.post("/tables", data=chosen)
    assert (refused.status_code, "The perfect bot can’t play Maxi Yatzy" in refused.text) == (403, True)
    assert '<option value="perfect" selected>' in refused.text
    for book, offered in (("maxi-yatzy", False), ("yatzy", True)):
        page = client.post("/tables", data=chosen | {"book": book, "bot": [""]}, follow_redirects=True).text
        assert ('<option value="perfect">' in page) is offered
        assert ("No perfect bot for" in page) is not offered
        assert '<option value="newcomer">Newcomer: plays a first game' in page


def test_choices_on_pages_are_remembered(caller: Caller) -> None:
    client = caller("Rita")
    chosen = {"name": ["Rita", "Sam"], "bot": ["hopeful", ""], "book": "maxi-yatzy", "action": "invite"}
    assert client.post("/tables", data=chosen).status_code == 303
    again = client.get("/new").text
    assert 'value="Rita"' in again
    assert 'value="Sam"' in again
    assert '<option value="hopeful" selected>' in again
    assert 'value="maxi-yatzy" checked' in again
    assert 'name="coach" value="yes">' in again, "the coach was not wanted"
    assert ">Maxi Yatzy</span>" in client.get("/").text, "one press plays it"


def test_empty_name_is_accepted(caller: Caller) -> None:
    answer = caller("Quiet").post("/tables", data={"name": ["", "Bob"], "action": "invite"}, follow_redirects=True)
    assert re.findall(r"<bdi>(.*?)</bdi>", answer.text) == ["Player 1", "Bob"]


def test_single_player_rematch_starts_at_once_on_the_page(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann").start().play_until(0))
    answer = caller("Ann").post(f"{path}/rematch", follow_redirects=True)
    assert 'id="roll"' in answer.text


WRONG = re.compile(r"You (is|has|scores|starts|wins|rolls)\b|You(\N{RIGHT SINGLE QUOTATION MARK}|&#39;|')s\b")


def read(client: httpx.Client, path: str) -> str:
    text = client.get(path).text
    assert not WRONG.search(text), (path, WRONG.search(text))
    return text


def play(client: httpx.Client, path: str) -> None:
    """One turn, with the first box that is offered."""
    for command in ("roll", "score"):
        page = read(client, path)
        version = re.findall(r'name="version" value="(\d+)"', page)[-1]
        boxes = re.findall(r'name="box" value="(\w+)"', page)
        box = {"box": boxes[0], "sure": "yes"} if command == "score" else {}
        assert client.post(f"{path}/{command}", data={"version": version, **box}).status_code == 303


def test_unnamed_players_on_every_page(caller: Caller) -> None:
    quiet, guest = caller("Without a name"), caller("Zoe")
    path = quiet.post("/play", follow_redirects=True).url.path
    for _ in range(13):
        play(quiet, path)
        assert "Player 1" in read(guest, path)
    assert "Final score" in read(quiet, path)
    read(guest, f"{path}/report")
    read(quiet, "/statistics")
    assert "Player 1" in read(quiet, "/tables")
    assert "Player 1" in read(quiet, "/tables")
    quiet, guest = caller("Quiet"), caller("Zoe")
    path = quiet.post("/tables", data={"name": ["", "Bob"], "bot": ["steady"]}, follow_redirects=True).url.path
    assert "Player 1" in read(quiet, path)
    assert "Player 1" in read(guest, path)
