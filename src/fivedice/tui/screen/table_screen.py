"""The table itself, with everything that keys and the mouse can do at it."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Button, DataTable

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError
from fivedice.table.state import Phase
from fivedice.tui.game_lines import rolls_left
from fivedice.tui.screen.board import Die
from fivedice.tui.screen.dialogs import EnterScreen, HelpScreen, RecordScreen
from fivedice.tui.screen.live_table import LiveTable
from fivedice.tui.screen.sheet_view import SheetTable
from fivedice.tui.session import Session, final_dice
from fivedice.words import word


class TableScreen(LiveTable):
    """What keys and the mouse do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,space", "roll", "terminal.key.roll", key_display="R"),
        *(Binding(str(number), f"hold({number - 1})", show=False) for number in range(1, 10)),
        Binding("n", "again", "terminal.key.again", key_display="N"),
        Binding("u", "undo", "terminal.key.undo", key_display="U"),
        Binding("f", "final", show=False),
        Binding("w", "withdraw", show=False),
        Binding("h", "hint", "terminal.key.hint", key_display="H"),
        Binding("o", "odds", show=False),
        Binding("a", "aim", show=False),
        Binding("t", "training", show=False),
        Binding("c", "record", "terminal.key.record", key_display="C"),
        Binding("d", "digits", show=False),
        Binding("question_mark", "help", "terminal.key.help", key_display="?"),
        Binding("q", "app.leave", "terminal.key.quit", key_display="Q"),
    ]

    def __init__(self, session: Session, *, bot_pause: float, roll_pause: float, training: int = 0) -> None:
        super().__init__(session, bot_pause=bot_pause, training=training)
        self._roll_pause, self._rolled_at = roll_pause, -roll_pause

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What is offered at the foot: rolls while there is a game, the next one after it."""
        over = self.session.state.phase is Phase.FINISHED
        pad = self.session.state.real_dice and not over
        offered = {"again": over, "roll": not over, "hint": not over, "hold": not over, "final": pad, "withdraw": pad}
        return offered.get(action, True)

    def action_roll(self) -> None:
        if self.session.bot_is_next:
            self._let_bots_play()
        elif self.session.state.real_dice:
            self._ask_for_dice()
        elif monotonic() - self._rolled_at >= self._roll_pause:  # one press, one roll: keys repeat, fingers tremble
            self._rolled_at = monotonic()
            held = self.board.dice.held
            if not self._cautioned(
                Keep(tuple(self.session.state.slots[slot] for slot in held)), "terminal.anyway-roll"
            ):
                self.act(lambda: self.session.roll(held))

    def _cautioned(self, move: Keep | str, kind: str) -> bool:
        """Whether the coach has just spoken up; the same once more is meant."""
        said = self.training.caution(self.session.state, move, patient=False)
        if said:
            self.board.say(word(kind, caution=said, key="H"))
        return bool(said)

    def _ask_for_dice(self, typed: str = "") -> None:
        """Real dice: the button asks what was rolled."""
        book, held = self.session.state.book, self.board.dice.held
        if not rolls_left(self.session.state) or len(held) == book.dice:
            self.board.say(word("terminal.no-rolls" if len(held) < book.dice else "terminal.all-kept"))
            return
        self.app.push_screen(EnterScreen(book.dice - len(held), book.faces, typed), lambda text: self._entered(text))

    def _entered(self, text: str | None) -> None:
        if text:
            self.act(lambda: self.session.enter(Roll.parse(text), self.board.dice.held))

    def action_final(self) -> None:
        """Real dice: the end of a turn is told, and its rolls are not."""
        state = self.session.state
        if state.slots:
            self.board.say(word("terminal.rolls-entered", clear="W"))
        else:
            asking = EnterScreen(state.book.dice, state.book.faces, final=True, saving=state.book.save_rolls)
            self.app.push_screen(asking, lambda text: self._entered_last(text))

    def _entered_last(self, text: str | None) -> None:
        if text:
            dice, saved = final_dice(text)
            self.act(lambda: self.session.enter(Roll.parse(dice), last=True, saved=saved or 0))

    def action_withdraw(self) -> None:
        self.act(self.session.withdraw)

    def action_hold(self, slot: int) -> None:
        state = self.session.state
        if not self.session.person_is_next:
            return
        if state.real_dice and not state.slots and slot < state.book.faces:
            self._ask_for_dice(str(slot + 1))
        elif state.slots and not rolls_left(state):
            self.board.say(word("terminal.no-rolls"))
        else:
            self.board.dice.toggle(slot)

    def action_score(self) -> None:
        box = self.board.sheet.box_at_cursor()
        if box is None or not self.session.person_is_next:
            return
        if not self.session.state.slots:
            self.board.say(word("terminal.roll-first"))
        elif self._cautioned(box, "terminal.anyway-score"):
            self.zero_asked = box  # one question is enough
        elif self.session.is_avoidable_zero(box) and self.zero_asked != box:
            self.zero_asked = box
            self.board.say(word("terminal.zero", box=self.session.state.book.box(box)))
        else:
            self.act(lambda: self.session.score(box))

    def action_undo(self) -> None:
        self.act(self.session.undo)

    def action_digits(self) -> None:
        self.board.dice.switch_digits()

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(pad=self.session.state.real_dice))

    def action_record(self) -> None:
        self.app.push_screen(RecordScreen(self.session.record))

    def action_again(self) -> None:
        try:
            self.session = self.session.again()
        except FivediceError as error:
            self.board.say(str(error))
        else:
            self.begin()

    def action_aim(self) -> None:
        self.board.say(self.aiming.next_goal(self.session.state))

    def action_training(self) -> None:
        self.board.say(self.training.next_limit())

    def on_die_pressed(self, message: Die.Pressed) -> None:
        self.action_hold(message.slot)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        over = self.session.state.phase is Phase.FINISHED
        self.action_again() if over else self.action_roll()

    def on_sheet_table_picked(self, event: SheetTable.Picked) -> None:
        event.stop()
        self.action_score()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        event.stop()
        self.action_score()

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Say why the box under the cursor is closed, or what it asks for."""
        event.stop()
        self.board.explain(self.session)
        if self.board.sheet.box_at_cursor() != self.zero_asked:
            self.zero_asked = None
