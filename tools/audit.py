"""Ask for known vulnerabilities of everything in requirements.lock.

`python tools/audit.py [LOCK]` ends with 0 if every package was checked and has no known vulnerability, else
with 1. With `--may-skip` it prints a warning and ends with 0 where the advisory service cannot be reached.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parent.parent / "requirements.lock"
TIMEOUT = 120  # seconds for all packages together
EACH = 5  # seconds for one answer of the service
NOT_AUDITED = "dependencies NOT audited: the advisory service cannot be reached"

Run = Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class Result:
    """The sentence to print, whether it is good news, and whether every package was checked."""

    sentence: str
    good: bool
    complete: bool = True


def main() -> int:
    options = [each for each in sys.argv[1:] if each != "--may-skip"]
    result = audit(Path(options[0]) if options else LOCK, _run)
    print(result.sentence)
    return 0 if result.good and (result.complete or "--may-skip" in sys.argv) else 1


def audit(lock: Path, run: Run) -> Result:
    """Return the known vulnerabilities, or that the advisory service did not answer."""
    options = ["--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json", f"--timeout={EACH}"]
    try:
        found = json.loads(run([sys.executable, "-m", "pip_audit", "--requirement", str(lock), *options]))
        packages: list[dict[str, Any]] = found["dependencies"]
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired):
        return Result(NOT_AUDITED, good=True, complete=False)
    return _judge(packages)


def _judge(packages: list[dict[str, Any]]) -> Result:
    bad = [f"  {one['name']} {one['version']}: {_describe(flaw)}" for one in packages for flaw in one.get("vulns", ())]
    if bad:
        return Result("\n".join(["known vulnerabilities in the dependencies:", *bad]), good=False)
    skipped = [one["name"] for one in packages if "vulns" not in one]
    if len(skipped) == len(packages):
        return Result(NOT_AUDITED, good=True, complete=False)
    if skipped:
        some = ", ".join(skipped)
        return Result(f"{NOT_AUDITED} for {len(skipped)} of {len(packages)}: {some}", good=True, complete=False)
    return Result(f"{len(packages)} dependencies audited: no known vulnerabilities", good=True)


def _describe(flaw: dict[str, Any]) -> str:
    fixed = ", ".join(flaw.get("fix_versions") or ()) or "no version yet"
    return f"{flaw['id']}, fixed in {fixed}"


def _run(command: Sequence[str]) -> str:
    """Return what the command prints. Its status is 1 for a finding and for a missing service alike."""
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False).stdout


if __name__ == "__main__":
    sys.exit(main())
