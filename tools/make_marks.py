"""Write `src/fivedice/text/marks.py`: the marks of numbers, lists and days in each language, from CLDR, by Babel."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from babel import Locale

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src" / "fivedice" / "text" / "marks.py"
BRITISH = {"en": "en_GB"}
HEADER = '''"""The marks and plural forms of each language. Written by `tools/make_marks.py` from CLDR."""
# ruff: noqa: E501

from __future__ import annotations

from typing import NamedTuple


class Marks(NamedTuple):
    name: str  # of the language, in the language
    decimal: str
    group: str
    percent: str
    both: str  # the end of a list
    either: str
    samples: dict[str, int]  # a number for each plural form
    day: str  # of a year
    months: str  # their short names


# fmt: off
MARKS = {
'''


def marks_of(language: str) -> tuple[object, ...]:
    locale = Locale.parse(BRITISH.get(language, language).replace("-", "_"))
    symbols = locale.number_symbols["latn"]
    name = str(locale.get_display_name() if "-" in language else locale.language_name)
    percent = locale.percent_formats[None].pattern.replace("#,##0", "{number}")
    ends = [locale.list_patterns[kind]["end"].format("{some}", "{last}") for kind in ("standard", "or")]
    samples: dict[str, int] = {}
    for number in range(101):
        samples.setdefault(locale.plural_form(number), number)
    day = locale.datetime_skeletons["yMMMd"].pattern.replace("'", "")
    for field, shown in (("MMM", "{month}"), ("M", "{number}"), ("y", "{year}")):
        day = day.replace(field, shown)
    day = re.sub(r"\bd\b", "{day}", day)
    months = " ".join(locale.months["format"]["abbreviated"].values())
    return name[:1].upper() + name[1:], symbols["decimal"], symbols["group"], percent, *ends, samples, day, months


def written(languages: list[str]) -> str:
    lines = [f'    "{language}": Marks{marks_of(language)},\n' for language in languages]
    source = HEADER + "".join(lines) + "}\n"
    command = [Path(sys.executable).with_name("ruff"), "format", "--stdin-filename", TARGET, "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    from fivedice.text.languages import available

    TARGET.write_text(written(list(available())), encoding="utf-8")
