"""Everything in the terminal is in the reader's language: line by line, and on the screens."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path

import pytest

from fivedice.tui.lines.plain_table import PlainTable
from fivedice.words import using
from fivedice.words.pseudo import PSEUDO
from tui.hands import settle
from tui.make_transcripts import BOOKS, SEED
from words.unaccented import SAME, unaccented

TRANSCRIPTS = Path(__file__).parent / "transcripts"
COMMANDS = frozenset(["roll", "keep", "score", "undo", "sheet", "hint", "odds", "record", "quit", "help", "training"])
KEYS = frozenset(["Enter", "Space", "Up", "Down", "Escape", "Tab"])


def check(text: str, *same: frozenset[str]) -> None:
    english = unaccented(text, frozenset().union(SAME, *same))
    assert english == []


@pytest.mark.parametrize("key", BOOKS)
def test_line_by_line(begin, key):
    script = (TRANSCRIPTS / f"{key}.in").read_text(encoding="utf-8")
    out = io.StringIO()
    with using(PSEUDO):
        PlainTable(begin(key, "Ann", "Bob", seed=SEED), io.StringIO(script), out).play()
    said = re.sub(r"^\[Fivedice .*?(?=^\S*[éåîöû]|\Z)", "", out.getvalue(), flags=re.MULTILINE | re.DOTALL)  # records
    check(said, COMMANDS, frozenset({"fivedice", "juggle", "fours", "off"}))


@pytest.mark.asyncio
@pytest.mark.parametrize("keys", [(), ("r", "1", "r"), ("r", "question_mark"), ("r", "t"), ("q",)], ids="-".join)
async def test_screens(begin, show, keys):
    with using(PSEUDO):
        app = show(begin("yahtzee", "Ann", "Bob"))
        async with app.run_test(size=(100, 40)) as pilot:
            await settle(pilot)
            await pilot.press(*keys)
            await settle(pilot)
            picture = app.export_screenshot()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    check(html.unescape(" ".join(texts)).replace("\xa0", " "), KEYS)
