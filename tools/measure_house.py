"""Measure the house: print, as a Markdown table, the figures of the source tree in the current folder.

`python tools/measure_house.py` takes less than a minute once the solver's kernels are compiled (`make warm`).
`--rooms` counts the lines of each package, `--places` lists the places behind the last rows, `--walks` everything that
the walks passed through, and `--still` leaves the walks out. `--check` compares what can be counted in seconds with
`BOUNDS`, and fails where a figure is worse. To measure another tree, run this file with that tree's Python in that
tree's folder.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from house_style import count_participles, find_mutual_folders, find_shared_classes, share_of_verbs
from house_tree import Place, Sizes, Thing, find_unmatched, places, room_lines, sentences, sizes
from house_walks import Passed, walk_all

SOURCE = Path.cwd() / "src" / "fivedice"
# One small thing of each kind, by all its names. Whoever renames one of them changes it here, and keeps the old name as
# one that was there `once`: so older trees can be measured too. The sentence is one that several rooms have to say.
THINGS = (
    Thing(
        "a new command (GiveUp)",
        code=(r"\bGiveUp\b", r"[\"'/]give-up\b"),
        once=(r"\bgive_up\b",),
    ),
    Thing("a new event (GivenUp)", code=(r"\bGivenUp\b",), once=(r"\bplay\.given_up\b", r"^def given_up\b")),
    Thing(
        "a new scoring pattern (Exactly)",
        code=(r"\bExactly\b", r"['\"]exactly['\"]"),
        once=(r"\brun, exactly\b",),
    ),
    Thing(
        "a new page (/help)", code=(r"\bhelp_page\b", r"['\"]/help['\"]", r"\bhelp\.html\b"), paths=(r"help\.html$",)
    ),
    Thing("a changed kernel (land)", code=(r"^def land\(",), notes=(r"(?s)After a change in .{0,90}?touch this file",)),
    Thing(
        "a sentence (Roll first)",
        code=(r"[\"']coach\.roll-first[\"']",),
        once=(r"Roll first: there is nothing to choose yet",),
    ),
)


# What `make check` holds: figures may only get better. A bound above its aim is what was reached.
BOUNDS = {  # figure: (bound, aim)
    "modules": (302, 290),
    "lines of Python": (58_810, 44_000),
    "lines of script": (9_475, 6_000),
    "lines of tests": (66_281, 48_000),
    "pairs of folders that need each other": (0, 0),
    "class names that mean several things": (4, 6),
    "functions named by a participle": (34, 40),
    "docstrings that do not begin with a verb, in percent": (1, 15),
}


def main() -> int:
    """Print the figures, or compare them with their bounds; return 1 where one is worse."""
    options = set(sys.argv[1:])
    if "--check" in options:
        return check(count(SOURCE))
    sys.path.insert(0, str(SOURCE.parent))
    named = {thing.name: places(SOURCE, thing) for thing in THINGS}
    walks: dict[str, Passed] = {}
    if "--still" not in options:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            walks = walk_all(SOURCE, Path(folder))
    rows = [*size_rows(sizes(SOURCE)), *sentence_rows(sentences(SOURCE)), *walk_rows(walks), *place_rows(named)]
    print(table(rows))
    for thing in THINGS:
        for pattern in find_unmatched(SOURCE, thing):
            print(f"{thing.name}: nothing is called {pattern} any more; correct THINGS", file=sys.stderr)
    if "--rooms" in options:
        print(table((f"lines of `{room}`", f"{count:,}") for room, count in room_lines(SOURCE).items()))
    if "--places" in options:
        print(listed({name: map(str, found) for name, found in named.items()}))
    if "--walks" in options:
        print(listed({name: lines(passed) for name, passed in walks.items()}))
    return 0


def count(source: Path) -> dict[str, float]:
    """Return the figures of `BOUNDS` for a tree."""
    size = sizes(source)
    return {
        "modules": size.modules,
        "lines of Python": size.lines,
        "lines of script": count_lines(source / "web" / "static", "*.js"),
        "lines of tests": count_lines(source.parents[1] / "tests", "*.py"),
        "pairs of folders that need each other": len(find_mutual_folders(source)),
        "class names that mean several things": len(find_shared_classes(source)),
        "functions named by a participle": count_participles(source),
        "docstrings that do not begin with a verb, in percent": round(100 - 100 * share_of_verbs(source), 1),
    }


def count_lines(folder: Path, pattern: str) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in folder.rglob(pattern))


def check(found: dict[str, float]) -> int:
    """Print the figures that are beyond their bounds, each with its aim; return 1 if there are any."""
    worse = {name: value for name, value in found.items() if value > BOUNDS[name][0]}
    for name, value in worse.items():
        bound, aim = BOUNDS[name]
        print(f"{name}: {value:,} is more than the bound of {bound:,} (the aim is {aim:,}).")
    return 1 if worse else 0


def size_rows(size: Sizes) -> list[tuple[str, str]]:
    return [
        ("modules", str(size.modules)),
        ("lines of Python", f"{size.lines:,}"),
        ("lines of a module, median", str(size.median)),
        ("modules in the fullest folder", f"{size.most} (`{size.fullest}`)"),
        ("file names that occur in several packages", str(len(size.shared))),
    ]


def sentence_rows(found: dict[str, int]) -> list[tuple[str, str]]:
    packages = {file.split("/")[0] for file in found}
    return [("sentences in code", f"{sum(found.values())} in {len(found)} modules of {len(packages)} packages")]


def walk_rows(walks: dict[str, Passed]) -> list[tuple[str, str]]:
    return [
        (name, f"{len(passed.files)} files, {len(passed.functions)} functions, templates: {len(passed.templates)}")
        for name, passed in walks.items()
    ]


def place_rows(named: dict[str, list[Place]]) -> list[tuple[str, str]]:
    return [
        (name, f"{len(found)} places in {len({place.file for place in found})} files") for name, found in named.items()
    ]


def lines(passed: Passed) -> list[str]:
    return [*sorted(passed.templates), *(f"{file}: {name}" for file, name in sorted(passed.functions))]


def table(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)])


def listed(groups: dict[str, Iterable[str]]) -> str:
    return "\n".join("\n".join([f"\n{name}", *(f"- {line}" for line in found)]) for name, found in groups.items())


if __name__ == "__main__":
    sys.exit(main())
