"""Every address of the server, and who gets what there. A new route has to be written down here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from json import dumps
from typing import Any

from fivedice.store.deals import Deal, new_name
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import new_key, player_id
from fivedice.table.service import handing_over
from fivedice.web.http.identity import Person
from fivedice.web.pages.own_data_pages import offer_code
from support.tables import finish
from web.inside import Inside
from web.stage import CODE, Scene, Seat, key_of

# "nobody" has no key; a stranger has one and no seat; the other sits here and is not on turn; the owner of
# the seat is on turn; the host opened the table and does not sit. With real dice the host has the pencil.
CALLERS = {"nobody": "", "stranger": "Dora", "other": "Bob", "owner": "Ann", "host": "Host"}
HOST = player_id(key_of("Host"))
CALLED = {"Ann": "Ann", "Bob": "Bob", "book": "Ours", "box": "Whatever"}  # names that people chose

Given = dict[str, str]


def ours() -> str:
    """House rules."""
    return f"extends = 'yatzy'\nname = {dumps(CALLED['book'])}\n\n[boxes.chance]\nname = {dumps(CALLED['box'])}\n"


def _seats() -> list[Seat]:
    return [Seat(CALLED[name], owner=name) for name in ("Ann", "Bob")]


@dataclass(frozen=True)
class Access:
    """One request, made by each kind of caller; `gets` are the statuses in the order of `CALLERS`."""

    method: str
    path: str  # as the route is written, without types
    gets: str
    at: str = "nothing"  # which of the situations below
    form: dict[str, Any] = field(default_factory=dict)
    json: dict[str, Any] | None = None
    query: str = ""
    say: str = ""  # fills {action}, where one route has several

    @property
    def name(self) -> str:
        what = self.say or (self.json or {}).get("command") or self.form.get("action", "")
        return " ".join(filter(None, (self.method, self.path, what, "" if self.at == "nothing" else self.at)))


def _nothing(_: Inside) -> Given:
    return {}


def _put(server: Inside, scene: Scene, **more: str) -> Given:
    path = server.stage.put(scene)
    return {"table": path.removeprefix("/t/"), "version": str(scene.state.version), "code": CODE} | more


def _seating(server: Inside) -> Given:
    return _put(server, server.stage.scene("yatzy", *_seats(), host="Host"))


def _playing(server: Inside) -> Given:
    given = _put(server, server.stage.scene("yatzy", *_seats(), host="Host").start().roll("24466"))
    return given | {"code": handing_over.offer_seat(server.stage.tables, given["table"], player_id(key_of("Ann")), 0)}


def _scored(server: Inside) -> Given:
    """Bob has just scored and Ann is on turn."""
    scene = server.stage.scene("yatzy", *_seats(), host="Host").start(first=1)
    return _put(server, scene.turn("24466", "chance"))


def _asked(server: Inside) -> Given:
    """Bob has scored, Ann has rolled, and Bob asks whether he may take his score back."""
    scene = server.stage.scene("yatzy", *_seats(), host="Host").start(first=1)
    return _put(server, scene.turn("24466", "chance").roll("13356").add(ev.UndoAsked(1)))


def _away(server: Inside) -> Given:
    """Ann is on turn and has left."""
    return _put(server, server.stage.scene("yatzy", *_seats(), host="Host").start().add(ev.Left(0)))


def _finished(server: Inside) -> Given:
    return _put(server, server.stage.scene("yatzy", *_seats(), host="Host").start().play_until(0))


def _proven(server: Inside) -> Given:
    """Dice that can be proven: the table has a dice lock."""
    sits = cmd.SitDown(player_id(key_of("Ann")), "Ann")
    return {"table": server.stage.tables.open(HOST, "yatzy", then=[sits, cmd.StartGame(HOST)])}


def _pad(server: Inside) -> Given:
    """Real dice: Ann and Bob play, the host writes. The first turn has been written."""
    tables = server.stage.tables
    seats = [cmd.SitDown(player_id(key_of(name)), CALLED[name]) for name in ("Ann", "Bob")]
    table = tables.open(HOST, "yatzy", real_dice=True, then=[*seats, cmd.StartGame(HOST, first=1)])
    tables.execute(table, cmd.WriteTurn(HOST, 0, 0, (2, 4, 4, 6, 6), "chance"))
    code = handing_over.offer_pencil(tables, table, HOST)
    return {"table": table, "version": str(tables.state(table).version), "code": code}


def _entered(server: Inside) -> Given:
    """The same, and the dice of the next turn have been entered."""
    given = _pad(server)
    done = server.stage.tables.execute(
        given["table"], cmd.EnterDice(HOST, (1, 3, 3, 5, 6)), version=int(given["version"])
    )
    return given | {"version": str(done.version)}


def _left(server: Inside) -> Given:
    """The same, and Ann has left the sheet."""
    given = _pad(server)
    return given | {"version": str(server.stage.tables.execute(given["table"], cmd.Retire(HOST, 0)).version)}


def _lent(server: Inside) -> Given:
    """The same, and the host has handed the pencil to Bob."""
    given = _pad(server)
    done = handing_over.take_pencil(server.stage.tables, given["table"], player_id(key_of("Bob")), given["code"])
    return given | {"version": str(done.version)}


def _dealt(server: Inside) -> Given:
    """Ann and Bob have finished a game, and Ann has made a deal of its dice."""
    tables, ann = server.stage.tables, player_id(key_of("Ann"))
    seats = [cmd.SitDown(player_id(key_of(name)), CALLED[name]) for name in ("Ann", "Bob")]
    table = tables.open(HOST, "crag", then=[*seats, cmd.StartGame(HOST)])
    finish(tables, table)
    deal = Deal(new_name(), "crag", "5" * 64, "6" * 64, tuple(range(1, 14)), table, 0, ann)
    return {"table": table, "name": server.stage.store.deals.add(deal).name, **_today(server)}


def _circle(server: Inside) -> Given:
    """Ann owns a circle, Bob is a member, and the host was removed; the old link is renewed."""
    store, ann = server.stage.store.circles, player_id(key_of("Ann"))
    for name in ("Ann", "Bob"):
        for before in store.of(player_id(key_of(name))):  # or they would be in too many
            store.delete(before.id)
    circle = store.make(ann, "The Millers", CALLED["Ann"])
    for name, called in (("Bob", CALLED["Bob"]), ("Host", "Hal")):
        store.join(circle.id, circle.code, player_id(key_of(name)), called)
    store.remove(circle.id, 3)
    found = store.find(circle.id, ann)
    code = "" if found is None else found.code
    return {"name": circle.id, "code": code, "old": circle.code, "one": "1", "two": "2", **_today(server)}


def _circle_at_play(server: Inside) -> Given:
    """The same, Ann waits for players, and there is a round."""
    given, games = _circle(server), server.app.state.services.circles
    found, members = games.require(given["name"], player_id(key_of("Ann")))
    number = games.open_round(found, members, list(members.values()), 2, "drawn", "crag")
    return given | {"table": games.play(found, members, "yatzy"), "number": str(number)}


def _house(server: Inside) -> Given:
    """A house book that the host has brought."""
    return {"key": server.stage.store.shelf.save(ours(), HOST)}


def _book(_: Inside) -> Given:
    return {"key": "yatzy", "book": "yatzy"}


def _today(_: Inside) -> Given:
    return {"day": datetime.now(UTC).date().isoformat()}


def _device_link(server: Inside) -> Given:
    """A link to another browser of someone without games: two players of one game cannot become one person."""
    someone = Person(player_id(key := new_key()), key, fresh=False)
    return {"code": offer_code(server.app.state.services, someone, spare=False)}


def _large_book(_: Inside) -> Given:
    return {"book": "maxi-yatzy"}


SITUATIONS: dict[str, Callable[[Inside], Given]] = {
    "nothing": _nothing,
    "seating": _seating,
    "playing": _playing,
    "scored": _scored,
    "asked": _asked,
    "away": _away,
    "finished": _finished,
    "proven": _proven,
    "pad": _pad,
    "entered": _entered,
    "left": _left,
    "lent": _lent,
    "dealt": _dealt,
    "circle": _circle,
    "circle at play": _circle_at_play,
    "circle of an old link": lambda server: (given := _circle(server)) | {"code": given["old"]},
    "house": _house,
    "book": _book,
    "large book": _large_book,
    "today": _today,
    "device link": _device_link,
}
KEEP = {"move": "roll", "keep": "44", "version": "{version:int}"}
MOVE = {"version": "{version}"}
CHANGE = {"game": 0, "turn": 0, "dice": "24455"}
CORRECT = {"command": "correct", "version": "{version:int}"}
ANSWER = {"command": "answer", "version": "{version:int}"}

T, A, C = "/t/{table}", "/api/tables/{table}", "/circle/{name}"
MEMBERS = "404 404 200 200 404"
OLD = {"GET": "404 404 303 303 404", "POST": "404 404 404 404 404"}
OWN = "401 200 200 200 200"
POINT = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
BROWSER = {"endpoint": "https://push.example/1", "p256dh": POINT, "auth": "AAAAAAAAAAAAAAAAAAAAAA"}
ALL, GO, NONE = "200 200 200 200 200", "303 303 303 303 303", "404 404 404 404 404"
BEYOND = "422 422 422 422 422"
SOLVED = "20x 20x 20x 20x 20x"  # 202 as long as the book is not solved


def _do(command: str, gets: str, at: str = "playing", **fields: Any) -> list[Access]:
    """The same command as a form and as JSON; what a page answers by going back to the table, a program gets as 200."""
    form = {"version": "{version}"} | {name: str(value) for name, value in fields.items()}
    whole = {"version": "{version:int}", "command": command} | fields
    page, program = gets.replace("200", "303"), "401" + gets.replace("303", "200")[3:]
    return [
        Access("POST", f"{T}/{{action}}", page, at, form=form, say=command),
        Access("POST", f"{A}/commands", program, at, json=whole),
    ]


ACCESS: list[Access] = [
    # Pages that are everybody's.
    *(
        Access("GET", path, ALL)
        for path in (
            "/",
            "/new",
            "/rules",
            "/help",
            "/api",
            "/tables",
            "/house",
            "/house/build",
            "/pad",
            "/pad/sheet",
            "/pad/offline",
        )
    ),
    *(Access("GET", path, ALL) for path in ("/fairness", "/verify", "/sw.js", "/schema", "/schema/openapi.json")),
    Access("GET", "/manifest.webmanifest", ALL),
    Access("GET", "/rules/{key}", ALL, "book"),
    Access("GET", "/pad/rules/{book}", ALL, "book"),
    *(Access("GET", f"/pad/{part}/{{book}}", BEYOND, "large book") for part in ("coach", "values")),  # for everybody
    Access("GET", "/print/{sheet}", ALL),
    Access("GET", "/favicon.ico", "204 204 204 204 204"),
    Access("GET", "/static/{file_path}", ALL),
    Access("GET", "/you", ALL),  # each sees their own
    Access("GET", "/you/data", ALL),
    Access("POST", "/you/key", "401 303 303 303 303"),
    Access("GET", "/you/delete", ALL),
    Access("POST", "/you/delete", "401 200 200 200 200"),  # asked once more
    Access("POST", "/you/delete", "401 303 303 303 303", form={"sure": "yes"}),
    Access("GET", "/health", ALL),
    Access("GET", "/metrics", ALL),  # all of them call from this machine
    Access("POST", "/verify", "422 422 422 422 422", form={"record": "nonsense"}),
    Access("GET", "/schema/{path}", NONE),  # viewers, which would load scripts from elsewhere
    Access("POST", "/passphrase", GO, form={"passphrase": "none is asked for"}),
    # Everybody may open a table of their own; a program has to say who it is. `OPENING` lists what a gate guards.
    *(Access("POST", path, GO) for path in ("/play", "/friend", "/bot", "/pad/now")),
    *(Access("POST", path, GO, form={"name": "Ann", "book": "yatzy"}) for path in ("/tables", "/pad")),
    Access("POST", "/api/players", "201 201 201 201 201"),
    Access("POST", "/api/tables", "401 201 201 201 201", json={"book": "yatzy", "seats": [{"name": "Ann"}]}),
    Access("GET", "/api/tables", "401 200 200 200 200"),
    # Books are there to be read; house rules are found by their address, which is made from their text.
    *(Access("GET", path, ALL) for path in ("/api/books", "/api/bots")),
    *(Access("GET", f"/api/books/{{key}}{part}", ALL, "book") for part in ("", "/solution")),
    Access("GET", "/api/books/{key}/differences", ALL, "book", query="?against=yahtzee"),
    Access("GET", "/api/books/{key}/text", ALL, "house"),
    Access("POST", "/api/books", "401 201 201 201 201", json={"text": ours()}),
    Access("GET", "/house/{key}", ALL, "house"),
    Access("POST", "/house", GO, form={"text": ours()}),
    Access("POST", "/house/build", "422 422 422 422 422"),
    *(Access("POST", f"/house/{{key}}/{part}", GO, "house") for part in ("open", "keep", "forget")),
    # The day is everybody's, and so is a deal with its link; everybody plays for themselves.
    *(Access("GET", path, ALL) for path in ("/daily", "/deal", "/api/daily")),
    Access("GET", "/daily/game", GO),
    *(Access("GET", f"{part}/daily/{{day}}", ALL, "today") for part in ("", "/api")),
    *(Access("GET", f"/daily/{day}/picture.svg", NONE, "today") for day in ("{day}", "ten")),  # none is finished
    Access("POST", "/daily/game", GO),
    Access("POST", "/daily/{day}", GO, "today"),
    *(Access("POST", path, "401 201 201 201 201", "today") for path in ("/api/daily", "/api/daily/{day}")),
    *(Access("GET", f"{part}/{{name}}", ALL, "dealt") for part in ("/deal", "/api/deals")),
    Access("POST", "/deal", GO, "today", form={"book": "crag", "closes": "{day}"}),
    Access("POST", "/deal/{name}", GO, "dealt"),
    Access("POST", f"{T}/deal", GO, "dealt"),
    Access("POST", "/api/deals", "401 201 201 201 201", "dealt", json={"table": "{table}"}),
    Access("POST", "/api/deals/{name}", "401 201 201 201 201", "dealt", json={}),
    # A circle is there for its members alone; others read that there is none. Its link is for everyone who has it.
    Access("GET", "/circles", ALL),
    Access("POST", "/circles", GO, form={"circle": "Ours", "name": "Zed"}),
    *(Access("GET", f"{C}{part}", MEMBERS, "circle") for part in ("", "/members", "/sheet", "/round")),
    Access("GET", f"{C}/match/{{one}}/{{two}}", MEMBERS, "circle"),
    Access("GET", f"{C}/round/{{number}}", MEMBERS, "circle at play"),
    Access("GET", f"{C}/join/{{code}}", "200 200 303 303 200", "circle"),
    Access("POST", f"{C}/join/{{code}}", GO, "circle", form={"name": "Zed"}),
    *(Access(method, f"{C}/join/{{code}}", OLD[method], "circle of an old link", {"name": "Zed"}) for method in OLD),
    Access("POST", f"{C}/play", "404 404 303 303 404", "circle"),
    Access("POST", f"{C}/deal", "404 404 303 303 404", "circle", form={"book": "crag", "closes": "{day}"}),
    Access("POST", f"{C}/sit/{{table}}", "404 404 303 303 404", "circle at play"),
    Access(
        "POST", f"{C}/round", "404 404 403 303 404", "circle", form={"here": ["1", "2"], "size": "2", "book": "crag"}
    ),
    *(
        Access("POST", f"{C}/{{action}}", f"404 404 {gets} 404", "circle", {"member": "2", **form}, say=action)
        for action, gets, form in (
            ("name", "303 303", {"name": "Zed"}),
            ("leave", "303 303", {}),
            ("rename", "403 303", {"circle": "Ours"}),
            ("renew", "403 303", {}),
            ("remove", "403 303", {}),
            ("hand-over", "403 303", {}),
            ("webhook", "403 303", {"address": "https://hook.example/"}),
            ("webhook", "403 400", {"address": "https://10.0.0.1/"}),
            ("delete", "403 400", {}),
            ("delete", "403 303", {"sure": "yes"}),
        )
    ),
    # Everyone has devices of their own. The code of a link makes its holder that person.
    *(Access("GET", path, ALL) for path in ("/devices", "/devices/turns")),
    Access("POST", "/devices/link", OWN),
    Access("GET", "/devices/join/{code}", ALL, "device link"),
    Access("POST", "/devices/join/{code}", GO, "device link"),
    Access("POST", "/devices/notices", "401 201 201 201 201", form=BROWSER),
    Access("POST", "/devices/notices", "401 400 400 400 400", form=BROWSER | {"endpoint": "http://10.0.0.1/"}),
    Access("POST", "/devices/notices/end", "401 204 204 204 204", form=BROWSER),
    # The link of a table lets a person watch it.
    *(Access("GET", f"{T}{part}", ALL, "playing") for part in ("", "/odds", "/live", "/print")),
    Access("GET", f"{T}/sheet.pdf", ALL, "playing"),
    Access("GET", "/api/key", ALL),
    *(Access("GET", path, ALL, "proven") for path in (f"{T}/receipt.json", f"{A}/receipt")),
    *(Access("GET", path, NONE, "pad") for path in (f"{T}/receipt.json", f"{A}/receipt")),  # real dice need no lock
    Access("GET", f"{T}/dice", NONE, "playing"),  # the secret of the dice is revealed when the game is over
    Access("GET", f"{T}/hint", "403 403 403 200 403", "playing"),
    Access("GET", f"{T}/record.txt", NONE, "playing"),
    Access("GET", f"{T}/record.txt", ALL, "finished"),
    *(
        Access("GET", f"{A}{part}", ALL, "playing")
        for part in ("", "/events", "/live", "/live/positions", "/position", "/sheets")
    ),
    Access("GET", f"{A}/odds", SOLVED, "playing"),
    Access("GET", f"{A}/hint", "401 403 403 20x 403", "playing"),
    Access("GET", "/api/hint", SOLVED, query="?book=yatzy&dice=24466&rolls_left=1"),
    Access("GET", f"{A}/record", NONE, "playing"),
    Access("GET", f"{A}/record", ALL, "finished"),
    Access("GET", f"{T}/end", NONE, "playing"),
    Access("GET", f"{T}/end", ALL, "finished"),
    *(Access("GET", f"{T}/{page}", NONE, "playing") for page in ("report", "picture")),
    *(Access("GET", f"{T}/{page}", ALL, "finished") for page in ("report", "picture")),
    *(
        Access("GET", f"{T}/report.{kind}", " ".join(["200|503"] * 5), "finished")
        for kind in ("json", "svg", "png", "pdf")
    ),
    Access("GET", "/report", ALL),
    *(Access("GET", f"/statistics{kind}", ALL) for kind in ("", ".csv", ".json", ".txt")),
    Access("POST", "/report", "422 422 422 422 422", form={"text": "nonsense"}),
    # Decisions: everybody answers for themselves; a program has to say who it is.
    *(Access("GET", path, ALL) for path in ("/daily/ten", "/train", "/train/themes", "/api/daily/ten/field")),
    Access("POST", "/daily/ten", GO, form={"number": "7"}),  # not the next one: nothing is stored
    Access("POST", "/daily/ten", " ".join(["303|422"] * 5), form={"number": "0"}),  # 422 where no roll is left
    *(Access("POST", path, GO) for path in ("/train", "/train/hint")),
    Access("POST", "/train/next", " ".join(["303|503"] * 5)),  # 503 as long as the book is not solved
    *(Access("GET", f"/api/{path}", "401 200 200 200 200") for path in ("daily/ten", "train")),
    Access("POST", "/api/daily/ten", "401 422 422 422 422", json={"number": 1, "keep": "77"}),
    Access("POST", "/api/train/next", "401" + 4 * " 200|503", json={"book": "yatzy"}),
    # A decision waits once the book is solved; before, there is no hint, and nothing to answer.
    Access("POST", "/api/train/hint", "401" + 4 * " 200|422"),
    Access("POST", "/api/train/answer", "401" + 4 * " 409|422", json={"box": "nonsense"}),
    Access("POST", f"{T}/coach", ALL, "playing"),  # how this browser wants to be helped: said on the page itself
    Access("POST", f"{T}/entry", GO, "pad"),  # how this browser enters dice
    # Invitations are for those who sit here, and for the host.
    Access("GET", f"{T}/join/{{code}}", ALL, "seating"),
    Access("GET", f"{T}/box/{{box}}", ALL, "playing"),
    Access("GET", f"{T}/qr.svg", "404 404 200 200 200", "seating"),
    Access("GET", f"{A}/invitation", "401 403 200 200 200", "seating"),
    *_do("sit", "403 403 200 200 200", "seating", name="Eve"),
    Access("POST", f"{T}/{{action}}", GO, "seating", {"name": "Eve", "join": "{code}"}, say="sit"),
    *_do("bot", "403 403 403 403 200", "seating", level="steady"),
    *_do("stand", "403 403 403 200 200", "seating", seat=0),
    *_do("start", "403 403 403 403 200", "seating"),
    *_do("introduce", "403 403 403 200 403", "seating", seat=0, name="Anna"),
    *_do("start-with", "403 403 403 403 200", "seating", players=3),
    # Only the player on turn may move.
    *_do("roll", "403 403 403 200 403"),
    Access("POST", f"{T}/hold", "403 403 403 204 403", "playing", {"moment": "{version}", "hold": "1"}),
    Access("POST", f"{T}/hurry", "403 403 204 204 403", "playing"),
    Access("POST", f"{T}/react", "403 403 204 204 403", "playing", {"picture": "1"}),
    Access("POST", f"{A}/hold", "401 403 403 200 403", "playing", json={"moment": "{version:int}", "hold": [1]}),
    *_do("score", "403 403 403 200 403", box="chance"),
    Access(
        "POST",
        f"{A}/moves",
        "401 403 403 200 403",
        "playing",
        json={"move": "roll", "keep": "44", "version": "{version:int}"},
    ),
    *_do("undo", "403 403 200 403 403", "scored"),
    Access("POST", f"{T}/{{action}}", "403 403 403 303 403", "asked", {**MOVE, "agree": "yes"}, say="answer"),
    Access("POST", f"{A}/commands", "401 403 403 200 403", "asked", json={**ANSWER, "agree": True}),
    # Seats are their owners'; a player who left can be passed over by the others who sit here.
    *_do("leave", "403 403 403 200 403", seat=0),
    *_do("return", "403 403 403 200 403", "away", seat=0),
    *_do("skip", "403 403 200 403 403", "away", seat=0),
    *_do("dismiss", "403 403 200 403 403", "away", seat=0),
    *_do("give-up", "403 403 403 403 200"),
    Access("POST", f"{T}/handover", "403 403 403 200 403", "playing", {"seat": "0"}),
    Access("POST", f"{A}/handover", "401 403 403 200 403", "playing", json={"seat": 0}),
    Access("GET", f"{T}/seat/{{code}}", ALL, "playing"),
    Access("POST", f"{T}/seat/{{code}}", GO, "playing"),  # the code gives the seat
    Access("POST", f"{A}/seat", "401 200 200 200 200", "playing", json={"code": "{code}"}),
    *_do("again", "403 403 200 200 403", "finished"),
    Access("POST", f"{T}/rematch", "403 403 303 303 403", "finished"),
    Access("POST", f"{A}/rematch", "401 403 200 200 403", "finished"),
    # The scorekeeper writes the score pad, and each player the own turn.
    Access("GET", T, ALL, "pad"),
    Access("GET", f"{T}/correct", "303 303 303 303 200", "pad", query="?game=0&turn=0"),  # others see the sheet
    Access("POST", f"{T}/correct", "403 403 403 403 200", "pad", {"dice-0-0": "24455"}, query="?game=0&turn=0"),
    Access("POST", f"{T}/pencil", "403 403 403 403 200", "pad"),
    Access("POST", f"{T}/spare", "403 403 403 403 200", "lent"),  # only the person who opened it, scorekeeper or not
    Access("POST", f"{A}/spare", "401 403 403 403 200", "lent"),
    Access("GET", f"{T}/pencil/{{code}}", ALL, "pad"),
    Access("POST", f"{T}/pencil/{{code}}", GO, "pad"),  # the code makes the person scorekeeper
    Access("GET", f"{A}/options/{{seat}}", ALL, "pad"),
    Access("POST", f"{A}/consequences", ALL, "pad", json={"changes": [CHANGE]}),
    Access("POST", f"{A}/pencil", "401 403 403 403 200", "pad"),
    Access("POST", f"{A}/keeper", "401 200 200 200 200", "pad", json={"code": "{code}"}),
    Access("POST", f"{A}/commands", "401 403 403 403 200", "pad", json={**CORRECT, "changes": [CHANGE]}),
    *_do("withdraw", "403 403 403 200 200", "entered"),
    *_do("write", "403 403 403 200 200", "pad", game=0, turn=1, dice="13356", box="ones"),
    *_do("enter", "403 403 403 200 200", "pad", dice="13356"),
    *_do("next", "403 403 403 403 409", "pad", game=1),
    *_do("erase", "403 403 403 403 200", "pad", game=0, turn=0),
    *_do("pass", "403 403 403 200 200", "pad", game=0, turn=1, seat=0),
    Access("POST", f"{T}/join", "403 403 403 403 303", "pad", form={"name": "Zed"}),
    Access("POST", f"{A}/commands", "401 403 403 403 200", "pad", json={"command": "join", "name": "Zed"}),
    *_do("retire", "403 403 403 403 200", "pad", seat=0),
    *_do("rejoin", "403 403 403 403 200", "left", seat=0),
    *_do("rename", "403 403 403 200 200", "pad", seat=0, name="Zed"),
    *_do("keep-score", "403 403 403 403 200", "lent"),
    Access("POST", f"{T}/end", "403 403 403 403 303", "pad"),
    Access("POST", f"{A}/commands", "401 403 403 403 200", "pad", json={"command": "end"}),
]

# What only those may do whom a gate lets in, where the operator has set one.
OPENING = {
    *("/play", "/friend", "/bot", "/pad/now", "/tables", "/pad", "/api/tables"),
    *("/daily/game", "/daily/{day}", "/deal", "/deal/{name}", "/api/daily", "/api/daily/{day}", "/api/deals/{name}"),
    *("/circles", "/circle/{name}/play", "/circle/{name}/deal", "/circle/{name}/round"),
    *("/api/books", "/house", "/house/{key}/open", "/house/{key}/keep", "/passphrase"),
}
