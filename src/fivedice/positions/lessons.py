"""Lead people through decisions: the ten of a day, and training. Pages, programs and the terminal use the same.

Answers are stored before anything about the best move is returned. For rules without a bank, decisions worth thinking
about are found in games of bots that play like people.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.notation import read_position, write_position
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError, IllegalError
from fivedice.message import Message
from fivedice.players.bots.levels import Level, find_level
from fivedice.players.bots.players import HumanLikeBot
from fivedice.players.bots.solo_games import play
from fivedice.positions.bank import choose_next, position_id, positions_of, refuse_win
from fivedice.positions.judging import Judgement, check_answer, explain, judge_answer, read_move
from fivedice.positions.trainer import MISTAKES, Asked, Trainee, rating_of
from fivedice.reports.decisions import Theme, theme_of
from fivedice.solver import Solution

if TYPE_CHECKING:
    from fivedice.solver import Solution


CHEAPEST, DEAREST = 0.1, 6.0  # what the second best move may cost
CHEAPEST_TO_WIN, DEAREST_TO_WIN = 0.01, 0.2  # the same in shares of the win
MOST_BOXES = 4  # that each player may have open in a decision about the win
MOST_GAMES = 5  # that are played to find one decision: nearly every game has several
_LEVEL = "steady"


@dataclass(frozen=True, slots=True)
class FoundDecision:
    """A card and dice with one best move, whose second best costs a fair price."""

    card: Scorecard
    roll: Roll
    rolls_left: int
    theme: Theme
    best: Hold | Mark

    @property
    def position(self) -> Position:
        return Position((self.card,), 0, Keep(self.roll.faces), self.rolls_left)

    @property
    def text(self) -> str:
        """Return the position in Fivedice notation."""
        return write_position(self.position)


def find_decision(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> FoundDecision | None:
    """Return the decision, or None if it is too easy, too dear, or has several best moves."""
    options = solution.advise(card, roll, rolls_left)
    if len(options) == 1 or options[1].best or not CHEAPEST <= options[1].loss <= DEAREST:
        return None
    theme = theme_of(solution, card, roll, rolls_left, options[0].move, options[1].move)
    return FoundDecision(card, roll, rolls_left, theme, options[0].move)


@dataclass
class WatchedBot:
    """A bot whose positions and moves are noted."""

    bot: HumanLikeBot
    seen: list[tuple[Position, Hold | Mark]] = field(default_factory=list)

    def choose(self, position: Position) -> Hold | Mark:
        move = self.bot.choose(position)
        self.seen.append((position, move))
        return move


def watch_game(book: RuleBook, level: Level, seed: str) -> list[tuple[Position, Hold | Mark]]:
    """Play one game of a level and return its decisions."""
    bot = WatchedBot(HumanLikeBot(level, book, seed))
    play(book, bot, f"positions/{level.name}/{seed}")
    return bot.seen


def find_in_games(solution: Solution, seed: str, theme: Theme | None = None) -> FoundDecision | None:
    """Return a decision from a new game of a bot, of this theme if there is one; None if none is found."""
    found: FoundDecision | None = None
    for decision in _decisions(solution, seed):
        if theme is None or decision.theme is theme:
            return decision
        found = found or decision
    return found


def _decisions(solution: Solution, seed: str) -> Iterator[FoundDecision]:
    for number in range(MOST_GAMES):
        seen = watch_game(solution.book, find_level(_LEVEL), f"{seed}/{number}")
        first = int.from_bytes(seed.encode()[-2:], "big") % len(seen)
        for position, _ in (*seen[first:], *seen[:first]):
            decision = position.roll and find_decision(solution, position.card, position.roll, position.rolls_left)
            if decision:
                yield decision


Triple = tuple[float, float, float]


class TrainingStore(Protocol):
    """Where the training of people is stored; a step from an old version is refused."""

    def trainee(self, person: str) -> tuple[int, dict[str, Any]]: ...

    def save_trainee(
        self, person: str, version: int, content: dict[str, Any], ratings: Mapping[str, Triple] | None = None
    ) -> None: ...

    def position_ratings(self, ids: Collection[str]) -> dict[str, Triple]: ...


@dataclass(frozen=True, slots=True)
class Lessons:
    """The training of people.

    `book_of` finds rules by key or id; `solution_of` returns their solution, or raises while it is not ready.
    """

    store: TrainingStore
    book_of: Callable[[str], RuleBook]
    solution_of: Callable[[RuleBook], Solution]

    def look(self, person: str) -> Trainee:
        """Return the training of a person as it is."""
        return Trainee.from_data(self.store.trainee(person)[1])

    def ask(self, person: str, key: str, wanted: str, mistakes: Sequence[tuple[str, str]] = ()) -> Trainee:
        """Return the training with a decision that waits: the one that waits already, or the next.

        `key` names the rules. `wanted` is a theme, MISTAKES or nothing; `mistakes` are rules and positions of the
        person's own games, worst first. Raises IllegalError if there is none of that kind.
        """
        version, data = self.store.trainee(person)
        trainee = Trainee.from_data(data)
        if trainee.waits and trainee.asked and (trainee.asked.book, trainee.asked.wanted) == (key, wanted):
            return trainee
        asked = self._mistake(mistakes, trainee) if wanted == MISTAKES else self._next(key, wanted, trainee)
        trainee = trainee.ask(asked)
        self.store.save_trainee(person, version, trainee.to_data())
        return trainee

    def hint(self, person: str) -> tuple[Trainee, Message]:
        """Count a hint and return it: why the best move is best, without the move."""
        version, data = self.store.trainee(person)
        trainee = Trainee.from_data(data)
        hint = self.hint_for(trainee)
        if hint is None:
            raise IllegalError("coach.train-nothing-asked")
        after = trainee.take_hint()
        if after != trainee:
            self.store.save_trainee(person, version, after.to_data())
        return after, hint

    def hint_for(self, trainee: Trainee) -> Message | None:
        """Return the hint for the decision that waits."""
        if trainee.asked is None or not trainee.waits:
            return None
        position = self.position_of(trainee.asked)
        return explain(self.solution_of(position.book), position).reason.message

    def answer(self, person: str, move: Hold | Mark) -> tuple[Trainee, Judgement]:
        """Store an answer, move the ratings, and return what it cost.

        Raises IllegalMove for a move that is not possible, and IllegalError if no decision waits.
        """
        version, data = self.store.trainee(person)
        trainee = Trainee.from_data(data)
        if trainee.asked is None or not trainee.waits:
            raise IllegalError("coach.train-nothing-asked")
        position = self.position_of(trainee.asked)
        check_answer(position, move)
        judged = judge_answer(self.solution_of(position.book), position, move)
        before = rating_of(trainee.asked, self.store.position_ratings([trainee.asked.id]))
        after, moved = trainee.answer(judged, before)
        rated = None if moved is None else {trainee.asked.id: (moved.value, moved.deviation, moved.volatility)}
        self.store.save_trainee(person, version, after.to_data(), rated)
        return after, judged

    def judge_last(self, asked: Asked) -> Judgement:
        """Return what a stored answer cost."""
        position = self.position_of(asked)
        return judge_answer(self.solution_of(position.book), position, read_move(position.book, asked.move))

    def position_of(self, asked: Asked) -> Position:
        return read_position(asked.text, self.book_of(asked.book))

    def _mistake(self, mistakes: Sequence[tuple[str, str]], trainee: Trainee) -> Asked:
        """Return the worst mistake that was not asked lately, else the one asked longest ago."""
        if not mistakes:
            raise IllegalError("coach.train-no-mistakes")
        ids = {position_id(self.book_of(key), text): (key, text) for key, text in mistakes}
        fresh = [each for each in ids if each not in trainee.seen]
        chosen = fresh[0] if fresh else max(ids, key=trainee.seen.index)
        key, text = ids[chosen]
        return Asked(key, text, chosen, MISTAKES, MISTAKES)

    def _next(self, key: str, wanted: str, trainee: Trainee) -> Asked:
        book = self.book_of(key)
        if wanted == Theme.WIN and (refusal := refuse_win(book)):
            raise IllegalError(refusal)
        all_found = positions_of(book, "wins" if wanted == Theme.WIN else "positions")
        found = [each for each in all_found if not wanted or each.theme == wanted]
        solution = self.solution_of(book)  # raises while it is not ready
        if not found:
            return self._from_a_game(key, wanted, solution)
        stored = self.store.position_ratings([each.id for each in found])
        ratings = {each: rating for each, (rating, _, _) in stored.items()}
        next_one = choose_next(found, ratings, trainee.rating.value, trainee.seen, secrets.randbelow(1 << 30))
        if next_one is None:
            raise AssertionError(key)
        return Asked(key, next_one.text, next_one.id, next_one.theme, wanted)

    def _from_a_game(self, key: str, wanted: str, solution: Solution) -> Asked:
        """Return a decision of rules without a bank, from a game that a bot plays now."""
        theme = Theme(wanted) if wanted else None
        found = find_in_games(solution, secrets.token_hex(8), theme)
        if found is None:
            raise FivediceError("coach.train-none-found", rules=solution.book)
        return Asked(key, found.text, position_id(solution.book, found.text), found.theme, wanted)
