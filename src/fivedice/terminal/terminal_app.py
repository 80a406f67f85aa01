"""The terminal program, its colours and its command palette. It always restores the terminal at the end."""

from __future__ import annotations

import asyncio
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.actions import parse
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.theme import Theme

from fivedice.drawing.theme import PAGE, PRINT, terminal_colors
from fivedice.table.state import Phase
from fivedice.terminal.dialogs import EnterScreen
from fivedice.terminal.game_lines import headline
from fivedice.terminal.session import Session
from fivedice.terminal.table_screen import TableScreen
from fivedice.text import word

DARK = "textual-dark"
_INK = terminal_colors(dark=False)
LIGHT = Theme(
    name="fivedice-light",
    primary=PAGE["accent"].light,
    accent=PAGE["accent"].light,
    foreground=PRINT["ink"],
    background=PAGE["paper"].light,
    surface=PAGE["total"].light,
    panel=PAGE["page"].light,
    dark=False,
    variables={"footer-key-foreground": _INK["gold"], "footer-foreground": PRINT["ink"]},
)
_WHITE = {"7", "15"}  # among the 16 colours of a terminal


def is_light(theme: str, environment: Mapping[str, str]) -> bool:
    """Return whether `light`, `dark` or `auto` means light. `auto` asks the terminal, and means dark without an answer.

    Some terminals set COLORFGBG to the numbers of their colours: text;background.
    """
    if theme != "auto":
        return theme == "light"
    return environment.get("COLORFGBG", "").rpartition(";")[2] in _WHITE


# The actions of the table's keys, each with the kind of its description.
_SAME = "roll score box hint advice odds aim training undo final digits theme record report again help"  # no sentence
_DOES = {name: name for name in _SAME.split()} | {"withdraw": "clear", "leave": "quit"}


class TableCommands(Provider):
    """The actions that are possible now, each with its key."""

    def _commands(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        for binding in self.screen.BINDINGS:
            if not isinstance(binding, Binding):
                continue
            where, name, arguments = parse(binding.action)
            owner = self.app if where == "app" else self.screen
            if name in _DOES and owner.check_action(name, arguments):
                key = binding.key_display or binding.key.upper()
                yield word(f"terminal.does.{_DOES[name]}"), key, getattr(owner, f"action_{name}")

    async def discover(self) -> Hits:
        for does, key, act in self._commands():
            yield DiscoveryHit(f"{key}  {does}", act, does)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for does, key, act in self._commands():
            score = matcher.match(does)
            if score > 0:
                yield Hit(score, matcher.highlight(f"{key}  {does}"), act, does)


BOT_PAUSE = 0.7  # seconds between the moves of a bot, so that people can follow
_LEAVE = ("ctrl+c", "ctrl+q")
_TYPED_AHEAD = "ctrl+j"  # Enter, if it was pressed before the program took over the terminal
_CHECK_TERMINAL = 1.0  # seconds between checks whether the terminal is still open
ROLL_PAUSE = 0.25  # seconds in which a second press is ignored


class TableApp(App[None]):
    """The program. `failure` is an unexpected error, to be shown after the screen is closed."""

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
        """Handle signals before the screen is taken over: from then on it has to be restored in every case."""
        if not self.is_headless:
            # A signal leaves the game, so that the terminal is restored. The game is already saved.
            loop = asyncio.get_running_loop()
            for name in ("SIGTERM", "SIGHUP", "SIGINT"):
                with suppress(NotImplementedError, AttributeError):  # other systems have other signals
                    loop.add_signal_handler(getattr(signal, name), self.action_leave)

    def on_mount(self) -> None:
        if not self.is_headless:
            self.set_interval(_CHECK_TERMINAL, self._leave_closed_terminal)

    def _leave_closed_terminal(self) -> None:
        """Leave if the terminal was closed without a signal: reading from it would keep a processor busy."""
        if _is_closed(0):
            self.action_leave()

    async def on_event(self, event: events.Event) -> None:
        """Handle keys one by one.

        If they went through the widgets, the dialogs that the first keys of a burst open would overtake the rest.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and self._take(event.key, event.character):
            return
        if isinstance(event, events.Paste) and not event.is_forwarded and self._paste(event.text):
            return
        await super().on_event(event)

    def _take(self, key: str, character: str | None, *, pasted: bool = False) -> bool:
        if key in _LEAVE:  # at once, even before the table is ready
            self.action_leave()
            return True
        key = "enter" if key == _TYPED_AHEAD else key
        screen = self.screen_stack[-1] if self.screen_stack else self.table
        if isinstance(screen, TableScreen):
            return screen.take(key, character, pasted=pasted)
        return isinstance(screen, EnterScreen) and screen.take(key, character)

    def _paste(self, text: str) -> bool:
        """Handle pasted text as if it had been typed. A page with a text field gets it unchanged."""
        if not isinstance(self.screen, TableScreen | EnterScreen):
            return False
        for character in text.replace("\r\n", "\n"):
            key = {"\n": "enter", "\r": "enter", " ": "space", "?": "question_mark", "+": "plus", "/": "slash"}.get(
                character, character
            )
            self._take(key, character if character.isprintable() else None, pasted=True)
        return True

    def action_command_palette(self) -> None:
        """Open the palette with our own commands only: those of Textual are not about the game."""
        if self.screen is self.table:
            self.push_screen(
                CommandPalette([TableCommands], placeholder=word("terminal.palette"), id="--command-palette")
            )

    def action_theme(self) -> None:
        """Switch between light and dark."""
        self.theme = LIGHT.name if self.current_theme.dark else DARK
        self.table.board.fit(self.session, self.table.size)  # draws the sheet in its new colours

    def action_leave(self) -> None:
        self.table.leaving.set()
        self.exit()

    def farewell(self) -> str:
        """Return the text that stays on the terminal after the screen is closed."""
        state = self.session.state
        if state.phase is Phase.FINISHED:
            record = f"fivedice games export {self.session.id}"  # no sentence
            return word("terminal.farewell", result=headline(state), command=record)
        return word("terminal.saved", command="fivedice play --resume")  # no sentence

    def _fatal_error(self) -> None:
        """Leave without showing source code on the screen; the command line reports the error in one line."""
        self.failure = sys.exc_info()[1]
        self.table.leaving.set()
        self._close_messages_no_wait()


def _is_closed(terminal: int) -> bool:
    """Return whether the other end is closed; False on systems that cannot say."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(terminal, 0)
    return any(found & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, found in poll.poll(0))
