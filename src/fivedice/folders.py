"""Where Fivedice keeps things: the folders that the platform has for them, unless the environment names others."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

_PLATFORM = PlatformDirs("fivedice", appauthor=False, opinion=False)


def cache_folder() -> Path | None:
    """FIVEDICE_CACHE, or the user's folder for caches; None where there is no home at all."""
    try:
        return _named("FIVEDICE_CACHE") or _PLATFORM.user_cache_path.expanduser()
    except RuntimeError:
        return None


def data_folder() -> Path:
    """FIVEDICE_DATA, or the user's folder for data; `RuntimeError` where there is no home at all."""
    return _named("FIVEDICE_DATA") or _PLATFORM.user_data_path.expanduser()


def config_file() -> Path:
    """FIVEDICE_CONFIG, or config.toml in the user's folder for settings; `RuntimeError` as above."""
    return _named("FIVEDICE_CONFIG") or _PLATFORM.user_config_path.expanduser() / "config.toml"


def _named(variable: str) -> Path | None:
    chosen = os.environ.get(variable)
    return Path(chosen) if chosen else None
