"""What one player's finished game adds to their statistics. Derived from the game alone, so it can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.game import Game
from fivedice.rules import RuleBook

if TYPE_CHECKING:
    from fivedice.analysis.game_report import PlayerReport
    from fivedice.solver import Solution


@dataclass(frozen=True, slots=True)
class Judged:
    """What the report of a game says about one player."""

    luck: float
    lost: float
    accuracy: float
    by_step: tuple[float, ...]  # points lost with 0, 1, 2, ... rolls left
    by_box: tuple[float, ...]  # points lost in the turn that filled each box, as they stand on the sheet
    final_dice_turns: int


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One seat of one finished game."""

    book: RuleBook
    name: str
    when: str  # as ISO 8601, or what the record has as its date, or nothing
    where: str  # the table or the file
    number: int  # of the game there, counted from 1
    players: int
    won: bool
    total: int
    marks: tuple[int, ...]
    upper_bonus: bool
    five: bool  # the box for all dice alike holds points
    extras: int
    judged: Judged | None  # None where the book is not worked out


def facts_of(
    game: Game, seat: int, solution: Solution | None, *, when: str = "", where: str = "", number: int = 1
) -> GameFacts:
    """The facts of a finished game; without a solution, those that need no judgement."""
    card, outcome = game.position.cards[seat], game.outcome
    return GameFacts(
        game.book,
        game.players[seat],
        when,
        where,
        number,
        len(game.players),
        outcome is not None and seat in outcome.winners and len(game.players) > 1,
        card.total,
        tuple(points or 0 for points in card.marks),
        card.upper_bonus > 0,
        card.alike_scored,
        card.bonuses,
        None if solution is None else _judged(game, seat, solution),
    )


def _judged(game: Game, seat: int, solution: Solution) -> Judged:
    from fivedice.analysis.game_report import player_report

    player = player_report(game, seat, solution)
    accuracy = player.accuracy
    return Judged(
        player.luck,
        player.lost,
        100.0 if accuracy is None else accuracy,
        _by_step(player, game.book.rolls),
        _by_box(player, game.book),
        player.final_dice_turns,
    )


def _by_step(player: PlayerReport, rolls: int) -> tuple[float, ...]:
    lost = [0.0] * rolls
    for moment in player.moments:
        lost[moment.decision.rolls_left] += moment.decision.loss
    return tuple(lost)


def _by_box(player: PlayerReport, book: RuleBook) -> tuple[float, ...]:
    lost = [0.0] * len(book.boxes)
    for turn in player.turns:
        if turn.box is not None:
            lost[book.index[turn.box]] += turn.lost
    return tuple(lost)
