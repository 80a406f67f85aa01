"""Which boxes a roll may fill, what they score, and why the others are closed.

All legality is decided here. Menus, scores, bots, the coach and the score pad call `judge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from fivedice.core.dice import Roll, rolls
from fivedice.core.game.card import Scorecard
from fivedice.core.rules import AlikePolicy, Box, JokerStep, RuleBook, ScoreAs, TargetBoxes
from fivedice.errors import IllegalMove, quote
from fivedice.message import Either, Message, message


@dataclass(frozen=True, slots=True)
class Entry:
    """The points of a roll in a box. `bonus` is the extra bonus that is paid in addition.

    `joker` is whether the points need the joker rules.

    >>> fd.Scorecard.empty("yatzy").options("24466")["two_pairs"]
    Entry(points=20, bonus=0, joker=False)
    """

    points: int
    bonus: int = 0
    joker: bool = field(default=False, compare=False)  #: whether the points need the joker rules


Entries: TypeAlias = tuple[tuple[int, str, Entry], ...]  # the bit, the key and the entry of each box
_MOST_REMEMBERED = 4096  # per book; eight dice have thousands of rolls


@dataclass(frozen=True, slots=True, repr=False)
class Ruling:
    """The legal boxes for one roll on one card. Boxes are masks here; the methods give names."""

    card: Scorecard
    roll: Roll
    available: int  # the open boxes that the order allows
    boxes: int  # the legal ones among them
    joker_step: JokerStep | None  # the step that narrowed the choice, if any
    bonus: int

    def __repr__(self) -> str:
        return f"<Ruling of {self.roll} on {self.card!r}>"

    @property
    def legal(self) -> dict[str, Entry]:
        """Return the legal boxes by key, each with its entry."""
        boxes = self.boxes
        return {key: entry for bit, key, entry in self._entries if boxes & bit}

    @property
    def _entries(self) -> Entries:
        """Return the entries of all boxes of the sheet, legal or not."""
        step, book = self.joker_step, self.card.book
        known = book.entries.get((self.roll.faces, step, self.bonus))
        return _compute_entries(book, self.roll, step, self.bonus) if known is None else known

    @property
    def closed(self) -> dict[str, str]:
        """Return every closed box by key, with the sentence that says why."""
        return {key: str(reason) for key, reason in self.reasons.items()}

    @property
    def reasons(self) -> dict[str, Message]:
        """Return every closed box by key, with the reason as a message."""
        boxes = enumerate(self.card.book.boxes)
        return {box.key: explain_closed(self, place) for place, box in boxes if not self.boxes >> place & 1}

    def reason(self, box: str) -> Message:
        """Return why this box is closed."""
        return explain_closed(self, self.card.book.place(box))

    def __contains__(self, box: str) -> bool:
        return bool(self.boxes >> self.card.book.place(box) & 1)

    @property
    def wasteful(self) -> frozenset[str]:
        """Return the legal boxes that would score zero although another one would score: worth a question."""
        return wasteful(self.legal)

    def wastes(self, box: str) -> bool:
        return self.card.book.box(box).key in self.wasteful

    def check(self, box: str) -> Entry:
        """Return the entry of a box. Raise IllegalMove with the reason if it is closed."""
        place = self.card.book.place(box)
        if not self.boxes >> place & 1:
            raise IllegalMove(explain_closed(self, place))
        return self._entries[place][2]


def wasteful(legal: Mapping[str, Entry]) -> frozenset[str]:
    """Return the boxes that would score zero, if another legal one would score."""
    zeros = frozenset(key for key, entry in legal.items() if not entry.points)
    return zeros if len(zeros) < len(legal) else frozenset()


def judge(card: Scorecard, roll: Roll) -> Ruling:
    """Return the ruling for a roll on a card. Raise IllegalError if the rules have other dice."""
    book = card.book
    book.check_roll(roll)
    available = boxes = book.available(book.full & ~card.filled)
    step, bonus, faces = None, 0, roll.faces
    if faces[0] == faces[-1] and book.alike is not None:
        step, boxes = _narrow(card, book.alike, faces[0], available)
        bonus = book.alike.pays(scored=card.alike_scored, before=card.bonuses, step=step)
    return Ruling(card, roll, available, boxes, step, bonus)


def _narrow(card: Scorecard, policy: AlikePolicy, face: int, available: int) -> tuple[JokerStep | None, int]:
    """Return the joker step that decides where all dice the same may go, if one does, and the boxes it leaves."""
    book, held = card.book, card.held(policy.box)
    if not policy.holds(filled=held is not None, scored=bool(held)):
        return None, available
    face_open = bool(book.face_boxes[face] & ~card.filled)
    return book.decide_alike(face, available, face_open=face_open) or (None, available)


def _compute_entries(book: RuleBook, roll: Roll, step: JokerStep | None, bonus: int) -> Entries:
    """Compute what a roll scores in every box, and cache it in the book."""
    plain = book.worth(roll).plain
    points_as = book.points_as(roll, ScoreAs.PLAIN if step is None else step.worth)
    scored = enumerate(zip(book.boxes, points_as, plain, strict=True))
    found = tuple((1 << place, box.key, Entry(points, bonus, points > own)) for place, (box, points, own) in scored)
    if len(book.entries) >= _MOST_REMEMBERED:
        book.entries.clear()
    book.entries[roll.faces, step, bonus] = found
    return found


def explain_closed(ruling: Ruling, place: int) -> Message:
    """Return the reason why one box of a ruling is closed."""
    card, box = ruling.card, ruling.card.book.boxes[place]
    held = card.marks[place]
    if held is not None:
        return message("game.box-filled", box=box, points=held)
    if not ruling.available >> place & 1:
        if card.book.upper_first:
            return message("game.upper-first", section=card.book.sheet.label("upper"))
        return message("game.box-not-next", box=card.book.boxes[ruling.available.bit_length() - 1])
    return _explain_forced(ruling)


def _explain_forced(ruling: Ruling) -> Message:
    book, step, roll = ruling.card.book, ruling.joker_step, ruling.roll
    if step is None or book.alike is None or step.boxes is TargetBoxes.ANY:  # only other steps close an available box
        raise AssertionError(ruling)
    rule, own = book.alike, book.face_boxes[roll.faces[0]]
    if step.boxes is TargetBoxes.FACE:
        boxes = _list_boxes(book, ruling.boxes)
        return message("game.forced-to-face", roll=roll, boxes=boxes, count=len(boxes), rule=rule)
    section, boxes = book.sheet.label(str(step.boxes)), _list_boxes(book, own)
    if boxes and own & ruling.card.filled == own:
        return message("game.forced-past-face", roll=roll, boxes=boxes, count=len(boxes), section=section, rule=rule)
    return message("game.forced-to-section", roll=roll, section=section, rule=rule)


def _list_boxes(book: RuleBook, mask: int) -> tuple[Box, ...]:
    return tuple(box for place, box in enumerate(book.boxes) if mask >> place & 1)


# Scoring as on paper: a player names the box first, then the points, and never the dice. Usually all rolls that give
# these points have the same effect. If one of them pays an extra bonus and another does not, the points are ambiguous
# and the player must enter the dice.


@dataclass(frozen=True, slots=True)
class BoxPoints:
    """Points that a box may take, and the first roll that gives them: one without a joker if there is one."""

    points: int
    roll: Roll
    extra: int  # paid with that roll
    joker: bool
    other: Roll | None = None  # a roll with the same points and another extra, so the points are ambiguous


def answers(card: Scorecard, box: str) -> tuple[BoxPoints, ...]:
    """Return all points that a box may take now, in ascending order; none if it is closed."""
    found: dict[int, list[tuple[Roll, Entry]]] = {}
    for roll, entry in _find_candidates(card, card.book.place(box)):
        found.setdefault(entry.points, []).append((roll, entry))
    answers = []
    for points, rolled in sorted(found.items()):
        roll, entry = min(rolled, key=lambda each: (each[1].joker, each[0]))
        others = (other for other, counts in rolled if counts.bonus != entry.bonus)
        answers.append(BoxPoints(points, roll, entry.bonus, entry.joker, min(others, default=None)))
    return tuple(answers)


def roll_for(card: Scorecard, box: str, points: int) -> Roll:
    """Return the roll that stands for a turn of which only the box and the points were noted.

    Raise IllegalMove with the reason if the box cannot take these points now, or if they are ambiguous.
    """
    book, possible = card.book, answers(card, box)
    if not possible:
        raise IllegalMove(judge(card, next(iter(rolls(book.dice, book.faces)))).reason(box))
    answer = next((each for each in possible if each.points == points and type(points) is int), None)
    if answer is None:
        numbers = Either(tuple(each.points for each in possible))
        raise IllegalMove("game.points-impossible", box=book.box(box), points=quote(points), possible=numbers)
    if answer.other is not None:
        raise IllegalMove("game.points-ambiguous", box=book.box(box), points=points)
    return answer.roll


def _find_candidates(card: Scorecard, place: int) -> Iterator[tuple[Roll, Entry]]:
    """Yield the rolls that may go into a box: every five of a kind, and one other roll for each number of points.

    One other roll is enough, because a ruling depends on the faces only if all dice are the same.
    """
    book = card.book
    key, mixed = book.boxes[place].key, _find_mixed_rolls(book, place)
    alike = (Roll((face,) * book.dice) for face in range(1, book.faces + 1))
    for roll in (*alike, *mixed.values()):
        ruling = judge(card, roll)
        if ruling.boxes >> place & 1:
            yield roll, ruling.check(key)


@lru_cache(maxsize=1024)  # eight dice have thousands of rolls
def _find_mixed_rolls(book: RuleBook, place: int) -> Mapping[int, Roll]:
    """Return the points of all rolls whose dice are not all the same, each with the first roll that gives them."""
    found: dict[int, Roll] = {}
    for roll in rolls(book.dice, book.faces):
        if roll.alike is None:
            found.setdefault(book.worth(roll).plain[place], roll)
    return found
