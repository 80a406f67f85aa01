"""How values stand in a sentence: numbers, chances, dice, names of boxes and of players."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from fivedice.message import Chance, Either, Sentences, Signed, Who
from fivedice.words.language import current, translations
from fivedice.words.marks import N_
from fivedice.words.pseudo import PSEUDO, accented

MINUS = "\N{MINUS SIGN}"


@singledispatch
def shown(value: object) -> str:
    """A value as it stands in a sentence. Books and boxes have names; dice are shown as 4-4-6."""
    faces = getattr(value, "faces", None)
    if isinstance(faces, tuple):
        return "-".join(map(str, faces))
    return name_of(value) if hasattr(value, "name") else str(value)


@shown.register
def _(value: str) -> str:
    return str(value)


@shown.register
def _(value: int) -> str:
    return str(value).replace("-", MINUS)


@shown.register
def _(value: float) -> str:
    return points(value)


@shown.register
def _(value: Chance) -> str:
    return percent(value.value)


@shown.register
def _(value: Signed) -> str:
    return signed(value.value)


@shown.register
def _(value: Who) -> str:
    return player(value)


@shown.register
def _(value: Either) -> str:
    return listed(value.items, N_("{some} or {last}"))


@shown.register
def _(value: Sentences) -> str:
    return " ".join(map(str, value.items))


@shown.register(tuple)
@shown.register(list)
def _(value: tuple[object, ...] | list[object]) -> str:
    return listed(value, N_("{some} and {last}"))


def name_of(thing: object) -> str:
    """The name of a book, a box or a line in the reader's language, where its book has one."""
    language = current()
    name: str = getattr(thing, "name")  # noqa: B009 - anything that has a name
    if language == PSEUDO:
        return accented(name)
    names: dict[str, str] = getattr(thing, "names", None) or {}
    return names.get(language, name)


def player(who: Who) -> str:
    """The name of a player, or a number for someone who gave none."""
    if who.name is not None:
        return who.name
    return translations().gettext(N_("Player {number}")).format(number=who.number)


def points(number: float) -> str:
    """Points to one decimal, with a true minus."""
    text = f"{number:.1f}"
    text = "0.0" if text == "-0.0" else text
    return text.replace("-", MINUS).replace(".", translations().gettext(N_(".")))


def signed(number: float) -> str:
    text = shown(abs(number))
    return (MINUS if number < 0 else "+") + text


def percent(chance: float) -> str:
    """A chance in whole percent; what is possible is never 0% and what is open never 100%."""
    if 0 < chance < 0.01:
        return translations().gettext(N_("under 1%"))
    if 0.99 < chance < 1:
        return translations().gettext(N_("over 99%"))
    return translations().gettext(N_("{number}%")).format(number=round(100 * chance))


def listed(items: Iterable[object], joined: str) -> str:
    """a, b and c."""
    *some, last = [shown(item) for item in items] or [""]
    if not some:
        return last
    comma = translations().gettext(N_(", "))
    return translations().gettext(joined).format(some=comma.join(some), last=last)
