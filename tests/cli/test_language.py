"""The command line uses the reader's language; output for programs does not."""

import re
from collections.abc import Callable

import pytest

from cli.conftest import Result
from fivedice.core.rules import SHIPPED
from fivedice.text import using
from fivedice.text.languages import PSEUDO
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
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_printed_word_is_in_the_catalogue(fivedice: Callable[..., Result], command: str) -> None:
    with using(PSEUDO):
        _, out, err = fivedice(*command.split())
    names = {word for key in SHIPPED for word in key.split("-")} | set(command.split()) | SAME | {"fivedice"}
    english = unaccented(re.sub(r"'[^']*'|`[^`]*`|https?:\S+|/\S+|\S+_\S+", "", out + err), names)
    assert english == []
