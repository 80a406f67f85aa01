"""A match as a table in text and HTML."""

from __future__ import annotations

from math import isfinite

from fivedice.drawing.svg import html_table
from fivedice.message import message
from fivedice.players.matches.match_result import Estimate, Match, PlayerResult, clamp_share
from fivedice.text import group_digits, say, word

_COLUMNS = ("player", "wins", "draws", "losses", "share", "points")
_ADJUSTED = ("adjusted-share", "adjusted-points")


def columns(played: Match) -> list[str]:
    """Return the column heads."""
    kinds = (*_COLUMNS, *_ADJUSTED) if played.luck is not None else _COLUMNS
    return [word(f"bots.match-column.{kind}") for kind in kinds]


def row(player: PlayerResult) -> list[str]:
    """Return the cells of one player."""
    counts = [player.name, str(player.wins), str(player.draws), str(player.losses)]
    cells = [_share(player.share), _points(player.points)]
    if player.adjusted_share is not None and player.adjusted_points is not None:
        cells += [_share(player.adjusted_share), _points(player.adjusted_points)]
    return counts + cells


def notes(played: Match) -> list[str]:
    """Return the notes below the table."""
    said = [word("bots.match-intervals")]
    if played.luck is None:
        return [*said, word("bots.match-not-adjusted", rules=played.book)]
    shares = [each.adjusted_share for each in played.players if each.adjusted_share is not None]
    if any(min(each.low, each.value) < 0 or max(each.high, each.value) > 1 for each in shares):
        said.append(word("bots.match-bounded"))
    for each in played.players:
        said += _worth("share", each.name, each.share_worth) + _worth("points", each.name, each.points_worth)
    return said


def _worth(what: str, name: str, times: float | None) -> list[str]:
    """Say how much more a game tells without luck; return nothing for a single deal."""
    if times is None:
        return []
    if not isfinite(times):
        return [word(f"bots.match-{what}-exact", name=name)]
    shown = f"{times:.1f}" if times < 100 else group_digits(round(times))
    return [word(f"bots.match-{what}-worth", name=name, times=shown)]


def title(played: Match) -> str:
    return say(message("bots.match-title", rules=played.book, count=played.games, seed=played.seed))


def match_text(played: Match) -> str:
    """Return the whole table in aligned columns."""
    rows = [columns(played), *map(row, played.players)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows]
    return "\n".join([title(played), *lines, *notes(played)])


def match_html(played: Match) -> str:
    """Return the whole table for a notebook."""
    return html_table(columns(played), list(map(row, played.players)), title(played), notes(played))


def _share(found: Estimate) -> str:
    return _between(*(f"{clamp_share(each):.1%}" for each in (found.value, found.low, found.high)))


def _points(found: Estimate) -> str:
    return _between(*(f"{each:.1f}" for each in (found.value, found.low, found.high)))


def _between(value: str, low: str, high: str) -> str:
    return value if "nan" in low else word("bots.match-between", value=value, low=low, high=high)
