"""Random sheets at a table, as plain data, to hold sheet.js against: the same operations, refusals and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fivedice.core.dice import Roll, rolls
from fivedice.core.game import judge, sheet_lines
from fivedice.core.rules import RuleBook
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.corrections import Consequences, Was, consequences, find_turn
from fivedice.table.actions.rewrite import sheet_of, written_turns
from fivedice.table.refusals import Refusal
from fivedice.table.state import TableState
from fivedice.web.pages.pad.pad_page import _game_data
from table.table_harness import ANN, Parlour

NAMES = ("Ann", "Bob", "Cleo")


def games_of(state: TableState) -> list[dict[str, Any]]:
    """As the page tells its script."""
    return [_game_data(state, number) for number in range(len(state.all_games))]


def base_of(state: TableState) -> dict[str, Any]:
    return {
        "names": [seat.name for seat in state.seats],
        "first": state.all_games[0].first,
        "games": state.games,
        "matchTotal": state.match_total,
        "out": sorted(state.seats_out),
        "ended": state.ended,
        "played": games_of(state),
    }


def seen(state: TableState) -> dict[str, Any]:
    """All that can be read off the sheet."""
    games = state.all_games
    phase = "ended" if state.ended else "between" if state.between_games else str(state.phase)
    outcomes = [found for number in range(len(games)) if (found := state.outcome_of(number)) is not None]
    place = [state.game_number, state.turn, state.on_turn, state.round]
    columns = [state.cards_in(number) for number in range(len(games))]
    return {
        "phase": phase,
        "next": None if state.on_turn is None else place,
        "names": [seat.name for seat in state.seats],
        "out": sorted(state.seats_out),
        "lines": [[[line.value for line in sheet_lines(card)] for card in cards] for cards in columns],
        "saved": [[card.saved for card in cards] for cards in columns],
        "turns": [game["turns"] for game in games_of(state)],
        "won": [[_filled_up(outcome.totals, state), outcome.winners] for outcome in outcomes],
        "match": [state.match.totals, state.match.winners] if state.match_total else None,
    }


def _filled_up(totals: tuple[int, ...], state: TableState) -> list[int]:
    """With nothing for those who came after that game."""
    return [*totals, *[0] * (len(state.seats) - len(totals))]


def told(effect: Consequences) -> dict[str, Any]:
    """What a correction leads to."""
    return {
        "problems": [
            [
                *(one.game, one.turn, one.seat, one.round, one.box, "".join(map(str, sorted(one.dice))), one.sentence),
                one.points,
                [[each.box, each.points, each.extra, each.joker, each.free] for each in one.boxes],
            ]
            for one in effect.problems
        ],
        "lines": [[one.seat, one.game, one.label, one.box, one.before, one.after] for one in effect.lines],
    }


@dataclass
class Walk:
    """Fill a sheet with entries, mistakes and corrections."""

    random: Random
    parlour: Parlour
    ops: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)  # what came of each

    @property
    def state(self) -> TableState:
        return self.parlour.state

    @property
    def book(self) -> RuleBook:
        return self.state.book

    def do(self, command: cmd.Command, **op: Any) -> None:
        """At the table, and noted for the phone."""
        self.ops.append({"key": f"k{len(self.ops)}", "command": command.wire, **op})
        try:
            self.parlour.do(command)
            self.steps.append({"refused": None, "seen": seen(self.state)})
        except Refusal as refusal:
            self.steps.append({"refused": str(refusal), "seen": seen(self.state)})

    def go(self, steps: int) -> None:
        for _ in range(steps):
            if self.state.between_games and self.random.random() < 0.8:
                self.begin(self.state.game_number + 1)
            elif self.random.random() < 0.75 and self.state.on_turn is not None:
                self.write()
            else:
                self.random.choice(
                    [self.mistype, self.correct, self.correct_seen, self.early, self.erase, self.people]
                )()

    def end(self) -> None:
        self.do(cmd.EndSheet(ANN))
        self.mistype()
        self.erase()
        self.people()

    def begin(self, game: int) -> None:
        self.do(cmd.NextGame(ANN, game), game=game)

    def early(self) -> None:
        self.begin(self.state.game_number + self.random.randint(0, 3))

    def roll(self) -> Roll:
        """All dice alike more often than they fall, because there the rules are odd."""
        every = rolls(self.book.dice, self.book.faces)
        return self.random.choice([roll for roll in every if roll.alike] if self.random.random() < 0.4 else every)

    def write(self) -> None:
        state = self.state
        assert state.game is not None
        assert state.on_turn is not None
        card, roll = state.game.position.cards[state.on_turn], self.roll()
        box = self.random.choice(list(judge(card, roll).legal))
        most = self.book.rolls + card.saved - 1 if self.book.save_rolls else 0
        self._write(state.game_number, state.turn, roll, box, self.random.randint(0, most))

    def mistype(self) -> None:
        """A box that may be closed, a turn that may be another, rolls that cannot be left."""
        place = self.random.choice([0, 0, 0, -1, 1, 3])
        game = max(0, self.state.game_number + self.random.choice([0, 0, 0, 0, -1, 1]))
        box = self.random.choice(self.book.boxes).key
        if game < self.state.games:
            self._write(game, max(0, self.state.turn + place), self.roll(), box, self.random.choice([0, 0, 9]))

    def _write(self, game: int, turn: int, roll: Roll, box: str, saved: int) -> None:
        """By dice in any order, by its points alone, or by both; sometimes with other points."""
        faces = self.random.sample(roll.faces, len(roll))
        points = self._points(roll, box)
        dice = None if points is not None and self.random.random() < 0.5 else tuple(faces)
        seat = self.random.choice([None, self.state.on_turn, self.random.randrange(len(self.state.seats))])
        command = cmd.WriteTurn(ANN, game, turn, dice, box, saved, points, seat)
        told = {"dice": dice and "".join(map(str, dice)), "points": points, "seat": seat}
        known = {name: value for name, value in told.items() if value is not None}
        self.do(command, game=game, turn=turn, box=box, saved=saved, **known)

    def _points(self, roll: Roll, box: str) -> int | None:
        if self.state.on_turn is None or self.random.random() < 0.4:
            return None
        entry = judge(self.state.running.position.card, roll).legal.get(box)
        return self.random.choice([0, 5, 17]) if entry is None or self.random.random() < 0.1 else entry.points

    def erase(self) -> None:
        """The last turn, or one that is not."""
        turn = self.state.turn - self.random.choice([1, 1, 1, 0, 3])
        game = self.state.game_number
        if turn < 0 and game:
            game, turn = game - 1, len(self.state.played[-1].lain) - 1
        self.do(cmd.Erase(ANN, game, max(0, turn)), game=game, turn=max(0, turn))

    def people(self) -> None:
        """Skip, add, remove, return or rename a player."""
        seat, state = self.random.randrange(len(self.state.seats) + (self.random.random() < 0.1)), self.state
        on_turn = seat if state.on_turn is None or self.random.random() < 0.2 else state.on_turn
        what = self.random.choice(["pass", "pass", "join", "retire", "rejoin", "rename"])
        if what == "pass":
            turn = max(0, state.turn + self.random.choice([0, 0, 0, 0, -1, 1]))
            place = {"game": state.game_number, "turn": turn, "seat": on_turn}
            self.do(cmd.PassTurn(ANN, **place), **place)
        elif what == "join":
            name = f"Late {len(state.seats)}"
            self.do(cmd.JoinSheet(ANN, name), name=name)
        elif what == "rename":
            self.do(cmd.Rename(ANN, seat, f"New {len(self.ops)}"), seat=seat, name=f"New {len(self.ops)}")
        else:
            self.do((cmd.Retire if what == "retire" else cmd.Rejoin)(ANN, seat), seat=seat)

    def changes(self) -> list[cmd.Change]:
        """Of one to three turns; dice, box or rolls left over, or nothing at all."""
        games = [
            (number, len(written_turns(sheet_of(self.state, number)))) for number in range(self.state.game_number + 1)
        ]
        places = [(game, turn) for game, turns in games for turn in range(turns)] or [(0, 0)]
        few = self.random.sample(places, min(len(places), self.random.choice([1, 1, 2, 3])))
        return [self._change(game, turn) for game, turn in few]

    def _change(self, game: int, turn: int) -> cmd.Change:
        dice = self.roll().faces if self.random.random() < 0.6 else None
        box = self.random.choice(self.book.boxes).key if self.random.random() < 0.6 else None
        saved = self.random.randint(0, 3) if self.book.save_rolls and self.random.random() < 0.5 else None
        points = self.random.choice([0, 3, 8, 20, 25]) if self.random.random() < 0.2 else None
        return cmd.Change(game, turn, dice, box, saved, points)

    def correct(self) -> None:
        changes = self.changes()
        self.do(cmd.Correct(ANN, tuple(changes)), changes=[plain(change) for change in changes])

    def correct_seen(self) -> None:
        """Correct an entry from its old value, or from a wrong one."""
        changes = self.changes()
        was = [one for change in changes if (one := self._was(change)) is not None]
        if len(was) < len(changes):
            return
        seen_there = [
            {"game": one.game, "turn": one.turn, "points": one.points, "box": one.box, "dice": _digits(one.dice)}
            for one in was
        ]
        command = cmd.Correct(ANN, tuple(changes), tuple(was))
        self.do(command, changes=[plain(change) for change in changes], was=seen_there)

    def _was(self, change: cmd.Change) -> Was | None:
        stands = find_turn(self.state, change.game, change.turn)
        if stands is None:
            return None
        points = stands.entry.points + (self.random.random() < 0.2)
        return Was(change.game, change.turn, stands.entered_dice or None, points, stands.box)

    def asked(self, number: int) -> Iterator[dict[str, Any]]:
        """Corrections that are only looked at."""
        for _ in range(number):
            changes = self.changes()
            case = {"changes": [plain(change) for change in changes]}
            try:
                yield case | {"told": told(consequences(self.state, changes))}
            except Refusal as refusal:
                yield case | {"told": str(refusal)}


def plain(change: cmd.Change) -> dict[str, Any]:
    dice = {"dice": _digits(change.dice), "points": change.points, "saved": change.saved}
    return {"game": change.game, "turn": change.turn, "box": change.box, **dice}


def _digits(dice: tuple[int, ...] | None) -> str | None:
    return None if dice is None else "".join(map(str, dice))


def by_rolls(parlour: Parlour, random: Random) -> None:
    """A few turns that were entered roll by roll."""
    for _ in range(random.randrange(4)):
        state = parlour.state
        if state.game is None or state.on_turn is None:
            return
        for _ in range(random.randint(1, state.book.rolls)):
            every = rolls(state.book.dice, state.book.faces)
            parlour.do(cmd.EnterDice(ANN, random.choice(every).faces))
        parlour.score(ANN, random.choice(list(parlour.state.running.position.ruling().legal)))


def random_walk(random: Random, book: RuleBook, rules: str | None, steps: int) -> tuple[dict[str, Any], Walk]:
    """The base from which a phone goes on, and the walk."""
    parlour = Parlour(TableState("T"))
    games = random.randint(1, 3)
    told = {"games": games, "match_total": random.random() < 0.7, "rules": rules, "fingerprint": book.fingerprint}
    parlour.append(ev.Opened(book.key, ANN, real_dice=True, **told))
    for name in NAMES[: random.randint(1, 3)]:
        parlour.do(cmd.SitDown(ANN, name))
    parlour.do(cmd.StartGame(ANN, first=random.randrange(len(parlour.state.seats))))
    by_rolls(parlour, random)
    Walk(random, parlour).go(random.choice([0, 0, 10, 30]))
    walk = Walk(random, parlour)
    base = base_of(parlour.state)
    walk.go(steps)
    if random.random() < 0.3:
        walk.end()
    return base, walk
