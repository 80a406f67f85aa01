"""See that there is a Chromium for the browser tests, install it where that is possible, or say plainly that not.

Prints nothing when all is well. The tests look for the same names and report what they had to leave out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def found() -> str | None:
    """The browser to use: FIVEDICE_CHROMIUM, or the first known name on the path."""
    chosen = os.environ.get("FIVEDICE_CHROMIUM")
    return chosen or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> bool:
    """Try the system's package manager, as root or with a sudo that asks nothing."""
    if shutil.which("apt-get") is None:
        return False
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if prefix and shutil.which("sudo") is None:
        return False
    print("Installing Chromium for the browser tests ...", flush=True)
    steps = (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return all(
        subprocess.run([*prefix, *step], env=environment, check=False, **quiet).returncode == 0 for step in steps
    )


def main() -> None:
    if found() is None and not (install() and found()):
        print("No Chromium could be found or installed, so the browser tests are LEFT OUT.", file=sys.stderr)
        print("Install one (Debian: apt-get install chromium) or set FIVEDICE_CHROMIUM to its path.", file=sys.stderr)


if __name__ == "__main__":
    main()
