"""A table without a database: commands are decided and folded, and every refusal is seen to change nothing."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from fivedice.core.dice import DiceSource, Place
from fivedice.core.game.position import turns_to_come
from fivedice.core.notation import write_game
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import from_data, to_data
from fivedice.table.refusals import Refusal
from fivedice.table.state import TableState, fold_events

ANN, BOB, CAT, HAL, ZOE = "ann", "bob", "cat", "hal", "zoe"


@dataclass
class Loaded:
    """Scripted dice for the next throw only."""

    faces: list[int] = field(default_factory=list)
    decides_start: bool = False

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        assert len(self.faces) == count, f"{place}: {count} dice of {faces} faces are thrown, not {self.faces}"
        thrown, self.faces = tuple(self.faces), []
        return thrown


@dataclass
class Parlour:
    """One table, its log, and loaded dice."""

    state: TableState
    log: list[ev.Event] = field(default_factory=list)
    dice: DiceSource = field(default_factory=Loaded)
    present: frozenset[str] | None = None

    def append(self, *events: ev.Event) -> None:
        self.state = fold_events(self.state, events)
        self.log += events

    def do(self, *commands: cmd.Command) -> tuple[ev.Event, ...]:
        """Execute commands one by one and return the events of the last."""
        events: tuple[ev.Event, ...] = ()
        for command in commands:
            events = command.decide(self.state, Context(self.dice, self.present))
            self.append(*events)
        return events

    def refused(self, command: cmd.Command, kind: type[Refusal]) -> str:
        """The sentence of the refusal; the table must be as before."""
        before = summary(self.state)
        with pytest.raises(Refusal) as caught:
            command.decide(self.state, Context(self.dice, self.present))
        assert caught.type is kind, caught.value
        assert summary(self.state) == before
        return str(caught.value)

    def reason(self, command: cmd.Command, kind: type[Refusal]) -> str:
        """Return the kind of a refusal; the table must be unchanged."""
        with pytest.raises(Refusal) as caught:
            command.decide(self.state, Context(self.dice, self.present))
        assert self.refused(command, kind)
        return caught.value.message.kind

    def roll(self, player: str, fresh: str, hold: Sequence[int] = ()) -> None:
        """Roll; `fresh` are the dice that fall, from left to right."""
        self.dice = Loaded([int(face) for face in fresh])
        self.do(cmd.RollDice(player, tuple(hold)))

    def score(self, player: str, box: str) -> ev.Scored:
        event = self.do(cmd.FillBox(player, box))[-1]
        assert isinstance(event, ev.Scored)
        return event

    def turn(self, player: str, dice: str, box: str) -> ev.Scored:
        self.roll(player, dice)
        return self.score(player, box)

    def replayed(self) -> TableState:
        """The table as another process reads it from the stored log."""
        texts = [json.dumps(to_data(event)) for event in self.log]
        events = [from_data(*json.loads(text)) for text in texts]
        return fold_events(TableState(self.state.id), events)


def open_table(book: str = "yahtzee", host: str = HAL, rules: str | None = None) -> Parlour:
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened(book, host, rules=rules))
    return parlour


def start_table(*players: str, book: str = "yahtzee", bots: Sequence[str] = (), rules: str | None = None) -> Parlour:
    """A game in which the first of these people is on turn."""
    parlour = open_table(book, rules=rules)
    for player in players:
        parlour.do(cmd.SitDown(player, player.capitalize()))
    for level in bots:
        parlour.append(ev.Sat(f"{level} bot", "slate", "♣", bot=level))
    parlour.do(cmd.StartGame(HAL))
    return parlour


def play_out(parlour: Parlour, until: int = 0) -> None:
    """Score boxes from the top with worthless dice until that many turns are left."""
    game = parlour.state.running
    turns = sum(mark is None for card in game.position.cards for mark in card.marks)
    for _ in range(turns - until):
        state = parlour.state
        assert state.on_turn is not None
        player = state.seats[state.on_turn].player or "house"
        if not state.slots:
            parlour.roll(player, "123466"[: state.book.dice])
        parlour.score(player, next(iter(parlour.state.running.position.ruling().legal)))


def _timeless(kind: str, data: dict[str, Any]) -> list[Any]:
    """An event without the time of the clock: two that are alike may have come one after the other."""
    return [kind, {name: value for name, value in data.items() if name != "at"}]


def summary(state: TableState) -> dict[str, Any]:
    """Everything that can be seen of a table, as plain data."""
    return {
        "version": state.version,
        "game_version": state.game_version,
        "phase": str(state.phase),
        "book": state.book.key,
        "host": state.host,
        "coach": state.coach,
        "planned_first": state.planned_first,
        "seats": [asdict(seat) | {"name": seat.name} for seat in state.seats],
        "record": None if state.game is None else write_game(state.game),
        "on_turn": state.on_turn,
        "slots": list(state.slots),
        "held": list(state.held),
        "rolls": _plain(state.rolls),
        "lain": [_plain(turn) for turn in state.lain],
        "games": [state.games, state.match_total, state.real_dice],
        "played": [[write_game(one.game), [_plain(turn) for turn in one.lain]] for one in state.played],
        "put_by": _plain(state.put_by),
        "taken_back": state.taken_back,
        "last": None if state.last is None else _timeless(*to_data(state.last)),
        "undo": [state.undo_asked, state.undo_version, sorted(state.undo_agreed), state.undo_refused],
        "dice": [state.promise, state.secret, state.given_up],
        "house_turn": state.house_turn,
        "again": [list(state.again_yes), sorted(state.again_no)],
        "rematch": state.rematch,
    }


def _plain(rolls: tuple[ev.Rolled, ...]) -> list[list[Any]]:
    return [
        [roll.seat, list(roll.dice), list(roll.held), *([roll.last] if roll.last else []), *filter(None, [roll.saved])]
        for roll in rolls
    ]


def pad(
    *names: str, book: str = "yahtzee", games: int = 1, match_total: bool = True, rules: str | None = None
) -> Parlour:
    """Return a score pad with Ann as scorekeeper and the first player on turn."""
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened(book, ANN, real_dice=True, games=games, match_total=match_total, rules=rules))
    for name in names or ("Ann", "Bob"):
        parlour.do(cmd.SitDown(ANN, name))
    parlour.do(cmd.StartGame(ANN))
    return parlour


def write(parlour: Parlour, dice: str, box: str, player: str = ANN, saved: int = 0) -> tuple[ev.Event, ...]:
    """The next turn, by its final dice, its box, and the rolls that it left over."""
    state = parlour.state
    return parlour.do(cmd.WriteTurn(player, state.game_number, state.turn, tuple(map(int, dice)), box, saved))


def write_out(parlour: Parlour, until: int = 0) -> None:
    """Write worthless dice from the top until that many turns of the game are left."""
    game = parlour.state.running
    turns = len(turns_to_come(game.position))
    for _ in range(turns - until):
        card = parlour.state.running.position.card
        box = next(box.key for box, held in zip(game.book.boxes, card.marks, strict=True) if held is None)
        write(parlour, "123466"[: game.book.dice], box)
