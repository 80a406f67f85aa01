"""Attacks from one address that break no limit, for campaign `siege` and its short version.

One attack breaks them, from an address of its own.

Run as a program it attacks a server of the loopback until its time is over or it is ended, and prints what it got:
`python -m web.attacks PORT SECONDS`. It is a process of its own, so that it does not slow down whoever measures.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Event, Thread, Timer
from typing import Any

import httpx

from sharing.play import look, next_move, open_table, play_out, send
from web.serving import NO_CERTIFICATES

ADDRESS = "127.0.0.2"  # another than the players'
HURRIED = "127.0.0.3"  # of one who asks without a pause, and is refused most of the time
KEY = "attacker-" + "a" * 24
PACE = 0.25  # seconds between two requests of one attack: all of them together are what one client may ask
LINES = 90  # connections that each attack on connections holds: all of them together stay within what one may have

BRACKETS = "[" + "+" * 32_000
DEEP = "[" * 30_000
ROLL_OFFS = '[Fivedice "1"]\n[Book "yahtzee"]\n[Players "Ann" "Bob"]\n[RollOff ' + '"11" ' * 7_000 + '"12"]\n\n* 0 0\n'
LATE = "1s:3,2s:6,3s:9,4s:12,3k:20,4k:0,fh:25,ss:30"  # five boxes are open
LARGE_RULES = 'extends = "yahtzee"\ndice = 6\nfaces = 9\n'
Statuses = Counter[int]  # 0 is a line that was cut


@dataclass
class Prey:
    """The attackers' data at the server: a running table, a pad, a finished table, and large rules."""

    port: int
    playing: str = ""
    over: str = ""
    pad: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, address: str = ADDRESS) -> httpx.Client:
        line = httpx.HTTPTransport(local_address=address, verify=NO_CERTIFICATES)
        headers = {"authorization": f"Bearer {KEY}"}
        return httpx.Client(base_url=self.url, transport=line, headers=headers, timeout=30)

    def prepare(self) -> Prey:
        with self.client() as client:
            client.base_url = httpx.URL(f"{self.url}/api/")
            self.playing = open_table(client, "Ann", "Bob")
            send(client, self.playing, next_move(look(client, self.playing)))  # or the coach had nothing to look at
            self.over = open_table(client, "Ann")
            play_out(client, self.over)
            plan = {"book": "maxi-yatzy", "seats": [{"name": "Ann"}], "start": True, "real_dice": True}
            self.pad = client.post("/tables", json=plan).json()["id"]
        return self


Ask = Callable[[httpx.Client, Prey, int], httpx.Response]  # the number counts the requests of an attack


def get(path: str) -> Ask:
    return lambda client, prey, number: client.get(_fill_path(path, prey, number))


def post(path: str, *, json: Any = None, **form: str) -> Ask:
    if json is not None:
        return lambda client, prey, number: client.post(_fill_path(path, prey, number), json=json)
    return lambda client, prey, number: client.post(_fill_path(path, prey, number), data=form)


def raw(path: str, content: str) -> Ask:
    head = {"content-type": "application/json"}
    return lambda client, prey, number: client.post(_fill_path(path, prey, number), content=content, headers=head)


def _fill_path(path: str, prey: Prey, number: int) -> str:
    return path.format(playing=prey.playing, over=prey.over, pad=prey.pad, number=number)


def leave_and_return(client: httpx.Client, prey: Prey, number: int) -> httpx.Response:
    version = client.get(f"/api/tables/{prey.playing}").json().get("version", 0)
    command = {"command": ("leave", "return")[number % 2], "seat": 0, "version": version}
    return client.post(f"/api/tables/{prey.playing}/commands", json=command)


def own_rules(number: int) -> str:
    return f'extends = "yahtzee"\n\n[boxes.full_house]\npoints = {number}\n'


def solve_own_rules(client: httpx.Client, _: Prey, number: int) -> httpx.Response:
    book = client.post("/api/books", json={"text": own_rules(number)}).json().get("id", "none")
    return client.get(f"/api/books/{book}/solution")


def odds_of_own_rules(client: httpx.Client, _: Prey, number: int) -> httpx.Response:
    plan = {"rules": own_rules(200 + number), "seats": [{"name": "Ann"}, {"name": "Bob"}], "start": True}
    table = client.post("/api/tables", json=plan).json().get("id", "none")
    return client.get(f"/api/tables/{table}/odds")


def make_deals(client: httpx.Client, prey: Prey, number: int) -> httpx.Response:
    """Deal the same game again and again, or new dice to ever more groups."""
    last = (datetime.now(UTC) + timedelta(days=7)).date().isoformat()
    return client.post("/api/deals", json={"table": prey.over} if number % 2 else {"closes": last, "title": "x" * 60})


def make_circles(client: httpx.Client, _: Prey, number: int) -> httpx.Response:
    """Make circles until there are enough, join with ever more names, and open rounds."""
    made = client.post("/circles", data={"circle": f"Ours {number}", "name": "x" * 60})
    if not (path := made.headers.get("location", "")).endswith("/members"):
        return made
    page = client.get(path).text
    link = page.partition('id="link" readonly value="')[2].partition('"')[0]
    for each in range(5):
        one = {"authorization": f"Bearer {KEY}-{number}-{each}"}
        client.post(httpx.URL(link or "/circles").path, data={"name": f"Mate {each}"}, headers=one)
    form = {"here": [str(each) for each in range(1, 7)], "size": "2", "how": "standing", "book": "crag"}
    return client.post(path.replace("/members", "/round"), data=form)


BOTS = {"book": "yahtzee", "seats": [{"bot": "steady"}, {"bot": "steady"}], "start": True, "pace": "at-once"}
ATTACKS: dict[str, Ask] = {
    # Attacks that once worked.
    "a header of brackets": post("/house", text=BRACKETS),
    "the same by the API": post("/api/books", json={"text": BRACKETS}),
    "the same with a table": post("/api/tables", json={"rules": BRACKETS, "seats": [{"name": "Ann"}]}),
    "seven thousand roll-offs": post("/verify", record=ROLL_OFFS),
    "roll-offs in a report": post("/report", text=ROLL_OFFS),
    "how the dice fell": get("/fairness"),
    "the day": get("/daily?n={number}"),
    "practice of the day": post("/api/daily", json={}),
    "deals": make_deals,
    "circles": make_circles,
    "one's own circles": get("/circles?n={number}"),
    "circles that are not there": get("/circle/nothing-{number}"),
    "links of circles": get("/circle/nothing/join/{number}"),
    "reports as PDF": get("/t/{over}/report.pdf"),
    "options of a large sheet": get("/api/tables/{pad}/options/0"),
    "a log as a whole": get("/api/tables/{over}/events?after=0"),
    "rematches": post("/api/tables/{over}/rematch", json={}),
    "leave and return": leave_and_return,
    "new tables": post("/api/tables", json={"book": "yatzy", "seats": [{"name": "Ann"}]}),
    "deeply nested": raw("/api/tables", DEEP),
    "a path of zeros": get("/static/%00{number}"),
    # And others.
    "tables of bots": post("/api/tables", json=BOTS),
    "large rules": post("/api/books", json={"text": LARGE_RULES}),
    "pictures": get("/t/{over}/report.png"),
    "sheets for paper": get("/print/yahtzee.pdf?players=8&games=6&n={number}"),
    "rules compared": get("/rules/yahtzee?against=yatzy&n={number}"),
    "statistics": get("/statistics"),
    "the ten of a day": get("/daily/ten"),
    "answers to the ten": post("/daily/ten", number="0", box="chance"),
    "decisions to train": post("/train/next", book="yatzy"),
    "hints in training": post("/train/hint"),
    "answers in training": post("/train", question="0" * 16, box="chance"),
    "the trainer and its themes": get("/train/themes?book=yatzy&n={number}"),
    "days of other years": get("/daily/2{number:03}-01-01"),
    "pictures of the day": get("/daily/ten/picture.svg?n={number}"),
    "names of deals": get("/deal/d{number:012}"),
    "the field of the ten": get("/api/daily/ten/field?n={number}"),
    "one's own strength": get("/statistics.json?n={number}"),
    "the description of the API": get("/schema/openapi.json"),
    "the coach": get("/api/tables/{playing}/hint"),
    "a total to reach": get("/api/tables/{playing}/hint?aim=2{number}"),
    "a total that is near": get(f"/api/hint?book=yahtzee&dice=24466&rolls_left=1&card={LATE}&aim=1{{number}}"),
    "to win": get(f"/api/hint?book=yatzy&dice=24466&rolls_left=1&aim=win&against=1s:{{number}}|{'-|' * 6}-"),
    "chances": get("/api/tables/{playing}/odds"),
    "solutions of own rules": solve_own_rules,
    "odds of own rules": odds_of_own_rules,
    "positions": get("/api/hint?book=yatzy&dice=24466&rolls_left=1&n={number}"),
    "moves of yesterday": post("/api/tables/{playing}/commands", json={"command": "roll", "version": 1}),
    "the table itself": get("/t/{playing}"),
    "what is kept": get("/you/data"),
    "tables that are not there": get("/t/nothing-{number}"),
    "addresses that lead nowhere": get("/nothing-{number}"),
    "the same at the API": get("/api/nothing-{number}"),
    "the page to verify a record": get("/verify"),
    "sheets of a game": get("/t/{over}/sheet.pdf"),
    "a house that is built": post("/house/build", base="yahtzee"),
}


def ask_on(prey: Prey, ask: Ask, stop: Event, times: int = sys.maxsize) -> Statuses:
    """As fast as the answers come, over one line, with hardly a pause."""
    found = Statuses()
    with prey.client() as client:
        for number in range(times):
            try:
                found[ask(client, prey, number).status_code] += 1
            except httpx.HTTPError:
                found[0] += 1
            if stop.wait(PACE):
                break
    return found


# --- connections that are not used as they are meant ---


def _line(prey: Prey) -> socket.socket:
    return socket.create_connection(("127.0.0.1", prey.port), 5, (ADDRESS, 0))


def _hold_connection(prey: Prey, say: bytes, stop: Event, *, once_more: bytes = b"") -> Statuses:
    """Lines that say something and then next to nothing; one that is cut is followed by another."""
    found, lines = Statuses(), dict[int, socket.socket]()
    for number in count():
        place = number % LINES
        with suppress(OSError):
            if place not in lines:
                lines[place] = _line(prey)
                lines[place].sendall(say.replace(b"PLAYING", prey.playing.encode()))
            elif once_more:
                lines[place].sendall(once_more)
            found[200] += 1
        if stop.wait(PACE):
            break
    for line in lines.values():
        line.close()
    return found


def ask_without_pause(prey: Prey, stop: Event) -> Statuses:
    found = Statuses()
    with prey.client(HURRIED) as client:
        while not stop.is_set():
            found[client.get("/nothing").status_code] += 1
    return found


HEAD = b" HTTP/1.1\r\nhost: localhost\r\n"
SLOW: dict[str, Callable[[Prey, Event], Statuses]] = {
    "heads without end": lambda prey, stop: _hold_connection(prey, b"GET /" + HEAD, stop, once_more=b"x: y\r\n"),
    "bodies without end": lambda prey, stop: _hold_connection(
        prey, b"POST /verify" + HEAD + b"content-length: 60000\r\n\r\n", stop, once_more=b"a"
    ),
    "readers who do not read": lambda prey, stop: _hold_connection(
        prey, 40 * (b"GET /t/PLAYING" + HEAD + b"\r\n"), stop
    ),
    "requests without a pause": ask_without_pause,
    "streams held open": lambda prey, stop: _hold_connection(
        prey, b"GET /api/tables/PLAYING/live" + HEAD + b"\r\n", stop
    ),
}


def attack(prey: Prey, seconds: float) -> dict[str, Statuses]:
    """Everything at once."""
    stop, found = Event(), dict[str, Statuses]()

    def note(name: str, work: Callable[[], Statuses]) -> None:
        found[name] = work()

    def works() -> Iterator[tuple[str, Callable[[], Statuses]]]:
        for name, ask in ATTACKS.items():
            yield name, lambda ask=ask: ask_on(prey, ask, stop)  # type: ignore[misc]
        for name, hold in SLOW.items():
            yield name, lambda hold=hold: hold(prey, stop)  # type: ignore[misc]

    threads = [Thread(target=note, args=work, daemon=True) for work in works()]
    for thread in threads:
        thread.start()
    timer = Timer(seconds, stop.set)
    timer.start()
    for thread in threads:
        thread.join(seconds + 60)
    timer.cancel()
    return found


if __name__ == "__main__":
    os.nice(10)  # it would be another machine, and not one of these cores
    print(json.dumps(attack(Prey(int(sys.argv[1])).prepare(), float(sys.argv[2]))))
