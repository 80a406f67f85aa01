"""Measure how much disk each installation takes, and write the sizes into the table of the README.

    python tools/measure_installs.py            # writes the sizes
    python tools/measure_installs.py --check    # prints them, and fails where the README is off by more than 10%

Every row that says `pip install` is installed by pip from the wheel of this repository, with its packages from the
package index, into an environment of its own. The size is that of all files in site-packages, compiled modules among
them, in millions of bytes. It takes some minutes and a gigabyte of disk for a moment.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
ROW = re.compile(r"^(\| `pip install '?\.(\[\w+\])?'?` \|) (\d+) MB \|", re.MULTILINE)
FAR_OFF = 0.1  # of a size


def main() -> int:
    """Measure every row; return 1 if a checked one is far off."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    check, text = parser.parse_args().check, README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        sizes = {row[2] or "": measure(wheel, row[2] or "") for row in ROW.finditer(text)}
    wrong = [row[0] for row in ROW.finditer(text) if abs(int(row[3]) / sizes[row[2] or ""] - 1) > FAR_OFF]
    if check:
        print(*(f"{row} is wrong" for row in wrong), sep="\n")
        return 1 if wrong else 0
    README.write_text(ROW.sub(lambda row: f"{row[1]} {sizes[row[2] or '']} MB |", text), encoding="utf-8")
    return 0


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this repository."""
    run_pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(README.parent))
    (wheel,) = folder.glob("fivedice-*.whl")
    return wheel


def measure(wheel: Path, extra: str) -> int:
    """Install the wheel with an extra, such as "[web]", and return the megabytes that it takes."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False, symlinks=True)
        run_pip("--python", f"{folder}/bin/python", "install", f"{wheel}{extra}")
        files = (each for each in Path(folder).glob("lib/python*/site-packages/**/*") if each.is_file())
        size = round(sum(each.stat().st_size for each in files) / 1e6)
    print(f"fivedice{extra}: {size} MB", flush=True)
    return size


def run_pip(*arguments: str) -> None:
    """Run pip as a user would."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
