"""Dice that anyone can check: verify a record, and see how all dice have fallen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Template

from fivedice.errors import FivediceError, UnknownBook
from fivedice.notation.proof import Verdict, verify_record
from fivedice.rules import RuleBook
from fivedice.table.proof.dice_statistics import Comparison
from fivedice.web.home.pages import page
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.identity import person_of
from fivedice.web.runtime.services import desk_of, in_thread

Req = Request[Any, Any, State]


@dataclass(frozen=True, slots=True)
class Checked:
    """What verifying a record came to."""

    text: str
    verdict: Verdict | None = None
    problem: str | None = None


def checked(text: str, book: RuleBook | None = None) -> Checked:
    """The dice of a record; the book is given where it is no shipped one."""
    try:
        return Checked(text, verify_record(text, book))
    except UnknownBook:
        return Checked(text, problem=_HOUSE_RULES)
    except FivediceError as error:
        return Checked(text, problem=str(error))


# Rules that came along with a record would be worked out for anybody who asks, and large ones take seconds.
_HOUSE_RULES = (
    "This game was played by house rules, which the record does not hold: follow “Check every die” on the page of its "
    "table, or take “fivedice verify FILE --book RULES.toml” or the short program below."
)


@get("/verify")
async def verify_page(request: Req) -> Template:
    return page(request, person_of(request), "fairness/verify.html", checked=None)


@post("/verify", status_code=200)
async def verify_pasted(request: Req) -> Template:
    """A record that somebody pasted. Nothing of it is kept."""
    form = await fields_of(request)
    # A browser sends line breaks as CR LF, whatever the text had.
    text = form.get("record", [""])[-1].replace("\r\n", "\n")
    found = await in_thread(checked, text)
    return page(request, person_of(request), "fairness/verify.html", 200 if found.verdict else 422, checked=found)


@get("/t/{table:str}/dice")
async def table_dice(request: Req, table: str) -> Template:
    """The dice of a table, derived again as soon as its secret has been told."""
    person, desk = person_of(request), desk_of(request)
    seen = await desk.view(table, person)
    if seen.secret is None or seen.record is None:
        raise NotFoundException("The dice of this table can be checked when its game is over.")
    state = await in_thread(desk.tables.state, table)
    found = await in_thread(checked, seen.record, state.book)
    return page(request, person, "fairness/verify.html", checked=found)


@get("/fairness")
async def fairness(request: Req) -> Template:
    """How all dice of this server have fallen."""
    tally, complete = await in_thread(desk_of(request).dice_counts.look)
    tests = {"faces": tally.of_faces(), "pairs": tally.of_pairs(), "patterns": tally.of_patterns()}
    context: dict[str, Any] = {
        "tally": tally,
        "complete": complete,
        "tests": tests,
        "judged": {k: judged(v) for k, v in tests.items()},
    }
    return page(request, person_of(request), "fairness/fairness.html", **context)


ENOUGH = 5.0  # expected in each place: below that chi-square says nothing


def judged(comparison: Comparison) -> str:
    """The chi-square in words."""
    if not comparison.lines or min(line.expected for line in comparison.lines) < ENOUGH:
        return "too few dice so far to tell"
    far = abs(comparison.deviation)
    return "as fair dice fall" if far < 2 else "a little unusual" if far < 3.5 else "not how fair dice fall"


handlers = [verify_page, verify_pasted, table_dice, fairness]
