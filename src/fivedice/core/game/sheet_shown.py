"""Score sheets for people: as text for `print`, and as a picture for a notebook, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from fivedice.core.game.card import LineKind, Scorecard, layout, line_values
from fivedice.core.game.position import Position
from fivedice.core.rules import RuleBook
from fivedice.drawing import svg as draw
from fivedice.drawing.theme import PRINT, pip_inks
from fivedice.message import Message, message

_SUMS = {LineKind.TOTAL, LineKind.GRAND}
_ROW, _DIE, _EDGE = 22, 36, 8
_LABEL, _COLUMN = 180, 64
_LONGEST = 60  # letters of a name in a column of text


def sheet_text(cards: Sequence[Scorecard], players: Sequence[str]) -> str:
    """Return the sheet as text with a column per player; open boxes are empty."""
    names = line_names(cards[0].book)
    columns = [[_format_value(value) for value in line_values(card)] for card in cards]
    kinds = [kind for kind, _, _ in layout(cards[0].book)]
    wide = max(map(len, names)) + 2
    heads = [draw.shorten(player, _LONGEST) for player in players]
    widths = [max(5, len(head), *map(len, column)) for head, column in zip(heads, columns, strict=True)]
    lines = [_format_line(_say("game.rules-name", rules=cards[0].book), heads, wide, widths)]
    for place, (kind, name) in enumerate(zip(kinds, names, strict=True)):
        lead = "" if kind in _SUMS | {LineKind.HEADING} else "  "
        lines.append(_format_line(lead + name, [column[place] for column in columns], wide, widths))
    return "\n".join(lines)


def _format_line(name: str, cells: Sequence[str], wide: int, widths: Sequence[int]) -> str:
    values = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{name:<{wide}}{values}".rstrip()


def line_names(book: RuleBook) -> list[str]:
    """Return the name of each line of the sheet."""
    named = (
        book.boxes[book.index[role]] if kind is LineKind.BOX else book.labels[role] for kind, _, role in layout(book)
    )
    return [_say("game.line-name", line=each) for each in named]


def position_text(position: Position, players: Sequence[str]) -> str:
    """Return the sheet as text, and below it whose turn it is with which dice, or how the game ended."""
    return f"{sheet_text(position.cards, players)}\n\n{describe_state(position, players)}"


def describe_state(position: Position, players: Sequence[str]) -> Message:
    """Return one sentence about the state of a game."""
    outcome = position.outcome
    if outcome is not None:
        best, winners = max(outcome.totals), tuple(players[seat] for seat in outcome.winners)
        if len(players) == 1:
            return message("game.shown-total", total=best)
        return message("game.shown-winners", players=winners, total=best, count=len(winners))
    player, dice, left = players[position.seat], position.dice, position.rolls_left
    if not dice.faces:
        return message("game.shown-turn", player=player, left=left)
    kind = "game.shown-kept" if position.in_cup else "game.shown-rolled"
    return message(kind, player=player, dice=dice, left=left)


def seat_names(position: Position) -> tuple[str, ...]:
    """Return "Player 1" and so on for a position, which has no names."""
    return tuple(_say("game.player-number", number=seat + 1) for seat in range(len(position.cards)))


def card_svg(card: Scorecard) -> str:
    """Return one column as a picture."""
    width, height, parts = _draw_sheet([card], [""], None)
    body = draw.draw_rounded(0, 0, width, height, 8, draw.GROUND) + parts
    return draw.picture(width, height, _say("game.rules-name", rules=card.book), body)


def position_svg(position: Position, players: Sequence[str]) -> str:
    """Return the sheet as a picture, with the player on turn highlighted and the dice below."""
    seat = None if position.is_over else position.seat
    width, height, body = _draw_sheet(position.cards, players, seat)
    sentence = str(describe_state(position, players))
    dice = position.book.dice
    wide = max(width, draw.row_width(_DIE, dice) + 2 * _EDGE)
    body += draw.fit_text(_EDGE, height + 14, sentence, wide - 2 * _EDGE, 15)
    if not position.is_over:
        body += draw.dice_row(_EDGE, height + 26, _DIE, position.dice.faces, dice, pip_inks(position.book))
        height += _DIE + 8
    ground = draw.draw_rounded(0, 0, wide, height + 30, 8, draw.GROUND)
    return draw.picture(wide, height + 30, sentence, ground + body)


def _draw_sheet(cards: Sequence[Scorecard], players: Sequence[str], seat: int | None) -> tuple[float, float, str]:
    """Return the width, height and parts of a sheet."""
    kinds, names = [kind for kind, _, _ in layout(cards[0].book)], line_names(cards[0].book)
    width, top = _LABEL + _COLUMN * len(cards) + 2 * _EDGE, _ROW + 12
    height = top + _ROW * len(names) + _EDGE
    body: list[str] = []
    if seat is not None and len(cards) > 1:
        body.append(draw.draw_rounded(_column_x(seat), 4, _COLUMN, height - 8, 4, draw.BAND))
    head = _say("game.rules-name", rules=cards[0].book)
    body.append(draw.fit_text(_EDGE, 24, head, _LABEL - 8, 17, colour=PRINT["accent"]))
    for place, player in enumerate(players):
        body.append(draw.fit_text(_column_x(place) + 4, 24, draw.shorten(player, 10), _COLUMN - 8, 14))
    values = [line_values(card) for card in cards]
    for row, (kind, name) in enumerate(zip(kinds, names, strict=True)):
        body += _draw_row(top + row * _ROW, width, kind, name, [column[row] for column in values])
    return width, height, "".join(body)


def _draw_row(y: float, width: float, kind: LineKind, name: str, values: Sequence[int | None]) -> list[str]:
    base, strong = y + 16, kind in _SUMS
    if kind is LineKind.HEADING:
        return [draw.fit_text(_EDGE, base, name, _LABEL - 8, 13, colour=draw.FAINT)]
    parts = [draw.rect(_EDGE / 2, y, width - _EDGE, _ROW, "sum", PRINT["band"])] if strong else []
    parts += [draw.line(_EDGE, y, width - _EDGE, y), draw.fit_text(_EDGE, base, name, _LABEL - 12, 14)]
    for place, value in enumerate(values):
        colour = draw.FAINT if not value and not strong else draw.INK
        x, text = _column_x(place) + _COLUMN - 10, _format_value(value)
        parts.append(draw.words(x, base, text, "end", colour=colour, size=14))
    return parts


def _column_x(place: int) -> float:
    return _EDGE + _LABEL + _COLUMN * place


def _format_value(value: int | None) -> str:
    return "" if value is None else str(value)


def _say(kind: str, **args: object) -> str:
    return str(message(kind, **args))
