"""The check of the scripts: wrong types fail, no compiler is said out loud, and no other compiler is run."""

import io
import sys
import tarfile
from importlib import import_module
from pathlib import Path
from types import ModuleType
from urllib.error import URLError

import pytest


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The tool, on a machine where nothing has been fetched yet and nothing can be."""
    module = import_module("check_scripts")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(module.shutil, "which", lambda _: None)
    monkeypatch.delenv("FIVEDICE_TSC", raising=False)
    monkeypatch.setattr(module, "urlopen", _nobody)
    return module


def _nobody(*_: object, **__: object) -> object:
    raise URLError("nobody there")


def compiler(path: Path, status: int) -> str:
    path.write_text(f"#!/bin/sh\nexit {status}\n")
    path.chmod(0o755)
    return str(path)


def test_missing_compiler_is_reported_without_failing(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main() == 0
    assert capsys.readouterr().out == "scripts NOT checked: no TypeScript compiler, and none could be fetched\n"


@pytest.mark.parametrize(("status", "result"), [(0, 0), (2, 1)])
def test_wrong_types_fail(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int, result: int
) -> None:
    monkeypatch.setenv("FIVEDICE_TSC", compiler(tmp_path / "tsc", status))
    assert check.main() == result


def test_altered_archive_is_not_unpacked(check: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(check, "name_machine", lambda: "linux-x64")
    monkeypatch.setattr(check, "urlopen", lambda *_, **__: io.BytesIO(b"something else"))
    with pytest.raises(SystemExit, match="not the one whose hash is known"):
        check.main()
    assert not list(tmp_path.iterdir())


def test_compiler_is_unpacked_once(check: ModuleType, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("package/lib/tsc"), io.BytesIO())
    for _ in range(2):
        check.unpack(packed.getvalue(), tmp_path / "typescript")
    assert [path.name for path in tmp_path.rglob("*")] == ["typescript", "lib", "tsc"]


def test_unknown_machine_has_no_compiler(check: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "name_machine", lambda: "plan9-mips")
    assert check.fetch(Path(sys.prefix)) is None
