"""The two halves of the table, the score sheet and the dice, and the texts between them.

Dice have pips or digits and are large or small. A kept die has a word below it as well as another frame.
"""

from __future__ import annotations

from dataclasses import replace

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Button, Static

from fivedice.core.game import Ruling
from fivedice.drawing.theme import pip_inks, terminal_colors
from fivedice.table.state import Phase, TableState
from fivedice.terminal import game_lines as lines
from fivedice.terminal.layout import (
    BIG_DIE,
    SCROLLBAR,
    SMALL_DIE,
    ScreenLayout,
    SidePanel,
    choose_layout,
    shorten,
)
from fivedice.terminal.session import Session
from fivedice.terminal.sheet_view import SheetTable, needs_scrolling, rows
from fivedice.text import name_of, word

_SPOTS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
    7: ("●   ●", "● ● ●", "●   ●"),
    8: ("● ● ●", "●   ●", "● ● ●"),
    9: ("● ● ●", "● ● ●", "● ● ●"),
}
_EMPTY = ("     ", "     ", "     ")
_LOOSE, _HELD = tuple("╭─╮│╰╯"), tuple("┏━┓┃┗┛")
# Dice with colours have up to three strokes too: in the lower edge, and behind the digit of a small die.
_EDGES, _THICK = ("─────", "──┴──", "─┴─┴─", "─┴┴┴─"), str.maketrans("─┴", "━┻")
_STROKES = ("", "'", '"', "'\"")
IVORY = "{pip} on {ivory}"
HELD_IVORY = "{held-pip} on {held-ivory}"
EMPTY_SLOT = "{slot} on {felt}"
CAPTION, HELD_CAPTION = "{caption}", "bold {gold}"


class Die(Static):
    """One die in its slot. A click keeps it or lets it go."""

    class Pressed(Message):
        """The die was clicked."""

        def __init__(self, slot: int) -> None:
            super().__init__()
            self.slot = slot

    face: reactive[int] = reactive(0)
    held: reactive[bool] = reactive(default=False)
    ink: reactive[int] = reactive(0)  # of its pips: see `pip_inks`
    digits: reactive[bool] = reactive(default=False)
    big: reactive[bool] = reactive(default=True, layout=True)

    def __init__(self, slot: int) -> None:
        super().__init__(id=f"die-{slot}")
        self.slot = slot

    @property
    def palette(self) -> dict[str, str]:
        return terminal_colors(dark=self.app.current_theme.dark)

    def render(self) -> Text:
        return _large(self) if self.big else _small(self)

    def watch_big(self, big: bool) -> None:
        self.styles.width = BIG_DIE if big else SMALL_DIE
        self.styles.height = 6 if big else 2

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.slot))


def _ink(die: Die) -> str:
    style = EMPTY_SLOT if not die.face else HELD_IVORY if die.held else IVORY
    if die.ink:
        style = style.replace("{held-pip}", "{pip}").replace("{pip}", f"{{ink-{die.ink}}}")
    return style.format_map(die.palette)


def _caption(die: Die, width: int, text: str) -> tuple[str, str]:
    style = HELD_CAPTION if die.held else CAPTION
    return shorten(text, width).center(width), style.format_map(die.palette)


def _large(die: Die) -> Text:
    left, line, right, side, under_left, under_right = _HELD if die.held else _LOOSE
    spots = (_EMPTY[0], f"  {die.face}  ", _EMPTY[0]) if die.digits and die.face else _SPOTS.get(die.face, _EMPTY)
    edge = _EDGES[die.ink].translate(_THICK) if die.held else _EDGES[die.ink]
    rows = [left + line * 5 + right, *(f"{side}{row}{side}" for row in spots), under_left + edge + under_right]
    text = Text(no_wrap=True)
    for row in rows:
        text.append(row, _ink(die)).append("\n")
    return text.append(
        *_caption(die, BIG_DIE, word("terminal.kept-die", die=die.slot + 1) if die.held else str(die.slot + 1))
    )


def _small(die: Die) -> Text:
    """Draw two rows: the face, in brackets when it is kept, and the word below it."""
    face = str(die.face or " ") + _STROKES[die.ink]
    text = Text(no_wrap=True).append((f"[{face}]" if die.held else f" {face} "), _ink(die)).append("\n")
    return text.append(*_caption(die, 4, word("terminal.kept") if die.held else f"{die.slot + 1} "))


class DiceRow(Widget):
    """All dice side by side."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def compose(self) -> ComposeResult:
        with Horizontal():
            for slot in range(self._count):
                yield Die(slot)

    @property
    def dice(self) -> list[Die]:
        return list(self.query(Die))

    @property
    def held(self) -> tuple[int, ...]:
        return tuple(die.slot for die in self.dice if die.held)

    def show(self, faces: tuple[int, ...], held: tuple[int, ...], inks: str) -> None:
        """Show the dice; before the first roll the slots are blank."""
        for die in self.dice:
            die.face = faces[die.slot] if faces else 0
            die.held = die.slot in held and bool(faces)
            die.ink = int(inks[die.face - 1] if inks and faces else 0)

    def hold(self, slots: tuple[int, ...]) -> None:
        for die in self.dice:
            die.held = die.slot in slots

    def toggle(self, slot: int) -> None:
        if slot < len(self.dice) and self.dice[slot].face:
            self.dice[slot].held = not self.dice[slot].held

    def switch_digits(self) -> None:
        for die in self.dice:
            die.digits = not die.digits

    def resize(self, *, big: bool, gap: int) -> None:
        for die in self.dice:
            die.big = big
            die.styles.margin = (0, gap, 0, 0)


_FOOT = 1
_FELT_ABOVE = {True: 18, False: 9}  # rows of the felt above the sheet, with large and with small dice


def _sheet_rows(layout: ScreenLayout, size: Size) -> int:
    return size.height - _FOOT - (0 if layout.beside else _FELT_ABOVE[layout.big_dice])


class Board(Container):
    """Score sheet and dice. `show` draws a state, `fit` only fits it into the window."""

    def __init__(self, dice: int) -> None:
        super().__init__(id="board")
        self._dice = dice
        self._placed: tuple[ScreenLayout, Size] | None = None
        self._texts: dict[str, str] = {}
        self._rolls = ""  # which roll of the turn this is
        self._side_version: int | None = None  # the version of the game that the side panel is about
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
        yield SidePanel()
        too_small = word("terminal.too-small", command="fivedice play --plain")  # no sentence
        yield Static(too_small, id="too-small", markup=False)

    def on_mount(self) -> None:
        for what in ("virtual_size", "scroll_y"):
            self.watch(self.words, what, self._words_changed, init=False)
        self.button.can_focus = False  # only the sheet has the focus, so that Enter always scores a box
        self.button.active_effect_duration = 0  # during the effect the button would ignore the next roll

    @property
    def sheet(self) -> SheetTable:
        return self.query_one(SheetTable)

    @property
    def dice(self) -> DiceRow:
        return self.query_one(DiceRow)

    @property
    def button(self) -> Button:
        return self.query_one("#roll", Button)

    @property
    def side(self) -> SidePanel:
        return self.query_one(SidePanel)

    @property
    def words(self) -> VerticalScroll:
        return self.query_one("#words", VerticalScroll)

    @property
    def is_wide(self) -> bool:
        """Return whether there is a side panel."""
        return self._placed is not None and self._placed[0].side > 0

    def say(self, text: str) -> None:
        self._write("message", text)
        self.words.scroll_home(animate=False)

    def fits(self, lines: list[str]) -> bool:
        """Return whether these lines can be read without scrolling, in place of the current text."""
        width, height = max(1, self.words.size.width), self.words.size.height
        return sum(max(1, -(-len(line) // width)) for line in lines) <= height

    def read_on(self, by: int) -> None:
        """Scroll the text by a number of pages."""
        self.words.scroll_relative(y=by * max(1, self.words.size.height - 1), animate=False)

    def _words_changed(self) -> None:
        self.call_after_refresh(self.mark_more)  # when all sizes are known

    def mark_more(self) -> None:
        """Say that the text goes on below, in an existing line: a new line would change how much fits."""
        more = self.words.max_scroll_y > self.words.scroll_offset.y
        parts = [self._rolls, word("terminal.more-below", key="PgDn") if more else ""]
        text = "   ".join(filter(None, parts))
        if self._texts.get("rolls") != text:
            self._texts["rolls"] = text
            self.query_one("#rolls", Static).update(text, layout=False)

    def _write(self, where: str, text: str) -> None:
        """Show a text if it has changed: every update lays out the whole screen again."""
        if self._texts.get(where) != text:
            self._texts[where] = text
            self.query_one(f"#{where}", Static).update(text)

    def show(self, session: Session, size: Size) -> None:
        """Draw the state of the game."""
        state, position = session.state, session.game.position
        self.ruling = position.ruling() if session.person_is_next and position.roll is not None else None
        self._write("headline", str(lines.headline(state)))
        self._rolls = lines.rolls_line(state)
        self.mark_more()
        self.dice.show(state.slots, state.held, pip_inks(state.book))
        self.set_class(state.phase is Phase.FINISHED, "finished")
        over = state.phase is Phase.FINISHED
        self.button.disabled = not over and not lines.can_roll(session)
        self.button.label = lines.roll_label(state)
        self.fit(session, size)
        if self.ruling is not None and len(self.ruling.legal) == 1:
            self.sheet.go_to(next(iter(self.ruling.legal)))
        self.explain(session)

    def fit(self, session: Session, size: Size) -> None:
        """Fit the table into the window."""
        layout = self._layout(session.state, size)
        if self._placed != (layout, size):
            self._place(layout, size)
            self._placed = (layout, size)
        if layout.side:
            self.side.show(session.state, fresh=self._side_version != session.state.version)
            self._side_version = session.state.version
        self.sheet.show(session.state, self.ruling, layout, _sheet_rows(layout, size))

    def _layout(self, state: TableState, size: Size) -> ScreenLayout:
        """Choose a layout. A sheet that scrolls needs a column for the scrollbar, or it would scroll sideways too."""
        names = [lines.name(state, seat) for seat in range(len(state.seats))]
        box = max(len(name_of(each)) for each in state.book.boxes)
        line = max(len(name_of(row[0])) for row in rows(state))
        layout = choose_layout(size.width, size.height, self._dice, names, box, line)
        if not layout.beside or not needs_scrolling(state, _sheet_rows(layout, size)):
            return layout
        narrower = choose_layout(size.width - SCROLLBAR, size.height, self._dice, names, box, line)
        return replace(narrower, scrolls=True)

    def _place(self, layout: ScreenLayout, size: Size) -> None:
        self.set_class(layout.beside, "beside")
        self.set_class(layout.too_small, "too-small")
        self.set_class(not layout.big_dice, "small")
        self.dice.resize(big=layout.big_dice, gap=layout.gap)
        self.button.compact = not layout.big_dice
        felt = self.query_one("#felt")
        self.set_class(layout.side > 0, "wide")
        self.side.styles.width = layout.side
        if layout.beside:
            room = size.width - layout.felt_width(self._dice) - layout.side
            self.sheet.styles.width = min(layout.sheet_width, room)
            felt.styles.height = "1fr"
        else:
            self.sheet.styles.width = "100%"
            felt.styles.height = _FELT_ABOVE[layout.big_dice]
        if not layout.too_small:
            self.call_after_refresh(self.sheet.focus)  # a hidden sheet loses the focus

    def explain(self, session: Session) -> None:
        """Explain the line under the cursor."""
        box, key = self.sheet.box_at_cursor(), self.sheet.key_at_cursor()
        text = lines.about_bonus(session.state, key.removeprefix("bonus-")) if key.startswith("bonus-") else ""
        if box is not None and session.state.on_turn is not None:
            text = lines.about_box(session.state, self.ruling, box)
        self._write("why", text)
