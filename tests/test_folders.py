"""Folders are chosen by the environment, else by the platform."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.folders import cache_folder, config_file, data_folder

ASK = """
import sys
sys.platform = sys.argv[1]
from fivedice import folders
print(folders.cache_folder(), folders.data_folder(), folders.config_file(), sep="\\n")
"""
VARIABLES = {
    "FIVEDICE_CACHE",
    "FIVEDICE_CONFIG",
    "FIVEDICE_DATA",
    "HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
}


def folders(platform: str, **variables: object) -> list[str]:
    others = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment = others | {name: str(value) for name, value in variables.items()}
    done = subprocess.run([sys.executable, "-c", ASK, platform], capture_output=True, text=True, env=environment)
    return done.stdout.split() or done.stderr.splitlines()[-1:]


def test_default_folders_by_platform(tmp_path: Path) -> None:
    below = ".cache/fivedice", ".local/share/fivedice", ".config/fivedice/config.toml"
    assert folders("linux", HOME=tmp_path) == [str(tmp_path / each) for each in below]
    cache, *_ = folders("darwin", HOME=tmp_path)
    assert cache == str(tmp_path / "Library/Caches/fivedice")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_xdg_variables_come_before_defaults(platform: str, tmp_path: Path) -> None:
    names = {f"XDG_{name}_HOME": tmp_path / name for name in ("CACHE", "DATA", "CONFIG")}
    expected = [tmp_path / "CACHE/fivedice", tmp_path / "DATA/fivedice", tmp_path / "CONFIG/fivedice/config.toml"]
    assert folders(platform, HOME="/nowhere", **names) == list(map(str, expected))


def test_own_variables_come_first() -> None:
    xdg = {f"XDG_{name}_HOME": "/x" for name in ("CACHE", "DATA", "CONFIG")}
    ours = {"FIVEDICE_CACHE": "here", "FIVEDICE_DATA": "/there", "FIVEDICE_CONFIG": "one.toml"}
    assert folders("linux", **xdg, **ours) == list(ours.values())


def test_no_home_means_no_cache_and_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user that the system does not know
    assert cache_folder() is None
    for missing in (data_folder, config_file):
        with pytest.raises(RuntimeError):
            missing()
