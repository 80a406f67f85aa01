"""The players of a score sheet: skipping one, joining late, leaving, coming back, and new names.

A phone may send each command late and twice, so it names what it is about, and repeating it changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.core.game import Skip
from fivedice.errors import quote
from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.corrections import find_turn
from fivedice.table.actions.pad import Withdrawn, require_open_sheet
from fivedice.table.actions.playing import sync_players
from fivedice.table.actions.rights import (
    MOST_SEATS,
    may_move,
    require_phase,
    require_real_dice,
    require_scorekeeper,
    require_seat,
)
from fivedice.table.actions.seating import Introduced, new_seat
from fivedice.table.refusals import (
    BadRequest,
    Conflict,
    LogFull,
    NotAllowed,
    NotYourTurn,
    TableFull,
    TurnMissing,
    WrongPhase,
)
from fivedice.table.seat_names import clean_name
from fivedice.table.state import Phase, TableState

MOST_SKIPS = 1000  # in one game: a record has to hold them


@dataclass(frozen=True, slots=True)
class PassTurn(Command):
    """Skip a player who is not here. They play their missing turns later, at the latest at the end."""

    wire = "pass"
    examples = (("pass", {"game": 0, "turn": 5, "seat": 1, "key": "my-p-5"}),)

    game: int
    turn: int
    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_real_dice(state)
        require_open_sheet(state)
        require_seat(state, self.seat)
        if not may_move(state, self.player, self.seat):
            raise NotYourTurn("table.not-your-turn", player=state.who(self.seat))
        if not 0 <= self.game < state.games or self.turn < 0:
            raise BadRequest("table.no-turn", turn=quote(self.turn), game=quote(self.game), games=state.games)
        if find_turn(state, self.game, self.turn) is not None:
            return ()  # it has been played meanwhile
        if self.game > state.game_number:
            raise WrongPhase("table.game-not-begun", game=self.game + 1)
        if self.game < state.game_number or state.on_turn is None:
            raise WrongPhase("table.game-full", game=self.game + 1)
        return self._pass_events(state, state.on_turn)

    def _pass_events(self, state: TableState, on_turn: int) -> tuple[Event, ...]:
        position = state.running.position
        if self.turn > state.turn:
            raise TurnMissing("table.turn-missing", version=state.version, player=state.who(on_turn), round=state.round)
        if self.seat == on_turn:
            if sum(isinstance(move, Skip) for move in state.running.moves) >= MOST_SKIPS:
                raise LogFull("table.log-full")
            others = (seat for seat in position.seats_in if seat != on_turn and not position.cards[seat].is_full)
            return (*_clear_events(state, on_turn), Passed(on_turn)) if any(True for _ in others) else ()
        if self.seat in position.skipped:
            return ()
        raise Conflict("table.not-your-turn", stands=(), version=state.version, player=state.who(on_turn))


def _clear_events(state: TableState, seat: int) -> tuple[Event, ...]:
    """Return the events that clear the dice of a turn that will not be scored."""
    return (Withdrawn(seat),) * len(state.rolls) if state.on_turn == seat else ()


def _forget_taken_back(state: TableState) -> None:
    """Stop waiting for a score that was taken back."""
    if state.taken_back and not state.rolls:
        state.put_by, state.taken_back = (), False


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat was skipped, and plays later."""

    changes_game = True
    said = "table.passed"

    seat: int

    def fold(self, state: TableState) -> None:
        state.running.skip()
        _forget_taken_back(state)
        state.forget_undo()


@dataclass(frozen=True, slots=True)
class JoinSheet(Command):
    """Add a player to the current game, or else to the next one. They catch up at the end."""

    wire = "join"
    examples = (("join", {"name": "Cleo", "key": "my-j-1"}),)

    name: str | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        require_open_sheet(state)
        require_phase(state, Phase.PLAYING)
        if len(state.seats) >= MOST_SEATS:
            raise TableFull("table.full", seats=MOST_SEATS)
        return (new_seat(state, clean_name(self.name), player=self.player),)


@dataclass(frozen=True, slots=True)
class Retire(Command):
    """Remove a player for good: they are never on turn again and cannot win; their column stays."""

    wire = "retire"
    examples = (("retire", {"seat": 1, "key": "my-r-1"}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        require_open_sheet(state)
        if require_seat(state, self.seat).out:
            return ()
        require_phase(state, Phase.PLAYING)
        if all(seat.out for number, seat in enumerate(state.seats) if number != self.seat):
            raise NotAllowed("table.last-player", player=state.who(self.seat))
        return (*_clear_events(state, self.seat), Retired(self.seat))


@dataclass(frozen=True, slots=True)
class Retired(Event):
    """A seat has left the score sheet."""

    changes_game = True
    said = "table.retired"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, out=True)
        sync_players(state)
        _forget_taken_back(state)
        state.forget_undo()


@dataclass(frozen=True, slots=True)
class Rejoin(Command):
    """Let a player who had left play again; a game that ended without them stays as it is."""

    wire = "rejoin"
    examples = (("rejoin", {"seat": 1, "key": "my-b-1"}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        require_open_sheet(state)
        return (Rejoined(self.seat),) if require_seat(state, self.seat).out else ()


@dataclass(frozen=True, slots=True)
class Rejoined(Event):
    """A seat plays again."""

    changes_game = True
    said = "table.rejoined"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, out=False)
        sync_players(state)
        state.forget_undo()
        state.forget_again()


@dataclass(frozen=True, slots=True)
class Rename(Command):
    """Give a player of a score sheet another name; the scorekeeper may rename everyone."""

    wire = "rename"
    examples = (("rename", {"seat": 1, "name": "Bobby", "key": "my-n-1"}),)

    seat: int
    name: str | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_real_dice(state)
        now = require_seat(state, self.seat)
        if now.former or not may_move(state, self.player, self.seat):
            raise NotAllowed("table.own-seat-only")
        name = clean_name(self.name)
        return () if name == now.given else (Introduced(self.seat, name, now.color, now.token),)
