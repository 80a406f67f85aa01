"""Rule books as frozen data: the model, the closed set of patterns, the loader, and the shipped books."""

from fivedice.rules.fingerprint import canonical_order, fingerprint
from fivedice.rules.ladder import AlikePolicy, Applies, FaceBox, Price, Reach, Rung
from fivedice.rules.model import Bonus, Box, Layout, Note, RuleBook, Section, Sheet, Start, Summed, Worth
from fivedice.rules.patterns import AllAlike, Anything, Exactly, FaceSum, Groups, Pattern, Run
from fivedice.rules.shelf import DEFAULT, SHIPPED, book, load_book, read_book, shipped
from fivedice.rules.writer import write_book

__all__ = [
    "DEFAULT",
    "SHIPPED",
    "AlikePolicy",
    "AllAlike",
    "Anything",
    "Applies",
    "Bonus",
    "Box",
    "Exactly",
    "FaceBox",
    "FaceSum",
    "Groups",
    "Layout",
    "Note",
    "Pattern",
    "Price",
    "Reach",
    "RuleBook",
    "Run",
    "Rung",
    "Section",
    "Sheet",
    "Start",
    "Summed",
    "Worth",
    "book",
    "canonical_order",
    "fingerprint",
    "load_book",
    "read_book",
    "shipped",
    "write_book",
]
