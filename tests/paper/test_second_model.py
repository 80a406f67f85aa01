"""Sheets of books with several bonuses, tiers, extras of all kinds and saved rolls."""

import fivedice as fd
from fivedice.drawing.paper import Row, scorecard_pdf, sheet_model
from paper.sheets import play_sheet, text_of
from rules.houses import extend
from rules.second_houses import BY_STEP, COLOURED, RISING, SAVING, STEPPED

_LOWER_BONUS = ('section = "lower"', "threshold = 150", "points = 50")


def rows(book: fd.RuleBook, *games: fd.Game) -> dict[str, Row]:
    leaves = sheet_model(book, played=games).leaves
    return {row.label: row for leaf in leaves for block in leaf.blocks for row in block.rows}


def test_bonus_lines_extras_and_blanks() -> None:
    found = rows(STEPPED)
    assert found["Bonus"].how == "5 or more: 10, 8 or more: 25"
    assert found["Lower bonus"].how == "20 or more: score 7"
    assert found["Odd couple"].how == "Aces and Chance: 9 or more: score 3"
    assert [label for label in found if found[label].kind == "bonus"] == ["Bonus", "Lower bonus", "Odd couple"]
    assert found["Pair"].how == "Score 10 plus their total"
    assert sheet_model(STEPPED).hint.endswith("Fill Upper section first.")
    # The one of named boxes needs boxes of both sections, and so does the total that it is part of.
    game = fd.Game.new(STEPPED, ["Ann"], dice=fd.dice.real())
    for dice, box in (("222", "twos"), ("111", "aces"), ("444", "chance")):
        game.roll(dice, last=True)
        game.mark(box)
    shown = {label: row.cells[0].text for label, row in rows(STEPPED, game).items() if row.kind in {"bonus", "total"}}
    assert shown["Bonus"] == "25"
    assert shown["Odd couple"] == "3"
    assert shown["Lower bonus"] == shown[STEPPED.sheet.lower_total] == ""
    rising, by_step = rows(RISING), rows(BY_STEP)
    assert rising[RISING.sheet.extra].how == "At most 3 ticks per game"
    assert {cell.squares for cell in rising[RISING.sheet.extra].cells} == {3}
    assert rising["Points for the ticks"].how == "Score 10, 20, 40 in turn"
    assert by_step[BY_STEP.sheet.extra].how == "One tick each time"
    assert by_step["Points for the ticks"].how == "Score 20 or 50 each"


def test_saved_rolls_and_new_patterns_have_places() -> None:
    assert "Saved rolls" not in rows(STEPPED)
    empty = rows(SAVING)["Saved rolls"]
    assert {cell.text for cell in empty.cells} == {""}
    game = play_sheet(SAVING, ["Ann", "Bob"], seed=1, turns=3)  # each turn leaves two rolls
    assert [cell.text for cell in rows(SAVING, game)["Saved rolls"].cells] == ["4", "2"]
    found = rows(COLOURED)
    assert [found[box.name].how for box in COLOURED.boxes] == [
        "Every die even: score 20",
        "An odd total: score 5",
        "Every die 1 or 2: score 5 plus the total of all dice",
        "A total of 9: score 15",
        "All dice of one colour (1+4, 2+3): score 35",
        "A total of 9; A pair: score 50",
    ]
    answer = text_of(scorecard_pdf(SAVING, players=2))
    assert "Saved rolls" in answer
    assert "cross out the ones you use" in answer
    stepped = text_of(scorecard_pdf(extend("yahtzee", "[bonuses.low]", 'name = "Low"', *_LOWER_BONUS)))
    assert "150 or more: score 50" in stepped
