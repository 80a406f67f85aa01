"""One thing that can be done with a roll: what it is worth, and how the turn may end after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.coaching import hint_messages as told
from fivedice.coaching.aims import aims_of

if TYPE_CHECKING:
    from fivedice.coaching.aims import Aim
    from fivedice.coaching.rolled_turn import RolledTurn
    from fivedice.dice import Keep
    from fivedice.message import Message
    from fivedice.solver import Advice


@dataclass(frozen=True, slots=True)
class Choice:
    """Hold `keep` and roll the rest, or fill `box`."""

    keep: Keep | None
    box: str | None
    label: Message  # keep 4-4, roll all 5 dice again, Full House for 25
    value: float  # expected further points, those of this turn among them; in a chase, the chance
    cost: float  # against the best, 0.0 for all that are as good
    best: bool
    now: float  # expected points of this turn
    aims: tuple[Aim, ...]  # how the turn may end, likeliest first; they exclude each other
    bonus: float | None  # the chance that the finished card has the upper bonus, where that is still open

    @property
    def later(self) -> float:
        """Expected points after this turn."""
        return self.value - self.now

    @property
    def scores(self) -> tuple[Aim, ...]:
        """The ends that it is played for."""
        return tuple(aim for aim in self.aims if aim.kind in {"score", "extra"})

    @property
    def words(self) -> str:
        return str(self.label)

    @property
    def title(self) -> str:
        """As an entry of a list."""
        return str(self.label if self.box is not None else told.first(self))

    @property
    def line(self) -> str:
        """Aims and bonus in one line."""
        return str(told.line(self.scores, self.bonus))


def choice_of(turn: RolledTurn, advice: Advice) -> Choice:
    end = turn.scored(advice.box or "") if advice.keep is None else turn.kept(advice.keep)
    return Choice(
        keep=advice.keep,
        box=advice.box,
        label=told.label(turn.card, turn.roll, advice.keep, advice.box),
        value=advice.value,
        cost=advice.loss,
        best=advice.best,
        now=float(end.chances @ (end.points + end.extras)),
        aims=aims_of(turn.card, end) if advice.box is None else (),
        bonus=turn.bonus(end),
    )
