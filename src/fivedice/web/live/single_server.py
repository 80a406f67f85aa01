"""A check that only one server uses a SQLite file: servers on one file do not see each other's moves.

It locks a file next to the database. The system releases the lock when the process ends for any reason. Backups,
`fivedice restore` and the terminal table do not use the lock.
"""

from __future__ import annotations

import logging
from pathlib import Path

from filelock import FileLock, Timeout

from fivedice.store.database import address_of

log = logging.getLogger(__name__)

ENDING = "-serving"  # appended to the name of the database, like SQLite's own files
NOT_ALONE = (  # no sentence: for the log
    "another server uses this SQLite file: live updates do not reach its screens; "  # no sentence
    "stop one server, or use PostgreSQL"
)


def claim(url: str) -> FileLock | None:
    """Return a lock that marks this server as the only one, or None. Log a warning if another server has it."""
    file = _file(url)
    if file is None or not Path(file).parent.is_dir():  # the lock would create the folder
        return None
    lock = FileLock(file + ENDING, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        log.warning(NOT_ALONE)
    except OSError:
        pass  # a read-only folder, or a network drive without locks: no check is possible
    else:
        return lock
    return None


def _file(url: str) -> str | None:
    """Return the file of a SQLite database, or None for any other database."""
    address = address_of(url)
    file = address.database or ":memory:"
    return None if address.get_backend_name() != "sqlite" or file.startswith((":memory:", "file:")) else file
