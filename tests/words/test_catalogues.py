"""Translations are found by context, with the plural forms and the marks of their language."""

from collections.abc import Iterator
from datetime import date
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import make_marks
import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from fivedice.message import Either, message
from fivedice.text import format_value, group_digits, languages, percent, points, say, using
from fivedice.text.formatting import format_day
from fivedice.text.languages import available, gettext, pgettext
from fivedice.text.page_scripts import script_words
from fivedice.text.po_file import compile_catalogue, read_texts
from for_each import for_each
from words.vocabulary import foreign_words

POLISH = r"""
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

#. a button
msgctxt "button"
msgid "Roll"
msgstr ""
"Rz"
"uć \"\\"

msgid "Roll"
msgstr "Rzut"

msgctxt "report.rolls-left"
msgid "{count} roll left"
msgid_plural "{count} rolls left"
msgstr[0] "{count} rzut"
msgstr[1] "{count} rzuty"
msgstr[2] "{count} rzutów"

msgctxt "pad.rolls-saved"
msgid "{count} saved roll"
msgid_plural "{count} saved rolls"
msgstr[0] "jeden"
msgstr[1] "kilka"
msgstr[2] "wiele"

#, fuzzy
msgid "Keep"
msgstr "Niepewne"

msgid "{count} game"
msgid_plural "{count} games"
msgstr[0] "gra"
msgstr[1] ""
msgstr[2] ""

#~ msgid "Old"
#~ msgstr "Stary"
"""


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    path = tmp_path / "pl" / "LC_MESSAGES" / "fivedice.po"
    path.parent.mkdir(parents=True)
    path.write_text(POLISH, encoding="utf-8")
    monkeypatch.setattr(languages, "CATALOGUES", tmp_path)
    languages._catalogue.cache_clear()
    script_words.__globals__["_in_language"].cache_clear()
    with using("pl"):
        yield
    languages._catalogue.cache_clear()
    script_words.__globals__["_in_language"].cache_clear()


@pytest.mark.usefixtures("polish")
def test_context_and_plural_form_choose_the_translation() -> None:
    assert available() == ("en", "pl")
    assert (pgettext("button", "Roll"), gettext("Roll")) == ('Rzuć "\\', "Rzut")
    assert (pgettext("key", "Roll"), gettext("Keep")) == ("Roll", "Keep")
    rolls = [say(message("report.rolls-left", count=count)) for count in (1, 2, 5, 22)]
    assert rolls == ["1 rzut", "2 rzuty", "5 rzutów", "22 rzuty"]


@pytest.mark.usefixtures("polish")
def test_scripts_get_every_plural_form_by_its_name() -> None:
    assert script_words(pad=True)["rolls-saved"] == {"one": "jeden", "few": "kilka", "many": "wiele", "other": "wiele"}
    assert script_words(pad=True)["dice-missing"] == {
        "one": "1 more die, then a box",
        "few": "{count} more dice, then a box",
        "many": "{count} more dice, then a box",
        "other": "{count} more dice, then a box",
    }


def test_unfinished_fuzzy_and_old_translations_are_left_out() -> None:
    assert {name.partition("\4")[0].partition("\0")[0] for name in read_texts(POLISH)} == {
        *("", "Roll", "button", "report.rolls-left", "pad.rolls-saved"),
    }
    empty = GNUTranslations(BytesIO(compile_catalogue("")))
    assert (empty.gettext("a"), empty.pgettext("x", "a"), empty.ngettext("a", "b", 2)) == ("a", "a", "b")


def test_compiled_catalogue_is_that_of_babel() -> None:
    with languages.CATALOGUES.joinpath("pl/LC_MESSAGES/fivedice.po").open("rb") as file:
        source, written = file.read().decode(), BytesIO()
        file.seek(0)
        write_mo(written, read_po(file, locale="pl"))
    written.seek(0)
    found, right = GNUTranslations(BytesIO(compile_catalogue(source))), GNUTranslations(written)
    assert {**found._catalog, "": ""} == {**right._catalog, "": ""}  # type: ignore[attr-defined]
    assert [found.plural(n) for n in range(200)] == [right.plural(n) for n in range(200)]  # type: ignore[attr-defined]


@for_each(
    ("language", "shown"),
    [
        ("en", ["1.5", "1,234,567", "47%", "a, b and c", "a, b or c", "3 Sept 2026"]),
        ("de", ["1,5", "1.234.567", "47\xa0%", "a, b und c", "a, b oder c", "3. Sept. 2026"]),
        ("fr", ["1,5", "1\u202f234\u202f567", "47\xa0%", "a, b et c", "a, b ou c", "3 sept. 2026"]),
        ("pl", ["1,5", "1\xa0234\xa0567", "47%", "a, b i c", "a, b lub c", "3 wrz 2026"]),
        ("fi", ["1,5", "1\xa0234\xa0567", "47\xa0%", "a, b ja c", "a, b tai c", "3.9.2026"]),
        ("en-XA", ["1.5", "1,234,567", "47%", "a, b åñđ c·", "a, b öŕ c·", "3 Sept 2026"]),
    ],
)
def test_numbers_lists_and_days_have_the_marks_of_the_language(language: str, shown: list[str]) -> None:
    three = ("a", "b", "c")
    with using(language):
        found = [points(1.5), group_digits(1234567), percent(0.47), format_value(three), format_value(Either(three))]
        day = format_day("2026-09-03T20:15:00+00:00")
        assert day == format_value(date(2026, 9, 3))
    assert [*found, day] == shown


def test_marks_of_every_language_are_those_of_babel() -> None:
    assert make_marks.TARGET.read_text(encoding="utf-8") == make_marks.written(list(available()))


@for_each("language", available)
def test_words_of_the_key_of_a_chart_fit_in_one_line(language: str) -> None:
    with using(language):
        assert sum(len(say(message(f"report.{kind}"))) for kind in ("lucky", "miss", "unlucky")) <= 46


def test_words_of_another_language_are_found() -> None:
    assert foreign_words("Würfle die 3 Würfel, Ann: 4-4-6!", "de") == []
    assert foreign_words("Roll the dice: Große Straße", "de") == ["roll", "the", "dice"]
    assert foreign_words("Große Straße", "fr") == ["große", "straße"]
