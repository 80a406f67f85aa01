"""Readers return a value or raise our own errors for any input."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

import fivedice as fd
from fivedice.core import notation
from for_each import for_each
from long import examples

YAHTZEE = fd.book("yahtzee")
POSITION = "yahtzee 1s:3,6s:18,yz:0|2s:6,fh:25,yz:50,yb:100 1 24466 2"
GAME = f"""[Fivedice "1"]
[Book "yahtzee"]
[Fingerprint "{YAHTZEE.fingerprint}"]
[Players "Ann" "Bob"]
[First "0"]
[RollOff "23456" "11111"]
[Date "2024-02-29"]

1. 24466>44/24446>444/14444=4k:17 66666=yz:50
2. 11234>11/11156=1s:3 16666>6666/66666=6s:30
3. 22345
* 20 180
"""
ALPHABET = '~0123456789szkhflybc:,|->/=!*[]" .\n\\' + "aZé\u2028\ud800\x00"


def mutations(text: str) -> st.SearchStrategy[str]:
    """The text with a few pieces cut out, put in, doubled or replaced."""
    place = st.integers(0, len(text))
    edit = st.tuples(place, st.integers(0, 6), st.text(ALPHABET, max_size=6) | st.sampled_from(text.split()))

    def apply(edits: list[tuple[int, int, str]]) -> str:
        changed = text
        for start, length, piece in edits:
            changed = changed[:start] + piece + changed[start + length :]
        return changed

    return st.lists(edit, min_size=1, max_size=4).map(apply)


def only_our_errors(read: Callable[[Any], Any], value: object) -> Any:
    """Return the reader's value, or None for a proper refusal; other exceptions fail the test."""
    with contextlib.suppress(fd.FivediceError):
        return read(value)
    return None


@settings(max_examples=examples(400))
@given(mutations(POSITION) | st.text(ALPHABET) | st.text())
@example("yahtzee - 0 - 3 ")
def test_fuzzed_positions(text: str) -> None:
    position = only_our_errors(fd.read_position, text)
    if position is not None:
        assert fd.read_position(fd.write_position(position)) == position


@settings(max_examples=examples(500))
@given(mutations(GAME) | st.text(ALPHABET) | st.text())
def test_fuzzed_games(text: str) -> None:
    game = only_our_errors(fd.read_game, text)
    if game is not None:
        printed = fd.write_game(game)
        assert fd.write_game(fd.read_game(printed)) == printed


@settings(max_examples=examples(300))
@given(mutations("24466>44/24446>444/14444=4k:17!") | st.text(ALPHABET))
def test_fuzzed_turns(text: str) -> None:
    turn = only_our_errors(lambda value: notation.read_turn(value, YAHTZEE), text)
    if turn is not None:
        assert notation.read_turn(notation.write_turn(turn, YAHTZEE), YAHTZEE) == turn


@settings(max_examples=examples(300))
@given(mutations("1s:3,4s:12,yz:50,ch:22,yb:100") | st.text(ALPHABET))
def test_fuzzed_cards(text: str) -> None:
    card = only_our_errors(lambda value: notation.read_card(value, YAHTZEE), text)
    if card is not None:
        assert notation.read_card(notation.write_card(card), YAHTZEE) == card


@given(st.text(ALPHABET) | st.text())
def test_fuzzed_dice(text: str) -> None:
    for read in (fd.Roll.parse, fd.Keep.parse, fd.dice.scripted, YAHTZEE.box):
        only_our_errors(read, text)


# JSON: any value in any place of a valid document

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(ALPHABET, max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(ALPHABET, max_size=5), inner, max_size=3),
    max_leaves=5,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The way to every place in a JSON document."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in entries for place in paths(inner, (*path, key)))]


def replaced(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    if isinstance(value, dict):
        return value | {path[0]: replaced(value[path[0]], path[1:], new)}
    return [replaced(inner, path[1:], new) if place == path[0] else inner for place, inner in enumerate(value)]


GAME_JSON = notation.game_to_json(fd.read_game(GAME))
POSITION_JSON = notation.position_to_json(fd.read_position(POSITION))


@settings(max_examples=examples(500))
@given(st.sampled_from(paths(GAME_JSON)), json_values)
@example(("first",), 10**5000)
@example(("players",), [])
def test_fuzzed_games_in_json(path: tuple[str | int, ...], value: object) -> None:
    game = only_our_errors(notation.game_from_json, replaced(GAME_JSON, path, value))
    if game is not None:
        assert notation.game_to_json(notation.game_from_json(notation.game_to_json(game))) == notation.game_to_json(
            game
        )


@settings(max_examples=examples(300))
@given(st.sampled_from(paths(POSITION_JSON)), json_values)
@example(("seat",), 10**5000)
@example(("cards", 0, "marks", "aces"), 10**5000)
def test_fuzzed_positions_in_json(path: tuple[str | int, ...], value: object) -> None:
    position = only_our_errors(notation.position_from_json, replaced(POSITION_JSON, path, value))
    if position is not None:
        assert notation.position_from_json(notation.position_to_json(position)) == position


@given(json_values)
def test_fuzzed_json(value: object) -> None:
    assert only_our_errors(notation.game_from_json, value) is None
    assert only_our_errors(notation.position_from_json, value) is None


# Malformed or illegal, never both, and quoted


@for_each(
    ("text", "kind", "quoted"),
    [
        ("yahtzee 4s:12x 0 24466 2", fd.MalformedError, "'4s:12x'"),
        ("yahtzee 4s:13 0 24466 2", fd.IllegalError, "13"),
        ("yahtzee - 0 2446 0", fd.IllegalError, "'yahtzee - 0 2446 0'"),
        ("yahtzee - 0 2446? 2", fd.MalformedError, "'2446?'"),
        ("y" * 500 + " - 0", fd.MalformedError, "yyyy…'"),
    ],
)
def test_errors_quote_what_was_given(text: str, kind: type[Exception], quoted: str) -> None:
    with pytest.raises(kind) as caught:
        fd.read_position(text)
    assert quoted in str(caught.value)
    assert len(str(caught.value)) < 300
