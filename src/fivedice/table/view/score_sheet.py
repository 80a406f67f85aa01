"""The sheet as a viewer sees it: what is written, what the dice would be worth, and what is closed."""

from __future__ import annotations

from fivedice.game import LineKind, Ruling, Scorecard, sheet_lines
from fivedice.game.pace import par
from fivedice.rules import RuleBook
from fivedice.table.state import TableState
from fivedice.table.view.view_shapes import CellView, RowView
from fivedice.words import name_of


def rows_of(state: TableState, ruling: Ruling | None) -> tuple[RowView, ...]:
    """The lines of the sheet; the ruling is there if the viewer writes the next box."""
    columns = [sheet_lines(card) for card in cards_of(state)]
    cells = [_Cells(state, seat, ruling if seat == state.on_turn else None) for seat in range(len(columns))]
    rows = []
    for lines in zip(*columns, strict=True):
        first = lines[0]
        row = tuple(cells[seat].cell(line.box, line.value, line.kind) for seat, line in enumerate(lines))
        rows.append(RowView(str(first.kind), name_of(first), first.box, shown_par(state.book, first.box), row))
    return tuple(rows)


def shown_par(book: RuleBook, box: str | None) -> int | None:
    """What an even course to the bonus needs in this box, where it needs something."""
    if box is None or book.bonus is None:
        return None
    return round(par(book, book.box(box))) or None


class _Cells:
    """The column of one player; previews only where the viewer may choose."""

    def __init__(self, state: TableState, seat: int, ruling: Ruling | None) -> None:
        self._legal = {} if ruling is None else ruling.legal
        self._closed = {} if ruling is None else ruling.closed
        self._wasteful = frozenset[str]() if ruling is None else ruling.wasteful
        self._latest = _latest(state, seat)
        self._extra = 0 if state.book.alike is None else state.book.alike.extra

    def cell(self, box: str | None, value: int | None, kind: LineKind) -> CellView:
        if kind is LineKind.EXTRA and value is not None and self._extra:
            return CellView(points=value, ticks=value // self._extra)
        if box is None or kind is not LineKind.BOX or value is not None:
            return CellView(points=value, latest=box is not None and box == self._latest)
        entry = self._legal.get(box)
        if entry is None:
            return CellView(closed=self._closed.get(box))
        wasteful = box in self._wasteful
        return CellView(preview=entry.points, extra=entry.bonus, joker=entry.joker, avoidable_zero=wasteful)


def _latest(state: TableState, seat: int) -> str | None:
    """The box this seat filled in the last turn that was played."""
    for step in reversed(state.game.steps if state.game is not None else ()):
        box = getattr(step.move, "box", None)
        if box is not None:
            return str(box) if step.before.seat == seat else None
    return None


def cards_of(state: TableState) -> tuple[Scorecard, ...]:
    if state.game is not None:
        return state.game.position.cards
    return (Scorecard.empty(state.book),) * max(1, len(state.seats))
