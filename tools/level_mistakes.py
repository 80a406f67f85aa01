"""Statistics of how a level plays: its totals, its bonuses, how early it gives up the dearest box, and its mistakes.

A decision counts as a mistake of a habit if it would have been different without that habit alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import mean, stdev

from fivedice.core.game import Mark, Position, apply
from fivedice.core.rules import RuleBook
from fivedice.players.bots.levels import Habit, Level, Mood
from fivedice.players.bots.players import Bot, Choice, HumanLikeBot, player_of
from fivedice.players.bots.solo_games import play

EARLY = 4  # turns: a player who scores zero in the dearest box within these gives it up


@dataclass
class LevelResults:
    """The results of many solo games of a level."""

    level: Level
    totals: list[int] = field(default_factory=list)
    bonuses: int = 0
    given_up: int = 0  # games in which the dearest box got no points in one of the first turns
    mistakes: Counter[Habit] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        return len(self.totals)

    @property
    def mean(self) -> float:
        return mean(self.totals)

    @property
    def sd(self) -> float:
        return stdev(self.totals)

    @property
    def standard_error(self) -> float:
        """Return the standard error of the mean."""
        return self.sd / sqrt(self.games)


def tally(level: Level, book: RuleBook, games: int, seed: int = 0) -> LevelResults:
    """Play solo games and count their results; the same seed gives the same games."""
    found = LevelResults(level)
    watched = _Watched(player_of(level, book), found, dearest_box(book))
    for number in range(games):
        card = play(book, watched, f"{seed}/{number}")
        found.totals.append(card.total)
        found.bonuses += book.bonus is not None and book.bonus.pays(card.upper_total) > 0
    return found


def dearest_box(book: RuleBook) -> str:
    """Return the key of the box that pays the most for one roll, among the boxes that a roll may miss."""
    from fivedice.solver.model.book_arrays import compiled_book

    compiled = compiled_book(book)
    most = [int(points.max()) * (points.min() == 0) for points in compiled.plain.T]
    return book.boxes[compiled.order[most.index(max(most))]].key


def mistakes(person: HumanLikeBot, position: Position) -> tuple[Choice, list[Habit]]:
    """Return a person's choice, and the habits without which, one at a time, it would choose differently."""
    mood = person.mood(position)
    chosen = person.choose_in(mood, position)
    without = {habit: replace(mood, habits=mood.habits - {habit}) for habit in mood.habits}
    if mood.unseen:
        without[Habit.OVERLOOKS] = Mood(mood.habits)
    return chosen, [habit for habit, other in without.items() if person.choose_in(other, position) != chosen]


@dataclass
class _Watched:
    """A bot whose choices are counted."""

    bot: Bot
    found: LevelResults
    dearest: str

    def choose(self, position: Position) -> Choice:
        if not isinstance(self.bot, HumanLikeBot):
            chosen = self.bot.choose(position)
        else:
            chosen, made = mistakes(self.bot, position)
            self.found.mistakes.update(made)
        if chosen == Mark(self.dearest) and position.card.filled.bit_count() < EARLY:
            card = apply(position, chosen).after.cards[position.seat]
            self.found.given_up += card.marks[position.book.index[self.dearest]] == 0
        return chosen
