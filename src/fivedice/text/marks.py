"""The marks and plural forms of each language. Written by `tools/make_marks.py` from CLDR."""

from __future__ import annotations

from typing import NamedTuple


class Marks(NamedTuple):
    name: str  # of the language, in the language
    decimal: str
    group: str
    percent: str
    both: str  # the end of a list
    either: str
    samples: dict[str, int]  # a number for each plural form


MARKS = {
    "en": Marks("English", ".", ",", "{number}%", "{some} and {last}", "{some} or {last}", {"other": 0, "one": 1}),
    "da": Marks("Dansk", ",", ".", "{number}\xa0%", "{some} og {last}", "{some} eller {last}", {"other": 0, "one": 1}),
    "de": Marks(
        "Deutsch", ",", ".", "{number}\xa0%", "{some} und {last}", "{some} oder {last}", {"other": 0, "one": 1}
    ),
    "es": Marks("Español", ",", ".", "{number}\xa0%", "{some} y {last}", "{some} o {last}", {"other": 0, "one": 1}),
    "fi": Marks("Suomi", ",", "\xa0", "{number}\xa0%", "{some} ja {last}", "{some} tai {last}", {"other": 0, "one": 1}),
    "fr": Marks(
        "Français", ",", "\u202f", "{number}\xa0%", "{some} et {last}", "{some} ou {last}", {"one": 0, "other": 2}
    ),
    "it": Marks("Italiano", ",", ".", "{number}%", "{some} e {last}", "{some} o {last}", {"other": 0, "one": 1}),
    "nb": Marks(
        "Norsk bokmål", ",", "\xa0", "{number}\xa0%", "{some} og {last}", "{some} eller {last}", {"other": 0, "one": 1}
    ),
    "nl": Marks("Nederlands", ",", ".", "{number}%", "{some} en {last}", "{some} of {last}", {"other": 0, "one": 1}),
    "pl": Marks(
        "Polski", ",", "\xa0", "{number}%", "{some} i {last}", "{some} lub {last}", {"many": 0, "one": 1, "few": 2}
    ),
    "pt-BR": Marks(
        "Português (Brasil)", ",", ".", "{number}%", "{some} e {last}", "{some} ou {last}", {"one": 0, "other": 2}
    ),
    "sv": Marks(
        "Svenska", ",", "\xa0", "{number}\xa0%", "{some} och {last}", "{some} eller {last}", {"other": 0, "one": 1}
    ),
}
