"""`fivedice scorecard`."""

import io
import json
from pathlib import Path

import pytest
from pypdf import PdfReader

import fivedice as fd
from fivedice.core.notation import game_to_json
from paper.sheets import play_sheet, text_of

RECORDS = Path(__file__).parents[1] / "golden" / "playthroughs"


def read(file: Path) -> PdfReader:
    return PdfReader(io.BytesIO(file.read_bytes()))


def test_sheets_are_written_with_options_and_house_rules(fivedice, tmp_path) -> None:
    file = tmp_path / "pad.pdf"
    file.write_text("older")
    assert fivedice("scorecard", "yardzee", "--out", str(file)) == (0, f"Saved: {file}\n", "")
    assert "Game 6" in text_of(file.read_bytes())
    assert len(read(file).pages) == 1
    options = ("--games", "3", "--players", "2", "--large", "--paper", "letter")
    assert fivedice("scorecard", "yatzy", *options, "--out", str(file))[0] == 0
    pages = read(file).pages
    assert len(pages) == 4, "two players, two sections each"
    assert [round(float(side)) for side in pages[0].mediabox[2:]] == [792, 612]
    assert "Game 3" in text_of(file.read_bytes())
    book, file = tmp_path / "ours.toml", tmp_path / "ours.pdf"
    book.write_text('extends = "yatzy"\nname = "Our Yatzy"\n[boxes.chance]\nname = "Whatever"\n')
    assert fivedice("scorecard", str(book), "--out", str(file))[0] == 0
    shown = text_of(file.read_bytes())
    assert "Our Yatzy" in shown
    assert "Whatever" in shown


def test_records_fill_the_sheet_in_any_form(fivedice, tmp_path):
    first, second, third = (play_sheet("yatzy", ["Ann", "Bob"], seed=seed) for seed in (1, 2, 3))
    one, both, out = tmp_path / "one.json", tmp_path / "both.txt", tmp_path / "out.pdf"
    one.write_text(json.dumps(game_to_json(first)))
    both.write_text(f"{fd.write_game(second)}\n{fd.write_game(third)}")
    assert fivedice("scorecard", "--record", str(one), str(both), "--out", str(out))[0] == 0
    pages = [page.extract_text() for page in read(out).pages]
    assert len(pages) == 2
    for seat, shown in enumerate(pages):
        totals = [game.position.cards[seat].total for game in (first, second, third)]
        assert f"Total {' '.join(map(str, totals))}" in shown
        assert f"All games together {sum(totals)}" in shown


def test_house_rules_record_carries_or_needs_its_book(fivedice, tmp_path):
    book, record, out = tmp_path / "ours.toml", tmp_path / "game.txt", tmp_path / "out.pdf"
    book.write_text('extends = "yatzy"\nkey = "ours"\nname = "Ours"\nrolls = 2\n')
    record.write_text(fd.write_game(play_sheet(fd.book(book), ["Ann"], seed=1)))
    assert fivedice("scorecard", "--record", str(record), "--out", str(out))[0] == 0
    assert "Ours" in text_of(out.read_bytes())
    older = [line for line in record.read_text().splitlines() if not line.startswith("[Rules ")]
    record.write_text("\n".join(older))
    assert fivedice("scorecard", "--record", str(record), "--out", str(out))[0] == 2
    assert fivedice("scorecard", str(book), "--record", str(record), "--out", str(out))[0] == 0
    assert "Ours" in text_of(out.read_bytes())


def test_pdf_can_be_piped(capfdbinary):
    from fivedice.cli.command_list import run

    assert run(["scorecard", "yatzy", "--out", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"%PDF-")


YATZY = str(RECORDS / "yatzy.txt")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nope"], "There are no rules 'nope'. Choose yardzee, yahtzee"),
        ([], "Name the rules"),
        (["yatzy", "--games", "13"], "A sheet shows 1 to 12 games side by side, not 13."),
        (["yatzy", "--players", "0"], "A sheet shows 1 to 12 players side by side, not 0."),
        (["yatzy", "--players", "7", "--large"], "A sheet in large print shows 1 to 6 players side by side, not 7."),
        (["yatzy", "--games", "2", "--players", "13"], "1 to 12 players can have a sheet each, not 13."),
        (["yatzy", "--paper", "a5"], "Paper can be a4 or letter. You entered 'a5'."),
        (["--record", "none.txt"], "'none.txt' can’t be read: No such file"),
        (["--record", YATZY, "--players", "2"], "Leave out the number of players."),
        (["--record", YATZY, YATZY, "--games", "1"], "2 games were played. Choose 2 columns or more."),
        (["--record", YATZY, str(RECORDS / "yahtzee.txt")], "Game 2 was played by Yahtzee, not Yatzy."),
    ],
)
def test_unprintable_arguments_are_refused(fivedice, tmp_path, arguments, sentence):
    out = tmp_path / "out.pdf"
    code, _, error = fivedice("scorecard", *arguments, "--out", str(out))
    assert code == 2
    assert sentence in error
    assert not out.exists()


def test_broken_input_and_unwritable_places_are_refused(fivedice, tmp_path):
    broken, empty = tmp_path / "broken.json", tmp_path / "empty.txt"
    broken.write_text("{nope")
    empty.write_text("\n")
    assert "The text is '{nope'" in fivedice("scorecard", "--record", str(broken), "--out", "x.pdf")[2]
    assert "has no record" in fivedice("scorecard", "--record", str(empty), "--out", "x.pdf")[2]
    nowhere = str(tmp_path / "none" / "x.pdf")
    assert "can’t be written: No such file or directory" in fivedice("scorecard", "yatzy", "--out", nowhere)[2]
    assert "can’t be written: embedded null" in fivedice("scorecard", "yatzy", "--out", "a\0b")[2]
