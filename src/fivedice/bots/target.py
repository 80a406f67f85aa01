"""A bot that wants a certain total, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.bots.levels import ALL
from fivedice.bots.players import Player, choice, first_of_the_best

if TYPE_CHECKING:
    from fivedice.game import Hold, Mark, Position, Scorecard
    from fivedice.rules import RuleBook
    from fivedice.solver.chase import Chase

_NEAR = 6  # with so many open boxes or fewer the best chances are worked out in a moment


@dataclass(frozen=True, eq=False)
class Chaser:
    """Takes the best chance of the target; among equal ones, the highest mean.

    Without a finished hunt it plays for the mean until the last boxes, since chances from the first box on are a
    job of a minute. That loses little: far from the end a good mean is the best start for any likely target.
    """

    book: RuleBook
    target: int
    hunt: Chase | None

    def choose(self, position: Position) -> Hold | Mark:
        """The move that leaves the best chance."""
        weighed = Player(ALL[-1], self.book, "").weigh(position)
        hunt, roll = self.hunt or _near(position.card, self.target), position.roll
        if hunt is not None and roll is not None:
            advice = hunt.advise(position.card, roll, position.rolls_left, self.target)
            best = {choice(each.keep, each.box) for each in advice if each.best}
            weighed = [option for option in weighed if option[0] in best]
        return first_of_the_best(weighed)


@lru_cache(maxsize=64)
def _near(card: Scorecard, target: int) -> Chase | None:
    """The chances from this card on, if that is quickly done; a turn asks for the same card several times."""
    from fivedice.solver.chase import chase

    if card.marks.count(None) > _NEAR:
        return None
    return chase(card.book, card=card, most=target)
