"""Compiled kernels are kept between processes until their sources change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import FunctionCache

import fivedice
from fivedice.solver.runtime import kernel_cache
from long import LONG, long_only

INNER = """
from typing import NamedTuple

from fivedice.solver.runtime.kernel_cache import kernel

class Start(NamedTuple):
    number: int

def begin():
    return Start(1)

@kernel
def step(number):
    return number + 1
"""
OUTER = """
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.values.inner_kernels import step

@kernel
def twice(start):
    return step(step(start.number))
"""
ASK = """
from fivedice.solver.values.inner_kernels import begin
from fivedice.solver.values.outer_kernels import twice
print(twice(begin()), sum(twice.stats.cache_hits.values()))
"""


@pytest.fixture
def values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package with two small modules of kernels, one of which uses the other."""
    package = tmp_path / "fivedice"
    unneeded = shutil.ignore_patterns("*.nb?", "web", "tui", "table", "paper")  # kernels; compiled modules are needed
    shutil.copytree(Path(fivedice.__file__).parent, package, ignore=unneeded)
    folder = package / "solver" / "values"
    (folder / "inner_kernels.py").write_text(INNER)
    (folder / "outer_kernels.py").write_text(OUTER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python takes a change within a second for none
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return folder


def ask() -> tuple[int, int]:
    """Return the outer kernel's value of 1, and its cache hits."""
    # With the rights of systems where every user has a group: the group may write what is made.
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True, umask=0o002)
    answer, hits = map(int, done.stdout.split())
    return answer, hits


def kept_functions(folder: Path) -> list[str]:
    """The functions that are kept, a name for each of their files."""
    return sorted(path.name.partition("-")[0] for path in folder.rglob("*") if path.suffix in {".nbi", ".nbc"})


def test_kernels_follow_their_sources(values: Path) -> None:
    assert ask() == (3, 0)
    assert ask() == (3, 1), "the second process finds it compiled"
    files = kept_functions(values)
    inner, outer = values / "inner_kernels.py", values / "outer_kernels.py"
    date = inner.stat().st_mtime
    inner.write_text(INNER.replace("number + 1", "number + 2"))
    os.utime(inner, (date, date))
    assert ask() == (5, 0), "another file that it uses has changed"
    assert kept_functions(values) == files, "the new ones take the place of the old"
    if not LONG:  # each process loads the compiler, which takes two seconds
        return
    assert ask() == (5, 1)
    outer.write_text("# one line more\n" + OUTER.replace("step(start.number)", "step(step(start.number))"))
    assert ask() == (7, 0), "it has moved in its file"
    inner.write_text(INNER.replace("Start", "Beginning"))
    assert ask() == (4, 0), "a type that it takes has another name"
    assert kept_functions(values) == files, "the new ones take the place of the old"


@long_only
def test_read_only_install_stores_kernels_elsewhere(
    values: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.rmtree(values / "__pycache__")
    (values / "__pycache__").write_text("a file, where a folder would have to be")
    assert ask() == (3, 0)
    assert ask() == (3, 1)
    assert not kept_functions(values)
    assert kept_functions(tmp_path / "cache")


def test_kernels_work_without_a_cache_folder(values: Path) -> None:
    script = f"from numba.core import caching; caching.CacheImpl._locator_classes = []\n{ASK}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["3", "0"]
    assert not kept_functions(values)


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_kernels_writable_by_others_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading a kernel runs its code. A folder of our own is closed to others, one of theirs is not read."""
    assert kernel_cache.is_ours_alone(tmp_path / "missing")
    for folder, mode in (("open", 0o777), ("of-a-group", 0o775), ("closed", 0o755)):
        ours = tmp_path / folder
        ours.mkdir()
        for name, rights in (("true.nbi", 0o644), ("planted.nbc", 0o664)):
            (ours / name).touch()
            (ours / name).chmod(rights)
        ours.chmod(mode)
        assert kernel_cache.is_ours_alone(ours)
        assert ours.stat().st_mode & 0o777 == 0o755
        assert [path.name for path in ours.iterdir()] == (["true.nbi"] if folder == "closed" else [])
    if os.geteuid() == 0:
        os.chown(ours, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: ours.stat().st_uid + 1)
    theirs = ours.rename(tmp_path / "theirs")
    assert not kernel_cache.is_ours_alone(theirs)
    cache = kernel_cache._KernelCache(kernel_cache.source_stamp.__wrapped__)
    cache._cache_path = str(theirs)
    monkeypatch.setattr(FunctionCache, "load_overload", lambda *_: pytest.fail("theirs was read"))
    monkeypatch.setattr(FunctionCache, "save_overload", lambda *_: pytest.fail("their list was read"))
    assert cache.load_overload(None, None) is None
    cache.save_overload(None, None)
