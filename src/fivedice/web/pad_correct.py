"""Correcting what was written on the pad: change it, see what follows, then save it. All of it works without script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Template

from fivedice.dice import Roll
from fivedice.errors import FivediceError
from fivedice.game import Mark, Scorecard, judge
from fivedice.table import commands as ask
from fivedice.table.corrections import Consequences, Problem, consequences
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.rewrite import WrittenTurn, sheet_of, written
from fivedice.table.rights import need_pencil
from fivedice.table.state import TableState
from fivedice.web.desk import desk_of, in_thread
from fivedice.web.pages import page, see_other
from fivedice.web.people import Person, person_of
from fivedice.web.requests import Fields, faces, fields_of, whole

Req = Request[Any, Any, State]

_is_change = re.compile(r"(dice|box)-(\d{1,3})-(\d{1,4})").fullmatch


@dataclass(frozen=True, slots=True)
class Wanted:
    """One turn as it should have been: what the form says, before anybody has judged it."""

    game: int
    turn: int
    dice: str | None = None
    box: str | None = None

    def change(self) -> ask.Change:
        return ask.Change(self.game, self.turn, None if self.dice is None else faces(self.dice), self.box)


@get("/t/{table:str}/correct")
async def correct_page(request: Req, table: str, game: int, turn: int) -> Template:
    person = person_of(request)
    state = await in_thread(desk_of(request).tables.state, table)
    need_pencil(state, person.id)
    return _page(request, person, state, game, turn, {})


@post("/t/{table:str}/correct", status_code=200)
async def correct(request: Req, table: str, game: int, turn: int) -> Template | Redirect:
    """*Check* shows what would follow; *Save* does it. A refusal is told on the same page, and nothing has changed."""
    desk, person, form = desk_of(request), person_of(request), await fields_of(request)
    state = await in_thread(desk.tables.state, table)
    need_pencil(state, person.id)
    wanted = _wanted(form)
    try:
        changes = [one.change() for one in wanted.values()]
        # Saved is only what was looked at: whoever changed the form since sees what follows from that first.
        if form.get("action") != ["save"] or form.get("checked") != [repr(changes)]:
            return _page(request, person, state, game, turn, wanted, consequences(state, changes))
        version = whole(form.get("version", [""])[-1], "version")
        await desk.execute(table, ask.Correct(person.id, tuple(changes)), version, form.get("key", [""])[-1] or None)
    except UnknownTable:
        raise
    except Refusal as refusal:
        state = await in_thread(desk.tables.state, table)
        return _page(request, person, state, game, turn, wanted, None, str(refusal), refusal.status)
    return see_other(request, person, f"/t/{table}")


def _wanted(form: Fields) -> dict[tuple[int, int], Wanted]:
    """The changed turns: fields are called dice-GAME-TURN and box-GAME-TURN."""
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, values in form.items():
        match = _is_change(name)
        if match is not None and values[-1].strip():
            found.setdefault((int(match[2]), int(match[3])), {})[match[1]] = values[-1].strip()
    return {place: Wanted(*place, parts.get("dice"), parts.get("box")) for place, parts in found.items()}


def _page(
    request: Req,
    person: Person,
    state: TableState,
    game: int,
    turn: int,
    wanted: dict[tuple[int, int], Wanted],
    effect: Consequences | None = None,
    notice: str | None = None,
    status: int = 200,
) -> Template:
    stands = _stands(state, game, turn)
    now = wanted.get((game, turn), Wanted(game, turn))
    dice = now.dice if now.dice is not None else "".join(map(str, sorted(stands.dice)))
    problems = () if effect is None else effect.problems
    return page(
        request,
        person,
        "pad_correct.html",
        status,
        state=state,
        game=game,
        turn=turn,
        round=1 + turn // len(state.seats),
        stands=stands,
        name=state.seats[stands.seat].name,
        dice=dice,
        box=now.box or stands.box,
        boxes=_boxes(state, game, stands, dice),
        others=_others(state, game, turn, wanted, problems),
        own=next((problem for problem in problems if (problem.game, problem.turn) == (game, turn)), None),
        effect=effect,
        checked=repr([one.change() for one in wanted.values()]) if effect is not None else "",
        notice=notice,
    )


def _stands(state: TableState, game: int, turn: int) -> WrittenTurn:
    turns = written(sheet_of(state, game)) if state.game is not None and 0 <= game <= state.game_number else ()
    if not 0 <= turn < len(turns):
        raise NotFoundException("That turn has not been written, so there is nothing to correct.")
    return turns[turn]


def _boxes(state: TableState, game: int, stands: WrittenTurn, dice: str) -> list[tuple[str, str, int | None]]:
    """Every box of the book with what the dice were worth there then; None where the rules did not let them in."""
    card = _card_before(state, game, stands)
    try:
        legal = judge(card, Roll(faces(dice))).legal
    except FivediceError:  # dice that make no sense are told by the check; the boxes are named all the same
        legal = {}
    return [(box.key, box.name, legal[box.key].points if box.key in legal else None) for box in state.book.boxes]


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


def _others(
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
    stands = _stands(state, *place)
    label = f"{state.seats[stands.seat].name}, round {1 + place[1] // len(state.seats)}"
    label += f": {'-'.join(map(str, sorted(stands.dice)))} in {state.book.box(stands.box).name}"
    chosen = None if now is None else now.box
    if problem is None:
        names = ((chosen, state.book.box(chosen).name),) if chosen else ()
        return Other(*place, label, None, names, chosen, None if now is None else now.dice)
    boxes = tuple(
        (one.box, f"{one.label} {one.points}{'' if one.free else ', is used later'}") for one in problem.boxes
    )
    return Other(*place, label, problem.sentence, boxes, chosen, None if now is None else now.dice)


handlers = [correct_page, correct]
