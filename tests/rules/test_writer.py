"""A book written as TOML loads again as the same book, alone or as changes to a shipped one."""

import tomllib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import fivedice as fd
from fivedice.core.dice import rolls
from fivedice.core.rules.overlay import changes, extension, overlay
from fivedice.core.rules.patterns import Groups
from fivedice.core.rules.toml_writer import tables_of, write_tables
from for_each import for_each
from long import examples, few
from rules.houses import extend
from support.book_strategies import load_or_refuse, mutated_books, tables, to_toml
from support.books import COSMETIC, MORE_PLAY, PLAY

BOOKS = [fd.book(key) for key in fd.SHIPPED]


def standing_alone(book: fd.RuleBook) -> fd.RuleBook:
    return replace(book, extends=None)


def with_notes_in_order(book: fd.RuleBook) -> fd.RuleBook:
    """Ignore the order of notes: restated ones follow kept ones."""
    return replace(book, notes=tuple(sorted(book.notes, key=lambda note: note.key)))


@for_each("book", BOOKS, ids=lambda book: book.key)
def test_shipped_book_round_trip(book: fd.RuleBook) -> None:
    again = fd.load_book(fd.write_book(book))
    assert again == standing_alone(book)
    assert again.fingerprint == book.fingerprint


def test_book_without_a_bonus_and_with_fewer_notes_is_written() -> None:
    plain = replace(fd.book("yatzy"), key="plain", bonus=None)
    assert fd.load_book(fd.write_book(plain)) == standing_alone(plain)
    # The base's note must not return.
    base = tables_of(fd.book("yahtzee"))
    note = {"title": "Ties", "text": "They roll again."}
    wanted = base | {"notes": base["notes"] | {"start_ties": note}, "key": "ours"}
    assert changes(base, wanted)["notes"] == {"start_ties": note | {"ours": False, "about": "the game"}}


@pytest.mark.campaign
@settings(max_examples=examples(200))
@given(mutated_books())
def test_mutated_book_round_trip(text: str) -> None:
    book = load_or_refuse(text)
    if book is not None:
        assert fd.load_book(fd.write_book(book)) == standing_alone(book)


@pytest.mark.campaign
@settings(max_examples=examples(200))
@given(tables)
def test_generated_book_round_trip(raw: dict[str, Any]) -> None:
    book = load_or_refuse("\n".join(f"{key} = {to_toml(value)}" for key, value in raw.items()))
    if book is not None:
        again = fd.load_book(fd.write_book(book))
        assert again == standing_alone(book)
        assert again.fingerprint == book.fingerprint


@for_each("base", few(BOOKS, 2), ids=lambda book: book.key)
def test_any_book_can_be_written_as_changes_to_another(base: fd.RuleBook) -> None:
    for wanted in BOOKS:
        text = write_tables(extension(tables_of(base), tables_of(wanted) | {"key": "our-own", "variant": True}))
        again = fd.load_book(text)
        expected = replace(wanted, key="our-own", variant=True, extends=base.key)
        assert with_notes_in_order(again) == with_notes_in_order(expected)
        assert again.fingerprint == wanted.fingerprint


@pytest.mark.campaign
@settings(max_examples=examples(150))
@given(mutated_books(), st.sampled_from(BOOKS))
def test_mutated_book_can_be_written_as_changes(text: str, base: fd.RuleBook) -> None:
    book = load_or_refuse(text)
    if book is not None:
        wanted = tables_of(book) | {"key": "our-own"}
        again = fd.load_book(write_tables(extension(tables_of(base), wanted)))
        expected = replace(book, key="our-own", extends=base.key)
        assert with_notes_in_order(again) == with_notes_in_order(expected)


def test_small_change_makes_a_small_file() -> None:
    base = tables_of(fd.book("yahtzee"))
    wanted = tables_of(
        fd.load_book('extends = "yahtzee"\nkey = "ours"\nname = "Ours"\n[boxes.full_house]\npoints = 30')
    )
    assert write_tables(extension(base, wanted)).splitlines() == [
        'extends = "yahtzee"',
        'key = "ours"',
        'name = "Ours"',
        'summary = "Yahtzee with house rules."',
        "",
        "[boxes.full_house]",
        "points = 30",
    ]


def test_removed_parts_are_written_as_removed() -> None:
    base, plain = tables_of(fd.book("yahtzee")), tables_of(fd.book("yahtzee-plain"))
    assert changes(base, base) == {}
    assert changes(base, plain)["alike"] is False
    assert overlay(base, changes(base, plain)) | {"alike": 0} == plain | {"alike": 0}
    without = plain | {"boxes": {key: box for key, box in plain["boxes"].items() if key != "chance"}}
    assert changes(plain, without) == {"boxes": {"chance": False}}


@for_each("before", ["free", "sheet", "upper_first"])
@for_each("after", ["free", "sheet", "upper_first"])
def test_order_is_replaced(before: str, after: str) -> None:
    base, wanted = (tables_of(fd.load_book(f'extends = "yatzy"\norder = "{order}"')) for order in (before, after))
    again = fd.load_book(write_tables(overlay(base, changes(base, wanted))))
    assert again.order == after


MORE = (
    'bonuses.low = { name = "Low", boxes = ["sixes", "chance"], tiers = [{ from = 9, points = 1 }] }',
    'names.sv = { name = "Hus", boxes = { aces = "Ettor" }, sheet = { upper = "Upp" } }',
    'sheet = { upper = "Top", columns = 3 }',
    "colours = [[1, 2], [3]]",
    'boxes.chance = { pattern = "run", length = 2 }',
    'boxes.full_house = { pattern = "run", length = 3 }',
    'boxes.chance = { pattern = "both", first = { pattern = "parity" }, second = { pattern = "groups", sizes = [2] } }',
    "boxes.full_house.one_colour = true\ncolours = [[1, 2, 3], [4, 5, 6]]",
    "boxes.four_of_a_kind.same_face = true",
    "boxes.full_house.short = false",
    'boxes.new = { name = "New", code = "nw", section = "lower", pattern = "parity", points = 4 }',
    "bonus = false",
    "alike = false",
    'notes.ours = { title = "Ours", text = "We.", ours = true, about = "rolls" }',
)


@for_each("edit", [*COSMETIC, *PLAY, *MORE_PLAY, *MORE])
def test_change_is_written_and_reverted(edit: str) -> None:
    base = fd.book("yahtzee")
    ours = extend("yahtzee", edit)
    for one, other in ((base, ours), (ours, base)):
        answer = changes(tables_of(one), tables_of(other))
        again = fd.load_book(write_tables(overlay(tables_of(one), answer)))
        assert with_notes_in_order(again) == with_notes_in_order(standing_alone(other))
        assert tables_of(again).get("names") == tables_of(other).get("names")
    extended = fd.load_book(write_tables(extension(tables_of(base), tables_of(ours))))
    assert with_notes_in_order(extended) == with_notes_in_order(ours)


def test_short_form_and_same_face_are_written_only_where_needed() -> None:
    base = tables_of(fd.book("crag"))
    box = {"name": "Odd Straight", "pattern": "run", "length": 2, "points": 20}
    answer = changes(base, base | {"boxes": base["boxes"] | {"odd_straight": box}})
    assert answer["boxes"]["odd_straight"]["short"] is False
    boxes = tomllib.loads(fd.write_book(fd.book("yahtzee")))["boxes"]
    assert boxes["full_house"]["same_face"] is False
    assert "same_face" not in boxes["four_of_a_kind"]


def test_names_and_keys_are_escaped_only_where_needed() -> None:
    name = 'The "best"\\ XXL rules of Zoë № 5 🎲'
    book = replace(fd.book("yatzy"), key="ours", name=name, summary="= [x] # no comment")
    text = fd.write_book(book)
    assert tomllib.loads(text)["name"] == name
    assert fd.load_book(text) == book
    note = fd.rules.Note("über uns,\n und so", "Us", "We.", ours=False)
    book = replace(fd.book("yatzy"), key="ours", notes=(note,))
    text = fd.write_book(book)
    assert '[notes."über uns,\\U0000000A und so"]' in text
    assert fd.load_book(text) == book
    assert write_tables({"with-dash_1": 1, "two words": 2, "größe": 3}) == (
        'with-dash_1 = 1\n"two words" = 2\n"größe" = 3\n'
    )


@settings(max_examples=examples(100))
@given(st.lists(st.integers(1, 4), min_size=1, max_size=6).filter(lambda sizes: sum(sizes) <= 6), st.booleans())
def test_groups_are_read_in_their_best_way(sizes: list[int], same_face: bool) -> None:
    """Compared with every way to hand the dice out."""
    pattern = Groups(tuple(sorted(sizes, reverse=True)), same_face)
    for faces in rolls(6, 4):
        assert pattern.matching(faces.faces) == _every_way(faces.faces, sizes, same_face=same_face), faces


def _every_way(faces: tuple[int, ...], sizes: list[int], *, same_face: bool) -> int | None:
    best = None
    choices = [tuple(sorted(set(faces)))] * len(sizes)
    for way in _ways(choices):
        distinct = len(set(way)) == len(way)
        used = {face: sum(size for one, size in zip(way, sizes, strict=True) if one == face) for face in way}
        if (same_face or distinct) and all(faces.count(face) >= count for face, count in used.items()):
            best = max(best or 0, sum(face * size for face, size in zip(way, sizes, strict=True)))
    return best


def _ways(choices: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    ways: list[tuple[int, ...]] = [()]
    for some in choices:
        ways = [(*way, one) for way in ways for one in some]
    return ways


@for_each("key", ["plain", "with-dash_1", "größe", "two words", "a.b", 'a"b', ""])
def test_any_key_round_trip(key: str) -> None:
    assert tomllib.loads(write_tables({key: 1, "in": {key: {"deep": 2}}})) == {key: 1, "in": {key: {"deep": 2}}}
