"""Tables, house rules and best scores made with rules that were renamed keep those rules.

`maxi-yatzy` meant the rules without saved rolls, which are called `maxi-yatzy-plain` now.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256

import pytest
from sqlalchemy import Engine, insert, select, update

import fivedice as fd
from fivedice.core.rules import RENAMED
from fivedice.store import schema
from fivedice.store.backups.integrity import check_everything
from fivedice.store.database import migrate
from fivedice.store.migrations import downgrade
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.house_rules_text import BadBook, house_book, house_id, tidy
from fivedice.table.service import Tables
from fivedice.table.state import TableState, fold_events
from for_each import for_each

THEN, NOW = "maxi-yatzy", "maxi-yatzy-plain"
PLAIN, SAVING = fd.book(NOW), fd.book(THEN)
HOUSE = f'extends = "{THEN}"\nkey = "ours"\nname = "Ours"\nrolls = 4\n'
HOUSE_THEN = fd.load_book(HOUSE.replace(THEN, NOW))  # what the text meant
HOUSE_NOW = fd.load_book(HOUSE)


def address_then(text: str) -> str:
    """As it was made: from the text alone."""
    return urlsafe_b64encode(sha256(tidy(text).encode()).digest()[:15]).decode()


def store_old_rules(store: Store, text: str = HOUSE) -> str:
    """A house book as an earlier version has kept it."""
    row = {"id": address_then(text), "text": text, "name": "Ours", "created": "2024-02-29"}
    store.write(lambda connection: connection.execute(insert(schema.books).values(**row)))
    brought = {"player": "ann", "book_id": row["id"], "saved": "2024-02-29"}
    store.write(lambda connection: connection.execute(insert(schema.shelves).values(**brought)))
    return row["id"]


def old_log(book: str, fingerprint: str | None, rules: str | None = None) -> TableState:
    return fold_events(TableState("T"), [ev.Opened(book, "ann", fingerprint=fingerprint, rules=rules)])


def test_keys_that_changed_their_meaning() -> None:
    assert RENAMED == {THEN: NOW}
    assert (SAVING.save_rolls, PLAIN.save_rolls) == (True, False)


# Logs


@for_each("fingerprint", [PLAIN.fingerprint, None])
def test_log_is_played_by_the_rules_of_its_time(fingerprint: str | None) -> None:
    """One without a fingerprint is older than the change."""
    state = old_log(THEN, fingerprint)
    assert state.book is PLAIN
    assert state.shelf_key == NOW


def test_current_logs_use_current_rules() -> None:
    assert old_log(THEN, SAVING.fingerprint).book is SAVING
    assert old_log(NOW, PLAIN.fingerprint).book is PLAIN
    assert old_log("yatzy", None).book is fd.book("yatzy")
    state = old_log("ours", HOUSE_NOW.fingerprint, HOUSE)
    assert (state.book, state.rules) == (HOUSE_NOW, HOUSE)
    assert state.shelf_key == house_id(HOUSE) != address_then(HOUSE)


@for_each("fingerprint", [HOUSE_THEN.fingerprint, None])
def test_house_rules_in_an_old_log_keep_their_base(fingerprint: str | None) -> None:
    state = old_log("ours", fingerprint, HOUSE)
    assert (state.book, state.book.extends) == (HOUSE_THEN, NOW)
    assert state.rules == HOUSE.replace(THEN, NOW), "and say so"
    assert state.shelf_key == address_then(HOUSE)


def play(tables: Tables, table: str) -> None:
    for box in ("chance", "sixes"):
        tables.execute(table, cmd.RollDice("ann"), version=tables.state(table).version)
        tables.execute(table, cmd.FillBox("ann", box), version=tables.state(table).version)


@pytest.mark.parametrize("fingerprint", ["kept", "missing"])
def test_stored_table_continues_without_saved_rolls(store: Store, fingerprint: str) -> None:
    """The log of a game that was begun by an earlier version, with the key that its book had then."""
    table = Tables(store).open("ann", NOW, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")], seed="1")

    def as_then(connection) -> None:  # type: ignore[no-untyped-def]
        log = schema.events
        first = (log.c.table_id == table, log.c.version == 1)
        data = connection.execute(select(log.c.data).where(*first)).scalar_one() | {"book": THEN}
        if fingerprint == "missing":
            del data["fingerprint"]
        connection.execute(update(log).where(*first).values(data=data))

    store.write(as_then)
    tables = Tables(store)
    play(tables, table)
    state = tables.state(table)
    assert state.book is PLAIN
    assert (state.running.position.rolls_left, state.running.position.card.saved) == (3, 0)
    with store._engine.connect() as connection:
        assert check_everything(connection).tables == 1


# Stored house rules


def test_stored_house_rules_keep_rules_and_address(store: Store) -> None:
    address = store_old_rules(store)
    assert store.shelf.text(address) == HOUSE.replace(THEN, NOW)
    assert store.shelf.of("ann") == {address: HOUSE_THEN}
    assert store.shelf.save(store.shelf.text(address) or "", "bob") == address, "kept by another person too"
    table = Tables(store).open("ann", address)
    assert Tables(store).state(table).book == HOUSE_THEN
    assert Tables(store).state(table).shelf_key == address


def test_same_text_now_is_another_book_and_old_rules_the_old_one(store: Store) -> None:
    then, now = store_old_rules(store), store.shelf.save(HOUSE, "ann")
    assert then != now
    assert store.shelf.of("ann") == {now: HOUSE_NOW, then: HOUSE_THEN}
    table = Tables(store).open("ann", "ours", rules=HOUSE)
    state = Tables(store).state(table)
    assert (state.book, state.shelf_key, state.rules) == (HOUSE_NOW, now, HOUSE)
    now = store.shelf.save(HOUSE.replace(THEN, NOW), "ann")
    assert now == address_then(HOUSE)
    assert house_book(store.shelf.text(now) or "") == HOUSE_THEN


@pytest.mark.parametrize(
    "text", ["extends='maxi-yatzy' # ours\nrolls = 4\n", '  extends\t=  "maxi-yatzy"\nrolls = 4\n']
)
def test_renamed_base_is_found_in_any_spelling(store: Store, text: str) -> None:
    address = store_old_rules(store, text)
    assert house_book(store.shelf.text(address) or "").extends == NOW


def test_house_rules_with_a_now_shipped_key_stay_readable(store: Store) -> None:
    text = 'extends = "yahtzee"\nkey = "kniffel"\nname = "Kniffel"\n[boxes.full_house]\npoints = 30\n'
    with pytest.raises(BadBook, match="Choose another key"):
        store.shelf.save(text, "bob")
    with pytest.raises(BadBook, match="Choose another key"):
        Tables(store).open("bob", "kniffel", rules=text)
    address = store_old_rules(store, text)
    assert [book.key for book in store.shelf.of("ann").values()] == ["kniffel"]
    assert store.shelf.save(text, "bob") == address
    table = Tables(store).open("ann", address, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
    state = Tables(store).state(table)
    assert (state.book.name, state.shelf_key) == ("Kniffel", address)
    record = fd.write_game(state.running)
    assert fd.read_game(record, state.book).book == state.book
    assert fd.read_game(record).book.fingerprint == state.book.fingerprint, "the record carries its rules"
    older = "\n".join(line for line in record.split("\n") if not line.startswith("[Rules "))
    with pytest.raises(fd.IllegalError, match="other rules named 'kniffel'"):
        fd.read_game(older)


# Rows derived from the logs


def test_old_games_are_listed_under_the_new_key(engine: Engine, store: Store) -> None:
    """Their best scores are not those of the rules that have the key now."""
    tables = Tables(store)
    then, other = tables.open("ann", NOW), tables.open("ann", "yatzy")
    downgrade(engine, "0007")
    assert books(engine) == {then: THEN, other: "yatzy"}
    migrate(engine)
    assert books(engine) == {then: NOW, other: "yatzy"}


def books(engine: Engine) -> dict[str, str]:
    with engine.connect() as connection:
        found = connection.execute(select(schema.tables.c.id, schema.tables.c.book))
        return {row.id: row.book for row in found}
