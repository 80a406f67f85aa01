"""From the end of a game to its report and the statistics: read by everyone, on a phone, at twice the letters."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

import fivedice as fd
from browser.axe import expect_clean
from browser.conftest import Person
from browser.report_scene import RECORD, patiently, two_players
from web.games import put_finished, staged
from web.stage import Seat, Stage

# What reaches beyond the right edge, and is not in a part that scrolls by itself.
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("main *, header *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".wide"))
        .map((one) => `${one.tagName}.${one.getAttribute("class")} ${one.textContent.slice(0, 40)}`)"""


def check_sight(page: Page, what: str) -> None:
    """No violation, light or dark; every drawing has words; nothing sticks out, at twice the letters neither."""
    page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")
    expect_clean(page, what)
    for drawing in page.locator("svg.chart").all():
        expect(drawing).to_have_role("img")
        expect(drawing).not_to_have_accessible_name("")
        expect(drawing).not_to_have_accessible_description("")
    for letters in ("100%", "200%"):
        page.evaluate(f"document.documentElement.style.fontSize = '{letters}'")
        assert not page.evaluate(TOO_WIDE), f"{what} at {letters}: {page.evaluate(TOO_WIDE)}"
    page.evaluate("document.documentElement.style.fontSize = ''")


def test_from_the_end_of_a_game_to_its_report_and_the_statistics(stage: Stage, person: Person) -> None:
    seats = "Rita", Seat("Friend with a long name", owner="Rita")
    path = put_finished(stage, staged(stage, two_players(), *seats))
    page = person("Rita", "phone", java_script_enabled=True, reduced_motion="reduce")
    page.goto(path)
    page.get_by_role("link", name="Report", exact=True).click()
    patiently(page, f"{path}/report")
    expect(page.get_by_role("heading", level=1)).to_contain_text("with")
    expect(page.locator(".moments li").first).to_contain_text("Better")
    expect(page.locator("svg.chart")).to_have_count(4)
    check_sight(page, "report")
    patiently(page, "/statistics")
    expect(page.get_by_role("heading", level=2, name="Yatzy", exact=False).first).to_be_visible()
    check_sight(page, "statistics")
    _expect_to_come_by_themselves(page)
    page.get_by_role("link", name="report of a record").click()
    page.get_by_label("Paste the record").fill(RECORD)
    page.get_by_role("button", name="Show report").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Final score: 96")
    page.go_back()
    check_sight(page, "a record is brought")


def _expect_to_come_by_themselves(page: Page) -> None:
    """The first answer is held back as it was when nothing was known; what follows is the real page."""
    page.goto("/statistics")
    ready = page.content()
    assert "data-wait" not in ready
    unready = ready.replace('id="statistics"', 'id="statistics" data-wait').replace("on average", "so far")
    page.route("**/statistics", lambda route: route.fulfill(body=unready, content_type="text/html"), times=1)
    page.goto("/statistics")
    expect(page.locator("#statistics")).to_contain_text("so far")
    page.locator("details[id^=latest] > summary").click()
    expect(page.locator("#statistics[data-wait]")).to_have_count(0)
    expect(page.locator("#statistics")).to_contain_text("on average")
    expect(page.locator("details[id^=latest]")).to_have_attribute("open", "")
    expect(page.locator("details[id^=latest] > summary")).to_be_focused()


SHARE = """navigator.share = async (all) => {
        const picture = all.files ? await createImageBitmap(all.files[0]) : null;
        document.title = `${all.url} ${picture ? `${all.files[0].type} ${picture.width} x ${picture.height}` : ""}`;
    };
    Boolean(navigator.canShare = () => true);"""
FITS = "(all) => all.every((one) => one.scrollWidth <= one.clientWidth)"


def test_end_and_picture_are_shared_without_an_error(stage: Stage, person: Person) -> None:
    path = put_finished(stage, staged(stage, fd.read_game(RECORD), "Rita"))
    page, errors = person("Rita", "phone", reduced_motion="reduce"), []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(path)
    page.evaluate(SHARE)
    page.get_by_role("link", name="Share").click()
    expect(page).to_have_title(re.compile(f"{path}$"))
    page.goto(f"{path}/picture")
    page.evaluate(f"{SHARE} document.dispatchEvent(new Event('fivedice:shown'))")
    page.get_by_role("button", name="Share").click()
    expect(page).to_have_title(re.compile(f"{path} image/png 1200 x 630$"))  # however small the page shows it
    check_sight(page, "picture")
    page.get_by_role("link", name="Back").click()
    expect(page.locator("#again")).to_be_visible()
    assert not errors


def test_print_view_fits_its_paper(person: Person) -> None:
    page = person(size="desk")
    for book in fd.SHIPPED:
        page.goto(f"/print/{book}")
        assert page.locator(".print-leaf").evaluate_all(FITS), book


def test_bars_start_after_the_names_of_bots(blank: Page) -> None:
    blank.set_content('<dl class="ladder"><div><dt><b>Nybegynnerne</b></dt><dd><meter></meter></dd></div></dl>')
    blank.add_style_tag(url="/static/reports/report.css")
    name, bar = (blank.locator(one).evaluate("one => one.getBoundingClientRect().toJSON()") for one in ("b", "meter"))
    blank.goto("/")
    assert name["right"] <= bar["left"]
