"""Rules that are deliberately not supported. An error names the rule, not only the unknown line.

They are recognised by the words in `unsupported.toml`; other lines keep their error. Only refused lines are examined,
so no word there can break rules that can be played.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from fivedice.core.rules.overlay import RawBook
from fivedice.core.rules.table_reader import KeyPath, Source, TomlTable
from fivedice.errors import BookError

_ROLL_NUMBER = "rules.unsupported-roll-number"
_CODE = "rules.unsupported-code"
_OTHER_BOX = "rules.unsupported-other-box"
_CONDITION = "rules.unsupported-condition"

# Outside boxes the words of these may mean a supported rule: `times` of an extra is `at_most`.
_OF_BOXES = frozenset({"rules.unsupported-repeated"})
_OF_THE_BOOK = {"code": _CODE}  # the meaning of a line at the top of a file

_WORTHS = frozenset({"points", "extra", "threshold", "from", "pattern"})  # lines whose value defines a payment
_IN_WORTHS = frozenset(
    {_ROLL_NUMBER, "rules.unsupported-announcement", "rules.unsupported-other-players", _CODE}
)  # the kinds to look for in such a value
_BY_ROLL = frozenset({"first", "second", "third", "last", "roll", "1", "2", "3"})  # in a table of points
_SUMS = ("upper", "lower", "grand_total", "bonus")  # treated as boxes
_LIKE_CODE = re.compile(r"[(){};<>=!%]").search

_UNKNOWN = frozenset({"rules.unknown-key", "rules.unknown-key-like"})
_LONGEST = 200  # characters of a text, and lines of a table, that are examined


def name_unsupported(error: BookError, raw: RawBook, source: Source) -> BookError:
    """Return the error, or one that names the unsupported rule that was probably meant."""
    for path, kind in _find_meant(error, raw):
        return TomlTable(source, path[:-1], {}).error(str(path[-1]), kind)
    return error


def _find_meant(error: BookError, raw: RawBook) -> Iterator[tuple[KeyPath, str]]:
    around, key = error.path[:-1], "".join(map(str, error.path[-1:]))
    if error.message.kind in _UNKNOWN:
        yield from _find_by_key(around, [key], raw)
    elif error.message.kind == "rules.missing-key":  # a later line may have it
        yield from _find_by_key(around, islice(_find_table(raw, around), _LONGEST), raw)
    elif key in _WORTHS:
        yield from ((error.path, kind) for kind in _find_by_worth(_find_table(raw, around).get(key), error.path, raw))


def _find_table(raw: Any, path: KeyPath) -> dict[str, Any]:
    for part in path:
        raw = raw[part]
    return raw if isinstance(raw, dict) else {}


def _find_by_key(around: KeyPath, keys: Iterable[str], raw: RawBook) -> Iterator[tuple[KeyPath, str]]:
    """Yield what the names of lines mean. A line about other boxes is a condition, whatever its name."""
    of_a_box = around[:1] == ("boxes",)
    for key in keys:
        for kind in _find_kinds(_normalize(key)):
            if of_a_box or not around or kind not in _OF_BOXES:
                yield (*around, key), kind
        if not around and key in _OF_THE_BOOK:
            yield (key,), _OF_THE_BOOK[key]
        if of_a_box and key not in _WORTHS and _are_boxes(_find_table(raw, around).get(key), raw):
            yield (*around, key), _CONDITION


def _are_boxes(value: Any, raw: RawBook) -> bool:
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(isinstance(each, str) and each in raw["boxes"] for each in values)


def _find_by_worth(value: Any, path: KeyPath, raw: RawBook) -> Iterator[str]:
    """Yield what unreadable points mean: a text, or a table of several."""
    others = [key for key in (*_find_table(raw, ("boxes",)), *_SUMS) if key not in path]
    if isinstance(value, dict):
        words = "__".join(map(_normalize, islice(value, _LONGEST)))
        yield from (_ROLL_NUMBER for word in words.split("_") if word in _BY_ROLL)
    else:
        words = _normalize(value) if isinstance(value, str) else ""
    yield from (kind for kind in _find_kinds(words) if kind in _IN_WORTHS)
    yield from (_OTHER_BOX for other in others if _contains(words, other))
    if isinstance(value, str) and (_LIKE_CODE(value) or _CONDITION in _find_kinds(words)):
        yield _CODE


@cache
def _load_phrases() -> dict[str, list[str]]:
    """Return the phrases by the kind of the message."""
    text = (files("fivedice.core.rules") / "unsupported.toml").read_text(encoding="utf-8")
    return {f"rules.unsupported-{name}": phrases for name, phrases in tomllib.loads(text).items()}


def _find_kinds(words: str) -> Iterator[str]:
    return (kind for kind, phrases in _load_phrases().items() if any(_contains(words, phrase) for phrase in phrases))


def _contains(words: str, phrase: str) -> bool:
    return f"_{phrase}_" in f"_{words}_"


def _normalize(text: str) -> str:
    """Return a text as words joined by underscores: "First roll: 80" is first_roll_80."""
    return "_".join(re.findall(r"[a-z0-9]+", text[:_LONGEST].casefold()))
