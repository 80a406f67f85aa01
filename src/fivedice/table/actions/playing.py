"""Rolling and scoring, coming back to a seat, and the moves of bots. The engine decides what is legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fivedice.core.dice import Keep
from fivedice.core.game import Entry, ExtraPaid, Game, Hold, Mark, Position, Ruling, Scored as BoxScored, Step
from fivedice.errors import IllegalError, quote
from fivedice.players.bots.levels import FIRST_PLAY
from fivedice.table.action import Command, Context, Event, Rolled, apply_roll, throw_of
from fivedice.table.actions.rights import HOUSE, require_own_seat, require_real_dice, require_turn
from fivedice.table.actions.seating import add_late_players
from fivedice.table.refusals import AgainstTheRules, BadRequest, DamagedLog, StaleVersion, WrongPhase
from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class RollDice(Command):
    """Roll, leaving the dice in these slots on the table."""

    wire = "roll"
    plays_on = True
    versioned = True
    examples = (
        ("roll", {"version": 4, "key": "my-4"}),
        ("roll-holding-two", {"hold": [0, 3], "version": 5, "key": "my-5"}),
    )

    hold: tuple[int, ...] = ()

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        game, seat = require_turn(state, self.player)
        if state.real_dice:
            raise AgainstTheRules("table.real-dice")
        if state.secret is not None:  # a score of a finished game was taken back
            raise AgainstTheRules("table.dice-revealed")
        held = _read_hold(state, game, self.hold)
        thrown = context.dice.throw(game.next_place, state.book.dice - len(held), state.book.faces)
        return (*return_events(state, self.player, seat), Rolled(seat, _dice_by_slot(state, held, thrown), held))


@dataclass(frozen=True, slots=True)
class EnterDice(Command):
    """Enter what real dice show: the dice that were thrown, in the slots that are not held.

    `last` says that these are the final dice of the turn and its earlier rolls are not noted; `saved` is the number of
    rolls left over, where the rules save them.
    """

    wire = "enter"
    plays_on = True
    versioned = True
    examples = (
        ("enter", {"dice": "24466", "version": 4}),
        ("enter-holding-two", {"dice": "416", "hold": [1, 2], "version": 5}),
        ("enter-final-dice", {"dice": "14444", "last": True, "version": 4}),
    )

    dice: tuple[int, ...]
    hold: tuple[int, ...] = ()
    last: bool = False
    saved: int = 0

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        game, seat = require_turn(state, self.player)
        require_real_dice(state)
        held = _read_hold(state, game, self.hold)
        check_dice(state, self.dice, state.book.dice - len(held))
        if self.last and state.slots:
            raise AgainstTheRules("table.rolls-entered")
        rolled = Rolled(seat, _dice_by_slot(state, held, self.dice), held, self.last, self.saved)
        if self.last or self.saved:
            check_final(game.position, rolled)
        return (*return_events(state, self.player, seat), rolled)


def check_final(position: Position, rolled: Rolled) -> None:
    """Raise AgainstTheRules if more rolls are left over than the turn can have had."""
    begun = replace(position, dice=Keep(()), rolls_left=position.rolls_in_turn)
    try:
        begun.check(throw_of(rolled))
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None


def sync_players(state: TableState) -> None:
    """Make the players of the game those of the table, after moves were taken back and people had come or left."""
    game = state.running
    for seat in range(len(game.players)):  # first, so that the game always has a player
        if not state.seats[seat].out and seat in game.position.out and can_rejoin(game.position, seat):
            game.come(seat)
    if not game.is_over:
        game = state.game = add_late_players(game, [seat.name for seat in state.seats])
    for seat in range(len(game.players)):
        if state.seats[seat].out and seat not in game.position.out and not game.is_over:
            game.leave(seat)


def can_rejoin(position: Position, seat: int) -> bool:
    """Return whether a player who comes back plays in this game: not if it ended without them."""
    return not position.is_over or bool(position.cards[seat].filled)


def reapply_rolls(state: TableState, rolls: tuple[Rolled, ...]) -> None:
    """Add rolls again after something before them has changed.

    Stop where they do not fit any more: another player is on turn, or the turn has fewer rolls.
    """
    for roll in rolls:
        position = state.running.position
        if not position.rolls_left or (roll.last and roll.saved >= position.rolls_left):
            return
        if roll.seat != position.seat or position.is_over:  # the player was skipped, or has left
            return
        apply_roll(state, roll)


def check_dice(state: TableState, dice: tuple[int, ...], count: int) -> None:
    """Raise BadRequest unless these are `count` dice of the book."""
    faces = state.book.faces
    if len(dice) != count or not all(1 <= face <= faces for face in dice):
        entered = quote("".join(map(str, dice)))
        raise BadRequest("table.wrong-dice", count=count, faces=faces, dice=entered)


def _dice_by_slot(state: TableState, held: tuple[int, ...], thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice by slot: held ones stay, and the thrown ones fill the other slots from the left."""
    fresh = iter(thrown)
    return tuple(state.slots[slot] if slot in held else next(fresh) for slot in range(state.book.dice))


def _read_hold(state: TableState, game: Game, hold: tuple[int, ...]) -> tuple[int, ...]:
    held = tuple(sorted(set(hold)))
    if state.slots:
        if state.final and game.position.rolls_left:  # saved for later, not for these dice
            raise AgainstTheRules("table.final-dice")
        _check_slots(state, held)
        try:
            game.position.check(Hold(Keep(tuple(state.slots[slot] for slot in held))))
        except IllegalError as error:
            raise AgainstTheRules(error.message) from None
    elif held:
        raise AgainstTheRules("table.first-roll")
    return held


def intended_hold(state: TableState, player: str, moment: int, hold: tuple[int, ...]) -> tuple[int, ...]:
    """Return the slots that the player is about to keep; unlike a roll, it may be all of them.

    Raise WrongPhase if they cannot roll on, StaleVersion if `moment` is not the table's.
    """
    game, seat = require_turn(state, player)
    if state.real_dice or state.house_plays(seat) or not state.slots or not game.position.rolls_left or state.secret:
        raise WrongPhase("table.no-dice-to-keep")
    if moment != state.game_version:
        raise StaleVersion("table.stale", version=state.version)
    held = tuple(sorted(set(hold)))
    _check_slots(state, held)
    return held


def _check_slots(state: TableState, held: tuple[int, ...]) -> None:
    unknown = [slot for slot in held if not 0 <= slot < len(state.slots)]
    if unknown:
        raise BadRequest("table.no-slot", slot=quote(unknown[0]), last=len(state.slots) - 1)


@dataclass(frozen=True, slots=True)
class FillBox(Command):
    """Write the dice into a box."""

    wire = "score"
    plays_on = True
    versioned = True
    examples = (("score", {"box": "chance", "version": 6, "key": "my-6"}),)

    box: str

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        game, seat = require_turn(state, self.player)
        scored = score_box(state, seat, self.box, game.position.ruling)
        return (*return_events(state, self.player, seat), scored)


def score_box(state: TableState, seat: int, box: str, ruling: Callable[[], Ruling]) -> Scored:
    """Return the score of a box. Raise AgainstTheRules with the rule that forbids it."""
    try:
        key = state.book.box(box).key
        entry = ruling().check(key)
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None
    return Scored(seat, key, entry.points, entry.bonus, entry.joker)


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A box was scored with the points that the engine gave. None stands for what an old log does not contain."""

    changes_game = True
    said = "table.scored"
    unsaid = ("bonus", "joker")

    seat: int
    box: str
    points: int
    bonus: int | None = 0
    joker: bool | None = False

    def fold(self, state: TableState) -> None:
        state.note_help(self.seat)
        self._check(state, entry_of(state.running.play(Mark(self.box))))
        state.lain.append(state.rolls)
        state.rolls = ()
        state.forget_undo()
        state.forget_house_turn(self.seat)
        # The next player's dice come back after a score was taken back and written again.
        rolls, state.put_by, state.taken_back = state.put_by, (), False
        reapply_rolls(state, rolls)

    def _check(self, state: TableState, entry: Entry) -> None:
        """Raise DamagedLog unless the stored points are what the rules give."""
        stored, given = (self.points, self.bonus, self.joker), (entry.points, entry.bonus, entry.joker)
        if stored == given or all(one in (None, other) for one, other in zip(stored, given, strict=True)):
            return
        raise DamagedLog(
            "table.score-differs",
            table=state.id,
            event=state.version,
            box=state.book.box(self.box),
            stored=self.points + (self.bonus or 0),
            points=entry.points + entry.bonus,
        )


def entry_of(step: Step) -> Entry:
    """Return the points and bonuses of a step that scored a box."""
    scored = next(event for event in step.events if isinstance(event, BoxScored))
    extra = sum(event.points for event in step.events if isinstance(event, ExtraPaid))
    return Entry(scored.points, extra, scored.joker)


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Come back to a seat that you left."""

    wire = "return"
    plays_on = True
    examples = (("return", {"seat": 0}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_own_seat(state, self.player, self.seat)
        return return_events(state, self.player, self.seat)


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """The player of this seat is back."""

    said = "table.returned"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, away=False, stand_in=False)
        state.forget_house_turn(self.seat)


def return_events(state: TableState, player: str, seat: int) -> tuple[Event, ...]:
    """Return the event that the player is back, if they were away or the server played their turn."""
    mine = player == state.seats[seat].player
    return (Returned(seat),) if mine and (state.seats[seat].away or state.house_plays(seat)) else ()


STAND_IN = "steady"  # the level that plays for someone who left


def house_command(state: TableState, seat: int) -> Command:
    """Return the next move of a seat that the server plays, as the command that a person would send."""
    game = state.game
    if game is None or game.position.chance_moves_next:
        return RollDice(HOUSE)
    from fivedice.players import bots
    from fivedice.players.bots.entrants import ask

    level = state.seats[seat].bot or STAND_IN
    # in the version of play that the game began with: its proof asks the bot again
    bot = bots.bot(level, game.position.book, play=state.bots or FIRST_PLAY)
    move = ask(bot, level, 1, game.position) if bots.is_registered(level) else bot.choose(game.position)
    if isinstance(move, Mark):
        return FillBox(HOUSE, move.box)
    return RollDice(HOUSE, slots_of(state, move.keep))


def slots_of(state: TableState, keep: Keep) -> tuple[int, ...]:
    """Return slots that hold these faces, preferring dice that were kept in the last roll."""
    wanted, slots = keep.counts, []
    for slot in sorted(range(len(state.slots)), key=lambda slot: (slot not in state.held, slot)):
        face = state.slots[slot]
        if wanted[face] > 0:
            wanted[face] -= 1
            slots.append(slot)
    return tuple(slots)
