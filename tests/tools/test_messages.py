"""Every text reaches the translators, and a broken translation is refused."""

from pathlib import Path

import messages
import pytest
from babel.messages.catalog import Catalog, Message

from fivedice.cli.command_tree import in_language, pieces
from fivedice.text.formatting import using

DOCSTRING = """Rank what can be done:
    best first.

    Examples: `fivedice hint`.

    Parameters
    ----------
    dice
        The dice as they lie,
        such as 24466.
    json
        Print JSON.
    """


def test_texts_and_marks_are_collected() -> None:
    catalogue = messages.collected()
    assert catalogue.get("Player {number}"), "from Python"
    assert catalogue.get("%(count)s roll left").id == ("%(count)s roll left", "%(count)s rolls left"), "from a template"
    assert any("fivedice hint yahtzee 24466" in str(each.id) for each in catalogue), "from a docstring"
    assert any("books/yatzy.toml" in each.locations[0][0] for each in catalogue if each.locations), "from the rules"


def test_marks_in_python(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text('A = N_("You rolled {dice}.")\nC = word("x.y")\n', encoding="utf-8")
    assert list(messages.of_python(tmp_path)) == [("some.py", "You rolled {dice}.", [])]


def test_texts_in_tables(tmp_path: Path) -> None:
    source = '"a.b" = "You rolled {dice}."\n[pad]\nleft = ["{left} roll", "{left} rolls", "left"]\n'
    (tmp_path / "some.toml").write_text(source, encoding="utf-8")
    found = list(messages.of_tables(tmp_path))
    assert found == [("some.toml", "You rolled {dice}.", []), ("some.toml", ("{left} roll", "{left} rolls"), [])]


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


@pytest.mark.parametrize(
    ("text", "translation", "broken"),
    [
        ("{who} rolled {dice}.", "{who} warf {dice}.", False),
        ("{who} rolled {dice}.", "{who} warf.", True),
        ("Beat %(score)s", "Schlag %(punkte)s", True),
        ("Press <em>Roll</em>", "Drück Würfeln", True),
        ("Roll", "", False),
        (("{count} roll", "{count} rolls"), ("ein Wurf", "{count} Würfe"), False),
        (("{count} roll", "{count} rolls"), ("ein Wurf", "{n} Würfe"), True),
    ],
)
def test_translations_keep_names_and_tags(text: str, translation: str, broken: bool) -> None:
    assert messages.lost_something(Message(text, translation)) is broken


def test_language_is_updated_and_compiled(tmp_path: Path) -> None:
    path = tmp_path / "de" / "LC_MESSAGES" / "fivedice.po"
    path.parent.mkdir(parents=True)
    path.write_text('msgid ""\nmsgstr ""\n\nmsgid "Roll"\nmsgstr "Würfeln"\n', encoding="utf-8")
    template = Catalog()
    template.add("Roll")
    template.add("Keep these")
    assert messages.bring_up_to_date(path, template) == []
    assert 'msgid "Keep these"\nmsgstr ""' in path.read_text(encoding="utf-8")
    assert b"W\xc3\xbcrfeln" in path.with_suffix(".mo").read_bytes()


def test_help_is_translated_piece_by_piece() -> None:
    assert list(pieces(DOCSTRING)) == [
        "Rank what can be done: best first.",
        "Examples: `fivedice hint`.",
        "The dice as they lie, such as 24466.",
        "Print JSON.",
    ]
    with using("en-XA"):
        help_text = in_language(DOCSTRING)
    assert "\nParameters\n----------\ndice\n    Ţĥé đîçé" in help_text
    assert help_text.startswith("Ŕåñķ ŵĥåţ")
