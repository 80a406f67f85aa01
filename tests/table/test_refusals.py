"""A refusal carries its kind and the facts of its sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from fivedice.core.dice import Roll, seeded
from fivedice.core.rules import shipped
from fivedice.message import Who
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE
from fivedice.table.refusals import Refusal
from fivedice.table.state import TableState
from for_each import for_each
from table.table_harness import (
    ANN,
    BOB,
    CAT,
    HAL,
    ZOE,
    Parlour,
    open_table,
    pad,
    play_out,
    start_table,
    write,
    write_out,
)

FIVE = (1, 2, 3, 4, 5)
WHO_ANN, WHO_BOB = Who(1, "Ann"), Who(2, "Bob")


def rolled() -> Parlour:
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "12345")
    return parlour


def away() -> Parlour:
    """Bob has left, and Ann is on turn."""
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(BOB, 1))
    return parlour


def full() -> Parlour:
    parlour = open_table()
    for _ in range(12):
        parlour.do(cmd.SitDown(HAL))
    return parlour


def four_of_ann() -> Parlour:
    parlour = open_table()
    for _ in range(4):
        parlour.do(cmd.SitDown(ANN))
    return parlour


def over() -> Parlour:
    parlour = start_table(ANN, BOB, CAT)
    play_out(parlour)
    return parlour


def not_begun() -> Parlour:
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened("yahtzee", ANN, real_dice=True))
    return parlour


def between() -> Parlour:
    parlour = pad("Ann", "Bob", games=3)
    write_out(parlour)
    return parlour


def second() -> Parlour:
    parlour = between()
    parlour.do(cmd.NextGame(ANN, 1))
    return parlour


def written() -> Parlour:
    parlour = pad("Ann", "Bob")
    write(parlour, "44412", "fours")
    return parlour


def by_points() -> Parlour:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.WriteTurn(ANN, 0, 0, None, "fours", points=12))
    return parlour


FOURS = shipped("yahtzee").box("fours")
CASES: list[tuple[Callable[[], Parlour], cmd.Command, str, dict[str, Any]]] = [
    (full, cmd.SitDown(HAL), "table.full", {"seats": 12}),
    (four_of_ann, cmd.SitDown(ANN), "table.enough-seats", {"most": 4}),
    (open_table, cmd.SitDown(HOUSE), "table.people-only", {}),
    (open_table, cmd.SitDown(""), "table.people-only", {}),
    (four_of_ann, cmd.StandUp(ANN, 4), "table.no-seat", {"seat": "4", "seats": 4}),
    (four_of_ann, cmd.StandUp(ANN, -1), "table.no-seat", {"seat": "-1", "seats": 4}),
    (four_of_ann, cmd.StandUp(BOB, 3), "table.remove-own-only", {}),
    (four_of_ann, cmd.StartGame(ANN), "table.host-only", {}),
    (open_table, cmd.StartGame(""), "table.host-only", {}),
    (open_table, cmd.StartGame(HAL), "table.nobody-joined", {}),
    (rolled, cmd.RollDice(ANN, (5,)), "table.no-slot", {"slot": "5", "last": 4}),
    (rolled, cmd.RollDice(ANN, (0, -1)), "table.no-slot", {"slot": "-1", "last": 4}),
    (rolled, cmd.RollDice(BOB), "table.not-your-turn", {"player": WHO_ANN}),
    (rolled, cmd.EnterDice(ANN, FIVE), "table.digital-dice", {}),
    (rolled, cmd.Leave(ANN, 1), "table.own-seat-only", {}),
    (rolled, cmd.ComeBack(ANN, 2), "table.no-seat", {"seat": "2", "seats": 2}),
    (rolled, cmd.SkipTurn(ZOE, 1), "table.players-only", {}),
    (rolled, cmd.Dismiss(ANN, 1), "table.not-away", {"player": WHO_BOB}),
    (away, cmd.SkipTurn(ANN, 1), "table.not-on-turn", {"player": WHO_BOB}),
    (away, cmd.SkipTurn(BOB, 1), "table.players-only", {}),
    (rolled, cmd.PlayAgain(ANN), "table.not-finished", {}),
    (over, cmd.PlayAgain(ZOE), "table.rematch-players-only", {}),
    (over, cmd.PlayAgain(BOB, now=True), "table.again-waiting", {"players": (WHO_ANN, Who(3, "Cat"))}),
    (pad, cmd.RollDice(ANN), "table.real-dice", {}),
    (pad, cmd.EnterDice(ANN, FIVE[:4]), "table.wrong-dice", {"count": 5, "faces": 6, "dice": "'1234'"}),
    (pad, cmd.EnterDice(ANN, (0, *FIVE[1:])), "table.wrong-dice", {"count": 5, "faces": 6, "dice": "'02345'"}),
    (pad, cmd.EnterDice(ANN, (7, *FIVE[1:])), "table.wrong-dice", {"count": 5, "faces": 6, "dice": "'72345'"}),
    (pad, cmd.EnterDice(ANN, FIVE[1:], (0,)), "table.first-roll", {}),
    (pad, cmd.Withdraw(ANN), "table.nothing-entered", {}),
    (not_begun, cmd.WriteTurn(ANN, 1, 0, FIVE, "chance"), "table.not-playing", {}),
    (between, cmd.EnterDice(ANN, FIVE), "table.game-over", {"game": 1}),
    (between, cmd.WriteTurn(ANN, 1, 0, FIVE, "chance"), "table.game-not-begun", {"game": 2}),
    (between, cmd.WriteTurn(ANN, 0, 26, FIVE, "chance"), "table.game-full", {"game": 1}),
    (second, cmd.WriteTurn(ANN, 0, 26, FIVE, "chance"), "table.game-full", {"game": 1}),
    (second, cmd.WriteTurn(ANN, 2, 0, FIVE, "chance"), "table.game-not-begun", {"game": 3}),
    (second, cmd.WriteTurn(ANN, 1, 1, FIVE, "chance"), "table.turn-missing", {"player": WHO_BOB, "round": 1}),
    (second, cmd.WriteTurn(ZOE, 1, 0, FIVE, "chance"), "table.not-your-turn", {"player": WHO_BOB}),
    (second, cmd.WriteTurn(ANN, 1, 0, FIVE, "chance", seat=0), "table.not-your-turn", {"player": WHO_BOB}),
    (second, cmd.WriteTurn(ANN, 3, 0, FIVE, "chance"), "table.no-turn", {"turn": "0", "game": "3", "games": 3}),
    (second, cmd.WriteTurn(ANN, 0, -1, FIVE, "chance"), "table.no-turn", {"turn": "-1", "game": "0", "games": 3}),
    (second, cmd.NextGame(ANN, 2), "table.game-unfinished", {"game": 2}),
    (second, cmd.NextGame(ANN, 3), "table.game-not-next", {"game": "4", "next": 3, "games": 3}),
    (between, cmd.NextGame(ANN, 2), "table.game-not-next", {"game": "3", "next": 2, "games": 3}),
    (
        written,
        cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"),
        "table.turn-written",
        {"player": WHO_ANN, "box": FOURS, "points": 12, "dice": Roll((4, 4, 4, 1, 2))},
    ),
    (
        by_points,
        cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"),
        "table.points-written",
        {"player": WHO_ANN, "box": FOURS, "points": 12},
    ),
    (
        written,
        cmd.WriteTurn(ANN, 0, 1, (4, 4, 4, 1, 2), "fours", points=8),
        "table.other-points",
        {"box": FOURS, "points": 12, "told": 8},
    ),
    (written, cmd.Erase(ANN, 0, -1), "table.not-last", {}),
    (written, cmd.Correct(ANN, (cmd.Change(0, 1, FIVE),)), "table.turn-not-written", {"turn": "2", "game": "1"}),
    (written, cmd.Correct(ANN, ()), "table.no-changes", {}),
    (written, cmd.Correct(ANN, (cmd.Change(0, 0, FIVE),) * 101), "table.many-changes", {"most": 100, "count": 101}),
    (written, cmd.Correct(BOB, (cmd.Change(0, 0, FIVE),)), "table.scorekeeper-only", {}),
    (written, cmd.KeepScore(BOB), "table.opener-only", {}),
    (written, cmd.KeepScore(""), "table.opener-only", {}),
]


@for_each(("table", "command", "kind", "args"), CASES, ids=[f"{case[2]}-{number}" for number, case in enumerate(CASES)])
def test_refusals_carry_their_facts(
    table: Callable[[], Parlour], command: cmd.Command, kind: str, args: dict[str, Any]
) -> None:
    with pytest.raises(Refusal) as caught:
        command.decide(table().state, Context(seeded(1)))
    assert (caught.value.message.kind, caught.value.message.args) == (kind, args)


def test_refusals_about_bots_and_conflicting_turns() -> None:
    parlour = start_table(ANN, bots=("steady",))
    with pytest.raises(Refusal) as caught:
        parlour.do(cmd.Dismiss(ANN, 1))
    assert (caught.value.message.kind, caught.value.message.args) == ("table.is-bot", {"player": parlour.state.who(1)})
    with pytest.raises(Refusal) as taken:
        parlour.do(cmd.TakeOver(ZOE, 1))
    assert taken.value.message.kind == "table.seat-is-bot"
    parlour = written()
    with pytest.raises(Refusal) as caught:
        parlour.do(cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"))
    there = {"game": 0, "turn": 0, "seat": 0, "dice": "12444", "box": "fours", "points": 12, "extra": 0, "saved": 0}
    assert (caught.value.version, tuple(caught.value.stands)) == (parlour.state.version, (there,))
    assert parlour.do(cmd.WriteTurn(ANN, 0, 0, (1, 2, 4, 4, 4), "4s")) == ()
    assert isinstance(parlour.log[-1], ev.Scored)
