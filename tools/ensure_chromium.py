"""See that there is a Chromium for the browser tests, install it where that is possible, or say plainly that not.

Prints nothing when all is well. The tests look for the same names and report what they had to leave out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser.chromium import found

# The one without windows is smaller and quicker, and not every system has it.
PACKAGES = ("chromium-headless-shell", "chromium")


def install() -> bool:
    """Try the system's package manager, as root or with a sudo that asks nothing."""
    if shutil.which("apt-get") is None:
        return False
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if prefix and shutil.which("sudo") is None:
        return False
    print("Installing Chromium for the browser tests ...", flush=True)
    return _done([*prefix, "apt-get", "update", "-qq"]) and any(
        _done([*prefix, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package]) for package in PACKAGES
    )


def _done(command: list[str]) -> bool:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, check=False, **quiet).returncode == 0


def main() -> None:
    if found() is None and not (install() and found()):
        print("No Chromium could be found or installed, so the browser tests are LEFT OUT.", file=sys.stderr)
        print("Install one (Debian: apt-get install chromium) or set FIVEDICE_CHROMIUM to its path.", file=sys.stderr)


if __name__ == "__main__":
    main()
