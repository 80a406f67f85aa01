"""`fivedice daily`: the day of this computer and the day of a server, in the terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from fivedice.table.service.days import Days
from fivedice.terminal import remote_table
from fivedice.terminal.session import TERMINAL, open_tables
from support.tables import finish
from web.serving import Serving


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))


def finish_today() -> str:
    """Finish the game of today that was begun, and return its table."""
    tables = open_tables()
    days = Days(tables.store)
    attempt = tables.store.deals.attempt(days.today().isoformat(), TERMINAL)
    assert attempt is not None
    finish(tables, attempt.table_id)
    tables.store.close()
    return attempt.table_id


def test_the_first_game_counts_and_is_continued_and_then_shown(fivedice, monkeypatch) -> None:
    typed(monkeypatch, "roll", "hint")
    code, out, _ = fivedice("daily", "--plain")
    assert code == 3
    assert out.startswith("This game counts. There are no hints.\n")
    assert "\nNo: " in out
    dice = next(line for line in out.splitlines() if line.startswith("You rolled"))
    typed(monkeypatch, "quit")
    code, out, _ = fivedice("daily", "--plain")  # the same game, with the dice on the table
    assert dice.removeprefix("You rolled ").partition(".")[0] in out
    table = finish_today()
    typed(monkeypatch)
    code, out, _ = fivedice("daily", "--plain")
    assert code == 0
    assert "points lost" in out
    assert sum(out.count(square) for square in "🟩🟨🟧🟥") >= 12
    typed(monkeypatch, "roll", "quit")
    code, out, _ = fivedice("daily", "--practice", "--plain")
    assert out.startswith("Practice: this game does not count.\n")
    assert dice in out.splitlines()  # the same dice at the same place
    tables = open_tables()
    assert [result.table for result in tables.store.results.of(TERMINAL, 10)] == [table]
    tables.store.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["2026-02-30"], "Write the date as 2026-11-17."),
        (["2020-01-01"], "There is no daily game for"),
        (["--zone", "Mars/Olympus"], "There is no time zone 'Mars/Olympus'."),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(fivedice, monkeypatch, arguments, words) -> None:
    typed(monkeypatch)
    code, _, err = fivedice("daily", "--plain", *arguments)
    assert code == 2
    assert words in err


def test_the_day_of_a_server(fivedice, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(remote_table, "LOOKS", 0)
    with Serving(tmp_path) as server:
        typed(monkeypatch, "roll", "quit")
        code, out, _ = fivedice("daily", "--server", server.url)
        assert code == 0
        assert f"fivedice join {server.url}/t/" in out
        typed(monkeypatch, "quit")
        again = fivedice("daily", "--server", server.url)[1]
        assert again.rpartition("fivedice join")[2] == out.rpartition("fivedice join")[2]
