"""From TOML to a `RuleBook`. Nothing in a file is ever executed; sizes and numbers are bounded.

Rules that are deliberately not supported are recognised by the words in `unsupported.toml`, and the error names the
rule. Only refused lines are examined, so no word there can break rules that can be played.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.resources import files
from itertools import islice
from typing import Any

from fivedice.core.dice import MAX_DICE, MAX_FACE
from fivedice.core.rules import book_tables
from fivedice.core.rules.names import Origin
from fivedice.core.rules.overlay import RawBook, overlay
from fivedice.core.rules.playability import first_problem
from fivedice.core.rules.rule_book import MAX_ROLLS, Order, RuleBook, Start
from fivedice.core.rules.table_reader import (
    MOST_PARTS,
    KeyPath,
    Source,
    TomlTable,
    line_of_deepest,
    line_of_long_key,
    line_of_longest_number,
)
from fivedice.errors import BookError, UnknownBook, quote
from fivedice.message import message

MAX_FILE = 64 * 1024
NOT_TOML = "rules.not-toml"

_is_book_key = re.compile(r"[a-z][a-z0-9-]{0,39}").fullmatch


def parse_book(text: str, *, file: str, base: Callable[[str], RawBook], is_shipped: bool = False) -> RuleBook:
    """Read a rule book. `base` returns the tables of a shipped book for `extends`.

    Raise BookError if it is not playable.
    """
    raw = parse_toml(text, file)
    source = Source(file, text)
    parent: RawBook = {"boxes": {}}
    if "extends" in raw:
        parent, raw = _apply_extends(TomlTable(source, (), raw), raw, base)
    try:
        book = _read_book(TomlTable(source, (), raw), _find_origin(raw if is_shipped else parent, raw))
    except BookError as error:
        found = name_unsupported(error, raw, source)
        raise _find_unknown_box(found, parent, source) if found is error else found from None
    problem = first_problem(book)
    if problem is not None:
        raise source.error(*problem)
    return book


def _find_origin(parent: RawBook, raw: RawBook) -> Origin:
    """Return where names in other languages come from: a shipped book is its own parent, and may extend another."""
    return Origin(tuple(parent[line] for line in ("key", "extends") if line in parent), parent, raw)


def parse_toml(text: str, file: str) -> RawBook:
    if len(text) > MAX_FILE:
        raise BookError("rules.file-too-long", file=file, length=len(text), most=MAX_FILE)
    line = line_of_long_key(text)
    if line is not None:
        shown = quote(text.split("\n")[line - 1].strip())
        raise BookError("rules.key-too-long", file=file, line=line, text=shown, most=MOST_PARTS)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _toml_error(error, text, file) from None


def _toml_error(error: Exception, text: str, file: str) -> BookError:
    if isinstance(error, RecursionError):
        return BookError("rules.too-deep", file=file, line=line_of_deepest(text))
    if not isinstance(error, tomllib.TOMLDecodeError):
        return BookError("rules.number-too-long", file=file, line=line_of_longest_number(text))
    reason, _, place = str(error).partition(" (at ")
    number = re.match(r"line (\d+), column (\d+)", place)
    last = len(text.removesuffix("\n").split("\n"))  # TOML counts only these line breaks
    line = int(number[1]) if number else last
    column = int(number[2]) if number else None
    return BookError(NOT_TOML, file=file, line=line, column=column, reason=reason)


def names_a_file(name: str) -> bool:
    """Return whether a name means a file, not a shipped book."""
    return name.endswith(".toml") or "/" in name


def _find_unknown_box(error: BookError, parent: RawBook, source: Source) -> BookError:
    """Return the error, or a better one if a box lacks a part only because the base has no box of its key."""
    boxes = parent["boxes"]
    if error.message.kind != "rules.missing-key" or len(error.path) != 3 or error.path[0] != "boxes" or not boxes:
        return error
    return error if error.path[1] in boxes else _unknown_box_error(str(error.path[1]), parent, source)


def _unknown_box_error(key: str, parent: RawBook, source: Source) -> BookError:
    from difflib import get_close_matches  # needed only for errors

    boxes, shown = tuple(parent["boxes"]), {"base": quote(parent["key"]), "box": quote(key)}
    close = get_close_matches(key, boxes, n=1)
    if close:
        return source.error(("boxes", key), message("rules.no-box-in-base-like", **shown, meant=quote(close[0])))
    return source.error(("boxes", key), message("rules.no-box-in-base", **shown, known=boxes))


def default_summary(base: str) -> str:
    """Return what house rules say about themselves in English unless they say something else."""
    return f"{base} with house rules."  # no sentence


def _apply_extends(child: TomlTable, raw: RawBook, base: Callable[[str], RawBook]) -> tuple[RawBook, RawBook]:
    """Return the book that a file extends, and the same with the changes of the file."""
    name = child.text("extends")
    try:
        parent = base(name)
    except UnknownBook as error:
        known = error.message.args
        kind = "rules.unknown-base-like" if "meant" in known else "rules.unknown-base"
        # A text never makes us open a file: it may come from a stranger.
        raise child.error("extends", "rules.base-is-a-file" if names_a_file(name) else kind, **known) from None
    changed = raw.get("boxes")
    for key, value in changed.items() if isinstance(changed, dict) else ():
        if value is False and key not in parent["boxes"]:
            raise _unknown_box_error(key, parent, child.source)
    # What house rules say about themselves by default, because the words of the base would be wrong.
    name = f"{parent['name']} (house rules)"  # no sentence: as if it were in the file
    own = {"key": f"{parent['key']}-house", "name": name, "variant": True, "source": ""}
    own["summary"] = default_summary(parent["name"])
    return parent, overlay(parent, own | raw)


def _read_book(table: TomlTable, origin: Origin) -> RuleBook:
    table.number("format", 1, 1, 1)
    others, colours = book_tables.read_names(table, origin), book_tables.read_colours(table)
    order = book_tables.read_order(table)
    book = RuleBook(
        key=table.word("key", _is_book_key, "rules.bad-book-key"),
        name=table.text("name"),
        summary=table.prose("summary", ""),
        source=table.prose("source", ""),
        variant=table.flag("variant", default=True),
        dice=table.number("dice", 1, MAX_DICE, 5),
        faces=table.number("faces", 2, MAX_FACE, 6),
        rolls=table.number("rolls", 1, MAX_ROLLS, 3),
        fixed_order=order is Order.SHEET,
        start=table.choice("start", Start, Start.DRAW),
        boxes=book_tables.read_boxes(table, others, colours),
        bonus=book_tables.read_optional(table, "bonus", book_tables.read_bonus),
        alike=book_tables.read_optional(table, "alike", partial(book_tables.read_alike, others=others)),
        sheet=book_tables.read_sheet(table.table("sheet", {}), others),
        notes=book_tables.read_notes(table),
        extends=table.text("extends") if table.has("extends") else None,
        names=others.of("name"),
        upper_first=order is Order.UPPER_FIRST,
        save_rolls=table.flag("save_rolls", default=False),
        colours=colours,
        more_bonuses=book_tables.read_more_bonuses(table),
    )
    table.finish()
    return book


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
