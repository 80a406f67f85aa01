"""A position is a value: cards, the seat on turn, the dice on the table, the rolls left. `apply` makes a move.

The events of a step say what happened, in order, with all that is needed to announce it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fivedice.core.dice import AnyDice, Keep, Roll, as_keep, as_roll, keeps_of, roll_of, rolls, ways
from fivedice.core.game.card import Scorecard
from fivedice.core.game.legality import Entry, Ruling, judge
from fivedice.core.rules import AnyBook, RuleBook
from fivedice.errors import IllegalError, IllegalMove, MalformedError, quote


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice were rolled."""

    seat: int
    roll: Roll
    fell: tuple[int, ...]  # the dice that were rolled, without those kept
    rolls_left: int


@dataclass(frozen=True, slots=True)
class Held:
    """Some dice were kept, and the others are in the cup."""

    seat: int
    keep: Keep


@dataclass(frozen=True, slots=True)
class Scored:
    """A box was scored."""

    seat: int
    box: str
    points: int
    joker: bool


@dataclass(frozen=True, slots=True)
class ExtraPaid:
    """A further five of a kind earned an extra bonus."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class BonusReached:
    """The score brought the upper total to the threshold of the bonus."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The next seat is on turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All cards are full, except those of seats that have left. Several winners have tied."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event: TypeAlias = Thrown | Held | Scored | ExtraPaid | BonusReached | TurnPassed | GameEnded


@dataclass(frozen=True, slots=True, init=False)
class Throw:
    """Roll the dice in the cup. `roll` has all dice on the table after it, also those that were kept.

    `last` marks the final dice of a turn whose earlier rolls were not noted. Raise MalformedError if `roll` is not a
    roll.

    >>> fd.apply(fd.Position.start("yatzy", 1), fd.Throw("24466")).after.rolls_left
    2
    """

    roll: Roll
    last: bool = False
    saved: int = 0  #: the rolls that such a turn saved, if the rules let players save rolls
    told: bool = True  #: False if only the points were noted: then the dice are one roll that gives them

    def __init__(self, roll: AnyDice, last: bool = False, saved: int = 0, told: bool = True) -> None:
        set_field = object.__setattr__
        set_field(self, "roll", roll if type(roll) is Roll else Roll.read(roll))
        set_field(self, "last", last)
        set_field(self, "saved", saved)
        set_field(self, "told", told)


@dataclass(frozen=True, slots=True, init=False)
class Hold:
    """Keep these dice and put the others in the cup. Raise MalformedError if they are not dice.

    >>> fd.Hold("66") == fd.Hold(fd.Keep.parse("66"))
    True
    """

    keep: Keep

    def __init__(self, keep: AnyDice) -> None:
        object.__setattr__(self, "keep", keep if type(keep) is Keep else Keep.read(keep))


@dataclass(frozen=True, slots=True)
class Mark:
    """Score a box, given by key, code or name, which ends the turn.

    >>> fd.apply(fd.read_position("yahtzee - 0 24466 2"), fd.Mark("chance")).after.cards[0].total
    22
    """

    box: str


@dataclass(frozen=True, slots=True)
class Skip:
    """The seat on turn plays later, so its card has one more open box at the end."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat stops playing and cannot win; its card stays as it is."""

    seat: int


@dataclass(frozen=True, slots=True)
class Come:
    """A seat plays from now on that has left or not come yet."""

    seat: int


Move: TypeAlias = Throw | Hold | Mark | Skip | Leave | Come


@dataclass(frozen=True, slots=True)
class Outcome:
    """The totals and the winners at the end of a game, by seat from 0. Several winners have tied.

    >>> fd.Outcome((200, 180), (0,)).is_tie
    False
    """

    totals: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def is_tie(self) -> bool:
        """Return whether several players share the win.

        >>> fd.Outcome((200, 200), (0, 1)).is_tie
        True
        """
        return len(self.winners) > 1


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """One moment of a game, as a frozen value. `apply` makes a move.

    `cards` are all cards by seat, `seat` is the seat on turn, `dice` are the dice on the table (all of them after a
    roll, fewer while some are in the cup) and `rolls_left` are the rolls left in the turn. `out` are seats that have
    left.

    >>> fd.read_position("yahtzee - 0 24466 2").roll
    Roll.parse('24466')
    """

    cards: tuple[Scorecard, ...]
    seat: int
    dice: Keep
    rolls_left: int
    final: bool = field(default=False, compare=False)  #: whether these are the final dice of the turn
    out: frozenset[int] = frozenset()  #: seats that have left, or not come yet
    after: int | None = field(default=None, compare=False)  #: the seat of the last turn; None: the one before `seat`
    skipped: frozenset[int] = field(default=frozenset(), compare=False)  #: seats skipped, or come, since that turn
    is_over: bool = field(init=False, compare=False)  #: whether the cards of all seats that play are full
    judged: Ruling | None = field(default=None, init=False, compare=False)  #: the cached ruling

    def __post_init__(self) -> None:
        playing = self.cards if not self.out else [self.cards[seat] for seat in self.seats_in]
        object.__setattr__(self, "is_over", not any(None in card.marks for card in playing))

    @classmethod
    def start(cls, book: AnyBook, seats: int, first: int = 0, out: AbstractSet[int] = frozenset()) -> Position:
        """Return the position before the first roll of a game of `seats` players.

        `book` is a key, a path or a `RuleBook`; `first` is the seat that starts; the seats in `out` do not play yet.

        >>> fd.Position.start("yahtzee", 2).rolls_left
        3
        """
        card, before = Scorecard.empty(book), (first - 1) % seats
        cards, rolls = (card,) * seats, card.book.rolls
        seat = seat_on_turn(cards, before, out)
        return cls(cards, first if seat is None else seat, Keep(()), rolls, out=frozenset(out), after=before)

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Return the seats that play: all except seats that have left or not come yet.

        >>> fd.Position.start("yahtzee", 3, out={1}).seats_in
        (0, 2)
        """
        return tuple(seat for seat in range(len(self.cards)) if seat not in self.out)

    def __repr__(self) -> str:
        return f"<Position {self.book.key}: seat {self.seat}, dice {self.dice}, {self.rolls_left} rolls left>"

    def __str__(self) -> str:
        """Return the sheet and the dice as text, for people to read."""
        from fivedice.core.game.sheet_shown import position_text, seat_names  # a late import: it imports this module

        return position_text(self, seat_names(self))

    def _repr_svg_(self) -> str:
        from fivedice.core.game.sheet_shown import position_svg, seat_names

        return position_svg(self, seat_names(self))

    @property
    def book(self) -> RuleBook:
        """Return the rules.

        >>> fd.Position.start("yahtzee", 2).book.key
        'yahtzee'
        """
        return self.cards[0].book

    @property
    def card(self) -> Scorecard:
        """Return the card of the seat on turn.

        >>> fd.Position.start("yahtzee", 2).card.total
        0
        """
        return self.cards[self.seat]

    @property
    def roll(self) -> Roll | None:
        """Return the dice on the table as a roll, or None while some are in the cup.

        >>> fd.read_position("yahtzee - 0 24466 2").roll
        Roll.parse('24466')
        """
        dice = self.dice
        if len(dice.faces) != self.cards[0].book.dice or self.is_over:
            return None
        return as_roll(dice)

    @property
    def in_cup(self) -> int:
        """Return how many dice the next roll throws.

        >>> fd.read_position("yahtzee - 0 66 2").in_cup
        3
        """
        return self.cards[0].book.dice - len(self.dice.faces)

    @property
    def rolls_in_turn(self) -> int:
        """Return how many rolls this turn has, saved ones included.

        >>> fd.Position.start("yahtzee", 1).rolls_in_turn
        3
        """
        return self.book.rolls + self.card.saved

    @property
    def roll_number(self) -> int:
        """Return the number of the next roll in this turn, from 1.

        >>> fd.read_position("yahtzee - 0 66 2").roll_number
        2
        """
        card = self.cards[self.seat]
        return 1 + card.book.rolls + card.saved - self.rolls_left

    @property
    def chance_moves_next(self) -> bool:
        """Return whether dice are to be rolled. If not, a player decides, or the game is over.

        >>> fd.read_position("yahtzee - 0 66 2").chance_moves_next
        True
        """
        return self.in_cup > 0 and not self.is_over

    @property
    def outcome(self) -> Outcome | None:
        """Return the totals and the winners, or None while the game is in progress.

        >>> print(fd.Position.start("yahtzee", 2).outcome)
        None
        """
        return self.standing if self.is_over else None

    @property
    def standing(self) -> Outcome:
        """Return the outcome as if the game ended now.

        >>> fd.Position.start("yahtzee", 2).standing.is_tie
        True
        """
        totals = tuple(card.total for card in self.cards)
        best = max(totals[seat] for seat in self.seats_in)
        return Outcome(totals, tuple(seat for seat in self.seats_in if totals[seat] == best))

    def ruling(self) -> Ruling:
        """Return which boxes the dice on the table may fill, and why the others are closed.

        Raise IllegalMove if the dice are not rolled or the game is over.

        >>> "chance" in fd.read_position("yahtzee - 0 24466 2").ruling()
        True
        """
        ruling = self.judged
        if ruling is None:
            roll = self.roll
            if roll is None:
                raise _roll_first_error(self)
            ruling = judge(self.cards[self.seat], roll)
            object.__setattr__(self, "judged", ruling)
        return ruling

    def chances(self) -> Iterator[tuple[Throw, int]]:
        """Yield every result of the next roll with its weight: the weights add up to faces ** dice in the cup.

        >>> sum(ways for _, ways in fd.read_position("yahtzee - 0 66 2").chances())
        216
        """
        if self.chance_moves_next:
            for fall in rolls(self.in_cup, self.book.faces):
                yield Throw(Roll(self.dice.faces + fall.faces)), ways(fall)

    def choices(self) -> Iterator[Hold | Mark]:
        """Yield every legal keep and box of the player on turn; none while dice are to be rolled.

        >>> fd.Hold("66") in fd.read_position("yahtzee - 0 24466 2").choices()
        True
        """
        roll = self.roll
        if roll is None:
            return
        if self.rolls_left and not self.final:
            yield from (Hold(keep) for keep in keeps_of(roll) if len(keep) < len(roll))
        yield from (Mark(box) for box in self.ruling().legal)

    @property
    def legal_moves(self) -> tuple[Hold | Mark, ...]:
        """Return the moves of `choices` as a tuple.

        >>> len(fd.read_position("yahtzee - 0 24466 0").legal_moves)
        13
        """
        return tuple(self.choices())

    def check(self, move: Move) -> None:
        """Raise IllegalMove with the rule that forbids the move; return nothing if it is legal.

        >>> fd.read_position("yahtzee - 0 24466 2").check(fd.Hold("66"))
        """
        if isinstance(move, Mark):
            self.ruling().check(move.box)
        elif isinstance(move, Hold):
            _check_hold(self, move.keep)
        elif isinstance(move, Throw):
            _check_throw(self, move)
        elif isinstance(move, Skip):
            if self.is_over:
                raise IllegalMove("game.over")
            _check_turn_not_begun(self)
        elif isinstance(move, Leave | Come):
            _check_leave_or_come(self, move)
        else:
            raise IllegalMove("game.not-a-move", move=quote(move))

    def allows(self, move: Move) -> bool:
        """Return whether the move is legal.

        >>> fd.read_position("yahtzee - 0 24466 0").allows(fd.Hold("66"))
        False
        """
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
        raise _roll_first_error(position)
    if not position.rolls_left:
        raise IllegalMove("game.no-rolls-left", roll=position.roll)
    if position.final:
        raise IllegalMove("game.final-dice-lie", roll=position.roll)
    if not dice.contains(keep):
        raise IllegalMove("game.cannot-keep", keep=keep, roll=position.roll)
    if len(keep.faces) == count:
        raise IllegalMove("game.keeps-all")


def _check_leave_or_come(position: Position, move: Leave | Come) -> None:
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


def _check_turn_not_begun(position: Position) -> None:
    if position.rolls_left < position.rolls_in_turn:
        raise IllegalMove("game.turn-begun")


def _roll_first_error(position: Position) -> IllegalMove:
    return IllegalMove("game.over") if position.is_over else IllegalMove("game.roll-first", count=position.in_cup)


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """A move that was made, with the positions before and after it, and its events.

    >>> step = fd.apply(fd.read_position("yahtzee - 0 24466 2"), fd.Mark("chance"))
    >>> step.before.rolls_left, step.after.cards[0].total
    (2, 22)
    """

    before: Position
    move: Move
    after: Position
    told: tuple[Event, ...] | None = field(default=None, init=False, compare=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """Return what happened, in order. It is derived at first use, because most steps are only played.

        >>> fd.apply(fd.read_position("yahtzee - 0 24466 2"), fd.Mark("chance")).events[0]
        Scored(seat=0, box='chance', points=22, joker=False)
        """
        if self.told is None:
            object.__setattr__(self, "told", tuple(_derive_events(self)))
        return self.told or ()

    def __repr__(self) -> str:
        return f"<Step {self.move!r} to {self.after!r}>"


def check_is_position(given: object) -> None:
    """Raise MalformedError, which says what to give instead, if this is not a position."""
    if not isinstance(given, Position):
        raise MalformedError("game.not-a-position", given=quote(given))


def apply(position: Position, move: Move) -> Step:
    """Make a move in `position` and return the step. Raise IllegalMove with the rule if the move is not legal.

    >>> fd.apply(fd.read_position("yahtzee - 0 24466 2"), fd.Hold("66")).after.dice
    Keep.parse('66')
    """
    if isinstance(move, Mark):
        return _mark(position, move, position.ruling().check(move.box))
    if isinstance(move, Hold):
        _check_hold(position, move.keep)
        return _step(position, move, move.keep, position.rolls_left, position.final)
    position.check(move)
    if not isinstance(move, Throw):
        return _apply_order(position, move)
    left = move.saved if move.last else position.rolls_left - 1
    return _step(position, move, as_keep(move.roll), left, move.last)


_holds: dict[tuple[int, ...], Hold] = {}  # moves are values, so one per keep is enough


def hold_of(keep: Keep) -> Hold:
    """Return the move that keeps these dice."""
    return _holds.get(keep.faces) or _holds.setdefault(keep.faces, Hold(keep))


def apply_roll(position: Position, faces: tuple[int, ...]) -> Step:
    """Roll the dice in the cup as a source of dice gives them. Raise IllegalError if the rules have other dice."""
    book, roll = position.cards[0].book, roll_of(position.dice.faces + faces)
    known = book.falls.get(roll.faces)
    if known is None:
        book.check_roll(roll)
        known = book.falls[roll.faces] = Throw(roll), as_keep(roll)
    move, dice = known
    return _step(position, move, dice, position.rolls_left - 1, False)


def _step(position: Position, move: Throw | Hold, dice: Keep, left: int, final: bool) -> Step:
    """Return a step within a turn: only the dice change, and how many rolls are left."""
    order = position.out, position.after, position.skipped
    return Step(position, move, Position(position.cards, position.seat, dice, left, final, *order))


def _mark(position: Position, move: Mark, entry: Entry) -> Step:
    cards, seat, out = position.cards, position.seat, position.out
    book = cards[seat].book
    card = cards[seat].write(book.place(move.box), entry.points, bonus=entry.bonus, saved=position.rolls_left)
    cards = (*cards[:seat], card, *cards[seat + 1 :])
    following = seat_on_turn(cards, seat, out)
    if following is None:
        following = (seat + 1) % len(cards)
    left = book.rolls + cards[following].saved
    return Step(position, move, Position(cards, following, _NO_DICE, left, out=out, after=seat))


_NO_DICE = Keep(())


def seat_on_turn(
    cards: Sequence[Scorecard], after: int, out: AbstractSet[int] = frozenset(), skipped: AbstractSet[int] = frozenset()
) -> int | None:
    """Return the seat that plays after another: the next one that has not left and has an open box.

    Seats that were skipped come last. Return None if no seat has an open box.
    """
    waiting = None
    for step in range(len(cards)):  # usually the first one
        seat = (after + 1 + step) % len(cards)
        if seat in out or cards[seat].is_full:
            continue
        if seat not in skipped:
            return seat
        waiting = seat if waiting is None else waiting
    return waiting


def turns_to_come(position: Position) -> list[int]:
    """Return the seats of all remaining turns in order, if no seat is skipped."""
    left = [0 if seat in position.out else card.marks.count(None) for seat, card in enumerate(position.cards)]
    order: list[int] = []
    seat = position.seat
    for _ in range(sum(left)):
        order.append(seat)
        left[seat] -= 1
        following = ((seat + step) % len(left) for step in range(1, len(left)))
        seat = next((other for other in following if left[other]), seat)
    return order


def _apply_order(position: Position, move: Skip | Leave | Come) -> Step:
    """Skip a seat, let it leave or let it come: the seat on turn may change, but no card does."""
    out, skipped, came = position.out, position.skipped, None
    if isinstance(move, Skip):
        skipped |= {position.seat}
    elif isinstance(move, Leave):
        out |= {move.seat}
    else:
        out, came = out - {move.seat}, move.seat
    cards = position.cards
    last = (position.seat - 1) % len(cards) if position.after is None else position.after
    seat = seat_on_turn(cards, last, out, skipped)
    if came is not None and came == seat and not position.is_over:  # a newcomer does not interrupt a turn
        skipped |= {came}
        seat = seat_on_turn(cards, last, out, skipped)
    if seat is None:
        seat = position.seat
    if all(other in skipped or other in out or cards[other].is_full for other in range(len(cards))):
        skipped = frozenset()  # all were skipped, so a new round of skipping begins
    after = replace(position, out=out, after=last, skipped=skipped)
    if seat != position.seat or position.is_over:
        after = replace(after, seat=seat, dice=Keep(()), rolls_left=position.book.rolls + cards[seat].saved)
    return Step(position, move, after)


def _derive_events(step: Step) -> Iterator[Event]:
    """Yield the events of a step, which follow from its move and the two positions."""
    before, move, after = step.before, step.move, step.after
    if isinstance(move, Throw):
        yield Thrown(before.seat, move.roll, move.roll.without(before.dice), after.rolls_left)
    elif isinstance(move, Hold):
        yield Held(before.seat, move.keep)
    elif isinstance(move, Mark):
        entry = before.ruling().check(move.box)
        yield Scored(before.seat, before.book.box(move.box).key, entry.points, entry.joker)
        yield from _derive_consequences(before, after, entry)
    else:
        outcome = after.outcome
        if outcome is not None:
            yield GameEnded(outcome.totals, outcome.winners)
        elif before.is_over or before.seat != after.seat:
            yield TurnPassed(after.seat)


def _derive_consequences(before: Position, after: Position, entry: Entry) -> Iterator[Event]:
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
