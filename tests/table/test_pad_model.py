"""Any operations of a score pad in any order match a plain model of a paper sheet."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from hypothesis import given, settings, strategies as st

from fivedice.core.game import Game, Mark
from fivedice.core.notation import game_from_json, game_to_json, read_game, write_game
from fivedice.store.table_store import result_rows
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.pad import last_written
from fivedice.table.refusals import Refusal
from fivedice.table.state import Phase, TableState
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from for_each import for_each
from long import few
from table.table_harness import ANN, Parlour, summary

GAMES = 2
MOST_SEATS = 5
BOXES = ["aces", "twos", "threes"]
DICE = ((1, 1, 2, 2, 3), (1, 2, 2, 3, 3), (1, 1, 1, 3, 4))


@dataclass
class Column:
    """A player's boxes in one game."""

    boxes: dict[str, int] = field(default_factory=dict)


@dataclass
class Paper:
    """One game: its columns, who began, the turns in order, who was skipped before which, and who has left."""

    columns: list[Column]
    first: int
    turns: list[tuple[int, str]] = field(default_factory=list)
    skipped: dict[int, set[int]] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)

    def able(self) -> list[int]:
        return [
            seat for seat, column in enumerate(self.columns) if seat not in self.out and len(column.boxes) < len(BOXES)
        ]

    @property
    def over(self) -> bool:
        return not self.able()

    def on_turn(self) -> int | None:
        after = self.turns[-1][0] if self.turns else (self.first - 1) % len(self.columns)
        seats = len(self.columns)
        order = sorted(self.able(), key=lambda seat: (seat - after - 1) % seats)
        fresh = [seat for seat in order if seat not in self.skipped.get(len(self.turns), set())]
        return (fresh or order or [None])[0]

    def wait(self, seat: int) -> None:
        """Skip a player; once all were skipped, start the round again."""
        here = self.skipped.setdefault(len(self.turns), set())
        here.add(seat)
        self.settle()

    def settle(self) -> None:
        if set(self.able()) <= self.skipped.get(len(self.turns), set()):
            self.skipped[len(self.turns)] = set()

    def come(self, seat: int) -> None:
        """Let a newcomer wait until the current turn is over."""
        before = self.on_turn()
        self.out.discard(seat)
        if before is not None and self.on_turn() != before:
            self.wait(seat)
        self.settle()

    def leave(self, seat: int) -> None:
        self.out.add(seat)
        self.settle()


class Model:
    """The sheet, by the rules that a person would tell."""

    def __init__(self, seats: int) -> None:
        self.out: set[int] = set()
        self.seats = seats
        self.games = [Paper([Column() for _ in range(seats)], 0)]
        self.ended = False

    @property
    def now(self) -> Paper:
        return self.games[-1]

    @property
    def playing(self) -> bool:
        return not self.ended and (not self.now.over or len(self.games) < GAMES)

    def write(self, box: str, points: int) -> None:
        seat = self.now.on_turn()
        assert seat is not None
        self.now.columns[seat].boxes[box] = points
        self.now.turns.append((seat, box))

    def next(self) -> None:
        if self.playing and self.now.over:
            first = next(
                seat
                for step in range(1, self.seats + 1)
                if (seat := (self.now.first + step) % self.seats) not in self.out
            )
            self.games.append(Paper([Column() for _ in range(self.seats)], first, out=set(self.out)))

    def erase(self, found: int | None) -> None:
        """`found` is who is on turn at the table then."""
        if not self.now.turns and len(self.games) > 1:
            self.games.pop()
        if not self.now.turns:
            return
        seat, box = self.now.turns.pop()
        del self.now.columns[seat].boxes[box]
        self.now.skipped = {turn: seats for turn, seats in self.now.skipped.items() if turn <= len(self.now.turns)}
        self.set_all_right()
        wanted = seat if seat in self.now.able() else found  # the next player where that one has left
        while (other := self.now.on_turn()) not in (None, wanted):  # who came since waits
            self.now.wait(other or 0)

    def set_all_right(self) -> None:
        """Order seats: newcomers, players never in the game, leavers."""
        for seat in set(range(len(self.now.columns))) - self.out:
            self.set_right(seat)
        while not self.now.over and len(self.now.columns) < self.seats:
            self.now.columns.append(Column())
            self.now.out.add(len(self.now.columns) - 1)
            self.now.come(len(self.now.columns) - 1)
        for seat in set(range(len(self.now.columns))) & self.out:
            self.set_right(seat)

    def set_right(self, seat: int) -> None:
        """A game in progress has the people of now; one that is over, those who had begun it."""
        paper = self.now
        if seat in self.out and seat not in paper.out and not paper.over:
            paper.leave(seat)
        elif seat not in self.out and seat in paper.out and (not paper.over or paper.columns[seat].boxes):
            paper.come(seat)

    def skip(self) -> None:
        if not self.ended and self.now.on_turn() is not None and len(self.now.able()) > 1:
            self.now.wait(self.now.on_turn() or 0)

    def join(self) -> None:
        if self.playing and self.seats < 12:
            self.seats += 1
            if not self.now.over:
                self.now.out.add(self.seats - 1)
                self.now.columns.append(Column())
                self.now.come(self.seats - 1)

    def retire(self, seat: int) -> None:
        there = set(range(self.seats)) - self.out
        if self.playing and seat in there and len(there) > 1:
            self.out.add(seat)
            self.set_all_right()

    def rejoin(self, seat: int) -> None:
        if not self.ended and seat in self.out:
            self.out.discard(seat)
            self.set_all_right()

    def winners(self) -> tuple[int, ...]:
        over = [paper for paper in self.games if paper.over]
        counted = over if self.ended and over else self.games
        totals = [
            sum(sum(paper.columns[seat].boxes.values()) for paper in counted if seat < len(paper.columns))
            for seat in range(self.seats)
        ]
        able = [seat for seat in range(self.seats) if seat not in self.out]
        best = max(totals[seat] for seat in able)
        return tuple(seat for seat in able if totals[seat] == best)


SHORT = """
format = 1
key = "short"
name = "Short"
summary = "Three boxes, so that games are soon over."
dice = 5
faces = 6
rolls = 3
fixed_order = false
start = "draw"

[sheet]
layout = "players"
columns = 6
upper = "Upper"
lower = "Lower"
upper_total = "Sum"
bonus = "Bonus"
upper_with_bonus = "Sum with bonus"
extra = "Extra"
lower_total = "Lower sum"
grand_total = "Total"

[boxes.aces]
name = "Ones"
code = "1s"
section = "upper"
pattern = "face"
face = 1
points = "matching"

[boxes.twos]
name = "Twos"
code = "2s"
section = "upper"
pattern = "face"
face = 2
points = "matching"

[boxes.threes]
name = "Threes"
code = "3s"
section = "upper"
pattern = "face"
face = 3
points = "matching"
"""


def short_pad(seats: int) -> Parlour:
    """A sheet whose games have three boxes for each player."""
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened("short", ANN, real_dice=True, games=GAMES, rules=SHORT))
    for number in range(seats):
        parlour.do(cmd.SitDown(ANN, f"P{number}"))
    parlour.do(cmd.StartGame(ANN, 0))
    return parlour


OFTEN = ["write"] * 6 + ["points"] * 2 + ["next", "erase", "pass"] * 2
KINDS = [*OFTEN, "join", "retire", "rejoin", "enter"]
OPERATIONS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 4), st.integers(0, 2)), max_size=60)


def attempt(parlour: Parlour, command: cmd.Command) -> bool:
    """Whether it took effect; sent a second time, nothing may be left to do."""
    try:
        events = parlour.do(command)
    except Refusal:
        return False
    if events and not isinstance(command, cmd.JoinSheet | cmd.EnterDice):
        try:
            again = command.decide(parlour.state, Context(parlour.dice))
        except Refusal as refusal:
            again = (refusal,)  # type: ignore[assignment]
        assert again == () or isinstance(command, cmd.PassTurn), (command, again)
    return bool(events)


def perform(parlour: Parlour, model: Model, kind: str, number: int, choice: int) -> None:
    """The same at the table and on paper."""
    state = parlour.state
    seat, last = number % len(state.seats), last_written(state) or (0, 0)
    wanted: dict[str, tuple[cmd.Command, Callable[[], None]]] = {
        "enter": (cmd.EnterDice(ANN, DICE[choice]), lambda: None),
        "next": (cmd.NextGame(ANN, state.game_number + 1), model.next),
        "erase": (cmd.Erase(ANN, *last), lambda: model.erase(parlour.state.on_turn)),
        "pass": (cmd.PassTurn(ANN, state.game_number, state.turn, state.on_turn or 0), model.skip),
        "join": (cmd.JoinSheet(ANN, "Late"), model.join),
        "retire": (cmd.Retire(ANN, seat), lambda: model.retire(seat)),
        "rejoin": (cmd.Rejoin(ANN, seat), lambda: model.rejoin(seat)),
    }
    if kind in ("write", "points"):
        write(parlour, model, choice, by_points=kind == "points")
    elif kind != "join" or len(state.seats) < MOST_SEATS:
        command, on_paper = wanted[kind]
        attempt(parlour, command)
        on_paper()


def write(parlour: Parlour, model: Model, choice: int, *, by_points: bool) -> None:
    state = parlour.state
    seat = state.on_turn
    if seat is None:
        return
    column = model.now.columns[seat].boxes
    open_boxes = [box for box in BOXES if box not in column]
    box = open_boxes[choice % len(open_boxes)]
    points = DICE[choice].count(BOXES.index(box) + 1) * (BOXES.index(box) + 1)
    dice = None if by_points else DICE[choice]
    command = cmd.WriteTurn(ANN, state.game_number, state.turn, dice, box, points=points, seat=seat)
    assert attempt(parlour, command)
    model.write(box, points)


def check(parlour: Parlour, model: Model) -> None:
    state = parlour.state
    assert (state.game_number, state.turn) == (len(model.games) - 1, len(model.now.turns))
    assert state.on_turn == (None if model.ended else model.now.on_turn())
    assert (state.phase is Phase.PLAYING) == model.playing
    assert state.seats_out == model.out
    for number, (game, paper) in enumerate(zip(state.all_games, model.games, strict=True)):
        assert game.is_over == paper.over
        assert [seat for seat, _ in paper.turns] == [turn.seat for turn in _turns(game)]
        filled = [[each for each in card.marks if each is not None] for card in game.position.cards]
        assert [sum(each) for each in filled] == [sum(column.boxes.values()) for column in paper.columns]
        again = read_game(write_game(game), state.book)
        assert write_game(again) == write_game(game)
        assert write_game(game_from_json(json.loads(json.dumps(game_to_json(game))), state.book)) == write_game(game)
        assert state.cards_in(number)[: len(game.players)] == game.position.cards
    assert state.match.winners == model.winners()
    assert [sheet.seat for sheet in sheets(state) if sheet.leads] == list(model.winners())
    seen = view(state, ANN)
    assert [seat.out for seat in seen.seats] == [number in model.out for number in range(model.seats)]
    full = {(game, seat) for game, paper in enumerate(model.games) if paper.over for seat in _whole(paper)}
    assert {(row["game"], row["seat"]) for row in result_rows(state)} == full


def _turns(game: Game) -> list[ev.Scored]:
    return [ev.Scored(step.before.seat, step.move.box, 0) for step in game.steps if isinstance(step.move, Mark)]


def _whole(paper: Paper) -> list[int]:
    return [seat for seat, column in enumerate(paper.columns) if len(column.boxes) == len(BOXES)]


def follow(seats: int, operations: Iterable[tuple[str, int, int]], *, ends: bool) -> None:
    parlour, model = short_pad(seats), Model(seats)
    for kind, number, choice in operations:
        perform(parlour, model, kind, number, choice)
        check(parlour, model)
    if ends and model.playing:
        assert attempt(parlour, cmd.EndSheet(ANN))
        model.ended = True
        check(parlour, model)
    assert summary(parlour.replayed()) == summary(parlour.state)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3), OPERATIONS, st.booleans())
def test_any_operations_match_the_paper_model(seats: int, operations: list[tuple[str, int, int]], ends: bool) -> None:
    follow(seats, operations, ends=ends)


@for_each("seed", few(range(12), 2))
def test_long_runs_match_the_paper_model(seed: int) -> None:
    """Further than examples go that are drawn one by one: through the second game, back into the first, and on."""
    luck = Random(seed)
    steps = [(luck.choice(KINDS), luck.randrange(5), luck.randrange(3)) for _ in range(160)]
    follow(2 + seed % 2, steps, ends=bool(seed % 3))
