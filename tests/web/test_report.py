"""The report on the web: of a table, of a pasted record, as files, and refusals."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

import fivedice as fd
from fivedice.core.notation import game_to_json
from fivedice.message import message
from fivedice.solver import Solution
from fivedice.text import Chance
from fivedice.web.jobs.report_jobs import Reports
from fivedice.web.jobs.solutions import Readiness, Solutions
from long import takes_turns
from web.conftest import Caller
from web.games import staged
from web.pads import fill, open_pad
from web.stage import Stage
from web.waiting import ready

pytestmark = takes_turns

WORKED = json.loads((Path(__file__).parents[1] / "analysis" / "worked.json").read_text(encoding="utf-8"))
RECORD = "\n".join(WORKED["yatzy-forced"]["record"]) + "\n"


def by_house_rules(rolls: int) -> str:
    return fd.write_game(fd.Game.new(fd.load_book(f'extends = "crag"\nrolls = {rolls}')))


@pytest.fixture
def table(stage: Stage) -> str:
    return stage.put(staged(stage, fd.read_game(RECORD)))


def test_finished_table_links_to_its_report(caller: Caller, table: str) -> None:
    client = caller("Ann")
    assert f'href="{table}/report"' in client.get(table).text
    page = ready(client.get, f"{table}/report").text
    assert "Final score: 96" in page
    for shown in ("122.6", "95.8%", "40 of 43", "Perfect games that end lower", "The dice gave Ann 22 points less"):
        assert shown in page
    assert page.index('id="about-course"') < page.index('class="moments"') < page.index('<details class="more"')
    places = [page.index(text) for text in ("score Small Straight", "keep 4-6-6-6", "keep 3-3-4")]
    assert places == sorted(places), "the costliest come first"
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="chart"') == 3
    assert page.count("<desc") == 3
    assert page.count("The numbers</summary>") == 3
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=", page)


def two_players() -> fd.Game:
    game = fd.Game.new("yatzy-forced", ["Ann", "Bob"], dice=fd.dice.seeded("two"), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    return game


def test_points_come_first_and_the_win_follows(caller: Caller, stage: Stage) -> None:
    client, table = caller("Ann"), stage.put(staged(stage, two_players(), "Ann", "Bob"))
    first = client.get(f"{table}/report").text
    if "Working out who was likely to win" in first:
        assert "data-wait" in first
        assert "Points lost" in first
    page = ready(client.get, f"{table}/report").text
    assert "data-wait" not in page
    assert "Choices are judged by the chance of winning." in page
    assert page.count("Win chance with even luck</summary>") == 2
    assert re.search(r"Errors: \d+ (blunder|mistake|small)", page)
    data = ready(client.get, f"{table}/report.json").json()
    assert data["judged_by"] == "win"
    assert sum(player["win"]["even_luck"] for player in data["players"]) == pytest.approx(1, abs=1e-12)


def test_report_is_public_as_picture_and_json(caller: Caller, table: str) -> None:
    assert caller("").get(f"{table}/record.txt").status_code == 200
    assert ready(caller("").get, f"{table}/report").status_code == 200
    png = ready(caller("").get, f"{table}/report.png").content
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (1200, 630)
    player = ready(caller("").get, f"{table}/report.json").json()["players"][0]
    assert player["expected_at_start"] + player["luck"] - player["lost"] == pytest.approx(96, abs=1e-6)
    answer = caller("").get(f"{table}/report?game=2")
    assert answer.status_code == 404
    assert "There is no game 2" in answer.text
    assert caller("").get(f"{table}/report?game=x").status_code == 400


@pytest.mark.parametrize(
    ("kind", "media", "begins"),
    [
        ("json", "application/json", b"{"),
        ("svg", "image/svg+xml", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
        ("pdf", "application/pdf", b"%PDF"),
    ],
)
def test_report_as_files(caller: Caller, table: str, kind: str, media: str, begins: bytes) -> None:
    answer = ready(caller("").get, f"{table}/report.{kind}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)
    assert answer.content.startswith(begins)
    assert ready(caller("").get, f"{table}/report.{kind}").content == answer.content


@pytest.mark.parametrize("end", ["report", "report.json", "report.png"])
def test_running_game_has_no_report(caller: Caller, stage: Stage, end: str) -> None:
    running = stage.put(stage.scene("yatzy-forced", "Ann").start().roll("13526"))
    answer = caller("Ann").get(f"{running}/{end}")
    assert answer.status_code == 404
    assert "not finished" in answer.text


def bring(client: httpx.Client, **fields: Any) -> httpx.Response:
    return client.post("/report", data=fields)


def test_pasted_and_uploaded_records_are_reported(caller: Caller) -> None:
    client = caller("Zoe")
    assert 'name="record"' in client.get("/report").text
    page = ready(bring, client, record=RECORD.replace("\n", "\r\n")).text
    assert "Final score: 96" in page
    assert "Final score: 96" not in client.get("/tables").text
    client = caller("")
    as_json = json.dumps(game_to_json(fd.read_game(RECORD)))
    for content in (RECORD, "\ufeff" + RECORD, as_json):
        files = {"file": ("game.txt", content.encode())}
        assert "Final score: 96" in ready(client.post, "/report", files=files, data={"record": ""}).text
    answer = ready(bring, caller(""), record=RECORD, **{"as": "png"})
    assert answer.headers["content-type"] == "image/png"
    other = RECORD.replace('"Ann"', '"<b>Bob</b>"')
    page = ready(bring, caller(""), record=RECORD + other, game="2").text
    assert "<bdi>&lt;b&gt;Bob&lt;/b&gt;</bdi>" in page
    assert "<b>Bob" not in page
    assert "game 2 of 2" in page


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Paste a record"),
        ("hello", "needs one value for the tag"),
        ("{", "is not JSON"),
        (RECORD.replace("= 96", "= 97"), "= 97"),
        (RECORD.replace("yatzy-forced", "nope"), "nope"),
        ("x" * 60_001, "60001 characters"),
        (RECORD * 51, "51 games. At most 50"),
        ("".join(map(by_house_rules, (1, 2, 4, 5))), "more than 3 house rules"),
    ],
    ids=["empty", "hello", "brace", "totals", "book", "long", "many", "rules"],
)
def test_invalid_records_are_refused(caller: Caller, text: str, says: str) -> None:
    answer = bring(caller(""), record=text)
    assert answer.status_code in (413, 422)
    if answer.status_code == 422:
        assert says in unescape(answer.text)
        assert text in unescape(answer.text), "what was typed is still there"


def test_missing_games_and_binary_files_are_refused(caller: Caller) -> None:
    answer = bring(caller(""), record=RECORD, game="9")
    assert answer.status_code == 422
    assert "so choose game 1. You chose 9." in answer.text
    answer = caller("").post("/report", files={"file": ("game.txt", b"\xff\xfe\x00")}, data={"record": ""})
    assert answer.status_code == 400


class Busy(Solutions):
    """Has not worked anything out yet."""

    def want(self, book: fd.RuleBook) -> Readiness:
        return Readiness("running", 0.4, message("web.solution-running", book=book, done=Chance(0.4)))

    def ready(self, book: fd.RuleBook) -> Solution | None:  # noqa: ARG002
        return None


def test_unsolved_book_does_not_block_a_report() -> None:
    found = Reports(Busy()).report(fd.read_game(RECORD))
    assert found.report is None
    assert "40% done" in found.readiness.sentence
    assert Reports(Busy()).perfect(found.game.book) is None
    assert Reports(Busy()).picture("svg", found.game).startswith(b"<svg"), "a picture needs no solution"


def test_score_pad_is_reported_by_final_dice(caller: Caller, stage: Stage) -> None:
    path = open_pad(stage, "yatzy-forced", ["Ann", "Bob"], games=2)
    fill(stage, path, leave=len(fd.book("yatzy-forced").boxes) * 2)
    client = caller("Ann")
    assert "game 1 of" not in ready(client.get, f"{path}/report").text, "the first game is over, the second is not"
    fill(stage, path)
    page = ready(client.get, f"{path}/report").text
    assert "game 2 of 2" in page
    assert "30 turns have only their final dice" in page
    assert f'href="{path}/report?game=1"' in page
    first = ready(client.get, f"{path}/report.json?game=1").json()
    assert first["final_dice_turns"] == 30
    for player in first["players"]:
        assert player["expected_at_start"] + player["luck"] - player["lost"] == pytest.approx(player["total"], abs=1e-6)
    assert f'href="{path}/report"' in client.get(path).text
