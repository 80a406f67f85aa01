"""Stored house rules: one copy, unchanged, listed for those who saved them."""

import pytest

from fivedice.store.house_rules_store import MOST_KEPT
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.house_rules_text import LONGEST_TEXT, BadBook, house_id, read_rules, tidy
from fivedice.table.service import Tables

OURS = 'extends = "yatzy"\nname = "Ours"\n[boxes.full_house]\npoints = 30\n'


def test_equal_texts_are_one_book(store: Store) -> None:
    first = store.shelf.save(OURS, "ann")
    assert store.shelf.save("\ufeff\n" + OURS.replace("\n", "\r\n") + "\r\n", "bob") == first
    assert store.shelf.text(first) == OURS
    assert store.shelf.names([first, "nothing"]) == {first: "Ours"}
    assert house_id(f"\n{OURS}") == first
    assert store.shelf.save(OURS.replace("30", "31"), "ann") != first


def test_own_rules_are_listed_newest_first(store: Store) -> None:
    other = store.shelf.save(OURS.replace("Ours", "Other"), "ann")
    ours = store.shelf.save(OURS, "ann")
    assert [book.name for book in store.shelf.of("ann").values()] == ["Ours", "Other"]
    store.shelf.save(OURS.replace("Ours", "Other"), "ann")
    assert list(store.shelf.of("ann")) == [other, ours], "brought again, it is the newest"
    assert store.shelf.of("bob") == {}
    store.shelf.forget("ann", other)
    assert list(store.shelf.of("ann")) == [ours]
    assert store.shelf.text(other) is not None, "the link works as before"


def test_list_of_rules_is_bounded(store: Store) -> None:
    keys = [store.shelf.save(OURS.replace("Ours", f"Ours {number}"), "ann") for number in range(MOST_KEPT + 2)]
    assert list(store.shelf.of("ann")) == keys[:1:-1]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (OURS.replace("30", "0"), 4, "'boxes.full_house.points' must be from 1 to 1000. It is 0."),
        (OURS.replace("yatzy", "jatzy"), 1, "There are no rules 'jatzy'. Did you mean 'yatzy'?"),
        ("name = ", 1, "This is not TOML: Invalid value"),
        (
            "#" * (LONGEST_TEXT + 1),
            None,
            f"The file has {LONGEST_TEXT + 2} characters. Rules may have at most {LONGEST_TEXT}.",
        ),
        (f"{OURS}# \ud800", None, "The text has incomplete characters"),
    ],
    ids=["bounds", "unknown book", "no TOML", "too long", "half a character"],
)
def test_unplayable_text_is_refused_and_not_stored(store: Store, text: str, line: int | None, reason: str) -> None:
    with pytest.raises(BadBook) as refused:
        store.shelf.save(text, "ann")
    assert refused.value.details["line"] == line
    assert refused.value.details["reason"].startswith(reason)
    if line is not None:
        assert refused.value.details["text"] == tidy(text).split("\n")[line - 1]
    assert store.shelf.text(house_id(text)) is None
    assert store.shelf.of("ann") == {}


def test_errors_carry_their_known_place() -> None:
    with pytest.raises(BadBook) as refused:
        read_rules('name = "Ours"\nrolls = three\n')
    assert refused.value.details["column"] == 9
    with pytest.raises(BadBook) as refused:
        read_rules(OURS.replace("30", '"many"'))
    assert refused.value.details["path"] == "boxes.full_house.points"


def test_tables_open_by_rules_address_and_store_their_rules(store: Store) -> None:
    tables = Tables(store)
    key = store.shelf.save(OURS, "ann")
    table = tables.open("ann", key, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
    assert tables.state(table).rules == OURS
    assert tables.state(table).book.name == "Ours"
    assert [(entry.book, entry.house) for entry in store.own_tables.of("ann")] == [(key, "Ours")]
    # Rules that come with a table are stored for everyone there, but on no one's own list.
    other = OURS.replace("30", "31")
    Tables(store).open("bob", "", rules=other)
    assert store.shelf.names([house_id(other)]) == {house_id(other): "Ours"}
    assert store.shelf.of("bob") == {}
