"""Circles: who may see and do what there, games and rounds of members, standings, and two members compared."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import pairwise
from math import ceil

from sqlalchemy import Connection

from fivedice.core.rules import SHIPPED, shipped
from fivedice.errors import quote
from fivedice.message import Message, message
from fivedice.positions.trainer import Rating, rate_meetings
from fivedice.store.circles import ALL_TIME, Circle, Meetings, Member, note_round
from fivedice.store.deals import Deal
from fivedice.store.table_store import TableDraft, create_table
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import ROW, BadRequest, NotAllowed, UnknownTable
from fivedice.table.seat_names import clean_name
from fivedice.table.service import Tables
from fivedice.table.service.table_creation import new_table, run_commands
from fivedice.table.state import Phase
from fivedice.web.http.handling import NotFound
from fivedice.web.jobs.report_jobs import Reports
from fivedice.web.jobs.solutions import NEXT, Solutions
from fivedice.web.services.daily_games import DailyGames
from fivedice.web.services.notices import Notices

MOST_GROUP, LARGEST_ROUND = 6, 60  # people at a table of a round, and tables
MOST_JUDGED = 20  # games that one look lets judge, of the last weeks
JUDGED_FOR = timedelta(days=60)
MEANINGFUL = 160.0  # the largest deviation at which a rating says something: about nine games in a month
SIZE_OF_TABLE = 6 * ROW  # bytes: with its seats and first events


@dataclass(frozen=True, slots=True)
class TodayLine:
    """How far a member is with the daily game; `lost` is None until the result is known, and may be seen."""

    member: Member
    yours: bool
    begun: bool
    finished: bool
    lost: float | None
    turns: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A member in the standings. The rank is that of the points lost per day; None without a day."""

    place: int  # from 1, without ties
    rank: int | None
    member: Member
    yours: bool
    days: int
    lost: float | None  # per day
    against: Meetings  # the other members


@dataclass(frozen=True, slots=True)
class Pair:
    """Two members compared: all of their games with each other."""

    one: Member
    other: Member
    sides: tuple[Meetings, Meetings]
    ratings: tuple[Rating, Rating]
    games: tuple[tuple[str, str, int, int], ...]

    @property
    def is_rated(self) -> bool:
        """Return whether there are enough games for the ratings to mean something."""
        return max(each.deviation for each in self.ratings) <= MEANINGFUL


class CircleGames:
    """Created once per server process."""

    def __init__(
        self, daily: DailyGames, tables: Tables, reports: Reports, solutions: Solutions, notices: Notices
    ) -> None:
        self._daily, self._tables, self._reports, self._solutions = daily, tables, reports, solutions
        self._notices = notices
        self._store, self._circles = tables.store, tables.store.circles
        self._asked: set[str] = set()  # games that wait to be judged

    def announce(self, circle: Circle, members: Iterable[Member], said: Message, path: str) -> None:
        """Notify members of a game that was opened, except the one who opened it."""
        self._notices.tell(said, path, *(member.player for member in members if member.number != circle.me))

    def _call_webhook(self, circle: Circle, said: Message, path: str) -> None:
        kind, link = said.kind.removeprefix("circle."), self._notices.link(path)
        self._notices.call_webhook(circle.id, {"kind": kind, "circle": circle.name, "text": str(said), "link": link})

    def require(self, name: str, player: str) -> tuple[Circle, dict[int, Member]]:
        """Return a circle and its members. Raise NotFound for everyone else: they do not learn that it exists."""
        found = self._circles.find(name, player)
        members = {} if found is None else self._circles.members(name)
        if found is None or found.me not in members:
            raise NotFound("circle.unknown")
        return found, members

    def require_owner(self, name: str, player: str) -> tuple[Circle, dict[int, Member]]:
        """Return a circle and its members. Raise NotAllowed unless the person owns it."""
        found, members = self.require(name, player)
        if not found.is_mine:
            raise NotAllowed("circle.owner-only", owner=members.get(found.owner, members[found.me]).name)
        return found, members

    def require_link(self, name: str, code: str) -> Circle:
        """Return the circle that a link leads to. Raise NotFound if the link was renewed."""
        found = self._circles.find_link(name, code)
        if found is None:
            raise NotFound("circle.old-link")
        return found

    def today(self, circle: Circle, members: dict[int, Member]) -> list[TodayLine]:
        """Return how far the members are today; points lost only once one's own game is over."""
        found = self._circles.attempts(circle.id, self._daily.days.today().isoformat())
        mine = found.get(members[circle.me].player)
        is_over = mine is not None and mine[0] is not None
        lines = []
        for member in members.values():
            finished, lost, facts = found.get(member.player, (None, None, None))
            seen = lost is not None and is_over
            turns = tuple((facts or {}).get("turns", ())) if seen else ()
            shown = lost / 10 if seen and lost is not None else None
            yours, begun = member.number == circle.me, member.player in found
            lines.append(TodayLine(member, yours, begun, finished is not None, shown, turns))
        return sorted(lines, key=lambda line: (line.lost is None, line.lost, not line.finished, not line.begun))

    def standings(self, circle: Circle, members: dict[int, Member], month: str = ALL_TIME) -> list[StandingLine]:
        """Return all members by points lost per day; equal ones share a rank: 1, 1, 3."""
        days, results = self._circles.days(circle.id, month), self._circles.results(circle.id, month)
        lines = []
        for member in members.values():
            played, lost = days.get(member.player, (0, 0))
            mean = lost / played / 10 if played else None
            against = results.get(member.player, Meetings())
            lines.append(StandingLine(0, None, member, member.number == circle.me, played, mean, against))
        lines.sort(key=lambda line: (line.lost is None, line.lost or 0.0, -line.against.wins, line.member.number))
        means = [line.lost for line in lines]
        ranks = [None if mean is None else 1 + means.index(mean) for mean in means]
        return [replace(line, place=place, rank=ranks[place - 1]) for place, line in enumerate(lines, 1)]

    def pair(self, one: Member, other: Member) -> Pair:
        """Return two members compared, rated by who lost fewer points: that is the result without luck."""
        mine, theirs = self._circles.between(one.player, other.player)
        months = [
            (mine[month].better, theirs[month].better, mine[month].judged - mine[month].better - theirs[month].better)
            for month in mine
            if month != ALL_TIME
        ]
        sides = mine.get(ALL_TIME, Meetings()), theirs.get(ALL_TIME, Meetings())
        return Pair(
            one, other, sides, rate_meetings(months), tuple(self._circles.last_games(one.player, other.player, 5))
        )

    def play(self, circle: Circle, members: dict[int, Member], book: str, asked: int | None = None) -> str:
        """Open a game for members, or for one of them; it starts when someone joins. Return its table."""
        me = members[circle.me]
        if asked is not None and (asked not in members or asked == circle.me):
            raise BadRequest("circle.no-member", number=quote(asked))
        then = (cmd.SitDown(me.player, me.name), cmd.StartWith(me.player, 2))
        table = self._tables.open(me.player, book, then=then)
        self._circles.note_game(circle.id, table, asked)
        said, path = message("circle.wants-to-play", name=me.name), f"/circle/{circle.id}"
        self.announce(circle, members.values() if asked is None else (members[asked],), said, path)
        if asked is None:
            self._call_webhook(circle, said, path)
        return table

    def require_game(self, circle: Circle, player: str, table: str) -> None:
        """Raise NotFound unless a game was started from this circle, for this member or for all."""
        found = [game for game in self._circles.open_games([circle.id], player) if game.table == table]
        if not found or found[0].asked not in (None, circle.me):
            raise NotFound("circle.no-game")

    def deal(self, circle: Circle, members: dict[int, Member], book: str, closes: str) -> Deal:
        """Return new dice for the circle, or raise NotAllowed while the last ones can still be begun."""
        if (found := self.open_deal(circle)) is not None:
            raise NotAllowed("circle.has-deal", day=date.fromisoformat(str(found.closes)))
        with self._store.quota.open_table():
            deal = self._daily.deal_new(members[circle.me].player, book, circle.name, closes)
        self._circles.change(circle.id, deal=deal.name)
        said = message("circle.new-deal", day=date.fromisoformat(str(deal.closes)))
        self.announce(circle, members.values(), said, f"/deal/{deal.name}")
        self._call_webhook(circle, said, f"/deal/{deal.name}")
        return deal

    def open_deal(self, circle: Circle) -> Deal | None:
        """Return the deal of the circle while it can be begun."""
        found = None if circle.deal is None else self._store.deals.find(circle.deal)
        return found if found is not None and self._daily.days.is_open(found) else None

    def open_round(
        self, circle: Circle, members: dict[int, Member], here: Sequence[Member], size: int, how: str, book: str
    ) -> int:
        """Open a game for each group of those who are here, all at once, and return the number of the round."""
        if book not in SHIPPED:
            raise BadRequest("circle.no-book", book=quote(book))
        groups = groups_of(self._in_order(circle, members, here, how), size)
        drafts = [_draft(members[circle.owner].player, group, book) for group in groups]

        def write(connection: Connection) -> int:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            for draft in drafts:
                create_table(connection, draft, now)
            return note_round(connection, circle.id, [draft.header.id for draft in drafts])

        with ExitStack() as quota:  # all tables or none
            for _ in drafts:
                quota.enter_context(self._store.quota.open_table())
            quota.enter_context(self._store.quota.write(len(drafts) * SIZE_OF_TABLE))
            number = self._store.write(write)
        said = message("circle.round-begins", number=number)
        for draft, group in zip(drafts, groups, strict=True):
            self.announce(circle, group, said, f"/t/{draft.header.id}")
        self._call_webhook(circle, said, f"/circle/{circle.id}/round/{number}")
        return number

    def _in_order(self, circle: Circle, members: dict[int, Member], here: Sequence[Member], how: str) -> list[Member]:
        """Return the members in the order in which they are grouped: by standing, or drawn."""
        if how != "standing":
            return secrets.SystemRandom().sample(list(here), len(here))
        lines = self.standings(circle, members, self.month())
        return [line.member for line in lines if line.member in here]

    def month(self) -> str:
        """Return the month of today, as standings name it."""
        return self._daily.days.today().isoformat()[:7]

    def judge_soon(self, circle: Circle) -> bool:
        """Judge the finished games of members in the background, and return whether some wait for that."""
        since = (datetime.now(UTC) - JUDGED_FOR).isoformat()
        found = self._circles.waiting(circle.id, since, MOST_JUDGED)
        for table in found:
            if table not in self._asked:
                self._asked.add(table)
                self._solutions.jobs.put(NEXT, partial(self._judge, table))
        return bool(found)

    def _judge(self, table: str) -> None:
        """Store the points lost and the luck of everyone at a game, once its rules are solved."""
        try:
            state = self._tables.state(table)
        except UnknownTable:  # put away before it was judged
            return
        if state.game is None or state.phase is not Phase.FINISHED or not self._daily.can_judge(state.game):
            return
        report = self._reports.report(state.game, win=False).report
        if report is None:  # still being solved: the next look asks again
            self._asked.discard(table)
            return
        from fivedice.reports.shown_parts import shown_luck

        facts = {
            seat.player: (round(10 * found.lost), round(10 * shown_luck(found)))
            for seat, found in zip(state.seats, report.players, strict=True)
            if seat.player is not None
        }
        self._circles.judge(table, facts)


def groups_of(people: Sequence[Member], size: int) -> list[list[Member]]:
    """Return groups of about this size, in order, whose sizes differ by one at most. Raise BadRequest for too few."""
    if not 2 <= size <= MOST_GROUP:
        raise BadRequest("circle.group-size", size=size, most=MOST_GROUP)
    tables = min(ceil(len(people) / size), len(people) // 2)
    if tables < 1:
        raise BadRequest("circle.too-few", count=len(people))
    if tables > LARGEST_ROUND:
        raise BadRequest("circle.large-round", tables=tables, most=LARGEST_ROUND)
    ends = [len(people) * number // tables for number in range(tables + 1)]
    return [list(people[begin:end]) for begin, end in pairwise(ends)]


def member_name(text: str) -> str:
    """Return the name of a member. Raise BadRequest if it is none."""
    found = clean_name(text.strip() or None)
    if not found:
        raise BadRequest("circle.no-name")
    return found


def _draft(host: str, group: Sequence[Member], book: str) -> TableDraft:
    """Return the game of a group, which has begun. Its host is the owner of the circle; there are no hints."""
    opened = ev.Opened(book, host, coach=False, fingerprint=shipped(book).fingerprint)
    seats = [cmd.SitDown(member.player, member.name) for member in group]
    return run_commands(new_table(opened), (*seats, cmd.StartGame(host)))
