"""A book as the plain tables that its file would hold: the way back from the model to what the loader reads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fivedice.rules.file.loader import RawBook
from fivedice.rules.joker_steps import AlikePolicy, FaceBox, JokerStep
from fivedice.rules.patterns import AllAlike, Exactly, FaceSum, Groups, Pattern, Run
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
    tables["sheet"] = asdict(book.sheet) | {"layout": str(book.sheet.layout)}
    tables["boxes"] = {box.key: box_table(box) for box in book.boxes}
    tables["notes"] = {note.key: _note(note) for note in book.notes}
    return tables


def box_table(box: Box) -> dict[str, Any]:
    points = str(box.points) if isinstance(box.points, Summed) else box.points
    head = {"name": box.name, "code": box.code, "section": str(box.section)}
    return head | pattern_table(box.pattern) | {"points": points}


def pattern_table(pattern: Pattern) -> dict[str, Any]:
    """The word for a pattern and the details that it needs."""
    match pattern:
        case FaceSum(face):
            return {"pattern": "face", "face": face}
        case Groups(sizes, same_face):
            # One group cannot share a face with another: saying so would only puzzle the reader.
            told = {"same_face": same_face} if len(sizes) > 1 or same_face else {}
            return {"pattern": "groups", "sizes": list(sizes)} | told
        case Run(length):
            return {"pattern": "run", "length": length}
        case Exactly(faces):
            return {"pattern": "exactly", "faces": list(faces)}
    return {"pattern": "alike" if isinstance(pattern, AllAlike) else "anything"}


def _alike(policy: AlikePolicy) -> dict[str, Any]:
    return {
        "box": policy.box,
        "name": policy.name,
        "extra": policy.extra,
        "repeat": policy.repeat,
        "applies": str(policy.applies),
        "ladder": [rung_table(rung) for rung in policy.joker_steps],
    }


def rung_table(rung: JokerStep) -> dict[str, str]:
    told = {} if rung.face_box is FaceBox.EITHER else {"face_box": str(rung.face_box)}
    return {"boxes": str(rung.boxes), "worth": str(rung.worth)} | told


def _note(note: Note) -> dict[str, Any]:
    table: dict[str, Any] = {"title": note.title, "text": note.text}
    if note.about != WHOLE_GAME:
        table["about"] = note.about
    if note.ours:
        table["ours"] = True
    return table
