"""Check the types of the page's scripts with the TypeScript compiler. A wrong type fails, a missing compiler does not.

The compiler is one program without Node, fetched once into `.venv` by version and hash: 10 MB, about a second.
FIVEDICE_TSC names another one. Without a compiler the check prints that it was skipped, so that one can build
without a network and knows that types were not checked.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
PROJECTS = (ROOT / "jsconfig.json", ROOT / "tools" / "worker" / "jsconfig.json")
VERSION = "7.0.2"
HASHES = {  # SHA-512, as the registry writes it
    "darwin-arm64": "gowzar9MwS/aRWp6f3a4KUqzRjAZjOsmGNCM6LcTgXum+dBfgsBVMN+AgvOCCbguXyick6LJhpBszxMebJ8syA==",
    "darwin-x64": "SZ9xZInqApNlNGc9s0W1VSsktYSOe9cFqNOIqmN1Gs8SmkjKZYFt017G4VwPxASInODuAdbTW7sXiFUf893RgA==",
    "linux-arm64": "Qh4eU4/y3yDjnfjjyPYihMj5/ODIlmt+Bzu17OI+fiSRDW57QmU5SiN63exPRNJPKUzcc1INa1NXdrJ+MqHjUQ==",
    "linux-x64": "EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A==",
    "win32-x64": "0BQ3HkAHHlKLSp1qRvf3SUhGpGsDuhB/jgFw75guyqbxJqEaS0Cw/VFO8i2nHglJUzQCRtMMR/IBAKE3ETMC4g==",
}
REGISTRY = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")
TIMEOUT = 20  # seconds
NOT_CHECKED = "scripts NOT checked: no TypeScript compiler, and none could be fetched"


def main() -> int:
    compiler = find_chosen() or fetch(Path(sys.prefix)) or shutil.which("tsc")
    if compiler is None:
        print(NOT_CHECKED)
        return 0
    for project in PROJECTS:
        if subprocess.run([compiler, "--project", str(project), "--pretty", "false"], check=False).returncode:
            return 1
    print("scripts checked: no wrong types")
    return 0


def find_chosen() -> str | None:
    return os.environ.get("FIVEDICE_TSC")


def fetch(home: Path) -> str | None:
    """Return the compiler of our version, fetched now or earlier; None if there is none for this machine."""
    name = name_machine()
    folder = home / f"typescript-{VERSION}"
    program = folder / "lib" / ("tsc.exe" if os.name == "nt" else "tsc")
    if not program.exists():
        archive = download(name) if name in HASHES else None
        if archive is None:
            return None
        unpack(archive, folder)
    return str(program)


def name_machine() -> str:
    system = {"Windows": "win32"}.get(platform.system(), platform.system().lower())
    kind = platform.machine().lower()
    return f"{system}-{({'x86_64': 'x64', 'amd64': 'x64', 'aarch64': 'arm64'}).get(kind, kind)}"


def download(name: str) -> bytes | None:
    """Return the archive, or None if the registry cannot be reached. An unexpected archive ends the check."""
    address = f"{REGISTRY}/@typescript/typescript-{name}/-/typescript-{name}-{VERSION}.tgz"
    try:
        with urlopen(address, timeout=TIMEOUT) as answer:  # noqa: S310 - the registry, or the one that was asked for
            archive: bytes = answer.read()
    except (URLError, OSError):
        return None
    if not is_expected(archive, name):
        raise SystemExit(f"the TypeScript compiler for {name} is not the one whose hash is known: {address}")
    return archive


def is_expected(archive: bytes, name: str) -> bool:
    return base64.b64encode(hashlib.sha512(archive).digest()).decode() == HASHES[name]


def unpack(archive: bytes, folder: Path) -> None:
    """Unpack into a temporary folder and rename it, so that another run never finds half a compiler."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as half, tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(half, filter="data")
        try:
            (Path(half) / "package").rename(folder)
        except OSError:
            if not folder.exists():  # else another run was quicker
                raise


if __name__ == "__main__":
    sys.exit(main())
