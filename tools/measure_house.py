"""Measure the house: print, as a Markdown table, the figures of the source tree in the current folder.

`python tools/measure_house.py` takes less than a minute once the solver's kernels are compiled (`make warm`).
`--rooms` counts the lines of each package, `--places` lists the places behind the last rows, `--walks` everything that
the walks passed through, and `--still` leaves the walks out. To measure another tree, run this file with that tree's
Python in that tree's folder.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from house_tree import Place, Sizes, Thing, gone, places, room_lines, sentences, sizes
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


def main() -> None:
    options = set(sys.argv[1:])
    sys.path.insert(0, str(SOURCE.parent))
    named = {thing.name: places(SOURCE, thing) for thing in THINGS}
    walks: dict[str, Passed] = {}
    if "--still" not in options:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            walks = walk_all(SOURCE, Path(folder))
    rows = [*size_rows(sizes(SOURCE)), *sentence_rows(sentences(SOURCE)), *walk_rows(walks), *place_rows(named)]
    print(table(rows))
    for thing in THINGS:
        for pattern in gone(SOURCE, thing):
            print(f"{thing.name}: nothing is called {pattern} any more; correct THINGS", file=sys.stderr)
    if "--rooms" in options:
        print(table((f"lines of `{room}`", f"{count:,}") for room, count in room_lines(SOURCE).items()))
    if "--places" in options:
        print(listed({name: map(str, found) for name, found in named.items()}))
    if "--walks" in options:
        print(listed({name: lines(passed) for name, passed in walks.items()}))


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
    main()
