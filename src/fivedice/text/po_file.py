"""Compile a catalogue of translations, a `.po` file in UTF-8, into what gettext reads, a `.mo` file.

A wheel has compiled catalogues alone. In a checkout a catalogue is compiled in memory when its language is first asked
for, in about 25 ms, so that an edited text is shown at once.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from struct import pack

_FIELD = re.compile(r'^(msg\w+(?:\[\d\])?)[ ]((?:".*"(?:\n|\Z))+)', re.MULTILINE)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_MAGIC, _HEAD, _PLACE = 0x950412DE, 28, 8  # of a .mo file: how it begins, its head in bytes, and each length with place


def compile_catalogue(source: str) -> bytes:
    """Return the compiled catalogue. A text without a finished translation stays English."""
    texts = read_texts(source)
    texts[""] = "Content-Type: text/plain; charset=utf-8\n" + texts.get("", "")
    found = sorted((name.encode(), text.encode()) for name, text in texts.items())
    strings = [each for column in zip(*found, strict=True) for each in column]
    starts = accumulate((len(each) + 1 for each in strings), initial=_HEAD + _PLACE * len(strings))
    places = b"".join(pack("<2I", len(each), start) for each, start in zip(strings, starts, strict=False))
    head = pack("<7I", _MAGIC, 0, len(found), _HEAD, _HEAD + _PLACE * len(found), 0, 0)
    return head + places + b"\0".join([*strings, b""])


def read_texts(source: str) -> dict[str, str]:
    """Return every finished translation; none for a fuzzy one or an unfinished one.

    They are named as in a .mo file: by the context, if any, and the English text, with control characters between.
    """
    found = {}
    for entry in source.split("\n\n"):
        fields = {name: _unquote(lines) for name, lines in _FIELD.findall(entry)}
        forms = [text for name, text in fields.items() if name.startswith("msgstr")]
        if forms and all(forms) and not _FUZZY.search(entry):
            context = f"{fields['msgctxt']}\4" if "msgctxt" in fields else ""
            plural = f"\0{fields['msgid_plural']}" if "msgid_plural" in fields else ""
            found[context + fields.get("msgid", "") + plural] = "\0".join(forms)
    return found


def _unquote(lines: str) -> str:
    return "".join(map(json.loads, lines.splitlines()))
