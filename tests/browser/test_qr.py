"""QR codes that the page draws itself, module by module against another program."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import segno
from playwright.sync_api import Page
from segno import encoder

from long import LONG, few

# Rows as text: a list of a million truths takes longer to bring back than to draw.
DRAW = """async (asked) => {
    const { qrCode } = await import("/static/pad/qr.js");
    const rows = (matrix) => matrix.map((row) => row.map(Number).join(""));
    return asked.map((each) => qrCode(...each)).map((code) => code && { ...code, matrix: rows(code.matrix) });
}"""
# The bytes that fill a version to the last one, and one more: by level and version, from the standard.
FULL = {"L": {1: 17, 2: 32, 6: 134, 7: 154, 9: 230, 10: 271, 26: 1367, 32: 1952, 40: 2953}}
FULL |= {"M": {1: 14, 2: 26, 6: 106, 7: 122, 9: 180, 10: 213, 26: 1059, 32: 1538, 40: 2331}}
LINK = "https://somebody.example/score-pad/index.html#sheet="


@pytest.fixture(autouse=True)
def _as_the_standard_pads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segno adds a byte of zeros behind data that ends with a byte already; readers never get that far."""
    monkeypatch.setattr(encoder, "write_padding_bits", lambda buff, _, length: buff.extend([0] * (-length % 8)))


def _same(text: str, level: str, drawn: Any, **options: Any) -> bool:
    """With the mask that we chose: Segno weighs masks before the code is complete."""
    found = segno.make(text, error=level, mode="byte", boost_error=False, micro=False, mask=drawn["mask"], **options)
    return found.version == drawn["version"] and ["".join(map(str, row)) for row in found.matrix] == drawn["matrix"]


@pytest.mark.parametrize("level", ["L", "M"])
def test_every_version_is_drawn_as_by_another_program(blank: Page, level: str) -> None:
    chance = Random(17)
    sizes = {size + more for size in FULL[level].values() for more in (0, 1)} - {FULL[level][40] + 1}
    sizes |= {chance.randint(1, FULL[level][40]) for _ in range(30)} | set(range(20, FULL[level][40], 130))
    texts = ["".join(chr(chance.randint(33, 126)) for _ in range(size)) for size in few(sorted(sizes), 15)]
    drawn = blank.evaluate(DRAW, [[text, level, 40] for text in texts])
    assert [text for text, each in zip(texts, drawn, strict=True) if not _same(text, level, each)] == []
    if LONG:
        assert len({each["version"] for each in drawn}) > 25
        assert len({each["mask"] for each in drawn}) > 5


def test_a_version_is_filled_to_the_last_byte(blank: Page) -> None:
    for level, full in FULL.items():
        asked = [["x" * (size + more), level, 40] for size in full.values() for more in (0, 1)]
        versions = [each and each["version"] for each in blank.evaluate(DRAW, asked)]
        assert versions == [version + more if version + more < 41 else None for version in full for more in (0, 1)]
        assert blank.evaluate(DRAW, [["x" * 18, level, 1]]) == [None], "as large as was asked for, at most"


def test_letters_of_all_the_world(blank: Page) -> None:
    text = f"{LINK}Zoë·日本·🎲"
    (drawn,) = blank.evaluate(DRAW, [[text, "L", 40]])
    assert _same(text, "L", drawn, encoding="utf-8")
