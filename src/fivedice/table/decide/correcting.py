"""Changing what was written earlier: everything or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.corrections import checked_changes, consequences, effective
from fivedice.table.decide.playing import lay
from fivedice.table.decide.rewrite import Change, rewritten
from fivedice.table.decide.rights import need_pencil
from fivedice.table.refusals import AgainstTheRules, WrongPhase
from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class Correct(Command):
    """Change what was written earlier. Several changes are judged together."""

    wire = "correct"
    versioned = True
    examples = (
        (
            "correct",
            {
                "changes": [{"game": 0, "turn": 2, "dice": "66612"}, {"game": 0, "turn": 6, "box": "fours"}],
                "version": 9,
            },
        ),
    )

    changes: tuple[Change, ...]

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        """If one entry could not stand any more, the reason is told and all stays as it is."""
        need_pencil(state, self.player)
        if state.rematch is not None:
            raise WrongPhase("table.rematch-exists")
        changes = effective(state, checked_changes(state, self.changes))
        if not changes:
            return ()
        problems = consequences(state, changes).problems
        if problems:
            raise AgainstTheRules(problems[0].told)
        return (Corrected(tuple((one.game, one.turn, one.dice, one.box) for one in changes)),)


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """Turns that were written are something else now; all that follows from them is derived anew.

    Each change is (game, turn, dice or None, box or None), as in `Change`.
    """

    changes_game = True
    said = "table.corrected"

    changes: tuple[tuple[int, int, tuple[int, ...] | None, str | None], ...]

    def fold(self, state: TableState) -> None:
        """Write the changed games anew, turn by turn; the dice on the table stay where they lie."""
        changes = [Change(*change) for change in self.changes]
        for number in {change.game for change in changes}:
            after = rewritten(state, number, changes)
            if number < state.game_number:
                state.played[number] = after
            else:
                state.game, state.lain, rolls, state.rolls = after.game, list(after.lain), state.rolls, ()
                for roll in rolls:
                    lay(state, roll)
        state.forget_undo()
