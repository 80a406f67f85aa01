"""What the correction page shows of a turn: as it stands, as it should have been, and what must change along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.dice import Roll
from fivedice.errors import FivediceError
from fivedice.game import Mark, Scorecard, judge
from fivedice.table import commands as cmd
from fivedice.table.decide.corrections import Problem
from fivedice.table.decide.rewrite import WrittenTurn, sheet_of, written
from fivedice.table.state import TableState
from fivedice.web.http.forms import faces
from fivedice.web.http.handling import NotFound
from fivedice.words import name_of, word


@dataclass(frozen=True, slots=True)
class Wanted:
    """One turn as it should have been: what the form says, before anybody has judged it."""

    game: int
    turn: int
    dice: str | None = None
    box: str | None = None

    def change(self) -> cmd.Change:
        return cmd.Change(self.game, self.turn, None if self.dice is None else faces(self.dice), self.box)


def standing_turn(state: TableState, game: int, turn: int) -> WrittenTurn:
    turns = written(sheet_of(state, game)) if state.game is not None and 0 <= game <= state.game_number else ()
    if not 0 <= turn < len(turns):
        raise NotFound("web.turn-not-scored")
    return turns[turn]


def boxes_then(state: TableState, game: int, stands: WrittenTurn, dice: str) -> list[tuple[str, str, int | None]]:
    """Every box of the book with what the dice were worth there then; None where the rules did not let them in."""
    card = _card_before(state, game, stands)
    try:
        legal = judge(card, Roll(faces(dice))).legal
    except FivediceError:  # dice that make no sense are told by the check; the boxes are named all the same
        legal = {}
    return [(box.key, name_of(box), legal[box.key].points if box.key in legal else None) for box in state.book.boxes]


def _card_before(state: TableState, game: int, stands: WrittenTurn) -> Scorecard:
    """The card of the player when that turn was written."""
    marks = [step for step in sheet_of(state, game).game.steps if isinstance(step.move, Mark)]
    return marks[stands.number].before.cards[stands.seat]


@dataclass(frozen=True, slots=True)
class Other:
    """A later turn that must change along, or is being changed."""

    game: int
    turn: int
    label: str
    sentence: str | None
    boxes: tuple[tuple[str, str], ...]
    chosen: str | None
    dice: str | None


_FREE = {True: "web.box-free", False: "web.box-used-later"}


def others(
    state: TableState,
    game: int,
    turn: int,
    wanted: dict[tuple[int, int], Wanted],
    problems: Iterable[Problem],
) -> list[Other]:
    """The turns beside the corrected one: those already changed along, and those that now need it."""
    found = {(one.game, one.turn): one for one in problems}
    places = sorted({*wanted, *found} - {(game, turn)})
    return [_other(state, place, wanted.get(place), found.get(place)) for place in places]


def _other(state: TableState, place: tuple[int, int], now: Wanted | None, problem: Problem | None) -> Other:
    stands = standing_turn(state, *place)
    label = word(
        "web.scored-turn",
        name=state.seats[stands.seat].name,
        round=1 + place[1] // len(state.seats),
        dice=Roll(tuple(sorted(stands.dice))),
        box=state.book.box(stands.box),
    )
    chosen = None if now is None else now.box
    if problem is None:
        names = tuple((box.key, name_of(box)) for box in state.book.boxes if box.key == chosen)
        return Other(*place, label, None, names, chosen, None if now is None else now.dice)
    boxes = tuple((one.box, word(_FREE[one.free], box=one.label, points=one.points)) for one in problem.boxes)
    return Other(*place, label, problem.sentence, boxes, chosen, None if now is None else now.dice)
