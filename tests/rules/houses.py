"""Small house books for tests, written the way a person would write them."""

from collections.abc import Iterable

import fivedice as fd

FACES = ("aces", "twos", "threes", "fours", "fives", "sixes")


def box(key: str, code: str, pattern: str, points: str = '"all"', section: str = "lower", name: str = "") -> str:
    """One box; `pattern` may carry its details, as in 'run", length = 4'."""
    kind, _, details = pattern.partition(",")
    lines = [f"[boxes.{key}]", f'name = "{name or key.replace("_", " ").title()}"', f'code = "{code}"']
    lines += [f'section = "{section}"', f'pattern = "{kind.strip()}"', f"points = {points}"]
    return "\n".join([*lines, *(detail.strip() for detail in details.split(";") if detail.strip()), ""])


def face_box(face: int) -> str:
    return box(FACES[face - 1], f"{face}s", f"face, face = {face}", '"matching"', "upper")


CHANCE = box("chance", "ch", "anything")
ALIKE = box("five_of_a_kind", "yz", "alike", "50")


def text(*parts: str, head: Iterable[str] = (), key: str = "house") -> str:
    """A whole file: key and name first, then further top lines, then tables."""
    return "\n".join([f'key = "{key}"', 'name = "House"', *head, *parts])


def load(*parts: str, head: Iterable[str] = (), key: str = "house") -> fd.RuleBook:
    return fd.load_book(text(*parts, head=head, key=key), file="house.toml")


def extend(base: str, *lines: str) -> fd.RuleBook:
    return fd.load_book("\n".join([f'extends = "{base}"', *lines]), file="house.toml")


def options(book: fd.RuleBook | str, dice: str, held: dict[str, int] | None = None, bonuses: int = 0) -> dict[str, int]:
    """The legal boxes for a roll and their points."""
    card = fd.Scorecard.of(book, held or {}, bonuses)
    return {key: entry.points for key, entry in card.options(fd.Roll.parse(dice)).items()}
