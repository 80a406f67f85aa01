"""What a handler can ask for, by the name of a parameter.

services   everything that the server has
person     who is asking; somebody new, if nobody knows them
player     who is asking, if they can come back as the same one: others are refused
visitor    a person with their browser, at a page of a table
form       what a form has sent

Each names one before it, although it may not need it: where several could be made at once, the framework starts a task
for each of them, which takes longer than making them.
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
from fivedice.web.http.identity import Person, cookie_of, guarded_cookie, known_person, person_of, public_base
from fivedice.web.services import AppServices

COOKIE = "fivedice_coach"
MOST_ID = 64  # letters of a game’s id that are remembered


@dataclass(frozen=True, slots=True)
class CoachChoices:
    """Training from how many points on, the odds in sight or not, and what is played for.

    Remembered in a cookie of their own, which says nothing about who somebody is. A total to reach belongs to the game
    for which it was chosen; everything else goes for all of them.
    """

    limits: ClassVar = LIMITS

    training: int = 0
    odds: bool = False
    aim: Goal = AUTO
    game: str = ""  # for which a total was chosen

    def cookie(self, scope: Scope) -> Cookie:
        told = {"training": self.training, "odds": int(self.odds), "aim": self.aim.text, "game": self.game}
        return guarded_cookie(scope, COOKIE, urlencode(told))

    def aim_at(self, table: str) -> Goal:
        """What is played for in this game."""
        return AUTO if self.aim.target is not None and self.game != table else self.aim


def coach_choices(request: Req) -> CoachChoices:
    """As the cookie has them; whatever cannot be read is as if it were not there."""
    found = parse_qs(cookie_of(request, COOKIE))
    last = {name: values[-1] for name, values in found.items()}
    training = last.get("training", "")
    return CoachChoices(
        training=int(training) if training in map(str, LIMITS) else 0,
        odds=last.get("odds") == "1",
        aim=parse_goal(last["aim"]) if is_goal(last.get("aim", "")) else AUTO,
        game=last.get("game", "")[:MOST_ID],
    )


def chosen(before: CoachChoices, form: Form, table: str) -> CoachChoices:
    """The choices after a form that changes some of them."""
    training = parse_limit(form.last("training", str(before.training)))
    aim, game = before.aim, before.game
    if "aim" in form.fields:
        aim = parse_goal(form.last("aim"))
        game = "" if aim.target is None else table
    odds = {"on": True, "off": False}.get(form.last("odds"), before.odds)
    return CoachChoices(training, odds, aim, game)


FRAGMENT = "fivedice-fragment"  # the header by which our scripts ask for the changing part alone


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with their browser, at a page of a table. Made for each request."""

    services: AppServices
    person: Person
    request: Req

    @property
    def fragment(self) -> bool:
        """Whether the changing part of the page is wanted alone."""
        return bool(self.request.headers.get(FRAGMENT))

    @property
    def wants(self) -> CoachChoices:
        """What this browser wants of the coach."""
        return coach_choices(self.request)

    def link(self, path: str) -> str:
        """A link that works on another phone."""
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
