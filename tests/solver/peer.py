"""The peer, yatzy-solver: its variants as our books, its notation, and a file of its answers.

Solving all twelve variants takes the peer minutes, so its answers are kept in `peer_answers.json`; run this module
to make them anew: `PYTHONPATH=tests python -m solver.peer`.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import yatzy_solver

from fivedice.core.dice import Roll, rolls
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book, load_book
from fivedice.solver import Solution
from solver.tiny_books import random_card

ANSWERS = Path(__file__).with_name("peer_answers.json")

_NO_JOKER = 'format = 1\nextends = "yahtzee"\n[alike]\nladder = []\n'
_FULL_HOUSE = "[boxes.full_house]\nsame_face = true\n"
_TWO_PAIRS = "[boxes.two_pairs]\nsame_face = true\n"
_NAMES = {"aces": "ones"}


def variants() -> dict[str, RuleBook]:
    """Every variant that the peer ships; we know them all."""
    american = {
        "american": book("yahtzee-free-choice"),
        "american+forced-joker": book("yahtzee"),
        "american+no-joker": load_book(_NO_JOKER),
        "american+no-bonus": book("yahtzee-plain"),
    }
    houses = {"": "", "+fh5": _FULL_HOUSE, "+tp4": _TWO_PAIRS, "+fh5+tp4": _FULL_HOUSE + _TWO_PAIRS}
    scandinavian = {
        f"yatzy-scandinavian{name}{order}": load_book(f'format = 1\nextends = "yatzy{suffix}"\n{house}')
        for order, suffix in (("", ""), ("+forced", "-forced"))
        for name, house in houses.items()
    }
    return american | scandinavian


def situations(rules: RuleBook, count: int, seed: str) -> list[dict[str, Any]]:
    """Random cards, rolls and rolls left; every third roll is of all dice alike."""
    random = Random(seed)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        card = random_card(random, rules)
        if not card.is_full:
            roll = random.choice(rolls(5)) if len(found) % 3 else Roll((random.randint(1, 6),) * 5)
            marks = {box.key: mark for box, mark in zip(rules.boxes, card.marks, strict=True) if mark is not None}
            left = random.randint(0, 2)
            found.append({"marks": marks, "bonuses": card.bonuses, "roll": str(roll), "left": left})
    return found


def card_of(rules: RuleBook, situation: dict[str, Any]) -> Scorecard:
    return Scorecard.of(rules, situation["marks"], situation["bonuses"])


def ours(solution: Solution, situation: dict[str, Any]) -> dict[str, float]:
    """Our advice in the peer's words."""
    card = card_of(solution.book, situation)
    advice = solution.advise(card, Roll.parse(situation["roll"]), situation["left"])
    return {_action(solution.book, each.keep, each.box): each.value for each in advice}


def theirs(solver: Any, rules: RuleBook, situation: dict[str, Any]) -> dict[str, float]:
    text = f"dice {' '.join(situation['roll'])} | rolls {situation['left']} | {state(card_of(rules, situation))}"
    return dict(solver.option_values(text))


def state(card: Scorecard) -> str:
    """The peer names a card by its upper total, its filled boxes and what its box for five alike holds."""
    filled = [box.key for box, mark in zip(card.book.boxes, card.marks, strict=True) if mark is not None]
    text = f"upper {card.upper_total} | filled {','.join(_name(card.book, key) for key in filled) or '-'}"
    if "five_of_a_kind" in filled and card.book.alike is not None:
        text += f" | five_of_a_kind {card.held('five_of_a_kind')}"
    return text


def _action(rules: RuleBook, keep: Any, key: str | None) -> str:
    return f"keep {' '.join(map(str, keep)) or '-'}" if key is None else f"score {_name(rules, key)}"


def _name(rules: RuleBook, key: str) -> str:
    if key == "five_of_a_kind" and len(rules.boxes) == 15:
        return "yatzy"
    return _NAMES.get(key, key)


def write_answers(count: int = 14) -> None:
    answers = {}
    for name, rules in variants().items():
        solver = yatzy_solver.Solver.build(yatzy_solver.Variant(name))
        asked = situations(rules, count, name)
        for situation in asked:
            card = card_of(rules, situation)
            situation["value"] = round(solver.state_value(state(card)), 10)
            options = theirs(solver, rules, situation)
            situation["options"] = {action: round(value, 10) for action, value in options.items()}
        answers[name] = asked
        print(name)
    ANSWERS.write_text(json.dumps(answers, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    write_answers()
