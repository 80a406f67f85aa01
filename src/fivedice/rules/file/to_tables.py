"""A book as the plain tables that its file would hold: the way back from the model to what the loader reads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fivedice.rules.file.loader import RawBook
from fivedice.rules.joker_steps import AlikePolicy, FaceBox, JokerStep
from fivedice.rules.rule_book import WHOLE_GAME, Box, Note, RuleBook, Summed


def tables_of(book: RuleBook) -> RawBook:
    """Everything in the book, as if it extended none; reading it gives the same book."""
    tables: RawBook = {
        "format": 1,
        "key": book.key,
        "name": book.name,
        "summary": book.summary,
        "source": book.source,
        "variant": book.variant,
        "dice": book.dice,
        "faces": book.faces,
        "rolls": book.rolls,
        "fixed_order": book.fixed_order,
        "start": str(book.start),
    }
    if book.bonus is not None:
        tables["bonus"] = asdict(book.bonus)
    if book.alike is not None:
        tables["alike"] = _alike(book.alike)
    tables["sheet"] = {key: value for key, value in asdict(book.sheet).items() if key != "names"}
    tables["sheet"]["layout"] = str(book.sheet.layout)
    tables["boxes"] = {box.key: box_table(box) for box in book.boxes}
    tables["notes"] = {note.key: _note(note) for note in book.notes}
    return tables | ({"names": names} if (names := _names(book)) else {})


def _names(book: RuleBook) -> dict[str, Any]:
    """By language, as the file has them."""
    found: dict[str, Any] = {language: {"name": name} for language, name in book.names.items()}
    boxes = {box.key: box.names for box in book.boxes}
    for part, lines in (("boxes", boxes), ("sheet", book.sheet.names)):
        for line, names in lines.items():
            for language, name in names.items():
                found.setdefault(language, {}).setdefault(part, {})[line] = name
    return found


def box_table(box: Box) -> dict[str, Any]:
    points = str(box.points) if isinstance(box.points, Summed) else box.points
    head = {"name": box.name, "code": box.code, "section": str(box.section)}
    head |= {"short": box.short} if box.short else {}
    return head | box.pattern.table() | {"points": points}


def _alike(policy: AlikePolicy) -> dict[str, Any]:
    return {
        "box": policy.box,
        "name": policy.name,
        "extra": policy.extra,
        "repeat": policy.repeat,
        "applies": str(policy.applies),
        "ladder": [step_table(step) for step in policy.joker_steps],
    }


def step_table(step: JokerStep) -> dict[str, str]:
    told = {} if step.face_box is FaceBox.EITHER else {"face_box": str(step.face_box)}
    return {"boxes": str(step.boxes), "worth": str(step.worth)} | told


def _note(note: Note) -> dict[str, Any]:
    table: dict[str, Any] = {"title": note.title, "text": note.text}
    if note.about != WHOLE_GAME:
        table["about"] = note.about
    if note.ours:
        table["ours"] = True
    return table
