"""Settings of the server: from a file, the environment and flags, later ones first."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fivedice.errors import MalformedError, quote

PREFIX = "FIVEDICE_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, with its default."""

    host: str = "127.0.0.1"
    port: int = 8765
    database: str = ""  # empty: a SQLite file in the user's data folder
    base_url: str = ""  # empty: as the browser sees us; needed behind a proxy for links and QR codes
    bot_pause: float = 0.9  # seconds between the moves of a bot, so that people can follow
    open_browser: bool = False

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{data_folder() / 'tables.db'}"


def data_folder() -> Path:
    """Where a user's programs keep their data."""
    chosen = os.environ.get("FIVEDICE_DATA")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "fivedice"


def config_file() -> Path:
    """The settings file: FIVEDICE_CONFIG, or config.toml in the user's configuration folder."""
    chosen = os.environ.get("FIVEDICE_CONFIG")
    base = os.environ.get("XDG_CONFIG_HOME")
    folder = Path(base) if base else Path.home() / ".config"
    return Path(chosen) if chosen else folder / "fivedice" / "config.toml"


def load_settings(flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> dict[str, tuple[Any, str]]:
    """Each setting with its value and where it comes from: flag, environment, file or default."""
    from_file = _file_values()
    found: dict[str, tuple[Any, str]] = {}
    for setting in fields(Settings):
        name, variable = setting.name, f"{PREFIX}{setting.name.upper()}"
        if flags.get(name) is not None:
            found[name] = (flags[name], "flag")
        elif variable in environment:
            found[name] = (_typed(environment[variable], setting.default, variable), f"environment {variable}")
        elif name in from_file:
            found[name] = (_typed(from_file[name], setting.default, name), f"file {config_file()}")
        else:
            found[name] = (setting.default, "default")
    return found


def settings_of(found: Mapping[str, tuple[Any, str]]) -> Settings:
    return Settings(**{name: value for name, (value, _) in found.items()})


def _file_values() -> dict[str, Any]:
    path = config_file()
    if not path.is_file():
        return {}
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MalformedError(f"the settings file {path} cannot be read: {error}") from None
    unknown = sorted(values.keys() - {setting.name for setting in fields(Settings)})
    if unknown:
        known = ", ".join(setting.name for setting in fields(Settings))
        raise MalformedError(f"{path}: unknown setting {quote(unknown[0])}; known are {known}")
    return values


def _typed(value: Any, default: Any, name: str) -> Any:
    """A value in the type of the default; text is read as a person writes it."""
    try:
        if isinstance(default, bool):
            return value if isinstance(value, bool) else _YES_NO[str(value).lower()]
        return type(default)(value)
    except (KeyError, ValueError, TypeError):
        wanted = "true or false" if isinstance(default, bool) else f"like {default!r}"
        raise MalformedError(f"the setting {name} must be {wanted}, not {quote(value)}") from None


_YES_NO = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
