"""The coach for a phone that may lose its connection: the values of a book, and the texts for hints.

The values come from a solution that is ready. A small book without one is solved as for a hint, and the phone asks
again; a large one is never solved for this. The worker process packs the values.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

from litestar.response import Response

from fivedice.core.rules import RuleBook
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.runtime.solve_limits import fits_a_phone, takes_long
from fivedice.table.refusals import AgainstTheRules
from fivedice.text import text_of, translate
from fivedice.text.formatting import Plural
from fivedice.text.page_scripts import forms
from fivedice.web.http.handling import PRESS, NotFound, NotReady, get
from fivedice.web.http.static_files import EACH_TIME, FOR_EVER
from fivedice.web.jobs.solutions import Solutions, refuse_if_full
from fivedice.web.jobs.work_process import work
from fivedice.web.pages.house_rules.book_lookup import any_book
from fivedice.web.services.app_services import AppServices

# Messages of hints: `coach.js` has the same kinds as `coaching/hint_messages.py`.
KINDS = (
    *(f"coach.do-keep-{face}" for face in range(1, 7)),
    *(f"coach.number-{count}" for count in range(2, 7)),
    *("coach.do-keep", "coach.do-keep-pairs", "coach.do-roll-all"),
    *("coach.do-score", "coach.do-score-bonus", "coach.do-score-joker", "coach.do-score-bonus-joker"),
    *("coach.keep", "coach.roll-all"),
    *("coach.entry", "coach.entry-bonus", "coach.entry-joker", "coach.entry-bonus-joker"),
    *("coach.points", "coach.choice-best", "coach.choice-as-good", "coach.choice-costs-all"),
)
MOST_BYTES = 1 << 25  # of all cached files
_made: SizedLRUCache[str, bytes] = SizedLRUCache(len, MOST_BYTES)


@get("/pad/coach/{book:str}", lane=PRESS)
def pad_coach(services: AppServices, book: str) -> Response[dict[str, Any]]:
    """Return what to fetch, and the texts. Raise a refusal if there is no coach for this book."""
    rules = any_book(services, book)
    file = values_file(services.solutions, rules)
    data = coach_data(f"{services.settings.root}/pad/values/{book}?of={_version(rules)}", file)
    return Response(data, headers={"cache-control": EACH_TIME})


@get("/pad/values/{book:str}", lane=PRESS)
def pad_values(services: AppServices, book: str, of: str = "") -> Response[bytes]:
    """Return the file of values. At the address with its version it never changes."""
    rules = any_book(services, book)
    file = values_file(services.solutions, rules)
    headers = {"cache-control": FOR_EVER if of == _version(rules) else EACH_TIME, "repr-digest": _digest(file)}
    return Response(file, media_type="application/octet-stream", headers=headers)


def coach_links(book: RuleBook, address: str, root: str = "") -> dict[str, str | None]:
    """Return where a page finds the coach for a phone, if it fits one, and the server's coach."""
    about = f"{root}/pad/coach/{address}" if fits_a_phone(book) else None
    return {"about": about, "hint": f"{root}/api/hint?book={address}"}


def coach_data(link: str, file: bytes) -> dict[str, Any]:
    """Return the address and the size of the file, and the texts in the current language."""
    found = {kind: text_of(kind) or "" for kind in KINDS}
    words = {kind: forms(text) if isinstance(text, Plural) else translate(text) for kind, text in found.items()}
    return {"link": link, "bytes": len(file), "sentences": words}


def values_file(solutions: Solutions, book: RuleBook) -> bytes:
    """Return the packed values of a book, from a cache. Raise a refusal if there are none, or none yet."""
    if not fits_a_phone(book):
        raise AgainstTheRules("web.coach-beyond-a-phone", book=book)
    file = _made.get(book.fingerprint)
    if file is None:
        _require_solution(solutions, book)
        file = _made.setdefault(book.fingerprint, _pack(book))
    return file


def _require_solution(solutions: Solutions, book: RuleBook) -> None:
    """Raise a refusal unless a solution is ready; have a small book solved, but never a large one."""
    if takes_long(book) and solutions.look(book).state != "ready":
        raise NotFound("web.coach-not-at-hand", book=book)
    how_far = solutions.want(book)
    refuse_if_full(how_far)
    if how_far.state != "ready":
        raise (NotReady if how_far.state in {"running", "waiting"} else NotFound)(how_far.about)


def _pack(book: RuleBook) -> bytes:
    from fivedice.solver.solution.phone_values import packed_values  # imports numpy, which other pages do not need

    file = work(packed_values, book) or packed_values(book)  # the worker finds no solution if none could be stored
    if file is None:
        raise AgainstTheRules("web.coach-beyond-a-phone", book=book)
    return file


def _version(book: RuleBook) -> str:
    from fivedice.solver.solution.phone_values import MARK

    return sha256(MARK + book.fingerprint.encode()).hexdigest()[:12]


def _digest(file: bytes) -> str:
    return f"sha-256=:{base64.b64encode(sha256(file).digest()).decode()}:"
