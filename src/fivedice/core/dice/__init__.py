"""Rolls, keeps, and the sources that dice come from."""

from fivedice.core.dice.multiset import (
    MAX_DICE,
    MAX_FACE,
    AnyDice,
    Keep,
    Multiset,
    Roll,
    as_keep,
    as_roll,
    keep_of,
    keeps,
    keeps_of,
    roll_of,
    rolls,
    ways,
)
from fivedice.core.dice.provable import ProvableDice, commitment
from fivedice.core.dice.sources import DiceSource, Place, fresh, outside, real, scripted, seeded

__all__ = [
    "MAX_DICE",
    "MAX_FACE",
    "AnyDice",
    "DiceSource",
    "Keep",
    "Multiset",
    "Place",
    "ProvableDice",
    "Roll",
    "as_keep",
    "as_roll",
    "commitment",
    "fresh",
    "keep_of",
    "keeps",
    "keeps_of",
    "outside",
    "real",
    "roll_of",
    "rolls",
    "scripted",
    "seeded",
    "ways",
]
