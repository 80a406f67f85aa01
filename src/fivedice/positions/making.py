"""Find decisions worth thinking about in games of bots that play like people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.notation import write_position
from fivedice.core.rules import RuleBook
from fivedice.players.bots.human_like import HumanLikeBot
from fivedice.players.bots.levels import Level, find_level
from fivedice.players.bots.solo_games import play
from fivedice.reports.themes import Theme, theme_of
from fivedice.solver import Solution

CHEAPEST, DEAREST = 0.1, 6.0  # what the second best move may cost
CHEAPEST_TO_WIN, DEAREST_TO_WIN = 0.01, 0.2  # the same in shares of the win
MOST_BOXES = 4  # that each player may have open in a decision about the win
MOST_GAMES = 5  # that are played to find one decision: nearly every game has several
_LEVEL = "steady"


@dataclass(frozen=True, slots=True)
class FoundDecision:
    """A card and dice with one best move, whose second best costs a fair price."""

    card: Scorecard
    roll: Roll
    rolls_left: int
    theme: Theme
    best: Hold | Mark

    @property
    def position(self) -> Position:
        return Position((self.card,), 0, Keep(self.roll.faces), self.rolls_left)

    @property
    def text(self) -> str:
        """Return the position in Fivedice notation."""
        return write_position(self.position)


def find_decision(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> FoundDecision | None:
    """Return the decision, or None if it is too easy, too dear, or has several best moves."""
    options = solution.advise(card, roll, rolls_left)
    if len(options) == 1 or options[1].best or not CHEAPEST <= options[1].loss <= DEAREST:
        return None
    theme = theme_of(solution, card, roll, rolls_left, options[0].move, options[1].move)
    return FoundDecision(card, roll, rolls_left, theme, options[0].move)


@dataclass
class WatchedBot:
    """A bot whose positions and moves are noted."""

    bot: HumanLikeBot
    seen: list[tuple[Position, Hold | Mark]] = field(default_factory=list)

    def choose(self, position: Position) -> Hold | Mark:
        move = self.bot.choose(position)
        self.seen.append((position, move))
        return move


def watch_game(book: RuleBook, level: Level, seed: str) -> list[tuple[Position, Hold | Mark]]:
    """Play one game of a level and return its decisions."""
    bot = WatchedBot(HumanLikeBot(level, book, seed))
    play(book, bot, f"positions/{level.name}/{seed}")
    return bot.seen


def find_in_games(solution: Solution, seed: str, theme: Theme | None = None) -> FoundDecision | None:
    """Return a decision from a new game of a bot, of this theme if there is one; None if none is found."""
    found: FoundDecision | None = None
    for decision in _decisions(solution, seed):
        if theme is None or decision.theme is theme:
            return decision
        found = found or decision
    return found


def _decisions(solution: Solution, seed: str) -> Iterator[FoundDecision]:
    for number in range(MOST_GAMES):
        seen = watch_game(solution.book, find_level(_LEVEL), f"{seed}/{number}")
        first = int.from_bytes(seed.encode()[-2:], "big") % len(seen)
        for position, _ in (*seen[first:], *seen[:first]):
            decision = position.roll and find_decision(solution, position.card, position.roll, position.rolls_left)
            if decision:
                yield decision
