"""Texts of pages: as Jinja would render them, in each reader's language."""

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from fivedice.text import using
from fivedice.text.languages import PSEUDO, add_accents
from fivedice.web.http.page_files import environment


@pytest.fixture(scope="module")
def templates() -> Environment:
    return environment()


def test_page_texts_are_per_reader_and_escaped(templates: Environment) -> None:
    page = templates.from_string("{% trans %}open{% endtrans %}")
    for language, text in (("en", "open"), (PSEUDO, add_accents("open")), ("en", "open")):
        with using(language):
            assert page.render() == text
    page = templates.from_string('{{ _("%(name)s: 5%%", name=name) }} {{ _("100%%") }} {% trans %}5%{% endtrans %}')
    with using("en"):
        assert page.render(name="<b>") == "&lt;b&gt;: 5% 100% 5%"
    page = templates.from_string("{{ pips(face) }}")
    for _ in range(2):  # the second time it is remembered
        assert [page.render(face=face).count("<circle") for face in range(1, 10)] == list(range(1, 10))


def test_templates_are_compiled_once_for_all_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_once = Environment._compile

    def note(self: Environment, source: str, filename: str) -> Any:
        compiled.append(Path(filename).name)
        return compile_once(self, source, filename)

    def look() -> list[str]:
        compiled.clear()
        environment().get_template("http/error.html")
        return list(compiled)

    monkeypatch.setattr(Environment, "_compile", note)
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    assert (look(), look()) == (["error.html"], [])
    [stored] = (tmp_path / "templates").iterdir()
    stored.write_bytes(stored.read_bytes()[:-9])
    assert (look(), look()) == (["error.html"], []), "a damaged file is replaced"
    monkeypatch.setattr("fivedice.web.http.page_files.CompiledTemplates.made_by", "another Jinja")
    assert (look(), look()) == (["error.html"], []), "and so is what another version has compiled"
    monkeypatch.setenv("FIVEDICE_CACHE", str(stored))
    assert (look(), look()) == (["error.html"], ["error.html"]), "without a folder they are compiled every time"
