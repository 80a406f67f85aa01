"""The line of every key, as TOML itself reads the text; and unusual keys."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

import fivedice as fd
from fivedice.core.rules import SHIPPED, load_book
from fivedice.core.rules.book_tables import MAX_NOTES
from fivedice.core.rules.catalog import _read_shipped
from fivedice.core.rules.loader import parse_toml
from fivedice.core.rules.table_reader import MOST_PARTS, KeyPath, LineMap, line_of_deepest, line_of_long_key
from for_each import for_each
from work import calls

TEXT = '''# "a comment = 1
key = "x = 1 # none"  # b = 2
"quoted key" = 'it'
[ bonus ]
threshold = 1
sheet.upper = "\\" = '"
[[alike.ladder]]
boxes = "any"
[[ alike . "ladder" ]]  # [no.header]
worth = [
  "plain = 1", # ]
  { inside = 1 },
]
summary = """
[no.table]
no_key = 1 ""\\"""" # """ and this is a comment
after = """"two more""""" # "
one = \'\'\'more\'\'\'\'
escaped = ["\\"", "x"]
literal = ['\\', 'x']
last = \'\'\'it's [ " \\\'\'\'
Xs = 1
end = 1'''
FOUND = {
    ("key",): 2,
    ("quoted key",): 3,
    ("bonus",): 4,
    ("bonus", "threshold"): 5,
    ("bonus", "sheet", "upper"): 6,
    ("alike", "ladder", 0): 7,
    ("alike", "ladder", 0, "boxes"): 8,
    ("alike", "ladder", 1): 9,
    ("alike", "ladder", 1, "worth"): 10,
    ("alike", "ladder", 1, "summary"): 14,
    ("alike", "ladder", 1, "after"): 17,
    ("alike", "ladder", 1, "one"): 18,
    ("alike", "ladder", 1, "escaped"): 19,
    ("alike", "ladder", 1, "literal"): 20,
    ("alike", "ladder", 1, "last"): 21,
    ("alike", "ladder", 1, "Xs"): 22,
    ("alike", "ladder", 1, "end"): 23,
}


def test_every_key_has_its_line_despite_unclosed_strings() -> None:
    assert set(FOUND) <= set(keys(tomllib.loads(TEXT)))
    assert LineMap(TEXT)._lines == FOUND
    assert LineMap("a = 'x\nb = 1")._lines == {("a",): 1, ("b",): 2}
    assert LineMap('a = """x\nb = 1')._lines == {("a",): 1}


def keys(table: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    pairs = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield from keys(value, (*path, key))


@for_each("book", SHIPPED)
def test_lines_of_shipped_books_match_their_keys(book: str) -> None:
    text = _read_shipped(book)
    found = LineMap(text)._lines
    assert set(found) <= set(keys(tomllib.loads(text))) | {("boxes",), ("notes",)}
    for path, line in found.items():
        assert str(path[-1]) in text.split("\n")[line - 1] or isinstance(path[-1], int)


@given(st.text(alphabet="a=.[]{}\"'\\#\n ,1"))
def test_any_text_can_be_scanned(text: str) -> None:
    count = text.count("\n") + 1
    assert all(1 <= line <= count for line in LineMap(text)._lines.values())
    assert calls(lambda: LineMap(text)) < 100 + 50 * len(text)


def parts(count: int) -> str:
    return ".".join("a" * count)


@for_each(
    "text",
    [
        "{} = 1",
        "[{}]",
        "x = 1\ny = {{ {} = 1 }}",
        "x = [1, {{ {} = 1 }}]",
        "x = '''y''''\n{} = 1",
        '"#" = 1 # "\n{} = 1',
        'x = ["""y"""", {{ {} = 1 }}]',
    ],
)
def test_a_key_of_too_many_parts_is_refused_with_its_line(text: str) -> None:
    parse_toml(text.format(parts(MOST_PARTS)), "us.toml")
    long = text.format(parts(MOST_PARTS + 1))
    with pytest.raises(
        fd.BookError, match=rf"A key may have at most {MOST_PARTS} parts. The line is '.*a\.a.*'"
    ) as refused:
        load_book(long)
    assert refused.value.line == long.count("\n") + 1


@for_each("text", ["x = '{}'", 'x = "{}"', "x = '''\n{}'''", "# {}", "x = 1.5 # {}", "'{}' = 1"])
def test_dots_elsewhere_do_not_split_keys(text: str) -> None:
    assert line_of_long_key(text.format(parts(50))) is None


def test_number_of_notes_is_bounded() -> None:
    notes = "".join(f'[notes.n{number}]\ntitle = "a"\ntext = "b"\n' for number in range(MAX_NOTES))
    with pytest.raises(fd.BookError, match=f"at most {MAX_NOTES} notes. These have 2") as refused:
        load_book('extends = "yahtzee"\n' + notes)
    assert (refused.value.path, refused.value.line) == (("notes",), 2)


@for_each(("text", "line"), [("a = 1", None), ("a = 1\nb = [1]", 2), ("a = [1]\nb = [[2]]\nc = [3]", 2)])
def test_line_of_the_deepest_nesting(text: str, line: int | None) -> None:
    assert line_of_deepest(text) == line
