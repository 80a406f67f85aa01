"""Are the chances of winning right? Of all that were said to be 60%, about 60% must have come true.

Perfect players of four books, two to four at a table. Most games are played by the fast simulation and asked about at
the start of a random turn; some are played move by move and asked about in the middle of one. Of each game one player
is counted, so that the answers are independent. The campaign `calibration` plays 21,000 games, draws
docs/calibration.svg and writes the table of docs/reports.md.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import fivedice as fd
from fivedice.players import bots
from fivedice.reports import race as final_totals
from fivedice.reports.race import race, win_chances
from fivedice.solver import Solution, solve
from fivedice.solver.endings import finish
from fivedice.solver.model.book_arrays import State
from fivedice.solver.simulate import simulate_kernels as packed
from fivedice.solver.simulate.game_batch import GameBatch
from fivedice.solver.solution import outlook

BINS = 10


@dataclass(frozen=True)
class Said:
    """A stated chance and its outcome: 1 for a win, a half for a tie of two."""

    share: float
    came: float
    round: int  # in which it was said


@dataclass(frozen=True)
class Bin:
    """All that was said to be about as likely."""

    count: int
    said: float
    came: float
    error: float  # the standard error of `came`, if what was said is true


def bins(said: list[Said]) -> list[Bin]:
    """Ten groups from 0 to 1; empty ones are left out."""
    groups = [[each for each in said if int(min(each.share, 1 - 1e-12) * BINS) == place] for place in range(BINS)]
    return [_bin(group) for group in groups if group]


def rounds(said: list[Said]) -> list[Bin]:
    """By the round, for those whose chance was above a half: there too much confidence would show."""
    favourites = [each for each in said if each.share > 0.5]
    return [_bin([one for one in favourites if one.round == place]) for place in sorted({e.round for e in favourites})]


def told_rounds(said: list[Said]) -> list[tuple[str, Bin]]:
    """Return ten lines; late rounds are combined, since some books have more."""
    favourites = [each for each in said if each.share > 0.5]
    early = [(str(number + 1), [one for one in favourites if one.round == number]) for number in range(BINS - 1)]
    late = (f"{BINS} to {1 + max(each.round for each in said)}", [one for one in favourites if one.round >= BINS - 1])
    return [(name, _bin(group)) for name, group in (*early, late) if group]


def off(each: Bin) -> float:
    """By how many standard errors what came true differs from what was said."""
    return abs(each.came - each.said) / each.error if each.error else 0.0


def _bin(group: list[Said]) -> Bin:
    shares = np.array([each.share for each in group])
    error = float(np.sqrt((shares * (1 - shares)).sum())) / len(group)
    return Bin(len(group), float(shares.mean()), float(np.mean([each.came for each in group])), error)


class Courses:
    """Many solo games by the fast simulation, with their states before every turn and at the end."""

    def __init__(self, solution: Solution, games: int, seed: int) -> None:
        self.solution = solution
        book = solution.compiled
        games_now: Any = np.zeros((games, 2), dtype=np.int64)
        games_now[:, 1] = np.arange(games)
        self.states = np.zeros((book.boxes + 1, games), dtype=np.int64)
        self.totals = np.zeros((book.boxes + 1, games), dtype=np.int64)
        with GameBatch(outlook(solution.book, "exact"), 0.0, seed, None) as crowd:
            spare = np.empty_like(games_now)
            for turn in range(book.boxes):
                if turn:
                    crowd._sort(games_now, spare)
                    games_now, spare = spare, games_now
                crowd._play_turn(games_now, turn)
                numbers = games_now[:, 1] & (1 << packed.TOTAL_AT) - 1
                self.states[turn + 1, numbers] = games_now[:, 0]
                self.totals[turn + 1, numbers] = games_now[:, 1] >> packed.TOTAL_AT
            final = np.zeros(games, dtype=np.int32)
            crowd._settle(games_now, 0, final)
        self.final = final

    def state(self, turn: int, number: int) -> State:
        word = int(self.states[turn, number])
        lane = word & (1 << packed.FLAG_AT) - 1
        flag = (word & (1 << packed.MASK_AT) - 1) >> packed.FLAG_AT
        return State(word >> packed.MASK_AT, lane, flag)

    def end(self, turn: int, number: int) -> final_totals.Pmf:
        """Return the distribution of a game after that many turns."""
        solution = self.solution
        if turn == solution.compiled.boxes:
            return final_totals.Pmf(int(self.final[number]), np.ones(1))
        table: Any = solution.table
        found = finish(solution.book.fingerprint, solution.compiled, table, self.state(turn, number))
        return final_totals.Pmf(int(self.totals[turn, number]), found.chances)


def came(totals: list[int], seat: int) -> float:
    best = max(totals)
    return (totals[seat] == best) / totals.count(best)


def by_simulation(solution: Solution, games: int, seed: int) -> Iterator[Said]:
    """Asked at the start of a random turn."""
    draw, courses = Random(seed), Courses(solution, 4 * games, seed)
    boxes = solution.compiled.boxes
    for game in range(games):
        players, seat_on_turn, round_ = draw.choice((2, 3, 4)), draw.randrange(4), draw.randrange(boxes)
        numbers = [4 * game + seat for seat in range(players)]
        turns = [round_ + (seat < seat_on_turn) for seat in range(players)]
        ends = [courses.end(turn, number) for turn, number in zip(turns, numbers, strict=True)]
        seat = draw.randrange(players)
        totals = [int(courses.final[number]) for number in numbers]
        yield Said(win_chances(ends)[seat].share, came(totals, seat), round_)


def by_moves(solution: Solution, games: int, seed: int) -> Iterator[Said]:
    """Asked after a random move, in the middle of turns too."""
    draw, bot = Random(seed), bots.bot("perfect", solution.book)
    for number in range(games):
        players = [f"Player {seat}" for seat in range(draw.choice((2, 3, 4)))]
        game = fd.Game.new(solution.book, players, dice=fd.dice.seeded(f"{seed}/{number}"), first=0)
        asked, seat = draw.randrange(60 * len(players)), draw.randrange(len(players))
        found, round_ = None, 0
        while not game.is_over:
            if len(game.moves) == asked:
                found, round_ = race(game.position, solution), _round(game.position)
            if game.position.chance_moves_next:
                game.roll()
            else:
                game.play(bot.choose(game.position))
        if found is not None:
            totals = [card.total for card in game.position.cards]
            yield Said(found.players[seat].share, came(totals, seat), round_)


def _round(position: fd.Position) -> int:
    """Counted from 0."""
    return min(card.filled.bit_count() for card in position.cards)


SHARD = 500  # games; a shard has a seed of its own, so the result does not depend on how many are played at once
BOOKS = ("yahtzee", "yahtzee-classic", "yardzee", "yatzy")
EACH = 10  # shards of a book; books that are much alike must not have the same dice
SHARDS = [(key, EACH * place + number) for place, key in enumerate(BOOKS) for number in range(EACH)]
MOVED = 25  # further games of a shard that are played move by move


def shard(key: str, number: int) -> list[Said]:
    solution = solve(fd.book(key))
    return [*by_simulation(solution, SHARD, number), *by_moves(solution, MOVED, number)]


def alone(core: Any) -> None:
    """A process keeps to one core: the solver's threads would only get into each other's way."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core.get()})


def all_said() -> list[Said]:
    for key in BOOKS:
        solve(fd.book(key)).prepare()  # once, for all processes
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    context = get_context("spawn")
    queue = context.Queue()
    for core in cores:
        queue.put(core)
    with ProcessPoolExecutor(len(cores), context, alone, (queue,)) as pool:
        return [each for part in pool.map(shard, *zip(*SHARDS, strict=True)) for each in part]


def main(folder: Path) -> None:
    from analysis.calibration_chart import calibration_svg, page_table, table, with_table

    said = all_said()
    page = folder / "reports.md"
    if page.exists():
        answer = with_table(page.read_text(encoding="utf-8"), page_table(bins(said), told_rounds(said)))
        page.write_text(answer, encoding="utf-8")
    (folder / "calibration.svg").write_text(calibration_svg(bins(said), rounds(said)), encoding="utf-8")
    print(table("Deciles", bins(said)), table("Rounds, favourites", rounds(said)), sep="\n\n")
    print(f"the furthest off: {max(off(each) for each in [*bins(said), *rounds(said)]):.1f} standard errors")


if __name__ == "__main__":
    main(Path(*sys.argv[1:]))
