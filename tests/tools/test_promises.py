"""SECURITY.md and docs/asvs.md name tests that exist."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from for_each import for_each

ROOT = Path(__file__).parents[2]


def test_every_claim_names_existing_tests() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    files = set(re.findall(r"`((?:\.\./\w+/)?test_\w+\.py)", text))
    assert len(files) >= 7
    sources = {name: (ROOT / "tests" / "web" / name).resolve().read_text(encoding="utf-8") for name in files}
    for name, test in re.findall(r"`((?:\.\./\w+/)?test_\w+\.py)::(test_\w+)", text):
        assert f"def {test}(" in sources[name], (name, test)
    for test in re.findall(r"`…::(test_\w+)", text):
        assert any(f"def {test}" in source for source in sources.values()), test


ASVS = ROOT / "docs" / "asvs.md"
STATES = {"met", "met, read", "n/a", "not met"}
# How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: by chapter, in order. Those of level 3 come
# after them, so that the numbers follow.
SECTIONS = {
    1: (2, 9, 11, 3, 2),
    2: (3, 3, 4, 1),
    3: (0, 2, 4, 6, 5, 0, 2),
    4: (3, 1, 2, 4),
    5: (1, 3, 2, 3),
    6: (3, 12, 4, 4, 5, 3, 0, 4),
    7: (3, 4, 2, 5, 2, 2),
    8: (2, 3, 1, 1),
    9: (3, 4),
    10: (2, 2, 4, 11, 5, 2, 3),
    11: (2, 3, 3, 4, 1, 1),
    12: (3, 2, 4),
    13: (1, 5, 2, 5),
    14: (2, 4, 3),
    15: (3, 3, 7),
    16: (1, 5, 4, 3, 3),
    17: (1, 4, 2),
}
_NUMBER = r"(\d+\.\d+)\.(\d+)"


def rows() -> list[tuple[str, str, str]]:
    """Number and subject, state, reason."""
    lines = [line.strip("|").split(" | ") for line in ASVS.read_text(encoding="utf-8").splitlines()]
    found = [[cell.strip() for cell in cells] for cells in lines if re.match(r" ?\d+\.\d+\.\d+", cells[0])]
    return [(subject, state, why) for subject, state, why in found]


def numbers(subject: str) -> Iterator[str]:
    """From the first to the last, where two are joined by a dash."""
    for section, first, _, last in re.findall(rf"{_NUMBER}(?:\u2013{_NUMBER})?", subject):
        yield from (f"{section}.{number}" for number in range(int(first), int(last or first) + 1))


def test_every_requirement_is_answered_once() -> None:
    wanted = [
        f"{chapter}.{section}.{number}"
        for chapter, counts in SECTIONS.items()
        for section, count in enumerate(counts, 1)
        for number in range(1, count + 1)
    ]
    assert len(wanted) == 253, "as the standard has it"
    answered = [number for subject, _, _ in rows() for number in numbers(subject)]
    assert [number for number, times in Counter(answered).items() if times > 1] == []
    assert answered == wanted, sorted(set(wanted) ^ set(answered))


def test_sums_are_right() -> None:
    found: Counter[str] = Counter()
    for subject, state, _ in rows():
        found[state.partition(",")[0]] += len(list(numbers(subject)))
    sums = f"**{found['met']} are met, {found['not met']} are not, {found['n/a']} do not apply.**"
    assert sums in ASVS.read_text(encoding="utf-8")


@for_each("row", rows(), ids=lambda row: row[0])
def test_answers_name_existing_places(row: tuple[str, str, str]) -> None:
    _, state, why = row
    assert state in STATES
    for name, test in re.findall(r"`(\w+/test_\w+\.py)::(test_\w+)`", why):
        assert f"def {test}(" in (ROOT / "tests" / name).read_text(encoding="utf-8"), (name, test)
    files = re.findall(r"`((?:(?:src|tests)/[\w./]+)|[\w-]+\.(?:yaml|toml|lock)|Dockerfile)`", why)
    files += [f"docs/{link}" for link in re.findall(r"\]\(([^)]+)\)", why)]
    assert all((ROOT / file).exists() for file in files), files
    shown = re.search(r"`\w+/test_\w+\.py::test_\w+`|\]\(|the same", why) is not None
    assert state != "met" or shown or files, "met, and nothing shows it"
