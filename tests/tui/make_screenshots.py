"""Draw the terminal table for the README: `python tests/tui/make_screenshots.py`."""

import asyncio
import os
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from fivedice.core.rules import book
from fivedice.table.state import Phase
from fivedice.terminal.session import PlayOptions, Session, open_tables
from fivedice.terminal.terminal_app import TableApp

# A picture looks nowhere for its letters: any fixed-width font of the reader will do.
_REMOTE_FONTS = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"


async def draw(name: str, plan: PlayOptions, then: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    app = TableApp(Session.start(open_tables(), plan), bot_pause=0, roll_pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await then(pilot)
        await app.workers.wait_for_complete()
        await pilot.pause()
        drawn = app.export_screenshot(title="fivedice play")
        (FOLDER / f"terminal-{name}.svg").write_text(_REMOTE_FONTS.sub("", drawn), encoding="utf-8")


async def some_turns(pilot: Pilot[None]) -> None:
    """Six turns of two people, then a roll with dice held and a hint."""
    session: Session = pilot.app.session  # type: ignore[attr-defined]
    for _ in range(12):
        session.roll()
        legal = session.game.position.ruling().legal
        session.score(max(legal, key=lambda key: legal[key].points))
    assert session.state.phase is Phase.PLAYING
    await pilot.press("r", "r", "2", "5", "h")


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    await draw("table", PlayOptions(book("yahtzee"), ("Ann", "Bob"), seed="11"), some_turns)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIVEDICE_DATA"] = folder
        asyncio.run(main())
