"""What stands in the cells of the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from fivedice.game import LineKind, Ruling, SheetLine, sheet_lines
from fivedice.game.pace import Chance, Pace, bonus_pace
from fivedice.table.state import TableState
from fivedice.tui.layout import SHORTEST_LABEL, Layout, shortened

_STYLES = {LineKind.TOTAL: "bold", LineKind.GRAND: "bold", LineKind.HEADING: "italic dim", LineKind.BONUS: "italic"}
_SHADES = {
    "red": "#ff8a80",
    "blue": "#82b1ff",
    "green": "#7fd69a",
    "amber": "#ffcc66",
    "violet": "#c9a6ff",
    "teal": "#6fd3d0",
    "rose": "#ff9ecb",
    "slate": "#b0bec5",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line across all players; its key says whether it is a box."""

    key: str
    kind: LineKind
    label: Text
    cells: tuple[Text, ...]


def rows(state: TableState, ruling: Ruling | None, layout: Layout) -> Iterator[Row]:
    """All lines of the sheet, as the book lays them out."""
    if state.game is None:
        return
    columns = [sheet_lines(card) for card in state.game.position.cards]
    for number, lines in enumerate(zip(*columns, strict=True)):
        first, style = lines[0], _STYLES.get(lines[0].kind, "")
        margin = " " if layout.label > SHORTEST_LABEL else ""
        label = Text(margin + shortened(first.label, layout.label - len(margin)), style=style, no_wrap=True)
        cells = tuple(_cell(state, seat, line, ruling) for seat, line in enumerate(lines))
        yield Row(_key(first, number), first.kind, label, cells)


def _key(line: SheetLine, number: int) -> str:
    if line.box is not None:
        return f"box-{line.box}"
    return "bonus" if line.kind is LineKind.BONUS else f"line-{number}"


def heading(state: TableState, number: int, width: int, height: int) -> Text:
    """Token and name; an arrow and not only bold type says who is on turn."""
    seat = state.seats[number]
    arrow = "▶" if number == state.on_turn else ""
    room = width - 2 if height > 1 else width - 3 - len(arrow)
    text = Text(arrow, justify="right", no_wrap=True, style="bold" if arrow else "")
    text.append(seat.token, _SHADES.get(seat.color, "")).append(" \n" if height > 1 else "")
    return text.append(f"{shortened(seat.name, room)} ")


def _cell(state: TableState, seat: int, line: SheetLine, ruling: Ruling | None) -> Text:
    style = _STYLES.get(line.kind, "")
    pace = bonus_pace(state.game.position.cards[seat]) if state.game is not None else None
    if line.kind is LineKind.BONUS and pace is not None and state.on_turn is not None:
        return _right(_pace(pace, line.value or 0), style)
    if line.value is not None:
        return _right(f"{line.value} ", f"{style} underline" if _is_latest(state, seat, line.box) else style)
    if line.kind is LineKind.HEADING:
        return Text("")
    if ruling is None or seat != state.on_turn or line.box is None:
        return _right("· ", "dim")
    return _preview(ruling, line.box)


def _is_latest(state: TableState, seat: int, box: str | None) -> bool:
    last = state.last_score
    return box is not None and last is not None and last.before.seat == seat and getattr(last.move, "box", "") == box


def _pace(pace: Pace, points: int) -> str:
    if pace.chance is Chance.REACHED:
        return f"{points} "
    return "lost " if pace.chance is Chance.LOST else f"{pace} " if pace.ahead else "±0 "


def _preview(ruling: Ruling, box: str) -> Text:
    """In brackets what the dice are worth there, with the joker's mark of our notation; a dash where it is closed."""
    entry = ruling.legal.get(box)
    if entry is None:
        return _right("- ", "dim")
    return _right(f"[{entry.points}{'!' if entry.joker else ''}]", "bold #8fe3a8" if entry.points else "dim")


def _right(text: str, style: str) -> Text:
    return Text(text, style=style, justify="right", no_wrap=True)
