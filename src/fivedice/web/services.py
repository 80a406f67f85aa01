"""What every handler needs, in one place, and the one function that makes all of it from the settings.

Tables and house rules have limits at the door here, and what happens is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from secrets import compare_digest
from typing import Any

from sqlalchemy import Engine

from fivedice.table import commands as cmd
from fivedice.table.decide.playing import intended_hold
from fivedice.table.decide.rights import HOUSE
from fivedice.table.events import Event, Sat
from fivedice.table.house_rules_text import BadBook, house_id
from fivedice.table.proof.promises import drawn
from fivedice.table.refusals import NotAllowed, Refusal, WrongPhase
from fivedice.table.service import Done, Tables
from fivedice.table.state import TableState
from fivedice.table.store.access import Reading, Writer
from fivedice.table.store.database import open_database
from fivedice.table.store.house_rules_store import Shelf
from fivedice.table.store.remembered_choices import Choices
from fivedice.table.store.retention import Retention
from fivedice.table.store.table_store import CommandKey, NewTable, Store, Written, written
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import TableView
from fivedice.web.coach.table_coach import Coaches, OddsBoard
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import Person, public_base
from fivedice.web.http.opening_gate import Gate
from fivedice.web.reports.report_jobs import GameCounts, Reports
from fivedice.web.runtime.bot_runner import BotRunner
from fivedice.web.runtime.housekeeping import Housekeeping
from fivedice.web.runtime.notifier import Held, Presence, TableNotifier
from fivedice.web.runtime.solutions import Solutions
from fivedice.web.runtime.solve_process import solve_aside
from fivedice.web.runtime.telemetry import Health, Metrics
from fivedice.web.settings import Settings

_GATE_KEY = "gate key"  # in the database  # no sentence
LONGEST_PAGE = 24  # characters by which a page knows its own news


class WatchedShelf(Shelf):
    """House rules cost whoever solves them: only so many an hour are taken from one client."""

    def __init__(self, writer: Writer, reading: Reading, limits: Limits, gate: Gate) -> None:
        super().__init__(writer, reading)
        self._limits, self._gate = limits, gate

    def save(self, text: str, player: str | None) -> str:
        self._gate.check()
        with self._limits.one_more("books"):
            self._limits.saves(len(text.encode("utf-8", "surrogatepass")))
            return super().save(text, player)


class WatchedChoices(Choices):
    """Each new browser leaves a row."""

    def __init__(self, writer: Writer, reading: Reading, limits: Limits) -> None:
        super().__init__(writer, reading)
        self._limits = limits

    def remember(self, player: str, choices: dict[str, Any]) -> None:
        self._limits.saves(ROW + len(str(choices)))
        super().remember(player, choices)


class WatchedStore(Store):
    """A store that counts what each client adds to it, by whatever way."""

    def __init__(self, engine: Engine, limits: Limits, settings: Settings) -> None:
        super().__init__(engine)
        self._limits = limits
        self.gate = Gate(settings, limits, partial(drawn, self._writer, self._reading, _GATE_KEY))
        self.shelf = WatchedShelf(self._writer, self._reading, limits, self.gate)
        self.choices = WatchedChoices(self._writer, self._reading, limits)

    def create(self, new: NewTable) -> None:
        self._limits.saves(_size_of(new))
        super().create(new)

    def append(
        self,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
        key: CommandKey | None = None,
        following: NewTable | None = None,
        edition: int = 0,
    ) -> None:
        if following is None:
            super().append(before, after, events, key, None, edition)
            return
        with self._limits.one_more("tables"):  # a rematch is a new table like any other
            self._limits.saves(_size_of(following))
            super().append(before, after, events, key, following, edition)

    def _count(self, events: Sequence[Event], lines: Written, after: TableState) -> None:
        self._limits.saves(_size(events, lines, after))


ROW = 300  # bytes around the data of an event: keys, times, indexes
_BOT_TURN = 4 * (ROW + 60)  # rolls and a score of a bot, which plays on when nobody asks


def _size_of(new: NewTable) -> int:
    """A new table, with the rules that it may bring."""
    rules = len((new.state.rules or "").encode("utf-8", "surrogatepass"))
    return 3 * ROW + rules + _size(new.events, written(new.events), new.state)


def _size(events: Sequence[Event], lines: Written, state: TableState) -> int:
    """Bytes on disk, about. What a bot is going to do is paid for by whoever seats it."""
    bots = sum(isinstance(event, Sat) and event.bot is not None for event in events)
    kept = sum(ROW + len(data) for _, data in lines)
    return kept + bots * len(state.book.boxes) * _BOT_TURN


class WatchedTables(Tables):
    """Whoever opens a table or sends a command comes by here, by whatever page: nothing has to remember to count."""

    def __init__(
        self, store: WatchedStore, listener: Callable[[TableState], None], limits: Limits, metrics: Metrics
    ) -> None:
        super().__init__(store, listener)
        self._gate = store.gate
        self._limits = limits
        self._metrics = metrics

    def open(self, *arguments: Any, **options: Any) -> str:
        self._gate.check()
        with self._new_rules(options.get("rules")), self._limits.one_more("tables"):
            table = super().open(*arguments, **options)
        self._metrics.opened()
        return table

    def _new_rules(self, rules: str | None) -> AbstractContextManager[None]:
        """Rules that come with a table count too, and not only where there is a table: working them out is the cost."""
        if rules is None or self.store.shelf.text(house_id(rules)) is not None:
            return nullcontext()
        return self._limits.one_more("books", forgiven=BadBook)

    def execute(self, table: str, command: cmd.Command, **options: Any) -> Done:
        try:
            done = super().execute(table, command, **options)
        except Refusal as refusal:
            self._metrics.refused(refusal.code)
            raise
        if not done.repeated:
            self._metrics.moved(type(command).__name__, by_house=command.player == HOUSE)
        return done


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

    @property
    def solutions(self) -> Solutions:
        return self.coaches.solutions

    def view(self, table: str, person: Person) -> TableView:
        """The table as a person sees it; looking counts as being there."""
        return self.shown(self.tables.state(table), person)

    def shown(self, state: TableState, person: Person) -> TableView:
        """The same for a state that is at hand, such as the one after a command."""
        self.saw(state, person)
        kept = self.notifier.holds.at(state.id, state.game_version)
        return view(state, person.id, self.presence.at(state.id), kept, self.tables.store.receipts)

    def saw(self, state: TableState, person: Person) -> None:
        """Those who pass by are nobody's concern, and as many as they like to be."""
        if person.id == state.host or state.seats_of(person.id):
            self.presence.saw(state.id, person.id)

    def execute(
        self,
        table: str,
        command: cmd.Command,
        version: int | None = None,
        key: str | None = None,
        join_code: str | None = None,
        asked: object = None,
    ) -> Done:
        """Carry out a command; whoever sits down must have been invited."""
        if isinstance(command, cmd.SitDown):
            self._check_invitation(table, command.player, join_code)
        present = self.presence.at(table)
        if present is not None:
            present |= {command.player}
        done = self.tables.execute(table, command, version=version, key=key, present=present, asked=asked)
        return self._begun(done) if isinstance(command, cmd.SitDown) and command.player != done.state.host else done

    def _begun(self, done: Done) -> Done:
        """A guest who was waited for sat down: nobody has to press anything for the game to begin."""
        state = done.state
        if state.game is not None or state.starts_with is None or len(state.seats) < state.starts_with:
            return done
        with suppress(WrongPhase, NotAllowed):  # somebody was quicker, or it is another's table by now
            return self.tables.execute(state.id, cmd.StartGame(state.host))
        return done

    def log_out(self, person: Person) -> None:
        """Their key is void: what is open under it ends, here and at the other processes."""
        self.presence.forget(person.id)
        self.notifier.hang_up(person.id)

    def hold(self, table: str, person: Person, moment: int, slots: tuple[int, ...], page: str = "") -> None:
        """Show everybody which dice this person is about to keep. No move: nothing is written."""
        state = self.tables.state(table)
        held = intended_hold(state, person.id, moment, slots)
        self.saw(state, person)
        self.notifier.hold(table, Held(moment, held, page[:LONGEST_PAGE]))

    def _check_invitation(self, table: str, player: str, code: str | None) -> None:
        state = self.tables.state(table)
        invited = code is not None and same_code(code, self.tables.join_code(table))
        if not invited and player != state.host and not state.seats_of(player):
            raise NotAllowed("web.not-invited")

    def link(self, request: Req, path: str) -> str:
        """A link that works on another phone."""
        return public_base(self.settings, request) + path


def create_services(
    settings: Settings, *, engine: Engine | None = None, presence: Presence | None = None
) -> AppServices:
    """Everything that a server with these settings needs, each part made with those that it uses."""
    engine = engine or open_database(settings.database_url, careful=True)
    limits, metrics, notifier = Limits(settings), Metrics(), TableNotifier()
    store = WatchedStore(engine, limits, settings)
    tables = WatchedTables(store, notifier.notify, limits, metrics)
    coaches = Coaches(settings.solves_waiting, partial(solve_aside, memory=settings.solve_memory << 20))
    reports, health = Reports(coaches.solutions), Health(store)
    return AppServices(
        settings,
        engine,
        tables,
        notifier,
        BotRunner(tables, coaches.solutions, notifier.bot_tables, settings.bot_pause),
        presence or Presence(),
        store.gate,
        limits,
        metrics,
        coaches,
        OddsBoard(coaches),
        reports,
        GameCounts(store, coaches.solutions, reports),
        health,
        Housekeeping(store, Retention(settings.keep_unfinished, settings.keep_finished), health.note_damage),
    )


def same_code(one: str, other: str) -> bool:
    """Compared in a time that does not tell how much of a guess is right."""
    return compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())
