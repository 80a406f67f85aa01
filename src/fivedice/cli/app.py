"""The tree of commands and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys

from cyclopts import App, CycloptsError, Parameter

from fivedice import __version__
from fivedice.errors import FivediceError

BAD_INPUT = 2
INTERRUPTED = 130

UNEXPECTED = 1

_INTRODUCTION = """Yahtzee, Yatzy and their kin, exactly by the book.

Start with `fivedice play`, `fivedice serve` or `fivedice rules`."""

_WELCOME = """Fivedice: Yahtzee, Yatzy and their kin, exactly by the book.

  fivedice play                     play here, in the terminal
  fivedice serve --open-browser     play in the browser, alone or together
  fivedice rules                    the rule books, and how they differ

fivedice --help lists everything else; fivedice COMMAND --help has examples."""

app = App(
    name="fivedice",
    help=_INTRODUCTION,
    version=__version__,
    help_format="markdown",
    default_parameter=Parameter(negative=""),
)

# Each command is named by its import path and loaded when it is called; hence the help stands here.
for _name, _path, _help in (
    ("rules", "fivedice.cli.rules:app", "List the rule books, read one, compare two, or check your own."),
    ("score", "fivedice.cli.score:score", "What a roll is worth in every box, and why a box is closed."),
    ("solve", "fivedice.cli.solve:solve", "Solve a book exactly: what perfect play scores on average."),
    ("hint", "fivedice.cli.hint:hint", "What to keep or where to write a roll, best first."),
    ("odds", "fivedice.cli.odds:odds", "How perfect play may end: mean, spread, and the chance of any total."),
    ("chase", "fivedice.cli.chase:chase", "The best chance of reaching a total, and the moves that keep it."),
    ("simulate", "fivedice.cli.simulate:simulate", "Let a bot play many games and see what it scores."),
    ("replay", "fivedice.cli.replay:replay", "Check a recorded game and print it."),
    ("play", "fivedice.cli.play:play", "Play in the terminal, alone, hot seat or against bots."),
    ("games", "fivedice.cli.games:app", "The games of this terminal: list them, take them out."),
    ("serve", "fivedice.cli.serve:serve", "The web table: play in the browser, alone or together."),
    ("demo", "fivedice.cli.demo:demo", "Watch a game being played."),
):
    app.command(_path, name=_name, help=_help)
app.register_install_completion_command()


def run(arguments: list[str]) -> int:
    """Run one command and say how it went, as an exit code."""
    if not arguments:
        print(_WELCOME)
        return 0
    try:
        app(arguments, exit_on_error=False, result_action="return_value")
    except FivediceError as error:
        print(f"fivedice: {error}", file=sys.stderr)
        return BAD_INPUT
    except CycloptsError:
        return BAD_INPUT  # already printed, with the usage
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # a mistake of ours: one line, and a way to see more
        if os.environ.get("FIVEDICE_DEBUG"):
            raise
        problem = f"{type(error).__name__}: {error}"
        print(f"fivedice: an unexpected problem ({problem}); FIVEDICE_DEBUG=1 shows where", file=sys.stderr)
        return UNEXPECTED
    return 0
