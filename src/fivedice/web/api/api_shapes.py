"""The shapes of the JSON API: requests, answers, and examples of both."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, TypeAlias

from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Components, Example, SecurityScheme
from litestar.params import Body, Parameter
from msgspec import Struct

from fivedice.core.rules import DEFAULT, SHIPPED
from fivedice.message import Message, message
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.seating import CALM, PACES
from fivedice.table.view.view_shapes import TableView
from fivedice.web.http.answers import json_body
from fivedice.web.http.client_limits import TooMany
from fivedice.web.http.forms import ChangeBody, CommandBody
from fivedice.web.http.handling import MOVES, post
from fivedice.web.jobs.solutions import COACH_BUSY

ABOUT = """Play five-dice games over HTTP. Ask for a key at POST /api/players, send it as `Authorization: Bearer KEY`,
open a table or take a seat, and send commands with the version that you saw and a key of your own: a command that is
sent twice acts once. A refusal has a status, a code and a sentence, and has changed nothing. A zero that could be
avoided is written without asking: `avoidable_zero` in the view of a table says where that would be.
A program that only plays needs three calls: /position has the position in notation and every legal move, /moves takes
typed moves, /live/positions is a stream of positions. Everything else is one of the commands of /commands, each with
the fields of its own. In Python, `fivedice.client` does all of it."""


class NewPlayer(Struct, frozen=True):
    """A key to keep; it is the only proof of who you are."""

    key: str


class SeatPlan(Struct, frozen=True):
    """A person (`name`) or a bot (`bot`, a level) at a new table. The `text` of a person is added to the dice."""

    name: str | None = None
    bot: str | None = None
    text: str = ""


# Read as any text, so that a refusal can list the valid ones.
Pace: TypeAlias = Annotated[str, Parameter(schema_extra={"enum": list(PACES)})]


class NewTable(Struct, frozen=True):
    """A new table. If any part of it is refused, no table is opened.

    `rules` is the text of your own rules, instead of `book`. With `real_dice` people roll real dice and the table only
    keeps the score; the sheet then has up to 12 `games` side by side, added up if `match_total`. `key` is any text of
    your own: the same request with the same key gives the same table, and another request is refused. `pace` is how
    fast bots move: `at-once` for programs, `brisk`, or `calm` for people who want to watch every die.
    """

    book: str = DEFAULT
    coach: bool = True
    seats: list[SeatPlan] = []
    start: bool = False
    first: int | None = None  # with real dice: the seat that begins, counted from 0
    rules: str | None = None
    real_dice: bool = False
    games: int = 1
    match_total: bool = True
    key: str | None = None
    pace: Pace = CALM


class ChangesBody(Struct, frozen=True):
    """Written turns, and what they should have been."""

    changes: list[ChangeBody]


class PublicKey(Struct, frozen=True):
    """The key to check receipts with: 32 bytes as hexadecimal digits, and a short `id` for people to compare."""

    algorithm: str
    key: str
    id: str


class TableCreated(Struct, frozen=True):
    """The id of the table, the code with which others can join, and the table as you see it."""

    id: str
    join_code: str
    table: TableView


class CommandDone(Struct, frozen=True):
    """The version after the command; `repeated` if its key was used before."""

    version: int
    repeated: bool
    table: TableView


class CommandChanges(Struct, frozen=True):
    """The same, with the events that the command added, in the format of /events, instead of the table.

    A command that is `repeated` has none: ask /events for what you missed.
    """

    version: int
    repeated: bool
    events: list[dict[str, Any]]


class Invitation(Struct, frozen=True):
    """The code and the link with which others can join."""

    join_code: str
    link: str


class HoldBody(Struct, frozen=True):
    """The slots, counted from 0, of the dice that you are about to keep, and the `moment` of the table."""

    moment: int
    hold: list[int]


class HandoverBody(Struct, frozen=True):
    """The seat to hand over."""

    seat: int


class Handover(Struct, frozen=True):
    """A code, and the link with it, that gives the seat to the first person who uses it."""

    code: str
    link: str


class TakeSeatBody(Struct, frozen=True):
    """The code of a seat that was handed over."""

    code: str


class StandingTurn(Struct, frozen=True):
    """A turn on the sheet; `dice` are null if only its points were entered."""

    game: int
    turn: int
    seat: int
    dice: str | None
    box: str
    points: int
    extra: int
    saved: int


class Refused(Struct, frozen=True):
    """The reason: a code for programs, a sentence for people, and, where it matters, the table's current version.

    `kind` and `args` are what the sentence is made from, if there are any. A `conflict` is not a rule: the sheet
    differs from what the sender knew, and `stands` has its turns.
    """

    error: str
    message: str
    kind: str | None = None
    args: dict[str, str] | None = None
    version: int | None = None
    stands: list[StandingTurn] | None = None


def _refusal(about: str, code: str, said: Message, version: int | None = None) -> ResponseSpec:
    example = Example(code, value=json_body(code, said, version))
    return ResponseSpec(Refused, generate_examples=False, description=about, examples=[example])


# Refusals of any call: a bad parameter, a bad key, too many calls.
ANYWHERE = {
    400: _refusal("The request cannot be read.", "malformed", message("web.dice-are-digits", text="'six'")),
    401: _refusal("No key, or something that is none.", "no-key", message("web.no-key")),
    421: _refusal("Called by a name that is not this server's.", "other-host", message("web.other-host")),
    429: _refusal(
        "Too much from your address; Retry-After says how long to wait.", "too-many", TooMany("writes", 2).message
    ),
}
# Calls that use the database may also find it unavailable; calls that store something need room on the disk.
NO_KEY = ANYWHERE | {
    503: _refusal("The database is away, or cannot be written; it passes.", "database-away", message("store.away"))
}
BUSY = {503: _refusal("Too much waits for the coach, or the database is away.", "coach-busy", COACH_BUSY.about)}
UNKNOWN = NO_KEY | {
    404: _refusal("There is no such thing.", "unknown-table", message("table.unknown", table="'x'")),
}
REFUSALS = UNKNOWN | {
    403: _refusal("Not your turn, seat or table.", "not-your-turn", message("table.not-your-turn", player="Bob")),
    409: _refusal("Stale, full, or the wrong moment.", "stale", message("table.stale"), 12),
    413: _refusal("A body of more than 64 KiB.", "too-large", message("web.too-large", most=64)),
    422: _refusal("Against the rules.", "illegal", message("game.box-filled", box="Chance", points=21)),
}
WRITING = REFUSALS | {507: _refusal("No room on the disk for it.", "disk-full", message("store.disk-full"))}
PLAIN = {status: REFUSALS[status] for status in (400, 401, 403, 404, 409, 422, 429, 503)}

SECURITY: list[dict[str, list[str]]] = [{"key": []}]
# Actions at a table: they need a key, and are stored.
acts = partial(post, lane=MOVES, status_code=200, responses=WRITING, security=SECURITY)
COMPONENTS = Components(
    security_schemes={"key": SecurityScheme(type="http", scheme="bearer", description="A key of POST /api/players.")}
)

# Request bodies, with examples.
NewTableData = Annotated[
    NewTable,
    Body(
        examples=[
            Example(
                "against a bot",
                value={"book": DEFAULT, "seats": [{"name": "Ann"}, {"bot": "steady"}], "start": True}
                | {"pace": "at-once", "key": "my-1"},
            ),
            Example(
                "a score pad of six games",
                value={"book": SHIPPED[0], "seats": [{"name": "Ann"}, {"name": "Bob"}]}
                | {"start": True, "first": 1, "real_dice": True, "games": 6, "match_total": True},
            ),
            Example("waiting for friends", value={"book": SHIPPED[2], "coach": False, "seats": [{"name": "Ann"}]}),
        ]
    ),
]
CommandData = Annotated[
    CommandBody,
    Body(
        examples=[
            Example(title, value={"command": name, **body})
            for name, one in cmd.COMMANDS.items()
            for title, body in one.examples
        ]
    ),
]
_TWO_BOXES = [{"game": 0, "turn": 2, "box": "twos"}, {"game": 0, "turn": 6, "box": "fours"}]
ChangesData = Annotated[
    ChangesBody,
    Body(
        examples=[
            Example("other dice", value={"changes": [{"game": 0, "turn": 2, "dice": "66612"}]}),
            Example("two boxes change places", value={"changes": _TWO_BOXES}),
        ]
    ),
]
HoldData = Annotated[
    HoldBody, Body(examples=[Example("the first and the fourth die", value={"moment": 5, "hold": [0, 3]})])
]
HandoverData = Annotated[HandoverBody, Body(examples=[Example("the first seat", value={"seat": 0})])]
TakeSeatData = Annotated[TakeSeatBody, Body(examples=[Example("a code from a link", value={"code": "k2Vd…"})])]
