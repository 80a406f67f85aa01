"""What a page costs in another language: as many requests as in English, and hardly more bytes."""

import re
from html import unescape

import httpx
import pytest

import fivedice as fd
from long import LONG, few, takes_turns
from web.conftest import Caller
from web.games import staged
from web.pads import open_pad
from web.stage import Stage
from web.waiting import ready
from words.vocabulary import LANGUAGES

pytestmark = takes_turns

FILES = re.compile(
    r'(?:src|href)="(/static/[^"]+|/manifest[^"]+)"|(?:data-rules=|"rules": ?)"(/pad/rules/yatzy\?[^"]+)"'
)
MOST = 1.1  # times the bytes of the page and its files in English, as served


def weigh(client: httpx.Client, path: str, language: str) -> tuple[int, int]:
    """Return the requests of a page, and the compressed bytes of all answers."""
    headers = {"accept-language": language, "accept-encoding": "gzip"}
    page = client.get(path, headers=headers)
    assert f'<html lang="{language}"' in page.text
    files = {unescape(a or b) for a, b in FILES.findall(page.text)}
    answers = [page, *(client.get(file, headers=headers).raise_for_status() for file in files)]
    return len(answers), sum(answer.num_bytes_downloaded for answer in answers)


@pytest.mark.parametrize("page", ["home", "table", "pad", "report"])
def test_weight_in_other_languages(stage: Stage, caller: Caller, page: str) -> None:
    client, path = caller("Ann"), "/"
    if page == "table":
        path = stage.put(stage.scene("yatzy", "Ann", "Bob").start().play_until(20).roll("24466"))
    elif page == "pad":
        path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    elif page == "report":
        game = fd.Game.new("yatzy-forced", ["Ann"], dice=fd.dice.seeded("weight"))
        while not game.is_over:
            game.roll()
            game.mark(next(iter(game.position.ruling().legal)))
        path = stage.put(staged(stage, game)) + "/report"
        ready(client.get, path)
    requests, size = weigh(client, path, "en")
    assert requests > 5
    for language in LANGUAGES if LONG else {"de", *few(LANGUAGES, 1)}:
        found = weigh(client, path, language)
        assert found[0] == requests
        assert found[1] <= MOST * size, (language, found[1] / size)
