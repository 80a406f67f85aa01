"""Commands in sentences parse: the command, its flags and, without placeholders, the whole."""

import re
import shlex
from collections.abc import Iterator

from cyclopts import MissingArgumentError

from documentation.pages import PAGES, ROOT, name_of, without_blocks
from fivedice.cli.command_tree import app

_FIVEDICE = re.compile(r"`(?:\w+=\S+ )*fivedice ([^`]+)`")
_MAKE = re.compile(r"`make ([a-z]+)[^`]*`")
_FLAG = re.compile(r"--[\w-]+")
_STANDS_FOR = re.compile(r"[\[\]…|]|\.\.\.|(?<![\w/])[A-Z]{2,}")  # optional, or a word to be replaced


def commands(text: str) -> Iterator[str]:
    return (" ".join(found.split()) for found in _FIVEDICE.findall(without_blocks(text)))


def problem(command: str) -> str | None:
    """Return the mistake in a command, or None; a bare command name is fine."""
    named, path, _ = app.parse_commands(shlex.split(command.replace("[", " ").replace("]", " ")))
    if not named and not command.startswith("-") and not command.split()[0].isupper():
        return "no such command"
    known = {
        name
        for each in path
        if each.default_command
        for argument in each.assemble_argument_collection()
        for name in argument.names
    }
    unknown = set(_FLAG.findall(command)) - known - {"--help", "--version", "--install-completion"}
    if unknown or _STANDS_FOR.search(command):
        return f"no such flag: {unknown}" if unknown else None
    try:
        app.parse_args(shlex.split(command), exit_on_error=False, print_error=False)
    except MissingArgumentError:
        return None
    return None


def test_commands_parse() -> None:
    named = [(name_of(page), each) for page in PAGES for each in commands(page.read_text(encoding="utf-8"))]
    assert len(named) > 90
    wrong = [(page, each, reason) for page, each in named if (reason := problem(each))]
    assert wrong == []


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {(name_of(page), target) for page in PAGES for target in _MAKE.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert [each for each in named if each[1] not in targets] == []


def test_wrong_command_is_detected() -> None:
    assert problem("score yahtzee 24466") is None
    assert problem("score") is None
    assert problem("score BOOK DICE [--card CARD]") is None
    assert problem("score BOOK DICE [--cart CARD]") == "no such flag: {'--cart'}"
    assert problem("scores yahtzee") == "no such command"
