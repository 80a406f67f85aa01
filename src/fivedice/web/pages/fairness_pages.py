"""Dice that anyone can check: verify a record, and see statistics of all dice."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from litestar.response import Response
from markupsafe import Markup

from fivedice.core.game.playthrough import RULES
from fivedice.core.notation.receipts import Receipt, key_id, write_receipt
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError, UnknownBook
from fivedice.message import Message, message
from fivedice.store.fair_dice import DiceCounts
from fivedice.table.fairness.commitments import NOTHING, Findings, Noted, check_record, record_of
from fivedice.table.fairness.dice_statistics import Comparison, Tally
from fivedice.table.refusals import UnknownTable
from fivedice.text import current
from fivedice.web.http.answers import Page, file, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import LOOKS, RENDER, NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.http.page_files import environment
from fivedice.web.jobs.work_process import work
from fivedice.web.services.app_services import AppServices

ENOUGH = 5.0  # expected count of each outcome: below that chi-square says nothing
USUAL, UNUSUAL = 2.0, 3.5  # standard deviations


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of verifying a record."""

    text: str
    noted: Noted = NOTHING
    found: Findings | None = None
    problem: Message | None = None


def verify_record(text: str, book: RuleBook | None = None, noted: Noted = NOTHING) -> Checked:
    """Check a record and the notes kept with it; `book` is needed unless it is a shipped one.

    House rules inside a record are not read: large ones take seconds, and anyone may ask.
    """
    if book is None and f"\n[{RULES} " in f"\n{text}":
        return Checked(text, noted, problem=message("web.verify-house-rules"))
    try:
        return Checked(text, noted, check_record(text, book, noted, patient=False))
    except UnknownBook:
        return Checked(text, noted, problem=message("web.verify-house-rules"))
    except FivediceError as error:
        return Checked(text, noted, problem=error.message)


def _result_page(services: AppServices, found: Checked | None, status: int = 200, **more: object) -> Page:
    key = services.tables.store.receipts.public_key
    return page("fairness/verify.html", status, checked=found, public_key=key, key_id=key_id(key), **more)


@get("/verify")
def verify_page(services: AppServices) -> Page:
    return _result_page(services, None)


@post("/verify", lane=RENDER, status_code=200)
def verify_pasted(services: AppServices, form: Form) -> Page:
    """Verify a record that was pasted, with the player's notes. Nothing is stored."""
    noted = Noted(text=form.last("text") or None, receipt=form.last("receipt").strip() or None)
    found = work(
        verify_record, form.last("record").replace("\r\n", "\n"), None, noted
    )  # browsers send such line breaks
    if found.found and _has_other_moves(services, found.found.receipt, found.text):
        found = Checked(found.text, noted, problem=message("web.verify-other-record"))
    return _result_page(services, found, 200 if found.found else 422)


def _has_other_moves(services: AppServices, receipt: Receipt | None, text: str) -> bool:
    """Return whether this server holds the game of the receipt, with other moves than the record has.

    Tags are left out: names may have been deleted since, and older records have no signature.
    """
    if receipt is None:
        return False
    try:
        state = services.tables.state(receipt.table)
    except UnknownTable:
        return False
    own = {record_of(state, game).partition("\n\n")[2] for game in state.games_over}
    return bool(own) and text.partition("\n\n")[2] not in own


@get("/t/{table:str}/dice", lane=RENDER)
def table_dice(services: AppServices, person: Person, table: str) -> Page:
    """Return the dice of a table, derived again from its secret, once that is revealed."""
    seen = services.view(table, person)
    if seen.secret is None or seen.record is None:
        raise NotFound("web.dice-not-revealed")
    return _result_page(services, work(verify_record, seen.record, services.tables.state(table).book), table=table)


@get("/t/{table:str}/receipt.json", lane=LOOKS)
def receipt_file(services: AppServices, table: str) -> Response[str]:
    """Return the dice lock of a table, signed by the server, to keep before the game."""
    return file(write_receipt(receipt_of(services, table)), "application/json", f"fivedice-receipt-{table}.json")


def receipt_of(services: AppServices, table: str) -> Receipt:
    found = services.tables.store.receipts.of(services.tables.state(table))
    if found is None:
        raise NotFound("web.no-receipt")
    return found


@get("/fairness")
def fairness(services: AppServices) -> Page:
    """Return the statistics of all dice of this server, which are the same for everyone and cached."""
    key = services.tables.store.receipts.public_key
    figures = _figures(services.tables.store.dice_counts, services.settings.root)
    return page("fairness/fairness.html", figures=figures, public_key=key, key_id=key_id(key))


_made: dict[tuple[str, str], tuple[Tally, Markup]] = {}  # by root and language: the tally, and its figures
_one_at_a_time = Lock()


def _figures(counts: DiceCounts, root: str) -> Markup:
    """Return the figures, made again only if a game has ended since."""
    with _one_at_a_time:
        found = counts.look()
        key = root, current()
        known = _made.get(key)
        if known is None or known[0] != found:
            known = _made[key] = (found, _render_figures(root, found))
        return known[1]


def _render_figures(root: str, tally: Tally) -> Markup:
    tests = {"faces": tally.of_faces(), "pairs": tally.of_pairs(), "patterns": tally.of_patterns()}
    verdicts = {name: describe_deviation(found) for name, found in tests.items()}
    template = environment(root).get_template("fairness/_figures.html")
    # Escaped by the template itself, which is ours.
    return Markup(template.render(tally=tally, tests=tests, judged=verdicts))  # noqa: S704


def describe_deviation(comparison: Comparison) -> Message:
    """Return what the chi-square says."""
    if not comparison.lines or min(line.expected for line in comparison.lines) < ENOUGH:
        return message("web.dice-too-few")
    far = abs(comparison.deviation)
    kind = "usual" if far < USUAL else "unusual" if far < UNUSUAL else "unfair"
    return message(f"web.dice-{kind}")
