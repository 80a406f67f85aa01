"""The best few things to do, in a line each."""

from __future__ import annotations

from collections.abc import Iterator

from fivedice.errors import FivediceError
from fivedice.tui.session import Session

SHOWN = 5


def hints(session: Session) -> Iterator[str]:
    """Best first, with what each costs against the best. Solves the book if that has not been done yet."""
    from fivedice.solver import solve  # numpy and perhaps numba: only those who ask wait for them

    if not session.state.coach:
        raise FivediceError("this game is played without a coach")
    position = session.game.position
    if position.roll is None:
        raise FivediceError("roll first: there is nothing to choose yet")
    advice = solve(position.book).advise(position.card, position.roll, position.rolls_left)
    for option in advice[:SHOWN]:
        what = f"keep {option.keep}" if option.keep is not None else f"score {position.book.box(option.box or '').name}"
        yield f"{what}: {option.value:.2f}" + ("" if option.best else f" (costs {option.loss:.2f})")
