"""The services that handlers use, and what a handler can declare about its caller, by parameter name.

services   the services of the server
person     the caller; a new person if the request has no key
player     the caller, refused without a key
visitor    the caller with their request, for the pages of a table
form       the submitted form

Each dependency takes an earlier one as a parameter, needed or not. The framework starts a task for each of several
independent dependencies, which takes longer than creating them in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from secrets import compare_digest
from typing import ClassVar
from urllib.parse import parse_qs, urlencode

from litestar.datastructures import Cookie
from litestar.di import Provide
from litestar.types import Scope
from sqlalchemy import Engine

from fivedice.coaching.training import AUTO, LIMITS, Goal, is_goal, parse_goal, parse_limit
from fivedice.core.rules import SHIPPED, RuleBook
from fivedice.errors import quote
from fivedice.message import Message, message
from fivedice.store.database import open_database
from fivedice.store.device_store import Devices, NoticeStore
from fivedice.store.retention import Retention
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.playing import intended_hold
from fivedice.table.house_rules_text import BadBook
from fivedice.table.refusals import BadRequest, NotAllowed, Quota, WrongPhase
from fivedice.table.service import Done, Tables
from fivedice.table.service.days import Days
from fivedice.table.state import TableState
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import TableView
from fivedice.text import Either
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.forms import Form, form_of
from fivedice.web.http.handling import NotFound, Req
from fivedice.web.http.identity import (
    Gate,
    Person,
    cookie_of,
    guarded_cookie,
    is_fragment,
    known_person,
    person_of,
    public_base,
)
from fivedice.web.http.settings import Settings
from fivedice.web.jobs.child_process import solve_aside
from fivedice.web.jobs.report_jobs import GameCounts, Reports
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.jobs.table_coach import Coaches, OddsBoard
from fivedice.web.jobs.telemetry import Health, Housekeeping, Metrics
from fivedice.web.live.bot_runner import BotRunner
from fivedice.web.live.notifier import IntendedHold, Presence, TableNotifier
from fivedice.web.services.circle_games import CircleGames
from fivedice.web.services.daily_games import DailyGames
from fivedice.web.services.notices import Notices


class ClientQuota(Quota):
    """Count tables, rules and bytes for the client of the current request, and check the opening gate."""

    def __init__(self, limits: Limits, gate: Gate) -> None:
        self._limits, self._gate = limits, gate

    @contextmanager
    def open_table(self) -> Iterator[None]:
        self._gate.check()
        with self._limits.one_more("tables"):
            yield

    def bring_rules(self) -> AbstractContextManager[None]:
        """Return a context that counts new rules, except a text that cannot be parsed."""
        return self._limits.one_more("books", forgiven=BadBook)

    @contextmanager
    def save_rules(self, size: int) -> Iterator[None]:
        self._gate.check()
        with self._limits.one_more("books"):
            self._limits.saves(size)
            yield

    @contextmanager
    def write(self, size: int, *, new_table: bool = False) -> Iterator[None]:
        with self._limits.one_more("tables") if new_table else nullcontext():
            self._limits.saves(size)
            yield


_GATE_KEY = "gate key"  # in the database  # no sentence
REACTIONS = 6  # pictures to choose from
LONGEST_PAGE = 24  # characters of the id by which a page recognizes its own hold


@dataclass(frozen=True, slots=True)
class AppServices:
    """Created once per server process, by `create_services`."""

    settings: Settings
    engine: Engine
    tables: Tables
    notifier: TableNotifier
    bots: BotRunner
    presence: Presence
    gate: Gate
    limits: Limits
    metrics: Metrics
    coaches: Coaches
    odds_board: OddsBoard
    reports: Reports
    game_counts: GameCounts
    health: Health
    housekeeping: Housekeeping
    daily: DailyGames
    circles: CircleGames
    devices: Devices
    notices: Notices

    @property
    def solutions(self) -> Solutions:
        return self.coaches.solutions

    def book(self, key: str) -> RuleBook:
        """Return the book of a shipped key or of the address of house rules. Raise NotFound if there is none."""
        found = self.tables.store.shelf.book(key)
        if found is None:
            raise NotFound(no_book(key))
        return found

    def view(self, table: str, person: Person) -> TableView:
        """Return the view of a table for a person, and note that they are present."""
        return self.shown(self.tables.state(table), person)

    def shown(self, state: TableState, person: Person) -> TableView:
        """Return the view of a given state, such as the one after a command, and note the presence."""
        self.mark_present(state, person)
        kept = self.notifier.holds.at(state.id, state.game_version)
        return view(state, person.id, self.presence.at(state.id), kept, self.tables.store.receipts)

    def mark_present(self, state: TableState, person: Person) -> None:
        """Note that a person is present. Track only the host and seated players."""
        if person.id == state.host or state.seats_of(person.id):
            self.presence.mark_present(state.id, person.id)

    def execute(
        self,
        table: str,
        command: cmd.Command,
        version: int | None = None,
        key: str | None = None,
        join_code: str | None = None,
        asked: object = None,
    ) -> Done:
        """Execute a command and return its result. Raise NotAllowed for a guest without an invitation."""
        if isinstance(command, cmd.SitDown):
            state = self.tables.state(table)
            invited = join_code is not None and same_code(join_code, self.tables.join_code(table))
            if not invited and command.player != state.host and not state.seats_of(command.player):
                raise NotAllowed("web.not-invited")
        present = self.presence.at(table)
        if present is not None:
            present |= {command.player}
        done = self.tables.execute(table, command, version=version, key=key, present=present, asked=asked)
        if done.state.deal is not None and done.events and done.state.phase.is_over:
            self.daily.judge_end(done.state)
        if isinstance(command, cmd.PlayAgain) and done.state.rematch is not None:
            self.presence.carry(table, done.state.rematch)
        return (
            self._start_if_full(done)
            if isinstance(command, cmd.SitDown) and command.player != done.state.host
            else done
        )

    def _start_if_full(self, done: Done) -> Done:
        """Start the game if all expected players have joined. Return the latest result."""
        state = done.state
        if state.game is not None or state.starts_with is None or len(state.seats) < state.starts_with:
            return done
        with suppress(WrongPhase, NotAllowed):  # already started, or the host has changed
            return self.tables.execute(state.id, cmd.StartGame(state.host))
        return done

    def log_out(self, person: Person) -> None:
        """End the streams of a person whose key is no longer valid, here and in the other processes."""
        self.presence.forget(person.id)
        self.notifier.hang_up(person.id)

    def hold(self, table: str, person: Person, moment: int, slots: tuple[int, ...], page: str = "") -> None:
        """Show everyone which dice this person is about to keep. This is not a move, and is not stored."""
        state = self.tables.state(table)
        held = intended_hold(state, person.id, moment, slots)
        self.mark_present(state, person)
        self.notifier.hold(table, IntendedHold(moment, held, page[:LONGEST_PAGE]))

    def hurry_bots(self, table: str, person: Person) -> None:
        """End the pause of the bot on turn, for a player who has seen enough."""
        self.notifier.sign(table, self._require_player(table, person).seats_of(person.id)[0], None)

    def react(self, table: str, person: Person, picture: int) -> None:
        """Show everyone at a table a picture of this player. It is not stored, and too many are dropped."""
        seat = self._require_player(table, person).seats_of(person.id)[0]
        if not 0 <= picture < REACTIONS:
            raise BadRequest("web.no-reaction", picture=picture, count=REACTIONS)
        self.notifier.sign(table, seat, picture)

    def _require_player(self, table: str, person: Person) -> TableState:
        state = self.tables.state(table)
        if not state.seats_of(person.id):
            raise NotAllowed("table.players-only")
        self.mark_present(state, person)
        return state

    def link(self, request: Req, path: str) -> str:
        """Return a link that works on other devices."""
        return public_base(self.settings, request) + path


def create_services(
    settings: Settings, *, engine: Engine | None = None, presence: Presence | None = None
) -> AppServices:
    """Create all services of a server with these settings."""
    engine = engine or open_database(settings.database_url, careful=True)
    limits, metrics, notifier = Limits(settings), Metrics(), TableNotifier()
    gate = Gate(settings, limits, lambda: store.draw_key(_GATE_KEY))
    store = Store(engine, ClientQuota(limits, gate))
    days = Days(store, settings.zone)
    presence = presence or Presence()

    def note_change(state: TableState) -> None:
        notifier.notify(state)
        notices.note_change(state)

    tables = Tables(store, note_change, metrics, days.is_over)
    notices = Notices(NoticeStore(store), tables, presence, settings, limits)
    coaches = Coaches(settings.solves_waiting, partial(solve_aside, memory=settings.solve_memory << 20))
    reports, health = Reports(coaches.solutions), Health(store)
    bots = BotRunner(tables, coaches.solutions, notifier.bot_tables, settings.bot_pause, notifier.hold)
    notifier.hurry_bot = bots.hurry
    daily = DailyGames(days, tables, reports, coaches.solutions)
    return AppServices(
        settings,
        engine,
        tables,
        notifier,
        bots,
        presence,
        gate,
        limits,
        metrics,
        coaches,
        OddsBoard(coaches),
        reports,
        GameCounts(store, coaches.solutions, reports),
        health,
        Housekeeping(store, Retention(settings.keep_unfinished, settings.keep_finished), health.note_damage),
        daily,
        CircleGames(daily, tables, reports, coaches.solutions, notices),
        Devices(store),
        notices,
    )


def no_book(key: str) -> Message:
    return message("web.no-book", key=quote(key), known=Either(SHIPPED))


def same_code(one: str, other: str) -> bool:
    """Return whether two codes are equal. The comparison takes constant time."""
    return compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


COACH_COOKIE = "fivedice_coach"
MOST_ID = 64  # characters of a game’s id that are stored


@dataclass(frozen=True, slots=True)
class CoachChoices:
    """The coach settings of a browser: the limit of training, whether odds are shown, and the goal.

    They have their own cookie, which does not identify anyone. A target total applies only to the game for which it was
    chosen; the other settings apply to all games.
    """

    limits: ClassVar = LIMITS

    training: int = 0
    odds: bool = False
    aim: Goal = AUTO
    game: str = ""  # for which a target total was chosen

    def cookie(self, scope: Scope) -> Cookie:
        values = {"training": self.training, "odds": int(self.odds), "aim": self.aim.text, "game": self.game}
        return guarded_cookie(scope, COACH_COOKIE, urlencode(values))

    def aim_at(self, table: str) -> Goal:
        """Return the goal in this game."""
        return AUTO if self.aim.target is not None and self.game != table else self.aim


def coach_choices(request: Req) -> CoachChoices:
    """Return the choices in the cookie, with defaults for values that cannot be parsed."""
    found = parse_qs(cookie_of(request, COACH_COOKIE))
    last = {name: values[-1] for name, values in found.items()}
    training = last.get("training", "")
    return CoachChoices(
        training=int(training) if training in map(str, LIMITS) else 0,
        odds=last.get("odds") == "1",
        aim=parse_goal(last["aim"]) if is_goal(last.get("aim", "")) else AUTO,
        game=last.get("game", "")[:MOST_ID],
    )


def apply_form(before: CoachChoices, form: Form, table: str) -> CoachChoices:
    """Return the choices after a form that changes some of them."""
    training = parse_limit(form.last("training", str(before.training)))
    aim, game = before.aim, before.game
    if "aim" in form.fields:
        aim = parse_goal(form.last("aim"))
        game = "" if aim.target is None else table
    odds = {"on": True, "off": False}.get(form.last("odds"), before.odds)
    return CoachChoices(training, odds, aim, game)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person with their request, at a page of a table. Created for each request."""

    services: AppServices
    person: Person
    request: Req

    @property
    def fragment(self) -> bool:
        """Return whether only the changing part of the page is requested."""
        return is_fragment(self.request)

    @property
    def wants(self) -> CoachChoices:
        """Return the coach settings of this browser."""
        return coach_choices(self.request)

    def link(self, path: str) -> str:
        """Return a link that works on other devices."""
        return public_base(self.services.settings, self.request) + path


def dependencies(services: AppServices) -> dict[str, Provide]:
    def the_services() -> AppServices:
        return services

    return {
        "services": Provide(the_services, sync_to_thread=False),
        "person": Provide(_person, sync_to_thread=False),
        "player": Provide(_player, sync_to_thread=False),
        "visitor": Provide(_visitor, sync_to_thread=False),
        "form": Provide(_form),
    }


def _person(request: Req, services: AppServices) -> Person:  # noqa: ARG001 - see above
    return person_of(request)


def _player(request: Req, services: AppServices) -> Person:  # noqa: ARG001
    return known_person(request)


def _visitor(request: Req, services: AppServices, person: Person) -> Visitor:
    return Visitor(services, person, request)


async def _form(request: Req, visitor: Visitor) -> Form:  # noqa: ARG001
    return await form_of(request)
