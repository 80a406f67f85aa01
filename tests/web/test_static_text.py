"""Served scripts and styles: without comments and indentation, otherwise unchanged."""

import re

import pytest

from fivedice.web.http.page_files import STATIC, content, names

SCRIPTS = sorted(name for name in names() if name.endswith(".js"))
STYLES = sorted(name for name in names() if name.endswith(".css"))
# One reading from left to right, by what JavaScript calls its parts; the file's own way knows only comments.
PARTS = re.compile(
    r"(?P<comment>/\*[\s\S]*?\*/|//.*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`)'
    r"|(?P<pattern>(?<=[(,=:!])\s?/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+/)"
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_lines_of_scripts_keep_their_numbers(name: str) -> None:
    source, sent = (STATIC / name).read_text(encoding="utf-8"), content(name).decode()
    assert sent.count("\n") == source.count("\n")


@pytest.mark.parametrize("name", STYLES)
def test_only_comments_and_spaces_are_removed_from_styles(name: str) -> None:
    def without(text: str) -> str:
        return re.sub(r"/\*[\s\S]*?\*/|\s+|;(?=\s*})", "", text)

    source, sent = (STATIC / name).read_text(encoding="utf-8"), content(name).decode()
    assert without(sent).endswith(without(source)), "the common style begins with the theme"
    words = re.compile(r"[\w.#)\]]\s+[\w.#:*\[]")  # the space between these has a meaning
    plain = re.sub(r"/\*[\s\S]*?\*/", "", source)
    spaces = [re.sub(r"\s+", " ", found) for found in words.findall(plain)]
    assert [re.sub(r"\s+", " ", found) for found in words.findall(sent)][-len(spaces) :] == spaces


@pytest.mark.parametrize("name", SCRIPTS)
def test_only_comments_and_indentation_are_removed(name: str) -> None:
    def without(text: str) -> str:
        return re.sub(r"\s+", "", PARTS.sub(lambda part: "" if part["comment"] else part[0], text))

    source, sent = (STATIC / name).read_text(encoding="utf-8"), content(name).decode()
    assert without(sent) == without(source)
    assert "/**" not in sent
    assert not re.search(r"^ ", sent, re.MULTILINE)


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_strings_are_single_line(name: str) -> None:
    """Its indentation would be missing."""
    source = (STATIC / name).read_text(encoding="utf-8")
    texts = [part["text"] for part in PARTS.finditer(source) if part["text"]]
    assert not [text for text in texts if "\n" in text and re.search(r"\n[ \t]", text)]
