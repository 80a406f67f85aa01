"""Write the golden transcripts anew: `python tests/tui/make_transcripts.py`, then read the difference.

The players are simple: they keep what they have most of and fill the box that pays most. On the way they also ask for
everything that can be asked.
"""

import io
import os
import tempfile
from pathlib import Path

from fivedice.core.rules import book
from fivedice.table.state import Phase
from fivedice.terminal.plain_table import PlainTable
from fivedice.terminal.session import PlayOptions, Session, open_tables

BOOKS = ("yardzee", "yahtzee", "yatzy", "yahtzee-classic", "maxi-yatzy")
SEED = "5"  # a game with a further five of a kind, and a joker where the book has one
FOLDER = Path(__file__).parent / "transcripts"
ASKED_ONCE = {1: ["help", "score"], 2: ["sheet", "juggle"], 3: ["keep 123456", "record"]}


def lines_of(session: Session) -> list[str]:
    """Play a game and note what was said."""
    said: list[str] = []
    turn = 0
    while session.state.phase is Phase.PLAYING:
        turn += 1
        said.append("roll")
        session.roll()
        said += ASKED_ONCE.get(turn, [])
        saves = session.state.book.save_rolls and turn % 3  # two turns leave their rolls to the third
        while session.game.position.rolls_left and not saves and len(set(session.state.slots)) > 1:
            keep = most_frequent(session.state.slots)
            said.append(f"keep {keep}")
            session.roll(tuple(slot for slot, face in enumerate(session.state.slots) if str(face) in keep))
        said += fill(session)
        if turn == 4:
            said += ["undo", said[-1]]
    return said


def most_frequent(slots: tuple[int, ...]) -> str:
    face = max(set(slots), key=lambda face: (slots.count(face), face))
    return str(face) * min(slots.count(face), len(slots) - 1)


def fill(session: Session) -> list[str]:
    legal = session.game.position.ruling().legal
    best = max(legal, key=lambda key: (legal[key].points + legal[key].bonus, key))
    session.score(best)
    return [f"score {session.state.book.box(best).code}"]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIVEDICE_DATA"] = folder
        for key in BOOKS:
            script = "".join(f"{line}\n" for line in lines_of(start(key, folder, "draft")))
            out = io.StringIO()
            PlainTable(start(key, folder, "golden"), io.StringIO(script), out).play()
            (FOLDER / f"{key}.in").write_text(script, encoding="utf-8")
            (FOLDER / f"{key}.out").write_text(out.getvalue(), encoding="utf-8")


def start(key: str, folder: str, name: str) -> Session:
    """Use a new store, so that there is no best score yet."""
    tables = open_tables(f"sqlite:///{folder}/{key}-{name}.db")
    return Session.start(tables, PlayOptions(book(key), ("Ann", "Bob"), seed=SEED))


if __name__ == "__main__":
    main()
