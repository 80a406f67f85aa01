"""Make the bank of positions that comes with the package: `python tools/make_positions.py all`, about half an hour.

Bots that play like people play games of every shipped book. A position of theirs is taken if it has one best move and
the second best costs between 0.1 and 6 points. `wins` makes only the positions of two players, in some minutes, and
leaves the others as they are. docs/positions.md says more.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.coaching.win_hints import MATTERS, stakes
from fivedice.core.dice import Roll
from fivedice.core.game import Position, Scorecard, judge
from fivedice.core.notation import write_card, write_position
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.players.bots.levels import ALL_LEVELS
from fivedice.players.bots.players import HumanLikeBot, choice, unit_number
from fivedice.positions.bank import FILE, read_bank
from fivedice.positions.judging import explain
from fivedice.positions.lessons import (
    CHEAPEST_TO_WIN,
    DEAREST_TO_WIN,
    MOST_BOXES,
    FoundDecision,
    find_decision,
    watch_game,
)
from fivedice.reports.decisions import THEMES, Theme, TurnValues, judge_move
from fivedice.solver import Solution, solve
from fivedice.solver.runtime.solve_limits import has_odds
from fivedice.solver.win import WinAdvice

Rated: TypeAlias = tuple[FoundDecision, list[int]]  # with how often each level found the best move

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "positions"  # what was made of each book
LEVELS = tuple(level for level in ALL_LEVELS if level.sight == "thumb")
GAMES = 40  # of each level
SALTS = 6  # choices of each level in each position
OF_A_THEME, OF_A_BOOK = 70, 420
MOST_GAMES = 120  # of each level, until enough positions of two players are found
MOST_DICE = 5  # of rules with positions of two players: tables for six dice are not shipped
WINS, DIFFERENT = 45, 30  # positions of two players: of a book, and of them with another best move for points
SCALE = 400 / np.log(10)  # points of rating in a unit of the logistic curve
PRIOR = 0.5  # the weight of the guess that a position is average


def main(books: list[str]) -> int:
    """Make the positions of some books, or of `all`, and pack what was made of all books into one file."""
    if books == ["wins"]:
        return write_bank(read_bank())
    WORK.mkdir(parents=True, exist_ok=True)
    for key in SHIPPED if books == ["all"] else books:
        lost, positions = make_book(shipped(key))
        counts = {theme.value: sum(each.theme is theme for each, _ in positions) for theme in THEMES}
        print(key, len(positions), counts, {level: round(each, 1) for level, each in lost.items()}, flush=True)
        rows = [
            [write_card(each.card), str(each.roll), each.rolls_left, each.theme, right] for each, right in positions
        ]
        (WORK / f"{key}.json").write_text(json.dumps({"lost": lost, "rows": rows}))
    made = {key: json.loads((WORK / f"{key}.json").read_text()) for key in SHIPPED}
    levels, ratings = rate(np.array([row[-1] for book in made.values() for row in book["rows"]], dtype=np.float64))
    rated = iter(ratings)
    data = {"levels": levels, "books": {key: pack(shipped(key), book, rated) for key, book in made.items()}}
    print(levels, f"{len(ratings)} positions")
    return write_bank(data)


def write_bank(data: dict[str, Any]) -> int:
    """Make the positions of two players, rate them on the scale of the others, and write the file."""
    skill = (np.array(list(data["levels"].values())) - 1500) / SCALE
    for book in (book for book in map(shipped, SHIPPED) if has_odds(book) and book.dice <= MOST_DICE):
        made = make_wins(book)
        ratings = rate(np.array([right for _, right in made], dtype=np.float64), skill)[1]
        rows = sorted((rating, line) for rating, (line, _) in zip(ratings, made, strict=True))
        data["books"][book.key]["wins"] = [f"{line} win {rating}" for rating, line in rows]
        print(book.key, len(rows), "positions of two players", flush=True)
    packed = lzma.compress(json.dumps(data, separators=(",", ":")).encode(), preset=9 | lzma.PRESET_EXTREME)
    (ROOT / "src" / "fivedice" / "positions" / FILE).write_bytes(packed)
    print(f"{len(packed):,} bytes")
    return 0


def make_wins(book: RuleBook) -> list[tuple[str, list[int]]]:
    """Return positions of two players, with how often each level finds the best move for the win."""
    solution = solve(book)
    different, others = list[Position](), list[Position]()
    for position, given_up in find_wins(book, solution):
        (different if given_up >= MATTERS else others).append(position)
        if len(different) == DIFFERENT:
            break
    bots = [[HumanLikeBot(level, book, f"rating {salt}") for salt in range(SALTS)] for level in LEVELS]
    made = []
    for position in different + others[: WINS - len(different)]:
        first = explain(solution, position).choices[0]
        best, text = choice(first.keep, first.box), write_position(position).split()
        right = [sum(bot.choose(position) == best for bot in level) for level in bots]
        made.append((f"{text[1]} {text[3]} {text[4]}", right))
    return made


def find_wins(book: RuleBook, solution: Solution) -> Iterator[tuple[Position, float]]:
    """Yield at most one position of each pair of cards, with what the best move for points costs of the win.

    These bots look at their own cards alone, so two games of one player are a game of two. Some players on turn play
    first, and the others second, when the other player has a box fewer open.
    """
    games = (watch_game(book, level, f"win {number}") for number in range(MOST_GAMES) for level in LEVELS)
    for number, (game, other) in enumerate(pairwise(games)):
        cards = {position.card.marks.count(None): position.card for position, _ in other}
        for card, seen in groupby((position for position, _ in game), key=lambda each: each.card):
            still = card.marks.count(None)
            if still > MOST_BOXES or (theirs := cards.get(still - number % 2)) is None:
                continue
            for each in sorted(seen, key=lambda each: unit_number(f"{write_card(card)} {each.dice} {each.rolls_left}")):
                position = Position((card, theirs), 0, each.dice, each.rolls_left)
                found = stakes(position, solution)
                if found.assumed == "all" and is_choice(found.options):
                    yield position, found.given_up
                    break


def is_choice(options: Sequence[WinAdvice]) -> bool:
    """Return whether one move is the best for the win, and the second best costs a fair share of it."""
    return len(options) > 1 and not options[1].best and CHEAPEST_TO_WIN <= options[1].loss <= DEAREST_TO_WIN


def pack(book: RuleBook, made: dict[str, Any], ratings: Iterator[int]) -> dict[str, object]:
    """Return what the bank has of a book, its positions sorted by their ratings."""
    rows = sorted((next(ratings), f"{card} {roll} {left} {theme}") for card, roll, left, theme, _ in made["rows"])
    return {
        "fingerprint": book.fingerprint,
        "lost": {level: round(each, 1) for level, each in made["lost"].items()},
        "positions": [f"{line} {rating}" for rating, line in rows],
    }


def make_book(book: RuleBook) -> tuple[dict[str, float], list[Rated]]:
    """Return what each level loses per game, and the positions of a book."""
    solution, lost, cards = solve(book), dict[str, float](), dict[Scorecard, list[tuple[Roll, int]]]()
    for level in LEVELS:
        total = 0.0
        for number in range(GAMES):
            for card, seen in groupby(watch_game(book, level, str(number)), key=lambda each: each[0].card):
                values = TurnValues(solution, card)
                for position, move in seen:
                    roll, left = Roll(position.dice.faces), position.rolls_left
                    total += judge_move(values, roll, left, move).loss
                    cards.setdefault(card, []).append((roll, left))
        lost[level.name] = total / GAMES
    return lost, pick(book, solution, cards)


def pick(book: RuleBook, solution: Solution, cards: dict[Scorecard, list[tuple[Roll, int]]]) -> list[Rated]:
    """Pick positions, one of a card, about as many of each theme, and count which levels find their best moves."""
    by_theme: dict[Theme, list[FoundDecision]] = defaultdict(list)
    for card in sorted(cards, key=lambda card: unit_number(write_card(card))):
        rolls = (*_jokers(card), *cards[card])
        found = [each for roll, left in rolls if (each := find_decision(solution, card, roll, left)) is not None]
        if found:
            each = min(found, key=lambda each: (THEMES.index(each.theme), _draw(each)))
            by_theme[each.theme].append(each)
    picked = [each for theme in THEMES for each in by_theme[theme][:OF_A_THEME]]
    rest = [each for theme in THEMES for each in by_theme[theme][OF_A_THEME:]]
    picked += sorted(rest, key=lambda each: _draw(each))[: max(0, OF_A_BOOK - len(picked))]
    bots = [[HumanLikeBot(level, book, f"rating {salt}") for salt in range(SALTS)] for level in LEVELS]
    return [(each, [sum(bot.choose(each.position) == each.best for bot in level) for level in bots]) for each in picked]


def _draw(each: FoundDecision) -> float:
    """Return a number that puts decisions into an order by chance, the same in every run."""
    return unit_number(f"{write_card(each.card)} {each.roll} {each.rolls_left} {each.theme}")


def _jokers(card: Scorecard) -> Iterator[tuple[Roll, int]]:
    """Yield rolls in which the joker rules apply, which games bring too seldom."""
    for face in range(1, card.book.faces + 1):
        roll = Roll((face,) * card.book.dice)
        if judge(card, roll).joker_step is not None and unit_number(f"{write_card(card)} {face}") < 1 / 3:
            yield roll, 0


def rate(right: NDArray[np.float64], known: NDArray[np.float64] | None = None) -> tuple[dict[str, int], list[int]]:
    """Rate levels and positions by one logistic curve, so that it expects what was counted (a Rasch model).

    With `known` levels, only the positions are rated.
    """
    skill, hard = np.zeros(len(LEVELS)) if known is None else known, np.zeros(len(right))
    for _ in range(300):
        expected = 1 / (1 + np.exp(hard[:, None] - skill[None]))
        missing, spread = right - SALTS * expected, SALTS * expected * (1 - expected)
        # The prior keeps positions that every level, or no level, answers from running off to infinity.
        hard -= np.clip((missing.sum(axis=1) + PRIOR * hard) / (spread.sum(axis=1) + PRIOR), -1, 1)
        if known is not None:
            continue
        skill += np.clip(missing.sum(axis=0) / spread.sum(axis=0), -1, 1)
        skill -= hard.mean()
        hard -= hard.mean()
    names = [level.name for level in LEVELS]
    return dict(zip(names, _ratings(skill), strict=True)), _ratings(hard)


def _ratings(units: NDArray[np.float64]) -> list[int]:
    return [round(1500 + SCALE * unit) for unit in units.tolist()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
