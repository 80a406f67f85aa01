"""A finished game of two, and how a test waits for its report."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

import fivedice as fd

WORKED = json.loads((Path(__file__).parents[1] / "analysis" / "worked.json").read_text(encoding="utf-8"))
RECORD = "\n".join(WORKED["yatzy-forced"]["record"]) + "\n"


def two_players() -> fd.Game:
    """The worked game, and a friend who writes down whatever falls."""
    game = fd.Game.new("yatzy-forced", ["Ann", "Friend with a long name"], dice=fd.dice.real(), first=0)
    alone = iter(fd.read_game(RECORD).moves)
    while not game.is_over:
        if game.position.seat == 0:
            move = next(alone)
            game.play(move)
        else:
            game.roll("13566")
            game.mark(next(iter(game.position.ruling().legal)))
    return game


READY = """async (path) => {
    const unready = /One moment|Working out|being worked out|so far|data-wait/;
    const pause = () => new Promise((done) => { setTimeout(done, 300); });
    const headers = { "accept-language": "en" };
    while (unready.test(await (await fetch(path, { headers })).text())) await pause();
}"""


def patiently(page: Page, path: str) -> None:
    """Go there, and again once everything is worked out: until then the server is asked without showing the answer."""
    page.goto(path)
    page.evaluate(READY, path)  # the time limit of a test ends it
    page.goto(path)
