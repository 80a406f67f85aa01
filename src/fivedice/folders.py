"""The folders of Fivedice: those of the platform, unless the environment names others."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

_PLATFORM = PlatformDirs("fivedice", appauthor=False, opinion=False)


def cache_folder() -> Path | None:
    """Return FIVEDICE_CACHE or the user's cache folder, or None if there is no home folder."""
    try:
        return _from_environment("FIVEDICE_CACHE") or _PLATFORM.user_cache_path.expanduser()
    except RuntimeError:
        return None


def data_folder() -> Path:
    """Return FIVEDICE_DATA or the user's data folder. Raise RuntimeError if there is no home folder."""
    return _from_environment("FIVEDICE_DATA") or _PLATFORM.user_data_path.expanduser()


def config_file() -> Path:
    """Return FIVEDICE_CONFIG or config.toml in the user's settings folder.

    Raise RuntimeError if there is no home folder.
    """
    return _from_environment("FIVEDICE_CONFIG") or _PLATFORM.user_config_path.expanduser() / "config.toml"


def _from_environment(variable: str) -> Path | None:
    chosen = os.environ.get(variable)
    return Path(chosen) if chosen else None
