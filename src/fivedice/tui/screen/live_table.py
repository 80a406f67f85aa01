"""The part of the table that shows what happened, and that thinks beside the screen: bots and the coach."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from threading import Event, Thread
from typing import Any, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.screen import Screen
from textual.widgets import Footer

from fivedice.errors import FivediceError
from fivedice.table.state import Phase
from fivedice.tui import game_lines as lines
from fivedice.tui.game_lines import Aiming, Progress, Training, expectations, hints
from fivedice.tui.screen.board import Board
from fivedice.tui.session import Session
from fivedice.words import Chance, word


class LiveTable(Screen[None]):
    """One game. Every action goes through the session, which has it on disk before the screen changes."""

    def __init__(self, session: Session, *, bot_pause: float, training: int = 0) -> None:
        super().__init__()
        self.session = session
        self.training = Training(training)
        self.aiming = Aiming()
        self._bot_pause = bot_pause
        self.zero_asked: str | None = None  # the box whose zero was asked about
        self.leaving = Event()
        self._shown_phase: Phase | None = None

    def compose(self) -> ComposeResult:
        yield Board(self.session.state.book.dice)
        yield Footer(show_command_palette=False)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """What the foot of the screen names: the description of a binding is a kind of message."""
        found = super().active_bindings.items()
        return {key: each._replace(binding=_spoken(each.binding)) for key, each in found}

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def on_mount(self) -> None:
        self.board.sheet.focus()
        self.begin()

    def on_resize(self) -> None:
        """Lay the table anew; the dice keep what is held, the sheet its cursor."""
        if self.is_mounted:
            self.call_after_refresh(self.board.lay, self.session, self.size)

    def begin(self) -> None:
        self._show()
        started = self.session.state.phase is Phase.PLAYING and not self.session.game.steps
        self.board.say(lines.opening(self.session) if started else self._news())
        self._let_bots_play()

    def _show(self) -> None:
        self.board.show(self.session, self.size)
        self.zero_asked = None
        if self._shown_phase is not self.session.state.phase:  # the foot of the screen offers something else
            self._shown_phase = self.session.state.phase
            self.refresh_bindings()

    def _news(self) -> str:
        """What happened, and what the rules make of it."""
        if self.session.state.phase is Phase.FINISHED:
            return lines.result(self.session)
        return "\n".join([lines.happened(self.session.state), *lines.about_roll(self.board.ruling)])

    def _do(self, action: Callable[[], None]) -> bool:
        """Do something at the table; a refusal is shown and changes nothing."""
        try:
            action()
        except FivediceError as error:
            self._show()
            self.board.say(str(error))
            return False
        self._show()
        self.board.say(self._news())
        return True

    def act(self, action: Callable[[], None]) -> None:
        self._do(action)
        self._let_bots_play()

    @work(exclusive=True, group="hint")
    async def think(self, answer: Callable[[Session, Progress], list[str]]) -> None:
        """Say what the coach finds, unless the dice have changed meanwhile."""
        state, loop = self.session.state, asyncio.get_running_loop()
        self.board.say(word("terminal.thinking"))

        def progress(done: int, total: int) -> None:
            if self.leaving.is_set():
                raise FivediceError("left")  # stops the solver, which the end of the program would wait for
            loop.call_soon_threadsafe(tell, word("terminal.solving", rules=state.book, done=Chance(done / total)))

        def tell(text: str) -> None:
            if self.session.state.version == state.version:  # an answer to dice that are gone helps nobody
                self.board.say(text)

        try:
            tell("\n".join(await in_background(lambda: answer(self.session, progress))))
        except FivediceError as error:
            tell(str(error))

    def action_hint(self) -> None:
        self.think(partial(hints, goal=self.aiming.goal))

    def action_odds(self) -> None:
        self.think(expectations)

    def _let_bots_play(self) -> None:
        playing = any(worker.group == "bots" and worker.is_running for worker in self.app.workers)
        if self.session.bot_is_next and not playing:
            self._play_bots()

    @work(group="bots")
    async def _play_bots(self) -> None:
        while self.session.bot_is_next:
            await asyncio.sleep(self._bot_pause)
            thought = await in_background(self.session.bot_thought)
            if thought[1] != self.session.state.version:
                continue  # a score was taken back meanwhile
            if not self._do(lambda thought=thought: self.session.bot_move(thought)):  # type: ignore[misc]
                return


def _spoken(binding: Binding) -> Binding:
    return replace(binding, description=word(binding.description))


_T = TypeVar("_T")


async def in_background(job: Callable[[], _T]) -> _T:
    """What the job returns or raises. Its thread is a daemon: the pool of asyncio would be waited for at the end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(how: Callable[[Any], None], value: Any) -> None:
        with suppress(RuntimeError):  # the screen has gone meanwhile
            loop.call_soon_threadsafe(lambda: None if future.done() else how(value))

    def work() -> None:
        try:
            settle(future.set_result, job())
        except Exception as error:
            settle(future.set_exception, error)

    Thread(target=copy_context().run, args=(work,), daemon=True).start()  # in the language of the screen
    return await future
