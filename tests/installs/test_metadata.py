"""The wheel's metadata for the package index."""

import re
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

from fivedice.text.languages import CATALOGUES, available
from fivedice.text.po_file import compile_catalogue
from installs.bare import ROOT, build_wheel, shared_wheel

HOME = "https://code.example/fivedice"


def metadata(wheel: Path) -> str:
    with ZipFile(wheel) as content:
        name = next(each for each in content.namelist() if each.endswith(".dist-info/METADATA"))
        return content.read(name).decode()


@pytest.mark.parametrize("home", ["", HOME])
def test_metadata_links_exist(
    home: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEDICE_HOME", home)
    told = message_from_string(metadata(build_wheel(tmp_path) if home else shared_wheel(tmp_path_factory)))
    text = told.get_payload()
    assert isinstance(text, str)
    assert "pip install ." in text
    links = re.findall(r"\]\(([^)]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    assert all(link.startswith(("https://", "#")) for link in links)
    assert bool(links) == bool(home)
    assert [each.split(", ")[0] for each in told.get_all("Project-URL", [])] == (
        ["Homepage", "Documentation", "Changelog", "Issues"] if home else []
    )
    if home:
        files = [link.partition("/main/")[2].partition("#")[0] for link in links if "/main/" in link]
        assert files
        assert all((ROOT / each).exists() for each in files)


def test_names_of_missing_packages_are_complete() -> None:
    """Every requirement can be missing, and is then named with its extra."""
    import tomllib

    from packaging.requirements import Requirement

    from fivedice.cli.command_list import _extra_of

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"": project["dependencies"], **project["optional-dependencies"]}
    modules = {"prometheus-client": "prometheus_client", "glicko2-py": "glicko2"}
    modules |= {"http-ece": "http_ece", "py-vapid": "py_vapid"}
    for extra, packages in asked.items():
        names = [Requirement(each).name for each in packages] if extra not in {"dev", "docs"} else []
        for name in names:
            if name != "fivedice":
                assert _extra_of(modules.get(name, name)) == extra, name


def test_wheel_has_compiled_catalogues_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ZipFile(shared_wheel(tmp_path_factory)) as content:
        found = {name: content.read(name) for name in content.namelist() if "/catalogues/" in name}
    assert found == {
        f"fivedice/text/catalogues/{language}/LC_MESSAGES/fivedice.mo": compile_catalogue(
            (CATALOGUES / language / "LC_MESSAGES" / "fivedice.po").read_text(encoding="utf-8")
        )
        for language in available()[1:]
    }
