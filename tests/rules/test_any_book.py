"""Public functions that take rules accept a key or a path as well as a `RuleBook`, and otherwise say what they take."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core import notation
from fivedice.core.game import Position
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import AnyBook, canonical_order, fingerprint
from fivedice.core.rules.book_facts import book_data, book_head, differences, facts, find_renamed, joker_rule
from fivedice.core.rules.catalog import PRESETS, apply, lines_for, preset, presets_for
from fivedice.drawing.paper import sheet_model

CARD = {"fours": 12}
TURN = "24466=ch:22"

CALLS: dict[str, Callable[[AnyBook], object]] = {
    "Scorecard": lambda book: fd.Scorecard(book, (None,) * 13),  # type: ignore[arg-type]
    "Scorecard.empty": fd.Scorecard.empty,
    "Scorecard.of": lambda book: fd.Scorecard.of(book, CARD),
    "Position.start": lambda book: Position.start(book, 2),
    "Game": lambda book: fd.Game(book, ("Ann",), 0, None, fd.dice.real()),
    "Game.new": lambda book: fd.Game.new(book, ["Ann"], dice=fd.dice.real()),
    "RollOff": lambda book: fd.RollOff(book, 2, ["12345"]),
    "RollOff.of": lambda book: fd.RollOff.of(book, 2, ["12345", "66666"]),
    "read_card": lambda book: notation.read_card("4s:12", book),
    "card_from_json": lambda book: notation.card_from_json({"marks": CARD}, book),
    "read_turn": lambda book: notation.read_turn(TURN, book),
    "write_turn": lambda book: notation.write_turn(notation.read_turn(TURN, "yahtzee"), book),
    "read_position": lambda book: fd.read_position("yahtzee 4s:12 0 24466 2", book),
    "position_from_json": lambda book: notation.position_from_json(
        notation.position_to_json(Position.start("yahtzee", 1)), book
    ),
    "write_book": fd.write_book,
    "fingerprint": fingerprint,
    "canonical_order": canonical_order,
    "facts": facts,
    "joker_rule": joker_rule,
    "book_head": book_head,
    "book_data": book_data,
    "differences": lambda book: differences("yatzy", book),
    "renamed": lambda book: find_renamed("yatzy", book),
    "presets_for": presets_for,
    "apply": lambda book: apply(preset(PRESETS[0]), book),
    "lines_for": lambda book: lines_for(preset(PRESETS[0]), book),
    "rule_table": rule_table,
    "sheet_model": lambda book: sheet_model(book, players=2),
}


@pytest.mark.parametrize("name", CALLS)
def test_key_and_path_are_accepted_like_the_book(name: str, tmp_path: Path) -> None:
    book, path = fd.book("yahtzee"), tmp_path / "yahtzee.toml"
    path.write_text(fd.write_book(book), encoding="utf-8")
    assert CALLS[name]("yahtzee") == CALLS[name](path) == CALLS[name](book)


@pytest.mark.parametrize("name", CALLS)
def test_other_values_are_refused_with_the_accepted_types(name: str) -> None:
    with pytest.raises(fd.MalformedError, match="Give rules by their key, such as 'yatzy'"):
        CALLS[name](42)  # type: ignore[arg-type]
    with pytest.raises(fd.UnknownBook, match="kniffel"):
        CALLS[name]("kniffle")


PACKAGES = ("core.dice", "core.rules", "core.game", "core.notation", "drawing.paper")


def _public_signatures() -> Iterator[tuple[str, inspect.Signature]]:
    for home in ("fivedice", *(f"fivedice.{each}" for each in PACKAGES)):
        module = import_module(home)
        for name in module.__all__:
            value = getattr(module, name)
            parts = vars(value).values() if _is_class(value) else ()
            makers = [part.__func__ for part in parts if isinstance(part, classmethod)]
            for each in (value, *makers):
                if inspect.isfunction(each) or _is_class(each):
                    yield f"{home}.{each.__qualname__}", inspect.signature(each)


def _is_class(value: object) -> bool:
    return inspect.isclass(value) and value.__module__.startswith("fivedice.")


def test_no_public_function_takes_a_rule_book_only() -> None:
    converted = {"fivedice.Scorecard", "fivedice.core.game.Scorecard"}  # by the dataclass itself
    asking = {
        name
        for name, signature in _public_signatures()
        for parameter in signature.parameters.values()
        if parameter.name == "book" and parameter.annotation == "RuleBook"
    }
    assert asking - converted == set()
