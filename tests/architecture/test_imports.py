"""Which parts may import which, read from the source, and what `import fivedice` loads in a fresh process."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import fivedice as fd
from for_each import for_each
from support.source_tree import ROOT, imports_of
from traced import TESTS

PURE = ("dice", "rules", "game", "notation")  # folders of the core
EDGES = ("web", "terminal", "cli")

# Each part of the house and the parts it may know; every part may know `errors` and `message`.
MAY_KNOW: dict[str, set[str]] = {
    "message": {"text"},  # late: the sentence is made when it is read
    "text": set(),
    "errors": set(),
    "folders": set(),
    "core": {"drawing"},  # late: a notebook that shows a picture loads it
    "drawing": {"core", "text"},
    "solver": {"core", "folders", "drawing"},
    "players": {"core", "solver", "reports", "drawing", "text"},
    "bots": {"players"},  # here and in the next three: the public name of a package
    "dice": {"core"},
    "notation": {"core"},
    "rules": {"core"},
    "reports": {"core", "solver", "drawing", "text"},
    "coaching": {"core", "solver", "reports", "table"},
    "positions": {"core", "solver", "reports", "players", "coaching", "text"},
    "table": {"core", "players", "store", "drawing", "text"},
    "store": {"core", "table", "folders", "text"},
    "learning": {"core", "solver", "text"},
    "client": {"core"},  # a program that plays at a server needs the standard library alone
}
# The folders of the core and the others of them that each may know.
CORE_MAY_KNOW: dict[str, set[str]] = {
    "dice": set(),
    "rules": {"dice"},
    "game": {"dice", "rules"},
    "notation": {"dice", "rules", "game"},
}
BELOW_THE_EDGES = set(MAY_KNOW) - {"errors", "message"}
# Only solver files that answer questions about cards import the game.
SEES_GAME = {
    "solver/solution/__init__.py",
    "solver/chase/__init__.py",
    "solver/win/__init__.py",
    "solver/win/one_turn_lookahead.py",
    "solver/win/plans.py",
    "solver/win/turn_answers.py",
}

# The folders of the solver and the others of them that each may know.
SOLVER_MAY_KNOW: dict[str, set[str]] = {
    "runtime": set(),
    "model": {"runtime"},
    "values": {"runtime", "model"},
    "odds": {"runtime", "model", "values"},
    "endings": {"runtime", "model", "values", "odds"},
    "solution": {"runtime", "model", "values", "odds", "endings"},
    "bonus": {"runtime", "model", "values", "odds", "solution"},
    "chase": {"runtime", "model", "values", "solution"},
    "simulate": {"runtime", "model", "values", "odds", "solution"},
    "win": {"runtime", "model", "values", "odds", "endings", "solution", "chase"},
}
MOST_MODULES = 14  # in one folder of the solver

# The modules of the standard library that the core may use: none that wait, tell the time, log or guess.
STANDARD = {
    "__future__",
    "abc",
    "collections",
    "copy",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "importlib",
    "itertools",
    "json",
    "math",
    "operator",
    "pathlib",
    "re",
    "secrets",
    "struct",
    "tomllib",
    "types",
    "typing",
    "unicodedata",
}


def sources(part: str) -> list[Path]:
    folder = ROOT / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def parts_known(path: Path) -> set[str]:
    names = {name.split(".")[1] for name in imports_of(path) if name.startswith("fivedice.")}
    return {name for name in names if (ROOT / name).is_dir() or (ROOT / f"{name}.py").exists()}


def parts() -> list[str]:
    entries = (path for path in ROOT.iterdir() if path.is_dir() or path.suffix == ".py")
    return sorted({path.stem for path in entries} - {"__init__", "__main__", "__pycache__"})


@for_each("part", parts())
def test_parts_import_only_lower_parts(part: str) -> None:
    assert part in MAY_KNOW or part in EDGES, f"{part} has no place in the house: say whom it may import"
    for path in sources(part):
        name = path.relative_to(ROOT).as_posix()
        allowed = {part, "errors", "message"} | (BELOW_THE_EDGES if part in EDGES else MAY_KNOW[part])
        if part == "cli":
            allowed |= set(EDGES)  # it launches the others, by late import: see below
        assert parts_known(path) <= allowed, name


@for_each("folder", PURE)
def test_core_folders_import_only_lower_ones(folder: str) -> None:
    for path in sources(f"core/{folder}"):
        known = {name.split(".")[2] for name in imports_of(path) if name.startswith("fivedice.core.")}
        assert known <= {folder} | CORE_MAY_KNOW[folder], path.name


def test_few_solver_files_import_game() -> None:
    for path in sources("solver"):
        sees_game = any(name.startswith("fivedice.core.game") for name in imports_of(path))
        assert not sees_game or path.relative_to(ROOT).as_posix() in SEES_GAME, path.name


@for_each("folder", sorted(path.name for path in (ROOT / "solver").iterdir() if any(path.glob("*.py"))))
def test_solver_folders_import_only_lower_ones(folder: str) -> None:
    assert folder in SOLVER_MAY_KNOW, f"{folder} has no place in the solver: say whom it may import"
    modules = sorted((ROOT / "solver" / folder).glob("*.py"))
    assert len(modules) <= MOST_MODULES
    for path in modules:
        known = {name.split(".")[2] for name in imports_of(path) if name.startswith("fivedice.solver.")}
        assert known <= {folder} | SOLVER_MAY_KNOW[folder], path.name
        assert "fivedice.solver" not in set(imports_of(path)), f"{path.name}: it imports a neighbour"


@for_each("path", sources("cli"), ids=lambda path: path.name)
def test_cli_imports_web_and_terminal_late(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            text = ast.unparse(node)
            assert not any(f"fivedice.{edge}" in text for edge in ("web", "terminal")), text


@for_each("part", ["core", "errors"])
def test_core_uses_only_listed_standard_modules(part: str) -> None:
    for path in sources(part):
        outside = {name.split(".")[0] for name in imports_of(path)} - {"fivedice"}
        assert outside <= STANDARD, path.name


def test_only_one_module_imports_secrets() -> None:
    users = [path.name for path in sources("core") if "secrets" in set(imports_of(path))]
    assert users == ["sources.py"]


# Modules that open connections. `socket` is used to listen and to learn our own address.
CALLERS = {"urllib.request", "http.client", "httpx", "requests", "aiohttp", "urllib3", "ftplib", "smtplib", "telnetlib"}
MAY_LISTEN = {"server.py", "connections.py", "identity.py", "outgoing.py"}
MAY_CALL = {"client.py", "outgoing.py"}  # where its user leads a program; notices that people asked for
CALLS_BY = {"remote_table.py"}  # and who uses that: never the server


@for_each("part", parts())
def test_package_opens_no_outgoing_connections(part: str) -> None:
    """The server calls the database, and by one module the addresses that people gave for notices."""
    for path in sources(part):
        used = set(imports_of(path))
        assert not used & CALLERS or path.name in MAY_CALL, path.name
        assert "fivedice.client" not in used or path.name in CALLS_BY, path.name
        assert "socket" not in used or path.name in MAY_LISTEN, path.name


@for_each("part", ["core", "solver"])
def test_no_code_compares_book_keys(part: str) -> None:
    """Books differ by data: a comparison with a key means that a rule is missing in them."""
    for path in sources(part):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                assert not compares_key_with_text(node), f"{path.name}: {ast.unparse(node)}"


@for_each("part", parts())
def test_only_the_catalog_names_books(part: str) -> None:
    """Defaults included: `rules.DEFAULT` is the one to ask."""
    for path in sources(part):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        literals = {value for value in constants if not is_prose(value)}
        assert path.name == "catalog.py" or not literals & set(fd.SHIPPED), path.name


def is_prose(value: object) -> bool:
    return not isinstance(value, str) or " " in value


def compares_key_with_text(node: ast.Compare) -> bool:
    sides = [node.left, *node.comparators]
    has_key = any(isinstance(side, ast.Attribute) and side.attr in {"key", "name"} for side in sides)
    return has_key and any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides)


def test_key_comparisons_are_detected() -> None:
    wrong, right = (ast.parse(f"book.key == {other}", mode="eval").body for other in ('"yahtzee"', "other.key"))
    assert isinstance(wrong, ast.Compare)
    assert isinstance(right, ast.Compare)
    assert compares_key_with_text(wrong)
    assert not compares_key_with_text(right)


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh process has loaded after running the code."""
    command = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


HEAVY = {"numpy", "numba", "litestar", "textual", "rich", "cyclopts", "sqlalchemy", "uvicorn", "jinja2", "asyncio"}


def test_imports_load_only_what_is_needed() -> None:
    modules = loaded_by("import fivedice")
    assert {name for name in modules if name.startswith("fivedice")} == {"fivedice"}
    assert not modules & HEAVY
    play = (
        "import fivedice as fd\n"
        "game = fd.Game.new('yahtzee', ['Ann', 'Bob'], dice=fd.dice.seeded(1))\n"
        "game.roll(); game.mark('chance'); fd.read_game(fd.write_game(game))"
    )
    modules = loaded_by(play)
    assert not modules & (HEAVY | {"logging"})
    parts_loaded = {name.split(".")[1] for name in modules if name.startswith("fivedice.")}
    assert parts_loaded == {"core", "dice", "errors", "message"}
    # A restart waits for its imports.
    modules = loaded_by("import fivedice.web.server")
    assert not modules & {"alembic", "numba", "rich", "textual", "typst"}


# Test modules under tests/browser that others still import helpers from; this may only shrink.
IMPORTED_STILL = {"browser.test_journeys", "browser.test_pad", "browser.test_pad_offline", "browser.test_static_site"}


def test_no_test_module_imports_another() -> None:
    """Helpers that several test modules need stand in `tests/support`, or in a module that has no tests."""
    names = {name for path in sorted(TESTS.rglob("*.py")) for name in imports_of(path)}
    assert {name for name in names if name.rpartition(".")[2].startswith("test_")} - {"test_times"} == IMPORTED_STILL
