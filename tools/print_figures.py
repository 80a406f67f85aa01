"""Print figures of this tree into the pages that name them.

A page has `<!-- figures:NAME -->…<!-- /figures -->`, and what stands between the two is written by this command:
`python tools/print_figures.py`. The names of docs/api.md are printed in the same way. With `--walks` it also follows
a roll, a hint and others through the code, which takes a minute. With `--check` it writes nothing and fails where a
page says something else.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import api_lines
from house_tree import places, sentences, sizes
from house_walks import walk_all
from measure_house import BOUNDS, THINGS, place_rows, walk_rows

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "fivedice"
_BLOCK = re.compile(r"(<!-- figures:([\w-]+) -->)(.*?)(<!-- /figures -->)", re.DOTALL)
# Version 0.1.0, measured in the same way.
BEFORE = {
    "modules": "281",
    "lines of Python": "27,526",
    "lines of a module, median": "93",
    "modules in the fullest folder": "67 (`web`)",
    "file names that occur in several packages": "26",
    "sentences in code": "296 in 78 modules of 9 packages",
    "one roll": "56 files, 221 functions, templates: 4",
    "one other screen's redraw": "36 files, 121 functions, templates: 4",
    "one hint": "41 files, 159 functions, templates: 1",
    "one correction on a score pad": "62 files, 248 functions, templates: 6",
    "one house rule": "41 files, 206 functions, templates: 4",
    "a new command (GiveUp)": "9 places in 7 files",
    "a new event (GivenUp)": "7 places in 5 files",
    "a new scoring pattern (Exactly)": "11 places in 9 files",
    "a new page (/help)": "5 places in 4 files",
    "a changed kernel (land)": "5 places in 5 files",
    "a sentence (Roll first)": "3 places in 2 files",
}
# Before the road of a command was straightened and the folders became the diagram.
CROOKED = {
    "modules": "378",
    "lines of Python": "52,156",
    "lines of script": "7,000",
    "lines of tests": "54,000",
    "pairs of folders that need each other": "18",
    "class names that mean several things": "36",
    "functions named by a participle": "310",
    "docstrings that do not begin with a verb, in percent": "77",
    "one roll": "40 files, 311 functions",
    "one other screen's redraw": "36 files, 205 functions",
    "one hint": "56 files, 341 functions",
}


def main(arguments: list[str]) -> int:
    """Return the exit code: 1 where `--check` found a page that has other figures."""
    stale = [page for page in pages() if _print_into(page, arguments)]
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'out of date' if '--check' in arguments else 'printed'}")
    if stale and "--check" in arguments:
        print("Run: python tools/print_figures.py", file=sys.stderr)
        return 1
    return 0


def pages() -> Iterator[Path]:
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").glob("*.md"))


def _print_into(page: Path, options: list[str]) -> bool:
    """Return whether the page has changed, or would have."""
    before = page.read_text(encoding="utf-8")
    after = api_lines.renew(renew(before, {**FIGURES, **(SLOW if "--walks" in options else {})}))
    if after != before and "--check" not in options:
        page.write_text(after, encoding="utf-8")
    return after != before


def renew(text: str, figures: dict[str, Callable[[], str]]) -> str:
    """Return the text with these figures as they are now. Raise KeyError for a block that is no figure."""

    def block(found: re.Match[str]) -> str:
        begin, name, _, end = found.groups()
        if name in SLOW and name not in figures:
            return found[0]
        return f"{begin}{figures[name]()}{end}"

    return _BLOCK.sub(block, text)


def count_attacks() -> str:
    """Count what `make siege` tries at once."""
    tree = ast.parse((ROOT / "tests" / "web" / "attacks.py").read_text(encoding="utf-8"))
    tables = [each for each in tree.body if isinstance(each, ast.AnnAssign) and isinstance(each.value, ast.Dict)]
    found = [each.value for each in tables if ast.unparse(each.target) in ("ATTACKS", "SLOW")]
    return str(sum(len(each.keys) for each in found if isinstance(each, ast.Dict)))


def count_tests() -> str:
    """Count test functions; each may run with many cases."""
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    return _round(sum(len(re.findall(r"^ *(?:async )?def test_", text, re.MULTILINE)) for text in texts))


def read_folder_limit() -> str:
    """Read how many modules a folder may have."""
    text = (ROOT / "tests" / "architecture" / "test_rooms.py").read_text(encoding="utf-8")
    return re.findall(r"^MOST_MODULES = (\d+)", text, re.MULTILINE)[0]


def measure_sizes() -> str:
    """Measure the tree; what changes with every commit is rounded, so that a page stays true for a while."""
    size, said = sizes(SOURCE), sentences(SOURCE)
    packages = {file.split("/")[0] for file in said}
    rows = [
        ("modules", _round(size.modules)),
        ("lines of Python", _round(size.lines)),
        ("lines of a module, median", _round(size.median)),
        ("modules in the fullest folder", f"{size.most} (`{size.fullest}`)"),
        ("file names that occur in several packages", str(len(size.shared))),
        ("sentences in code", f"{_round(sum(said.values()))} in {len(said)} modules of {len(packages)} packages"),
        *place_rows({thing.name: places(SOURCE, thing) for thing in THINGS}),
    ]
    return _table(rows)


def measure_walks() -> str:
    """Follow some things that people do through files, functions and templates."""
    sys.path.insert(0, str(SOURCE.parent))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return _table(walk_rows(walk_all(SOURCE, Path(folder))))


def list_bounds() -> str:
    """List what `make check` holds, with the aims."""
    rows = [f"| {what} | {CROOKED[what]} | {bound:,} | {aim:,} |" for what, (bound, aim) in BOUNDS.items()]
    return "\n".join(["", "", "| | before | at most now | aim |", "|---|---|---|---|", *rows, "", ""])


def _table(rows: list[tuple[str, str]]) -> str:
    lines = [f"| {what} | {BEFORE.get(what, '')} | {CROOKED.get(what, '')} | {figure} |" for what, figure in rows]
    return "\n".join(["", "", "| | version 0.1.0 | before the plan | now |", "|---|---|---|---|", *lines, "", ""])


def _round(number: int) -> str:
    """To two digits."""
    return f"{round(number, 2 - len(str(number))):,}"


FIGURES: dict[str, Callable[[], str]] = {
    "attacks": count_attacks,
    "bounds": list_bounds,
    "folder-limit": read_folder_limit,
    "house": measure_sizes,
    "tests": count_tests,
}
SLOW: dict[str, Callable[[], str]] = {"walks": measure_walks}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
