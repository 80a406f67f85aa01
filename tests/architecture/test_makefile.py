"""`make test` runs every test."""

import re

from traced import TESTS, TRACED

MAKEFILE = (TESTS.parent / "Makefile").read_text(encoding="utf-8")


def test_every_test_is_run() -> None:
    """Traced and browser tests by name, and all others."""
    core = re.search(r"^CORE := (.*)$", MAKEFILE, re.MULTILINE)
    assert core is not None
    assert core[1].split() == [f"tests/{name}" for name in TRACED]
    assert all((TESTS / name).exists() for name in TRACED)
    assert "-m traced $(CORE)\n" in MAKEFILE
    assert ".xml $(PAD)\n" in MAKEFILE
    assert ".xml tests/browser $(addprefix --ignore=,$(PAD))\n" in MAKEFILE
    groups = re.findall(r"^rest-\w+: .*\n\t(.*)$", MAKEFILE, re.MULTILINE)
    named = [found[1] for group in groups if (found := re.search(r"\$@\.xml \$\((\w+)\)$", group))]
    left_out = "tests/browser " + " ".join(f"$({name})" for name in named)
    assert [group for group in groups if "$@.xml tests " in group] == [
        f"$(NOT_TRACED) --junitxml=build/times/$@.xml tests $(addprefix --ignore=,{left_out})"
    ]
    assert len(groups) == len(named) + 1
    folders = [folder for name in named for folder in read_variable(name)]
    assert len(folders) == len(set(folders))
    assert all((TESTS.parent / folder).is_dir() for folder in folders)
    assert [f"rest-{name}" for name in re.findall(r"^rest-(\w+):", MAKEFILE, re.MULTILINE)] == read_variable("REST")


def read_variable(name: str) -> list[str]:
    found = re.search(rf"^{name} := (.*)$", MAKEFILE, re.MULTILINE)
    assert found is not None, name
    return found[1].split()


def test_targets_without_a_file_are_phony() -> None:
    found = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert found is not None
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    assert targets == set(found[1].replace("$(REST)", " ".join(read_variable("REST"))).split())
