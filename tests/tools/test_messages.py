"""Every text reaches the translators, and a broken translation is refused."""

from pathlib import Path

import messages
import pytest
from babel.messages.catalog import Catalog, Message

from fivedice.text.po_file import read_texts
from for_each import for_each


def test_texts_and_marks_are_collected() -> None:
    catalogue = messages.collected()
    assert catalogue.get("Player {number}"), "from Python"
    assert catalogue.get("%(count)s roll left").id == ("%(count)s roll left", "%(count)s rolls left"), "from a template"
    assert catalogue.get("Roll", "button"), "with its context"
    assert [each for each in catalogue if "below 0%% or above 100%%" in str(each.id)], "as the page asks for it"
    assert catalogue.get("open", "pad.open"), "from a script, by its key"
    assert catalogue.get("{line}: {points}", "terminal.line"), "in French a space is before the colon"
    assert not catalogue.get("{points}", "notation.points"), "the same in every language"
    assert any("books/yatzy.toml" in each.locations[0][0] for each in catalogue if each.locations), "from the rules"


def test_what_programs_and_operators_read_stays_english() -> None:
    found = messages.collected()
    english = ("notation.", "web.setting", "bots.match", "cli.command.")
    assert not [each.context for each in found if str(each.context).startswith(english)]
    assert found.get("The database can’t be reached right now. Look at the game before you try again.", "store.away")
    assert not found.get("Not verified", "notation.not-verified")
    assert not [each for each in found if each.locations and "templates/api" in each.locations[0][0]]


def test_marks_in_python(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text('A = N_("You rolled {dice}.")\nC = word("x.y")\n', encoding="utf-8")
    assert list(messages.of_python(tmp_path)) == [("some.py", "You rolled {dice}.", [], None)]


def test_texts_in_tables_have_their_kind_and_comments(tmp_path: Path) -> None:
    source = """\
# About the file

# Happened
"a.b" = "You rolled {dice}."
"a.c" = "Roll"  # at most 12
"a.d" = [
  "{left} roll",
  "{left} rolls",
]
# For programs. English only
"a.e" = "No."

"a.f" = "Yes."
[pad]
left = ["{left} roll", "{left} rolls", "left"]
"""
    (tmp_path / "some.toml").write_text(source, encoding="utf-8")
    assert list(messages.of_tables(tmp_path)) == [
        ("some.toml", "You rolled {dice}.", ["Happened"], "a.b"),
        ("some.toml", "Roll", ["Happened", "at most 12"], "a.c"),
        ("some.toml", ("{left} roll", "{left} rolls"), ["Happened"], "a.d"),
        ("some.toml", "Yes.", [], "a.f"),
        ("some.toml", ("{left} roll", "{left} rolls"), [], "pad.left"),
    ]
    (tmp_path / "some.toml").write_text("# English only\n\n" + source, encoding="utf-8")
    assert list(messages.of_tables(tmp_path)) == []


@for_each(
    ("line", "place"),
    [
        ("<h1>{% trans %}Roll{% endtrans %}</h1>", ["a heading"]),
        ('<button{% if x > 1 %} hidden{% endif %}><span>{% trans "button" %}Roll{% endtrans %}</span>', ["a button"]),
        ('<a href="/">{{ x }}</a> <p aria-label="{{ _("Roll") }}">', ["read aloud, not shown"]),
        ('<th><span class="visually-hidden">{% trans %}Roll{% endtrans %}', ["read aloud, not shown"]),
        ("<p>{% trans %}Roll{% endtrans %}", []),
        ("<p>{{ x.Roll }}{# Translators: at most 9 #}{% trans %}Roll{% endtrans %}", ["at most 9"]),
    ],
)
def test_translators_learn_where_a_label_stands(line: str, place: list[str]) -> None:
    assert messages.find_place(line, "Roll") == place


def test_catalogue_contains_nothing_volatile() -> None:
    one, other = Catalog(), Catalog()
    one.add("b", locations=[("y.py", None)])
    one.add("a", locations=[("x.py", None)])
    other.add("a", locations=[("x.py", None)])
    other.add("b", locations=[("y.py", None)])
    assert messages.written(one) == messages.written(other)
    assert "Date" not in messages.written(one)


def test_catalogue_is_up_to_date(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert messages.main(["--check"]) == 0, "run make messages"
    monkeypatch.setattr(messages, "TEMPLATE", tmp_path / "fivedice.pot")
    assert messages.main(["--check"]) == 1
    assert capsys.readouterr().out == "The catalogue is not up to date: run make messages\n"


@for_each(
    ("entry", "problem"),
    [
        ('msgid "Roll"\nmsgstr "Würfeln"\n', ""),
        ('msgid "Roll"\nmsgstr ""\n', "de: 'Roll' is missing"),
        ('#, fuzzy\nmsgid "Roll"\nmsgstr "Würfeln"\n', "de: 'Roll' is fuzzy"),
        ('msgid "Roll"\nmsgstr "Würfeln "\n', "de: 'Roll' begins or ends with another space or line"),
        (2 * 'msgid "Roll"\nmsgstr "Würfeln"\n\n', 'de: msgid "Roll" is there twice'),
        ('msgid "Roll"\nmsgstr "Würf"eln"\n', "de: "),
        ('msgid "Roll"\nmsgstr Würfeln\n', "de: "),
    ],
)
def test_check_refuses_an_unfinished_language(
    entry: str, problem: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    template = Catalog()
    template.add("Roll", locations=[("some.toml", None)])
    (tmp_path / "de" / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(messages, "CATALOGUES", tmp_path)
    monkeypatch.setattr(messages, "TEMPLATE", tmp_path / "fivedice.pot")
    monkeypatch.setattr(messages, "collected", lambda: template)
    messages.TEMPLATE.write_text(messages.written(template), encoding="utf-8")
    messages.path_of("de").write_text('msgid ""\nmsgstr ""\n\n' + entry, encoding="utf-8")
    assert messages.main(["--check", "de"]) == bool(problem)
    assert capsys.readouterr().out.startswith(problem)


@for_each(
    ("text", "translation", "wrong"),
    [
        ("{who} rolled {dice}.", "{who} warf {dice}.", False),
        ("{who} rolled {dice}.", "{who} warf.", True),
        ("{who} rolled {dice}.", "{who} warf {dice} {}.", True),
        ("Beat %(score)s", "Schlag %(punkte)s", True),
        ("Beat %(score)s", "%(score)s zu 5 %", True),
        ("Press <em>Roll</em>", "Drück Würfeln", True),
        ('<a href="%(root)s/a">Look</a>', '<a href="%(root)s/a">Sieh</a>', False),
        ('<a href="/verify">Look</a>', '<a href="/pruefen">Sieh</a>', True),
        ("Roll", "", False),
        (("{count} roll", "{count} rolls"), ("ein Wurf", "{count} Würfe"), False),
        (("{count} roll", "{count} rolls"), ("ein Wurf", "{n} Würfe"), True),
        (("{count} roll", "{count} rolls"), ("ein Wurf", ""), True),
        (("{count} roll", "{count} rolls"), ("ein Wurf",), True),
    ],
)
def test_translations_keep_names_tags_and_forms(text: str, translation: str, wrong: bool) -> None:
    place = "page.html" if "%" in str(text) else "some.toml"
    assert bool(messages.problems_of(Message(text, translation, locations=[(place, None)]))) is wrong


def test_labels_keep_within_their_places() -> None:
    where = [("some.toml", None)]
    roll = Message("Roll {n}", "Würfeln {n}", locations=where, auto_comments=["a button", "at most 9"])
    assert messages.problems_of(roll) == ["is longer than its place: 10 characters, at most 9"]
    assert messages.problems_of(Message("Roll {n}", "Wurf {n}", locations=where, auto_comments=["at most 9"])) == []


def test_language_is_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "CATALOGUES", tmp_path)
    path = messages.path_of("pl")
    path.parent.mkdir(parents=True)
    path.write_text(
        'msgid ""\nmsgstr ""\n\nmsgid "Roll"\nmsgstr "Rzuć"\n\nmsgid "Old"\nmsgstr "Stary"\n', encoding="utf-8"
    )
    template = Catalog()
    template.add("Roll")
    template.add("Keep these")
    messages.write_language("pl", messages.translated("pl", template))
    text = path.read_text(encoding="utf-8")
    assert 'msgid "Keep these"\nmsgstr ""' in text
    assert 'msgid "Roll"\nmsgstr "Rzuć"' in text
    assert "Stary" not in text
    assert read_texts(text)["Roll"] == "Rzuć"
    assert "nplurals=3" in text
