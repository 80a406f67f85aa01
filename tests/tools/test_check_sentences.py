"""Sentences outside the catalogue are found, and other texts are not."""

from pathlib import Path

import check_sentences as check
import pytest


def said(kind: str, source: str) -> list[str]:
    return [text for _, text in check.READERS[kind](source)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("raise MalformedError('this is no roll')", "this is no roll"),
        ("print(f'{name} rolled {dice}.')", ""),  # one word among values is too little to tell
        ("print(f'{name} has rolled {dice}.')", "{} has rolled {}."),
        ("x = 'No rolls left' if not left else word('table.rolls-left')", "No rolls left"),
        ("x = {'label': 'Upper bonus'}", "Upper bonus"),
        ("x = f'{a}: {\"nothing to see\" if b else c}'", "nothing to see"),
    ],
)
def test_sentences_in_python_are_found(source: str, text: str) -> None:
    assert said(".py", source) == ([text] if text else [])


@pytest.mark.parametrize(
    "source",
    [
        '"""A module that says something."""',
        'def one():\n    """Return one of them."""',
        "class One:\n    x: int\n    'What it is for.'",
        "log.warning('the disk is full: %s', error)",
        "raise AssertionError('a staged table rolls nothing')",
        "assert game is not None, 'no game was begun'",
        "PATTERN = re.compile('two words')",
        "store.execute('SELECT name FROM tables')",
        "SENTENCES = {'table.rolled': N_('You rolled {dice}.'), 'x': P_('one roll left', 'some rolls left')}",
        "CSP = \"default-src 'none'; img-src 'self'\"",
        "CONTENT = 'text/html; charset=utf-8'",
        "TITLE = 'never shown anywhere'  # no sentence",
        "def one(x: 'list of things') -> 'another thing': ...",
        "class Roll:\n    examples = (('roll, keeping two', {}),)",
        "@get('/rules', summary='All the rules')\ndef rules(): ...",
    ],
)
def test_unread_texts_in_python_are_ignored(source: str) -> None:
    found = said(".py", source)
    assert found == [], found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h1>Rules</h1>", "Rules"),
        ("{% trans %}Rules{% endtrans %}\n<p>\nThe small print</p>", "The small print"),
        ("<b>{{ name }} is next</b>", "is next"),
        ('<img alt="A die">', "A die"),
        ('<input type="submit" value="Go on">', "Go on"),
        ('<p title="{{ x }} of them">', "of them"),
        ('<meta name="description" content="Play now">', "Play now"),
        ('{{ "Not found" if x else _("Found") }}', "Not found"),
        ('{% if pace == "out of reach" %}{% endif %}', "out of reach"),
    ],
)
def test_text_in_templates_is_found(source: str, text: str) -> None:
    assert said(".html", source) == [text]


@pytest.mark.parametrize(
    "source",
    [
        "{# A word to whoever edits this. #}",
        '<p class="unread">{% trans count=n %}{{ count }} roll{% pluralize %}{{ count }} rolls{% endtrans %}</p>',
        '<b aria-label="{{ _("Two words") }}">{{ _("%(n)s of them", n=1) }}</b>',
        "{% block title %}{{ x }} · Fivedice{% endblock %}{% block body_class %}at-table{% endblock %}",
        "<code>make run</code><pre>some = text</pre><kbd>Space</kbd>",
        '<option translate="no" title="Paper size">Letter</option>',
        '{% macro blamed(x) %} aria-invalid="true"{% endmacro %}',
        '<meta name="viewport" content="width=device-width">',
    ],
)
def test_translated_texts_and_code_in_templates_are_ignored(source: str) -> None:
    assert said(".html", source) == []


def test_scripts_and_styles() -> None:
    script = """
    // No connection. This is a comment.
    show("Tap the dice", 'Which box?', `Waiting for ${name} to roll`, "two words", say("tap-rolled"));
    page.querySelector("Form button.primary:first"); throw new Error("This is for programmers");
    """
    assert said(".js", script) == ["Tap the dice", "Which box?", "Waiting for {} to roll"]
    style = """/* content: "a comment" */ p::after { content: "No connection"; } a::before { content: "· "; }"""
    assert said(".css", style) == ["No connection"]


def test_places_are_named_and_exceptions_only_shrink(tmp_path: Path) -> None:
    for name, source in {
        "one.py": "x = 1\ny = 'two words'",
        "two.html": "<p>Text</p>",
        "text/three.py": "'a b c'",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    found = check.find_all(tmp_path)
    assert list(check.list_problems(found, frozenset())) == ["one.py:2: two words", "two.html:1: Text"]
    assert list(check.list_problems(found, frozenset({"one.py", "two.html"}))) == []
    late = list(check.list_problems(found | {"one.py": []}, frozenset({"one.py", "two.html", "gone.py"})))
    assert late == [
        f"{name} has no sentence any more: take it off the list UNFINISHED" for name in ("gone.py", "one.py")
    ]


def test_no_sentence_bypasses_the_catalogue() -> None:
    assert list(check.list_problems(check.find_all(check.SOURCE), check.UNFINISHED)) == []
