"""Names in other languages: they change only what people read."""

import pytest

import fivedice as fd
from fivedice.core.game import sheet_lines
from fivedice.core.rules.names import own_names
from fivedice.core.rules.overlay import extension, overlay
from fivedice.core.rules.toml_writer import tables_of
from fivedice.text import name_of, using
from for_each import for_each
from rules.houses import CHANCE, extend, face_box, load, text

SWEDISH = (
    "[names.sv]",
    'name = "Hus"',
    'boxes.aces = "Ettor"',
    'sheet.upper = "Övre delen"',
    "[names.de.boxes]",
    'aces = "Einser"',
    'chance = "Chance!"',
)
HOUSE = load(face_box(1), CHANCE, *SWEDISH)


def test_names_follow_the_language_of_the_reader() -> None:
    lines = sheet_lines(fd.Scorecard.empty(HOUSE))
    with using("sv"):
        assert (name_of(HOUSE), name_of(HOUSE.box("aces")), name_of(HOUSE.box("chance"))) == ("Hus", "Ettor", "Chance")
        assert [name_of(line) for line in lines[:2]] == ["Övre delen", "Ettor"]
        assert name_of(HOUSE.sheet.label("lower")) == "Nedre delen", "a default name, which is ours"
        assert fd.Scorecard.of(HOUSE, {"aces": 3}).ruling(fd.Roll.parse("11234")).closed == {
            "aces": "Ettor har redan 3."
        }
    with using("de"):
        assert [name_of(box) for box in HOUSE.boxes] == ["Einser", "Chance!"]
    assert [name_of(box) for box in HOUSE.boxes] == [box.name for box in HOUSE.boxes] == ["Aces", "Chance"]


def test_translated_names_are_written_extended_and_dropped() -> None:
    plain = load(face_box(1), CHANCE)
    assert plain == HOUSE
    assert (plain.fingerprint, hash(plain)) == (HOUSE.fingerprint, hash(HOUSE))
    with pytest.raises(fd.IllegalError):
        HOUSE.box("Ettor")
    again = fd.load_book(fd.write_book(HOUSE))
    assert tables_of(again) == tables_of(HOUSE)
    assert tables_of(HOUSE)["names"] == {
        "sv": {"name": "Hus", "boxes": {"aces": "Ettor"}, "sheet": {"upper": "Övre delen"}},
        "de": {"boxes": {"aces": "Einser", "chance": "Chance!"}},
    }
    assert "names" not in tables_of(fd.book("yahtzee"))
    ours = extend("yahtzee", '[names.sv.boxes]\naces = "Ettor"')
    assert own_names(ours.box("aces").names) == {"sv": "Ettor"}
    base, wanted = tables_of(fd.book("yahtzee")), tables_of(ours)
    assert extension(base, wanted)["names"] == {"sv": {"boxes": {"aces": "Ettor"}}}
    base = tables_of(HOUSE)
    assert overlay(base, {"boxes": {"aces": {"points": 5}}})["names"]["sv"]["boxes"] == {"aces": "Ettor"}
    changed = overlay(base, {"boxes": {"aces": {"name": "Ones"}, "chance": False}, "sheet": {"upper": "Top"}})
    assert changed["names"] == {language: {"boxes": {}, "short": {}, "sheet": {}} for language in ("sv", "de")}
    restated = overlay(base, {"boxes": {"aces": {"name": "Ones"}}, "names": {"sv": {"boxes": {"aces": "1:or"}}}})
    assert restated["names"]["sv"]["boxes"] == {"aces": "1:or"}
    assert "sv" not in overlay(base, {"names": {"sv": False}})["names"]
    assert overlay(base, {"boxes": 3})["names"]["sv"]["boxes"] == {}


@for_each(
    ("lines", "sentence"),
    [
        (['[names.sv.boxes]\nnines = "Nior"'], "'names.sv.boxes.nines' is not a known key."),
        (['[names.sv.sheet]\ntop = "Upp"'], "'names.sv.sheet.top' is not a known key."),
        (['[names.sv]\nkey = "x"'], "'names.sv.key' is not a known key."),
        (['[names.sv]\nname = ""'], "'names.sv.name' must be one line of 1 to 80 characters. It is ''."),
        ([f'[names.sv.boxes]\naces = "{"x" * 41}"'], "'names.sv.boxes.aces' must be one line of 1 to 40 characters."),
        (['[names.Swedish]\nname = "x"'], "Names are given per language, such as [names.sv]."),
        (["[names]\nsv = 3"], "'names.sv' must be a table. It is 3."),
    ],
)
def test_names_are_bounded_and_known(lines: list[str], sentence: str) -> None:
    with pytest.raises(fd.BookError) as caught:
        fd.load_book(text(face_box(1), *lines))
    assert sentence in caught.value.reason


def test_number_of_languages_is_bounded() -> None:
    languages = [f'[names.a{letter}{other}]\nname = "x"' for letter in "abcdefghij" for other in "abcde"]
    assert len(load(face_box(1), *languages).names) == 50
    source = text(face_box(1), *languages, '[names.sv]\nname = "x"')
    with pytest.raises(fd.BookError, match="at most 50 languages") as caught:
        fd.load_book(source)
    assert (caught.value.path, caught.value.line) == (("names",), source.split("\n").index("[names.aaa]") + 1)


# Names in any writing


JOINED = {
    "people joined to a family": "👨\u200d👩\u200d👧 Yatzy",
    "the flag of a region": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f Yatzy",
    "Persian": "\u0645\u06cc\u200c\u0634\u0648\u062f",
}


@for_each("name", JOINED.values(), ids=JOINED)
def test_book_names_follow_the_rules_for_player_names(name: str) -> None:
    assert fd.Game.new("yatzy", [name]).players == (name,)
    ours = extend("yatzy", f'name = "{name}"', f'summary = "{name}"', "[boxes.chance]", f'name = "{name}"')
    assert (ours.name, ours.summary, ours.box(name).key) == (name, name, "chance")
    again = fd.load_book(fd.write_book(ours))
    assert (again.name, again.summary, again.boxes) == (name, name, ours.boxes)


OURS = 'extends = "yahtzee"\nkey = "ours"\nname = "Ours"\n[boxes.full_house]\n'


def short(text: str) -> str:
    return fd.load_book(OURS + text).box("full_house").short_label.name


@for_each("key", fd.SHIPPED)
def test_every_shipped_box_fits_a_narrow_column(key: str) -> None:
    labels = [box.short_label.name for box in fd.book(key).boxes]
    assert all(1 <= len(label) <= 8 for label in labels)
    assert len(set(labels)) == len(labels), "and none means two"


@for_each(
    ("text", "label"),
    [
        ("points = 30", "Full"),  # inherited
        ('short = "Haus"', "Haus"),
        ('name = "Grandmother\'s house"', "fh"),  # a new name drops the short form of the old one
        ('name = "House"', "House"),  # and is short enough itself
        ('name = "Our home"', "Our home"),  # eight letters
        ('name = "Our house"', "fh"),  # nine
        ("short = false", "fh"),
    ],
)
def test_default_short_form_comes_from_the_name(text: str, label: str) -> None:
    assert short(text) == label


@for_each("text", ['name = "House"', "short = false"])
def test_missing_short_form_is_empty(text: str) -> None:
    assert fd.load_book(OURS + text).box("full_house").short == ""


def test_short_forms_do_not_change_the_fingerprint() -> None:
    assert fd.load_book(OURS + 'short = "Haus"').fingerprint == fd.book("yahtzee").fingerprint


@for_each("value", ['"much too long"', '""', "7", "true"])
def test_invalid_short_form_is_refused(value: str) -> None:
    with pytest.raises(fd.BookError, match="short"):
        short(f"short = {value}")
