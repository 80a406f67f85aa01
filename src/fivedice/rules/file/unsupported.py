"""Rules that are left out on purpose. Somebody who writes one is told its name, not only that a line is unknown.

They are recognised by the words below and by nothing else; what has none of them keeps the error that it had. Only what
was refused already is looked at, so no word here can stand in the way of a rule that can be played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from fivedice.errors import BookError
from fivedice.rules.file.overlay import RawBook
from fivedice.rules.file.table_reader import KeyPath, Source, Table

_COLUMNS = "rules.unsupported-columns"
_ROLL_NUMBER = "rules.unsupported-roll-number"
_ANNOUNCEMENT = "rules.unsupported-announcement"
_OTHER_PLAYERS = "rules.unsupported-other-players"
_CODE = "rules.unsupported-code"
_OTHER_BOX = "rules.unsupported-other-box"
_CONDITION = "rules.unsupported-condition"
_REPEATED = "rules.unsupported-repeated"

# What a line may be called, alone or as a part: `first_roll` is a part of `first_roll_points`. The first that fits.
_WORDS = {
    _ROLL_NUMBER: """first_roll second_roll third_roll last_roll first_throw first_try one_roll one_throw single_roll
        by_roll per_roll each_roll roll_points roll_bonus rolls_left rolls_used served servida""",
    _ANNOUNCEMENT: """announce announced announcement announcements announces call called calls declare declared
        declaration""",
    _OTHER_PLAYERS: """opponent opponents others other_player other_players everyone_else rival rivals neighbour
        steal steals attack attacks takes_from take_from""",
    _CODE: """python lua javascript js script scripts function functions formula formulas expression eval exec lambda
        def return import macro compute calculate""",
    _CONDITION: """if when unless require requires required need needs after before until only_if depends depends_on
        condition conditions unlock unlocks locked""",
    _COLUMNS: "column columns grids scorecards multiplier multipliers triple",
    _REPEATED: "times repeat repeats repeated copies uses convert converts conversion rank ranks final_points",
}
_OF_BOXES = frozenset({_REPEATED})  # elsewhere these words may mean what can be said: `times` of an extra is `at_most`
_OF_THE_BOOK = {"code": _CODE}  # what a line means at the top of a file alone

_WORTHS = frozenset({"points", "extra", "threshold", "from", "pattern"})  # lines whose value says what is paid for what
_IN_WORTHS = frozenset({_ROLL_NUMBER, _ANNOUNCEMENT, _OTHER_PLAYERS, _CODE})  # "3 times" is no repeated box there
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


def _kinds(words: str) -> Iterator[str]:
    return (kind for kind, phrases in _WORDS.items() if any(_has(words, phrase) for phrase in phrases.split()))


def _has(words: str, phrase: str) -> bool:
    return f"_{phrase}_" in f"_{words}_"


def _words(text: str) -> str:
    """As a key would have them: "First roll: 80" is first_roll_80."""
    return "_".join(re.findall(r"[a-z0-9]+", text[:_LONGEST].casefold()))
