"""What a phone gets that may lose its connection: the rules of a book, and a coach; and the options of a sheet.

A page links to the rules by their hash, so that a browser stores them for ever and only asks again when they have
changed, or the language has: see `page_files`. The address has the book's key, not its fingerprint, because books
that play the same may have other names, and their lines in another order. A child process computes options.

The values of a coach come from a solution that is ready. A small book without one is solved as for a hint, and the
phone asks again; a large one is never solved for this. The worker process packs the values.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from math import comb
from typing import Any

import msgspec
from litestar import MediaType
from litestar.response import Response

from fivedice.core.dice import rolls
from fivedice.core.game import Ruling, Scorecard, judge
from fivedice.core.game.card import layout
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import RuleBook
from fivedice.drawing.theme import pip_inks
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.runtime.solve_limits import fits_a_phone, takes_long
from fivedice.table.actions.rights import require_seat
from fivedice.table.refusals import AgainstTheRules, WrongPhase
from fivedice.table.state import TableState
from fivedice.text import current, name_of, text_of
from fivedice.text.languages import marks
from fivedice.text.page_scripts import forms
from fivedice.web.http.handling import RENDER, NotFound, NotReady, Req, get
from fivedice.web.http.page_files import EACH_TIME, FOR_EVER, is_known
from fivedice.web.jobs.solutions import Solutions, refuse_if_full
from fivedice.web.jobs.work_process import work
from fivedice.web.services.app_services import AppServices

MOST_POINTS = 40_000  # rolls times boxes: 0.1 s to make, 100 kB before compression; six dice, twenty boxes make 9,240
# Messages for scoring a roll or changing a sheet: the same as the engine's.
KINDS = (
    "game.box-filled",
    "game.box-not-next",
    "game.upper-first",
    "game.forced-to-face",
    "game.forced-to-section",
    "game.forced-past-face",
    "game.points-impossible",
    "game.points-ambiguous",
    "game.bad-rolls-left-over",
    "table.not-playing",
    "table.ended",
    "table.not-last",
    "table.last-player",
    "table.sheet-differs",
    "table.other-points",
    "table.points-written",
    "table.not-your-turn",
    "table.no-seat",
    "table.full",
    "table.wrong-dice",
    "table.turn-written",
    "table.turn-missing",
    "table.turn-not-written",
    "table.game-not-begun",
    "table.game-full",
    "table.game-not-next",
    "table.game-unfinished",
    "table.makes-invalid",
    "table.rolls-missing",
)


@dataclass(frozen=True, slots=True)
class EncodedRules:
    """The rules of a book in one language, as they are sent."""

    body: bytes
    tag: str


_KEPT = 64  # entries of up to 100 kB each
_encoded: SizedLRUCache[tuple[str, str, str], EncodedRules] = SizedLRUCache(most=_KEPT)


@get("/pad/rules/{book:str}")
def pad_rules(request: Req, services: AppServices, book: str, of: str = "") -> Response[bytes]:
    """Return the rules of a book, shipped or house rules, by its key or address."""
    encoded = encode_rules(services.book(book), book, services.settings.root)
    headers = {"cache-control": FOR_EVER if of == encoded.tag else EACH_TIME, "etag": f'W/"{encoded.tag}"'}
    if is_known(encoded.tag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return Response(encoded.body, media_type=MediaType.JSON, headers=headers)


def rules_link(book: RuleBook, address: str, root: str = "") -> str | None:
    """Return the address of a book's rules in the reader's language; None for a book that is too large."""
    return f"{root}/pad/rules/{address}?of={encode_rules(book, address, root).tag}" if fits(book) else None


def fits(book: RuleBook) -> bool:
    """Return whether the rules fit a phone: the largest house rules have millions of rolls and boxes."""
    return comb(book.dice + book.faces - 1, book.dice) * len(book.boxes) <= MOST_POINTS


def encode_rules(book: RuleBook, address: str, root: str = "") -> EncodedRules:
    """Return the rules as they are sent, from a cache. Raise AgainstTheRules if they are too large."""
    if not fits(book):
        raise AgainstTheRules("web.too-many-options")
    key = (root, address, current())
    found = _encoded.get(key)
    if found is None:
        body = msgspec.json.encode(rule_data(book) | {"coach": coach_links(book, address, root)})
        found = _encoded[key] = EncodedRules(body, sha256(body).hexdigest()[:12])
    return found


def rule_data(book: RuleBook) -> dict[str, Any]:
    """Return the table of a book, and its texts in the current language."""
    return {"rules": rule_table(book), "names": _names(book), "sentences": _sentences()}


def _names(book: RuleBook) -> dict[str, Any]:
    labels = {box.key: box for box in book.boxes} | book.labels
    return {
        "book": name_of(book),
        "boxes": [name_of(box) for box in book.boxes],
        "short": [name_of(box.short_label) for box in book.boxes],
        "lines": [name_of(labels[role]) for _, _, role in layout(book)],
        "upper": name_of(book.labels["upper"]),
        "lower": name_of(book.labels["lower"]),
        "rule": "" if book.alike is None else name_of(book.alike),
        "inks": pip_inks(book),
    }


def _sentences() -> dict[str, Any]:
    return _texts(KINDS) | {"and": marks().both, "or": marks().either}


def _texts(kinds: Iterable[str]) -> dict[str, Any]:
    """Return the texts of these kinds of messages in the current language, plural ones in all their forms."""
    return {kind: forms(kind, text_of(kind) or "") for kind in kinds}


def options_table(state: TableState, seat: int) -> dict[str, dict[str, Any]]:
    """Return what every roll would score on the card of a seat. Raise WrongPhase before the game.

    `{"rolls": {"24466": {"boxes": {...}, "closed": {...}, "zero_asks": true}}, "sentences": {"0": "Five …"}}`

    Rolls are sorted faces. `boxes` has every legal box as [points, extra bonus, 1 for a joker]; `closed` has the open
    boxes that the rules close to this roll, each with the number of its sentence. Filled boxes are left out.
    `zero_asks` says that a zero could be avoided. Callers share the result: do not change it.
    """
    return _options(_card_of(state, seat), current())


def _card_of(state: TableState, seat: int) -> Scorecard:
    require_seat(state, seat)
    if state.game is None:
        raise WrongPhase("table.not-playing")
    return state.cards_in(state.game_number)[seat]


@lru_cache(maxsize=16)  # a large entry takes megabytes
def _options(card: Scorecard, _language: str) -> dict[str, dict[str, Any]]:
    sentences: dict[str, int] = {}
    table = {
        "".join(map(str, roll.faces)): _describe_roll(judge(card, roll), sentences)
        for roll in rolls(card.book.dice, card.book.faces)
    }
    return {"rolls": table, "sentences": {str(number): sentence for sentence, number in sentences.items()}}


def _describe_roll(ruling: Ruling, sentences: dict[str, int]) -> dict[str, Any]:
    boxes = {key: [entry.points, entry.bonus, int(entry.joker)] for key, entry in ruling.legal.items()}
    data: dict[str, Any] = {"boxes": boxes} | ({"zero_asks": True} if ruling.wasteful else {})
    open_boxes = ruling.card.book.full & ~ruling.card.filled
    if ruling.boxes == open_boxes:
        return data
    index = ruling.card.book.index
    closed = {key: why for key, why in ruling.closed.items() if open_boxes >> index[key] & 1}
    return data | {"closed": {key: sentences.setdefault(why, len(sentences)) for key, why in closed.items()}}


_options_made: SizedLRUCache[tuple[Scorecard, str], bytes] = SizedLRUCache(most=128)


def options_answer(state: TableState, seat: int) -> bytes:
    """Return the options of one score sheet as JSON. Raise AgainstTheRules if the book has too many."""
    if not fits(state.book):
        raise AgainstTheRules("web.too-many-options")
    key = _card_of(state, seat), current()
    found = _options_made.get(key)
    if found is None:
        found = _options_made[key] = work(options_json, state, seat)
    return found


def options_json(state: TableState, seat: int) -> bytes:
    return msgspec.json.encode(options_table(state, seat))


# Messages of hints: `coach.js` has the same kinds as `coaching/hint_messages.py`.
COACH_KINDS = (
    *(f"coach.do-keep-{face}" for face in range(1, 7)),
    *(f"coach.number-{count}" for count in range(2, 7)),
    *("coach.do-keep", "coach.do-keep-pairs", "coach.do-roll-all"),
    *("coach.do-score", "coach.do-score-bonus", "coach.do-score-joker", "coach.do-score-bonus-joker"),
    *("coach.keep", "coach.roll-all"),
    *("coach.entry", "coach.entry-bonus", "coach.entry-joker", "coach.entry-bonus-joker"),
    *("coach.points", "coach.choice-best", "coach.choice-as-good"),
    *("coach.choice-costs-little", "coach.choice-costs-all"),
)
_values: SizedLRUCache[str, bytes] = SizedLRUCache(len, 1 << 25)  # bytes


@get("/pad/coach/{book:str}", lane=RENDER)
def pad_coach(services: AppServices, book: str) -> Response[dict[str, Any]]:
    """Return what to fetch, and the texts. Raise a refusal if there is no coach for this book."""
    rules = services.book(book)
    file = values_file(services.solutions, rules)
    data = coach_data(f"{services.settings.root}/pad/values/{book}?of={_version(rules)}", file)
    return Response(data, headers={"cache-control": EACH_TIME})


@get("/pad/values/{book:str}", lane=RENDER)
def pad_values(services: AppServices, book: str, of: str = "") -> Response[bytes]:
    """Return the file of values. At the address with its version it never changes."""
    rules = services.book(book)
    file = values_file(services.solutions, rules)
    digest = base64.b64encode(sha256(file).digest()).decode()
    headers = {"cache-control": FOR_EVER if of == _version(rules) else EACH_TIME, "repr-digest": f"sha-256=:{digest}:"}
    return Response(file, media_type="application/octet-stream", headers=headers)


def coach_links(book: RuleBook, address: str, root: str = "") -> dict[str, str | None]:
    """Return where a page finds the coach for a phone, if it fits one, and the server's coach."""
    about = f"{root}/pad/coach/{address}" if fits_a_phone(book) else None
    return {"about": about, "hint": f"{root}/api/hint?book={address}"}


def coach_data(link: str, file: bytes) -> dict[str, Any]:
    """Return the address and the size of the file, and the texts in the current language."""
    return {"link": link, "bytes": len(file), "sentences": _texts(COACH_KINDS)}


def values_file(solutions: Solutions, book: RuleBook) -> bytes:
    """Return the packed values of a book, from a cache. Raise a refusal if there are none, or none yet."""
    if not fits_a_phone(book):
        raise AgainstTheRules("web.coach-beyond-a-phone", book=book)
    file = _values.get(book.fingerprint)
    if file is None:
        _require_solution(solutions, book)
        file = _values.setdefault(book.fingerprint, _pack(book))
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
