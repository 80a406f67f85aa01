"""From what is wanted to the leaves of paper: who gets one, and what stands side by side on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fivedice.errors import PaperError, quote
from fivedice.game import Game, Scorecard
from fivedice.message import Either
from fivedice.paper.paper_model import (
    TEXTS,
    UPRIGHT_COLUMNS,
    Block,
    Head,
    Leaf,
    Paper,
    SheetModel,
    checked_columns,
    checked_leaves,
    checked_sheets,
    most_columns,
)
from fivedice.paper.paper_rows import blocks, foot
from fivedice.rules import Layout, RuleBook, book as find_book
from fivedice.words import current, name_of, word

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
) -> SheetModel:
    """An empty pad, or the sheet of the games that were `played`.

    Empty: columns for so many games, or for so many players; with both, a leaf a player with columns for games;
    with neither, as the book has it. Filled: one game has a column a player, several have a leaf a player, with
    empty columns if there are to be more `games`.
    """
    rules = find_book(book)
    if played and players is not None:
        raise PaperError("paper.players-known")
    found = _filled(rules, played, games, large) if played else _empty(rules, games, players, large)
    leaves = tuple(found if match_total else map(_without_match, found))
    widest = max(len(leaf.heads) for leaf in leaves)
    return SheetModel(
        title=name_of(rules),
        hint=" ".join(map(str, foot(rules))),
        large=large,
        paper=_checked_paper(paper),
        landscape=large or widest > UPRIGHT_COLUMNS,
        has_minimum=rules.bonus is not None,
        leaves=leaves,
        texts={name: word(f"paper.{name}", book=rules) for name in TEXTS},
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
        yield _empty_leaf(book, None, (Head(),) * columns)
    elif games is not None:
        columns = checked_columns(games, "games", large=large)
        heads = tuple(Head(_game(number)) for number in range(1, columns + 1))
        for _ in range(1 if players is None else checked_sheets(players)):
            yield _empty_leaf(book, "", heads)


def _empty_leaf(book: RuleBook, name: str | None, heads: tuple[Head, ...]) -> Leaf:
    cards = [Scorecard.empty(book)] * len(heads)
    return Leaf(name, "", heads, blocks(cards, match=name is not None and len(heads) > 1))


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
        yield Leaf(None, _common_date([game]), heads, blocks(cards, match=False))


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
            yield Leaf(name, date, heads, blocks(cards, match=len(parts) == 1 and len(cards) > 1))


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
