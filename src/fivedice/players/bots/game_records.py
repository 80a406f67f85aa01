"""Records of the games that bots play in matches and simulations, written while they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from fivedice.core.dice import real
from fivedice.core.game import Game
from fivedice.core.game.position import Move
from fivedice.core.notation import write_game
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError, quote

Records: TypeAlias = "str | Path | list[str] | Callable[[str], object] | None"


@contextmanager
def recorder(records: Records) -> Iterator[Callable[[str], object]]:
    """Yield a function that takes one record after the other, for a file to write, a list, or a function.

    Raises `IllegalError` for anything else.
    """
    if isinstance(records, str | Path):
        with Path(records).open("w", encoding="utf-8") as file:
            yield lambda text: file.write(f"{text}\n")
    elif isinstance(records, list):
        yield records.append
    elif records is None or callable(records):
        yield records or str
    else:
        raise IllegalError("bots.no-records", given=quote(records))


def record_of(book: RuleBook, names: Sequence[str], moves: Iterable[Move]) -> str:
    """Return the record of a game in which the first seat began."""
    game = Game.new(book, names, dice=real(), first=0)
    for move in moves:
        game.play(move)
    return write_game(game)
