"""Texts for the scripts of a page. They are sent with the page, so that scripts and styles contain no sentence."""

from __future__ import annotations

from functools import cache

from fivedice.text.formatting import FOLDER, Plural, Table, current, read_table, translate

# `say("die-added", {face: 4, count: 2})` in a script; values are named in braces, forms are chosen by `count`.
SCRIPT: Table = read_table(FOLDER / "page_scripts.toml", "script")
PAD: Table = read_table(FOLDER / "page_scripts.toml", "pad")
BRING: Table = read_table(FOLDER / "page_scripts.toml", "bring")


def script_words(*, pad: bool = False, bring: bool = False) -> dict[str, str | dict[str, str]]:
    """Return the texts for a page, in the reader's language."""
    return _in_language(current(), pad, bring)


@cache
def _in_language(_: str, pad: bool, bring: bool) -> dict[str, str | dict[str, str]]:
    table = SCRIPT | (PAD if pad else {}) | (BRING if bring else {})
    return {key: forms(text) if isinstance(text, Plural) else translate(text) for key, text in table.items()}


def forms(text: Plural) -> dict[str, str]:
    """Return the plural forms by the names that browsers use, and by number where a language has more forms."""
    by_number = {number: translate(text, {text.by: number}) for number in (*range(20), 100)}
    other = by_number.pop(100)
    more = {str(number): form for number, form in by_number.items() if number != 1 and form != other}
    return {"one": by_number[1], "other": other} | more
