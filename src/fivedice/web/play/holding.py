"""The dice that somebody is about to keep, told by their page as they are chosen."""

from __future__ import annotations

from litestar.response import Response

from fivedice.web.http.command_forms import whole
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import post
from fivedice.web.http.identity import Person
from fivedice.web.services import AppServices


@post("/t/{table:str}/hold", status_code=204)
def hold(services: AppServices, person: Person, form: Form, table: str) -> Response[None]:
    """For our script alone: a page without it sends the dice with the roll, as ever."""
    slots = tuple(whole(slot, "hold") for slot in form.all("hold"))
    services.hold(table, person, whole(form.last("moment"), "moment"), slots, form.last("page"))
    return Response(None, status_code=204)
