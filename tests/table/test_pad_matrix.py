"""Every command of the score pad, by every kind of caller, at every moment of a sheet of two games."""

from collections.abc import Callable
from functools import partial

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE
from fivedice.table.state import TableState
from for_each import for_each
from table.matrix import Matrix
from table.table_harness import ANN, BOB, ZOE, Parlour, summary, write, write_out

# Ann keeps the score and sits at seat 0, Bob writes his own turns at seat 1, and Zoe watches.
CALLERS = {"ann": ANN, "bob": BOB, "zoe": ZOE, "house": HOUSE, "nobody": ""}


STEPS: dict[str, Callable[[Parlour], object]] = {  # each moment, and the step to it from the one before
    "seating": lambda parlour: parlour.do(cmd.SitDown(ANN, "Ann"), cmd.SitDown(BOB, "Bob")),
    "fresh": lambda parlour: parlour.do(cmd.StartGame(ANN)),
    "entered": lambda parlour: parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5))),
    "scored": lambda parlour: parlour.score(ANN, "chance"),
    "following": lambda parlour: parlour.do(cmd.EnterDice(BOB, (6, 6, 6, 6, 6))),  # no later moment has it
    "between": lambda parlour: write_out(parlour),
    "second": lambda parlour: parlour.do(cmd.NextGame(ANN, 1)),  # Bob begins the second game
    "over": lambda parlour: write_out(parlour),
}


def play_to(moment: str) -> Parlour:
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened("yahtzee", ANN, real_dice=True, games=2))
    moments = list(STEPS)
    for each in moments[: moments.index(moment) + 1]:
        if each != "following" or moment == "following":
            STEPS[each](parlour)
    return parlour


PHASES: dict[str, Callable[[], Parlour]] = {moment: partial(play_to, moment) for moment in STEPS}

FIVE = (1, 2, 3, 4, 5)
COMMANDS: dict[str, Callable[[str], cmd.Command]] = {
    "start": lambda who: cmd.StartGame(who, first=1),
    "roll": lambda who: cmd.RollDice(who),
    "enter": lambda who: cmd.EnterDice(who, FIVE, last=True),
    "withdraw": lambda who: cmd.Withdraw(who),
    "write": lambda who: cmd.WriteTurn(who, 0, 0, FIVE, "fives"),
    "write2": lambda who: cmd.WriteTurn(who, 0, 1, FIVE, "fives"),
    "writeg": lambda who: cmd.WriteTurn(who, 1, 0, FIVE, "fives"),
    "correct": lambda who: cmd.Correct(who, (cmd.Change(0, 0, (1, 1, 1, 1, 1)),)),
    "same": lambda who: cmd.Correct(who, (cmd.Change(0, 0, (5, 4, 3, 2, 1), "chance"),)),
    "next": lambda who: cmd.NextGame(who, 1),
    "fill": lambda who: cmd.FillBox(who, "sixes"),
    "undo": lambda who: cmd.TakeBack(who),
    "erase": lambda who: cmd.Erase(who, 0, 0),
    "end": lambda who: cmd.EndSheet(who),
    "pass": lambda who: cmd.PassTurn(who, 0, 0, 0),
    "pass2": lambda who: cmd.PassTurn(who, 0, 1, 1),
    "joins": lambda who: cmd.JoinSheet(who, "Cat"),
    "retire": lambda who: cmd.Retire(who, 0),
    "rejoin": lambda who: cmd.Rejoin(who, 1),
    "rename": lambda who: cmd.Rename(who, 1, "Bobby"),
    "keepit": lambda who: cmd.KeepScore(who),
    "pencil": lambda who: cmd.TakePencil(who),
}

MATRIX = Matrix(
    CALLERS,
    PHASES,
    COMMANDS,
    rows="""
command  callers               seating     fresh         entered          scored          following       between         second          over
start    ann                   Started     wrong-phase   wrong-phase      wrong-phase     wrong-phase     wrong-phase     wrong-phase     wrong-phase
start    bob,zoe,house,nobody  not-allowed wrong-phase   wrong-phase      wrong-phase     wrong-phase     wrong-phase     wrong-phase     wrong-phase
roll     ann                   wrong-phase illegal       illegal          illegal         illegal         wrong-phase     illegal         wrong-phase
roll     bob                   wrong-phase not-your-turn not-your-turn    illegal         illegal         wrong-phase     illegal         wrong-phase
roll     zoe,house,nobody      wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   wrong-phase     not-your-turn   wrong-phase
enter    ann                   wrong-phase Rolled        illegal          Rolled          illegal         wrong-phase     Rolled          wrong-phase
enter    bob                   wrong-phase not-your-turn not-your-turn    Rolled          illegal         wrong-phase     Rolled          wrong-phase
enter    zoe,house,nobody      wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   wrong-phase     not-your-turn   wrong-phase
withdraw ann                   wrong-phase wrong-phase   Withdrawn        wrong-phase     Withdrawn       wrong-phase     wrong-phase     wrong-phase
withdraw bob                   wrong-phase not-your-turn not-your-turn    wrong-phase     Withdrawn       wrong-phase     wrong-phase     wrong-phase
withdraw zoe,house,nobody      wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   wrong-phase     not-your-turn   wrong-phase
write    ann                   wrong-phase Rolled+Scored Withdrawn+Rolled+Scored conflict conflict conflict conflict conflict
write    bob,zoe,house,nobody  wrong-phase not-your-turn not-your-turn    conflict conflict conflict conflict conflict
write2   ann,bob               wrong-phase turn-missing  turn-missing     Rolled+Scored   Withdrawn+Rolled+Scored conflict conflict conflict
write2   zoe,house,nobody      wrong-phase turn-missing  turn-missing     not-your-turn   not-your-turn   conflict conflict conflict
writeg   ann,bob               wrong-phase wrong-phase   wrong-phase      wrong-phase     wrong-phase     wrong-phase     Rolled+Scored   conflict
writeg   zoe,house,nobody      wrong-phase wrong-phase   wrong-phase      wrong-phase     wrong-phase     wrong-phase     not-your-turn   conflict
correct  ann                   wrong-phase wrong-phase   wrong-phase      Corrected       Corrected       Corrected       Corrected       Corrected
correct  bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
same     ann                   wrong-phase wrong-phase   wrong-phase      =               =               =               =               =
same     bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
next     ann                   wrong-phase wrong-phase   wrong-phase      wrong-phase     wrong-phase     NextStarted     =               =
next     bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
fill     ann                   wrong-phase illegal       Scored           illegal         Scored          wrong-phase     illegal         wrong-phase
fill     bob                   wrong-phase not-your-turn not-your-turn    illegal         Scored          wrong-phase     illegal         wrong-phase
fill     zoe,house,nobody      wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   wrong-phase     not-your-turn   wrong-phase
undo     ann                   wrong-phase wrong-phase   wrong-phase      Undone          Undone          Undone          Erased          Undone
erase    ann                   wrong-phase =             =                Erased          Erased          conflict        conflict        conflict
erase    bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
end      ann                   wrong-phase SheetEnded    Withdrawn+SheetEnded SheetEnded  Withdrawn+SheetEnded SheetEnded SheetEnded      =
end      bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
pass     ann                   wrong-phase Passed        Withdrawn+Passed =               =               =               =               =
pass     bob,zoe,house,nobody  wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   not-your-turn   not-your-turn   not-your-turn
pass2    ann,bob               wrong-phase turn-missing  turn-missing     Passed          Withdrawn+Passed =              =               =
pass2    zoe,house,nobody      wrong-phase not-your-turn not-your-turn    not-your-turn   not-your-turn   not-your-turn   not-your-turn   not-your-turn
joins    ann                   wrong-phase Sat           Sat              Sat             Sat             Sat             Sat             wrong-phase
joins    bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
retire   ann                   wrong-phase Retired       Withdrawn+Retired Retired        Retired         Retired         Retired         wrong-phase
retire   bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
rejoin   ann                   wrong-phase =             =                =               =               =               =               =
rejoin   bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
rename   ann,bob               Introduced  Introduced    Introduced       Introduced      Introduced      Introduced      Introduced      Introduced
rename   zoe,house,nobody      not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
keepit   ann                   =           =             =                =               =               =               =               wrong-phase
keepit   bob,zoe,house,nobody  not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
undo     bob                   wrong-phase wrong-phase   wrong-phase      not-allowed     not-allowed     Undone          wrong-phase     not-allowed
undo     zoe,house,nobody      wrong-phase wrong-phase   wrong-phase      not-allowed     not-allowed     not-allowed     wrong-phase     not-allowed
pencil   ann                   =           =             =                =               =               =               =               wrong-phase
pencil   bob,zoe               PencilPassed PencilPassed PencilPassed     PencilPassed    PencilPassed    PencilPassed    PencilPassed    wrong-phase
pencil   house,nobody          not-allowed not-allowed   not-allowed      not-allowed     not-allowed     not-allowed     not-allowed     not-allowed
""",  # noqa: E501
)


def test_matrix_of_pad_commands_is_complete() -> None:
    MATRIX.check_complete()


@for_each("phase", PHASES)
def test_pad_commands_by_every_caller_at_a_moment(phase: str) -> None:
    MATRIX.check(phase)


def test_pad_can_start_with_a_whole_turn() -> None:
    """The moments above are reached by other ways too."""
    parlour = play_to("fresh")
    write(parlour, "12345", "chance")
    assert summary(parlour.state)["record"].count("~12345=ch:15") == 1
