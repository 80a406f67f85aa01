"""Break the code on purpose, in many small ways, and see whether a test notices: campaign `mutants`.

`python tools/mutants.py [COUNT] [SEED]` takes that many of all mutants: the same ones for the same seed, as long as
their lines stay what they are, whatever changes around them. Each is made in a copy of the source, shown to the tests
that run its line and, if they do not mind, to all tests of its room, and thrown away. Those that no test noticed are
shown; some change nothing that anybody could notice, and are named with the reason in `tools/mutants_alike.txt`. Ends
with 1 where fewer than 97 of 100 were noticed, of those that could be judged: a run that took too long says nothing.
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

from mutant_tests import files_of, known

ROOT = Path(__file__).parent.parent
ALIKE = Path(__file__).with_name("mutants_alike.txt")
COUNT, SEED = 200, 1
NOTICED = 0.97
PATIENCE = 3600  # seconds for the tests of one mutant; one that never ends is noticed by the time limit of a test
HANGS = "100"  # seconds that one test may take: many mutants hang, and few tests take a tenth of that
FAILED, INTERRUPTED = 1, 2  # how pytest ends where a test failed, or could not even be read
HUNG = b"time_limit.Hung"  # in what it says of a test that took too long
WORKERS = int(os.environ.get("CORES", "2"))
DOORS = "tests/web/test_access_matrix.py"
# Which tests look after which part of the source: the quick ones first.
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
    "web/services/visitors.py": f"{DOORS} tests/web/test_hostile_pages.py tests/web",
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
# What runs when the program is read, or is there for people who write programs, is no behaviour.
LEFT_OUT = {"__repr__", "__str__", "__hash__"}


@dataclass(frozen=True)
class Mutant:
    """One place of one file, and what stands there instead."""

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

    def applied(self, source: bytes) -> bytes:
        return source[: self.begin] + self.new.encode() + source[self.end :]


def others(node: ast.AST) -> Iterator[ast.expr | str]:
    """What might stand in the place of this."""
    yield from _other_question(node)
    yield from _other_value(node)
    yield from _other_statement(node)


def _other_question(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            yield ast.Compare(left, [COMPARED[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)


def _other_value(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left, op, right) if type(op) in COMPUTED and not (_is_text(left) or _is_text(right)):
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as value) if value:
            yield ast.Constant(f"XX{value}")


def _other_statement(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Return(ast.Constant(None | False)):
            pass  # it would be the same, or as false; that it is no longer false is asked for anyway
        case ast.Return(ast.expr()):
            yield "return None"
        case ast.Expr(ast.Call() | ast.Yield()) | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield "pass"
        case ast.Continue():
            yield "break"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def places(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Everything in functions that is worked out when they run."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name not in LEFT_OUT:
            for statement in function.body:
                if not _is_docstring(statement):
                    yield from _worked_out(statement)


def _worked_out(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.JoinedStr):
        return  # found for itself; and a text with holes cannot be taken apart in Python 3.11
    if _is_guard(node):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "type_params"}:
                yield from _worked_out(child)


def _is_guard(node: ast.AST) -> bool:
    """Whether this tells programmers of a mistake that nobody has made: no game comes by here."""
    match node:
        case ast.Raise(ast.Call(ast.Name("AssertionError"))) | ast.Raise(ast.Name("NotImplementedError")):
            return True
        case ast.keyword("strict"):
            return True
    return False


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def mutants_of(source: str, file: str, tests: str) -> list[Mutant]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data, found = source.encode(), []
    for node in places(ast.parse(source)):
        for other in others(node):
            line, last = node.lineno, node.end_lineno or node.lineno
            begin, end = starts[line - 1] + node.col_offset, starts[last - 1] + (node.end_col_offset or 0)
            new = other if isinstance(other, str) else f"({ast.unparse(other)})"
            found.append(
                Mutant(
                    file, tests, node.lineno, node.end_lineno or node.lineno, begin, end, data[begin:end].decode(), new
                )
            )
    return found


def all_mutants(package: Path) -> list[Mutant]:
    found = []
    for room, tests in ROOMS.items():
        files = [package / room] if room.endswith(".py") else sorted((package / room).rglob("*.py"))
        for file in files:
            found += mutants_of(file.read_text(), file.relative_to(package).as_posix(), tests)
    return found


def is_noticed(mutant: Mutant, package: Path, root: Path = ROOT, first: Sequence[str] = ()) -> bool | None:
    """Whether a test fails, with the mutant in this copy of the package; None where that cannot be told."""
    room = list(map(str, files_of(root, mutant.tests.split())))
    return (bool(first) and _fails(mutant, first, package, root)) or _fails(mutant, room, package, root)


def _fails(mutant: Mutant, tests: Sequence[str], package: Path, root: Path) -> bool | None:
    """On a busy machine a test may take too long by itself: then these must come to their end without the mutant."""
    file = package / mutant.file
    source = file.read_bytes()
    file.write_bytes(mutant.applied(source))
    try:
        ended, said = _tested(tests, package, root)
    finally:
        file.write_bytes(source)
    if ended == FAILED and HUNG in said and _tested(tests, package, root)[0] != 0:
        return None
    return {0: False, FAILED: True, INTERRUPTED: True}.get(ended)


def _tested(tests: Sequence[str], package: Path, root: Path) -> tuple[int, bytes]:
    """How pytest ended, and what it said."""
    environment = os.environ | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["FIVEDICE_TEST_SECONDS"] = HANGS
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return -1, b""
    return done.returncode, done.stdout


def judged(chosen: Sequence[Mutant], package: Path) -> list[bool | None]:
    """What came of each; each worker has a copy of its own."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Path(copytree(package, Path(folder) / str(number) / package.name)))
        rooms = {test for mutant in chosen for test in mutant.tests.split()}
        tests = known(ROOT, package, rooms, Path(folder), WORKERS)

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


def drawn(everything: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many by lot. The lot of a mutant hangs on itself alone, so that what was noticed once is asked for again."""
    seen: Counter[str] = Counter()

    def lot(mutant: Mutant) -> bytes:
        seen[str(mutant)] += 1  # one line may have the same piece twice, and two lines may be alike
        return sha256(f"{seed} {seen[str(mutant)]} {mutant}".encode()).digest()

    lots = {mutant: lot(mutant) for mutant in everything}
    return sorted(everything, key=lots.__getitem__)[:count]


def known_alike() -> set[str]:
    lines = ALIKE.read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def main(count: int = COUNT, seed: int = SEED) -> int:
    package = ROOT / "src" / "fivedice"
    alike = known_alike()
    everything = [mutant for mutant in all_mutants(package) if str(mutant) not in alike]
    chosen = drawn(everything, count, seed)
    told = [noticed for noticed in judged(chosen, package) if noticed is not None]
    rate = sum(told) / len(told) if told else 0.0
    print(f"\n{len(chosen)} of {len(everything)} mutants, seed {seed}: {len(told)} judged, {rate:.1%} of them noticed.")
    return 0 if rate >= NOTICED else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
