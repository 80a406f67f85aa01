"""A position is a value: cards, whose turn it is, dice on the table, rolls left. `apply` makes a move on it.

What a step tells the world are facts, in order, with everything needed to announce them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fivedice.dice import AnyDice, Keep, Roll, as_keep, as_roll, keeps_of, roll_of, rolls, ways
from fivedice.errors import IllegalError, IllegalMove, MalformedError, quote
from fivedice.game.card import Scorecard
from fivedice.game.drafts import draft_of
from fivedice.game.legality import Entry, Ruling, judge
from fivedice.rules import AnyBook, RuleBook


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice fell."""

    seat: int
    roll: Roll
    fell: tuple[int, ...]  # the dice that were thrown, without the held ones
    rolls_left: int


@dataclass(frozen=True, slots=True)
class Held:
    """Dice were kept and the others taken up."""

    seat: int
    keep: Keep


@dataclass(frozen=True, slots=True)
class Scored:
    """A box was filled."""

    seat: int
    box: str
    points: int
    joker: bool


@dataclass(frozen=True, slots=True)
class ExtraPaid:
    """A further five of a kind earned its extra bonus."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class BonusReached:
    """The upper total has reached the threshold with this score."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The next seat is on turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Every card is full, or belongs to somebody who has left. Ties share the win."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event: TypeAlias = Thrown | Held | Scored | ExtraPaid | BonusReached | TurnPassed | GameEnded


@dataclass(frozen=True, slots=True, init=False)
class Throw:
    """The dice in the cup fall; `roll` is how all dice lie afterwards, the held ones included.

    `last` are the dice as they lay at the end of a turn whose earlier rolls were not noted. Dice may be given as text.
    """

    roll: Roll
    last: bool = False
    saved: int = 0  #: by such a turn, where the book keeps rolls for later
    told: bool = True  #: or only the points of such a turn were noted, and these dice stand for any that bring them

    def __init__(self, roll: AnyDice, last: bool = False, saved: int = 0, told: bool = True) -> None:
        set_field = object.__setattr__
        set_field(self, "roll", roll if type(roll) is Roll else Roll.read(roll))
        set_field(self, "last", last)
        set_field(self, "saved", saved)
        set_field(self, "told", told)


@dataclass(frozen=True, slots=True, init=False)
class Hold:
    """Leave these dice on the table and put all others in the cup.

    >>> fd.Hold("66") == fd.Hold(fd.Keep.parse("66"))
    True
    """

    keep: Keep

    def __init__(self, keep: AnyDice) -> None:
        object.__setattr__(self, "keep", keep if type(keep) is Keep else Keep.read(keep))


@dataclass(frozen=True, slots=True)
class Mark:
    """Fill a box, which ends the turn."""

    box: str


@dataclass(frozen=True, slots=True)
class Skip:
    """The seat on turn plays later: their card has a box more to fill at the end."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat plays no more and cannot win; what is on its card stays."""

    seat: int


@dataclass(frozen=True, slots=True)
class Come:
    """A seat that had left, or had not come yet, plays from now on."""

    seat: int


Move: TypeAlias = Throw | Hold | Mark | Skip | Leave | Come


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended. Seats are numbered from 0; several winners have tied."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def is_tie(self) -> bool:
        """Whether several share the win."""
        return len(self.winners) > 1


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A game at one moment, as a value: all cards, the seat on turn, the dice, the rolls left. `apply` makes a move.

    `dice` are those on the table: all of them after a throw, fewer while some wait in the cup.

    >>> fd.read_position("yahtzee - 0 24466 2").roll
    Roll.parse('24466')
    """

    cards: tuple[Scorecard, ...]
    seat: int
    dice: Keep
    rolls_left: int
    final: bool = field(default=False, compare=False)  #: dice of a turn whose rolls were not noted: to be scored
    out: frozenset[int] = frozenset()  #: seats that have left, or not come yet
    after: int | None = field(default=None, compare=False)  #: the seat whose turn was the last; None: the one before
    skipped: frozenset[int] = field(default=frozenset(), compare=False)  #: since then, and those who came since
    is_over: bool = field(init=False, compare=False)  #: all cards are full; everything asks, so it is found out once
    judged: Ruling | None = field(default=None, init=False, compare=False)  #: once it was asked for

    def __post_init__(self) -> None:
        playing = self.cards if not self.out else [self.cards[seat] for seat in self.seats_in]
        object.__setattr__(self, "is_over", not any(None in card.marks for card in playing))

    @classmethod
    def start(cls, book: AnyBook, seats: int, first: int = 0, out: AbstractSet[int] = frozenset()) -> Position:
        """Before the first roll of a game; the seats in `out` do not play yet."""
        card, before = Scorecard.empty(book), (first - 1) % seats
        cards, rolls = (card,) * seats, card.book.rolls
        seat = seat_on_turn(cards, before, out)
        return cls(cards, first if seat is None else seat, Keep(()), rolls, out=frozenset(out), after=before)

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats that play: all but those that have left or not come yet."""
        return tuple(seat for seat in range(len(self.cards)) if seat not in self.out)

    def __repr__(self) -> str:
        return f"<Position {self.book.key}: seat {self.seat}, dice {self.dice}, {self.rolls_left} rolls left>"

    def __str__(self) -> str:
        """The sheet and the dice, to be read."""
        from fivedice.game.sheet_shown import position_text, seat_names  # which reads positions, so it comes after them

        return position_text(self, seat_names(self))

    def _repr_svg_(self) -> str:
        from fivedice.game.sheet_shown import position_svg, seat_names

        return position_svg(self, seat_names(self))

    @property
    def book(self) -> RuleBook:
        """The rules."""
        return self.cards[0].book

    @property
    def card(self) -> Scorecard:
        """The card of the seat on turn."""
        return self.cards[self.seat]

    @property
    def roll(self) -> Roll | None:
        """The dice as thrown, or None while some wait in the cup."""
        dice = self.dice
        if len(dice.faces) != self.cards[0].book.dice or self.is_over:
            return None
        return as_roll(dice)

    @property
    def in_cup(self) -> int:
        """How many dice the next roll throws."""
        return self.cards[0].book.dice - len(self.dice.faces)

    @property
    def rolls_in_turn(self) -> int:
        """How often dice may be thrown in this turn: those of every turn, and those that were saved."""
        return self.book.rolls + self.card.saved

    @property
    def roll_number(self) -> int:
        """Of the throw that comes next in this turn, counted from 1."""
        card = self.cards[self.seat]
        return 1 + card.book.rolls + card.saved - self.rolls_left

    @property
    def chance_moves_next(self) -> bool:
        """Whether dice are to be rolled; if not, a player decides or the game is over."""
        return self.in_cup > 0 and not self.is_over

    @property
    def outcome(self) -> Outcome | None:
        """Totals and winners; None while the game runs."""
        return self.standing if self.is_over else None

    @property
    def standing(self) -> Outcome:
        """How the game would end if it ended now."""
        totals = tuple(card.total for card in self.cards)
        best = max(totals[seat] for seat in self.seats_in)
        return Outcome(totals, tuple(seat for seat in self.seats_in if totals[seat] == best))

    def ruling(self) -> Ruling:
        """Legality of the boxes for the dice on the table."""
        ruling = self.judged
        if ruling is None:
            roll = self.roll
            if roll is None:
                raise _not_thrown(self)
            ruling = judge(self.cards[self.seat], roll)
            object.__setattr__(self, "judged", ruling)
        return ruling

    def chances(self) -> Iterator[tuple[Throw, int]]:
        """Every way the dice in the cup may fall, with its weight out of faces ** dice in the cup."""
        if self.chance_moves_next:
            for fall in rolls(self.in_cup, self.book.faces):
                yield Throw(Roll(self.dice.faces + fall.faces)), ways(fall)

    def choices(self) -> Iterator[Hold | Mark]:
        """Every move the player on turn has; none while chance moves next."""
        roll = self.roll
        if roll is None:
            return
        if self.rolls_left and not self.final:
            yield from (Hold(keep) for keep in keeps_of(roll) if len(keep) < len(roll))
        yield from (Mark(box) for box in self.ruling().legal)

    @property
    def legal_moves(self) -> tuple[Hold | Mark, ...]:
        """The same, all at once."""
        return tuple(self.choices())

    def check(self, move: Move) -> None:
        """Raise `IllegalMove` with the rule that forbids it."""
        if isinstance(move, Mark):
            self.ruling().check(move.box)
        elif isinstance(move, Hold):
            _check_hold(self, move.keep)
        elif isinstance(move, Throw):
            _check_throw(self, move)
        elif isinstance(move, Skip):
            _check_skip(self)
        elif isinstance(move, Leave | Come):
            _check_coming_and_going(self, move)
        else:
            raise IllegalMove("game.not-a-move", move=quote(move))

    def allows(self, move: Move) -> bool:
        """Whether `check` lets the move pass."""
        try:
            self.check(move)
        except IllegalError:
            return False
        return True


def _check_throw(position: Position, throw: Throw) -> None:
    if position.is_over:
        raise IllegalMove("game.over")
    roll = throw.roll
    position.book.check_roll(roll)
    if not throw.told and not throw.last:
        raise IllegalMove("game.final-dice-untold")
    if throw.last and position.rolls_left < position.rolls_in_turn:
        raise IllegalMove("game.final-dice-late")
    most = position.rolls_in_turn - 1 if throw.last and position.book.save_rolls else 0
    if type(throw.saved) is not int or not 0 <= throw.saved <= most:
        raise IllegalMove("game.bad-rolls-left-over", saved=quote(throw.saved), most=most)
    if not position.in_cup:
        raise IllegalMove("game.nothing-to-roll")
    if not roll.contains(position.dice):
        raise IllegalMove("game.kept-dice-gone", roll=roll, kept=position.dice)


def _check_hold(position: Position, keep: Keep) -> None:
    dice, count = position.dice, position.cards[0].book.dice
    if len(dice.faces) != count or position.is_over:
        raise _not_thrown(position)
    if not position.rolls_left:
        raise IllegalMove("game.no-rolls-left", roll=position.roll)
    if position.final:
        raise IllegalMove("game.final-dice-lie", roll=position.roll)
    if not dice.contains(keep):
        raise IllegalMove("game.cannot-keep", keep=keep, roll=position.roll)
    if len(keep.faces) == count:
        raise IllegalMove("game.keeps-all")


def _check_coming_and_going(position: Position, move: Leave | Come) -> None:
    seat, seats = move.seat, len(position.cards)
    if type(seat) is not int or not 0 <= seat < seats:
        raise IllegalMove("game.no-such-seat", seat=quote(seat), last=seats - 1)
    if isinstance(move, Come):
        if seat not in position.out:
            raise IllegalMove("game.plays-already", seat=seat)
        return
    if position.is_over:
        raise IllegalMove("game.over")
    if seat in position.out:
        raise IllegalMove("game.left-already", seat=seat)
    if len(position.seats_in) == 1:
        raise IllegalMove("game.last-to-leave", seat=seat)
    if seat == position.seat:
        _check_turn_not_begun(position)


def _check_skip(position: Position) -> None:
    if position.is_over:
        raise IllegalMove("game.over")
    _check_turn_not_begun(position)


def _check_turn_not_begun(position: Position) -> None:
    if position.rolls_left < position.rolls_in_turn:
        raise IllegalMove("game.turn-begun")


def _not_thrown(position: Position) -> IllegalMove:
    return IllegalMove("game.over") if position.is_over else IllegalMove("game.roll-first", count=position.in_cup)


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One move made: the positions before and after it, and what happened."""

    before: Position
    move: Move
    after: Position
    told: tuple[Event, ...] | None = field(default=None, init=False, compare=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order. Found out when somebody first asks: most steps are only played."""
        if self.told is None:
            object.__setattr__(self, "told", tuple(_events(self)))
        return self.told or ()

    def __repr__(self) -> str:
        return f"<Step {self.move!r} to {self.after!r}>"


def check_is_position(given: object) -> None:
    """Refuse what is no position, such as its text, and say what to give instead."""
    if not isinstance(given, Position):
        raise MalformedError("game.not-a-position", given=quote(given))


_Draft, _StepDraft = draft_of(Position), draft_of(Step)


def apply(position: Position, move: Move) -> Step:
    """Make a move, or raise `IllegalMove` and change nothing."""
    if isinstance(move, Mark):
        return _mark(position, move, position.ruling().check(move.box))
    if isinstance(move, Hold):
        _check_hold(position, move.keep)
        return _step(position, move, move.keep, position.rolls_left, position.final)
    position.check(move)
    return _after_throw(position, move) if isinstance(move, Throw) else _order(position, move)


_holds: dict[tuple[int, ...], Hold] = {}  # a move is a value: one for each keep will do


def hold_of(keep: Keep) -> Hold:
    """The move that keeps these dice."""
    return _holds.get(keep.faces) or _holds.setdefault(keep.faces, Hold(keep))


def fall(position: Position, faces: tuple[int, ...]) -> Step:
    """Let the dice in the cup fall as a source of dice says: it may say what this book's dice cannot show."""
    book, roll = position.cards[0].book, roll_of(position.dice.faces + faces)
    known = book.falls.get(roll.faces)
    if known is None:
        book.check_roll(roll)
        known = book.falls[roll.faces] = Throw(roll), as_keep(roll)
    move, dice = known
    return _step(position, move, dice, position.rolls_left - 1, False)


def _after_throw(position: Position, move: Throw) -> Step:
    left = move.saved if move.last else position.rolls_left - 1
    return _step(position, move, as_keep(move.roll), left, move.last)


def _step(position: Position, move: Throw | Hold, dice: Keep, left: int, final: bool) -> Step:
    """Within a turn: the dice change and how many rolls are left, nothing else."""
    draft = _Draft()
    draft.cards, draft.seat, draft.dice, draft.rolls_left = position.cards, position.seat, dice, left
    draft.final, draft.is_over = final, position.is_over
    draft.out, draft.after, draft.skipped = position.out, position.after, position.skipped
    draft.judged = None
    draft.__class__ = Position
    return _made(position, move, draft)


def _mark(position: Position, move: Mark, entry: Entry) -> Step:
    cards, seat, out = position.cards, position.seat, position.out
    book = cards[seat].book
    card = cards[seat].write(book.place(move.box), entry.points, bonus=entry.bonus, saved=position.rolls_left)
    cards = (*cards[:seat], card, *cards[seat + 1 :])
    following = seat_on_turn(cards, seat, out)
    draft = _Draft()
    draft.is_over = following is None
    if following is None:
        following = (seat + 1) % len(cards)
    draft.cards, draft.seat, draft.dice = cards, following, _NO_DICE
    draft.rolls_left = book.rolls + cards[following].saved
    draft.final, draft.out, draft.after, draft.skipped, draft.judged = False, out, seat, _NOBODY, None
    draft.__class__ = Position
    return _made(position, move, draft)


def _made(before: Position, move: Move, after: Position) -> Step:
    draft = _StepDraft()
    draft.before, draft.move, draft.after, draft.told = before, move, after, None
    draft.__class__ = Step
    step: Step = draft
    return step


_NO_DICE, _NOBODY = Keep(()), frozenset[int]()


def seat_on_turn(
    cards: Sequence[Scorecard], after: int, out: AbstractSet[int] = frozenset(), skipped: AbstractSet[int] = frozenset()
) -> int | None:
    """Whose turn comes after that of a seat: round the table, past those who have left or whose cards are full.

    Those who were skipped since come last. None once nobody has a box to fill.
    """
    waiting = None
    for step in range(len(cards)):  # mostly the first of them
        seat = (after + 1 + step) % len(cards)
        if seat in out or cards[seat].is_full:
            continue
        if seat not in skipped:
            return seat
        waiting = seat if waiting is None else waiting
    return waiting


def turns_to_come(position: Position) -> list[int]:
    """Whose turns are still to be played, in their order, if nobody is skipped any more."""
    left = [0 if seat in position.out else card.marks.count(None) for seat, card in enumerate(position.cards)]
    order: list[int] = []
    seat = position.seat
    for _ in range(sum(left)):
        order.append(seat)
        left[seat] -= 1
        following = ((seat + step) % len(left) for step in range(1, len(left)))
        seat = next((other for other in following if left[other]), seat)
    return order


def _order(position: Position, move: Skip | Leave | Come) -> Step:
    """Another one is on turn, or could be from now on; no card changes."""
    out, skipped, came = position.out, position.skipped, None
    if isinstance(move, Skip):
        skipped |= {position.seat}
    elif isinstance(move, Leave):
        out |= {move.seat}
    else:
        out, came = out - {move.seat}, move.seat
    cards, last = position.cards, _last_seat(position)
    seat = seat_on_turn(cards, last, out, skipped)
    if came is not None and came == seat and not position.is_over:  # nobody is interrupted: whoever comes waits
        skipped |= {came}
        seat = seat_on_turn(cards, last, out, skipped)
    if seat is None:
        seat = position.seat
    if all(other in skipped or other in out or cards[other].is_full for other in range(len(cards))):
        skipped = frozenset()  # everybody was: the next one is skipped anew
    after = replace(position, out=out, after=last, skipped=skipped)
    if seat != position.seat or position.is_over:
        after = replace(after, seat=seat, dice=Keep(()), rolls_left=position.book.rolls + cards[seat].saved)
    return Step(position, move, after)


def _last_seat(position: Position) -> int:
    return (position.seat - 1) % len(position.cards) if position.after is None else position.after


def _events(step: Step) -> Iterator[Event]:
    """They follow from the move and the positions around it."""
    before, move, after = step.before, step.move, step.after
    if isinstance(move, Throw):
        yield Thrown(before.seat, move.roll, move.roll.without(before.dice), after.rolls_left)
    elif isinstance(move, Hold):
        yield Held(before.seat, move.keep)
    elif isinstance(move, Mark):
        entry = before.ruling().check(move.box)
        yield Scored(before.seat, before.book.box(move.box).key, entry.points, entry.joker)
        yield from _consequences(before, after, entry)
    else:
        yield from _told(before, after)


def _told(before: Position, after: Position) -> Iterator[Event]:
    outcome = after.outcome
    if outcome is not None:
        yield GameEnded(outcome.totals, outcome.winners)
    elif before.is_over or before.seat != after.seat:
        yield TurnPassed(after.seat)


def _consequences(before: Position, after: Position, entry: Entry) -> Iterator[Event]:
    seat = before.seat
    if entry.bonus:
        yield ExtraPaid(seat, entry.bonus)
    earned = after.cards[seat].bonus_total - before.card.bonus_total
    if earned:
        yield BonusReached(seat, earned)
    outcome = after.outcome
    if outcome is None:
        yield TurnPassed(after.seat)
    else:
        yield GameEnded(outcome.totals, outcome.winners)
