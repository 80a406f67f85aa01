"""A roll at a table: the event, and how it is played. The state of a table keeps the rolls of every turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Game, Hold, Throw
from fivedice.table.action import Event

if TYPE_CHECKING:
    from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """Dice by slot, from the left; `held` are the slots that were kept."""

    changes_game = True
    said = "table.rolled"

    seat: int
    dice: tuple[int, ...]
    held: tuple[int, ...] = ()
    last: bool = False  # the final dice of the turn; earlier rolls were not noted
    saved: int = 0  # rolls that such a turn left over, where the rules save them
    told: bool = True  # if not, only the points were entered, and these dice are one way to score them

    def fold(self, state: TableState) -> None:
        state.note_help(self.seat)
        apply_roll(state, self)

    def data(self) -> dict[str, Any]:
        """Return its fields without `saved` and `told` where they are the default: most of a log is rolls."""
        rarely = {"saved": 0, "told": True}
        return {name: value for name, value in Event.data(self).items() if rarely.get(name) != value}


def apply_roll(state: TableState, roll: Rolled) -> None:
    """Add a roll to the game and to the rolls of this turn."""
    play_roll(state.running, state.slots, roll)
    state.rolls += (roll,)


def play_roll(game: Game, slots: tuple[int, ...], roll: Rolled) -> None:
    """Play the moves of a roll: a hold, unless it is the first of its turn, and a throw."""
    if slots:
        game.play(Hold(Keep(tuple(slots[slot] for slot in roll.held))))
    game.play(throw_of(roll))


def throw_of(roll: Rolled) -> Throw:
    """Return the move of the engine for a roll."""
    return Throw(Roll(roll.dice), roll.last, roll.saved, roll.told)
