"""Store house rules once, under an id computed from their text, so that a link always leads to the same rules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, select

from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.store import schema
from fivedice.store.access import StorePart, insert_new
from fivedice.table.house_rules_text import as_meant, house_book, house_id, read_rules, tidy
from fivedice.text import name_of

MOST_KEPT = 24  # house rules in a person's list; the links of older ones still work


class HouseRulesStore(StorePart):
    """The house rules of all people, and which of them each person saved."""

    def save(self, text: str, player: str | None) -> str:
        """Store house rules, list them for this person, and return their id. Raise BadBook if they are not playable."""
        with self._quota.save_rules(len(text.encode("utf-8", "surrogatepass"))):
            text = tidy(text)
            book = read_rules(text) if self.text(house_id(text)) is None else house_book(text)

            def write(connection: Connection) -> None:
                put_book(connection, text, book)
                if player is not None:
                    _bring(connection, player, house_id(text))

            self._writer.write(write)
        return house_id(text)

    def text(self, key: str) -> str | None:
        """Return the text of house rules with the current key of the rules that they extend, or None if unknown."""
        found = self._read_value(select(schema.books.c.text).where(schema.books.c.id == key))
        return None if found is None else as_meant(key, found)

    def book(self, key: str) -> RuleBook | None:
        """Return the book of a shipped key or of the address of house rules, or None."""
        if key in SHIPPED:
            return shipped(key)
        text = self.text(key)
        return None if text is None else house_book(text)

    def book_names(self, keys: Iterable[str | None]) -> dict[str, str]:
        """Return the names of these books, and of the shipped ones."""
        names = {key: name_of(shipped(key)) for key in SHIPPED}
        wanted = {key for key in keys if key is not None} - names.keys()
        return names | (self.names(wanted) if wanted else {})

    def names(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the names of these house rules by key; unknown keys are left out."""
        books = schema.books.c
        found = self._read(select(books.id, books.name).where(books.id.in_(set(keys))))
        return {row.id: row.name for row in found}

    def of(self, player: str) -> dict[str, RuleBook]:
        """Return the house rules that a person saved by key, newest first."""
        shelves, books = schema.shelves.c, schema.books.c
        query = (
            select(books.id, books.text)
            .join(schema.shelves, shelves.book_id == books.id)
            .where(shelves.player == player)
            .order_by(shelves.saved.desc(), books.id)
            .limit(MOST_KEPT)
        )
        return {key: house_book(as_meant(key, text)) for key, text in self._read(query)}

    def forget(self, player: str, key: str) -> None:
        """Remove house rules from a person's list; their link still works, because others may play by them."""
        shelves = schema.shelves.c
        mine = (shelves.player == player, shelves.book_id == key)
        self._writer.write(lambda connection: connection.execute(delete(schema.shelves).where(*mine)))


def put_book(connection: Connection, text: str, book: RuleBook) -> None:
    """Store house rules unless they are stored already; stored rules are never changed."""
    row = {"id": house_id(text), "text": tidy(text), "name": book.name, "created": _now()}
    insert_new(connection, schema.books, [row])


def _bring(connection: Connection, player: str, key: str) -> None:
    """Add house rules to a person's list as the newest, and remove the oldest beyond MOST_KEPT."""
    shelves = schema.shelves.c
    connection.execute(delete(schema.shelves).where(shelves.player == player, shelves.book_id == key))
    insert_new(connection, schema.shelves, [{"player": player, "book_id": key, "saved": _now()}])
    kept = select(shelves.book_id).where(shelves.player == player).order_by(shelves.saved.desc()).limit(MOST_KEPT)
    oldest = set(connection.execute(select(shelves.book_id).where(shelves.player == player)).scalars())
    gone = oldest - set(connection.execute(kept).scalars())
    connection.execute(delete(schema.shelves).where(shelves.player == player, shelves.book_id.in_(gone)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
