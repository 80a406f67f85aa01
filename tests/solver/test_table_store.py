"""Stored tables are used only if they are intact and ours."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from fivedice.core.game import Scorecard
from fivedice.core.rules import book
from fivedice.solver import solution as solved_book, solve
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime import solution_files as table_store
from fivedice.solver.runtime.solution_cache import NamedLocks, SizedLRUCache, SolvedTables
from fivedice.solver.runtime.solution_files import process_lock

SHAPE = (4, 1, 3)
NAME = "0123456789abcdef" * 2
BODY = 128  # where the numbers begin


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    monkeypatch.setattr(solved_book._tables, "memory", {})
    return tmp_path


@pytest.fixture
def table() -> np.ndarray:
    return np.arange(12, dtype=np.float64).reshape(SHAPE)


def test_stored_table_is_read_back(table: np.ndarray, folder: Path) -> None:
    assert table_store.load(NAME, SHAPE) is None
    assert table_store.save(NAME, table)
    loaded = table_store.load(NAME, SHAPE)
    assert loaded is not None
    assert np.array_equal(loaded, table)
    assert loaded.flags.aligned
    assert [path.name for path in folder.iterdir()] == [f"{NAME}.values"]


def test_damaged_foreign_and_older_files_are_detected(table: np.ndarray, folder: Path) -> None:
    table_store.save(NAME, table)
    path = folder / f"{NAME}.values"
    good = path.read_bytes()
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert table_store.load(NAME, SHAPE) is None, place
    path.write_bytes(good)
    assert table_store.load(NAME, SHAPE) is not None
    table_store.save(NAME, table)
    path = folder / f"{NAME}.values"
    good = path.read_bytes()
    for content in [*(good[:length] for length in range(len(good))), good + b"\0", good + good]:
        path.write_bytes(content)
        assert table_store.load(NAME, SHAPE) is None


def test_foreign_or_older_file_is_ignored(table: np.ndarray, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = NAME[::-1]
    table_store.save(other, table)
    (folder / f"{other}.values").rename(folder / f"{NAME}.values")
    assert table_store.load(NAME, SHAPE) is None
    table_store.save(NAME, table)
    assert table_store.load(NAME, (2, 2, 3)) is None
    monkeypatch.setattr(table_store, "VERSION", table_store.VERSION + 1)
    assert table_store.load(NAME, SHAPE) is None


def test_damaged_solution_is_replaced(folder: Path) -> None:
    rules = book("yatzy-forced")
    value = solve(rules).value(Scorecard.empty(rules))
    path = folder / f"{rules.fingerprint}.values"
    good = path.read_bytes()
    path.write_bytes(good[:BODY] + bytes(len(good) - BODY))
    solved_book._tables.memory.clear()
    assert solve(rules).value(Scorecard.empty(rules)) == value
    assert table_store.load(rules.fingerprint, compiled_book(rules).shape) is not None


def test_memory_and_disk_caches_can_be_bypassed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("yatzy-forced")
    calls: list[int] = []
    solved = solved_book._solve_values
    monkeypatch.setattr(solved_book, "_solve_values", lambda *args: calls.append(1) or solved(*args))
    first = solve(rules)
    assert solve(rules).table is first.table
    solved_book._tables.memory.clear()
    assert np.array_equal(solve(rules).table, first.table, equal_nan=True)
    assert len(calls) == 1
    solve(rules, cache=False)
    assert len(calls) == 2


def test_unwritable_or_missing_folders_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: np.ndarray
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("FIVEDICE_CACHE", str(blocked))
    assert not table_store.save(NAME, table)
    assert table_store.load(NAME, SHAPE) is None
    rules = book("yatzy-forced")
    assert solve(rules).value(Scorecard.empty(rules)) == pytest.approx(122.5585274, abs=1e-7)
    monkeypatch.setattr(table_store, "cache_folder", lambda: None)
    assert not table_store.save(NAME, table)
    assert table_store.load(NAME, SHAPE) is None


def test_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, table: np.ndarray) -> None:
    def refuse(*_args: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", refuse)
    assert not table_store.save(NAME, table)
    assert list(folder.iterdir()) == []


def test_concurrent_solves_work_and_a_third_needs_no_numba(folder: Path) -> None:
    script = "import sys, fivedice as fd; from fivedice.solver import solve; book = fd.book('yatzy-forced')\n"
    script += "print(solve(book).value(fd.Scorecard.of(book, {})), 'numba' in sys.modules)"
    command = [sys.executable, "-c", script]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(2)]
    answers = [process.communicate()[0].split() for process in both]
    answers.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert {round(float(value), 7) for value, _ in answers} == {122.5585274}
    assert answers[2][1] == "False"
    assert sorted(path.suffix for path in folder.iterdir()) == [".lock", ".values"]


def test_folder_size_is_bounded(table: np.ndarray, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number:032x}" for number in range(6)]
    (folder / "notes.txt").write_text("somebody else's")
    for age, name in enumerate(names[:4]):
        assert table_store.save(name, table)
        os.utime(folder / f"{name}.values", (age, age))
    assert table_store.load(names[0], SHAPE) is not None  # used just now
    size = (folder / f"{names[0]}.values").stat().st_size
    monkeypatch.setattr(table_store, "MOST_ON_DISK", 3 * size)
    assert table_store.save(names[4], table)
    left = {path.stem for path in folder.glob("*.values")}
    assert left == {names[0], names[3], names[4]}, "what was used longest ago is gone"
    assert (folder / "notes.txt").exists()
    monkeypatch.setattr(table_store, "MOST_ON_DISK", 1)
    assert table_store.save(names[5], table), "the newest is kept, however large"
    assert {path.stem for path in folder.glob("*.values")} == {names[5]}


def test_old_locks_are_removed(folder: Path, table: np.ndarray) -> None:
    """Each book leaves a lock, and house rules are unlimited."""
    old, new = (folder / f"{number:032x}.lock" for number in (1, 2))
    for path in (old, new, folder / "theirs.lock"):
        path.touch()
    for path in (old, folder / "theirs.lock"):
        os.utime(path, (0, 0))
    assert table_store.save(f"{3:032x}", table)
    assert sorted(path.name for path in folder.glob("*.lock")) == [new.name, "theirs.lock"]


def test_lock_lasts_while_wanted() -> None:
    locks, inside, go, order = NamedLocks(), Event(), Event(), list[str]()

    def second() -> None:
        with locks.of("one"):
            order.append("second")

    def first() -> None:
        with locks.of("one"):
            inside.set()
            assert go.wait(60)
            order.append("first")

    threads = [Thread(target=first), Thread(target=second)]
    threads[0].start()
    assert inside.wait(60)
    threads[1].start()
    with locks.of("another"):
        pass
    while locks._wanted["one"][1] < 2:
        assert threads[1].is_alive()
    go.set()
    for thread in threads:
        thread.join(60)
    assert order == ["first", "second"]
    assert len(locks) == 0


def test_lock_is_released_on_failure(table: np.ndarray) -> None:
    cache = SolvedTables("values")

    def fail() -> tuple[np.ndarray, ...]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cache.get("0" * 32, SHAPE, fail)
    assert len(cache.get("0" * 32, SHAPE, lambda: (table,))) == 1
    assert len(cache._locks) == len(cache._fetching) == 0, "books that were asked for once are forgotten"


SOLVE = """
import sys
from fivedice.core.rules import book
from fivedice.solver import solution as solved_book
solve, solved = solved_book._solve_values, []
solved_book._solve_values = lambda *arguments: solved.append(1) or solve(*arguments)
print("here", flush=True)
sys.stdin.readline()
print(len(solved), solved_book.solve(book("yatzy-forced")).table.sum(), len(solved))
"""


def test_concurrent_processes_solve_once(folder: Path) -> None:
    """Started by the same signal, one of them works and the other finds what it needs."""
    both = [
        subprocess.Popen([sys.executable, "-c", SOLVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.stdout.readline() for process in both if process.stdout] == ["here\n"] * 2
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=300)[0].split() for process in both]
    assert sorted(int(answer[2]) for answer in answers) == [0, 1]
    assert answers[0][1] == answers[1][1]
    assert sorted(path.suffix for path in folder.iterdir()) == [".lock", ".values"]


def test_waiting_for_a_lock_can_be_stopped() -> None:
    def stop(*_: int) -> None:
        raise InterruptedError

    with process_lock(NAME), pytest.raises(InterruptedError), process_lock(NAME, stop):
        raise AssertionError("two at a time")
    with process_lock(NAME, stop):
        pass  # free again


def test_missing_locks_do_not_prevent_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", "/dev/null/nowhere")
    with process_lock(NAME), process_lock(NAME):
        pass


def test_concurrent_threads_unpack_once(table: np.ndarray) -> None:
    cache, others, unpacked = SolvedTables("values"), list[Thread](), list[int]()

    def ask() -> None:
        assert cache.known(NAME, SHAPE, unpack) is not None

    def unpack() -> tuple[np.ndarray]:
        unpacked.append(len(others))
        if len(unpacked) == 1:
            others.append(Thread(target=ask))
            others[0].start()
            others[0].join(0.2)  # it waits for us, or does the same
        return (table,)

    ask()
    others[0].join()
    assert unpacked == [0]


def test_large_tables_are_written_in_pieces(monkeypatch: pytest.MonkeyPatch, table: np.ndarray) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(table_store, "_PIECE", 40)
    monkeypatch.setattr(os, "fdatasync", lambda number: sizes.append(os.fstat(number).st_size - BODY))
    table_store.save(NAME, table)
    assert sizes == [40, 80, 96]
    assert np.array_equal(table_store.load(NAME, SHAPE), table)  # type: ignore[arg-type]


def test_least_recently_used_goes_first() -> None:
    kept: SizedLRUCache[str, bytes] = SizedLRUCache(len, 10)
    kept["a"], kept["b"] = b"1234", b"1234"
    assert kept["a"] == b"1234"
    kept["c"] = b"1234"
    assert list(kept) == ["a", "c"], "b was not asked for"
    assert kept.setdefault("a", b"other") == b"1234"
    assert kept.setdefault("d", b"12") == b"12"
    assert list(kept) == ["c", "a", "d"]
    kept["large"] = b"x" * 50
    assert list(kept) == ["large"], "the newest stays, however large it is"
    del kept["large"]
    assert not kept
    assert kept.get("a") is None
