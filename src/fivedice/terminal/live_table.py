"""The part of the table screen that shows what happened, and runs bots and the coach in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Event, Thread
from typing import Any, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.screen import Screen

from fivedice.coaching.training import Goal
from fivedice.errors import FivediceError
from fivedice.solver.runtime.compile_watch import watching
from fivedice.table.state import Phase, TableState
from fivedice.terminal import game_lines as lines
from fivedice.terminal.board import Board
from fivedice.terminal.dialogs import WordsScreen
from fivedice.terminal.end_report import end_report, first_report
from fivedice.terminal.game_lines import Aiming, HintLines, Progress, Training, expectations, hints
from fivedice.terminal.layout import Foot, fit_keys, relabel
from fivedice.terminal.session import Session
from fivedice.text import Chance, word

_T = TypeVar("_T")


class LiveTable(Screen[None]):
    """The screen of one game. Every action goes through the session, which saves it before the screen changes."""

    def __init__(self, session: Session, *, bot_pause: float, training: int = 0) -> None:
        super().__init__()
        self.session = session
        self.training = Training(training)
        self.aiming = Aiming()
        self._bot_pause = bot_pause
        self.zero_asked: str | None = None  # the box with a warning about its zero
        self.hint: tuple[tuple[int, Goal], HintLines] | None = None  # with the version and the goal that it is for
        self.report: tuple[str, list[str]] | None = None  # with the id of its game
        self.leaving = Event()
        self._offered: tuple[Phase, bool, bool] | None = None

    def compose(self) -> ComposeResult:
        yield Board(self.session.state.book.dice)
        yield Foot(show_command_palette=False, compact=True)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """Return the keys for the footer, with their descriptions translated and cut to fit."""
        return fit_keys(relabel(super().active_bindings, word), self.app.size.width)

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def on_mount(self) -> None:
        self.board.sheet.focus()
        self.begin()
        self.take_early()

    def take_early(self) -> None:
        """Handle the keys that were pressed before the table was ready."""

    def on_resize(self) -> None:
        """Lay out the table again. Kept dice and the cursor stay."""
        if self.is_mounted:
            self.call_after_refresh(self.board.fit, self.session, self.size)
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
        """Return what happened, and how the rules restrict the roll."""
        if self.session.state.phase is Phase.FINISHED:
            report = self.report[1] if self.report and self.report[0] == self.session.id else []
            return "\n".join([lines.result(self.session), *(["", *report] if report else [])])
        return "\n".join([lines.last_event(self.session.state), *lines.about_roll(self.board.ruling)])

    def _do(self, action: Callable[[], None]) -> bool:
        """Run an action. Show a refusal, which changes nothing. Return whether it succeeded."""
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
    def hint_now(self) -> HintLines | None:
        """Return the hint for the current dice and goal, if there is one."""
        return self.hint[1] if self.hint and self.hint[0] == self._hint_key else None

    @property
    def _hint_key(self) -> tuple[int, Goal]:
        """Return the version and the goal that a hint is for."""
        return self.session.state.version, self.aiming.goal

    @work(exclusive=True, group="hint")
    async def think(
        self, answer: Callable[[Session, Progress], _T], say: Callable[[str], None], then: Callable[[_T], None]
    ) -> None:
        """Compute an answer in the background and pass it to `then`, unless the dice have changed meanwhile."""
        state, loop = self.session.state, asyncio.get_running_loop()

        def progress(done: int, total: int) -> None:
            if self.leaving.is_set():
                raise FivediceError("left")  # stops the solver, so that the program can end
            loop.call_soon_threadsafe(tell, word("terminal.solving", rules=state.book, done=Chance(done / total)))

        def tell(text: str) -> None:
            if self._is_unchanged(state):
                say(text)

        try:
            with watching(_tell_of_compiling(loop, tell)):
                found = await in_background(lambda: answer(self.session, progress))
        except FivediceError as error:
            tell(str(error))
        else:
            if self._is_unchanged(state):
                then(found)

    def _is_unchanged(self, state: TableState) -> bool:
        return (self.session.state.id, self.session.state.version) == (state.id, state.version)

    def action_hint(self) -> None:
        """Show the best choice and why; when asked again, the whole hint."""
        if self.hint_now is not None:
            self._show_whole(self.hint_now)
            return
        say = self._coach_says()
        say(word("terminal.thinking"))
        self.think(partial(hints, goal=self.aiming.goal), say, self._show_hint)

    def _coach_says(self, part: str = "coach") -> Callable[[str], None]:
        """Return where to show words of the coach: in the side panel if there is one."""
        return partial(self.board.side.tell, part) if self.board.is_wide else self.board.say

    def _show_hint(self, found: HintLines) -> None:
        self.hint = (self._hint_key, found)
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
        """Draw the footer again if it has other keys now."""
        offered = (self.session.state.phase, self.hint_now is not None, lines.can_roll(self.session))
        if self._offered != offered:
            self._offered = offered
            self.refresh_bindings()

    def _show_whole(self, found: HintLines) -> None:
        """Show the whole hint in a dialog, unless another one is open."""
        if self.app.screen is self:
            self.app.push_screen(WordsScreen([*found.full, *_to_do(found)], self.take_advice))

    def take_advice(self) -> None:
        """Do what the coach advises."""

    def action_odds(self) -> None:
        say = self._coach_says("odds")
        say(word("terminal.thinking"))
        self.think(expectations, say, lambda found: say("\n".join(found)))

    def _report_the_end(self) -> None:
        """Show the report at the end of a game, if the coach is allowed."""
        state = self.session.state
        known = self.report is not None and self.report[0] == self.session.id
        if state.phase is Phase.FINISHED and not known and state.coach:
            self.board.say("\n".join([self._news(), "", word("terminal.reporting")]))
            self.think(
                first_report, lambda text: self.board.say("\n".join([self._news(), "", text])), self._show_report
            )

    def _show_report(self, found: list[str]) -> None:
        self.report = (self.session.id, found) if found else None
        self.board.say(self._news())

    def action_report(self) -> None:
        if self.report is not None and self.report[0] == self.session.id:
            self.app.push_screen(WordsScreen(self.report[1]))
        elif self.session.state.coach:
            self.board.say(word("terminal.reporting"))
            self.think(end_report, self.board.say, self._show_report)
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
                thought = await in_background(self.session.choose_bot_move)
            except FivediceError as error:  # a bot whose packages are not installed
                self.board.say(str(error))
                return
            if thought[1] != self.session.state.version:
                continue  # a score was taken back meanwhile
            if not self._do(lambda thought=thought: self.session.bot_move(thought)):  # type: ignore[misc]
                return
        self._report_the_end()


def _to_do(found: HintLines) -> list[str]:
    return [word("terminal.press-advice", key="Y")] if found.advised else []


def _tell_of_compiling(loop: asyncio.AbstractEventLoop, tell: Callable[[str], None]) -> Callable[[bool], None]:
    """Return a function that says what takes so long, in the language of the screen, from any thread."""
    begun_said, ended_said = word("solver.compiling"), word("terminal.thinking")

    def compiles(begun: bool) -> None:
        with suppress(RuntimeError):  # the screen was closed meanwhile
            loop.call_soon_threadsafe(tell, begun_said if begun else ended_said)

    return compiles


async def in_background(job: Callable[[], _T]) -> _T:
    """Run a job in a daemon thread, and return or raise its result. The program can end before such a thread."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(how: Callable[[Any], None], value: Any) -> None:
        with suppress(RuntimeError):  # the screen was closed meanwhile
            loop.call_soon_threadsafe(lambda: None if future.done() else how(value))

    def work() -> None:
        try:
            settle(future.set_result, job())
        except Exception as error:
            settle(future.set_exception, error)

    Thread(target=copy_context().run, args=(work,), daemon=True).start()  # in the language of the screen
    return await future
