"""Dependencies that a handler can declare, by parameter name.

services   the services of the server
person     the caller; a new person if the request has no key
player     the caller, refused without a key
visitor    the caller with their request, for the pages of a table
form       the submitted form

Each dependency takes an earlier one as a parameter, needed or not. The framework starts a task for each of several
independent dependencies, which takes longer than creating them in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import parse_qs, urlencode

from litestar.datastructures import Cookie
from litestar.di import Provide
from litestar.types import Scope

from fivedice.coaching.goals import AUTO, Goal, is_goal, parse_goal
from fivedice.coaching.training import LIMITS, parse_limit
from fivedice.web.http.forms import Form, form_of
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import (
    Person,
    cookie_of,
    guarded_cookie,
    is_fragment,
    known_person,
    person_of,
    public_base,
)
from fivedice.web.services.app_services import AppServices

COOKIE = "fivedice_coach"
MOST_ID = 64  # characters of a game’s id that are stored


@dataclass(frozen=True, slots=True)
class CoachChoices:
    """The coach settings of a browser: the limit of training, whether odds are shown, and the goal.

    They have their own cookie, which does not identify anyone. A target total applies only to the game for which it was
    chosen; the other settings apply to all games.
    """

    limits: ClassVar = LIMITS

    training: int = 0
    odds: bool = False
    aim: Goal = AUTO
    game: str = ""  # for which a target total was chosen

    def cookie(self, scope: Scope) -> Cookie:
        told = {"training": self.training, "odds": int(self.odds), "aim": self.aim.text, "game": self.game}
        return guarded_cookie(scope, COOKIE, urlencode(told))

    def aim_at(self, table: str) -> Goal:
        """Return the goal in this game."""
        return AUTO if self.aim.target is not None and self.game != table else self.aim


def coach_choices(request: Req) -> CoachChoices:
    """Return the choices in the cookie, with defaults for values that cannot be parsed."""
    found = parse_qs(cookie_of(request, COOKIE))
    last = {name: values[-1] for name, values in found.items()}
    training = last.get("training", "")
    return CoachChoices(
        training=int(training) if training in map(str, LIMITS) else 0,
        odds=last.get("odds") == "1",
        aim=parse_goal(last["aim"]) if is_goal(last.get("aim", "")) else AUTO,
        game=last.get("game", "")[:MOST_ID],
    )


def apply_form(before: CoachChoices, form: Form, table: str) -> CoachChoices:
    """Return the choices after a form that changes some of them."""
    training = parse_limit(form.last("training", str(before.training)))
    aim, game = before.aim, before.game
    if "aim" in form.fields:
        aim = parse_goal(form.last("aim"))
        game = "" if aim.target is None else table
    odds = {"on": True, "off": False}.get(form.last("odds"), before.odds)
    return CoachChoices(training, odds, aim, game)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person with their request, at a page of a table. Created for each request."""

    services: AppServices
    person: Person
    request: Req

    @property
    def fragment(self) -> bool:
        """Return whether only the changing part of the page is requested."""
        return is_fragment(self.request)

    @property
    def wants(self) -> CoachChoices:
        """Return the coach settings of this browser."""
        return coach_choices(self.request)

    def link(self, path: str) -> str:
        """Return a link that works on other devices."""
        return public_base(self.services.settings, self.request) + path


def dependencies(services: AppServices) -> dict[str, Provide]:
    def the_services() -> AppServices:
        return services

    return {
        "services": Provide(the_services, sync_to_thread=False),
        "person": Provide(_person, sync_to_thread=False),
        "player": Provide(_player, sync_to_thread=False),
        "visitor": Provide(_visitor, sync_to_thread=False),
        "form": Provide(_form),
    }


def _person(request: Req, services: AppServices) -> Person:  # noqa: ARG001 - see above
    return person_of(request)


def _player(request: Req, services: AppServices) -> Person:  # noqa: ARG001
    return known_person(request)


def _visitor(request: Req, services: AppServices, person: Person) -> Visitor:
    return Visitor(services, person, request)


async def _form(request: Req, visitor: Visitor) -> Form:  # noqa: ARG001
    return await form_of(request)
