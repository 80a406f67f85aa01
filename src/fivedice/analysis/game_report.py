"""`report(game)`: what luck and decisions made of a game, so that for every player, to the last point,

    final total = expected at the start + luck - lost by decisions + what turns by their points alone brought.

Every number is an expected final total under perfect solo play, or a difference of two of them. In an unfinished game
the left side is what is expected now. At the end of the file the same as JSON, for programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fivedice.analysis.decisions import Decision, DiceCount, Fall, TurnValues, count_dice, judged
from fivedice.analysis.perfect import Perfect
from fivedice.dice import Roll
from fivedice.errors import IllegalError
from fivedice.game import Game, Hold, Mark, Scorecard, Step, Throw
from fivedice.rules import RuleBook
from fivedice.solver import Solution

MOST_PLAYERS = 12
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
    def final_dice_only(self) -> bool:
        return any(fall.last for fall in self.falls)


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

    def __repr__(self) -> str:
        return f"<PlayerReport of {self.name!r}: {self.card!r}>"

    @property
    def total(self) -> int:
        return self.card.total

    @property
    def expected(self) -> float:
        """The final total, or what it is expected to be now."""
        return self.turns[-1].end if self.turns else self.start

    @cached_property
    def luck(self) -> float:
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
        return sum(len(turn.decisions) for turn in self.turns)

    @cached_property
    def best_decisions(self) -> int:
        return sum(each.is_best for turn in self.turns for each in turn.decisions)

    @property
    def accuracy(self) -> float | None:
        """In percent: of the points that perfect play would expect of these turns, those that were not given away.

        Never below 0; None before the first decision.
        """
        if not self.decisions:
            return None
        judged = sum(turn.box is not None and not turn.by_points for turn in self.turns)
        stake = self.start * max(1, judged) / len(self.card.marks)
        return max(0.0, 100 * (1 - self.lost / stake)) if stake > 0 else 100.0


@dataclass(frozen=True, repr=False)
class Report:
    """A game, player by player."""

    book: RuleBook
    players: tuple[PlayerReport, ...]
    finished: bool
    winners: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Report of {self.book.key!r}: {', '.join(f'{player.name} {player.total}' for player in self.players)}>"

    @property
    def turns_by_points(self) -> int:
        return sum(player.turns_by_points for player in self.players)

    @property
    def final_dice_turns(self) -> int:
        return sum(player.final_dice_turns for player in self.players)

    def costliest(self, most: int = COSTLIEST, seat: int | None = None) -> tuple[Moment, ...]:
        """The decisions that lost most, worst first: of one player, or of all."""
        players = self.players if seat is None else (self.players[seat],)
        costly = [moment for player in players for moment in player.moments if moment.decision.loss > 0]
        return tuple(sorted(costly, key=lambda moment: -moment.decision.loss)[:most])


def report(game: Game, solution: Solution | None = None) -> Report:
    """The report of a game, finished or not. Without a solution of its book, the book is solved first."""
    if len(game.players) > MOST_PLAYERS:
        raise IllegalError("report.players", most=MOST_PLAYERS, count=len(game.players))
    if solution is None:
        from fivedice.solver import solve

        solution = solve(game.book)
    outcome = game.outcome
    players = tuple(player_report(game, seat, solution) for seat in range(len(game.players)))
    return Report(game.book, players, outcome is not None, () if outcome is None else outcome.winners)


def player_report(game: Game, seat: int, solution: Solution) -> PlayerReport:
    """One player's part of the report."""
    card = Scorecard.empty(game.book)
    own = (step for step in game.steps if step.before.seat == seat)
    steps = [step for step in own if isinstance(step.move, Throw | Hold | Mark)]
    turns = tuple(_turn(number, steps_of, solution) for number, steps_of in enumerate(_turns(steps), 1))
    dice = count_dice(steps, game.book.faces)
    return PlayerReport(
        seat, game.players[seat], game.position.cards[seat], card.total + solution.value(card), turns, dice
    )


def _turns(steps: list[Step]) -> Iterator[list[Step]]:
    """Cut one player's steps after every mark; the last turn may be unfinished."""
    turn: list[Step] = []
    for step in steps:
        turn.append(step)
        if isinstance(step.move, Mark):
            yield turn
            turn = []
    if turn:
        yield turn


def _turn(number: int, steps: list[Step], solution: Solution) -> TurnReport:
    before, thrown = steps[0].before, steps[0].move
    if isinstance(thrown, Throw) and not thrown.told:
        return _by_points(number, steps, solution)
    values = TurnValues(solution, before.card)
    now, falls, decisions = values.start, list[Fall](), list[Decision]()
    for step in steps:
        if isinstance(step.move, Throw):
            after = values.roll(step.move.roll, step.after.rolls_left)
            falls.append(Fall(step.move.roll, step.after.rolls_left, now, after, step.move.last))
            now = after
        elif isinstance(step.move, Hold | Mark):
            roll = Roll(step.before.dice.faces)
            decisions.append(judged(values, roll, step.before.rolls_left, step.move))
            now = decisions[-1].value
    card = steps[-1].after.cards[before.seat]
    box = steps[-1].move.box if isinstance(steps[-1].move, Mark) else None
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.card.extra_total
    saved = 0 if box is None else card.saved
    return TurnReport(number, values.start, tuple(falls), tuple(decisions), now, box, points, extra, saved)


def _by_points(number: int, steps: list[Step], solution: Solution) -> TurnReport:
    """A turn whose dice were not told: before, after, and nothing in between."""
    before, mark = steps[0].before.card, steps[-1].move
    card = steps[-1].after.cards[steps[0].before.seat]
    box = mark.box if isinstance(mark, Mark) else None
    start, end = (each.total + solution.value(each) for each in (before, card))
    points = None if box is None else card.held(box)
    extra = card.extra_total - before.extra_total
    return TurnReport(number, start, (), (), end, box, points, extra, card.saved, by_points=True)


def report_to_json(report: Report, perfect: Perfect | None = None) -> dict[str, Any]:
    """Everything that a report says. `better_than` needs the distribution of perfect games."""
    return {
        "book": report.book.key,
        "fingerprint": report.book.fingerprint,
        "finished": report.finished,
        "winners": list(report.winners),
        "final_dice_turns": report.final_dice_turns,
        "turns_by_points": report.turns_by_points,
        "players": [_player_json(player, perfect if report.finished else None) for player in report.players],
        "costliest": [_moment_json(moment) for moment in report.costliest()],
    }


def _player_json(player: PlayerReport, perfect: Perfect | None) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "name": player.name,
        "total": player.total,
        "expected_at_start": player.start,
        "luck": player.luck,
        "lost": player.lost,
        "expected_now": player.expected,
        "accuracy": player.accuracy,
        "decisions": player.decisions,
        "best_decisions": player.best_decisions,
        "final_dice_turns": player.final_dice_turns,
        "turns_by_points": player.turns_by_points,
        "brought_by_points": player.brought,
        "better_than": perfect.better_than(player.total) if perfect is not None and player.card.is_full else None,
        "dice": {"counts": list(player.dice.counts), "expected": player.dice.expected},
        "turns": [_turn_json(turn, player.card.book) for turn in player.turns],
    }


def _turn_json(turn: TurnReport, book: RuleBook) -> dict[str, Any]:
    return {
        "number": turn.number,
        "start": turn.start,
        "end": turn.end,
        "box": turn.box,
        "points": turn.points,
        "extra": turn.extra,
        **({"saved": turn.saved} if book.save_rolls else {}),
        "by_points": turn.by_points,
        "luck": turn.luck,
        "lost": turn.lost,
        "throws": [_fall_json(fall) for fall in turn.falls],
        "decisions": [_decision_json(decision) for decision in turn.decisions],
    }


def _fall_json(fall: Fall) -> dict[str, Any]:
    return {"roll": str(fall.roll), "rolls_left": fall.rolls_left, "luck": fall.luck, "final_dice": fall.last}


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "roll": str(decision.roll),
        "rolls_left": decision.rolls_left,
        **_move_json(decision.move),
        "value": decision.value,
        "loss": decision.loss,
        "best": [_move_json(move) for move in decision.best],
    }


def _moment_json(moment: Moment) -> dict[str, Any]:
    return {"seat": moment.seat, "turn": moment.turn, **_decision_json(moment.decision)}


def _move_json(move: Hold | Mark) -> dict[str, str]:
    return {"box": move.box} if isinstance(move, Mark) else {"keep": str(move.keep)}
