"""From a book to the tables of its file, and from tables to TOML text. The text loads again as the same book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fivedice.core.rules.joker_steps import AlikePolicy, FaceBox, JokerStep
from fivedice.core.rules.names import NamePath, Names, own_names
from fivedice.core.rules.overlay import RawBook
from fivedice.core.rules.rule_book import SHEET_LINES, WHOLE_GAME, Bonus, Box, Captions, Note, RuleBook

_HEAD = ("key", "name", "summary", "source", "variant", "dice", "faces", "rolls", "fixed_order")


def tables_of(book: RuleBook) -> RawBook:
    """Return the tables of a whole book, as if it extended none."""
    head = {name: getattr(book, name) for name in _HEAD}
    tables: RawBook = {"format": 1} | head | {"start": str(book.start)} | _rare_lines(book)
    if book.bonus is not None:
        tables["bonus"] = _tiers_table(book.bonus)
    if book.more_bonuses:
        tables["bonuses"] = {bonus.key: _bonus_table(bonus) for bonus in book.more_bonuses}
    if book.alike is not None:
        tables["alike"] = _alike_table(book.alike)
    written = {"layout": str(book.sheet.layout), "columns": book.sheet.columns} | {
        line: getattr(book.sheet, line) for line in SHEET_LINES
    }
    written |= {} if book.sheet.captions is Captions.PLAIN else {"captions": str(book.sheet.captions)}
    tables["sheet"] = written | ({"upper_again": True} if book.sheet.upper_again else {})
    tables["boxes"] = {box.key: box_table(box) for box in book.boxes}
    tables["notes"] = {note.key: _note_table(note) for note in book.notes}
    return tables | ({"names": names} if (names := _names_table(book)) else {})


def _rare_lines(book: RuleBook) -> dict[str, Any]:
    """Return the lines that few books have."""
    lines: dict[str, Any] = {"order": str(book.order)} if book.upper_first else {}
    lines |= {"save_rolls": True} if book.save_rolls else {}
    return lines | ({"colours": [list(colour) for colour in book.colours]} if book.colours else {})


def _bonus_table(bonus: Bonus) -> dict[str, Any]:
    over = {"boxes": list(bonus.boxes)} if bonus.section is None else {"section": str(bonus.section)}
    return {"name": bonus.name} | over | _tiers_table(bonus)


def _tiers_table(bonus: Bonus) -> dict[str, Any]:
    if bonus.higher:
        return {"tiers": [{"from": tier.threshold, "points": tier.points} for tier in bonus.tiers]}
    return {"threshold": bonus.threshold, "points": bonus.points}


def _names_table(book: RuleBook) -> dict[str, Any]:
    """Return the names by language, as in the file."""
    found: dict[str, Any] = {}
    for (*parts, line), names in _named_lines(book):
        for language, name in own_names(names).items():
            table = found.setdefault(language, {})
            for part in parts:
                table = table.setdefault(part, {})
            table[line] = name
    return found


def _named_lines(book: RuleBook) -> Iterator[tuple[NamePath, Names]]:
    yield ("name",), book.names
    yield from ((("boxes", box.key), box.names) for box in book.boxes)
    yield from ((("short", box.key), box.shorts) for box in book.boxes)
    yield from ((("sheet", line), names) for line, names in book.sheet.names.items())


def box_table(box: Box) -> dict[str, Any]:
    points = box.points if isinstance(box.points, int) else str(box.points)
    head = {"name": box.name, "code": box.code, "section": str(box.section)}
    head |= {"short": box.short} if box.short else {}
    return head | box.pattern.table() | {"points": points}


def _alike_table(policy: AlikePolicy) -> dict[str, Any]:
    extra = list(policy.extras) if policy.rising else policy.extra
    lines = {"box": policy.box, "name": policy.name, "extra": extra, "repeat": policy.repeat}
    lines |= {} if policy.at_most is None else {"at_most": policy.at_most}
    return lines | {"applies": str(policy.applies), "ladder": [step_table(step) for step in policy.joker_steps]}


def step_table(step: JokerStep) -> dict[str, Any]:
    lines: dict[str, Any] = {} if step.face_box is FaceBox.EITHER else {"face_box": str(step.face_box)}
    lines |= {} if step.extra is None else {"extra": step.extra}
    return {"boxes": str(step.boxes), "worth": str(step.worth)} | lines


def _note_table(note: Note) -> dict[str, Any]:
    table: dict[str, Any] = {"title": note.title, "text": note.text}
    if note.about != WHOLE_GAME:
        table["about"] = note.about
    if note.ours:
        table["ours"] = True
    return table


_LONGEST_LINE = 110


def write_tables(tables: RawBook) -> str:
    """Return tables as text: plain values first, as TOML requires, then the inner tables."""
    return "\n".join(_write_lines((), tables)).strip() + "\n"


def _write_lines(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    inner = {key: value for key, value in table.items() if isinstance(value, dict)}
    plain = {key: value for key, value in table.items() if key not in inner}
    if path and (plain or not inner):
        yield ""
        yield f"[{'.'.join(map(_format_key, path))}]"
    for key, value in plain.items():
        yield f"{_format_key(key)} = {_format_value(value)}"
    for key, value in inner.items():
        yield from _write_lines((*path, key), value)


def _format_key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _format_text(key)


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        items = [_format_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _LONGEST_LINE else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    if isinstance(value, dict):  # only inside a list: a joker step
        return "{ " + ", ".join(f"{_format_key(key)} = {_format_value(item)}" for key, item in value.items()) + " }"
    return _format_text(value) if isinstance(value, str) else str(value)


def value_text(value: Any) -> str:
    """Return any value as TOML on one line, or "…" if it is too long or nested too deeply."""
    try:
        return " ".join(_format_value(value).split())
    except (ValueError, RecursionError):  # a number with thousands of digits, or very deep lists
        return "…"


def _format_text(text: str) -> str:
    """Return a basic string on one line, escaped where necessary."""
    return f'"{"".join(map(_escape, text))}"'


def _escape(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"
