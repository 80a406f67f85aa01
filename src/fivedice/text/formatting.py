"""Format messages as sentences, and their values: numbers, chances, dice, names.

Every text of a table is translated with its kind as the context: the same English word may be several words elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache, singledispatch
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fivedice.message import Chance, Either, Message, Sentences, Series, Signed, Who
from fivedice.text.languages import PSEUDO, add_accents, current, gettext, marks, npgettext, pgettext


class Plural(NamedTuple):
    """A text with a form for one and a form for many, chosen by the argument `by`."""

    one: str
    many: str
    by: str = "count"


Text: TypeAlias = str | Plural
Table: TypeAlias = dict[str, Text]


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools look for
    """Mark a text for `make messages`, which collects it. The text stays as it is."""
    return text


FOLDER = Path(__file__).parent
MINUS = "\N{MINUS SIGN}"
_ROUNDING = 1e-9  # the rounding error of a sum of chances


def say(said: Message) -> str:
    """Return the sentence of a message in the reader's language."""
    who = said.args.get("who")
    kind = f"{said.kind}.you" if isinstance(who, Who) and who.you else said.kind
    text = text_of(kind)
    if text is None:  # a text from elsewhere, such as the error of a bot
        return said.kind
    values = {name: value if type(value) is str else format_value(value) for name, value in said.args.items()}
    return translate(kind, text, said.args).format_map(values)


def word(kind: str, /, **args: object) -> str:
    """Return the sentence of a kind with its arguments."""
    return say(Message(kind, args))


def translate(kind: str, text: Text, args: object = ()) -> str:
    """Translate the text of a kind into the current language; its arguments are not filled in."""
    if isinstance(text, Plural):
        count = args[text.by] if isinstance(args, dict) else 0
        return npgettext(kind, text.one, text.many, count)
    return pgettext(kind, text)


@lru_cache(maxsize=4096)  # more than there are kinds; texts from elsewhere are kinds too
def text_of(kind: str) -> Text | None:
    """Return the text of a kind; None if there is none."""
    return _table(kind.partition(".")[0]).get(kind)


@lru_cache(maxsize=64)  # a text from elsewhere may begin with any word
def _table(area: str) -> Table:
    files = {file.stem: file for file in FOLDER.glob("sentences/*.toml")}
    return read_table(files[area]) if area in files else {}


def read_table(file: Path, section: str | None = None) -> Table:
    """Return the texts of a file by kind, or those of one of its sections. A list is a text with plural forms."""
    import tomllib  # a late import: not every program says something

    found = tomllib.loads(file.read_text(encoding="utf-8"))
    texts = found if section is None else found[section]
    return {kind: text if isinstance(text, str) else Plural(*text) for kind, text in texts.items()}


@singledispatch
def format_value(value: object) -> str:
    """Format a value for a sentence. Books and boxes show their names, dice show as 4-4-6."""
    faces = getattr(value, "faces", None)
    if isinstance(faces, tuple):
        return "-".join(map(str, faces))
    return name_of(value) if hasattr(value, "name") else str(value)


def name_of(thing: object) -> str:
    """Return the name of a book, a box or a line in the reader's language, if its book has one."""
    language = current()
    name: str = getattr(thing, "name")  # noqa: B009 - anything with a name
    if language == PSEUDO:
        return add_accents(name)
    names: Mapping[str, str] = getattr(thing, "names", {})  # its length is not asked: that would read all languages
    return names.get(language, name)


def translate_text(text: str) -> str:
    """Translate a text of a rule book. The catalogue has the texts of the shipped books."""
    return gettext(text) if text else ""  # gettext returns the catalogue's header for an empty text


def player(who: Who) -> str:
    """Return the name of a player, or a number for one without a name."""
    if who.name is not None:
        return who.name
    if who.former:
        return gettext(N_("Former player {number}")).format(number=who.number)
    return gettext(N_("Player {number}")).format(number=who.number)


def points(number: float, decimals: int = 1) -> str:
    """Format points with one decimal and a true minus sign."""
    text = f"{number:.{decimals}f}"
    text = text.lstrip("-") if not float(text) else text
    return text.replace("-", MINUS).replace(".", marks().decimal)


def format_signed(number: float) -> str:
    """Format a number with its sign; a number that rounds to zero has none."""
    text = format_value(abs(number))
    if not any(digit in text for digit in "123456789"):
        return text
    return (MINUS if number < 0 else "+") + text


def percent(chance: float, decimals: int = 0) -> str:
    """Format a chance in whole percent, or with decimals.

    In whole percent a possible event is never 0%, and an uncertain one never 100%.
    """
    if decimals:
        return marks().percent.format(number=points(100 * chance, decimals))
    if 0 < chance < 0.01:
        return gettext(N_("under 1%"))
    if 0.99 < chance < 1 - _ROUNDING:
        return gettext(N_("over 99%"))
    return marks().percent.format(number=round(100 * chance))


def group_digits(number: float) -> str:
    """Format a large number in groups of three digits; a fraction has one decimal."""
    text = f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
    found = {",": marks().group, ".": marks().decimal, "-": MINUS}
    return "".join(found.get(letter, letter) for letter in text)


def format_day(day: date | str) -> str:
    """Format a day, or a moment as it is stored: 19 Nov 2026."""
    found = date.fromisoformat(day[:10]) if isinstance(day, str) else day
    month = marks().months.split()[found.month - 1]
    return marks().day.format(day=found.day, month=month, number=found.month, year=found.year)


def join_items(items: Iterable[object], joined: str) -> str:
    """Join items into a list: a, b and c."""
    *some, last = [format_value(item) for item in items] or [""]
    return joined.format(some=", ".join(some), last=last) if some else last


format_value.register(str, str)  # for subclasses of str too
format_value.register(int, lambda number: str(number).replace("-", MINUS))
format_value.register(float, points)
format_value.register(Chance, lambda chance: percent(chance.value))
format_value.register(Signed, lambda number: format_signed(number.value))
format_value.register(Who, player)
format_value.register(date, format_day)
format_value.register(Either, lambda choice: join_items(choice.items, marks().either))
format_value.register(Series, lambda series: ", ".join(map(format_value, series.items)))
format_value.register(Sentences, lambda sentences: " ".join(map(str, sentences.items)))
for _kind in (tuple, list):
    format_value.register(_kind, lambda items: join_items(items, marks().both))
