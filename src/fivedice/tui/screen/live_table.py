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

from fivedice.coaching.goals import Goal
from fivedice.errors import FivediceError
from fivedice.solver.runtime.compile_watch import watching
from fivedice.table.state import Phase, TableState
from fivedice.tui import game_lines as lines
from fivedice.tui.end_report import end_report, first_report
from fivedice.tui.game_lines import Aiming, Hint, Progress, Training, expectations, hints
from fivedice.tui.screen.board import Board
from fivedice.tui.screen.dialogs import WordsScreen
from fivedice.tui.screen.foot import Foot, fitting
from fivedice.tui.session import Session
from fivedice.words import Chance, word

_T = TypeVar("_T")


class LiveTable(Screen[None]):
    """One game. Every action goes through the session, which has it on disk before the screen changes."""

    def __init__(self, session: Session, *, bot_pause: float, training: int = 0) -> None:
        super().__init__()
        self.session = session
        self.training = Training(training)
        self.aiming = Aiming()
        self._bot_pause = bot_pause
        self.zero_asked: str | None = None  # the box whose zero was asked about
        self.hint: tuple[tuple[int, Goal], Hint] | None = None  # with what it is for
        self.report: tuple[str, list[str]] | None = None  # and the game that it is about
        self.leaving = Event()
        self._offered: tuple[Phase, bool, bool] | None = None

    def compose(self) -> ComposeResult:
        yield Board(self.session.state.book.dice)
        yield Foot(show_command_palette=False, compact=True)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """What the foot of the screen names: the description of a binding is a kind of message."""
        found = super().active_bindings.items()
        return fitting({key: each._replace(binding=_spoken(each.binding)) for key, each in found}, self.app.size.width)

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def on_mount(self) -> None:
        self.board.sheet.focus()
        self.begin()
        self.take_early()

    def take_early(self) -> None:
        """Do what was typed before the table was there."""

    def on_resize(self) -> None:
        """Lay the table anew; the dice keep what is held, the sheet its cursor."""
        if self.is_mounted:
            self.call_after_refresh(self.board.lay, self.session, self.size)
            self.refresh_bindings()

    def begin(self) -> None:
        self._show()
        started = self.session.state.phase is Phase.PLAYING and not self.session.game.steps
        self.board.say(lines.opening(self.session) if started else self._news())
        self._let_bots_play()
        self._report_the_end()

    def _show(self) -> None:
        self.board.show(self.session, self.size)
        self.zero_asked = None
        self._show_bindings()

    def _news(self) -> str:
        """What happened, and what the rules make of it."""
        if self.session.state.phase is Phase.FINISHED:
            told = self.report[1] if self.report and self.report[0] == self.session.id else []
            return "\n".join([lines.result(self.session), *(["", *told] if told else [])])
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
        self._report_the_end()

    @property
    def hint_now(self) -> Hint | None:
        """What the coach said of the dice as they lie."""
        return self.hint[1] if self.hint and self.hint[0] == self._asked_for else None

    @property
    def _asked_for(self) -> tuple[int, Goal]:
        """What a hint is for: these dice, and what is played for."""
        return self.session.state.version, self.aiming.goal

    @work(exclusive=True, group="hint")
    async def think(
        self, answer: Callable[[Session, Progress], _T], say: Callable[[str], None], then: Callable[[_T], None]
    ) -> None:
        """Say what the coach finds, unless the dice have changed meanwhile."""
        state, loop = self.session.state, asyncio.get_running_loop()

        def progress(done: int, total: int) -> None:
            if self.leaving.is_set():
                raise FivediceError("left")  # stops the solver, which the end of the program would wait for
            loop.call_soon_threadsafe(tell, word("terminal.solving", rules=state.book, done=Chance(done / total)))

        def tell(text: str) -> None:
            if self._still(state):
                say(text)

        try:
            with watching(_compiling_told(loop, tell)):
                found = await in_background(lambda: answer(self.session, progress))
        except FivediceError as error:
            tell(str(error))
        else:
            if self._still(state):
                then(found)

    def _still(self, state: TableState) -> bool:
        """An answer to dice that are gone helps nobody."""
        return (self.session.state.id, self.session.state.version) == (state.id, state.version)

    def action_hint(self) -> None:
        """What is best and why; asked again, all of it."""
        if self.hint_now is not None:
            self._show_whole(self.hint_now)
            return
        say = self._coach_says()
        say(word("terminal.thinking"))
        self.think(partial(hints, goal=self.aiming.goal), say, self._hinted)

    def _coach_says(self, part: str = "coach") -> Callable[[str], None]:
        """Beside the felt where there is room."""
        return partial(self.board.side.tell, part) if self.board.is_wide else self.board.say

    def _hinted(self, found: Hint) -> None:
        self.hint = (self._asked_for, found)
        self._show_bindings()
        todo = [word("terminal.take-it", take="Y", more="H")] if found.advised else []
        if self.board.is_wide:
            self.board.side.tell("coach", "\n".join([*found.full, *_to_do(found)]))
        elif self.board.fits([*found.short, *todo]):
            self.board.say("\n".join([*found.short, *todo]))
        else:
            self.board.say("\n".join([*todo, *found.short]))
            self._show_whole(found)

    def _show_bindings(self) -> None:
        """Draw the foot of the screen again where it offers something else."""
        offered = (self.session.state.phase, self.hint_now is not None, lines.can_roll(self.session))
        if self._offered != offered:
            self._offered = offered
            self.refresh_bindings()

    def _show_whole(self, found: Hint) -> None:
        """A page of its own, unless another one is open."""
        if self.app.screen is self:
            self.app.push_screen(WordsScreen([*found.full, *_to_do(found)], self.take_advice))

    def take_advice(self) -> None:
        """Do what the coach advises."""

    def action_odds(self) -> None:
        say = self._coach_says("odds")
        say(word("terminal.thinking"))
        self.think(expectations, say, lambda found: say("\n".join(found)))

    def _report_the_end(self) -> None:
        """The report comes by itself when a game has ended, where the coach is allowed."""
        state = self.session.state
        known = self.report is not None and self.report[0] == self.session.id
        if state.phase is Phase.FINISHED and not known and state.coach:
            self.board.say("\n".join([self._news(), "", word("terminal.reporting")]))
            self.think(first_report, lambda text: self.board.say("\n".join([self._news(), "", text])), self._reported)

    def _reported(self, found: list[str]) -> None:
        self.report = (self.session.id, found) if found else None
        self.board.say(self._news())

    def action_report(self) -> None:
        if self.report is not None and self.report[0] == self.session.id:
            self.app.push_screen(WordsScreen(self.report[1]))
        elif self.session.state.coach:
            self.board.say(word("terminal.reporting"))
            self.think(end_report, self.board.say, self._reported)
        else:
            self.board.say(word("terminal.side-coach-off"))

    def _let_bots_play(self) -> None:
        playing = any(worker.group == "bots" and worker.is_running for worker in self.app.workers)
        if self.session.bot_is_next and not playing:
            self._play_bots()

    @work(group="bots")
    async def _play_bots(self) -> None:
        while self.session.bot_is_next:
            await asyncio.sleep(self._bot_pause)
            try:
                thought = await in_background(self.session.bot_thought)
            except FivediceError as error:  # a bot that needs what is not installed here
                self.board.say(str(error))
                return
            if thought[1] != self.session.state.version:
                continue  # a score was taken back meanwhile
            if not self._do(lambda thought=thought: self.session.bot_move(thought)):  # type: ignore[misc]
                return
        self._report_the_end()


def _to_do(found: Hint) -> list[str]:
    return [word("terminal.press-advice", key="Y")] if found.advised else []


def _spoken(binding: Binding) -> Binding:
    return replace(binding, description=word(binding.description))


def _compiling_told(loop: asyncio.AbstractEventLoop, tell: Callable[[str], None]) -> Callable[[bool], None]:
    """Says what takes so long, in the language of the screen, whichever thread compiles."""
    begun_said, ended_said = word("solver.compiling"), word("terminal.thinking")

    def compiles(begun: bool) -> None:
        with suppress(RuntimeError):  # the screen has gone meanwhile
            loop.call_soon_threadsafe(tell, begun_said if begun else ended_said)

    return compiles


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
