"""Rule books as frozen data: the model, the closed set of patterns, the loader, and the shipped books."""

from fivedice.rules.catalog import DEFAULT, SHIPPED, book, load_book, read_book, shipped
from fivedice.rules.file.toml_writer import write_book
from fivedice.rules.fingerprint import canonical_order, fingerprint
from fivedice.rules.joker_steps import ActiveWhen, AlikePolicy, FaceBox, JokerStep, ScoreAs, TargetBoxes
from fivedice.rules.patterns import AllAlike, Anything, Exactly, FaceSum, Groups, Pattern, Run
from fivedice.rules.rule_book import (
    MAX_ROLLS,
    TALLY_CODE,
    Bonus,
    Box,
    Layout,
    Names,
    Note,
    RuleBook,
    Section,
    Sheet,
    Start,
    Summed,
)

__all__ = [
    "DEFAULT",
    "MAX_ROLLS",
    "SHIPPED",
    "TALLY_CODE",
    "ActiveWhen",
    "AlikePolicy",
    "AllAlike",
    "Anything",
    "Bonus",
    "Box",
    "Exactly",
    "FaceBox",
    "FaceSum",
    "Groups",
    "JokerStep",
    "Layout",
    "Names",
    "Note",
    "Pattern",
    "RuleBook",
    "Run",
    "ScoreAs",
    "Section",
    "Sheet",
    "Start",
    "Summed",
    "TargetBoxes",
    "book",
    "canonical_order",
    "fingerprint",
    "load_book",
    "read_book",
    "shipped",
    "write_book",
]
