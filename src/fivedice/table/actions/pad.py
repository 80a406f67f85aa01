"""The score pad: clearing dice, writing whole turns, and the games of a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fivedice.core.dice import Roll, real
from fivedice.core.game import Game, Mark, Throw, judge
from fivedice.core.game.legality import roll_for
from fivedice.errors import FivediceError, IllegalError, quote
from fivedice.table.action import Command, Context, Event, Rolled
from fivedice.table.actions.corrections import Was, describe_written, find_turn, matches_seen
from fivedice.table.actions.playing import check_dice, check_final, return_events, score_box, sync_players
from fivedice.table.actions.rewrite import WrittenTurn, card_before
from fivedice.table.actions.rights import may_move, require_phase, require_real_dice, require_scorekeeper, require_turn
from fivedice.table.refusals import AgainstTheRules, BadRequest, Conflict, NotYourTurn, TurnMissing, WrongPhase
from fivedice.table.state import Phase, PlayedGame, TableState


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Take back the dice that were entered last, before they are written."""

    wire = "withdraw"
    versioned = True
    examples = (("withdraw", {"version": 5}),)

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_real_dice(state)
        seat = require_turn(state, self.player)[1]
        if not state.rolls:
            raise WrongPhase("table.nothing-entered")
        return (*return_events(state, self.player, seat), Withdrawn(seat))


@dataclass(frozen=True, slots=True)
class Withdrawn(Event):
    """The dice that this seat entered last were a mistake."""

    changes_game = True
    said = "table.withdrawn"

    seat: int

    def fold(self, state: TableState) -> None:
        """Restore the dice as they were before the last roll was entered."""
        game = state.running
        made = [type(move) for move in game.moves]
        last = max(number for number, kind in enumerate(made) if kind is Throw)
        game.undo(len(made) - last + (len(state.rolls) > 1))  # with the hold before it
        state.rolls = state.rolls[:-1]
        sync_players(state)


Rolls: TypeAlias = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # the dice by slot, and the slots that were kept


@dataclass(frozen=True, slots=True)
class WriteTurn(Command):
    """Write a whole turn at once: its final dice, its box and, where the rules save them, the rolls left over.

    Instead of dice, `points` alone may be given where they are unambiguous. The turn is named by its number (`game` and
    `turn` count from 0), not by a version, so a phone may send it late and twice and it is still written once. If
    something else is written there, that is a conflict, and the answer contains it.
    """

    wire = "write"
    plays_on = True
    examples = (
        ("write", {"game": 0, "turn": 4, "seat": 0, "dice": "14444", "box": "four_of_a_kind", "key": "my-0-4"}),
        (
            "write-points",
            {"game": 0, "turn": 5, "seat": 1, "dice": None, "points": 12, "box": "fours", "key": "my-0-5"},
        ),
    )

    game: int
    turn: int
    dice: tuple[int, ...] | None = None
    box: str = ""
    saved: int = 0
    points: int | None = None  # with dice: what the sender expects them to score
    seat: int | None = None  # whose turn the sender expects it to be
    rolls: Rolls = ()  # if they are noted one by one

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_real_dice(state)
        if state.game is None:
            raise WrongPhase("table.not-playing")
        if not 0 <= self.game < state.games or self.turn < 0:
            raise BadRequest("table.no-turn", turn=quote(self.turn), game=quote(self.game), games=state.games)
        stands = find_turn(state, self.game, self.turn)
        if stands is not None:
            return self._accept_same(state, stands)
        game, seat = self._find_place(state)
        if not may_move(state, self.player, seat):
            raise NotYourTurn("table.not-your-turn", player=state.who(seat))
        if self.seat not in (None, seat):
            raise Conflict("table.not-your-turn", stands=(), version=state.version, player=state.who(seat))
        rolled = self._build_rolls(state, game, seat)
        scored = score_box(state, seat, self.box, lambda: judge(game.position.cards[seat], Roll(rolled[-1].dice)))
        if self.points not in (None, scored.points):
            box = state.book.box(self.box)
            raise AgainstTheRules("table.other-points", box=box, points=scored.points, told=self.points)
        cleared = (Withdrawn(seat),) * len(state.rolls)
        if rolled[-1].last:
            check_final(game.position, rolled[-1])
        return (*return_events(state, self.player, seat), *cleared, *rolled, scored)

    def _build_rolls(self, state: TableState, game: Game, seat: int) -> tuple[Rolled, ...]:
        """Return the rolls of the turn, or dice that score its points."""
        if self.rolls:
            return _check_rolls(state, game, seat, self.rolls)
        if self.dice or self.points is None:
            check_dice(state, self.dice or (), state.book.dice)
            return (Rolled(seat, self.dice or (), last=True, saved=self.saved),)
        try:
            dice = roll_for(game.position.cards[seat], self.box, self.points).faces
        except IllegalError as error:
            raise AgainstTheRules(error.message) from None
        return (Rolled(seat, dice, last=True, saved=self.saved, told=False),)

    def _accept_same(self, state: TableState, stands: WrittenTurn) -> tuple[Event, ...]:
        """Return no events if the same turn is written already. Raise Conflict otherwise."""
        saved = self.saved if state.book.save_rolls and not self.rolls else None
        dice = self.rolls[-1][0] if self.rolls else self.dice
        key = next((box.key for box in state.book.boxes if self.box in (box.key, box.code)), "")
        may_look = may_move(state, self.player, stands.seat)
        same = stands.matches(key, dice, self.points, saved) or self._scores_same(state, stands, dice)
        if may_look and same and self.seat in (None, stands.seat):
            return ()
        raise Conflict(describe_written(state, stands), stands=(stands.data(self.game),), version=state.version)

    def _scores_same(self, state: TableState, stands: WrittenTurn, dice: tuple[int, ...] | None) -> bool:
        """Return whether other dice, sent with their points, score the same there: then the dice of the sheet stay."""
        if not dice or self.points is None or not stands.matches(self.box, None, self.points, self.saved):
            return False
        try:
            legal = judge(card_before(state, self.game, stands), Roll(dice)).legal
        except FivediceError:  # not dice of this book
            return False
        return legal.get(self.box) == stands.entry

    def _find_place(self, state: TableState) -> tuple[Game, int]:
        """Return the game and the seat on turn. Raise a refusal unless this turn is the next one to be written."""
        require_phase(state, Phase.PLAYING)
        if self.game > state.game_number:
            raise WrongPhase("table.game-not-begun", game=self.game + 1)
        if self.game < state.game_number or state.on_turn is None:
            raise WrongPhase("table.game-full", game=self.game + 1)
        if self.turn > state.turn:
            who = state.who(state.on_turn)
            raise TurnMissing("table.turn-missing", version=state.version, player=who, round=state.round)
        return state.running, state.on_turn


def _check_rolls(state: TableState, game: Game, seat: int, rolls: Rolls) -> tuple[Rolled, ...]:
    """Return every roll of the turn. Raise AgainstTheRules if there are too many, or if kept dice changed."""
    most = game.position.rolls_in_turn
    before: tuple[int, ...] = ()
    if len(rolls) > most:
        raise AgainstTheRules("table.rolls-missing", count=len(rolls), most=most)
    for dice, held in rolls:
        check_dice(state, dice, state.book.dice)
        kept = all(0 <= slot < len(before) and before[slot] == dice[slot] for slot in held)
        if not kept or len(set(held)) >= len(dice):
            raise AgainstTheRules("table.dice-not-kept", dice=Roll(dice))
        before = dice
    return tuple(Rolled(seat, dice, tuple(sorted(set(held)))) for dice, held in rolls)


@dataclass(frozen=True, slots=True)
class NextGame(Command):
    """Start the next game of the sheet; `game` is its number, counted from 0. If it has started, nothing happens."""

    wire = "next"
    plays_on = True
    examples = (("next", {"game": 1}),)

    game: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        if state.game is not None and 0 <= self.game <= state.game_number:
            return ()
        require_phase(state, Phase.PLAYING)
        if self.game != state.game_number + 1 or self.game >= state.games:
            after = state.game_number + 2
            raise WrongPhase("table.game-not-next", game=quote(self.game + 1), next=after, games=state.games)
        if not state.between_games:
            raise WrongPhase("table.game-unfinished", game=state.game_number + 1)
        # the next seat after the last starter, without players who have left
        first, seats = state.running.first, len(state.seats)
        following = ((first + step) % seats for step in range(1, seats))
        return (NextStarted(next((seat for seat in following if not state.seats[seat].out), first)),)


@dataclass(frozen=True, slots=True)
class NextStarted(Event):
    """The next game of the sheet has started."""

    changes_game = True
    said = "table.next-started"

    first: int

    def fold(self, state: TableState) -> None:
        before = state.running
        state.played.append(PlayedGame(before, tuple(state.lain)))
        names = [seat.name for seat in state.seats]
        state.game = Game.new(state.book, names, dice=real(), first=self.first, out=state.seats_out)
        state.lain, state.rolls, state.taken_back = [], (), False
        state.forget_undo()


@dataclass(frozen=True, slots=True)
class Erase(Command):
    """Take back the last written turn with its dice; repeatedly, and also back into the game before.

    The turn is named, so this may be sent late and twice: a turn that is not there is erased already. It is a conflict
    if later turns are written, or if the turn differs from `was`.
    """

    wire = "erase"
    examples = (
        ("erase", {"game": 0, "turn": 4, "key": "my-e-4"}),
        (
            "erase-later",
            {"game": 0, "turn": 4, "was": [{"game": 0, "turn": 4, "points": 9, "box": "threes"}], "key": "my-e-5"},
        ),
    )

    game: int
    turn: int
    was: tuple[Was, ...] = ()

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        require_open_sheet(state)
        last = last_written(state)
        if last is None or (self.game, self.turn) > last:
            return ()
        stands = find_turn(state, *last)
        if (self.game, self.turn) < last or stands is None:
            there = () if stands is None else (stands.data(last[0]),)
            raise Conflict("table.not-last", stands=there, version=state.version)
        if not all(matches_seen(state, stands, seen) for seen in self.was):
            raise Conflict("table.sheet-differs", stands=(stands.data(last[0]),), version=state.version)
        return (Erased(*last, stands.seat),)


@dataclass(frozen=True, slots=True)
class Erased(Event):
    """The last written turn was a mistake, with the dice entered since."""

    changes_game = True
    said = "table.erased"

    game: int
    turn: int
    seat: int

    def fold(self, state: TableState) -> None:
        if self.game < state.game_number:  # the next game had started, with nothing written
            before = state.played.pop()
            state.game, state.lain = before.game.copy(), list(before.lain)
        take_back(state)
        state.forget_undo()
        state.forget_again()


def last_written(state: TableState) -> tuple[int, int] | None:
    """Return the game and the number of the last written turn; None if there is none."""
    if state.lain:
        return state.game_number, len(state.lain) - 1
    return (state.game_number - 1, len(state.played[-1].lain) - 1) if state.played else None


def require_open_sheet(state: TableState) -> None:
    """Raise WrongPhase unless the sheet has started and can still be changed."""
    if state.game is None:
        raise WrongPhase("table.not-playing")
    if state.ended or state.given_up:
        raise WrongPhase("table.ended")
    if state.rematch is not None:
        raise WrongPhase("table.rematch-exists")


def take_back(state: TableState) -> None:
    """Take the last turn back, from its first roll on, including players skipped after it."""
    game = state.running
    made = [type(move) for move in game.moves]
    marks = [number for number, kind in enumerate(made) if kind is Mark]
    before = marks[-2] + 1 if len(marks) > 1 else 0
    game.undo(len(made) - made.index(Throw, before))
    del state.lain[-1]
    state.rolls, state.put_by, state.taken_back = (), (), False
    sync_players(state)


@dataclass(frozen=True, slots=True)
class EndSheet(Command):
    """End a score sheet now. The finished games decide who has won; if there are none, the totals do."""

    wire = "end"
    plays_on = True
    examples = (("end", {"key": "my-end"}),)

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_scorekeeper(state, self.player)
        if state.phase.is_over:
            return ()
        require_phase(state, Phase.PLAYING)
        return end_events(state, self.player)


@dataclass(frozen=True, slots=True)
class SheetEnded(Event):
    """The sheet was ended before it was full."""

    changes_game = True
    said = "table.sheet-ended"

    player: str

    def fold(self, state: TableState) -> None:
        state.ended = True
        state.put_by, state.taken_back = (), False
        state.forget_undo()


def end_events(state: TableState, player: str) -> tuple[Event, ...]:
    """Return the events that end the sheet, without the dice of a turn that will not be scored."""
    return (*(Withdrawn(roll.seat) for roll in state.rolls), SheetEnded(player))
