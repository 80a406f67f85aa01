"""A report in words: the same for the page, the terminal and the printed sheet."""

from __future__ import annotations

from fivedice.analysis.decisions import Decision
from fivedice.analysis.perfect import Perfect
from fivedice.analysis.report import PlayerReport, Report
from fivedice.coaching.hint_words import dice, percent
from fivedice.game import Hold, Mark
from fivedice.rules import RuleBook

MINUS = "\N{MINUS SIGN}"


def move_words(move: Hold | Mark, book: RuleBook) -> str:
    """A move as an order: 'keep 4-4', 'keep none', 'fill Fours'."""
    if isinstance(move, Mark):
        return f"fill {book.box(move.box).name}"
    return f"keep {dice(move.keep) or 'none'}"


def best_words(decision: Decision, book: RuleBook) -> str:
    """What would have been best; where several tie, the first two of them."""
    best = decision.best
    shown = " or ".join(move_words(move, book) for move in best[:2])
    return shown if len(best) <= 2 else f"{shown} (and {len(best) - 2} more)"


def rolls_words(rolls_left: int) -> str:
    """How often the dice may still be thrown, in words."""
    if rolls_left == 0:
        return "no roll left"
    return f"{rolls_left} {'roll' if rolls_left == 1 else 'rolls'} left"


def points(value: float) -> str:
    """A difference in points, with its sign; so small that it would read 0.0, without one."""
    shown = f"{abs(value):.1f}"
    if shown == "0.0":
        return shown
    return f"{'+' if value > 0 else MINUS}{shown}"


def headline(report: Report) -> str:
    """Who won, in a few words."""
    players = report.players
    if not report.finished:
        return "not finished"
    if len(players) == 1:
        return f"{players[0].name} scores {players[0].total}"
    winners = " and ".join(players[seat].name for seat in report.winners)
    verb = "wins" if len(report.winners) == 1 else "share the win"
    return f"{winners} {verb} with {max(player.total for player in players)}"


def identity_words(player: PlayerReport) -> str:
    """How the total came about, as a sum that holds to the last point."""
    end = f"{player.total}" if player.card.is_full else f"{player.expected:.1f} expected now"
    luck, sign = abs(player.luck), "+" if player.luck >= 0 else MINUS
    return f"{player.start:.1f} expected at the start {sign} {luck:.1f} luck {MINUS} {player.lost:.1f} mistakes = {end}"


def accuracy_words(player: PlayerReport) -> str:
    if player.accuracy is None:
        return "no decision yet"
    return f"{player.accuracy:.1f}%"


def better_words(player: PlayerReport, perfect: Perfect) -> str:
    """Where a final total lies among perfect games."""
    return f"better than {percent(perfect.better_than(player.total))} of perfect games"


def final_dice_words(report: Report) -> str | None:
    """What could not be judged, if anything."""
    turns = report.final_dice_turns
    if not turns:
        return None
    known = "turn has" if turns == 1 else "turns have"
    judged = "there the luck of all rolls is one sum, and of the decisions only the box is judged"
    return f"{turns} {known} only the final dice: {judged}."
