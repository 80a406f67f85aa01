"""Sentences about a table for one person: the headline above the dice, what has just happened, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum

from fivedice.core.dice import Roll
from fivedice.core.game import Outcome, Step
from fivedice.core.game.position import BonusReached
from fivedice.message import Message, message
from fivedice.table.actions import events as ev
from fivedice.table.actions.again import first_seats, left_out, people_of, unanswered_people
from fivedice.table.actions.corrections import ChangeData
from fivedice.table.actions.rewrite import round_of, sheet_of, written_turns
from fivedice.table.state import Phase, TableState
from fivedice.table.view.view_shapes import AgainView, EndView

MOST_IN_SERIES = 4  # players whose wins fit in a line


def headline(state: TableState, viewer: str | None) -> Message:
    """Return whose turn it is, or the result, for this viewer."""
    mine, phase = state.seats_of(viewer), state.phase
    if phase is Phase.GIVEN_UP and not state.ended:
        return message("table.ended-early")
    if phase is Phase.SEATING:
        return message("table.waiting" if mine else "table.join")
    if state.ended or (state.game is not None and state.game.outcome is not None):
        return _result(state, viewer)
    seat = state.on_turn or 0
    if seat in mine and len(mine) > 1:
        return message("table.turn-of-yours", player=state.who(seat))
    return message("table.turn", who=state.who(seat, viewer))


def _result(state: TableState, viewer: str | None) -> Message:
    """Return the result of the game, or of the whole sheet."""
    number = state.counted[-1]
    outcome = state.outcome_of(number)
    if outcome is not None and (state.games == 1 or not state.all_games[number].is_over):
        return _winner_message(state, viewer, outcome, number, "single")
    if outcome is None or (state.match_total and (state.ended or state.phase is Phase.FINISHED)):
        return _winner_message(state, viewer, state.match, number, "early" if state.ended else "match")
    return _winner_message(state, viewer, outcome, number, "game")


def _winner_message(state: TableState, viewer: str | None, outcome: Outcome, number: int, scope: str) -> Message:
    """Return who has won; ties share the win."""
    winners = outcome.winners
    args = {
        "total": max(outcome.totals[seat] for seat in winners),
        "game": number + 1,
        "games": state.games,
        "count": len(state.counted),
    }
    if len(outcome.totals) == 1:
        return message(f"table.result.{scope}.alone", **args)
    if len(winners) == 1:
        return message(f"table.result.{scope}.won", who=state.who(winners[0], viewer), **args)
    return message(f"table.result.{scope}.shared", winners=tuple(state.who(seat) for seat in winners), **args)


def announcement(state: TableState, viewer: str | None) -> str:
    """Return what happened last, for screen readers: one sentence or several."""
    return " ".join(map(str, _announce(state, viewer)))


def _announce(state: TableState, viewer: str | None) -> Iterator[Message]:
    match state.last:
        case ev.Started() | ev.NextStarted():
            yield _announce_start(state, viewer)
        case ev.Rolled(seat, dice, last=last):
            left = state.game.position.rolls_left if state.game is not None else 0
            kind = "table.rolled-last" if last else "table.rolled" if left else "table.rolled-out"
            yield message(kind, who=state.who(seat, viewer), dice=Roll(dice), count=left)
        case ev.Scored():
            yield from _announce_score(state, state.last, viewer)
        case ev.Corrected(changes):
            yield from _announce_correction(state, changes, viewer)
        case ev.AgainSaid(seat, agreed):
            yield message("table.again-said" if agreed else "table.again-refused", who=state.who(seat, viewer))
        case ev.UndoAnswered(agreed=agreed):
            yield message("table.undo-agreed" if agreed else "table.undo-refused")
        case ev.Event(said=str(kind)):
            yield _about_seat(state, state.last, kind, viewer)


def _about_seat(state: TableState, event: ev.Event, kind: str, viewer: str | None) -> Message:
    seat = len(state.seats) - 1 if isinstance(event, ev.Sat) else getattr(event, "seat", None)
    if isinstance(event, ev.PencilPassed) and event.player == viewer:
        return message("table.scorekeeper-you")
    return message(kind) if seat is None else message(kind, who=state.who(seat, viewer))


def _announce_start(state: TableState, viewer: str | None) -> Message:
    if state.game is None:
        raise AssertionError("the game has begun, so there is one")
    who = state.who(state.game.first, viewer)
    if state.game_number:
        return message("table.next-started", who=who, game=state.game_number + 1)
    return message("table.roll-off-won" if state.game.roll_off is not None else "table.started", who=who)


def _announce_score(state: TableState, scored: ev.Scored, viewer: str | None) -> Iterator[Message]:
    kind, box = "table.scored-joker" if scored.joker else "table.scored", state.book.box(scored.box)
    yield message(kind, who=state.who(scored.seat, viewer), points=scored.points, box=box)
    if scored.bonus:
        yield message("table.bonus", bonus=state.book.sheet.label("extra"), points=scored.bonus)
    if state.last_score is not None:
        yield from _announce_bonuses(state.last_score)
        saved = state.last_score.after.cards[scored.seat].saved
        if saved and state.on_turn is not None:
            yield message("table.saves", who=state.who(scored.seat, viewer), count=saved)
    if state.game is not None and state.game.is_over:
        yield message("table.over", result=_result(state, viewer))
    elif len(state.seats) - len(state.seats_out) > 1:
        yield message("table.next", who=state.who(state.on_turn or 0, viewer))


def _announce_bonuses(step: Step) -> Iterator[Message]:
    """Yield the bonuses that the score has earned, or raised to a higher step."""
    seat, book = step.before.seat, step.before.book
    paid = (position.cards[seat].totals.bonuses for position in (step.before, step.after))
    for bonus, before, now in zip(book.bonuses, *paid, strict=True):
        if now > before:
            again = "-now" if before else ""
            if bonus is book.bonus:
                yield message(f"table.upper-bonus{again}", points=now)
            else:
                yield message(f"table.bonus{again}", bonus=book.labels[bonus.role], points=now)


def _announce_correction(state: TableState, changes: tuple[ChangeData, ...], viewer: str | None) -> Iterator[Message]:
    game, number, *_ = changes[0]
    turns = written_turns(sheet_of(state, game))
    turn = turns[number]
    yield message(
        "table.corrected-in-game" if state.games > 1 else "table.corrected",
        who=state.who(turn.seat, viewer),
        points=turn.entry.points,
        box=state.book.box(turn.box),
        round=round_of(turns, number),
        game=game + 1,
    )
    if len(changes) > 1:
        yield message("table.corrected-more", count=len(changes) - 1)


class Celebration(StrEnum):
    """Something to celebrate. Where several come together, the greatest counts."""

    ALIKE = "alike"  # all dice the same were rolled
    STRAIGHT = "straight"  # five or more dice in a row, by the first roll of a turn
    BONUS = "bonus"  # a bonus was reached, or a higher step of one
    WIN = "win"  # of the viewer
    PLAYED = "played"  # the game of a viewer who did not win
    BEST = "best"  # the viewer's best game: set by the page, which knows their other games


def choose_celebration(state: TableState, viewer: str | None) -> Celebration | None:
    """Return what the last event gives to celebrate; any later event ends it."""
    if isinstance(state.last, ev.Rolled):
        if len(state.last.dice) > 1 and len(set(state.last.dice)) == 1:
            return Celebration.ALIKE
        position, dice = state.running.position, state.last.dice
        straight = len(dice) >= 5 and len(set(dice)) == len(dice) == max(dice) - min(dice) + 1
        return Celebration.STRAIGHT if straight and position.rolls_left == position.rolls_in_turn - 1 else None
    if not isinstance(state.last, ev.Scored) or state.last_score is None:
        return None
    if state.phase is Phase.FINISHED and len(state.seats) > len(state.seats_of(viewer)) > 0:
        return Celebration.WIN if _wins(state, viewer) else Celebration.PLAYED
    if any(isinstance(event, BonusReached) for event in state.last_score.events):
        return Celebration.BONUS
    return None


def _wins(state: TableState, viewer: str | None) -> bool:
    """Return whether one of the viewer's seats has won."""
    outcome = None if state.game is None else state.game.outcome
    return outcome is not None and any(seat in outcome.winners for seat in state.seats_of(viewer))


def end_view(state: TableState, viewer: str | None) -> EndView | None:
    """Return how the game ended for this viewer; None before the end."""
    if not state.phase.is_over or state.game is None:
        return None
    totals, winners = state.match.totals, state.match.winners
    standing = tuple(sorted(range(len(totals)), key=lambda seat: (seat not in winners, -totals[seat])))
    mine = state.seats_of(viewer)
    undecided = state.given_up and not state.ended
    return EndView(
        title=str(_title(state, viewer)),
        standing=standing,
        margin=None if undecided or len(totals) < 2 else max(0, totals[standing[0]] - totals[standing[1]]),
        seat=mine[0] if len(mine) == 1 else None,
    )


def _title(state: TableState, viewer: str | None) -> Message:
    """Return who won and by how much; the headline for several games, or where the game ended early."""
    if state.given_up or state.ended or state.games > 1:
        return headline(state, viewer)
    totals, winners = state.match.totals, state.match.winners
    best, *others = sorted(totals, reverse=True)
    if not others:
        return message("table.end-alone", count=best)
    if len(winners) == 1:
        return message("table.end-won", who=state.who(winners[0], viewer), margin=best - others[0])
    if len(winners) == len(totals):
        return message("table.end-tied", total=best)
    return message("table.end-shared", winners=tuple(map(state.who, winners)), total=best)


def series(games: Iterable[TableState]) -> Message | None:
    """Return how often each has won in a row of rematches, the last game first; None for a single game."""
    wins: Counter[tuple[str | None, str]] = Counter()
    states = list(games)
    for state in states:
        if state.phase is Phase.FINISHED and state.game is not None:
            wins.update(_who_played(state, seat) for seat in state.match.winners)
    if not 2 <= len(states[0].seats) <= MOST_IN_SERIES or len(states) < 2 or not wins:
        return None
    parts = [
        (state.who(seat), wins[_who_played(state, seat)]) for state in states[:1] for seat in range(len(state.seats))
    ]
    if len(parts) == 2:
        (one, mine), (other, theirs) = parts
        return message("table.series", one=one, other=other, wins=mine, losses=theirs)
    return message(
        "table.series-many", standings=tuple(message("table.wins-of", player=who, wins=won) for who, won in parts)
    )


def _who_played(state: TableState, seat: int) -> tuple[str | None, str]:
    """Return what a seat has in common with the seat of the same player in another game."""
    sitting = state.seats[seat]
    return sitting.player, sitting.bot or sitting.name


def again_view(state: TableState, viewer: str | None, present: frozenset[str] | None) -> AgainView | None:
    """Return who wants another game; None before the end."""
    if state.phase is not Phase.FINISHED:
        return None
    viewer = viewer or ""
    waiting, without = unanswered_people(state, present) - {viewer}, left_out(state, present) - {viewer}
    yours = True if viewer in state.again_yes else False if viewer in state.again_no else None
    open_ = state.rematch is None and viewer in people_of(state)
    asked = bool(state.again_yes)
    return AgainView(
        yours=yours,
        can_answer=open_,
        wanted=first_seats(state, state.again_yes),
        waiting=first_seats(state, waiting) if asked else (),
        without=first_seats(state, without) if asked else (),
        can_begin=open_ and yours is True and not waiting and bool(without),
        sentence=" ".join(map(str, _describe_answers(state, viewer, waiting, without)))
        if asked and state.rematch is None
        else "",
    )


def _describe_answers(
    state: TableState, viewer: str, waiting: frozenset[str], without: frozenset[str]
) -> Iterator[Message]:
    """Yield who wants another game, who does not, and who has not answered; only about others."""
    others = frozenset(state.again_yes) - {viewer}
    if others and viewer not in state.again_yes:
        yield _about(state, "table.again-wanted", others)
    for kind, players in (
        ("table.again-declined", without & state.again_no),
        ("table.again-away", without - state.again_no),
        ("table.again-waiting", waiting if viewer in state.again_yes else frozenset()),
    ):
        if players:
            yield _about(state, kind, players)


def _about(state: TableState, kind: str, players: frozenset[str]) -> Message:
    seats = first_seats(state, players)
    return message(kind, players=tuple(map(state.who, seats)), count=len(seats))
