"""Sentences about a table: the headline above the dice and the one thing to announce."""

from __future__ import annotations

from fivedice.game.events import BonusReached
from fivedice.table import events as log
from fivedice.table.state import Phase, TableState

FACES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def headline(state: TableState, mine: tuple[int, ...]) -> str:
    """Whose turn it is, from where the viewer sits."""
    if state.phase is Phase.SEATING:
        return "Take a seat" if not mine else "Waiting for the start"
    if state.game is not None and state.game.outcome is not None:
        return _result(state)
    seat = state.on_turn or 0
    if seat not in mine:
        return f"{state.seats[seat].name}\N{RIGHT SINGLE QUOTATION MARK}s turn"
    return "Your turn" if len(mine) == 1 else f"{state.seats[seat].name}, your turn"


def _result(state: TableState) -> str:
    game = state.game
    if game is None or game.outcome is None:
        return ""
    best = max(game.outcome.totals)
    if len(state.seats) == 1:
        return f"Final score: {best}"
    if game.outcome.is_tie:
        *most, last = game.winners
        return f"{', '.join(most)} and {last} share the win with {best}"
    return f"{game.winners[0]} wins with {best}"


def announcement(state: TableState) -> str:
    """What happened last, for those who listen instead of looking."""
    match state.last:
        case log.Sat(name=name):
            return f"{name} sits down."
        case log.Started():
            return _started(state)
        case log.Rolled(seat, dice, _):
            left = state.game.position.rolls_left if state.game is not None else 0
            return f"{state.seats[seat].name} rolled {_spoken(dice)}. {_times(left)} left."
        case log.Scored():
            return _scored(state, state.last)
        case log.UndoAnswered(_, agreed):
            return "Agreed." if agreed else "The score stays."
        case log.Rematched():
            return "The next game is set up."
    return _about_seat(state)


def _about_seat(state: TableState) -> str:
    sentence = _SEAT_SENTENCES.get(type(state.last))
    if sentence is None:
        return ""
    return sentence.format(name=state.seats[getattr(state.last, "seat", 0)].name)


_SEAT_SENTENCES: dict[type, str] = {
    log.Undone: "{name} took the last score back.",
    log.UndoAsked: "{name} asks to take the last score back.",
    log.Left: "{name} has left the table.",
    log.Returned: "{name} is at the table again.",
    log.HandedOver: "Somebody else plays for {name} from now on.",
    log.StoodIn: "The house plays for {name}.",
}


def _started(state: TableState) -> str:
    game = state.game
    if game is None:
        return ""
    name = state.seats[game.first].name
    return f"{name} won the roll-off and starts." if game.roll_off is not None else f"The game begins. {name} starts."


def _scored(state: TableState, scored: log.Scored) -> str:
    name, box = state.seats[scored.seat].name, state.book.box(scored.box).name
    parts = [f"{name} scored {scored.points} in {box}{' as a joker' if scored.joker else ''}."]
    if scored.bonus:
        parts.append(f"Extra bonus: {scored.bonus}.")
    events = () if state.last_score is None else state.last_score.events
    parts += [f"Upper bonus reached: {event.points}." for event in events if isinstance(event, BonusReached)]
    return " ".join(filter(None, [*parts, _after_score(state)]))


def _after_score(state: TableState) -> str:
    if state.phase is Phase.FINISHED:
        return f"{_result(state)}."
    return "" if len(state.seats) == 1 else f"{state.seats[state.on_turn or 0].name} is next."


def _spoken(dice: tuple[int, ...]) -> str:
    return ", ".join(FACES[face] for face in dice)


def _times(rolls: int) -> str:
    return "No roll" if rolls == 0 else f"{rolls} roll{'s' if rolls > 1 else ''}"
