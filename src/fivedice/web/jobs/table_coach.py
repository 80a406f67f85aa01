"""Hints and odds at a table, from solutions that are ready.

Nothing here waits for a solution. Chases for the score to beat are computed in the background once a game is far
enough, and so are the odds of a table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from time import process_time, thread_time
from typing import TYPE_CHECKING

from fivedice.coaching import training
from fivedice.coaching.training import (
    AUTO,
    Beat,
    GameOdds,
    Goal,
    boxes_to_chase,
    is_training,
    is_worth_chasing,
    require_hint_position,
    require_running_position,
    to_beat,
)
from fivedice.coaching.win_hints import can_win, is_quick
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position, Scorecard
from fivedice.errors import FivediceError
from fivedice.message import message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.playing import slots_of
from fivedice.table.refusals import Refusal
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState
from fivedice.text import word
from fivedice.web.http.client_limits import CONTEXT
from fivedice.web.jobs.solutions import ASKED, COACH_BUSY, Aside, JobQueue, Readiness, Solutions

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice, Coaching
    from fivedice.coaching.win_hints import Stakes
    from fivedice.reports.race import Race
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase

MOST_TABLES = 1024  # with a chase that was asked for
MOST_BYTES = 1 << 27  # of all cached chases
_KEPT_STAKES = 256  # versions of tables


class Chases:
    """The chases of all tables, created once per server process.

    A chase from one card also answers for all cards that follow it, so a game needs one, or two after an undo.
    """

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs
        self._found: SizedLRUCache[str, Chase] = SizedLRUCache(lambda chase: chase.nbytes, MOST_BYTES)
        self._asked: BoundedMap[str, tuple[Scorecard, int]] = BoundedMap(MOST_TABLES)
        self._shares: BoundedMap[str, float] = BoundedMap(MOST_TABLES)
        self._guard = Lock()

    def ready(self, table: str, card: Scorecard, target: int) -> Chase | None:
        """Return the chase at a table, if it is ready and covers this card and this total."""
        found = self._found.get(table)
        return found if found is not None and _covers(found, card, target) else None

    def want(self, table: str, card: Scorecard, target: int) -> Readiness:
        """Start the chase unless it is ready, and return its progress."""
        if self.ready(table, card, target) is not None:
            return Readiness("ready", 1.0, message("coach.chase-ready", target=target))
        if not is_worth_chasing(card):
            return Readiness(
                "too-large", 0.0, message("coach.chase-later", target=target, count=boxes_to_chase(card.book))
            )
        with self._guard:
            if self._asked.get(table) != (card, target):
                if self._jobs.full:
                    return COACH_BUSY
                self._asked[table] = card, target
                self._shares[table] = 0.0
                self._jobs.put(ASKED, partial(self._chase, table, card, target))
        share = self._shares.get(table, 0.0)
        return Readiness("running", share, message("coach.chase-running", target=target, share=int(100 * share)))

    def _chase(self, table: str, card: Scorecard, target: int) -> None:
        if self._asked.get(table) != (card, target):
            return  # the game went on, and another chase was asked for
        from fivedice.solver.chase import chase

        try:
            found = chase(card.book, card=card, most=target, progress=self._jobs.watch(partial(self._note, table)))
        except FivediceError:
            return  # too large for memory: a later card will be asked for
        with self._guard:
            self._found[table] = found
            self._asked.pop(table, None)

    def _note(self, table: str, share: float) -> None:
        self._shares[table] = share


def _covers(found: Chase, card: Scorecard, target: int) -> bool:
    try:
        found.chance(card, target)
    except FivediceError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class HintView:
    """The coach's answer: what to do, or how far the coach is."""

    readiness: Readiness
    coaching: Coaching | None = None
    dice: tuple[int, ...] = ()  # by slot
    slots: tuple[tuple[int, ...] | None, ...] = ()  # for each choice, the slots of the dice to keep
    aim: Goal = AUTO  # what was chosen
    target: int | None = None  # the total that beats the score to beat, if there is one
    others: bool = False  # whether there is someone to win against
    note: str | None = None  # why the hint is for something else than was asked for
    unfolded: bool = False  # whether the costs are shown

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.coaching is None else self.coaching.choices

    @property
    def advised(self) -> str:
        """Return the ids of the page's parts that are advised: dice to keep, or a box to score."""
        choice = None if self.coaching is None else self.coaching.advised
        if choice is None:
            return ""
        if choice.box is not None:
            return f"box-{choice.box}"
        return " ".join(f"die-{slot}" for slot in self.slots[0] or ())


@dataclass(frozen=True, slots=True)
class Question:
    """A roll to decide, and the key of its cached answers: the game and its version, or the position itself."""

    position: Position
    roll: Roll
    name: str
    version: int = 0


class StakesBoard:
    """The value of rolls in shares of the win, computed once each and one at a time; one board per server process.

    An exact endgame uses threads of its own, so the client is charged for the time of the whole process meanwhile.
    """

    def __init__(self) -> None:
        self._found: SizedLRUCache[tuple[str, int], Stakes] = SizedLRUCache(most=_KEPT_STAKES)
        self._one_at_a_time = Lock()

    def of(self, question: Question, solution: Solution) -> Stakes:
        from fivedice.coaching.win_hints import stakes

        key = question.name, question.version
        with self._one_at_a_time:
            found = self._found.get(key)
            if found is None:
                all_threads, this = process_time(), thread_time()
                found = self._found[key] = stakes(question.position, solution)
                context = CONTEXT.get()
                if context is not None and context.limits is not None:
                    context.limits.charge(
                        context, "work", max(0.0, (process_time() - all_threads) - (thread_time() - this))
                    )
        return found


@dataclass(frozen=True, slots=True)
class CautionView:
    """A move that costs more than its player wants, what would be better, and the form to send again."""

    cost: str
    instead: str
    action: str
    hold: tuple[int, ...]
    box: str


class Coaches:
    """The coach of all tables, created once per server process."""

    def __init__(self, most_waiting: int = 0, aside: Aside | None = None) -> None:
        self.solutions = Solutions(most_waiting, aside)
        self.chases = Chases(self.solutions.jobs)
        self.stakes = StakesBoard()

    def hint(self, state: TableState, player: str, aim: Goal, target: int | None) -> HintView:
        """Return a hint for the person on turn. Raise a refusal without dice, or where the table has no coach.

        `target` is the total that beats the best score of a person who plays alone.
        """
        position, roll = require_hint_position(state, player)
        wanted = aim
        if aim.kind == "beat":  # without a score to beat, the coach decides
            wanted = AUTO if target is None else Goal("target", target)
        found = self.answer(Question(position, roll, state.id, state.game_version), wanted)
        slots = tuple(None if each.keep is None else slots_of(state, each.keep) for each in found.choices)
        return replace(found, dice=state.slots, slots=slots, aim=aim, target=target, others=can_win(position))

    def answer(self, question: Question, aim: Goal) -> HintView:
        """Return what to do for an aim, or the progress of its solution."""
        if aim.target is not None and limits.has_odds(question.position.book):
            return self._to_reach(question, aim.target)
        readiness, solution = self.solutions.want(question.position.book), self.solutions.ready(question.position.book)
        if solution is None:
            return HintView(readiness)
        if can_win(question.position) and is_quick(question.position, solution):
            return HintView(readiness, self._with_others(question, solution, aim))
        return HintView(
            readiness, self._for_points(question, solution), note=self._explain_no_win(question, solution, aim)
        )

    def _for_points(self, question: Question, solution: Solution) -> Coaching:
        from fivedice.coaching.hints import coach
        from fivedice.solver.bonus import known

        position = question.position
        return coach(solution, position.card, question.roll, position.rolls_left, bonuses=known(solution))

    def _with_others(self, question: Question, solution: Solution, aim: Goal) -> Coaching:
        from fivedice.coaching.win_hints import coach_with_others
        from fivedice.solver.bonus import known

        measured = self.stakes.of(question, solution)
        return coach_with_others(solution, question.position, aim, measured, bonuses=known(solution))

    def _explain_no_win(self, question: Question, solution: Solution, aim: Goal) -> str | None:
        """Return why a hint is for points although the win was asked for."""
        if aim.kind == "target":
            return word("coach.win-unknown")
        if aim.kind != "win":
            return None
        position = question.position
        if not can_win(position):
            return word("coach.win-alone" if len(position.seats_in) == 1 else "coach.win-unknown")
        return f"{self.solutions.want_odds(solution).sentence} {word('coach.until-then')}"

    def _to_reach(self, question: Question, target: int) -> HintView:
        position = question.position
        readiness = self.chases.want(question.name, position.card, target)
        hunt = self.chases.ready(question.name, position.card, target)
        if hunt is None and readiness.state == "too-large":
            return self._hint_meanwhile(question, readiness)
        if hunt is None:
            return HintView(readiness)
        from fivedice.coaching.hints import coach_to_reach

        return HintView(readiness, coach_to_reach(hunt, position.card, question.roll, position.rolls_left, target))

    def _hint_meanwhile(self, question: Question, chase: Readiness) -> HintView:
        """Return a hint for points: early in a game they are also the best way to a high score."""
        readiness, solution = self.solutions.want(question.position.book), self.solutions.ready(question.position.book)
        if solution is None:
            return HintView(readiness)
        note = f"{chase.sentence} {word('coach.until-then')}"
        return HintView(readiness, self._for_points(question, solution), note=note)

    def caution(self, state: TableState, command: cmd.Command, limit: int) -> CautionView | None:
        """Return a warning about a move that costs more than `limit` points; None if it does not, or is unknown.

        A move that will be refused gets no warning: the refusal says more.
        """
        if not is_training(state, limit):
            return None
        try:
            position, roll = require_hint_position(state, command.player)
            move = _move(state, command)
            self.solutions.want(state.book)
            solution = self.solutions.ready(state.book)
            if move is None or solution is None:
                return None
            found = training.caution(solution, position, roll, move, limit)
        except (FivediceError, Refusal):
            return None
        if found is None:
            return None
        form = ("roll", command.hold, "") if isinstance(command, cmd.RollDice) else ("score", (), str(move))
        return CautionView(str(found.cost), str(found.instead), *form)


def _move(state: TableState, command: cmd.Command) -> Keep | str | None:
    """Return the dice to keep or the box of a command."""
    if isinstance(command, cmd.FillBox):
        return state.book.box(command.box).key
    if isinstance(command, cmd.RollDice) and all(0 <= slot < len(state.slots) for slot in command.hold):
        return Keep(tuple(state.slots[slot] for slot in sorted(set(command.hold))))
    return None


_KEPT_RACES = 256  # versions of tables
_NONE = Readiness("failed", 0.0, message("coach.no-odds"))


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The odds of a table, or their progress; and the progress of the chase for the score to beat."""

    readiness: Readiness
    odds: GameOdds | None = None
    chase: Readiness | None = None

    @property
    def race(self) -> Race | None:
        return None if self.odds is None else self.odds.race

    @property
    def beat(self) -> Beat | None:
        return None if self.odds is None else self.odds.beat


class OddsBoard:
    """The odds of all tables, created once per server process.

    Each version of a table is computed once, however many viewers there are; concurrent requests wait for it.
    """

    def __init__(self, coaches: Coaches) -> None:
        self._coaches = coaches
        self._races: SizedLRUCache[tuple[str, int], Race] = SizedLRUCache(most=_KEPT_RACES)
        self._one_at_a_time = Lock()

    def odds(self, state: TableState, target: int | None) -> TableOdds:
        """For anybody at a table where the coach may be asked; `target` beats the own best of a solo player."""
        position = require_running_position(state)
        if not limits.has_odds(state.book):
            return TableOdds(_NONE)
        readiness, solution = self._coaches.solutions.want(state.book), self._coaches.solutions.ready(state.book)
        if solution is None:
            return TableOdds(readiness)
        with self._one_at_a_time:
            race = self._race(state, position, solution)
        if race is None:
            return TableOdds(self._coaches.solutions.want_odds(solution))
        if target is None:
            return TableOdds(readiness, GameOdds(race))
        chases = self._coaches.chases
        chase = chases.want(state.id, position.card, target)
        beat = to_beat(position, solution, target, chases.ready(state.id, position.card, target))
        return TableOdds(readiness, GameOdds(race, beat), chase)

    def _race(self, state: TableState, position: Position, solution: Solution) -> Race | None:
        from fivedice.reports.race import is_ready, race

        key = state.id, state.game_version
        found = self._races.get(key)
        if found is None and is_ready(position, solution):
            found = self._races[key] = race(position, solution)
        return found
