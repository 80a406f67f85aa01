"""Any book that can be played here: a shipped one by its key, a house book by its address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import NotFoundException

from fivedice.errors import quote
from fivedice.rules import SHIPPED, RuleBook, shipped
from fivedice.rules.book_diff import differences
from fivedice.table.house_rules_text import house_book
from fivedice.table.store.table_store import Store
from fivedice.web.runtime.services import desk_of, in_thread
from fivedice.words import name_of

NO_BOOK = "There is no book {key}. The shipped ones are {known}; house rules have the address that saving them gave."


def book_at(store: Store, key: str) -> RuleBook | None:
    """The book of a key or an address, if there is one."""
    if key in SHIPPED:
        return shipped(key)
    text = store.shelf.text(key)
    return None if text is None else house_book(text)


async def any_book_or_404(request: Request[Any, Any, State], key: str) -> RuleBook:
    book = await in_thread(book_at, desk_of(request).tables.store, key)
    if book is None:
        raise NotFoundException(NO_BOOK.format(key=quote(key), known=", ".join(SHIPPED)))
    return book


def book_names(store: Store, keys: Iterable[str | None]) -> dict[str, str]:
    """What these books are called, and the shipped ones."""
    names = {key: name_of(shipped(key)) for key in SHIPPED}
    wanted = {key for key in keys if key is not None} - names.keys()
    return names | (store.shelf.names(wanted) if wanted else {})


def nearest(book: RuleBook) -> RuleBook:
    """The shipped book to compare a house book with: the one it extends, or the one it differs least from."""
    if book.extends is not None:
        return shipped(book.extends)
    return min(map(shipped, SHIPPED), key=lambda other: len(differences(book, other)))
