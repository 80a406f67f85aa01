"""The rows of the sheet: all players of the current game side by side, or all games of one player.

A small screen shows them in two columns of about the same length: boxes, the bonus and the extra bonus. Totals fill up
the shorter column.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from fivedice.core.game import Game, LineKind, Mark, Ruling, Scorecard, SheetLine, sheet_lines
from fivedice.core.game.card import bonus_pace, line_values, par
from fivedice.core.game.legality import wasteful
from fivedice.core.rules import AlikePolicy, Bonus, FaceSum, RuleBook, Section
from fivedice.message import message
from fivedice.table.actions.rewrite import WrittenTurn, sheet_of, written_turns
from fivedice.table.state import TableState
from fivedice.table.view.view_shapes import CellView, PlayerSheet, RowView, SheetCell, SheetRow
from fivedice.text import current, format_signed, name_of

PLAYED = frozenset({LineKind.BOX, LineKind.BONUS, LineKind.EXTRA})
MOST_APART = 2  # lines by which the sections may differ before boxes move to the other column


class LinePlace(NamedTuple):
    """The column of a line, 0 or 1, or None if it is not shown; and its height in lines."""

    half: int | None
    span: int = 1


def halves(lines: Sequence[SheetLine]) -> tuple[LinePlace, ...]:
    """Return the place of every line, in order."""
    columns = _split_lines(lines)
    for half, column in enumerate(columns):
        spare = len(columns[1 - half]) - len(column)
        column += _totals(lines, half)[: max(0, spare)]
        column.sort()
    longest = max(map(len, columns))
    placed = {place: LinePlace(half) for half, column in enumerate(columns) for place in column}
    for half, column in enumerate(columns):
        if column:
            placed[column[-1]] = LinePlace(half, 1 + longest - len(column))
    return tuple(placed.get(place, LinePlace(None)) for place in range(len(lines)))


def _split_lines(lines: Sequence[SheetLine]) -> tuple[list[int], list[int]]:
    """Return the lines of both columns: upper and lower section, or two halves where one section is much longer."""
    played = [place for place, line in enumerate(lines) if line.kind in PLAYED]
    upper = [place for place in played if lines[place].section is Section.UPPER]
    cut = len(upper)
    if abs(len(played) - 2 * cut) > MOST_APART:
        cut = len(played) // 2
    return played[:cut], played[cut:]


def _totals(lines: Sequence[SheetLine], half: int) -> list[int]:
    section = (Section.UPPER, Section.LOWER)[half]
    kinds = {LineKind.TOTAL, LineKind.GRAND} if half else {LineKind.TOTAL}
    return [place for place, line in enumerate(lines) if line.kind in kinds and line.section is section]


# The fields of `SheetLineView`.
Facts: TypeAlias = tuple[str, str, str, str | None, int | None, str, int | None, int | None, int, str]


def _lines(book: RuleBook) -> tuple[Facts, ...]:
    language = current()
    known: tuple[Facts, ...] | None = book.shown.get(language)
    if known is None:
        known = book.shown[language] = _facts(book)
    return known


def _facts(book: RuleBook) -> tuple[Facts, ...]:
    lines = sheet_lines(Scorecard.empty(book))
    return tuple(_of_line(book, line, place) for line, place in zip(lines, halves(lines), strict=True))


def _of_line(book: RuleBook, line: SheetLine, place: LinePlace) -> Facts:
    box = None if line.box is None else book.box(line.box)
    short = name_of(line) if box is None else name_of(box.short_label)
    if line.kind is LineKind.EXTRA and book.alike is not None:
        short = _extras(book.alike)
    face = box.pattern.face if box is not None and isinstance(box.pattern, FaceSum) else None
    # the points needed in this box on an even course to the bonus, if it needs any
    needed = None if box is None or book.bonus is None else round(par(book, box)) or None
    facts = str(line.kind), name_of(line), str(line.section), line.box, needed, short, face
    return *facts, *place, line.role


def _extras(policy: AlikePolicy) -> str:
    """Return what an extra bonus pays; the first one, with an ellipsis, where they differ."""
    own = (step.extra for step in policy.joker_steps if step.extra is not None)
    paid = [points for points in (*policy.extras, *own) if points]
    return format_signed(paid[0]) + ("…" if len(set(paid)) > 1 else "") if paid else ""


def rows_of(state: TableState, ruling: Ruling | None) -> tuple[RowView, ...]:
    """Return the rows of the current game; with previews if the viewer scores the next box (`ruling`)."""
    lines, on_turn = _lines(state.book), state.on_turn
    columns = [
        _Cells(card, ruling if seat == on_turn else None, _latest(state, seat)).of(lines)
        for seat, card in enumerate(cards_of(state))
    ]
    return tuple(map(_row, lines, zip(*columns, strict=True)))


def rows_of_cards(cards: Sequence[Scorecard], ruling: Ruling | None) -> tuple[RowView, ...]:
    """Return the rows of cards, with previews for the first if there is a `ruling`."""
    lines = _lines(cards[0].book)
    columns = [_Cells(card, None if seat else ruling, None).of(lines) for seat, card in enumerate(cards)]
    return tuple(map(_row, lines, zip(*columns, strict=True)))


# The first fields of a `CellView`; the others have their defaults.
CellFields: TypeAlias = tuple[int | bool | str | None, ...]


@lru_cache(maxsize=8192)  # a move changes only one or two rows of a view
def _row(line: Facts, cells: tuple[CellFields, ...]) -> RowView:
    return RowView(*line, tuple(CellView(*cell) for cell in cells))  # type: ignore[arg-type]


class _Cells:
    """The column of one player; with previews only where the viewer may choose."""

    def __init__(self, card: Scorecard, ruling: Ruling | None, latest: str | None) -> None:
        self._ruling = ruling
        self._legal = {} if ruling is None else ruling.legal
        self._wasteful = wasteful(self._legal)
        self._most = max((entry.points + entry.bonus for entry in self._legal.values()), default=0)
        self._latest = latest
        self._card = card

    def of(self, lines: Sequence[Facts]) -> list[CellFields]:
        """Return one cell for each line."""
        cells: list[CellFields] = []
        for line, value in zip(lines, line_values(self._card), strict=True):
            box = line[3]
            if line[0] == LineKind.EXTRA:
                cells.append((value, None, 0, False, False, False, None, False, self._card.bonuses))
            elif line[0] == LineKind.BONUS:
                stands = bonus_cells(self._card, current())[line[-1]]
                cells.append((value, None, 0, False, False, False, None, False, 0, *stands))
            elif box is None or value is not None:
                cells.append((value, None, 0, False, False, False, None, box is not None and box == self._latest))
            else:
                cells.append(() if self._ruling is None else self._preview_cell(box, self._ruling))
        return cells

    def _preview_cell(self, box: str, ruling: Ruling) -> CellFields:
        """Return what the dice would score in an open box, or why they cannot be scored there."""
        entry = self._legal.get(box)
        if entry is None:
            return (None, None, 0, False, False, False, str(ruling.reason(box)))
        best = 0 < self._most == entry.points + entry.bonus
        return (None, entry.points, entry.bonus, entry.joker, box in self._wasteful, best)


BonusCell: TypeAlias = tuple[int, int | None, str | None, bool]  # the last fields of a `CellView`


@lru_cache(maxsize=4096)  # a roll changes no card, and every view asks
def bonus_cells(card: Scorecard, _language: str) -> dict[str, BonusCell]:
    """Return how every bonus of the book stands, by its role."""
    pairs = zip(card.book.bonuses, card.book.bonus_masks, strict=True)
    return {bonus.role: _bonus_cell(card, bonus, mask) for bonus, mask in pairs}


def _bonus_cell(card: Scorecard, bonus: Bonus, mask: int) -> BonusCell:
    """Return the next step that can be reached; while it is the first of the upper bonus, with the pace to it."""
    book, counted = card.book, card.counted(mask)
    still = mask & ~card.filled
    most = counted + sum(book.highest(box) for place, box in enumerate(book.boxes) if still >> place & 1)
    aim = next((tier.threshold for tier in bonus.tiers if counted < tier.threshold <= most), None)
    paid = bonus.pays(counted)
    if aim is None:
        return counted, None, str(message("game.bonus-reached" if paid else "game.bonus-lost")), not paid
    return counted, aim, str(bonus_pace(card)) if bonus is book.bonus and not paid else None, False


def _latest(state: TableState, seat: int) -> str | None:
    """Return the box that this seat scored, if it scored last."""
    score = state.last_score
    return score.move.box if score is not None and isinstance(score.move, Mark) and score.before.seat == seat else None


def cards_of(state: TableState) -> tuple[Scorecard, ...]:
    if state.game is not None:
        return state.cards_in(state.game_number)
    return (Scorecard.empty(state.book),) * max(1, len(state.seats))


def sheets(state: TableState) -> tuple[PlayerSheet, ...]:
    """Return every player's sheet, with a column for each planned game."""
    columns = [_GameColumns(state, number) for number in range(state.games)]
    return tuple(_player(state, seat, columns) for seat in range(len(state.seats)))


class _GameColumns:
    """One game of the sheet, begun or not, with the turns that wrote it."""

    def __init__(self, state: TableState, number: int) -> None:
        games = state.all_games
        self.number = number
        self.game: Game | None = games[number] if number < len(games) else None
        self.cards = state.cards_in(number)
        turns: tuple[WrittenTurn, ...] = () if self.game is None else written_turns(sheet_of(state, number))
        self._by_box = {(turn.seat, turn.box): turn for turn in turns}

    def total(self, seat: int) -> int | None:
        """Return the total of a seat; None if it did not play, or before the game begins."""
        return self.cards[seat].total if self.game is not None and seat < len(self.game.players) else None

    def cell(self, seat: int, line: Facts, value: int | None) -> SheetCell:
        if self.game is None or value is None or seat >= len(self.game.players):
            return SheetCell(self.number)
        if line[0] == LineKind.EXTRA:
            return SheetCell(self.number, value, ticks=self.cards[seat].bonuses)
        turn = self._by_box.get((seat, line[3] or ""))
        if turn is None:
            return SheetCell(self.number, value)
        known = (turn.entered_dice, turn.rolls[-1].last, turn.entry.bonus, turn.entry.joker, turn.noted is not None)
        return SheetCell(self.number, value, 0, turn.number, *known)


def _player(state: TableState, seat: int, columns: list[_GameColumns]) -> PlayerSheet:
    sitting = state.seats[seat]
    cards = [column.cards[seat] for column in columns]
    totals = tuple(column.total(seat) for column in columns)
    won = tuple(seat in _winners(state, column.number) for column in columns)
    added = sum(totals[number] or 0 for number in state.counted) if state.match_total and state.games > 1 else None
    rows = (
        SheetRow(*line, tuple(column.cell(seat, line, held) for column, held in zip(columns, holds, strict=True)))
        for line, holds in zip(_lines(state.book), zip(*map(line_values, cards), strict=True), strict=True)
    )
    leads = state.game is not None and seat in state.match.winners
    looks = (sitting.name, sitting.color, sitting.token)
    return PlayerSheet(seat, *looks, tuple(rows), totals, won, added, leads, sitting.out)


def _winners(state: TableState, number: int) -> tuple[int, ...]:
    outcome = state.outcome_of(number)
    return () if outcome is None else outcome.winners
