"""Format messages as sentences, and their values: numbers, chances, dice, names.

The language of the reader is a gettext catalogue, chosen per context (a request, a terminal). The pseudo-language,
English with accents and a third longer, shows which texts bypass the catalogue.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, singledispatch
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fivedice.message import Chance, Either, Message, Sentences, Series, Signed, Who


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


PSEUDO = "en-XA"
_ACCENTS = str.maketrans(
    "AEIOUYaeiouyCcDdGgHhJjLlNnRrSsTtWwZzKkBbPpMmFfVvQqXx",
    "ÅÉÎÖÛÝåéîöûýÇçÐđĜĝĤĥĴĵĻļÑñŔŕŠšŢţŴŵŽžĶķßƀÞþṀṁƑƒṼṽǪǫẊẋ",
)
# Parts that are not translated: {name}, %(name)s, %%, `code`, tags with the code and keys in them, and entities.
_FIXED = re.compile(
    r"(\{[^{}]*+\}|%\([^()]*+\)s|%%|`[^`]*+`|<(?:code|kbd)>[^<>]*+</(?:code|kbd)>|<[^<>]*+>|&[a-z#0-9]++;)"
)


class PseudoTranslations(NullTranslations):
    """A catalogue that returns every text with accents and longer."""

    def gettext(self, message: str) -> str:
        return add_accents(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return add_accents(msgid1 if n == 1 else msgid2)


def add_accents(text: str) -> str:
    """Return the text in the pseudo-language. Placeholders and tags stay as they are."""
    parts = _FIXED.split(text)
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return "".join(parts) + "·" * -(-letters // 3)


ENGLISH = "en"
FOLDER = Path(__file__).parent
CATALOGUES = FOLDER / "catalogues"
VARIABLE = "FIVEDICE_LANGUAGE"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}

_chosen: ContextVar[str | None] = ContextVar("fivedice_language", default=None)


def current() -> str:
    """Return the current language: that of this context, or the one in the environment."""
    return _chosen.get() or _from_environment()


@contextmanager
def using(language: str) -> Iterator[None]:
    """Use another language inside the block. English is used for one without a catalogue."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def available() -> tuple[str, ...]:
    """Return English and every language with a catalogue. The pseudo-language is not offered to people."""
    return (ENGLISH, *sorted(path.parts[-3] for path in CATALOGUES.glob("*/LC_MESSAGES/fivedice.mo")))


def direction() -> str:
    """Return the writing direction of the current language, as HTML names it."""
    return "rtl" if current().partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def translations() -> NullTranslations:
    """Return the catalogue of the current language."""
    return _catalogue(current())


def gettext(text: str) -> str:
    """Translate a text into the current language, which may differ between requests."""
    return translations().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    return translations().ngettext(one, many, count)


@cache
def _from_environment() -> str:
    return os.environ.get(VARIABLE) or ENGLISH


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == PSEUDO:
        return PseudoTranslations()
    if language == ENGLISH or language not in available():
        return NullTranslations()
    with (CATALOGUES / language / "LC_MESSAGES" / "fivedice.mo").open("rb") as file:
        return GNUTranslations(file)


MINUS = "\N{MINUS SIGN}"
_ROUNDING = 1e-9  # the rounding error of a sum of chances


def say(said: Message) -> str:
    """Return the sentence of a message in the reader's language."""
    who = said.args.get("who")
    text = text_of(f"{said.kind}.you" if isinstance(who, Who) and who.you else said.kind)
    if text is None:  # a text from elsewhere, such as the error of a bot
        return said.kind
    values = {name: value if type(value) is str else format_value(value) for name, value in said.args.items()}
    return translate(text, said.args).format_map(values)


def word(kind: str, /, **args: object) -> str:
    """Return the sentence of a kind with its arguments."""
    return say(Message(kind, args))


def translate(text: Text, args: object = ()) -> str:
    """Translate a text into the current language; its arguments are not filled in."""
    if isinstance(text, Plural):
        count = args[text.by] if isinstance(args, dict) else 0
        return ngettext(text.one, text.many, count)
    return gettext(text)


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
    names: dict[str, str] = getattr(thing, "names", None) or {}
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
    return text.replace("-", MINUS).replace(".", gettext(N_(".")))


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
        return gettext(N_("{number}%")).format(number=points(100 * chance, decimals))
    if 0 < chance < 0.01:
        return gettext(N_("under 1%"))
    if 0.99 < chance < 1 - _ROUNDING:
        return gettext(N_("over 99%"))
    return gettext(N_("{number}%")).format(number=round(100 * chance))


def group_digits(number: float) -> str:
    """Format a large number in groups of three digits; a fraction has one decimal."""
    text = f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
    marks = {",": gettext(N_(",")), ".": gettext(N_(".")), "-": MINUS}
    return "".join(marks.get(letter, letter) for letter in text)


def spread(number: float) -> str:
    """Format a standard deviation in whole points."""
    return gettext(N_("±{number}")).format(number=round(number))


def join_items(items: Iterable[object], joined: str) -> str:
    """Join items into a list: a, b and c."""
    *some, last = [format_value(item) for item in items] or [""]
    if not some:
        return last
    comma = gettext(N_(", "))
    return gettext(joined).format(some=comma.join(some), last=last)


format_value.register(str, str)  # for subclasses of str too
format_value.register(int, lambda number: str(number).replace("-", MINUS))
format_value.register(float, points)
format_value.register(Chance, lambda chance: percent(chance.value))
format_value.register(Signed, lambda number: format_signed(number.value))
format_value.register(Who, player)
format_value.register(Either, lambda choice: join_items(choice.items, N_("{some} or {last}")))
format_value.register(Series, lambda series: join_items(series.items, N_("{some}, {last}")))
format_value.register(Sentences, lambda sentences: " ".join(map(str, sentences.items)))
for _kind in (tuple, list):
    format_value.register(_kind, lambda items: join_items(items, N_("{some} and {last}")))
