"""The figures of the house, counted on a house of four small rooms."""

from pathlib import Path

import house_tree as tree
import pytest

FILES = {
    "__init__.py": "",
    "asking/__init__.py": "",
    "asking/commands.py": 'class Wave:\n    """Wave."""\n\n\nclass Nod:\n    """Wave?"""\n\n\nCommand = Wave | Nod\n',
    "asking/words.py": 'SAID = {"wave": f"{1} waves at you."}\n\n\ndef nod() -> str:\n    return "nods at nobody."\n',
    "web/__init__.py": "from house.asking.commands import Wave\n",
    "web/words.py": "from house.asking.commands import Wave\n\n\ndef wave() -> None:\n    # a comment\n    Wave()\n",
    "web/app.py": '"""Wave. After a change in `words`, touch this file."""\n\nimport house\n',
    "web/page.html": '<form action="/wave"></form>\n',
    "web/wave.css": "",
    "web/wave.svg": "Wave",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("house")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_folders_lines_and_sentences_are_counted(house: Path) -> None:
    found = tree.sizes(house)
    assert (found.modules, found.lines, found.median) == (7, 24, 3)
    assert (found.fullest, found.most) == ("asking", 3)
    assert found.shared == ("words.py",), "every package has an __init__"
    assert tree.room_lines(house) == {"asking": 14, "web": 10, "modules": 0}
    assert tree.sentences(house) == {"asking/words.py": 1}


def test_places_that_name_a_thing(house: Path) -> None:
    wave = tree.Thing("Wave", (r"\bWave\b", r"['\"/]wave\b"), (r"touch this file",), (r"wave\.css$",))
    assert list(map(str, tree.places(house, wave))) == [
        "asking/commands.py: Command",
        "asking/commands.py: Wave",
        "asking/words.py: SAID",
        "web/__init__.py: (import)",
        "web/app.py: (a note)",
        "web/page.html",
        "web/wave.css",
        "web/words.py: wave",
    ]


def test_missing_name_is_reported(house: Path) -> None:
    assert tree.find_unmatched(house, tree.Thing("Wave", (r"\bWave\b", r"\bWink\b"))) == [r"\bWink\b"]
    assert tree.find_unmatched(house, tree.Thing("Wave", (r"\bWave\b",), once=(r"\bWink\b",))) == []
    assert tree.places(house, tree.Thing("Wave", (), once=(r"\bWave\b",))) == tree.places(
        house, tree.Thing("Wave", (r"\bWave\b",))
    )
