"""`fivedice simulate`: many games of one bot."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from fivedice.bots import about
from fivedice.bots.players import find_level
from fivedice.cli.analysing.solving import shown_progress, solved
from fivedice.cli.output import console, print_json, table, tell
from fivedice.rules import book as find_book
from fivedice.words import name_of, word

if TYPE_CHECKING:
    from fivedice.solver.simulate import Simulation

_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def simulate(book: str, /, *, games: int = 100_000, bot: str = "perfect", seed: int = 0, json: bool = False) -> None:
    """Let a bot play many solo games, and print what it scores.

    Levels from the weakest to the strongest: random, greedy, casual, steady, sharp, perfect.

    Examples: `fivedice simulate yahtzee`, `fivedice simulate yatzy --bot steady --games 1000000 --seed 7`,
    `fivedice simulate my-house.toml --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    games
        How many games to play.
    bot
        The level of the bot.
    seed
        The same seed gives the same games.
    json
        Print JSON: `{"book", "bot", "games", "seed", "mean", "sd", "standard_error", "quantiles", "bonus_rate",
        "extras", "boxes", "seconds"}`.
    """
    from fivedice.bots.solo_games import simulate as play  # brings in numba
    from fivedice.solver.simulate import check_games

    rules, level = find_book(book), find_level(bot)
    check_games(games)
    if level.sight == "exact":
        solved(rules)
    begin = perf_counter()
    with shown_progress(word("cli.playing", rules=rules)) as progress:
        played = play(rules, games, bot=bot, seed=seed, progress=progress)
    seconds = perf_counter() - begin
    if json:
        print_json(_as_json(played, bot, seed, seconds))
    else:
        _print(played, bot, seconds)


def _as_json(played: Simulation, bot: str, seed: int, seconds: float) -> dict[str, Any]:
    return {
        "book": played.book.key,
        "bot": bot,
        "games": played.games,
        "seed": seed,
        "mean": played.mean,
        "sd": played.sd,
        "standard_error": played.standard_error,
        "quantiles": {str(share): played.quantile(share) for share in _QUANTILES},
        "bonus_rate": played.bonus_rate,
        "extras": played.extra_mean,
        "boxes": played.box_means,
        "seconds": round(seconds, 3),
    }


def _print(played: Simulation, bot: str, seconds: float) -> None:
    out, book = console(), played.book
    tell("cli.simulated", rules=book, games=f"{played.games:,}", bot=bot, about=about(bot), seconds=f"{seconds:.2f}")
    tell(
        "cli.simulated-mean",
        mean=f"{played.mean:.2f}",
        error=f"{played.standard_error:.2f}",
        sd=f"{played.sd:.2f}",
        lowest=int(played.totals.min()),
        highest=int(played.totals.max()),
    )
    tell("cli.simulated-shares")
    shares = table(*(f"{share:.0%}" for share in _QUANTILES))
    shares.add_row(*(str(played.quantile(share)) for share in _QUANTILES))
    out.print(shares)
    boxes = table(word("cli.column.box"), word("cli.column.mean"), numbers=[1])
    for box in book.boxes:
        boxes.add_row(escape(name_of(box)), f"{played.box_means[box.key]:.2f}")
    if book.bonus is not None:
        boxes.add_row(escape(name_of(book.labels["bonus"])), f"{played.bonus_rate * book.bonus.points:.2f}")
    if book.alike is not None and book.alike.extra:
        boxes.add_row(escape(name_of(book.labels["extra"])), f"{played.extra_mean * book.alike.extra:.2f}")
    out.print(boxes)
