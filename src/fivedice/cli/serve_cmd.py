"""`fivedice serve`: the web server; `fivedice pad`: the score pad as files for any web server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape

from fivedice.cli.command_list import read_language
from fivedice.cli.output import console, print_json, table, tell
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book
from fivedice.text import current, using, word
from fivedice.text.languages import menu


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    database: str | None = None,
    base_url: str | None = None,
    path: str | None = None,
    bot_pause: float | None = None,
    open_browser: bool | None = None,
    prepare: bool | None = None,
    language: str | None = None,
    show_config: bool = False,
    json: bool = False,
) -> None:
    """Serve the games to browsers, and open one if asked to.

    Examples: `fivedice serve --open-browser`, `fivedice serve --host 0.0.0.0 --port 80`,
    `fivedice serve --show-config`.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 lets other devices in.
    port
        The port to listen on; the next free one is taken if it is in use and was not asked for.
    database
        Where games are kept: sqlite:////var/lib/fivedice/tables.db, or postgresql://user@host/name for several
        processes.
    base_url
        How the outside world sees us, such as https://dice.example, for links and QR codes.
    path
        The path below which all addresses lie, such as /dice, where the host has other sites too.
    bot_pause
        Seconds between the moves of a bot.
    open_browser
        Open the first page in the browser.
    prepare
        Solve the shipped rules in the background, so that the first hint does not wait.
    language
        The language of pages for browsers that ask for none of ours, such as de; English without it.
    show_config
        Show every setting and where it comes from, and stop.
    json
        With --show-config: as JSON.
    """
    from fivedice.web.server import load, run

    flags = {"host": host, "port": port, "database": database, "base_url": base_url, "path": path}
    found, settings = load(
        flags | {"bot_pause": bot_pause, "open_browser": open_browser, "prepare": prepare, "language": language}
    )
    if show_config:
        _show(found, settings, as_json=json)
        return
    run(settings, explicit_port=found["port"][1] != "default")


def _show(found: dict[str, tuple[Any, str]], settings: Any, *, as_json: bool) -> None:
    from fivedice.store.database import hide_password as without_password
    from fivedice.web.http.settings import HIDDEN

    values = dict(found)
    values["database"] = (without_password(found["database"][0]) if found["database"][0] else "", found["database"][1])
    values["passphrase"] = (HIDDEN if found["passphrase"][0] else "", found["passphrase"][1])
    if as_json:
        print_json({name: {"value": value, "from": source} for name, (value, source) in values.items()})
        return
    listed = table(*(word(f"cli.column.{name}") for name in ("setting", "value", "from")))
    for name, (value, source) in values.items():
        listed.add_row(name, escape(str(value)) or "-", escape(source))
    console().print(listed)
    tell("cli.database", database=without_password(settings.database_url), soft_wrap=True)


def pad(*books: str, out: Path, coach: bool = False, languages: str = "all", json: bool = False) -> None:
    """Write the score pad as a web site that needs no server.

    Put the folder on any web space, or open it with `python3 -m http.server`. Phones can install it over https. It has
    all shipped rules in all languages: it speaks the language of the phone, or the one that is chosen there.

    Examples: `fivedice pad --out score-pad`, `fivedice pad my-house.toml --out score-pad`,
    `fivedice pad --out score-pad --coach`, `fivedice pad --out score-pad --languages de,fr`.

    Parameters
    ----------
    books
        House rules to offer beside the shipped rules: the paths of their .toml files.
    out
        The folder to write: a new or empty one, or one with an older score pad, which is replaced.
    coach
        Add the coach for all rules that are solved on this computer and fit a phone: 0.5 to 2 MB each.
    languages
        The languages that it knows, such as en,de: the first is for phones that speak none of them.
    json
        Print the folder, its bytes and its rules as JSON.
    """
    from fivedice.web.pages.home import static_site as site

    offered = site.site_books([find_book(name) for name in books if name not in SHIPPED])
    coaches = _coaches(offered) if coach else {}
    known = _languages(languages)
    with using(next(iter(known))):
        size = site.Site(offered, coaches, known if len(known) > 1 else {}).write(out)
    if json:
        print_json({"folder": str(out), "bytes": size, "rules": [*offered], "coach": [*coaches]})
        return
    tell("cli.pad-written", folder=str(out), size=f"{size / 1e6:.1f}", count=len(offered), soft_wrap=True)
    if coach:
        without = tuple(key for key in offered if key not in coaches)
        tell("cli.pad-coaches", count=len(coaches))
        if without:
            tell("cli.pad-no-coach", rules=without, soft_wrap=True)
    tell("cli.pad-open", folder=str(out), soft_wrap=True)


def _languages(wanted: str) -> dict[str, str]:
    """Return languages by their codes, with their own names; all of them begin with the one of this command."""
    if wanted == "all":
        return {current(): menu().get(current(), current()), **menu()}
    found = (read_language("--languages", code) for code in wanted.split(","))
    return {language: menu().get(language, language) for language in found if language}


def _coaches(books: dict[str, RuleBook]) -> dict[str, bytes]:
    """Return the packed values of the books that are solved already; solving can take hours."""
    from fivedice.solver.solution.phone_values import packed_values

    found = {address: packed_values(book) for address, book in books.items()}
    return {address: values for address, values in found.items() if values is not None}
