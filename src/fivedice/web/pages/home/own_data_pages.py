"""Pages about the data that is stored for this browser: read it, download it, change the key, delete it."""

from __future__ import annotations

import json

from litestar.response import Response

from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import Req, get, post
from fivedice.web.http.identity import GATE_COOKIE, Person, dropped_cookies, forget_key, person_of
from fivedice.web.services.app_services import COACH_COOKIE, AppServices


@get("/you")
def own_data_page(services: AppServices, person: Person, deleted: bool = False) -> Page:
    return page("home/you.html", found=services.tables.store.own_data.of(person.id), deleted=deleted)


@get("/you/data")
def own_data_file(services: AppServices, person: Person) -> Response[bytes]:
    found = json.dumps(services.tables.store.own_data.of(person.id), ensure_ascii=False, indent=2)
    return file(found, "application/json", "fivedice-my-data.json")


@post("/you/key")
def new_key_page(services: AppServices, player: Person, request: Req) -> SeeOther:
    """Give this browser a new key. The old one stops working on every device."""
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
    """Delete everything that is stored for this browser. It cannot be undone, so ask first."""
    if not form.ticked("sure"):
        return _question(services, player)
    forget_key(request)
    services.tables.forget(player.id)
    services.log_out(player)
    answer = see_other("/you?deleted=true")
    for cookie in (each for name in (COACH_COOKIE, GATE_COOKIE) for each in dropped_cookies(request.scope, name)):
        answer.set_cookie(cookie)
    if not services.settings.root:  # below a path, other sites may share the storage: `forget.js` deletes ours
        answer.headers["clear-site-data"] = '"storage"'  # data that our scripts store in the browser
    return answer
