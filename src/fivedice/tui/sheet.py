"""The sheet on the screen: a line a box, a column a player, previews where the dice may go."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import DataTable

from fivedice.game import LineKind, Ruling, SheetLine, sheet_lines
from fivedice.game.pace import bonus_pace
from fivedice.table.state import TableState

# While playing, the lines that only repeat others are left out, so that 24 rows are enough.
_PLAYING = {LineKind.BOX, LineKind.BONUS, LineKind.EXTRA, LineKind.GRAND}
_LONGEST_NAME = 12


class SheetTable(DataTable[Text]):
    """Rows are keyed by box; the cursor is the choice."""

    def __init__(self) -> None:
        super().__init__(cursor_type="row", zebra_stripes=True, id="sheet")

    def show(self, state: TableState, ruling: Ruling | None) -> None:
        """Draw the whole sheet anew, with the cursor where it was."""
        row = self.cursor_row
        self.clear(columns=True)
        self.add_column("Box", key="box")
        for number, seat in enumerate(state.seats):
            name = seat.name if len(seat.name) <= _LONGEST_NAME else f"{seat.name[: _LONGEST_NAME - 1]}…"
            mark = "▶ " if number == state.on_turn else ""
            self.add_column(Text(f"{mark}{seat.token} {name}", style="bold" if mark else ""), key=f"seat-{number}")
        for key, label, cells in _lines(state, ruling):
            self.add_row(label, *cells, key=key)
        self.move_cursor(row=min(row, self.row_count - 1))

    def box_at_cursor(self) -> str | None:
        """The key of the box under the cursor; totals are no boxes."""
        if not self.row_count:
            return None
        key = self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value or ""
        return key.removeprefix("box-") if key.startswith("box-") else None

    def go_to(self, box: str) -> None:
        self.move_cursor(row=self.get_row_index(f"box-{box}"))


def _lines(state: TableState, ruling: Ruling | None) -> list[tuple[str, Text, list[Text]]]:
    game = state.game
    cards = game.position.cards if game is not None else ()
    columns = [sheet_lines(card) for card in cards]
    rows = []
    for number, lines in enumerate(zip(*columns, strict=True)):
        first = lines[0]
        if first.kind not in _PLAYING and not (game is not None and game.is_over):
            continue
        key = f"box-{first.box}" if first.box else f"line-{number}"
        cells = [_cell(state, seat, line, ruling) for seat, line in enumerate(lines)]
        rows.append((key, Text(first.label, style=_STYLES.get(first.kind, "")), cells))
    return rows


_STYLES = {LineKind.TOTAL: "bold", LineKind.GRAND: "bold", LineKind.HEADING: "dim", LineKind.BONUS: "italic"}


def _cell(state: TableState, seat: int, line: SheetLine, ruling: Ruling | None) -> Text:
    style = _STYLES.get(line.kind, "")
    if line.kind is LineKind.BONUS and state.game is not None and not state.game.is_over:
        pace = str(bonus_pace(state.game.position.cards[seat]))
        return Text(f"{line.value} {_SHORT_PACE.get(pace, pace)}", style=style, justify="right")
    if line.value is not None:
        return Text(str(line.value), style=style, justify="right")
    if line.box is None or ruling is None or seat != state.on_turn:
        return Text("" if line.kind is LineKind.HEADING else "·", style="dim", justify="right")
    return _preview(ruling, line.box)


_SHORT_PACE = {"on pace": "±0", "reached": "", "out of reach": "lost"}


def _preview(ruling: Ruling, box: str) -> Text:
    entry = ruling.legal.get(box)
    if entry is None:
        return Text("closed", style="dim", justify="right")
    mark = " joker" if entry.joker else ""
    extra = f" +{entry.bonus}" if entry.bonus else ""
    return Text(f"[{entry.points}{mark}{extra}]", style="green bold" if entry.points else "dim", justify="right")
