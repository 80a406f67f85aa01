"""A table as it stands. `folded` makes it from the events; nothing else changes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fivedice.game import Game, Outcome, Scorecard, Step
from fivedice.message import Who
from fivedice.rules import DEFAULT, RuleBook, shipped
from fivedice.table.house_rules_text import house_id
from fivedice.table.seat_names import shown_name

if TYPE_CHECKING:
    from fivedice.table.decide.action import Event
    from fivedice.table.decide.playing import Rolled


class Phase(StrEnum):
    """Where a table is in its life."""

    SEATING = "seating"
    PLAYING = "playing"
    FINISHED = "finished"
    GIVEN_UP = "given up"

    @property
    def is_over(self) -> bool:
        return self in (Phase.FINISHED, Phase.GIVEN_UP)


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there and how it looks."""

    given: str | None  # the name, of someone who gave one
    color: str
    token: str
    player: str | None = None
    bot: str | None = None
    away: bool = False
    stand_in: bool = False  # the house plays for somebody who left
    text: str = ""  # what they added to the dice
    helped: bool = False  # the house made moves in a person's place: the result is not theirs alone
    number: int = 1  # counted from 1
    logged: str | None = None  # the name as the log has it; the dice follow from it
    former: bool = False  # whoever gave the name had it deleted
    out: bool = False  # of a score sheet: plays no more, and cannot win

    @property
    def name(self) -> str:
        """As records, results and programs have it, in every language."""
        return shown_name(self.given, self.number, former=self.former)

    @property
    def sealed_name(self) -> str:
        return self.logged or self.name

    @property
    def is_here(self) -> bool:
        """Whether a person plays this seat and has not left it."""
        return self.player is not None and not self.away and not self.stand_in


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of the sheet, with the dice as they lay in each turn. Never changed, only replaced."""

    game: Game
    lain: tuple[tuple[Rolled, ...], ...]

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.game.outcome


@dataclass  # without slots, so that a copy is one step and not one for each field: every move makes two
class TableState:
    """What all events so far have come to."""

    id: str
    version: int = 0  # how many events there are
    game_version: int = 0  # the last event that changed the dice, the sheet, or the numbers of the seats
    book: RuleBook = field(default_factory=lambda: shipped(DEFAULT))
    host: str = ""
    opener: str = ""  # who set it up, and may keep the score of real dice again at any time
    coach: bool = True
    rules: str | None = None  # the text of a house book
    real_dice: bool = False
    games: int = 1  # how many are planned side by side on the sheet
    match_total: bool = True
    pace: str = "calm"  # of the bots: see `seating.PACES`
    planned_first: int | None = None
    starts_with: int | None = None  # how many have to sit before the game begins by itself
    seats: list[Seat] = field(default_factory=list)
    played: list[PlayedGame] = field(default_factory=list)  # the earlier games of the sheet
    game: Game | None = None  # the one that is played now, or the last one
    rolls: tuple[Rolled, ...] = ()  # of the turn that is being played
    lain: list[tuple[Rolled, ...]] = field(default_factory=list)  # of the turns that were scored
    put_by: tuple[Rolled, ...] = ()  # of the next player, while the score before them is taken back
    taken_back: bool = False  # and not yet scored again
    last: Event | None = None
    undo_asked: int | None = None  # the seat whose score is to be taken back
    undo_version: int = 0  # when that was asked
    undo_agreed: frozenset[str] = frozenset()
    undo_refused: bool = False  # somebody did not agree, and that is the last word on this score
    promise: str | None = None  # SHA-256 of the secret of the dice
    word: str | None = None  # of that promise, which may settle the dice of a rematch too
    secret: str | None = None  # once it has been told
    opened: str | None = None  # when, UTC; None for tables of old
    begun: str | None = None  # when the seats were locked
    bots: str | None = None  # the way in which they choose: see `bots.replayed`
    known: str = ""  # what the dice follow from beside it, where names were deleted since
    given_up: bool = False
    ended: bool = False  # a sheet, before it was full: what is finished counts
    house_turn: int | None = None  # a seat that the house plays for one turn
    again_yes: tuple[str, ...] = ()  # who wants another game, in the order in which they said so
    again_no: frozenset[str] = frozenset()
    rematch: str | None = None

    @property
    def seats_out(self) -> frozenset[int]:
        """The seats that have left the score sheet."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.out)

    def copy(self) -> TableState:
        """A state that can be folded further while others still look at this one."""
        twin = object.__new__(TableState)
        twin.__dict__.update(self.__dict__)
        twin.seats, twin.lain, twin.played = list(self.seats), list(self.lain), list(self.played)
        twin.game = None if self.game is None else self.game.copy()
        return twin

    @property
    def running(self) -> Game:
        """The game of a table that has begun."""
        if self.game is None:
            raise AssertionError("the log plays before the game has started")
        return self.game

    @property
    def shelf_key(self) -> str:
        """Under what the book is listed: two house books may call themselves the same, and are not."""
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
        """The place of the current game on the sheet, counted from 0."""
        return len(self.played)

    @property
    def between_games(self) -> bool:
        """Whether a game is over and the next one of the sheet has not begun."""
        return self.game is not None and self.game.is_over and self.phase is Phase.PLAYING

    @property
    def all_games(self) -> list[Game]:
        """The games of the sheet so far, the current one last."""
        games = [one.game for one in self.played]
        return games if self.game is None else [*games, self.game]

    @property
    def turn(self) -> int:
        """The number of the turn that is being played in the current game, counted from 0."""
        return len(self.lain)

    @property
    def round(self) -> int:
        """Which of their turns it is for the seat on turn, counted from 1; at the end, the last one of anybody."""
        if self.game is None:
            return 1
        position = self.game.position
        filled = [card.filled.bit_count() for card in position.cards]
        return max(filled) if position.is_over else 1 + filled[position.seat]

    @property
    def finished_games(self) -> list[PlayedGame]:
        """The games of the sheet that are over, the current one too if it is."""
        if self.game is None or not self.game.is_over:
            return list(self.played)
        return [*self.played, PlayedGame(self.game, tuple(self.lain))]

    @property
    def counted(self) -> list[int]:
        """The numbers of the games that count: of a sheet that ended early, those that are over, if any is."""
        games = self.all_games
        over = [number for number, game in enumerate(games) if game.is_over]
        return over if over and (self.ended or self.given_up) else list(range(len(games)))

    @property
    def games_over(self) -> list[Game]:
        """The games that have a record: those that are over; where none is, the one that ended early."""
        games, early = self.all_games, self.ended or self.given_up
        return [games[number] for number in self.counted if games[number].is_over or early]

    def outcome_of(self, number: int) -> Outcome | None:
        """How a game of the sheet ended; None if it did not, or does not count."""
        games = self.all_games
        if not 0 <= number < len(games):
            return None
        early = self.ended and number in self.counted
        return games[number].position.standing if early else games[number].outcome

    @property
    def match(self) -> Outcome:
        """How the whole sheet stands, all games that count added up; the last of them where they are not added."""
        counted = self.counted if self.match_total else self.counted[-1:]
        columns = [self.cards_in(number) for number in counted]
        totals = tuple(sum(cards[seat].total for cards in columns) for seat in range(len(self.seats)))
        able = self._could_win(counted)
        best = max(totals[seat] for seat in able)
        return Outcome(totals, tuple(seat for seat in able if totals[seat] == best))

    def _could_win(self, counted: list[int]) -> list[int]:
        """Of a single game, those who played it to its end; of a match, those who have not left since."""
        if self.match_total and self.games > 1:
            return [number for number, seat in enumerate(self.seats) if not seat.out]
        return list(self.all_games[counted[-1]].position.seats_in)

    def cards_in(self, number: int) -> tuple[Scorecard, ...]:
        """The cards of all seats in one game of the sheet; empty ones of those who were not there."""
        games = self.all_games
        cards = games[number].position.cards if number < len(games) else ()
        return cards if len(cards) >= len(self.seats) else cards + self._blank(len(self.seats) - len(cards))

    def _blank(self, count: int) -> tuple[Scorecard, ...]:
        return (Scorecard.empty(self.book),) * count

    @property
    def on_turn(self) -> int | None:
        if self.game is None or self.given_up or self.ended:
            return None
        position = self.game.position
        return None if position.is_over else position.seat

    @property
    def slots(self) -> tuple[int, ...]:
        """The faces by slot; empty before the first roll of a turn."""
        return self.rolls[-1].dice if self.rolls else ()

    @property
    def final(self) -> bool:
        """Whether the dice on the table are told to be the last of their turn."""
        return bool(self.rolls) and self.rolls[-1].last

    @property
    def held(self) -> tuple[int, ...]:
        """The slots that stayed in the last roll."""
        return self.rolls[-1].held if self.rolls else ()

    @property
    def last_score(self) -> Step | None:
        """The last box that was filled; the next player may have rolled since."""
        return None if self.game is None else self.game.last_mark

    @property
    def last_scorer(self) -> int | None:
        """The seat of the last score."""
        score = self.last_score
        return None if score is None else score.before.seat

    @property
    def next_has_rolled(self) -> bool:
        """Whether dice fell since the last score."""
        return self.game is not None and self.game.position.rolls_left < self.game.position.rolls_in_turn

    def house_plays(self, seat: int) -> bool:
        """Whether the server itself makes the next move of this seat."""
        sitting = self.seats[seat]
        return sitting.bot is not None or sitting.stand_in or self.house_turn == seat == self.on_turn

    @property
    def house_to_move(self) -> bool:
        return self.on_turn is not None and self.house_plays(self.on_turn)

    def who(self, seat: int, viewer: str | None = None) -> Who:
        """A player as this person sees them: they are spoken to where they have no other seat."""
        sitting = self.seats[seat]
        return Who(seat + 1, sitting.given, you=self.seats_of(viewer) == (seat,), former=sitting.former)

    def seats_of(self, player: str | None) -> tuple[int, ...]:
        """The seats that a person plays: several at a hot seat."""
        return tuple([number for number, seat in enumerate(self.seats) if seat.player == player]) if player else ()

    def people(self) -> frozenset[str]:
        """Everyone with a seat who is still there."""
        return frozenset(seat.player for seat in self.seats if seat.player is not None and seat.is_here)

    # What events change in several places; only while they are folded.

    def change_seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    def name_players(self) -> None:
        """Let the games of the sheet know their players by the names of now."""
        names = tuple(seat.name for seat in self.seats)
        self.played = [PlayedGame(_named(one.game, names), one.lain) for one in self.played]
        self.game = None if self.game is None else _named(self.game, names)

    def note_help(self, seat: int) -> None:
        """A move of the house in a person's place: the result is no longer theirs alone."""
        if self.seats[seat].bot is None and self.house_plays(seat):
            self.change_seat(seat, helped=True)

    def forget_house_turn(self, seat: int) -> None:
        if self.house_turn == seat:
            self.house_turn = None

    def forget_undo(self) -> None:
        self.undo_asked, self.undo_agreed, self.undo_refused = None, frozenset(), False

    def forget_again(self) -> None:
        self.again_yes, self.again_no = (), frozenset()


def _named(game: Game, names: tuple[str, ...]) -> Game:
    twin = game.copy()
    twin.players = names[: len(game.players)]
    return twin


def folded(state: TableState, events: Iterable[Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: Event) -> None:
    """Let one event take effect."""
    state.version += 1
    event.fold(state)
    if event.changes_game:
        state.game_version = state.version
    if event.heard:
        state.last = event
