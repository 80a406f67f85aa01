"""A game: its players, how it started, and its moves. Everything else follows from these.

A roll-off decides who starts if the rules have one, otherwise a fair draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias
from unicodedata import category

from fivedice.core.dice import AnyDice, DiceSource, Keep, Place, Roll, fresh
from fivedice.core.game.position import (
    Come,
    Hold,
    Leave,
    Mark,
    Move,
    Outcome,
    Position,
    Skip,
    Step,
    Throw,
    apply,
    apply_roll,
    check_is_position,
    hold_of,
)
from fivedice.core.rules import SHIPPED, AnyBook, RuleBook, Start, book as find_book, shipped
from fivedice.errors import IllegalMove, MalformedError, quote

Seats: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[tuple[int, Roll], ...]  # each seat with its roll


@dataclass(frozen=True, slots=True, init=False)
class RollOff:
    """The roll-off for the start: each seat rolls all dice once, the highest total starts, and ties roll again.

    `book` is a key, a path or a `RuleBook`, `seats` the number of players, and `throws` the rolls so far. Raise
    IllegalMove without a seat, and the errors of `fd.book` for unknown rules.

    >>> roll_off = fd.RollOff("yahtzee", 2).throw("12345").throw("66666")
    >>> roll_off.winner
    1
    """

    book: RuleBook
    seats: int
    throws: tuple[Roll, ...] = ()

    def __init__(self, book: AnyBook, seats: int, throws: Iterable[AnyDice] = ()) -> None:
        if seats < 1:
            raise IllegalMove("game.roll-off-seats", seats=seats)
        object.__setattr__(self, "book", find_book(book))
        object.__setattr__(self, "seats", seats)
        object.__setattr__(self, "throws", tuple(map(Roll.read, throws)))

    @classmethod
    def of(cls, book: AnyBook, seats: int, throws: Iterable[AnyDice]) -> RollOff:
        """Return a roll-off with these throws, all checked. Raise IllegalMove if some come after it was decided.

        >>> fd.RollOff.of("yahtzee", 2, ["12345", "66666"]).winner
        1
        """
        roll_off = cls(book, seats, throws)  # at once: checking throw by throw takes the square of their number
        if any(len(contenders) == 1 for contenders, _ in roll_off._iterate_rounds()):
            raise IllegalMove("game.roll-off-over")
        for roll in roll_off.throws:
            roll_off.book.check_roll(roll)
        return roll_off

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Return the throws as (seat, roll), one group per round. The last round may be incomplete.

        >>> fd.RollOff.of("yahtzee", 2, ["12345", "66666"]).rounds
        (((0, Roll.parse('12345')), (1, Roll.parse('66666'))),)
        """
        return tuple(group for _, group in self._iterate_rounds())

    @property
    def next_seat(self) -> int | None:
        """Return the seat that rolls next, or None once the start is decided.

        >>> fd.RollOff("yahtzee", 2).throw("12345").next_seat
        1
        """
        contenders, thrown = self._standing()
        if len(thrown) == len(contenders):
            contenders, thrown = _find_leaders(thrown), ()
        return None if len(contenders) == 1 else contenders[len(thrown)]

    @property
    def winner(self) -> int | None:
        """Return the seat that starts, or None while that is open.

        >>> print(fd.RollOff("yahtzee", 2).winner)
        None
        """
        if self.next_seat is not None:
            return None
        return _find_leaders(self._standing()[1])[0] if self.throws else 0

    def throw(self, roll: AnyDice) -> RollOff:
        """Return the roll-off with one more roll, by the next seat.

        Raise IllegalMove if the start is decided, MalformedError or IllegalError if `roll` is not a roll of these dice.

        >>> len(fd.RollOff("yahtzee", 2).throw("12345").throws)
        1
        """
        if self.next_seat is None:
            raise IllegalMove("game.roll-off-over")
        thrown = Roll.read(roll)
        self.book.check_roll(thrown)
        return RollOff(self.book, self.seats, (*self.throws, thrown))

    def _standing(self) -> tuple[Seats, Round]:
        """Return the contenders of the last round and their rolls in it."""
        *_, last = ((tuple(range(self.seats)), ()), *self._iterate_rounds())
        return last

    def _iterate_rounds(self) -> Iterator[tuple[Seats, Round]]:
        """Yield each round as its contenders and their rolls; in the last round some may not have rolled yet."""
        contenders, place = tuple(range(self.seats)), 0
        while place < len(self.throws):
            following = place + len(contenders)
            group = tuple(zip(contenders, self.throws[place:following], strict=False))
            yield contenders, group
            contenders, place = _find_leaders(group), following


def settle_start(book: RuleBook, seats: int, dice: DiceSource) -> tuple[int, RollOff | None]:
    """Decide the first seat with the dice, as the rules say. With real and scripted dice the first seat starts."""
    if seats == 1 or not dice.decides_start:
        return 0, None
    if book.start is Start.DRAW:
        return dice.throw(Place(turn=0, roll=1, throw=0), 1, seats)[0] - 1, None
    throws: list[Roll] = []
    contenders: Seats = tuple(range(seats))
    while len(contenders) > 1:
        places = [Place(0, number + 1, number) for number in range(len(throws), len(throws) + len(contenders))]
        thrown = [Roll(dice.throw(place, book.dice, book.faces)) for place in places]
        throws += thrown
        contenders = _find_leaders(tuple(zip(contenders, thrown, strict=True)))
    return contenders[0], RollOff(book, seats, throws)


def _find_leaders(group: Round) -> Seats:
    best = max(roll.total for _, roll in group)
    return tuple(seat for seat, roll in group if roll.total == best)


RULES = "Rules"  # the tag of a record for the text of house rules


LONGEST_NAME = 60
_LONGEST_SHOWN = 60  # letters of all names together in `repr(game)`
MOST_PLAYERS = 100  # in one game; every turn looks at all cards


class Game:
    """A game in progress: `Game.new` starts one; `roll`, `hold` and `mark` play it; `undo` takes moves back.

    `position` is the current position, a frozen value. `tags` and `comments` become part of the record.

    >>> game = fd.Game.new("yatzy", ["Ann", "Bob"], dice=fd.dice.scripted("24466 144"))
    >>> game.roll().after.roll
    Roll.parse('24466')
    >>> _ = game.hold("66"), game.roll(), game.mark("sixes")
    >>> game.position.cards[0].total, game.players[game.position.seat]
    (12, 'Bob')
    """

    def __init__(
        self,
        book: AnyBook,
        players: tuple[str, ...],
        first: int,
        roll_off: RollOff | None,
        dice: DiceSource,
        out: frozenset[int] = frozenset(),
    ) -> None:
        self.book = book = find_book(book)
        self.recorded_as = book.key  #: the key of the rules in its record; an older record may have another
        self.players = players
        self.first = first
        self.roll_off = roll_off
        self.dice = dice
        self.start = Position.start(book, len(players), first, out)
        is_shipped = book.key in SHIPPED and book.fingerprint == shipped(book.key).fingerprint
        #: of its record: house rules, which can then be read anywhere, and what people note (date, place, table)
        self.tags = {} if is_shipped else {RULES: book.text}
        self.comments: dict[int, str] = {}  #: comments, by the number of moves made by then
        self._steps: list[Step] = []
        self._thrown = self._marked = 0  # how many of the steps are throws and marks
        self.position = self.start  #: the current position

    @classmethod
    def new(
        cls,
        book: AnyBook,
        players: Sequence[str] = ("Player",),
        *,
        dice: DiceSource | None = None,
        first: int | None = None,
        roll_off: RollOff | None = None,
        out: Iterable[int] = (),
    ) -> Game:
        """Start a game.

        `book` is a key, a path or a `RuleBook`. `dice` is a source such as `fd.dice.seeded(7)`; by default the dice are
        random. `first` is the seat that starts (from 0), or give a finished `roll_off`. Without both, the dice decide
        as the rules say, except that with scripted and real dice the first seat starts. The seats in `out` do not play,
        or come later.

        Raise MalformedError for bad names, IllegalMove for a bad seat, and the errors of `fd.book` for unknown rules.

        >>> fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.seeded(7)).players
        ('Ann', 'Bob')
        """
        rules, names, source = find_book(book), check_names(players), dice or fresh()
        if first is None and roll_off is None:
            first, roll_off = settle_start(rules, len(names), source)
        first = _check_first_seat(first, roll_off, len(names))
        return cls(rules, names, first, roll_off, source, _check_seats_out(out, len(names)))

    @classmethod
    def of(cls, position: Position, players: Sequence[str] | None = None, *, dice: DiceSource | None = None) -> Game:
        """Continue from a position. Such a game has no record, because a record needs all moves from the start.

        Raise MalformedError if it is not a position, IllegalMove if it has another number of players.

        >>> game = fd.Game.of(fd.read_position("yahtzee - 0 24466 2"))
        >>> game.hold("66").after.dice
        Keep.parse('66')
        """
        check_is_position(position)
        names = check_names(players or [f"Player {seat}" for seat in range(1, len(position.cards) + 1)])
        if len(names) != len(position.cards):
            raise IllegalMove("game.other-players", names=quote(names), count=len(position.cards))
        game = cls(position.book, names, position.seat, None, dice or fresh(), position.out)
        game.start = game.position = position
        return game

    @property
    def is_from_start(self) -> bool:
        """Return whether the game began with empty cards, which its record needs.

        >>> fd.Game.new("yahtzee").is_from_start
        True
        """
        return self.start == Position.start(self.book, len(self.players), self.first, self.start.out)

    def copy(self) -> Game:
        """Return a copy that can go on independently. The frozen steps are shared.

        >>> game = fd.Game.new("yahtzee", dice=fd.dice.seeded(7))
        >>> other = game.copy()
        >>> _ = other.roll()
        >>> len(game.moves), len(other.moves)
        (0, 1)
        """
        twin = object.__new__(Game)  # quicker than `copy.copy`; called for every move
        changing = {"tags": dict(self.tags), "comments": dict(self.comments), "_steps": list(self._steps)}
        twin.__dict__.update(self.__dict__, **changing)
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Return whether the records would be the same. The source of the dice does not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._record_key() == other._record_key()

    __hash__ = None  # type: ignore[assignment]  # a game changes with every move

    def _record_key(self) -> tuple[object, ...]:
        """Return everything that a record depends on."""
        head = self.book, self.recorded_as, self.players, self.first, self.roll_off, self.start
        return *head, self.tags, self.comments, self.moves

    def __repr__(self) -> str:
        names = ", ".join(self.players)
        names = names if len(names) <= _LONGEST_SHOWN else f"{names[:_LONGEST_SHOWN]}…"
        return f"<Game {self.book.key}: {names}; {len(self._steps)} moves, {self.position!r}>"

    def __str__(self) -> str:
        """Return the sheet and the dice as text, for people to read."""
        from fivedice.core.game.sheet_shown import position_text  # a late import: few programs print

        return position_text(self.position, self.players)

    def _repr_svg_(self) -> str:
        from fivedice.core.game.sheet_shown import position_svg

        return position_svg(self.position, self.players)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return every move with the positions before and after it.

        >>> game = fd.Game.new("yatzy", dice=fd.dice.scripted("24466"))
        >>> _ = game.roll()
        >>> game.steps[0].after.rolls_left
        2
        """
        return tuple(self._steps)

    @property
    def legal_moves(self) -> tuple[Hold | Mark, ...]:
        """Return the legal moves of the player on turn: keeps and boxes. It is empty while the dice are to be rolled.

        >>> game = fd.Game.of(fd.read_position("yahtzee - 0 24466 2"))
        >>> fd.Hold("66") in game.legal_moves, fd.Mark("chance") in game.legal_moves
        (True, True)
        """
        return self.position.legal_moves

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return all moves in order.

        >>> game = fd.Game.new("yatzy", dice=fd.dice.scripted("24466"))
        >>> _ = game.roll(), game.mark("chance")
        >>> game.moves[-1]
        Mark(box='chance')
        """
        return tuple(step.move for step in self._steps)

    @property
    def last_mark(self) -> Step | None:
        """Return the last step that scored a box, or None.

        >>> print(fd.Game.new("yatzy").last_mark)
        None
        """
        for step in reversed(self._steps):
            if type(step.move) is Mark:
                return step
        return None

    @property
    def outcome(self) -> Outcome | None:
        """Return the totals and the winners, or None while the game is in progress.

        >>> print(fd.Game.new("yatzy").outcome)
        None
        """
        return self.position.outcome

    @property
    def is_over(self) -> bool:
        """Return whether all cards are full.

        >>> fd.Game.new("yatzy").is_over
        False
        """
        return self.position.is_over

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the names of the winners: several in a tie, none while the game is in progress.

        >>> fd.Game.new("yatzy").winners
        ()
        """
        return () if self.outcome is None else tuple(self.players[seat] for seat in self.outcome.winners)

    @property
    def next_first(self) -> int:
        """Return the seat that starts a rematch: the one to the left of the seat that started this game.

        >>> fd.Game.new("yatzy", ["Ann", "Bob"], first=1).next_first
        0
        """
        return (self.first + 1) % len(self.players)

    @property
    def next_place(self) -> Place:
        """Return the place of the next throw in the game, from which the source derives the dice.

        >>> fd.Game.new("yatzy").next_place
        Place(turn=1, roll=1, throw=0)
        """
        return Place(1 + self._marked, self.position.roll_number, self._thrown)

    def comment(self, text: str) -> None:
        """Add a comment to the last move, or to the whole game before the first. Earlier comments stay.

        Raise MalformedError unless `text` is one line without braces.

        >>> game = fd.Game.new("yatzy")
        >>> game.comment("At home.")
        >>> game.comments
        {0: 'At home.'}
        """
        text, said = check_comment(text), self.comments.get(len(self._steps))
        self.comments[len(self._steps)] = text if said is None else f"{said} {text}"

    def play(self, move: Move) -> Step:
        """Make any move and return the step. Raise IllegalMove, and change nothing, if the move is not legal.

        >>> game = fd.Game.new("yatzy")
        >>> game.play(fd.Throw("24466")).after.roll
        Roll.parse('24466')
        """
        step = apply(self.position, move)
        self._thrown += type(move) is Throw
        self._marked += type(move) is Mark
        self._steps.append(step)
        self.position = step.after
        return step

    def roll(self, dice: AnyDice | None = None, *, last: bool = False, saved: int = 0) -> Step:
        """Roll the dice in the cup and return the step.

        With real dice enter them as `dice`: either those that were rolled, or all on the table. `last` marks the final
        dice of a turn whose earlier rolls were not noted; `saved` is how many rolls that turn left over, if the rules
        let players save rolls. Raise IllegalMove if no roll is left, DiceError if the source has no dice.

        >>> fd.Game.new("yatzy", dice=fd.dice.real()).roll("24466").after.rolls_left
        2
        """
        position = self.position
        if dice is not None:
            entered = Roll.read(dice)
            if len(entered) == position.in_cup:  # only the rolled dice were given
                entered = Roll(position.dice.faces + entered.faces)
            return self.play(Throw(entered, last, saved))
        if last:
            raise IllegalMove("game.final-dice-untold")
        in_cup = position.in_cup
        if not in_cup or position.is_over:
            position.check(Throw(Roll((1,) * self.book.dice)))  # raises IllegalMove with the reason
        place = Place(1 + self._marked, position.roll_number, self._thrown)
        step = apply_roll(position, self.dice.throw(place, in_cup, self.book.faces))
        self._thrown += 1
        self._steps.append(step)
        self.position = step.after
        return step

    def hold(self, keep: AnyDice) -> Step:
        """Keep these dice; '' or '-' keeps none. The next `roll` rolls the others.

        Raise IllegalMove if that is not legal.

        >>> game = fd.Game.of(fd.read_position("yahtzee - 0 24466 2"))
        >>> game.hold("66").after.in_cup
        3
        """
        return self.play(hold_of(Keep.read(keep)))

    def mark(self, box: str) -> Step:
        """Score a box, given by key, code or name, and end the turn.

        Raise IllegalMove with the rule if the box is closed, and IllegalError for an unknown box.

        >>> game = fd.Game.of(fd.read_position("yahtzee - 0 24466 2"))
        >>> game.mark("chance").after.cards[0].total
        22
        """
        return self.play(_make_mark(self.book.box(box).key))

    def skip(self) -> Step:
        """Let the seat on turn play later. Raise IllegalMove after its first roll.

        >>> game = fd.Game.new("yatzy", ["Ann", "Bob"], first=0)
        >>> game.skip().after.seat
        1
        """
        return self.play(Skip())

    def leave(self, seat: int) -> Step:
        """Take a seat (from 0) out of the game; its card stays. Raise IllegalMove if it has left, or is the last.

        >>> game = fd.Game.new("yatzy", ["Ann", "Bob"], first=0)
        >>> game.leave(0).after.seats_in
        (1,)
        """
        return self.play(Leave(seat))

    def come(self, seat: int) -> Step:
        """Let a seat play that has left or not come yet. Raise IllegalMove if it plays already.

        >>> game = fd.Game.new("yatzy", ["Ann", "Bob"], first=0, out=[1])
        >>> game.come(1).after.seats_in
        (0, 1)
        """
        return self.play(Come(seat))

    def undo(self, moves: int = 1) -> Position:
        """Take back the last `moves` moves and return the position. A roll made again gives the same dice.

        Raise IllegalMove if the game has fewer moves.

        >>> game = fd.Game.new("yatzy", dice=fd.dice.seeded(7))
        >>> first = game.roll().after.roll
        >>> _ = game.undo()
        >>> game.roll().after.roll == first
        True
        """
        if not 1 <= moves <= len(self._steps):
            raise IllegalMove("game.cannot-undo", moves=quote(moves), count=len(self._steps))
        undone = [type(step.move) for step in self._steps[-moves:]]
        self._thrown -= undone.count(Throw)
        self._marked -= undone.count(Mark)
        del self._steps[-moves:]
        self.comments = {made: said for made, said in self.comments.items() if made <= len(self._steps)}
        self.position = self._steps[-1].after if self._steps else self.start
        return self.position


_make_mark = lru_cache(maxsize=1024)(Mark)  # moves are values, so one per box is enough


def check_names(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of players, stripped. Raise MalformedError if one cannot be used, or there are too many."""
    names = tuple(players) if not isinstance(players, str) else (players,)
    if not names:
        raise MalformedError("game.no-players")
    if len(names) > MOST_PLAYERS:
        raise MalformedError("game.too-many-players", most=MOST_PLAYERS, count=len(names), names=quote(names))
    for name in map(str, names):
        if not 1 <= len(name.strip()) <= LONGEST_NAME or not _is_plain(name):
            raise MalformedError("game.bad-name", name=quote(name), most=LONGEST_NAME)
    return tuple(str(name).strip() for name in names)


def _is_plain(name: str) -> bool:
    """Return whether a text has no control characters, line breaks or halves of characters."""
    return not any(category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in name)


def check_comment(text: object) -> str:
    """Return a comment, stripped. Raise MalformedError unless it is one line without braces, as records need it."""
    if not isinstance(text, str) or not text.strip() or "{" in text or "}" in text or not _is_plain(text):
        raise MalformedError("game.bad-comment", text=quote(text))
    return text.strip()


def _check_first_seat(first: int | None, roll_off: RollOff | None, seats: int) -> int:
    if roll_off is not None:
        first = roll_off.winner if roll_off.seats == seats and first in (None, roll_off.winner) else None
    if type(first) is not int or not 0 <= first < seats:
        raise IllegalMove("game.bad-first-seat", last=seats - 1, first=quote(first))
    return first


def _check_seats_out(out: Iterable[int], seats: int) -> frozenset[int]:
    """Return the seats that do not play from the start. Raise IllegalMove if they are unknown, or no seat is left."""
    found = frozenset(out)
    if any(type(seat) is not int or not 0 <= seat < seats for seat in found) or len(found) >= seats:
        raise IllegalMove("game.bad-seats-out", last=seats - 1, out=quote(tuple(found)))
    return found
