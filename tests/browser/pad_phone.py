"""A phone with a score pad: what a person does on it and sees there, and what the server's sheet has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from browser.chromium import SIZES, cookie
from fivedice.table.actions.rewrite import sheet_of, written_turns
from fivedice.table.state import TableState
from fivedice.text import name_of
from web.gate import Gate
from web.stage import Stage, key_of

HAND = (Path(__file__).parent / "unit" / "pad_hand.js").read_text(encoding="utf-8")
INSTALL = f"(() => {{ {HAND.replace('export const hand', 'window.hand')} }})()"
PATIENCE = 20_000  # milliseconds; only ever waited out by a test that fails
READY = """async () => navigator.serviceWorker.controller !== null && Boolean(await caches.match("/pad/sheet"))"""
UNTIL = """async ([check, patience]) => {
    const holds = (0, eval)(check);
    const end = performance.now() + patience;
    while (!(await holds())) {
        if (performance.now() > end) return false;
        await new Promise((done) => setTimeout(done, 20));
    }
    return true;
}"""


def new_context(browser: Browser, *, workers: bool) -> BrowserContext:
    """Return a browser that has never been here, of the size of a phone."""
    size: Any = SIZES["phone"]
    return browser.new_context(viewport=size, has_touch=True, service_workers="allow" if workers else "block")


class Phone:
    """A browser at the page of one sheet, behind a gate of its own."""

    def __init__(self, context: BrowserContext, gate: Gate, name: str, path: str) -> None:
        self.gate, self.path = gate, path
        self.errors: list[str] = []  # what the page has thrown
        self.posts = 0
        self.is_dark = self.is_troubled = False  # without a connection, or with one that does not work
        self._cookie: Any = cookie(key_of(name), gate.url)
        self.live_in(context)

    def live_in(self, context: BrowserContext) -> None:
        """Use this browser from now on."""
        self.context = context
        context.add_cookies([self._cookie])  # a browser keeps one for good a minute after it came
        context.add_init_script(INSTALL)
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._count)
        return page

    def _count(self, request: Any) -> None:
        self.posts += request.method == "POST"

    def open(self) -> None:
        self.page.goto(f"{self.gate.url}{self.path}")
        self.expect_painted()

    def reload(self) -> None:
        self.page.reload()
        self.expect_painted()

    def expect_painted(self) -> None:
        """The sheet is on the screen, with what was written here."""
        self.page.locator("body.painted, body.following").first.wait_for(state="attached", timeout=PATIENCE)

    def expect_panels(self) -> None:
        """Wait until the page has fetched all that it needs without a connection."""
        self.page.locator("body.following, #people-now > *").first.wait_for(state="attached", timeout=PATIENCE)

    def is_ready_to_go_dark(self) -> bool:
        """Whether the service worker has what a reload without a connection needs."""
        return bool(self.page.evaluate(UNTIL, [READY, PATIENCE]))

    def do(self, doing: str, **given: Any) -> Any:
        return self.page.evaluate("([doing, given]) => hand.perform(doing, given)", [doing, given])

    def go_dark(self) -> None:
        self.is_dark = self.is_troubled = True
        self.gate.shut()
        self.context.set_offline(True)

    def refuse(self, status: int) -> None:
        """Have every request refused with this status."""
        self.context.set_offline(False)
        self.is_dark, self.is_troubled = False, True
        self.gate.refuse(status)

    def break_off(self, most: int = 0) -> None:
        """Break off every answer after this number of bytes."""
        self.context.set_offline(False)
        self.is_dark, self.is_troubled = False, True
        self.gate.break_off(most)

    def come_back(self) -> None:
        self.is_dark = self.is_troubled = False
        self.gate.open()
        self.context.set_offline(False)

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.do("look")
        return found

    def sheet(self) -> dict[str, Any]:
        found: dict[str, Any] = self.do("sheet")
        return found

    def expect_sheet(self, stage: Stage) -> None:
        """Wait until nothing waits, and the screen shows what the server has."""
        self.do("until", what="nothing waits", check="() => !hand.look().isWaiting")
        wanted = json.dumps(shown_by_server(stage, self.path), separators=(",", ":"), ensure_ascii=False)
        check = f"() => JSON.stringify(hand.sheet()) === {json.dumps(wanted)}"
        self.do("until", what=f"the sheet shows {wanted}", check=check)


@dataclass(frozen=True)
class Entry:
    """A turn as the server has it."""

    game: int
    turn: int
    name: str
    seat: int
    box: str
    points: int
    dice: str  # sorted; "" where the points were noted alone

    @property
    def mark(self) -> str:
        """What tells it from all others in a run of the model."""
        return self.dice or f"{self.box} {self.points}"


def entries(stage: Stage, path: str) -> list[Entry]:
    """All turns of the server's sheet, in their order."""
    return entries_of(stage.tables.state(path.removeprefix("/t/")))


def entries_of(state: TableState) -> list[Entry]:
    return [
        Entry(
            game,
            turn.number,
            state.seats[turn.seat].name,
            turn.seat,
            turn.box,
            turn.entry.points,
            "".join(map(str, sorted(turn.entered_dice))),
        )
        for game in range(len(state.all_games))
        for turn in written_turns(sheet_of(state, game))
    ]


def shown_by_server(stage: Stage, path: str) -> dict[str, Any]:
    """The current game as `sheet` in pad_hand.js reads it from a screen."""
    state = stage.tables.state(path.removeprefix("/t/"))
    game = len(state.all_games) - 1
    label = {key: name for name, key in labels(stage, path).items()}
    cells = {f"{each.seat} {label[each.box]}": each.points for each in entries(stage, path) if each.game == game}
    names = [state.seats[seat].name for seat in range(len(state.all_games[game].players))]
    return {"names": names, "cells": dict(sorted(cells.items()))}


def labels(stage: Stage, path: str) -> dict[str, str]:
    """The keys of boxes by their names."""
    return {name_of(box): box.key for box in stage.tables.state(path.removeprefix("/t/")).book.boxes}
