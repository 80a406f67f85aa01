"""A game at one terminal: all players share it, and every move is saved before it is shown.

Games are stored in the user's data folder. Errors of the store become messages here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from fivedice.coaching.training import avoidable_zero
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Game
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError, quote
from fivedice.folders import data_folder
from fivedice.store.database import database_url, open_database
from fivedice.store.results import Best, TableEntry
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.playing import house_command, slots_of
from fivedice.table.fairness.commitments import record_of
from fivedice.table.refusals import AgainstTheRules, WrongPhase
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState

_DIGITS = 3  # the most digits of a number of saved rolls
TERMINAL = "terminal"  # the player id of all people at this terminal


def open_tables(url: str | None = None) -> Tables:
    """Open the store in the user's data folder. Creates it if there is none."""
    with storing():
        return Tables(Store(open_database(url or database_url())))


def games(tables: Tables) -> list[TableEntry]:
    """Return the games of this terminal, newest first."""
    with storing():
        return tables.store.own_tables.of(TERMINAL)


def find_game(entries: Sequence[TableEntry], start: str) -> str:
    """Return the id of the game that was typed, or of the only one that starts with it. Raise FivediceError if none."""
    ids = [entry.id for entry in entries]
    if start in ids:
        return start
    found = [each for each in ids if start and each.startswith(start)]
    if len(found) > 1:
        raise FivediceError("cli.game-unclear", game=quote(start), count=len(found))
    if not found:
        raise FivediceError("cli.unknown-game", game=quote(start))
    return found[0]


@contextmanager
def storing() -> Iterator[None]:
    """Turn errors of the disk, the folder and the database into a message that says what to do."""
    try:
        yield
    except (OSError, SQLAlchemyError) as error:
        raise FivediceError("store.no-folder", folder=str(data_folder()), reason=_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, DBAPIError):
        return str(error.orig)
    return str(getattr(error, "strerror", None) or error)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of `fivedice play`."""

    book: RuleBook
    names: tuple[str | None, ...]  # None for a player without a name
    rules: str | None = None  # the text of house rules
    bots: tuple[str, ...] = ()
    coach: bool = True
    pad: bool = False
    seed: str | None = None


class Session:
    """One game at this terminal. `state` is the state that the screen shows; commands apply to exactly that version."""

    def __init__(self, tables: Tables, table: str) -> None:
        self._tables = tables
        self.id = table
        self.refresh()
        if self.state.phase is Phase.SEATING:  # the program ended between setup and start
            self._do(cmd.StartGame(TERMINAL))

    @classmethod
    def start(cls, tables: Tables, plan: PlayOptions) -> Session:
        """Seat all players and start the game."""
        given = [name for name in plan.names if name is not None]
        twice = next((name for number, name in enumerate(given) if name.strip() in map(str.strip, given[:number])), "")
        if twice:
            raise FivediceError("terminal.same-name", name=quote(twice))
        people: list[cmd.Command] = [cmd.SitDown(TERMINAL, name) for name in plan.names]
        house: list[cmd.Command] = [cmd.SeatBot(TERMINAL, level) for level in plan.bots]
        then = [*people, *house, cmd.StartGame(TERMINAL)]
        options = {"coach": plan.coach, "rules": plan.rules, "real_dice": plan.pad, "seed": plan.seed}
        with storing():
            return cls(tables, tables.open(TERMINAL, plan.book.key, **options, then=then))  # type: ignore[arg-type]

    @classmethod
    def resume(cls, tables: Tables, table: str | None) -> Session:
        """Open the given game, or the last one that is not finished. Raise FivediceError if there is none."""
        entries = games(tables)
        unfinished = [entry.id for entry in entries if entry.phase in (Phase.SEATING, Phase.PLAYING)]
        if table is None and not unfinished:
            raise FivediceError("terminal.nothing-to-resume", command="fivedice play")  # no sentence
        return cls(tables, unfinished[0] if table is None else find_game(entries, table))

    def refresh(self) -> None:
        """Read the state again: another window may play the same game."""
        with storing():
            self.state: TableState = self._tables.state(self.id)

    @property
    def game(self) -> Game:
        game = self.state.game
        if game is None:
            raise WrongPhase("table.not-playing")
        return game

    @property
    def record(self) -> str:
        """Return the game in notation, with the proof of its dice when it is over."""
        return record_of(self.state, self.game)

    @property
    def best(self) -> Best | None:
        """Return the score to beat: the best finished game of this terminal with the same rules."""
        with storing():
            book = self.state.shelf_key
            return self._tables.store.results.best(TERMINAL).get(book)

    @property
    def bot_is_next(self) -> bool:
        return self.state.on_turn is not None and self.state.house_plays(self.state.on_turn)

    @property
    def person_is_next(self) -> bool:
        return self.state.on_turn is not None and not self.bot_is_next

    def roll(self, held_slots: Sequence[int] = ()) -> None:
        self._do(cmd.RollDice(TERMINAL, tuple(held_slots)))

    def slots_to_keep(self, keep: Keep) -> tuple[int, ...]:
        """Return the slots of these faces. Raise AgainstTheRules if the dice do not show them."""
        dice = Keep(self.state.slots)
        if not dice.contains(keep):
            kind = "terminal.cannot-keep" if dice else "terminal.nothing-to-keep"
            raise AgainstTheRules(kind, keep=keep, dice=dice)
        return slots_of(self.state, keep)

    def enter(self, thrown: Roll, held_slots: Sequence[int] = (), *, last: bool = False, saved: int = 0) -> None:
        """Enter what real dice show.

        With `last` they are the final dice of the turn and its only noted ones; `saved` is how many rolls the turn
        saved.
        """
        self._do(cmd.EnterDice(TERMINAL, thrown.faces, tuple(held_slots), last, saved))

    def withdraw(self) -> None:
        """Take back the dice that were entered last."""
        self._do(cmd.Withdraw(TERMINAL))

    def correct(self, turn: int, dice: Roll | None, box: str | None, saved: int | None = None) -> None:
        """Change a scored turn of this game. Turns are counted from 0."""
        faces = None if dice is None else dice.faces
        self._do(cmd.Correct(TERMINAL, (cmd.Change(self.state.game_number, turn, faces, box, saved),)))

    def score(self, box: str) -> None:
        self._do(cmd.FillBox(TERMINAL, box))

    def undo(self) -> None:
        self._do(cmd.TakeBack(TERMINAL))

    def choose_bot_move(self) -> tuple[cmd.Command, int]:
        """Return the next move of the bot on turn, and the version it is for. May take long; changes nothing."""
        state = self.state
        if state.on_turn is None:
            raise WrongPhase("table.not-playing")
        return house_command(state, state.on_turn), state.version

    def bot_move(self, thought: tuple[cmd.Command, int] | None = None) -> None:
        """Make one move of a bot. It is refused if the game has changed since the bot chose it."""
        command, version = thought or self.choose_bot_move()
        self._do(command, version)

    def again(self) -> Session:
        """Start a rematch, which the next player begins."""
        with storing():
            return Session(self._tables, self._tables.rematch(self.id, TERMINAL))

    def is_avoidable_zero(self, box: str) -> bool:
        """Return whether the box would score zero although another would score."""
        return avoidable_zero(self.state, TERMINAL, box) is not None

    def _do(self, command: cmd.Command, version: int | None = None) -> None:
        try:
            with storing():
                self._tables.execute(self.id, command, version=self.state.version if version is None else version)
        finally:
            self.refresh()


def final_dice(typed: str) -> tuple[str, int | None]:
    """Split the final dice of a turn from the number of saved rolls after a plus: 144446+1."""
    dice, plus, saved = typed.replace(" ", "").partition("+")
    if plus and not (saved.isdecimal() and saved.isascii() and len(saved) <= _DIGITS):
        raise FivediceError("notation.bad-saved-rolls", text=quote(typed))
    return dice, int(saved) if plus else None
