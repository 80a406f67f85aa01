"""A rule book as plain data, for JSON."""

from __future__ import annotations

from typing import Any

from fivedice.rules.book_facts import box_rule, facts
from fivedice.rules.rule_book import RuleBook


def book_head(book: RuleBook) -> dict[str, Any]:
    """What a list of books shows."""
    return {
        "key": book.key,
        "name": book.name,
        "summary": book.summary,
        "variant": book.variant,
        "box_count": len(book.boxes),
        "fingerprint": book.fingerprint,
    }


def book_data(book: RuleBook) -> dict[str, Any]:
    """The whole book."""
    boxes = [
        {
            "key": box.key,
            "name": box.name,
            "code": box.code,
            "section": str(box.section),
            "rule": str(box_rule(box, book)),
        }
        for box in book.boxes
    ]
    notes = [{"key": note.key, "title": note.title, "text": note.text, "ours": note.ours} for note in book.notes]
    said = {str(fact.topic): str(fact.value) for fact in facts(book)}
    counts = {"dice": book.dice, "faces": book.faces, "rolls": book.rolls}
    return {**book_head(book), **counts, "source": book.source, "facts": said, "boxes": boxes, "notes": notes}
