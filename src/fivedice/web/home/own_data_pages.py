"""What is kept about this browser: to see it, to take it away, and to get another key."""

from __future__ import annotations

import json

from litestar.response import Response

from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.handling import Req, get, post
from fivedice.web.http.identity import Person, forget_key, person_of
from fivedice.web.services import AppServices


@get("/you")
def own_data_page(services: AppServices, person: Person) -> Page:
    return page("home/you.html", found=services.tables.store.own_data.of(person.id))


@get("/you/data")
def own_data_file(services: AppServices, person: Person) -> Response[bytes]:
    found = json.dumps(services.tables.store.own_data.of(person.id), ensure_ascii=False, indent=2)
    return file(found, "application/json", "fivedice-my-data.json")


@post("/you/key")
def new_key_page(services: AppServices, player: Person, request: Req) -> SeeOther:
    """Whoever has the old key, on whatever device, has nothing any more."""
    forget_key(request)
    services.tables.store.own_data.change_key(player.id, person_of(request).id)
    return see_other("/you")
