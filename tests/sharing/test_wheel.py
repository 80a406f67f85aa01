"""The wheel, and nothing but the wheel: a server from it plays on either database."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from installs.bare import shared_wheel, unpack
from long import few
from sharing.play import caller, open_table, play_out
from web.serving import NO_LIMITS, Serving

pytestmark = pytest.mark.campaign


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(shared_wheel(tmp_path_factory))


@pytest.mark.parametrize("database", few(["postgresql", "sqlite"], 1), indirect=True)
def test_server_from_the_wheel_plays(unpacked: Path, database: str, tmp_path: Path) -> None:
    paths = NO_LIMITS | {"PYTHONPATH": str(unpacked)}
    where = subprocess.run(
        [sys.executable, "-c", "import fivedice; print(fivedice.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | paths,
        cwd=tmp_path,
    )
    assert where.stdout.startswith(str(unpacked)), "otherwise the sources are served, not the wheel"
    entry = next(unpacked.glob("*.dist-info")) / "entry_points.txt"
    assert "fivedice = fivedice.cli:main" in entry.read_text()
    with Serving(tmp_path, database=database, settings=paths) as server:
        for page in ("/", "/rules", "/static/core/style.css", "/static/play/table.js"):
            assert httpx.get(server.url + page, timeout=30).status_code == 200
        with caller(server.url, "Ann") as client:
            table = open_table(client, "Ann")
            assert play_out(client, table) > 30
            assert client.get(f"/tables/{table}/record").status_code == 200
