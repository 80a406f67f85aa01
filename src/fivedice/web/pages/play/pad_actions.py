"""The score pad at a table: the way of entry, the scorekeeper, and corrections.

A correction is entered, shown with its consequences, and then saved, all without script. Its page shows the turn as it
is written, as it should be, and the other turns that have to change with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.core.dice import Roll
from fivedice.core.game import judge
from fivedice.errors import FivediceError
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.corrections import Consequences, Problem, consequences
from fivedice.table.actions.rewrite import WrittenTurn, card_before, round_of, sheet_of, written_turns
from fivedice.table.actions.rights import is_scorekeeper, require_real_dice, require_scorekeeper
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.service import handing_over
from fivedice.table.state import TableState
from fivedice.text import name_of, word
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import ChangeBody, Form, faces, parse_int
from fivedice.web.http.handling import LOOKS, MOVES, NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.pad.new_pad import QUICK, ROLLS
from fivedice.web.pages.pad.pad_page import pad_page
from fivedice.web.pages.page_parts import Extra
from fivedice.web.pages.play.table_page import at_table, notice_of
from fivedice.web.services.app_services import AppServices, Visitor


@post("/t/{table:str}/entry", lane=MOVES, status_code=200)
def entry(visitor: Visitor, form: Form, table: str) -> Page | SeeOther:
    """Choose quick entry or roll by roll; the choice is remembered for the device, not for the table."""
    way = ROLLS if form.last("entry") == ROLLS else QUICK
    choices, person = visitor.services.tables.store.choices, visitor.person.id
    kept = choices.of(person)
    choices.remember(person, kept | {"pad": (kept.get("pad") or {}) | {"entry": way}})
    return pad_page(visitor, table) if visitor.fragment else see_other(f"/t/{table}")


@post("/t/{table:str}/pencil", lane=MOVES, status_code=200)
def offer_pencil(visitor: Visitor, table: str) -> Page:
    """Create a link that makes the first person who opens it the scorekeeper."""

    def offered() -> Page:
        code = handing_over.offer_pencil(visitor.services.tables, table, visitor.person.id)
        return pad_page(visitor, table, Extra(pencil=visitor.link(f"/t/{table}/pencil/{code}")))

    return at_table(visitor, table, offered)


@post("/t/{table:str}/spare", lane=MOVES, status_code=200)
def offer_spare(visitor: Visitor, table: str) -> Page:
    """Create a link to keep on another phone, in case this one is lost."""

    def offered() -> Page:
        code = handing_over.offer_spare(visitor.services.tables, table, visitor.person.id)
        return pad_page(visitor, table, Extra(spare=visitor.link(f"/t/{table}/pencil/{code}")))

    return at_table(visitor, table, offered)


@get("/t/{table:str}/pencil/{code:str}", lane=LOOKS)
def pencil_page(services: AppServices, table: str, code: str) -> Page:
    """Return the page of such a link. Taking the score pad needs a button: opening a link must not use it up."""
    state = services.tables.state(table)
    if not state.real_dice:
        raise NotFound("web.no-scorekeeper")
    names = [seat.name for seat in state.seats]
    return page("pad/pad_pencil.html", table=table, code=code, book=state.book, names=names)


@post("/t/{table:str}/pencil/{code:str}", lane=MOVES, status_code=303)
def take_pencil(services: AppServices, person: Person, table: str, code: str) -> SeeOther:
    handing_over.take_pencil(services.tables, table, person.id, code)
    return see_other(f"/t/{table}")


def require_written_turn(state: TableState, game: int, turn: int) -> WrittenTurn:
    turns = written_turns(sheet_of(state, game)) if state.game is not None and 0 <= game <= state.game_number else ()
    if not 0 <= turn < len(turns):
        raise NotFound("web.turn-not-scored")
    return turns[turn]


def boxes_with_points(
    state: TableState, game: int, stands: WrittenTurn, dice: str
) -> list[tuple[str, str, int | None]]:
    """Return every box with the points of the dice at that time; None where the rules did not allow them."""
    card = card_before(state, game, stands)
    try:
        legal = judge(card, Roll(faces(dice))).legal
    except FivediceError:  # the check reports bad dice; the boxes are listed anyway
        legal = {}
    return [(box.key, name_of(box), legal[box.key].points if box.key in legal else None) for box in state.book.boxes]


@dataclass(frozen=True, slots=True)
class Other:
    """A later turn that has to change with the correction, or is being changed."""

    game: int
    turn: int
    label: str
    sentence: str | None
    boxes: tuple[tuple[str, str], ...]
    chosen: str | None
    dice: str | None
    saved: int | None = None  # to change, if the turn left over more rolls than it would have had


_FREE = {True: "web.box-free", False: "web.box-used-later"}


def others(
    state: TableState,
    game: int,
    turn: int,
    wanted: dict[tuple[int, int], ChangeBody],
    problems: Iterable[Problem],
) -> list[Other]:
    """Return the turns besides the corrected one that are changed with it, or have to be."""
    found = {(one.game, one.turn): one for one in problems}
    places = sorted({*wanted, *found} - {(game, turn)})
    return [_other(state, place, wanted.get(place), found.get(place)) for place in places]


def _other(state: TableState, place: tuple[int, int], now: ChangeBody | None, problem: Problem | None) -> Other:
    stands = require_written_turn(state, *place)
    label = word(
        "web.scored-turn",
        name=state.seats[stands.seat].name,
        round=round_of(written_turns(sheet_of(state, place[0])), place[1]),
        dice=Roll(stands.dice) if stands.noted is None else stands.noted,
        box=state.book.box(stands.box),
    )
    chosen = None if now is None else now.box
    if problem is None:
        names = tuple((box.key, name_of(box)) for box in state.book.boxes if box.key == chosen)
        return Other(*place, label, None, names, chosen, *((None, None) if now is None else (now.dice, now.saved)))
    boxes = tuple((one.box, word(_FREE[one.free], box=one.label, points=one.points)) for one in problem.boxes)
    saved = stands.saved if now is None or now.saved is None else now.saved
    over = saved if state.book.save_rolls and not boxes else None
    return Other(*place, label, problem.sentence, boxes, chosen, None if now is None else now.dice, over)


_is_change = re.compile(r"(dice|box|saved|points)-(\d{1,3})-(\d{1,4})").fullmatch


@get("/t/{table:str}/correct", lane=LOOKS)
def correct_page(visitor: Visitor, table: str, game: int, turn: int) -> Page | SeeOther:
    """Return the page of a correction; for anyone but the scorekeeper, redirect to the sheet."""
    state = visitor.services.tables.state(table)
    require_real_dice(state)
    if not is_scorekeeper(state, visitor.person.id):
        return see_other(f"/t/{table}")
    return _page(state, game, turn, {})


@post("/t/{table:str}/correct", lane=MOVES, status_code=200)
def correct(services: AppServices, person: Person, form: Form, table: str, game: int, turn: int) -> Page | SeeOther:
    """Show the consequences on *Check*, carry the correction out on *Save*, or show the page with the refusal."""
    state, wanted = services.tables.state(table), _read_changes(form)
    require_scorekeeper(state, person.id)
    try:
        changes = [one.change() for one in wanted.values()]
        # Save only what was checked: a form that was changed since is checked again first.
        if form.last("action") != "save" or form.last("checked") != repr(changes):
            return _page(state, game, turn, wanted, consequences(state, changes))
        version, key = parse_int(form.last("version"), "version"), form.last("key") or None
        services.execute(table, cmd.Correct(person.id, tuple(changes)), version, key)
    except UnknownTable:
        raise
    except Refusal as refusal:
        now = services.tables.state(table)
        return _page(now, game, turn, wanted, None, notice_of(refusal), refusal.status)
    return see_other(f"/t/{table}")


def _read_changes(form: Form) -> dict[tuple[int, int], ChangeBody]:
    """Return the changed turns. The fields are named dice-GAME-TURN, box-GAME-TURN, and so on."""
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, values in form.fields.items():
        match = _is_change(name)
        if match is not None and values[-1].strip():
            found.setdefault((int(match[2]), int(match[3])), {})[match[1]] = values[-1].strip()
    return {place: _read_change(place, found[place]) for place in sorted(found)}  # the fields may be in any order


def _read_change(place: tuple[int, int], parts: dict[str, str]) -> ChangeBody:
    saved, points = (parse_int(parts[name], name) if name in parts else None for name in ("saved", "points"))
    return ChangeBody(*place, parts.get("dice"), parts.get("box"), saved, points)


def _page(
    state: TableState,
    game: int,
    turn: int,
    wanted: dict[tuple[int, int], ChangeBody],
    effect: Consequences | None = None,
    notice: str | None = None,
    status: int = 200,
) -> Page:
    stands = require_written_turn(state, game, turn)
    now = wanted.get((game, turn), ChangeBody(game, turn))
    dice = now.dice if now.dice is not None else "".join(map(str, sorted(stands.entered_dice)))
    problems = () if effect is None else effect.problems
    return page(
        "pad/pad_correct.html",
        status,
        state=state,
        game=game,
        turn=turn,
        round=round_of(written_turns(sheet_of(state, game)), turn),
        stands=stands,
        name=state.seats[stands.seat].name,
        dice=dice,
        saved=stands.saved if now.saved is None else now.saved,
        points=stands.noted if now.points is None else now.points,
        box=now.box or stands.box,
        boxes=boxes_with_points(state, game, stands, dice),
        others=others(state, game, turn, wanted, problems),
        own=next((problem for problem in problems if (problem.game, problem.turn) == (game, turn)), None),
        effect=effect,
        checked=repr([one.change() for one in wanted.values()]) if effect is not None else "",
        notice=notice,
    )
