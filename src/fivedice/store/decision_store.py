"""Store answers: the ten of a day with the counts of their field, and the training of each person.

An answer is written once. A second tab, a repeated request or another device of the same person finds it there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, insert, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart, VersionConflict, insert_new
from fivedice.store.deals import Field
from fivedice.table.refusals import ROW
from fivedice.text.squares import squares_of

TEN = 10
SIZE_OF_TRAINEE = 6000  # bytes: the last answers, and the positions that were seen lately

Triple: TypeAlias = tuple[float, float, float]  # a rating, its deviation and its volatility


@dataclass(frozen=True, slots=True)
class TenResult:
    """The answers of a person to the ten of a day: moves, each with the points that it lost."""

    answers: tuple[tuple[str, float], ...]
    late: bool

    @property
    def answered(self) -> int:
        return len(self.answers)

    @property
    def finished(self) -> bool:
        return self.answered == TEN

    @property
    def losses(self) -> list[float]:
        """Return the points lost by each answer."""
        return [lost for _, lost in self.answers]

    @property
    def lost(self) -> float:
        """Return the points lost so far."""
        return sum(self.losses)

    @property
    def squares(self) -> str:
        """Return a coloured square per answer, by the size of its loss."""
        return squares_of(self.losses)


def tenths(lost: float) -> int:
    """Return points in tenths, as results are shown and compared."""
    return round(10 * lost)


class Decisions(StorePart):
    """The answers of all people."""

    def ten_result(self, person: str, day: str) -> TenResult | None:
        """Return the answers of a person to the ten of a day, or None before the first."""
        with self._reading() as connection:
            return _ten(connection, person, day)

    def answer_ten(self, person: str, day: str, number: int, move: str, lost: float, *, late: bool) -> TenResult:
        """Store the answer to one of the ten, counted from 0, and return all answers.

        Raise VersionConflict if it was answered before, or is not the next one. The last answer counts in the field,
        unless one of the ten was `late`.
        """
        with self._quota.write(ROW):
            return self._writer.write(lambda connection: _answer(connection, person, day, number, (move, lost), late))

    def field(self, day: str) -> Field:
        """Return how everyone did in the ten of a day."""
        counts = schema.ten_fields.c
        query = select(counts.lost, counts["count"]).where(counts.day == day)
        return Field({row[0]: row[1] for row in self._read(query)})

    def trainee(self, person: str) -> tuple[int, dict[str, Any]]:
        """Return the version and the content of a person's training; 0 and nothing before it begins."""
        row = schema.trainees.c
        found = self._read(select(row.version, row.content).where(row.player == person))
        return (found[0].version, found[0].content) if found else (0, {})

    def save_trainee(
        self, person: str, version: int, content: dict[str, Any], ratings: Mapping[str, Triple] | None = None
    ) -> None:
        """Store the training after a step, and ratings of positions. Raise VersionConflict if it has changed since."""
        with self._quota.write(ROW if version else SIZE_OF_TRAINEE):
            self._writer.write(lambda connection: _save(connection, person, version, content, ratings or {}))

    def position_ratings(self, ids: Collection[str]) -> dict[str, Triple]:
        """Return the ratings of those positions that someone has answered."""
        row = schema.position_ratings.c
        query = select(row.id, row.rating, row.deviation, row.volatility).where(row.id.in_(ids))
        return {each: (rating, deviation, spread) for each, rating, deviation, spread in self._read(query)}


def _result(answers: list[list[Any]], late: bool) -> TenResult:
    return TenResult(tuple((str(move), float(lost)) for move, lost in answers), late)


def _ten(connection: Connection, person: str, day: str) -> TenResult | None:
    row = schema.tens.c
    query = select(row.answers, row.late).where(row.player == person, row.day == day)
    found = connection.execute(query).one_or_none()
    return None if found is None else _result(found.answers, found.late)


def _answer(
    connection: Connection, person: str, day: str, number: int, answer: tuple[str, float], late: bool
) -> TenResult:
    row = schema.tens.c
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    new = {"player": person, "day": day, "answered": 0, "answers": [], "late": late, "begun": now}
    if number == 0:
        insert_new(connection, schema.tens, [new])
    before = _ten(connection, person, day)
    if before is None or before.answered != number:
        raise VersionConflict
    answers = [list(each) for each in (*before.answers, answer)]
    same = (row.player == person, row.day == day, row.answered == number)
    after = _result(answers, before.late or late)
    values = {"answered": len(answers), "answers": answers, "late": after.late}
    if connection.execute(update(schema.tens).where(*same).values(values)).rowcount != 1:
        raise VersionConflict
    if after.finished and not after.late:
        _count(connection, day, tenths(after.lost))
    return after


def _count(connection: Connection, day: str, lost: int) -> None:
    row = schema.ten_fields.c
    insert_new(connection, schema.ten_fields, [{"day": day, "lost": lost, "count": 0}])
    same = (row.day == day, row.lost == lost)
    connection.execute(update(schema.ten_fields).where(*same).values(count=row["count"] + 1))


def _save(
    connection: Connection, person: str, version: int, content: dict[str, Any], ratings: Mapping[str, Triple]
) -> None:
    row = schema.trainees.c
    if version == 0:
        insert_new(connection, schema.trainees, [{"player": person, "version": 0, "content": {}}])
    same = (row.player == person, row.version == version)
    done = connection.execute(update(schema.trainees).where(*same).values(version=version + 1, content=content))
    if done.rowcount != 1:
        raise VersionConflict
    rated = schema.position_ratings
    for each, (rating, deviation, volatility) in ratings.items():
        values = {"rating": rating, "deviation": deviation, "volatility": volatility}
        if not connection.execute(update(rated).where(rated.c.id == each).values(**values)).rowcount:
            connection.execute(insert(rated).values(id=each, **values))
