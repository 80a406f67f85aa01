"""The state of a table. `fold_events` derives it from the events; nothing else changes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fivedice.core.game import Game, Outcome, Scorecard, Step
from fivedice.core.rules import DEFAULT, RuleBook, shipped
from fivedice.message import Who
from fivedice.table.house_rules_text import house_id
from fivedice.table.seat_names import shown_name

if TYPE_CHECKING:
    from fivedice.table.action import Event, Rolled


class Phase(StrEnum):
    """A stage in the life of a table."""

    SEATING = "seating"
    PLAYING = "playing"
    FINISHED = "finished"
    GIVEN_UP = "given up"

    @property
    def is_over(self) -> bool:
        return self in (Phase.FINISHED, Phase.GIVEN_UP)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: its player and its looks."""

    given: str | None  # the name; None if the player gave none
    color: str
    token: str
    player: str | None = None
    bot: str | None = None
    away: bool = False
    stand_in: bool = False  # the server plays for someone who left
    text: str = ""  # their text, added to the secret of the dice
    helped: bool = False  # the server made moves for this person: the result is not theirs alone
    number: int = 1  # counted from 1
    logged: str | None = None  # the name in the log, which the dice are derived from
    former: bool = False  # the player had their data deleted
    out: bool = False  # has left the score sheet, and cannot win

    @property
    def name(self) -> str:
        """Return the name that records, results and programs use in every language."""
        return shown_name(self.given, self.number, former=self.former)

    @property
    def sealed_name(self) -> str:
        return self.logged or self.name

    @property
    def is_here(self) -> bool:
        """Return whether a person plays this seat and has not left it."""
        return self.player is not None and not self.away and not self.stand_in


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of the sheet, with the dice of each turn by slot. Immutable: replaced, never changed."""

    game: Game
    lain: tuple[tuple[Rolled, ...], ...]

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.game.outcome


@dataclass  # without slots, so that `copy` can copy `__dict__` at once: every move makes two copies
class TableState:
    """The result of all events so far."""

    id: str
    version: int = 0  # the number of events
    game_version: int = 0  # the last event that changed the dice, the sheet, or the numbers of the seats
    book: RuleBook = field(default_factory=lambda: shipped(DEFAULT))
    host: str = ""
    opener: str = ""  # opened the table, and may become the scorekeeper again at any time
    coach: bool = True
    rules: str | None = None  # the text of house rules
    real_dice: bool = False
    games: int = 1  # games planned side by side on the sheet
    match_total: bool = True
    pace: str = "calm"  # of the bots: see `seating.PACES`
    planned_first: int | None = None
    starts_with: int | None = None  # the number of players at which the game starts by itself
    seats: list[Seat] = field(default_factory=list)
    played: list[PlayedGame] = field(default_factory=list)  # the earlier games of the sheet
    game: Game | None = None  # the current game, or the last one
    rolls: tuple[Rolled, ...] = ()  # of the current turn
    lain: list[tuple[Rolled, ...]] = field(default_factory=list)  # the rolls of every scored turn
    put_by: tuple[Rolled, ...] = ()  # the next player's rolls, while the score before them is taken back
    taken_back: bool = False  # and not yet scored again
    last: Event | None = None
    undo_asked: int | None = None  # the seat whose score is to be taken back
    undo_version: int = 0  # the version at which that was asked
    undo_agreed: frozenset[str] = frozenset()
    undo_refused: bool = False  # someone did not agree; that is final for this score
    promise: str | None = None  # SHA-256 of the secret of the dice
    word: str | None = None  # identifies that promise, which may also cover the dice of a rematch
    secret: str | None = None  # once it has been revealed
    opened: str | None = None  # when, UTC; None for older tables
    begun: str | None = None  # when the seats were locked
    bots: str | None = None  # the version of their play: see `bots.replayed`
    known: str = ""  # names and texts that the dice are derived from, where some were deleted since
    given_up: bool = False
    ended: bool = False  # the sheet was ended before it was full: finished games count
    house_turn: int | None = None  # a seat that the server plays for one turn
    again_yes: tuple[str, ...] = ()  # people who want another game, in the order of their answers
    again_no: frozenset[str] = frozenset()
    rematch: str | None = None
    rematch_of: str | None = None
    deal: str | None = None  # the name of the dice that others play too: see `daily`
    practice: bool = False  # and this game does not count
    dealt: str = ""  # of a deal of a finished game: the hash of the facts that its dice follow from
    turns: tuple[int, ...] = ()  # and the turns of that game whose dice are played

    @property
    def seats_out(self) -> frozenset[int]:
        """Return the seats that have left the score sheet."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.out)

    def copy(self) -> TableState:
        """Return a copy that events can change while others still read this one."""
        twin = object.__new__(TableState)
        twin.__dict__.update(self.__dict__)
        twin.seats, twin.lain, twin.played = list(self.seats), list(self.lain), list(self.played)
        twin.game = None if self.game is None else self.game.copy()
        return twin

    @property
    def running(self) -> Game:
        """Return the game of a table that has started."""
        if self.game is None:
            raise AssertionError("the log plays before the game has started")
        return self.game

    @property
    def shelf_key(self) -> str:
        """Return the key under which the rules are listed. House rules may share a name, never a key."""
        return self.book.key if self.rules is None else house_id(self.rules)

    @property
    def phase(self) -> Phase:
        if self.given_up:
            return Phase.GIVEN_UP
        if self.game is None:
            return Phase.SEATING
        if self.ended:
            return Phase.FINISHED
        over = self.game.position.is_over and len(self.played) + 1 >= self.games
        return Phase.FINISHED if over else Phase.PLAYING

    @property
    def game_number(self) -> int:
        """Return the place of the current game on the sheet, counted from 0."""
        return len(self.played)

    @property
    def between_games(self) -> bool:
        """Return whether a game is over and the next one of the sheet has not begun."""
        return self.game is not None and self.game.is_over and self.phase is Phase.PLAYING

    @property
    def all_games(self) -> list[Game]:
        """Return the games of the sheet so far, the current one last."""
        games = [one.game for one in self.played]
        return games if self.game is None else [*games, self.game]

    @property
    def turn(self) -> int:
        """Return the number of the turn that is being played in the current game, counted from 0."""
        return len(self.lain)

    @property
    def round(self) -> int:
        """Return which of their turns the player on turn plays, counted from 1; at the end, the highest reached."""
        if self.game is None:
            return 1
        position = self.game.position
        filled = [card.filled.bit_count() for card in position.cards]
        return max(filled) if position.is_over else 1 + filled[position.seat]

    @property
    def finished_games(self) -> list[PlayedGame]:
        """Return the games of the sheet that are over, including the current one if it is."""
        if self.game is None or not self.game.is_over:
            return list(self.played)
        return [*self.played, PlayedGame(self.game, tuple(self.lain))]

    @property
    def counted(self) -> list[int]:
        """Return the numbers of the games that count.

        On a sheet that ended early these are the finished games, if there are any.
        """
        games = self.all_games
        over = [number for number, game in enumerate(games) if game.is_over]
        return over if over and (self.ended or self.given_up) else list(range(len(games)))

    @property
    def games_over(self) -> list[Game]:
        """Return the games that have a record: the finished ones, or else the one that ended early."""
        games, early = self.all_games, self.ended or self.given_up
        return [games[number] for number in self.counted if games[number].is_over or early]

    def outcome_of(self, number: int) -> Outcome | None:
        """Return how a game of the sheet ended; None if it has not ended or does not count."""
        games = self.all_games
        if not 0 <= number < len(games):
            return None
        early = self.ended and number in self.counted
        return games[number].position.standing if early else games[number].outcome

    @property
    def match(self) -> Outcome:
        """Return the standing of the sheet: the games that count added up, or only the last of them."""
        counted = self.counted if self.match_total else self.counted[-1:]
        columns = [self.cards_in(number) for number in counted]
        totals = tuple(sum(cards[seat].total for cards in columns) for seat in range(len(self.seats)))
        able = self._seats_that_can_win(counted)
        best = max(totals[seat] for seat in able)
        return Outcome(totals, tuple(seat for seat in able if totals[seat] == best))

    def _seats_that_can_win(self, counted: list[int]) -> list[int]:
        """Return the seats that can win a single game (all in it at its end) or a match (all that have not left)."""
        if self.match_total and self.games > 1:
            return [number for number, seat in enumerate(self.seats) if not seat.out]
        return list(self.all_games[counted[-1]].position.seats_in)

    def cards_in(self, number: int) -> tuple[Scorecard, ...]:
        """Return the cards of all seats in one game of the sheet; players who were not there have empty ones."""
        games = self.all_games
        cards = games[number].position.cards if number < len(games) else ()
        missing = len(self.seats) - len(cards)
        return cards + (Scorecard.empty(self.book),) * missing if missing > 0 else cards

    @property
    def on_turn(self) -> int | None:
        if self.game is None or self.given_up or self.ended:
            return None
        position = self.game.position
        return None if position.is_over else position.seat

    @property
    def slots(self) -> tuple[int, ...]:
        """Return the faces by slot; empty before the first roll of a turn."""
        return self.rolls[-1].dice if self.rolls else ()

    @property
    def final(self) -> bool:
        """Return whether the dice were entered as the last of their turn."""
        return bool(self.rolls) and self.rolls[-1].last

    @property
    def held(self) -> tuple[int, ...]:
        """Return the slots that were kept in the last roll."""
        return self.rolls[-1].held if self.rolls else ()

    @property
    def last_score(self) -> Step | None:
        """Return the last score; the next player may have rolled since."""
        return None if self.game is None else self.game.last_mark

    @property
    def last_scorer(self) -> int | None:
        """Return the seat of the last score."""
        score = self.last_score
        return None if score is None else score.before.seat

    @property
    def next_has_rolled(self) -> bool:
        """Return whether dice were rolled since the last score."""
        return self.game is not None and self.game.position.rolls_left < self.game.position.rolls_in_turn

    def house_plays(self, seat: int) -> bool:
        """Return whether the server itself makes the next move of this seat."""
        sitting = self.seats[seat]
        return sitting.bot is not None or sitting.stand_in or self.house_turn == seat == self.on_turn

    @property
    def house_to_move(self) -> bool:
        return self.on_turn is not None and self.house_plays(self.on_turn)

    def who(self, seat: int, viewer: str | None = None) -> Who:
        """Return a player as `viewer` sees them: “you” where it is their only seat."""
        sitting = self.seats[seat]
        return Who(seat + 1, sitting.given, you=self.seats_of(viewer) == (seat,), former=sitting.former)

    def seats_of(self, player: str | None) -> tuple[int, ...]:
        """Return the seats that a person plays: several where people share a device."""
        return tuple([number for number, seat in enumerate(self.seats) if seat.player == player]) if player else ()

    def people(self) -> frozenset[str]:
        """Return every person who has a seat and has not left it."""
        return frozenset(seat.player for seat in self.seats if seat.player is not None and seat.is_here)

    # The methods below change the state: only for events while they are applied.

    def change_seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def name_players(self) -> None:
        """Update the players' names in all games of the sheet."""
        names = tuple(seat.name for seat in self.seats)
        self.played = [PlayedGame(_with_names(one.game, names), one.lain) for one in self.played]
        self.game = None if self.game is None else _with_names(self.game, names)

    def note_help(self, seat: int) -> None:
        """Note that the server moves for a person, so that the result is not theirs alone."""
        if self.seats[seat].bot is None and self.house_plays(seat):
            self.change_seat(seat, helped=True)

    def forget_house_turn(self, seat: int) -> None:
        if self.house_turn == seat:
            self.house_turn = None

    def forget_undo(self) -> None:
        self.undo_asked, self.undo_agreed, self.undo_refused = None, frozenset(), False

    def forget_again(self) -> None:
        self.again_yes, self.again_no = (), frozenset()


def _with_names(game: Game, names: tuple[str, ...]) -> Game:
    twin = game.copy()
    twin.players = names[: len(game.players)]
    return twin


def fold_events(state: TableState, events: Iterable[Event]) -> TableState:
    """Return a new state with these events applied; `state` itself does not change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: Event) -> None:
    """Apply one event to the state."""
    state.version += 1
    event.fold(state)
    if event.changes_game:
        state.game_version = state.version
    if event.heard:
        state.last = event
