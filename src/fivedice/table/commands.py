"""Every command, from the modules of their features; `COMMANDS` has them by their names on the wire."""

from fivedice.table.decide.absence import *
from fivedice.table.decide.action import COMMANDS as COMMANDS, Command as Command
from fivedice.table.decide.again import *
from fivedice.table.decide.corrections import *
from fivedice.table.decide.pad import *
from fivedice.table.decide.pad_people import *
from fivedice.table.decide.playing import *
from fivedice.table.decide.rewrite import Change as Change
from fivedice.table.decide.seating import *
from fivedice.table.decide.undo import *
