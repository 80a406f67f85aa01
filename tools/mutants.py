"""Break the code on purpose, in many small ways, and check that a test fails: campaign `mutants`.

`python tools/mutants.py [COUNT] [SEED]` draws that many mutants. The same seed draws the same mutants, as long as their
lines stay, whatever changes around them. Each is made in a copy of the source. First the tests that run its line are
run, then, if they pass, all tests of its package. Mutants that no test notices are printed. Some change no behaviour;
`tools/mutants_alike.txt` lists them with the reason. The exit code is 1 if fewer than 97% of the judged mutants were
noticed; a run that took too long is not judged.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from shutil import copytree

from mutant_tests import files_of, trace_tests

ROOT = Path(__file__).parent.parent
ALIKE = Path(__file__).with_name("mutants_alike.txt")
COUNT, SEED = 200, 1
NOTICED = 0.97
PATIENCE = 3600  # seconds for the tests of one mutant; the time limit of a test ends one that hangs
HANGS = "100"  # seconds that one test may take; many mutants hang, and most tests take less than a tenth of it
FAILED, INTERRUPTED = 1, 2  # exit codes of pytest: a test failed, or could not be collected
HUNG = b"time_limit.Hung"  # printed for a test that took too long
WORKERS = int(os.environ.get("CORES", "2"))
DOORS = "tests/web/test_access_matrix.py"
# The tests of each part of the source, the quick ones first.
ROOMS: dict[str, str] = {
    "core/dice": "tests/dice tests/golden tests/fairness tests/notation tests/words",
    "core/rules": "tests/rules tests/cli/test_rules.py tests/game tests/golden tests/notation tests/words",
    "core/game": "tests/game tests/golden tests/notation tests/words tests/exhaustive",
    "core/notation/proof.py": "tests/notation tests/words tests/fairness tests/cli/test_verify.py",
    "table/fairness": "tests/table tests/words tests/fairness tests/web/test_fair.py tests/cli/test_verify.py",
    "table/state.py": f"tests/table tests/words {DOORS}",
    "table/actions": f"tests/table tests/words {DOORS} tests/web/test_api.py tests/web/test_pad.py",
    "store/handover_links.py": f"tests/table tests/words {DOORS}",
    "web/http/identity.py": f"{DOORS} tests/web/test_hostile_pages.py tests/web",
    "web/services/app_services.py": f"{DOORS} tests/web/test_hostile_pages.py tests/web",
    "web/http/client_limits.py": "tests/web/test_limits.py tests/web/test_lanes.py tests/web",
}

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
# Code that runs at import, or only helps programmers, is left out.
LEFT_OUT = {"__repr__", "__str__", "__hash__"}


@dataclass(frozen=True)
class Mutant:
    """A piece of a file, and the code that replaces it."""

    file: str  # below src/fivedice
    tests: str
    line: int
    last: int  # line of the piece
    begin: int  # of the piece, counted in bytes of the file
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.old} -> {self.new}"

    def apply(self, source: bytes) -> bytes:
        return source[: self.begin] + self.new.encode() + source[self.end :]


def propose_replacements(node: ast.AST) -> Iterator[ast.expr | str]:
    """Yield the code that may replace a node."""
    yield from _replace_question(node)
    yield from _replace_value(node)
    yield from _replace_statement(node)


def _replace_question(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            yield ast.Compare(left, [COMPARED[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)


def _replace_value(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left, op, right) if type(op) in COMPUTED and not (_is_text(left) or _is_text(right)):
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as value) if value:
            yield ast.Constant(f"XX{value}")


def _replace_statement(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Return(ast.Constant(None | False)):
            pass  # the replacement would be the same or also false; another mutant makes it true
        case ast.Return(ast.expr()):
            yield "return None"
        case ast.Expr(ast.Call() | ast.Yield()) | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield "pass"
        case ast.Continue():
            yield "break"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def list_places(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes that are evaluated when a function runs."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name not in LEFT_OUT:
            for statement in function.body:
                if not _is_docstring(statement):
                    yield from _list_evaluated(statement)


def _list_evaluated(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.JoinedStr):
        return  # visited separately; and an f-string has no positions of its parts in Python 3.11
    if _is_guard(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "type_params"}:
                yield from _list_evaluated(child)


def _is_guard(node: ast.AST) -> bool:
    """Return whether a node guards against mistakes of programmers: no game reaches it."""
    match node:
        case ast.Raise(ast.Call(ast.Name("AssertionError"))) | ast.Raise(ast.Name("NotImplementedError")):
            return True
        case ast.keyword("strict"):
            return True
    return False


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def find_mutants(source: str, file: str, tests: str) -> list[Mutant]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data, found = source.encode(), []
    for node in list_places(ast.parse(source)):
        for other in propose_replacements(node):
            line, last = node.lineno, node.end_lineno or node.lineno
            begin, end = starts[line - 1] + node.col_offset, starts[last - 1] + (node.end_col_offset or 0)
            new = other if isinstance(other, str) else f"({ast.unparse(other)})"
            found.append(
                Mutant(
                    file, tests, node.lineno, node.end_lineno or node.lineno, begin, end, data[begin:end].decode(), new
                )
            )
    return found


def list_mutants(package: Path) -> list[Mutant]:
    found = []
    for room, tests in ROOMS.items():
        files = [package / room] if room.endswith(".py") else sorted((package / room).rglob("*.py"))
        for file in files:
            found += find_mutants(file.read_text(), file.relative_to(package).as_posix(), tests)
    return found


def is_noticed(mutant: Mutant, package: Path, root: Path = ROOT, first: Sequence[str] = ()) -> bool | None:
    """Return whether a test fails with the mutant in this copy of the package; None if that is unknown."""
    room = list(map(str, files_of(root, mutant.tests.split())))
    return (bool(first) and _fails(mutant, first, package, root)) or _fails(mutant, room, package, root)


def _fails(mutant: Mutant, tests: Sequence[str], package: Path, root: Path) -> bool | None:
    """Run tests with the mutant. A test that took too long counts only if the tests end without the mutant."""
    file = package / mutant.file
    source = file.read_bytes()
    file.write_bytes(mutant.apply(source))
    try:
        ended, said = _run_tests(tests, package, root)
    finally:
        file.write_bytes(source)
    if ended == FAILED and HUNG in said and _run_tests(tests, package, root)[0] != 0:
        return None
    return {0: False, FAILED: True, INTERRUPTED: True}.get(ended)


def _run_tests(tests: Sequence[str], package: Path, root: Path) -> tuple[int, bytes]:
    """Return the exit code of pytest and its output."""
    environment = os.environ | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["FIVEDICE_TEST_SECONDS"] = HANGS
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return -1, b""
    return done.returncode, done.stdout


def judge_all(chosen: Sequence[Mutant], package: Path) -> list[bool | None]:
    """Return the result of each mutant. Each worker has its own copy of the package."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Path(copytree(package, Path(folder) / str(number) / package.name)))
        rooms = {test for mutant in chosen for test in mutant.tests.split()}
        tests = trace_tests(ROOT, package, rooms, Path(folder), WORKERS)

        def judge(mutant: Mutant) -> bool | None:
            copy = copies.get()
            try:
                noticed = is_noticed(mutant, copy, first=tests.first(mutant.file, mutant.line, mutant.last))
            finally:
                copies.put(copy)
            words = {True: ".", False: f"\nNOT NOTICED, line {mutant.line} of {mutant}\n"}
            print(words.get(noticed, f"\nNOT JUDGED, line {mutant.line} of {mutant}\n"), end="")
            sys.stdout.flush()
            return noticed

        return list(pool.map(judge, chosen))


def draw(everything: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Draw mutants by the seed. The number of a mutant depends on the mutant alone, so the sample is stable."""
    seen: Counter[str] = Counter()

    def lot(mutant: Mutant) -> bytes:
        seen[str(mutant)] += 1  # a line may contain a piece twice, and two lines may be equal
        return sha256(f"{seed} {seen[str(mutant)]} {mutant}".encode()).digest()

    lots = {mutant: lot(mutant) for mutant in everything}
    return sorted(everything, key=lots.__getitem__)[:count]


def read_equivalent() -> set[str]:
    lines = ALIKE.read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def main(count: int = COUNT, seed: int = SEED) -> int:
    package = ROOT / "src" / "fivedice"
    alike = read_equivalent()
    everything = [mutant for mutant in list_mutants(package) if str(mutant) not in alike]
    chosen = draw(everything, count, seed)
    found = [noticed for noticed in judge_all(chosen, package) if noticed is not None]
    rate = sum(found) / len(found) if found else 0.0
    print(
        f"\n{len(chosen)} of {len(everything)} mutants, seed {seed}: {len(found)} judged, {rate:.1%} of them noticed."
    )
    return 0 if rate >= NOTICED else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
