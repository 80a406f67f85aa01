"""The short form of a box: data of the book, for a narrow column."""

import pytest

import fivedice as fd
from for_each import for_each

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
