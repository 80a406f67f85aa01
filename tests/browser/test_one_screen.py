"""The whole game on one screen, for every book, on every window, played by clicks."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Browser

import fivedice as fd
from browser.chromium import cookie, keep_pace
from browser.one_screen import WINDOWS, Screen, play
from long import LONG, every_run, few
from web.serving import Serving
from web.stage import Scene, Seat, Stage, key_of
from words.vocabulary import LANGUAGES

pytestmark = every_run  # what matters most takes no turns

PLAYERS = ("Ann", "Bob", "Cleopatra", "Дмитрий")
BOOKS = sorted(fd.SHIPPED)
# The end of one game for one player; whole games of all books, for up to four players, by the campaign `screens`.
GAMES = few(product(WINDOWS, BOOKS, (1, 2, 3, 4) if LONG else (1,)), 1)


def seated(stage: Stage, book: str, count: int) -> Scene:
    """All at one device, so that every turn is played here."""
    return stage.scene(book, *(Seat(name, owner="Ann") for name in PLAYERS[:count])).start()


def screen_at(browser: Browser, server: Serving, window: str, boxes: int, path: str, locale: str = "en") -> Screen:
    width, height = WINDOWS[window]
    context = browser.new_context(base_url=server.url, viewport={"width": width, "height": height}, locale=locale)
    context.add_cookies([cookie(key_of("Ann"), server.url)])  # type: ignore[list-item]
    page = context.new_page()
    # Places are measured at rest: what flies between may fly faster, and a game takes a third of the time.
    keep_pace(page, 20)
    page.goto(path)
    return Screen(page, window, boxes)


@pytest.mark.parametrize(("window", "book", "count"), GAMES)
def test_a_whole_game(stage: Stage, browser: Browser, server: Serving, window: str, book: str, count: int) -> None:
    boxes = len(fd.book(book).boxes)
    turns = boxes * count if LONG else 5
    scene = seated(stage, book, count).play_until(turns)
    screen = screen_at(browser, server, window, boxes, stage.put(scene))
    play(screen, turns)
    assert screen.looks > 2 * turns
    screen.page.context.close()


# The end of a game for three in each language; two of them in `make test`, all by the campaign `languages`.
AT = [*product(("small phone", "phone", "desk"), ("yahtzee", "yatzy", "kniffel"))]
SPOKEN = [*product(LANGUAGES, AT)] if LONG else [*zip(few(LANGUAGES, 2), few(AT, 2), strict=True)]


@pytest.mark.parametrize(("language", "at"), SPOKEN)
def test_every_language(stage: Stage, browser: Browser, server: Serving, language: str, at: tuple[str, str]) -> None:
    window, book = at
    turns = 12 if LONG else 3
    scene = seated(stage, book, 3).play_until(turns)
    screen = screen_at(browser, server, window, len(fd.book(book).boxes), stage.put(scene), language)
    assert screen.page.locator("html").get_attribute("lang") == language
    play(screen, turns)
    screen.page.context.close()


@pytest.mark.parametrize("book", few(BOOKS, 1))
def test_every_window_shows_everything(stage: Stage, browser: Browser, server: Serving, book: str) -> None:
    rules = fd.book(book)
    page = screen_at(browser, server, "desk", len(rules.boxes), "/help").page
    for count in range(1, len(PLAYERS) + 1):
        scene = seated(stage, book, count).play_until(len(rules.boxes) - 2 * count)
        page.goto(stage.put(scene.roll("123456"[: rules.dice])))
        for window, (width, height) in WINDOWS.items():
            page.set_viewport_size({"width": width, "height": height})
            Screen(page, window, len(rules.boxes)).look()
    page.context.close()
