"""Writing in groups: whoever comes while the disk is busy shares the next commit.

A commit waits for the disk, a row does not. So the first writer commits for all who have come by then, and everybody
still returns only when their own rows are on disk. Each job of a group has a savepoint: one that is refused harms no
other.

On PostgreSQL other processes write at the same time. Two groups that want the same tables in different order would wait
for each other for ever; the database ends one of them, and that one is then written job by job.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from fivedice.table.store.database import as_refusals
from fivedice.table.store.database_file import watch_of

LARGEST_GROUP = 64

_T = TypeVar("_T")
_Job: TypeAlias = "tuple[Callable[[Connection], Any], Future[Any]]"


class VersionConflict(Exception):  # noqa: N818 - never shown to anybody; the service tries again
    """Somebody else appended first."""


class Writer:
    """The one way to change the database, from any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[_Job] = deque()
        self._at_work = Lock()
        self._file = watch_of(engine)

    def write(self, job: Callable[[Connection], _T]) -> _T:
        """Run the job in a transaction; on disk when this returns, undone if it raises."""
        mine: Future[_T] = Future()
        self._waiting.append((job, mine))
        while not mine.done():
            with self._at_work:  # whoever holds this commits for all who wait
                if not mine.done():
                    self._commit_group()
        with as_refusals():
            return mine.result()

    def _commit_group(self) -> None:
        group = [self._waiting.popleft() for _ in range(min(LARGEST_GROUP, len(self._waiting)))]
        try:
            self._commit(group)
        except DBAPIError as error:
            if len(group) > 1 and _entangled(error):
                self._commit_singly(group)
            else:
                _fail(group, error)
        except BaseException as error:  # the disk said no: to all of them
            _fail(group, error)

    def _commit(self, group: list[_Job]) -> None:
        """One transaction for all; nobody is answered before it is through."""
        if len(group) == 1:
            self._commit_alone(*group[0])
            return
        with self._transaction() as connection:
            answers = [_attempt(connection, job) for job, _ in group]
        for (_, future), answer in zip(group, answers, strict=True):
            answer(future)

    def _commit_alone(self, job: Callable[[Connection], Any], future: Future[Any]) -> None:
        """Most come alone. The transaction is theirs then; a savepoint in it would be two more statements."""
        try:
            with self._transaction() as connection:
                result = job(connection)
        except (IntegrityError, VersionConflict):
            future.set_exception(VersionConflict())
        except DBAPIError:
            raise
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """In the file that was opened: it may have been deleted or replaced, and then a commit is worth nothing."""
        if self._file is not None:
            self._file.check()
        with self._engine.begin() as connection:
            yield connection
        if self._file is not None:
            self._file.check()

    def _commit_singly(self, group: list[_Job]) -> None:
        """A job alone holds the rows of one table and can wait for nobody who waits for it."""
        for entry in group:
            try:
                self._commit([entry])
            except BaseException as error:
                _fail([entry], error)


def _fail(group: list[_Job], error: BaseException) -> None:
    for _, future in group:
        future.set_exception(error)


def _entangled(error: DBAPIError) -> bool:
    """PostgreSQL's class of "try it again": a deadlock, or order that cannot be made up."""
    return str(getattr(error.orig, "sqlstate", "")).startswith("40")


def _attempt(connection: Connection, job: Callable[[Connection], Any]) -> Callable[[Future[Any]], None]:
    """Run one job inside the shared transaction; what to tell its caller after the commit."""
    try:
        with connection.begin_nested():
            result = job(connection)
    except (IntegrityError, VersionConflict):
        return lambda future: future.set_exception(VersionConflict())
    except DBAPIError:  # the database itself may have dropped the transaction: nobody may write on in it
        raise
    except Exception as error:
        trouble = error  # whatever it is, it is this job's own
        return lambda future: future.set_exception(trouble)
    return lambda future: future.set_result(result)
