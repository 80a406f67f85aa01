"""Rules that are left out on purpose. Somebody who writes one is told its name, not only that a line is unknown.

They are recognised by the words of `unsupported.toml`; what has none of them keeps the error that it had. Only what was
refused already is looked at, so no word there can stand in the way of a rule that can be played.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from fivedice.errors import BookError
from fivedice.rules.file.overlay import RawBook
from fivedice.rules.file.table_reader import KeyPath, Source, Table

_ROLL_NUMBER = "rules.unsupported-roll-number"
_CODE = "rules.unsupported-code"
_OTHER_BOX = "rules.unsupported-other-box"
_CONDITION = "rules.unsupported-condition"

# Elsewhere the words of these may mean what can be said: `times` of an extra is `at_most`.
_OF_BOXES = frozenset({"rules.unsupported-repeated"})
_OF_THE_BOOK = {"code": _CODE}  # what a line means at the top of a file alone

_WORTHS = frozenset({"points", "extra", "threshold", "from", "pattern"})  # lines whose value says what is paid for what
_IN_WORTHS = frozenset(
    {_ROLL_NUMBER, "rules.unsupported-announcement", "rules.unsupported-other-players", _CODE}
)  # no "3 times"
_BY_ROLL = frozenset({"first", "second", "third", "last", "roll", "1", "2", "3"})  # in a table of points
_SUMS = ("upper", "lower", "grand_total", "bonus")  # as good as boxes
_LIKE_CODE = re.compile(r"[(){};<>=!%]").search

_UNKNOWN = frozenset({"rules.unknown-key", "rules.unknown-key-like"})
_LONGEST = 200  # of a text, and most lines of a table: further on nobody's rule begins


def named(error: BookError, raw: RawBook, source: Source) -> BookError:
    """The error, or one that names the rule which somebody meant."""
    for path, kind in _meant(error, raw):
        return Table(source, path[:-1], {}).error(str(path[-1]), kind)
    return error


def _meant(error: BookError, raw: RawBook) -> Iterator[tuple[KeyPath, str]]:
    around, key = error.path[:-1], "".join(map(str, error.path[-1:]))
    if error.message.kind in _UNKNOWN:
        yield from _lines(around, [key], raw)
    elif error.message.kind == "rules.missing-key":  # perhaps it was said in a line that comes later
        yield from _lines(around, islice(_table(raw, around), _LONGEST), raw)
    elif key in _WORTHS:
        yield from ((error.path, kind) for kind in _worth(_table(raw, around).get(key), error.path, raw))


def _table(raw: Any, path: KeyPath) -> dict[str, Any]:
    for part in path:
        raw = raw[part]
    return raw if isinstance(raw, dict) else {}


def _lines(around: KeyPath, keys: Iterable[str], raw: RawBook) -> Iterator[tuple[KeyPath, str]]:
    """What the names of lines mean; one about other boxes is a condition, whatever it is called."""
    of_a_box = around[:1] == ("boxes",)
    for key in keys:
        for kind in _kinds(_words(key)):
            if of_a_box or not around or kind not in _OF_BOXES:
                yield (*around, key), kind
        if not around and key in _OF_THE_BOOK:
            yield (key,), _OF_THE_BOOK[key]
        if of_a_box and key not in _WORTHS and _are_boxes(_table(raw, around).get(key), raw):
            yield (*around, key), _CONDITION


def _are_boxes(value: Any, raw: RawBook) -> bool:
    told = value if isinstance(value, list) else [value]
    return bool(told) and all(isinstance(each, str) and each in raw["boxes"] for each in told)


def _worth(value: Any, path: KeyPath, raw: RawBook) -> Iterator[str]:
    """What points mean that cannot be read: a text, or a table of several."""
    others = [key for key in (*_table(raw, ("boxes",)), *_SUMS) if key not in path]
    if isinstance(value, dict):
        words = "__".join(map(_words, islice(value, _LONGEST)))
        yield from (_ROLL_NUMBER for word in words.split("_") if word in _BY_ROLL)
    else:
        words = _words(value) if isinstance(value, str) else ""
    yield from (kind for kind in _kinds(words) if kind in _IN_WORTHS)
    yield from (_OTHER_BOX for other in others if _has(words, other))
    if isinstance(value, str) and (_LIKE_CODE(value) or _CONDITION in _kinds(words)):
        yield _CODE


@cache
def _phrases() -> dict[str, list[str]]:
    """By the kind of the sentence."""
    text = (files("fivedice.rules.file") / "unsupported.toml").read_text(encoding="utf-8")
    return {f"rules.unsupported-{name}": phrases for name, phrases in tomllib.loads(text).items()}


def _kinds(words: str) -> Iterator[str]:
    return (kind for kind, phrases in _phrases().items() if any(_has(words, phrase) for phrase in phrases))


def _has(words: str, phrase: str) -> bool:
    return f"_{phrase}_" in f"_{words}_"


def _words(text: str) -> str:
    """As a key would have them: "First roll: 80" is first_roll_80."""
    return "_".join(re.findall(r"[a-z0-9]+", text[:_LONGEST].casefold()))
