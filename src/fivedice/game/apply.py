"""The one transition: a position and a move give the next position and what happened, together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fivedice.dice import Keep
from fivedice.game.card import Scorecard
from fivedice.game.legality import Entry
from fivedice.game.moves import Hold, Mark, Move, Throw
from fivedice.game.position import Position
from fivedice.game.step_events import BonusReached, Event, ExtraPaid, GameEnded, Held, Scored, Thrown, TurnPassed


@dataclass(frozen=True, slots=True)
class Step:
    """One move made."""

    before: Position
    move: Move
    after: Position
    events: tuple[Event, ...]


def apply(position: Position, move: Move) -> Step:
    """Make a move, or raise `IllegalMove` and change nothing."""
    position.check(move)
    if isinstance(move, Throw):
        return _throw(position, move)
    if isinstance(move, Hold):
        return _hold(position, move)
    return _mark(position, move, position.ruling().check(move.box))


def _throw(position: Position, move: Throw) -> Step:
    left = 0 if move.last else position.rolls_left - 1
    after = replace(position, dice=Keep(move.roll.faces), rolls_left=left)
    fell = move.roll.without(position.dice)
    return Step(position, move, after, (Thrown(position.seat, move.roll, fell, after.rolls_left),))


def _hold(position: Position, move: Hold) -> Step:
    after = replace(position, dice=move.keep)
    return Step(position, move, after, (Held(position.seat, move.keep),))


def _mark(position: Position, move: Mark, entry: Entry) -> Step:
    book, seat = position.book, position.seat
    box = book.box(move.box)
    card = position.card.write(book.index[box.key], entry.points, bonus=entry.bonus > 0)
    cards = (*position.cards[:seat], card, *position.cards[seat + 1 :])
    after = Position(cards, _next_seat(cards, seat), Keep(()), book.rolls)
    scored = Scored(seat, box.key, entry.points, entry.joker)
    return Step(position, move, after, (scored, *_consequences(position, after, entry)))


def _next_seat(cards: tuple[Scorecard, ...], seat: int) -> int:
    """Round the table, past cards that are full (studied positions need not be even)."""
    following = ((seat + step) % len(cards) for step in range(1, len(cards) + 1))
    return next((other for other in following if not cards[other].is_full), (seat + 1) % len(cards))


def _consequences(before: Position, after: Position, entry: Entry) -> Iterator[Event]:
    seat = before.seat
    if entry.bonus:
        yield ExtraPaid(seat, entry.bonus)
    earned = after.cards[seat].upper_bonus - before.card.upper_bonus
    if earned:
        yield BonusReached(seat, earned)
    outcome = after.outcome
    if outcome is None:
        yield TurnPassed(after.seat)
    else:
        yield GameEnded(outcome.totals, outcome.winners)
