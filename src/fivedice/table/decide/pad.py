"""The score pad: dice cleared, whole turns written at once, and the games of a sheet."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.dice import Roll, real
from fivedice.errors import quote
from fivedice.game import Game, judge
from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.corrections import written_down
from fivedice.table.decide.playing import Rolled, back_again, check_dice, check_final, judged
from fivedice.table.decide.rights import my_turn, need, need_pencil, need_real_dice, plays
from fivedice.table.refusals import AlreadyWritten, BadRequest, NotYourTurn, TurnMissing, WrongPhase
from fivedice.table.state import Phase, PlayedGame, TableState


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Take back the dice that were entered last, before they are written."""

    wire = "withdraw"
    versioned = True
    examples = (("withdraw", {"version": 5}),)

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need_real_dice(state)
        seat = my_turn(state, self.player)[1]
        if not state.rolls:
            raise WrongPhase("table.nothing-entered")
        return (*back_again(state, self.player, seat), Withdrawn(seat))


@dataclass(frozen=True, slots=True)
class Withdrawn(Event):
    """The dice that this seat had entered last were a mistake."""

    changes_game = True
    said = "table.withdrawn"

    seat: int

    def fold(self, state: TableState) -> None:
        """The dice lie as they lay before the last roll was entered."""
        state.running.undo(2 if len(state.rolls) > 1 else 1)  # with the hold before it
        state.rolls = state.rolls[:-1]


@dataclass(frozen=True, slots=True)
class WriteTurn(Command):
    """Write a whole turn at once: its final dice, its box and, where the book keeps them, the rolls it left over.

    It says which turn it is (both counted from 0) instead of a version, so that a phone can send it late and twice and
    it is still written once.
    """

    wire = "write"
    plays_on = True
    examples = (("write", {"game": 0, "turn": 4, "dice": "14444", "box": "four_of_a_kind", "key": "my-0-4"}),)

    game: int
    turn: int
    dice: tuple[int, ...]
    box: str
    saved: int = 0

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need_real_dice(state)
        game, seat = self._place(state)
        if not plays(state, self.player, seat):
            raise NotYourTurn("table.not-your-turn", player=state.who(seat))
        check_dice(state, self.dice, state.book.dice)
        scored = judged(state, seat, self.box, lambda: judge(game.position.cards[seat], Roll(self.dice)))
        cleared = (Withdrawn(seat),) * len(state.rolls)
        rolled = Rolled(seat, self.dice, last=True, saved=self.saved)
        check_final(game.position, rolled)
        return (*back_again(state, self.player, seat), *cleared, rolled, scored)

    def _place(self, state: TableState) -> tuple[Game, int]:
        """The game and the seat on turn, if this turn is the next one to be written."""
        if state.game is None:
            raise WrongPhase("table.not-playing")
        if not 0 <= self.game < state.games or self.turn < 0:
            raise BadRequest("table.no-turn", turn=quote(self.turn), game=quote(self.game), games=state.games)
        if (stands := written_down(state, self.game, self.turn)) is not None:
            raise AlreadyWritten(stands, version=state.version)
        need(state, Phase.PLAYING)
        if self.game > state.game_number:
            raise WrongPhase("table.game-not-begun", game=self.game + 1)
        if self.game < state.game_number or state.on_turn is None:
            raise WrongPhase("table.game-full", game=self.game + 1)
        if self.turn > state.turn:
            place = {"player": state.who(state.on_turn), "round": 1 + state.turn // len(state.seats)}
            raise TurnMissing("table.turn-missing", version=state.version, **place)
        return state.game, state.on_turn


@dataclass(frozen=True, slots=True)
class NextGame(Command):
    """Begin the next game of the sheet; `game` is its number, counted from 0."""

    wire = "next"
    plays_on = True
    examples = (("next", {"game": 1}),)

    game: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need_pencil(state, self.player)
        need(state, Phase.PLAYING)
        if 0 <= self.game <= state.game_number:
            raise AlreadyWritten("table.game-begun", game=self.game + 1, version=state.version)
        if self.game != state.game_number + 1 or self.game >= state.games:
            after = state.game_number + 2
            raise WrongPhase("table.game-not-next", game=quote(self.game + 1), next=after, games=state.games)
        if not state.between_games:
            raise WrongPhase("table.game-unfinished", game=state.game_number + 1)
        return (NextStarted(state.running.next_first),)


@dataclass(frozen=True, slots=True)
class NextStarted(Event):
    """The next game of the sheet has begun."""

    changes_game = True
    said = "table.next-started"

    first: int

    def fold(self, state: TableState) -> None:
        before = state.running
        state.played.append(PlayedGame(before, tuple(state.lain)))
        state.game = Game.new(state.book, before.players, dice=real(), first=self.first)
        state.lain, state.rolls, state.taken_back = [], (), False
        state.forget_undo()
