"""The container files: their settings exist, and the image builds."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from documentation.running import BASH
from long import long_only
from support.deployment_files import KNOWN, ROOT, read_dockerfile


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile"])
def test_every_container_setting_exists(name: str) -> None:
    named = set(re.findall(r"FIVEDICE_([A-Z_]+)", (ROOT / name).read_text()))
    assert named
    assert named <= KNOWN


def copy_files(copies: list[tuple[str, ...]], folder: Path) -> None:
    for *sources, target in copies:
        for source in sources:
            found = ROOT / source
            if found.is_dir():
                copytree(found, folder / target, ignore=ignore_patterns("__pycache__"))
            else:
                copyfile(found, folder / target / source)


def test_image_contains_the_build_inputs(tmp_path: Path) -> None:
    """The wheel of the files that are copied into the image, by the builder that is installed here."""
    copies, commands = read_dockerfile()
    copy_files(copies, tmp_path)
    assert commands[-1].endswith("--no-deps --no-build-isolation .")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with ZipFile(wheel) as names:
        assert "fivedice/web/server.py" in names.namelist()


@long_only
def test_image_builds_by_its_own_commands(tmp_path: Path) -> None:
    """The same files and commands in an empty folder; only the place of the environment differs."""
    copies, commands = read_dockerfile()
    copy_files(copies, tmp_path)
    for command in commands:
        here = command.replace("/opt/fivedice", str(tmp_path / "environment")).replace(
            "python ", f"{sys.executable} ", 1
        )
        done = subprocess.run([BASH, "-c", here], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{here}\n{done.stdout}\n{done.stderr}"
    run = [str(tmp_path / "environment" / "bin" / "fivedice"), "score", "yahtzee", "44666"]
    assert subprocess.run(run, capture_output=True, text=True, check=False).returncode == 0


def test_image_packages_are_locked_by_hash() -> None:
    """And in the version that everything is tested with."""
    tested, image = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-server.lock")
    )
    locked = re.findall(r"^([\w.-]+==\S+).* \\\n    --hash=sha256:", image, re.MULTILINE)
    assert len(locked) == len(re.findall(r"^[\w.-]+==", image, re.MULTILINE)) > 20
    assert set(locked) <= set(re.findall(r"^([\w.-]+==\S+)", tested, re.MULTILINE))
    assert any("--require-hashes" in command for command in read_dockerfile()[1])


def test_compose_file_is_complete() -> None:
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = read["services"]
    assert services["server"]["deploy"]["replicas"] == 2
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(read["volumes"])
    assert services["proxy"]["configs"][0]["source"] in read["configs"]
    assert "flush_interval -1" in read["configs"]["caddyfile"]["content"]
