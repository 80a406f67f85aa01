"""From a request to the pages of a score pad: who gets a page, the columns on it, and its rows.

The lines come from `game.card`, the short texts next to them from `captions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import Path

from fivedice.core.game import Game, LineKind, Scorecard, SheetLine, sheet_lines
from fivedice.core.rules import FaceSum, Layout, Order, RuleBook, Section, Summed, book as find_book
from fivedice.drawing.paper.paper_model import (
    TEXTS,
    UPRIGHT_COLUMNS,
    Block,
    Cell,
    Head,
    Leaf,
    Paper,
    Row,
    SheetModel,
    check_columns,
    check_leaves,
    check_sheets,
    describe_line,
    find_bonus,
    minimum_heading,
    most_columns,
    tick_rule,
)
from fivedice.drawing.theme import pip_inks
from fivedice.errors import PaperError, quote
from fivedice.message import Either, Message, message
from fivedice.text import current, name_of, word


def foot(book: RuleBook) -> tuple[Message, ...]:
    """Return the lines at the foot of the sheet."""
    order = {Order.SHEET: "paper.in-order", Order.UPPER_FIRST: "paper.upper-first"}.get(book.order)
    found = [_describe_way_to_bonus(book), None if order is None else message(order, section=book.sheet.label("upper"))]
    return tuple(filter(None, found))


def _describe_way_to_bonus(book: RuleBook) -> Message | None:
    if book.bonus is None:
        return None
    threshold, points = book.bonus.threshold, book.bonus.points
    each = _dice_of_each(book, threshold)
    if each is None:
        return message("paper.bonus-from", threshold=threshold, points=points)
    return message("paper.way-to-bonus", each=each, threshold=threshold, points=points)


def _dice_of_each(book: RuleBook, threshold: int) -> int | None:
    """Return how many dice of every face reach the bonus exactly, or None if no number does."""
    upper = [box for box in book.boxes if box.section is Section.UPPER]
    faces = [box.pattern.face for box in upper if isinstance(box.pattern, FaceSum) and box.points is Summed.MATCHING]
    if len(faces) < len(upper) or threshold % sum(faces):
        return None
    return threshold // sum(faces)


USUAL_SQUARES = 4  # players squeeze further ticks in, as the rules say


def blocks(cards: Sequence[Scorecard], *, match: bool, large: bool) -> tuple[Block, ...]:
    """Return the sections of a sheet with one column per card; `match` adds a line for the total of all columns.

    Large print has a page per section, so it repeats the total of the first page, as some cards do. Saved rolls are
    below the first section, which has room for them.
    """
    rows = list(_make_rows(cards))
    if cards[0].book.sheet.upper_again or large:
        rows[-1:-1] = _repeat_upper(cards[0].book, rows)
    if match:  # one field below all columns
        known = all(card.is_full for card in cards)
        text = str(sum(card.total for card in cards)) if known else ""
        rows.append(Row("match", word("paper.all-games"), (Cell(text),)))
    starts = [place for place, row in enumerate(rows) if row.kind == LineKind.HEADING]
    ends = [*starts[1:], len(rows)]
    parts = [rows[start:end] for start, end in zip(starts, ends, strict=True)]
    if cards[0].book.save_rolls:
        # For strokes; in a game that has begun, the number of saved rolls.
        cells = tuple(Cell(str(card.saved) if card.filled else "") for card in cards)
        parts[0].append(Row("saved", word("paper.saved-rolls"), cells, word("paper.saved-how")))
    return tuple(Block(tuple(part)) for part in parts)


def _make_rows(cards: Sequence[Scorecard]) -> Iterator[Row]:
    book = cards[0].book
    for lines in zip(*map(sheet_lines, cards), strict=True):
        line = lines[0]
        if line.kind is LineKind.EXTRA and book.alike is not None:
            most = book.alike.most
            usual = USUAL_SQUARES if most is None else min(USUAL_SQUARES, most)
            ticks = tuple(Cell(squares=max(usual, card.bonuses), ticks=card.bonuses) for card in cards)
            yield Row("ticks", name_of(line), ticks, str(tick_rule(book.alike)))
        summed = _find_summed(book, line)
        cells = tuple(_make_cell(each, card, summed) for each, card in zip(lines, cards, strict=True))
        yield _make_row(book, line, () if line.kind is LineKind.HEADING else cells)


def _repeat_upper(book: RuleBook, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the last line of the upper section again, if the sheet has two sections."""
    starts = [place for place, row in enumerate(rows) if row.kind == LineKind.HEADING]
    if len(starts) > 1:
        total = rows[starts[1] - 1]
        section = book.sheet.label("upper")
        label = total.label if book.sheet.upper_again else word("paper.carried", section=section, total=total.label)
        yield replace(total, label=label, minimum="")


def _find_summed(book: RuleBook, line: SheetLine) -> int:
    """Return the mask of the boxes that determine a line."""
    if line.kind is LineKind.GRAND:
        return book.full
    if line.kind is LineKind.BONUS:
        return book.bonus_mask(find_bonus(book, line))
    own = book.upper if line.section is Section.UPPER else book.full & ~book.upper
    shown = [bonus for bonus in book.bonuses if book.bonus_section(bonus) is line.section]
    with_bonus = line.kind is LineKind.TOTAL and line.role != "upper_total"
    return reduce(or_, map(book.bonus_mask, shown), own) if with_bonus else own


def _make_cell(line: SheetLine, card: Scorecard, summed: int) -> Cell:
    """Return the cell of a line.

    A sum stays blank until all its boxes are filled, so that a game can be finished by hand.
    """
    open_still = line.value is None or (line.kind is not LineKind.BOX and card.filled & summed != summed)
    return Cell() if open_still else Cell(str(line.value))


def _make_row(book: RuleBook, line: SheetLine, cells: tuple[Cell, ...]) -> Row:
    how, minimum = describe_line(book, line)
    face = None
    if line.box is not None:
        pattern = book.box(line.box).pattern
        face = pattern.face if isinstance(pattern, FaceSum) else None
    label = word("paper.tick-points") if line.kind is LineKind.EXTRA else name_of(line)
    return Row(str(line.kind), label, cells, how, minimum, face)


DATE = "Date"  # the tag of a record for the printed date
LONGEST_HEAD = 24  # letters of a name at the head of a column
LONGEST_DATE = 20


def sheet_model(
    book: str | Path | RuleBook,
    *,
    games: int | None = None,
    players: int | None = None,
    played: Sequence[Game] = (),
    large: bool = False,
    paper: Paper | str = Paper.A4,
    match_total: bool = True,
    date: str = "",
) -> SheetModel:
    """Return the model of an empty pad, or of the sheet of the games that were `played`.

    `book` is a key, a path or a `RuleBook`. An empty pad has columns for `games` or for `players`; with both, it has a
    page per player with columns for games; with neither, it follows the rules. With `played`, one game has a column per
    player, and several have a page per player, with empty columns up to `games`. `large` is large print. `paper` is
    "a4" or "letter". `match_total` adds a line for the total of all games. `date` is printed if the games have no
    common date.

    Raise PaperError for too many columns, for games by other rules, or for unknown paper.

    >>> from fivedice.drawing.paper import sheet_model
    >>> len(sheet_model("yatzy", players=4).leaves[0].heads)
    4
    """
    rules = find_book(book)
    if played and players is not None:
        raise PaperError("paper.players-known")
    found = _make_filled(rules, played, games, large) if played else _make_empty(rules, games, players, large)
    dated = (replace(leaf, date=leaf.date or date) for leaf in found)
    leaves = tuple(dated if match_total else map(_remove_match_row, dated))
    widest = max(len(leaf.heads) for leaf in leaves)
    if paper not in list(Paper):
        raise PaperError("paper.unknown-paper", papers=Either(tuple(map(str, Paper))), given=quote(paper))
    return SheetModel(
        title=name_of(rules),
        hint=" ".join(map(str, foot(rules))),
        large=large,
        paper=Paper(paper),
        landscape=large or widest > UPRIGHT_COLUMNS,
        has_minimum=rules.bonus is not None,
        leaves=leaves,
        inks=pip_inks(rules),
        texts={name: word(f"paper.{name}", book=rules) for name in TEXTS} | {"for-bonus": minimum_heading(rules)},
        language=current(),
    )


def _remove_match_row(leaf: Leaf) -> Leaf:
    kept = (Block(tuple(row for row in block.rows if row.kind != "match")) for block in leaf.blocks)
    return replace(leaf, blocks=tuple(kept))


def _make_empty(book: RuleBook, games: int | None, players: int | None, large: bool) -> Iterator[Leaf]:
    if games is None and players is None:
        usual = min(book.sheet.columns, most_columns(large=large))
        games, players = (usual, None) if book.sheet.layout is Layout.GAMES else (None, usual)
    if games is None and players is not None:
        columns = check_columns(players, "players", large=large)
        yield _make_empty_leaf(book, None, (Head(),) * columns, large)
    elif games is not None:
        columns = check_columns(games, "games", large=large)
        heads = tuple(Head(_game_label(number)) for number in range(1, columns + 1))
        for _ in range(1 if players is None else check_sheets(players)):
            yield _make_empty_leaf(book, "", heads, large)


def _make_empty_leaf(book: RuleBook, name: str | None, heads: tuple[Head, ...], large: bool) -> Leaf:
    cards = [Scorecard.empty(book)] * len(heads)
    return Leaf(name, "", heads, blocks(cards, match=name is not None and len(heads) > 1, large=large))


def _make_filled(book: RuleBook, played: Sequence[Game], games: int | None, large: bool) -> Iterator[Leaf]:
    for number, game in enumerate(played, start=1):
        if game.book.fingerprint != book.fingerprint:
            raise PaperError("paper.other-rules", number=number, other=game.book, book=book)
    planned = len(played) if games is None else check_columns(games, "games", large=large)
    if planned < len(played):
        raise PaperError("paper.too-few-columns", count=len(played))
    yield from _make_game_leaves(played[0], large) if planned == 1 else _make_match_leaves(played, planned, large)


def _make_game_leaves(game: Game, large: bool) -> Iterator[Leaf]:
    """Yield pages with a column per player."""
    seats = [
        (Head(_cut(name, LONGEST_HEAD), _winner_note(game, seat)), card)
        for seat, (name, card) in enumerate(_list_seats(game))
    ]
    for part in _divide(seats, large):
        heads, cards = zip(*part, strict=True)
        yield Leaf(None, _common_date([game]), heads, blocks(cards, match=False, large=large))


def _make_match_leaves(played: Sequence[Game], planned: int, large: bool) -> Iterator[Leaf]:
    """Yield a page per player with a column per game. Players are matched by name, and namesakes by their order."""
    columns: dict[tuple[str, int], list[tuple[Head, Scorecard]]] = {}
    for number, game in enumerate(played, start=1):
        for seat, (name, card) in enumerate(_list_seats(game)):
            who = name, game.players[:seat].count(name)
            columns.setdefault(who, []).append((Head(_game_label(number), _winner_note(game, seat)), card))
    check_leaves(sum(len(_divide(column, large)) for column in columns.values()))
    numbers = range(len(played) + 1, planned + 1)
    to_come = [(Head(_game_label(number)), Scorecard.empty(played[0].book)) for number in numbers]
    date = _common_date(played)
    for (name, _), column in columns.items():
        parts = _divide(column + to_come, large)
        for part in parts:
            heads, cards = zip(*part, strict=True)
            yield Leaf(name, date, heads, blocks(cards, match=len(parts) == 1 and len(cards) > 1, large=large))


def _list_seats(game: Game) -> list[tuple[str, Scorecard]]:
    return list(zip(game.players, game.position.cards, strict=True))


def _winner_note(game: Game, seat: int) -> str:
    """Return "winner" or the like, if there are several players and this one has won."""
    if game.outcome is None or len(game.players) == 1 or seat not in game.outcome.winners:
        return ""
    return word("paper.shared-win" if game.outcome.is_tie else "paper.winner")


def _game_label(number: int) -> str:
    return word("paper.game", number=number)


def _common_date(played: Sequence[Game]) -> str:
    dates = {game.tags.get(DATE, "") for game in played}
    return _cut(dates.pop(), LONGEST_DATE) if len(dates) == 1 else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _divide(columns: Sequence[tuple[Head, Scorecard]], large: bool) -> list[Sequence[tuple[Head, Scorecard]]]:
    """Divide columns among as many pages as needed, about equally."""
    most = most_columns(large=large)
    count = -(-len(columns) // most)
    size = -(-len(columns) // count)
    return [columns[start : start + size] for start in range(0, len(columns), size)]
