"""Texts for the scripts of a page. They are sent with the page, so that scripts and styles contain no sentence."""

from __future__ import annotations

from functools import cache

from fivedice.text.formatting import FOLDER, Table, Text, read_table, translate
from fivedice.text.languages import current, marks

# `say("die-added", {face: 4, count: 2})` in a script; values are named in braces, forms are chosen by `count`.
SECTIONS: dict[str, Table] = {
    section: read_table(FOLDER / "page_scripts.toml", section) for section in ("script", "pad", "bring")
}


def script_words(*, pad: bool = False, bring: bool = False) -> dict[str, str | dict[str, str]]:
    """Return the texts for a page, in the reader's language."""
    return _in_language(current(), pad, bring)


@cache
def _in_language(_: str, pad: bool, bring: bool) -> dict[str, str | dict[str, str]]:
    sent = ["script"] + ["pad"] * pad + ["bring"] * bring
    return {key: forms(f"{section}.{key}", text) for section in sent for key, text in SECTIONS[section].items()}


def forms(kind: str, text: Text) -> str | dict[str, str]:
    """Return a text in the reader's language, one with plural forms by the names that browsers use for them."""
    if isinstance(text, str):
        return translate(kind, text)
    found = {name: translate(kind, text, {text.by: number}) for name, number in marks().samples.items()}
    return {"other": found.get("many", "")} | found
