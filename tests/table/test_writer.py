"""Group commits: writers share a commit but not their failures."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, select, update

from fivedice.store import schema
from fivedice.store.access import DiskFull, VersionConflict, Writer
from fivedice.store.database import open_database

PEOPLE = 40


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_database(f"sqlite:///{tmp_path / 'tables.db'}")


def person(name: str):
    def job(connection: Connection) -> str:
        connection.execute(insert(schema.players).values(id=name, choices={}, seen=""))
        return name

    return job


def stored_rows(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(schema.players)).scalar_one()


def test_concurrent_writes_share_commits_with_own_answers(engine: Engine) -> None:
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
    assert stored_rows(engine) == PEOPLE


def test_refused_job_does_not_affect_its_group(engine: Engine) -> None:
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
    assert stored_rows(engine) == 3


@pytest.mark.parametrize("fault", [VersionConflict, LookupError])
def test_refused_single_job_leaves_nothing(engine: Engine, fault: type[Exception]) -> None:
    def half_done(connection: Connection) -> None:
        person("half")(connection)
        raise fault

    writer = Writer(engine)
    with pytest.raises(fault):
        writer.write(half_done)
    assert stored_rows(engine) == 0
    assert writer.write(person("after")) == "after"
    with pytest.raises(VersionConflict):
        writer.write(person("after"))
    assert stored_rows(engine) == 1


def full(connection: Connection) -> None:
    """More than there is room for: SQLite itself says that the disk is full."""
    connection.exec_driver_sql("PRAGMA max_page_count = 1")  # no more than there are
    connection.execute(insert(schema.players).values(id="large", choices={"x": "x" * 1_000_000}, seen=""))


def test_full_disk_is_reported_and_the_next_write_works(engine: Engine) -> None:
    writer = Writer(engine)
    with pytest.raises(DiskFull, match=r"the disk is full\. Nothing was changed\."):
        writer.write(full)
    engine.dispose()  # there is room again
    assert writer.write(person("after")) == "after"
    assert stored_rows(engine) == 1


class Queue(deque[Any]):
    """A queue that signals when that many jobs wait in it."""

    def __init__(self, expected: int) -> None:
        super().__init__()
        self.full, self._expected = Event(), expected

    def append(self, job: Any) -> None:
        super().append(job)
        if len(self) == self._expected:
            self.full.set()


def in_one_group(writer: Writer, *jobs: Callable[[Connection], object]) -> list[object]:
    """Return each job's result or exception; the disk is busy until all have come."""
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


def test_faulty_job_does_not_affect_its_group(engine: Engine) -> None:
    def half_done(connection: Connection) -> None:
        person("half")(connection)
        raise LookupError("a fault in the program")

    writer = Writer(engine)
    first, fault, last = in_one_group(writer, person("a"), half_done, person("b"))
    assert (first, last) == ("a", "b")
    assert isinstance(fault, LookupError)
    assert stored_rows(engine) == 2


@pytest.mark.parametrize("trouble", [False, True])
def test_only_a_group_with_a_failure_is_split(engine: Engine, *, trouble: bool) -> None:
    """Even then in one transaction, so that one failure does not make the others wait for the disk."""
    writer = Writer(engine)
    writer.write(person("taken"))
    said: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *found: said.append(found[2]))
    event.listen(engine, "commit", lambda _: said.append("COMMIT"))
    answers = in_one_group(writer, person("a"), person("taken" if trouble else "c"), person("b"))
    assert [type(answer) for answer in answers] == [str, VersionConflict if trouble else str, str]
    assert any("SAVEPOINT" in each for each in said) == trouble
    assert said.count("COMMIT") == 2  # of the first writer and of the group
    assert stored_rows(engine) == (3 if trouble else 4)


def test_disk_failure_keeps_nothing_of_the_group(engine: Engine) -> None:
    writer = Writer(engine)
    answers = in_one_group(writer, person("a"), full, person("b"))
    assert {type(answer) for answer in answers} == {DiskFull}
    assert stored_rows(engine) == 0


def test_deadlocked_groups_are_written_one_by_one(postgres_url: str) -> None:
    """Two processes write to the same two rows, each beginning with the other one's last."""
    first, second = open_database(postgres_url), open_database(postgres_url)
    met = Barrier(2)

    def touch(name: str) -> Callable[[Connection], str]:
        row = schema.players.c.id == name

        def job(connection: Connection) -> str:
            assert connection.execute(update(schema.players).where(row).values(seen="now")).rowcount == 1
            with suppress(BrokenBarrierError):
                met.wait(10)  # both hold their first row before they want the other
                met.abort()
            return name

        return job

    for name in ("a", "b"):
        Writer(first).write(person(name))
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(in_one_group, Writer(first), touch("a"), touch("b"))
        other = pool.submit(in_one_group, Writer(second), touch("b"), touch("a"))
        assert (one.result(), other.result()) == (["a", "b"], ["b", "a"])
    first.dispose()
    second.dispose()


def test_writer_continues_after_connections_closed(engine: Engine) -> None:
    """As after a restore, or where the disk was full."""
    writer = Writer(engine)
    writer.write(person("a"))
    engine.dispose()
    assert writer.write(person("b")) == "b"
    assert stored_rows(engine) == 2


def test_writer_continues_after_postgresql_disconnects(postgres_url: str) -> None:
    engine = open_database(postgres_url)
    writer, others = Writer(engine), open_database(postgres_url)
    writer.write(person("a"))
    with others.connect() as connection:
        name = engine.url.database
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
        connection.exec_driver_sql(f"{ended} '{name}'")
    assert writer.write(person("b")) == "b"
    assert stored_rows(engine) == 2
    engine.dispose()
    others.dispose()
