"""The terminal table as a screen."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, DataTable, Footer, Static

from fivedice.dice import Roll
from fivedice.errors import FivediceError
from fivedice.game import Ruling
from fivedice.notation import write_game
from fivedice.table.speech import announcement, headline
from fivedice.table.state import Phase, TableState
from fivedice.tui.dice import DiceRow, Die
from fivedice.tui.hints import hints
from fivedice.tui.screens import EnterScreen, HelpScreen, RecordScreen
from fivedice.tui.session import Session
from fivedice.tui.sheet import SheetTable

BOT_PAUSE = 0.7


class TableApp(App[None]):
    """One game. Every action goes through the session, which has it on disk before the screen changes."""

    CSS_PATH = "table.tcss"
    TITLE = "Fivedice"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012 - declared so by the base class
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,space", "roll", "Roll", priority=True),
        *(Binding(str(number), f"hold({number - 1})", "Hold", show=False) for number in range(1, 9)),
        Binding("enter", "score", "Score", priority=True),
        Binding("u", "undo", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("d", "digits", "Digits", show=False),
        Binding("n", "again", "Next game", show=False),
        Binding("c", "record", "Record", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("q,ctrl+c", "quit", "Quit", priority=True),
    ]

    def __init__(self, session: Session, *, bot_pause: float = BOT_PAUSE) -> None:
        super().__init__()
        self.session = session
        self._bot_pause = bot_pause
        self._zero_asked: str | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="board"):
            with VerticalScroll(id="paper"):
                yield SheetTable()
            with Vertical(id="felt"):
                yield Static(id="headline")
                yield DiceRow(self.session.state.book.dice)
                yield Button("Roll", id="roll", variant="primary")
                yield Static(id="rolls")
                yield Static(id="message", markup=False)
                yield Static(id="why", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self._sheet.focus()
        self._show()
        self._say(self._opening())
        self._let_house_play()

    @property
    def _sheet(self) -> SheetTable:
        return self.query_one(SheetTable)

    @property
    def _dice(self) -> DiceRow:
        return self.query_one(DiceRow)

    @property
    def _ruling(self) -> Ruling | None:
        position = self.session.game.position
        return None if position.roll is None or self.session.house_is_next else position.ruling()

    def _opening(self) -> str:
        game = self.session.game
        parts = []
        if game.roll_off is not None and not game.steps:
            throws = [throw for group in game.roll_off.rounds for throw in group]
            shown = ", ".join(f"{game.players[seat]} {roll.total}" for seat, roll in throws)
            parts.append(f"Roll-off: {shown}. {game.players[game.first]} starts.")
        if self.session.best is not None:
            parts.append(f"The score to beat: {self.session.best}.")
        return " ".join(parts) or announcement(self.session.state)

    def _show(self) -> None:
        """Everything on the screen from the state, so that nothing can be out of step."""
        state = self.session.state
        everyone = tuple(number for number, seat in enumerate(state.seats) if seat.bot is None)
        self.query_one("#headline", Static).update(headline(state, everyone))
        self._dice.show(state.slots, state.held)
        self._sheet.show(state, self._ruling)
        position = self.session.game.position
        playing = state.phase is Phase.PLAYING and not self.session.house_is_next
        button = self.query_one("#roll", Button)
        button.disabled = not (playing and position.rolls_left)
        button.label = _roll_label(state)
        left = f"{position.rolls_left} of {state.book.rolls} rolls left"
        self.query_one("#rolls", Static).update(
            left if state.phase is Phase.PLAYING else "N next game, C record, Q quit"
        )

    def _say(self, text: str) -> None:
        self.query_one("#message", Static).update(text)

    def _act(self, action: object, *arguments: object) -> None:
        """Do something at the table; a refusal is shown and changes nothing."""
        try:
            action(*arguments)  # type: ignore[operator]
        except FivediceError as error:
            self._say(str(error))
            return
        self._show()
        self._say(announcement(self.session.state))
        self._let_house_play()

    def action_roll(self) -> None:
        if self.session.state.phase is not Phase.PLAYING or self.session.house_is_next:
            return
        if self.session.state.real_dice:
            self._ask_for_dice()
        else:
            self._act(self.session.roll, self._dice.held)

    def _ask_for_dice(self) -> None:
        """Real dice: the button asks what fell."""
        if not self.session.game.position.rolls_left:
            self._say("No rolls are left: fill a box.")
            return
        held = self._dice.held
        count = self.session.state.book.dice - len(held)
        self.push_screen(EnterScreen(count), lambda text: self._entered(text, held))

    def _entered(self, text: str | None, held: tuple[int, ...]) -> None:
        if text:
            self._act(lambda: self.session.enter(Roll.parse(text), held))

    def action_hold(self, slot: int) -> None:
        if not self.session.house_is_next and self.session.game.position.rolls_left:
            self._dice.toggle(slot)

    def action_score(self) -> None:
        box = self._sheet.box_at_cursor()
        if box is None or self.session.house_is_next or self.session.game.position.roll is None:
            return
        if self.session.is_avoidable_zero(box) and self._zero_asked != box:
            self._zero_asked = box
            self._say("That writes a zero, and another box would score. Press Enter again to write the zero.")
            return
        self._zero_asked = None
        self._act(self.session.score, box)

    def action_undo(self) -> None:
        self._act(self.session.undo)

    def action_digits(self) -> None:
        self._dice.switch_digits()

    def action_hint(self) -> None:
        self._say("Thinking …")
        self._think()

    @work(thread=True, exclusive=True, group="hint")
    def _think(self) -> None:
        try:
            text = "\n".join(hints(self.session))
        except FivediceError as error:
            text = str(error)
        self.call_from_thread(self._say, text)

    def action_help(self) -> None:
        self.push_screen(HelpScreen())

    def action_record(self) -> None:
        self.push_screen(RecordScreen(write_game(self.session.game)))

    def action_again(self) -> None:
        if self.session.state.phase is Phase.FINISHED:
            self.session = self.session.again()
            self._show()
            self._say(self._opening())
            self._let_house_play()

    def _let_house_play(self) -> None:
        if self.session.house_is_next:
            self.set_timer(self._bot_pause, self._house_move)

    def _house_move(self) -> None:
        if self.session.house_is_next:
            self._act(self.session.house_move)

    def on_die_pressed(self, message: Die.Pressed) -> None:
        self.action_hold(message.slot)

    def on_button_pressed(self) -> None:
        self.action_roll()
        self._sheet.focus()

    def on_data_table_row_selected(self) -> None:
        self.action_score()

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Say why the box under the cursor is closed, or what it is."""
        box = self._sheet.box_at_cursor()
        ruling = self._ruling
        why = "" if ruling is None or box is None else ruling.closed.get(box, "")
        self.query_one("#why", Static).update(why)
        if box != self._zero_asked:
            self._zero_asked = None
        event.stop()


def _roll_label(state: TableState) -> str:
    if state.real_dice:
        return "Enter the dice" if not state.slots else "Enter the next roll"
    return "Roll again" if state.slots else "Roll"
