"""Random books and cards, small enough for the solver in fractions, as odd as the model allows."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeAlias

from fivedice.core.game import Scorecard
from fivedice.core.game.card import possible_extras, possible_points
from fivedice.core.rules import (
    ActiveWhen,
    AlikePolicy,
    AllAlike,
    Anything,
    Bonus,
    Both,
    Box,
    Colours,
    Exactly,
    FaceBox,
    FaceSum,
    Flush,
    Groups,
    JokerStep,
    Layout,
    Only,
    Parity,
    Pattern,
    RuleBook,
    Run,
    ScoreAs,
    Section,
    Sheet,
    Start,
    Summed,
    SumPlus,
    TargetBoxes,
    Tier,
    Total,
)
from fivedice.core.rules.playability import first_problem

Make: TypeAlias = Callable[[Random], RuleBook]

_SHEET = Sheet(Layout.PLAYERS, 1, *["total"] * 8)


def random_book(random: Random) -> RuleBook:
    """Return a playable book; refused ones are discarded."""
    while True:
        book = _draft(random)
        if first_problem(book) is None:
            return book


def newer_book(random: Random) -> RuleBook:
    """A playable book of the second rule model: tiers, further bonuses, rising and limited extras, jokers that count
    in other upper boxes, the upper section first, colours and the newer patterns; everything but saved rolls.
    """
    while True:
        book = _newer(random, _draft(random))
        if first_problem(book) is None:
            return book


def saving_book(random: Random) -> RuleBook:
    """A book that saves rolls, small enough for all that this adds."""
    while True:
        book = replace(newer_book(random) if random.random() < 0.5 else random_book(random), save_rolls=True)
        if book.faces**book.dice * len(book.boxes) ** 2 * book.rolls <= 1200:
            return book


def random_card(random: Random, book: RuleBook) -> Scorecard:
    """Any card that may be written down, whether or not play leads to it."""
    places = list(range(len(book.boxes)))
    if not book.fixed_order:
        random.shuffle(places)
    if book.upper_first:
        places.sort(key=lambda place: not book.in_upper[place])
    chosen = places[: random.randrange(len(places) + 1)]
    marks = {book.boxes[place].key: _points(random, book, place) for place in chosen}
    bonuses = _bonuses(random, book, marks)
    policy = book.alike
    by_step = policy is not None and policy.pays_by_step and bonuses
    extra = random.choice(sorted(possible_extras(policy, bonuses))) if policy is not None and by_step else None
    saved = random.randint(0, len(marks) * (book.rolls - 1)) if book.save_rolls else 0
    return Scorecard.of(book, marks, bonuses, saved=saved, extra=extra)


def _points(random: Random, book: RuleBook, place: int) -> int:
    return random.choice(sorted(possible_points(book, place) | {0}))


def _bonuses(random: Random, book: RuleBook, marks: dict[str, int]) -> int:
    policy = book.alike
    if policy is None or not policy.pays_extra or not marks.get(policy.box):
        return 0
    return random.randint(0, min(len(marks) - 1, len(marks) if policy.most is None else policy.most))


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


def _newer(random: Random, book: RuleBook) -> RuleBook:
    """The same book with newer rules laid over it, each of them now and then."""
    colours = ((1, book.faces), (2,)) if book.faces > 2 else ((1, 2),)
    book = replace(book, colours=colours)
    boxes = tuple(_newer_box(random, box, colours) for box in book.boxes)
    bonus = None if book.bonus is None else replace(book.bonus, higher=_higher(random, book.bonus))
    alike = None if book.alike is None else _newer_policy(random, book.alike)
    more = tuple(_further(random, book, number) for number in range(random.choice([0, 0, 1, 1, 2])))
    upper_first = not book.fixed_order and random.random() < 0.3
    return replace(book, boxes=boxes, bonus=bonus, alike=alike, more_bonuses=more, upper_first=upper_first)


def _newer_box(random: Random, box: Box, colours: Colours) -> Box:
    if isinstance(box.pattern, AllAlike) or random.random() < 0.5:
        return box if random.random() < 0.7 else replace(box, points=SumPlus(random.randint(1, 20), Summed.ALL))
    total = Total(random.randint(2, 9))
    pattern = random.choice(
        [
            total,
            Flush(colours),
            Parity(odd=random.random() < 0.5, of_total=random.random() < 0.5),
            Only(tuple(sorted(random.sample([1, 2, 3], 2)))),
            Groups((2,), same_face=False, one_colour=True, colours=colours),
            Both(total, Groups((2,), same_face=False)),
        ]
    )
    return replace(box, pattern=pattern, points=random.choice([Summed.ALL, random.randint(1, 40)]))


def _higher(random: Random, bonus: Bonus) -> tuple[Tier, ...]:
    first = Tier(bonus.threshold + random.randint(1, 4), bonus.points + random.randint(0, 20))
    second = Tier(first.threshold + random.randint(1, 4), first.points + random.randint(0, 20))
    return random.choice([(), (first,), (first, second)])


def _further(random: Random, book: RuleBook, number: int) -> Bonus:
    """Over the lower section, or over some boxes; low enough to be reached."""
    chosen = tuple(box.key for box in book.boxes if random.random() < 0.6) or (book.boxes[0].key,)
    section = random.choice([Section.LOWER, None, None])
    bonus = Bonus(random.randint(1, 8), random.randint(1, 30), (), f"more{number}", f"More {number}", section, chosen)
    return replace(bonus, higher=_higher(random, bonus), boxes=chosen if section is None else ())


def _newer_policy(random: Random, policy: AlikePolicy) -> AlikePolicy:
    steps = tuple(
        replace(step, extra=random.choice([None, None, 0, random.randint(1, 50)])) for step in policy.joker_steps
    )
    rising = tuple(random.randint(1, 90) for _ in range(random.choice([0, 0, 1, 2]))) if policy.extra else ()
    at_most = random.choice([None, 2, 3]) if policy.repeat else None
    return replace(policy, joker_steps=steps, rising=rising, at_most=at_most)


def tiny_book(random: Random, make: Make = random_book) -> RuleBook:
    """A random book so small that even distributions in fractions take no time."""
    while True:
        book = make(random)
        if book.faces**book.dice * len(book.boxes) ** 2 * book.rolls <= 400:
            return book


def smaller_book(random: Random, make: Make) -> RuleBook:
    """A random book so small that two players in fractions take no time."""
    while True:
        book = tiny_book(random, make)
        if book.faces**book.dice * len(book.boxes) ** 2 * book.rolls <= 60:
            return book
