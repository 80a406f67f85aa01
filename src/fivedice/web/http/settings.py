"""Settings of the server. Flags override the environment, and the environment overrides the file."""

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
from zoneinfo import ZoneInfo

from fivedice.errors import MalformedError, quote
from fivedice.folders import config_file
from fivedice.store.database import database_url
from fivedice.text import Either
from fivedice.text.languages import find_language, menu

Network: TypeAlias = IPv4Network | IPv6Network

PREFIX = "FIVEDICE_"
LARGEST_PORT = 65535
LONGEST_PAUSE = 60.0
LARGEST_LIMIT = 1_000_000
ANY_HOST = "*"
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 8, 200
HIDDEN = "***"  # shown instead of a secret value
_is_header = re.compile(r"[A-Za-z0-9-]{1,60}").fullmatch
LONGEST_PATH = 100
_is_path = re.compile(r"(?:/[A-Za-z0-9_-]+)*/?").fullmatch  # it is part of cookie names
_is_host = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}|\*").fullmatch
LOG_FORMATS = ("auto", "json", "text")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults."""

    host: str = "127.0.0.1"
    port: int = 8765
    database: str = ""  # empty: a SQLite file in the user's data folder
    base_url: str = ""  # empty: from the request; needed behind a proxy for links and QR codes
    path: str = ""  # prefix of all addresses, such as /dice; empty: none
    subdomains_secure: bool = False  # whether HSTS includes the subdomains
    hosts: str = ""  # accepted host names; empty: any, or only local ones if only this machine can connect
    bot_pause: float = 0.9  # seconds between the moves of a bot, so that people can follow
    open_browser: bool = False
    prepare: bool = True  # solve the shipped books in the background, so that the first hint need not wait
    # Limits per client address; 0 means no limit. 40 phones behind one router stay far below all of them.
    read_rate: float = 100.0  # pages and other reads per second; 10 seconds' worth may come at once
    write_rate: float = 20.0  # moves and other changes per second, likewise
    work_rate: float = 100.0  # milliseconds of processor time per second, except moves; 30 seconds' worth at once
    look_rate: float = 300.0  # the same for views of tables; 10 seconds' worth at once
    tables_per_hour: int = 600  # new tables
    books_per_hour: int = 60  # new house rules, each of which may be solved
    megabytes_per_day: int = 64  # stored data; about 1,000 games
    streams_at_once: int = 200  # open live streams
    solves_waiting: int = 50  # of all clients together: books and chases that wait to be computed; 0: no limit
    solve_memory: int = 3000  # megabytes for the process that solves books; large ones need 1,500
    keep_unfinished: int = 180  # days without a change after which an unfinished game is deleted; 0: never
    keep_finished: int = 1095  # the same for finished games, with their results
    # Connections, also those without a request; 0 means no limit except the number of files that the system allows.
    connections_each: int = 400  # per client: live streams and idle connections of browsers
    connections: int = 8000  # of all clients
    head_seconds: float = 10.0  # for the head of a request
    body_seconds: float = 30.0  # for its body
    write_seconds: float = 30.0  # until the client has read what was written
    unlimited_from: str = ""  # addresses or networks of the operator's programs, which have no limits
    trusted_proxies: str = ""  # addresses or networks of proxies whose forwarded addresses are trusted
    # Who may open games and save rules; all three empty: everyone. Guests with a link need none of them.
    passphrase: str = field(default="", repr=False)  # shared by all who open games
    passphrase_file: str = ""  # a file with the passphrase, instead of an environment variable
    opener_header: str = ""  # the header in which a trusted proxy names the signed-in person, such as Remote-User
    notices: bool = True  # whether people may ask for notices, and circles for a webhook: then the server calls out
    notices_loopback: bool = False  # whether notices may go to this machine itself, in the clear too: for tests only
    metrics_from: str = "127.0.0.1, ::1"  # addresses or networks that may read /metrics; empty: none
    log_format: str = "auto"  # json, text, or auto: text on a terminal, JSON elsewhere
    language: str = ""  # for browsers that ask for none of ours; empty: English
    zone: str = "UTC"  # the time zone in which a day of the daily game begins, such as Europe/Berlin

    @property
    def database_url(self) -> str:
        return self.database or database_url()

    @property
    def root(self) -> str:
        """Return the prefix of all our addresses: "" or, for example, "/dice"."""
        return self.path.rstrip("/")


# All other numbers are limits, and 0 means no limit.
LIMITS = tuple(
    setting.name
    for setting in fields(Settings)
    if type(setting.default) in (int, float) and setting.name not in {"port", "bot_pause"}
)


def load_settings(flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> dict[str, tuple[Any, str]]:
    """Return each setting with its value and its source. Raise MalformedError for an invalid value or file."""
    from_file = _file_values()
    found: dict[str, tuple[Any, str]] = {}
    for setting in fields(Settings):
        name, variable = setting.name, f"{PREFIX}{setting.name.upper()}"
        if flags.get(name) is not None:
            found[name] = (flags[name], f"flag --{name.replace('_', '-')}")
        elif variable in environment:
            found[name] = (_parse_value(environment[variable], setting.default, variable), f"environment {variable}")
        elif name in from_file:
            found[name] = (_parse_value(from_file[name], setting.default, name), f"file {config_file()}")
        else:
            found[name] = (setting.default, "default")
    return found


def settings_of(found: Mapping[str, tuple[Any, str]]) -> Settings:
    return _check(Settings(**{name: value for name, (value, _) in found.items()}))


def _file_values() -> dict[str, Any]:
    path = config_file()
    if not path.exists() and "FIVEDICE_CONFIG" not in os.environ:
        return {}  # the default file is optional
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


def _parse_value(value: Any, default: Any, name: str) -> Any:
    """Return a value, parsed if it is text, in the type of the default. Raise MalformedError if invalid."""
    try:
        return _read(value, default)
    except (KeyError, ValueError, TypeError):
        shown = HIDDEN if name.lower().endswith("passphrase") else quote(value)
        raise MalformedError(f"web.setting-{type(default).__name__}", setting=name, value=shown) from None


_YES_NO = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _read(value: Any, default: Any) -> Any:
    kind = type(default)
    if type(value) is kind:  # exactly: True is also an int
        return value
    if isinstance(value, str):
        return _YES_NO[value.lower()] if kind is bool else kind(value)
    if kind is float and type(value) is int:
        return float(value)
    raise TypeError


def _check(settings: Settings) -> Settings:
    """Return the settings. Raise MalformedError for a value that is not allowed."""
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
        "language": bool(settings.language) and find_language(settings.language) is None,
        "zone": not _is_zone(settings.zone),
    }
    problems |= {name: not 0 <= getattr(settings, name) <= LARGEST_LIMIT for name in LIMITS}
    for name in (name for name, wrong in problems.items() if wrong):
        kind, most = _ALIKE.get(name, name).replace("_", "-"), _MOST.get(name, LARGEST_LIMIT)
        shown = {"setting": name, "value": quote(getattr(settings, name)), "most": most, "known": Either(tuple(menu()))}
        raise MalformedError(f"web.setting-{kind}", **shown)
    read_passphrase(settings)
    return settings


def read_passphrase(settings: Settings) -> str:
    """Return the passphrase from its setting or its file; "" for none. No error message contains it.

    Raise MalformedError for both settings at once, for a file that cannot be read, and for a passphrase of the wrong
    length or with line breaks: an empty file must not open the server to everyone.
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
    """Return a passphrase in normal form: phones encode the same letters differently, and add spaces."""
    return unicodedata.normalize("NFKC", text).strip()


def _is_believable(settings: Settings) -> bool:
    """Return whether the header name is valid and a trusted proxy is set."""
    return bool(_is_header(settings.opener_header) and settings.trusted_proxies.strip())


_MOST = {"port": LARGEST_PORT, "bot_pause": int(LONGEST_PAUSE)}
# Settings that share an error message.
_ALIKE = {"trusted_proxies": "networks", "metrics_from": "networks", "unlimited_from": "networks"} | dict.fromkeys(
    LIMITS, "limit"
)


def _is_address(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and parts.path in {"", "/"}


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, not a name, or a folder
        return False
    return True


def networks(text: str) -> tuple[Network, ...]:
    """Return the networks in a list such as "127.0.0.1, 10.0.0.0/8". Raise ValueError if one is invalid."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _are_networks(text: str) -> bool:
    try:
        networks(text)
    except ValueError:
        return False
    return True
