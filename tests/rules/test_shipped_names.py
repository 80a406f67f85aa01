"""Names of the shipped books in every language: complete, short enough, and kept by rules that extend them."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import product

import pytest

import fivedice as fd
from fivedice.core.game.card import layout
from fivedice.core.rules import RuleBook
from fivedice.core.rules.book_tables import LONGEST_LABEL
from fivedice.core.rules.names import LONGEST_SHORT, name_languages, own_names, read_language
from fivedice.core.rules.rule_book import SHEET_LINES
from fivedice.core.rules.toml_writer import tables_of
from fivedice.text import name_of, using
from for_each import for_each
from rules.houses import extend

LANGUAGES = ("da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt-BR", "sv")
# Names that are the same in every language: those of games, of their box for all dice the same, and of bridge.
PROPER = {"Yahtzee", "YAHTZEE", "Yardzee", "Yatzy", "Kniffel", "Kismet", "Yacht", "Crag", "Maxi Yatzy", "Yarborough"}
NEUTRAL = {"3×", "4×", "5×", "1\N{EN DASH}6", "Maxi", "Yarb."}  # short forms without a word of one language
PLACES = sorted(product(fd.SHIPPED, LANGUAGES))


def lines_of(book: RuleBook) -> Iterator[tuple[str, object]]:
    """Yield everything that has a name, with its own name."""
    yield book.name, book
    yield from ((box.name, box) for box in book.boxes)
    yield from ((getattr(book.sheet, line), book.sheet.label(line)) for line in SHEET_LINES)
    if book.alike is not None:
        yield book.alike.name, book.alike


def test_all_languages_are_there() -> None:
    assert name_languages() == LANGUAGES


@for_each(("key", "language"), PLACES)
def test_everything_has_a_name(key: str, language: str) -> None:
    for own, named in lines_of(fd.book(key)):
        name = named.names.get(language)  # type: ignore[attr-defined]
        assert name or own in PROPER, f"{own!r} of {key} has no name"
        assert name is None or (name == name.strip() and 1 <= len(name) <= LONGEST_LABEL)


@for_each(("key", "language"), PLACES)
def test_no_two_boxes_have_the_same_name(key: str, language: str) -> None:
    book = fd.book(key)
    with using(language):
        names, shorts = [name_of(box) for box in book.boxes], [name_of(box.short_label) for box in book.boxes]
        labels = [name_of(book.labels[role]) for _, _, role in layout(book) if role in book.labels]
    assert len(set(names)) == len(names)
    assert len({label.casefold() for label in labels}) == len(labels), "nor two lines of a sheet"
    assert len(set(shorts)) == len(shorts), shorts
    assert all(1 <= len(short) <= LONGEST_SHORT for short in shorts), shorts
    for box, name, short in zip(book.boxes, names, shorts, strict=True):
        own = {box.shorts.get(language), name} if language in tuple(box.short_label.names) else {short}
        assert short in own | NEUTRAL, f"{name!r} needs a short form"


def test_kniffel_is_german_by_itself() -> None:
    book = fd.book("kniffel")
    with using("de"):
        assert all(name_of(named) == own for own, named in lines_of(book))


def test_games_have_names_of_their_own() -> None:
    with using("de"):
        assert name_of(fd.book("kniffel").box("3k")) == "Dreierpasch"
        assert name_of(fd.book("yatzy").box("3k")) == name_of(fd.book("yatzy-forced").box("3k")) == "Drilling"
    with using("fi"):
        assert name_of(fd.book("yatzy-forced")) == "Pakkoyatzy"
    with using("sv"):
        assert [name_of(fd.book("maxi-yatzy-plain").box(code)) for code in ("vi", "to")] == ["Hus", "Torn"]
        assert name_of(fd.book("yatzy").sheet.label("grand_total")) == "Totalsumma"


def test_unused_names_are_not_kept() -> None:
    """Every line of a language names something."""
    boxes = {box.key for key in fd.SHIPPED for box in fd.book(key).boxes}
    for language in LANGUAGES:
        tables = read_language(language)
        assert set(tables) == {"rule", "boxes", "short", "sheet", "books"}
        assert set(tables["boxes"]) <= boxes
        assert set(tables["short"]) <= set(tables["boxes"])
        assert set(tables["sheet"]) == set(SHEET_LINES)
        for key, own in tables["books"].items():
            assert set(own) <= {"name", "rule", "boxes", "short", "sheet"}
            assert set(own.get("boxes", {})) | set(own.get("short", {})) <= set(fd.book(key).index)


HOUSE = """
name = "Sommarhuset"
[boxes.full_house]
name = "Grandma's house"
[boxes.chance]
points = 30
[boxes.grandpa]
name = "Grandpa"
code = "gp"
section = "lower"
pattern = "anything"
points = "all"
[sheet]
upper = "Upstairs"
"""


def test_house_rules_keep_the_names_that_the_family_did_not_change() -> None:
    ours = extend("yatzy", HOUSE)
    with using("sv"):
        assert name_of(ours) == "Sommarhuset"
        shown = {box.key: name_of(box) for box in ours.boxes}
        assert (shown["aces"], shown["small_straight"], shown["chance"]) == ("Ettor", "Liten stege", "Chans")
        assert (shown["full_house"], shown["grandpa"]) == ("Grandma's house", "Grandpa")
        assert name_of(ours.box("full_house").short_label) == "fh", "nor has the new name the short form of the old one"
        assert name_of(ours.box("small_straight").short_label) == "Liten"
        assert [name_of(ours.sheet.label(line)) for line in ("upper", "lower")] == ["Upstairs", "Nedre delen"]
    assert ours.fingerprint == fd.load_book(ours.text).fingerprint
    assert "names" not in tables_of(ours)


def test_names_of_a_family_come_before_ours() -> None:
    ours = extend("yahtzee", '[names.sv]\nboxes.small_straight = "Lilltrappan"\nshort.chance = "Chansen"')
    with using("sv"):
        assert name_of(ours.box("small_straight")) == "Lilltrappan"
        assert name_of(ours.box("small_straight").short_label) == "Small", "not the form of Liten stege"
        assert name_of(ours.box("chance").short_label) == "Chansen"
        assert name_of(ours.box("large_straight").short_label) == "Stor"
    assert tables_of(ours)["names"] == {
        "sv": {"boxes": {"small_straight": "Lilltrappan"}, "short": {"chance": "Chansen"}}
    }
    assert tables_of(fd.load_book(ours.text)) == tables_of(ours)


def test_rules_of_a_family_without_a_base_have_its_names_alone() -> None:
    ours = fd.load_book(
        'key = "ours"\nname = "Ours"\n[boxes.chance]\nname = "Chance"\ncode = "ch"\nsection = "lower"\n'
        'pattern = "anything"\npoints = "all"\n[sheet]\nupper = "Upper section"'
    )
    with using("sv"):
        assert name_of(ours.box("chance")) == "Chance"
        assert name_of(ours.sheet.label("upper")) == "Upper section"
        assert name_of(ours.sheet.label("lower")) == "Nedre delen", "a default name, which the family did not write"


def test_names_change_neither_play_nor_equality() -> None:
    book = fd.book("yatzy")
    assert dict(book.box("chance").names) == {
        language: read_language(language)["boxes"]["chance"] for language in LANGUAGES
    }
    assert len(book.box("chance").names) == len(LANGUAGES)
    assert own_names(book.box("chance").names) == {}
    with pytest.raises(KeyError):
        book.box("chance").names["la"]
    assert fd.load_book(fd.write_book(book)) == book


def test_languages_are_read_when_they_are_asked_for() -> None:
    code = (
        "import fivedice as fd; from fivedice.text import name_of, using; from fivedice.core.rules import names;"
        "[str(fd.book(key).box('ch' if key not in ('kismet', 'crag') else '1s').short_label) for key in fd.SHIPPED];"
        "print(names.read_language.cache_info().currsize, end=' ');"
        "book, swedish = fd.book('yatzy'), using('sv'); swedish.__enter__(); print(name_of(book.box('ch')), end=' ');"
        "print(names.read_language.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "Chans", "1"]
