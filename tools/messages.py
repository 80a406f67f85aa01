"""Collect every text for translators, and compile what they have translated.

`make messages` writes `fivedice.pot`, brings each language's `fivedice.po` up to date with it, and compiles it. With
`--check` nothing is written: the exit code says whether the catalogue is up to date.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from fivedice.cli.command_tree import is_help, pieces
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.core.rules.presets import PRESETS, preset
from fivedice.text.formatting import CATALOGUES, FOLDER
from fivedice.web.pages.house_rules.rule_examples import worked_examples

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "fivedice"
TEMPLATE = CATALOGUES / "fivedice.pot"
HEADER = """\
# Every text of Fivedice. Written by `make messages`: see docs/translating.md.
msgid ""
msgstr ""
"Project-Id-Version: fivedice\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
JINJA = {"trimmed": "true", "silent": "false"}

Text = str | tuple[str, ...]
Found = tuple[str, Text, list[str]]  # where, what, and what translators should know


def collected() -> Catalog:
    """A catalogue of all texts, without a translation."""
    catalogue = Catalog()
    for where, text, notes in (*of_tables(), *of_python(), *of_templates(), *of_commands(), *of_books(), *of_presets()):
        catalogue.add(text, locations=[(where, None)], auto_comments=notes)
    return catalogue


def of_python(folder: Path = SOURCE) -> Iterator[Found]:
    """Yield what is marked by N_."""
    for path in sorted(folder.rglob("*.py")):
        if re.search(r"\bN_\(", path.read_text(encoding="utf-8")):
            for _, text, notes, _ in extract_from_file("python", path, {"N_": None}, ("Translators:",)):
                yield _place(path), text, notes


def of_tables(folder: Path = FOLDER) -> Iterator[Found]:
    """Yield the sentences in TOML files, by kind, and the texts of scripts, by section."""
    for path in sorted(folder.rglob("*.toml")):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        for texts in (tables, *(found for found in tables.values() if isinstance(found, dict))):
            for text in texts.values():
                if not isinstance(text, dict):
                    yield _place(path), text if isinstance(text, str) else tuple(text[:2]), []


def of_templates(folder: Path = SOURCE / "web" / "templates") -> Iterator[Found]:
    for path in sorted(folder.rglob("*.html")):
        method = "jinja2.ext:babel_extract"
        for _, text, notes, _ in extract_from_file(method, path, DEFAULT_KEYWORDS, ("Translators:",), JINJA):
            yield _place(path), tuple(filter(None, text)) if isinstance(text, tuple) else text, notes


def of_commands(folder: Path = SOURCE / "cli") -> Iterator[Found]:
    """The docstrings that `fivedice COMMAND --help` shows."""
    for path in sorted(folder.rglob("*_cmd.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            doc = (ast.get_docstring(node) or "") if isinstance(node, ast.FunctionDef) else ""
            if is_help(doc):
                yield from ((_place(path), piece, []) for piece in pieces(doc))


def of_books() -> Iterator[Found]:
    """What the shipped rules say about themselves. Names of boxes in other languages stand in their files."""
    for key in SHIPPED:
        yield from ((f"src/fivedice/core/rules/books/{key}.toml", text, []) for text in _said_by(shipped(key)))
        for example in worked_examples(shipped(key)):
            yield "src/fivedice/core/rules/worked_examples.toml", example["title"], []
            yield "src/fivedice/core/rules/worked_examples.toml", example["text"], []


def of_presets() -> Iterator[Found]:
    """What the well-known house rules are called, and what they say."""
    for key in PRESETS:
        where = f"src/fivedice/core/rules/presets/{key}.toml"
        yield from ((where, text, []) for text in (preset(key).name, preset(key).summary))


def _said_by(book: RuleBook) -> Iterator[str]:
    notes = (text for note in book.notes for text in (note.title, note.text))
    yield from filter(None, (book.summary, book.source, *notes))


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def written(catalogue: Catalog, header: str = HEADER) -> str:
    """The catalogue as a file: sorted, and without what changes when nothing was said differently."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=True, sort_output=True, include_lineno=False)
    return header + file.getvalue().decode()


def bring_up_to_date(path: Path, template: Catalog) -> list[str]:
    """Add new texts to a language's file and compile it; return what is wrong with it."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parts[-3].replace("-", "_"))
    catalogue.update(template)
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, sort_output=True, include_lineno=False, ignore_obsolete=True)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)
    return [f"{path}: {message.id!r} has other placeholders" for message in catalogue if lost_something(message)]


def lost_something(message: Message) -> bool:
    """Whether a translation has other {names}, %(names)s or tags than the text. A plural form may leave some out."""
    texts, translations = _all_of(message.id), [text for text in _all_of(message.string or "") if text]
    if not message.id or not translations or message.fuzzy:
        return False
    wanted = set().union(*map(_placeholders, texts))
    exact = len(texts) == 1
    found = map(_placeholders, translations)
    return any(each != wanted if exact else not each <= wanted for each in found)


def _all_of(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\w+\}|%\(\w+\)s|</?\w+", text))


def main(arguments: list[str]) -> int:
    catalogue = collected()
    if "--check" in arguments:
        if TEMPLATE.exists() and TEMPLATE.read_text(encoding="utf-8") == written(catalogue):
            return 0
        print("The catalogue is not up to date: run make messages")
        return 1
    TEMPLATE.parent.mkdir(exist_ok=True)
    TEMPLATE.write_text(written(catalogue), encoding="utf-8")
    files = sorted(CATALOGUES.glob("*/LC_MESSAGES/fivedice.po"))
    problems = [problem for path in files for problem in bring_up_to_date(path, catalogue)]
    print(f"{len(catalogue)} texts in {TEMPLATE.relative_to(ROOT)}", *problems, sep="\n")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
