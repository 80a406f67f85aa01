"""Where a user's programs keep their data."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """FIVEDICE_DATA, or the folder that the system has for such things."""
    chosen = os.environ.get("FIVEDICE_DATA")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "fivedice"


def database_url() -> str:
    """The database that the web table and the terminal table share by default."""
    return f"sqlite:///{data_folder() / 'tables.db'}"
