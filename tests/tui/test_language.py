"""The terminal uses the reader's language, line by line and on screens."""

import io
import re
from pathlib import Path

import pytest

from fivedice.core.rules import book
from fivedice.table.state import Phase
from fivedice.terminal.plain_commands import COMMANDS, PAD_COMMANDS
from fivedice.terminal.plain_table import PlainTable
from fivedice.text import using
from fivedice.text.languages import PSEUDO
from long import few
from tui.keyboard import best_box, click_box, deal, play_most, press, screen_text, settle
from tui.make_transcripts import BOOKS, SEED
from words.unaccented import SAME, unaccented
from words.vocabulary import LANGUAGES, foreign_words

TRANSCRIPTS = Path(__file__).parent / "transcripts"
TYPED = frozenset(["fivedice", "play", "plain", "resume", "off", "fours", *COMMANDS, *PAD_COMMANDS])
AIMS = re.compile(r"\baim (win|points|auto)\b")  # typed as well, and words of ours wherever they stand alone
RECORD = re.compile(r"^(\[.*\]|\d+\. \S*[=>].*|[=*] [ \d]+)$", re.MULTILINE)  # in notation, which has no language
KEYS = frozenset(["Enter"])  # as the foot of the screen shows it: a key is what stands on the keyboard


def check(text: str, same: frozenset[str]) -> None:
    assert unaccented(AIMS.sub("", text), SAME | same) == []


@pytest.mark.parametrize("key", BOOKS)
def test_translated_line_by_line(begin, key):
    script = (TRANSCRIPTS / f"{key}.in").read_text(encoding="utf-8")
    out = io.StringIO()
    with using(PSEUDO):
        PlainTable(begin(key, "Ann", "Bob", seed=SEED), io.StringIO(script), out).play()
    check(RECORD.sub("", out.getvalue()), TYPED | {box.code for box in book(key).boxes})


@pytest.mark.parametrize("language", few(LANGUAGES, 1))
def test_game_has_words_of_its_language_alone(begin, language):
    script = (TRANSCRIPTS / "yahtzee.in").read_text(encoding="utf-8")
    out = io.StringIO()
    with using(language):
        PlainTable(begin("yahtzee", "Ann", "Bob", seed=SEED), io.StringIO(script), out).play()
    typed = frozenset(word for line in script.splitlines() for word in line.lower().split())
    assert foreign_words(AIMS.sub("", RECORD.sub("", out.getvalue())), language, TYPED | typed) == []


def test_translated_mistakes_and_real_dice(begin):
    script = "help\nscore\nkeep 1\ncorrect\nroll 24466\nkeep 7\nscore aces\nscore twos\nscore twos\nwritten\nquit\n"
    out = io.StringIO()
    with using(PSEUDO):
        PlainTable(begin("yahtzee", "Ann", pad=True), io.StringIO(script), out).play()
    check(out.getvalue(), TYPED)


def test_boxes_typed_by_their_translated_names(begin):
    script = "roll 24466\nscore neljä samaa\nscore neljä samaa\ncorrect 1 - Sattuma\nscore talo\nscore chance\nquit\n"
    out = io.StringIO()
    with using("fi"):
        PlainTable(begin("yahtzee", "Ann", pad=True), io.StringIO(script), out).play()
    assert "0 ruutuun Neljä samaa." in out.getvalue()
    assert "22 ruudussa Sattuma" in out.getvalue()
    assert re.search(r"^Ei: .*'talo'.*Ykköset, Kakkoset", out.getvalue(), re.MULTILINE)
    assert " has " not in out.getvalue()


@pytest.mark.asyncio
@pytest.mark.parametrize("pad", [False, True], ids=["dice", "pad"])
async def test_translated_screens(begin, show, pad):
    with using(PSEUDO):
        app = show(begin("yahtzee", "Ann", "Bob", pad=pad))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            for keys in ((), ("r", "1", "r", "u"), ("question_mark",), ("c",), ("t", "enter")):
                await deal(pilot, begin("yahtzee", "Ann", "Bob", pad=pad))
                await press(pilot, *keys)
                check(RECORD.sub("", screen_text(app)), TYPED | KEYS)
                await pilot.press("escape")


@pytest.mark.asyncio
async def test_longer_texts_leave_the_game_playable(begin, show):
    with using(PSEUDO):
        session = begin("yatzy", "Ann")
        play_most(session)
        app = show(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert {"R", "S", "H", "U", "?"} <= set(screen_text(app).split()), (
                "the keys at the foot; help names the others"
            )
            while app.session.state.phase is Phase.PLAYING:
                await pilot.press("r")
                await click_box(pilot, best_box(app.session))
                await settle(pilot)
            assert "(N)" in screen_text(app)
        check(app.farewell().replace(app.session.id, ""), frozenset({"fivedice", "games", "export"}))
