"""Written turns, and replaying a game with some of them changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from fivedice.core.dice import Roll, real
from fivedice.core.game import Come, Entry, Game, Leave, Mark, Move, Scorecard, Skip
from fivedice.core.game.legality import roll_for
from fivedice.table.action import Rolled, play_roll
from fivedice.table.actions.playing import entry_of
from fivedice.table.state import PlayedGame, TableState


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a written turn; None leaves the dice, the box or the rolls left over as they are.

    `points` are for a turn without dice; where there are dice, they decide.
    """

    game: int
    turn: int
    dice: tuple[int, ...] | None = None
    box: str | None = None
    saved: int | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A turn on the sheet: its seat, its rolls by slot, and its box."""

    number: int
    seat: int
    rolls: tuple[Rolled, ...]
    box: str
    entry: Entry  # the points that the engine gave
    saved: int = 0  # rolls left over, where the rules save them
    noted: int | None = None  # its points, if no dice were entered

    @property
    def dice(self) -> tuple[int, ...]:
        """Return the final dice, or dice that stand for a turn whose points were all that was entered."""
        return self.rolls[-1].dice

    @property
    def entered_dice(self) -> tuple[int, ...]:
        """Return the dice that were entered, if any."""
        return self.dice if self.noted is None else ()

    def with_change(self, change: Change) -> WrittenTurn:
        """Return the turn with this change. A change of the dice or the rolls left over drops the earlier rolls.

        Dice that stand for points depend on the card: see `with_dice_on`.
        """
        after = self if change.box is None else replace(self, box=change.box)
        saved = self.saved if change.saved is None else change.saved
        noted = self.noted if change.points is None else change.points
        if change.dice is None and noted is not None:
            same = (noted, saved) == (self.noted, self.saved)
            return after if same else replace(after, rolls=self._final_roll((), saved), saved=saved, noted=noted)
        dice = self.dice if change.dice is None else tuple(change.dice)
        if self.noted is None and sorted(dice) == sorted(self.dice):
            if saved == self.saved:
                return after
            dice = self.dice  # in their slots
        return replace(after, rolls=self._final_roll(dice, saved), saved=saved, noted=None)

    def _final_roll(self, dice: tuple[int, ...], saved: int, *, told: bool = True) -> tuple[Rolled, ...]:
        return (Rolled(self.seat, dice, last=True, saved=saved, told=told),)

    def with_dice_on(self, card: Scorecard) -> WrittenTurn:
        """Return the turn with dice that score its points on this card. Raise IllegalMove if there are none."""
        if self.noted is None:
            return self
        dice = roll_for(card, self.box, self.noted).faces
        return replace(self, rolls=self._final_roll(dice, self.saved, told=False))

    def matches(self, box: str, dice: tuple[int, ...] | None, points: int | None, saved: int | None = None) -> bool:
        """Return whether these dice or points, and rolls left over, describe the same turn."""
        if box != self.box or saved not in (None, self.saved) or points not in (None, self.entry.points):
            return False
        return points is not None if not dice or self.noted is not None else sorted(dice) == sorted(self.dice)

    def data(self, game: int) -> dict[str, Any]:
        """Return the turn for programs, with the fields of the command that wrote it."""
        dice = str(Roll(self.dice)) if self.noted is None else None
        known = {"game": game, "turn": self.number, "seat": self.seat, "dice": dice, "box": self.box}
        return known | {"points": self.entry.points, "extra": self.entry.bonus, "saved": self.saved}

    def left_after(self, rolls: int) -> int:
        """Return how many of this many rolls it leaves over; negative if it takes more than there are."""
        last = self.rolls[-1]
        if not last.last:
            return rolls - len(self.rolls)
        return last.saved if last.saved < rolls else -1


def card_before(state: TableState, game: int, turn: WrittenTurn) -> Scorecard:
    """Return the player's card as it was before that turn was written."""
    marks = [step for step in sheet_of(state, game).game.steps if isinstance(step.move, Mark)]
    return marks[turn.number].before.cards[turn.seat]


def sheet_of(state: TableState, number: int) -> PlayedGame:
    """Return one game of the table by its number, counted from 0."""
    if number < state.game_number:
        return state.played[number]
    return PlayedGame(state.running, tuple(state.lain))


def written_turns(sheet: PlayedGame) -> tuple[WrittenTurn, ...]:
    """Return the turns on the sheet, in playing order."""
    turns = []
    marks = (step for step in sheet.game.steps if isinstance(step.move, Mark))
    for number, (step, rolls) in enumerate(zip(marks, sheet.lain, strict=True)):
        if isinstance(step.move, Mark):
            saved, entry = step.before.rolls_left if step.before.book.save_rolls else 0, entry_of(step)
            noted = None if rolls[-1].told else entry.points
            turns.append(WrittenTurn(number, step.before.seat, rolls, step.move.box, entry, saved, noted))
    return tuple(turns)


def round_of(turns: Iterable[WrittenTurn], number: int) -> int:
    """Return which of its player's turns a turn is, counted from 1."""
    seats = [turn.seat for turn in turns]
    return 1 + seats[:number].count(seats[number])


def skipped_seats(game: Game) -> dict[int, frozenset[int]]:
    """Return the seats that were skipped, or joined and waited, before each turn of a game; only turns with some."""
    marks = [step.before for step in game.steps if isinstance(step.move, Mark)]
    found = {number: before.skipped for number, before in enumerate((*marks, game.position))}
    return {number: seats for number, seats in found.items() if seats}


def apply_changes(sheet: PlayedGame, changes: Iterable[Change], number: int) -> tuple[WrittenTurn, ...]:
    """Return the turns of game `number` with these changes, without checking the rules."""
    by_turn = {change.turn: change for change in changes if change.game == number}
    turns = written_turns(sheet)
    return tuple(turn.with_change(by_turn[turn.number]) if turn.number in by_turn else turn for turn in turns)


def replay_game(state: TableState, number: int, changes: Iterable[Change]) -> PlayedGame:
    """Replay game `number` with the changed turns. Raise IllegalMove if one of them is not legal."""
    sheet = sheet_of(state, number)
    turns = apply_changes(sheet, changes, number)
    old = sheet.game
    game = Game.new(old.book, old.players, dice=real(), first=old.first, roll_off=old.roll_off, out=old.start.out)
    lain, before = [], 0
    for turn, until in zip(turns, _turn_ends(old), strict=True):
        _replay_order(game, old.moves[before:until])
        lain.append(_play_turn(game, turn))
        before = until
    _replay_order(game, old.moves[before:])
    return PlayedGame(game, tuple(lain))


def _turn_ends(game: Game) -> list[int]:
    """Return the number of moves made by the end of each turn."""
    return [number for number, move in enumerate(game.moves, start=1) if isinstance(move, Mark)]


def _replay_order(game: Game, moves: Iterable[Move]) -> None:
    """Replay who was skipped, joined or left, which no score changes; always before the dice of the turn."""
    for move in moves:
        if isinstance(move, Skip | Leave | Come):
            game.play(move)


def _play_turn(game: Game, turn: WrittenTurn) -> tuple[Rolled, ...]:
    """Play the turn, and return its rolls."""
    slots: tuple[int, ...] = ()
    rolls = turn.with_dice_on(game.position.card).rolls
    for roll in rolls:
        play_roll(game, slots, roll)
        slots = roll.dice
    game.play(Mark(turn.box))
    return rolls
