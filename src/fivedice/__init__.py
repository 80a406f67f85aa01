"""Fivedice: Yahtzee, Yatzy and similar games, exactly by the rules.

The public names are imported at first use, so that `import fivedice` is quick and loads neither numpy nor a web server.

>>> game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.seeded(7))
>>> game.roll().after.roll
Roll.parse('22566')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fivedice import bots, dice, errors, notation, rules
    from fivedice.coaching.hints import coach
    from fivedice.coaching.training import prospect
    from fivedice.core.dice import Keep, Roll
    from fivedice.core.game import Entry, Game, Hold, Mark, Outcome, Position, RollOff, Scorecard, Step, Throw, apply
    from fivedice.core.notation import read_game, read_games, read_position, write_game, write_position
    from fivedice.core.rules import SHIPPED, RuleBook, book, load_book, write_book
    from fivedice.errors import (
        BookError,
        BotError,
        DiceError,
        FivediceError,
        IllegalCard,
        IllegalError,
        IllegalMove,
        IllegalRecord,
        MalformedError,
        MissingExtra,
        UnknownBook,
    )
    from fivedice.players.bots.solo_games import simulate
    from fivedice.players.engine_bot import engine
    from fivedice.players.match_games import match
    from fivedice.reports.game_report import report
    from fivedice.reports.race import race
    from fivedice.solver import solve
    from fivedice.solver.chase import chase
    from fivedice.solver.win import best_response, ceiling, equilibrium, win

__version__ = "0.2.0"

__all__ = [
    "SHIPPED",
    "BookError",
    "BotError",
    "DiceError",
    "Entry",
    "FivediceError",
    "Game",
    "Hold",
    "IllegalCard",
    "IllegalError",
    "IllegalMove",
    "IllegalRecord",
    "Keep",
    "MalformedError",
    "Mark",
    "MissingExtra",
    "Outcome",
    "Position",
    "Roll",
    "RollOff",
    "RuleBook",
    "Scorecard",
    "Step",
    "Throw",
    "UnknownBook",
    "apply",
    "best_response",
    "book",
    "bots",
    "ceiling",
    "chase",
    "coach",
    "dice",
    "engine",
    "equilibrium",
    "errors",
    "load_book",
    "match",
    "notation",
    "prospect",
    "race",
    "read_game",
    "read_games",
    "read_position",
    "report",
    "rules",
    "simulate",
    "solve",
    "win",
    "write_book",
    "write_game",
    "write_position",
]

_HOMES = {
    "fivedice": "bots dice errors notation rules",  # no sentence
    "fivedice.coaching.hints": "coach",
    "fivedice.coaching.training": "prospect",
    "fivedice.reports.game_report": "report",
    "fivedice.reports.race": "race",
    "fivedice.players.bots.solo_games": "simulate",
    "fivedice.core.dice": "Keep Roll",  # no sentence
    "fivedice.errors": "BookError BotError DiceError FivediceError IllegalCard IllegalError IllegalMove "
    "IllegalRecord MalformedError MissingExtra UnknownBook",
    "fivedice.players.engine_bot": "engine",
    "fivedice.players.match_games": "match",
    "fivedice.core.game": "Entry Game Hold Mark Outcome Position RollOff Scorecard Step Throw apply",  # no sentence
    "fivedice.core.notation": "read_game read_games read_position write_game write_position",
    "fivedice.solver": "solve",
    "fivedice.solver.chase": "chase",
    "fivedice.solver.win": "best_response ceiling equilibrium win",  # no sentence
    "fivedice.core.rules": "SHIPPED RuleBook book load_book write_book",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'fivedice' has no attribute {name!r}")
    value = import_module(f"fivedice.{name}") if home == "fivedice" else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
