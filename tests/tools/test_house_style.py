"""The figures about names and folders, counted on a small tree."""

from importlib import import_module
from pathlib import Path

import house_style as style
import pytest

from for_each import for_each

FILES = {
    "__init__.py": "from house.web import page\n",
    "web/__init__.py": "",
    "web/page.py": "from house.store.rows import Row\n\n\nclass Line:\n    pass\n",
    "store/__init__.py": "",
    "store/rows.py": "from house.web import page\n\n\nclass Line:\n    pass\n\n\nclass Row:\n    pass\n",
    "text/__init__.py": "from house.web.page import Line\n",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree") / "house"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_participles_differ_from_verbs() -> None:
    names = ("_kept", "judged", "need", "keep", "_seed", "kept_dice")
    assert [name for name in names if style.is_participle(name)] == ["_kept", "judged"]


@for_each(
    ("docstring", "expected"),
    [
        ("Return the score.", True),
        ("Pass the turn on.", True),
        ("The score.", False),
        ("Whether it is over.", False),
        ("Boxes that are open.", False),
        ("`x` is unknown.", False),
    ],
)
def test_docstrings_starting_with_a_verb(docstring: str, expected: bool) -> None:
    assert style.starts_with_verb(docstring) is expected


def test_shared_names_mutual_folders_and_worse_figures(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert style.find_shared_classes(house) == ["Line"]
    assert style.find_mutual_folders(house) == [("store", "web")]
    measure = import_module("measure_house")
    figures = {name: bound for name, (bound, _) in measure.BOUNDS.items()}
    assert measure.check(figures) == 0
    assert measure.check(figures | {"modules": figures["modules"] + 1}) == 1
    assert "modules: " in capsys.readouterr().out
