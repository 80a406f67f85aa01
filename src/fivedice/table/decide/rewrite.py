"""Written turns, and the same game with some of them changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fivedice.dice import Roll, real
from fivedice.game import Come, Entry, Game, Leave, Mark, Move, Scorecard, Skip
from fivedice.game.box_first import roll_for
from fivedice.table.decide.playing import Rolled, entry_of, play_roll
from fivedice.table.state import PlayedGame, TableState


@dataclass(frozen=True, slots=True)
class Change:
    """What a written turn should have been; None leaves the dice, the box or the rolls left over as they are.

    `points` are for a turn whose dice are not told; where dice are, they decide.
    """

    game: int
    turn: int
    dice: tuple[int, ...] | None = None
    box: str | None = None
    saved: int | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn that stands on the sheet: whose it is, the dice as they lay roll by roll, and the box."""

    number: int
    seat: int
    rolls: tuple[Rolled, ...]
    box: str
    entry: Entry  # what the engine gave for it
    saved: int = 0  # the rolls that it left over, where the book keeps them
    noted: int | None = None  # its points, where its dice were not told

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice that were written, or that stand for those that were not told."""
        return self.rolls[-1].dice

    @property
    def dice_told(self) -> tuple[int, ...]:
        """The dice that people know of."""
        return self.dice if self.noted is None else ()

    def changed(self, change: Change) -> WrittenTurn:
        """Other dice or rolls left over are all that is known of the turn then; another box leaves its rolls.

        What stands for dice that are not told follows from the card: see `on`.
        """
        after = self if change.box is None else replace(self, box=change.box)
        saved = self.saved if change.saved is None else change.saved
        noted = self.noted if change.points is None else change.points
        if change.dice is None and noted is not None:
            same = (noted, saved) == (self.noted, self.saved)
            return after if same else replace(after, rolls=self._final((), saved), saved=saved, noted=noted)
        dice = self.dice if change.dice is None else tuple(change.dice)
        if self.noted is None and sorted(dice) == sorted(self.dice):
            if saved == self.saved:
                return after
            dice = self.dice  # as they lay
        return replace(after, rolls=self._final(dice, saved), saved=saved, noted=None)

    def _final(self, dice: tuple[int, ...], saved: int, *, told: bool = True) -> tuple[Rolled, ...]:
        return (Rolled(self.seat, dice, last=True, saved=saved, told=told),)

    def on(self, card: Scorecard) -> WrittenTurn:
        """The same with dice, where only the points were noted; `IllegalMove` if no dice bring them on this card."""
        if self.noted is None:
            return self
        dice = roll_for(card, self.box, self.noted).faces
        return replace(self, rolls=self._final(dice, self.saved, told=False))

    def is_as(self, box: str, dice: tuple[int, ...] | None, points: int | None, saved: int | None = None) -> bool:
        """Whether somebody who knows of these dice or points, and of the rolls left over, means the same."""
        if box != self.box or saved not in (None, self.saved) or points not in (None, self.entry.points):
            return False
        return points is not None if not dice or self.noted is not None else sorted(dice) == sorted(self.dice)

    def data(self, game: int) -> dict[str, Any]:
        """For programs, in the words of the command that wrote it."""
        dice = str(Roll(self.dice)) if self.noted is None else None
        written = {"game": game, "turn": self.number, "seat": self.seat, "dice": dice, "box": self.box}
        return written | {"points": self.entry.points, "extra": self.entry.bonus, "saved": self.saved}

    def left_after(self, rolls: int) -> int:
        """How many of so many rolls it leaves over; fewer than none if it takes more than there are."""
        last = self.rolls[-1]
        if not last.last:
            return rolls - len(self.rolls)
        return last.saved if last.saved < rolls else -1


def card_before(state: TableState, game: int, turn: WrittenTurn) -> Scorecard:
    """Return the card of the player as it was when that turn was written."""
    marks = [step for step in sheet_of(state, game).game.steps if isinstance(step.move, Mark)]
    return marks[turn.number].before.cards[turn.seat]


def sheet_of(state: TableState, number: int) -> PlayedGame:
    """One game of the table by its number, counted from 0."""
    if number < state.game_number:
        return state.played[number]
    return PlayedGame(state.running, tuple(state.lain))


def written(sheet: PlayedGame) -> tuple[WrittenTurn, ...]:
    """The turns that stand on the sheet, in playing order."""
    return tuple(_written(sheet))


def _written(sheet: PlayedGame) -> Iterator[WrittenTurn]:
    marks = (step for step in sheet.game.steps if isinstance(step.move, Mark))
    for number, (step, rolls) in enumerate(zip(marks, sheet.lain, strict=True)):
        if isinstance(step.move, Mark):
            saved, entry = step.before.rolls_left if step.before.book.save_rolls else 0, entry_of(step)
            noted = None if rolls[-1].told else entry.points
            yield WrittenTurn(number, step.before.seat, rolls, step.move.box, entry, saved, noted)


def round_of(turns: Iterable[WrittenTurn], number: int) -> int:
    """Which of its player's turns a turn is, counted from 1."""
    seats = [turn.seat for turn in turns]
    return 1 + seats[:number].count(seats[number])


def skipped_in(game: Game) -> dict[int, frozenset[int]]:
    """Who was skipped, or came and waited, before each turn of a game; turns where nobody was are left out."""
    marks = [step.before for step in game.steps if isinstance(step.move, Mark)]
    found = {number: before.skipped for number, before in enumerate((*marks, game.position))}
    return {number: seats for number, seats in found.items() if seats}


def changed_turns(sheet: PlayedGame, changes: Iterable[Change], number: int) -> tuple[WrittenTurn, ...]:
    """The turns of game `number` as the changes would have them; whether the rules allow it is not asked."""
    by_turn = {change.turn: change for change in changes if change.game == number}
    turns = written(sheet)
    return tuple(turn.changed(by_turn[turn.number]) if turn.number in by_turn else turn for turn in turns)


def rewritten(state: TableState, number: int, changes: Iterable[Change]) -> PlayedGame:
    """Game `number` played again with the changed turns; `IllegalMove` if one of them cannot stand."""
    sheet = sheet_of(state, number)
    turns = changed_turns(sheet, changes, number)
    old = sheet.game
    game = Game.new(old.book, old.players, dice=real(), first=old.first, roll_off=old.roll_off, out=old.start.out)
    lain, before = [], 0
    for turn, until in zip(turns, _ends(old), strict=True):
        _order(game, old.moves[before:until])
        lain.append(_played(game, turn))
        before = until
    _order(game, old.moves[before:])
    return PlayedGame(game, tuple(lain))


def _ends(game: Game) -> list[int]:
    """How many moves were made by the end of each turn."""
    return [number for number, move in enumerate(game.moves, start=1) if isinstance(move, Mark)]


def _order(game: Game, moves: Iterable[Move]) -> None:
    """Who was skipped, came or left: another score changes nothing about that. Before the dice, where it was amid."""
    for move in moves:
        if isinstance(move, Skip | Leave | Come):
            game.play(move)


def _played(game: Game, turn: WrittenTurn) -> tuple[Rolled, ...]:
    """Play it, and say how the dice lay."""
    lying: tuple[int, ...] = ()
    rolls = turn.on(game.position.card).rolls
    for roll in rolls:
        play_roll(game, lying, roll)
        lying = roll.dice
    game.play(Mark(turn.box))
    return rolls
