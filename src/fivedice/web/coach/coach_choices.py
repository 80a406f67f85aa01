"""What a person wants of the coach, remembered in a cookie of their own: it says nothing about who they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal
from urllib.parse import parse_qs, urlencode

from litestar.datastructures import Cookie

from fivedice.coaching.training import LIMITS, limit_of
from fivedice.errors import quote
from fivedice.table.refusals import BadRequest
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import LIFETIME

COOKIE = "fivedice_coach"
Aim = Literal["points", "beat"]
_AIMS: dict[str, Aim] = {"points": "points", "beat": "beat"}


@dataclass(frozen=True, slots=True)
class CoachChoices:
    """Training from how many points on, the odds in sight or not, and what is played for."""

    limits: ClassVar = LIMITS

    training: int = 0
    odds: bool = False
    aim: Aim = "points"

    def cookie(self, *, secure: bool) -> Cookie:
        value = urlencode({"training": self.training, "odds": int(self.odds), "aim": self.aim})
        return Cookie(COOKIE, value=value, max_age=LIFETIME, httponly=True, samesite="lax", secure=secure, path="/")


def coach_choices(request: Req) -> CoachChoices:
    """As the cookie has them; whatever cannot be read is as if it were not there."""
    found = parse_qs(request.cookies.get(COOKIE, ""))
    last = {name: values[-1] for name, values in found.items()}
    training = last.get("training", "")
    return CoachChoices(
        training=int(training) if training in map(str, LIMITS) else 0,
        odds=last.get("odds") == "1",
        aim=_AIMS.get(last.get("aim", ""), "points"),
    )


def chosen(before: CoachChoices, form: Form) -> CoachChoices:
    """The choices after a form that changes some of them."""
    training = limit_of(form.last("training", str(before.training)))
    aim = _AIMS.get(form.last("aim", before.aim))
    if aim is None:
        raise BadRequest("coach.which-aim", aim=quote(form.last("aim")))
    odds = {"on": True, "off": False}.get(form.last("odds"), before.odds)
    return CoachChoices(training, odds, aim)
