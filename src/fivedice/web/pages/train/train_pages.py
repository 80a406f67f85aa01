"""The trainer: choose rules and a theme, decide, and see what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from fivedice.core.rules import DEFAULT, SHIPPED, shipped
from fivedice.errors import FivediceError
from fivedice.positions.bank import refuse_win, themes_of
from fivedice.positions.lessons import Lessons
from fivedice.positions.trainer import MISTAKES, Trainee, parse_wanted, summarize
from fivedice.store.access import VersionConflict
from fivedice.table.refusals import Refusal
from fivedice.text import name_of, word
from fivedice.text.squares import squares_of
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import COACH, get, post
from fivedice.web.pages.train.ten_pages import decision_context, move_of, solution_of
from fivedice.web.services.app_services import AppServices, Visitor

if TYPE_CHECKING:
    from fivedice.reports.statistics import GameFacts

MOST_MISTAKES = 60  # of the newest games that are offered


def lessons_of(services: AppServices) -> Lessons:
    """Return the trainer of this server."""
    return Lessons(services.tables.store.decisions, services.book, partial(solution_of, services.solutions))


def mistakes_of(services: AppServices, person: str) -> list[tuple[str, str]]:
    """Return rules and positions of a person's own mistakes, worst first."""
    facts = services.game_counts.look(person).facts
    found = list(_mistakes(services, facts))
    return [(key, text) for key, text, _ in sorted(found, key=lambda each: -each[2])[:MOST_MISTAKES]]


def _mistakes(services: AppServices, facts: Iterable[GameFacts]) -> Iterator[tuple[str, str, float]]:
    for game in facts:
        if game.judged is None or game.book.key not in SHIPPED:
            continue
        if services.solutions.ready(game.book) is not None:
            yield from ((game.book.key, text, lost) for text, lost in game.judged.mistakes)


@get("/train", lane=COACH)
def show_training(visitor: Visitor) -> Page:
    """Return the decision that waits or was answered last; at first, the choice of a theme."""
    lessons = lessons_of(visitor.services)
    return _decision(visitor, lessons, lessons.look(visitor.person.id))


@get("/train/themes", lane=COACH)
def choose_theme(visitor: Visitor, book: str | None = None) -> Page:
    """Return the choice of rules and themes, with the summary of the last answers."""
    return _choice(visitor, lessons_of(visitor.services).look(visitor.person.id), book)


@post("/train/next", lane=COACH, status_code=303)
def next_decision(visitor: Visitor, form: Form) -> Page | SeeOther:
    """Ask the next decision. One that waits is asked again first."""
    lessons, person = lessons_of(visitor.services), visitor.person.id
    key, wanted = form.last("book", DEFAULT)[:64], parse_wanted(form.last("theme"))
    visitor.services.book(key)  # raises for unknown rules
    mistakes = mistakes_of(visitor.services, person) if wanted == MISTAKES else []
    try:
        lessons.ask(person, key, wanted, mistakes)
    except VersionConflict:  # asked in another tab meanwhile
        pass
    except Refusal:
        raise
    except FivediceError as error:
        return _choice(visitor, lessons.look(person), key, notice=str(error))
    return see_other("/train")


@post("/train/hint", lane=COACH, status_code=303)
def hint(visitor: Visitor) -> SeeOther:
    """Count a hint; the page shows it."""
    try:
        lessons_of(visitor.services).hint(visitor.person.id)
    except (VersionConflict, FivediceError) as error:
        if isinstance(error, Refusal):
            raise
    return see_other("/train")


@post("/train", lane=COACH, status_code=303)
def answer(visitor: Visitor, form: Form) -> Page | SeeOther:
    """Store an answer, and show what it cost. An old page changes nothing."""
    lessons, person = lessons_of(visitor.services), visitor.person.id
    trainee = lessons.look(person)
    if not trainee.waits or trainee.asked is None or form.last("question") != trainee.asked.id:
        return see_other("/train")
    try:
        lessons.answer(person, move_of(lessons.position_of(trainee.asked), form))
    except VersionConflict:
        pass
    except FivediceError as error:
        return _decision(visitor, lessons, trainee, notice=str(error), status=422)
    return see_other("/train")


def _decision(
    visitor: Visitor, lessons: Lessons, trainee: Trainee, *, notice: str | None = None, status: int = 200
) -> Page:
    asked = trainee.asked
    if asked is None:
        return _choice(visitor, trainee, None)
    judged = None if trainee.waits else lessons.judge_last(asked)
    hinted = lessons.hint_for(trainee) if asked.hinted and trainee.waits else None
    context = decision_context(lessons.position_of(asked), judged) | {
        "asked": asked,
        "trainee": trainee,
        "summary": summarize(trainee),
        "theme": word(f"coach.train-theme-{asked.wanted}"),
        "hint": hinted,
        "notice": notice,
        "answers": f"{visitor.services.settings.root}/train",
    }
    return page("train/train.html", status, **context)


def _choice(visitor: Visitor, trainee: Trainee, key: str | None, *, notice: str | None = None) -> Page:
    asked = trainee.asked
    key = key or (DEFAULT if asked is None else asked.book)
    book = visitor.services.book(key)
    summary = summarize(trainee)
    context: dict[str, Any] = {
        "book": key,
        "books": [(each, name_of(shipped(each))) for each in SHIPPED]
        + ([] if key in SHIPPED else [(key, name_of(book))]),
        "themes": [(theme.value, word(f"coach.train-theme-{theme}")) for theme in themes_of(book)],
        "no_win": refuse_win(book),
        "mistakes": len(mistakes_of(visitor.services, visitor.person.id)),
        "trainee": trainee,
        "summary": summary,
        "squares": squares_of(summary.losses),
        "weakest": None if summary.weakest is None else word(f"coach.train-theme-{summary.weakest}"),
        "notice": notice,
    }
    return page("train/themes.html", **context)
