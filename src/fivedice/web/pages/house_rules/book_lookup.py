"""Finding the rules of a key: shipped ones by their key, house rules by their address."""

from __future__ import annotations

from collections.abc import Iterable

from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.core.rules.book_facts import differences
from fivedice.errors import quote
from fivedice.message import Message, message
from fivedice.store.table_store import Store
from fivedice.table.house_rules_text import house_book
from fivedice.text import Either, name_of
from fivedice.web.http.handling import NotFound
from fivedice.web.services.app_services import AppServices


def book_at(store: Store, key: str) -> RuleBook | None:
    """Return the book of a key or an address, or None."""
    if key in SHIPPED:
        return shipped(key)
    text = store.shelf.text(key)
    return None if text is None else house_book(text)


def any_book(services: AppServices, key: str) -> RuleBook:
    """Return the book of a key or an address. Raise NotFound if there is none."""
    book = book_at(services.tables.store, key)
    if book is None:
        raise NotFound(no_book(key))
    return book


def no_book(key: str) -> Message:
    return message("web.no-book", key=quote(key), known=Either(SHIPPED))


def book_names(store: Store, keys: Iterable[str | None]) -> dict[str, str]:
    """Return the names of these books, and of the shipped ones."""
    names = {key: name_of(shipped(key)) for key in SHIPPED}
    wanted = {key for key in keys if key is not None} - names.keys()
    return names | (store.shelf.names(wanted) if wanted else {})


def nearest(book: RuleBook) -> RuleBook:
    """Return the shipped book to compare house rules with: the one they extend, or the most similar one."""
    if book.extends is not None:
        return shipped(book.extends)
    return min(map(shipped, SHIPPED), key=lambda other: len(differences(book, other)))
