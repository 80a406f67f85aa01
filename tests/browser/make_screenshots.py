"""Take a picture of every page, on a phone and on a desk, light and dark: `make screenshots`.

They land in build/screenshots, and those that documents show also in docs/screenshots. Look at them.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from browser.chromium import SIZES, cookie, keep_pace, launch_args
from browser.coach_sights import coach_sights
from browser.scenes import Sight, all_sights
from web.serving import Serving
from web.stage import Stage, key_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "screenshots"
FRAMES, SLOW = 8, 0.1  # of a moment, and how slowly it passes meanwhile
MOMENTS = {"phone": {"width": 390, "height": 664}, "tablet": {"width": 820, "height": 1180}, "desk": SIZES["desk"]}
SHOWN = ROOT / "docs" / "screenshots"  # what is there already is taken anew
# The browser itself turns its picture into the smaller format.
TO_WEBP = """async (png) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.35 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
}"""


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, Serving(Path(data)) as server, sync_playwright() as playwright:
        stage = Stage(Path(data))
        sights = [sight for sight in all_sights(stage) if sight.shot]
        browser = playwright.chromium.launch(**launch_args())
        for size in SIZES:
            for scheme in ("light", "dark"):
                _shoot(browser, server.url, sights, size, scheme, folder)
                _shoot_coach(browser, server.url, stage, size, scheme, folder)
        for size in MOMENTS:
            _shoot_moments(browser, server.url, stage, size, folder)
        stage.close()


def _shoot(browser: Browser, url: str, sights: list[Sight], size: str, scheme: Any, folder: Path) -> None:
    people: dict[str, Page] = {}
    darkroom = browser.new_page()
    for sight in sights:
        if sight.who not in people:
            context = browser.new_context(base_url=url, viewport=SIZES[size], color_scheme=scheme, has_touch=True)
            context.add_cookies([cookie(key_of(sight.who), url)])
            people[sight.who] = context.new_page()
        page = people[sight.who]
        page.goto(sight.path)
        _keep(page, darkroom, folder / f"{sight.name}-{size}-{scheme}.webp")


def _shoot_coach(browser: Browser, url: str, stage: Stage, size: str, scheme: Any, folder: Path) -> None:
    darkroom = browser.new_page()
    for name, path, taps in coach_sights(stage):
        context = browser.new_context(base_url=url, viewport=SIZES[size], color_scheme=scheme)
        context.add_cookies([cookie(key_of("Ann"), url)])
        page = context.new_page()
        page.goto(path)
        taps(page)
        _keep(page, darkroom, folder / f"{name}-{size}-{scheme}.webp", whole=name != "training")
        context.close()


def _shoot_moments(browser: Browser, url: str, stage: Stage, size: str, folder: Path) -> None:
    """Keep frames of a roll, of five of a kind and of a win, with the card that follows, and three and six players."""
    darkroom = browser.new_page()
    context = browser.new_context(base_url=url, viewport=MOMENTS[size], has_touch=True)
    context.add_cookies([cookie(key_of("Ann"), url)])
    page = context.new_page()

    def film(name: str, path: str, tapped: str, pause: int) -> None:
        page.goto(path)
        keep_pace(page, SLOW)
        page.locator(tapped).first.dispatch_event("click")
        for frame in range(FRAMES):
            page.wait_for_timeout(pause)
            _keep(page, darkroom, folder / f"{name}-{frame}-{size}.webp", moving=True)
        keep_pace(page, 20)

    film("roll", stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")), "#roll", 800)
    five = stage.put(stage.scene("yahtzee", "Ann").start().roll("44446").roll("44444", (0, 1, 2, 3)))
    before = stage.put(stage.scene("yahtzee", "Ann").start().roll("44446"))
    page.route("**/roll", lambda route: route.fulfill(body=_borrow(route, url, five, before)))
    film("five-of-a-kind", before, "#roll", 1800)
    page.unroute("**/roll")
    last = stage.scene("yahtzee", "Ann", "Bob").start(first=1).turn("12346", "chance").turn("44444", "five_of_a_kind")
    film("win", stage.put(last.play_until(1).roll("66612")), "button.box", 1800)
    page.wait_for_selector("#end-facts:not([data-wait])")
    _keep(page, darkroom, folder / f"end-card-{size}.webp", whole=False)
    for count in (3, 6):
        scene = stage.scene("yahtzee", *("Ann", "Bartholomew", "Chris", "Dora", "Emil", "Fay")[:count]).start()
        page.goto(stage.put(scene.roll("24466")))
        _keep(page, darkroom, folder / f"players-{count}-{size}.webp", whole=False)
    context.close()


def _borrow(route: Route, url: str, other: str, path: str) -> str:
    """Answer with the same part of another table, because a test cannot choose a server's dice."""
    found = route.fetch(url=url + other, method="GET", post_data="").text()
    return found.replace(other.removeprefix("/t/"), path.removeprefix("/t/"))


def _keep(page: Page, darkroom: Page, path: Path, *, whole: bool = True, moving: bool = False) -> None:
    motion: Any = {"animations": "allow" if moving else "disabled"}
    png = base64.b64encode(page.screenshot(full_page=whole and not moving, **motion)).decode()
    path.write_bytes(base64.b64decode(darkroom.evaluate(TO_WEBP, png)))
    if (SHOWN / path.name).exists():
        (SHOWN / path.name).write_bytes(path.read_bytes())
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
