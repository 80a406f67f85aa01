"""The first page and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys

from fivedice import __version__
from fivedice.cli import INTERRUPTED, TERMINATED

BAD_INPUT = 2
UNEXPECTED = 1

# Each command with the module of `cli` it is loaded from when it is called; `words.cli` says what it does.
COMMANDS = {
    "play": "playing.play_cmd:play",
    "join": "playing.join_cmd:join",
    "games": "playing.games_cmd:app",
    "bots": "playing.bots_cmd:bots",
    "serve": "serving.serve_cmd:serve",
    "pad": "serving.pad_cmd:pad",
    "backup": "serving.backup_cmd:backup",
    "restore": "serving.backup_cmd:restore",
    "data": "serving.data_cmd:app",
    "rules": "playing.rules_cmd:app",
    "score": "playing.score_cmd:score",
    "hint": "analysing.hint_cmd:hint",
    "odds": "analysing.odds_cmd:odds",
    "chase": "analysing.hint_cmd:chase",
    "win": "analysing.win_cmd:win",
    "solve": "analysing.solving:solve",
    "simulate": "analysing.odds_cmd:simulate",
    "match": "analysing.match_cmd:match",
    "engine": "analysing.match_cmd:engine",
    "scorecard": "playing.scorecard_cmd:scorecard",
    "replay": "playing.replay_cmd:replay",
    "report": "analysing.report_cmd:report",
    "stats": "analysing.report_cmd:stats",
    "verify": "playing.verify_cmd:verify",
    "demo": "playing.replay_cmd:demo",
}


def first_page() -> str:
    """The help of the command itself, written without the parser so that it comes at once."""
    from fivedice.words import word

    commands = "\n".join(f"  {name:<10} {word(f'cli.command.{name}')}" for name in COMMANDS)
    return word("cli.first-page", title=word("cli.title"), commands=commands)


def run(arguments: list[str]) -> int:
    """Run one command and say how it went, as an exit code."""
    try:
        page = _page(arguments)
        if page is None:
            return _run_command(arguments)
        print(page)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _page(arguments: list[str]) -> str | None:
    """What needs no command."""
    if arguments == ["--version"]:
        return __version__  # before anything else is loaded
    if len(arguments) > 1:
        return None
    if not arguments:
        from fivedice.words import word

        return word("cli.welcome", title=word("cli.title"))
    return first_page() if arguments[0] in {"--help", "-h"} else None


def _run_command(arguments: list[str]) -> int:
    from fivedice.words import word

    try:
        return _parsed(arguments)
    except ModuleNotFoundError as error:
        extra = _extra_with(error.name or "")
        if extra is None:
            return _unexpected(error)
        package = f"fivedice[{extra}]" if extra else "fivedice"
        print(word("cli.error", error=word("cli.needs-package", missing=error.name, package=package)), file=sys.stderr)
        return BAD_INPUT


# What the packages of an extra are called when they are imported; "" for those that a plain installation has.
_EXTRAS = {
    "": "alembic cyclopts filelock numpy platformdirs rich sqlalchemy textual",  # no sentence
    "solver": "llvmlite numba",  # no sentence
    "web": "cryptography httptools jinja2 litestar msgspec prometheus_client segno uvicorn",  # no sentence
    "postgresql": "psycopg",
    "reports": "typst",
    "learning": "gymnasium pettingzoo",  # no sentence
    "openspiel": "open_spiel pyspiel",  # no sentence
    "docs": "furo myst_parser sphinx",  # no sentence
}


def _extra_with(module: str) -> str | None:
    name = module.partition(".")[0]
    return next((extra for extra, modules in _EXTRAS.items() if name in modules.split()), None)


def _parsed(arguments: list[str]) -> int:
    from cyclopts import CycloptsError  # the parser takes longer to load than all else that is needed for a page

    from fivedice.cli.command_tree import app, translate_help
    from fivedice.errors import FivediceError
    from fivedice.words import word

    try:
        if arguments[0] in COMMANDS and {"--help", "-h"} & set(arguments):
            translate_help(arguments[0])
        status = app(arguments, exit_on_error=False, result_action="return_value")
    except FivediceError as error:
        print(word("cli.error", error=str(error)), file=sys.stderr)
        return BAD_INPUT
    except CycloptsError:
        return BAD_INPUT  # already printed, with the usage
    except KeyboardInterrupt as end:
        return TERMINATED if end.args == ("SIGTERM",) else INTERRUPTED
    except (BrokenPipeError, ModuleNotFoundError):
        raise
    except Exception as error:
        return _unexpected(error)
    return status if isinstance(status, int) else 0


def _unexpected(error: Exception) -> int:
    """A mistake of ours: one line, and a way to see more."""
    from fivedice.words import word

    if os.environ.get("FIVEDICE_DEBUG"):
        raise error
    print(word("cli.unexpected", error=f"{type(error).__name__}: {error}"), file=sys.stderr)
    return UNEXPECTED
