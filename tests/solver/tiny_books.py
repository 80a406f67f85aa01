"""Random books and cards, small enough for the solver in fractions, as odd as the model allows."""

from __future__ import annotations

from random import Random

from fivedice.game import Scorecard
from fivedice.game.card import possible_points
from fivedice.rules import (
    ActiveWhen,
    AlikePolicy,
    AllAlike,
    Anything,
    Bonus,
    Box,
    Exactly,
    FaceBox,
    FaceSum,
    Groups,
    JokerStep,
    Layout,
    Pattern,
    RuleBook,
    Run,
    ScoreAs,
    Section,
    Sheet,
    Start,
    Summed,
    TargetBoxes,
)
from fivedice.rules.playability import first_problem

_SHEET = Sheet(Layout.PLAYERS, 1, *["total"] * 8)


def random_book(random: Random) -> RuleBook:
    """A playable book; those that the loader would refuse are thrown away."""
    while True:
        book = _draft(random)
        if first_problem(book) is None:
            return book


def random_card(random: Random, book: RuleBook) -> Scorecard:
    """Any card that may be written down, whether or not play leads to it."""
    places = list(range(len(book.boxes)))
    if not book.fixed_order:
        random.shuffle(places)
    chosen = places[: random.randrange(len(places) + 1)]
    marks = {book.boxes[place].key: _points(random, book, place) for place in chosen}
    return Scorecard.of(book, marks, _bonuses(random, book, marks))


def _points(random: Random, book: RuleBook, place: int) -> int:
    return random.choice(sorted(possible_points(book, place) | {0}))


def _bonuses(random: Random, book: RuleBook, marks: dict[str, int]) -> int:
    policy = book.alike
    if policy is None or not policy.extra or not marks.get(policy.box):
        return 0
    return random.randint(0, min(len(marks) - 1, len(marks) if policy.repeat else 1))


def _draft(random: Random) -> RuleBook:
    dice, faces = random.choice([(1, 4), (2, 3), (2, 4), (2, 6), (3, 2), (3, 3), (3, 3), (3, 4), (4, 2), (4, 3)])
    boxes = [_box(random, number, dice, faces) for number in range(random.randint(1, 4))]
    alike = None
    if random.random() < 0.75:
        place = random.randrange(len(boxes))
        boxes[place] = Box(f"box{place}", f"Box {place}", f"b{place}", _section(random), AllAlike(), _worth(random))
        alike = _policy(random, boxes[place].key)
    return RuleBook(
        key="tiny",
        name="Tiny",
        summary="",
        source="",
        variant=True,
        dice=dice,
        faces=faces,
        rolls=random.randint(1, 3),
        fixed_order=random.random() < 0.2,
        start=Start.DRAW,
        boxes=tuple(boxes),
        bonus=Bonus(random.randint(1, 3 * dice * faces // 2), random.randint(1, 30)) if random.random() < 0.7 else None,
        alike=alike,
        sheet=_SHEET,
        notes=(),
    )


def _box(random: Random, number: int, dice: int, faces: int) -> Box:
    pattern = _pattern(random, dice, faces)
    points = _worth(random)
    if points is Summed.MATCHING and isinstance(pattern, Run | Exactly):
        points = Summed.ALL
    return Box(f"box{number}", f"Box {number}", f"b{number}", _section(random), pattern, points)


def _section(random: Random) -> Section:
    return random.choice(list(Section))


def _worth(random: Random) -> int | Summed:
    return random.choice([Summed.ALL, Summed.MATCHING, Summed.MATCHING, random.randint(1, 40)])


def _pattern(random: Random, dice: int, faces: int) -> Pattern:
    length = random.randint(1, min(dice, faces))
    sizes = tuple(sorted((random.randint(1, dice) for _ in range(random.randint(1, 2))), reverse=True))
    return random.choice(
        [
            FaceSum(random.randint(1, faces)),
            FaceSum(random.randint(1, faces)),
            Groups(sizes, same_face=random.random() < 0.5),
            Run(length),
            Exactly(tuple(sorted(random.sample(range(1, faces + 1), length)))),
            AllAlike(),
            Anything(),
        ]
    )


def _policy(random: Random, box: str) -> AlikePolicy:
    rungs = [_rung(random) for _ in range(random.randint(0, 3))]
    last = [JokerStep(TargetBoxes.ANY, random.choice(list(ScoreAs)))] if rungs else []
    return AlikePolicy(
        box=box,
        name="Joker rules",
        extra=random.choice([0, random.randint(1, 50)]),
        repeat=random.random() < 0.5,
        applies=random.choice(list(ActiveWhen)),
        joker_steps=(*rungs, *last),
    )


def _rung(random: Random) -> JokerStep:
    return JokerStep(random.choice(list(TargetBoxes)), random.choice(list(ScoreAs)), random.choice(list(FaceBox)))


def tiny_book(random: Random) -> RuleBook:
    """A random book so small that even distributions in fractions take no time."""
    while True:
        book = random_book(random)
        if book.faces**book.dice * len(book.boxes) ** 2 * book.rolls <= 400:
            return book
