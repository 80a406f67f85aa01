"""What is kept about this browser: to see it, to take it away, to get another key, and to have it deleted."""

from __future__ import annotations

import json

from litestar.response import Response

from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import Req, get, post
from fivedice.web.http.identity import Person, dropped_cookies, forget_key, person_of
from fivedice.web.http.opening_gate import COOKIE as GATE_COOKIE
from fivedice.web.http.visitors import COOKIE
from fivedice.web.services import AppServices


@get("/you")
def own_data_page(services: AppServices, person: Person, deleted: bool = False) -> Page:
    return page("home/you.html", found=services.tables.store.own_data.of(person.id), deleted=deleted)


@get("/you/data")
def own_data_file(services: AppServices, person: Person) -> Response[bytes]:
    found = json.dumps(services.tables.store.own_data.of(person.id), ensure_ascii=False, indent=2)
    return file(found, "application/json", "fivedice-my-data.json")


@post("/you/key")
def new_key_page(services: AppServices, player: Person, request: Req) -> SeeOther:
    """Whoever has the old key, on whatever device, has nothing any more."""
    forget_key(request)
    services.tables.store.own_data.change_key(player.id, person_of(request).id)
    services.log_out(player)
    return see_other("/you")


@get("/you/delete")
def ask_to_delete(services: AppServices, person: Person) -> Page:
    return _question(services, person)


def _question(services: AppServices, person: Person) -> Page:
    return page("home/you_delete.html", found=services.tables.store.own_data.of(person.id))


@post("/you/delete", status_code=303)
def delete_own_data(services: AppServices, player: Person, form: Form, request: Req) -> SeeOther | Page:
    """Nothing can bring it back, so the page asks once; whoever sends the form without its answer is asked too."""
    if not form.ticked("sure"):
        return _question(services, player)
    forget_key(request)
    services.tables.forget(player.id)
    services.log_out(player)
    answer = see_other("/you?deleted=true")
    for cookie in (each for name in (COOKIE, GATE_COOKIE) for each in dropped_cookies(request.scope, name)):
        answer.set_cookie(cookie)
    if not services.settings.root:  # else others may keep something under this name too, and `forget.js` deletes ours
        answer.headers["clear-site-data"] = '"storage"'  # what our scripts keep in the browser itself
    return answer
