"""Every block of code on every page runs, prints what the page says, or is read by what it is written for.

python   runs; a block `text` right below it is what it prints
console  each line after `$ ` runs and prints the lines below it, if there are some
sh       runs, and succeeds
toml, json, record   is read as rules, JSON and a recorded game

Blocks of a page run from top to bottom in one new folder, which has a record in game.txt and games/, and docs/examples
as they are here. `…` on a line of its own stands for any lines. What cannot be run is in not_run.py.
"""

import errno
import json
import re
import shlex
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shutil import copyfile, copytree
from threading import Thread
from typing import Any

import pytest

import fivedice as fd
from documentation.not_run import NOT_RUN, is_left_out
from documentation.pages import PAGES, ROOT, Block, blocks, blocks_of, name_of
from documentation.running import BASH, Run, agrees, sessions
from fivedice.cli.command_tree import app
from fivedice.client import Server, Table
from fivedice.core.notation import game_from_json, game_to_json
from long import few
from web.serving import Serving

WITH_CODE = [page for page in PAGES if blocks(page)]
FIRST = [page for page in WITH_CODE if name_of(page) in {"README.md", "docs/guide.md"}]  # what newcomers read
OTHERS = [page for page in WITH_CODE if page not in FIRST]
EVERY = [block for page in WITH_CODE for block in blocks(page)]
# Placeholders on pages: an own server, and an invitation to another table.
ADDRESS, INVITATION = "http://localhost:8765", "https://example.org/t/TABLE/join/CODE"
LANGUAGES = {"python", "text", "console", "sh", "toml", "json", "record"}


def _is_output(block: Block) -> bool:
    above = [other for other in EVERY if (other.page, other.line) == (block.page, block.after)]
    return block.language == "text" and [other.language for other in above] == ["python"]


def test_every_block_names_its_language() -> None:
    unnamed = [str(block) for block in EVERY if block.language not in LANGUAGES]
    assert unnamed == [], "name their language: see the top of this file"
    texts = [block for block in EVERY if block.language == "text"]
    alone = [str(block) for block in texts if not _is_output(block) and not is_left_out(block)]
    assert alone == [], "text stands below python, or in not_run.py with a reason"


def test_blocks_that_are_not_run_exist_and_parse() -> None:
    for page, beginnings in NOT_RUN.items():
        for beginning in beginnings:
            assert any(block.page == page and block.text.startswith(beginning) for block in EVERY), beginning
    for block in EVERY:
        if block.language == "sh" and is_left_out(block):
            assert subprocess.run([BASH, "-n", "-c", block.text]).returncode == 0, block
            for command in re.findall(r"(?:^|\| )((?:fivedice|make) .*)", block.text, re.MULTILINE):
                _understood(shlex.split(command.rstrip(" &"), comments=True))


def _understood(words: list[str]) -> None:
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), words
    else:
        app.parse_args(words[1:], exit_on_error=False, print_error=False)


# Running


@pytest.fixture(scope="module")
def record() -> str:
    """Return the record of one player, since a game of several takes seconds to judge."""
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.seeded(5))
    bot = fd.bots.bot("casual", game.book)
    while not game.is_over:
        game.roll() if game.position.chance_moves_next else game.play(bot.choose(game.position))
    return fd.write_game(game)


@pytest.fixture
def page_run(tmp_path: Path, record: str, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    folder = tmp_path / "page"
    (folder / "games").mkdir(parents=True)
    for name in ("game.txt", "games/first.txt", "games/second.txt"):
        (folder / name).write_text(record, encoding="utf-8")
    if (ROOT / "docs" / "examples").exists():
        copytree(ROOT / "docs" / "examples", folder / "docs" / "examples")
    (tmp_path / "data").mkdir()
    copyfile(empty_database, tmp_path / "data" / "tables.db")  # as after `fivedice serve`
    monkeypatch.delenv("FIVEDICE_TABLES")  # as after an installation
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    (tmp_path / "settings.toml").touch()
    monkeypatch.setenv("FIVEDICE_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(socket.socket, "connect", _only_here(socket.socket.connect))
    monkeypatch.setattr("fivedice.players.bots.registry._registered", {})  # a page may register bots
    return Run(folder)


def _only_here(connect: Callable[..., None]) -> Callable[..., None]:
    def guarded(self: socket.socket, address: Any) -> None:
        near = self.family == socket.AF_UNIX or address[0] in {"127.0.0.1", "::1"}
        if not near and self.type != socket.SOCK_DGRAM:  # which sends nothing: so programs learn their own address
            raise OSError(errno.ENETUNREACH, f"no network: {address}")
        connect(self, address)

    return guarded


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("server")) as serving:
        yield serving


def _needs_server(block: Block) -> bool:
    return block.language in RUNNERS and (ADDRESS in block.text or INVITATION in block.text)


@pytest.mark.parametrize("path", FIRST + few(OTHERS, 10), ids=name_of)
def test_code_of_a_page_runs(path: Path, page_run: Run, request: pytest.FixtureRequest) -> None:
    page = blocks(path)
    shown = {block.after: block.text for block in page if _is_output(block)}
    for block in page:
        if block.language in RUNNERS and not is_left_out(block):
            there = _needs_server(block)
            text = _at(request.getfixturevalue("server"), block.text) if there else block.text
            RUNNERS[block.language](page_run, block, text, shown.get(block.line))


def _run_python(run: Run, block: Block, text: str, shown: str | None) -> None:
    printed = run.python(block, text)
    assert shown is None or agrees(shown, printed), f"{block} prints:\n{printed}"


def _run_sh(run: Run, _block: Block, text: str, _shown: str | None) -> None:
    run.shell(text)


def _run_console(run: Run, block: Block, text: str, _shown: str | None) -> None:
    for command, shown in sessions(text):
        printed = run.shell(command)
        assert not shown.strip() or agrees(shown, printed), f"{block} `{command}` prints:\n{printed}"


RUNNERS: Mapping[str, Callable[[Run, Block, str, str | None], None]] = {
    "python": _run_python,
    "sh": _run_sh,
    "console": _run_console,
}


def _at(server: Serving, text: str) -> str:
    """Replace the addresses by a running server, where a host invites, starts and plays."""
    text = text.replace(ADDRESS, server.url)
    if INVITATION in text:
        host = Server(server.url)
        table = host.open("yatzy", name="Host", start=False)
        text = text.replace(INVITATION, host.call("GET", f"/tables/{table.id}/invitation")["link"])
        Thread(target=_play_as_host, args=(table,), daemon=True).start()
    return text


def _play_as_host(table: Table) -> None:
    for position in table.positions():
        if len(position.players) > 1:
            break
    table.start()
    for position in table.turns():
        table.score(next(iter(position.boxes))) if position.boxes else table.roll()


# Reading


def _rules(text: str) -> None:
    """Read a whole file, or lines of one on top of Yahtzee."""
    fd.load_book(text if "extends" in text else f'extends = "yahtzee"\n{text}')


def _record(text: str) -> None:
    assert fd.write_game(fd.read_game(text)) == text


def _game(text: str) -> None:
    data = json.loads(text)
    assert game_to_json(game_from_json(data)) == data


def _json(text: str) -> None:
    """Read one document, or one per line."""
    try:
        json.loads(text)
    except ValueError:
        assert [json.loads(line) for line in text.splitlines() if line.strip()]


READERS: Mapping[str, Callable[[str], Any]] = {"toml": _rules, "json": _json, "record": _record}
OF_PAGES: Mapping[tuple[str, str], Callable[[str], Any]] = {("docs/notation.md", "json"): _game}


def test_every_file_block_is_read() -> None:
    unread = []
    for block in EVERY:
        try:
            OF_PAGES.get((block.page, block.language), READERS.get(block.language, str))(block.text)
        except (fd.errors.FivediceError, ValueError, AssertionError) as error:
            unread.append(f"{block}: {error}")
    assert unread == []


# The tests themselves


def test_blocks_are_found_and_joined_with_what_they_print() -> None:
    text = "a\n```python\nx = 1\n```\n\n```text\n1\n```\nb\n```text\n2\n```\n"
    assert [(block.line, block.language, block.text, block.after) for block in blocks_of(text, "p")] == [
        (2, "python", "x = 1\n", None),
        (6, "text", "1\n", 2),
        (10, "text", "2\n", None),
    ]


def test_output_is_compared() -> None:
    assert agrees("a\n…\nd\n", "a  \nb\nc\nd\n")
    assert not agrees("a\n", "a\nb\n")
    assert not agrees("a.c\n", "abc\n")
    assert [*sessions("$ one\n1\n$ two\n2\n2\n")] == [("one", "1\n"), ("two", "2\n2\n")]


@pytest.mark.usefixtures("page_run")
def test_pages_have_no_network() -> None:
    with socket.socket() as line, pytest.raises(OSError, match="no network"):
        line.connect(("192.0.2.1", 80))  # an address for examples


def test_failed_command_is_detected(page_run: Run) -> None:
    for command in few(["fivedice score yahtzee 4444", "false", "cat nothing | true"], 1):
        with pytest.raises(AssertionError, match="status"):
            page_run.shell(command)
