"""A server with a passphrase: what a phone shows, the score pad that stays on it, and a program that has the words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.conftest import Person
from browser.offline_sheet import Turn, enter
from fivedice.client import ClientError, Refused, Server
from web.serving import NO_LIMITS, Serving

PASSPHRASE = "zwölf Würfel, fünf Brüder"  # noqa: S105 - of these tests


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("gated"), settings={**NO_LIMITS, "FIVEDICE_PASSPHRASE": PASSPHRASE}) as server:
        yield server


def test_a_score_sheet_stays_on_the_phone_until_the_passphrase_is_entered(person: Person, gated: Serving) -> None:
    page = person(size="phone", url=gated.url, service_workers="block")
    page.goto("/")
    expect(page.get_by_label("To open games here, enter the passphrase.")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Enter passphrase")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Score pad").tap()
    page.wait_for_load_state("networkidle")  # the script has taken the form over
    page.get_by_role("button", name="Open score pad").tap()
    page.wait_for_url("**/pad/sheet#*")
    expect(page.locator("#toast")).to_have_text("The server needs a passphrase. This sheet stays on this phone.")
    enter(page, [Turn(0, 0, "24466", "chance", 22, box_first=False)])
    page.locator("#gate-note").get_by_role("link").tap()
    page.locator("#passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Enter passphrase").tap()
    expect(page.locator("#gate")).to_have_count(0)
    page.locator("#here-list a").first.tap()
    page.wait_for_url("**/t/*")
    expect(page.locator("#sheet table")).to_contain_text("22")


def test_a_program_brings_the_passphrase(gated: Serving) -> None:
    with pytest.raises(Refused) as refused:
        Server(gated.url).open("yatzy")
    assert refused.value.code == "passphrase-needed"
    with pytest.raises(Refused) as refused:
        Server(gated.url, passphrase=PASSPHRASE[1:]).open("yatzy")
    assert refused.value.code == "passphrase-wrong"
    assert Server(gated.url, passphrase=f" {PASSPHRASE}\n").open("yatzy").position.phase == "playing"
    with pytest.raises(ClientError) as wrong:
        Server(gated.url, passphrase=PASSPHRASE.replace(" ", "\n"))
    assert "Brüder" not in str(wrong.value)
