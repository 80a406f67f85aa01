"""python verify_dice.py FILE [FACES]: derive every die of a record again, with the standard library alone."""

import hmac
import json
import re
import sys
from hashlib import sha256
from pathlib import Path


def die(key: bytes, known: str, turn: int, roll: int, number: int, faces: int, block: int = 0) -> int:
    limit, word = 256 - 256 % faces, f"fivedice-1/{known}/{turn}/{roll}/{number}/{block}"
    for byte in hmac.digest(key, word.encode(), "sha256"):
        if byte < limit:
            return byte % faces + 1
    return die(key, known, turn, roll, number, faces, block + 1)


def check(what: str, right: bool) -> None:
    if not right:
        sys.exit(f"NOT verified: {what}")


def verify(text: str, faces: int = 6) -> str:
    lines, found = text.split("\n"), re.findall(r"^\[(\w+) (.*)\]$", text, re.MULTILINE)
    tags = {name: [json.loads(word) for word in re.findall(r'"(?:[^"\\]|\\.)*"?', words)] for name, words in found}
    check("dice of fivedice-1 whose secret has been told", tags.get("Dice") == ["fivedice-1"] and "Secret" in tags)
    secret, seats, rolled_off = tags["Secret"][0].encode(), list(range(len(tags["Players"]))), tags.get("RollOff", [])
    public = json.dumps([tags["Fingerprint"][0], tags["Players"], json.loads(tags["Texts"][0])], separators=(",", ":"))
    known, key = sha256(public.encode()).hexdigest(), secret if len(secret) <= 64 else sha256(secret).digest()
    known = tags["Known"][0] if "Known" in tags else known  # a name was removed; this hash is what is left
    turns = [turn.split("=")[0] for line in lines if re.match(r"\d+\. ", line) for turn in line.split(" ")[1:]]
    dice, throws, off = min(8, len(re.split("[>/]", [*turns, *rolled_off, "12345"][0])[0])), 0, list[str]()

    def throw(turn: int, roll: int, held: str = "") -> str:
        return "".join(sorted([*held, *(str(die(key, known, turn, roll, n, faces)) for n in range(dice - len(held)))]))

    check("the secret is not the promised one", sha256(secret).hexdigest() == tags["Commitment"][0])
    while rolled_off and len(seats) > 1:  # the highest total begins; those who are equal throw again
        fell = {seat: throw(0, len(off) + each) for each, seat in enumerate(seats, start=1)}
        best, off = max(sum(map(int, each)) for each in fell.values()), [*off, *fell.values()]
        seats = [seat for seat in seats if sum(map(int, fell[seat])) == best]
    first = str(seats[0] if off else die(key, known, 0, 1, 0, len(seats)) - 1)
    check("the start", off == rolled_off and (tags["First"] == [first] or (tags.get("Rematch") == ["yes"] and not off)))
    for number, turn in enumerate(turns, start=1):
        held = ""
        for roll, part in enumerate(turn.split("/"), start=1):
            shown, _, keep = part.partition(">")
            check(f"turn {number}, roll {roll}: {shown}", shown == throw(number, roll, held))
            held, throws = keep.replace("-", ""), throws + 1
            check(f"turn {number}, roll {roll}: no {held} to hold", all(held.count(f) <= shown.count(f) for f in held))
    rest = "\n".join(line for line in lines if not line.startswith('[Seal "'))
    check("the seal", hmac.digest(secret, rest.encode(), "sha256").hex() == tags["Seal"][0])
    check("a line that is no turn", all(re.match(r"\[|[0-9]+\. |[=*] |$", line) for line in lines))
    kept = " A name was removed: rules, names and texts are not checked against the dice." if "Known" in tags else ""
    return f"Dice verified: {throws} throws follow from the secret of the dice lock. The moves are not checked.{kept}"


if __name__ == "__main__":
    print(verify(Path(sys.argv[1]).read_bytes().decode(), *map(int, sys.argv[2:])))
