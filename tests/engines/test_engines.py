"""Bots that are other programs: well-behaved, hostile, and ours."""

import io
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import fivedice as fd
from fivedice.players import bots
from fivedice.players.bots.entrants import entrant
from fivedice.players.engine_bot import Engine, serve
from fivedice.players.engine_process import EngineProcess, position_lines, rules_line
from for_each import for_each
from matches.own_bots import Highest

GREEDY = Path(__file__).parents[2] / "docs" / "examples" / "greedy.awk"
RULES = "crag"


class Greedy:
    """The example in awk, written in Python."""

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        faces, legal = position.dice.faces, position.ruling().legal
        best = max(faces, key=lambda face: (faces.count(face), face))
        keep = fd.Keep((best,) * faces.count(best))
        if position.rolls_left and len(keep) < len(faces):
            return fd.Hold(keep)
        return fd.Mark(max(legal, key=lambda box: legal[box].points + legal[box].bonus))


def test_example_engine_plays() -> None:
    with_awk = fd.match([fd.engine(["awk", "-f", str(GREEDY)]), Highest], 2, book="yahtzee", seed=4)
    in_python = fd.match([Greedy, Highest], 2, book="yahtzee", seed=4)
    assert with_awk.players[0].name == "awk"
    assert np.array_equal(with_awk.totals, in_python.totals)


def shell(script: str, **options: object) -> Engine:
    return fd.engine(["sh", "-c", script], **options)  # type: ignore[arg-type]


READY = "read hello; echo ready 1; "
ASKED = READY + "while read first rest; do [ $first = go ] && break; done; "


@for_each(
    ("script", "said"),
    [
        ("exit 3", "ended with status 3"),
        ("echo oh dear >&2; exit 1", "Its last words: 'oh dear'"),
        ("read hello; echo hello", "The engine said 'hello'. Expected: name, author, option or ready."),
        ("read hello; echo ready 2", "The engine speaks version '2' of the protocol. This is version 1."),
        ("yes | tr -d '\\n'", "a line of more than 4096 bytes: 'yyyy"),
        ("yes name", "sent 1000 lines without an answer. The last was 'name'"),
        (ASKED + "exit 0", "ended with status 0"),
        (ASKED + "echo resign", "The engine answered 'resign'. Expected something like: move keep 44"),
        (ASKED + "echo move keep 999", "chose Hold"),
        (ASKED + "echo move keep x", "The engine answered 'move keep x'"),
        (ASKED + "echo move score zz", "The engine answered 'move score zz'. These rules have the boxes 1s"),
        (ASKED + "echo error no idea", "The engine gave up: 'no idea'"),
        (ASKED + "yes info", "sent 1000 lines without an answer"),
        (ASKED + "printf '\\377\\000\\n'", "The engine answered"),
        (ASKED + "head -c 100000 /dev/zero", "a line of more than 4096 bytes"),
    ],
)
def test_misbehaving_engine_is_ended_and_quoted(script: str, said: str) -> None:
    engine = shell(script, seconds=60)
    with pytest.raises(fd.BotError) as caught:
        fd.match([engine, Highest], 2, book=RULES)
    assert said in str(caught.value)
    assert "The bot 'sh'" in str(caught.value)


def test_endless_line_is_cut_and_reported() -> None:
    """The closed pipe ends the program; the error names what it did, not how it ended."""
    engine = EngineProcess(["sh", "-c", "echo first; yes | tr -d '\\n'"])
    engine._process.wait(60)
    with pytest.raises(fd.BotError, match="a line of more than 4096 bytes: 'yyyy"):
        engine.send("hello")
    engine.close()


@for_each("script", ["cat >/dev/null", READY + "cat >/dev/null", "trap '' TERM HUP; " + READY + "cat >/dev/null"])
def test_silent_engine_times_out(script: str) -> None:
    engine = shell(script, seconds=0.3)
    position = fd.apply(fd.Position.start(fd.book(RULES), 1), fd.Throw(fd.Roll.parse("123"))).after
    with pytest.raises(fd.BotError, match="did not answer in time to"):
        engine.choose(position)
    assert engine._process is None


def test_engines_that_talk_or_do_not_read_are_handled() -> None:
    engine = shell(ASKED + "echo move keep -; echo move keep 1; cat >/dev/null", seconds=60)
    position = fd.apply(fd.Position.start(fd.book(RULES), 1), fd.Throw(fd.Roll.parse("123"))).after
    assert engine.choose(position) == fd.Hold(fd.Keep(()))
    assert engine._process is not None
    lines = engine._process._lines
    lines.put(lines.get(timeout=60))  # it has come by now
    with pytest.raises(fd.BotError, match="spoke without being asked: 'move keep 1'"):
        engine.choose(position)
    engine = shell("echo ready 1; exec sleep 60", seconds=60)
    with pytest.raises(fd.BotError, match="does not read its standard input"):
        _tell_for_ever(engine)
    # A megabyte on standard error.
    engine = shell(f"yes complaint | head -c 1000000 >&2; exec awk -f '{GREEDY}'")
    match = fd.match([engine, Highest], 2, book=RULES)
    assert np.array_equal(match.totals, fd.match([Greedy, Highest], 2, book=RULES).totals)


def _tell_for_ever(engine: Engine) -> None:
    for number in range(100_000):
        engine.begin("x" * 1000 + str(number))


def test_child_processes_end_with_the_engine(tmp_path: Path) -> None:
    """As long as a child lives, it holds the other end of the pipe that is read here."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    engine = shell(f"sleep 600 > '{pipe}' & exec awk -f '{GREEDY}'")
    engine.begin("seed")
    process = engine._process
    assert process is not None
    with pipe.open("rb") as held:
        engine.close()
        assert held.read() == b""
    assert process._process.returncode is not None
    engine.close()


def test_missing_program_is_reported() -> None:
    with pytest.raises(fd.BotError, match="The engine 'no-such-program' can’t be started: No such file"):
        fd.match([fd.engine(["no-such-program"]), Highest], 2, book=RULES)
    for wrong in ("awk -f x", [], [""]):
        with pytest.raises(fd.MalformedError, match="An engine is a list of words"):
            fd.engine(wrong)
    with pytest.raises(fd.MalformedError, match="You gave 0"):
        fd.engine(["awk"], seconds=0)
    with pytest.raises(fd.MalformedError, match="You gave 'a b=c'"):
        fd.engine(["awk"], options={"a b": "c"})


def test_options_are_sent_and_unknown_ones_refused(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = f"read hello; echo name Sh; echo option depth 3; echo ready 1; read line; echo $line > '{heard}'; cat"
    engine = shell(script, options={"depth": "7"})
    engine.begin("seed")
    assert engine.about == {"name": "Sh"}
    engine.close()
    assert heard.read_text() == "option depth 7\n"
    with pytest.raises(fd.BotError, match=r"The engine has no option 'width'\. It has depth"):
        shell(script, options={"width": "7"}).begin("seed")
    copy = pickle.loads(pickle.dumps(engine))  # noqa: S301
    assert (copy.command, copy.options, copy.seconds, copy.name) == (engine.command, engine.options, 10, "sh")


def spoken(level: str, *lines: str) -> list[str]:
    said: list[str] = []
    serve(entrant(level, fd.book(RULES)), io.StringIO("".join(f"{line}\n" for line in lines)), said.append)
    return said


def test_our_bots_serve_the_protocol() -> None:
    rules = fd.book("yatzy")
    position = fd.read_position("yatzy 1s:3|6s:18 0 24466 2")
    move = bots.bot("perfect", rules).choose(position)
    assert isinstance(move, fd.Hold)
    asked = ("newgame 1", *position_lines(position), "go 1000")
    greeting = [f"name fivedice {fd.__version__} perfect", "ready 1"]
    assert spoken("perfect", "fivedice 1", "something new", *asked) == [*greeting, f"move keep {move.keep}"]
    assert spoken("perfect", rules_line(rules), *asked, "quit", *asked) == [f"move keep {move.keep}"]
    assert spoken("steady", "go") == ["error Send a position before go."]
    assert spoken("steady", "position yatzy - 0 - 3", "go")[0].startswith("error A bot can choose only after")
    assert spoken("steady", "position nothing - 0 24466 2", "go")[0].startswith("error ")
    assert spoken("steady", "rules house 1 {}")[0].startswith("error House rules are the text of their file")
    last = fd.read_position("crag 1s:1 0 123 0")
    assert spoken("steady", *position_lines(last), "go")[0].startswith("move score ")
    house = fd.load_book(fd.write_book(fd.book(RULES)).replace('key = "crag"', 'key = "our-crag"', 1))
    position = fd.read_position("our-crag - 0 123 1", house)
    assert spoken("steady", rules_line(house), *position_lines(position), "go")[0].startswith("move ")
    assert spoken("steady", *position_lines(position), "go")[0].startswith("error ")
    run = "import sys; from fivedice.cli.command_list import run; sys.exit(run(['engine', 'perfect']))"
    engine = fd.engine([sys.executable, "-c", run], seconds=120)
    through = fd.match([engine, Highest], 2, book=RULES)
    assert np.array_equal(through.totals, fd.match(["perfect", Highest], 2, book=RULES).totals)
