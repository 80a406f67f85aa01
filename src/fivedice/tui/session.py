"""A table at one terminal: everyone sits here, and every action is on disk before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError, quote
from fivedice.game import Game
from fivedice.rules import RuleBook
from fivedice.table import commands as ask
from fivedice.table.database import open_database
from fivedice.table.decide import house_plays
from fivedice.table.folders import database_url
from fivedice.table.house import house_command, slots_of
from fivedice.table.refusals import AgainstTheRules
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState
from fivedice.table.store import Store, TableEntry

TERMINAL = "terminal"  # the player id of whoever sits at this machine


@dataclass(frozen=True, slots=True)
class Plan:
    """What `fivedice play` was asked for."""

    book: RuleBook
    names: tuple[str, ...]
    rules: str | None = None  # the text of a house book
    bots: tuple[str, ...] = ()
    coach: bool = True
    pad: bool = False
    seed: str | None = None


def open_tables(url: str | None = None) -> Tables:
    """The user's own store."""
    return Tables(Store(open_database(url or database_url())))


def games(tables: Tables) -> list[TableEntry]:
    """The games of this terminal, newest first."""
    return tables.store.tables_of(TERMINAL)


class Session:
    """One game at this terminal."""

    def __init__(self, tables: Tables, table: str) -> None:
        self._tables = tables
        self.id = table

    @classmethod
    def start(cls, tables: Tables, plan: Plan) -> Session:
        """Seat everyone and begin."""
        people: list[ask.Command] = [ask.SitDown(TERMINAL, name) for name in plan.names]
        house: list[ask.Command] = [ask.SeatBot(TERMINAL, level) for level in plan.bots]
        then = [*people, *house, ask.StartGame(TERMINAL)]
        table = tables.open(
            TERMINAL,
            plan.book.key,
            coach=plan.coach,
            rules=plan.rules,
            real_dice=plan.pad,
            seed=plan.seed,
            then=then,
        )
        return cls(tables, table)

    @classmethod
    def resume(cls, tables: Tables, table: str | None) -> Session:
        """The named game, or the last one that is not finished."""
        running = [entry.id for entry in games(tables) if entry.phase == Phase.PLAYING]
        if table is None and not running:
            raise FivediceError("there is no unfinished game to resume; start one with: fivedice play")
        known = {entry.id for entry in games(tables)}
        if table is not None and table not in known:
            raise FivediceError(f"there is no game {quote(table)}; list them with: fivedice games")
        return cls(tables, table or running[0])

    @property
    def state(self) -> TableState:
        return self._tables.state(self.id)

    @property
    def game(self) -> Game:
        game = self.state.game
        if game is None:
            raise FivediceError("this game has not begun")
        return game

    @property
    def best(self) -> int | None:
        """The score to beat: the best finished game of this terminal in the same book."""
        found = self._tables.store.best_scores(TERMINAL).get(self.state.book.key)
        return None if found is None else found.total

    @property
    def house_is_next(self) -> bool:
        state = self.state
        return state.on_turn is not None and house_plays(state, state.on_turn)

    def roll(self, held_slots: Sequence[int] = ()) -> None:
        self._do(ask.RollDice(TERMINAL, tuple(held_slots)))

    def slots_to_hold(self, keep: Keep) -> tuple[int, ...]:
        """The slots of these faces, or a refusal if they do not lie there."""
        state = self.state
        if not Keep(state.slots).contains(keep):
            shown = " ".join(map(str, state.slots)) or "nothing yet"
            raise AgainstTheRules(f"{quote(str(keep))} cannot be held: the dice show {shown}.")
        return slots_of(state.slots, keep)

    def enter(self, thrown: Roll, held_slots: Sequence[int] = ()) -> None:
        """Tell what real dice show."""
        self._do(ask.EnterDice(TERMINAL, thrown.faces, tuple(held_slots)))

    def score(self, box: str) -> None:
        self._do(ask.FillBox(TERMINAL, box))

    def undo(self) -> None:
        self._do(ask.TakeBack(TERMINAL))

    def house_move(self) -> None:
        """One visible move of a bot."""
        state = self.state
        if state.on_turn is not None:
            self._do(house_command(state, state.on_turn))

    def again(self) -> Session:
        """A rematch, begun by the next player."""
        following = self._tables.rematch(self.id, TERMINAL)
        session = Session(self._tables, following)
        session._do(ask.StartGame(TERMINAL))
        return session

    def is_avoidable_zero(self, box: str) -> bool:
        """A zero, although another box would score."""
        if self.game.position.roll is None:
            return False
        legal = self.game.position.ruling().legal
        key = self.state.book.box(box).key
        return key in legal and not legal[key].points and any(entry.points for entry in legal.values())

    def _do(self, command: ask.Command) -> None:
        self._tables.execute(self.id, command, version=self.state.version)
