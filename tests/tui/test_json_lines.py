"""The game as lines of JSON: one object in, one out, and whole games played by a program."""

import io
import json
import subprocess
from typing import Any

import pytest

from fivedice.core.notation import read_game, read_position
from fivedice.terminal.plain_table import JsonTable
from fivedice.terminal.session import Session
from tui.keyboard import TINY, plan_of
from tui.terminal import FIVEDICE, run_here


def tell(session: Session, *lines: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    found = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    JsonTable(session, io.StringIO(found), out).play()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_line_is_answered_with_position_and_legal_moves(begin):
    start, rolled, kept, scored = tell(
        begin(), {"do": "roll"}, {"do": "keep", "dice": "33"}, {"do": "score", "box": "ch"}
    )
    assert start["table"]["position"] == "yahtzee - 0 - 3"
    assert start["table"]["legal"] == {"roll": True, "keep": [], "boxes": {}, "closed": {}}
    position = read_position(rolled["table"]["position"])
    assert str(position.roll) == "11335"
    assert len(rolled["table"]["legal"]["keep"]) + len(rolled["table"]["legal"]["boxes"]) == len([*position.choices()])
    assert rolled["table"]["legal"]["boxes"]["chance"] == {"points": 13, "bonus": 0, "joker": False}
    assert sorted(kept["table"]["dice"]).count("3") >= 2
    assert scored["table"]["position"].startswith("yahtzee ch:")
    assert all(answer["ok"] and answer["table"]["your_turn"] for answer in (start, rolled, kept, scored))


REFUSED = [
    ("roll", "terminal.json-object"),
    ("[1]", "terminal.json-object"),
    ("[" * 9999, "terminal.json-object"),
    ({}, "terminal.json-field"),
    ({"do": 3}, "terminal.json-field"),
    ({"do": "dance"}, "terminal.json-unknown"),
    ({"do": "keep"}, "terminal.json-field"),
    ({"do": "keep", "dice": 33}, "terminal.json-field"),
    ({"do": "keep", "dice": "66"}, "terminal.cannot-keep"),
    ({"do": "roll", "dice": "24466"}, "terminal.json-more"),
    ({"do": "score", "box": "none"}, "rules.unknown-box"),
]


def test_refusals_and_bot_moves_between_lines(begin) -> None:
    _, rolled, *refusals = tell(begin(), {"do": "roll"}, *(line for line, _ in REFUSED))
    for (line, kind), refused in zip(REFUSED, refusals, strict=True):
        assert (refused["ok"], refused["error"]["kind"]) == (False, kind), str(line)[:80]
        assert refused["error"]["message"]
        assert refused["table"] == rolled["table"], str(line)[:80]
    _, _, scored = tell(begin("yahtzee", "Ann", bots=("random",)), {"do": "roll"}, {"do": "score", "box": "chance"})
    assert scored["moves"][0].startswith("Random bot rolled")
    assert scored["table"]["seat"] == 0


def test_json_lines_with_real_dice(begin):
    lines = [
        {"do": "roll", "dice": "24466"},
        {"do": "keep", "keep": "44", "dice": "446"},
        {"do": "withdraw"},
        {"do": "score", "box": "chance"},
        {"do": "final", "dice": "11111"},
        {"do": "score", "box": "aces"},
        {"do": "correct", "turn": 1, "dice": "24666"},
        {"do": "undo"},
    ]
    answers = tell(begin("yahtzee", "Ann", pad=True), *lines)
    assert [answer["ok"] for answer in answers] == [True] * 9
    assert answers[-2]["table"]["position"].startswith("yahtzee 1s:5,ch:24")
    assert answers[-1]["table"]["dice"] == "11111"


def test_json_lines_with_the_coach(tables):
    *_, hint, odds, record = tell(
        Session.start(tables, plan_of(TINY, seed="21")),
        {"do": "roll"},
        {"do": "hint"},
        {"do": "odds"},
        {"do": "record"},
    )
    assert hint["hint"]["options"][0] == {
        "keep": "6",
        "value": pytest.approx(hint["hint"]["options"][0]["value"]),
        "loss": 0,
    }
    assert hint["hint"]["sentence"].startswith("Keep")
    assert odds["odds"][-1] == "Exact."
    assert record["record"].startswith('[Fivedice "1"]')


def test_program_plays_a_whole_game_through_pipes():
    """Roll once and take the most points, knowing only the lines received."""
    command = [*FIVEDICE, "play", "yatzy", "Program", "--bot", "random", "--json", "--seed", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as game:
        found, answers = game.stdin, game.stdout
        table = json.loads(answers.readline())["table"]
        while table["phase"] == "playing":
            boxes = table["legal"]["boxes"]
            move = {"do": "score", "box": max(boxes, key=lambda key: boxes[key]["points"])} if boxes else {"do": "roll"}
            print(json.dumps(move), file=found, flush=True)
            table = json.loads(answers.readline())["table"]
        found.close()
        assert game.wait(60) == 0
    assert read_game(table["record"]).is_over
    assert table["winners"]


def test_refused_line_sets_the_exit_status():
    for line, status in ((b'{"do": "roll"}', 0), (b'{"do": "keep"}', 3), (b'{"do": "quit"}', 0)):
        assert run_here("play", "--json", script=line + b"\n\n").returncode == status, line
