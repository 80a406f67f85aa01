"""Check that no sentence stands outside `fivedice.text`. Part of `make check`.

Each finding is printed as file:line: text. Move it to `text/`, or mark it in a template with `{% trans %}` or `_()`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from find_sentences import Found, in_python, in_script, in_style, in_template

SOURCE = Path(__file__).parents[1] / "src" / "fivedice"
READERS: Mapping[str, Callable[[str], Iterator[Found]]] = {
    ".py": in_python,
    ".html": in_template,
    ".js": in_script,
    ".css": in_style,
}
SPEAKS = (
    "text/",
    "web/static/verify_dice.py",  # read and run by others
    "web/api/",  # the OpenAPI document, for programmers
    "web/jobs/telemetry.py",  # for the operator
)

# Still to be converted. A file on this list without a finding fails too, so the list can only become shorter.
UNFINISHED: frozenset[str] = frozenset()


def find_all(source: Path) -> dict[str, list[Found]]:
    """Return every sentence of a source tree, by file."""
    found = {}
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.suffix in READERS and not name.startswith(SPEAKS):
            found[name] = list(READERS[path.suffix](path.read_text(encoding="utf-8")))
    return found


def list_problems(found: Mapping[str, list[Found]], unfinished: frozenset[str]) -> Iterator[str]:
    """Yield one line for each thing to mend."""
    for name, sentences in found.items():
        if name not in unfinished:
            yield from (f"{name}:{line}: {' '.join(text.split())}" for line, text in sentences)
    for name in sorted(unfinished):
        if not found.get(name):
            yield f"{name} has no sentence any more: take it off the list UNFINISHED"


def main() -> int:
    wrong = list(list_problems(find_all(SOURCE), UNFINISHED))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
