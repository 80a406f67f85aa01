"""Random doings of two phones and a server, and what must hold in the end.

Every entry of a run has dice of its own, or a box with a number of its own. So the server's sheet shows which of them
it has, how often and for whom. A person who saw an entry on the sheet finds it there in the end, unless a person took
it back, corrected it or gave it up when they were asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from browser.pad_phone import Entry
from web.pads import DICE as FILLED

MUST, MAY = "must be on the sheet", "may be on the sheet"
EVERY = {"".join(dice) for dice in combinations_with_replacement("123456", 5)}
DICE = sorted(EVERY - {"".join(sorted(dice)) for dice in FILLED})
# What is done, and how often. Everything is done by the phone of the step; what is not possible there is left out.
ENTRIES = {"enter": 30, "enter_box": 8, "enter_rolls": 4, "correct": 8, "undo": 8, "answer": 8}
PEOPLE = {"skip": 2, "join": 2, "leave": 1, "rename": 1}
NETWORK = {"cut": 8, "restore": 8, "slow": 1, "refuse": 3, "lose": 3, "break_off": 2, "kill_server": 1}
PHONE = {"reload": 5, "reopen": 3, "cut_after_sent": 4, "tab": 3, "full": 1, "clock": 1}
KILLS = {"kill": 5, "kill_after_entry": 5}
END = {"end": 1}
SCOREKEEPER = {"hand_on": 4, "take_back": 4}


@dataclass(frozen=True)
class Step:
    """One thing that is done, with all that chance decides about it, so that others can be left out of a run."""

    doing: str
    phone: int
    pick: int
    dice: str
    other: str  # dice too

    def __str__(self) -> str:
        return f"{self.doing} on phone {self.phone + 1} ({self.pick}, {self.dice}, {self.other})"


@dataclass(frozen=True)
class Plan:
    """What a seed stands for."""

    seed: int
    steps: tuple[Step, ...]
    two_people: bool = False  # each with a phone: one of them keeps score, as the link hands it on
    workers: bool = False  # whether pages are kept for a reload without a connection
    killable: bool = False  # whether the first phone has a browser of its own
    left: int | None = None  # turns until the end of the match
    games: int = 1
    hasty: bool = False  # whether people go on before what they did has arrived


def plan(seed: int) -> Plan:
    """Return what this seed does: the kinds of runs take turns."""
    chance = Random(seed)
    kind = seed % 5
    workers = kind in {1, 3}
    weights = ENTRIES | NETWORK | PEOPLE | END | (SCOREKEEPER if kind == 2 else {})
    weights |= PHONE if workers else {"tab": 2, "full": 2, "clock": 1}
    if kind == 3:
        weights |= KILLS
    if not chance.randrange(2):  # most runs are about something
        weights = {name: weight for name, weight in weights.items() if name in ENTRIES or chance.randrange(2)}
    dice = chance.sample(DICE, 2 * 24)
    doings = chance.choices(list(weights), list(weights.values()), k=chance.randint(8, 24))
    steps = tuple(
        Step(doing, chance.choice((0, 0, 1)), chance.randrange(10_000), _shuffled(chance, dice.pop()), dice.pop())
        for doing in doings
    )
    left = chance.randint(1, 8) if kind == 4 else None
    hasty = not chance.randrange(3)
    return Plan(seed, steps, kind == 2, workers, kind == 3, left, games=1 + (kind == 4), hasty=hasty)


def _shuffled(chance: Random, dice: str) -> str:
    return "".join(chance.sample(dice, len(dice)))


@dataclass
class Note:
    """An entry that a person made, for one player, and saw on the sheet."""

    mark: str
    name: str
    box: str
    points: int
    phone: int
    fate: str = MUST


@dataclass
class Ledger:
    """What people have written and what became of it, as they know it."""

    boxes: dict[str, str]  # keys by their names
    before: Counter[str] = field(default_factory=Counter)  # the marks of entries from before the run
    notes: list[Note] = field(default_factory=list)
    names: dict[str, set[str]] = field(default_factory=dict)  # all names of one player
    merged: dict[str, str] = field(default_factory=dict)  # a mark, and that of the same score which was there before

    def write(self, phone: int, done: dict[str, Any], dice: str = "") -> None:
        """Note an entry; one that no screen has shown may be lost."""
        mark = "".join(sorted(dice)) or f"{done['box']} {done['points']}"
        self.notes.append(Note(mark, done["name"], done["box"], done["points"], phone, MUST if done["shown"] else MAY))

    def release(self, text: str) -> None:
        """A person has given up the entries that this text names, or has left open which one counts."""
        for mark in self.marks_in(text):
            for note in self.notes:
                if mark in {note.mark, f"{note.box} {note.points}"}:
                    note.fate = MAY

    def release_place(self, name: str, label: str, points: int) -> None:
        """A person has taken this entry off the sheet, or corrected it."""
        for note in self.notes:
            if (note.box, note.points) == (self.boxes[label], points) and self.is_same_player(name, note.name):
                note.fate = MAY

    def marks_in(self, text: str) -> Iterator[str]:
        """Every entry that a text names, as "6-6-6-6-1, Sixes 24" or as "Sixes 24"."""
        label = "|".join(sorted(map(re.escape, self.boxes), key=len, reverse=True))
        for dice, box, points in re.findall(rf"(?:(\d(?:-\d)+), )?({label}) (\d+)", text):
            yield "".join(sorted(dice.replace("-", ""))) or f"{self.boxes[box]} {points}"

    def rename(self, before: str, after: str) -> None:
        self.names[after] = self.names[before] = self.names.get(before, {before}) | self.names.get(after, {after})
        for name in self.names[after]:
            self.names[name] = self.names[after]

    def is_same_player(self, one: str, other: str) -> bool:
        return one == other or other in self.names.get(one, ())

    def problems(self, sheet: list[Entry]) -> list[str]:
        """Return what is wrong with the server's sheet, compared with what people have seen."""
        counted = Counter(entry.mark for entry in sheet) - self.before
        found = [f"{mark} is written {count} times" for mark, count in counted.items() if count > 1]
        for entry in sheet:
            notes = [note for note in self.notes if note.mark == entry.mark]
            if not notes and not self.before[entry.mark]:
                found.append(f"no person wrote {entry}")
            elif notes and not any(self.is_same_player(entry.name, note.name) for note in notes):
                found.append(f"{entry} is for {entry.name}, and was written for {notes[0].name}")
        return found + [
            f"{note} is lost" for note in self.notes if self._must_stand(note) and not self._is_on(sheet, note)
        ]

    def merge(self, mark: str, stands: str) -> None:
        """Note that the server had this turn already, with the same score by other dice: both are one entry."""
        self.merged[mark] = stands

    def _must_stand(self, note: Note) -> bool:
        """Tell whether a person may rely on an entry; taking back one that two phones have written takes back both."""
        stands = self.merged.get(note.mark)
        return note.fate == MUST and not any(other.mark == stands and other.fate == MAY for other in self.notes)

    def _is_on(self, sheet: list[Entry], note: Note) -> bool:
        """The same score by other dice counts: the dice that came first stay."""
        same = [entry for entry in sheet if self.is_same_player(entry.name, note.name)]
        return any(entry.mark == note.mark or (entry.box, entry.points) == (note.box, note.points) for entry in same)
