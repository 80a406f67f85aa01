"""The game line by line: golden transcripts of five books, for scripts and screen readers."""

import io
import re
import subprocess
from pathlib import Path

import pytest

from fivedice.core.notation import read_game
from fivedice.core.rules import book
from fivedice.terminal.plain_table import PlainTable
from fivedice.terminal.session import Session
from tui.keyboard import TINY, plan_of
from tui.make_transcripts import BOOKS, SEED
from tui.terminal import FIVEDICE, run_here

TRANSCRIPTS = Path(__file__).parent / "transcripts"


def fivedice(*arguments: str, script: str) -> subprocess.CompletedProcess[bytes]:
    return run_here("play", *arguments, "--plain", script=script.encode())


def run_process(*arguments: str, script: bytes) -> subprocess.CompletedProcess[bytes]:
    """The same in a process of its own."""
    command = [*FIVEDICE, "play", *arguments, "--plain"]
    return subprocess.run(command, input=script, capture_output=True, timeout=120, check=False)


def say(session, *lines: str) -> list[str]:
    out = io.StringIO()
    PlainTable(session, io.StringIO("".join(f"{line}\n" for line in lines)), out).play()
    return out.getvalue().splitlines()


@pytest.mark.parametrize("key", BOOKS)
def test_whole_game_matches_the_golden_transcript(key):
    done = fivedice(key, "Ann", "Bob", "--seed", SEED, script=(TRANSCRIPTS / f"{key}.in").read_text())
    assert (done.returncode, done.stderr) == (3, b""), "two of its lines are refused on purpose"
    assert done.stdout == (TRANSCRIPTS / f"{key}.out").read_bytes()


@pytest.mark.parametrize("key", BOOKS)
def test_transcript_is_plain_and_ends_with_its_record(key):
    text = (TRANSCRIPTS / f"{key}.out").read_text()
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    record = text[text.rindex('[Fivedice "1"]') :]
    assert record.endswith("\n")
    assert read_game(record).is_over


def test_end_of_input_saves_and_names_the_resume_command(data_folder):
    done = run_process("yahtzee", "--seed", "1", script=b"roll\n")
    assert done.returncode == 0
    assert done.stdout.endswith(b"Saved. Continue with: fivedice play --plain --resume\n")
    again = fivedice("--resume", script="score chance\n").stdout.decode()
    assert "You rolled 1-1-3-3-5. 2 rolls left." in again
    assert "You scored 13 in Chance." in again
    assert (data_folder / "tables.db").exists()


@pytest.mark.usefixtures("data_folder")
def test_no_player_is_called_you():
    """Someone who gave no name is spoken to, and has a number in the record."""
    done = fivedice("yahtzee", "--bot", "steady", "--seed", "3", script="roll\nscore chance\nroll\nrecord\n")
    text = done.stdout.decode()
    assert not [wrong for wrong in ("You is", "You has", "You starts", "You’s", "You wins") if wrong in text], text
    assert "Your turn" in text
    assert '[Players "Player 1" "Steady bot"]' in text


def test_words_of_help_work_and_mistakes_change_nothing(begin) -> None:
    out = say(begin(), "help", "r", "k 3", "keep -", "s", "sheet", "record", "s ch", "u", "score chance", "quit")
    assert not any(line.startswith("No:") for line in out)
    assert out.count("You took back the last score.") == 1
    assert any(line.startswith("Threes (3s): ") for line in out)
    session = begin()
    out = say(session, "dance", "", "score", "score chance", "hint", "roll", "keep 66", "keep x", "score nothing")
    answers = [line for line in out if line.startswith("No:")]
    assert len(answers) == 7
    assert "No: I don’t know that command. Type help for the commands." in answers
    assert session.state.slots == (5, 1, 3, 1, 3)
    for typed in ("keep", "k", "roll 24466", "r 3"):
        session = begin()
        out = say(session, "roll", typed)
        assert len(session.state.rolls) == 1, typed
        assert any(line.startswith("No: ") and "keep 44" in line for line in out), "the way out is named"
    assert any("Score which box?" in line for line in say(begin(), "roll", "roll", "roll"))


def test_refused_lines_set_a_status_only_in_scripts(begin) -> None:
    for script, status in (("roll\n", 0), ("roll\nkeep\n", 3), ("dance\n", 3)):
        assert fivedice("--seed", "1", script=script).returncode == status, script

    class Typed(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert PlainTable(begin(), Typed("dance\n"), io.StringIO()).play()
    assert not PlainTable(begin(), io.StringIO("dance\n"), io.StringIO()).play()
    done = run_process("--seed", "1", script=b"\xff\xfe\nroll\n")
    assert done.returncode == 3
    assert "No: I don’t know that command.".encode() in done.stdout


def test_avoidable_zero_needs_confirmation(begin):
    session = begin()
    out = say(session, "roll", "score twos", "score threes", "undo", "score twos", "score twos")
    assert sum("Type it again to score 0," in line for line in out) == 2
    assert session.game.position.cards[0].held("twos") == 0


def test_coach_line_by_line(tables):
    session = Session.start(tables, plan_of(TINY, seed="21"))
    out = say(
        session, "training 3", "training 2", "roll", "hint", "odds", "keep 1", "keep 1", "training off", "training"
    )
    assert "Training: you are warned before a move that costs more than 3 points." in out
    assert "No: Training can be off, 1, 3, 5 or 10 points. You entered '2'." in out
    assert any(line.startswith(("Keep ", "Score ")) for line in out)
    assert any(line.endswith(" best") for line in out)
    assert "Expected totals, if everyone plays for points:" in out
    assert sum("Type it again to do it anyway." in line for line in out) == 1
    assert len(session.state.rolls) == 2, "said twice, it is meant"
    assert out.count("Training is off.") == 2


def test_line_by_line_with_real_dice(begin):
    session = begin("yahtzee", "Ann", pad=True)
    out = say(session, "roll 44444", "score yz", "roll", "roll 4444", "roll 44444", "score fh", "keep 44 446")
    assert "4-4-4-4-4 must go in Fours, which is open (Joker Rules)." in out
    assert any(line.startswith("YAHTZEE Bonus: 100 more points") for line in out)
    assert "No: 4-4-4-4-4 must go in Fours, which is open (Joker Rules)." in out
    assert session.state.slots == (4, 4, 4, 4, 6)


def test_bot_moves_are_reported_until_the_end(begin):
    boxes = [box.key for box in book("yahtzee").boxes]
    out = say(begin("yahtzee", "Ann", bots=("random",)), *(line for box in boxes for line in turn(box)))
    assert sum(line.startswith("Random bot scored") for line in out) == 13
    assert any(re.search(r"(You win|Random bot wins) with \d+", line) for line in out), "the dice decide who"
    assert out[-1].startswith("= ")


def turn(box: str) -> tuple[str, ...]:
    """A roll and its box; said twice, in case that it is a zero. The second is then a word out of place."""
    return "roll", f"score {box}", f"score {box}"


def test_ctrl_c_reports_the_saved_game(begin):
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            raise KeyboardInterrupt

    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        PlainTable(begin(), Interrupted(), out).play()
    assert out.getvalue().endswith("Saved. Continue with: fivedice play --plain --resume\n")


def test_line_by_line_pad_takes_final_dice_and_corrections(begin):
    lines = say(
        begin("yahtzee", "Ann", "Bob", pad=True),
        "roll 24466",
        "withdraw",
        "final 14444",
        "score 4k",
        "f 66612",
        "s sixes",
        "written",
        "correct 1 14445",
        "correct 2 66611 aces",
        "correct 1 - twos",
        "correct",
        "correct 9 11111",
        "correct 1 x",
        "help",
        "record",
    )
    text = "\n".join(lines)
    assert "Ann’s dice were cleared." in text
    assert "Ann rolled 1-4-4-4-4." in text
    assert lines[lines.index("1. Ann: 1-4-4-4-4 in 4 of a Kind, 17") + 1] == "2. Bob: 1-2-6-6-6 in Sixes, 18"
    assert "Corrected: Ann has 0 in 4 of a Kind, round 1." in text
    assert "Corrected: Bob has 2 in Aces, round 1." in text
    assert "Corrected: Ann has 0 in Twos, round 1." in text
    assert "No: Type the turn and what it should be" in text
    assert "No: Turn 9 of game 1 is not scored yet, so it can’t be corrected." in text
    assert "No: Enter one digit per die, such as 24466. You entered 'x'." in text
    assert "With real dice also:" in text
    assert "1. ~14445=2s:0 ~11666=1s:2" in text


def test_unnamed_player_is_addressed_but_not_named_you():
    """Others and records have a name for them, which is not the word for the reader."""
    boxes = [box.key for box in book("yahtzee").boxes]
    script = "".join(f"{line}\n" for box in boxes for line in turn(box))
    out = fivedice("--bot", "steady", "--seed", "1", script=script).stdout.decode()
    said, record = out[: out.index("[Fivedice ")], out[out.index("[Fivedice ") :]
    assert not re.search(r"\bYou (is|has|scores|starts|wins|rolls)\b|\bYou’s\b|\bYou,", said)
    assert "You scored" in said
    assert "Your turn" in said
    assert '[Players "Player 1" ' in record


def test_goal_of_hints_can_be_chosen(begin):
    out = say(begin(), "aim", "aim points", "aim 275", "aim glory", "aim auto", "quit")
    for said in (
        "Hints are for points; with others for the win, once it matters.",
        "Hints are for points.",
        "Hints are for 275 or more.",
        "Play for points, win or a score such as 275",
    ):
        assert any(said in line for line in out), (said, out)
