"""`fivedice.client` and `fivedice join` against a real server."""

import io
import re
import subprocess
import sys
from html import unescape
from threading import Thread
from typing import Any, ClassVar
from urllib.request import urlopen

import pytest

from fivedice.client import ClientError, Refused, Server, Table, Unreachable, join
from fivedice.core.notation import read_game, read_position
from fivedice.terminal.remote_table import RemoteTable, sit_down
from for_each import for_each
from web.serving import Serving


def play(table: Table) -> None:
    """Roll once and take what pays most."""
    for position in table.turns():
        if position.boxes:
            table.score(max(position.boxes, key=lambda box: position.boxes[box].points))
        else:
            table.roll()


@pytest.fixture
def host(server: Serving) -> Server:
    return Server(server.url)


def invite(host: Server, **more: Any) -> tuple[Table, str]:
    table = host.open("yatzy", name="Host", start=False, **more)
    return table, table.link


def test_ten_lines_play_a_game_against_a_bot(host: Server) -> None:
    table = host.open("yatzy", name="Program", bots=["random"])
    play(table)
    assert table.position.over
    assert table.position.winners
    assert read_game(table.position.record or "").is_over


def test_programs_of_the_api_page_run(host: Server, server: Serving, capsys: pytest.CaptureFixture[str]) -> None:
    """Both programs of the page, with the link of a table in the first and fewer games in the second."""
    text = unescape(urlopen(f"{server.url}/api").read().decode())  # noqa: S310 - our own server
    shown = dict(re.findall(r'<code id="(\w+)">(.*?)</code>', text, re.DOTALL))
    table, link = invite(host)
    table.command("stand", seat=0)
    table.command("bot", level="newcomer")
    table.command("start-with", players=2)
    assert len(shown["join"].splitlines()) <= 10
    exec(re.sub(r'"http\S+CODE"', repr(link), shown["join"]), {})  # noqa: S102 - our own page
    assert read_game(capsys.readouterr().out).players == ("Newcomer bot", "My bot")
    exec(shown["match"].replace("games(100)", "games(2)").replace("steady", "newcomer"), {})  # noqa: S102
    assert len(capsys.readouterr().out.splitlines()) == 2
    told = next(line for line in shown["stream"].splitlines() if line.startswith("data: "))
    data = host.call("GET", f"/tables/{table.id}/position")
    assert set(re.findall(r'"(\w+)":', told)) - {"fours", "points", "roll", "keep", "boxes"} <= set(data)
    assert read_position(re.search(r'"position": "(.*?)"', told)[1]).rolls_left == 2  # type: ignore[index]


def test_two_programs_play_each_other_over_the_stream(host: Server) -> None:
    table, link = invite(host)
    assert link.endswith(f"/t/{table.id}/join/{table.join_code}")
    guest = join(link, "Guest")
    assert [(player.name, player.yours) for player in guest.position.players] == [("Host", False), ("Guest", True)]
    table.start()
    other = Thread(target=play, args=(guest,), daemon=True)
    other.start()
    table.look()
    play(table)
    other.join(60)
    assert not other.is_alive()
    assert guest.position.record == table.position.record
    assert table.rematch().position.phase == "seating"


def test_position_has_legal_moves_and_is_readable(host: Server) -> None:
    table = host.open("yahtzee", name="Ann")
    assert (table.position.can_roll, table.position.keeps, table.position.boxes) == (True, (), {})
    position = table.roll()
    read = position.read()
    assert str(read.roll) == "".join(sorted(position.dice))
    assert len(position.keeps) + len(position.boxes) == len([*read.choices()])
    kept = position.keeps[-1]
    dice = table.roll(kept).dice
    assert all(dice.count(face) >= kept.count(face) for face in kept)
    assert (table.score("chance").notation or "").startswith("yahtzee ch:")
    assert table.undo().dice == dice


def test_any_command_and_house_rules_through_the_client(host: Server) -> None:
    table = host.open("yatzy", name="Ann", start=False)
    assert [player.bot for player in table.command("bot", level="casual").players] == [None, "casual"]
    assert [player.bot for player in table.command("stand", seat=1).players] == [None]
    with pytest.raises(Refused) as refused:
        table.command("fly")
    assert (refused.value.status, refused.value.reason) == (400, "web.unknown-command")
    rules = 'extends = "yatzy"\nname = "Ours"\nrolls = 4\n'
    table = host.open("yatzy", name="Ann", rules=rules)
    assert table.position.read().rolls_left == 4


def test_refusals_have_a_code_a_kind_and_a_sentence(host: Server) -> None:
    table, link = invite(host)
    guest = join(link, "Guest")
    with pytest.raises(Refused) as refused:
        guest.start()
    assert (refused.value.code, refused.value.status, refused.value.reason) == ("not-allowed", 403, "table.host-only")
    assert str(refused.value) == "Only the host can do that."
    with pytest.raises(ClientError, match="has not started"):
        guest.position.read()
    table.start()
    ours = table if table.look().your_turn else guest
    ours.look()
    for keep, code in (("44", "illegal"), ("x", "malformed")):
        with pytest.raises(Refused) as refused:
            ours.roll(keep)
        assert refused.value.code == code
    ours.roll()
    impossible = next(face for face in "123456" if face not in ours.position.dice)
    with pytest.raises(Refused, match="keep"):
        ours.roll(impossible)
    seen = ours.position
    ours.score("chance")
    ours.position = seen
    with pytest.raises(Refused) as refused:
        ours.roll()
    assert refused.value.code in {"stale", "not-your-turn"}


@for_each("link", ["nonsense", "http://", "ftp://x/t/1", "http://localhost", "http://x:y/t/1"])
def test_invalid_link_is_refused(link: str) -> None:
    with pytest.raises(ClientError, match="not a link to a table"):
        join(link)


@for_each("link", ["", "/", "/t/TABLE", "/t/TABLE/join/CODE"])
@for_each("path", ["", "/dice", "/games/t"])
def test_server_address_below_a_path(path: str, link: str) -> None:
    assert Server.of(f"https://example.org{path}{link}") == f"https://example.org{path}"


def test_unreachable_and_incomplete_addresses(server: Serving) -> None:
    assert Server(server.url.removeprefix("http://"), "key").address == server.url
    with pytest.raises(ClientError, match="ftp"):
        Server("ftp://x")
    with pytest.raises(Unreachable, match="can’t be reached"):
        join("http://localhost:9/t/x/join/y")


def test_client_waits_for_a_busy_server(host: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    answers = iter([_Busy(), None])
    ask = host._request
    monkeypatch.setattr(host, "_request", lambda *call: next(answers) or ask(*call))
    monkeypatch.setattr("fivedice.client.time.sleep", waited.append)
    assert host.call("GET", "/books")
    assert waited == [7.0]


class _Busy:
    """An answer that says how long to wait."""

    status = 429
    headers: ClassVar = {"Retry-After": "7"}

    def read(self) -> bytes:
        return b'{"error": "too-many", "message": "Wait."}'


def test_closed_connection_is_reopened(host: Server) -> None:
    assert host._connection is not None
    host._connection.close()
    host._connection.sock = None
    assert host.call("GET", "/books")


@pytest.fixture
def keys(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path))


@pytest.mark.usefixtures("keys")
def test_join_plays_from_the_terminal(host: Server) -> None:
    table, link = invite(host)
    guest = sit_down(link, "Guest")
    assert sit_down(link, "Guest").position.players == guest.position.players, "the seat is found again"
    table.start()
    table.look()
    other = Thread(target=play, args=(table,), daemon=True)
    other.start()
    boxes = list(guest.look().read().book.index)
    script = "".join(f"roll\nscore {box}\n" for box in boxes)
    out = io.StringIO()
    assert not RemoteTable(guest, io.StringIO(f"help\nroll 3\nkeep\nsheet\n{script}"), out).play(), (
        "two lines are refused"
    )
    other.join(60)
    said = out.getvalue()
    assert said.count("No: ") == 2
    assert said.count("You scored") == len(boxes)
    assert read_game(said[said.index("[Fivedice ") :]).is_over


@pytest.mark.usefixtures("keys")
def test_join_can_leave_and_return(host: Server) -> None:
    table, link = invite(host)
    guest = sit_down(link, "Guest")
    table.start()
    if table.look().your_turn:
        table.roll()
        table.score("chance")
    out = io.StringIO()
    guest.look()
    assert RemoteTable(guest, io.StringIO("roll\nboxes\n"), out).play()
    assert out.getvalue().endswith(f"fivedice join {host.address}/t/{table.id}\n")
    again = sit_down(f"{host.address}/t/{table.id}", None)
    assert again.position.your_turn
    assert again.position.dice


def test_client_needs_only_the_standard_library() -> None:
    watch = (
        "import sys, fivedice.client; print({'numpy', 'litestar', 'sqlalchemy', 'textual', 'httpx'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", watch], capture_output=True, check=True).stdout == b"set()\n"
