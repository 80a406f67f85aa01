"""Where tables are kept unless somebody says otherwise."""

from __future__ import annotations

from fivedice.folders import data_folder


def database_url() -> str:
    """The database that the web table and the terminal table share by default."""
    return f"sqlite:///{data_folder() / 'tables.db'}"
