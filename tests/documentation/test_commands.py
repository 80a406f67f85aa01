"""Commands inside sentences are understood: the command, its flags and, unless a word is to be replaced, the whole."""

from __future__ import annotations

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
    """What is wrong with it; no arguments at all are fine, since then the command is only named."""
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


def test_commands_are_understood() -> None:
    told = [(name_of(page), each) for page in PAGES for each in commands(page.read_text(encoding="utf-8"))]
    assert len(told) > 90
    wrong = [(page, each, reason) for page, each in told if (reason := problem(each))]
    assert wrong == []


def test_targets_of_make_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    told = {(name_of(page), target) for page in PAGES for target in _MAKE.findall(page.read_text(encoding="utf-8"))}
    assert len(told) > 20
    assert [each for each in told if each[1] not in targets] == []


def test_a_wrong_command_is_noticed() -> None:
    assert problem("score yahtzee 24466") is None
    assert problem("score") is None
    assert problem("score BOOK DICE [--card CARD]") is None
    assert problem("score BOOK DICE [--cart CARD]") == "no such flag: {'--cart'}"
    assert problem("scores yahtzee") == "no such command"
