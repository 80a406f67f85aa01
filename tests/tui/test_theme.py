"""Light and dark: which one is shown, and that everything can be read in both."""

import pytest
from textual.color import Color

from fivedice.cli import play_cmd
from fivedice.cli.command_list import run
from fivedice.drawing.theme import INKS
from fivedice.table.state import Phase
from fivedice.terminal.board import Die
from fivedice.terminal.terminal_app import TableApp, is_light
from long import few
from tui.keyboard import best_box, press, screen_text, settle

READABLE = 4.5  # the contrast that WCAG asks of text


def luminance(color: Color) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: Color, other: Color) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def faint_words(app: TableApp, where: str = "") -> set[tuple[str, str]]:
    """Letters and digits in some part of the screen that have too little contrast, with their colours."""
    found = set()
    part = (app.screen.query_one(where) if where else app.screen).region
    for strip in app.screen._compositor.render_strips()[part.y : part.bottom]:
        for segment in strip.crop(part.x, part.right):
            style = segment.style
            if style is None or style.color is None or style.bgcolor is None or not any(map(str.isalnum, segment.text)):
                continue
            ink, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
            if contrast(ink, ground) < READABLE:
                found.add((segment.text.strip(), f"{ink.hex} on {ground.hex}: {contrast(ink, ground):.1f}"))
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize("light", few([False, True], 1))
async def test_every_word_is_readable(begin, light):
    app = TableApp(begin("yahtzee", "Ann", "Bob", "Cy"), bot_pause=0, roll_pause=0, light=light)
    async with app.run_test(size=(140, 40)) as pilot:
        await press(pilot, "r", "1", "3")
        assert faint_words(app) == set()
        await press(pilot, "r", "r")
        assert {text for text, _ in faint_words(app)} <= {"R"}, "only a key that does nothing now may be dim"
        for key, page in {"question_mark": "#page", "c": "#page", "ctrl+p": "#--container"}.items():
            await press(pilot, key)
            assert faint_words(app, page) == set(), key
            await pilot.press("escape")
        while app.session.state.phase is Phase.PLAYING:
            app.session.score(best_box(app.session)) if app.session.state.slots else app.session.roll()
        app.table.begin()
        await settle(pilot)
        assert faint_words(app) == set(), "finished"


@pytest.mark.asyncio
async def test_theme_key_changes_only_the_theme(begin, show):
    app = show(begin("yahtzee", "Ann", "Bob"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r", "1", "3", "down")
        words, dark = screen_text(app), app.export_screenshot()
        for looks_dark in (False, True):
            await press(pilot, "l")
            assert app.current_theme.dark is looks_dark
            assert screen_text(app) == words
            assert app.table.board.dice.held == (0, 2)
            assert app.table.board.sheet.box_at_cursor() == "twos"
            assert faint_words(app) == set()
        assert app.export_screenshot() == dark


def test_chosen_theme():
    answer = {"COLORFGBG": "0;15"}
    for theme, environment, light in (
        ("dark", answer, False),
        ("light", {}, True),
        ("auto", {}, False),
        ("auto", answer, True),
        ("auto", {"COLORFGBG": "0;default;7"}, True),
        ("auto", {"COLORFGBG": "15;0"}, False),
        ("auto", {"COLORFGBG": "12;8"}, False),
        ("auto", {"COLORFGBG": "nonsense"}, False),
    ):
        assert is_light(theme, environment) is light, (theme, environment)


def test_theme_from_command_line_and_environment(monkeypatch):
    shown = []
    monkeypatch.setattr(play_cmd, "choose_way", lambda **_: "screen")
    monkeypatch.setattr(TableApp, "run", lambda app: shown.append(app.current_theme.dark))
    for key in ("FIVEDICE_THEME", "COLORFGBG"):
        monkeypatch.delenv(key, raising=False)
    for arguments, environment in (
        ([], {}),
        (["--theme", "light"], {}),
        ([], {"FIVEDICE_THEME": "light"}),
        (["--theme", "dark"], {"FIVEDICE_THEME": "light"}),
        ([], {"COLORFGBG": "0;15"}),
    ):
        with monkeypatch.context() as answer:
            for key, value in environment.items():
                answer.setenv(key, value)
            assert run(["play", *arguments]) == 0
    assert shown == [True, False, False, True, False]


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [(140, 40), (60, 18)], ids=["large", "small"])
async def test_dice_with_colours_have_them_and_strokes(begin, size):
    app = TableApp(begin("kismet"), bot_pause=0, roll_pause=0)
    async with app.run_test(size=size) as pilot:
        await pilot.press("r", "1")
        await settle(pilot)
        for die in app.screen.query(Die):
            ink = int("012210"[die.face - 1])
            drawn = die.render()
            text = drawn.plain.rpartition("\n")[0]
            assert sum(text.count(stroke) * count for stroke, count in (("┴", 1), ("┻", 1), ("'", 1), ('"', 2))) == ink
            assert (INKS[f"ink-{ink}"] in str(drawn.spans[0].style)) if ink else ("ink" not in str(drawn.spans))
