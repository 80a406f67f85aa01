"""The list of commands, the first page, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from fivedice import __version__
from fivedice.cli import INTERRUPTED, TERMINATED

BAD_INPUT = 2
UNEXPECTED = 1

# Each command with its module and function in `cli`; the sentences `cli.command.NAME` describe them.
COMMANDS = {
    "play": "play_cmd:play",
    "join": "play_cmd:join",
    "daily": "daily_cmd:daily",
    "train": "train_cmd:train",
    "games": "play_cmd:games_app",
    "bots": "rules_cmd:bots",
    "serve": "serve_cmd:serve",
    "pad": "serve_cmd:pad",
    "backup": "backup_cmd:backup",
    "restore": "backup_cmd:restore",
    "data": "backup_cmd:data_app",
    "rules": "rules_cmd:app",
    "score": "rules_cmd:score",
    "hint": "hint_cmd:hint",
    "odds": "odds_cmd:odds",
    "chase": "hint_cmd:chase",
    "win": "odds_cmd:win",
    "solve": "solving:solve",
    "simulate": "odds_cmd:simulate",
    "match": "match_cmd:match",
    "engine": "match_cmd:engine",
    "scorecard": "records_cmd:scorecard",
    "replay": "records_cmd:replay",
    "report": "report_cmd:report",
    "stats": "report_cmd:stats",
    "verify": "records_cmd:verify",
    "demo": "records_cmd:demo",
}

# Commands that speak the reader's language. The others print tables for experts, logs and what programs read: English.
SPOKEN = {"play", "join", "daily", "train", "games", "demo", "rules", "score", "scorecard", "replay", "report", "stats"}
SPOKEN |= {"verify", "pad"}


def first_page() -> str:
    """Return the help of `fivedice` itself, made without the parser so that it appears at once."""
    from fivedice.text import word

    commands = "\n".join(f"  {name:<10} {word(f'cli.command.{name}')}" for name in COMMANDS)
    return word("cli.first-page", title=word("cli.title"), commands=commands)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        page = _page(arguments)
        if page is None:
            return _run_command(arguments)
        print(page)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, perhaps `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _page(arguments: list[str]) -> str | None:
    """Return the text for arguments that need no command, such as the version; None for a command."""
    if arguments == ["--version"]:
        return __version__  # without loading anything else
    if len(arguments) > 1:
        return None
    if not arguments:
        from fivedice.text import word

        return word("cli.welcome", title=word("cli.title"))
    return first_page() if arguments[0] in {"--help", "-h"} else None


def _run_command(arguments: list[str]) -> int:
    from fivedice.errors import MalformedError
    from fivedice.text import using, word

    try:
        language, rest = choose_language(arguments, os.environ)
        with using(language):
            return _parse_and_run(rest)
    except MalformedError as error:  # of the language itself
        print(word("cli.error", error=str(error)), file=sys.stderr)
        return BAD_INPUT
    except ModuleNotFoundError as error:
        extra = _extra_of(error.name or "")
        if extra is None:
            return _report_unexpected(error)
        package = f"fivedice[{extra}]" if extra else "fivedice"
        print(word("cli.error", error=word("cli.needs-package", missing=error.name, package=package)), file=sys.stderr)
        return BAD_INPUT


def choose_language(arguments: list[str], environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the language of a command, and its arguments without `--lang`. Raise MalformedError for an unknown one.

    The flag counts before FIVEDICE_LANGUAGE, and that before the language of the terminal, which may be any.
    """
    from fivedice.text import languages

    wanted, rest = _take_flag(arguments)
    name = next((each for each in rest if not each.startswith("-")), "")
    if name == "serve":  # it speaks the language of each reader; this is the one for all others
        return languages.ENGLISH, rest + ([] if wanted is None else ["--language", wanted])
    found = [read_language("--lang", wanted), read_language(languages.VARIABLE, environment.get(languages.VARIABLE))]
    local = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if name not in SPOKEN or "--json" in rest:
        found = [languages.ENGLISH]
    return next(filter(None, (languages.chosen(), *found, languages.find_language(local))), languages.ENGLISH), rest


def _take_flag(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return the value of `--lang` or `--lang=…`, which may stand anywhere, and the other arguments."""
    for place, argument in enumerate(arguments[: arguments.index("--")] if "--" in arguments else arguments):
        flag, joined, value = argument.partition("=")
        if flag == "--lang":
            end = place + 1 if joined else place + 2
            return value if joined else "".join(arguments[place + 1 : end]), arguments[:place] + arguments[end:]
    return None, arguments


def read_language(name: str, wanted: str | None) -> str | None:
    """Return the language of a setting, or None without one. Raise MalformedError for an unknown one."""
    from fivedice.errors import MalformedError, quote
    from fivedice.text import Either, languages

    found = languages.find_language(wanted or "")
    if found is None and wanted is not None and (wanted or name.startswith("--")):
        known = Either(tuple(languages.menu()))
        raise MalformedError("web.setting-language", setting=name, value=quote(wanted), known=known)
    return found


# The modules that each extra installs; "" are those of a plain installation.
_EXTRAS = {
    "": "alembic cyclopts filelock glicko2 numpy platformdirs rich sqlalchemy textual",  # no sentence
    "solver": "llvmlite numba",  # no sentence
    "web": "cryptography httptools jinja2 litestar msgspec prometheus_client segno uvicorn",  # no sentence
    "notices": "http_ece httpx py_vapid",  # no sentence
    "postgresql": "psycopg",
    "reports": "typst",
    "learning": "gymnasium pettingzoo",  # no sentence
    "openspiel": "open_spiel pyspiel",  # no sentence
    "docs": "furo myst_parser sphinx",  # no sentence
}


def _extra_of(module: str) -> str | None:
    name = module.partition(".")[0]
    return next((extra for extra, modules in _EXTRAS.items() if name in modules.split()), None)


def _parse_and_run(arguments: list[str]) -> int:
    from cyclopts import CycloptsError  # late, because the parser takes long to load

    from fivedice.cli.command_tree import app
    from fivedice.errors import FivediceError
    from fivedice.text import word

    try:
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
        return _report_unexpected(error)
    return status if isinstance(status, int) else 0


def _report_unexpected(error: Exception) -> int:
    """Print one line about a bug and how to see more. Return the exit code."""
    from fivedice.text import word

    if os.environ.get("FIVEDICE_DEBUG"):
        raise error
    print(word("cli.unexpected", error=f"{type(error).__name__}: {error}"), file=sys.stderr)
    return UNEXPECTED
