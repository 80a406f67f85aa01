"""The closed set of things that dice can show. Each pattern answers two questions about sorted faces:

- `matching`: the sum of the dice that make the pattern, read in the best way; None if they do not make it;
- `by_joker`: the same when five of a kind stands in for the pattern.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

Faces: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[tuple[int, int], ...]  # face and how many dice show it


@dataclass(frozen=True, slots=True)
class FaceSum:
    """All dice of one face: an upper box. A joker never lifts it."""

    face: int

    def matching(self, faces: Faces) -> int | None:
        return self.face * faces.count(self.face) or None

    def by_joker(self, faces: Faces) -> int | None:
        return self.matching(faces)


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of equal dice: (3,) three of a kind, (2, 2) two pairs, (3, 2) a full house, (4, 2) a tower."""

    sizes: tuple[int, ...]
    same_face: bool = False  # may two groups show the same face? (five alike as a full house)

    def matching(self, faces: Faces) -> int | None:
        return _best_groups(_counts(faces), self.sizes, self.same_face)

    def by_joker(self, faces: Faces) -> int | None:
        return _best_groups(_counts(faces), self.sizes, same_face=True)


@dataclass(frozen=True, slots=True)
class Run:
    """So many faces in a row, wherever they begin. Never summed by its own dice: see `checks`."""

    length: int

    def matching(self, faces: Faces) -> int | None:
        shown = set(faces)
        runs = (set(range(low, low + self.length)) for low in shown)
        return sum(faces) if any(run <= shown for run in runs) else None

    def by_joker(self, faces: Faces) -> int | None:
        return sum(faces)


@dataclass(frozen=True, slots=True)
class Exactly:
    """These very faces; dice beyond them are free."""

    faces: tuple[int, ...]

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if set(self.faces) <= set(faces) else None

    def by_joker(self, faces: Faces) -> int | None:
        return sum(faces)


@dataclass(frozen=True, slots=True)
class AllAlike:
    """Every die the same, however many dice the book has."""

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if len(set(faces)) == 1 else None

    def by_joker(self, faces: Faces) -> int | None:
        return self.matching(faces)


@dataclass(frozen=True, slots=True)
class Anything:
    """Chance."""

    def matching(self, faces: Faces) -> int | None:
        return sum(faces)

    def by_joker(self, faces: Faces) -> int | None:
        return sum(faces)


Pattern: TypeAlias = FaceSum | Groups | Run | Exactly | AllAlike | Anything


@lru_cache(maxsize=4096)
def _best_groups(counts: Counts, sizes: tuple[int, ...], same_face: bool) -> int | None:
    """Give each group a face in every possible way, and take the highest sum.

    Where all groups are of one size the highest faces are the best: trying them in every order would take a book
    with eight dice minutes to read.
    """
    if len(set(sizes)) == 1:
        return _highest_faces(counts, sizes[0], len(sizes), same_face)
    size, rest = sizes[0], sizes[1:]
    sums = []
    for face, have in counts:
        if have >= size:
            left = tuple((f, n - size if same_face else 0) if f == face else (f, n) for f, n in counts)
            remainder = _best_groups(left, rest, same_face)
            if remainder is not None:
                sums.append(size * face + remainder)
    return max(sums, default=None)


def _highest_faces(counts: Counts, size: int, groups: int, same_face: bool) -> int | None:
    """So many groups of one size, from the highest face down."""
    able = [face for face, have in reversed(counts) for _ in range(have // size if same_face else have >= size)]
    return size * sum(able[:groups]) if len(able) >= groups else None


def _counts(faces: Faces) -> Counts:
    return tuple((face, faces.count(face)) for face in sorted(set(faces)))
