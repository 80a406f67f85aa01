"""A message into the sentence that its reader gets, and how values stand in it: numbers, chances, dice, names.

The language of the reader is a gettext catalogue, chosen per context (a request, a terminal). One that nobody speaks,
English with accents and a third longer, shows what bypasses the catalogue.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, singledispatch
from gettext import GNUTranslations, NullTranslations
from importlib import import_module
from pathlib import Path

from fivedice.message import Chance, Either, Message, Sentences, Series, Signed, Who
from fivedice.words.marks import N_, Plural, Table, Text

PSEUDO = "en-XA"
_ACCENTS = str.maketrans(
    "AEIOUYaeiouyCcDdGgHhJjLlNnRrSsTtWwZzKkBbPpMmFfVvQqXx",
    "ÅÉÎÖÛÝåéîöûýÇçÐđĜĝĤĥĴĵĻļÑñŔŕŠšŢţŴŵŽžĶķßƀÞþṀṁƑƒṼṽǪǫẊẋ",
)
# What is not text: {name}, %(name)s, %%, `code`, tags with the code and keys in them, and entities.
_FIXED = re.compile(
    r"(\{[^{}]*+\}|%\([^()]*+\)s|%%|`[^`]*+`|<(?:code|kbd)>[^<>]*+</(?:code|kbd)>|<[^<>]*+>|&[a-z#0-9]++;)"
)


class PseudoTranslations(NullTranslations):
    """Every text that goes through the catalogue comes back accented and longer."""

    def gettext(self, message: str) -> str:
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return accented(msgid1 if n == 1 else msgid2)


def accented(text: str) -> str:
    """The text in the pseudo-language; placeholders and tags stay as they are."""
    parts = _FIXED.split(text)
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return "".join(parts) + "·" * -(-letters // 3)


ENGLISH = "en"
CATALOGUES = Path(__file__).parent / "catalogues"
VARIABLE = "FIVEDICE_LANGUAGE"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}

_chosen: ContextVar[str | None] = ContextVar("fivedice_language", default=None)


def current() -> str:
    """The language in use: the one of this context, or what the environment asks for."""
    return _chosen.get() or _from_environment()


@contextmanager
def using(language: str) -> Iterator[None]:
    """Speak another language for a while. One that has no catalogue is spoken as English."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def available() -> tuple[str, ...]:
    """English, and every language that has a catalogue. The pseudo-language is not offered to people."""
    return (ENGLISH, *sorted(path.parts[-3] for path in CATALOGUES.glob("*/LC_MESSAGES/fivedice.mo")))


def direction() -> str:
    """Which way the language in use is written, as pages say it."""
    return "rtl" if current().partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def translations() -> NullTranslations:
    """The catalogue of the language in use."""
    return _catalogue(current())


def gettext(text: str) -> str:
    """In the language in use, which changes from one request to the next."""
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
_ROUNDING = 1e-9  # what sums of chances are off by


def say(said: Message) -> str:
    """The sentence of a message in the reader's language."""
    text = text_of(_variant(said))
    if text is None:  # a sentence of someone else's, such as a bot's own error
        return said.kind
    told = {name: value if type(value) is str else shown(value) for name, value in said.args.items()}
    return translated(text, said.args).format_map(told)


def word(kind: str, /, **args: object) -> str:
    """The sentence of a kind and its arguments: for edges that say it at once."""
    return say(Message(kind, args))


def translated(text: Text, args: object = ()) -> str:
    """The text in the language in use, not yet filled in."""
    if isinstance(text, Plural):
        count = args[text.by] if isinstance(args, dict) else 0
        return ngettext(text.one, text.many, count)
    return gettext(text)


@lru_cache(maxsize=4096)  # more than there are; an error of someone else's is a kind of its own
def text_of(kind: str) -> Text | None:
    area, dot, _ = kind.partition(".")
    return _table(area).get(kind) if dot and area.isidentifier() else None


def _variant(said: Message) -> str:
    who = said.args.get("who")
    return f"{said.kind}.you" if isinstance(who, Who) and who.you else said.kind


@cache
def _table(area: str) -> Table:
    try:
        table: Table = import_module(f"fivedice.words.sentences.{area}_sentences").SENTENCES
    except (ModuleNotFoundError, AttributeError):
        return {}
    return table


@singledispatch
def shown(value: object) -> str:
    """A value as it stands in a sentence. Books and boxes have names; dice are shown as 4-4-6."""
    faces = getattr(value, "faces", None)
    if isinstance(faces, tuple):
        return "-".join(map(str, faces))
    return name_of(value) if hasattr(value, "name") else str(value)


def name_of(thing: object) -> str:
    """The name of a book, a box or a line in the reader's language, where its book has one."""
    language = current()
    name: str = getattr(thing, "name")  # noqa: B009 - anything that has a name
    if language == PSEUDO:
        return accented(name)
    names: dict[str, str] = getattr(thing, "names", None) or {}
    return names.get(language, name)


def said(text: str) -> str:
    """What a rule book says of itself: the catalogue has the texts of the shipped ones."""
    return gettext(text) if text else ""  # the empty text is the head of a catalogue


def player(who: Who) -> str:
    """The name of a player, or a number for someone who gave none."""
    if who.name is not None:
        return who.name
    if who.former:
        return gettext(N_("Former player {number}")).format(number=who.number)
    return gettext(N_("Player {number}")).format(number=who.number)


def points(number: float, decimals: int = 1) -> str:
    """Points to one decimal, with a true minus."""
    text = f"{number:.{decimals}f}"
    text = text.lstrip("-") if not float(text) else text
    return text.replace("-", MINUS).replace(".", gettext(N_(".")))


def signed(number: float) -> str:
    """With its sign; what is too small to be seen has none."""
    text = shown(abs(number))
    if not any(digit in text for digit in "123456789"):
        return text
    return (MINUS if number < 0 else "+") + text


def percent(chance: float, decimals: int = 0) -> str:
    """A chance in whole percent; what is possible is never 0% and what is open never 100%. A share with decimals."""
    if decimals:
        return gettext(N_("{number}%")).format(number=points(100 * chance, decimals))
    if 0 < chance < 0.01:
        return gettext(N_("under 1%"))
    if 0.99 < chance < 1 - _ROUNDING:
        return gettext(N_("over 99%"))
    return gettext(N_("{number}%")).format(number=round(100 * chance))


def grouped(number: float) -> str:
    """A large number in groups of three digits; a fraction with one decimal."""
    text = f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"
    marks = {",": gettext(N_(",")), ".": gettext(N_(".")), "-": MINUS}
    return "".join(marks.get(letter, letter) for letter in text)


def spread(number: float) -> str:
    """How far things lie apart, in whole points."""
    return gettext(N_("±{number}")).format(number=round(number))


def listed(items: Iterable[object], joined: str) -> str:
    """a, b and c."""
    *some, last = [shown(item) for item in items] or [""]
    if not some:
        return last
    comma = gettext(N_(", "))
    return gettext(joined).format(some=comma.join(some), last=last)


shown.register(str, str)  # a kind of it too, such as a name from a list
shown.register(int, lambda number: str(number).replace("-", MINUS))
shown.register(float, points)
shown.register(Chance, lambda chance: percent(chance.value))
shown.register(Signed, lambda number: signed(number.value))
shown.register(Who, player)
shown.register(Either, lambda choice: listed(choice.items, N_("{some} or {last}")))
shown.register(Series, lambda series: listed(series.items, N_("{some}, {last}")))
shown.register(Sentences, lambda told: " ".join(map(str, told.items)))
for _kind in (tuple, list):
    shown.register(_kind, lambda items: listed(items, N_("{some} and {last}")))
