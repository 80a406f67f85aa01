"""A game: who plays, how it started, and its moves. Everything else follows from them.

Who starts is settled by a roll-off where the book has one, else by a fair draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias
from unicodedata import category

from fivedice.dice import AnyDice, DiceSource, Keep, Place, Roll, fresh
from fivedice.errors import IllegalMove, MalformedError, quote
from fivedice.game.position import (
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
    check_is_position,
    fall,
    hold_of,
)
from fivedice.rules import SHIPPED, AnyBook, RuleBook, Start, book as find_book, shipped

Seats: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[tuple[int, Roll], ...]  # seats with what they threw


@dataclass(frozen=True, slots=True)
class RollOff:
    """Each seat throws all dice once; the highest total starts, and ties throw again among themselves."""

    book: RuleBook
    seats: int
    throws: tuple[Roll, ...] = ()

    def __post_init__(self) -> None:
        if self.seats < 1:
            raise IllegalMove("game.roll-off-seats", seats=self.seats)

    @classmethod
    def of(cls, book: RuleBook, seats: int, throws: Iterable[Roll]) -> RollOff:
        """All throws at once, checked as one after the other would be: that takes the square of their number."""
        roll_off = cls(book, seats, tuple(throws))
        if any(len(contenders) == 1 for contenders, _ in roll_off._played()):
            raise IllegalMove("game.roll-off-over")
        for roll in roll_off.throws:
            book.check_roll(roll)
        return roll_off

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The throws as (seat, roll), a group for each round; the last round may be unfinished."""
        return tuple(group for _, group in self._played())

    @property
    def next_seat(self) -> int | None:
        """Who throws next; None once the start is settled."""
        contenders, thrown = self._standing()
        if len(thrown) == len(contenders):
            contenders, thrown = _leaders(thrown), ()
        return None if len(contenders) == 1 else contenders[len(thrown)]

    @property
    def winner(self) -> int | None:
        """The seat that starts, once it is settled."""
        if self.next_seat is not None:
            return None
        return _leaders(self._standing()[1])[0] if self.throws else 0

    def throw(self, roll: AnyDice) -> RollOff:
        """With one more throw, of the seat that comes next."""
        if self.next_seat is None:
            raise IllegalMove("game.roll-off-over")
        thrown = Roll.read(roll)
        self.book.check_roll(thrown)
        return replace(self, throws=(*self.throws, thrown))

    def _standing(self) -> tuple[Seats, Round]:
        """The contenders of the last round and what they have thrown in it."""
        *_, last = ((tuple(range(self.seats)), ()), *self._played())
        return last

    def _played(self) -> Iterator[tuple[Seats, Round]]:
        """Each round with its contenders, of whom only the first may have thrown so far."""
        contenders, place = tuple(range(self.seats)), 0
        while place < len(self.throws):
            following = place + len(contenders)
            group = tuple(zip(contenders, self.throws[place:following], strict=False))
            yield contenders, group
            contenders, place = _leaders(group), following


def settle_start(book: RuleBook, seats: int, dice: DiceSource) -> tuple[int, RollOff | None]:
    """Let the dice decide the first seat in the book's way. Real and scripted dice leave it with the first seat."""
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
        contenders = _leaders(tuple(zip(contenders, thrown, strict=True)))
    return contenders[0], RollOff(book, seats, tuple(throws))


def _leaders(group: Round) -> Seats:
    best = max(roll.total for _, roll in group)
    return tuple(seat for seat, roll in group if roll.total == best)


RULES = "Rules"  # the tag of a record that has the text of house rules


def _rules_tag(book: RuleBook) -> dict[str, str]:
    """Return the tag that lets a record by house rules be read anywhere, or none for shipped rules."""
    return {RULES: book.text} if _is_house_book(book) else {}


def _is_house_book(book: RuleBook) -> bool:
    return book.key not in SHIPPED or book.fingerprint != shipped(book.key).fingerprint


LONGEST_NAME = 60
_LONGEST_SHOWN = 60  # letters of all names, where a game shows itself in a line
MOST_PLAYERS = 100  # at one table; every turn looks at the cards of all of them


class Game:
    """A game in progress: `Game.new` begins one, `roll`, `hold` and `mark` play it, `undo` takes back.

    `position` is how it stands; positions are frozen, and this object only remembers the way through them.

    >>> game = fd.Game.new("yatzy", ["Ann", "Bob"], dice=fd.dice.scripted("24466 144"))
    >>> game.roll().after.roll
    Roll.parse('24466')
    >>> _ = game.hold("66"), game.roll(), game.mark("sixes")
    >>> game.position.cards[0].total, game.players[game.position.seat]
    (12, 'Bob')
    """

    def __init__(
        self,
        book: RuleBook,
        players: tuple[str, ...],
        first: int,
        roll_off: RollOff | None,
        dice: DiceSource,
        out: frozenset[int] = frozenset(),
    ) -> None:
        self.book = book
        self.recorded_as = book.key  #: what its record calls the book: an older one may have another key for it
        self.players = players
        self.first = first
        self.roll_off = roll_off
        self.dice = dice
        self.start = Position.start(book, len(players), first, out)
        self.tags = _rules_tag(book)  #: of its record: house rules, and what people like to note (date, place, table)
        self.comments: dict[int, str] = {}  #: what they say of a move, by how many moves had been made by then
        self._steps: list[Step] = []
        self._thrown = self._marked = 0  # how many of them are throws and marks
        self.position = self.start  #: how the game stands now

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
        """Seat the players and settle who starts; those in `out` do not play, or come later.

        With digital dice the book decides (roll-off or draw), unless `first` or a finished `roll_off` is given.
        Scripted and real dice throw only what they are told, so with them the first seat starts by default.
        """
        rules, names, source = find_book(book), checked_names(players), dice or fresh()
        if first is None and roll_off is None:
            first, roll_off = settle_start(rules, len(names), source)
        first = _first_seat(first, roll_off, len(names))
        return cls(rules, names, first, roll_off, source, _seats_out(out, len(names)))

    @classmethod
    def of(cls, position: Position, players: Sequence[str] | None = None, *, dice: DiceSource | None = None) -> Game:
        """Go on from a position. Such a game has no record, since that would need all moves from the start.

        >>> game = fd.Game.of(fd.read_position("yahtzee - 0 24466 2"))
        >>> game.hold("66").after.dice
        Keep.parse('66')
        """
        check_is_position(position)
        names = checked_names(players or [f"Player {seat}" for seat in range(1, len(position.cards) + 1)])
        if len(names) != len(position.cards):
            raise IllegalMove("game.other-players", names=quote(names), count=len(position.cards))
        game = cls(position.book, names, position.seat, None, dice or fresh(), position.out)
        game.start = game.position = position
        return game

    @property
    def is_from_start(self) -> bool:
        """Whether it began with empty cards, so that a record can tell it."""
        return self.start == Position.start(self.book, len(self.players), self.first, self.start.out)

    def copy(self) -> Game:
        """Another game that has come the same way so far; the frozen steps are shared."""
        twin = object.__new__(Game)  # `copy.copy` would first ask how it is to be done, for every move
        changing = {"tags": dict(self.tags), "comments": dict(self.comments), "_steps": list(self._steps)}
        twin.__dict__.update(self.__dict__, **changing)
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Whether their records would be the same: where the dice of the next roll come from does not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._recorded() == other._recorded()

    __hash__ = None  # type: ignore[assignment]  # a game goes on, and would be lost in a set after its next move

    def _recorded(self) -> tuple[object, ...]:
        head = self.book, self.recorded_as, self.players, self.first, self.roll_off, self.start
        return *head, self.tags, self.comments, self.moves

    def __repr__(self) -> str:
        names = ", ".join(self.players)
        names = names if len(names) <= _LONGEST_SHOWN else f"{names[:_LONGEST_SHOWN]}…"
        return f"<Game {self.book.key}: {names}; {len(self._steps)} moves, {self.position!r}>"

    def __str__(self) -> str:
        """The sheet and the dice, to be read."""
        from fivedice.game.sheet_shown import position_text  # most programs print nothing

        return position_text(self.position, self.players)

    def _repr_svg_(self) -> str:
        from fivedice.game.sheet_shown import position_svg

        return position_svg(self.position, self.players)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every move with the positions before and after it."""
        return tuple(self._steps)

    @property
    def legal_moves(self) -> tuple[Hold | Mark, ...]:
        """What the player on turn may do: keep some dice, or score a box. None while the dice are to be rolled."""
        return self.position.legal_moves

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move, in order."""
        return tuple(step.move for step in self._steps)

    @property
    def last_mark(self) -> Step | None:
        """The last box that was filled."""
        for step in reversed(self._steps):
            if type(step.move) is Mark:
                return step
        return None

    @property
    def outcome(self) -> Outcome | None:
        """Totals and winners; None while the game runs."""
        return self.position.outcome

    @property
    def is_over(self) -> bool:
        """Whether every card is full."""
        return self.position.is_over

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who won; several have tied, none while the game runs."""
        return () if self.outcome is None else tuple(self.players[seat] for seat in self.outcome.winners)

    @property
    def next_first(self) -> int:
        """Who starts a rematch: the seat to the left of this game's starter."""
        return (self.first + 1) % len(self.players)

    @property
    def next_place(self) -> Place:
        """Where the next throw stands in the game; dice are a function of it."""
        return Place(1 + self._marked, self.position.roll_number, self._thrown)

    def comment(self, text: str) -> None:
        """Say something about the last move, or about the game before the first; what was said before stays."""
        text, said = checked_comment(text), self.comments.get(len(self._steps))
        self.comments[len(self._steps)] = text if said is None else f"{said} {text}"

    def play(self, move: Move) -> Step:
        """Make any move; an illegal one raises and changes nothing."""
        step = apply(self.position, move)
        self._thrown += type(move) is Throw
        self._marked += type(move) is Mark
        self._steps.append(step)
        self.position = step.after
        return step

    def roll(self, dice: AnyDice | None = None, *, last: bool = False, saved: int = 0) -> Step:
        """Throw the dice in the cup. Real dice are told: those that were thrown, or all as they lie now.

        `last` says that these are the final dice of the turn and that its earlier rolls were not noted; `saved`, how
        many rolls such a turn left over, where the book keeps them for later.
        """
        position = self.position
        if dice is not None:
            return self.play(Throw(_entered(position, dice), last, saved))
        if last:
            raise IllegalMove("game.final-dice-untold")
        in_cup = position.in_cup
        if not in_cup or position.is_over:
            position.check(Throw(Roll((1,) * self.book.dice)))  # raises, and says what to do instead
        place = Place(1 + self._marked, position.roll_number, self._thrown)
        fell = self.dice.throw(place, in_cup, self.book.faces)
        step = fall(position, fell)
        self._thrown += 1
        self._steps.append(step)
        self.position = step.after
        return step

    def hold(self, keep: AnyDice) -> Step:
        """Leave these dice on the table; '' or '-' holds none. The next `roll` throws the others."""
        return self.play(hold_of(Keep.read(keep)))

    def mark(self, box: str) -> Step:
        """Fill a box, by key, code or name."""
        return self.play(_mark(self.book.box(box).key))

    def skip(self) -> Step:
        """Let the seat on turn play later."""
        return self.play(Skip())

    def leave(self, seat: int) -> Step:
        """A seat plays no more."""
        return self.play(Leave(seat))

    def come(self, seat: int) -> Step:
        """A seat that had left, or not come yet, plays from now on."""
        return self.play(Come(seat))

    def undo(self, moves: int = 1) -> Position:
        """Take back the last moves. Dice depend on their place, so a throw made again falls as before."""
        if not 1 <= moves <= len(self._steps):
            raise IllegalMove("game.cannot-undo", moves=quote(moves), count=len(self._steps))
        undone = [type(step.move) for step in self._steps[-moves:]]
        self._thrown -= undone.count(Throw)
        self._marked -= undone.count(Mark)
        del self._steps[-moves:]
        self.comments = {made: said for made, said in self.comments.items() if made <= len(self._steps)}
        self.position = self._steps[-1].after if self._steps else self.start
        return self.position


_mark = lru_cache(maxsize=1024)(Mark)  # a move is a value: one for each box will do


def _entered(position: Position, dice: AnyDice) -> Roll:
    """Dice told by a person: those thrown are completed by the held ones."""
    entered = Roll.read(dice)
    if len(entered) == position.in_cup:
        return Roll(position.dice.faces + entered.faces)
    return entered


def checked_names(players: Sequence[str]) -> tuple[str, ...]:
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
    """No control characters, no line breaks of any kind, no halves of characters."""
    return not any(category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in name)


def checked_comment(text: object) -> str:
    """On one line and without braces, so that a record can hold it between them."""
    if not isinstance(text, str) or not text.strip() or "{" in text or "}" in text or not _is_plain(text):
        raise MalformedError("game.bad-comment", text=quote(text))
    return text.strip()


def _first_seat(first: int | None, roll_off: RollOff | None, seats: int) -> int:
    if roll_off is not None:
        first = roll_off.winner if roll_off.seats == seats and first in (None, roll_off.winner) else None
    if type(first) is not int or not 0 <= first < seats:
        raise IllegalMove("game.bad-first-seat", last=seats - 1, first=quote(first))
    return first


def _seats_out(out: Iterable[int], seats: int) -> frozenset[int]:
    """Seats that do not play from the start; somebody must."""
    found = frozenset(out)
    if any(type(seat) is not int or not 0 <= seat < seats for seat in found) or len(found) >= seats:
        raise IllegalMove("game.bad-seats-out", last=seats - 1, out=quote(tuple(found)))
    return found
