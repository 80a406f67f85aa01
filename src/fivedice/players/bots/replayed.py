"""Replay the bots of a recorded game, to check that each chose as its level does without knowing the coming dice.

A record names its bots in the tag `Bots`, a list with one text per seat: a level and its play (`perfect/1`), `stand-in`
for a person for whom a bot made some moves, or an empty text for a person.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.core.game import Game, Hold, Mark, Step
from fivedice.core.notation.proof import per_player
from fivedice.errors import IllegalRecord, quote
from fivedice.message import Message, message
from fivedice.players.bots.levels import PLAYS, find_level
from fivedice.players.bots.players import Bot, Choice, LevelBot, player_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fivedice.core.rules import RuleBook
    from fivedice.players.bots.levels import Level

TAG = "Bots"
STAND_IN = "stand-in"
MOST_DECISIONS = 2000  # to replay; the largest game on a server has fewer


@dataclass(frozen=True, slots=True)
class ReplayedSeat:
    """A seat that a bot played: how many decisions were replayed, all as recorded, or why none was."""

    name: str
    decisions: int = 0
    unchecked: Message | None = None

    @property
    def about(self) -> Message:
        return self.unchecked or message("bots.replayed", name=self.name, count=self.decisions)


@dataclass(frozen=True, slots=True)
class _Seat:
    """The bots that may have played a seat: a large book was once played by par until it was solved."""

    name: str
    players: tuple[Bot, ...] = ()
    complete: bool = True  # whether `players` has all of them
    unchecked: Message | None = None


def bots_tag(seats: Sequence[str]) -> dict[str, str]:
    """Return the tag for these seats, or nothing where only people played."""
    return {TAG: json.dumps(list(seats), ensure_ascii=False)} if any(seats) else {}


def replay_bots(game: Game, *, patient: bool) -> tuple[ReplayedSeat, ...]:
    """Return the result for every seat that a bot played.

    With `patient`, wait some seconds for a book to be solved; otherwise only use what is available. Raises
    `IllegalRecord` for a decision that the bot of the seat would not have made.
    """
    written = per_player(game.tags[TAG], len(game.players), "bots.bad-tag") if TAG in game.tags else ()
    seats = {number: _seat(game, number, each, patient) for number, each in enumerate(written) if each}
    return tuple(_replay_seat(game, number, seat) for number, seat in seats.items())


def _seat(game: Game, number: int, written: str, patient: bool) -> _Seat:
    name, (level, _, play) = game.players[number], written.partition("/")
    if written == STAND_IN:
        return _Seat(name, unchecked=message("bots.stand-in", name=name))
    if level not in {each.name for each in PLAYS.get(play, ())}:
        return _Seat(name, unchecked=message("bots.other-play", name=name, written=quote(written)))
    players, complete = _players(find_level(level, play), game.book, patient)
    return _Seat(name, players, complete, None if players else _no_values(game, name))


def _players(level: Level, book: RuleBook, patient: bool) -> tuple[tuple[Bot, ...], bool]:
    """Return the bots that may have played a seat, and whether these are all."""
    if level.sight == "win":
        return _champions(level, book, patient), True
    if level.sight not in {"exact", "exact-or-par"}:
        return (player_of(level, book),), True
    from fivedice.solver.runtime.compile_watch import has_compiler
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, outlook

    slow = takes_long(book)
    exact = known(book) is not None or (patient and not slow and has_compiler())
    by_par = slow and level.sight == "exact-or-par"
    sights = ([outlook(book, "exact", patient=not slow)] if exact else []) + ([outlook(book, "par")] if by_par else [])
    return tuple(LevelBot(level, book, "", sight) for sight in sights), exact


def _champions(level: Level, book: RuleBook, patient: bool) -> tuple[Bot, ...]:
    """Return the champion, or nothing where its odds are not available; with `patient` they are prepared."""
    from fivedice.core.game import Scorecard
    from fivedice.solver.runtime.compile_watch import has_compiler
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, solve

    if book.save_rolls or not has_compiler():
        return ()
    solution = solve(book) if patient and not takes_long(book) else known(book)
    if solution is None or not (patient or not solution.is_preparable or solution.is_prepared(Scorecard.empty(book))):
        return ()
    return (player_of(level, book),)


def _no_values(game: Game, name: str) -> Message:
    return message("bots.no-values", name=name, rules=game.book)


def _replay_seat(game: Game, number: int, seat: _Seat) -> ReplayedSeat:
    if seat.unchecked is not None:
        return ReplayedSeat(seat.name, unchecked=seat.unchecked)
    decisions = [step for step in game.steps if step.before.seat == number and isinstance(step.move, Hold | Mark)]
    if len(decisions) * len(game.players) > MOST_DECISIONS:
        return ReplayedSeat(seat.name, unchecked=message("bots.too-many", name=seat.name))
    for step, right in _find_differences(decisions, seat.players):
        if not seat.complete:
            return ReplayedSeat(seat.name, unchecked=_no_values(game, seat.name))
        raise IllegalRecord(
            "bots.other-move",
            number=1 + step.before.card.filled.bit_count(),
            name=seat.name,
            written=_describe_move(game.book, step.move),
            right=_describe_move(game.book, right),
        )
    return ReplayedSeat(seat.name, len(decisions))


def _find_differences(decisions: list[Step], players: tuple[Bot, ...]) -> Iterator[tuple[Step, Choice]]:
    """Yield each decision that none of these players would have made, with the choice of the first of them."""
    for step in decisions:
        right = [player.choose(step.before) for player in players]
        if step.move not in right:
            yield step, right[0]


def _describe_move(book: RuleBook, move: object) -> Message:
    if isinstance(move, Mark):
        return message("bots.scores", box=book.box(move.box))
    keep = getattr(move, "keep", None)
    return message("bots.keeps", dice=keep) if keep else message("bots.keeps-none")
