"""What fits on paper and can still be read and written in. Refusals name the limit."""

from __future__ import annotations

from typing import Literal

from fivedice.errors import PaperError, quote

# A column needs 13 mm for three digits by hand, and 20 mm in large print; the words beside them need the rest.
UPRIGHT_COLUMNS = 6  # more are laid on paper that is turned sideways
MOST_COLUMNS = 12
MOST_COLUMNS_LARGE = 6
MOST_SHEETS = 12  # players with a sheet each
MOST_LEAVES = 24  # in one print, so that it never takes long: a leaf is set in a few tenths of a second


def most_columns(*, large: bool) -> int:
    return MOST_COLUMNS_LARGE if large else MOST_COLUMNS


def checked_columns(count: int, things: Literal["games", "players"], *, large: bool) -> int:
    """A number of columns that somebody asked for, refused if they would be too narrow."""
    return _checked(count, f"paper.columns-{things}{'-large' if large else ''}", most_columns(large=large))


def checked_sheets(count: int) -> int:
    return _checked(count, "paper.sheets", MOST_SHEETS)


def checked_leaves(count: int) -> int:
    """Filled sheets take as many leaves as they need, within reason."""
    if count > MOST_LEAVES:
        raise PaperError("paper.pages", count=count, most=MOST_LEAVES)
    return count


def _checked(count: int, refusal: str, most: int) -> int:
    if type(count) is not int or not 1 <= count <= most:
        raise PaperError(refusal, most=most, count=quote(count))
    return count
