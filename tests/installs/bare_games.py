"""Whole games without the extra `solver`: every key, every command and every level of bots that is offered.

It runs by itself, in an environment that has no pytest: `python bare_games.py BOOK...`, in an empty folder and with the
folders of the user in its environment. Whatever ends a game early is an error.
"""

import asyncio
import io
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, suppress
from pathlib import Path
from unittest.mock import patch

from textual.binding import Binding
from textual.pilot import Pilot
from textual.widgets import Static
from textual.worker import WorkerCancelled

import fivedice as fd
from fivedice.errors import FivediceError, MissingExtra
from fivedice.players import bots
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from fivedice.terminal.plain_table import JsonTable, PlainTable
from fivedice.terminal.session import PlayOptions, Session, open_tables
from fivedice.terminal.table_screen import TableScreen
from fivedice.terminal.terminal_app import TableApp

EXTRA = "pip install 'fivedice[solver]'"
AIMS = ("win", "beat", "150", "9999", "points", "auto")
PLAIN = ("help", "sheet", "aim", "training 3", "hint", "odds", "undo", "record", "score", "nonsense")
JSON = ("look", "hint", "odds", "undo", "record", "nonsense")
BOUND = [key for each in TableScreen.BINDINGS if isinstance(each, Binding) for key in each.key.split(",")]
KEYS = [key for key in BOUND if key not in "q3456789"]  # a game of three dice, without leaving
LATE = ("r", "o", "a", "a", "h")  # what asks the coach


def begin(tables: Tables, key: str, levels: tuple[str, ...]) -> Session:
    """Start a game of Ann and these bots."""
    path = Path(key)
    text = path.read_text(encoding="utf-8") if path.suffix == ".toml" else None
    return Session.start(tables, PlayOptions(fd.book(key), ("Ann",), text, levels, seed="7"))


class Typist(io.StringIO):
    """Types every line in every turn, then scores the first legal box."""

    def __init__(self, session: Session, turn: Callable[[Session], Iterator[str]]) -> None:
        super().__init__()
        self._session, self._turn = session, turn
        self._lines: Iterator[str] = iter(())

    def readline(self, _: int | None = -1, /) -> str:  # type: ignore[override]
        found = next(self._lines, None)
        if found is None and self._session.state.phase is Phase.PLAYING:
            self._lines = self._turn(self._session)
            found = next(self._lines)
        return "" if found is None else f"{found}\n"


def first_box(session: Session) -> str:
    return next(iter(session.game.position.ruling().legal))


def plain_turn(session: Session) -> Iterator[str]:
    yield "roll"
    yield from PLAIN
    aim = AIMS[session.game.position.card.filled.bit_count() % len(AIMS)]
    yield from (f"aim {aim}", "hint", "training off", "roll")
    box = first_box(session)
    yield f"score {box}"
    if session.state.slots:  # a zero is asked about
        yield f"score {box}"


def json_turn(session: Session) -> Iterator[str]:
    yield '{"do": "roll"}'
    yield from (json.dumps({"do": each}) for each in JSON)
    yield json.dumps({"do": "score", "box": first_box(session)})


def play_lines(session: Session) -> str:
    out = io.StringIO()
    PlainTable(session, Typist(session, plain_turn), out).play()
    return out.getvalue()


def play_json(session: Session) -> list[dict[str, object]]:
    out, typed = io.StringIO(), Typist(session, json_turn)
    JsonTable(session, typed, out).play()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def advance(session: Session, boxes: int) -> None:
    """Play on without a screen, until Ann is on turn with that many filled boxes."""
    while session.state.phase is Phase.PLAYING:
        if session.bot_is_next:
            session.bot_move()
        elif session.game.position.card.filled.bit_count() >= boxes:
            return
        else:
            take_turn(session)


def take_turn(session: Session) -> None:
    if not session.state.slots:
        session.roll()
    session.score(first_box(session))


def play_screen(session: Session) -> str:
    """Press every key at the start, and the coach's late in the game and after it; play on between without a screen."""
    boxes = len(session.state.book.boxes)
    return asyncio.run(press_all(session, ((0, KEYS), (boxes - 4, LATE), (boxes, ("e",)))))


async def press_all(session: Session, parts: Sequence[tuple[int, Sequence[str]]]) -> str:
    """Press keys, each group at a table with its number of filled boxes."""
    app, said = TableApp(session, bot_pause=0, roll_pause=0), ""
    async with app.run_test(size=(80, 24)) as pilot:
        for filled, keys in parts:
            advance(session, filled)
            app.table.begin()
            await settle(pilot)
            for key in keys:
                await press(pilot, key)
                said += f"{app.table.board.query_one('#message', Static).render()}\n"
        assert app.failure is None, app.failure
    return said


async def press(pilot: Pilot[None], key: str) -> None:
    await pilot.press(key)
    await settle(pilot)
    while key == "s" or pilot.app.screen is not pilot.app.table:  # type: ignore[attr-defined]
        key = "escape"
        await pilot.press(key)
        await pilot.pause()


async def settle(pilot: Pilot[None]) -> None:
    """Wait until bots and coach have finished; of two questions only the last is answered."""
    with suppress(WorkerCancelled):
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def play_all(tables: Tables, key: str, *, screen: bool) -> None:
    """One game line by line against all levels that are offered, and one against a bot in each other way to play."""
    levels = bots.offered(fd.book(key))
    assert "champion" not in levels
    for play, against in ((play_lines, levels), (play_json, levels[:1])):
        session = begin(tables, key, against)
        said = str(play(session))
        assert session.state.phase is Phase.FINISHED, said[-2000:]
        assert EXTRA in said, "what needs the extra says so"
    if screen:
        session = begin(tables, key, levels[:1])
        assert EXTRA in " ".join(play_screen(session).split())
        assert session.state.phase is Phase.FINISHED


def refuse_champion(tables: Tables, key: str) -> None:
    """A game cannot begin with it; one that began where the extra was installed says what is missing."""
    need_extra(lambda: begin(tables, key, ("champion",)))
    with patch("fivedice.solver.runtime.compile_watch.has_compiler", lambda: True):
        session = begin(tables, key, ("champion",))
        if session.person_is_next:  # the roll-off decides who begins
            take_turn(session)
    assert EXTRA in play_lines(session)
    out = io.StringIO()
    assert not JsonTable(session, io.StringIO('{"do": "look"}\n'), out).play()
    for line in out.getvalue().splitlines():
        assert (json.loads(line)["ok"], EXTRA in line) == (False, True), line
    asyncio.run(watch_champion(session))
    assert session.state.phase is Phase.PLAYING


async def watch_champion(session: Session) -> None:
    app = TableApp(session, bot_pause=0, roll_pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        said = str(app.table.board.query_one("#message", Static).render())
        assert EXTRA in " ".join(said.split()), said
        assert app.failure is None


def need_extra(call: Callable[[], object]) -> None:
    try:
        call()
    except FivediceError as error:
        assert EXTRA in str(error), error  # noqa: PT017
    else:
        raise AssertionError("this must need the extra")


def refuse_in_library() -> None:
    """One kind of error for all that needs the extra; who catches ImportError gets it too."""
    book = fd.book("crag")
    best, card = fd.solve(book), fd.Scorecard.of(book, {"ones": 1})
    position = fd.Position((card, card), 0, fd.Keep(()), book.rolls)
    calls: dict[str, Callable[[], object]] = {
        "odds": lambda: best.odds(card),
        "prepare": best.prepare,
        "win": lambda: fd.win(position),
        "race": lambda: fd.race(position, best),
        "prospect": lambda: fd.prospect(position, best, 150),
        "chase": lambda: fd.chase(book),
        "simulate": lambda: fd.simulate(book, 10),
        "solve": lambda: fd.solve(book, cache=False),
        "ceiling": lambda: fd.ceiling(book),
        "best_response": lambda: fd.best_response(book, field=[best.odds()]),
        "equilibrium": lambda: fd.equilibrium(fd.book("yatzy-forced"), 3),
        "chaser": lambda: bots.chaser(book, 150).choose(position.__class__((card,), 0, fd.Keep((1, 2, 3)), 1)),
    }
    for name, call in calls.items():
        try:
            call()
        except MissingExtra as error:
            assert isinstance(error, ImportError), name  # noqa: PT017
            assert EXTRA in str(error), (name, error)  # noqa: PT017
        else:
            raise AssertionError(name)


COMMANDS = {  # what each needs, and what it is called
    "solver": (
        "play crag Ann --bot champion --plain",
        "win 'crag -|- 0 123 1'",
        "chase crag --target 150",
        "odds crag --card 1s:1",
        "hint crag 123 --rolls-left 1 --for 150",
        "hint crag 123 --rolls-left 1 --for win --against=-",
        "simulate crag",
        "match champion steady --book crag",
    ),
    "reports": ("scorecard crag --out sheet.pdf", "report game.txt --out game.png"),
}


def refuse_commands() -> None:
    """Each ends with a sentence that names the extra."""
    from fivedice.cli.command_list import run

    game = fd.Game.new(fd.book("crag"), ["Ann"], dice=fd.dice.seeded(7))
    Path("game.txt").write_text(fd.write_game(game), encoding="utf-8")
    for extra, commands in COMMANDS.items():
        for command in commands:
            said = io.StringIO()
            with redirect_stderr(said):
                assert run(shlex.split(command)) == 2, command
            assert f"pip install 'fivedice[{extra}]'" in said.getvalue(), (command, said.getvalue())
    assert run(["chase", "crag", "--target", "2000"]) == 0, "0% needs no solver"


def main(keys: list[str]) -> None:
    refuse_in_library()
    refuse_commands()
    tables = open_tables()
    try:
        for number, key in enumerate(keys):
            play_all(tables, key, screen=number == 0)
        refuse_champion(tables, keys[0])
    finally:
        tables.store.close()
    print("played", *keys)


if __name__ == "__main__":
    main(sys.argv[1:])
