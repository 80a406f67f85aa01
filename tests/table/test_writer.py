"""Writing in groups: shared commits, separate fates."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

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
