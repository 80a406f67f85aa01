"""The shipped books: complete, bounded, explained."""

from importlib.resources import files

import pytest

import fivedice as fd
from fivedice.core.rules import Section, read_book, shipped
from fivedice.core.rules.catalog import extended_by, extending
from for_each import for_each

BOOKS = [fd.book(key) for key in fd.SHIPPED]
DOCUMENTS = ("yardzee", "yahtzee", "yatzy", "yahtzee-classic")


def test_shipped_keys_match_the_files_with_documents_first() -> None:
    found = {path.name for path in (files("fivedice.core.rules") / "books").iterdir()}
    assert found == {f"{key}.toml" for key in fd.SHIPPED}
    assert fd.SHIPPED[:4] == DOCUMENTS
    assert [book.variant for book in BOOKS] == [False] * 9 + [True] * 4


@for_each("book", BOOKS, ids=fd.SHIPPED)
def test_book_explains_itself(book: fd.RuleBook) -> None:
    assert book.summary
    assert book.source
    assert len(book.notes) >= 3
    for note in book.notes:
        assert note.title
        assert len(note.text) > 20
        assert note.text[-1] in ".!?"
    assert any(note.ours for note in book.notes) or book.variant
    assert repr(book) == f"<RuleBook {book.key!r}>"


@for_each("book", BOOKS, ids=fd.SHIPPED)
def test_box_is_found_by_key_code_and_name(book: fd.RuleBook) -> None:
    for box in book.boxes:
        assert book.box(box.key) is book.box(box.code) is book.box(box.name) is book.box(box.name.upper()) is box
        assert book.by_code[box.code] is box
    with pytest.raises(fd.IllegalError, match="has no box 'x'"):
        book.box("x")


@for_each("book", BOOKS, ids=fd.SHIPPED)
def test_upper_section_has_one_box_per_face(book: fd.RuleBook) -> None:
    upper = [box for box in book.boxes if box.section is Section.UPPER]
    assert [box.key for box in upper] == ["aces", "twos", "threes", "fours", "fives", "sixes"]
    assert book.upper == 0b111111
    assert book.face_boxes == (0, 1, 2, 4, 8, 16, 32)
    assert [box.code for box in upper] == ["1s", "2s", "3s", "4s", "5s", "6s"]


@for_each(
    ("key", "boxes", "bonus"),
    [
        ("yardzee", 13, (63, 35)),
        ("yahtzee", 13, (63, 35)),
        ("yatzy", 15, (63, 50)),
        ("maxi-yatzy", 20, (84, 100)),
        ("maxi-yatzy-plain", 20, (84, 100)),
        ("kniffel", 13, (63, 35)),
        ("kismet", 15, (63, 35)),
        ("yacht", 12, None),
        ("crag", 13, None),
    ],
)
def test_sizes_and_bonuses_of_shipped_books(key: str, boxes: int, bonus: tuple[int, int] | None) -> None:
    book = fd.book(key)
    assert len(book.boxes) == boxes
    assert (None if book.bonus is None else (book.bonus.threshold, book.bonus.points)) == bonus


def test_features_of_some_books() -> None:
    """Each said once, so that a line that is lost from a file is missed."""
    assert {book.key: (book.dice, book.rolls) for book in BOOKS if (book.dice, book.rolls) != (5, 3)} == {
        "crag": (3, 2),
        "maxi-yatzy": (6, 3),
        "maxi-yatzy-plain": (6, 3),
    }
    assert [book.key for book in BOOKS if book.save_rolls] == ["maxi-yatzy"]
    assert [book.key for book in BOOKS if book.colours] == ["kismet"]
    assert [book.key for book in BOOKS if book.alike and any(step.extra == 0 for step in book.alike.joker_steps)] == [
        "kniffel"
    ]


def test_book_without_saved_rolls_says_so() -> None:
    plain, saving = fd.book("maxi-yatzy-plain"), fd.book("maxi-yatzy")
    assert "without saved rolls" in plain.summary
    assert [note.text for note in plain.notes if note.about == "save_rolls"] == [
        "No rolls are saved here: every turn has its own three. Rules with saving are called Maxi Yatzy."
    ]
    assert "are saved for later turns" in saving.summary


@pytest.mark.parametrize("key", ["yahtzee", "yahtzee-plain", "yahtzee-free-choice"])
def test_zero_by_choice_scores_nothing(key: str) -> None:
    notes = {note.key: note for note in fd.book(key).notes}
    assert notes["zero"].ours
    assert "by choice" not in notes["scoring"].text
    game = fd.Game.new(key, ["Ann"], dice=fd.dice.scripted(["11335"]))
    game.roll()
    game.mark("aces")
    with pytest.raises(fd.IllegalError, match="scores 2"):
        fd.read_game(fd.write_game(game).replace("1s:2", "1s:0"))


def test_shipped_books_are_loaded_once_and_names_are_never_paths() -> None:
    assert fd.book("yahtzee") is fd.book("yahtzee") is fd.book(fd.book("yahtzee"))
    assert hash(fd.book("yahtzee")) == hash(fd.load_book('extends = "yahtzee"\nkey = "yahtzee"'))
    assert fd.book("yahtzee") != fd.book("yatzy")
    with pytest.raises(fd.UnknownBook):
        shipped("../books/yahtzee")


@for_each("key", fd.SHIPPED)
def test_files_can_be_read_as_house_rules(key: str) -> None:
    with_path = files("fivedice.core.rules") / "books" / f"{key}.toml"
    assert read_book(with_path) == fd.book(key)  # type: ignore[arg-type]


def test_jokers_lift_groups_and_straights_only() -> None:
    book = fd.book("yahtzee")
    worth = book.worth(fd.Roll.parse("44444"))
    lifted = {book.boxes[place].key for place, points in enumerate(worth.joker) if points > worth.plain[place]}
    assert lifted == {"full_house", "small_straight", "large_straight"}
    uneven = book.worth(fd.Roll.parse("44445"))
    assert uneven.joker is uneven.plain
    with pytest.raises(fd.IllegalError, match="Yahtzee uses 5 dice"):
        book.worth(fd.Roll.parse("4444"))
    ladder = 'alike = { box = "five_of_a_kind", ladder = [{ boxes = "any", worth = "joker" }] }'
    house = fd.load_book(f'extends = "yatzy"\n{ladder}')
    card = fd.Scorecard.of(house, {"five_of_a_kind": 50})
    assert card.options(fd.Roll.parse("22222"))["small_straight"].points == 15
    assert card.options(fd.Roll.parse("22222"))["full_house"].points == 10


def test_book_without_a_policy_closes_no_box() -> None:
    assert fd.book("yatzy").decide_alike(4, 1, face_open=True) is None
    assert fd.book("yatzy").alike_box == fd.book("yatzy").index["five_of_a_kind"]
    assert (
        fd.load_book(
            'key = "a"\nname = "A"\n[boxes.ch]\nname = "Chance"\ncode = "ch"\nsection = "lower"\n'
            'pattern = "anything"\npoints = "all"'
        ).alike_box
        is None
    )


@for_each(
    ("text", "key", "renamed"),
    [
        ('name = "A"\nextends = "yatzy"\n', "yatzy", 'name = "A"\nextends = "crag"\n'),
        ("extends='yatzy' # ours", "yatzy", "extends='crag' # ours"),
        ('key = "extends"', None, 'key = "extends"'),
    ],
)
def test_base_of_a_text_can_be_read_and_changed(text: str, key: str | None, renamed: str) -> None:
    assert extended_by(text) == key
    assert extending(text, "crag") == renamed
