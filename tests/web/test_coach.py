"""The coach over HTTP: who may ask, when, the answers, and training before moves."""

import re
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from fivedice import Roll, Scorecard, book
from fivedice.coaching.hints import coach
from fivedice.core.notation import write_card
from fivedice.reports.race import race
from fivedice.solver import Solution, solve
from fivedice.solver.bonus import KIND, bonus_chances
from fivedice.solver.runtime import solution_files as table_store
from fivedice.solver.runtime.solution_cache import MappedCache
from fivedice.table.actions.events import Opened
from fivedice.table.actions.rights import player_id
from long import takes_turns
from web.conftest import Caller
from web.stage import Scene, Stage, key_of
from web.waiting import ask_until

pytestmark = takes_turns

PART = {"fivedice-fragment": "1"}


@pytest.fixture(scope="module", autouse=True)
def solution() -> Solution:
    """Solve here; the server reads it from the shared folder without waiting."""
    found = solve(book("yahtzee-plain"))
    bonuses, name = bonus_chances(found), found.book.fingerprint
    # This process may have solved it before, for another folder: then it has it in memory alone.
    for table, kind in ((found.table, table_store.VALUES), (bonuses, KIND)):
        table_store.save(name, table, kind)
    with patch("fivedice.solver.endings._kept", MappedCache("ends")):
        found.prepare()
    return found


def forbidden(stage: Stage) -> Scene:
    scene = stage.scene("yahtzee-plain", "Ann", "Bob")
    opened = Opened("yahtzee-plain", player_id(key_of("Ann")), coach=False)
    fresh = Scene(scene.state.id, "yahtzee-plain", ["Ann", "Bob"])
    fresh.log[0] = opened
    fresh.state.coach = False
    return fresh


@pytest.fixture
def ann(caller: Caller) -> httpx.Client:
    return caller("Ann")


@pytest.fixture
def rolled(stage: Stage) -> str:
    return stage.put(stage.scene("yahtzee-plain", "Ann", "Bob").start().roll("44126"))


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def version_of(client: httpx.Client, path: str) -> int:
    found = re.search(r'data-version="(\d+)"', client.get(path).text)
    assert found is not None
    return int(found[1])


def test_player_on_turn_gets_the_best_choices(ann: httpx.Client, rolled: str, solution: Solution) -> None:
    told = coach(solution, Scorecard.empty(solution.book), Roll.parse("44126"), 2, bonuses=bonus_chances(solution))
    part = ann.get(f"{rolled}/hint", headers=PART)
    assert part.status_code == 200
    assert part.headers["cache-control"] == "no-store"
    assert f"{told.headline} {told.because} " in text_of(part.text)
    facts = re.findall(r'class="cost">(.*)</strong>\s*<span class="fact">(.*)</span>', part.text)
    assert facts == [(told.price(each), told.fact(each)) for each in told.choices[:4]]
    assert 'data-advised="die-0 die-1"' in part.text
    assert 'data-hold="0 1">Keep these' in part.text
    page = ann.get(f"{rolled}/hint")
    assert f"{told.headline} {told.because} " in text_of(page.text)
    assert 'id="roll"' in page.text  # without a script the table is around it
    assert 'hidden data-hold="0 1">' in page.text  # and nothing to press that only a script can do


def test_hint_refused_to_everyone_else(caller: Caller, program: Caller, rolled: str) -> None:
    for who in ("Bob", "Carol"):
        answer = caller(who).get(f"{rolled}/hint", headers=PART)
        assert answer.status_code == 403
        assert "It is Ann’s turn." in answer.text
        assert "choices" not in answer.text
        assert program(who).get(f"/tables{rolled[2:]}/hint").json()["error"] == "not-your-turn"
    assert program("").get(f"/tables{rolled[2:]}/hint").status_code == 401


def test_table_without_coach_gives_no_hints(stage: Stage, ann: httpx.Client, program: Caller) -> None:
    path = stage.put(forbidden(stage).start().roll("44126"))
    page = ann.get(path).text
    assert "ask-coach" not in page
    assert "Coach and odds" not in page
    for what in ("hint", "odds"):
        answer = ann.get(f"{path}/{what}", headers=PART)
        assert answer.status_code == 403
        assert "The coach is off in this game." in answer.text
        refused = program("Ann").get(f"/tables{path[2:]}/{what}")
        assert (refused.status_code, refused.json()["error"]) == (403, "not-allowed")
    ann.post(f"{path}/coach", data={"training": "1"})
    moved = ann.post(f"{path}/roll", data={"hold": "2", "version": version_of(ann, path), "key": "f"}, headers=PART)
    assert "That costs" not in moved.text  # nor does it speak up by itself


def test_no_hint_before_the_roll(stage: Stage, ann: httpx.Client) -> None:
    path = stage.put(stage.scene("yahtzee-plain", "Ann").start())
    answer = ann.get(f"{path}/hint")
    assert answer.status_code == 409
    assert "Roll first. There is nothing to choose yet." in answer.text
    assert ann.get("/t/nowhere/hint").status_code == 404
    assert ann.get("/t/nowhere/odds").status_code == 404


def test_coach_for_programs(program: Caller, rolled: str, solution: Solution) -> None:
    told = coach(solution, Scorecard.empty(solution.book), Roll.parse("44126"), 2, bonuses=bonus_chances(solution))
    at_table: dict[str, Any] = program("Ann").get(f"/tables{rolled[2:]}/hint").json()
    anywhere: dict[str, Any] = (
        program("").get("/hint", params={"book": "yahtzee-plain", "dice": "44126", "rolls_left": 2}).json()
    )
    for found in (at_table, anywhere):
        assert (found["sentence"], found["details"]) == (told.sentence, told.details)
        assert [each["cost"] for each in found["choices"]] == pytest.approx([each.cost for each in told.choices])
        assert found["choices"][0]["aims"][0]["words"] == "3 or more Fours"
    assert at_table["choices"][0]["hold"] == [0, 1]
    assert anywhere["choices"][0]["hold"] is None


@pytest.mark.parametrize(
    ("wrong", "status", "says"),
    [
        ({"book": "nope"}, 404, "nope"),
        ({"dice": "9"}, 422, "You entered 9."),
        ({"dice": "4412x"}, 422, "You entered '4412x'"),
        ({"rolls_left": "3"}, 422, "You entered 3."),
        ({"rolls_left": "x"}, 400, "rolls_left"),
        ({"card": "4s:13"}, 422, "13"),
    ],
)
def test_invalid_questions_to_the_coach(program: Caller, wrong: dict[str, str], status: int, says: str) -> None:
    asked = {"book": "yahtzee-plain", "dice": "44126", "rolls_left": "2"} | wrong
    answer = program("").get("/hint", params=asked)
    assert answer.status_code == status
    assert says in answer.json()["message"]


@pytest.fixture
def trained(ann: httpx.Client, rolled: str) -> httpx.Client:
    answer = ann.post(f"{rolled}/coach", data={"training": "3"})
    assert answer.status_code == 200
    assert "Training: you are warned before a move that costs more than 3 points." in answer.text
    return ann


def test_training_warns_before_a_move(trained: httpx.Client, rolled: str) -> None:
    version = version_of(trained, rolled)
    move = {"hold": ["2", "3"], "version": version, "key": "bad"}  # keep 1-2, of all things
    for headers in (PART, {}):
        asked = trained.post(f"{rolled}/roll", data=move, headers=headers)
        assert asked.status_code == 200
        assert re.search(r"That costs [\d.]+ points \. Better: keep 4-4\.", text_of(asked.text))
        assert '<input type="hidden" name="hold" value="2"><input type="hidden" name="hold" value="3">' in asked.text
        assert version_of(trained, rolled) == version  # nothing has happened
    done = trained.post(f"{rolled}/roll", data=move | {"sure": "yes"}, headers=PART)
    assert "That costs" not in done.text
    assert version_of(trained, rolled) > version


def test_training_warns_about_boxes_before_zeros(trained: httpx.Client, rolled: str) -> None:
    version = version_of(trained, rolled)
    move = {"box": "five_of_a_kind", "version": version, "key": "zero"}
    asked = trained.post(f"{rolled}/score", data=move, headers=PART)
    assert re.search(r"That costs [\d.]+ points \. Better: keep 4-4\.", text_of(asked.text))
    assert "Score 0" not in asked.text
    assert version_of(trained, rolled) == version
    trained.post(f"{rolled}/score", data=move | {"sure": "yes"}, headers=PART)
    assert version_of(trained, rolled) > version


def test_training_is_silent_if_little_is_lost(trained: httpx.Client, rolled: str) -> None:
    version = version_of(trained, rolled)
    stale = trained.post(f"{rolled}/roll", data={"hold": "2", "version": 1, "key": "old"}, headers=PART)
    assert stale.status_code == 409  # a refusal says more than a warning
    impossible = trained.post(f"{rolled}/roll", data={"hold": "9", "version": version, "key": "x"}, headers=PART)
    assert impossible.status_code in {400, 422}
    trained.post(f"{rolled}/roll", data={"hold": ["0", "1", "4"], "version": version, "key": "fine"}, headers=PART)
    assert version_of(trained, rolled) > version


def test_no_warning_without_training(ann: httpx.Client, program: Caller, stage: Stage) -> None:
    path = stage.put(stage.scene("yahtzee-plain", "Ann").start().roll("44126"))
    version = version_of(ann, path)
    ann.post(f"{path}/roll", data={"hold": "2", "version": version, "key": "a"}, headers=PART)
    assert version_of(ann, path) > version
    by_program = {"command": "score", "box": "aces", "version": version_of(ann, path), "key": "b"}
    assert program("Ann").post(f"/tables{path[2:]}/commands", json=by_program).status_code == 200


@pytest.mark.parametrize(("field", "value"), [("training", "2"), ("training", "lots"), ("aim", "fame")])
def test_invalid_choices_are_refused(ann: httpx.Client, rolled: str, field: str, value: str) -> None:
    answer = ann.post(f"{rolled}/coach", data={field: value})
    assert answer.status_code == 400
    assert value in text_of(answer.text)
    assert "fivedice_coach" not in answer.cookies


def test_huge_totals_and_invalid_cookies(ann: httpx.Client, program: Caller, rolled: str) -> None:
    endless = "9" * 5000  # more than Python reads as a number
    assert ann.post(f"{rolled}/coach", data={"aim": endless}).status_code == 400
    where = {"book": "yahtzee-plain", "dice": "44126", "rolls_left": 2, "aim": endless}
    assert program("Ann").get("/hint", params=where).status_code in {400, 414}
    ann.cookies.set("fivedice_coach", f"aim={endless[:4500]}", domain="localhost")
    assert ann.get(rolled).status_code in {200, 431}
    ann.cookies.set("fivedice_coach", "training=99&odds=maybe&aim=%00&x", domain="localhost")
    assert "Show odds" in ann.get(rolled).text


def test_odds_are_shown_on_request(caller: Caller, rolled: str, solution: Solution) -> None:
    ann = caller("Ann")
    assert "data-odds" not in ann.get(rolled).text
    shown = ann.post(f"{rolled}/coach", data={"odds": "on"}, headers=PART)
    assert f'data-odds="{rolled}/odds"' in shown.text
    assert "Hide odds" in shown.text
    assert "Hide odds" in ann.get(rolled).text, "remembered"
    carol = caller("Carol")  # any person may watch
    found = ask_until(
        lambda answer: not re.search("Working out|Compiling", answer.text),
        lambda: carol.get(f"{rolled}/odds", headers=PART),
    )
    part = text_of(found.text)
    value = coach(solution, Scorecard.empty(solution.book), Roll.parse("44126"), 2).choices[0].value
    assert re.search(rf"Ann Expected {value:.0f} wins \d+%", part), part
    assert "Exact. Assumes everyone plays for points; ties are split." in part
    page = ann.get(f"{rolled}/odds").text
    assert "Expected" in page
    assert 'id="roll"' in page


def test_late_odds_are_exact(stage: Stage, ann: httpx.Client, program: Caller, solution: Solution) -> None:
    scene = stage.scene("yahtzee-plain", "Ann", "Bob").start().play_until(4, ["chance", "full_house"]).roll("44126")
    path = stage.put(scene)
    expected = race(scene.state.running.position, solution)
    found = program("Ann").get(f"/tables{path[2:]}/odds").json()
    assert found["exact"] is True
    assert [each["share"] for each in found["players"]] == pytest.approx([each.share for each in expected.players])
    assert "Exact. Assumes everyone plays for points; ties are split." in text_of(
        ann.get(f"{path}/odds", headers=PART).text
    )


def test_single_player_has_a_score_to_beat(stage: Stage, caller: Caller) -> None:
    dora = caller("Dora")
    before = stage.put(stage.scene("yahtzee-plain", "Dora").start().play_until(1, ["chance"]).roll("44126"))
    last = {"box": "chance", "version": version_of(dora, before), "key": "last"}
    dora.post(f"{before}/score", data=last)  # a finished game is a score to beat
    path = stage.put(stage.scene("yahtzee-plain", "Dora").start().play_until(3, ["chance", "full_house"]).roll("44126"))
    points = dora.get(f"{path}/hint", headers=PART).text
    assert ">Points</a>" in points
    best = re.search(r"Beat (\d+)", points)
    assert best is not None
    beat = ask_until(
        lambda answer: "Odds of reaching" in answer.text,
        lambda: dora.get(f"{path}/hint", params={"aim": "beat"}, headers=PART),
    )
    assert f"Odds of reaching {int(best[1]) + 1}: " in beat.text
    assert 'id="coach-why" open' in beat.text  # who chooses what to play for has asked why
    assert "percentage points" in text_of(beat.text)
    assert "From 47% to 45% is 2 percentage points." in text_of(beat.text)
    assert "aim=beat" in dora.cookies["fivedice_coach"]  # remembered
    odds = text_of(dora.get(f"{path}/odds", headers=PART).text)
    assert re.search(rf"Beats {best[1]}: (over )?\d+% Playing to beat it: (over )?\d+%", odds), odds


def test_unknown_aim_is_refused(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann").start().roll("44126"))
    answer = caller("Ann").post(f"{path}/coach", data={"aim": "glory"})
    assert answer.status_code == 400
    assert "glory" in answer.text


def test_aim_is_remembered(stage: Stage, caller: Caller) -> None:
    """An aim goes for the browser, a total for its game."""
    cleo = caller("Cleo")
    one, two = (stage.put(stage.scene("yahtzee-plain", "Cleo", "Bob").start().roll("44126")) for _ in range(2))
    chosen = cleo.get(f"{one}/hint", params={"aim": "points"}, headers=PART)
    assert 'id="aim-points"' in chosen.text
    assert "aim=points" in cleo.cookies["fivedice_coach"]
    for path in (one, two):
        assert re.search(r'id="aim-points"[^>]* aria-current', cleo.get(f"{path}/hint", headers=PART).text)
    cleo.get(f"{one}/hint", params={"aim": "250"}, headers=PART)
    assert re.search(r'class="aim-score chosen"', cleo.get(f"{one}/hint", headers=PART).text)
    assert re.search(r'id="aim-auto"[^>]* aria-current', cleo.get(f"{two}/hint", headers=PART).text)
    cleo.post(f"{two}/coach", data={"aim": "260"})
    assert re.search(r'class="aim-score chosen"', cleo.get(f"{two}/hint", headers=PART).text)
    assert re.search(r'id="aim-auto"[^>]* aria-current', cleo.get(f"{one}/hint", headers=PART).text)


@pytest.mark.usefixtures("solution")
def test_programs_can_choose_an_aim(program: Caller, stage: Stage) -> None:
    scene = stage.scene("yahtzee-plain", "Ann", "Bob").start().play_until(4, ("chance", "sixes")).roll("44166")
    path, position = stage.put(scene), scene.state.running.position
    table = program("Ann").get(f"/tables{path[2:]}/hint").json()
    assert table["goal"] == "win"
    assert "Exact: both play to win." in table["notes"]
    cards = [write_card(card) for card in position.cards]
    asked = {"book": "yahtzee-plain", "dice": "44166", "rolls_left": 2, "card": cards[0], "against": cards[1]}
    anywhere = program("Ann").get("/hint", params=asked).json()
    assert anywhere["choices"][0]["value"] == pytest.approx(table["choices"][0]["value"], abs=1e-12)
    assert program("Ann").get("/hint", params=asked | {"aim": "points"}).json()["goal"] == "points"
    assert program("Ann").get("/hint", params=asked | {"aim": "glory"}).status_code == 400
    many = "|".join([cards[1]] * 12)
    assert program("Ann").get("/hint", params=asked | {"against": many}).status_code == 400
