"""The table of a book, read by hand, agrees with the engine on any roll and card."""

import json
from random import Random
from typing import Any

import fivedice as fd
from fivedice.core.dice import Roll, rolls
from fivedice.core.game.card import line_values
from fivedice.core.game.rule_table import rule_table
from for_each import for_each
from rules.houses import CHANCE, box, face_box, load
from solver.tiny_books import newer_book, random_book, random_card, saving_book

Table = dict[str, Any]


def read_table(table: Table, card: fd.Scorecard, number: int, roll: Roll) -> dict[str, tuple[int, int]]:
    """Points and extra of every legal box, by the columns of the table alone."""
    filled = card.filled
    available = next((stage & ~filled for stage in table["stages"] if stage & ~filled), 0)
    boxes, points, extra = available, [column[number] for column in table["points"]], 0
    alike = table["alike"]
    if alike is not None and roll.alike is not None:
        face, own = roll.alike - 1, card.marks[alike["box"]]
        gone = 0 if alike["own"][face] & ~filled else 1
        steps = [step for step in alike["steps"] if step["offers"][face][gone] & available]
        step = steps[0] if steps and (own if alike["applies"] == "scored" else own is not None) else None
        if step is not None:
            boxes, points = step["offers"][face][gone] & available, alike["worths"][step["worth"]][face]
        if own and (alike["most"] is None or card.bonuses < alike["most"]):
            usual = alike["extras"][min(card.bonuses, len(alike["extras"]) - 1)]
            extra = usual if step is None or step["extra"] is None else step["extra"]
    return {key: (points[place], extra) for place, (key, *_) in enumerate(table["boxes"]) if boxes >> place & 1}


def compare(card: fd.Scorecard) -> None:
    table = json.loads(json.dumps(rule_table(card.book)))
    for number, roll in enumerate(rolls(card.book.dice, card.book.faces)):
        wanted = {key: (entry.points, entry.bonus) for key, entry in card.options(roll).items()}
        assert read_table(table, card, number, roll) == wanted, (card, roll)
    paid = [_pays(bonus["tiers"], card.counted(bonus["boxes"])) for bonus in table["bonuses"]]
    assert tuple(paid) == card.totals.bonuses
    assert len(table["lines"]) == len(line_values(card))


def _pays(tiers: list[list[int]], total: int) -> int:
    return max((points for least, points in tiers if total >= least), default=0)


@for_each("key", fd.rules.SHIPPED)
def test_rule_tables_of_shipped_books_agree_with_the_engine(key: str) -> None:
    random = Random(key)
    for _ in range(3):
        compare(random_card(random, fd.book(key)))


@for_each("make", [random_book, newer_book, saving_book])
def test_rule_tables_of_any_book_agree_with_the_engine(make: Any) -> None:
    random = Random(5)
    for _ in range(60):
        book = make(random)
        compare(fd.Scorecard.empty(book))
        compare(random_card(random, book))


SMALL = load(
    face_box(1),
    box("pair", "pp", "alike", "10"),
    CHANCE,
    """[alike]
box = "pair"
extra = [100, 50]
at_most = 3
ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker", extra = 20 }]
[bonus]
threshold = 2
points = 5""",
    head=("dice = 2", "faces = 3"),
)


def test_small_rule_table_by_hand() -> None:
    """Rolls are 11, 12, 13, 22, 23 and 33; bit 0 stands for the aces, 1 for the pair and 2 for the chance."""
    assert rule_table(SMALL) == {
        "key": "house",
        "fingerprint": SMALL.fingerprint,
        "dice": 2,
        "faces": 3,
        "rolls": 3,
        "saves": False,
        "order": "free",
        "stages": [7],
        "tally": "yb",
        "canonical": [2, 1, 0],
        "boxes": [["aces", "1s", "upper"], ["pair", "pp", "lower"], ["chance", "ch", "lower"]],
        "points": [[2, 1, 1, 0, 0, 0], [10, 0, 0, 10, 0, 10], [2, 3, 4, 4, 5, 6]],
        "alike": {
            "box": 1,
            "applies": "filled",
            "extras": [100, 50],
            "most": 3,
            "byStep": True,
            "own": [1, 0, 0],
            "steps": [
                {"boxes": "face", "worth": 0, "extra": None, "offers": [[1, 1], [0, 0], [0, 0]]},
                {"boxes": "any", "worth": 1, "extra": 20, "offers": [[7, 7], [7, 7], [7, 7]]},
            ],
            "worths": [[[2, 10, 2], [0, 10, 4], [0, 10, 6]]] * 2,
        },
        "bonuses": [{"boxes": 1, "above": True, "tiers": [[2, 5]]}],
        "course": [[0, 2]],
        "lines": [
            ["heading", "upper", "upper", 9],
            ["box", "upper", "aces", 0],
            ["total", "upper", "upper_total", 3],
            ["bonus", "upper", "bonus", 8],
            ["total", "upper", "upper_with_bonus", 4],
            ["heading", "lower", "lower", 9],
            ["box", "lower", "pair", 1],
            ["box", "lower", "chance", 2],
            ["extra", "lower", "extra", 5],
            ["total", "lower", "lower_total", 6],
            ["grand", "lower", "grand_total", 7],
        ],
        "again": None,
    }


def test_repeatable_line_on_paper() -> None:
    table = rule_table(fd.book("yardzee"))
    assert table["lines"][table["again"]][2] == "upper_with_bonus"
    for boxes in ([CHANCE], [face_box(1)]):
        assert rule_table(load(*boxes, "[sheet]", "upper_again = true"))["again"] is None, "a sheet of one section"


@for_each(("head", "stages"), [([], [7]), (['order = "sheet"'], [1, 2, 4]), (['order = "upper_first"'], [3, 7])])
def test_order_of_sections(head: list[str], stages: list[int]) -> None:
    table = rule_table(load(face_box(1), face_box(2), CHANCE, head=[*head, "save_rolls = true"]))
    assert (table["stages"], table["saves"], table["alike"], table["bonuses"]) == (stages, True, None, [])
