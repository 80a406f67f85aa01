"""The files for containers name settings that exist; no engine is needed to see that."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from fivedice.web.settings import Settings

ROOT = Path(__file__).parents[2]
KNOWN = {setting.name.upper() for setting in fields(Settings)} | {"DATA", "CACHE"}


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile"])
def test_every_setting_exists(name: str) -> None:
    named = set(re.findall(r"FIVEDICE_([A-Z_]+)", (ROOT / name).read_text()))
    assert named
    assert named <= KNOWN


def test_compose_is_whole() -> None:
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = read["services"]
    assert services["server"]["deploy"]["replicas"] == 2
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(read["volumes"])
    assert services["proxy"]["configs"][0]["source"] in read["configs"]
    assert "flush_interval -1" in read["configs"]["caddyfile"]["content"]
