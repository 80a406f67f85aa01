"""From what is wanted to the leaves of paper: who gets one, what stands side by side on it, and its rows.

The lines come from `game.card`, the few words next to each from `captions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import Path

from fivedice.errors import PaperError, quote
from fivedice.game import Game, LineKind, Scorecard, SheetLine, sheet_lines
from fivedice.message import Either, Message, message
from fivedice.paper.captions import describe_line, find_bonus, minimum_heading, tick_rule
from fivedice.paper.paper_model import (
    TEXTS,
    UPRIGHT_COLUMNS,
    Block,
    Cell,
    Head,
    Leaf,
    Paper,
    Row,
    SheetModel,
    checked_columns,
    checked_leaves,
    checked_sheets,
    most_columns,
)
from fivedice.rules import AlikePolicy, FaceSum, Layout, Order, RuleBook, Section, Summed, book as find_book
from fivedice.words import current, name_of, word


def foot(book: RuleBook) -> tuple[Message, ...]:
    """The line at the foot of the sheet."""
    order = {Order.SHEET: "paper.in-order", Order.UPPER_FIRST: "paper.upper-first"}.get(book.order)
    found = [_way_to_bonus(book), None if order is None else message(order, section=book.sheet.label("upper"))]
    return tuple(filter(None, found))


def _way_to_bonus(book: RuleBook) -> Message | None:
    if book.bonus is None:
        return None
    threshold, points = book.bonus.threshold, book.bonus.points
    each = _dice_of_each(book, threshold)
    if each is None:
        return message("paper.bonus-from", threshold=threshold, points=points)
    return message("paper.way-to-bonus", each=each, threshold=threshold, points=points)


def _dice_of_each(book: RuleBook, threshold: int) -> int | None:
    """How many dice of every face reach the bonus exactly, where such a number exists."""
    upper = [box for box in book.boxes if box.section is Section.UPPER]
    faces = [box.pattern.face for box in upper if isinstance(box.pattern, FaceSum) and box.points is Summed.MATCHING]
    if len(faces) < len(upper) or threshold % sum(faces):
        return None
    return threshold // sum(faces)


USUAL_SQUARES = 4  # further ticks are squeezed in, as the documents say


def blocks(cards: Sequence[Scorecard], *, match: bool, large: bool) -> tuple[Block, ...]:
    """The sections of a sheet with one column a card; `match` adds a line for the total of all columns.

    The grand total can be added from its page: large print repeats the total of the other page, as some cards do.
    Saved rolls stand below the first section: in large print it has a page of its own, with room for them.
    """
    rows = list(_rows(cards))
    if cards[0].book.sheet.upper_again or large:
        rows[-1:-1] = _upper_again(cards[0].book, rows)
    rows += [_match_row(cards)] if match else []
    starts = [place for place, row in enumerate(rows) if row.kind == LineKind.HEADING]
    ends = [*starts[1:], len(rows)]
    parts = [rows[start:end] for start, end in zip(starts, ends, strict=True)]
    if cards[0].book.save_rolls:
        parts[0].append(_saved_row(cards))
    return tuple(Block(tuple(part)) for part in parts)


def _rows(cards: Sequence[Scorecard]) -> Iterator[Row]:
    book = cards[0].book
    for lines in zip(*map(sheet_lines, cards), strict=True):
        line = lines[0]
        if line.kind is LineKind.EXTRA and book.alike is not None:
            yield _ticks_row(book.alike, name_of(line), cards)
        summed = _summed(book, line)
        cells = tuple(_cell(each, card, summed) for each, card in zip(lines, cards, strict=True))
        yield _row(book, line, () if line.kind is LineKind.HEADING else cells)


def _upper_again(book: RuleBook, rows: Sequence[Row]) -> Iterator[Row]:
    """The last line of the upper section, for a sheet with two sections; called as the card has it, or in our words."""
    starts = [place for place, row in enumerate(rows) if row.kind == LineKind.HEADING]
    if len(starts) > 1:
        total = rows[starts[1] - 1]
        section = book.sheet.label("upper")
        label = total.label if book.sheet.upper_again else word("paper.carried", section=section, total=total.label)
        yield replace(total, label=label, minimum="")


def _summed(book: RuleBook, line: SheetLine) -> int:
    """The mask of the boxes that decide a line."""
    if line.kind is LineKind.GRAND:
        return book.full
    if line.kind is LineKind.BONUS:
        return book.bonus_mask(find_bonus(book, line))
    own = book.upper if line.section is Section.UPPER else book.full & ~book.upper
    shown = [bonus for bonus in book.bonuses if book.bonus_section(bonus) is line.section]
    with_bonus = line.kind is LineKind.TOTAL and line.role != "upper_total"
    return reduce(or_, map(book.bonus_mask, shown), own) if with_bonus else own


def _cell(line: SheetLine, card: Scorecard, summed: int) -> Cell:
    """A sum stays blank until everything in it is known, so that a game can be finished by hand."""
    open_still = line.value is None or (line.kind is not LineKind.BOX and card.filled & summed != summed)
    return Cell() if open_still else Cell(str(line.value))


def _row(book: RuleBook, line: SheetLine, cells: tuple[Cell, ...]) -> Row:
    how, minimum = describe_line(book, line)
    face = None
    if line.box is not None:
        pattern = book.box(line.box).pattern
        face = pattern.face if isinstance(pattern, FaceSum) else None
    label = word("paper.tick-points") if line.kind is LineKind.EXTRA else name_of(line)
    return Row(str(line.kind), label, cells, how, minimum, face)


def _ticks_row(policy: AlikePolicy, label: str, cards: Sequence[Scorecard]) -> Row:
    usual = USUAL_SQUARES if policy.most is None else min(USUAL_SQUARES, policy.most)
    cells = tuple(Cell(squares=max(usual, card.bonuses), ticks=card.bonuses) for card in cards)
    return Row("ticks", label, cells, str(tick_rule(policy)))


def _saved_row(cards: Sequence[Scorecard]) -> Row:
    """A place for strokes; in a game that has begun, the number of rolls that are still saved."""
    cells = tuple(Cell(str(card.saved) if card.filled else "") for card in cards)
    return Row("saved", word("paper.saved-rolls"), cells, word("paper.saved-how"))


def _match_row(cards: Sequence[Scorecard]) -> Row:
    """One field below all columns."""
    known = all(card.is_full for card in cards)
    text = str(sum(card.total for card in cards)) if known else ""
    return Row("match", word("paper.all-games"), (Cell(text),))


DATE = "Date"  # the tag of a record that is printed
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
    """An empty pad, or the sheet of the games that were `played`.

    Empty: columns for so many games, or for so many players; with both, a leaf a player with columns for games;
    with neither, as the book has it. Filled: one game has a column a player, several have a leaf a player, with
    empty columns if there are to be more `games`. `date` is printed where the games have no common one.
    """
    rules = find_book(book)
    if played and players is not None:
        raise PaperError("paper.players-known")
    found = _filled(rules, played, games, large) if played else _empty(rules, games, players, large)
    dated = (replace(leaf, date=leaf.date or date) for leaf in found)
    leaves = tuple(dated if match_total else map(_without_match, dated))
    widest = max(len(leaf.heads) for leaf in leaves)
    return SheetModel(
        title=name_of(rules),
        hint=" ".join(map(str, foot(rules))),
        large=large,
        paper=_checked_paper(paper),
        landscape=large or widest > UPRIGHT_COLUMNS,
        has_minimum=rules.bonus is not None,
        leaves=leaves,
        texts={name: word(f"paper.{name}", book=rules) for name in TEXTS} | {"for-bonus": minimum_heading(rules)},
        language=current(),
    )


def _checked_paper(paper: Paper | str) -> Paper:
    if paper not in list(Paper):
        raise PaperError("paper.unknown-paper", papers=Either(tuple(map(str, Paper))), given=quote(paper))
    return Paper(paper)


def _without_match(leaf: Leaf) -> Leaf:
    kept = (Block(tuple(row for row in block.rows if row.kind != "match")) for block in leaf.blocks)
    return replace(leaf, blocks=tuple(kept))


def _empty(book: RuleBook, games: int | None, players: int | None, large: bool) -> Iterator[Leaf]:
    if games is None and players is None:
        usual = min(book.sheet.columns, most_columns(large=large))
        games, players = (usual, None) if book.sheet.layout is Layout.GAMES else (None, usual)
    if games is None and players is not None:
        columns = checked_columns(players, "players", large=large)
        yield _empty_leaf(book, None, (Head(),) * columns, large)
    elif games is not None:
        columns = checked_columns(games, "games", large=large)
        heads = tuple(Head(_game(number)) for number in range(1, columns + 1))
        for _ in range(1 if players is None else checked_sheets(players)):
            yield _empty_leaf(book, "", heads, large)


def _empty_leaf(book: RuleBook, name: str | None, heads: tuple[Head, ...], large: bool) -> Leaf:
    cards = [Scorecard.empty(book)] * len(heads)
    return Leaf(name, "", heads, blocks(cards, match=name is not None and len(heads) > 1, large=large))


def _filled(book: RuleBook, played: Sequence[Game], games: int | None, large: bool) -> Iterator[Leaf]:
    for number, game in enumerate(played, start=1):
        _check_book(game, book, number)
    planned = len(played) if games is None else checked_columns(games, "games", large=large)
    if planned < len(played):
        raise PaperError("paper.too-few-columns", count=len(played))
    yield from _one_game(played[0], large) if planned == 1 else _match(played, planned, large)


def _check_book(game: Game, book: RuleBook, number: int) -> None:
    if game.book.fingerprint != book.fingerprint:
        raise PaperError("paper.other-rules", number=number, other=game.book, book=book)


def _one_game(game: Game, large: bool) -> Iterator[Leaf]:
    """A column a player."""
    seats = [
        (Head(_cut(name, LONGEST_HEAD), _note(game, seat)), card) for seat, (name, card) in enumerate(_seats(game))
    ]
    for part in _portions(seats, large):
        heads, cards = zip(*part, strict=True)
        yield Leaf(None, _common_date([game]), heads, blocks(cards, match=False, large=large))


def _match(played: Sequence[Game], planned: int, large: bool) -> Iterator[Leaf]:
    """A leaf a player, a column a game; a player is known by name, and by place among those of the same name."""
    columns: dict[tuple[str, int], list[tuple[Head, Scorecard]]] = {}
    for number, game in enumerate(played, start=1):
        for seat, (name, card) in enumerate(_seats(game)):
            who = name, game.players[:seat].count(name)
            columns.setdefault(who, []).append((Head(_game(number), _note(game, seat)), card))
    checked_leaves(sum(len(_portions(column, large)) for column in columns.values()))
    to_come = [(Head(_game(number)), Scorecard.empty(played[0].book)) for number in range(len(played) + 1, planned + 1)]
    date = _common_date(played)
    for (name, _), column in columns.items():
        parts = _portions(column + to_come, large)
        for part in parts:
            heads, cards = zip(*part, strict=True)
            yield Leaf(name, date, heads, blocks(cards, match=len(parts) == 1 and len(cards) > 1, large=large))


def _seats(game: Game) -> list[tuple[str, Scorecard]]:
    return list(zip(game.players, game.position.cards, strict=True))


def _note(game: Game, seat: int) -> str:
    """Winning is something between several players."""
    if game.outcome is None or len(game.players) == 1 or seat not in game.outcome.winners:
        return ""
    return word("paper.shared-win" if game.outcome.is_tie else "paper.winner")


def _game(number: int) -> str:
    return word("paper.game", number=number)


def _common_date(played: Sequence[Game]) -> str:
    dates = {game.tags.get(DATE, "") for game in played}
    return _cut(dates.pop(), LONGEST_DATE) if len(dates) == 1 else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _portions(columns: Sequence[tuple[Head, Scorecard]], large: bool) -> list[Sequence[tuple[Head, Scorecard]]]:
    """As many leaves as are needed, each about as full as the others."""
    most = most_columns(large=large)
    count = -(-len(columns) // most)
    size = -(-len(columns) // count)
    return [columns[start : start + size] for start in range(0, len(columns), size)]
