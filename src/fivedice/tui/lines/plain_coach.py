"""The coach line by line."""

from __future__ import annotations

from collections.abc import Callable

from fivedice.coaching.training import limit_of
from fivedice.dice import Keep
from fivedice.tui.hint_lines import expectations, hints
from fivedice.tui.session import Session
from fivedice.tui.training_choice import Training
from fivedice.words import word


class PlainCoach:
    """Says the best choices, what everyone may expect, and, in training, what speaks against a move."""

    def __init__(self, session: Session, say: Callable[[str], None], training: int) -> None:
        self._session = session
        self._say = say
        self._training = Training(training)

    def do_hint(self, _: str) -> None:
        for line in hints(self._session):
            self._say(" ".join(line.split()))

    def do_odds(self, _: str) -> None:
        for line in expectations(self._session):
            self._say(line)

    def do_training(self, limit: str) -> None:
        self._training.limit = limit_of(limit) if limit else self._training.limit
        self._say(self._training.words())

    def _cautioned(self, move: Keep | str) -> bool:
        """Whether the coach has just spoken up; the same once more is meant."""
        said = self._training.caution(self._session.state, move, patient=True)
        if said:
            self._say(word("terminal.anyway-again", caution=said))
        return bool(said)
