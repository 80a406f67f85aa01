"""The terminal table as a program: it begins with a screen and always leaves the terminal as it found it."""

from __future__ import annotations

import asyncio
import select
import signal
import sys
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette

from fivedice.table.state import Phase
from fivedice.tokens import terminal_colors
from fivedice.tui.game_lines import headline
from fivedice.tui.screen.dialogs import EnterScreen
from fivedice.tui.screen.palette import TableCommands
from fivedice.tui.screen.table_screen import TableScreen
from fivedice.tui.screen.theme import DARK, LIGHT
from fivedice.tui.session import Session
from fivedice.words import word

BOT_PAUSE = 0.7  # seconds between the moves of a bot: long enough to follow
_LEAVE = ("ctrl+c", "ctrl+q")
_TYPED_AHEAD = "ctrl+j"  # what Enter is while the terminal still keeps lines, before the screen is there
_LOOKS = 1.0  # seconds between looks whether the terminal is still there
ROLL_PAUSE = 0.25  # seconds in which a second press is the first one repeated


class TableApp(App[None]):
    """`failure` is what went wrong by our mistake, to be told once the screen is gone."""

    CSS_PATH = "table.tcss"
    TITLE = "Fivedice"
    ENABLE_COMMAND_PALETTE = False  # the table has a key for it
    BINDINGS: ClassVar[list[BindingType]] = [Binding(",".join(_LEAVE), "leave", show=False, priority=True)]

    def __init__(
        self,
        session: Session,
        *,
        bot_pause: float = BOT_PAUSE,
        roll_pause: float = ROLL_PAUSE,
        training: int = 0,
        light: bool = False,
    ) -> None:
        super().__init__()
        self.register_theme(LIGHT)
        self.theme = LIGHT.name if light else DARK
        self.table = TableScreen(session, bot_pause=bot_pause, roll_pause=roll_pause, training=training)
        self.failure: BaseException | None = None

    def get_css_variables(self) -> dict[str, str]:
        return super().get_css_variables() | {
            f"five-{name}": color for name, color in terminal_colors(dark=self.current_theme.dark).items()
        }

    def get_default_screen(self) -> TableScreen:
        return self.table

    @property
    def session(self) -> Session:
        return self.table.session

    def on_load(self) -> None:
        """Before the screen is taken over: from then on it has to be given back, whatever happens."""
        if not self.is_headless:
            self._heed_signals()

    def on_mount(self) -> None:
        if not self.is_headless:
            self.set_interval(_LOOKS, self._leave_a_lost_terminal)

    def _leave_a_lost_terminal(self) -> None:
        """One that was closed without a signal reads as nothing, for ever, and would keep a processor busy."""
        if _is_gone(0):
            self.action_leave()

    async def on_event(self, event: events.Event) -> None:
        """Keys are done here, one by one. On their way through the widgets, a burst would be overtaken by the pages
        that its own first keys open.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and self._take(event.key, event.character):
            return
        if isinstance(event, events.Paste) and not event.is_forwarded and self._paste(event.text):
            return
        await super().on_event(event)

    def _take(self, key: str, character: str | None, *, pasted: bool = False) -> bool:
        if key in _LEAVE:  # at once: other keys that come before the table wait for it
            self.action_leave()
            return True
        key = "enter" if key == _TYPED_AHEAD else key
        screen = self.screen_stack[-1] if self.screen_stack else self.table
        if isinstance(screen, TableScreen):
            return screen.take(key, character, pasted=pasted)
        return isinstance(screen, EnterScreen) and screen.take(key, character)

    def _paste(self, text: str) -> bool:
        """As if it had been typed; a page with a field of its own takes it as it is."""
        if not isinstance(self.screen, TableScreen | EnterScreen):
            return False
        for character in text.replace("\r\n", "\n"):
            key = {"\n": "enter", "\r": "enter", " ": "space", "?": "question_mark", "+": "plus", "/": "slash"}.get(
                character, character
            )
            self._take(key, character if character.isprintable() else None, pasted=True)
        return True

    def action_command_palette(self) -> None:
        """Of our own commands alone: those of the library are about the program instead of the game."""
        if self.screen is self.table:
            self.push_screen(
                CommandPalette([TableCommands], placeholder=word("terminal.palette"), id="--command-palette")
            )

    def _heed_signals(self) -> None:
        """Whoever ends the program from outside also gets a clean terminal; the game is saved already."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            with suppress(NotImplementedError, AttributeError):  # other systems have other signals
                loop.add_signal_handler(getattr(signal, name), self.action_leave)

    def action_theme(self) -> None:
        """Change between light and dark."""
        self.theme = LIGHT.name if self.current_theme.dark else DARK
        self.table.board.lay(self.session, self.table.size)  # the sheet has colours of its own

    def action_leave(self) -> None:
        self.table.leaving.set()
        self.exit()

    def farewell(self) -> str:
        """What stays on the terminal when the screen is gone."""
        state = self.session.state
        if state.phase is Phase.FINISHED:
            record = f"fivedice games export {self.session.id}"  # no sentence
            return word("terminal.farewell", result=headline(state), command=record)
        return word("terminal.saved", command="fivedice play --resume")  # no sentence

    def _fatal_error(self) -> None:
        """Instead of a page of source code on the screen: leave, and let the command line say it in a line."""
        self.failure = sys.exc_info()[1]
        self.table.leaving.set()
        self._close_messages_no_wait()


def _is_gone(terminal: int) -> bool:
    """Whether the other end is closed; where a system cannot tell, it is there."""
    if not hasattr(select, "poll"):
        return False
    asked = select.poll()
    asked.register(terminal, 0)
    return any(found & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, found in asked.poll(0))
