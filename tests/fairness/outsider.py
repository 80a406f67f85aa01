"""A verifier written from docs/fair-dice.md alone, by somebody who has seen nothing else: nothing of Fivedice is used.

It differs from docs/verify_dice.py in everything that could hide a mistake of the page: it reads bytes, escapes JSON
itself, knows which rules have a roll-off, and has an Ed25519 of its own, from RFC 8032.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re

DICE = {"crag": 3, "maxi-yatzy": 6, "maxi-yatzy-plain": 6}  # all others have five
ROLL_OFF = {"yahtzee", "yahtzee-free-choice", "yahtzee-plain"}


class Refused(Exception):  # noqa: N818
    """What the page says is not what the record says."""


def demand(what: str, right: bool) -> None:
    if not right:
        raise Refused(what)


# --- the record ---


def verify(record: bytes, receipt: str | None = None) -> int:
    """How many throws were derived again. `receipt` is the text of one, checked too if it is given."""
    tags, rounds = parsed(record.decode())
    secret = tags["Secret"][0].encode()
    demand("scheme", tags["Dice"] == ["fivedice-1"])
    demand("lock", hashlib.sha256(secret).hexdigest() == tags["Commitment"][0])
    seal = b'[Seal "' + tags["Seal"][0].encode() + b'"]\n'
    demand("one seal", record.count(seal) == 1)
    demand("seal", hmac.new(secret, record.replace(seal, b""), "sha256").hexdigest() == tags["Seal"][0])
    cup = Cup(secret, tags["Fingerprint"][0], tags["Players"], json.loads(tags["Texts"][0]), dice_of(tags["Book"][0]))
    begins(tags, cup)
    turns = [turn for line in rounds for turn in line.split(" ")]
    throws = sum(check_turn(cup, number, turn) for number, turn in enumerate(turns, start=1))
    if receipt is not None:
        check_receipt(json.loads(receipt), tags)
    return throws


def parsed(text: str) -> tuple[dict[str, list[str]], list[str]]:
    head, _, body = text.partition("\n\n")
    tags = {}
    for line in head.split("\n"):
        name, values = re.fullmatch(r'\[(\w+)((?: "(?:[^"\\]|\\.)*")+)\]', line).groups()  # type: ignore[union-attr]
        tags[name] = json.loads("[" + re.sub(r'" "', '","', values.strip()) + "]")
    *rounds, totals, end = body.split("\n")
    demand("totals", totals[0] in "=*" and end == "")
    for number, line in enumerate(rounds, start=1):
        demand("rounds in order", line.startswith(f"{number}. "))
    return tags, [line.partition(". ")[2] for line in rounds]


def dice_of(book: str) -> int:
    return DICE.get(book, 5)


class Cup:
    """The dice of a game."""

    def __init__(self, secret: bytes, fingerprint: str, names: list[str], texts: list[str], dice: int) -> None:
        public = f"[{quoted(fingerprint)},{listed(names)},{listed(texts)}]"
        self.known, self.secret, self.dice = hashlib.sha256(public.encode()).hexdigest(), secret, dice

    def throw(self, turn: int, roll: int, count: int, faces: int = 6) -> list[int]:
        return [self.die(turn, roll, number, faces) for number in range(count)]

    def die(self, turn: int, roll: int, number: int, faces: int) -> int:
        block = 0
        while True:
            word = f"fivedice-1/{self.known}/{turn}/{roll}/{number}/{block}".encode()
            good = [byte for byte in hmac.new(self.secret, word, "sha256").digest() if byte < 256 - 256 % faces]
            if good:
                return good[0] % faces + 1
            block += 1


def listed(texts: list[str]) -> str:
    return "[" + ",".join(map(quoted, texts)) + "]"


def quoted(text: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}
    return (
        '"' + "".join(short.get(letter) or (letter if " " <= letter <= "~" else units(letter)) for letter in text) + '"'
    )


def units(letter: str) -> str:
    data = letter.encode("utf-16-be")
    return "".join(f"\\u{data[place]:02x}{data[place + 1]:02x}" for place in range(0, len(data), 2))


def begins(tags: dict[str, list[str]], cup: Cup) -> None:
    seats = len(tags["Players"])
    throws: list[str] = []
    if seats == 1:
        first = 0
    elif tags.get("Rematch") == ["yes"]:
        demand("no roll-off in a rematch", "RollOff" not in tags)
        return
    elif tags["Book"][0] not in ROLL_OFF:
        first = cup.die(0, 1, 0, seats) - 1
    else:
        still = list(range(seats))
        while len(still) > 1:
            totals = {}
            for seat in still:
                fell = sorted(cup.throw(0, len(throws) + 1, cup.dice))
                throws.append("".join(map(str, fell)))
                totals[seat] = sum(fell)
            still = [seat for seat in still if totals[seat] == max(totals.values())]
        first = still[0]
    demand("roll-off", tags.get("RollOff", []) == throws)
    demand("first seat", tags["First"] == [str(first)])


def check_turn(cup: Cup, number: int, turn: str) -> int:
    rolls = turn.partition("=")[0].split("/")
    kept: list[int] = []
    for place, part in enumerate(rolls, start=1):
        shown, _, keep = part.partition(">")
        fell = sorted(kept + cup.throw(number, place, cup.dice - len(kept)))
        demand(f"turn {number}, roll {place}", shown == "".join(map(str, fell)))
        kept = [] if keep == "-" else [int(face) for face in keep]
        demand("kept dice lie there", all(kept.count(face) <= fell.count(face) for face in kept))
    return len(rolls)


# --- the receipt ---


def check_receipt(receipt: dict[str, str], tags: dict[str, list[str]]) -> None:
    message = "".join(receipt[name] + "\n" for name in ("format", "table", "time", "lock")).encode()
    demand("format", receipt["format"] == "fivedice-receipt-1")
    demand("signature", is_signed(bytes.fromhex(receipt["key"]), message, bytes.fromhex(receipt["signature"])))
    demand("lock of the receipt", receipt["lock"] == tags["Commitment"][0])
    demand("table", hashlib.sha256(f"fivedice-table/{receipt['table']}".encode()).hexdigest()[:32] == tags["Table"][0])
    demand("time", receipt["time"] <= tags["Begun"][0])


# Ed25519 by RFC 8032, section 5.1; points are (X, Y, Z, T).
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]


def add(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    found = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = add(found, point)
        point, number = add(point, point), number >> 1
    return found


def point_of(data: bytes) -> Point | None:
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    a, r, s = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or BASE is None or s >= Q:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    left, right = times(s, BASE), add(r, times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 == (left[1] * right[2] - right[1] * left[2]) % P
