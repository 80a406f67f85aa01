"""SECURITY.md names the tests that hold us to its promises: they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_promise_is_tested() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    files = set(re.findall(r"`((?:\.\./\w+/)?test_\w+\.py)", text))
    assert len(files) >= 7
    sources = {name: (ROOT / "tests" / "web" / name).resolve().read_text(encoding="utf-8") for name in files}
    for name, test in re.findall(r"`((?:\.\./\w+/)?test_\w+\.py)::(test_\w+)", text):
        assert f"def {test}(" in sources[name], (name, test)
    for test in re.findall(r"`…::(test_\w+)", text):
        assert any(f"def {test}" in source for source in sources.values()), test
