"""`fivedice match` and `fivedice engine`, and bots of one's own in other commands."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import fivedice as fd
from matches.own_bots import Highest

GREEDY = Path(__file__).parents[2] / "docs" / "examples" / "greedy.awk"
MINE = """
class Mine:
    def choose(self, position):
        return position.legal_moves[-1]
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "my_bot.py"
    file.write_text(MINE)
    return f"{file}:Mine"


@pytest.fixture
def registered() -> Iterator[str]:
    fd.bots.register("own", Highest)
    yield "own"
    fd.bots.unregister("own")


def test_match_has_the_documented_shape(fivedice_json, mine: str) -> None:  # type: ignore[no-untyped-def]
    call = ("match", mine, f"engine:awk -f {GREEDY}", "--games", "2", "--book", "crag", "--seed", "1")
    shown = fivedice_json(*call)
    assert {key: shown[key] for key in ("book", "games", "seed")} == {"book": "crag", "games": 2, "seed": 1}
    first, second = shown["players"]
    assert (first["name"], second["name"]) == ("Mine", "awk greedy.awk")
    assert first["wins"] == second["losses"]
    estimates = {"share", "points", "adjusted_share", "adjusted_points"}
    assert first.keys() == {"name", "wins", "draws", "losses", "share_worth", "points_worth"} | estimates
    assert all(first[name].keys() == {"value", "error", "low", "high"} for name in estimates)
    assert first["points"]["error"] is None  # one deal
    expected = fd.match([Last, Highest], 2, book="crag", seed=1)
    assert first["points"]["value"] == expected.players[0].points.value


class Last:
    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        return position.legal_moves[-1]


def test_match_in_words_and_own_bots_in_simulate(fivedice, registered: str, fivedice_json) -> None:
    code, out, err = fivedice("match", registered, "perfect", "--games", "4", "--book", "crag")
    assert (code, err) == (0, "")
    assert "Crag, 4 games, seed 0" in out
    assert "In brackets: 95% intervals. Ties are split." in out
    assert "Without luck, the points of perfect do not vary" in " ".join(out.split())
    assert fivedice_json("simulate", "crag", "--bot", registered, "--games", "3")["bot"] == "own"
    assert fivedice_json("bots", "crag")["installed"] == ["own"]


def test_own_bots_play_in_the_terminal(
    fivedice, registered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("roll\nscore chance\nroll\nscore 1s\nquit\n"))
    code, out, err = fivedice("play", "yatzy", "Ann", "--bot", registered, "--plain", "--seed", "1")
    assert (code, err) == (0, "")
    assert "Own" in out
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert fivedice("play", "yatzy", "--bot", "other", "--plain")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["steady"], "A match has 2 to 12 players"),
        (["steady", "steddy"], "There is no bot 'steddy'"),
        (["steady", "engine:"], "An engine is a command"),
        (["steady", "engine:awk 'x"], "An engine is a command"),
        (["steady", "engine:no-such-program"], "can’t be started"),
        (["steady", "nowhere.py:Mine"], "No bot can be loaded from 'nowhere.py:Mine'"),
        (["steady", "sharp", "--games", "0"], "You entered 0"),
        (["steady", "sharp", "--workers", "0"], "Choose 1 to 256 workers. You entered 0"),
    ],
)
def test_bad_input_is_quoted(fivedice, arguments: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = fivedice("match", *arguments, "--book", "crag")
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())


def test_engine_on_standard_input(fivedice, monkeypatch: pytest.MonkeyPatch, registered: str) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.stdin", io.StringIO("fivedice 1\nposition crag - 0 666 1\ngo 1000\nquit\n"))
    code, out, _ = fivedice("engine", registered)
    assert code == 0
    assert out.splitlines()[1:] == ["ready 1", "move score 3k"]
