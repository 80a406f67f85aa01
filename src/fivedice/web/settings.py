"""Settings of the server: from a file, the environment and flags, later ones first."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from fivedice.errors import MalformedError, quote
from fivedice.folders import config_file
from fivedice.store.database import database_url
from fivedice.text import Either, available
from fivedice.text.formatting import PSEUDO

Network: TypeAlias = IPv4Network | IPv6Network

PREFIX = "FIVEDICE_"
LARGEST_PORT = 65535
LONGEST_PAUSE = 60.0
LARGEST_LIMIT = 1_000_000
ANY_HOST = "*"
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 8, 200
HIDDEN = "***"  # in place of a value that is shown to no one
_is_header = re.compile(r"[A-Za-z0-9-]{1,60}").fullmatch
LONGEST_PATH = 100
_is_path = re.compile(r"(?:/[A-Za-z0-9_-]+)*/?").fullmatch  # cookies have it in their names
_is_host = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}|\*").fullmatch
LOG_FORMATS = ("auto", "json", "text")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, with its default."""

    host: str = "127.0.0.1"
    port: int = 8765
    database: str = ""  # empty: a SQLite file in the user's data folder
    base_url: str = ""  # empty: as the browser sees us; needed behind a proxy for links and QR codes
    path: str = ""  # below which all addresses lie, such as /dice; empty: the whole host is ours
    subdomains_secure: bool = False  # whether names below ours are reached over HTTPS alone: browsers are told so
    hosts: str = ""  # names by which we may be called; empty: any, or those of this machine where only it reaches us
    bot_pause: float = 0.9  # seconds between the moves of a bot, so that people can follow
    open_browser: bool = False
    prepare: bool = True  # solve the shipped books beside the pages, so that the first hint need not wait
    # Limits for each client address; 0 is no limit. Forty phones behind one router stay far below all of them.
    read_rate: float = 100.0  # pages and other reading a second; ten seconds' worth may come at once
    write_rate: float = 20.0  # moves and other changes a second, likewise
    work_rate: float = 100.0  # milliseconds of processor time a second, for all but moves; 30 seconds' worth at once
    look_rate: float = 300.0  # and for looking at tables; ten seconds' worth
    tables_per_hour: int = 600  # new tables
    books_per_hour: int = 60  # new house rules, each of which may be solved
    megabytes_per_day: int = 64  # all that is saved: about a thousand games
    streams_at_once: int = 200  # live streams held open
    solves_waiting: int = 50  # and for all clients together: books and chases that wait to be worked out; 0 likewise
    solve_memory: int = 3000  # megabytes for the process that solves, beside the server; large books want 1,500
    keep_unfinished: int = 180  # days after which a game that nobody touched is deleted; 0: never
    keep_finished: int = 1095  # the same for games that are over, with their results
    # Connections, also those that never ask for anything; 0 is no limit, except that files must be left to the rest.
    connections_each: int = 400  # of one client at once: live streams and what its browsers keep open
    connections: int = 8000  # of all clients
    head_seconds: float = 10.0  # for the head of a request
    body_seconds: float = 30.0  # for its body
    write_seconds: float = 30.0  # until a reader has taken what was written
    unlimited_from: str = ""  # addresses or networks of our own programs, which none of the limits above are for
    trusted_proxies: str = ""  # addresses or networks whose word on who is calling counts
    # Who may open games and save rules; all three empty: everyone. Guests by link need nothing.
    passphrase: str = field(default="", repr=False)  # that all share
    passphrase_file: str = ""  # a file with it, which keeps it out of the environment
    opener_header: str = ""  # a header by which a trusted proxy names whom it has signed in, such as Remote-User
    metrics_from: str = "127.0.0.1, ::1"  # addresses or networks that may read /metrics; empty: nobody
    log_format: str = "auto"  # json, text, or auto: text on a terminal and JSON anywhere else
    language: str = ""  # of all pages; empty: what each browser asks for, of the languages that there are

    @property
    def database_url(self) -> str:
        return self.database or database_url()

    @property
    def root(self) -> str:
        """Return what stands before each of our addresses: "" or, for example, "/dice"."""
        return self.path.rstrip("/")


# Every other number is a limit, and 0 is none.
LIMITS = tuple(
    setting.name
    for setting in fields(Settings)
    if type(setting.default) in (int, float) and setting.name not in {"port", "bot_pause"}
)


def load_settings(flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> dict[str, tuple[Any, str]]:
    """Each setting with its value and where it comes from: flag, environment, file or default."""
    from_file = _file_values()
    found: dict[str, tuple[Any, str]] = {}
    for setting in fields(Settings):
        name, variable = setting.name, f"{PREFIX}{setting.name.upper()}"
        if flags.get(name) is not None:
            found[name] = (flags[name], f"flag --{name.replace('_', '-')}")
        elif variable in environment:
            found[name] = (_typed(environment[variable], setting.default, variable), f"environment {variable}")
        elif name in from_file:
            found[name] = (_typed(from_file[name], setting.default, name), f"file {config_file()}")
        else:
            found[name] = (setting.default, "default")
    return found


def settings_of(found: Mapping[str, tuple[Any, str]]) -> Settings:
    return _check(Settings(**{name: value for name, (value, _) in found.items()}))


def _file_values() -> dict[str, Any]:
    path = config_file()
    if not path.exists() and "FIVEDICE_CONFIG" not in os.environ:
        return {}  # a file that nobody asked for need not be there
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MalformedError(
            "web.settings-unreadable", file=str(path), error=getattr(error, "strerror", None) or str(error)
        ) from None
    unknown = sorted(values.keys() - {setting.name for setting in fields(Settings)})
    if unknown:
        known = tuple(setting.name for setting in fields(Settings))
        raise MalformedError("web.setting-unknown", file=str(path), setting=quote(unknown[0]), known=known)
    return values


def _typed(value: Any, default: Any, name: str) -> Any:
    """A value in the type of the default; text is read as a person writes it."""
    try:
        return _read(value, default)
    except (KeyError, ValueError, TypeError):
        shown = HIDDEN if name.lower().endswith("passphrase") else quote(value)
        raise MalformedError(f"web.setting-{type(default).__name__}", setting=name, value=shown) from None


_YES_NO = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _read(value: Any, default: Any) -> Any:
    kind = type(default)
    if type(value) is kind:  # exactly: to Python, true is also a whole number
        return value
    if isinstance(value, str):
        return _YES_NO[value.lower()] if kind is bool else kind(value)
    if kind is float and type(value) is int:
        return float(value)
    raise TypeError


def _check(settings: Settings) -> Settings:
    """Values of the right type that make no sense all the same."""
    problems = {
        "host": not settings.host.strip(),
        "port": not 0 <= settings.port <= LARGEST_PORT,
        "bot_pause": not 0 <= settings.bot_pause <= LONGEST_PAUSE,
        "base_url": bool(settings.base_url) and not _is_address(settings.base_url),
        "path": len(settings.path) > LONGEST_PATH or not _is_path(settings.path),
        "hosts": not all(_is_host(name.strip()) for name in settings.hosts.split(",") if name.strip()),
        "database": bool(settings.database) and "://" not in settings.database,
        "trusted_proxies": not _are_networks(settings.trusted_proxies),
        "opener_header": bool(settings.opener_header) and not _is_believable(settings),
        "metrics_from": not _are_networks(settings.metrics_from),
        "unlimited_from": not _are_networks(settings.unlimited_from),
        "log_format": settings.log_format not in LOG_FORMATS,
        "language": settings.language not in {"", PSEUDO, *available()},
    }
    problems |= {name: not 0 <= getattr(settings, name) <= LARGEST_LIMIT for name in LIMITS}
    for name in (name for name, wrong in problems.items() if wrong):
        kind, most = _ALIKE.get(name, name).replace("_", "-"), _MOST.get(name, LARGEST_LIMIT)
        shown = {"setting": name, "value": quote(getattr(settings, name)), "most": most, "known": Either(available())}
        raise MalformedError(f"web.setting-{kind}", **shown)
    read_passphrase(settings)
    return settings


def read_passphrase(settings: Settings) -> str:
    """Return the passphrase, from its setting or its file; "" for none. No error ever quotes it.

    Raise MalformedError for a file that cannot be read, for both settings at once, and for one that is too short or
    has line breaks within: an empty file must not leave the server open to all.
    """
    if settings.passphrase and settings.passphrase_file:
        raise MalformedError("web.passphrase-twice")
    found = settings.passphrase
    if settings.passphrase_file:
        try:
            found = Path(settings.passphrase_file).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise MalformedError("web.passphrase-unreadable", file=settings.passphrase_file, error=reason) from None
    is_set = bool(settings.passphrase or settings.passphrase_file)
    passphrase = normalize_passphrase(found)
    if is_set and not (SHORTEST_PASSPHRASE <= len(passphrase) <= LONGEST_PASSPHRASE and passphrase.isprintable()):
        raise MalformedError("web.setting-passphrase", least=SHORTEST_PASSPHRASE, most=LONGEST_PASSPHRASE)
    return passphrase


def normalize_passphrase(text: str) -> str:
    """Return a passphrase as it is compared: phones write the same letters in several ways, and add spaces."""
    return unicodedata.normalize("NFKC", text).strip()


def _is_believable(settings: Settings) -> bool:
    """Say whether the header of a proxy has a name, and there is a proxy to believe."""
    return bool(_is_header(settings.opener_header) and settings.trusted_proxies.strip())


_MOST = {"port": LARGEST_PORT, "bot_pause": int(LONGEST_PAUSE)}
# Settings that are wrong in the same way.
_ALIKE = {"trusted_proxies": "networks", "metrics_from": "networks", "unlimited_from": "networks"} | dict.fromkeys(
    LIMITS, "limit"
)


def _is_address(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and parts.path in {"", "/"}


def networks(text: str) -> tuple[Network, ...]:
    """A list such as "127.0.0.1, 10.0.0.0/8"."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _are_networks(text: str) -> bool:
    try:
        networks(text)
    except ValueError:
        return False
    return True
