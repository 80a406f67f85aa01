"""Pages that join another browser to the same person, and that turn notices on and off."""

from __future__ import annotations

from typing import Any

from litestar.response import Response

from fivedice.store.people.device_store import LINK_LASTS, SitsTwice
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import LOOKS, Req, get, post
from fivedice.web.http.identity import Person, adopt_key, only_this_device
from fivedice.web.pages.pad.pad_page import qr_code
from fivedice.web.services.app_services import AppServices, Visitor


@get("/devices")
def devices_page(services: AppServices, person: Person, joined: bool = False) -> Page:
    context: dict[str, Any] = {"joined": joined, "spare": services.devices.store.has_spare(person.id), "push_key": ""}
    if services.notices.is_offered:
        known = [each.id for each in services.notices.store.of(person.id)]
        context |= {"push_key": services.notices.public_key, "known": known}
    return page("devices/devices.html", **context)


@post("/devices/link", status_code=200)
def offer_link(visitor: Visitor, player: Person, form: Form) -> Page:
    """Show a link and its QR code, once: the server keeps no copy."""
    services, spare = visitor.services, form.last("spare") == "yes"
    link = visitor.link(f"/devices/join/{services.devices.offer(player, spare=spare)}")
    minutes, only_here = int(LINK_LASTS.total_seconds()) // 60, only_this_device(services.settings)
    return page("devices/link.html", link=link, qr=qr_code, spare=spare, minutes=minutes, only_here=only_here)


@get("/devices/join/{code:str}")
def ask_to_join(services: AppServices, person: Person, code: str) -> Page:
    """Return the page behind a link. Looking at it uses nothing: programs that show previews look, too."""
    return _question(services, person, code)


def _question(services: AppServices, person: Person, code: str, sits: str | None = None) -> Page:
    link, found = services.devices.find(code), services.tables.store.own_data.of(person.id)
    games = len(found["games"]) + len(found["also_in"])
    status = 200 if sits is None else 409
    return page(
        "devices/join.html", status, code=code, games=games, same=link.player == person.id, sits=sits, spare=link.spare
    )


@post("/devices/join/{code:str}", status_code=303)
def join(services: AppServices, person: Person, request: Req, code: str) -> SeeOther | Page:
    """Make this browser one of the person who made the link, with all that it has kept."""
    try:
        key = services.devices.join(code, person)
    except SitsTwice as refusal:
        return _question(services, person, code, refusal.table)
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
