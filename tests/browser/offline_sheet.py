"""A whole sheet to be entered by clicks, and what the engine makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import Page

from browser.settled import CLICK, settle
from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard, judge
from fivedice.core.game.legality import answers
from fivedice.core.rules import RuleBook

CLICKS = f"""async (turns) => {{
    {CLICK}
    const shown = (selector) => Boolean(document.querySelector(selector)?.offsetParent);
    const dice = async (faces) => {{
        let sum = 0;
        for (const face of faces) sum += await click(`#face-${{face}}`);
        return sum;
    }};
    const enter = async ({{ faces, box, points, boxFirst }}) => {{
        if (shown("#next-game")) await click("#next-game");
        if (!boxFirst) {{
            const taps = await dice(faces) + await click(`#box-${{box}}`);
            return taps + (shown("#confirm-yes") ? await click("#confirm-yes") : 0);
        }}
        const taps = await click(`#box-${{box}}`) + await click(`#points-${{points}}`);
        const asks = shown("#keypad") && document.querySelector(`#box-${{box}}[aria-pressed=true]`);
        return taps + (asks ? await dice(faces) : 0);
    }};
    const taps = [];
    for (const turn of turns) taps.push(await enter(turn));
    return taps;
}}"""


# Puts operations into the queue of the sheet that the page shows, as the taps of an evening would.
QUEUE = """(queue) => new Promise((done) => {
    const opening = indexedDB.open("fivedice-pad", 1);
    opening.onsuccess = () => {
        const transaction = opening.result.transaction("sheets", "readwrite");
        transaction.oncomplete = () => { opening.result.close(); done(); };
        const sheets = transaction.objectStore("sheets");
        const found = sheets.get(location.hash.slice(1));
        found.onsuccess = () => sheets.put({ ...found.result, queue });
    };
})"""


@dataclass(frozen=True)
class Turn:
    """The dice of a turn, and the box where they were scored."""

    game: int
    seat: int
    faces: str
    box: str
    points: int
    box_first: bool

    @property
    def clicks(self) -> dict[str, Any]:
        return {"faces": self.faces, "box": self.box, "points": self.points, "boxFirst": self.box_first}


def queue_of(sheet: list[Turn]) -> list[dict[str, Any]]:
    """Return what waits on a phone where these turns were written, with the games that were begun between them."""
    ops: list[dict[str, Any]] = []
    for number, each in enumerate(sheet):
        turn = sum(other.game == each.game for other in sheet[:number])
        if each.game and not turn:
            ops.append({"command": "next", "game": each.game})
        place = {"game": each.game, "turn": turn, "seat": each.seat}
        ops.append({"command": "write", **place, "box": each.box, "dice": each.faces, "points": each.points})
    return [{"op": {**op, "key": f"{number:024x}"}} for number, op in enumerate(ops)]


def turns(book: RuleBook, players: int, games: int, seed: int = 17) -> list[Turn]:
    """Return random dice, often all the same, in the box that pays most; every other entry has only box and number."""
    return [turn for game in range(games) for turn in _game(book, players, game, Random(seed + game))]


def _game(book: RuleBook, players: int, game: int, chance: Random) -> Iterator[Turn]:
    cards = [Scorecard.empty(book)] * players
    for number in range(players * len(book.boxes)):
        seat = (game + number) % players
        faces = _dice(book, chance)
        legal = judge(cards[seat], Roll.parse(faces)).legal
        box = max(legal, key=lambda key: legal[key].points + legal[key].bonus)
        cards[seat] = written(cards[seat], faces, box)
        yield Turn(game, seat, faces, box, legal[box].points, chance.random() < 0.5)


def _dice(book: RuleBook, chance: Random) -> str:
    if chance.random() < 0.1:
        return str(chance.randint(1, book.faces)) * book.dice
    return "".join(str(chance.randint(1, book.faces)) for _ in range(book.dice))


def written(card: Scorecard, faces: str, box: str) -> Scorecard:
    entry = judge(card, Roll.parse(faces)).check(box)
    return card.write(card.book.index[box], entry.points, bonus=entry.bonus)


def ambiguous(card: Scorecard, turn: Turn) -> bool:
    """Return whether the number leaves something open, so that the dice must be entered too."""
    return next(each for each in answers(card, turn.box) if each.points == turn.points).other is not None


def totals(book: RuleBook, players: int, games: int, sheet: list[Turn]) -> list[list[int]]:
    """By player, the grand total of every game: by the engine alone."""
    cards = [[Scorecard.empty(book)] * games for _ in range(players)]
    for turn in sheet:
        cards[turn.seat][turn.game] = written(cards[turn.seat][turn.game], turn.faces, turn.box)
    return [[card.total for card in each] for each in cards]


def enter(page: Page, sheet: list[Turn]) -> list[int]:
    """Enter turns by clicks, and say how many each took; beginning a game does not count."""
    settle(page)
    found: list[int] = page.evaluate(CLICKS, [turn.clicks for turn in sheet])
    return found


def shown_totals(page: Page, players: int) -> list[list[int]]:
    """By player, the grand totals as the sheet of the match shows them, with those of the match behind them."""
    settle(page)
    rows = page.locator("#match tbody tr")
    cells = [rows.nth(seat).locator("td").all_inner_texts() for seat in range(players)]
    return [[*(int(text) for text in each[1:] if text), int(each[0])] for each in cells]
