"""Whether a table is one screen: nothing scrolls, nothing is outside, and nothing changes its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

WINDOWS = {
    "phone": (390, 664),
    "tall phone": (390, 844),
    "small phone": (360, 640),
    "phone on its side": (844, 390),
    "tablet": (820, 1180),
    "desk": (1280, 720),
    "large desk": (1920, 1080),
}
UPRIGHT = {"phone", "tall phone", "small phone"}
MANY_BOXES = 20
ROLL = 54  # pixels that it is high at least
WITH_ROOM, LANDSCAPE = 40, 32  # and a box

MEASURE = """() => {
    const place = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left, top, width, height];
    };
    const all = (selector) => [...document.querySelectorAll(selector)];
    const beyond = (one) => [
        one.scrollTop, one.scrollLeft, one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth,
    ];
    const sheet = document.querySelector('.scores');
    const slots = all('.dice > .die-slot');
    return {
        scrolled: [document.scrollingElement, document.body, document.querySelector('.game')].flatMap(beyond),
        sheet: sheet.scrollHeight - sheet.clientHeight,
        boxes: Object.fromEntries(all('button.box').map((one) => [one.value, place(one)])),
        lines: Object.fromEntries(all('.scores tr').map((one, at) => [at, place(one)])),
        roll: place(document.querySelector('.roll')),
        dice: slots.map(place),
        held: slots.map((one) => Boolean(one.querySelector('input:checked')) || one.classList.contains('held')),
    };
}"""


@dataclass
class Screen:
    """One page, looked at again and again during a game."""

    page: Page
    window: str
    boxes: int
    known: dict[str, list[float]] = field(default_factory=dict)
    looks: int = 0

    def look(self) -> None:
        seen = self.page.evaluate(MEASURE)
        self.looks += 1
        many = self.boxes >= MANY_BOXES
        assert not any(seen["scrolled"]), ("scrolled or to be scrolled", self.window, seen["scrolled"])
        assert many or seen["sheet"] <= 0, ("the sheet scrolls", self.window, seen["sheet"])
        self._inside({"roll": seen["roll"], **{f"die {at}": die for at, die in enumerate(seen["dice"])}})
        if seen["sheet"] <= 0:
            self._inside({f"box {key}": box for key, box in seen["boxes"].items()})
        self._sizes(seen)
        self._same(seen)

    def _inside(self, things: dict[str, list[float]]) -> None:
        width, height = WINDOWS[self.window]
        for name, (left, top, wide, high) in things.items():
            inside = left >= 0 and top >= 0 and left + wide <= width and top + high <= height
            assert inside, (name, "is outside", self.window, (left, top, wide, high))

    def _sizes(self, seen: dict[str, Any]) -> None:
        least = WITH_ROOM if self.window in UPRIGHT and self.boxes < MANY_BOXES else LANDSCAPE
        for key, (_, _, _, high) in seen["boxes"].items():
            assert high >= least - 0.5, (key, "is too low for a finger", self.window, high)
        _, top, _, high = seen["roll"]
        assert high >= ROLL, ("Roll is too low", self.window, high)
        if self.window in UPRIGHT:
            assert top >= WINDOWS[self.window][1] * 2 / 3, ("Roll is out of the thumb's reach", self.window, top)

    def _same(self, seen: dict[str, Any]) -> None:
        """At the very same place as ever in this game; a die that is held has left its own."""
        things = {"roll": seen["roll"]} | {f"box {key}": box for key, box in seen["boxes"].items()}
        things |= {f"line {at}": line for at, line in seen["lines"].items()}
        things |= {f"die {at}": die for at, die in enumerate(seen["dice"]) if not seen["held"][at]}
        for name, place in things.items():
            assert self.known.setdefault(name, place) == place, (name, "moved", self.window, self.known[name], place)


def play(screen: Screen, turns: int) -> None:
    """Real clicks: roll, keep a die, roll again, and the box that shines."""
    page = screen.page
    screen.look()
    for turn in range(turns):
        _press(page, "#roll")
        screen.look()
        if turn % 3 == 0:
            dice = page.locator("label.die-slot")
            dice.nth(turn % dice.count()).click()
            still(page)
            screen.look()
            _press(page, "#roll")
            screen.look()
        best = page.locator("button.box.best")
        _press(page, "button.box.best" if best.count() else "button.box")
        if turn + 1 < turns:
            screen.look()


def _press(page: Page, selector: str) -> None:
    table = page.locator("#table")
    version = table.get_attribute("data-version") or ""
    page.locator(selector).first.click()
    expect(table).not_to_have_attribute("data-version", version)
    still(page)


def still(page: Page) -> None:
    """Once nothing is in the air any more."""
    page.wait_for_function("() => document.getAnimations().every((motion) => motion.playState !== 'running')")
