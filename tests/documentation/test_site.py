"""The site builds without a warning and has every page and public name."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import fivedice as fd
from documentation.pages import PAGES, ROOT, name_of
from long import long_only

SITE = ROOT / "docs" / "site"
INDEX = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture
def site_pages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SITE))
    return __import__("site_pages")


@pytest.fixture
def site_check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SITE))
    return __import__("site_check")


@long_only  # `make docs` builds it; links and names are tested below and in `test_links`
def test_site_builds_without_a_warning(tmp_path: Path) -> None:
    """All but writing the pages: contents, links, docstrings."""
    command = [sys.executable, "-m", "sphinx", "-b", "dummy", "-W", "--keep-going", "-q", "-c", str(SITE)]
    done = subprocess.run([*command, str(ROOT), str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_contents_list_every_page_once(site_pages: ModuleType) -> None:
    pages = {name_of(page).removesuffix(".md") for page in PAGES} | {"docs/a-new-one"}
    parts = site_pages.contents(INDEX, pages)
    listed = [page for part in parts.values() for page in part]
    elsewhere = {page for page in pages if page.startswith("docs/decisions/0")} | {"README", "docs/README"}
    assert sorted(listed) == sorted(pages - elsewhere)
    assert [*parts][:4] == ["Players", "Programmers", "Operators", "Contributors"]
    assert "docs/guide" in parts["Players"]
    assert "docs/a-new-one" in parts["More"]


def test_site_api_has_every_public_name(site_pages: ModuleType) -> None:
    modules = {"bots", "dice", "errors", "notation", "rules"}
    page = site_pages.documented(API)
    assert "<!-- api" not in page
    for name in set(fd.__all__) - modules:
        assert f":: fivedice.{name}\n" in page, name
    assert ".. autoexception:: fivedice.BookError" in page
    assert ".. autofunction:: fivedice.client.join" in page
    page = site_pages.documented(API.replace(" apply ", " "))
    assert ".. autofunction:: fivedice.apply\n" in page.partition("\n## More\n")[2]


def test_broken_links_of_the_built_site_are_found(site_check: ModuleType, tmp_path: Path) -> None:
    there = '<p id="here"></p><img src="die.svg"><a href="b.html#there">b</a><a href="https://example.org">c</a>'
    (tmp_path / "a.html").write_text(there, encoding="utf-8")
    (tmp_path / "b.html").write_text('<b id="there"></b><a href="a.html#here">a</a>', encoding="utf-8")
    (tmp_path / "die.svg").touch()
    assert [*site_check.problems(tmp_path)] == []
    wrong = '<a href="a.html#gone">a</a><a href="c.html">c</a><script src="https://example.org/x.js"></script>'
    (tmp_path / "b.html").write_text(f'<b id="there"></b>{wrong}', encoding="utf-8")
    assert [*site_check.problems(tmp_path)] == [
        "b.html: a.html#gone: no such place",
        "b.html: c.html: no such file",
        "b.html: https://example.org/x.js: loaded from elsewhere",
    ]
