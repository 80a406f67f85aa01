"""Whether this is the only server on a SQLite file: others would not hear of its moves, nor it of theirs.

Known by a lock on a file beside the database, which the system takes back when its process ends, however that happens.
Nothing else asks for it: backups, `fivedice restore` and the terminal table go on as ever.
"""

from __future__ import annotations

import logging
from pathlib import Path

from filelock import FileLock, Timeout

from fivedice.store.database import address_of

log = logging.getLogger(__name__)

ENDING = "-serving"  # after the name of the database, as SQLite names its own files
NOT_ALONE = (  # no sentence: for the log
    "another server uses this SQLite file: live updates do not reach its screens; "  # no sentence
    "stop one server, or use PostgreSQL"
)


def claim(url: str) -> FileLock | None:
    """Take the place of the one server, for as long as what is returned is held; warn if another has it."""
    file = _file(url)
    if file is None or not Path(file).parent.is_dir():  # the lock would make the folder
        return None
    lock = FileLock(file + ENDING, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        log.warning(NOT_ALONE)
    except OSError:
        pass  # a folder that is not ours to write, or a network drive without locks: nobody can know
    else:
        return lock
    return None


def _file(url: str) -> str | None:
    """The file of the database, where it is one."""
    address = address_of(url)
    file = address.database or ":memory:"
    return None if address.get_backend_name() != "sqlite" or file.startswith((":memory:", "file:")) else file
