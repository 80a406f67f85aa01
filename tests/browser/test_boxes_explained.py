"""What a box is can be asked while it may be scored: by a long touch, a right click or a key. None of them scores."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Person
from browser.player import Player, at
from web.stage import Stage

PHONE = {"width": 390, "height": 664}


def test_a_long_touch_explains_a_box_and_a_short_one_scores_it(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone", viewport=PHONE)
    ann = at(page, stage.put(stage.scene("yahtzee", "Ann").start().roll("22233")))
    version, finger = ann.version, page.context.new_cdp_session(page)
    place = ann.box("full_house").bounding_box()
    assert place is not None
    point = {"x": place["x"] + 30, "y": place["y"] + 20}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    _expect_full_house(ann)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.get_by_role("link", name="Close").tap()
    expect(page.locator("#explained")).to_have_count(0)
    expect(ann.box("full_house")).to_be_focused()
    ann.expect_version(version)
    ann.box("full_house").tap()
    ann.expect_version(version + 1)


def test_a_key_and_the_other_button_explain_a_box(stage: Stage, person: Person) -> None:
    ann = at(person("Ann"), stage.put(stage.scene("yahtzee", "Ann").start().roll("22233")))
    version = ann.version
    ann.box("full_house").focus()
    ann.page.keyboard.press("e")
    _expect_full_house(ann)
    ann.page.keyboard.press("Escape")
    expect(ann.box("full_house")).to_be_focused()
    ann.box("full_house").click(button="right")
    _expect_full_house(ann)
    ann.expect_version(version)


def test_a_finger_that_moves_asks_nothing(stage: Stage, person: Person) -> None:
    """It swipes to another column, or scrolls."""
    page = person("Ann", "phone", viewport=PHONE)
    ann = at(page, stage.put(stage.scene("yahtzee", "Ann").start().roll("22233")))
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/box/" in request.url else None)
    box = ann.box("full_house")
    touch = (
        "(box, [name, x]) => box.dispatchEvent(new PointerEvent(name, { bubbles: true, isPrimary: true, clientX: x }))"
    )
    for name, x in (("pointerdown", 0), ("pointermove", 40)):
        box.evaluate(touch, [name, x])
    page.clock.run_for(2000)
    box.evaluate(touch, ["pointerup", 40])
    box.evaluate(touch, ["pointerdown", 0])
    with page.expect_request(lambda request: "/box/" in request.url):
        page.clock.run_for(2000)
    assert len(asked) == 1


def _expect_full_house(ann: Player) -> None:
    expect(ann.page.locator("#explained")).to_contain_text("Full House")
    expect(ann.page.get_by_role("link", name="Close")).to_be_focused()
