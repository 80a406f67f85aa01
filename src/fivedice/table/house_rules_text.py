"""The text of house rules: cleaned, read, and addressed by its hash."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256
from typing import Any

from fivedice.core.rules import RENAMED, SHIPPED, RuleBook, extended_by, extending, load_book, load_kept, shipped
from fivedice.errors import BookError, quote
from fivedice.message import message
from fivedice.table.refusals import BadRequest, Refusal

LONGEST_TEXT = 32 * 1024  # characters; the longest shipped book has a fifth of that
_ID_BYTES = 15  # 20 letters: as hard to guess as the text, and longer than any shipped key
_FILE = "rules"


class BadBook(Refusal, code="bad-book", status=422):
    """House rules that cannot be played, with the line and the reason."""

    def __init__(self, error: BookError, text: str) -> None:
        line = message("table.rules-line", line=error.line, reason=error.message)
        super().__init__(error.message if error.line is None else line)
        self.error = error
        self.text = text

    @property
    def details(self) -> dict[str, Any]:
        """Return the place and the reason, for programs and editors."""
        lines = self.text.split("\n")
        known = self.error.line is not None and self.error.line <= len(lines)
        quoted = lines[(self.error.line or 1) - 1][:200] if known else None
        return {
            "line": self.error.line,
            "column": self.error.column,
            "path": ".".join(map(str, self.error.path)) or None,
            "reason": self.error.reason,
            "text": quoted,
        }


@lru_cache(maxsize=256)
def house_id(text: str) -> str:
    """Return the address of house rules: the same text always has the same address."""
    digest = sha256(_with_original_key(tidy(text)).encode("utf-8", "surrogatepass")).digest()
    return urlsafe_b64encode(digest[:_ID_BYTES]).decode()


def _with_original_key(text: str) -> str:
    """Return the text that the address is made from, so that addresses never change.

    Books that were renamed are called by their old key. A book that has such a key today gets a suffix that no key can
    have.
    """
    base, once = extended_by(text), {now: then for then, now in RENAMED.items()}
    if base in RENAMED:
        return extending(text, f"{base}/2")
    return extending(text, once[base]) if base in once else text


def as_meant(address: str, text: str) -> str:
    """Return the stored text of an address, with the key of the rules that it extended then."""
    return text if house_id(text) == address else _with_current_key(text)


def text_as_played(text: str, fingerprint: str | None) -> str:
    """Return the text of a log in the same way; `fingerprint` identifies the rules that were played."""
    if extended_by(text) not in RENAMED or house_book(text).fingerprint == fingerprint:
        return text
    return _with_current_key(text)


def _with_current_key(text: str) -> str:
    base = extended_by(text)
    return text if base not in RENAMED else extending(text, RENAMED[base])


def tidy(text: str) -> str:
    """Return the text with plain line ends and without a byte order mark."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return lines.strip("\n") + "\n"


def read_rules(text: str) -> RuleBook:
    """Return the book of a new text. Raise BadBook with the place if it cannot be played."""
    if len(text) > LONGEST_TEXT:
        raise BadBook(BookError("rules.file-too-long", file=_FILE, length=len(text), most=LONGEST_TEXT), "")
    try:
        text.encode()  # a lone surrogate, which only a program can send, cannot be stored
        return _new_book(text)
    except UnicodeEncodeError:
        raise BadBook(BookError("rules.half-characters", file=_FILE), "") from None
    except BookError as error:
        raise BadBook(error, text) from None


def book_of(key: str, rules: str | None, *, kept: bool = False) -> RuleBook:
    """Return the book of a shipped key, or of the text `rules` if there is one.

    `kept` says that the text was stored before. Raise BadRequest for an unknown key, BadBook for a bad new text.
    """
    if rules is None and key not in SHIPPED:
        raise BadRequest("table.unknown-rules", book=quote(key), books=tuple(SHIPPED))
    if rules is None:
        return shipped(key)
    return house_book(rules) if kept else read_rules(rules)


@lru_cache(maxsize=256)  # a book caches its fingerprint, which takes seconds for a large one
def house_book(text: str) -> RuleBook:
    """Return the book of a text that was read before and is stored."""
    return load_kept(text, file=_FILE)


@lru_cache(maxsize=256)
def _new_book(text: str) -> RuleBook:
    return load_book(text, file=_FILE)
