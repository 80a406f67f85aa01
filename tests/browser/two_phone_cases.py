"""What two phones may do to one score sheet while one of them has no connection: a row per case.

`perform` in test_two_phones.py reads the steps. `PLAYER BOX POINTS` stands for an entry.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One phone (`here`) lost its connection; meanwhile another one wrote on the same sheet (`there`)."""

    name: str
    here: str
    there: str
    stands: str  # how the sheet stands in the end, turn by turn
    asks: str = ""  # what the first phone then asks; every word must be on its screen
    taps: str = ""  # what the person then taps
    before: str = ""  # what had been written on both
    games: int = 1
    left: int | None = None  # turns of the whole sheet, where it begins near its end
    keeper: str = "Ann"  # whose phone the first one is
    other: str = "Ann"  # whose phone the other one is: the same person has the same rights on both


MINE, THEIRS = "mine", "theirs"

CASES = (
    # --- the same turn ---
    Case("same entry", "66661 sixes", "66661 sixes", "Ann sixes 24"),
    Case("same points by other dice", "66662 sixes", "66661 sixes", "Ann sixes 24"),
    Case("dice against the points alone", "66661 sixes", "sixes=24", "Ann sixes 24"),
    Case("same box, mine", "66611 sixes", "66661 sixes", "Ann sixes 18", "Sixes 18 Sixes 24", MINE),
    Case("same box, theirs", "66611 sixes", "66661 sixes", "Ann sixes 24", "Sixes 18 Sixes 24", THEIRS),
    Case("other box, mine", "66661 sixes", "55552 fives", "Ann sixes 24", "Sixes 24 Fives 20", MINE),
    Case("other box, theirs", "66661 sixes", "55552 fives", "Ann fives 20", "Sixes 24 Fives 20", THEIRS),
    Case("points alone against dice", "sixes=18", "66661 sixes", "Ann sixes 18", "Sixes 18 Sixes 24", MINE),
    # --- later turns ---
    Case(
        "further here",
        "66661 sixes, 12345 chance, 55551 fives",
        "66661 sixes",
        "Ann sixes 24, Bob chance 15, Ann fives 20",
    ),
    Case(
        "further there",
        "66661 sixes",
        "66661 sixes, 12345 chance, 55551 fives",
        "Ann sixes 24, Bob chance 15, Ann fives 20",
    ),
    Case(
        "second turn differs, mine",
        "66661 sixes, 12345 chance, 55551 fives",
        "66661 sixes, 22341 twos",
        "Ann sixes 24, Bob chance 15, Ann fives 20",
        "Chance 15 Twos 4",
        MINE,
    ),
    Case(
        "second turn differs, theirs",
        "66661 sixes, 12345 chance, 55551 fives",
        "66661 sixes, 22341 twos",
        "Ann sixes 24, Bob twos 4, Ann fives 20",
        "Chance 15 Twos 4",
        THEIRS,
    ),
    Case(
        "both turns differ, mine",
        "66661 sixes, 12345 chance",
        "55552 fives, 22341 twos",
        "Ann sixes 24, Bob chance 15",
        "Sixes 24 Fives 20 Chance 15 Twos 4",
        MINE,
    ),
    Case(
        "both turns differ, mine and theirs",
        "66661 sixes, 12345 chance",
        "55552 fives, 22341 twos",
        "Ann sixes 24, Bob twos 4",
        "Sixes 24 Fives 20 Chance 15 Twos 4",
        "mine Sixes, theirs",
    ),
    Case(
        "three turns differ, theirs in one",
        "66661 sixes, 12345 chance, 11111 five_of_a_kind",
        "55552 fives, 22341 twos, 44441 fours",
        "Ann sixes 24, Bob twos 4, Ann five_of_a_kind 50",
        "Sixes 24 Fives 20 Chance 15 Twos 4 Fours 16",
        "theirs Chance, mine",
    ),
    Case(
        "theirs fills a box that is used here later",
        "66661 sixes, 12345 chance, 55551 fives, 22341 twos",
        "55552 fives",
        "Ann fives 20, Bob chance 15, Ann four_of_a_kind 20, Bob twos 4",
        "Sixes 24 Fives 20",
        "theirs, change four_of_a_kind",
    ),
    Case(
        "mine fills a box that is used there later",
        "66661 sixes",
        "55552 fives, 12345 chance, 66631 sixes",
        "Ann one_pair 12, Bob chance 15, Ann sixes 18",
        "Sixes 24 Fives 20",
        "mine, change one_pair, save",
    ),
    # --- corrections ---
    Case(
        "correction against an entry",
        "fix Ann sixes 18",
        "12345 chance",
        "Ann sixes 18, Bob chance 15",
        before="66661 sixes",
    ),
    Case(
        "entry against a correction",
        "12345 chance",
        "fix Ann sixes 18",
        "Ann sixes 18, Bob chance 15",
        before="66661 sixes",
    ),
    Case("same correction", "fix Ann sixes 18", "fix Ann sixes 18", "Ann sixes 18", before="66661 sixes"),
    Case(
        "correction against another",
        "fix Ann sixes 18",
        "fix Ann sixes 12",
        "Ann sixes 12",
        "Sixes 24 Sixes 18 Sixes 12",
        "discard",
        before="66661 sixes",
    ),
    Case(
        "correction of what was undone",
        "fix Ann sixes 18",
        "undo",
        "",
        "Sixes 18",
        "discard",
        before="66661 sixes",
    ),
    Case(
        "correction of what was undone and written anew",
        "fix Ann sixes 18",
        "undo, 55551 fives",
        "Ann fives 20",
        "Sixes 18 Fives 20",
        "discard",
        before="66661 sixes",
    ),
    # --- undo ---
    Case(
        "undo against an entry",
        "undo",
        "12345 chance",
        "Ann sixes 24, Bob chance 15",
        "Undo Sixes 24 Chance 15",
        "discard",
        before="66661 sixes",
    ),
    Case(
        "entry against undo",
        "12345 chance",
        "undo",
        "Ann fives 20, Bob chance 15",
        "Chance 15",
        "55551 fives",
        before="66661 sixes",
    ),
    Case("undo on both", "undo", "undo", "", before="66661 sixes"),
    Case(
        "undo against undo and another entry",
        "undo",
        "undo, 55551 fives",
        "Ann fives 20",
        "Undo Sixes 24 Fives 20",
        "discard",
        before="66661 sixes",
    ),
    Case(
        "undo against a correction",
        "undo",
        "fix Ann sixes 18",
        "Ann sixes 18",
        "Undo Sixes 24 Sixes 18",
        "discard",
        before="66661 sixes",
    ),
    Case("undo and another entry", "undo, 55551 fives", "look", "Ann fives 20", before="66661 sixes"),
    Case(
        "undo and another entry against an entry",
        "undo, 55551 fives",
        "12345 chance",
        "Ann sixes 24, Bob chance 15",
        "Sixes 24",
        "discard, theirs",
        before="66661 sixes",
    ),
    # --- the end of a game, of the match, of the sheet ---
    Case(
        "last turn of a game, mine",
        "11111 five_of_a_kind",
        "66651 five_of_a_kind",
        "five_of_a_kind 50",
        "50 0",
        MINE,
        games=2,
        left=31,
    ),
    Case(
        "last turn of a game, theirs",
        "11111 five_of_a_kind",
        "66651 five_of_a_kind",
        "five_of_a_kind 0",
        "50 0",
        THEIRS,
        games=2,
        left=31,
    ),
    Case(
        "last turn of the match, mine",
        "11111 five_of_a_kind",
        "66651 five_of_a_kind",
        "five_of_a_kind 50",
        "50 0",
        MINE,
        left=1,
    ),
    Case(
        "last turn of the match, theirs",
        "11111 five_of_a_kind",
        "66651 five_of_a_kind",
        "five_of_a_kind 0",
        "50 0",
        THEIRS,
        left=1,
    ),
    Case(
        "next game on both",
        "11111 five_of_a_kind, next",
        "11111 five_of_a_kind, next",
        "five_of_a_kind 50",
        games=2,
        left=31,
    ),
    Case(
        "entry in the next game on both",
        "11111 five_of_a_kind, next, 66661 sixes",
        "11111 five_of_a_kind, next, 55552 fives",
        "sixes 24",
        "Sixes 24 Fives 20",
        MINE,
        games=2,
        left=31,
    ),
    Case("entry against the end", "12345 chance", "end", "Ann sixes 24", "Chance 15", "discard", before="66661 sixes"),
    Case("end against an entry", "end", "12345 chance", "Ann sixes 24, Bob chance 15", before="66661 sixes"),
    Case(
        "end behind an entry that is refused",
        "66661 sixes, 12345 chance, 55551 fives, 22341 twos, end",
        "55552 fives",
        "Ann fives 20, Bob chance 15, Ann four_of_a_kind 20, Bob twos 4",
        "Sixes 24 Fives 20",
        "theirs, change four_of_a_kind",
    ),
    Case("correction against the end", "fix Ann sixes 18", "end", "Ann sixes 18", before="66661 sixes"),
    Case("undo against the end", "undo", "end", "Ann sixes 24", "Undo Sixes 24", "discard", before="66661 sixes"),
    # --- people ---
    Case(
        "entry against skip",
        "66661 sixes",
        "skip",
        "Bob chance 15, Ann sixes 24",
        "Ann Sixes 24",
        "stopped, 12345 chance, change sixes",
    ),
    Case("skip against an entry", "skip", "66661 sixes", "Ann sixes 24"),
    Case("skip on both", "skip, 12345 chance", "skip", "Bob chance 15"),
    Case("entry against join", "66661 sixes, 12345 chance", "join Cleo", "Ann sixes 24, Bob chance 15"),
    Case(
        "entry of a new player against another new player",
        "join Cleo, 66661 sixes, 12345 chance, 55551 fives",
        "join Dan",
        "Ann sixes 24, Bob chance 15, Cleo fives 20",
        "Cleo Fives 20",
        "skip",
    ),
    Case("entry against the player leaving", "66661 sixes", "leave Ann", "", "Ann Sixes 24", "discard"),
    Case("leaving against an entry", "leave Ann", "66661 sixes", "Ann sixes 24"),
    Case("entry against rename", "66661 sixes", "rename Ann Anna", "Anna sixes 24"),
    Case("rename on both", "rename Ann Anne", "rename Ann Anna", "Anne sixes 24", before="66661 sixes"),
    # --- the phone ---
    Case(
        "reload in between",
        "66661 sixes, reload, 12345 chance",
        "55552 fives",
        "Ann sixes 24, Bob chance 15",
        "Sixes 24 Fives 20",
        MINE,
    ),
    Case("reload with the question", "66661 sixes", "55552 fives", "Ann sixes 24", "Sixes 24 Fives 20", "reload, mine"),
    Case("two tabs write one turn", "66661 sixes, tab, 12345 chance", "look", "Ann sixes 24, Bob chance 15"),
    # --- the scorekeeper ---
    Case(
        "handed on and taken back, discarded",
        "66661 sixes, 12345 chance",
        "keep score",
        "",
        "2 entries",
        "discard left",
        keeper="Bob",
    ),
    Case(
        "handed on and taken back, sent to the scorekeeper",
        "66661 sixes, 12345 chance",
        "keep score",
        "Ann sixes 24, Bob chance 15",
        "2 entries",
        "send left",
        keeper="Bob",
    ),
    Case("cookies cleared", "66661 sixes, clear cookies", "look", "", "1 entry", "discard left"),
    Case(
        "spare link",
        "66661 sixes, 12345 chance",
        "spare, 66661 sixes",
        "Ann sixes 24",
        "1 entry",
        "discard left",
        other="Bob",
    ),
)
