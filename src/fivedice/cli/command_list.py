"""The first page and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys

from fivedice import __version__
from fivedice.errors import FivediceError

BAD_INPUT = 2
INTERRUPTED = 130
UNEXPECTED = 1

# Each command with the module of `cli` it is loaded from when it is called, and what it does.
COMMANDS = (
    ("play", "playing.play_cmd:play", "Play in the terminal, alone, hot seat or against bots."),
    ("games", "playing.games_cmd:app", "The games of this terminal: list them, take them out."),
    ("serve", "serving.serve_cmd:serve", "The web table: play in the browser, alone or together."),
    ("backup", "serving.backup_cmd:backup", "All tables in one file, while the web table runs."),
    ("restore", "serving.restore_cmd:restore", "Put a backup back, into SQLite or PostgreSQL."),
    ("rules", "playing.rules_cmd:app", "List the rule books, read one, compare two, or check your own."),
    ("score", "playing.score_cmd:score", "What a roll is worth in every box, and why a box is closed."),
    ("hint", "analysing.hint_cmd:hint", "What to keep or where to write a roll, best first."),
    (
        "odds",
        "analysing.odds_cmd:odds",
        "How perfect play may end: mean, spread, and the chance of any total.",
    ),
    (
        "chase",
        "analysing.chase_cmd:chase",
        "The best chance of reaching a total, and the moves that keep it.",
    ),
    ("solve", "analysing.solve_cmd:solve", "Solve a book exactly: what perfect play scores on average."),
    ("simulate", "analysing.simulate_cmd:simulate", "Let a bot play many games and see what it scores."),
    ("scorecard", "playing.scorecard_cmd:scorecard", "A score sheet to print, empty or filled, as PDF."),
    ("replay", "playing.replay_cmd:replay", "Check a recorded game and print it."),
    ("report", "analysing.report_cmd:report", "Luck, mistakes and accuracy of a recorded game."),
    ("stats", "analysing.stats_cmd:stats", "What many games add up to, against perfect play."),
    ("verify", "playing.verify_cmd:verify", "Derive the dice of a recorded game again: are they true?"),
    ("demo", "playing.demo_cmd:demo", "Watch a game being played."),
)

_TITLE = "Fivedice: Yahtzee, Yatzy and their kin, exactly by the book."

_WELCOME = f"""{_TITLE}

  fivedice play                     play here, in the terminal
  fivedice serve --open-browser     play in the browser, alone or together
  fivedice rules                    the rule books, and how they differ

fivedice --help lists everything else; fivedice COMMAND --help has examples."""

_EXAMPLES = """  fivedice play yatzy Ann Bob           two people at one keyboard
  fivedice play --bot steady            you against a bot
  fivedice play --resume                go on where you stopped
  fivedice rules diff yahtzee yardzee   what differs, in words
  fivedice hint yahtzee 24466 --rolls-left 2"""


def first_page() -> str:
    """The help of the command itself, written without the parser so that it comes at once."""
    listed = "\n".join(f"  {name:<10} {about}" for name, _, about in COMMANDS)
    return f"""{_TITLE}

Usage: fivedice COMMAND [...]

Commands
{listed}

Options
  --help                this page; after a command, its own with examples
  --version             the version
  --install-completion  let your shell complete the commands

Examples
{_EXAMPLES}

Exit codes: 0 fine, 1 our mistake, 2 bad input, 130 interrupted."""


def run(arguments: list[str]) -> int:
    """Run one command and say how it went, as an exit code."""
    page = _page(arguments)
    if page is not None:
        print(page)
        return 0
    return _run_command(arguments)


def _page(arguments: list[str]) -> str | None:
    """What needs no command."""
    if not arguments:
        return _WELCOME
    if len(arguments) > 1:
        return None
    return {"--help": first_page(), "-h": first_page(), "--version": __version__}.get(arguments[0])


def _run_command(arguments: list[str]) -> int:
    from cyclopts import CycloptsError  # the parser takes longer to load than all else that is needed for a page

    from fivedice.cli.command_tree import app

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
