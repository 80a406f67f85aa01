"""The coach for programs: hints and odds as JSON, at a table or for any card and roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litestar.openapi import ResponseSpec
from litestar.response import Response
from msgspec import Struct

from fivedice.coaching.training import parse_goal
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position
from fivedice.core.notation import read_card, write_position
from fivedice.errors import FivediceError
from fivedice.table.refusals import AgainstTheRules, BadRequest, Refusal
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import COACH, get
from fivedice.web.http.identity import Person
from fivedice.web.jobs.solutions import refuse_if_full
from fivedice.web.jobs.table_coach import HintView, Question, TableOdds
from fivedice.web.pages.play.coach_pages import hint_for
from fivedice.web.services.app_services import AppServices, CoachChoices, apply_form

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice
    from fivedice.core.rules import RuleBook


class AimShape(Struct, frozen=True):
    """One way in which the turn may end, and its chance."""

    kind: str
    box: str | None
    words: str
    chance: float


class ChoiceShape(Struct, frozen=True):
    """One choice: dice to keep (`hold` are their slots, at a table) or a box to score."""

    keep: str | None
    hold: list[int] | None
    box: str | None
    words: str
    value: float
    cost: float
    best: bool
    aims: list[AimShape]
    bonus: float | None


class HintShape(Struct, frozen=True):
    """The best few choices; with status 202 none yet, and `message` gives the progress.

    `sentence` says what to do and why, `details` what the other choices cost, and `notes` what the hint is based on.
    `goal` is points, target (the total in `target`) or win. Values and costs are points, or else odds and shares of the
    win.
    """

    state: str
    done: float
    message: str
    goal: str | None
    target: int | None
    rule: str | None
    sentence: str | None
    details: str | None
    notes: str | None
    choices: list[ChoiceShape]


class PlayerOdds(Struct, frozen=True):
    """A player's expected total, its spread, and the odds of winning."""

    mean: float
    sd: float
    win: float
    tie: float
    share: float


class OddsShape(Struct, frozen=True):
    """The odds of all seats, which are exact; with status 202 none yet."""

    state: str
    message: str
    exact: bool
    players: list[PlayerOdds]


def _pending_responses(shape: type) -> dict[int, ResponseSpec]:
    about = "Not worked out yet: `state` and `message` say how far it is. Ask again."
    coming = ResponseSpec(shape, generate_examples=False, description=about)
    return {**shapes.REFUSALS, **shapes.BUSY, 202: coming}


@get(
    "/tables/{table:str}/hint",
    lane=COACH,
    summary="What the coach would do",
    responses=_pending_responses(HintShape),
    security=shapes.SECURITY,
)
def table_hint(services: AppServices, player: Person, table: str, aim: str = "auto") -> Response[HintShape]:
    """Return a hint for the person on turn, if the table allows a coach.

    `aim` is `points`, `win`, a total to reach such as `275`, or `beat`: your own best score, if you play alone. By
    default it is `points`, and with others `win` from the moment it matters; `goal` in the answer says which.
    """
    return _answer(hint_for(services, player, table, apply_form(CoachChoices(), Form({"aim": [aim]}), table)))


@get(
    "/tables/{table:str}/odds", lane=COACH, summary="What everyone may expect", responses=_pending_responses(OddsShape)
)
def table_odds(services: AppServices, table: str) -> Response[OddsShape]:
    """Return expected totals, their spread, and the odds of winning, if the table allows a coach."""
    found = services.odds_board.odds(services.tables.state(table), None)
    if found.race is None:
        refuse_if_full(found.readiness)
    return Response(_odds(found), status_code=200 if found.race else 202)


@get("/hint", lane=COACH, summary="What to do with a roll", responses=_pending_responses(HintShape))
def any_hint(
    services: AppServices, book: str, dice: str, rolls_left: int, card: str = "-", aim: str = "auto", against: str = ""
) -> Response[HintShape]:
    """Return a hint for any card in notation, such as `4s:12,yz:50`, and dice, such as `24466`.

    `against` has the cards of the other players, separated by `|`. `aim` is as at a table, without `beat`.
    """
    rules = services.book(book)
    try:
        cards = [card, *(against.split("|") if against else ())]
        return _answer(services.coaches.answer(_question(rules, cards, dice, rolls_left), parse_goal(aim)))
    except Refusal:
        raise
    except FivediceError as error:
        raise AgainstTheRules(error.message) from None


def _question(book: RuleBook, cards: list[str], dice: str, rolls_left: int) -> Question:
    """Return the question. Raise a refusal for bad input at once, even if the rules are not solved yet."""
    from fivedice.reports.race import MOST_PLAYERS
    from fivedice.solver.solution import check_turn

    if len(cards) > MOST_PLAYERS:
        raise BadRequest("report.race-players", most=MOST_PLAYERS, count=len(cards))
    sheets, roll = tuple(read_card(card, book) for card in cards), Roll.parse(dice)
    check_turn(sheets[0], roll, rolls_left)
    position = Position(sheets, 0, Keep(roll.faces), rolls_left)
    return Question(position, roll, f"{book.fingerprint} {write_position(position)}")


def _answer(found: HintView) -> Response[HintShape]:
    coaching, how_far = found.coaching, found.readiness
    if coaching is None:
        refuse_if_full(how_far)
    shape = HintShape(
        state=how_far.state,
        done=how_far.done,
        message=how_far.sentence,
        goal=None if coaching is None else coaching.goal,
        target=None if coaching is None else coaching.target,
        rule=None if coaching is None else coaching.rule,
        sentence=None if coaching is None else coaching.sentence,
        details=None if coaching is None else coaching.details,
        notes=None if coaching is None else " ".join(filter(None, [found.note, coaching.beside])) or None,
        choices=[] if coaching is None else [_choice(found, *each) for each in enumerate(coaching.choices)],
    )
    return Response(shape, status_code=202 if coaching is None and how_far.state in {"running", "waiting"} else 200)


def _choice(found: HintView, place: int, choice: Choice) -> ChoiceShape:
    slots = found.slots[place] if found.slots else None
    return ChoiceShape(
        keep=None if choice.keep is None else str(choice.keep),
        hold=None if slots is None else list(slots),
        box=choice.box,
        words=choice.words,
        value=choice.value,
        cost=choice.cost,
        best=choice.best,
        aims=[AimShape(aim.kind, aim.box, aim.words, aim.chance) for aim in choice.aims],
        bonus=choice.bonus,
    )


def _odds(found: TableOdds) -> OddsShape:
    players = [] if found.race is None else found.race.players
    shown = [PlayerOdds(each.mean, each.sd, each.win, each.tie, each.share) for each in players]
    return OddsShape(found.readiness.state, found.readiness.sentence, found.race is not None, shown)
