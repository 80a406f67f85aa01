"""What is said of a game to those at this terminal: what happened, who starts and wins, and the line at the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from fivedice.dice import Roll
from fivedice.game import Ruling
from fivedice.game.card import BonusStatus, bonus_pace
from fivedice.message import Message, Series, message
from fivedice.rules.book_facts import box_rule
from fivedice.table.state import Phase, TableState
from fivedice.table.view import announcements
from fivedice.tui.own_store import TERMINAL
from fivedice.tui.session import Session
from fivedice.words import player, word


def headline(state: TableState) -> Message:
    return announcements.headline(state, TERMINAL)


def happened(state: TableState) -> str:
    return announcements.announcement(state, TERMINAL)


def name(state: TableState, seat: int) -> str:
    """A player in a list: who plays alone and gave no name is addressed."""
    who = state.who(seat, TERMINAL)
    return word("terminal.player-you") if who.you and who.name is None else player(who)


def starts(state: TableState, seat: int) -> str:
    return word("table.starts", who=state.who(seat, TERMINAL))


def opening(session: Session) -> str:
    """How it was settled who starts, and what there is to beat."""
    real_dice = word("terminal.real-dice", key="R") if session.state.real_dice else ""
    return "\n".join(filter(None, [real_dice, roll_off(session.state), to_beat(session)]))


def roll_off(state: TableState) -> str:
    game = state.game
    if game is None or len(game.players) == 1 or game.steps:
        return ""
    rounds = () if game.roll_off is None else game.roll_off.rounds
    kinds = ("terminal.roll-off", *["terminal.roll-off-again"] * len(rounds))
    told = [word(kind, totals=_totals(state, group)) for kind, group in zip(kinds, rounds, strict=False)]
    return " ".join([*told, starts(state, game.first)])


def _totals(state: TableState, group: Sequence[tuple[int, Roll]]) -> Series:
    each = ((name(state, seat), roll.total) for seat, roll in group)
    return Series(tuple(message("terminal.roll-off-total", name=called, total=total) for called, total in each))


def to_beat(session: Session) -> str:
    best = session.best
    if best is None:
        return ""
    return word("terminal.best-now" if best.table == session.id else "terminal.to-beat", total=best.total)


def result(session: Session) -> str:
    """The standing when a game is over, and what comes next."""
    game, state = session.game, session.state
    if game.outcome is None:
        return ""
    totals = game.outcome.totals
    names = [name(state, seat) for seat in range(len(totals))]
    width = max(map(len, names))
    standing = [
        f"{1 + sum(total > totals[seat] for total in totals)}. {state.seats[seat].token} {names[seat]:<{width}} "
        f"{totals[seat]:>4}"
        for seat in sorted(range(len(totals)), key=lambda seat: -totals[seat])
    ]
    first = word("terminal.next-first", who=state.who(game.next_first, TERMINAL)) if len(totals) > 1 else ""
    return "\n".join([*standing, "", to_beat(session), first]).rstrip()


def rolls_line(state: TableState) -> str:
    """How far the turn is: a roll that shows the same faces again is still seen to have happened."""
    if state.phase is not Phase.PLAYING or state.game is None:
        return ""
    left, rolls = state.game.position.rolls_left, state.book.rolls
    if not state.slots:
        return word("terminal.rolls", count=rolls)
    return word("terminal.roll-of" if left else "terminal.rolls-out", roll=rolls - left, rolls=rolls, left=left)


def roll_label(state: TableState) -> str:
    if state.phase is Phase.FINISHED:
        return word("terminal.next-game", key="N")
    if state.real_dice:
        return word("terminal.enter-next" if state.slots else "terminal.enter-dice", key="R")
    return word("terminal.roll-again" if state.slots else "terminal.roll", key="R")


def about_roll(ruling: Ruling | None) -> list[str]:
    """What the rules make of these dice, if they narrow the choice or pay extra."""
    if ruling is None:
        return []
    card, book = ruling.card, ruling.card.book
    forced = [why for key, why in ruling.closed.items() if ruling.joker_step is not None and card.held(key) is None]
    extra = [word("terminal.extra", bonus=book.sheet.label("extra"), points=ruling.bonus)] if ruling.bonus else []
    return [*forced[:1], *extra]


def about_box(state: TableState, ruling: Ruling | None, box: str) -> str:
    """Why the box is closed, or what it asks for."""
    if ruling is not None and box in ruling.closed:
        return ruling.closed[box]
    found, joker = state.book.box(box), state.book.alike
    told = {"box": found, "rule": box_rule(found, state.book)}
    entry = None if ruling is None else ruling.legal.get(box)
    if entry is None or not entry.joker or joker is None:
        return word("terminal.box", **told)
    return word("terminal.box-joker", **told, points=entry.points, name=joker)


def about_bonus(state: TableState) -> str:
    """What the bonus asks for, and how the player on turn stands."""
    bonus, game = state.book.bonus, state.game
    if bonus is None or game is None:
        return ""
    rule = word("terminal.bonus", bonus=state.book.sheet.label("bonus"), points=bonus.points, threshold=bonus.threshold)
    pace = bonus_pace(game.position.card)
    if pace is None or state.on_turn is None:
        return rule
    who, kind = state.who(state.on_turn, TERMINAL), str(pace.status)
    if pace.status is BonusStatus.OPEN:
        kind = "ahead" if pace.ahead > 0 else "behind" if pace.ahead else "on"
    return f"{rule} {word(f'terminal.pace-{kind}', who=who, count=abs(pace.ahead))}"
