"""Collect every text that players read, for translators.

`make messages` writes `fivedice.pot` and brings every `fivedice.po` up to date with it; `make messages NAME=da` begins
Danish, or does that for Danish alone. With `--check` nothing is written: the exit code says whether the catalogue is up
to date, and every translation complete and in order. What programs and operators read stays in English: "English only"
stands in a comment of its table.
"""

from __future__ import annotations

import io
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.pofile import PoFileError, read_po, write_po

from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.core.rules.catalog import PRESETS, preset
from fivedice.text.formatting import FOLDER
from fivedice.text.languages import CATALOGUES, available
from fivedice.text.po_file import read_texts
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
JINJA = {"trimmed": "true", "silent": "false", "newstyle_gettext": "true"}

Text = str | tuple[str, ...]
ENGLISH_ONLY = re.compile(r"\bEnglish only\b")  # in a comment of a table: about its file, a group or one line
ENGLISH_PAGES = {"api"}  # folders of templates for programmers
_FIXED = re.compile(r"\{\w+\}|%\(\w+\)s|<[^<>]*>")
_LETTER = re.compile(r"[^\W\d_]")


class Found(NamedTuple):
    where: str
    text: Text
    notes: list[str] = []  # noqa: RUF012 - what translators should know; never changed
    context: str | None = None


def collected() -> Catalog:
    """Return a catalogue of all texts for players, without a translation.

    A text of one value alone, such as "{points}", is the same in every language. Of several values the order may
    differ, and French has a space before a colon.
    """
    catalogue = Catalog()
    for where, text, notes, context in (*of_tables(), *of_python(), *of_templates(), *of_books(), *of_presets()):
        first = text if isinstance(text, str) else text[0]
        if _LETTER.search(_FIXED.sub("", first)) or len(_placeholders(first)) > 1:
            catalogue.add(text, locations=[(where, None)], auto_comments=notes, context=context)
    return catalogue


def of_python(folder: Path = SOURCE) -> Iterator[Found]:
    """Yield what is marked by N_."""
    for path in sorted(folder.rglob("*.py")):
        if re.search(r"\bN_\(", path.read_text(encoding="utf-8")):
            for _, text, notes, _ in extract_from_file("python", path, {"N_": None}, ("Translators:",)):
                yield Found(_place(path), text, notes)


def of_tables(folder: Path = FOLDER) -> Iterator[Found]:
    """Yield the texts in TOML files that players read. Their kind is their context."""
    for path in sorted(folder.rglob("*.toml")):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        for kind, notes in list_notes(path.read_text(encoding="utf-8")):
            section, _, key = ("", "", kind) if kind in tables else kind.partition(".")
            text = (tables[section] if section else tables)[key]
            if not ENGLISH_ONLY.search(" ".join(notes)):
                yield Found(_place(path), text if isinstance(text, str) else tuple(text[:2]), notes, kind)


def list_notes(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield every kind of a TOML file with the comments about its file, its group and itself."""
    section, grows, below = "", False, False
    about: list[str] = []
    group: list[str] = []
    for line in re.sub(r'= """.*?"""', '= ""', source, flags=re.DOTALL).splitlines():  # without texts of several lines
        comment = re.match(r"# ?(.*)", line)
        if comment:
            group = [*group, comment[1]] if grows else [comment[1]]
        elif found := re.fullmatch(r"\[(\w+)\]", line):
            section = found[1] + "."
        elif found := re.match(r'"?([\w.-]+)"? = (?:.*["\]]  # (.*))?', line):
            yield section + found[1], [*about, *group, *filter(None, [found[2]])]
        elif not line:
            about, group = (about, []) if below else ([*filter(ENGLISH_ONLY.search, group)], [])
            below = True
        grows = bool(comment)


def of_templates(folder: Path = SOURCE / "web" / "templates") -> Iterator[Found]:
    for path in sorted(folder.rglob("*.html")):
        if path.parent.name in ENGLISH_PAGES:
            continue
        method, lines = "jinja2.ext:babel_extract", path.read_text(encoding="utf-8").splitlines()
        for number, text, _, context in extract_from_file(method, path, DEFAULT_KEYWORDS, (), JINJA):
            texts = tuple(filter(None, text)) if isinstance(text, tuple) else (text,)
            place = find_place(lines[number - 1], texts[0])
            yield Found(_place(path), texts if texts[1:] else texts[0], place, context)


# What a text of a template is, by the tag around it or the attribute that it stands in.
PLACES = {
    "a": "a link",
    "alt": "read aloud, not shown",
    "aria-label": "read aloud, not shown",
    "button": "a button",
    "dt": "a label",
    "h1": "a heading",
    "h2": "a heading",
    "h3": "a heading",
    "label": "a label",
    "legend": "a heading",
    "option": "a choice in a list",
    "placeholder": "an example in an empty field",
    "summary": "opens something",
    "th": "the head of a column or row",
}
_NOTE = re.compile(r"\{# Translators: ([^#]*) #\}(?:<[^<>]*>|\s)*$")
_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}")


def find_place(line: str, text: str) -> list[str]:
    """Return the comment right before a text of a template, and what the text is, by the tag or attribute around it."""
    shown = re.sub(r"%\((\w+)\)s", r"{{ \1 }}", text).replace("%%", "%")
    end = max(line.find(f"%}}{shown[:30]}"), line.find(f'"{text[:30]}'), 0)
    start = max(line.rfind(mark, 0, end) for mark in ("{% trans", "{{", "{%"))
    note = _NOTE.search(line[: max(start, 0)])
    return [*([note[1]] if note else []), *_place_after(_CODE.sub("", line[: max(start, 0)]))]


def _place_after(before: str) -> list[str]:
    if within := re.search(r'([\w-]+)="[^"]*$', before):
        return [PLACES[within[1]]] if within[1] in PLACES else []
    opened: list[str] = []
    for closes, tag, attributes in re.findall(r"<(/?)(\w+)([^<>]*)>", before):
        if not closes:
            opened.append("aria-label" if "visually-hidden" in attributes else tag)
        elif tag in opened:
            opened = opened[: len(opened) - 1 - opened[::-1].index(tag)]
    return [PLACES[tag] for tag in reversed(opened[-2:]) if tag in PLACES][:1]


def of_books() -> Iterator[Found]:
    """What the shipped rules say about themselves. Names of boxes in other languages stand in their files."""
    for key in SHIPPED:
        yield from (Found(f"src/fivedice/core/rules/books/{key}.toml", text) for text in _said_by(shipped(key)))
        for example in worked_examples(shipped(key)):
            yield Found("src/fivedice/core/rules/worked_examples.toml", example["title"])
            yield Found("src/fivedice/core/rules/worked_examples.toml", example["text"])


def of_presets() -> Iterator[Found]:
    """What the well-known house rules are called, and what they say."""
    for key in PRESETS:
        where = f"src/fivedice/core/rules/presets/{key}.toml"
        yield from (Found(where, text) for text in (preset(key).name, preset(key).summary))


def _said_by(book: RuleBook) -> Iterator[str]:
    notes = (text for note in book.notes for text in (note.title, note.text))
    yield from filter(None, (book.summary, book.source, *notes))


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def written(catalogue: Catalog, header: str = HEADER) -> str:
    """The catalogue as a file: sorted, and without what changes when nothing was said differently."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=True, sort_output=True, include_lineno=False, ignore_obsolete=True)
    return header + file.getvalue().decode()


def path_of(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / "fivedice.po"


def translated(language: str, template: Catalog) -> Catalog:
    """A language's catalogue with the texts of the template; empty where it has no translation."""
    path, locale = path_of(language), language.replace("-", "_")
    catalogue = Catalog(locale=locale)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=locale, abort_invalid=True)
    catalogue.update(template, no_fuzzy_matching=True)
    return catalogue


def problems_in(language: str, catalogue: Catalog) -> list[str]:
    """What is wrong with a language: its translations, those that are missing, and texts that have several."""
    source = path_of(language).read_text(encoding="utf-8")
    try:
        texts = read_texts(source)  # as they are read when people play
    except ValueError as error:
        return [f"{language}: a text has wrong quotes: {error}"]
    names = re.findall(r'(?m)^((?:msgctxt .*\n)?msgid (?:".*"\n)+)', source)
    found = [f"{name.strip()} is there twice" for name, times in Counter(names).items() if times > 1]
    for message in filter(lambda each: each.id, catalogue):
        name = (f"{message.context}\4" if message.context else "") + "\0".join(_all_of(message.id))
        wrong = problems_of(message, catalogue.num_plurals) or ["is missing"] * (name not in texts)
        found += (f"{message.id!r} {what}" for what in wrong)
    return [f"{language}: {problem}" for problem in found]


def write_language(language: str, catalogue: Catalog) -> None:
    """Write a language's file, with the rule of its plural forms."""
    lines = f'"Language: {language}\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    path_of(language).write_text(written(catalogue, HEADER.rstrip("\n") + "\n" + lines), encoding="utf-8")


def problems_of(message: Message, plural_forms: int = 2) -> list[str]:
    """What is wrong with a translation; nothing for one that is still missing."""
    texts, forms = _all_of(message.id), _all_of(message.string or "")
    if not message.id or not any(forms):
        return []
    found = ["is fuzzy"] if message.fuzzy else []
    if len(forms) != (plural_forms if texts[1:] else 1) or not all(forms):
        found.append(f"needs {plural_forms if texts[1:] else 1} forms, all of them filled in")
    wanted = set().union(*map(_placeholders, texts))
    for form in forms:
        has = _placeholders(form)
        if has - wanted or (wanted - has and not texts[1:]):
            found.append(f"has {sorted(has)} in place of {sorted(wanted)}")
        if _length(form) > room_of(message):
            found.append(f"is longer than its place: {_length(form)} characters, at most {room_of(message)}")
        if _ends(form) != _ends(texts[0]):
            found.append("begins or ends with another space or line")
        if sorted(_TAG.findall(form)) not in [sorted(_TAG.findall(text)) for text in texts]:
            found.append("has other tags")
        found += _unformatted(form, wanted, percent=message.locations[0][0].endswith(".html"))
    return found


_TAG = re.compile(r"</?\w+[^<>]*>")


def room_of(message: Message) -> int:
    """The characters that a label has room for, by a comment such as "at most 12"."""
    return min(map(int, re.findall(r"\bat most (\d+)", " ".join(message.auto_comments))), default=10_000)


def _length(form: str) -> int:
    """The characters of a label as it is shown; a value has two."""
    return len(_TAG.sub("", re.sub(r"\{\w+\}|%\(\w+\)s", "00", form)))


def _ends(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _all_of(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\w+\}|%\(\w+\)s", text))


def _unformatted(form: str, wanted: set[str], *, percent: bool) -> list[str]:
    """What happens when the arguments of the English text are filled in."""
    values = {re.sub(r"\W|s$", "", name) if percent else name.strip("{}"): "1" for name in wanted}
    try:
        _ = form % values if percent else form.format_map(values) if wanted else form
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return [
            f"cannot be filled in ({error}); in pages write %% for %" if percent else f"cannot be filled in ({error})"
        ]
    return []


def main(arguments: list[str]) -> int:
    template, only_check = collected(), "--check" in arguments
    problems = []
    if not only_check:
        TEMPLATE.write_text(written(template), encoding="utf-8")
        print(f"{len(template)} texts in {TEMPLATE.relative_to(ROOT)}")
    elif not TEMPLATE.exists() or TEMPLATE.read_text(encoding="utf-8") != written(template):
        problems = ["The catalogue is not up to date: run make messages"]
    for language in [each for each in arguments if each != "--check"] or available()[1:]:
        try:
            catalogue = translated(language, template)
        except PoFileError as error:
            problems.append(f"{language}: {error}")
            continue
        if not only_check:
            write_language(language, catalogue)
        problems += problems_in(language, catalogue)
    print(*problems, sep="\n", end="\n" if problems else "")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
