"""The two halves of the table and the words between them."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.geometry import Size
from textual.widgets import Button, Static

from fivedice.game import Ruling
from fivedice.table.state import Phase
from fivedice.tui import game_lines as lines
from fivedice.tui.screen.dice_view import DiceRow
from fivedice.tui.screen.layout import Layout, lay
from fivedice.tui.screen.sheet_view import SheetTable
from fivedice.tui.session import Session
from fivedice.words import word

_FOOT = 1
_FELT_ABOVE = {True: 18, False: 9}  # rows of the felt above the sheet, with large and with small dice


class Board(Container):
    """Sheet and felt. `show` draws a state, `lay` only fits what is there into the window."""

    def __init__(self, dice: int) -> None:
        super().__init__(id="board")
        self._dice = dice
        self._placed: tuple[Layout, Size, int] | None = None
        self._written: dict[str, str] = {}
        self.ruling: Ruling | None = None

    def compose(self) -> ComposeResult:
        yield SheetTable()
        with Vertical(id="felt"):
            yield Static(id="headline", markup=False)
            yield DiceRow(self._dice)
            yield Static(id="rolls", markup=False)
            yield Button(id="roll", variant="primary")
            with VerticalScroll(id="words", can_focus=False):
                yield Static(id="message", markup=False)
                yield Static(id="why", markup=False)
        too_small = word("terminal.too-small", command="fivedice play --plain")  # no sentence
        yield Static(too_small, id="too-small", markup=False)

    def on_mount(self) -> None:
        self.button.can_focus = False  # the cursor of the sheet is the only focus: Enter always means the box

    @property
    def sheet(self) -> SheetTable:
        return self.query_one(SheetTable)

    @property
    def dice(self) -> DiceRow:
        return self.query_one(DiceRow)

    @property
    def button(self) -> Button:
        return self.query_one("#roll", Button)

    def say(self, text: str) -> None:
        self._write("message", text)
        self.query_one("#words").scroll_home(animate=False)

    def _write(self, where: str, text: str) -> None:
        """Only what has changed: words that grow or shrink make everything be laid out anew."""
        if self._written.get(where) != text:
            self._written[where] = text
            self.query_one(f"#{where}", Static).update(text)

    def show(self, session: Session, size: Size) -> None:
        """Everything from the state."""
        state, position = session.state, session.game.position
        self.ruling = position.ruling() if session.person_is_next and position.roll is not None else None
        self._write("headline", str(lines.headline(state)))
        self._write("rolls", lines.rolls_line(state))
        self.dice.show(state.slots, state.held)
        self.set_class(state.phase is Phase.FINISHED, "finished")
        over = state.phase is Phase.FINISHED
        self.button.disabled = not over and not (session.person_is_next and position.rolls_left)
        self.button.label = lines.roll_label(state)
        self.lay(session, size)
        if self.ruling is not None and len(self.ruling.legal) == 1:
            self.sheet.go_to(next(iter(self.ruling.legal)))
        self.explain(session)

    def lay(self, session: Session, size: Size) -> None:
        """Fit the table into the window; asks for nothing but its size."""
        seats = len(session.state.seats)
        layout = lay(size.width, size.height, self._dice, seats)
        if self._placed != (layout, size, seats):
            self._place(layout, size, seats)
            self._placed = (layout, size, seats)
        height = size.height - _FOOT - (0 if layout.beside else _FELT_ABOVE[layout.big_dice])
        self.sheet.show(session.state, self.ruling, layout, height)

    def _place(self, layout: Layout, size: Size, seats: int) -> None:
        self.set_class(layout.beside, "beside")
        self.set_class(layout.too_small, "too-small")
        self.set_class(not layout.big_dice, "small")
        self.dice.resize(big=layout.big_dice, gap=layout.gap)
        self.button.compact = not layout.big_dice
        felt = self.query_one("#felt")
        if layout.beside:
            self.sheet.styles.width = min(layout.sheet_width(seats), size.width - layout.felt_width(self._dice))
            felt.styles.height = "1fr"
        else:
            self.sheet.styles.width = "100%"
            felt.styles.height = _FELT_ABOVE[layout.big_dice]

        if not layout.too_small:
            self.call_after_refresh(self.sheet.focus)  # a hidden sheet loses it

    def explain(self, session: Session) -> None:
        """Words about the line under the cursor."""
        box, key = self.sheet.box_at_cursor(), self.sheet.key_at_cursor()
        text = lines.about_bonus(session.state) if key.startswith("bonus-") else ""
        if box is not None and session.state.on_turn is not None:
            text = lines.about_box(session.state, self.ruling, box)
        self._write("why", text)
