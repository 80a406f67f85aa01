"""Correcting what was written on the pad: change it, see what follows, then save it. All of it works without script."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.response import Redirect, Template

from fivedice.table import commands as ask
from fivedice.table.decide.corrections import Consequences, consequences
from fivedice.table.decide.rights import need_pencil
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.state import TableState
from fivedice.web.home.pages import page, see_other
from fivedice.web.http.command_forms import Fields, fields_of, whole
from fivedice.web.http.identity import Person, person_of
from fivedice.web.pad.turn_changes import Wanted, boxes_then, others, standing_turn
from fivedice.web.runtime.services import in_thread, services_of

Req = Request[Any, Any, State]

_is_change = re.compile(r"(dice|box)-(\d{1,3})-(\d{1,4})").fullmatch


@get("/t/{table:str}/correct")
async def correct_page(request: Req, table: str, game: int, turn: int) -> Template:
    person = person_of(request)
    state = await in_thread(services_of(request).tables.state, table)
    need_pencil(state, person.id)
    return _page(request, person, state, game, turn, {})


@post("/t/{table:str}/correct", status_code=200)
async def correct(request: Req, table: str, game: int, turn: int) -> Template | Redirect:
    """*Check* shows what would follow; *Save* does it. A refusal is told on the same page, and nothing has changed."""
    services, person, form = services_of(request), person_of(request), await fields_of(request)
    state = await in_thread(services.tables.state, table)
    need_pencil(state, person.id)
    wanted = _wanted(form)
    try:
        changes = [one.change() for one in wanted.values()]
        # Saved is only what was looked at: whoever changed the form since sees what follows from that first.
        if form.get("action") != ["save"] or form.get("checked") != [repr(changes)]:
            return _page(request, person, state, game, turn, wanted, consequences(state, changes))
        version = whole(form.get("version", [""])[-1], "version")
        await services.execute(
            table, ask.Correct(person.id, tuple(changes)), version, form.get("key", [""])[-1] or None
        )
    except UnknownTable:
        raise
    except Refusal as refusal:
        state = await in_thread(services.tables.state, table)
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
    stands = standing_turn(state, game, turn)
    now = wanted.get((game, turn), Wanted(game, turn))
    dice = now.dice if now.dice is not None else "".join(map(str, sorted(stands.dice)))
    problems = () if effect is None else effect.problems
    return page(
        request,
        person,
        "pad/pad_correct.html",
        status,
        state=state,
        game=game,
        turn=turn,
        round=1 + turn // len(state.seats),
        stands=stands,
        name=state.seats[stands.seat].name,
        dice=dice,
        box=now.box or stands.box,
        boxes=boxes_then(state, game, stands, dice),
        others=others(state, game, turn, wanted, problems),
        own=next((problem for problem in problems if (problem.game, problem.turn) == (game, turn)), None),
        effect=effect,
        checked=repr([one.change() for one in wanted.values()]) if effect is not None else "",
        notice=notice,
    )


handlers = [correct_page, correct]
