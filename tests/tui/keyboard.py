"""Press keys, click, and read the screen of the terminal table."""

import re
from collections.abc import Awaitable, Callable
from html import unescape

from textual.pilot import Pilot
from textual.widgets import Static
from textual.worker import WorkerCancelled

from fivedice.core.rules import load_book
from fivedice.terminal.session import Session
from fivedice.terminal.terminal_app import TableApp
from long import LONG


def message_of(app: TableApp, where: str = "message") -> str:
    """Return the words of one widget on one line."""
    return " ".join(str(app.table.board.query_one(f"#{where}", Static).render()).split())


def screen_text(app: TableApp) -> str:
    """Return everything on the screen, line by line."""
    return unescape("\n".join(re.findall(r"<text[^>]*>([^<]*)</text>", app.export_screenshot()))).replace("\xa0", " ")


def cell(app: TableApp, box: str, seat: int = 0) -> str:
    sheet = app.table.board.sheet
    return str(sheet.get_row(f"box-{box}")[seat + 1]).strip()


def cells(app: TableApp, seat: int = 0) -> dict[str, str]:
    sheet = app.table.board.sheet
    return {str(row.key.value): str(sheet.get_row(row.key)[seat + 1]).strip() for row in sheet.ordered_rows}


async def settle(pilot: Pilot[None]) -> None:
    """Wait until the bots and the coach have finished and everything is drawn."""
    await pilot.pause()
    while True:
        try:
            await pilot.app.workers.wait_for_complete()
            break
        except WorkerCancelled:  # asked once more before the first answer came: the last one counts
            await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys and wait until everything is drawn."""
    await pilot.press(*keys)
    await settle(pilot)


async def deal(pilot: Pilot[None], session: Session) -> None:
    """Put another game on the same table, as N does: starting the program takes longer than most scenes."""
    table = pilot.app.table  # type: ignore[attr-defined]
    table.session, table.hint = session, None
    table.begin()
    await go_to(pilot, session.state.book.boxes[0].key)


def play_most(session: Session, left: int = 3) -> None:
    """Play until a player has that many open boxes. The long version plays all turns by keys."""
    while not LONG and session.game.position.card.marks.count(None) > left:
        if session.bot_is_next:
            session.bot_move(session.choose_bot_move())
        elif session.state.slots:
            session.score(best_box(session))
        else:
            session.roll()


def best_box(session: Session) -> str:
    legal = session.game.position.ruling().legal
    return max(legal, key=lambda key: (legal[key].points, key))


async def go_to(pilot: Pilot[None], box: str) -> None:
    """Move the cursor at once, where the way is not tested."""
    pilot.app.table.board.sheet.go_to(box)  # type: ignore[attr-defined]
    await pilot.pause()


async def walk_to(pilot: Pilot[None], box: str) -> None:
    """Move the cursor with the arrow keys."""
    sheet = pilot.app.table.board.sheet  # type: ignore[attr-defined]
    keys = [str(row.key.value) for row in sheet.ordered_rows]
    down = keys.index(f"box-{box}") > sheet.cursor_row
    while sheet.box_at_cursor() != box:
        await pilot.press("down" if down else "up")


async def score_by_key(pilot: Pilot[None], box: str, go: Callable[[Pilot[None], str], Awaitable[None]] = go_to) -> None:
    """Go there and press Enter; once more if the table asks about a zero."""
    session: Session = pilot.app.session  # type: ignore[attr-defined]
    await go(pilot, box)
    zero = session.is_avoidable_zero(box)
    await pilot.press(*["enter"] * (2 if zero else 1))


async def click_box(pilot: Pilot[None], box: str, column: int | None = None, times: int = 1) -> None:
    """One click in the column of the player on turn, or in another one; 0 is the name of the box."""
    app: TableApp = pilot.app  # type: ignore[assignment]
    sheet = app.table.board.sheet
    seat = app.session.state.on_turn or 0
    column = seat + 1 if column is None else column
    x = 1 if column == 0 else sum(each.width for each in sheet.ordered_columns[:column]) + 2
    y = sheet.header_height + sheet.get_row_index(f"box-{box}") - int(sheet.scroll_offset.y)
    await pilot.click(sheet, offset=(x, y), times=times)


async def enter(pilot: Pilot[None], dice: str) -> None:
    """Enter real dice: R, the faces, Enter."""
    await pilot.press("r", *dice, "enter")
    await pilot.pause()


TINY = (
    'key = "tiny"\nname = "Tiny"\ndice = 2\nrolls = 2\n'
    '[boxes.sixes]\nname = "Sixes"\ncode = "6s"\nsection = "upper"\npattern = "face"\nface = 6\n'
    'points = "matching"\n'
    '[boxes.chance]\nname = "Chance"\ncode = "ch"\nsection = "lower"\npattern = "anything"\npoints = "all"\n'
)


def plan_of(text, seed="1"):
    from fivedice.terminal.session import PlayOptions

    return PlayOptions(load_book(text), ("Ann",), text, seed=seed)
