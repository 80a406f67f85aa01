"""The audit of dependencies: findings fail, none pass, and an unreachable service is reported."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import audit
import pytest

ROOT = Path(__file__).parents[2]


def _said(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


GOOD = {"name": "numpy", "version": "2.0", "vulns": []}
BAD = {"name": "jinja2", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": []}]}
AWAY = {"name": "rich", "skip_reason": "Dependency not found and could not be audited"}


@pytest.mark.parametrize(
    ("said", "good", "sentence"),
    [
        (_said(GOOD, GOOD), True, "2 dependencies audited: no known vulnerabilities"),
        (_said(GOOD, BAD), False, "known vulnerabilities in the dependencies:\n  jinja2 2.0: PYSEC-1, fixed in 2.1"),
        (_said(AWAY, BAD), False, "known vulnerabilities in the dependencies:\n  jinja2 2.0: PYSEC-1, fixed in 2.1"),
        (_said(AWAY, AWAY), True, "dependencies NOT audited: the advisory service cannot be reached"),
        (_said(AWAY, GOOD), True, "dependencies NOT audited: the advisory service cannot be reached for 1 of 2: rich"),
        (_said(), True, "dependencies NOT audited: the advisory service cannot be reached"),
        ("", True, "dependencies NOT audited: the advisory service cannot be reached"),
        ("no connection", True, "dependencies NOT audited: the advisory service cannot be reached"),
    ],
)
def test_outcomes_of_the_audit(said: str, good: bool, sentence: str) -> None:
    asked: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> str:
        asked.append(command)
        return said

    result = audit.audit(ROOT / "requirements.lock", run)
    assert (result.good, result.sentence) == (good, sentence)
    assert result.complete == (audit.NOT_AUDITED not in sentence)
    assert str(ROOT / "requirements.lock") in asked[0]
    assert "--require-hashes" in asked[0]


def test_silent_service_is_reported() -> None:
    def run(command: Sequence[str]) -> str:
        raise subprocess.TimeoutExpired(command, 1)

    assert audit.audit(ROOT / "requirements.lock", run).sentence == audit.NOT_AUDITED


def test_exit_status_of_the_audit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for options, away in ((["--may-skip"], 0), ([], 1)):
        monkeypatch.setattr(sys, "argv", ["audit.py", *options])
        for said, status in ((_said(GOOD), 0), (_said(BAD), 1), ("", away), (_said(AWAY, GOOD), away)):
            monkeypatch.setattr(audit, "_run", lambda _, said=said: said)
            assert audit.main() == status
    assert capsys.readouterr().out.count(audit.NOT_AUDITED) == 4


def test_only_make_audit_fails_without_an_answer() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    names = ("check", "audit", "audit-or-skip", "test")
    recipes = {name: makefile.split(f"\n{name}:")[1].split("\n\n")[0] for name in names}
    assert recipes["audit"].endswith("tools/audit.py")
    assert recipes["audit-or-skip"].endswith("tools/audit.py --may-skip")
    assert " audit-or-skip" in recipes["check"]
    assert " audit-or-skip " in recipes["test"]
