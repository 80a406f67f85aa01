"""Find sentences in a source file that the catalogue does not contain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

TWO_WORDS = re.compile(
    r"(?<![\w/.=#@-])[A-Za-z][a-z’']+[,;:.]? (?:\{\} )?(?:[A-Za-z][a-z’']+|a|I)(?![\w/.=@(-]\w|[=/_])"
)
LETTERS = re.compile(r"[^\W\d_]{2,}")
HOLE = "{}"
VALUES = {
    "given up",
    "bar strong",
    "bold reverse",
    "italic dim",
    "dice key",
}  # values of programs: a phase, styles, the name of a key


class Found(NamedTuple):
    line: int
    text: str


# In Python: two words that follow each other.

MARKS = {"N_", "P_"}
LOGS = {"log", "logger", "logging", "LOG", "_log", "_logger"}
FOR_PROGRAMMERS = {
    "AssertionError",
    "AttributeError",
    "NotImplementedError",
    "RuntimeError",
    "TypeError",
    "deprecated",
    "warn",
}
NOT_PROSE = {"compile", "search", "fullmatch", "match", "sub", "findall", "text", "execute", "exec_driver_sql"}
FOR_PROGRAMS = {"description", "summary"}  # of the OpenAPI document
CODE = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|BEGIN|LISTEN|NOTIFY|VACUUM|#|//|<)|[{};]\s*\n"
    r"|^\w+\[[\w\[\], .|]+\]$|\b(?:serif|monospace)\b|; filename=|-src "  # code; types, fonts, headers
)
MARKED = "# no sentence"  # at the end of a line: a text that people never read


def in_python(source: str) -> Iterator[Found]:
    """Yield texts of two words or more, except docstrings, log lines, patterns and errors for programmers."""
    lines = source.splitlines()
    for node in _texts(ast.parse(source)):
        text = _shape(node)
        if is_sentence(text) and MARKED not in lines[node.lineno - 1]:
            yield Found(node.lineno, text)


def is_sentence(text: str) -> bool:
    return bool(TWO_WORDS.search(text)) and not CODE.search(text) and text not in VALUES


def _texts(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    for child in _read_by_people(node):
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
        if not isinstance(child, ast.Constant):
            yield from _texts(child)


def _read_by_people(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that may contain a sentence."""
    if isinstance(node, ast.Call) and _is_for_programmers(node.func):
        return
    skipped = {id(getattr(node, name, None)) for name in ("annotation", "returns", "msg")}
    for child in ast.iter_child_nodes(node):
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        is_documentation = (isinstance(child, ast.keyword) and child.arg in FOR_PROGRAMS) or _are_examples(child)
        if not (is_docstring or is_documentation or isinstance(node, ast.JoinedStr) or id(child) in skipped):
            yield child
        elif isinstance(child, ast.FormattedValue):
            yield child.value


def _are_examples(node: ast.AST) -> bool:
    """Return whether a node assigns the examples of a command, for the OpenAPI document."""
    return isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "examples" for target in node.targets)


def _is_for_programmers(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr in NOT_PROSE | FOR_PROGRAMMERS or (
            isinstance(called.value, ast.Name) and called.value.id in LOGS
        )
    return isinstance(called, ast.Name) and called.id in MARKS | FOR_PROGRAMMERS | NOT_PROSE


def _shape(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text, with a hole for each value."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)


# In templates: any word in a text, or in an attribute that screen readers speak.

READ_ATTRIBUTES = {
    "alt",
    "aria-label",
    "placeholder",
    "title",
    "content",
    "data-title",
    "data-offline",
}
UNREAD = {"code", "kbd", "pre", "script", "style", "svg"}
SAME_EVERYWHERE = {"Fivedice", "PDF", "JSON", "CSV"}
HIDDEN = re.compile(
    r"\{#.*?#\}|\{%-?\s*(trans|block body_class)\b.*?\{%-?\s*end(?:trans|block)\s*-?%\}|\{%.*?%\}", re.DOTALL
)
ATTRIBUTE = re.compile(r"[\w-]+=\"[^\"]*\"")  # in a macro that makes a part of a tag
EXPRESSION = re.compile(r"\{\{(.*?)\}\}|\{%(?!-?\s*(?:trans|pluralize)\b)(.*?)%\}", re.DOTALL)
LITERAL = re.compile(r"""\b_\("[^"]*"|"([^"]*)"|'([^']*)'""")  # texts in `_()` are skipped


def in_template(source: str) -> Iterator[Found]:
    """Yield text outside of `trans` and `_()`."""
    yield from _in_expressions(source)
    blank = HIDDEN.sub(_only_lines, source)
    page = _Page(re.sub(r"\{\{.*?\}\}", _only_lines, blank, flags=re.DOTALL))
    yield from page.found


def _only_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _in_expressions(source: str) -> Iterator[Found]:
    for found in EXPRESSION.finditer(source):
        for literal in LITERAL.finditer(found[1] or found[2] or ""):
            text = literal[1] or literal[2] or ""
            if is_sentence(text):
                yield Found(source.count("\n", 0, found.start()) + 1, text)


class _Page(HTMLParser):
    """The texts of a page that people read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[Found] = []
        self._unread = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if not self._unread and (tag in UNREAD or ("translate", "no") in attributes):
            self._unread = tag
        is_button = tag == "input" and dict(attributes).get("type") in {"submit", "button"}
        for name, value in attributes if not self._unread else ():
            if _is_read(tag, name, dict(attributes)) or (is_button and name == "value"):
                self._look(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unread:
            self._unread = ""

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._look(data)

    def _look(self, text: str) -> None:
        words = set(LETTERS.findall(ATTRIBUTE.sub("", text))) - SAME_EVERYWHERE
        if words:
            self.found.append(Found(self.getpos()[0], " ".join(text.split())))


def _is_read(tag: str, name: str, attributes: dict[str, str | None]) -> bool:
    return name in READ_ATTRIBUTES and (tag != "meta" or attributes.get("name") == "description")


# In scripts and styles.

SCRIPT_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)", re.DOTALL
)
SELECTS = re.compile(r"(?:querySelector(?:All)?|closest|matches|locator|Error)\(\s*$")
LIKE_A_SENTENCE = re.compile(r"^\s*[A-Z]|[.?!…:]\s*$|(?:[a-z’']+ ){2,}[a-z’']+")
STYLE_TEXT = re.compile(r"(?<![\w-])content:[^;}]*?(?:\"([^\"]*)\"|'([^']*)')")


def in_script(source: str) -> Iterator[Found]:
    """Yield strings that look like sentences, except selectors and errors for programmers."""
    for token in SCRIPT_TOKENS.finditer(source):
        text = re.sub(r"\$\{[^}]*\}", HOLE, (token["text"] or "")[1:-1])
        sentence = TWO_WORDS.search(text) and LIKE_A_SENTENCE.search(text)
        if sentence and not SELECTS.search(source[max(0, token.start() - 30) : token.start()]):
            yield Found(source.count("\n", 0, token.start()) + 1, text)


def in_style(source: str) -> Iterator[Found]:
    """Yield words that a style adds to a page."""
    for found in STYLE_TEXT.finditer(re.sub(r"/\*.*?\*/", _only_lines, source, flags=re.DOTALL)):
        text = found[1] or found[2] or ""
        if LETTERS.search(text):
            yield Found(source.count("\n", 0, found.start()) + 1, text)
