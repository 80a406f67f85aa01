"""No regular expression of the package can be kept busy by a hostile text.

For each repetition in an expression there are texts that lead up to it, go round in it as often as a request has room
for, and then fail. An expression that tries again from every place takes the square of their length, or worse.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from re import _constants as sre, _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import fivedice as fd
from for_each import for_each
from long import LONG
from work import HangError, no_hang

ROOT = Path(fd.__file__).parent
SIZE = (128 if LONG else 32) * 1024  # most requests may have 64
SECONDS = 1.5  # of the processor, for what takes a hundredth: the square of the size takes at least ten
SEARCHING = {"search", "findall", "finditer", "sub", "subn", "split"}
ANCHORED = {"match", "fullmatch"}
NAMED = re.compile(r"\b(?:re|regex)\b")
USUAL = ' a1A-_.\\"é\n'


@dataclass(frozen=True)
class Expression:
    """One regular expression in the source, with the ways in which it is used."""

    place: str
    pattern: str
    flags: int
    used: frozenset[str]

    def __str__(self) -> str:
        return f"{self.place}: {self.pattern}"


def of_python(path: Path) -> Iterator[Expression]:
    text = path.read_text(encoding="utf-8")
    if not NAMED.search(text):  # nine files of ten: to read them all takes a second
        return
    tree = ast.parse(text)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module != "re", f"{path}: import re itself, so that its uses are found here"
        if isinstance(node, ast.Import):
            assert not any(alias.name in {"re", "regex"} and alias.asname for alias in node.names), path
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re":
            yield _expression(path, tree, parents, node)


def _expression(path: Path, tree: ast.Module, parents: dict[ast.AST, ast.AST], call: ast.Call) -> Expression:
    method = ast.unparse(call.func).removeprefix("re.")
    used = frozenset(_uses(tree, parents, call) if method == "compile" else [method])
    place = f"{path.relative_to(ROOT)}:{call.lineno}"
    assert frozenset() < used <= SEARCHING | ANCHORED, f"{place}: how is it used?"
    flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    flags += [argument for argument in call.args[1:] if ast.unparse(argument).startswith("re.")]
    return Expression(place, _value(call.args[0], path), sum(int(_value(flag, path)) for flag in flags), used)


def _uses(tree: ast.Module, parents: dict[ast.AST, ast.AST], call: ast.Call) -> Iterator[str]:
    """Yield the methods called on a compiled expression, directly or by its name."""
    parent = parents[call]
    if isinstance(parent, ast.Attribute):
        yield parent.attr
    elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                yield node.attr


def _value(node: ast.expr, path: Path) -> Any:
    """Return the value of a node; names are those of its module."""
    if isinstance(node, ast.Constant):
        return node.value
    if ast.unparse(node).startswith("re."):
        return eval(ast.unparse(node), {"re": re})  # noqa: S307 - our own source
    module = import_module(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))
    return eval(ast.unparse(node), dict(vars(module)))  # noqa: S307


IN_SCRIPT = re.compile(
    r"/(?P<tested>(?:[^/\\\n]|\\.|\[[^\]\n]*\])+)/[a-z]*\.(?:test|exec)\("
    r"|\.(?:match|matchAll|replace|replaceAll|search|split)\(\s*/(?P<given>(?:[^/\\\n]|\\.|\[[^\]\n]*\])+)/"
)


def of_script(path: Path) -> Iterator[Expression]:
    """Yield the expressions of a script; they are simple enough that Python reads them in the same way."""
    text = path.read_text(encoding="utf-8")
    assert "RegExp(" not in text, f"{path}: an expression made from text cannot be looked at here"
    assert not re.search(r'<[^>]*\spattern="', text), f"{path}: an expression in a page: look at it here"
    for found in IN_SCRIPT.finditer(text):
        pattern = (found["tested"] or found["given"]).replace("\\/", "/")
        yield Expression(f"{path.relative_to(ROOT)}", pattern, 0, frozenset({"search"}))


@cache
def expressions() -> list[Expression]:
    python = (each for path in sorted(ROOT.rglob("*.py")) for each in of_python(path))
    scripts = [path for kind in ("*.js", "*.html") for path in sorted(ROOT.rglob(kind))]
    return [*python, *(each for path in scripts for each in of_script(path))]


def least(tree: Any) -> str:
    """Return a short text that a part of an expression matches."""
    return "".join(_least(operation, argument) for operation, argument in tree)


def _least(operation: Any, argument: Any) -> str:
    if operation is sre.LITERAL:
        return chr(argument)
    if operation in {sre.IN, sre.NOT_LITERAL, sre.ANY}:
        return next(filter(re.compile(_class(operation, argument)).fullmatch, USUAL + _literals(argument)))
    if operation in REPEATS:
        return least(argument[2]) * argument[0]
    inner = next(iter(_inside(operation, argument)), ())
    return "" if operation in {sre.ASSERT, sre.ASSERT_NOT} else least(inner)


def _class(operation: Any, argument: Any) -> str:
    if operation is sre.ANY:
        return "."
    if operation is sre.NOT_LITERAL:
        return f"[^{re.escape(chr(argument))}]"
    negated = any(kind is sre.NEGATE for kind, _ in argument)
    return f"[{'^' * negated}{''.join(_item(*item) for item in argument)}]"


def _item(kind: Any, value: Any) -> str:
    if kind is sre.LITERAL:
        return re.escape(chr(value))
    if kind is sre.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    if kind is sre.CATEGORY:
        return {"SPACE": r"\s", "NOT_SPACE": r"\S", "DIGIT": r"\d", "WORD": r"\w"}[str(value).removeprefix("CATEGORY_")]
    return ""


REPEATS = {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}


def _inside(operation: Any, argument: Any) -> list[Any]:
    """Return the parts of a part."""
    if operation in REPEATS:
        return [argument[2]]
    if operation is sre.SUBPATTERN:
        return [argument[-1]]
    if operation is sre.BRANCH:
        return list(argument[1])
    if operation in {sre.ASSERT, sre.ASSERT_NOT}:
        return [argument[1]]
    return [argument] if operation is sre.ATOMIC_GROUP else []


def ways_in(tree: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield for each unbounded repetition a text that leads up to it and one round of it."""
    for operation, argument in tree:
        if operation in REPEATS and argument[1] == sre.MAXREPEAT:
            yield before, least(argument[2])
        for inner in _inside(operation, argument):
            yield from ways_in(inner, before)
        before += _least(operation, argument)


def _literals(tree: Any) -> str:
    """Return every character named in an expression."""
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0] is sre.LITERAL:
        return chr(tree[1])
    if isinstance(tree, list | tuple | parser.SubPattern):
        return "".join(_literals(each) for each in tree)
    return ""


def hostile(expression: Expression) -> Iterator[str]:
    tree = parser.parse(expression.pattern, expression.flags)
    letters = sorted(set(_literals(tree)))
    around = {*USUAL, *letters, *("".join(pair) for pair in product(letters, repeat=2))}
    for before, once in sorted({("", ""), *ways_in(tree)}):
        for pump in sorted(around | {once} - {""}):
            yield before + pump * (SIZE // len(pump)) + "\0"
    for before, once in ways_in(tree):
        yield before + (once or "a") * (SIZE // len(once or "a"))


def apply(expression: Expression, method: str, text: str) -> None:
    compiled = re.compile(expression.pattern, expression.flags)
    if method in {"sub", "subn"}:
        compiled.sub("", text)
    else:
        run: Callable[[str], Any] = getattr(compiled, method)
        found = run(text)
        if method == "finditer":
            list(found)


def check(expression: Expression, seconds: float = SECONDS) -> None:
    for text in hostile(expression):
        for method in sorted(expression.used):
            with no_hang(f"{expression}, given {text[:20]!r} and so on,", seconds):
                apply(expression, method, text)


def test_all_regular_expressions_are_found() -> None:
    found = [each.place.split(":")[0] for each in expressions()]
    expected = {"core/notation/records.py", "core/notation/cards.py"}
    assert expected | {"web/static/verify_dice.py", "web/static/pad/worker.js"} <= set(found)
    calls = sum(len(re.findall(r"\bre\.[a-z]+\(", path.read_text(encoding="utf-8"))) for path in ROOT.rglob("*.py"))
    assert len([place for place in found if place.endswith(".py")]) == calls > 20


@for_each("expression", expressions(), ids=str)
def test_no_hostile_text_makes_an_expression_hang(expression: Expression) -> None:
    check(expression)


@for_each(
    ("pattern", "method"),
    [
        (r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$", "match"),  # took hours for one line of a rule book
        (r'"(?:[^"\\]|\\.)*"', "findall"),
        (r"(?:a+)+b", "match"),
        (r"x*y", "search"),
    ],
)
def test_slow_expressions_are_detected(pattern: str, method: str) -> None:
    with pytest.raises(HangError, match="still busy"):
        check(Expression("here", pattern, 0, frozenset({method})), SECONDS / 5)
