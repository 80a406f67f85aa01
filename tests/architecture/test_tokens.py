"""Colours are defined in one place, and every property that a style uses exists."""

import re
from pathlib import Path

import fivedice
from fivedice.drawing import theme as tokens
from for_each import for_each

ROOT = Path(fivedice.__file__).parent
WRITTEN = {".css", ".tcss", ".html", ".js", ".py", ".typ"}
COLOUR = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![-\w])|\b(?:rgba?|hsla?)\(\s*\d", re.IGNORECASE)
SOURCES = [path for path in sorted(ROOT.rglob("*.*")) if path.suffix in WRITTEN and path != Path(tokens.__file__)]
STYLES = [path for path in SOURCES if path.suffix == ".css"]


def colours(text: str) -> list[str]:
    return COLOUR.findall(text)


@for_each("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_colours_are_defined_in_tokens_only(path: Path) -> None:
    assert colours(path.read_text(encoding="utf-8")) == []


@for_each("text", ["color: #fff;", 'rgb("#24664a")', "a: #24664A80", "rgb(0 0 0 / 15%)", '"#1f4535 on"'])
def test_colours_are_detected(text: str) -> None:
    assert colours(text)


@for_each("text", ["#table button", "#face-1", "rgb(color.ink)", "#let ink", "&#39;"])
def test_other_words_are_not_colours(text: str) -> None:
    assert not colours(text)


def test_icon_uses_felt_and_ivory() -> None:
    """A separate picture cannot use the properties of the page."""
    text = (ROOT / "web" / "static" / "core" / "icon.svg").read_text(encoding="utf-8")
    assert set(colours(text)) == {tokens.PAGE["felt"].light, tokens.PAGE["ivory"].light}


@for_each("path", STYLES, ids=lambda path: path.name)
def test_every_used_property_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    known = set(re.findall(r"(--[\w-]+):", tokens.css() + text))
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= known
