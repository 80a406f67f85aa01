"""Correcting what was written on the pad: change it, see what follows, then save it. All of it works without script."""

from __future__ import annotations

import re

from fivedice.table import commands as cmd
from fivedice.table.decide.corrections import Consequences, consequences
from fivedice.table.decide.rights import need_pencil
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.state import TableState
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form, whole
from fivedice.web.http.handling import LOOKS, MOVES, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pad.turn_changes import Wanted, boxes_then, others, standing_turn
from fivedice.web.services import AppServices

_is_change = re.compile(r"(dice|box)-(\d{1,3})-(\d{1,4})").fullmatch


@get("/t/{table:str}/correct", lane=LOOKS)
def correct_page(services: AppServices, person: Person, table: str, game: int, turn: int) -> Page:
    state = services.tables.state(table)
    need_pencil(state, person.id)
    return _page(state, game, turn, {})


@post("/t/{table:str}/correct", lane=MOVES, status_code=200)
def correct(services: AppServices, person: Person, form: Form, table: str, game: int, turn: int) -> Page | SeeOther:
    """*Check* shows what would follow; *Save* does it. A refusal is told on the same page, and nothing has changed."""
    state, wanted = services.tables.state(table), _wanted(form)
    need_pencil(state, person.id)
    try:
        changes = [one.change() for one in wanted.values()]
        # Saved is only what was looked at: whoever changed the form since sees what follows from that first.
        if form.last("action") != "save" or form.last("checked") != repr(changes):
            return _page(state, game, turn, wanted, consequences(state, changes))
        version, key = whole(form.last("version"), "version"), form.last("key") or None
        services.execute(table, cmd.Correct(person.id, tuple(changes)), version, key)
    except UnknownTable:
        raise
    except Refusal as refusal:
        now = services.tables.state(table)
        return _page(now, game, turn, wanted, None, str(refusal), refusal.status)
    return see_other(f"/t/{table}")


def _wanted(form: Form) -> dict[tuple[int, int], Wanted]:
    """The changed turns: fields are called dice-GAME-TURN and box-GAME-TURN."""
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, values in form.fields.items():
        match = _is_change(name)
        if match is not None and values[-1].strip():
            found.setdefault((int(match[2]), int(match[3])), {})[match[1]] = values[-1].strip()
    return {place: Wanted(*place, parts.get("dice"), parts.get("box")) for place, parts in found.items()}


def _page(
    state: TableState,
    game: int,
    turn: int,
    wanted: dict[tuple[int, int], Wanted],
    effect: Consequences | None = None,
    notice: str | None = None,
    status: int = 200,
) -> Page:
    stands = standing_turn(state, game, turn)
    now = wanted.get((game, turn), Wanted(game, turn))
    dice = now.dice if now.dice is not None else "".join(map(str, sorted(stands.dice)))
    problems = () if effect is None else effect.problems
    return page(
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
