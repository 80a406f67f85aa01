"""The command line uses the reader's language; output for programs does not."""

import re
from collections.abc import Callable

import pytest

from cli.conftest import Result
from fivedice.cli.command_list import choose_language
from fivedice.core.rules import SHIPPED
from fivedice.errors import MalformedError
from fivedice.text import using
from fivedice.text.languages import PSEUDO
from for_each import for_each
from words.unaccented import SAME, unaccented

COMMANDS = [
    "rules",
    "rules yahtzee",
    "rules diff yahtzee yatzy",
    "score yahtzee 44446",
    "score yahtzee 44444 --card 4s:12,yz:50,yb:100",
    "score yahtzee 4444",
    "score chess 44446",
    "hint yatzy 24466 --rolls-left 0 --top 3",
    "games",
    "demo --seed 7",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_printed_word_is_in_the_catalogue(fivedice: Callable[..., Result], command: str) -> None:
    with using(PSEUDO):
        _, out, err = fivedice(*command.split())
    names = {word for key in SHIPPED for word in key.split("-")} | set(command.split()) | SAME | {"fivedice"}
    english = unaccented(re.sub(r"'[^']*'|`[^`]*`|https?:\S+|/\S+|\S+_\S+", "", out + err), names)
    assert english == []


GERMAN = {"LANG": "de_AT.UTF-8"}


@for_each(
    ("command", "environment", "language", "rest"),
    [
        ("play yatzy", {}, "en", "play yatzy"),
        ("play", GERMAN, "de", "play"),
        ("play", GERMAN | {"LC_ALL": "C"}, "en", "play"),
        ("play", GERMAN | {"LC_MESSAGES": "nn_NO"}, "nb", "play"),
        ("play", {"LANG": "ja_JP.UTF-8"}, "en", "play"),
        ("play", GERMAN | {"FIVEDICE_LANGUAGE": "fi"}, "fi", "play"),
        ("play yatzy --lang pt", GERMAN | {"FIVEDICE_LANGUAGE": "fi"}, "pt-BR", "play yatzy"),
        ("--lang=sv play yatzy", {}, "sv", "play yatzy"),
        ("play yatzy -- --lang sv", {}, "en", "play yatzy -- --lang sv"),
        ("play yatzy --json --lang sv", GERMAN, "en", "play yatzy --json"),
        ("match steady sharp", GERMAN, "en", "match steady sharp"),
        ("serve --port 1 --lang da", GERMAN, "en", "serve --port 1 --language da"),
    ],
)
def test_language_of_a_command(command: str, environment: dict[str, str], language: str, rest: str) -> None:
    assert choose_language(command.split(), environment) == (language, rest.split())


@for_each(
    ("command", "environment", "says"),
    [
        ("play --lang klingon", {}, "The setting --lang must be da, de, en, "),
        ("play --lang", {}, "or sv, not ''."),
        ("play", {"FIVEDICE_LANGUAGE": "klingon"}, "The setting FIVEDICE_LANGUAGE must be da, de, en, "),
    ],
)
def test_unknown_language_is_refused(command: str, environment: dict[str, str], says: str) -> None:
    with pytest.raises(MalformedError) as refused:
        choose_language(command.split(), environment)
    assert says in str(refused.value)


def test_what_is_typed_as_a_language_is_quoted(fivedice: Callable[..., Result]) -> None:
    status, out, err = fivedice("games", "--lang", "klingon")
    assert (status, out) == (2, "")
    assert err.endswith("fi or sv, not 'klingon'.\n")
    assert fivedice("games", "--lang", "de")[1] == "Noch keine Spiele. Starte eines mit: fivedice play\n"
