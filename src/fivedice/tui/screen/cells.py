"""What stands in the cells of the sheet."""

from __future__ import annotations

from rich.text import Text

from fivedice.game import LineKind, Ruling, SheetLine, sheet_lines
from fivedice.game.card import BonusStatus, bonus_pace
from fivedice.table.state import TableState
from fivedice.tokens import SEATS, TERMINAL
from fivedice.tui import game_lines as lines
from fivedice.tui.screen.layout import SHORTEST_LABEL, Layout, shortened
from fivedice.words import name_of, word

_STYLES = {
    LineKind.TOTAL: "bold",
    LineKind.GRAND: "bold",
    LineKind.HEADING: "italic dim",
    LineKind.BONUS: "italic",
}


Row = tuple[SheetLine, ...]  # one line of the sheet, for every player


def rows(state: TableState) -> list[Row]:
    """All lines of the sheet, as the book lays them out."""
    return [] if state.game is None else list(zip(*map(sheet_lines, state.game.position.cards), strict=True))


def key_of(row: Row) -> str:
    """Box or not: a box may be called as a sum is."""
    return f"{row[0].kind}-{row[0].role}"


def drawn(state: TableState, row: Row, ruling: Ruling | None, layout: Layout) -> tuple[Text, ...]:
    """The label and the cell of every player."""
    margin = " " if layout.label > SHORTEST_LABEL else ""
    text = margin + shortened(name_of(row[0]), layout.label - len(margin))
    label = Text(text, style=_STYLES.get(row[0].kind, ""), no_wrap=True)
    cells = (_Column(state, seat, ruling, layout.column).cell(line) for seat, line in enumerate(row))
    return label, *cells


def _shade(color: str) -> str:
    return SEATS[color].dark if color in SEATS else ""


def heading(state: TableState, number: int, width: int, height: int) -> Text:
    """Token and name; an arrow and not only bold type says who is on turn."""
    seat = state.seats[number]
    mark = ("▶" if number == state.on_turn else "") + seat.token
    name = shortened(lines.name(state, number), width - 2 if height > 1 else width - 2 - len(mark))
    above = mark.rjust(width - 1) + "\n" if height > 1 else mark.rjust(width - 1 - len(name))
    text = Text(above, style="bold" if number == state.on_turn else "", no_wrap=True)
    text.stylize(_shade(seat.color), above.index(seat.token), above.index(seat.token) + 1)
    return text.append(name.rjust(width - 1) if height > 1 else name)


class _Column:
    """The cells of one player."""

    def __init__(self, state: TableState, seat: int, ruling: Ruling | None, width: int) -> None:
        self._state, self._seat, self._width = state, seat, width
        self._ruling = ruling if seat == state.on_turn else None

    def cell(self, line: SheetLine) -> Text:
        style = _STYLES.get(line.kind, "")
        if line.kind is LineKind.HEADING:
            return Text("")
        if line.kind is LineKind.BONUS and self._state.on_turn is not None:
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
        """In brackets what the dice are worth, a joker with the mark of our notation; a dash where it is closed."""
        if self._ruling is None:
            return self._number("·", "dim")
        entry = self._ruling.legal.get(box)
        if entry is None:
            return self._number("-", "dim")
        worth = f"[{entry.points}{'!' if entry.joker else ''}]"
        return _padded(worth, self._width, f"bold {TERMINAL['points']}" if entry.points else "dim")

    def _number(self, text: str, style: str) -> Text:
        """Its last digit stands below that of a preview, inside the bracket."""
        return _padded(text, self._width - 1, style)


def _padded(text: str, width: int, style: str) -> Text:
    """To the right by hand: the table would drop the space behind a number."""
    return Text(" " * (width - len(text)), no_wrap=True).append(text, style)
