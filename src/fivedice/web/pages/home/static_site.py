"""The score pad on a phone: installed from a server, or as files for any web host.

A phone installs the site as an app and shows a score pad without a connection. The version of the service worker
changes whenever one of its files does. Without a server, the same pages are in one folder and link to each other by
relative addresses, so the folder may be anywhere; a sheet is stored on the phone that writes it. In several languages
each has a folder in it and a worker of its own, and the first page goes on to the language of the phone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment
from litestar.response import Response

from fivedice.core.rules import DEFAULT, SHIPPED, RuleBook, shipped
from fivedice.core.rules.book_facts import box_rule, facts
from fivedice.drawing.theme import PAGE
from fivedice.errors import FivediceError, quote
from fivedice.table.actions.rights import MOST_GAMES, MOST_SEATS
from fivedice.text import current, using, word
from fivedice.text.languages import direction
from fivedice.web.http.answers import POLICY
from fivedice.web.http.handling import get
from fivedice.web.http.page_files import STATIC, content, environment, fingerprint, static_address
from fivedice.web.pages.house_rules.rule_examples import box_dice, worked_examples
from fivedice.web.pages.pad.new_pad import MODULES, PadChoices, games_of, sheet_frame
from fivedice.web.pages.pad.rule_data import coach_data, fits, rule_data
from fivedice.web.services.app_services import AppServices

ICONS = {"home/icon-192.png": ("192x192", "any"), "home/icon-512.png": ("512x512", "any")}
ICONS |= {"home/icon-maskable.png": ("512x512", "maskable"), "core/icon.svg": ("any", "any")}
KINDS = {"png": "image/png", "svg": "image/svg+xml"}
SHORTCUTS = {"/new": "home.shortcut-new", "/pad": "home.shortcut-pad", "/tables": "home.shortcut-games"}


@get("/manifest.webmanifest", lane=None)
def manifest(services: AppServices) -> Response[str]:
    """Return the manifest in the language of the browser; it is cached only for an hour."""
    root = services.settings.root
    shortcuts = {root + path: kind for path, kind in SHORTCUTS.items()}
    found = manifest_data(f"{root}/", shortcuts, partial(static_address, root=root))
    text = json.dumps(found, ensure_ascii=False)
    headers = {"cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(text, media_type="application/manifest+json", headers=headers)


def manifest_data(home: str, shortcuts: Mapping[str, str], static: Callable[[str], str]) -> dict[str, object]:
    """Return the name, start page and icons of the site; addresses may be relative to it."""
    felt = PAGE["felt"].light
    return {
        "id": home,
        "name": "Fivedice",
        "short_name": "Fivedice",
        "description": word("home.preview"),
        "lang": current(),
        "dir": direction(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": felt,
        "theme_color": felt,
        "categories": ["games"],
        "icons": [
            {"src": static(name), "sizes": sizes, "type": KINDS[name.rpartition(".")[2]], "purpose": purpose}
            for name, (sizes, purpose) in ICONS.items()
        ],
        "shortcuts": [{"name": word(kind), "url": path} for path, kind in shortcuts.items()],
    }


WORKER_SCRIPT = STATIC / "pad" / "worker.js"
FOLDERS = ("core", "pad")  # everything that the page of a score pad loads
OTHERS = ("printing/print.css",)


def files() -> list[str]:
    """Return the files that the worker stores for use without a connection, by their paths in `static`."""
    found = (path for folder in FOLDERS for path in sorted((STATIC / folder).iterdir()) if path != WORKER_SCRIPT)
    return [*(path.relative_to(STATIC).as_posix() for path in found), *OTHERS]


@get("/sw.js", lane=None)
def worker(services: AppServices) -> Response[str]:
    """Return the service worker. It is served from the root, so that it may answer for tables, and never cached."""
    return Response(_text(services.settings.root), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _text(root: str) -> str:
    loaded, pages = [static_address(name, root) for name in files()], [root + page for page in _pages()]
    return worker_text(loaded, pages, f"{root}/pad/offline", fingerprint())


def worker_text(files: list[str], pages: list[str], offline: str, version: str) -> str:
    """Return the worker of a site with the files it stores; addresses may be relative to it."""
    text = WORKER_SCRIPT.read_text(encoding="utf-8")
    digest = sha256(f"{text}{version}".encode()).hexdigest()[:12]
    constants = {"VERSION": digest, "FILES": files, "PAGES": pages, "OFFLINE": offline}
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items()) + text


def _pages() -> list[str]:
    """Return the pages that open without a connection: the score pad, and the rules for people and for scripts."""
    books = [shipped(key) for key in SHIPPED]
    read = [f"/rules/{book.key}" for book in books]
    return ["/pad", "/pad/sheet", "/rules", *read, *(f"/pad/rules/{book.key}" for book in books)]


HOME, SHEET, RULES, OFFLINE = "index.html", "sheet.html", "rules.html", "offline.html"
WORKER, MANIFEST, MARK = "sw.js", "manifest.webmanifest", "fivedice-pad.json"
LOOKS = ("home/icon-180.png", *ICONS)  # the icons on a phone
CHOICE = "home/choose_language.js"
# The addresses on a server, and the files that replace them.
FIXED = {
    "/": HOME,
    "/pad": HOME,
    "/pad/sheet": SHEET,
    "/rules": RULES,
    "/manifest.webmanifest": MANIFEST,
}
_addresses = re.compile(r'="(/[^"]*)"')
_of_rules = re.compile(r"/(?:rules|house)/([a-z0-9-]+)").fullmatch


@dataclass(frozen=True)
class Site:
    """All files, by their names in the folder."""

    books: Mapping[str, RuleBook]  # by their names in addresses
    coaches: Mapping[str, bytes] = field(default_factory=dict)  # the values of books that have a coach
    languages: Mapping[str, str] = field(default_factory=dict)  # with their own names, if there are several

    def write(self, folder: Path) -> int:
        """Write the site into a folder and return its size in bytes.

        The folder must be new, empty, or hold an older site. Raise FivediceError otherwise.
        """
        _check(folder)
        found = dict(self._files())
        try:
            for old in _previous_files(folder) - found.keys():
                (folder / old).unlink(missing_ok=True)
            for name, body in found.items():
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(body)
        except OSError as error:
            raise FivediceError("cli.unwritable", file=quote(str(folder)), reason=error.strerror) from None
        return sum(map(len, found.values()))

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files, and last their complete list."""
        loaded = {_static(name): content(name) for name in files()}
        found = loaded | {_static(name): content(name) for name in LOOKS}
        found |= {f"coach/{address}.bin": values for address, values in self.coaches.items()}
        if self.languages:
            loaded |= {_static(CHOICE): content(CHOICE)} | dict(self._choices())
            found |= loaded
        for language in self.languages or (current(),):
            with using(language):
                found |= self._in_language(f"{language}/" if self.languages else "", loaded)
        yield from found.items()
        yield MARK, _json(sorted([*found, MARK]))

    def _choices(self) -> Iterator[tuple[str, bytes]]:
        """Yield the pages that go on to the same page in the language of the phone."""
        for page in (HOME, SHEET):
            context = {"languages": self.languages, "page": page, "static": _static, "policy": _policy()}
            yield page, environment().get_template("pad/pad_languages.html").render(context).encode()

    def _in_language(self, folder: str, shared: dict[str, bytes]) -> dict[str, bytes]:
        """Return the files in the current language. Those in a folder of their own link to shared ones above it."""
        up = "../" if folder else ""
        rules = dict(self._rules())
        worker = f"sw-{folder[:-1]}.js" if folder else WORKER
        pages = dict(self._pages(rules, up, worker))
        files = {folder + name: body for name, body in (rules | pages).items()}
        digest = sha256()
        for body in (shared | files).values():
            digest.update(sha256(body).digest())
        loaded = [*shared, *(folder + name for name in rules)]
        opened = ["./", *(folder + name for name in pages)]
        files[worker] = worker_text(loaded, opened, folder + OFFLINE, digest.hexdigest()).encode()
        files[folder + MANIFEST] = _json(manifest_data(up or "./", {}, lambda name: up + _static(name)))
        for address, values in self.coaches.items():
            link = f"{up}coach/{address}.bin?of={_tag(values)}"
            files[folder + _coach_file(address)] = _json(coach_data(link, values))
        return files

    def _rules(self) -> Iterator[tuple[str, bytes]]:
        for address, book in self.books.items():
            coach = {"coach": {"about": _coach_file(address), "hint": None}} if address in self.coaches else {}
            yield _rules_file(address), msgspec.json.encode(rule_data(book) | coach)

    def _pages(self, rules: Mapping[str, bytes], up: str, worker: str) -> Iterator[tuple[str, bytes]]:
        """Yield the pages. They link to the rules by their hash, so that a phone knows whether it has them."""
        templates = environment()
        templates.globals |= {"static": lambda name: up + _static(name), "standalone": True, "policy": _policy()}
        if self.languages:
            templates.globals |= {"has_address": True, "address": up + HOME, "languages": lambda: self.languages}
        chosen = PadChoices(book=DEFAULT if DEFAULT in self.books else next(iter(self.books)))
        own = {key: book for key, book in self.books.items() if key not in SHIPPED}
        set_up = {
            "books": [book for key, book in self.books.items() if key in SHIPPED],
            "mine": own,
            "chosen": chosen,
            "most_seats": MOST_SEATS,
            "most_games": MOST_GAMES,
            "games_of": games_of,
            "rules_link": lambda _, address: f"{_rules_file(address)}?of={_tag(rules[_rules_file(address)])}",
        }
        frame = sheet_frame({"setUp": up + HOME})  # a link to a sheet is opened in the language of the other phone
        page = partial(_page, templates, {**FIXED, "/sw.js": up + worker})
        yield HOME, page("pad/pad_set_up.html", "/pad", set_up)
        yield SHEET, page("pad/pad_sheet.html", "", {"pad": frame, "modules": MODULES})
        yield OFFLINE, page("pad/pad_offline.html", "", {})
        yield RULES, page("house_rules/rules.html", "/rules", {"shelf": self.books})
        for address, book in self.books.items():
            context = {"book": book, "facts": facts(book), "box_rule": box_rule}
            context |= {"box_dice": box_dice(book), "examples": worked_examples(book)}
            yield _rules_page(address), page("house_rules/book.html", "/rules/", context)


def site_books(house: Sequence[RuleBook]) -> dict[str, RuleBook]:
    """Return the shipped books and these. Where two have the same key, the later one gets part of its fingerprint."""
    found = {key: shipped(key) for key in SHIPPED}
    for book in dict.fromkeys(house):
        if not fits(book):
            raise FivediceError("web.too-many-options")
        found[book.key if book.key not in found else f"{book.key}-{book.fingerprint[:8]}"] = book
    return found


def _check(folder: Path) -> None:
    """Raise FivediceError rather than overwrite a folder that has something else."""
    if folder.exists() and not folder.is_dir():
        raise FivediceError("cli.pad-not-a-folder", folder=quote(str(folder)))
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise FivediceError("cli.pad-folder-taken", folder=quote(str(folder)))


def _previous_files(folder: Path) -> set[str]:
    """Return the files of an older site from its list, ignoring names outside the folder."""
    try:
        names = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    listed = {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
    return {name for name in listed if (folder / name).resolve().is_relative_to(folder.resolve())}


def _page(
    templates: Environment, fixed: Mapping[str, str], template: str, path: str, context: Mapping[str, Any]
) -> bytes:
    text = templates.get_template(template).render(path=path, key="", site="", **context)
    return _addresses.sub(lambda found: f'="{_file_for(found[1], fixed)}"', text).encode()


def _file_for(path: str, fixed: Mapping[str, str]) -> str:
    """Return the file for an address of the server. An address without one is a mistake in the page."""
    book = _of_rules(path)
    if book is not None:
        return _rules_page(book[1])
    if path not in fixed:
        raise AssertionError(f"no file stands for {path}")
    return fixed[path]


def _tag(body: bytes) -> str:
    return sha256(body).hexdigest()[:12]


def _static(name: str) -> str:
    return f"static/{fingerprint()}/{name}"


def _rules_file(address: str) -> str:
    return f"rules/{address}.json"


def _rules_page(address: str) -> str:
    return f"rules-{address}.html"


def _coach_file(address: str) -> str:
    return f"coach/{address}.json"


def _policy() -> str:
    """Return the content security policy of the server, without the rule that a page cannot set for itself."""
    return "; ".join(rule for rule in POLICY if not rule.startswith("frame-ancestors"))


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
