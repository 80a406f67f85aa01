"""The tables of sentences: every kind has a text, every text is used, and names agree."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import fivedice as fd
from fivedice import text as words
from fivedice.text.formatting import Plural, Text, read_table
from for_each import for_each

ROOT = Path(fd.__file__).parent
WORDS = Path(words.__file__).parent
CORE = ("dice", "rules", "game", "notation", "bots")  # where an error never is a plain sentence

TABLES = {path.stem: read_table(path) for path in sorted((WORDS / "sentences").glob("*.toml"))}
AREAS = list(TABLES)
TEXTS: dict[str, Text] = {kind: text for table in TABLES.values() for kind, text in table.items()}
looks_like_a_kind = re.compile(rf"({'|'.join(AREAS)})\.[a-z0-9-]+(\.[a-z0-9-]+)*").fullmatch

SAYING = {"message", "Message", "word"}
PASSED_ON = {"Flag", "Level"}  # to someone who has the arguments
PLACES = {"file", "line", "column", "path"}  # of a BookError, which its sentence does not use


def names_in(text: Text) -> set[str]:
    parts = [*text[:2]] if isinstance(text, Plural) else [text]
    found = {name for part in parts for _, name, _, _ in Formatter().parse(part) if name is not None}
    return found | ({text.by} if isinstance(text, Plural) else set())


def sources() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def literals(node: ast.expr) -> list[str]:
    """Return the texts that an expression may evaluate to, where that can be seen."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


ERRORS = {name for name in vars(fd.errors) if name[0].isupper()} - {"Message"}


def is_error(call: ast.Call) -> bool:
    return name_of(call) in ERRORS


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources()}


@cache
def calls() -> tuple[tuple[Path, ast.Call], ...]:
    """Return every call in the package, with its file."""
    return tuple(
        (path, node) for path, tree in trees().items() for node in ast.walk(tree) if isinstance(node, ast.Call)
    )


def sayings() -> Iterator[tuple[str, ast.Call, list[str]]]:
    """Yield every call that names kinds, with its place and the kinds."""
    for path, call in calls():
        kinds = [text for argument in call.args[:2] for text in literals(argument) if looks_like_a_kind(text)]
        if kinds:
            yield f"{path.relative_to(ROOT)}:{call.lineno}", call, kinds


def argument_names(call: ast.Call) -> set[str] | None:
    """Return the names of the arguments, or None where they cannot be seen."""
    mapping = next((argument for argument in call.args if isinstance(argument, ast.Dict)), None)
    if mapping is not None:
        return {text for key in mapping.keys if key is not None for text in literals(key)}
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    return {str(keyword.arg) for keyword in call.keywords}


def takes_arguments(call: ast.Call) -> bool:
    """Return whether one call has the kind and its arguments: a message, an error, or a printed sentence."""
    name = name_of(call)
    return name in SAYING | {"error", "tell"} or (name[:1].isupper() and name not in PASSED_ON)


def test_kinds_belong_to_their_table_and_have_a_text() -> None:
    for area, table in TABLES.items():
        assert all(kind.startswith(f"{area}.") and looks_like_a_kind(kind) for kind in table), area
    unknown = [f"{place} {kind}" for place, _, kinds in sayings() for kind in kinds if kind not in TEXTS]
    assert not unknown
    said = [call for _, call in calls() if isinstance(call.func, ast.Name) and call.func.id in SAYING]
    assert not [text for call in said for text in literals(call.args[0]) if text not in TEXTS]


def test_every_text_is_used() -> None:
    nodes = [node for tree in trees().values() for node in ast.walk(tree)]
    code = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    made = tuple(
        start
        for node in nodes
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
        for start in [str(node.values[0].value)]
        if looks_like_a_kind(f"{start}x")
    )  # such as f"cli.column.{name}"
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web" / "templates").rglob("*.html"))
    named = {kind.removesuffix(".you") for kind in TEXTS}
    assert not [kind for kind in named if kind not in code and f'"{kind}"' not in pages and not kind.startswith(made)]


def test_sentences_use_exactly_their_arguments() -> None:
    wrong = []
    for place, call, kinds in sayings():
        known = argument_names(call)
        if known is None or not takes_arguments(call):
            continue
        if name_of(call) == "error":
            known |= {"key"}
        named = [names_in(TEXTS[kind]) for kind in kinds if kind in TEXTS]
        wrong += [f"{place} {kinds}: lacks {names - known}" for names in named if names - known]
        spare = known - set().union(*named) - PLACES - {"key"}
        exact = len(kinds) == 1 and (name_of(call) in SAYING or is_error(call))  # others may have options of their own
        wrong += [f"{place} {kinds}: spare {spare}"] if spare and exact else []
    assert not wrong


def test_sentences_about_a_player_have_a_you_form() -> None:
    about = [kind for kind, text in TEXTS.items() if "who" in names_in(text) and not kind.endswith(".you")]
    assert not [kind for kind in about if f"{kind}.you" not in TEXTS]
    assert not [kind for kind in TEXTS if kind.endswith(".you") and kind.removesuffix(".you") not in TEXTS]


@for_each("part", ("core/dice", "core/rules", "core/game", "core/notation", "players/bots"))
def test_core_raises_kinds_not_sentences(part: str) -> None:
    raised = [(path, call) for path, call in calls() if path.is_relative_to(ROOT / part) and is_error(call)]
    answer = [
        f"{path.name}:{call.lineno}"
        for path, call in raised
        if isinstance(call.args[0], ast.JoinedStr) or [text for text in literals(call.args[0]) if text not in TEXTS]
    ]
    assert not answer
    assert raised


@for_each("kind", [kind for kind in TEXTS if kind.split(".")[0] in CORE])
def test_errors_and_reasons_are_whole_sentences(kind: str) -> None:
    """A text is a label, a phrase, or sentences with a capital or a value first and a stop last."""
    text = TEXTS[kind]
    for part in [*text[:2]] if isinstance(text, Plural) else [text]:
        assert part == part.strip()
        assert "  " not in part
        if ". " in part:
            assert part[0].isupper() or part[0] in "{'", kind
            assert part[-1] in ".?}", kind
