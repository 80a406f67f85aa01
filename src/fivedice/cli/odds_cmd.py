"""`fivedice odds`: how perfect play may end; `win`: each player's share of the win; `simulate`: games of one bot."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.hint_cmd import options_table
from fivedice.cli.output import BookName, LevelName, console, print_json, read_sheet, table, tell
from fivedice.cli.solving import load_solution, pool, show_progress
from fivedice.core.game.card import pays_extra
from fivedice.core.notation import read_position
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.players.bots import about, is_registered
from fivedice.players.bots.levels import find_level
from fivedice.players.bots.registry import register_file
from fivedice.text import name_of, word

if TYPE_CHECKING:
    from fivedice.core.game import Position, Scorecard
    from fivedice.solver.odds import Odds
    from fivedice.solver.simulate import Simulation
    from fivedice.solver.win import Win


_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STEP = 50
_RARE = 0.001  # rarer or surer totals are shown only on request


def odds(
    book: BookName,
    /,
    *,
    card: str = "-",
    at_least: Annotated[list[int] | None, Parameter(consume_multiple=True)] = None,
    json: bool = False,
) -> None:
    """Show how a solo game may end if it is played for the highest mean: the exact chances of all totals.

    Examples: `fivedice odds yahtzee`, `fivedice odds yahtzee --at-least 300 400`,
    `fivedice odds yatzy --card 1s:3,2s:6,ch:22 --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    card
        What is on the score sheet already, as code:points or key:points, such as `4s:12,yz:50,yb:100`.
    at_least
        Totals whose chance you want to know; without it round ones.
    json
        Print JSON: `{"mean", "sd", "quantiles": {share: total}, "at_least": {total: chance}, "upper_bonus",
        "boxes": {box: mean points}, "extras"}`; where the rules save rolls, `{"mean"}` alone.
    """
    from fivedice.solver.runtime.solve_limits import has_odds

    rules = find_book(book)
    sheet = read_sheet(card, rules)
    solution = load_solution(rules)
    if not has_odds(rules):
        _print_mean(sheet, sheet.total + solution.value(sheet), json=json)
        return
    with show_progress(word("cli.playing", rules=rules)) as progress:
        found = solution.odds(sheet, progress=progress)
    wanted = at_least
    if wanted is None:
        totals = range(0, max(found.pmf) + _STEP, _STEP)
        wanted = [total for total in totals if _RARE <= found.at_least(total) <= 1 - _RARE]
    if json:
        print_json(_as_json(found, wanted))
    else:
        _print(sheet, found, wanted)


def _print_mean(card: Scorecard, mean: float, *, json: bool) -> None:
    """Print the expected total, for rules without odds."""
    if json:
        print_json({"mean": mean})
        return
    tell("cli.mean-sheet" if card.filled else "cli.mean-empty", rules=card.book, mean=f"{mean:.2f}")
    tell("coach.no-odds")


def _as_json(found: Odds, wanted: list[int]) -> dict[str, Any]:
    return {
        "mean": found.mean,
        "sd": found.sd,
        "quantiles": {str(share): found.quantile(share) for share in _SHARES},
        "at_least": {str(total): found.at_least(total) for total in wanted},
        "upper_bonus": found.upper_bonus,
        "boxes": dict(found.box_means),
        "extras": found.extra_mean,
    }


def _print(card: Scorecard, found: Odds, wanted: list[int]) -> None:
    out, book = console(), card.book
    begun = any(mark is not None for mark in card.marks)
    kind = "cli.odds-sheet" if begun else "cli.odds-empty"
    tell(kind, rules=book, mean=f"{found.mean:.2f}", sd=f"{found.sd:.2f}")
    spread = ", ".join(f"{share:.0%} {found.quantile(share)}" for share in _SHARES)
    tell("cli.quantiles", quantiles=spread)
    if book.bonus is not None:
        tell("cli.upper-bonus", rate=f"{found.upper_bonus:.1%}")
    chances = table(word("cli.column.total"), word("cli.column.odds"), title=word("cli.at-least"), numbers=[1])
    for total in wanted:
        chances.add_row(str(total), f"{found.at_least(total):.4%}")
    boxes = table(word("cli.column.box"), word("cli.column.points"), title=word("cli.on-average"), numbers=[1])
    for box in book.boxes:
        boxes.add_row(escape(name_of(box)), f"{found.box_means[box.key]:.2f}")
    if not _have_fixed_points(book):
        boxes.add_row(*_all_bonuses(found.mean, found.box_means))
    elif pays_extra(book):
        boxes.add_row(*_extras(book, found.extra_mean))
    out.print(chances)
    out.print(boxes)


_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_GAMES, _FEW_GAMES = 100_000, 1000  # perfect play takes microseconds per game, other levels hundredths of a second


def simulate(
    book: BookName,
    /,
    *,
    games: int | None = None,
    bot: LevelName = "perfect",
    seed: int = 0,
    workers: int = 1,
    json: bool = False,
) -> None:
    """Let a bot play many solo games, and print what it scores.

    Levels from the weakest to the strongest: newcomer, hopeful, casual, steady, sharp, perfect.

    Examples: `fivedice simulate yahtzee`, `fivedice simulate yatzy --bot steady --games 5000 --seed 7`,
    `fivedice simulate my-house.toml --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    games
        How many games to play: 100,000 of perfect play, or 1,000 of another level, unless you say so.
    bot
        The level of the bot, the name of one that an installed package brings along, or FILE.py:NAME.
    seed
        The same seed gives the same games, whatever the number of workers.
    workers
        How many processes play. Perfect play uses all cores without them.
    json
        Print JSON: `{"book", "bot", "games", "seed", "mean", "sd", "standard_error", "quantiles", "bonus_rate",
        "extras", "boxes", "seconds"}`.
    """
    from fivedice.players.bots.solo_games import simulate as play  # late, because it loads numba
    from fivedice.solver.simulate import check_games

    rules = find_book(book)
    bot = register_file(bot)
    exact = not is_registered(bot) and find_level(bot).sight == "exact"
    games = games if games is not None else _GAMES if exact else _FEW_GAMES
    check_games(games)
    if exact:
        load_solution(rules)
    begin = perf_counter()
    with show_progress(word("cli.playing", rules=rules)) as progress, pool(workers) as executor:
        played = play(rules, games, bot=bot, seed=seed, progress=progress, executor=executor)
    seconds = perf_counter() - begin
    if json:
        print_json(_simulation_json(played, bot, seed, seconds))
    else:
        _print_simulation(played, bot, seconds)


def _simulation_json(played: Simulation, bot: str, seed: int, seconds: float) -> dict[str, Any]:
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


def _print_simulation(played: Simulation, bot: str, seconds: float) -> None:
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
    if not _have_fixed_points(book):
        boxes.add_row(*_all_bonuses(played.mean, played.box_means))
    elif book.bonus is not None:
        boxes.add_row(escape(name_of(book.labels["bonus"])), f"{played.bonus_rate * book.bonus.points:.2f}")
    if _have_fixed_points(book) and pays_extra(book):
        boxes.add_row(*_extras(book, played.extra_mean))
    out.print(boxes)


def _have_fixed_points(book: RuleBook) -> bool:
    """Return whether every bonus pays the same points each time, so that its count gives its points."""
    policy = book.alike
    tiers = sum(len(bonus.tiers) for bonus in book.bonuses)
    return tiers <= (book.bonus is not None) and (policy is None or not (policy.rising or policy.pays_by_step))


def _extras(book: RuleBook, count: float) -> tuple[str, str]:
    return escape(name_of(book.labels["extra"])), f"{count * (book.alike.extra if book.alike else 0):.2f}"


def _all_bonuses(mean: float, boxes: Mapping[str, float]) -> tuple[str, str]:
    """Return the points of the total that are not in boxes."""
    return word("cli.all-bonuses"), f"{mean - sum(boxes.values()):.2f}"


_TOP = 10
_HOW = {"exact": "cli.win-exact", "planned": "cli.win-planned", "this turn": "cli.win-this-turn"}  # no sentence


def win(position: str, /, *, patient: bool = False, json: bool = False) -> None:
    """Show every player's share of the win if it is played for, and what to do with the dice.

    Exact for two players with about five boxes left each, and for the last player. Before that the others are taken to
    play on for points. Early in a game only this turn is played to win, unless you are patient.

    Examples: `fivedice win "yatzy-forced -|- 0 44126 2"`, and with `--json` for programs.

    Parameters
    ----------
    position
        Book, cards, seat on turn (from 0), dice on the table, rolls left: see docs/notation.md. The book may be the
        path of a .toml file.
    patient
        Plan to the end of the game early in it too. This takes minutes and two gigabytes.
    json
        Print JSON: `{"shares": [share], "exact", "how", "options": [{"keep" or "box", "share", "loss"}]}`, best first.
    """
    from fivedice.solver.win import win as solve_win

    first, _, rest = position.strip().partition(" ")
    rules = find_book(first)
    place = read_position(f"{rules.key} {rest}", rules)
    with show_progress(word("cli.playing", rules=rules)) as progress:
        found = solve_win(place, patient=patient, progress=progress)
    if json:
        options = []
        for each in found.advise():
            choice = {"box": each.box} if each.keep is None else {"keep": str(each.keep)}
            options.append({**choice, "share": each.share, "loss": each.loss})
        print_json({"shares": list(found.shares), "exact": found.exact, "how": found.how, "options": options})
    else:
        _print_win(place, found)


def _print_win(position: Position, found: Win) -> None:
    from fivedice.solver import Advice

    for seat, share in enumerate(found.shares):
        tell("cli.win-share", number=seat + 1, share=f"{share:.4%}")
    tell(_HOW[found.how])
    if position.roll is None:
        return
    best = [Advice(each.keep, each.box, each.share, each.loss, each.best) for each in found.advise()[:_TOP]]
    worth = word("cli.column.wins")
    console().print(options_table(best, position.card, position.roll, worth=worth, form=".4%"))
    if len(found.advise()) > _TOP:
        tell("cli.more-options-json", count=len(found.advise()) - _TOP)
