"""Players without a name on every page."""

import re

import httpx

from web.conftest import Caller

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
