"""The table on the screen, and all actions of its keys and the mouse."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from textual.actions import parse
from textual.binding import ActiveBinding, Binding, BindingType
from textual.widgets import Button, DataTable

from fivedice.core.dice import Keep, Roll
from fivedice.core.rules import Box, RuleBook
from fivedice.errors import FivediceError, quote
from fivedice.table.state import Phase
from fivedice.terminal.board import Die
from fivedice.terminal.dialogs import EnterScreen, HelpScreen, RecordScreen
from fivedice.terminal.game_lines import can_roll, rolls_left
from fivedice.terminal.live_table import LiveTable
from fivedice.terminal.session import Session, final_dice
from fivedice.terminal.sheet_view import SheetTable
from fivedice.text import name_of, word


def find_box(book: RuleBook, typed: str) -> str | None:
    """Return the key of the first box that the text fits; None if it fits no box."""
    wanted = typed.casefold().strip()
    if wanted.isdecimal() and wanted.isascii() and 0 < int(wanted) <= len(book.boxes):
        return book.boxes[int(wanted) - 1].key
    ways: tuple[Callable[[Box], bool], ...] = (
        lambda box: box.code.casefold() == wanted,
        lambda box: box.code.casefold().startswith(wanted),
        lambda box: name_of(box).casefold().startswith(wanted),
        lambda box: any(part.startswith(wanted) for part in name_of(box).casefold().split()),
    )
    return next((box.key for way in ways for box in book.boxes if wanted and way(box)), None)


class TableScreen(LiveTable):
    """The table with its keys and the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,space", "roll", "terminal.key.roll", key_display="R"),
        *(Binding(str(number), f"hold({number - 1})", show=False) for number in range(1, 10)),
        Binding("enter", "score", show=False),  # the footer shows the binding of the sheet, which has the focus
        Binding("n", "again", "terminal.key.again", key_display="N"),
        Binding("s,slash", "box", "terminal.key.box", key_display="S"),
        Binding("h", "hint", "terminal.key.hint", key_display="H"),
        Binding("y", "advice", "terminal.key.advice", key_display="Y"),
        Binding("e", "report", "terminal.key.report", key_display="E"),
        Binding("o", "odds", "terminal.key.odds", key_display="O"),
        Binding("t", "training", "terminal.key.training", key_display="T"),
        Binding("d", "digits", "terminal.key.digits", key_display="D"),
        Binding("u", "undo", "terminal.key.undo", key_display="U"),
        Binding("f", "final", show=False),
        Binding("w", "withdraw", show=False),
        Binding("a", "aim", show=False),
        Binding("c", "record", show=False),
        Binding("l", "app.theme", show=False),
        Binding("pagedown", "read_on(1)", show=False),
        Binding("pageup", "read_on(-1)", show=False),
        Binding("question_mark", "help", "terminal.key.help", key_display="?"),
        Binding("q", "app.leave", "terminal.key.quit", key_display="Q"),
        Binding("ctrl+p", "palette", "terminal.key.palette", key_display="^P"),
    ]

    def __init__(self, session: Session, *, bot_pause: float, roll_pause: float, training: int = 0) -> None:
        super().__init__(session, bot_pause=bot_pause, training=training)
        self._roll_pause, self._rolled_at = roll_pause, -roll_pause
        self._just_rolled = False  # by the previous key or click
        self._typing: str | None = None  # the name of a box that is being typed
        self._early: list[tuple[str, str | None]] | None = []  # keys pressed before the table was ready

    def take_early(self) -> None:
        early, self._early = self._early or [], None
        for key in early:
            self.take(*key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Return whether an action is possible now; None for a roll that is shown but disabled."""
        over = self.session.state.phase is Phase.FINISHED
        pad = self.session.state.real_dice and not over
        if action == "roll" and not over:
            return can_roll(self.session) or None
        offered = {"again": over, "report": over, "final": pad, "withdraw": pad, "advice": self.hint_now is not None}
        playing = dict.fromkeys(("roll", "hint", "hold", "score", "box", "odds", "training", "digits"), not over)
        return (offered | playing).get(action, True)

    def take(self, key: str, character: str | None, *, pasted: bool = False) -> bool:
        """Run the action of a key before the next key is handled, so that a burst of keys keeps its order.

        Return False for keys without a meaning here.
        """
        if self._early is not None:
            self._early.append((key, character))
            return True
        if self._typing is not None and self._look_for_box(key, character):
            return True
        if pasted or key.lower() not in _ROLLS:
            self._just_rolled = False
        return self._act_on(key.lower())

    def _act_on(self, key: str) -> bool:
        where, name, arguments = parse(_ACTIONS.get(key, ""))
        owner = {"app": self.app, "sheet": self.board.sheet}.get(where, self)
        if not name or owner.check_action(name, arguments) is False:
            return False
        getattr(owner, f"action_{name}")(*arguments)
        if where == "sheet":
            self._cursor_moved()
        return True

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """Return the keys for the footer, without letters while a box name is typed."""
        found = super().active_bindings
        if self._typing is None:
            return found
        return {key: each for key, each in found.items() if not (each.binding.key_display or "").isalpha()}

    def action_box(self) -> None:
        self._typing = ""
        self.refresh_bindings()
        self.board.say(word("terminal.which-box", typed=""))

    def _look_for_box(self, key: str, character: str | None) -> bool:
        """Add a letter or digit to the name of a box, and move the cursor to the box at once."""
        typed = self._typing or ""
        if key == "backspace":
            typed = typed[:-1]
        elif character is not None and (character.isalnum() or (character == " " and typed)):
            typed += character
        else:
            self._typing = None
            self.refresh_bindings()
            self.board.say("")
            return key == "escape"
        found = find_box(self.session.state.book, typed)
        if found is None and typed:
            self.board.say(word("terminal.no-such-box", typed=self._typing or "", wrong=quote(typed)))
            return True
        self._typing = typed
        if found is not None:
            self.board.sheet.go_to(found)
            self._cursor_moved()
        self.board.say(word("terminal.which-box", typed=typed))
        return True

    def action_read_on(self, by: int) -> None:
        self.board.read_on(by)

    def action_advice(self) -> None:
        self.take_advice()

    def take_advice(self) -> None:
        """Keep and roll, or score, as the coach advises."""
        hint = self.hint_now
        if hint is None or hint.advised is None or not self.session.person_is_next:
            return
        choice = hint.advised
        if choice.box is not None:
            box = choice.box
            self.board.sheet.go_to(box)
            self.act(lambda: self.session.score(box))
            return
        held = self.session.slots_to_keep(choice.keep or Keep(()))
        self.board.dice.hold(held)
        if self.session.state.real_dice:
            self._ask_for_dice()
        else:
            self.act(lambda: self.session.roll(held))

    def action_roll(self) -> None:
        if self.session.bot_is_next:
            self._let_bots_play()
        elif self.session.state.real_dice:
            self._ask_for_dice()
        elif not self._just_rolled or monotonic() - self._rolled_at >= self._roll_pause:
            # Ignore a second press at once: keys repeat and fingers tremble. After any other key it counts.
            self._rolled_at, self._just_rolled = monotonic(), True
            held = self.board.dice.held
            keep = Keep(tuple(self.session.state.slots[slot] for slot in held))
            if not self._warn(keep, "terminal.anyway-roll"):
                self.act(lambda: self.session.roll(held))

    def _warn(self, move: Keep | str, kind: str) -> bool:
        """Return whether the coach warns about a move. It does not warn about the same move again."""
        said = self.training.caution(self.session.state, move, patient=False)
        if said:
            self.board.say(word(kind, caution=said, key="H"))
        return bool(said)

    def _ask_for_dice(self, typed: str = "") -> None:
        """Ask for the faces of real dice."""
        book, held = self.session.state.book, self.board.dice.held
        if not rolls_left(self.session.state) or len(held) == book.dice:
            self.board.say(word("terminal.no-rolls" if len(held) < book.dice else "terminal.all-kept"))
            return
        self.app.push_screen(EnterScreen(book.dice - len(held), book.faces, typed, self._enter_roll))

    def _enter_roll(self, text: str) -> None:
        self.act(lambda: self.session.enter(Roll.parse(text), self.board.dice.held))

    def action_final(self) -> None:
        """Ask for the final dice of a turn without its earlier rolls."""
        state = self.session.state
        if state.slots:
            self.board.say(word("terminal.rolls-entered", clear="W"))
        else:
            book = state.book
            dialog = EnterScreen(book.dice, book.faces, "", self._enter_final, final=True, saving=book.save_rolls)
            self.app.push_screen(dialog)

    def _enter_final(self, text: str) -> None:
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
        self._just_rolled = False  # the next roll belongs to another turn
        box = self.board.sheet.box_at_cursor()
        if box is None or not self.session.person_is_next:
            return
        if not self.session.state.slots:
            self.board.say(word("terminal.roll-first"))
        elif self._warn(box, "terminal.anyway-score"):
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

    def action_palette(self) -> None:
        self.app.action_command_palette()

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
        self._just_rolled = False
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
        event.stop()
        self._cursor_moved()

    def _cursor_moved(self) -> None:
        """Explain the box under the cursor: why it is closed, or what it asks for."""
        self.board.explain(self.session)
        if self.board.sheet.box_at_cursor() != self.zero_asked:
            self.zero_asked = None


_ROLLS = {"r", "space"}
_ACTIONS = {
    key: binding.action
    for binding in TableScreen.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
} | {"up": "sheet.cursor_up", "down": "sheet.cursor_down"}
