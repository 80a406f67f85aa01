"""The sheet as paper shows it: all players of the current game side by side, or all games of one player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from fivedice.game import Game, LineKind, Mark, Ruling, Scorecard, SheetLine, sheet_lines
from fivedice.game.card import line_values, par
from fivedice.game.legality import wasteful
from fivedice.rules import FaceSum, RuleBook
from fivedice.table.decide.rewrite import WrittenTurn, sheet_of, written
from fivedice.table.state import TableState
from fivedice.table.view.halves import Place, halves
from fivedice.table.view.view_shapes import CellView, PlayerSheet, RowView, SheetCell, SheetRow
from fivedice.words import current, name_of, signed
from fivedice.words.formatting import ENGLISH

# The fields of `SheetLineView`.
Facts: TypeAlias = tuple[str, str, str, str | None, int | None, str, int | None, int | None, int]


def across(book: RuleBook, cards: Sequence[Scorecard]) -> Iterator[tuple[Facts, tuple[int | None, ...]]]:
    """Every line of the sheet, and what it holds on each of these cards."""
    facts = _plain_facts(book) if current() == ENGLISH else _facts(book)
    return zip(facts, zip(*map(line_values, cards), strict=True), strict=True)


def _facts(book: RuleBook) -> tuple[Facts, ...]:
    lines = sheet_lines(Scorecard.empty(book))
    return tuple(_of_line(book, line, place) for line, place in zip(lines, halves(lines), strict=True))


def _of_line(book: RuleBook, line: SheetLine, place: Place) -> Facts:
    box = None if line.box is None else book.box(line.box)
    short = name_of(line) if box is None else name_of(box.short_label)
    if line.kind is LineKind.EXTRA and book.alike is not None:
        short = signed(book.alike.extra)
    face = box.pattern.face if box is not None and isinstance(box.pattern, FaceSum) else None
    return str(line.kind), name_of(line), str(line.section), line.box, _shown_par(book, line.box), short, face, *place


# Every view of every table asks. Books that differ in other languages alone are equal, so those are not kept.
_plain_facts = lru_cache(maxsize=256)(_facts)


def _shown_par(book: RuleBook, box: str | None) -> int | None:
    """What an even course to the bonus needs in this box, where it needs something."""
    if box is None or book.bonus is None:
        return None
    return round(par(book, book.box(box))) or None


def rows_of(state: TableState, ruling: Ruling | None) -> tuple[RowView, ...]:
    """The current game; the ruling is there if the viewer writes the next box."""
    cards = cards_of(state)
    columns = [_Cells(state, seat, ruling if seat == state.on_turn else None) for seat in range(len(cards))]
    if len(columns) == 1:  # alone, as most play: half the time of the general way
        cell = columns[0].cell
        return tuple([_row(line, (cell(line, held),)) for line, (held,) in across(state.book, cards)])
    return tuple(
        _row(line, tuple([column.cell(line, held) for column, held in zip(columns, holds, strict=True)]))
        for line, holds in across(state.book, cards)
    )


# The first fields of a `CellView`; the others are as they are by themselves.
Cell: TypeAlias = tuple[int | bool | str | None, ...]


@lru_cache(maxsize=8192)  # of all that every view of every table shows, a move changes one or two
def _row(line: Facts, cells: tuple[Cell, ...]) -> RowView:
    return RowView(*line, tuple(CellView(*cell) for cell in cells))  # type: ignore[arg-type]


class _Cells:
    """The column of one player; previews only where the viewer may choose."""

    def __init__(self, state: TableState, seat: int, ruling: Ruling | None) -> None:
        self._ruling = ruling
        self._legal = {} if ruling is None else ruling.legal
        self._wasteful = wasteful(self._legal)
        self._most = max((entry.points + entry.bonus for entry in self._legal.values()), default=0)
        self._latest = _latest(state, seat)
        self._extra = 0 if state.book.alike is None else state.book.alike.extra

    def cell(self, line: Facts, value: int | None) -> Cell:
        kind, box = line[0], line[3]
        if kind == LineKind.EXTRA and value is not None and self._extra:
            return (value, None, 0, False, False, False, None, False, value // self._extra)
        if box is None or value is not None:
            return (value, None, 0, False, False, False, None, box is not None and box == self._latest)
        if self._ruling is None:
            return ()
        entry = self._legal.get(box)
        if entry is None:
            return (None, None, 0, False, False, False, str(self._ruling.reason(box)))
        wasteful, best = box in self._wasteful, 0 < self._most == entry.points + entry.bonus
        return (None, entry.points, entry.bonus, entry.joker, wasteful, best)


def _latest(state: TableState, seat: int) -> str | None:
    """The box this seat filled in the last turn that was played."""
    score = state.last_score
    return score.move.box if score is not None and isinstance(score.move, Mark) and score.before.seat == seat else None


def cards_of(state: TableState) -> tuple[Scorecard, ...]:
    if state.game is not None:
        return state.game.position.cards
    return (Scorecard.empty(state.book),) * max(1, len(state.seats))


def sheets(state: TableState) -> tuple[PlayerSheet, ...]:
    """Every player's sheet, with a column for each game that is planned."""
    columns = [_GameColumns(state, number) for number in range(state.games)]
    return tuple(_player(state, seat, columns) for seat in range(len(state.seats)))


class _GameColumns:
    """One game of the sheet, begun or not, with the turns that wrote it."""

    def __init__(self, state: TableState, number: int) -> None:
        games = state.all_games
        self.number = number
        self.game: Game | None = games[number] if number < len(games) else None
        turns: tuple[WrittenTurn, ...] = () if self.game is None else written(sheet_of(state, number))
        self._by_box = {(turn.seat, turn.box): turn for turn in turns}
        self._extra = 0 if state.book.alike is None else state.book.alike.extra

    def card(self, state: TableState, seat: int) -> Scorecard:
        return Scorecard.empty(state.book) if self.game is None else self.game.position.cards[seat]

    def cell(self, seat: int, line: Facts, value: int | None) -> SheetCell:
        if self.game is None or value is None:
            return SheetCell(self.number)
        if line[0] == LineKind.EXTRA:
            return SheetCell(self.number, value, ticks=value // self._extra)
        turn = self._by_box.get((seat, line[3] or ""))
        if turn is None:
            return SheetCell(self.number, value)
        final = turn.rolls[-1].last
        return SheetCell(self.number, value, 0, turn.number, turn.dice, final, turn.entry.bonus, joker=turn.entry.joker)


def _player(state: TableState, seat: int, columns: list[_GameColumns]) -> PlayerSheet:
    sitting = state.seats[seat]
    cards = [column.card(state, seat) for column in columns]
    totals = tuple(None if column.game is None else card.total for column, card in zip(columns, cards, strict=True))
    won = tuple(seat in _winners(column.game) for column in columns)
    added = sum(filter(None, totals)) if state.match_total and state.games > 1 else None
    rows = (
        SheetRow(*line, tuple(column.cell(seat, line, held) for column, held in zip(columns, holds, strict=True)))
        for line, holds in across(state.book, cards)
    )
    return PlayerSheet(seat, sitting.name, sitting.color, sitting.token, tuple(rows), totals, won, added)


def _winners(game: Game | None) -> tuple[int, ...]:
    outcome = None if game is None else game.outcome
    return () if outcome is None else outcome.winners
