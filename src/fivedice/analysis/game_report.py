"""`report(game)`: what luck and decisions made of a game, so that for every player, to the last point,

    final total = expected at the start + luck - lost by decisions + what turns by their points alone brought.

Every number is an expected final total under perfect solo play, or a difference of two of them. In an unfinished game
the left side is what is expected now. Where others play too, the same game is told in shares of the win, and decisions
are judged by these: see `win_report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fivedice.analysis.decisions import Decision, DiceCount, Fall, TurnValues, count_dice, judged
from fivedice.analysis.error_rates import Currency, Grade, count_grades, error_rate, grade_of
from fivedice.analysis.race import MOST_PLAYERS
from fivedice.dice import Roll
from fivedice.errors import IllegalError
from fivedice.game import Game, Hold, Mark, Scorecard, Step, Throw
from fivedice.rules import RuleBook
from fivedice.solver import Solution
from fivedice.solver.runtime.compile_watch import has_compiler

if TYPE_CHECKING:
    from fivedice.analysis.win_report import GameWins, PlayerWins
    from fivedice.solver.runtime.worker_threads import Progress

COSTLIEST = 3


@dataclass(frozen=True, slots=True, repr=False)
class TurnReport:
    """One turn: the throws and the decisions, in order."""

    number: int  # counted from 1 for each player
    start: float  # the expected final total before the first throw
    falls: tuple[Fall, ...]
    decisions: tuple[Decision, ...]
    end: float  # and after the last move
    box: str | None  # None while the turn is not finished
    points: int | None
    extra: int
    saved: int = 0  # rolls that it left over, where the book keeps them for later turns

    def __repr__(self) -> str:
        return f"<TurnReport {self.number}: {self.box} for {self.points}>"

    by_points: bool = False  # its dice were not told: what it brought is neither luck nor skill
    ended: int | None = None  # the place of its last move among all of the game, once it is finished

    @property
    def luck(self) -> float:
        return sum(fall.luck for fall in self.falls)

    @property
    def lost(self) -> float:
        return sum(decision.loss for decision in self.decisions)

    @property
    def brought(self) -> float:
        """How far a turn that cannot be judged moved the expected total."""
        return self.end - self.start if self.by_points else 0.0

    @property
    def win_lost(self) -> float:
        """Chances of winning that its decisions gave away."""
        return sum(decision.win.loss for decision in self.decisions if decision.win is not None)

    @property
    def final_dice_only(self) -> bool:
        return any(fall.last for fall in self.falls)

    @property
    def fully_noted(self) -> bool:
        """Whether all of its decisions are known: others say nothing of how well somebody plays."""
        return not self.by_points and not self.final_dice_only


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision with its place in the game."""

    seat: int
    turn: int
    decision: Decision


@dataclass(frozen=True, repr=False)
class PlayerReport:
    """One player's game."""

    seat: int
    name: str
    card: Scorecard
    start: float
    turns: tuple[TurnReport, ...]
    dice: DiceCount
    wins: PlayerWins | None = None  #: where others play too, once it is worked out

    def __repr__(self) -> str:
        return f"<PlayerReport of {self.name!r}: {self.card!r}>"

    @property
    def total(self) -> int:
        """The points so far; at the end, the final score."""
        return self.card.total

    @property
    def expected(self) -> float:
        """The final total, or what it is expected to be now."""
        return self.turns[-1].end if self.turns else self.start

    @cached_property
    def luck(self) -> float:
        """Points that the dice gave, against what was to be expected."""
        return sum(turn.luck for turn in self.turns)

    @cached_property
    def lost(self) -> float:
        """Points that decisions gave away."""
        return sum(turn.lost for turn in self.turns)

    @cached_property
    def brought(self) -> float:
        """What turns by their points alone moved the expected total by."""
        return sum(turn.brought for turn in self.turns)

    @property
    def turns_by_points(self) -> int:
        """Turns of which only the points are known: nothing of them is judged."""
        return sum(turn.by_points for turn in self.turns)

    @property
    def final_dice_turns(self) -> int:
        """Turns of which only the final dice are known: of their decisions only the box is judged."""
        return sum(turn.final_dice_only for turn in self.turns)

    @property
    def moments(self) -> Iterator[Moment]:
        """All decisions in order."""
        return (Moment(self.seat, turn.number, each) for turn in self.turns for each in turn.decisions)

    @cached_property
    def decisions(self) -> int:
        """How many there were."""
        return sum(len(turn.decisions) for turn in self.turns)

    @cached_property
    def best_decisions(self) -> int:
        """How many of them lost nothing."""
        return sum(each.is_best for turn in self.turns for each in turn.decisions)

    @property
    def fully_noted(self) -> bool:
        """Whether all decisions of all turns are known."""
        return all(turn.fully_noted for turn in self.turns)

    @cached_property
    def _rated(self) -> list[TurnReport]:
        """Turns in which something was decided, and everything that was is known."""
        return [turn for turn in self.turns if turn.fully_noted and turn.decisions]

    @property
    def accuracy(self) -> float | None:
        """In percent: of the points that perfect play would expect of these turns, those that were not given away.

        A turn counts from its first decision on, so nothing but a decision ever changes this. Never below 0; None
        before the first decision of a turn that is fully noted.
        """
        if not self._rated:
            return None
        stake = self.start * len(self._rated) / len(self.card.marks)
        lost = sum(turn.lost for turn in self._rated)
        return max(0.0, 100 * (1 - lost / stake)) if stake > 0 else 100.0

    def losses(self, currency: Currency) -> list[float]:
        """Of all unforced decisions of turns that are fully noted."""
        decisions = [decision for turn in self._rated for decision in turn.decisions]
        if currency is Currency.POINTS:
            return [decision.loss for decision in decisions if decision.unforced]
        return [each.win.loss for each in decisions if each.win is not None and each.win.unforced]

    def error_rate(self, currency: Currency) -> float | None:
        """What an unforced decision loses on average, in thousandths of the win or of the expected total."""
        return error_rate(self.losses(currency), self.stake(currency))

    def stake(self, currency: Currency) -> float:
        """What losses are measured by."""
        return self.start if currency is Currency.POINTS else 1.0

    def grade(self, decision: Decision, currency: Currency) -> Grade | None:
        """Blunder, mistake or small error; None for the best."""
        return grade_of(loss_of(decision, currency), self.stake(currency))

    def grades(self, currency: Currency) -> dict[Grade, int]:
        """How many decisions of each class there are, the worst first."""
        return count_grades(self.grade(moment.decision, currency) for moment in self.moments)

    @cached_property
    def win_lost(self) -> float:
        """Chances of winning that decisions gave away."""
        return sum(turn.win_lost for turn in self.turns)


def loss_of(decision: Decision, currency: Currency) -> float:
    if currency is Currency.POINTS:
        return decision.loss
    return 0.0 if decision.win is None else decision.win.loss


@dataclass(frozen=True, repr=False)
class Report:
    """A game, player by player."""

    book: RuleBook
    players: tuple[PlayerReport, ...]
    finished: bool
    winners: tuple[int, ...]
    wins: GameWins | None = None  #: where others play too, once it is worked out

    @property
    def judged_by(self) -> Currency:
        """Points, or the win where others play: there a gamble that was right is no mistake."""
        return Currency.POINTS if self.wins is None else Currency.WIN

    def __repr__(self) -> str:
        return f"<Report of {self.book.key!r}: {', '.join(f'{player.name} {player.total}' for player in self.players)}>"

    def _repr_html_(self) -> str:
        """The report in short, for a notebook."""
        from fivedice.analysis.report_lines import report_html  # which reads reports, so it comes after them

        return report_html(self)

    @property
    def turns_by_points(self) -> int:
        """Of all players: see there."""
        return sum(player.turns_by_points for player in self.players)

    @property
    def final_dice_turns(self) -> int:
        """Of all players: see there."""
        return sum(player.final_dice_turns for player in self.players)

    def costliest(
        self, most: int = COSTLIEST, seat: int | None = None, by: Currency | None = None
    ) -> tuple[Moment, ...]:
        """The decisions that lost most, worst first: of one player, or of all."""
        players = self.players if seat is None else (self.players[seat],)
        currency = self.judged_by if by is None else by
        moments = [(loss_of(each.decision, currency), each) for player in players for each in player.moments]
        costly = sorted((each for each in moments if each[0] > 0), key=lambda each: -each[0])
        return tuple(moment for _, moment in costly[:most])


def report(
    game: Game, solution: Solution | None = None, *, win: bool = True, progress: Progress | None = None
) -> Report:
    """The report of a game, finished or not. Without a solution of its book, the book is solved first.

    With `win`, a game with others is told in chances of winning too, which takes a second or two; the first time that
    is asked of a book, it is prepared: see `Solution.prepare`.
    """
    if len(game.players) > MOST_PLAYERS:
        raise IllegalError("report.players", most=MOST_PLAYERS, count=len(game.players))
    if solution is None:
        from fivedice.solver import solve

        solution = solve(game.book)
    return report_with(game, solution, _wins(game, solution, progress) if win else None)


def report_with(game: Game, solution: Solution, wins: GameWins | None) -> Report:
    """The report, with chances of winning if they have been worked out."""
    outcome = game.outcome
    players = tuple(player_report(game, seat, solution, wins) for seat in range(len(game.players)))
    return Report(game.book, players, outcome is not None, () if outcome is None else outcome.winners, wins)


def _wins(game: Game, solution: Solution, progress: Progress | None) -> GameWins | None:
    """None alone, where nothing is prepared for the rules, and where the packages for it are missing."""
    if len(game.players) == 1 or not has_compiler():
        return None
    from fivedice.analysis.win_report import can_judge, wins_of

    return wins_of(game, solution, progress) if can_judge(game, solution) else None


def player_report(game: Game, seat: int, solution: Solution, wins: GameWins | None = None) -> PlayerReport:
    """One player's part of the report."""
    card = Scorecard.empty(game.book)
    own = ((number, step) for number, step in enumerate(game.steps) if step.before.seat == seat)
    steps = [(number, step) for number, step in own if isinstance(step.move, Throw | Hold | Mark)]
    turns = tuple(_turn(number, steps_of, solution, wins) for number, steps_of in enumerate(_turns(steps), 1))
    dice = count_dice((step for _, step in steps), game.book.faces)
    start = card.total + solution.value(card)
    return PlayerReport(
        seat, game.players[seat], game.position.cards[seat], start, turns, dice, _player_wins(game, wins, seat)
    )


def _player_wins(game: Game, wins: GameWins | None, seat: int) -> PlayerWins | None:
    if wins is None:
        return None
    from fivedice.analysis.win_report import player_wins

    return player_wins(game, wins, seat)


_Numbered = tuple[int, Step]  # with its place in the game


def _turns(steps: Iterable[_Numbered]) -> Iterator[list[_Numbered]]:
    """Cut one player's steps after every mark; the last turn may be unfinished."""
    turn: list[_Numbered] = []
    for number, step in steps:
        turn.append((number, step))
        if isinstance(step.move, Mark):
            yield turn
            turn = []
    if turn:
        yield turn


def _turn(number: int, numbered: list[_Numbered], solution: Solution, wins: GameWins | None) -> TurnReport:
    steps = [step for _, step in numbered]
    before, thrown = steps[0].before, steps[0].move
    ended = numbered[-1][0] if isinstance(steps[-1].move, Mark) else None
    if isinstance(thrown, Throw) and not thrown.told:
        return replace(_by_points(number, steps, solution), ended=ended)
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
            decided = judged(values, roll, step.before.rolls_left, step.move)
            decisions.append(decided if wins is None else replace(decided, win=wins.moves[place].decision))
            now = decided.value
    card = steps[-1].after.cards[before.seat]
    box = steps[-1].move.box if isinstance(steps[-1].move, Mark) else None
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.card.extra_total
    saved = 0 if box is None else card.saved
    told = tuple(falls), tuple(decisions), now
    return TurnReport(number, values.start, *told, box, points, extra, saved, ended=ended)


def _by_points(number: int, steps: list[Step], solution: Solution) -> TurnReport:
    """A turn whose dice were not told: before, after, and nothing in between."""
    before, mark = steps[0].before.card, steps[-1].move
    card = steps[-1].after.cards[steps[0].before.seat]
    box = mark.box if isinstance(mark, Mark) else None
    start, end = (each.total + solution.value(each) for each in (before, card))
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.extra_total
    return TurnReport(number, start, (), (), end, box, points, extra, card.saved, by_points=True)
