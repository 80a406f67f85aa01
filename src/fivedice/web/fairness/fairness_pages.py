"""Dice that anyone can check: verify a record, and see how all dice have fallen."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.errors import FivediceError, UnknownBook
from fivedice.message import Message, message
from fivedice.notation.proof import Verdict, verify_record
from fivedice.rules import RuleBook
from fivedice.table.proof.dice_statistics import Comparison
from fivedice.web.http.answers import Page, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.services import AppServices

ENOUGH = 5.0  # expected in each place: below that chi-square says nothing
USUAL, UNUSUAL = 2.0, 3.5  # standard deviations


@dataclass(frozen=True, slots=True)
class Checked:
    """What verifying a record came to."""

    text: str
    verdict: Verdict | None = None
    problem: Message | None = None


def checked(text: str, book: RuleBook | None = None) -> Checked:
    """The dice of a record; the book is given where it is no shipped one.

    Rules that came along with a record would be worked out for anybody who asks, and large ones take seconds.
    """
    try:
        return Checked(text, verify_record(text, book))
    except UnknownBook:
        return Checked(text, problem=message("web.verify-house-rules"))
    except FivediceError as error:
        return Checked(text, problem=error.message)


@get("/verify", sync_to_thread=False)
def verify_page() -> Page:
    return page("fairness/verify.html", checked=None)


@post("/verify", status_code=200)
def verify_pasted(form: Form) -> Page:
    """A record that somebody pasted. Nothing of it is kept."""
    found = checked(form.last("record").replace("\r\n", "\n"))  # as a browser sends line breaks
    return page("fairness/verify.html", 200 if found.verdict else 422, checked=found)


@get("/t/{table:str}/dice")
def table_dice(services: AppServices, person: Person, table: str) -> Page:
    """The dice of a table, derived again as soon as its secret has been told."""
    seen = services.view(table, person)
    if seen.secret is None or seen.record is None:
        raise NotFound("web.dice-not-revealed")
    return page("fairness/verify.html", checked=checked(seen.record, services.tables.state(table).book))


@get("/fairness")
def fairness(services: AppServices) -> Page:
    """How all dice of this server have fallen."""
    tally, complete = services.dice_counts.look()
    tests = {"faces": tally.of_faces(), "pairs": tally.of_pairs(), "patterns": tally.of_patterns()}
    told = {name: judged(found) for name, found in tests.items()}
    return page("fairness/fairness.html", tally=tally, complete=complete, tests=tests, judged=told)


def judged(comparison: Comparison) -> Message:
    """What the chi-square says."""
    if not comparison.lines or min(line.expected for line in comparison.lines) < ENOUGH:
        return message("web.dice-too-few")
    far = abs(comparison.deviation)
    kind = "usual" if far < USUAL else "unusual" if far < UNUSUAL else "unfair"
    return message(f"web.dice-{kind}")
