"""Solo games of any bot, as many as are wanted: levels by the compiled kernels, other bots move by move."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fivedice.bots.levels import Level, find_level
from fivedice.bots.players import Bot, Player, player_of
from fivedice.dice import Place, Roll, seeded
from fivedice.game import Position, Scorecard, Throw, apply
from fivedice.rules import RuleBook, book as find_book
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.simulate import Simulation, check_games, simulate as simulate_view
from fivedice.solver.solution import outlook


def simulate(
    book: RuleBook | str | Path,
    games: int,
    *,
    bot: str | Bot = "perfect",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play many solo games: `bot` is a level, or anything that can choose. The same seed gives the same totals.

    Perfect play has the book solved first, however long that takes, and is then a matter of microseconds a game. All
    others are asked for every move in turn, which takes some hundredths of a second a game; so is perfect play where
    rolls are saved.
    """
    rules = find_book(book)
    if not isinstance(bot, str):
        return _one_by_one(rules, games, bot, seed, progress)
    return _by_level(find_level(bot), rules, games, seed, threads, progress)


def measure(level: Level, book: RuleBook, games: int, seed: int) -> Simulation:
    """Games of a level as a table sees it play."""
    return _by_level(level, book, games, seed, None, None)


def _by_level(
    level: Level, book: RuleBook, games: int, seed: int, threads: int | None, progress: Progress | None
) -> Simulation:
    check_games(games)
    if level.sight == "thumb":
        return _one_by_one(book, games, player_of(level, book), seed, progress)
    view = outlook(book, "exact" if level.sight in {"exact", "win"} else "points")  # alone, who plays to win is perfect
    if book.save_rolls:
        return _one_by_one(book, games, Player(level, book, "", view), seed, progress)
    return simulate_view(book, games, view=view, blur=level.blur, seed=seed, threads=threads, progress=progress)


def _one_by_one(book: RuleBook, games: int, bot: Bot, seed: int, progress: Progress | None) -> Simulation:
    check_games(games)
    cards = []
    for number in range(games):
        cards.append(play(book, bot, f"{seed}/{number}"))
        if progress is not None:
            progress(number + 1, games)
    marks = np.array([card.marks for card in cards])
    return Simulation(
        book,
        np.array([card.total for card in cards], dtype=np.int32),
        {box.key: float(marks[:, place].mean()) for place, box in enumerate(book.boxes)},
        sum(_has_bonus(card) for card in cards) / games,
        sum(card.bonuses for card in cards) / games,
    )


def _has_bonus(card: Scorecard) -> bool:
    """The one of the upper section, of whatever tier."""
    return card.book.bonus is not None and card.book.bonus.pays(card.upper_total) > 0


def play(book: RuleBook, bot: Bot, seed: str) -> Scorecard:
    """One solo game to its end."""
    dice, position = seeded(seed), Position.start(book, 1)
    for turn in range(1, len(book.boxes) + 1):
        while not position.is_over and position.card.filled.bit_count() < turn:
            if position.in_cup:
                place = Place(turn, position.roll_number, 0)
                fell = dice.throw(place, position.in_cup, book.faces)
                position = apply(position, Throw(Roll((*position.dice, *fell)))).after
            else:
                position = apply(position, bot.choose(position)).after
    return position.card
