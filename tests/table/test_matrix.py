"""Every command, by every kind of caller, in every phase: what it leads to, or how it is refused."""

from collections.abc import Callable
from functools import partial

import pytest

from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import HOUSE
from table.matrix import Matrix
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, Parlour, open_table, play_out, start_table

# Ann sits at seat 0 and Bob at seat 1. Hal is the host and has no seat, Zoe watches, and Cat has just come in.
CALLERS = {"ann": ANN, "bob": BOB, "host": HAL, "zoe": ZOE, "house": HOUSE, "nobody": ""}


def seating() -> Parlour:
    parlour = open_table()
    parlour.do(*(cmd.SitDown(player, player.capitalize()) for player in (ANN, BOB)))
    return parlour


def over() -> Parlour:
    parlour = start_table(ANN, BOB)
    play_out(parlour)
    return parlour


STEPS: dict[str, Callable[[Parlour], object]] = {  # each moment of a game, and the step to it from the one before
    "fresh": lambda _: None,  # Ann is on turn
    "rolled": lambda parlour: parlour.roll(ANN, "12345"),
    "scored": lambda parlour: parlour.score(ANN, "chance"),  # Bob is on turn
    "following": lambda parlour: parlour.roll(BOB, "66666"),
    "asked": lambda parlour: parlour.do(cmd.TakeBack(ANN)),  # Ann asks to undo her score
}


def play_to(moment: str) -> Parlour:
    parlour, moments = start_table(ANN, BOB), list(STEPS)
    for each in moments[: moments.index(moment) + 1]:
        STEPS[each](parlour)
    return parlour


PHASES: dict[str, Callable[[], Parlour]] = {
    "seating": seating,  # Ann and Bob have sat down
    **{moment: partial(play_to, moment) for moment in STEPS},
    "over": over,  # Bob wrote the last score
}

COMMANDS: dict[str, Callable[[str], cmd.Command]] = {
    "sit": lambda who: cmd.SitDown(who, "Somebody"),
    "bot": lambda who: cmd.SeatBot(who, "steady"),
    "stand": lambda who: cmd.StandUp(who, 0),
    "introduce": lambda who: cmd.Introduce(who, 0, "Anna"),
    "with": lambda who: cmd.StartWith(who, 3),
    "start": lambda who: cmd.StartGame(who),
    "roll": lambda who: cmd.RollDice(who),
    "enter": lambda who: cmd.EnterDice(who, (1, 2, 3, 4, 5)),
    "withdraw": lambda who: cmd.Withdraw(who),
    "write": lambda who: cmd.WriteTurn(who, 0, 0, (1, 2, 3, 4, 5), "chance"),
    "correct": lambda who: cmd.Correct(who, (cmd.Change(0, 0, box="sixes"),)),
    "next": lambda who: cmd.NextGame(who, 1),
    "erase": lambda who: cmd.Erase(who, 0, 0),
    "end": lambda who: cmd.EndSheet(who),
    "pass": lambda who: cmd.PassTurn(who, 0, 0, 0),
    "joins": lambda who: cmd.JoinSheet(who, "Zed"),
    "retire": lambda who: cmd.Retire(who, 0),
    "rejoin": lambda who: cmd.Rejoin(who, 0),
    "rename": lambda who: cmd.Rename(who, 0, "Zed"),
    "keepit": lambda who: cmd.KeepScore(who),
    "pencil": lambda who: cmd.TakePencil(who),
    "fill": lambda who: cmd.FillBox(who, "sixes"),
    "undo": lambda who: cmd.TakeBack(who),
    "agree": lambda who: cmd.AnswerUndo(who, agree=True),
    "deny": lambda who: cmd.AnswerUndo(who, agree=False),
    "leave": lambda who: cmd.Leave(who, 0),
    "back": lambda who: cmd.ComeBack(who, 0),
    "take": lambda who: cmd.TakeOver(who, 0),
    "skip": lambda who: cmd.SkipTurn(who, 0),
    "dismiss": lambda who: cmd.Dismiss(who, 0),
    "giveup": lambda who: cmd.GiveUp(who),
    "again": lambda who: cmd.PlayAgain(who),
    "never": lambda who: cmd.PlayAgain(who, agree=False),
    "now": lambda who: cmd.PlayAgain(who, now=True),
}

# Ann's screens are silent.
MATRIX = Matrix(
    CALLERS,
    PHASES,
    COMMANDS,
    dice=(1, 2, 3, 4, 5),
    present=frozenset({BOB, HAL, ZOE, CAT}),
    rows="""
command callers                    seating      fresh         rolled        scored        following     asked             over
sit     ann,bob,host,zoe           Sat          wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
sit     house,nobody               not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
bot     host                       Sat          wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
bot     ann,bob,zoe,house,nobody   not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
stand   ann,host                   Stood        wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
stand   bob,zoe,house,nobody       not-allowed  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
introduce ann                      Introduced   wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
introduce bob,host,zoe,house,nobody not-allowed wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
with    host                       StartsWith   wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
with    ann,bob,zoe,house,nobody   not-allowed  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
start   host                       Started      wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
start   ann,bob,zoe,house,nobody   not-allowed  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       wrong-phase
roll    ann                        wrong-phase  Rolled        Rolled        not-your-turn not-your-turn not-your-turn     wrong-phase
roll    bob                        wrong-phase  not-your-turn not-your-turn Rolled        Rolled        Rolled            wrong-phase
roll    host,zoe,house,nobody      wrong-phase  not-your-turn not-your-turn not-your-turn not-your-turn not-your-turn     wrong-phase
enter   ann                        wrong-phase  illegal       illegal       not-your-turn not-your-turn not-your-turn     wrong-phase
enter   bob                        wrong-phase  not-your-turn not-your-turn illegal       illegal       illegal           wrong-phase
enter   host,zoe,house,nobody      wrong-phase  not-your-turn not-your-turn not-your-turn not-your-turn not-your-turn     wrong-phase
withdraw ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
write   ann,bob,host,zoe,house,nobody illegal   illegal       illegal       illegal       illegal       illegal           illegal
correct ann,bob,host,zoe,house,nobody illegal   illegal       illegal       illegal       illegal       illegal           illegal
next    ann,bob,host,zoe,house,nobody illegal   illegal       illegal       illegal       illegal       illegal           illegal
pencil  ann,bob,host,zoe,house,nobody illegal   illegal       illegal       illegal       illegal       illegal           illegal
erase   ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
end     ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
pass    ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
joins   ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
retire  ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
rejoin  ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
rename  ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
keepit  ann,bob,host,zoe,house,nobody illegal  illegal       illegal       illegal       illegal       illegal           illegal
fill    ann                        wrong-phase  illegal       Scored        not-your-turn not-your-turn not-your-turn     wrong-phase
fill    bob                        wrong-phase  not-your-turn not-your-turn illegal       Scored        Scored            wrong-phase
fill    host,zoe,house,nobody      wrong-phase  not-your-turn not-your-turn not-your-turn not-your-turn not-your-turn     wrong-phase
undo    ann                        wrong-phase  wrong-phase   wrong-phase   Undone        UndoAsked     wrong-phase       not-allowed
undo    bob                        wrong-phase  wrong-phase   wrong-phase   not-allowed   not-allowed   not-allowed       Undone
undo    host,zoe,house,nobody      wrong-phase  wrong-phase   wrong-phase   not-allowed   not-allowed   not-allowed       not-allowed
agree   bob                        wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   UndoAnswered+Undone wrong-phase
deny    bob                        wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   UndoAnswered      wrong-phase
agree   ann,host,zoe,house,nobody  wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   not-allowed       wrong-phase
deny    ann,host,zoe,house,nobody  wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   not-allowed       wrong-phase
leave   ann                        wrong-phase  Left          Left          Left          Left          Left              wrong-phase
leave   bob,host,zoe,house,nobody  wrong-phase  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       wrong-phase
back    ann                        =            =             =             =             =             =                 =
back    bob,host,zoe,house,nobody  not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
take    ann                        wrong-phase  =             =             =             =             =                 wrong-phase
take    bob,host,zoe               wrong-phase  HandedOver    HandedOver    HandedOver    HandedOver    HandedOver        wrong-phase
take    house,nobody               wrong-phase  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       wrong-phase
skip    bob                        wrong-phase  StoodIn       StoodIn       wrong-phase   wrong-phase   wrong-phase       wrong-phase
skip    ann,host,zoe,house,nobody  wrong-phase  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       wrong-phase
dismiss bob                        wrong-phase  StoodIn       StoodIn       StoodIn       StoodIn       StoodIn           wrong-phase
dismiss ann,host,zoe,house,nobody  wrong-phase  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       wrong-phase
giveup  host                       wrong-phase  GivenUp       GivenUp       not-allowed   not-allowed   not-allowed       wrong-phase
giveup  ann,bob,zoe,house,nobody   wrong-phase  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       wrong-phase
again   ann,bob                    wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       AgainSaid
again   host,zoe,house,nobody      not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
never   ann,bob                    wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       AgainSaid
never   host,zoe,house,nobody      not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
now     bob                        wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       AgainSaid
now     ann                        wrong-phase  wrong-phase   wrong-phase   wrong-phase   wrong-phase   wrong-phase       not-allowed
now     host,zoe,house,nobody      not-allowed  not-allowed   not-allowed   not-allowed   not-allowed   not-allowed       not-allowed
""",  # noqa: E501
)


def test_matrix_of_commands_is_complete() -> None:
    MATRIX.check_complete()
    assert {type(make("")) for make in COMMANDS.values()} == set(cmd.COMMANDS.values()) | {cmd.TakeOver, cmd.TakePencil}


@pytest.mark.usefixtures("two_levels")
@pytest.mark.parametrize("phase", PHASES)
def test_commands_by_every_caller_in_a_phase(phase: str) -> None:
    MATRIX.check(phase)
