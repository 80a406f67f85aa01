"""`report(game)`: how much of a game was luck and how much decisions. For every player, exactly,

    final total = expected at the start + luck - points lost by decisions + points of turns that cannot be judged.

Every number is an expected final total under perfect solo play, or a difference of two of them. In an unfinished game
the left side is the total expected now. A turn cannot be judged if only its points are known. A game with several
players is also reported in shares of the win, and its decisions are judged by these: see `win_report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fivedice.core.dice import Roll
from fivedice.core.game import Game, Hold, Mark, Scorecard, Step, Throw
from fivedice.core.rules import AnyBook, RuleBook
from fivedice.errors import IllegalError
from fivedice.reports.decisions import (
    Currency,
    Decision,
    DiceCount,
    ErrorGrade,
    Fall,
    TurnValues,
    count_dice,
    count_grades,
    error_rate,
    grade_of,
    judge_move,
)
from fivedice.reports.race import MOST_PLAYERS
from fivedice.solver import Solution, find_solution
from fivedice.solver.runtime.compile_watch import has_compiler

if TYPE_CHECKING:
    from fivedice.reports.win_report import GameWins, PlayerWins
    from fivedice.solver.runtime.worker_threads import Progress

COSTLIEST = 3


@dataclass(frozen=True, slots=True, repr=False)
class TurnReport:
    """One turn: its rolls and decisions, in order."""

    number: int  # counted from 1 for each player
    start: float  # the expected final total before the first roll
    falls: tuple[Fall, ...]
    decisions: tuple[Decision, ...]
    end: float  # the expected final total after the last move
    box: str | None  # None while the turn is not finished
    points: int | None
    extra: int
    saved: int = 0  # rolls left over, where the book saves them for later turns
    by_points: bool = False  # only its points are known, so they are neither luck nor skill
    ended: int | None = None  # the index of its last move in the game, once the turn is finished

    def __repr__(self) -> str:
        return f"<TurnReport {self.number}: {self.box} for {self.points}>"

    @property
    def luck(self) -> float:
        return sum(fall.luck for fall in self.falls)

    @property
    def lost(self) -> float:
        return sum(decision.loss for decision in self.decisions)

    @property
    def brought(self) -> float:
        """Return the change of the expected total by a turn that cannot be judged."""
        return self.end - self.start if self.by_points else 0.0

    @property
    def win_lost(self) -> float:
        """Return the share of the win that its decisions lost."""
        return sum(decision.win.loss for decision in self.decisions if decision.win is not None)

    @property
    def final_dice_only(self) -> bool:
        return any(fall.last for fall in self.falls)

    @property
    def fully_noted(self) -> bool:
        """Return whether all of its decisions are known. Only such turns show how well a player plays."""
        return not self.by_points and not self.final_dice_only


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision and where in the game it was made."""

    seat: int
    turn: int
    decision: Decision


@dataclass(frozen=True, repr=False)
class PlayerReport:
    """One player's game.

    >>> game = fd.Game.new("crag", ["Ann"], dice=fd.dice.scripted("466"))
    >>> _ = game.roll(), game.mark("sixes")
    >>> player = fd.report(game).players[0]
    >>> player.decisions, player.best_decisions, round(player.accuracy)
    (1, 0, 58)
    >>> [round(loss, 1) for loss in player.losses(Currency.POINTS)]
    [4.9]
    >>> player.grades(Currency.POINTS)[ErrorGrade.MISTAKE], round(player.error_rate(Currency.POINTS), 1)
    (1, 32.4)
    """

    seat: int
    name: str
    card: Scorecard
    start: float
    turns: tuple[TurnReport, ...]
    dice: DiceCount
    wins: PlayerWins | None = None  #: with several players, once it is computed

    def __repr__(self) -> str:
        return f"<PlayerReport of {self.name!r}: {self.card!r}>"

    @property
    def total(self) -> int:
        """Return the points so far; at the end, the final score."""
        return self.card.total

    @property
    def expected(self) -> float:
        """Return the final total, or the total that is expected now."""
        return self.turns[-1].end if self.turns else self.start

    @cached_property
    def luck(self) -> float:
        """Return the points that the dice gave beyond what was expected."""
        return sum(turn.luck for turn in self.turns)

    @cached_property
    def lost(self) -> float:
        """Return the points that decisions lost."""
        return sum(turn.lost for turn in self.turns)

    @cached_property
    def brought(self) -> float:
        """Return the change of the expected total by turns that cannot be judged."""
        return sum(turn.brought for turn in self.turns)

    @property
    def turns_by_points(self) -> int:
        """Return how many turns have only their points noted. Nothing in them is judged."""
        return sum(turn.by_points for turn in self.turns)

    @property
    def final_dice_turns(self) -> int:
        """Return how many turns have only their final dice noted. Only the choice of their box is judged."""
        return sum(turn.final_dice_only for turn in self.turns)

    @property
    def moments(self) -> Iterator[Moment]:
        """Yield all decisions in order."""
        return (Moment(self.seat, turn.number, each) for turn in self.turns for each in turn.decisions)

    @cached_property
    def decisions(self) -> int:
        """Return how many decisions were made."""
        return sum(len(turn.decisions) for turn in self.turns)

    @cached_property
    def best_decisions(self) -> int:
        """Return how many decisions lost nothing."""
        return sum(each.is_best for turn in self.turns for each in turn.decisions)

    @property
    def fully_noted(self) -> bool:
        """Return whether all decisions of all turns are known."""
        return all(turn.fully_noted for turn in self.turns)

    @cached_property
    def _rated(self) -> list[TurnReport]:
        """Return the fully noted turns with at least one decision."""
        return [turn for turn in self.turns if turn.fully_noted and turn.decisions]

    @property
    def accuracy(self) -> float | None:
        """Return the percentage of the points expected from these turns that decisions did not lose.

        Only decisions change it, because a turn counts from its first decision on. It is never below 0, and None before
        the first decision of a fully noted turn.
        """
        if not self._rated:
            return None
        stake = self.start * len(self._rated) / len(self.card.marks)
        lost = sum(turn.lost for turn in self._rated)
        return max(0.0, 100 * (1 - lost / stake)) if stake > 0 else 100.0

    def losses(self, currency: Currency) -> list[float]:
        """Return the loss of each unforced decision in fully noted turns."""
        decisions = [decision for turn in self._rated for decision in turn.decisions]
        if currency is Currency.POINTS:
            return [decision.loss for decision in decisions if decision.unforced]
        return [each.win.loss for each in decisions if each.win is not None and each.win.unforced]

    def error_rate(self, currency: Currency) -> float | None:
        """Return the average loss of an unforced decision, in thousandths of the win or of the expected total."""
        return error_rate(self.losses(currency), self.stake(currency))

    def stake(self, currency: Currency) -> float:
        """Return the value that losses are compared with: the expected total at the start, or one win."""
        return self.start if currency is Currency.POINTS else 1.0

    def grade(self, decision: Decision, currency: Currency) -> ErrorGrade | None:
        """Return the grade of an error: blunder, mistake or small error; None for the best move."""
        return grade_of(loss_of(decision, currency), self.stake(currency))

    def grades(self, currency: Currency) -> dict[ErrorGrade, int]:
        """Return how many decisions have each grade, the worst grade first."""
        return count_grades(self.grade(moment.decision, currency) for moment in self.moments)

    @cached_property
    def win_lost(self) -> float:
        """Return the share of the win that decisions lost."""
        return sum(turn.win_lost for turn in self.turns)


def loss_of(decision: Decision, currency: Currency) -> float:
    if currency is Currency.POINTS:
        return decision.loss
    return 0.0 if decision.win is None else decision.win.loss


@dataclass(frozen=True, repr=False)
class Report:
    """The report of a game, player by player."""

    book: RuleBook
    players: tuple[PlayerReport, ...]
    finished: bool
    winners: tuple[int, ...]
    wins: GameWins | None = None  #: with several players, once it is computed

    @property
    def judged_by(self) -> Currency:
        """Return points, or the win with several players: there a gamble that was right loses nothing."""
        return Currency.POINTS if self.wins is None else Currency.WIN

    def __repr__(self) -> str:
        return f"<Report of {self.book.key!r}: {', '.join(f'{player.name} {player.total}' for player in self.players)}>"

    def _repr_html_(self) -> str:
        """Return a short report for a notebook."""
        from fivedice.reports.report_lines import report_html  # it imports this module

        return report_html(self)

    @property
    def turns_by_points(self) -> int:
        """Return how many turns of all players have only their points noted."""
        return sum(player.turns_by_points for player in self.players)

    @property
    def final_dice_turns(self) -> int:
        """Return how many turns of all players have only their final dice noted."""
        return sum(player.final_dice_turns for player in self.players)

    def costliest(
        self, most: int = COSTLIEST, seat: int | None = None, by: Currency | None = None
    ) -> tuple[Moment, ...]:
        """Return the decisions that lost most, worst first: at most `most`, of one `seat` or of all.

        `by` is points or the win; without it, `judged_by`.

        >>> game = fd.Game.new("crag", ["Ann"], dice=fd.dice.scripted("466"))
        >>> _ = game.roll(), game.mark("sixes")
        >>> fd.report(game).costliest()[0].decision.best
        (Hold(keep=Keep.parse('66')),)
        """
        players = self.players if seat is None else (self.players[seat],)
        currency = self.judged_by if by is None else by
        moments = [(loss_of(each.decision, currency), each) for player in players for each in player.moments]
        costly = sorted((each for each in moments if each[0] > 0), key=lambda each: -each[0])
        return tuple(moment for _, moment in costly[:most])


def report(
    game: Game, solution: Solution | AnyBook | None = None, *, win: bool = True, progress: Progress | None = None
) -> Report:
    """Return the report of a game, finished or not.

    `solution` is that of the game's book, or the book; without it the book is solved first. With `win`, a game of
    several players is also reported in shares of the win. That takes a second or two, and longer the first time for a
    book, which must be prepared: see `Solution.prepare`. `progress` is called with the steps done and all steps. Raises
    `IllegalError` for more than 12 players.

    >>> game = fd.Game.new("crag", ["Ann"], dice=fd.dice.scripted("466"))
    >>> _ = game.roll(), game.mark("sixes")
    >>> player = fd.report(game).players[0]
    >>> round(player.start, 1), round(player.luck, 1), round(player.lost, 1), round(player.expected, 1)
    (149.8, 0.5, 4.9, 145.4)
    """
    if len(game.players) > MOST_PLAYERS:
        raise IllegalError("report.players", most=MOST_PLAYERS, count=len(game.players))
    solution = find_solution(game.book if solution is None else solution)
    return report_with(game, solution, _wins(game, solution, progress) if win else None)


def report_with(game: Game, solution: Solution, wins: GameWins | None) -> Report:
    """Return the report of a game, with shares of the win if they have been computed."""
    outcome = game.outcome
    players = tuple(player_report(game, seat, solution, wins) for seat in range(len(game.players)))
    return Report(game.book, players, outcome is not None, () if outcome is None else outcome.winners, wins)


def _wins(game: Game, solution: Solution, progress: Progress | None) -> GameWins | None:
    """Return the shares of the win; None for one player, where the rules have no odds, and without a compiler."""
    if len(game.players) == 1 or not has_compiler():
        return None
    from fivedice.reports.win_report import can_judge, wins_of

    return wins_of(game, solution, progress) if can_judge(game, solution) else None


def player_report(game: Game, seat: int, solution: Solution, wins: GameWins | None = None) -> PlayerReport:
    """Return one player's part of the report."""
    card = Scorecard.empty(game.book)
    own = ((number, step) for number, step in enumerate(game.steps) if step.before.seat == seat)
    steps = [(number, step) for number, step in own if isinstance(step.move, Throw | Hold | Mark)]
    turns = tuple(
        _report_turn(number, steps_of, solution, wins) for number, steps_of in enumerate(_split_turns(steps), 1)
    )
    dice = count_dice((step for _, step in steps), game.book.faces)
    start = card.total + solution.value(card)
    return PlayerReport(
        seat, game.players[seat], game.position.cards[seat], start, turns, dice, _player_wins(game, wins, seat)
    )


def _player_wins(game: Game, wins: GameWins | None, seat: int) -> PlayerWins | None:
    if wins is None:
        return None
    from fivedice.reports.win_report import player_wins

    return player_wins(game, wins, seat)


_Numbered = tuple[int, Step]  # a step and its index in the game


def _split_turns(steps: Iterable[_Numbered]) -> Iterator[list[_Numbered]]:
    """Split one player's steps after every scored box; the last turn may be unfinished."""
    turn: list[_Numbered] = []
    for number, step in steps:
        turn.append((number, step))
        if isinstance(step.move, Mark):
            yield turn
            turn = []
    if turn:
        yield turn


def _report_turn(number: int, numbered: list[_Numbered], solution: Solution, wins: GameWins | None) -> TurnReport:
    steps = [step for _, step in numbered]
    before, thrown = steps[0].before, steps[0].move
    ended = numbered[-1][0] if isinstance(steps[-1].move, Mark) else None
    if isinstance(thrown, Throw) and not thrown.told:
        return replace(_report_by_points(number, steps, solution), ended=ended)
    values = TurnValues(solution, before.card)
    now, falls, decisions = values.start, list[Fall](), list[Decision]()
    for place, step in numbered:
        if isinstance(step.move, Throw):
            after = values.roll(step.move.roll, step.after.rolls_left)
            won = None if wins is None else wins.change(place, before.seat)
            falls.append(Fall(step.move.roll, step.after.rolls_left, now, after, step.move.last, won))
            now = after
        elif isinstance(step.move, Hold | Mark):
            roll = Roll(step.before.dice.faces)
            decided = judge_move(values, roll, step.before.rolls_left, step.move)
            decisions.append(decided if wins is None else replace(decided, win=wins.moves[place].decision))
            now = decided.value
    card = steps[-1].after.cards[before.seat]
    box = steps[-1].move.box if isinstance(steps[-1].move, Mark) else None
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.card.extra_total
    saved = 0 if box is None else card.saved
    return TurnReport(number, values.start, tuple(falls), tuple(decisions), now, box, points, extra, saved, ended=ended)


def _report_by_points(number: int, steps: list[Step], solution: Solution) -> TurnReport:
    """Report a turn whose dice are unknown: the expected totals before and after it."""
    before, mark = steps[0].before.card, steps[-1].move
    card = steps[-1].after.cards[steps[0].before.seat]
    box = mark.box if isinstance(mark, Mark) else None
    start, end = (each.total + solution.value(each) for each in (before, card))
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.extra_total
    return TurnReport(number, start, (), (), end, box, points, extra, card.saved, by_points=True)
