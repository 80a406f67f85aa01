"""What the coach says at a table, and what everyone may expect there, from the solutions that are at hand.

Nothing here waits for one. Hunts for the score to beat are worked out beside the pages as soon as a game is far enough
on, and the odds of a table beside its moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from fivedice.coaching import training
from fivedice.coaching.game_odds import Beat, GameOdds, boxes_to_chase, to_beat, worth_chasing
from fivedice.coaching.training import to_expect, to_judge, trains
from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError
from fivedice.game import Position, Scorecard
from fivedice.message import message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.table import commands as cmd
from fivedice.table.autoplay import slots_of
from fivedice.table.refusals import Refusal
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState
from fivedice.web.http.forms import Aim
from fivedice.web.runtime.job_queue import ASKED, JobQueue
from fivedice.web.runtime.solutions import HANDS_FULL, Readiness, Solutions
from fivedice.words import word

if TYPE_CHECKING:
    from fivedice.analysis.race import Race
    from fivedice.coaching.hints import Coaching
    from fivedice.rules import RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase

MOST_TABLES = 1024  # where one was asked for
MOST_BYTES = 1 << 28  # that all hunts together may keep


class Chases:
    """One a process. A hunt from one card answers for all that follow it, so a game needs one, or two after an undo."""

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs
        self._found: SizedLRUCache[str, Chase] = SizedLRUCache(lambda chase: chase.nbytes, MOST_BYTES)
        self._asked: BoundedMap[str, tuple[Scorecard, int]] = BoundedMap(MOST_TABLES)
        self._shares: BoundedMap[str, float] = BoundedMap(MOST_TABLES)
        self._guard = Lock()

    def ready(self, table: str, card: Scorecard, target: int) -> Chase | None:
        """The hunt at a table, if it is at hand and knows this card and this total."""
        found = self._found.get(table)
        return found if found is not None and _knows(found, card, target) else None

    def want(self, table: str, card: Scorecard, target: int) -> Readiness:
        """Have it worked out if it is not, and say how far that is."""
        if self.ready(table, card, target) is not None:
            return Readiness("ready", 1.0, message("coach.chase-ready"))
        if not worth_chasing(card):
            return Readiness("too-large", 0.0, message("coach.chase-later", count=boxes_to_chase(card.book)))
        with self._guard:
            if self._asked.get(table) != (card, target):
                if self._jobs.full:
                    return HANDS_FULL
                self._asked[table] = card, target
                self._shares[table] = 0.0
                self._jobs.put(ASKED, partial(self._hunt, table, card, target))
        share = self._shares.get(table, 0.0)
        return Readiness("running", share, message("coach.chase-running", share=int(100 * share)))

    def _hunt(self, table: str, card: Scorecard, target: int) -> None:
        if self._asked.get(table) != (card, target):
            return  # the game has gone on, and another hunt was asked for
        from fivedice.solver.chase import chase

        try:
            found = chase(card.book, card=card, most=target, progress=self._jobs.watch(partial(self._note, table)))
        except FivediceError:
            return  # too large for memory: it stays as it is, and a later card is asked for
        with self._guard:
            self._found[table] = found
            self._asked.pop(table, None)

    def _note(self, table: str, share: float) -> None:
        self._shares[table] = share


def _knows(found: Chase, card: Scorecard, target: int) -> bool:
    try:
        found.chance(card, target)
    except FivediceError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Hint:
    """The coach's answer: what to do, or how far the coach is."""

    readiness: Readiness
    coaching: Coaching | None = None
    dice: tuple[int, ...] = ()  # as they lie on the table
    slots: tuple[tuple[int, ...] | None, ...] = ()  # for each choice, the slots of the dice to hold
    aim: Aim = "points"
    target: int | None = None  # the total that beats the score to beat, if there is one
    note: str | None = None  # where the advice is for something else than was asked for: why
    unfolded: bool = False  # whether the costs are asked for

    @property
    def advised(self) -> str:
        """The parts of the page that are meant: dice to keep, or a box to score."""
        choice = None if self.coaching is None else self.coaching.advised
        if choice is None:
            return ""
        if choice.box is not None:
            return f"box-{choice.box}"
        return " ".join(f"die-{slot}" for slot in self.slots[0] or ())


@dataclass(frozen=True, slots=True)
class Caution:
    """A move that costs more than its player wants, what would be better, and the form to send again."""

    cost: str
    instead: str
    action: str
    hold: tuple[int, ...]
    box: str


class Coaches:
    """One a process: the coach of all tables."""

    def __init__(self, most_waiting: int = 0) -> None:
        self.solutions = Solutions(most_waiting)
        self.chases = Chases(self.solutions.jobs)

    def hint(self, state: TableState, player: str, aim: Aim, target: int | None) -> Hint:
        """For the person on turn, with dice on the table; refused where the table is played without a coach."""
        position, roll = to_judge(state, player)
        if aim == "beat" and target is not None:
            return self._to_beat(state, position, roll, target)
        readiness, found = self.advice(state.book, position.card, roll, position.rolls_left)
        return _hint(state, readiness, found, "points", target)

    def advice(self, book: RuleBook, card: Scorecard, roll: Roll, rolls_left: int) -> tuple[Readiness, Coaching | None]:
        """What to do for the most points, or how far the solution is."""
        readiness, solution = self.solutions.want(book), self.solutions.ready(book)
        if solution is None:
            return readiness, None
        from fivedice.coaching.hints import coach
        from fivedice.solver.bonus import known

        return readiness, coach(solution, card, roll, rolls_left, bonuses=known(solution))

    def _to_beat(self, state: TableState, position: Position, roll: Roll, target: int) -> Hint:
        readiness = self.chases.want(state.id, position.card, target)
        hunt = self.chases.ready(state.id, position.card, target)
        if hunt is None and readiness.state == "too-large":
            return self._until_then(state, position, roll, target, readiness)
        if hunt is None:
            return Hint(readiness, aim="beat", target=target)
        from fivedice.coaching.hints import coach_to_reach

        found = coach_to_reach(hunt, position.card, roll, position.rolls_left, target)
        return _hint(state, readiness, found, "beat", target)

    def _until_then(self, state: TableState, position: Position, roll: Roll, target: int, chase: Readiness) -> Hint:
        """Early in a game the most points are also the best way to a high score."""
        readiness, found = self.advice(state.book, position.card, roll, position.rolls_left)
        note = f"{chase.sentence} {word('coach.chase-until-then')}"
        return replace(_hint(state, readiness, found, "beat", target), note=note)

    def caution(self, state: TableState, command: cmd.Command, limit: int) -> Caution | None:
        """What speaks against a move that costs more than `limit` points; None where nothing does or is known.

        A move that will be refused is not warned of: the refusal says more.
        """
        if not trains(state, limit):
            return None
        try:
            position, roll = to_judge(state, command.player)
            move = _move(state, command)
            self.solutions.want(state.book)
            solution = self.solutions.ready(state.book)
            if move is None or solution is None:
                return None
            found = training.caution(solution, position, roll, move, limit)
        except (FivediceError, Refusal):
            return None
        return None if found is None else _form(found, command, move)


def _hint(state: TableState, readiness: Readiness, found: Coaching | None, aim: Aim, target: int | None) -> Hint:
    choices = () if found is None else found.choices
    slots = tuple(None if each.keep is None else slots_of(state, each.keep) for each in choices)
    return Hint(readiness, found, state.slots, slots, aim, target)


def _form(found: training.Caution, command: cmd.Command, move: Keep | str) -> Caution:
    if isinstance(command, cmd.RollDice):
        return Caution(str(found.cost), str(found.instead), "roll", command.hold, "")
    return Caution(str(found.cost), str(found.instead), "score", (), str(move))


def _move(state: TableState, command: cmd.Command) -> Keep | str | None:
    """The keep or the box that a command stands for."""
    if isinstance(command, cmd.FillBox):
        return state.book.box(command.box).key
    if isinstance(command, cmd.RollDice) and all(0 <= slot < len(state.slots) for slot in command.hold):
        return Keep(tuple(state.slots[slot] for slot in sorted(set(command.hold))))
    return None


_KEPT_RACES = 256  # versions of tables
_NONE = Readiness("failed", 0.0, message("coach.no-odds"))


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The odds of a table, or how far they are; and how far the chase for the score to beat is."""

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
    """One a process. A version of a table is worked out once, however many look: those who ask meanwhile wait."""

    def __init__(self, coaches: Coaches) -> None:
        self._coaches = coaches
        self._races: SizedLRUCache[tuple[str, int], Race] = SizedLRUCache(most=_KEPT_RACES)
        self._one_at_a_time = Lock()

    def odds(self, state: TableState, target: int | None) -> TableOdds:
        """For anybody at a table where the coach may be asked; `target` beats the own best of a solo player."""
        position = to_expect(state)
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
        from fivedice.analysis.race import is_ready, race

        key = state.id, state.game_version
        found = self._races.get(key)
        if found is None and is_ready(position, solution):
            found = self._races[key] = race(position, solution)
        return found
