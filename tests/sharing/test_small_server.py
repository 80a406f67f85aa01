"""The compose file and systemd unit of docs/operations.md name only what exists."""

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from documentation.pages import ROOT, blocks
from fivedice.cli.command_tree import app
from fivedice.web.http.settings import load_settings, settings_of
from support.deployment_files import KNOWN, read_dockerfile

PAGE = ROOT / "docs" / "operations.md"


def read_block(beginning: str) -> str:
    """Return the block of the page that begins so."""
    (found,) = [block.text for block in blocks(PAGE) if block.text.startswith(beginning)]
    return found


def read_unit() -> dict[str, list[str]]:
    """Return the options of the service, each with all its values."""
    found: dict[str, list[str]] = {}
    service = read_block("[Unit]").partition("[Service]\n")[2].partition("\n\n")[0]
    for line in service.splitlines():
        name, _, value = line.partition("=")
        found.setdefault(name, []).append(value)
    return found


def check_settings(environment: dict[str, str], passphrase: Path) -> None:
    """Start no server, but read its settings; the passphrase lies elsewhere here."""
    ours = {name: value for name, value in environment.items() if name.startswith("FIVEDICE_")}
    assert {name.removeprefix("FIVEDICE_") for name in ours} <= KNOWN
    passphrase.write_text("a passphrase for the test\n", encoding="utf-8")
    settings = settings_of(load_settings({}, ours | {"FIVEDICE_PASSPHRASE_FILE": str(passphrase)}))
    assert settings.trusted_proxies
    assert ours["FIVEDICE_PASSPHRASE_FILE"].endswith("/passphrase")


@pytest.fixture(autouse=True)
def _no_settings_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FIVEDICE_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_unit_uses_existing_command_and_settings(tmp_path: Path) -> None:
    unit = read_unit()
    program, *words = shlex.split(unit["ExecStart"][0])
    _, bound, _ = app.parse_args(words, exit_on_error=False, print_error=False)
    assert bound.arguments["base_url"].startswith("https://")
    environment = dict(pair.split("=", 1) for line in unit["Environment"] for pair in line.split())
    check_settings(environment, tmp_path / "passphrase")
    name, _, kept = unit["LoadCredential"][0].partition(":")
    assert environment["FIVEDICE_PASSPHRASE_FILE"] == f"%d/{name}"
    assert kept in PAGE.read_text(encoding="utf-8").split("```text\n[Unit]")[0], "the page says where to write it"
    assert bound.arguments["database"] == f"sqlite:////var/lib/{unit['StateDirectory'][0]}/tables.db"
    assert environment["FIVEDICE_CACHE"] == f"/var/cache/{unit['CacheDirectory'][0]}"
    installed = read_block("python3 -m venv")
    assert installed.splitlines()[0].endswith(program.removesuffix("/bin/fivedice"))
    for theirs, ours in zip(read_dockerfile()[1][1:], installed.splitlines()[1:], strict=True):
        assert theirs.replace(" --no-cache-dir", "") == ours


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed here")
    file = tmp_path / "fivedice.service"
    file.write_text(read_block("[Unit]").replace("/opt/fivedice/bin/fivedice", "/bin/true"), encoding="utf-8")
    done = subprocess.run([verify, "verify", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_unit_has_known_sections() -> None:
    reader = RawConfigParser(strict=False)
    reader.read_string(read_block("[Unit]"))
    assert reader.sections() == ["Unit", "Service", "Install"]


def test_single_server_compose_is_complete(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    text = read_block("services:")
    assert len(text.splitlines()) <= 22
    read = yaml.safe_load(text)
    server, proxy = read["services"]["server"], read["services"]["proxy"]
    check_settings(server["environment"], tmp_path / "passphrase")
    assert {f"/run/secrets/{name}" for name in server["secrets"]} == {server["environment"]["FIVEDICE_PASSPHRASE_FILE"]}
    assert set(server["secrets"]) == set(read["secrets"])
    for service in (server, proxy):
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(read["volumes"])
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    for volume in server["volumes"]:
        assert re.search(rf"={volume.partition(':')[2]}\b", image), "the image keeps its files there"
    assert f"EXPOSE {proxy['command'][-1].removeprefix('server:')}" in image
    assert server["environment"]["FIVEDICE_BASE_URL"] == f"https://{proxy['command'][3]}"
