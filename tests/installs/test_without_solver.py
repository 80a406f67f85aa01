"""An installation without the extra `solver` works, and names the extra where it is needed."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

from installs.bare import GAMES, HOUSE

WITHOUT = """
import runpy, sys
sys.modules["numba"] = sys.modules["llvmlite"] = sys.modules["typst"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_whole_games_with_every_key_command_and_bot(tmp_path: Path, empty_database: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE)
    copyfile(empty_database, tmp_path / "tables.db")
    own = {"FIVEDICE_CACHE": str(tmp_path / "cache"), "FIVEDICE_DATA": str(tmp_path), "FIVEDICE_TABLES": ""}
    command = [sys.executable, "-c", WITHOUT, str(GAMES), "crag", str(tmp_path / "house.toml")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | own, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
