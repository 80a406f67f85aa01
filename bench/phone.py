"""The rules on the phone: what they weigh, and what the scripts take in Chromium, also slowed down like a cheap phone.

Judging one roll is shown beside the engine's own time in the same run; the answers for all rolls of a box, and a whole
sheet folded from its operations, are what one tap costs at most.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser.chromium import launch_args
from browser.modules import blank_page
from browser.phone import column
from browser.phone_sheets import random_walk
from fivedice.core.dice import rolls
from fivedice.core.game import judge
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.web.http.page_files import content
from fivedice.web.pages.pad.rule_data import encode_rules
from solver.tiny_books import random_card

CARDS = 40
SLOW = 6  # times: about a phone of 150 euros beside a desk
SCRIPTS = ("pad/judge.js", "pad/sheet.js")
# Milliseconds for one judgement with every reason, for the numbers of one box, and for a sheet.
TIMES = """async ([told, json]) => {
    const { prepare, judge, answers } = await import("/static/pad/judge.js");
    const { fold } = await import("/static/pad/sheet.js");
    const rules = prepare(JSON.parse(told).rules);
    const { cards, sheet } = JSON.parse(json);
    const dice = [...rules.roll.keys()];
    const each = (count, action) => {
        action();
        const begun = performance.now();
        action();
        return (performance.now() - begun) / count;
    };
    return [
        each(cards.length * dice.length,
             () => cards.forEach((card) => dice.forEach((roll) => judge(rules, card, roll)))),
        each(cards.length * rules.boxes.length,
             () => cards.forEach((card) => rules.boxes.forEach(([box]) => answers(rules, card, box)))),
        each(1, () => fold({ ...sheet.base, rules }, sheet.ops)),
    ];
}"""


def engine(book: RuleBook, cards: list[Any]) -> float:
    """Milliseconds for one judgement, with what it says."""
    every = rolls(book.dice, book.faces)
    began = perf_counter()
    for card in cards:
        for roll in every:
            ruling = judge(card, roll)
            _ = ruling.legal, ruling.reasons
    return 1000 * (perf_counter() - began) / (len(cards) * len(every))


def timed(page: Page, book: RuleBook, cards: list[Any], slow: int) -> list[float]:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    base, walk = random_walk(Random(6), book, None, 160)
    data = {"cards": [column(card) for card in cards], "sheet": {"base": base, "ops": walk.ops}}
    answer = encode_rules(book, book.key).body.decode()
    return [float(found) for found in page.evaluate(TIMES, [answer, json.dumps(data)])]


def main() -> None:
    scripts = sum(len(gzip.compress(content(name))) for name in SCRIPTS)
    print(f"scripts: {scripts} bytes compressed; times in milliseconds, those slowed {SLOW} times behind a slash")
    print(f"{'book':<22}{'bytes':>7}{'with scripts':>14}{'judgement':>16}{'x engine':>10}{'numbers':>14}{'sheet':>14}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_args())
        for key in SHIPPED:
            book, random = shipped(key), Random(key)
            cards = [random_card(random, book) for _ in range(CARDS)]
            with blank_page(browser) as page:
                quick, slow = timed(page, book, cards, 1), timed(page, book, cards, SLOW)
            size, own = len(gzip.compress(encode_rules(book, key).body)), engine(book, cards)
            shown = [f"{fast:.4f}/{late:.4f}" for fast, late in zip(quick, slow, strict=True)]
            ratio = quick[0] / own
            print(f"{key:<22}{size:>7}{scripts + size:>14}{shown[0]:>16}{ratio:>10.2f}{shown[1]:>14}{shown[2]:>16}")


if __name__ == "__main__":
    main()
