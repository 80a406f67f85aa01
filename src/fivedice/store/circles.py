"""Circles, their members and games, and the counts that their standings are made of.

Counts are written once, in the transaction of what they count: a day when it is judged, a game when it ends and when
it is judged. A page reads a row per member or pair, never all days and games. `recount` makes the same counts anew.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, func, insert, or_, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart, insert_new
from fivedice.table.daily import is_day
from fivedice.table.refusals import ROW, BadRequest, NotAllowed, TableFull
from fivedice.table.state import Phase, TableState

MOST_MEMBERS, MOST_CIRCLES = 200, 20  # people in a circle, and circles of a person
SHOWN_FOR = timedelta(days=30)  # after a game was opened, while it is not over
MOST_OPEN = 40  # games that are looked at for those that are not over
ALL_TIME = ""  # in place of a month
_CIRCLE, _MEMBER, _GAME = schema.circles.c, schema.circle_members.c, schema.circle_games.c
_SHARED, _MEETING, _DAYS = schema.shared_games.c, schema.meetings.c, schema.played_days.c
_WEBHOOK = schema.webhooks.c


@dataclass(frozen=True, slots=True)
class Member:
    """A person in a circle. Pages show the number and the name, never `player`."""

    number: int
    player: str
    name: str
    since: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, and the number that the person who asked has in it; 0 for someone who is not a member."""

    id: str
    code: str
    name: str
    owner: int
    rounds: int
    deal: str | None
    me: int = 0

    @property
    def is_mine(self) -> bool:
        return self.me == self.owner


@dataclass(frozen=True, slots=True)
class CircleGame:
    """A game that was started from a circle."""

    circle: str
    table: str
    round: int
    asked: int | None
    phase: str


@dataclass(frozen=True, slots=True)
class Meetings:
    """What one person did against another, or against all other members."""

    games: int = 0
    wins: int = 0
    judged: int = 0
    better: int = 0
    lost: int = 0  # tenths of a point
    luck: int = 0

    @property
    def mean_lost(self) -> float | None:
        return self.lost / self.judged / 10 if self.judged else None

    @property
    def mean_luck(self) -> float | None:
        return self.luck / self.judged / 10 if self.judged else None


class Circles(StorePart):
    """All circles of a database."""

    def make(self, player: str, name: str, own: str) -> Circle:
        """Store a new circle with its first member, who owns it."""
        circle = Circle(secrets.token_urlsafe(16), _new_code(), name, 1, 0, None, 1)
        row = {each: getattr(circle, each) for each in ("id", "code", "name", "owner", "rounds")}

        def write(connection: Connection) -> None:
            connection.execute(insert(schema.circles).values(**row, joined=0, made=_now()))
            _join(connection, circle.id, player, own)

        with self._quota.open_table(), self._quota.write(2 * ROW):
            self._writer.write(write)
        return circle

    def join(self, circle: str, code: str, player: str, name: str) -> bool:
        """Add a person, and return whether the link is still that of the circle."""

        def write(connection: Connection) -> bool:
            same = update(schema.circles).where(_CIRCLE.id == circle, _CIRCLE.code == code)  # locks the circle
            if not connection.execute(same.values(code=code)).rowcount:
                return False
            _join(connection, circle, player, name)
            return True

        with self._quota.write(ROW):
            return self._writer.write(write)

    def find(self, circle: str, player: str) -> Circle | None:
        """Return a circle as one of its members sees it; None if there is none, or for everyone else."""
        same = (_MEMBER.circle == _CIRCLE.id) & (_MEMBER.player == player)
        return self._one(_select_circle(_MEMBER.number).join(schema.circle_members, same).where(_CIRCLE.id == circle))

    def find_link(self, circle: str, code: str) -> Circle | None:
        """Return the circle of a link; None if the link was renewed."""
        return self._one(_select_circle().where(_CIRCLE.id == circle, _CIRCLE.code == code))

    def _one(self, query: Any) -> Circle | None:
        with self._reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Circle(*row)

    def of(self, player: str) -> list[Circle]:
        """Return the circles of a person by name."""
        query = _select_circle(_MEMBER.number).join(schema.circle_members, _MEMBER.circle == _CIRCLE.id)
        with self._reading() as connection:
            found = connection.execute(query.where(_MEMBER.player == player).order_by(_CIRCLE.name, _CIRCLE.id))
            return [Circle(*row) for row in found]

    def members(self, circle: str) -> dict[int, Member]:
        """Return the members by number, in the order in which they joined."""
        query = select(_MEMBER.number, _MEMBER.player, _MEMBER.name, _MEMBER.since).where(_MEMBER.circle == circle)
        with self._reading() as connection:
            return {row.number: Member(*row) for row in connection.execute(query.order_by(_MEMBER.number))}

    def change(self, circle: str, **values: Any) -> None:
        """Set the name, the owner or the deal of a circle."""
        changed = update(schema.circles).where(_CIRCLE.id == circle).values(**values)
        self._writer.write(lambda connection: connection.execute(changed).close())

    def renew(self, circle: str) -> None:
        """Give the circle a new link. The old one leads nowhere."""
        self.change(circle, code=_new_code())

    def hand_over(self, circle: str, owner: int, number: int) -> bool:
        """Make another member the owner; return False if they have left, or the owner has changed meanwhile."""
        is_member = select(_MEMBER.number).where(_MEMBER.circle == circle, _MEMBER.number == number).exists()
        return self._writer.write(lambda connection: _change_owner(connection, circle, owner, number, is_member))

    def rename_member(self, circle: str, number: int, name: str) -> None:
        """Change how a member is called. Raise BadRequest if another member has the name."""

        def write(connection: Connection) -> None:
            _require_free_name(connection, circle, name, number)
            mine = update(schema.circle_members).where(_MEMBER.circle == circle, _MEMBER.number == number)
            connection.execute(mine.values(name=name))

        with self._quota.write(ROW):
            self._writer.write(write)

    def remove(self, circle: str, number: int) -> None:
        """Remove a member; renew the link, which they may still have."""

        def write(connection: Connection) -> None:
            _leave(connection, circle, number)
            connection.execute(update(schema.circles).where(_CIRCLE.id == circle).values(code=_new_code()))

        self._writer.write(write)

    def leave(self, circle: str, number: int) -> None:
        """Remove a member who leaves. The next member owns the circle then; after the last one it is deleted."""
        self._writer.write(lambda connection: _leave(connection, circle, number))

    def delete(self, circle: str) -> None:
        """Delete a circle. The games of its members stay."""
        self._writer.write(lambda connection: delete_circle(connection, circle))

    def note_game(self, circle: str, table: str, asked: int | None = None) -> None:
        """Record that a game was started from a circle."""
        with self._quota.write(ROW):
            self._writer.write(lambda connection: _note_games(connection, circle, [table], 0, asked))

    def open_games(self, circles: Sequence[str], player: str) -> list[CircleGame]:
        """Return the games of circles that are not over, newest first; of a round only the one where a person sits."""
        since, seat = (datetime.now(UTC) - SHOWN_FOR).isoformat(), schema.seats.c
        mine = select(seat.seat).where(seat.table_id == _GAME.table_id, seat.player == player).exists()
        latest = select(schema.circle_games).where(_GAME.circle.in_(circles), _GAME.opened > since)
        latest = latest.where(or_(_GAME.round == 0, mine))
        latest = latest.order_by(_GAME.opened.desc()).limit(MOST_OPEN)
        return [game for game in self._games(latest) if game.phase in (Phase.SEATING, Phase.PLAYING)]

    def round(self, circle: str, number: int) -> list[CircleGame]:
        """Return the games of a round, in the order of their tables."""
        return self._games(select(schema.circle_games).where(_GAME.circle == circle, _GAME.round == number))

    def _games(self, games: Any) -> list[CircleGame]:
        found = games.subquery().c
        query = select(found.circle, found.table_id, found.round, found.asked, schema.tables.c.phase)
        query = query.join(schema.tables, schema.tables.c.id == found.table_id)
        with self._reading() as connection:
            return [CircleGame(*row) for row in connection.execute(query.order_by(found.opened.desc()))]

    def attempts(self, circle: str, deal: str) -> dict[str, tuple[str | None, int | None, Any]]:
        """Return when each member has finished a deal, the tenths of a point lost, and the facts, by player."""
        row = schema.attempts.c
        query = select(row.player, row.finished, row.lost, row.facts).where(row.deal == deal)
        with self._reading() as connection:
            found = connection.execute(query.where(row.player.in_(_players(circle))))
            return {player: (finished, lost, facts) for player, finished, lost, facts in found}

    def days(self, circle: str, month: str) -> dict[str, tuple[int, int]]:
        """Return the days that each member has played, and the tenths of a point lost, by player."""
        query = select(_DAYS.player, _DAYS.days, _DAYS.lost)
        with self._reading() as connection:
            found = connection.execute(query.where(_DAYS.month == month, _DAYS.player.in_(_players(circle))))
            return {player: (days, lost) for player, days, lost in found}

    def results(self, circle: str, month: str) -> dict[str, Meetings]:
        """Return what each member did against the others, by player; without points lost and luck."""
        sums = [func.sum(_MEETING[name]) for name in ("games", "wins", "judged", "better")]
        other = schema.circle_members.alias().c
        query = select(_MEETING.player, *sums).join(schema.circle_members, _MEMBER.player == _MEETING.player)
        query = query.join(other.circle.table, (other.player == _MEETING.other) & (other.circle == circle))
        query = query.where(_MEMBER.circle == circle, _MEETING.month == month).group_by(_MEETING.player)
        with self._reading() as connection:
            return {player: Meetings(*map(int, found)) for player, *found in connection.execute(query)}

    def between(self, one: str, other: str) -> tuple[dict[str, Meetings], dict[str, Meetings]]:
        """Return what two people did against each other, by month and for all time, oldest first."""
        sides: tuple[dict[str, Meetings], dict[str, Meetings]] = ({}, {})
        query = select(_MEETING.player, _MEETING.month, *(_MEETING[name] for name in Meetings.__slots__))
        pair = or_(*((_MEETING.player == a) & (_MEETING.other == b) for a, b in permutations((one, other))))
        with self._reading() as connection:
            for player, month, *found in connection.execute(query.where(pair).order_by(_MEETING.month)):
                sides[player == other][month] = Meetings(*found)
        return sides

    def last_games(self, one: str, other: str, most: int) -> list[tuple[str, str, int, int]]:
        """Return the newest games of two people: the table, when it ended, and both totals."""
        theirs = schema.shared_games.alias().c
        query = select(_SHARED.table_id, _SHARED.ended, _SHARED.total, theirs.total)
        query = query.join(theirs.table_id.table, theirs.table_id == _SHARED.table_id)
        query = query.where(_SHARED.player == one, theirs.player == other).order_by(_SHARED.ended.desc()).limit(most)
        with self._reading() as connection:
            return [(table, ended, mine, other_) for table, ended, mine, other_ in connection.execute(query)]

    def find_losses(self, tables: Sequence[str]) -> dict[tuple[str, str], int]:
        """Return the tenths of a point that people lost at tables, by table and player, as far as they are judged."""
        query = select(_SHARED.table_id, _SHARED.player, _SHARED.lost).where(_SHARED.table_id.in_(tables))
        with self._reading() as connection:
            found = connection.execute(query.where(_SHARED.lost.is_not(None)))
            return {(table, player): lost for table, player, lost in found}

    def waiting(self, circle: str, since: str, most: int) -> list[str]:
        """Return games of members that were not judged yet."""
        query = select(_SHARED.table_id).where(_SHARED.player.in_(_players(circle)), _SHARED.ended > since)
        with self._reading() as connection:
            return list(connection.execute(query.where(_SHARED.lost.is_(None)).distinct().limit(most)).scalars())

    def judge(self, table: str, facts: Mapping[str, tuple[int, int]]) -> bool:
        """Store the tenths of a point that each person lost, and their luck; return whether that was new."""
        return self._writer.write(lambda connection: _judge(connection, table, facts))


def note_round(connection: Connection, circle: str, tables: Sequence[str]) -> int:
    """Record that these games are the next round of a circle, and return its number."""
    same = _CIRCLE.id == circle
    connection.execute(update(schema.circles).where(same).values(rounds=_CIRCLE.rounds + 1))
    number: int = connection.execute(select(_CIRCLE.rounds).where(same)).scalar_one()
    _note_games(connection, circle, tables, number, None)
    return number


def note_day(connection: Connection, player: str, deal: str, lost: int) -> None:
    """Count a result at the daily game; other deals are not counted."""
    if is_day(deal):
        rows = [{"player": player, "month": month, "days": 1, "lost": lost} for month in (deal[:7], ALL_TIME)]
        _add(connection, schema.played_days, rows)


def note_shared_game(connection: Connection, before: TableState, after: TableState, now: str) -> None:
    """Count a game with digital dice when it ends, for people who share a circle. Score pads can still change."""
    if after.phase is not Phase.FINISHED or before.phase.is_over or after.real_dice or len(after.seats) < 2:
        return
    seats = Counter(seat.player for seat in after.seats if seat.player is not None)
    result, seat = schema.results.c, schema.seats.c
    query = select(seat.player, result.total).where(result.table_id == after.id)
    query = query.join(schema.seats, (seat.table_id == result.table_id) & (seat.seat == result.seat))
    found = connection.execute(query).all()
    mine, theirs = (schema.circle_members.alias().c for _ in range(2))
    mates = select(mine.player).distinct().join(theirs.circle.table, theirs.circle == mine.circle)
    people = [player for player, count in seats.items() if count == 1]
    mates = mates.where(mine.player.in_(people), theirs.player.in_(people), mine.player != theirs.player)
    known = set(connection.execute(mates).scalars())
    rows = [{"table_id": after.id, "player": who, "ended": now, "total": total} for who, total in found if who in known]
    taken = connection.execute(select(_SHARED.player).where(_SHARED.table_id == after.id).limit(1)).first()
    if len(rows) > 1 and taken is None:  # the last score may have been taken back and given again
        connection.execute(insert(schema.shared_games), rows)
        _add(connection, schema.meetings, _count(rows, _score_points))


def own_circles(connection: Connection, player: str) -> dict[str, Any]:
    """Return what is stored about a person in circles, without the ids of others."""
    member = select(_CIRCLE.name, _MEMBER.name.label("your_name"), _MEMBER.since, _MEMBER.number)
    member = member.add_columns((_CIRCLE.owner == _MEMBER.number).label("owner"), _WEBHOOK.address.label("webhook"))
    member = member.join(schema.circle_members, _MEMBER.circle == _CIRCLE.id).where(_MEMBER.player == player)
    member = member.outerjoin(schema.webhooks, (_WEBHOOK.circle == _CIRCLE.id) & (_CIRCLE.owner == _MEMBER.number))
    games = [column for column in _SHARED if column.name != "player"]
    queries = {
        "circles": member.order_by(_MEMBER.since),
        "days": select(_DAYS.month, _DAYS.days, _DAYS.lost).where(_DAYS.player == player),
        "shared_games": select(*games).where(_SHARED.player == player).order_by(_SHARED.ended),
    }
    return {name: [dict(row) for row in connection.execute(query).mappings()] for name, query in queries.items()}


def move_person(connection: Connection, old: str, new: str) -> None:
    """Move a person to another key, which may have circles and games of its own, and count both together."""
    for circle, number in _memberships(connection, new).items():
        if (before := _memberships(connection, old).get(circle)) is not None:
            owned = update(schema.circles).where(_CIRCLE.id == circle, _CIRCLE.owner == before)
            connection.execute(owned.values(owner=number))
            asked = update(schema.circle_games).where(_GAME.circle == circle, _GAME.asked == before)
            connection.execute(asked.values(asked=number))
            twin = (_MEMBER.circle == circle, _MEMBER.number == before)
            connection.execute(delete(schema.circle_members).where(*twin))
    ours = select(_SHARED.table_id).where(_SHARED.player.in_((old, new))).group_by(_SHARED.table_id)
    twice = connection.execute(ours.having(func.count() == 2)).scalars().all()  # someone with two seats has no result
    both = delete(schema.shared_games).where(_SHARED.player.in_((old, new)), _SHARED.table_id.in_(twice))
    connection.execute(both)
    for rows in (schema.circle_members, schema.shared_games):
        connection.execute(update(rows).where(rows.c.player == old).values(player=new))
    for player in (old, new):
        recount(connection, player)


def recount(connection: Connection, player: str) -> None:
    """Count the days and games of a person anew, from their rows."""
    _forget_counts(connection, player)
    row = schema.attempts.c
    days = connection.execute(select(row.deal, row.lost).where(row.player == player, row.lost.is_not(None))).all()
    for deal, lost in days:
        note_day(connection, player, deal, lost)
    mine = select(_SHARED.table_id).where(_SHARED.player == player).scalar_subquery()
    games: dict[str, list[dict[str, Any]]] = {}
    for found in connection.execute(select(schema.shared_games).where(_SHARED.table_id.in_(mine))).mappings():
        games.setdefault(found["table_id"], []).append(dict(found))
    for game in games.values():
        pairs = [*_count(game, _score_points), *(_count(game, _score_losses) if game[0]["lost"] is not None else ())]
        _add(connection, schema.meetings, [pair for pair in pairs if player in (pair["player"], pair["other"])])


def forget_person(connection: Connection, player: str) -> None:
    """Delete a person from all circles, with their counts and what others did against them."""
    for circle, number in _memberships(connection, player).items():
        _leave(connection, circle, number)
    connection.execute(delete(schema.shared_games).where(_SHARED.player == player))
    _forget_counts(connection, player)


def _memberships(connection: Connection, player: str) -> dict[str, int]:
    found = connection.execute(select(_MEMBER.circle, _MEMBER.number).where(_MEMBER.player == player))
    return {row.circle: row.number for row in found}


def delete_circle(connection: Connection, circle: str) -> None:
    """Delete a circle with all of its rows, except the games themselves."""
    for rows in (schema.circle_members, schema.circle_games, schema.webhooks):
        connection.execute(delete(rows).where(rows.c.circle == circle))
    connection.execute(delete(schema.circles).where(_CIRCLE.id == circle))


def _forget_counts(connection: Connection, player: str) -> None:
    connection.execute(delete(schema.played_days).where(_DAYS.player == player))
    connection.execute(delete(schema.meetings).where(or_(_MEETING.player == player, _MEETING.other == player)))


def _select_circle(*more: Any) -> Any:
    return select(_CIRCLE.id, _CIRCLE.code, _CIRCLE.name, _CIRCLE.owner, _CIRCLE.rounds, _CIRCLE.deal, *more)


def _players(circle: str) -> Any:
    return select(_MEMBER.player).where(_MEMBER.circle == circle)


def _join(connection: Connection, circle: str, player: str, name: str) -> None:
    """Add a member. Raise a refusal if the circle is full, or the person is in enough circles."""
    if connection.execute(_players(circle).where(_MEMBER.player == player)).first() is not None:
        return
    # Locks a row of this person, so that they cannot join two circles at the same time.
    _add(connection, schema.played_days, [{"player": player, "month": ALL_TIME, "days": 0, "lost": 0}])
    of_person = select(func.count()).where(_MEMBER.player == player)
    if connection.execute(of_person).scalar_one() >= MOST_CIRCLES:
        raise NotAllowed("circle.too-many", most=MOST_CIRCLES)
    if connection.execute(select(func.count()).where(_MEMBER.circle == circle)).scalar_one() >= MOST_MEMBERS:
        raise TableFull("circle.full", most=MOST_MEMBERS)
    _require_free_name(connection, circle, name)
    same = _CIRCLE.id == circle
    connection.execute(update(schema.circles).where(same).values(joined=_CIRCLE.joined + 1))
    number = connection.execute(select(_CIRCLE.joined).where(same)).scalar_one()
    row = {"circle": circle, "number": number, "player": player, "name": name, "since": _now()}
    connection.execute(insert(schema.circle_members).values(row))


def _require_free_name(connection: Connection, circle: str, name: str, mine: int = 0) -> None:
    names = select(_MEMBER.name).where(_MEMBER.circle == circle, _MEMBER.number != mine)
    if name.casefold() in (each.casefold() for each in connection.execute(names).scalars()):
        raise BadRequest("circle.name-taken", name=name)


def _leave(connection: Connection, circle: str, number: int) -> None:
    same = _CIRCLE.id == circle
    connection.execute(update(schema.circles).where(same).values(joined=_CIRCLE.joined))  # locks the circle
    connection.execute(delete(schema.circle_members).where(_MEMBER.circle == circle, _MEMBER.number == number))
    heir = connection.execute(select(func.min(_MEMBER.number)).where(_MEMBER.circle == circle)).scalar_one()
    if heir is None:
        delete_circle(connection, circle)
    else:
        _change_owner(connection, circle, number, heir)


def _change_owner(connection: Connection, circle: str, owner: int, number: int, *more: Any) -> bool:
    """Make another member the owner, and end the webhook that the owner gave; return False for another owner."""
    mine = update(schema.circles).where(_CIRCLE.id == circle, _CIRCLE.owner == owner, *more)
    changed = connection.execute(mine.values(owner=number)).rowcount == 1
    if changed:
        connection.execute(delete(schema.webhooks).where(_WEBHOOK.circle == circle))
    return changed


def _note_games(connection: Connection, circle: str, tables: Iterable[str], number: int, asked: int | None) -> None:
    """Store games, each with a later time than the one after it: the first table of a round is listed first."""
    now = datetime.now(UTC)
    rows = [
        {"circle": circle, "table_id": table, "round": number, "asked": asked}
        | {"opened": (now - timedelta(milliseconds=place)).isoformat(timespec="milliseconds")}
        for place, table in enumerate(tables)
    ]
    connection.execute(insert(schema.circle_games), rows)


def _judge(connection: Connection, table: str, facts: Mapping[str, tuple[int, int]]) -> bool:
    query = select(schema.shared_games).where(_SHARED.table_id == table).with_for_update()
    rows = [dict(row) for row in connection.execute(query).mappings()]
    if not rows or any(row["lost"] is not None or row["player"] not in facts for row in rows):
        return False
    for row in rows:
        row["lost"], row["luck"] = facts[row["player"]]
        mine = update(schema.shared_games).where(_SHARED.table_id == table, _SHARED.player == row["player"])
        connection.execute(mine.values(lost=row["lost"], luck=row["luck"]))
    _add(connection, schema.meetings, _count(rows, _score_losses))
    return True


def _score_points(one: Mapping[str, Any], other: Mapping[str, Any]) -> Meetings:
    return Meetings(games=1, wins=int(one["total"] > other["total"]))


def _score_losses(one: Mapping[str, Any], other: Mapping[str, Any]) -> Meetings:
    return Meetings(judged=1, better=int(one["lost"] < other["lost"]), lost=one["lost"], luck=one["luck"])


def _count(rows: Collection[Mapping[str, Any]], what: Any) -> list[dict[str, Any]]:
    """Return what a game adds to the counts of each pair."""
    return [
        {"player": one["player"], "other": other["player"], "month": month}
        | {name: getattr(found, name) for name in Meetings.__slots__}
        for one, other in permutations(rows, 2)
        for found in [what(one, other)]
        for month in (one["ended"][:7], ALL_TIME)
    ]


def _add(connection: Connection, counts: Table, rows: list[dict[str, Any]]) -> None:
    """Add to counts, in the same order everywhere, so that two processes never wait for each other."""
    if not rows:
        return
    keys = [column.name for column in counts.primary_key]
    added = [column.name for column in counts.c if column.name not in keys]
    rows = sorted(rows, key=lambda row: [row[key] for key in keys])
    insert_new(connection, counts, [row | dict.fromkeys(added, 0) for row in rows])
    same = [counts.c[key] == bindparam(f"the_{key}") for key in keys]
    grown = update(counts).where(*same).values({name: counts.c[name] + bindparam(f"more_{name}") for name in added})
    values = [{f"{'the' if name in keys else 'more'}_{name}": value for name, value in row.items()} for row in rows]
    connection.execute(grown, values)


def _new_code() -> str:
    return secrets.token_urlsafe(18)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
