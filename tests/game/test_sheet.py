"""A card as the lines of its sheet, in the order of the document."""

import fivedice as fd
from fivedice.core.game.card import LineKind, sheet_lines
from rules.houses import ALIKE, CHANCE, extend, face_box, load

ROLES = ["upper", "upper_total", "bonus", "upper_with_bonus", "lower", "extra", "lower_total", "grand_total"]
BONUS = ("threshold = 3", "points = 5")


def lines(book: fd.RuleBook, held: dict[str, int], bonuses: int = 0) -> list[tuple[str, int | None]]:
    return [(line.label, line.value) for line in sheet_lines(fd.Scorecard.of(book, held, bonuses))]


def test_lines_and_sums_of_a_sheet() -> None:
    held = {"fours": 16, "fives": 25, "sixes": 24, "five_of_a_kind": 50}
    shown = dict(lines(fd.book("yahtzee"), held, 2))
    assert list(shown) == [
        *["Upper Section", "Aces", "Twos", "Threes", "Fours", "Fives", "Sixes", "Total Score", "Bonus", "Total"],
        *["Lower Section", "3 of a Kind", "4 of a Kind", "Full House", "Sm. Straight", "Lg. Straight", "YAHTZEE"],
        *["Chance", "YAHTZEE Bonus", "Total (Lower Section)", "Grand Total"],
    ]
    assert [shown[label] for label in ("Total Score", "Bonus", "Total")] == [65, 35, 100]
    assert [shown[label] for label in ("YAHTZEE Bonus", "Total (Lower Section)", "Grand Total")] == [200, 250, 350]
    assert shown["Aces"] is shown["Upper Section"] is None
    assert "Extra" not in dict(lines(fd.book("yatzy"), {}))


def test_sheet_of_one_section_shows_only_that_section() -> None:
    assert lines(load(ALIKE, CHANCE), {"chance": 12}) == [
        ("Lower section", None),
        ("Five Of A Kind", None),
        ("Chance", 12),
        ("Lower total", 12),
        ("Grand total", 12),
    ]
    assert lines(load(face_box(1)), {"aces": 3}) == [
        ("Upper section", None),
        ("Aces", 3),
        ("Upper total", 3),
        ("Grand total", 3),
    ]


def test_lines_have_section_role_kind_and_box() -> None:
    same = ", ".join(f'{line} = "Boxes"' for line in ROLES)
    book = load(face_box(1), ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', "extra = 100", "[bonus]", *BONUS)
    named = extend("yahtzee", f"sheet = {{ {same} }}")
    for one in (book, named):
        shown = sheet_lines(fd.Scorecard.empty(one))
        assert [line.role for line in shown if line.kind is not LineKind.BOX] == ROLES
        assert all(line.section is one.box(line.box).section for line in shown if line.box)
        middle = [line.role for line in shown].index("lower")
        assert {str(line.section) for line in shown[:middle]} == {"upper"}
        assert {str(line.section) for line in shown[middle:]} == {"lower"}
    kinds = {line.box: line.kind for line in sheet_lines(fd.Scorecard.empty(fd.book("yatzy"))) if line.box}
    assert set(kinds) == set(fd.book("yatzy").index)
    assert set(kinds.values()) == {LineKind.BOX}
