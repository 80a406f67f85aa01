"""The part of the JSON API for decisions: the ten of a day, and the trainer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeVar

from litestar.openapi.spec import Example
from litestar.params import Body

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import write_position
from fivedice.core.rules import DEFAULT
from fivedice.errors import FivediceError
from fivedice.positions.bank import TEN
from fivedice.positions.judging import Judgement, write_move
from fivedice.positions.trainer import MISTAKES, Trainee, parse_wanted
from fivedice.store.access import VersionConflict
from fivedice.store.decision_store import TenResult
from fivedice.table.refusals import AgainstTheRules, BadRequest, Refusal, WrongPhase
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import COACH, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.train.ten_pages import DayTen, answer_ten, judge_stored, ten_of
from fivedice.web.pages.train.train_pages import lessons_of, mistakes_of
from fivedice.web.services.app_services import AppServices

_T = TypeVar("_T")
_DAY = "2026-11-18"


@dataclass(frozen=True, slots=True)
class MoveBody:
    """The dice to keep, such as `44`, or nothing to roll all (`-`); or a box by its key or code."""

    keep: str | None = None
    box: str | None = None

    def move_in(self, position: Position) -> Hold | Mark:
        """Return the move. Raise a refusal unless it is exactly one of both."""
        if (self.keep is None) == (self.box is None):
            raise BadRequest("coach.train-nothing-chosen")
        try:
            if self.keep is None:
                return Mark(position.book.box((self.box or "")[:40]).key)
            return Hold(Keep.parse(self.keep[:20]))
        except Refusal:
            raise
        except FivediceError as error:
            raise AgainstTheRules(error.message) from None


@dataclass(frozen=True, slots=True)
class TenMove:
    """An answer to the decision `number`, counted from 1, of a day; without `day`, of today."""

    number: int
    keep: str | None = None
    box: str | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A stored answer: the move and the best one, as `>44` or `=fh`, the points lost, and why.

    In the theme `win`, `share` has the odds to win after the move, and `lost` is in percentage points.
    """

    position: str
    move: str
    lost: float
    best: str
    sentence: str
    why: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class TenShape:
    """The ten of a day as far as you have answered them; `next` is the position to decide, if any is left."""

    day: str
    book: str
    fingerprint: str
    answered: int
    lost: float
    squares: str
    late: bool
    next: str | None
    answers: list[JudgedMove]


@dataclass(frozen=True, slots=True)
class ResultCount:
    """One result, how many people have it, and its rank."""

    lost: float
    people: int
    rank: int


@dataclass(frozen=True, slots=True)
class FieldShape:
    """How many people lost how many points in the ten of a day; equal results share a `rank`."""

    day: str
    people: int
    results: list[ResultCount]


@dataclass(frozen=True, slots=True)
class TrainShape:
    """Your training: the rating, the decision that waits (`next`), and the last answer."""

    rating: float
    deviation: float
    answered: int
    hints: int
    book: str | None
    theme: str | None
    next: str | None
    hint: str | None = None
    last: JudgedMove | None = None


@dataclass(frozen=True, slots=True)
class NextBody:
    """The rules, by key or id, and a theme: see docs/positions.md; `mistakes` are those of your own games."""

    book: str = DEFAULT
    theme: str = ""


TenData = Annotated[TenMove, Body(examples=[Example("keep two fours", value={"number": 1, "keep": "44", "day": _DAY})])]
MoveData = Annotated[MoveBody, Body(examples=[Example("score a box", value={"box": "fh"})])]
NextData = Annotated[NextBody, Body(examples=[Example("the upper bonus", value={"book": DEFAULT, "theme": "bonus"})])]


_stores = partial(post, lane=COACH, status_code=200, responses=shapes.WRITING, security=shapes.SECURITY)


@get("/daily/ten", lane=COACH, summary="The ten decisions of a day", responses=shapes.UNKNOWN, security=shapes.SECURITY)
def ten(services: AppServices, player: Person, day: str | None = None) -> TenShape:
    """Return your answers, and the next position. The best moves are there only for what is answered."""
    found = ten_of(services, day)
    return _ten(services, found, services.tables.store.decisions.ten_result(player.id, found.name))


@_stores("/daily/ten", summary="Answer one of the ten")
def answer_one_of_ten(services: AppServices, player: Person, data: TenData) -> TenShape:
    """Store an answer and return what it cost. Each decision takes one answer, in order."""
    found = ten_of(services, data.day)
    if not 1 <= data.number <= TEN:
        raise BadRequest("coach.train-no-such-number", number=data.number, count=TEN)
    move = MoveBody(data.keep, data.box).move_in(found.positions[data.number - 1].position)
    try:
        result = answer_ten(services, player.id, found, data.number - 1, move)
    except VersionConflict:
        raise WrongPhase("coach.train-answered", number=data.number) from None
    return _ten(services, found, result)


@get("/daily/ten/field", summary="How everyone did in the ten of a day", responses=shapes.UNKNOWN)
def ten_field(services: AppServices, day: str | None = None) -> FieldShape:
    """Return counts of results, the best first."""
    name = ten_of(services, day).name
    field = services.tables.store.decisions.field(name)
    results = [ResultCount(lost / 10, count, field.rank(lost)) for lost, count in sorted(field.counts.items())]
    return FieldShape(name, field.players, results)


@get("/train", lane=COACH, summary="Your training", responses=shapes.NO_KEY, security=shapes.SECURITY)
def training(services: AppServices, player: Person) -> TrainShape:
    lessons = lessons_of(services)
    trainee = lessons.look(player.id)
    asked = trainee.asked
    last = None if asked is None or trainee.waits else _describe(lessons.judge_last(asked))
    hint = lessons.hint_for(trainee) if asked is not None and asked.hinted else None
    return _train(trainee, last, None if hint is None else str(hint))


@_stores("/train/next", summary="Ask for the next decision")
def next_question(services: AppServices, player: Person, data: NextData) -> TrainShape:
    """Return a decision at your level; one that waits with the same rules and theme is returned again."""
    wanted, key = parse_wanted(data.theme), data.book[:64]
    if wanted != data.theme:
        raise BadRequest("coach.train-unknown-theme", theme=data.theme[:40])
    services.book(key)  # raises for unknown rules
    mistakes = mistakes_of(services, player.id) if wanted == MISTAKES else []
    return _train(_step(lambda: lessons_of(services).ask(player.id, key, wanted, mistakes)))


@_stores("/train/hint", summary="A hint for the decision that waits")
def training_hint(services: AppServices, player: Person) -> TrainShape:
    """Return why the best move is best, without the move. Hints are counted, and the answer is not rated."""
    trainee, hint = _step(lambda: lessons_of(services).hint(player.id))
    return _train(trainee, hint=str(hint))


@_stores("/train/answer", summary="Answer the decision that waits")
def training_answer(services: AppServices, player: Person, data: MoveData) -> TrainShape:
    """Store an answer, and return what it cost and your new rating."""
    lessons = lessons_of(services)
    waiting = lessons.look(player.id)
    if waiting.asked is None or not waiting.waits:
        raise WrongPhase("coach.train-nothing-asked")
    move = data.move_in(lessons.position_of(waiting.asked))
    trainee, judged = _step(lambda: lessons.answer(player.id, move))
    return _train(trainee, _describe(judged))


def _step(step: Callable[[], _T]) -> _T:
    """Return the result of a step. Raise a refusal if it is not possible, or another request was first."""
    try:
        return step()
    except VersionConflict:
        raise WrongPhase("coach.train-changed") from None
    except Refusal:
        raise
    except FivediceError as error:
        raise AgainstTheRules(error.message) from None


def _ten(services: AppServices, found: DayTen, result: TenResult | None) -> TenShape:
    answered = 0 if result is None else result.answered
    answers = [] if result is None else [judge_stored(services, found, result, each) for each in range(answered)]
    return TenShape(
        found.name,
        found.book.key,
        found.book.fingerprint,
        answered,
        0.0 if result is None else result.lost,
        "" if result is None else result.squares,
        found.late if result is None else result.late,
        None if answered == TEN else found.positions[answered].text,
        [_describe(each) for each in answers],
    )


def _describe(judged: Judgement) -> JudgedMove:
    book = judged.position.book
    return JudgedMove(
        write_position(judged.position),
        write_move(book, judged.move),
        judged.lost,
        write_move(book, judged.best),
        str(judged.headline),
        str(judged.why),
        judged.share,
    )


def _train(trainee: Trainee, last: JudgedMove | None = None, hint: str | None = None) -> TrainShape:
    asked, rating = trainee.asked, trainee.rating
    return TrainShape(
        rating.value,
        rating.deviation,
        trainee.answered,
        trainee.hints,
        None if asked is None else asked.book,
        None if asked is None else asked.wanted,
        None if asked is None or not trainee.waits else asked.text,
        hint,
        last,
    )
