"""The rules of a book for a phone that may lose its connection: its table of rules, and the texts for it.

A page links to them by their hash, so that a browser stores them for ever and only asks again when they have changed,
or the language has: see `static_files`. The address has the book's key, not its fingerprint, because books that play
the same may have other names, and their lines in another order.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec
from litestar import MediaType
from litestar.response import Response

from fivedice.core.game.card import layout
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import RuleBook
from fivedice.drawing.theme import pip_inks
from fivedice.table.refusals import AgainstTheRules
from fivedice.table.service import BoundedMap
from fivedice.text import current, name_of, text_of, translate
from fivedice.text.formatting import N_, Plural, gettext
from fivedice.text.page_scripts import forms
from fivedice.web.http.handling import Req, get
from fivedice.web.http.static_files import EACH_TIME, FOR_EVER, is_known
from fivedice.web.jobs.option_tables import size_of
from fivedice.web.pages.house_rules.book_lookup import any_book
from fivedice.web.pages.pad.phone_coach import coach_links
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
_KEPT = 64  # entries of up to 100 kB each


@dataclass(frozen=True, slots=True)
class EncodedRules:
    """The rules of a book in one language, as they are sent."""

    body: bytes
    tag: str


_known: BoundedMap[tuple[str, str, str], EncodedRules] = BoundedMap(_KEPT)
_guard = Lock()


@get("/pad/rules/{book:str}")
def pad_rules(request: Req, services: AppServices, book: str, of: str = "") -> Response[bytes]:
    """Return the rules of a book, shipped or house rules, by its key or address."""
    encoded = encode_rules(any_book(services, book), book, services.settings.root)
    headers = {"cache-control": FOR_EVER if of == encoded.tag else EACH_TIME, "etag": f'W/"{encoded.tag}"'}
    if is_known(encoded.tag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    return Response(encoded.body, media_type=MediaType.JSON, headers=headers)


def rules_link(book: RuleBook, address: str, root: str = "") -> str | None:
    """Return the address of a book's rules in the reader's language; None for a book that is too large."""
    return f"{root}/pad/rules/{address}?of={encode_rules(book, address, root).tag}" if fits(book) else None


def fits(book: RuleBook) -> bool:
    """Return whether the rules fit a phone: the largest house rules have millions of rolls and boxes."""
    return size_of(book) <= MOST_POINTS


def encode_rules(book: RuleBook, address: str, root: str = "") -> EncodedRules:
    """Return the rules as they are sent, from a cache. Raise AgainstTheRules if they are too large."""
    if not fits(book):
        raise AgainstTheRules("web.too-many-options")
    key = (root, address, current())
    found = _known.get(key)
    if found is None:
        body = msgspec.json.encode(rule_data(book) | {"coach": coach_links(book, address, root)})
        found = EncodedRules(body, sha256(body).hexdigest()[:12])
        with _guard:
            _known[key] = found
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
    found = {kind: text_of(kind) for kind in KINDS}
    sentences = {
        kind: forms(text) if isinstance(text, Plural) else translate(text or "") for kind, text in found.items()
    }
    lists = {"and": N_("{some} and {last}"), "or": N_("{some} or {last}"), "comma": N_(", ")}
    return sentences | {name: gettext(text) for name, text in lists.items()}
