"""Records as people hand them over: as text or as JSON, one or several in a row."""

from __future__ import annotations

import json
import re
from typing import Any

from fivedice.errors import MalformedError, quote
from fivedice.game import Game
from fivedice.notation.jsonform import game_from_json
from fivedice.notation.records import LONGEST_RECORD, read_game
from fivedice.rules import RuleBook

MOST_RECORDS = 10_000  # in one text

_is_json = re.compile(r"\s*(\{|\[\s*[\]{])").match
_BEGINNINGS = re.compile(r"^(?=\[Fivedice )", flags=re.MULTILINE)


def read_games(text: str, book: RuleBook | None = None) -> list[Game]:
    """All games of a text: one record, or several one after the other; or the JSON of one, or a list of them."""
    if _is_json(text):
        read = _json(text)
        return [game_from_json(each, book) for each in _bounded(read if isinstance(read, list) else [read])]
    return [read_game(part, book) for part in _bounded([part for part in _BEGINNINGS.split(text) if part.strip()])]


def _bounded(records: list[Any]) -> list[Any]:
    if len(records) > MOST_RECORDS:
        beyond = quote(records[MOST_RECORDS])
        raise MalformedError("notation.too-many-records", most=MOST_RECORDS, count=len(records), text=beyond)
    return records


def _json(text: str) -> Any:
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError("notation.not-json", text=quote(text), why=str(error)) from None
