"""Whether a card is on pace for the upper bonus."""

import fivedice as fd
from fivedice.core.game.card import BonusStatus, Pace, bonus_pace, next_tier, par
from fivedice.core.rules import Tier
from for_each import for_each
from rules.houses import CHANCE, box, extend, face_box, load

YAHTZEE = fd.book("yahtzee")


@for_each(
    ("held", "status", "ahead", "shown"),
    [
        ({}, BonusStatus.OPEN, 0, "on pace"),
        ({"sixes": 24}, BonusStatus.OPEN, 6, "+6"),
        ({"sixes": 12, "aces": 2}, BonusStatus.OPEN, -7, "\N{MINUS SIGN}7"),
        ({"sixes": 18, "chance": 30}, BonusStatus.OPEN, 0, "on pace"),
        ({"fours": 20, "fives": 25, "sixes": 30}, BonusStatus.REACHED, 30, "reached"),
        ({"fours": 8, "fives": 25, "sixes": 30}, BonusStatus.REACHED, 18, "reached"),
        ({"fours": 12, "fives": 20, "sixes": 30}, BonusStatus.OPEN, 17, "+17"),
        ({"aces": 1, "fives": 5, "sixes": 12}, BonusStatus.OPEN, -18, "\N{MINUS SIGN}18"),
        ({"aces": 0, "fives": 5, "sixes": 12}, BonusStatus.LOST, -19, "out of reach"),
        ({"fives": 0, "sixes": 0}, BonusStatus.LOST, -33, "out of reach"),
        ({"fives": 5, "sixes": 12}, BonusStatus.OPEN, -16, "\N{MINUS SIGN}16"),
        ({"fives": 5, "sixes": 6}, BonusStatus.LOST, -22, "out of reach"),
    ],
)
def test_three_of_each_face_is_on_pace(held: dict[str, int], status: BonusStatus, ahead: int, shown: str) -> None:
    pace = bonus_pace(fd.Scorecard.of(YAHTZEE, held))
    assert pace == Pace(BonusStatus(status), ahead)
    assert str(pace) == shown


def test_pace_of_other_books_and_next_bonus_step() -> None:
    assert [par(YAHTZEE, box) for box in YAHTZEE.boxes] == [3, 6, 9, 12, 15, 18] + [0] * 7
    maxi = fd.book("maxi-yatzy")
    assert [par(maxi, box) for box in maxi.boxes][:6] == [4, 8, 12, 16, 20, 24]
    plain = extend("yahtzee", "bonus = false")
    assert bonus_pace(fd.Scorecard.empty(plain)) is None
    assert par(plain, plain.boxes[0]) == 0
    fixed = box("pair", "1p", "groups, sizes = [2]", "10", "upper")
    total = box("any", "an", "anything", '"all"', "upper")
    house = load(face_box(2), fixed, total, CHANCE, "[bonus]", "threshold = 25", "points = 5")
    assert [par(house, line) for line in house.boxes] == [5, 5, 15, 0]
    steps = extend("yahtzee", "[bonus]", "tiers = [{ from = 20, points = 5 }, { from = 30, points = 9 }]")
    held = [{}, {"sixes": 12, "fives": 5}, {"fives": 20}, {"sixes": 24, "fives": 5}, {"sixes": 30}]
    cards = [fd.Scorecard.of(steps, each) for each in held]
    assert [next_tier(card) for card in cards] == [Tier(20, 5), Tier(20, 5), Tier(30, 9), Tier(30, 9), None]
    assert next_tier(fd.Scorecard.empty(extend("yahtzee", "bonus = false"))) is None
