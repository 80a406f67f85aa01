"""Figures about names and folders: what a stranger meets first. Used by `measure_house.py`, by syntax trees alone."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Participles that do not end in "ed", all words that do, and those of them that are none.
_PARTICIPLE = re.compile(
    r"begun|bound|bought|broken|brought|built|caught|chosen|dealt|done|drawn|felt|forgotten|given|gone|grown|heard|held|"
    r"hidden|kept|known|laid|lost|made|meant|met|paid|said|seen|sent|shown|sold|spoken|taken|thought|thrown|told|torn|"
    r"understood|won|worn|written|(?!bed$|embed$|exceed$|feed$|need$|proceed$|red$|seed$|shed$|speed$|succeed$)[a-z]+ed"
)
# First words of docstrings that are no verbs: articles, pronouns, question words, prepositions, endings.
_NO_VERB = re.compile(
    r"a|about|above|after|again|against|all|also|although|always|an|and|another|any|anyone|anything|are|around|as|at|"
    r"because|before|below|beside|between|both|but|by|each|either|else|enough|every|everyone|everything|few|final|first|"
    r"for|four|from|further|half|he|her|here|his|how|however|i|if|in|into|it|itself|just|later|least|less|like|many|may|"
    r"more|most|much|must|neither|never|new|next|no|nobody|none|nor|not|nothing|now|of|on|once|one|only|onto|or|other|our|"
    r"own|per|perhaps|same|several|she|should|since|so|some|somebody|something|still|such|than|that|the|their|them|then|"
    r"there|these|they|this|those|three|through|till|to|today|together|too|two|under|until|up|upper|was|we|were|what|"
    r"whatever|when|where|whether|which|while|who|whoever|whole|whose|why|will|with|within|without|would|you|your|"
    r"[a-z]+(?:ing|ed|ly|tion)|[a-z]*[^s]s"
)


def functions(root: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function and method of a tree."""
    for file in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, _FUNCTIONS):
                yield node


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in function.decorator_list)


def is_participle(name: str) -> bool:
    """Return whether a function's name is a participle, such as `_kept` or `judged`."""
    return _PARTICIPLE.fullmatch(name.strip("_")) is not None


def count_participles(root: Path) -> int:
    """Count the functions, properties aside, that are named by a participle."""
    return sum(is_participle(each.name) for each in functions(root) if not is_property(each))


def starts_with_verb(docstring: str) -> bool:
    """Return whether a docstring begins with a verb, as far as its first word shows."""
    first = re.match(r"[A-Za-z]+(?=\s|$)", docstring.strip())
    return first is not None and _NO_VERB.fullmatch(first[0].lower()) is None


def share_of_verbs(root: Path) -> float:
    """Return the share of docstrings of functions, properties aside, that begin with a verb."""
    texts = [ast.get_docstring(each) for each in functions(root) if not is_property(each)]
    found = [starts_with_verb(text) for text in texts if text]
    return sum(found) / max(1, len(found))


def find_shared_classes(root: Path) -> list[str]:
    """Return the names of classes that are defined in several modules."""
    names: Counter[str] = Counter()
    for file in sorted(root.rglob("*.py")):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        names.update({node.name for node in body if isinstance(node, ast.ClassDef)})
    return sorted(name for name, times in names.items() if times > 1)


def find_mutual_folders(root: Path) -> list[tuple[str, str]]:
    """Return the pairs of folders below the package whose modules import each other."""
    known: dict[str, set[str]] = defaultdict(set)
    for file in sorted(root.rglob("*.py")):
        folder = file.parent.relative_to(root).as_posix()
        known[folder] |= {found for found in _imported_folders(file, root) if found != folder}
    pairs = combinations(sorted(set(known) - {"."}), 2)
    return [(one, other) for one, other in pairs if other in known[one] and one in known[other]]


def _imported_folders(file: Path, root: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{root.name}."):
            yield from (_folder_of(f"{node.module}.{alias.name}", root) for alias in node.names)


def _folder_of(name: str, root: Path) -> str:
    """Return the folder of the module that a dotted name leads to; a package is the folder itself."""
    path = root
    for part in name.split(".")[1:]:
        if not (path / part).is_dir():
            break
        path /= part
    return path.relative_to(root).as_posix()
