"""Every command, from the modules of their features; `COMMANDS` has them by their names on the wire."""

from fivedice.table.action import COMMANDS, Command
from fivedice.table.actions.absence import Dismiss, KeepScore, Leave, SkipTurn, TakeOver, TakePencil
from fivedice.table.actions.again import GiveUp, PlayAgain
from fivedice.table.actions.corrections import Correct, Was
from fivedice.table.actions.pad import EndSheet, Erase, NextGame, Withdraw, WriteTurn
from fivedice.table.actions.pad_people import JoinSheet, PassTurn, Rejoin, Rename, Retire
from fivedice.table.actions.playing import ComeBack, EnterDice, FillBox, RollDice
from fivedice.table.actions.rewrite import Change
from fivedice.table.actions.seating import Introduce, SeatBot, SitDown, StandUp, StartGame, StartWith
from fivedice.table.actions.undo import AnswerUndo, TakeBack
