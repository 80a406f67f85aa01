"""Find the pages of the documentation and the code blocks on them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]))

_FENCE = re.compile(r"^(`{3,}|~{3,})[ \t]*(\S*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    text: str
    after: int | None  # the line of the block right above it, if nothing stands between

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(text: str, page: str) -> Iterator[Block]:
    end, above = 0, None
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        alone = bool(text[end : found.start()].strip())
        yield Block(page, line, found[2], found[3], None if alone else above)
        end, above = found.end(), line


def blocks(page: Path) -> list[Block]:
    return [*blocks_of(page.read_text(encoding="utf-8"), name_of(page))]


def without_blocks(text: str) -> str:
    return _FENCE.sub("", text)


def without_code(text: str) -> str:
    """Return the text without blocks and without code in backquotes."""
    return re.sub(r"`[^`\n]*`", "", without_blocks(text))
