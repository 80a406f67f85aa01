"""Scripts and styles contain no sentences and no names of server events."""

import re
from pathlib import Path
from string import Formatter

import fivedice
from fivedice.table.actions import events
from fivedice.text.formatting import Plural
from fivedice.text.page_scripts import SECTIONS, script_words
from for_each import for_each

STATIC = Path(fivedice.__file__).parent / "web" / "static"
TEXTS = {path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8") for path in STATIC.glob("*/*.js")}
STYLES = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*/*.css")}
PAD, BRING = SECTIONS["pad"], SECTIONS["bring"]
WORDS = SECTIONS["script"] | PAD | BRING
ALL = "\n".join(TEXTS.values())


def test_scripts_use_only_sentences_of_the_server() -> None:
    said = set(re.findall(r'\b(?:say|parts)\(\s*"([^"]+)"', ALL))
    assert said <= set(WORDS)
    unused = {key for key in WORDS if f'"{key}"' not in ALL}
    assert not unused
    other = "\n".join(text for name, text in TEXTS.items() if not name.startswith("pad/"))
    assert not {key for key in PAD | BRING if f'say("{key}"' in other}, "only pages of the score pad have these"


@for_each("name", TEXTS)
def test_scripts_contain_no_sentences(name: str) -> None:
    """Strings in scripts are selectors or messages for the console."""
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*|new Error\(.*?\)", "", TEXTS[name], flags=re.DOTALL)
    found = re.findall(r'["`]([A-Z][a-z]+ [a-z]+[^"`]*)["`]', code)
    assert not found


@for_each("name", STYLES)
def test_styles_contain_no_words(name: str) -> None:
    assert not re.findall(r'content:\s*"[^"]*[A-Za-z]{2}', STYLES[name])


@for_each("name", TEXTS)
def test_scripts_know_no_event_names(name: str) -> None:
    names = [name for name, found in vars(events).items() if isinstance(found, type)]
    assert "Rolled" in names
    assert not [each for each in names if re.search(rf'["\'`]{each}["\'`]', TEXTS[name])]


@for_each("key", WORDS)
def test_script_sentences_have_named_values_and_plurals(key: str) -> None:
    words = WORDS[key]
    for text in words if isinstance(words, Plural) else (words,):
        assert all(name is None or name.isidentifier() for _, name, _, _ in Formatter().parse(text)), text
    if isinstance(words, Plural):
        assert "{count}" in words.many
        assert script_words(pad=True, bring=True)[key] == {"one": words.one, "other": words.many}
