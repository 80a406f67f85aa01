"""python verify_dice.py FILE [DICE]: derive every die of a record again, with the standard library alone."""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path


def die(tags, turn, roll, number, faces=6):
    public = [tags["Fingerprint"][0], tags["Players"], json.loads(tags["Texts"][0])]
    known = hashlib.sha256(json.dumps(public, separators=(",", ":")).encode()).hexdigest()
    limit, block = 256 - 256 % faces, 0
    while True:
        word = f"fivedice-1/{known}/{turn}/{roll}/{number}/{block}"
        for byte in hmac.digest(tags["Secret"][0].encode(), word.encode(), "sha256"):
            if byte < limit:
                return byte % faces + 1
        block += 1


def check(what, right):
    if not right:
        sys.exit(f"NOT verified: {what}")


def throws(rounds):
    """Every throw as (turn, roll, dice that were held, all dice after it)."""
    for number, turn in enumerate((turn for line in rounds for turn in line.split(" ")[1:]), start=1):
        held = ""
        for roll, part in enumerate(turn.split("=")[0].split("/"), start=1):
            fell, _, keep = part.partition(">")
            yield number, roll, held, fell
            held = keep.replace("-", "")


def verify(text, dice=5):
    lines = text.split("\n")
    words = re.compile(r'"(?:[^"\\]|\\.)*"').findall
    found = re.findall(r"^\[(\w+) (.*)\]$", text, re.MULTILINE)
    tags = {name: [json.loads(word) for word in words(values)] for name, values in found}
    secret, players = tags["Secret"][0].encode(), tags["Players"]
    check("the scheme", tags["Dice"] == ["fivedice-1"])
    check("the secret is not the promised one", hashlib.sha256(secret).hexdigest() == tags["Commitment"][0])
    for number, fell in enumerate(tags.get("RollOff", []), start=1):
        check("the roll-off", sorted(fell) == sorted(str(die(tags, 0, number, each)) for each in range(dice)))
    if len(players) > 1 and not tags.keys() & {"RollOff", "Rematch"}:
        check("the draw for the start", int(tags["First"][0]) == die(tags, 0, 1, 0, len(players)) - 1)
    rolls = list(throws(line for line in lines if re.match(r"\d+\. ", line)))
    for turn, roll, held, fell in rolls:
        derived = [str(die(tags, turn, roll, each)) for each in range(dice - len(held))]
        check(f"turn {turn}, roll {roll}: {fell}", sorted(fell) == sorted([*held, *derived]))
    rest = "\n".join(line for line in lines if not line.startswith('[Seal "'))
    check("the seal", hmac.digest(secret, rest.encode(), "sha256").hex() == tags["Seal"][0])
    return f"Verified: {len(rolls)} throws follow from the secret that {tags['Commitment'][0][:12]}… promised."


if __name__ == "__main__":
    print(verify(Path(sys.argv[1]).read_bytes().decode(), *map(int, sys.argv[2:])))
