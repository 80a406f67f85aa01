"""One run of the model: phones do what the steps say, then everything comes back and people answer what is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

from playwright.sync_api import Error

from browser.own_browser import OwnBrowser
from browser.pad_model import Ledger, Plan, Step
from browser.pad_phone import Phone, entries, labels
from fivedice.table.service import handing_over
from web.pads import who
from web.serving import Serving
from web.stage import Stage

MOST_ANSWERS = 60  # more than any run needs: then people are asked in a circle
MOST_POSTS = 6  # for each thing that is done, on average: a storm is hundreds a second
STORAGE_FULL = "storage is full"


def _sides(line: str) -> tuple[str, str]:
    """What a question says of the entries from here, and of those on the sheet."""
    parts = re.split(r"(Here:|On the sheet:)", line)
    there = [text for mark, text in pairwise(parts) if mark == "On the sheet:"]
    here = [text for mark, text in pairwise(parts) if mark == "Here:"]
    return " ".join([parts[0], *here]), " ".join(there)


class Run:
    """Two phones, a server, and the ledger of what people saw."""

    def __init__(self, plan: Plan, stage: Stage, server: Serving, phones: list[Phone], own: OwnBrowser | None) -> None:
        self.plan, self.stage, self.server, self.phones, self.own = plan, stage, server, phones, own
        self.path = phones[0].path
        self.ledger = Ledger(labels(stage, self.path))
        self.ledger.before.update(entry.mark for entry in entries(stage, self.path))
        self.done: list[str] = []  # what was done, and what came of it
        self._filled: set[int] = set()  # the phones without room

    def play(self) -> None:
        for step in self.plan.steps:
            self.done.append(f"{step}")
            came = getattr(self, f"_{step.doing}")(self.phones[step.phone], step)
            self.done[-1] += f": {came}" if came is not None else ""
            if not self.plan.hasty:
                self._let_arrive()

    def _let_arrive(self) -> None:
        """Wait until the phones with a connection have sent what they can, and show what the server has."""
        for phone in self.phones:
            if not phone.is_troubled and not phone.gate.late:
                phone.do("calm", version=self.stage.tables.state(self.path.removeprefix("/t/")).version)

    # --- writing ---

    def _enter(self, phone: Phone, step: Step) -> Any:
        return self._write(phone, step, lambda: phone.do("enter", dice=step.dice, box=str(step.pick)), step.dice)

    def _enter_box(self, phone: Phone, step: Step) -> Any:
        return self._write(phone, step, lambda: phone.do("enterBox", pick=step.pick, taken=self._numbers()))

    def _numbers(self) -> list[str]:
        """Return what was entered by a number, so that each number stands for one entry."""
        return [f"{note.box} {note.points}" for note in self.ledger.notes]

    def _enter_rolls(self, phone: Phone, step: Step) -> Any:
        rolls = [step.other[:5], step.other[0] + step.dice[1:]]
        used = {note.mark for note in self.ledger.notes}
        if "".join(sorted(rolls[1])) in used:
            rolls = [step.dice]
        return self._write(phone, step, lambda: phone.do("enterRolls", rolls=rolls, box=str(step.pick)), rolls[-1])

    def _write(self, phone: Phone, step: Step, enter: Callable[[], Any], dice: str = "") -> Any:
        seen = phone.look()
        if seen["isFull"] and not seen["following"] and phone.page.locator("#next-game").is_visible():
            return phone.do("nextGame")
        if not seen["canWrite"] or seen["following"]:
            return "not possible"
        done = enter()
        if done is not None:
            self.ledger.write(step.phone, done, dice)
        return done

    def _correct(self, phone: Phone, step: Step) -> Any:
        cells = phone.sheet()["cells"]
        if not cells or phone.look()["following"]:
            return "not possible"
        place = sorted(cells)[step.pick % len(cells)]
        seat, _, label = place.partition(" ")
        by_dice = step.other if step.pick % 3 else ""
        box = self.ledger.boxes[label]
        done = phone.do("correct", seat=int(seat), box=box, dice=by_dice, points=None, taken=self._numbers())
        if done is not None:
            self.ledger.release_place(done["name"], label, done["was"])
            self.ledger.write(step.phone, done, by_dice)
        return done

    def _undo(self, phone: Phone, _: Step) -> Any:
        if phone.look()["following"] or not phone.page.locator("#undo-last:visible:enabled, #undo:visible").count():
            return "not possible"
        names = phone.sheet()["names"]
        gone = phone.do("undo")
        for each in gone or ():
            seat, _, label = each["place"].partition(" ")
            self.ledger.release_place(names[int(seat)], label, each["points"])
        return gone

    # --- people ---

    def _skip(self, phone: Phone, _: Step) -> Any:
        return phone.do("skip") if phone.look()["canWrite"] else "not possible"

    def _join(self, phone: Phone, step: Step) -> Any:
        if not phone.look()["canWrite"] or len(phone.sheet()["names"]) > 3:
            return "not possible"
        return phone.do("name", id="join-name", name=f"New {step.pick}")

    def _rename(self, phone: Phone, step: Step) -> Any:
        if not phone.look()["canWrite"]:
            return "not possible"
        seat = step.pick % len(phone.sheet()["names"])
        done = phone.do("name", id=f"name-{seat}", name=f"Name {step.pick}")
        if done is not None:
            self.ledger.rename(done["before"], f"Name {step.pick}")
        return done

    def _leave(self, phone: Phone, step: Step) -> Any:
        return phone.do("leave", seat=step.pick % 2) if phone.look()["canWrite"] else "not possible"

    def _end(self, phone: Phone, _: Step) -> Any:
        return phone.do("end") if phone.look()["canWrite"] else "not possible"

    # --- network and server ---

    def _cut(self, phone: Phone, _: Step) -> None:
        phone.go_dark()

    def _restore(self, phone: Phone, _: Step) -> None:
        phone.gate.late = 0
        phone.come_back()

    def _slow(self, phone: Phone, _: Step) -> None:
        phone.gate.late = 0.3

    def _refuse(self, phone: Phone, step: Step) -> None:
        phone.refuse(503 if step.pick % 2 else 429)

    def _lose(self, phone: Phone, _: Step) -> None:
        phone.break_off()

    def _break_off(self, phone: Phone, step: Step) -> None:
        phone.break_off(step.pick)

    def _kill_server(self, _: Phone, __: Step) -> None:
        self.server.kill()
        self.server.start()

    # --- the phone ---

    def _reload(self, phone: Phone, step: Step) -> Any:
        if self._would_lose(phone, step):
            return "the page asks to be kept open"
        phone.reload()
        return None

    def _reopen(self, phone: Phone, step: Step) -> Any:
        if self._would_lose(phone, step):
            return "the page asks to be kept open"
        fresh = phone.new_page()
        phone.page.close()
        phone.page = fresh
        phone.open()
        return None

    def _cut_after_sent(self, phone: Phone, step: Step) -> Any:
        """An entry has just arrived when the connection breaks, and the page is opened again."""
        done = self._enter(phone, step)
        phone.do("calm", version=0)
        phone.go_dark()
        return done, self._reload(phone, step)

    def _kill_after_entry(self, phone: Phone, step: Step) -> Any:
        """An entry has just been shown when the phone ends the browser."""
        return self._enter(phone, step), self._kill(phone, step)

    def _tab(self, phone: Phone, _: Step) -> None:
        """Go on in another tab: a second one is opened where the phone has a connection or keeps the page."""
        tabs = [page for page in phone.context.pages if page is not phone.page and phone.path in page.url]
        if tabs:
            phone.page = tabs[0]
            phone.page.bring_to_front()
        elif self.plan.workers or not phone.is_troubled:
            phone.page = phone.new_page()
            phone.open()

    def _full(self, phone: Phone, step: Step) -> None:
        phone.do("store", isFull=True)
        self._filled.add(step.phone)

    def _would_lose(self, phone: Phone, step: Step) -> bool:
        """Whether the page has said that what waits is kept nowhere else."""
        return step.phone in self._filled and STORAGE_FULL in phone.look()["net"]

    def _clock(self, phone: Phone, step: Step) -> None:
        phone.do("setClock", hours=step.pick % 2000 - 1000)

    def _kill(self, phone: Phone, step: Step) -> Any:
        if self.own is None or phone is not self.phones[0] or self._would_lose(phone, step):
            return "not possible"
        dark = phone.is_dark
        self.own.kill()
        phone.live_in(self.own.start())
        if dark:
            phone.go_dark()
        phone.open()
        return None

    # --- the scorekeeper ---

    def _hand_on(self, _: Phone, __: Step) -> Any:
        return self._take_pencil("Bob", lambda tables, table: handing_over.offer_pencil(tables, table, who("Ann")))

    def _take_back(self, _: Phone, __: Step) -> Any:
        with suppress(Error):
            if self.phones[0].page.locator("#keep-score:visible").count():
                self.phones[0].page.locator("#keep-score").click(timeout=1000)
                return "tapped"
        return "not possible"

    def _take_pencil(self, name: str, offer: Callable[..., str]) -> Any:
        table = self.path.removeprefix("/t/")
        try:
            handing_over.take_pencil(self.stage.tables, table, who(name), offer(self.stage.tables, table))
        except Exception as refusal:
            return str(refusal)
        return None

    # --- what is asked ---

    def _answer(self, phone: Phone, step: Step) -> Any:
        phone.do("clear")
        buttons = phone.look()["buttons"]
        return self._tap(phone, step.pick) if buttons else "not possible"

    def _tap(self, phone: Phone, pick: int) -> str:
        tapped = phone.do("answer", pick=pick)
        if tapped is None:
            return "gone"
        label, line = tapped["label"], tapped["line"]
        here, there = _sides(line)
        if label.startswith("Use"):
            self.ledger.release(there)
        elif label.startswith(("Keep", "Discard")):
            self.ledger.release(here)
        came = ""
        if label.startswith("Change"):
            came = self._change(phone, line, pick)
        elif label.startswith("Send"):
            came = self._send_left(phone)
        return f"{label}: {line} {came}"

    def _send_left(self, phone: Phone) -> str:
        """The scorekeeper opens the link with entries of a phone that may not write, and takes them over."""
        with suppress(Error):
            phone.page.locator("#entries-link").wait_for(timeout=2000)
        if not phone.page.locator("#entries-link").count():
            return "(they have arrived)"
        link = phone.page.locator("#entries-link").input_value()
        keeper = next(each for each in self.phones if each is not phone)
        if keeper.is_troubled:
            return "(to a phone without a connection)"
        keeper.page.goto("about:blank")  # or the browser only follows the fragment
        keeper.page.goto(f"{keeper.gate.url}{self.path}#{link.partition('#')[2]}")
        keeper.expect_painted()
        if keeper.look()["following"]:
            return "(to a phone that may not write either)"
        keeper.page.locator("#take-brought").click()
        return "(taken over)"

    def _change(self, phone: Phone, line: str, pick: int) -> str:
        """A refused entry is put elsewhere: the same dice, for the same player, in another box."""
        marks = list(self.ledger.marks_in(line))
        done = phone.do("change", pick=pick)
        if done is None:
            return " (left)"
        for note in self.ledger.notes:
            if note.mark in marks:
                note.box, note.points = done["box"], done["points"]
                note.mark = f"{done['box']} {done['points']}" if done["byNumber"] else note.mark
        return f" ({done})"

    # --- the end ---

    def settle(self) -> None:
        """Everything comes back, and people answer what they are asked, until nothing is left to do."""
        chance = Random(self.plan.seed)
        for phone in self.phones:
            phone.gate.late = 0
            phone.come_back()
            phone.do("store", isFull=False)
        for _ in range(MOST_ANSWERS):
            waiting = [self._go_on(phone, chance) for phone in self.phones]
            if not any(waiting):
                return
        raise AssertionError("people are asked in a circle")

    def _go_on(self, phone: Phone, chance: Random) -> bool:
        """Wait for a phone, and do what it asks for; False if it is content. Every stop must have a way out."""
        phone.do("clear")
        phone.do("wake")
        phone.do("settle")
        seen = phone.look()
        if not seen["buttons"]:
            return bool(seen["isWaiting"])
        self.done.append(f"then {self._tap(phone, chance.randrange(10_000))}")
        return True

    def check(self) -> None:
        for phone in self.phones:
            phone.expect_sheet(self.stage)
        problems = self.ledger.problems(entries(self.stage, self.path))
        problems += [f"the page threw {phone.errors}" for phone in self.phones if phone.errors]
        most = MOST_POSTS * (10 + len(self.done))
        problems += [f"{phone.posts} requests" for phone in self.phones if phone.posts > most]
        assert not problems, "\n".join(problems)

    def describe(self) -> str:
        """Return the seed, what was done, and how the sheet stands."""
        found = entries(self.stage, self.path)
        sheet = "; ".join(f"{each.name} {each.box} {each.points} {each.dice}" for each in found)
        shown = []
        with suppress(Error):  # a page may be gone
            shown = [f"phone {number + 1}: {phone.look()}" for number, phone in enumerate(self.phones)]
        return "\n".join([f"seed {self.plan.seed}", *self.done, f"on the sheet: {sheet}", *shown])
