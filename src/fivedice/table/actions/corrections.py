"""Changing turns that were written earlier: all changes are made, or none.

Before a correction is accepted, `consequences` says which entries it would make invalid and which numbers change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard, judge, sheet_lines
from fivedice.core.game.legality import answers
from fivedice.errors import IllegalError, quote
from fivedice.message import Message, message
from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.playing import check_dice, reapply_rolls
from fivedice.table.actions.rewrite import (
    Change,
    WrittenTurn,
    apply_changes,
    replay_game,
    round_of,
    sheet_of,
    written_turns,
)
from fivedice.table.actions.rights import require_scorekeeper
from fivedice.table.refusals import AgainstTheRules, BadRequest, Conflict, WrongPhase
from fivedice.table.state import TableState
from fivedice.text import name_of


@dataclass(frozen=True, slots=True)
class Was:
    """A written turn as the sender saw it when changing it. Without dice, only its points were noted."""

    game: int
    turn: int
    dice: tuple[int, ...] | None = None
    points: int | None = None
    box: str = ""


@dataclass(frozen=True, slots=True)
class Correct(Command):
    """Change turns that were written earlier. Several changes are checked together.

    `was` has the changed turns as the sender saw them. With it, a correction needs no version and may be sent much
    later: if the sheet differs by then, that is a conflict, and the answer contains the turns on the sheet.
    """

    wire = "correct"
    versioned = True
    examples = (
        (
            "correct",
            {
                "changes": [{"game": 0, "turn": 2, "dice": "66612"}, {"game": 0, "turn": 6, "box": "fours"}],
                "version": 9,
            },
        ),
        (
            "correct-later",
            {
                "changes": [{"game": 0, "turn": 2, "points": 12}],
                "was": [{"game": 0, "turn": 2, "dice": None, "points": 9, "box": "threes"}],
                "key": "my-c-2",
            },
        ),
    )

    changes: tuple[Change, ...]
    was: tuple[Was, ...] = ()

    @property
    def needs_version(self) -> bool:
        return not self.was

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        """Return the correction. Raise AgainstTheRules with the reason if an entry would become invalid."""
        require_scorekeeper(state, self.player)
        if state.rematch is not None:
            raise WrongPhase("table.rematch-exists")
        if self.was:
            _check_seen(state, self.changes, self.was)
        changes = effective_changes(state, check_changes(state, self.changes))
        if not changes:
            return ()
        problems = consequences(state, changes).problems
        if problems:
            raise AgainstTheRules(problems[0].told)
        return (Corrected(tuple(map(_change_data, changes))),)


def _check_seen(state: TableState, changes: tuple[Change, ...], was: tuple[Was, ...]) -> None:
    """Raise Conflict if the turns differ from what the sender saw, unless the sheet is already as they want it."""
    if len(was) > MOST_CHANGES:
        raise BadRequest("table.many-changes", most=MOST_CHANGES, count=len(was))
    places = {(one.game, one.turn) for one in was}
    if any((change.game, change.turn) not in places for change in changes):
        raise BadRequest("table.was-missing")
    stands = {(one.game, one.turn): find_turn(state, one.game, one.turn) for one in was}
    same = all((turn := stands[one.game, one.turn]) is not None and matches_seen(state, turn, one) for one in was)
    done = None not in stands.values() and not effective_changes(state, check_changes(state, changes))
    if not same and not done:
        there = (turn.data(place[0]) for place, turn in sorted(stands.items()) if turn is not None)
        raise Conflict("table.sheet-differs", stands=there, version=state.version)


def matches_seen(state: TableState, stands: WrittenTurn, seen: Was) -> bool:
    """Return whether a written turn is what the sender saw."""
    return seen.box in state.book.index and stands.matches(seen.box, seen.dice, seen.points)


ChangeData: TypeAlias = (
    tuple[int, int, tuple[int, ...] | None, str | None]
    | tuple[int, int, tuple[int, ...] | None, str | None, int]
    | tuple[int, int, tuple[int, ...] | None, str | None, int | None, int]
)


def _change_data(change: Change) -> ChangeData:
    known = (change.game, change.turn, change.dice, change.box)
    if change.points is not None and change.dice is None:
        return (*known, change.saved, change.points)
    return known if change.saved is None else (*known, change.saved)


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """Written turns were changed; everything that depends on them is derived again.

    Each change is (game, turn, dice or None, box or None), as in `Change`; then the rolls left over, where they change,
    and the points, for a turn without dice.
    """

    changes_game = True
    said = "table.corrected"

    changes: tuple[ChangeData, ...]

    def fold(self, state: TableState) -> None:
        """Write the changed games again, turn by turn; the dice of the current turn stay."""
        changes = [Change(*change) for change in self.changes]
        for number in {change.game for change in changes}:
            after = replay_game(state, number, changes)
            if number < state.game_number:
                state.played[number] = after
            else:
                state.game, state.lain, rolls, state.rolls = after.game, list(after.lain), state.rolls, ()
                reapply_rolls(state, rolls)
        state.forget_undo()


MOST_CHANGES = 100  # anyone may ask for consequences, so the work has a limit
MOST_POINTS = 99_999  # the most that a record can have in a box


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """A box that the dice could go into; `free` if no later turn of the player is written there."""

    box: str
    label: str
    points: int
    extra: int
    joker: bool
    free: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """A written turn that the rules would forbid after the correction, and why."""

    game: int
    turn: int
    seat: int
    round: int
    player: str
    box: str
    label: str
    dice: tuple[int, ...]  # empty if they were not entered
    sentence: str
    boxes: tuple[BoxChoice, ...]
    told: str  # everything in one sentence
    points: int | None = None  # of a turn without dice


@dataclass(frozen=True, slots=True)
class SheetChange:
    """A number of the sheet that changes. `game` is None for the total of the match."""

    seat: int
    player: str
    game: int | None
    label: str
    box: str | None
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Consequences:
    """The consequences of a correction. With problems nothing would change, so there are no lines."""

    problems: tuple[Problem, ...]
    lines: tuple[SheetChange, ...]


def consequences(state: TableState, changes: Iterable[Change]) -> Consequences:
    """Return what these changes would do to the sheet. Raise a refusal for changes that make no sense."""
    wanted = effective_changes(state, check_changes(state, changes))
    problems: list[Problem] = []
    cards: dict[int, tuple[Scorecard, ...]] = {}
    for number in sorted({change.game for change in wanted}):
        found, cards[number] = _judge_game(state, number, wanted)
        problems += found
    if problems:
        return Consequences(tuple(problems), ())
    return Consequences((), (*_differences(state, cards), *_match_differences(state, cards)))


def check_changes(state: TableState, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes in order, with boxes by key. Raise a refusal for one that makes no sense."""
    wanted = tuple(changes)
    if not wanted:
        raise BadRequest("table.no-changes")
    if len(wanted) > MOST_CHANGES:
        raise BadRequest("table.many-changes", most=MOST_CHANGES, count=len(wanted))
    known = [_check_change(state, change) for change in wanted]
    places = [(change.game, change.turn) for change in known]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise BadRequest("table.changed-twice", turn=twice[1] + 1, game=twice[0] + 1)
    return tuple(sorted(known, key=lambda change: (change.game, change.turn)))


def _check_change(state: TableState, change: Change) -> Change:
    if find_turn(state, change.game, change.turn) is None:
        raise WrongPhase("table.turn-not-written", turn=quote(change.turn + 1), game=quote(change.game + 1))
    if change.dice is not None:
        check_dice(state, change.dice, state.book.dice)
    most = state.book.most_rolls - 1 if state.book.save_rolls else 0
    if change.saved is not None and not 0 <= change.saved <= most:
        raise AgainstTheRules("game.bad-rolls-left-over", saved=quote(change.saved), most=most)
    if change.points is not None and not 0 <= change.points <= MOST_POINTS:
        raise BadRequest("table.points-range", points=quote(change.points), most=MOST_POINTS)
    if change.box is None:
        return change
    try:
        return replace(change, box=state.book.box(change.box).key)
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None


def effective_changes(state: TableState, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes that change something."""
    return tuple(change for change in changes if (turn := _turn(state, change)).with_change(change) != turn)


def _turn(state: TableState, change: Change) -> WrittenTurn:
    return written_turns(sheet_of(state, change.game))[change.turn]


def find_turn(state: TableState, game: int, turn: int) -> WrittenTurn | None:
    """Return the turn that is written there; None if there is none."""
    if state.game is None or not 0 <= game <= state.game_number:
        return None
    turns = written_turns(sheet_of(state, game))
    return turns[turn] if 0 <= turn < len(turns) else None


def describe_written(state: TableState, stands: WrittenTurn) -> Message:
    """Return the message that this turn is written there already."""
    args = {"player": state.who(stands.seat), "box": state.book.box(stands.box), "points": stands.entry.points}
    if stands.noted is not None:
        return message("table.points-written", **args)
    return message("table.turn-written", dice=Roll(stands.dice), **args)


def _judge_game(
    state: TableState, number: int, changes: tuple[Change, ...]
) -> tuple[list[Problem], tuple[Scorecard, ...]]:
    """Score the turns again, without those that became invalid; return the problems and the new cards."""
    turns = apply_changes(sheet_of(state, number), changes, number)
    cards = [Scorecard.empty(state.book)] * len(state.all_games[number].players)
    problems = []
    for turn in turns:
        card = cards[turn.seat]
        rolls = state.book.rolls + card.saved
        left, many = turn.left_after(rolls), _explain_rolls(turn, rolls)
        try:
            entry = judge(card, Roll(turn.with_dice_on(card).dice)).check(turn.box)
        except IllegalError as error:
            problems.append(_problem(state, number, turn, card, turns, error.message))
            continue
        if left < 0:  # the others are checked as if none were left over
            problems.append(_problem(state, number, turn, None, turns, many))
        place = state.book.index[turn.box]
        cards[turn.seat] = card.write(place, entry.points, bonus=entry.bonus, saved=max(left, 0))
    return problems, tuple(cards)


def _explain_rolls(turn: WrittenTurn, rolls: int) -> Message:
    """Return why a turn that took or left over too many rolls is invalid."""
    if turn.rolls[-1].last:
        return message("game.bad-rolls-left-over", saved=str(turn.saved), most=rolls - 1)
    return message("table.rolls-missing", count=len(turn.rolls), most=rolls)


def _problem(
    state: TableState,
    game: int,
    turn: WrittenTurn,
    card: Scorecard | None,
    turns: tuple[WrittenTurn, ...],
    reason: Message,
) -> Problem:
    who, box, number = state.who(turn.seat), state.book.box(turn.box), round_of(turns, turn.number)
    sentence = str(message("table.makes-invalid", player=who, box=box, round=number, game=game + 1, reason=reason))
    name = state.seats[turn.seat].name
    later = {other.box for other in turns if other.seat == turn.seat and other.number > turn.number}
    boxes = () if card is None else tuple(_choices(card, turn, later))
    known = (turn.entered_dice, str(reason), boxes, sentence, turn.noted)
    return Problem(game, turn.number, turn.seat, number, name, turn.box, name_of(box), *known)


def _choices(card: Scorecard, turn: WrittenTurn, later: set[str]) -> Iterator[BoxChoice]:
    if turn.noted is None:
        ruling = judge(card, Roll(turn.dice))
        for key, entry in ruling.legal.items():
            label = name_of(ruling.card.book.box(key))
            yield BoxChoice(key, label, entry.points, entry.bonus, entry.joker, key not in later)
        return
    for box in card.book.boxes:
        fits = (each for each in answers(card, box.key) if each.points == turn.noted and each.other is None)
        for each in fits:
            yield BoxChoice(box.key, name_of(box), each.points, each.extra, each.joker, box.key not in later)


def _differences(state: TableState, cards: dict[int, tuple[Scorecard, ...]]) -> Iterator[SheetChange]:
    """Yield every line of the sheet whose number changes, by game and player."""
    for game, after in cards.items():
        before = state.all_games[game].position.cards
        for seat, (old, new) in enumerate(zip(before, after, strict=True)):
            for line, other in zip(sheet_lines(old), sheet_lines(new), strict=True):
                if line.value != other.value:
                    name = state.seats[seat].name
                    yield SheetChange(seat, name, game, name_of(line), line.box, line.value, other.value)
            if old.saved != new.saved and not old.is_full:
                label = str(message("table.saved-rolls"))
                yield SheetChange(seat, state.seats[seat].name, game, label, None, old.saved, new.saved)


def _match_differences(state: TableState, cards: dict[int, tuple[Scorecard, ...]]) -> Iterator[SheetChange]:
    if state.games == 1 or not state.match_total:
        return
    now = [state.all_games[number].position.cards for number in state.counted]
    then = [cards.get(number, columns) for number, columns in zip(state.counted, now, strict=True)]
    for seat, sitting in enumerate(state.seats):
        before, after = (sum(columns[seat].total for columns in sheet if seat < len(columns)) for sheet in (now, then))
        if before != after:
            yield SheetChange(seat, sitting.name, None, str(message("table.match-total")), None, before, after)
