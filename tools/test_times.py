"""Print where the time of the last `make test` went into docs/testing.md, folder by folder.

Reads what pytest wrote to build/times. The columns of before are those of version 0.1.0's last commit.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "testing.md"
BLOCK = re.compile(r"(<!-- times -->\n).*?(<!-- /times -->)", re.DOTALL)
# Items, and seconds added up over all workers.
BEFORE = {
    "browser": (370, 801), "web": (1569, 508), "tui": (199, 506), "solver": (1366, 336), "rules": (1071, 170),
    "analysis": (391, 130), "bots": (324, 130), "crash": (13, 126), "table": (1098, 115), "sharing": (27, 106),
    "notation": (441, 76), "cli": (303, 69), "architecture": (1143, 66), "documentation": (287, 56),
    "golden": (95, 45), "exhaustive": (489, 44), "paper": (100, 42), "installs": (18, 42), "tools": (279, 29),
    "matches": (22, 21), "fairness": (9, 19), "learning": (117, 15), "words": (468, 11), "game": (491, 10),
    "engines": (29, 7), "dice": (88, 2), "test_folders": (6, 1),
}  # fmt: skip


def read_times() -> tuple[Counter[str], Counter[str]]:
    """Return the items and the seconds of each folder of tests."""
    items: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for path in sorted((ROOT / "build" / "times").glob("*.xml")):
        for case in ElementTree.parse(path).iter("testcase"):  # noqa: S314 - written by our own run
            folder = case.attrib["classname"].split(".")[1]
            items[folder] += 1
            seconds[folder] += round(1000 * float(case.attrib["time"]))
    return items, seconds


def main() -> int:
    """Write the table, or say that there is nothing to read."""
    items, milliseconds = read_times()
    if not items:
        print("There are no times in build/times. Run: make test", file=sys.stderr)
        return 1
    rows = ["", "| Tests | Items before | Items now | Seconds before | Seconds now |", "|---|---|---|---|---|"]
    for folder, (count, taken) in sorted(BEFORE.items(), key=lambda each: -each[1][1]):
        rows += [f"| {folder} | {count} | {items[folder]} | {taken} | {milliseconds[folder] / 1000:.0f} |"]
    sums = [sum(items for items, _ in BEFORE.values()), items.total()]
    times = [sum(seconds for _, seconds in BEFORE.values()), round(milliseconds.total() / 1000)]
    rows.append(f"| **all** | {sums[0]:,} | {sums[1]:,} | {times[0]:,} | {times[1]:,} |")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda found: found[1] + "\n".join([*rows, "", found[2]]), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
