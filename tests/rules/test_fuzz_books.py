"""Loading any rule-book file gives a playable book or a refusal of our own."""

from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

import fivedice as fd
from for_each import for_each
from support.book_strategies import TEXTS, load_or_refuse, mutated_books, tables, to_toml


def play_through(book: fd.RuleBook) -> None:
    """A book that is accepted can be played to its end, always with a legal box, and written down."""
    game = fd.Game.new(book, ["Ann", "Bob"], dice=fd.dice.real(), first=0)
    while not game.is_over:
        face = 1 + len(game.steps) % book.faces
        game.roll([face] * book.dice)
        legal = list(game.position.ruling().legal)
        assert legal
        game.mark(legal[len(game.steps) % len(legal)])
    assert fd.write_game(fd.read_game(fd.write_game(game), book)) == fd.write_game(game)


@pytest.mark.campaign
@settings(max_examples=300)
@given(mutated_books())
def test_mutated_books_are_playable_or_refused(text: str) -> None:
    book = load_or_refuse(text)
    if book is not None:
        play_through(book)


@pytest.mark.campaign
@settings(max_examples=300)
@given(tables)
def test_generated_books_are_playable_or_refused(values: dict[str, Any]) -> None:
    book = load_or_refuse("\n".join(f"{key} = {to_toml(value)}" for key, value in values.items()))
    if book is not None:
        play_through(book)


@given(st.text())
@example("a.b = 1\na = 2")
@example("x = 0x" + "f" * 5000)
@example("dice = [" * 900)
@example("key = \"a\"\nname = '''")
@example("# a line separator\u2028ends no line of TOML\na = 1\n[a")
def test_any_text_is_playable_or_refused(text: str) -> None:
    assert load_or_refuse(text) is None


@pytest.mark.campaign
def test_the_generator_makes_books_that_are_accepted() -> None:
    """A fuzzer whose every book is refused at the door would test nothing behind it."""
    accepted: list[fd.RuleBook] = []

    @settings(max_examples=300)
    @given(tables)
    def collect(values: dict[str, Any]) -> None:
        book = load_or_refuse("\n".join(f"{key} = {to_toml(value)}" for key, value in values.items()))
        accepted.extend([book] if book is not None else [])

    collect()
    assert len(accepted) > 60
    assert any(book.alike is not None for book in accepted)


@for_each("text", TEXTS, ids=fd.SHIPPED)
def test_unchanged_books_are_accepted(text: str) -> None:
    assert load_or_refuse(text) is not None
