"""Every command, from the modules of their features; `COMMANDS` has them by their names on the wire."""

from fivedice.table.decide.absence import Dismiss, KeepScore, Leave, SkipTurn, TakeOver, TakePencil
from fivedice.table.decide.action import COMMANDS, Command
from fivedice.table.decide.again import GiveUp, PlayAgain
from fivedice.table.decide.corrections import Correct, Was
from fivedice.table.decide.pad import EndSheet, Erase, NextGame, Withdraw, WriteTurn
from fivedice.table.decide.pad_people import JoinSheet, PassTurn, Rejoin, Rename, Retire
from fivedice.table.decide.playing import ComeBack, EnterDice, FillBox, RollDice
from fivedice.table.decide.rewrite import Change
from fivedice.table.decide.seating import Introduce, SeatBot, SitDown, StandUp, StartGame, StartWith
from fivedice.table.decide.undo import AnswerUndo, TakeBack

__all__ = [
    "COMMANDS",
    "AnswerUndo",
    "Change",
    "ComeBack",
    "Command",
    "Correct",
    "Dismiss",
    "EndSheet",
    "EnterDice",
    "Erase",
    "FillBox",
    "GiveUp",
    "Introduce",
    "JoinSheet",
    "KeepScore",
    "Leave",
    "NextGame",
    "PassTurn",
    "PlayAgain",
    "Rejoin",
    "Rename",
    "Retire",
    "RollDice",
    "SeatBot",
    "SitDown",
    "SkipTurn",
    "StandUp",
    "StartGame",
    "StartWith",
    "TakeBack",
    "TakeOver",
    "TakePencil",
    "Was",
    "Withdraw",
    "WriteTurn",
]
