"""Texts for the people at this terminal: about the game, and from the coach.

In training the coach warns once about a costly move; the same move again is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fivedice.coaching import training
from fivedice.coaching.hint_messages import is_tiny
from fivedice.coaching.training import (
    AUTO,
    BEAT,
    POINTS,
    WIN,
    GameOdds,
    Goal,
    is_training,
    is_worth_chasing,
    parse_goal,
    plays_alone,
    require_hint_position,
    require_running_position,
)
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import LineKind, Position, Ruling, Scorecard, SheetLine, sheet_lines
from fivedice.core.game.card import BonusStatus, bonus_pace, next_tier
from fivedice.core.rules import Section
from fivedice.core.rules.book_facts import bonus_rule, box_rule, describe_tiers
from fivedice.errors import FivediceError
from fivedice.message import Message, Series, Who, message
from fivedice.solver.runtime.compile_watch import has_compiler
from fivedice.solver.runtime.solve_limits import has_odds
from fivedice.table.actions.rewrite import sheet_of, written_turns
from fivedice.table.state import Phase, TableState
from fivedice.table.view import announcements
from fivedice.terminal.session import TERMINAL, Session
from fivedice.text import Chance, percent, player, points, word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.coaching.hints import Choice, Coaching
    from fivedice.core.rules import Bonus, RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase


SAVED = "saved_rolls"  # the role of a line that only the terminal shows


def headline(state: TableState) -> Message:
    return announcements.headline(state, TERMINAL)


def last_event(state: TableState) -> str:
    return announcements.announcement(state, TERMINAL)


def name(state: TableState, seat: int) -> str:
    """Return the name of a player for a list. A player who plays alone without a name is "You"."""
    who = state.who(seat, TERMINAL)
    return word("terminal.player-you") if who.you and who.name is None else player(who)


def starts(state: TableState, seat: int) -> str:
    return word("table.starts", who=state.who(seat, TERMINAL))


def opening(session: Session) -> str:
    """Return who starts and why, and the score to beat."""
    real_dice = word("terminal.real-dice", key="R") if session.state.real_dice else ""
    return "\n".join(filter(None, [real_dice, roll_off(session.state), to_beat(session)]))


def roll_off(state: TableState) -> str:
    game = state.game
    if game is None or len(game.players) == 1 or game.steps:
        return ""
    rounds = () if game.roll_off is None else game.roll_off.rounds
    kinds = ("terminal.roll-off", *["terminal.roll-off-again"] * len(rounds))
    rolled = [word(kind, totals=_totals(state, group)) for kind, group in zip(kinds, rounds, strict=False)]
    return " ".join([*rolled, starts(state, game.first)])


def _totals(state: TableState, group: Sequence[tuple[int, Roll]]) -> Series:
    each = ((name(state, seat), roll.total) for seat, roll in group)
    return Series(tuple(message("terminal.roll-off-total", name=called, total=total) for called, total in each))


def to_beat(session: Session) -> str:
    best = session.best
    if best is None:
        return ""
    return word("terminal.best-now" if best.table == session.id else "terminal.to-beat", total=best.total)


def result(session: Session) -> str:
    """Return the standings when a game is over, and who starts the next one."""
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


def rolls_left(state: TableState) -> int:
    """Return how many rolls are left. Final dice are not rolled again, even if their turn saved rolls."""
    return 0 if state.final else state.running.position.rolls_left


def can_roll(session: Session) -> bool:
    return session.person_is_next and rolls_left(session.state) > 0


def rolls_line(state: TableState) -> str:
    """Return which roll of the turn this is, so that a roll with the same faces is still noticed."""
    if state.phase is not Phase.PLAYING or state.game is None:
        return ""
    position = state.game.position
    left, rolls, saved = rolls_left(state), position.rolls_in_turn, position.card.saved
    if not state.slots:
        return word("terminal.rolls-saved" if saved else "terminal.rolls", count=rolls, saved=saved)
    if position.rolls_left > left:
        return word("terminal.final-saved", count=position.rolls_left)
    if left and state.book.save_rolls:
        return word("terminal.roll-of-saving", roll=rolls - left, rolls=rolls, left=left)
    return word("terminal.roll-of" if left else "terminal.rolls-out", roll=rolls - left, rolls=rolls, left=left)


def columns(state: TableState) -> list[tuple[SheetLine, ...]]:
    """Return the sheet of each player, with the saved rolls below it; at the end these do not count."""
    cards = () if state.game is None else state.game.position.cards
    saving = state.book.save_rolls and state.on_turn is not None
    if not saving:
        return [*map(sheet_lines, cards)]
    label = word("terminal.saved-rolls")
    return [(*sheet_lines(card), SheetLine(LineKind.EXTRA, Section.LOWER, SAVED, label, card.saved)) for card in cards]


def roll_label(state: TableState) -> str:
    if state.phase is Phase.FINISHED:
        return word("terminal.next-game", key="N")
    if state.real_dice:
        return word("terminal.enter-next" if state.slots else "terminal.enter-dice", key="R")
    return word("terminal.roll-again" if state.slots else "terminal.roll", key="R")


def about_roll(ruling: Ruling | None) -> list[str]:
    """Return how the rules restrict these dice, and the extra bonus they pay."""
    if ruling is None:
        return []
    card, book = ruling.card, ruling.card.book
    forced = [why for key, why in ruling.closed.items() if ruling.joker_step is not None and card.held(key) is None]
    extra = [word("terminal.extra", bonus=book.sheet.label("extra"), points=ruling.bonus)] if ruling.bonus else []
    return [*forced[:1], *extra]


def about_box(state: TableState, ruling: Ruling | None, box: str) -> str:
    """Return why the box is closed, or what it asks for."""
    if ruling is not None and box in ruling.closed:
        return ruling.closed[box]
    found, joker = state.book.box(box), state.book.alike
    values = {"box": found, "rule": box_rule(found, state.book)}
    entry = None if ruling is None else ruling.legal.get(box)
    if entry is None or not entry.joker or joker is None:
        return word("terminal.box", **values)
    return word("terminal.box-joker", **values, points=entry.points, name=joker)


def about_bonus(state: TableState, role: str) -> str:
    """Return what a bonus asks for, and how far the player on turn is."""
    bonus = next((each for each in state.book.bonuses if each.role == role), None)
    if bonus is None or state.game is None:
        return ""
    rule = _bonus_rule(state.book, bonus)
    if state.on_turn is None:
        return str(rule)
    card, who = state.game.position.card, state.who(state.on_turn, TERMINAL)
    so_far = message("terminal.bonus-so-far", who=who, points=card.counted(card.book.bonus_mask(bonus)))
    stands = _upper_pace(card, who) if bonus is state.book.bonus else [so_far]
    return " ".join([str(rule), *map(str, stands)])


def _bonus_rule(book: RuleBook, bonus: Bonus) -> Message:
    if bonus is not book.bonus:
        return bonus_rule(bonus, book)
    label = book.sheet.label("bonus")
    if not bonus.higher:
        return message("terminal.bonus", bonus=label, points=bonus.points, threshold=bonus.threshold)
    return message("terminal.bonus-tiers", bonus=label, tiers=describe_tiers(bonus))


def _upper_pace(card: Scorecard, who: Who) -> Iterator[Message]:
    pace, tier = bonus_pace(card), next_tier(card)
    if pace is None:
        return
    kind = str(pace.status)
    if pace.status is BonusStatus.OPEN:
        kind = "ahead" if pace.ahead > 0 else "behind" if pace.ahead else "on"
    yield message(f"terminal.pace-{kind}", who=who, count=abs(pace.ahead))
    if pace.status is BonusStatus.REACHED and tier is not None:
        yield message("terminal.next-tier", count=tier.threshold - card.upper_total, points=tier.points)


SHOWN = 5

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class HintLines:
    """A hint: in short for a small window, in full, and the advised choice."""

    short: list[str]
    full: list[str]
    advised: Choice | None = None


def hints(session: Session, progress: Progress | None = None, goal: Goal = AUTO) -> HintLines:
    """Return the reason for the best choice, and the best few with their costs and aims. Solves the book if needed."""
    found = ask_coach(session, progress, goal)
    head, costs = word(f"coach.choices-{found.goal}"), list(_costs(found))
    why = [*filter(None, [found.rule, found.sentence])]
    aims = [word("coach.choice-aims", do=each.label, aims=each.line) for each in found.choices if each.line]
    full = [*why, *filter(None, [found.details, found.beside]), head, *costs, *aims]
    missing = [found.beside] if found.beside and not has_compiler() else []
    return HintLines([*why, *missing, head, *costs], full, found.advised)


def ask_coach(session: Session, progress: Progress | None = None, goal: Goal = AUTO) -> Coaching:
    """Return a hint for the goal.

    A chosen total or win may take a while to compute. Without a chosen goal the win counts only if its odds are ready.
    """
    from fivedice.coaching.hints import coach, coach_to_reach  # late, because it loads numpy
    from fivedice.coaching.win_hints import can_win, coach_with_others, is_quick, stakes

    position, roll = require_hint_position(session.state, TERMINAL)
    target, solver = _target(session, goal), has_compiler()
    if target is not None and has_odds(position.book) and solver:
        chase = _solve_chase(position.card, target, progress)
        return coach_to_reach(chase, position.card, roll, position.rolls_left, target, best=SHOWN)
    solution, bonuses = _solve(position.book, progress)
    patient = goal.kind == "win" and solution.is_preparable
    if solver and can_win(position) and (patient or is_quick(position, solution)):
        measured = stakes(position, solution, progress=progress)
        return coach_with_others(solution, position, goal, measured, best=SHOWN, bonuses=bonuses)
    found = coach(solution, position.card, roll, position.rolls_left, best=SHOWN, bonuses=bonuses)
    return replace(found, notes=tuple(_why_points(position, goal, target, solution)))


def _target(session: Session, goal: Goal) -> int | None:
    """Return the total to reach: the chosen one, or one more than the own best."""
    if goal.kind != "beat":
        return goal.target
    best = session.best if plays_alone(session.state, TERMINAL) else None
    return None if best is None else best.total + 1


def _why_points(position: Position, goal: Goal, target: int | None, solution: Solution) -> Iterator[Message]:
    """Say why a hint is for points although another goal was meant."""
    from fivedice.coaching.win_hints import can_win, is_quick

    wins = goal.kind == "win" or (goal.kind == "auto" and can_win(position) and is_quick(position, solution))
    if not wins and target is None:
        return
    if goal.kind == "win" and len(position.seats_in) == 1:
        yield message("coach.win-alone")
    elif not has_odds(position.book):
        yield message("coach.win-unknown")
    elif not has_compiler():
        yield message("coach.aim-needs-extra")
    else:
        yield message("coach.odds-later", count=solution.quick_boxes)
        yield message("coach.until-then")


def _solve_chase(card: Scorecard, target: int, progress: Progress | None) -> Chase:
    from fivedice.solver.chase import chase

    return chase(card.book, card=card, least=target, most=target, progress=progress)


class Aiming:
    """The goal that is chosen at this terminal."""

    def __init__(self) -> None:
        self.goal = AUTO

    def next_goal(self, state: TableState) -> str:
        """Switch to the next goal that makes sense here, and name it. A total has to be typed: see `choose`."""
        last = BEAT if len(state.seats) == 1 else WIN
        around = {AUTO: POINTS, POINTS: last}
        self.goal = around.get(self.goal, AUTO)
        return self.words()

    def choose(self, typed: str) -> str:
        self.goal = parse_goal(typed) if typed else self.goal
        return self.words()

    def words(self) -> str:
        return word(f"coach.plays-{self.goal.kind}", target=self.goal.target)


def expectations(session: Session, progress: Progress | None = None) -> list[str]:
    """Return each player's expected total and chance of winning, and the score to beat of a solo player."""
    from fivedice.reports.race import is_ready, race

    position = require_running_position(session.state)
    solution, _ = _solve(position.book, progress)
    names = [name(session.state, seat) for seat in range(len(session.state.seats))]
    if not has_odds(position.book):
        return [*_mean_lines(position, solution, names), word("coach.no-odds")]
    if not has_compiler():
        return [*_mean_lines(position, solution, names), word("coach.odds-need-extra")]
    if not solution.is_preparable and not is_ready(position, solution):
        return [*_mean_lines(position, solution, names), word("coach.odds-later", count=solution.quick_boxes)]
    best = session.best if plays_alone(session.state, TERMINAL) else None
    beat = None
    if best is not None:
        target, worthwhile = best.total + 1, is_worth_chasing(position.card)
        chase = _solve_chase(position.card, target, progress) if worthwhile else None
        beat = training.to_beat(position, solution, target, chase)
    return list(_odds_lines(GameOdds(race(position, solution, progress=progress), beat), names))


def _solve(book: RuleBook, progress: Progress | None) -> tuple[Solution, NDArray[np.float64] | None]:
    """Return the solution, and the chances of the upper bonus unless they take minutes."""
    from fivedice.solver import solve
    from fivedice.solver.bonus import chances_if_possible, known
    from fivedice.solver.runtime import solve_limits as limits

    solution = solve(book, progress=progress)
    if not limits.has_odds(book):
        return solution, None
    return solution, known(solution) if limits.takes_long(book) else chances_if_possible(solution, progress)


def _mean_lines(position: Position, solution: Solution, names: Sequence[str]) -> Iterator[str]:
    """Yield each player's expected total, for games without odds."""
    from fivedice.reports.decisions import TurnValues

    yield word("coach.odds-head")
    for seat, (called, card) in enumerate(zip(names, position.cards, strict=True)):
        roll = position.roll if seat == position.seat else None
        mean = card.total + solution.value(card)
        if roll is not None:
            mean = TurnValues(solution, card).roll(roll, position.rolls_left)
        yield word("coach.odds-mean", name=called, mean=round(mean))


def _odds_lines(odds: GameOdds, names: Sequence[str]) -> Iterator[str]:
    yield word("coach.odds-head")
    kind = "coach.odds-total-and-win" if len(names) > 1 else "coach.odds-total"
    for called, each in zip(names, odds.race.players, strict=True):
        yield word(kind, name=called, mean=round(each.mean), spread=round(each.sd), chance=Chance(each.share))
    if odds.beat is not None:
        yield word("coach.odds-beat", best=odds.beat.target - 1, chance=Chance(odds.beat.normal.chance))
        if odds.beat.chased is None:
            yield word("coach.odds-chased-later")
        else:
            yield word("coach.odds-chased", chance=Chance(odds.beat.chased))
    yield word("coach.odds-exact")


def _costs(hint: Coaching) -> Iterator[str]:
    """Yield each choice with its expected points or its odds, and its cost."""
    choices = hint.choices
    width = max(len(choice.words) for choice in choices)
    for choice in choices:
        value = points(choice.value) if hint.goal == "points" else percent(choice.value, 1)
        yield f"{choice.words:<{width}} {value:>6}  {_cost(choice, hint)}"


def _cost(choice: Choice, hint: Coaching) -> str:
    if choice.best:
        return word("coach.choice-best")
    if is_tiny(choice.cost, hint.goal):
        return word("coach.choice-costs-little")
    return word("coach.choice-costs", cost=choice.cost if hint.goal == "points" else 100 * choice.cost)


class Training:
    """The training limit, and the last move that the coach warned about."""

    def __init__(self, limit: int = training.OFF) -> None:
        self.limit = limit
        self._warned: tuple[int, Keep | str] | None = None

    def next_limit(self) -> str:
        """Switch to the next limit, and name it."""
        self.limit = training.next_limit(self.limit)
        return self.words()

    def words(self) -> str:
        return str(training.limit_message(self.limit))

    def caution(self, state: TableState, move: Keep | str, *, patient: bool) -> str | None:
        """Return a warning about a move, once. With `patient`, waits until the book is solved."""
        this = (state.version, move)
        if not is_training(state, self.limit) or self._warned == this:
            self._warned = None
            return None
        found = _find_caution(state, move, self.limit, patient=patient)
        self._warned = this if found else None
        return found


def _find_caution(state: TableState, move: Keep | str, limit: int, *, patient: bool) -> str | None:
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.solution import known

    wait = patient and not limits.takes_long(state.book)
    try:
        position, roll = require_hint_position(state, TERMINAL)
        solution = solve(state.book) if wait else known(state.book)
        found = None if solution is None else training.caution(solution, position, roll, move, limit)
    except FivediceError:
        return None  # the move will be refused with a reason
    return None if found is None else str(found.message)


def turn_lines(state: TableState) -> Iterator[str]:
    """Yield every scored turn, with the number that a correction needs."""
    for turn in () if state.game is None else written_turns(sheet_of(state, state.game_number)):
        yield word(
            "terminal.turn-written-saved" if turn.saved else "terminal.turn-written",
            count=turn.saved,
            turn=turn.number + 1,
            name=name(state, turn.seat),
            dice=Roll(turn.dice),
            box=state.book.box(turn.box),
            points=turn.entry.points,
        )
