"""The score sheet on the screen: one line per box, one column per player, previews of the possible scores."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.coordinate import Coordinate
from textual.message import Message
from textual.widgets import DataTable

from fivedice.core.game import LineKind, Ruling, SheetLine
from fivedice.core.game.card import BonusStatus, bonus_pace
from fivedice.drawing.theme import SEATS, terminal_colors
from fivedice.table.state import TableState
from fivedice.terminal import game_lines as lines
from fivedice.terminal.layout import SHORTEST_LABEL, ScreenLayout, shorten
from fivedice.text import name_of, word

_STYLES = {
    LineKind.TOTAL: "bold",
    LineKind.GRAND: "bold",
    LineKind.HEADING: "italic dim",
    LineKind.BONUS: "italic",
}


Row = tuple[SheetLine, ...]  # one line of the sheet, with an entry per player


def rows(state: TableState) -> list[Row]:
    """Return all lines of the sheet, in the order of the rules."""
    return list(zip(*lines.columns(state), strict=True))


def key_of(row: Row) -> str:
    """Return the key of a row. It has the kind of the line, because a box may be named like a sum."""
    return f"{row[0].kind}-{row[0].role}"


def draw_row(
    state: TableState, row: Row, ruling: Ruling | None, layout: ScreenLayout, *, dark: bool
) -> tuple[Text, ...]:
    """Return the label and the cell of every player."""
    margin = _number_of(state, row[0], layout)
    text = shorten(name_of(row[0]), layout.label - len(margin))
    label = Text(no_wrap=True).append(margin, "dim").append(text, _STYLES.get(row[0].kind, ""))
    cells = (_Column(state, seat, ruling, layout.columns[seat], dark=dark).cell(line) for seat, line in enumerate(row))
    return label, *cells


def _number_of(state: TableState, line: SheetLine, layout: ScreenLayout) -> str:
    """Return the number that selects the box, if there is room for it."""
    if not layout.numbered:
        return " " if layout.label > SHORTEST_LABEL else ""
    return " " if line.box is None else f"{state.book.index[line.box] + 1:>3} "


def heading(state: TableState, number: int, width: int, height: int, *, dark: bool) -> Text:
    """Return token and name. An arrow marks the player on turn, besides the bold type."""
    seat = state.seats[number]
    mark = ("▶" if number == state.on_turn else "") + seat.token
    name = shorten(lines.name(state, number), width - 1 - (0 if height > 1 else len(mark)))
    above = mark.rjust(width - 1) + "\n" if height > 1 else mark.rjust(width - 1 - len(name))
    text = Text(above, style="bold" if number == state.on_turn else "", no_wrap=True)
    shade = SEATS.get(seat.color)
    colour = "" if shade is None else shade.dark if dark else shade.light
    text.stylize(colour, above.index(seat.token), above.index(seat.token) + 1)
    return text.append(name.rjust(width - 1) if height > 1 else name)


class _Column:
    """The cells of one player."""

    def __init__(self, state: TableState, seat: int, ruling: Ruling | None, width: int, *, dark: bool) -> None:
        self._state, self._seat, self._width = state, seat, width
        self._points = terminal_colors(dark=dark)["points"]
        self._ruling = ruling if seat == state.on_turn else None

    def cell(self, line: SheetLine) -> Text:
        style = _STYLES.get(line.kind, "")
        if line.kind is LineKind.HEADING:
            return Text("")
        if line.role == "bonus" and line.kind is LineKind.BONUS and self._state.on_turn is not None:
            return self._number(self._pace(line.value or 0), style)
        if line.value is not None:
            return self._number(str(line.value), f"{style} underline" if self._is_latest(line.box) else style)
        return self._preview(line.box or "")

    def _is_latest(self, box: str | None) -> bool:
        last = self._state.last_score
        mine = last is not None and last.before.seat == self._seat
        return box is not None and mine and getattr(last and last.move, "box", "") == box

    def _pace(self, points: int) -> str:
        game = self._state.game
        pace = None if game is None else bonus_pace(game.position.cards[self._seat])
        if pace is None or pace.status is BonusStatus.REACHED:
            return str(points)
        return word("terminal.lost") if pace.status is BonusStatus.LOST else str(pace) if pace.ahead else "±0"

    def _preview(self, box: str) -> Text:
        """Show the points of the dice in brackets, a joker with its mark `!`, and a dash for a closed box."""
        if self._ruling is None:
            return self._number("·", "dim")
        entry = self._ruling.legal.get(box)
        if entry is None:
            return self._number("-", "dim")
        worth = f"[{entry.points}{'!' if entry.joker else ''}]"
        return _pad_left(worth, self._width, f"bold {self._points}" if entry.points else "dim")

    def _number(self, text: str, style: str) -> Text:
        """Align the last digit with that of a preview, which ends with a bracket."""
        return _pad_left(text, self._width - 1, style)


def _pad_left(text: str, width: int, style: str) -> Text:
    """Align to the right by hand: the table would drop the space after a number."""
    return Text(" " * (width - len(text)), no_wrap=True).append(text, style)


# In a low window headings are left out first, then sums; boxes and the grand total always stay.
_DETAIL = (
    frozenset(LineKind),
    frozenset(LineKind) - {LineKind.HEADING},
    frozenset(LineKind) - {LineKind.HEADING, LineKind.TOTAL},
)
_USUAL_HEADER = 2
_EXPLAINED = ("box-", "bonus-")  # the cursor stops only at these lines


class SheetTable(DataTable[Text]):
    """The sheet as a table. The cursor selects a box."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "terminal.key.score", key_display="⏎")]

    class Picked(Message):
        """A box was clicked, in the column of the player on turn or on its name."""

    def __init__(self) -> None:
        super().__init__(cursor_type="row", cell_padding=0, id="sheet", fixed_columns=1, header_height=_USUAL_HEADER)
        self._drawn: object = None
        self._on_turn: int | None = None

    def show(self, state: TableState, ruling: Ruling | None, layout: ScreenLayout, height: int) -> None:
        """Draw the cells that have changed. The cursor stays on its line."""
        shown = rows(state)
        kinds = _kinds(shown, height, complete=state.on_turn is None)
        shown = [row for row in shown if row[0].kind in kinds]
        dark = self.app.current_theme.dark
        cells = {key_of(row): draw_row(state, row, ruling, layout, dark=dark) for row in shown}
        self._on_turn = state.on_turn
        self.header_height = _USUAL_HEADER if len(cells) + _USUAL_HEADER <= height else 1
        frame = (dark, layout, self.header_height, state.on_turn, [seat.name for seat in state.seats], list(cells))
        if frame == self._drawn:
            self._refill(cells)
        else:
            self._rebuild(state, cells, layout)
        self._drawn = frame
        self.call_after_refresh(self._bring_into_view, layout)

    def _bring_into_view(self, layout: ScreenLayout) -> None:
        """Scroll to the column of the player on turn, if not all columns fit."""
        room = self.scrollable_content_region.width - layout.label
        if self._on_turn is None or room <= 0:
            return
        ends = sum(layout.columns[: self._on_turn + 1])
        left = min(max(self.scroll_target_x, ends - room), ends - layout.columns[self._on_turn])
        if left != self.scroll_target_x:
            self.scroll_to(x=left, animate=False)

    def _refill(self, cells: dict[str, tuple[Text, ...]]) -> None:
        for number, row in enumerate(cells.values()):
            for column, cell in enumerate(row):
                place = Coordinate(number, column)
                if _look(cell) != _look(self.get_cell_at(place)):
                    self.update_cell_at(place, cell)

    def _rebuild(self, state: TableState, cells: dict[str, tuple[Text, ...]], layout: ScreenLayout) -> None:
        key = self.key_at_cursor()
        self.clear(columns=True)
        self.add_column("", key="box", width=layout.label)
        for number, width in enumerate(layout.columns):
            self.add_column(
                heading(state, number, width, self.header_height, dark=self.app.current_theme.dark), width=width
            )
        for row, texts in cells.items():
            self.add_row(*texts, key=row)
        keys = list(cells)
        self._go_to_row(keys.index(key) if key in keys else next((n for n, k in enumerate(keys) if _is_box(k)), 0))

    def key_at_cursor(self) -> str:
        if not self.row_count:
            return ""
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value or ""

    def box_at_cursor(self) -> str | None:
        """Return the key of the box under the cursor; None on a total or a bonus."""
        key = self.key_at_cursor()
        return key.removeprefix("box-") if _is_box(key) else None

    def go_to(self, box: str) -> None:
        self._go_to_row(self.get_row_index(f"box-{box}"))

    def _go_to_row(self, row: int) -> None:
        self.move_cursor(row=row, animate=False)

    def action_cursor_down(self) -> None:
        self._step(+1)

    def action_cursor_up(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        """Move to the next box or bonus; headings and sums are skipped."""
        row = self.cursor_row + by
        while 0 <= row < self.row_count:
            if str(self.ordered_rows[row].key.value).startswith(_EXPLAINED):
                self._go_to_row(row)
                return
            row += by

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for scoring once the game is over."""
        over = action == "select_cursor" and self._on_turn is None
        return False if over else super().check_action(action, parameters)

    async def _on_click(self, event: events.Click) -> None:
        """Score a box with one click. The second click of a double click is ignored."""
        event.stop()
        event.prevent_default()
        place = event.style.meta
        if event.chain > 1 or place.get("row", -1) < 0 or place["row"] >= self.row_count:
            return
        self._go_to_row(place["row"])
        if place.get("column", -1) in (0, None if self._on_turn is None else self._on_turn + 1):
            self.post_message(self.Picked())


def _look(text: Text) -> tuple[str, list[object]]:
    return text.plain, [text.style, *text.spans]


def _is_box(key: str) -> bool:
    return key.startswith("box-")


def needs_scrolling(state: TableState, height: int) -> bool:
    """Return whether the sheet has more lines than there is room for, even without headings and sums."""
    kinds = _kinds(rows(state), height, complete=state.on_turn is None)
    return sum(row[0].kind in kinds for row in rows(state)) + 1 > height


def _kinds(all_rows: list[Row], height: int, *, complete: bool) -> frozenset[LineKind]:
    """Return the kinds of lines to show: as many as fit without scrolling. A finished sheet has all."""
    room = height - _USUAL_HEADER
    fitting = (kinds for kinds in _DETAIL if sum(row[0].kind in kinds for row in all_rows) <= room)
    return _DETAIL[0] if complete else next(fitting, _DETAIL[-1])
