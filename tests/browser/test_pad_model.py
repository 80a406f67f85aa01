"""Random runs of two phones and a server: nothing is lost, doubled or written for another player.

A run is replayed by its seed: FIVEDICE_PAD_SEEDS=17 pytest tests/browser/test_pad_model.py; FIVEDICE_PAD_SHRINK=1 also
leaves out what is not needed for it to fail.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright

from browser.modules import blank_page
from browser.own_browser import OwnBrowser
from browser.owner_model import OwnerRun
from browser.pad_model import MUST, Ledger, Plan, plan
from browser.pad_phone import Phone, new_context
from browser.pad_run import Run
from long import every_run
from web.gate import Gate
from web.pads import fill, open_pad
from web.serving import Serving
from web.stage import Stage

pytestmark = every_run  # what matters most takes no turns

ASKED = os.environ.get("FIVEDICE_PAD_SEEDS", "1")
SHRINK = os.environ.get("FIVEDICE_PAD_SHRINK") == "1"
FIRST, _, LAST = ASKED.partition("-")
SEEDS = range(int(FIRST), int(LAST or FIRST) + 1)

RUNS = int(os.environ.get("FIVEDICE_PAD_RUNS", "8"))  # without pages,
FIRST_RUN = int(os.environ.get("FIVEDICE_PAD_FIRST_RUN", "1"))  # from this one on,
STEPS = 40  # of so many steps

Play = Callable[[Plan], None]


@pytest.fixture
def play(browser: Browser, playwright: Playwright, server: Serving, stage: Stage, tmp_path: Path) -> Play:
    """Play a plan with fresh phones on a fresh sheet; the run says what was done."""
    count = iter(range(1_000_000))

    def play(plan: Plan) -> None:
        path = open_pad(stage, "yatzy", ["Ann", "Bob"], games=plan.games)
        if plan.left is not None:
            fill(stage, path, leave=plan.left)
        own = OwnBrowser(playwright, tmp_path / str(next(count))) if plan.killable else None
        with ExitStack() as stack:

            def phone(name: str, own: OwnBrowser | None = None) -> Phone:
                gate = stack.enter_context(Gate(server.port))
                context = own.start() if own else new_context(browser, workers=plan.workers)
                stack.callback(own.kill if own else context.close)
                return Phone(context, gate, name, path)

            phones = [phone("Ann", own), phone("Bob" if plan.two_people else "Ann")]
            for each in phones:
                each.open()
                each.expect_panels()
                assert not plan.workers or each.is_ready_to_go_dark()
            run = Run(plan, stage, server, phones, own)
            try:
                run.play()
                run.settle()
                run.check()
            except Exception as problem:
                problem.add_note(run.describe())
                raise

    return play


@pytest.mark.parametrize("seed", SEEDS)
def test_random_run(play: Play, seed: int) -> None:
    asked = plan(seed)
    try:
        play(asked)
    except Exception:
        if SHRINK:
            _shrink(play, asked)
        raise


def _shrink(play: Play, failing: Plan) -> None:
    """Leave out steps while it still fails, from the end, and print what is left."""
    for place in reversed(range(len(failing.steps))):
        shorter = replace(failing, steps=failing.steps[:place] + failing.steps[place + 1 :])
        try:
            play(shorter)
        except Exception as problem:
            failing = shorter
            print(f"{len(shorter.steps)} steps: {str(problem)[:300]}")
    print("\n".join(map(str, failing.steps)))


@pytest.fixture(scope="module")
def scripts(browser: Browser) -> Iterator[Callable[[int], OwnerRun]]:
    """Begin runs without a page of the pad: the scripts are on a blank one, and their requests come here."""
    with blank_page(browser) as page:
        runs: list[OwnerRun] = []
        page.expose_function("serve", lambda phone, body: runs[-1].server.serve(phone, body))

        def begin(seed: int) -> OwnerRun:
            runs.append(OwnerRun(page, seed))
            return runs[-1]

        yield begin


def test_a_turn_that_two_phones_wrote_alike_is_one_entry() -> None:
    """The server keeps the dice that came first; taking back that entry takes back both, but losing it loses both."""
    ledger = Ledger({"Fours": "fours"})
    for phone, dice in enumerate(("12256", "56666")):
        ledger.write(phone, {"name": "Ann", "box": "fours", "points": 0, "shown": True}, dice)
        if not phone:
            ledger.release_place("Ann", "Fours", 0)  # a correction that is on its way
    assert len(ledger.problems([])) == 1
    ledger.merge("56666", "12256")
    assert not ledger.problems([])
    for note in ledger.notes:
        note.fate = MUST
    assert len(ledger.problems([])) == 2


@pytest.mark.parametrize("seed", range(FIRST_RUN, FIRST_RUN + RUNS))
def test_random_run_of_the_scripts(scripts: Callable[[int], OwnerRun], seed: int) -> None:
    run = scripts(seed)
    try:
        run.play(STEPS)
        run.check()
    except Exception as problem:
        problem.add_note("\n".join(run.done))
        raise
