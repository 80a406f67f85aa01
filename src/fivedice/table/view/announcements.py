"""Sentences about a table: the headline above the dice and the one thing to announce."""

from __future__ import annotations

from collections.abc import Sequence

from fivedice.game.step_events import BonusReached
from fivedice.table import events as log
from fivedice.table.decide.rewrite import sheet_of, written
from fivedice.table.state import Phase, TableState

FACES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def headline(state: TableState, mine: tuple[int, ...]) -> str:
    """Whose turn it is, from where the viewer sits."""
    if state.phase is Phase.GIVEN_UP:
        return "This game was given up"
    if state.phase is Phase.SEATING:
        return "Take a seat" if not mine else "Waiting for the start"
    if state.game is not None and state.game.outcome is not None:
        return _result(state)
    seat = state.on_turn or 0
    if seat not in mine:
        return f"{state.seats[seat].name}\N{RIGHT SINGLE QUOTATION MARK}s turn"
    return "Your turn" if len(mine) == 1 else f"{state.seats[seat].name}, your turn"


def _result(state: TableState) -> str:
    """How the game ended, or the whole sheet."""
    game = state.game
    if game is None or game.outcome is None:
        return ""
    if state.games == 1:
        return _ranked(state, game.outcome.totals, "Final score")
    if state.phase is Phase.FINISHED and state.match_total:
        sums = [sum(one.position.cards[seat].total for one in state.all_games) for seat in range(len(state.seats))]
        return f"All {state.games} games: {_ranked(state, sums, 'match total')}"
    return f"Game {state.game_number + 1}: {_ranked(state, game.outcome.totals, 'final score')}"


def _ranked(state: TableState, totals: Sequence[int], alone: str) -> str:
    """Who has the highest total; ties share it."""
    best = max(totals)
    if len(totals) == 1:
        return f"{alone}: {best}" if alone[0].isupper() else f"{alone} {best}"
    *most, last = (state.seats[seat].name for seat, total in enumerate(totals) if total == best)
    return (
        f"{', '.join(most)} and {last} share the win with {best}"
        if most
        else f"{last} {says(last, 'wins')} with {best}"
    )


def announcement(state: TableState) -> str:
    """What happened last, for those who listen instead of looking."""
    match state.last:
        case log.Sat(name=name):
            return f"{name} sits down."
        case log.Started():
            return _started(state)
        case log.Rolled():
            return _rolled(state, state.last)
        case log.Scored():
            return _scored(state, state.last)
        case log.UndoAnswered(_, agreed):
            return "Agreed." if agreed else "The score stays."
        case log.GivenUp():
            return "The game was given up."
        case log.Rematched():
            return "The next game is set up."
    return _about_sheet(state) or _about_seat(state)


def _about_sheet(state: TableState) -> str:
    match state.last:
        case log.Corrected(changes):
            return _corrected(state, changes[0], len(changes))
        case log.NextStarted(first):
            return f"Game {state.game_number + 1} begins. {state.seats[first].name} starts."
        case log.PencilPassed():
            return "Somebody else keeps the score from now on."
    return ""


def _about_seat(state: TableState) -> str:
    sentence = _SEAT_SENTENCES.get(type(state.last))
    if sentence is None:
        return ""
    return sentence.format(name=state.seats[getattr(state.last, "seat", 0)].name)


_SEAT_SENTENCES: dict[type, str] = {
    log.Withdrawn: "The dice of {name} were taken back.",
    log.Undone: "{name} took the last score back.",
    log.UndoAsked: "{name} asks to take the last score back.",
    log.Left: "{name} has left the table.",
    log.Returned: "{name} is at the table again.",
    log.HandedOver: "Somebody else plays for {name} from now on.",
    log.StoodIn: "The house plays for {name}.",
}


def says(name: str, verb: str) -> str:
    """Whoever gave no name sits there as You."""
    return verb.removesuffix("s") if name == "You" else verb


def _started(state: TableState) -> str:
    game = state.game
    if game is None:
        return ""
    name = state.seats[game.first].name
    starts = says(name, "starts")
    return (
        f"{name} won the roll-off and {starts}." if game.roll_off is not None else f"The game begins. {name} {starts}."
    )


def _rolled(state: TableState, rolled: log.Rolled) -> str:
    name, dice = state.seats[rolled.seat].name, _spoken(rolled.dice)
    if rolled.last:
        return f"{name} has {dice}."
    left = state.game.position.rolls_left if state.game is not None else 0
    return f"{name} rolled {dice}. {_times(left)} left."


def _scored(state: TableState, scored: log.Scored) -> str:
    name, box = state.seats[scored.seat].name, state.book.box(scored.box).name
    parts = [f"{name} scored {scored.points} in {box}{' as a joker' if scored.joker else ''}."]
    if scored.bonus:
        parts.append(f"Extra bonus: {scored.bonus}.")
    events = () if state.last_score is None else state.last_score.events
    parts += [f"Upper bonus reached: {event.points}." for event in events if isinstance(event, BonusReached)]
    return " ".join(filter(None, [*parts, _after_score(state)]))


def _corrected(state: TableState, change: tuple[int, int, object, object], count: int) -> str:
    game, number = change[:2]
    turn = written(sheet_of(state, game))[number]
    place = f"round {1 + number // len(state.seats)}{f' of game {game + 1}' if state.games > 1 else ''}"
    more = f", and {count - 1} more" if count > 1 else ""
    box = state.book.box(turn.box).name
    return f"Corrected: {state.seats[turn.seat].name} has {turn.entry.points} in {box}, {place}{more}."


def _after_score(state: TableState) -> str:
    if state.game is not None and state.game.is_over:
        return f"{_result(state)}."
    return "" if len(state.seats) == 1 else f"{state.seats[state.on_turn or 0].name} is next."


def _spoken(dice: tuple[int, ...]) -> str:
    return ", ".join(FACES[face] for face in dice)


def _times(rolls: int) -> str:
    return "No roll" if rolls == 0 else f"{rolls} roll{'s' if rolls > 1 else ''}"
