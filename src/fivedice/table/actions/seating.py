"""Before the game: opening a table, joining and leaving, names, and who starts.

The game may start by itself once enough players have joined.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fivedice.core.dice import Roll, real
from fivedice.core.game import Game, RollOff
from fivedice.core.game.playthrough import settle_start
from fivedice.core.rules import RENAMED, RuleBook, played_by, shipped
from fivedice.errors import quote
from fivedice.message import message
from fivedice.players.bots.levels import PLAY
from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.rights import (
    MOST_SEATS,
    require_free_seat,
    require_host,
    require_own_seat,
    require_person,
    require_phase,
    require_seat,
    require_seat_quota,
)
from fivedice.table.house_rules_text import house_book, text_as_played
from fivedice.table.refusals import BadRequest, NotAllowed, OtherBook, WrongPhase
from fivedice.table.seat_names import COLORS, TOKENS, YOU, clean_name, clean_text, is_former, pick
from fivedice.table.state import Phase, Seat, TableState
from fivedice.text import say
from fivedice.text.languages import pgettext

CALM = "calm"
# How long bots wait before a move, as a share of the server's setting; older tables are calm.
PACES = {"at-once": 0.0, "brisk": 1 / 3, CALM: 1.0}


def check_pace(pace: str) -> str:
    if pace not in PACES:
        raise BadRequest("table.no-pace", pace=quote(pace), paces=tuple(PACES))
    return pace


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A table was opened; the host may start the game."""

    book: str
    host: str  # player id
    coach: bool = True
    first: int | None = None  # set by a rematch; otherwise the rules decide
    rematch_of: str | None = None
    rules: str | None = None  # the text of house rules; `book` is then their key
    real_dice: bool = False  # people roll real dice, and enter what they show
    games: int = 1  # side by side on one sheet
    match_total: bool = True  # whether they are added up
    fingerprint: str | None = None  # of the rules at that time; None in older logs
    promise: str | None = None  # SHA-256 of the secret of the dice; None for dice that cannot be checked
    word: str | None = None  # identifies that promise: see `promises`
    at: str | None = field(default=None, compare=False)  # when; None in older logs
    pace: str = field(default=CALM, repr=False)  # of the bots
    deal: str | None = field(default=None, repr=False)  # whose dice others play too: see `daily`
    practice: bool = field(default=False, repr=False)  # at a deal: this game does not count
    known: str = field(default="", repr=False)  # at a deal of a finished game: the facts that its dice follow from
    turns: tuple[int, ...] = field(default=(), repr=False)  # and the turns of that game

    def fold(self, state: TableState) -> None:
        state.book, state.rules = self._rules()
        # A game is never rescored by rules it was not played by.
        if self.fingerprint not in (None, state.book.fingerprint):
            theirs = quote(self.fingerprint)
            raise OtherBook("table.other-rules", book=state.book, theirs=theirs, ours=state.book.fingerprint)
        state.host = state.opener = self.host
        state.coach = self.coach
        state.real_dice, state.promise = self.real_dice, self.promise
        state.planned_first, state.games, state.match_total = self.first, self.games, self.match_total
        state.word, state.opened, state.rematch_of = self.word, self.at, self.rematch_of
        state.pace = self.pace if self.pace in PACES else CALM
        state.deal, state.practice, state.dealt, state.turns = self.deal, self.practice, self.known, self.turns

    def data(self) -> dict[str, Any]:
        """Return its fields without later ones that have their default, so that most logs look as they always did."""
        rarely = {"pace": CALM, "deal": None, "practice": False, "known": "", "turns": ()}
        return {name: value for name, value in Event.data(self).items() if name not in rarely or rarely[name] != value}

    def _rules(self) -> tuple[RuleBook, str | None]:
        """Return the book and the text of house rules. A log without fingerprint is older than any change of a key."""
        if self.rules is not None:
            text = text_as_played(self.rules, self.fingerprint)
            return house_book(text), text
        if self.fingerprint is None:
            return shipped(RENAMED.get(self.book, self.book)), None
        return played_by(self.book, self.fingerprint), None


@dataclass(frozen=True, slots=True)
class SitDown(Command):
    """Take the next free seat. A person may take several, guests up to four, to share a device. A name is optional."""

    wire = "sit"
    examples = (("sit", {"name": "Bob", "join_code": "3uLp…", "color": "blue", "token": "★"}),)

    name: str | None = None
    color: str | None = None
    token: str | None = None
    text: str = ""  # added to the dice, so that no one can have chosen them

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_person(self.player)
        require_free_seat(state)
        require_seat_quota(state, self.player)
        text = clean_text(self.text)
        return (_build_seat(state, clean_name(self.name), self.color, self.token, player=self.player, text=text),)


@dataclass(frozen=True, slots=True)
class SeatBot(Command):
    """Let a bot of this level play a seat."""

    wire = "bot"
    examples = (("bot", {"level": "steady"}),)

    level: str

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        from fivedice.players import bots  # imports the solver, so only where a bot sits down
        from fivedice.players.bots.registry import is_registered

        require_host(state, self.player)
        require_free_seat(state)
        if state.real_dice:
            raise NotAllowed("table.bot-real-dice")
        if self.level not in bots.NAMES and not is_registered(self.level):
            raise BadRequest("table.no-bot", level=quote(self.level), levels=tuple(bots.LEVELS))
        missing = bots.unavailable(self.level, state.book)
        if missing is not None:
            raise NotAllowed(missing)
        name = bot_name(self.level, {seat.name for seat in state.seats})
        return (_build_seat(state, name, None, None, bot=self.level),)


@dataclass(frozen=True, slots=True)
class Sat(Event):
    """A person (with a player id) or a bot (with a level) took the next seat."""

    said = "table.sat"

    name: str | None  # None if they gave none
    color: str
    token: str
    player: str | None = None
    bot: str | None = None
    text: str = ""  # their text, added to the dice

    def fold(self, state: TableState) -> None:
        given = None if self.name in (YOU, "") else self.name
        seat = Seat(given, self.color, self.token, self.player, self.bot, text=self.text)
        seat = replace(seat, former=is_former(self.player))
        state.seats.append(replace(seat, number=len(state.seats) + 1, logged=self.name))
        if state.game is not None and not state.game.is_over:
            state.game = add_late_players(state.game, [seat.name for seat in state.seats])


def add_late_players(game: Game, names: Sequence[str]) -> Game:
    """Return the game with the players who joined since, after the others."""
    late = range(len(game.players), len(names))
    if not late:
        return game
    players = (*game.players, *names[late.start :])
    after = Game.new(game.book, players, dice=real(), first=game.first, out={*game.start.out, *late})
    for move in game.moves:
        after.play(move)
    for seat in late:
        after.come(seat)
    return after


def bot_name(level: str, names: Collection[str | None]) -> str:
    """Return a name for a bot that is not taken, in the language of the player who asks for it."""
    plain = say(message("table.bot-name", level=pgettext("bot", level.capitalize())))
    numbered = (f"{plain} {number}" for number in range(2, MOST_SEATS + 2))
    return plain if plain not in names else next(name for name in numbered if name not in names)


def new_seat(state: TableState, name: str | None, *, player: str) -> Sat:
    """Return the event of one more seat, with the first free colour and token."""
    return _build_seat(state, name, None, None, player=player)


def _build_seat(state: TableState, name: str | None, color: str | None, token: str | None, **who: str) -> Sat:
    number = len(state.seats)
    colors, tokens = {seat.color for seat in state.seats}, {seat.token for seat in state.seats}
    return Sat(name, pick(color, COLORS, colors, number), pick(token, TOKENS, tokens, number), **who)


@dataclass(frozen=True, slots=True)
class StandUp(Command):
    """Give up a seat before the game begins; the host may clear any seat."""

    wire = "stand"
    versioned = True
    examples = (("stand", {"seat": 1, "version": 3}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.SEATING)
        seat = require_seat(state, self.seat)
        if not self.player or self.player not in (seat.player, state.host):
            raise NotAllowed("table.remove-own-only")
        return (Stood(self.seat),)


@dataclass(frozen=True, slots=True)
class Stood(Event):
    """A seat was given up before the game began; the seats after it move up."""

    changes_game = True

    seat: int

    def fold(self, state: TableState) -> None:
        del state.seats[self.seat]
        for number in range(self.seat, len(state.seats)):
            state.change_seat(number, number=number + 1)
        if state.planned_first is not None and state.planned_first > self.seat:
            state.planned_first -= 1  # the seat that was to start has moved up


@dataclass(frozen=True, slots=True)
class StartGame(Command):
    """Lock the seats and start the game, as the host. With real dice, `first` may say who starts."""

    wire = "start"
    plays_on = True
    examples = (("start", {}), ("start-bob-first", {"first": 1}))

    first: int | None = None

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.SEATING)
        require_host(state, self.player)
        if not state.seats:
            raise WrongPhase("table.nobody-joined")
        first, throws = self._start(state, context)
        now = max(context.now(), state.opened or "")  # another machine, with another clock, may have opened it
        return (Started(first, throws, now, PLAY),)

    def _start(self, state: TableState, context: Context) -> tuple[int, tuple[str, ...]]:
        """Return the seat that starts, and the rolls that decided it."""
        if self.first is not None:
            if not state.real_dice:
                raise NotAllowed("table.dice-decide-start")
            require_seat(state, self.first)
            return self.first, ()
        if state.planned_first is not None:
            return state.planned_first % len(state.seats), ()
        if state.real_dice:  # the first seat starts, unless people have chosen
            return 0, ()
        first, roll_off = settle_start(state.book, len(state.seats), context.dice)
        return first, () if roll_off is None else tuple(str(roll) for roll in roll_off.throws)


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The seats are locked, and it is settled who starts."""

    changes_game = True
    said = "table.started"

    first: int
    roll_off: tuple[str, ...] = ()
    at: str | None = field(default=None, compare=False)  # when; None in older logs
    bots: str | None = field(default=None, compare=False)  # the version of the bots' play
    known: str = ""  # names and texts that the dice are derived from: stored once one was deleted

    def fold(self, state: TableState) -> None:
        state.known = self.known
        roll_off = None
        if self.roll_off:
            throws = tuple(Roll.parse(text) for text in self.roll_off)
            roll_off = RollOff(state.book, len(state.seats), throws)
        names = [seat.name for seat in state.seats]
        state.game = Game.new(state.book, names, dice=real(), first=self.first, roll_off=roll_off)
        state.begun, state.bots = self.at, self.bots


FEWEST = 2


@dataclass(frozen=True, slots=True)
class Introduce(Command):
    """Give or change your name before the game begins; colour and token only if they are given."""

    wire = "introduce"
    versioned = True
    examples = (("introduce", {"seat": 0, "name": "Ann", "color": "teal", "version": 2}),)

    seat: int
    name: str | None = None
    color: str | None = None
    token: str | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.SEATING)
        require_own_seat(state, self.player, self.seat)
        others = [seat for number, seat in enumerate(state.seats) if number != self.seat]
        now = state.seats[self.seat]
        color = pick(self.color or now.color, COLORS, {seat.color for seat in others}, self.seat)
        token = pick(self.token or now.token, TOKENS, {seat.token for seat in others}, self.seat)
        said = Introduced(self.seat, clean_name(self.name), color, token)
        return () if (said.name, color, token) == (now.given, now.color, now.token) else (said,)


@dataclass(frozen=True, slots=True)
class Introduced(Event):
    """A player has another name or other looks. Digital dice depend on names, so only real dice allow this later."""

    seat: int
    name: str | None
    color: str
    token: str

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, given=self.name, logged=self.name, color=self.color, token=self.token)
        state.name_players()


@dataclass(frozen=True, slots=True)
class StartWith(Command):
    """Let the game start by itself once this many players have joined; without a number the host starts it."""

    wire = "start-with"
    examples = (("start-with", {"players": 2}), ("start-with-nobody", {}))

    players: int | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.SEATING)
        require_host(state, self.player)
        if self.players is not None and not FEWEST <= self.players <= MOST_SEATS:
            raise BadRequest("table.start-with", players=quote(self.players), fewest=FEWEST, most=MOST_SEATS)
        return () if self.players == state.starts_with else (StartsWith(self.players),)


@dataclass(frozen=True, slots=True)
class StartsWith(Event):
    """The number of players at which the game starts by itself was set; None: the host starts it."""

    heard = False

    players: int | None

    def fold(self, state: TableState) -> None:
        state.starts_with = self.players
