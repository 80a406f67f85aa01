"""Pages about a person and their browsers: stored data, links that join another browser, and notices.

The stored data can be read, downloaded and deleted, and the key can be changed.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from cryptography.fernet import Fernet
from litestar.response import Response

from fivedice.store.device_store import LINK_LASTS, DeviceLink, SitsTwice
from fivedice.table.actions.rights import new_key, player_id
from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import LOOKS, NotFound, Req, get, post
from fivedice.web.http.identity import (
    GATE_COOKIE,
    Person,
    adopt_key,
    chosen_language,
    dropped_cookies,
    forget_key,
    only_this_device,
    person_of,
)
from fivedice.web.pages.page_parts import qr_code
from fivedice.web.services.app_services import COACH_COOKIE, AppServices, Visitor

_PURPOSE = b"fivedice device link"  # no sentence


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
    return _ask_to_delete(services, person)


def _ask_to_delete(services: AppServices, person: Person) -> Page:
    return page("home/you_delete.html", found=services.tables.store.own_data.of(person.id))


@post("/you/delete", status_code=303)
def delete_own_data(services: AppServices, player: Person, form: Form, request: Req) -> SeeOther | Page:
    """Delete everything that is stored for this browser. It cannot be undone, so ask first."""
    if not form.ticked("sure"):
        return _ask_to_delete(services, player)
    forget_key(request)
    services.tables.forget(player.id)
    services.log_out(player)
    answer = see_other("/you?deleted=true")
    for cookie in (each for name in (COACH_COOKIE, GATE_COOKIE) for each in dropped_cookies(request.scope, name)):
        answer.set_cookie(cookie)
    if not services.settings.root:  # below a path, other sites may share the storage: `forget.js` deletes ours
        answer.headers["clear-site-data"] = '"storage"'  # data that our scripts store in the browser
    return answer


@get("/devices")
def devices_page(services: AppServices, person: Person, joined: bool = False) -> Page:
    context: dict[str, Any] = {"joined": joined, "spare": services.devices.has_spare(person.id), "push_key": ""}
    if services.notices.is_offered:
        known = [each.id for each in services.notices.store.of(person.id)]
        context |= {"push_key": services.notices.public_key, "known": known}
    return page("devices/devices.html", **context)


@post("/devices/link", status_code=200)
def offer_link(visitor: Visitor, player: Person, form: Form) -> Page:
    """Show a link and its QR code, once: the server keeps no copy. The other browser learns the chosen language."""
    services, spare, language = visitor.services, form.last("spare") == "yes", chosen_language(visitor.request)
    link = visitor.link(f"/devices/join/{offer_code(services, player, spare=spare)}")
    link += f"?lang={language}" if language else ""
    minutes, only_here = int(LINK_LASTS.total_seconds()) // 60, only_this_device(services.settings)
    return page("devices/link.html", link=link, qr=qr_code, spare=spare, minutes=minutes, only_here=only_here)


def offer_code(services: AppServices, person: Person, *, spare: bool) -> str:
    """Return the code of a new link, which only its address holds; an earlier one of its kind ends."""
    code = new_key()
    with services.limits.one_more("links"):
        sealed = _cipher(code).encrypt(person.key.encode()).decode()
        services.devices.offer(player_id(code), person.id, sealed, spare=spare)
    return code


def _cipher(code: str) -> Fernet:
    """Return the cipher for the key of a browser; the code has 256 random bits and is used for one key only."""
    return Fernet(urlsafe_b64encode(hmac.digest(code.encode("utf-8", "surrogatepass"), _PURPOSE, sha256)))


def _require(link: DeviceLink | None) -> DeviceLink:
    """Raise NotFound for a link that does not work any more."""
    if link is None:
        raise NotFound("web.link-used")
    return link


@get("/devices/join/{code:str}")
def ask_to_join(services: AppServices, person: Person, code: str) -> Page:
    """Return the page behind a link. Looking at it uses nothing: programs that show previews look, too."""
    return _ask_to_join(services, person, code)


def _ask_to_join(services: AppServices, person: Person, code: str, sits: str | None = None) -> Page:
    link, found = _require(services.devices.find(player_id(code))), services.tables.store.own_data.of(person.id)
    games = len(found["games"]) + len(found["also_in"])
    status = 200 if sits is None else 409
    return page(
        "devices/join.html", status, code=code, games=games, same=link.player == person.id, sits=sits, spare=link.spare
    )


@post("/devices/join/{code:str}", status_code=303)
def join(services: AppServices, person: Person, request: Req, code: str) -> SeeOther | Page:
    """Join this browser, with all its data, to the person who made the link."""
    try:
        link = _require(services.devices.join(player_id(code), person.id))
    except SitsTwice as refusal:
        return _ask_to_join(services, person, code, refusal.table)
    key = _cipher(code).decrypt(link.sealed.encode()).decode()
    if key != person.key:
        services.log_out(person)
        adopt_key(request, key)
    return see_other("/devices?joined=true")


@post("/devices/notices", status_code=201)
def subscribe(services: AppServices, player: Person, form: Form) -> None:
    services.notices.subscribe(player.id, *(form.last(name) for name in ("endpoint", "p256dh", "auth")))


@post("/devices/notices/end", status_code=204)
def unsubscribe(services: AppServices, player: Person, form: Form) -> None:
    services.notices.store.unsubscribe(player.id, form.last("endpoint"))


@get("/devices/turns", lane=LOOKS)
def waiting_turns(services: AppServices, person: Person, besides: str = "") -> Response[dict[str, int]]:
    """Return in how many games others wait for this person."""
    waiting = 0 if person.fresh else services.notices.count_turns(person.id, besides)
    return Response({"waiting": waiting}, headers={"cache-control": "no-store"})
