"""No test may be forgotten by `make test`."""

from __future__ import annotations

import re

from traced import TESTS, TRACED

MAKEFILE = (TESTS.parent / "Makefile").read_text(encoding="utf-8")


def test_every_test_is_run() -> None:
    """The traced ones by name, those in the browser by name, and whatever else there is."""
    core = re.search(r"^CORE := (.*)$", MAKEFILE, re.MULTILINE)
    assert core is not None
    assert core[1].split() == [f"tests/{name}" for name in TRACED]
    assert all((TESTS / name).exists() for name in TRACED)
    assert "-m traced $(CORE)\n" in MAKEFILE
    assert '-m "not traced" --ignore=tests/browser tests\n' in MAKEFILE
    assert ".xml tests/browser\n" in MAKEFILE


def test_every_target_that_is_no_file_is_said_to_be_none() -> None:
    found = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert found is not None
    assert set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE)) == set(found[1].split())
