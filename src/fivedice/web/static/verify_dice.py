"""python verify_dice.py FILE [DICE]: derive every die of a record again, with the standard library alone."""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

Tags = dict[str, list[str]]


def die(tags: Tags, turn: int, roll: int, number: int, faces: int = 6) -> int:
    public = [tags["Fingerprint"][0], tags["Players"], json.loads(tags["Texts"][0])]
    known = hashlib.sha256(json.dumps(public, separators=(",", ":")).encode()).hexdigest()
    limit, block = 256 - 256 % faces, 0
    while True:
        word = f"fivedice-1/{known}/{turn}/{roll}/{number}/{block}"
        for byte in hmac.digest(tags["Secret"][0].encode(), word.encode(), "sha256"):
            if byte < limit:
                return byte % faces + 1
        block += 1


def check(what: str, right: bool) -> None:
    if not right:
        sys.exit(f"NOT verified: {what}")


def check_turn(tags: Tags, number: int, turn: str, dice: int) -> int:
    """Each throw of a turn: the dice that were held, and those that follow from the secret."""
    held, parts = "", turn.split("=")[0].split("/")
    for roll, part in enumerate(parts, start=1):
        fell, _, keep = part.partition(">")
        derived = [str(die(tags, number, roll, each)) for each in range(dice - len(held))]
        check(f"turn {number}, roll {roll}: {fell}", sorted(fell) == sorted([*held, *derived]))
        held = keep.replace("-", "")
    return len(parts)


def verify(text: str, dice: int = 5) -> str:
    lines, words = text.split("\n"), re.compile(r'"(?:[^"\\]|\\.)*"').findall
    found = re.findall(r"^\[(\w+) (.*)\]$", text, re.MULTILINE)
    tags: Tags = {name: [json.loads(word) for word in words(values)] for name, values in found}
    secret, players = tags["Secret"][0].encode(), tags["Players"]
    check("the scheme", tags["Dice"] == ["fivedice-1"])
    check("the secret is not the promised one", hashlib.sha256(secret).hexdigest() == tags["Commitment"][0])
    for number, fell in enumerate(tags.get("RollOff", []), start=1):
        check("the roll-off", sorted(fell) == sorted(str(die(tags, 0, number, each)) for each in range(dice)))
    if len(players) > 1 and not tags.keys() & {"RollOff", "Rematch"}:
        check("the draw for the start", int(tags["First"][0]) == die(tags, 0, 1, 0, len(players)) - 1)
    turns = [turn for line in lines if re.match(r"\d+\. ", line) for turn in line.split(" ")[1:]]
    throws = sum(check_turn(tags, number, turn, dice) for number, turn in enumerate(turns, start=1))
    rest = "\n".join(line for line in lines if not line.startswith('[Seal "'))
    check("the seal", hmac.digest(secret, rest.encode(), "sha256").hex() == tags["Seal"][0])
    return f"Verified: {throws} throws follow from the secret that {tags['Commitment'][0][:12]}… promised."


if __name__ == "__main__":
    print(verify(Path(sys.argv[1]).read_bytes().decode(), *map(int, sys.argv[2:])))
