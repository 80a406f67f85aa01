"""The screens that a language is judged by, and pictures of them: `make screenshots LANGUAGE=de`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from browser.chromium import PATIENCE, cookie, keep_pace, launch_args
from browser.coach_sights import coach_sights
from browser.report_scene import patiently, two_players
from browser.scenes import all_sights
from web.games import put_finished, staged
from web.serving import Serving
from web.stage import Seat, Stage, key_of

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 664}
# Of all that is staged for pictures, what has the most words.
STAGED = {
    *("home", "new-game", "play-a-friend", "seating", "joining", "three-players", "avoidable-zero", "joker-forced"),
    *("undo-question", "somebody-left", "six-dice", "finished-together", "home-again", "tables", "help", "devices"),
    *("pad-set-up", "pad", "pad-boxes", "pad-sheet", "pad-finished", "pad-correction", "rules", "rules-yatzy"),
    *("rules-yahtzee", "house", "house-form", "house-book"),
}
OTHERS = ("daily", "deal", "train", "train/themes", "circles", "verify", "fairness", "you", "print/yahtzee")


class Sight(NamedTuple):
    """A page, who looks at it, and what is done there first."""

    name: str
    path: str
    who: str = "Ann"
    act: Callable[[Page], object] = lambda _: None


def language_sights(stage: Stage) -> Iterator[Sight]:
    """Stage the tables and yield the pages. Last those of the coach: a report has to be waited for."""
    yield from (Sight(one.name, one.path, one.who) for one in all_sights(stage) if one.name in STAGED)
    yield from (Sight(name.replace("/", "-"), f"/{name}") for name in OTHERS)
    yield from (Sight(*found[:2], act=found[2]) for found in coach_sights(stage))
    path = put_finished(stage, staged(stage, two_players(), "Rita", Seat("Friend with a long name", owner="Rita")))
    yield Sight("end", path, "Rita")
    yield Sight("report", f"{path}/report", "Rita", lambda page: patiently(page, f"{path}/report"))
    yield Sight("statistics", "/statistics", "Rita", lambda page: patiently(page, "/statistics"))


def open_sight(browser: Browser, server: Serving, sight: Sight, language: str) -> Page:
    """Open a page in a browser of its own, on a phone that speaks this language, and do there what belongs to it."""
    options = {"viewport": PHONE, "has_touch": True, "service_workers": "block"}
    context = browser.new_context(base_url=server.url, locale=language, **options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    context.add_cookies([cookie(key_of(sight.who), server.url)] if sight.who != "Newcomer" else [])
    page = context.new_page()
    keep_pace(page, 20)
    page.goto(sight.path)
    sight.act(page)
    page.wait_for_load_state("networkidle")
    return page


def main(language: str, *wanted: str) -> None:
    """Take pictures of all sights, or of those that are named, as a phone shows them in this language."""
    folder = ROOT / "build" / "screenshots" / language
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, Serving(Path(data)) as server, sync_playwright() as playwright:
        stage = Stage(Path(data))
        browser = playwright.chromium.launch(**launch_args())
        for sight in language_sights(stage):
            if wanted and sight.name not in wanted:
                continue
            page = open_sight(browser, server, sight, language)
            page.screenshot(path=folder / f"{sight.name}.png", full_page=True, animations="disabled")
            print(folder.relative_to(ROOT) / f"{sight.name}.png")
            page.context.close()
        stage.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
