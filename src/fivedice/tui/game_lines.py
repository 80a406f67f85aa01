"""Sentences on the screen that the tables underneath do not have: the start, the end, and the line at the cursor."""

from __future__ import annotations

from fivedice.game import Ruling
from fivedice.game.pace import Chance, bonus_pace
from fivedice.rules.words import box_rule
from fivedice.table.state import Phase, TableState
from fivedice.tui.own_store import TERMINAL
from fivedice.tui.session import Session
from fivedice.words import word


def opening(session: Session) -> str:
    """How it was settled who starts, and what there is to beat."""
    parts = [roll_off(session.state), to_beat(session)]
    if session.state.real_dice:
        parts.insert(0, "Throw your own dice: R asks what fell.")
    return "\n".join(part for part in parts if part)


def roll_off(state: TableState) -> str:
    game = state.game
    if game is None or len(game.players) == 1 or game.steps:
        return ""
    if game.roll_off is None:
        return word("table.starts", who=state.who(game.first, TERMINAL))
    groups = (", ".join(f"{game.players[seat]} {roll.total}" for seat, roll in group) for group in game.roll_off.rounds)
    return f"Roll-off: {'; again: '.join(groups)}. " + word("table.starts", who=state.who(game.first, TERMINAL))


def to_beat(session: Session) -> str:
    best = session.best
    if best is None:
        return ""
    if best.table == session.id:
        return f"{best.total} is the best so far, and the score to beat from now on."
    return f"The score to beat: {best.total}."


def result(session: Session) -> str:
    """The standing when a game is over, and what comes next."""
    game, state = session.game, session.state
    if game.outcome is None:
        return ""
    totals = game.outcome.totals
    width = max(len(seat.name) for seat in state.seats)
    ranked = sorted(enumerate(state.seats), key=lambda pair: -totals[pair[0]])
    standing = [
        f"{1 + sum(total > totals[number] for total in totals)}. {seat.token} {seat.name:<{width}} {totals[number]:>4}"
        for number, seat in ranked
    ]
    following = f"In the next game {state.seats[game.next_first].name} starts." if len(totals) > 1 else ""
    return "\n".join([*standing, "", to_beat(session), following]).rstrip()


def rolls_line(state: TableState) -> str:
    """How far the turn is: a roll that shows the same faces again is still seen to have happened."""
    if state.phase is not Phase.PLAYING or state.game is None:
        return ""
    left, rolls = state.game.position.rolls_left, state.book.rolls
    return f"Roll {rolls - left} of {rolls}, {left or 'none'} left" if state.slots else f"{rolls} rolls this turn"


def roll_label(state: TableState) -> str:
    if state.phase is Phase.FINISHED:
        return "Next game (N)"
    if state.real_dice:
        return "Enter the dice (R)" if not state.slots else "Enter the next roll (R)"
    return "Roll again (R)" if state.slots else "Roll (R)"


def about_roll(ruling: Ruling | None) -> str:
    """What the rules make of these dice, if they narrow the choice or pay extra."""
    if ruling is None:
        return ""
    card, book = ruling.card, ruling.card.book
    forced = [why for key, why in ruling.closed.items() if ruling.rung is not None and card.held(key) is None]
    extra = f"{book.sheet.extra}: {ruling.bonus} points extra, whichever box you fill." if ruling.bonus else ""
    return "\n".join([*forced[:1], extra]).strip()


def about_box(state: TableState, ruling: Ruling | None, box: str) -> str:
    """Why the box is closed, or what it asks for."""
    if ruling is not None and box in ruling.closed:
        return ruling.closed[box]
    rule = f"{state.book.box(box).name}: {box_rule(state.book.box(box), state.book)}"
    entry = None if ruling is None else ruling.legal.get(box)
    if entry is None or not entry.joker or state.book.alike is None:
        return rule
    return f"{rule} These dice are a joker: they score {entry.points} here ({state.book.alike.name})."


def about_bonus(state: TableState) -> str:
    """What the bonus asks for, and how the player on turn stands."""
    bonus, game = state.book.bonus, state.game
    if bonus is None or game is None:
        return ""
    pace = bonus_pace(game.position.card)
    rule = f"{state.book.sheet.bonus}: {bonus.points} points for {bonus.threshold} or more above."
    if pace is None or state.on_turn is None:
        return rule
    name = state.seats[state.on_turn].name
    if pace.chance is not Chance.OPEN:
        return f"{rule} {name}: {pace.chance}."
    where = f"{abs(pace.ahead)} {'ahead of' if pace.ahead > 0 else 'behind'}" if pace.ahead else "on"
    return f"{rule} {name} is {where} an even course."
