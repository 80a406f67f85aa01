"""Run the tests that depend on time many times on a busy machine, and name every one that fails.

python tools/repeat_tests.py 20                  twenty rounds, so many at once that each has half a core
python tools/repeat_tests.py 20 tests/tui        only these tests
python tools/repeat_tests.py 1 --latency 1       with every answer of a server a second late
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = ("tests/browser", "tests/sharing", "tests/crash", "tests/tui")
LOGS = ROOT / "build" / "repeated"


def run_round(number: int, places: list[str], latency: float, solutions: str) -> list[str]:
    """Run one round and return the tests that failed in it."""
    environment = os.environ | {"FIVEDICE_TEST_LATENCY": str(latency), "FIVEDICE_TEST_SOLUTIONS": solutions}
    failed, counted = [], []
    for place in places:  # each in a process of its own, as in `make test`: the browser's has an event loop that stays
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", place]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        name = f"round-{number:02}-{place.replace('/', '-')}.log"
        (LOGS / name).write_text(done.stdout + done.stderr, encoding="utf-8")
        found = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        failed += found or ([f"{place}: exit status {done.returncode}"] if done.returncode else [])
        counted.append((done.stdout.strip().splitlines() or [done.stderr.strip()[-200:]])[-1])
    print(f"round {number}: {'; '.join(counted)}", flush=True)
    return failed


def main() -> int:
    """Run all rounds and return 1 if any test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", type=int)
    parser.add_argument("places", nargs="*", default=list(PLACES))
    parser.add_argument("--latency", type=float, default=0.0, help="seconds by which every answer is late")
    at_once = 2 * (os.cpu_count() or 2)
    parser.add_argument("--at-once", type=int, default=at_once, help="rounds that run at the same time")
    chosen = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as solutions, ThreadPoolExecutor(chosen.at_once) as pool:
        rounds = range(1, chosen.times + 1)
        for found in pool.map(lambda each: run_round(each, chosen.places, chosen.latency, solutions), rounds):
            failed.update(found)
    for name, count in failed.most_common():
        print(f"failed in {count} of {chosen.times} rounds: {name}")
    print(f"{chosen.times} rounds, {len(failed)} tests failed. Logs: {LOGS.relative_to(ROOT)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
