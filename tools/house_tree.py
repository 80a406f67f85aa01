"""Count modules and lines of the source tree, shared file names, and the places that name one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

READ = {".py", ".html", ".js", ".css"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SENTENCE = re.compile(r"[A-Z“\"{][^<>]*\s[^<>]*\s[^<>]*[.!?]")


@dataclass(frozen=True)
class Sizes:
    """The size of a tree."""

    modules: int
    lines: int
    median: int
    fullest: str
    most: int
    shared: tuple[str, ...]  # file names that occur in several packages


@dataclass(frozen=True)
class Thing:
    """A thing with a name: patterns for its code, for notes in the text, and for paths of files.

    `once` are patterns of code that may have moved since: they count where they match, and need not match.
    """

    name: str
    code: tuple[str, ...]
    notes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    once: tuple[str, ...] = ()


@dataclass(frozen=True, order=True)
class Place:
    """A top-level definition, or a file without definitions."""

    file: str
    definition: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.definition}" if self.definition else self.file


def modules(root: Path) -> list[Path]:
    """Return all Python files."""
    return sorted(root.rglob("*.py"))


def sizes(root: Path) -> Sizes:
    files = modules(root)
    lengths = [len(file.read_text(encoding="utf-8").splitlines()) for file in files]
    fullest, most = Counter(file.parent for file in files).most_common(1)[0]
    return Sizes(len(files), sum(lengths), round(median(lengths)), _short(fullest, root), most, _shared(files))


def room_lines(root: Path) -> dict[str, int]:
    """Return the lines of Python in each package, the largest first; modules outside packages count together."""
    rooms: Counter[str] = Counter()
    for file in modules(root):
        room = file.relative_to(root).parts[0] if file.parent != root else "modules"
        rooms[room] += len(file.read_text(encoding="utf-8").splitlines())
    return dict(rooms.most_common())


def _shared(files: Iterable[Path]) -> tuple[str, ...]:
    """Return the file names, except `__init__`, that occur more than once."""
    names = Counter(file.name for file in files if file.stem != "__init__")
    return tuple(sorted(name for name, times in names.items() if times > 1))


def places(root: Path, thing: Thing) -> list[Place]:
    """Return the places to look at when adding one more of the kind: all that name it, its own included."""
    return sorted(set(_places(root, thing)))


def find_unmatched(root: Path, thing: Thing) -> list[str]:
    """Return the patterns without a match: the thing was renamed, and its places would be counted too low."""
    texts = [file.read_text(encoding="utf-8") for file in _readable(root)]
    return [pattern for pattern in thing.code if not any(_names([pattern], text) for text in texts)]


def _readable(root: Path) -> list[Path]:
    return sorted(file for file in root.rglob("*") if file.suffix in READ)


def _places(root: Path, thing: Thing) -> Iterator[Place]:
    for file in _readable(root):
        name, text = _short(file, root), file.read_text(encoding="utf-8")
        if _names(thing.paths, name):
            yield Place(name)
        if _names(thing.notes, text):
            yield Place(name, "(a note)")
        if file.suffix == ".py":
            yield from (Place(name, definition) for definition in _naming(text, thing.code + thing.once))
        elif _names(thing.code + thing.once, text):
            yield Place(name)


def _naming(text: str, patterns: tuple[str, ...]) -> list[str]:
    """Return the definitions that name a thing. An import counts only if the module does nothing else with it."""
    found = [node for node, code in _parsed(text) if _names(patterns, code)]
    used = [_title(node) for node in found if not _imports(node)]
    return used or ["(import)" for _ in found[:1]]


@cache
def _parsed(text: str) -> list[tuple[ast.stmt, str]]:
    """Return every statement of a module with its code, without comments and docstrings."""
    return [(node, ast.unparse(node)) for node in _without_docstrings(ast.parse(text)).body]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (*_DEFINITIONS, ast.Module)) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _imports(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return all(_imports(inner) for inner in (*node.body, *node.orelse))
    return isinstance(node, ast.Import | ast.ImportFrom)


def _title(node: ast.stmt) -> str:
    if isinstance(node, _DEFINITIONS):
        return node.name
    if isinstance(node, ast.Assign):
        return ", ".join(map(ast.unparse, node.targets))
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.target)
    return f"line {node.lineno}"


def _names(patterns: Iterable[str], text: str) -> bool:
    return any(re.search(pattern, text, re.MULTILINE) for pattern in patterns)


def sentences(root: Path) -> dict[str, int]:
    """Count the whole sentences in the code of each module that has any, templates aside."""
    counted = {_short(file, root): _count_sentences(file.read_text(encoding="utf-8")) for file in modules(root)}
    return {file: times for file, times in counted.items() if times}


def _count_sentences(source: str) -> int:
    return sum(bool(_SENTENCE.fullmatch(text)) for text in _texts(_without_docstrings(ast.parse(source))))


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield all texts; one with values counts as one text."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    else:
        for inner in ast.iter_child_nodes(node):
            yield from _texts(inner)


def _short(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
