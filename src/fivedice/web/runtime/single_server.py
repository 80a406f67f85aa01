"""Whether this is the only server on a SQLite file: others would not hear of its moves, nor it of theirs.

Known by a lock on a file beside the database, which the system takes back when its process ends, however that happens.
Nothing else asks for it: backups, `fivedice restore` and the terminal table go on as ever.
"""

from __future__ import annotations

import logging
import os
import sys

from fivedice.table.store.database import address_of

log = logging.getLogger(__name__)

ENDING = "-serving"  # after the name of the database, as SQLite names its own files
NOT_ALONE = (
    "another server has this SQLite file open: screens here do not hear at once of moves made there, nor the other way "
    "round; stop one of them, or use PostgreSQL for several processes"
)


def claim(url: str) -> int | None:
    """Take the place of the one server, for as long as the process lives; warn if somebody has it."""
    file = _file(url)
    if sys.platform == "win32" or file is None:  # where there is no such lock, nobody is warned
        return None
    import fcntl

    try:
        handle = os.open(file + ENDING, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        return None  # a folder that is not ours to write: nobody can know
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        log.warning(NOT_ALONE)
    except OSError:
        pass  # a network drive without locks
    else:
        return handle
    os.close(handle)
    return None


def _file(url: str) -> str | None:
    """The file of the database, where it is one."""
    address = address_of(url)
    file = address.database or ":memory:"
    return None if address.get_backend_name() != "sqlite" or file.startswith((":memory:", "file:")) else file
