"""The end of a game: given up before it was played out, its secret revealed, and a rematch set up."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.rights import need, need_host, need_open_result
from fivedice.table.state import Phase, TableState


@dataclass(frozen=True, slots=True)
class GiveUp(Command):
    """End a game that nobody will finish; the host's right. Its dice can be checked from then on."""

    wire = "give-up"
    plays_on = True
    examples = (("give-up", {}),)

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        """Before the end only: a finished game is what it is."""
        need(state, Phase.PLAYING)
        need_open_result(state)
        need_host(state, self.player)
        return (GivenUp(self.player),)


@dataclass(frozen=True, slots=True)
class GivenUp(Event):
    """The game will not be played to its end."""

    changes_game = True
    said = "table.given-up"

    player: str

    def fold(self, state: TableState) -> None:
        state.given_up = True
        state.forget_undo()


@dataclass(frozen=True, slots=True)
class SecretRevealed(Event):
    """The game has come to its end, so everybody may know the secret of its dice."""

    kind = "Told"
    heard = False  # it comes with what ended the game, and that is what people hear of

    secret: str

    def fold(self, state: TableState) -> None:
        state.secret = self.secret


@dataclass(frozen=True, slots=True)
class Rematched(Event):
    """The next game is at another table."""

    said = "table.rematched"

    table: str

    def fold(self, state: TableState) -> None:
        state.rematch = self.table
