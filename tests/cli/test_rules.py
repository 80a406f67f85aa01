"""`fivedice rules`, `rules diff`, `rules check`."""

import pytest

import fivedice as fd

HOUSE = """
extends = "yahtzee"
name = "Our Yahtzee"

[bonus]
points = 50

[boxes.full_house]
same_face = true
"""


def test_list_of_shipped_books_as_text_and_json(fivedice, fivedice_json) -> None:
    code, out, _ = fivedice("rules")
    assert code == 0
    assert all(key in out for key in fd.SHIPPED)
    books = fivedice_json("rules")["books"]
    assert [book["key"] for book in books] == list(fd.SHIPPED)
    assert set(books[0]) == {"key", "name", "summary", "variant", "box_count", "fingerprint"}


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_book_lists_every_box_and_marks_interpretations(fivedice, key):
    code, out, _ = fivedice("rules", key)
    book = fd.book(key)
    assert code == 0
    assert all(box.name in out for box in book.boxes)
    assert ("(our reading)" in out) == any(note.ours for note in book.notes)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_book_as_json(fivedice_json, key):
    shown = fivedice_json("rules", key)
    assert [(box["key"], box["code"]) for box in shown["boxes"]] == [(box.key, box.code) for box in fd.book(key).boxes]
    assert shown["fingerprint"] == fd.book(key).fingerprint
    assert [(note["key"], note["ours"]) for note in shown["notes"]] == [(n.key, n.ours) for n in fd.book(key).notes]


def test_small_book_as_json(fivedice_json, tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(
        'key = "small"\nname = "Small"\nsummary = "Two boxes."\nsource = "My aunt."\n'
        "dice = 2\nfaces = 4\nrolls = 1\n"
        '[boxes.fours]\nname = "Fours"\ncode = "4s"\nsection = "upper"\npattern = "face"\nface = 4\n'
        'points = "matching"\n'
        '[boxes.any]\nname = "Any"\ncode = "an"\nsection = "lower"\npattern = "anything"\npoints = 7\n'
        '[notes.ties]\ntitle = "Ties"\ntext = "They roll again."\nours = true\n'
    )
    shown = fivedice_json("rules", str(file))
    assert shown == {
        "key": "small",
        "name": "Small",
        "summary": "Two boxes.",
        "variant": True,
        "box_count": 2,
        "fingerprint": fd.book(file).fingerprint,
        "dice": 2,
        "faces": 4,
        "rolls": 1,
        "source": "My aunt.",
        "facts": {
            "Dice": "2 dice, each 1 to 4.",
            "Rolls": "1 roll per turn.",
            "Order of boxes": "Any open box, in any order.",
            "Start": "The first player is drawn by lot.",
            "Upper bonus": "None.",
            "Further bonuses": "None.",
            "What another five of a kind pays": "Nothing extra.",
            "Where another five of a kind scores": "In any open box, like any other roll.",
        },
        "boxes": [
            {
                "key": "fours",
                "name": "Fours",
                "code": "4s",
                "section": "upper",
                "rule": "Any dice showing 4: their total.",
            },
            {"key": "any", "name": "Any", "code": "an", "section": "lower", "rule": "Any dice: 7 points."},
        ],
        "notes": [{"key": "ties", "title": "Ties", "text": "They roll again.", "ours": True}],
    }


def test_diff_lists_differences_in_words(fivedice_json, fivedice) -> None:
    shown = fivedice_json("rules", "diff", "yahtzee", "yardzee")
    topics = {row["topic"]: row for row in shown["differences"]}
    assert set(topics) == {"Start", "Where another five of a kind scores"}
    assert "as a joker" in topics["Where another five of a kind scores"]["first"]
    assert "as a joker" not in topics["Where another five of a kind scores"]["second"]
    assert shown["renamed"] == [{"topic": "five_of_a_kind", "first": "YAHTZEE", "second": "Yardzee"}]
    code, out, _ = fivedice("rules", "diff", "yatzy", "maxi-yatzy")
    assert code == 0
    assert "6 dice" in out
    assert "No such box" in out
    assert "Yatzy / " not in out  # five_of_a_kind is another box there, not another name
    assert "Big Straight / Large Straight" in out
    assert "play the same" in fivedice("rules", "diff", "yatzy", "yatzy")[1]


def test_check_accepts_house_rules_and_lists_differences(fivedice, tmp_path):
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    code, out, err = fivedice("rules", "check", str(file))
    assert (code, err) == (0, "")
    assert "is fine: Our Yahtzee (yahtzee-house), 13 boxes" in out
    assert "50 points" in out
    assert "any numbers" in out


def test_check_as_json(fivedice_json, tmp_path):
    file = tmp_path / "house.toml"
    file.write_text(HOUSE)
    shown = fivedice_json("rules", "check", str(file))
    assert shown == {
        "ok": True,
        "key": "yahtzee-house",
        "name": "Our Yahtzee",
        "fingerprint": fd.book(file).fingerprint,
    }


def test_check_accepts_whole_books_and_locates_mistakes(fivedice, tmp_path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(
        'key = "tiny"\nname = "Tiny"\ndice = 1\n[boxes.any]\nname = "Any"\ncode = "an"\n'
        'section = "lower"\npattern = "anything"\npoints = "all"\n'
    )
    assert "is fine: Tiny (tiny), 1 box." in fivedice("rules", "check", str(file))[1]
    file = tmp_path / "house.toml"
    file.write_text(HOUSE.replace("same_face", "same_fac"))
    code, out, err = fivedice("rules", "check", str(file))
    assert (code, out) == (2, "")
    assert f"{file}, line 9: 'boxes.full_house.same_fac' is not a known key. Did you mean 'same_face'?" in err
    code, _, err = fivedice("rules", "check", str(tmp_path / "none.toml"))
    assert code == 2
    assert "none.toml: The file cannot be read: No such file or directory" in err


@pytest.mark.parametrize("arguments", [["rules", "yahtze"], ["rules", "diff", "yatzy", "yazty"]])
def test_unknown_book_is_quoted_with_the_nearest(fivedice, arguments):
    code, _, err = fivedice(*arguments)
    assert code == 2
    assert repr(arguments[-1]) in err
    assert "Did you mean" in err


def test_book_is_written_as_a_file(fivedice, tmp_path):
    code, out, _ = fivedice("rules", "yatzy-forced", "--toml")
    assert code == 0
    book = fd.load_book(out)
    assert book.fingerprint == fd.book("yatzy-forced").fingerprint
    assert book.extends is None, "it stands alone"
    file = tmp_path / "house.toml"
    file.write_text(out.replace('key = "yatzy-forced"', 'key = "ours"'), encoding="utf-8")
    assert fivedice("rules", "check", str(file))[0] == 0


def test_markup_in_book_names_is_shown_literally(fivedice, tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(
        'extends = "yahtzee"\nname = "[/red]"\n\n[boxes.chance]\nname = "[/x]"\n\n[sheet]\nextra = "[/y]"\n'
    )
    for command in (("rules", str(file)), ("score", str(file), "44444", "--card", "4s:12,yz:50"), ("demo", str(file))):
        code, out, err = fivedice(*command)
        assert (code, err) == (0, ""), command
        assert "[/red]" in out
