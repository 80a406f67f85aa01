"""Two phones write on one score sheet: every case of the table, by what people see and tap."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from browser.pad_phone import Phone, entries, new_context
from browser.two_phone_cases import CASES, Case
from fivedice.table.actions import commands as cmd
from fivedice.table.service import handing_over
from long import every_run, few
from web.gate import Gate
from web.pads import open_pad, who
from web.serving import Serving
from web.stage import Stage

pytestmark = every_run  # what matters most takes no turns

Phones = Callable[..., Phone]


class Two:
    """Both phones at one sheet; the first may lose its connection."""

    def __init__(self, case: Case, stage: Stage, path: str, here: Phone, there: Phone) -> None:
        self.case, self.stage, self.path, self.here, self.there = case, stage, path, here, there
        self.table = path.removeprefix("/t/")

    def perform(self, phone: Phone, doings: str) -> None:
        for doing in filter(None, doings.split(", ")):
            self._perform(phone, *doing.split(" "))

    def _perform(self, phone: Phone, verb: str, *rest: str) -> None:
        """One thing that a person does: a verb, or dice and their box, or a box with its points."""
        if verb.isdigit():
            phone.do("enter", dice=verb, box=rest[0])
        elif "=" in verb:
            box, points = verb.split("=")
            phone.page.locator(f"#box-{box}").click()
            phone.page.locator(f"#points-{points}").click()
            phone.do("until", what="it is kept", check="() => document.body.dataset.keeping === undefined")
        elif hasattr(self, f"_{verb}"):
            getattr(self, f"_{verb}")(phone, *rest)
        else:
            phone.do(verb)

    def _fix(self, phone: Phone, name: str, box: str, points: str) -> None:
        assert phone.do("correct", seat=self._seat(phone, name), box=box, dice="", points=int(points))

    def _seat(self, phone: Phone, name: str) -> int:
        return int(phone.sheet()["names"].index(name))

    def _next(self, phone: Phone) -> None:
        phone.do("nextGame")

    def _join(self, phone: Phone, name: str) -> None:
        phone.do("name", id="join-name", name=name)

    def _leave(self, phone: Phone, name: str) -> None:
        assert phone.do("leave", seat=self._seat(phone, name))

    def _rename(self, phone: Phone, name: str, other: str) -> None:
        phone.do("name", id=f"name-{self._seat(phone, name)}", name=other)

    def _skip(self, phone: Phone) -> None:
        assert phone.do("skip")

    def _reload(self, phone: Phone) -> None:
        phone.reload()

    def _stopped(self, phone: Phone) -> None:
        """Wait until the server has refused what is asked about: before that, the phone asks by its own rules."""
        stopped = "() => document.body.dataset.standing === 'stopped-by-question'"
        phone.do("until", what="an entry is refused", check=stopped)

    def _look(self, phone: Phone) -> None:
        phone.look()

    def _tab(self, phone: Phone) -> None:
        """Go on in a second tab that was open all the time, and shows what was written in the first."""
        shown = json.dumps(json.dumps(phone.sheet(), separators=(",", ":"), ensure_ascii=False))
        phone.page = self._second
        phone.do("until", what="the tabs agree", check=f"() => JSON.stringify(hand.sheet()) === {shown}")

    def _clear(self, phone: Phone, _: str) -> None:
        phone.context.clear_cookies()

    def _keep(self, phone: Phone, _: str) -> None:
        """The person who opened the sheet keeps score again."""
        phone.page.locator("#keep-score").click()
        phone.page.locator("body:not(.following).painted").wait_for(state="attached")

    def _spare(self, phone: Phone) -> None:
        code = handing_over.offer_spare(self.stage.tables, self.table, who("Ann"))
        handing_over.take_pencil(self.stage.tables, self.table, who(self.case.other), code)
        phone.open()

    def _mine(self, phone: Phone, box: str = "") -> None:
        self._settle(phone, "#take-mine", box, 1)

    def _theirs(self, phone: Phone, box: str = "") -> None:
        self._settle(phone, "#take-theirs", box, 0)

    def _settle(self, phone: Phone, every: str, box: str, place: int) -> None:
        """Choose for all entries that differ, or for the one of this box alone."""
        row = phone.page.locator(".clash li").filter(has_text=box)
        (row.locator("button").nth(place) if box else phone.page.locator(every)).click()
        row.first.wait_for(state="detached")

    def _discard(self, phone: Phone, which: str = "") -> None:
        """Give up the first entry that is asked about, or all that were left on a phone that may not write."""
        button = (
            phone.page.locator("#discard-left") if which else phone.page.get_by_role("button", name="Discard entry")
        )
        button.first.click()

    def _send(self, phone: Phone, _: str) -> None:
        """Hand entries that this phone may not write to the scorekeeper, who takes them over."""
        phone.page.locator("#send-left").click()
        link = phone.page.locator("#entries-link").input_value()
        self.there.page.goto("about:blank")  # or the browser only follows the fragment
        self.there.page.goto(f"{self.there.gate.url}{self.path}#{link.partition('#')[2]}")
        self.there.page.locator("#take-brought").click()

    def _change(self, phone: Phone, box: str) -> None:
        phone.page.get_by_role("button", name="Change entry").click()
        phone.page.locator(f"#box-{box}").click()

    def _save(self, phone: Phone) -> None:
        phone.page.locator("#save-fix").click()

    def open_second_tab(self) -> None:
        self._second = self.here.new_page()
        self._second.goto(self.here.page.url)
        self._second.locator("body.painted").wait_for(state="attached")


@pytest.fixture
def phones(browser: Browser, server: Serving) -> Iterator[Phones]:
    with ExitStack() as stack:

        def phone(name: str, path: str, *, workers: bool = False) -> Phone:
            context = new_context(browser, workers=workers)
            stack.callback(context.close)
            return Phone(context, stack.enter_context(Gate(server.port)), name, path)

        yield phone


@pytest.mark.parametrize("case", few(CASES, 3), ids=lambda case: case.name)
def test_two_phones(case: Case, stage: Stage, phones: Phones) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"] if case.left is None else ["Ann"], games=case.games)
    if case.left is not None:
        _fill_all_but(stage, path, "five_of_a_kind")
    if case.keeper != "Ann":
        code = handing_over.offer_pencil(stage.tables, path.removeprefix("/t/"), who("Ann"))
        handing_over.take_pencil(stage.tables, path.removeprefix("/t/"), who(case.keeper), code)
    needs_worker = "reload" in case.here
    here, there = phones(case.keeper, path, workers=needs_worker), phones(case.other, path)
    two = Two(case, stage, path, here, there)
    here.open()
    there.open()
    two.perform(there, case.before)
    there.expect_sheet(stage)
    here.expect_sheet(stage)
    if "tab" in case.here:
        two.open_second_tab()
    if needs_worker:
        assert here.is_ready_to_go_dark()
    here.expect_panels()
    here.go_dark()
    two.perform(here, case.here)
    two.perform(there, case.there)
    there.expect_sheet(stage)
    here.come_back()
    for word in case.asks.split(" "):
        here.do("until", what=f"{word} is asked", check=f"() => hand.asks().includes({word!r})")
    try:
        two.perform(here, case.taps)
    except Exception as problem:
        problem.add_note(f"the phone shows {here.look()} and {here.sheet()}")
        raise
    here.do("until", what="nothing waits", check="() => !hand.look().isWaiting && !hand.look().offline")
    here.expect_sheet(stage)
    there.expect_sheet(stage)
    assert _stands(stage, path, case) == case.stands
    assert not here.errors + there.errors


def _fill_all_but(stage: Stage, path: str, last: str) -> None:
    """Write zeros and what else there is, until one box of the first game is left."""
    table = path.removeprefix("/t/")
    for box in stage.tables.state(table).book.boxes:
        if box.key != last:
            state = stage.tables.state(table)
            turn = cmd.WriteTurn(who("Ann"), state.game_number, state.turn, (1, 1, 2, 3, 6), box.key)
            stage.tables.execute(table, turn)


def _stands(stage: Stage, path: str, case: Case) -> str:
    """The entries of the sheet; where it began near its end, the last one alone."""
    found = entries(stage, path)
    if case.left is not None:
        return f"{found[-1].box} {found[-1].points}"
    return ", ".join(f"{each.name} {each.box} {each.points}" for each in found)
