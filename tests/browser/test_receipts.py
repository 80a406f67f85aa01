"""The receipt of a dice lock: kept by the page itself before the game, and held against the record after it."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.player import open_more
from fivedice.core.notation.receipts import read_receipt
from fivedice.table.fairness.commitments import check_signature
from support.tables import finish
from web.stage import Stage

KEPT = "() => JSON.parse(localStorage.getItem('fivedice:receipts') ?? '{}')"
SAID = "[data-kept] [data-if]:visible"


def opened(page: Page) -> str:
    """One click; the table that it leads to, as soon as its receipt is kept."""
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    page.wait_for_function("() => localStorage.getItem('fivedice:receipts')")
    return page.url.rpartition("/")[2]


def test_the_page_keeps_the_receipt_and_holds_it_against_the_record(stage: Stage, person: Person) -> None:
    page = person(size="phone")
    table = opened(page)
    kept = page.evaluate(KEPT)
    receipt = read_receipt(kept[table])
    check_signature(receipt)
    assert (list(kept), receipt.lock) == ([table], stage.tables.state(table).promise)
    finish(stage.tables, table)
    page.goto(f"/t/{table}/dice")
    expect(page.locator(SAID)).to_have_text("This browser kept the receipt of the game: it is for the same dice lock.")
    expect(page.locator("#receipt")).to_have_value(kept[table].replace("\r\n", "\n"))
    page.get_by_role("button", name="Check every roll").click()
    expect(page.get_by_role("status")).to_contain_text("before the game began")


def test_a_lock_that_is_not_the_one_that_was_kept_is_seen(stage: Stage, person: Person) -> None:
    page = person()
    table = opened(page)
    finish(stage.tables, table)
    kept = page.evaluate(KEPT)
    lying = kept | {table: json.dumps(json.loads(kept[table]) | {"lock": "00" * 32})}
    page.evaluate("kept => localStorage.setItem('fivedice:receipts', JSON.stringify(kept))", lying)
    page.goto(f"/t/{table}")
    page.goto(f"/t/{table}/dice")
    expect(page.locator(f".notice{SAID}")).to_contain_text("Warning: this browser kept a receipt")
    assert page.evaluate(KEPT) == lying, "what was kept is never replaced"
    stranger = person()
    stranger.goto(f"/t/{table}/dice")
    expect(stranger.locator(SAID)).to_have_text("This browser kept no receipt of the game.")


def test_without_script_the_receipt_is_a_link(stage: Stage, person: Person, tmp_path: Path) -> None:
    page = person(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    open_more(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save receipt").click()
    saved.value.save_as(tmp_path / "receipt.json")
    receipt = read_receipt((tmp_path / "receipt.json").read_text())
    assert receipt.lock == stage.tables.state(page.url.rpartition("/")[2]).promise
