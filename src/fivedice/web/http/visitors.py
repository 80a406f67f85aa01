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

from litestar.di import Provide

from fivedice.web.coach.coach_choices import CoachChoices, coach_choices
from fivedice.web.http.forms import Form, form_of
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import Person, known_person, person_of, public_base
from fivedice.web.services import AppServices

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
