"""Parts of a measurement of the bots add up to the whole, and finished parts are not played again."""

import json
from dataclasses import astuple
from pathlib import Path

import measure_bots
import pytest
from measure_bots import Block, Plan, entry_of, play_block, read_blocks

from fivedice.core.rules import book
from fivedice.players.bots.levels import find_level
from fivedice.players.bots.solo_games import measure

LEVEL, KEY = "newcomer", "crag"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_bots, "BLOCK", 3)


def write_blocks(file: Path, *blocks: Block) -> Path:
    file.write_text("".join(json.dumps(astuple(block)) + "\n" for block in blocks), encoding="utf-8")
    return file


def test_blocks_add_up_to_the_games_played_at_once() -> None:
    blocks = [play_block(Block(LEVEL, KEY, first)) for first in (0, 3)]
    whole = measure(find_level(LEVEL), book(KEY), 6, seed=measure_bots.SEED)
    assert entry_of([block for block in blocks if block is not None]) == {
        "mean": round(whole.mean, 2),
        "sd": round(whole.sd, 2),
        "error": round(whole.standard_error, 2),
        "games": 6,
    }


def test_no_block_is_played_after_the_deadline() -> None:
    assert play_block(Block(LEVEL, KEY, 0), deadline=0.0) is None


def test_finished_blocks_of_all_files_count_and_are_not_played_again(tmp_path: Path) -> None:
    ours = write_blocks(tmp_path / "ours.jsonl", Block(LEVEL, KEY, 0, 30, 400))
    theirs = write_blocks(tmp_path / "theirs.jsonl", Block(LEVEL, KEY, 0, 30, 400), Block(LEVEL, KEY, 3, 60, 1300))
    before = ours.read_text(encoding="utf-8")
    found = Plan([KEY], [LEVEL], games=6).measure(ours, [theirs])
    assert found == {LEVEL: {KEY: {"mean": 15.0, "sd": 8.37, "error": 3.42, "games": 6}}}
    assert ours.read_text(encoding="utf-8") == before


def test_a_block_with_two_results_is_refused(tmp_path: Path) -> None:
    file = write_blocks(tmp_path / "sums.jsonl", Block(LEVEL, KEY, 0, 30, 400), Block(LEVEL, KEY, 0, 31, 400))
    with pytest.raises(ValueError, match="disagree"):
        read_blocks([file])
