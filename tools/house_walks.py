"""Record what a request passes through: the server runs in this process, and a profiler notes names.

It imports only the command line of the package and sends forms as the pages contain them, so the same walks can be
measured before and after modules move.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

FRAGMENT = {"Fivedice-Fragment": "1"}  # how our scripts ask for the changing part alone
HOUSE_RULE = 'extends = "yahtzee"\nname = "Ours {number}"\n\n[boxes.full_house]\npoints = 30\n'
CORRECTED = ("11123", "11124", "11125", "11126", "11134", "11135", "11136", "11145")
WARM, MEASURED = 2, 5
AFTERWARDS = 0.1  # seconds in which a server tidies up after its answer, as a part of the walk
PATIENCE = 300.0
# A job in the background gets little time on a busy machine, so record for longer.
SHORT, LONG, IDLE = 0.25, 4.0, 0.03
_NO_FUNCTION = ("<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")

Changes = Mapping[str, list[str]]
Walk = Callable[["Visitors", int], Callable[[], object]]


@dataclass(frozen=True)
class Passed:
    """The files, functions and templates that one walk passed through."""

    functions: frozenset[tuple[str, str]]
    templates: frozenset[str]

    @property
    def files(self) -> frozenset[str]:
        return frozenset(file for file, _ in self.functions)


class Recorder:
    """Writes down which code runs in any thread that is started after `attach`."""

    def __init__(self, source: Path) -> None:
        self._source = f"{source}{os.sep}"
        self._on = False
        self._codes: dict[int, CodeType] = {}

    def attach(self) -> None:
        threading.setprofile(self._call)

    def _call(self, frame: FrameType, event: str, _: Any) -> None:
        if self._on and event == "call":
            self._codes[id(frame.f_code)] = frame.f_code

    def passed(self, action: Callable[[], object]) -> Passed:
        self._codes = {}
        self._on = True
        action()
        time.sleep(AFTERWARDS)
        self._on = False
        return self._sorted()

    def _sorted(self) -> Passed:
        """Return what was passed. A comprehension is part of its function; a compiled template is Python too."""
        ours = [code for code in list(self._codes.values()) if code.co_filename.startswith(self._source)]
        named = {(code.co_filename.removeprefix(self._source), code.co_qualname) for code in ours}
        functions = {(file, name) for file, name in named if file.endswith(".py") and not name.endswith(_NO_FUNCTION)}
        return Passed(frozenset(functions), frozenset(file for file, _ in named if not file.endswith(".py")))


@dataclass
class Form:
    """A form as a browser would send it untouched, and its named buttons."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def filled(self, changes: Changes, button: tuple[str, str] | None) -> list[tuple[str, str]]:
        kept = [(name, value) for name, value in self.fields if name not in changes]
        added = [(name, value) for name, values in changes.items() for value in values]
        return [*kept, *added, *([button] if button else [])]


class _Forms(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select: str | None = None
        self._options: list[tuple[bool, str]] = []  # whether it is selected, and its value
        self._area: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action", "")))
        elif self.forms and tag == "input":
            self._input(given)
        elif self.forms and tag == "button" and "name" in given:
            self.forms[-1].buttons.append((given["name"], given.get("value", "")))
        elif tag == "select":
            self._select, self._options = given.get("name"), []
        elif tag == "option":
            self._options.append(("selected" in given, given.get("value", "")))
        elif self.forms and tag == "textarea" and "name" in given:
            self._area = given["name"]
            self.forms[-1].fields.append((self._area, ""))

    def _input(self, given: dict[str, str]) -> None:
        kind, unchecked = given.get("type", "text"), "checked" not in given
        if "name" not in given or kind in {"file", "submit"} or (kind in {"checkbox", "radio"} and unchecked):
            return
        self.forms[-1].fields.append((given["name"], given.get("value", "")))

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].fields[-1] = self._area, data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = None
        if tag == "select" and self.forms and self._select and self._options:
            chosen = [value for selected, value in self._options if selected]
            self.forms[-1].fields.append((self._select, chosen[-1] if chosen else self._options[0][1]))


@dataclass(frozen=True)
class Page:
    """An answer and its address after all redirects."""

    url: str
    text: str

    def form(self, action: str, having: str = "") -> Form:
        """Return the form whose address ends like this; of several, the one with this field."""
        forms = [form for form in _Forms(self.text).forms if form.action.split("?")[0].endswith(action)]
        named = [form for form in forms if not having or having in dict(form.fields)]
        if not named:
            raise LookupError(f"{self.url} has no form for {action}")
        return named[0]


class Browser:
    """A client with its own cookies. It follows redirects; a refusal is an error."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._stream: HTTPResponse | None = None

    def get(self, path: str, headers: dict[str, str] | None = None) -> Page:
        return self._page(Request(urljoin(self._base, path), headers=headers or {}))  # noqa: S310 - our own server

    def send(
        self,
        form: Form,
        changes: Changes | None = None,
        *,
        button: tuple[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Page:
        body = urlencode(form.filled(changes or {}, button)).encode()
        return self._page(Request(urljoin(self._base, form.action), body, headers or {}))  # noqa: S310

    def listen(self, path: str) -> None:
        """Open a stream; a client has one at a time."""
        if self._stream is not None:
            self._stream.close()
        self._stream = self._opener.open(urljoin(self._base, path), timeout=PATIENCE)

    def hear(self) -> None:
        """Wait for the next version in the stream."""
        while self._stream is not None and b"event: version" not in self._stream.readline():
            pass

    def _page(self, request: Request) -> Page:
        with self._opener.open(request, timeout=PATIENCE) as answer:
            return Page(answer.url, answer.read().decode())


class Visitors:
    """The two people of the walks: a player and a spectator."""

    def __init__(self, base: str) -> None:
        self.ann, self.eve = Browser(base), Browser(base)

    def table(self) -> Page:
        """Open a game of two people at one device, and roll."""
        form = self.ann.get("/new").form("/tables")
        page = self.ann.send(form, {"name": ["Ann", "Bob"], "book": ["yahtzee"]}, button=form.buttons[0])
        return self.ann.send(page.form("/roll"))

    def pad(self) -> Page:
        """Open a score pad and write one entry of each player."""
        chosen = {"name": ["Ann", "Bob"], "book": ["yahtzee"], "games": ["1"]}
        page = self.ann.send(self.ann.get("/pad").form("/pad"), chosen)
        for _ in range(2):
            page = self.ann.send(page.form("/enter"), {"dice": ["11234"]})
            score = page.form("/score")
            page = self.ann.send(score, button=score.buttons[0])
        return page


def roll(people: Visitors, _: int) -> Callable[[], object]:
    """From the form, sent as the page's own script does, to the redrawn table."""
    form = people.table().form("/roll")
    return lambda: people.ann.send(form, {"hold": ["0", "1"]}, headers=FRAGMENT)


def redraw(people: Visitors, _: int) -> Callable[[], object]:
    """The stream has told a screen of somebody who looks on that dice were rolled: it fetches the table."""
    page = people.table()
    path = page.url
    people.eve.get(path)
    people.eve.listen(f"{path}/live?after=0")
    people.eve.hear()
    people.ann.send(page.form("/roll"), headers=FRAGMENT)
    people.eve.hear()
    return lambda: people.eve.get(path, FRAGMENT)


def hint(people: Visitors, _: int) -> Callable[[], object]:
    """The panel of the coach, once the game has been worked out."""
    address = f"{people.table().url}/hint"
    deadline = time.monotonic() + PATIENCE
    while "data-wait" in people.ann.get(address, FRAGMENT).text and time.monotonic() < deadline:
        time.sleep(0.5)
    address = f"{people.table().url}/hint"  # at a table where nobody has asked yet
    return lambda: people.ann.get(address, FRAGMENT)


def correction(people: Visitors, number: int) -> Callable[[], object]:
    """Changed and checked before; here it is saved, until the pad is shown again."""
    page = people.pad()
    link = re.search(r'href="([^"]*/correct\?[^"]*)"', page.text)
    if link is None:
        raise LookupError(f"{page.url} has nothing to correct")
    form = people.ann.get(link[1].replace("&amp;", "&")).form("/correct")
    dice = next(name for name, _ in form.fields if name.startswith("dice"))
    changes = {dice: [CORRECTED[number % len(CORRECTED)]]}
    checked = people.ann.send(form, changes, button=form.buttons[0]).form("/correct")
    return lambda: people.ann.send(checked, button=checked.buttons[0])


def house_rule(people: Visitors, number: int) -> Callable[[], object]:
    """A text that was not there before, until its page is shown. It plays like one that has been worked out."""
    form = people.ann.get("/house").form("/house", having="text")
    return lambda: people.ann.send(form, {"text": [HOUSE_RULE.format(number=number)]})


WALKS: dict[str, Walk] = {
    "one roll": roll,
    "one other screen's redraw": redraw,
    "one hint": hint,
    "one correction on a score pad": correction,
    "one house rule": house_rule,
}


def walk_all(source: Path, folder: Path) -> dict[str, Passed]:
    """All walks on a server with a database of its own in this folder."""
    recorder = Recorder(source)
    recorder.attach()
    with contextlib.redirect_stderr(io.StringIO()):  # the log, which is written as anywhere
        people = Visitors(_serve(folder))
        return {name: _walk(recorder, people, walk) for name, walk in WALKS.items()}


def _walk(recorder: Recorder, people: Visitors, walk: Walk) -> Passed:
    """Caches are filled first; of what is measured, the one in the middle."""
    found = []
    for number in range(WARM + MEASURED):
        action = walk(people, number)
        _wait_until_quiet(LONG if number == WARM else SHORT)
        found.append(recorder.passed(action))
    measured = sorted(found[WARM:], key=lambda passed: len(passed.functions))
    return measured[MEASURED // 2]


def _wait_until_quiet(seconds: float) -> None:
    """Until nothing has been worked out in the background for so long, by the processor time of all threads."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        before = time.process_time()
        time.sleep(seconds)
        if time.process_time() - before < IDLE:
            return


def _serve(folder: Path) -> str:
    """Start `fivedice serve` in a thread, which ends with this process; its address."""
    from fivedice.cli import main

    port = _free_port()
    settings = folder / "settings.toml"
    settings.touch()
    os.environ |= {"FIVEDICE_CONFIG": str(settings), "FIVEDICE_CACHE": str(folder), "FIVEDICE_DATA": str(folder)}
    os.environ |= {"FIVEDICE_DATABASE": f"sqlite:///{folder / 'tables.db'}", "FIVEDICE_PREPARE": "no"}
    sys.argv = ["fivedice", "serve", "--port", str(port)]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the command would set a handler, which no thread may
    with contextlib.redirect_stdout(io.StringIO()):
        server = threading.Thread(target=main, daemon=True)
        server.start()
        _wait_for(port, server)
    return f"http://127.0.0.1:{port}"


def _free_port() -> int:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as found:
        port: int = found.getsockname()[1]
        return port


def _wait_for(port: int, server: threading.Thread) -> None:
    while server.is_alive():
        try:
            Browser(f"http://127.0.0.1:{port}").get("/help")
        except URLError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError("the server did not start; `fivedice serve` says why")
