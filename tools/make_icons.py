"""Draw the pictures that stand for the site elsewhere: icons for phones, and what a shared link shows.

    python tools/make_icons.py

They are drawn from the colours of the page and kept in the repository, small: flat grounds and few colours.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import vl_convert

from fivedice.drawing.theme import PAGE

FOLDER = Path(__file__).parents[1] / "src" / "fivedice" / "web" / "static" / "home"
FELT, DEEP, IVORY = PAGE["felt"].light, PAGE["felt-deep"].light, PAGE["ivory"].light
LIGHT, EDGE, PIP = PAGE["ivory-light"].light, PAGE["ivory-edge"].light, PAGE["pip"].light
SPOTS = {
    2: ((28, 28), (72, 72)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((28, 28), (72, 28), (50, 50), (28, 72), (72, 72)),
    6: ((29, 25), (71, 25), (29, 50), (71, 50), (29, 75), (71, 75)),
}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
TILTS = (-9, 6, -3, 10, -6)
LIFTS = (6, -20, 16, -14, 8)


def die(face: int, x: float, y: float, size: float, tilt: float) -> str:
    """A die with its middle at x, y."""
    pips = "".join(f'<circle cx="{cx}" cy="{cy}" r="9"/>' for cx, cy in SPOTS[face])
    place = f"translate({x} {y}) rotate({tilt}) scale({size / 100}) translate(-50 -50)"
    return (
        f'<g transform="{place}"><rect y="9" width="100" height="101" rx="22" fill="{DEEP}"/>'
        f'<rect y="5" width="100" height="100" rx="22" fill="{EDGE}"/>'
        f'<rect width="100" height="100" rx="22" fill="{IVORY}"/>'
        f'<rect x="5" y="4" width="90" height="86" rx="18" fill="{LIGHT}"/><g fill="{PIP}">{pips}</g></g>'
    )


def icon(size: int, die_size: float, corner: float) -> str:
    """One die on felt. A phone that cuts its icons to a shape needs room around it."""
    return _svg(
        100, 100, f'<rect width="100" height="100" rx="{corner}" fill="{FELT}"/>{die(5, 50, 49, die_size, -8)}', size
    )


def preview() -> str:
    """Five dice on felt, for links."""
    dice = (
        die(face, 200 + 200 * number, 315 + LIFTS[number], 158, TILTS[number])
        for number, face in enumerate((5, 2, 6, 4, 5))
    )
    return _svg(1200, 630, f'<rect width="1200" height="630" fill="{FELT}"/>{"".join(dice)}', 1200)


def _svg(width: int, height: int, content: str, wide: int) -> str:
    high = round(wide * height / width)
    box = f'viewBox="0 0 {width} {height}" width="{wide}" height="{high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{content}</svg>'


def pictures() -> Iterator[tuple[str, str]]:
    yield "icon-180.png", icon(180, 62, 0)  # the phone rounds it
    yield "icon-192.png", icon(192, 66, 22)
    yield "icon-512.png", icon(512, 66, 22)
    yield "icon-maskable.png", icon(512, 50, 0)
    yield "preview.png", preview()


def small(png: bytes) -> bytes:
    """The same picture with at most 256 colours, named by one byte each: a third of the size, and nobody sees it."""
    points = pixels(png)
    found, counts = np.unique(points.reshape(-1, 4), axis=0, return_counts=True)
    palette = found[np.argsort(-counts, kind="stable")][:256]
    distances = ((found[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(axis=2)
    nearest = {tuple(color): place for color, place in zip(found.tolist(), distances.argmin(axis=1), strict=True)}
    height, width = points.shape[:2]
    rows = b"".join(b"\0" + bytes(nearest[tuple(point)] for point in row) for row in points.tolist())
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", header), (b"PLTE", palette[:, :3].tobytes()), (b"tRNS", palette[:, 3].tobytes())]
    parts += [(b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def pixels(png: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Red, green, blue and opacity of every point; lines of a PNG are written as differences from those before."""
    width, height = struct.unpack(">II", png[16:24])
    data, place = b"", len(SIGNATURE)
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        data += png[place + 8 : place + 8 + length] if png[place + 4 : place + 8] == b"IDAT" else b""
        place += 12 + length
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 4 * width)
    found = np.zeros((height, width, 4), np.uint8)
    above = [0] * (4 * width)
    for row, line in enumerate(lines.tolist()):
        above = _plain(line[0], line[1:], above)
        found[row] = np.array(above, np.uint8).reshape(width, 4)
    return found


def _plain(way: int, line: list[int], above: list[int]) -> list[int]:
    """One line without its differences, by the five ways that the format knows."""
    done: list[int] = []
    for place, value in enumerate(line):
        left, corner = (done[place - 4], above[place - 4]) if place > 3 else (0, 0)
        up = above[place]
        guess = left + up - corner
        paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        done.append((value + (0, left, up, (left + up) // 2, paeth)[way]) % 256)
    return done


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    for name, drawing in pictures():
        made = small(vl_convert.svg_to_png(drawing, scale=1, ppi=72))
        (FOLDER / name).write_bytes(made)
        print(name, len(made))


if __name__ == "__main__":
    main()
