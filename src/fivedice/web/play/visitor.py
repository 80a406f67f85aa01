"""Somebody at a page of a table: who they are, and what their browser asks for."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.web.coach.coach_choices import CoachChoices, coach_choices
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import Person
from fivedice.web.http.public_address import public_base
from fivedice.web.services import AppServices

FRAGMENT = "fivedice-fragment"  # the header by which our scripts ask for the changing part alone


@dataclass(frozen=True, slots=True)
class Visitor:
    """Made for each request."""

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
