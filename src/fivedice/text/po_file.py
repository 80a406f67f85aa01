"""Read a catalogue of translations as gettext tools write it: a `.po` file, in UTF-8.

It is read when a reader first asks for its language, in about 20 ms, so nothing has to be compiled.
"""

from __future__ import annotations

import json
import re
from gettext import NullTranslations, c2py
from typing import TypeAlias

Key: TypeAlias = tuple[str | None, str]  # context and English text

_FIELD = re.compile(r'^(msg\w+(?:\[\d\])?)[ ]((?:".*"(?:\n|\Z))+)', re.MULTILINE)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PLURAL_RULE = re.compile(r"plural=([^;\n]+)")


class Catalogue(NullTranslations):
    """The translations of one language. A text without one stays English."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.forms = read_forms(source)
        header = "".join(self.forms.pop((None, ""), ()))
        rule = _PLURAL_RULE.search(header)
        self._choose = c2py(rule[1] if rule else "n != 1")

    def gettext(self, message: str) -> str:
        return self._find(None, message)

    def pgettext(self, context: str, message: str) -> str:
        return self._find(context, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._find_form(None, msgid1, msgid2, n)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self._find_form(context, msgid1, msgid2, n)

    def _find(self, context: str | None, text: str) -> str:
        forms = self.forms.get((context, text))
        return forms[0] if forms else text

    def _find_form(self, context: str | None, one: str, many: str, count: int) -> str:
        forms = self.forms.get((context, one))
        return forms[self._choose(count)] if forms else (one if count == 1 else many)


def read_forms(source: str) -> dict[Key, tuple[str, ...]]:
    """Return every finished translation with all its plural forms; none for a fuzzy one or an unfinished one."""
    found = {}
    for entry in source.split("\n\n"):
        fields = {name: _unquote(lines) for name, lines in _FIELD.findall(entry)}
        forms = tuple(text for name, text in fields.items() if name.startswith("msgstr"))
        if forms and all(forms) and not _FUZZY.search(entry):
            found[fields.get("msgctxt"), fields.get("msgid", "")] = forms
    return found


def _unquote(lines: str) -> str:
    return "".join(map(json.loads, lines.splitlines()))
