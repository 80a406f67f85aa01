"""`fivedice report`: in words, as JSON, as pictures, and refusals."""

import io
import json
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core.notation import game_to_json

WORKED = json.loads((Path(__file__).parents[1] / "analysis" / "worked.json").read_text(encoding="utf-8"))
RECORD = "\n".join(WORKED["yatzy-forced"]["record"]) + "\n"


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8")
    return str(file)


def test_report_starts_with_sum_accuracy_and_costliest_moments(fivedice, record):
    code, out, _ = fivedice("report", record)
    assert code == 0
    assert "Final score: 96" in out
    assert "122.6 expected at the start − 21.5 luck − 5.1 points lost = 96" in out
    assert "Accuracy: 95.8%. Best choices: 40 of 43." in out
    assert "Perfect games that end lower" in out
    places = [out.index(text) for text in ("1-2-2-5-5, 2 rolls", "1-4-6-6-6, 2 rolls", "1-3-3-4-6, 1 roll")]
    assert places == sorted(places)
    assert "--turns" in out


def test_every_turn_and_json_on_request(fivedice, record, fivedice_json) -> None:
    out = fivedice("report", record, "--turns")[1]
    assert "(+0.2)" in out  # the luck of a roll
    assert out.count("better: ") == 3
    data = fivedice_json("report", record)
    player = data["players"][0]
    assert player["expected_at_start"] + player["luck"] - player["lost"] == pytest.approx(96, abs=1e-6)
    assert [each["turn"] for each in data["costliest"]] == [11, 2, 8]
    assert 0 < player["better_than"] < 0.5


def test_json_record_from_standard_input(fivedice_json, monkeypatch):
    text = json.dumps(game_to_json(fd.read_game(RECORD)))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert fivedice_json("report", "-")["players"][0]["total"] == 96


@pytest.mark.parametrize(
    ("name", "begins"), [("r.pdf", b"%PDF"), ("r.png", b"\x89PNG"), ("r.svg", b"<svg"), ("r.json", b"{")]
)
def test_pictures_and_documents_are_written(fivedice, record, tmp_path, name, begins):
    code, out, _ = fivedice("report", record, "--out", str(tmp_path / name))
    assert code == 0
    assert "Saved" in out
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_several_records_are_reported_separately(fivedice, tmp_path):
    file = tmp_path / "games.txt"
    file.write_text(RECORD + RECORD, encoding="utf-8")
    code, _, err = fivedice("report", str(file))
    assert (code, "has 2 records" in err, "--game 1" in err) == (2, True, True)
    assert fivedice("report", str(file), "--game", "2")[0] == 0
    code, _, err = fivedice("report", str(file), "--game", "3")
    assert (code, "games 1 to 2, not 3" in err) == (2, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no record"),
        ("nonsense", "needs one value for the tag"),
        ("{", "is not JSON"),
        (RECORD.replace("= 96", "= 97"), "= 97"),
    ],
)
def test_invalid_record_is_quoted(fivedice, tmp_path, text, says):
    file = tmp_path / "bad.txt"
    file.write_text(text, encoding="utf-8")
    code, _, err = fivedice("report", str(file))
    assert code == 2
    assert says in err


def test_unknown_file_types_and_unwritable_places_are_refused(fivedice, record, tmp_path) -> None:
    code, _, err = fivedice("report", record, "--out", "report.docx")
    assert code == 2
    assert "'report.docx'" in err
    assert ".pdf, .png, .svg or .json" in err
    code, _, err = fivedice("report", record, "--out", str(tmp_path / "no" / "r.svg"))
    assert code == 2
    assert "can’t be written" in err


def test_unfinished_game_reports_expected_points(fivedice, tmp_path):
    game = fd.Game.new("yatzy-forced", ["[b]Ann[/b]", "Bob"], dice=fd.dice.seeded(1), first=0)
    game.roll()
    file = tmp_path / "game.txt"
    file.write_text(fd.write_game(game), encoding="utf-8")
    out = fivedice("report", str(file))[1]
    assert "[b]Ann[/b]" in out
    assert "expected now" in out
    assert "Perfect games that end lower" not in out
