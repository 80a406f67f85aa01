"""Writing in groups: shared commits, separate fates."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, select
from sqlalchemy.exc import OperationalError

from fivedice.table import schema
from fivedice.table.database import open_database
from fivedice.table.writer import VersionConflict, Writer

PEOPLE = 40


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_database(f"sqlite:///{tmp_path / 'tables.db'}")


def person(name: str):
    def job(connection: Connection) -> str:
        connection.execute(insert(schema.players).values(id=name, choices={}, seen=""))
        return name

    return job


def stored(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(schema.players)).scalar_one()


def test_everyone_gets_their_own_answer_and_commits_are_shared(engine: Engine) -> None:
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    writer, together = Writer(engine), Barrier(PEOPLE)

    def come(number: int) -> str:
        together.wait()
        return writer.write(person(f"p{number}"))

    with ThreadPoolExecutor(PEOPLE) as pool:
        answers = list(pool.map(come, range(PEOPLE)))
    assert answers == [f"p{number}" for number in range(PEOPLE)]
    assert len(commits) < PEOPLE
    assert stored(engine) == PEOPLE


def test_a_refused_job_harms_no_other_in_its_group(engine: Engine) -> None:
    writer = Writer(engine)
    writer.write(person("taken"))
    group = [("a", person("a")), ("taken", person("taken")), ("b", person("b"))]
    together = Barrier(len(group))

    def come(entry):
        name, job = entry
        together.wait()
        try:
            return writer.write(job)
        except VersionConflict:
            return f"{name} refused"

    with ThreadPoolExecutor(len(group)) as pool:
        answers = list(pool.map(come, group))
    assert answers == ["a", "taken refused", "b"]
    assert stored(engine) == 3


def test_a_failing_disk_is_told_to_everyone_and_the_next_write_works(engine: Engine) -> None:
    writer = Writer(engine)

    def full(_: Connection) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    with pytest.raises(OperationalError, match="disk is full"):
        writer.write(full)
    assert writer.write(person("after")) == "after"
    assert stored(engine) == 1


class Queue(deque[Any]):
    """A queue that tells when so many wait in it."""

    def __init__(self, expected: int) -> None:
        super().__init__()
        self.full, self._expected = Event(), expected

    def append(self, job: Any) -> None:
        super().append(job)
        if len(self) == self._expected:
            self.full.set()


def in_one_group(writer: Writer, *jobs: Callable[[Connection], object]) -> list[object]:
    """What each of these jobs was answered: a result, or the exception. The disk is busy until all have come."""
    started = Event()
    writer._waiting = queue = Queue(len(jobs))

    def busy(_: Connection) -> None:
        started.set()
        queue.full.wait()

    def come(job: Callable[[Connection], object]) -> object:
        try:
            return writer.write(job)
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(jobs) + 1) as pool:
        pool.submit(writer.write, busy)
        started.wait()
        return list(pool.map(come, jobs))


def test_a_job_with_a_fault_of_its_own_harms_no_other_in_its_group(engine: Engine) -> None:
    def half_done(connection: Connection) -> None:
        person("half")(connection)
        raise LookupError("a fault in the program")

    writer = Writer(engine)
    first, fault, last = in_one_group(writer, person("a"), half_done, person("b"))
    assert (first, last) == ("a", "b")
    assert isinstance(fault, LookupError)
    assert stored(engine) == 2


def test_when_the_disk_fails_nothing_of_the_group_is_kept(engine: Engine) -> None:
    def full(_: Connection) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    writer = Writer(engine)
    answers = in_one_group(writer, person("a"), full, person("b"))
    assert {type(answer) for answer in answers} == {OperationalError}
    assert stored(engine) == 0
