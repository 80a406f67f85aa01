"""Check a recorded game by what docs/fair-dice.md says, and by nothing else of this project."""

import hashlib
import hmac
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator

# Ed25519, as in RFC 8032, section 5.1.

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]

NEUTRAL: Point = (0, 1, 1, 0)


def plus(left: Point, right: Point) -> Point:
    """Add two points in extended coordinates."""
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    """Add a point to itself as often as the number says."""
    total = NEUTRAL
    while number > 0:
        if number & 1:
            total = plus(total, point)
        point = plus(point, point)
        number >>= 1
    return total


def same(left: Point, right: Point) -> bool:
    """Say whether two points in extended coordinates are one."""
    x1, y1, z1, _ = left
    x2, y2, z2, _ = right
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


def point_of(code: bytes) -> Point | None:
    """Decode a point from its 32 bytes; None where they stand for none."""
    if len(code) != 32:
        return None
    number = int.from_bytes(code, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def base_point() -> Point:
    """Decode the base point: its y is 4/5, its x is even."""
    base = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert base is not None
    return base


BASE = base_point()


def is_good_key(key: bytes) -> bool:
    """Say whether a public key is a point whose order is not 1, 2, 4 or 8."""
    point = point_of(key)
    return point is not None and not same(times(8, point), NEUTRAL)


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Say whether an Ed25519 signature of a message is by the owner of a good key."""
    if len(signature) != 64 or not is_good_key(key):
        return False
    public, commitment = point_of(key), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or commitment is None or scalar >= Q:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    return same(times(scalar, BASE), plus(commitment, times(challenge, public)))


# The record and its parts.

TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*)((?: "(?:[^"\\]|\\.)*")+)\]')
VALUE = re.compile(r'"(?:[^"\\]|\\.)*"')
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
NUMBER = "(?:0|[1-9][0-9]*)"
WITH_ROLL_OFF = ("yahtzee", "yahtzee-free-choice", "yahtzee-plain")
FIRST_TAGS = ["Fivedice", "Book", "Fingerprint", "Players", "First"]
WITH_SEVERAL_VALUES = ("Players", "RollOff")
LONGEST_RECEIPT = 2000
PARTS_OF_RECEIPT = ["format", "table", "time", "lock", "key", "signature"]


class Refused(Exception):  # noqa: N818 - it says what happened to the record
    """Says why a record or its receipt is refused."""


def demand(holds: bool, reason: str) -> None:
    """Refuse for the reason, unless the condition holds."""
    if not holds:
        raise Refused(reason)


class Record:
    """Holds the lines of a record, with its tags read."""

    def __init__(self, record: bytes) -> None:
        """Read the text of a record into tags, rounds and totals."""
        try:
            text = record.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("the record is not UTF-8") from error
        demand(text.endswith("\n"), "the last line has no line feed")
        lines = text[:-1].split("\n")
        demand("" in lines, "no empty line follows the tags")
        end = lines.index("")
        self.tag_lines: list[tuple[str, str]] = []
        self.tags: dict[str, list[str]] = {}
        for line in lines[:end]:
            found = TAG.fullmatch(line)
            if found is None:
                raise Refused(f"not a tag: {line}")
            name = found[1]
            demand(name not in self.tags, f"the tag {name} comes twice")
            self.tags[name] = [unescaped(value) for value in VALUE.findall(found[2])]
            demand(len(self.tags[name]) == 1 or name in WITH_SEVERAL_VALUES, f"the tag {name} has several values")
            self.tag_lines.append((name, line))
        start = FIRST_TAGS + ["RollOff"] * ("RollOff" in self.tags)
        demand(list(self.tags)[: len(start)] == start, "the first tags are missing or in another order")
        demand("Absent" not in self.tags, "a game with a dice lock has no absent players")
        self.body = lines[end + 1 :]
        demand(len(self.body) > 0, "there are no totals")
        demand(self.value("Fivedice") == "1", "a record of another format")

    def without(self, *names: str) -> bytes:
        """Give the record without the lines of the tags of these names."""
        lines = [line for name, line in self.tag_lines if name not in names]
        return "".join(line + "\n" for line in [*lines, "", *self.body]).encode()

    def value(self, name: str) -> str:
        """Give the only value of a tag that must be there."""
        values = self.tags.get(name, [])
        demand(len(values) == 1, f"the tag {name} is missing or has several values")
        return values[0]

    @property
    def players(self) -> list[str]:
        """Give the names, by seat."""
        demand("Players" in self.tags, "the tag Players is missing")
        return self.tags["Players"]


def unescaped(value: str) -> str:
    """Read a value in quotation marks, escaped as in JSON."""
    try:
        read = json.loads(value)
    except ValueError as error:
        raise Refused(f"not a value: {value}") from error
    demand(json.dumps(read, ensure_ascii=False) == value, f"escaped in another way: {value}")
    return str(read)


def from_hex(digits: str, count: int) -> bytes:
    """Read exactly that many lower-case hexadecimal digits."""
    demand(re.fullmatch(f"[0-9a-f]{{{count}}}", digits) is not None, f"not {count} hexadecimal digits: {digits}")
    return bytes.fromhex(digits)


def check_time(time: str) -> None:
    """Refuse a time that is not of the form in a receipt."""
    demand(TIME.fullmatch(time) is not None, f"not a time: {time}")


# The dice.


class Dice:
    """Derives the dice of one game from its secret and from what all know."""

    def __init__(self, record: Record) -> None:
        """Read the secret and all that the dice depend on, and check the dice lock."""
        demand(record.value("Dice") == "fivedice-1", "dice of another kind")
        secret = record.value("Secret")
        from_hex(secret, 64)
        self.secret = secret.encode()
        lock = hashlib.sha256(self.secret).hexdigest()
        demand(lock == record.value("Commitment"), "the secret does not fit the dice lock")
        self.known = known_of(record)

    def face(self, turn: int, roll: int, die: int, faces: int) -> int:
        """Derive the face of one die from its place."""
        block = 0
        while True:
            word = f"fivedice-1/{self.known}/{turn}/{roll}/{die}/{block}"
            for byte in hmac.digest(self.secret, word.encode(), "sha256"):
                if byte < 256 - 256 % faces:
                    return byte % faces + 1
            block += 1

    def roll(self, turn: int, roll: int, kept: list[int], dice: int, faces: int) -> list[int]:
        """Derive a roll: what was kept and what fell, sorted."""
        return sorted(kept + [self.face(turn, roll, die, faces) for die in range(dice - len(kept))])


def known_of(record: Record) -> str:
    """Give the hash of rules, names and texts, or the one that was kept in their place."""
    texts = per_seat(record, "Texts")
    if "Known" in record.tags:
        from_hex(record.value("Known"), 64)
        return record.value("Known")
    public = json.dumps([record.value("Fingerprint"), record.players, texts], separators=(",", ":"))
    return hashlib.sha256(public.encode()).hexdigest()


def per_seat(record: Record, name: str) -> list[str]:
    """Read a tag that holds a JSON list with a text for each seat."""
    try:
        texts = json.loads(record.value(name))
    except (ValueError, RecursionError) as error:
        raise Refused(f"the tag {name} is not JSON") from error
    demand(isinstance(texts, list) and all(isinstance(text, str) for text in texts), f"{name} is no list of texts")
    demand(len(texts) == len(record.players), f"{name} has not one text for each player")
    return list(texts)


def number_of_faces(record: Record) -> int:
    """Read how many faces the dice have: house rules may say it."""
    try:
        rules = tomllib.loads(record.value("Rules")) if "Rules" in record.tags else {}
    except ValueError as error:
        raise Refused("the rules are not TOML") from error
    faces = rules.get("faces", 6)
    demand(type(faces) is int and 2 <= faces <= 9, "the dice have 2 to 9 faces")
    return int(faces)


def faces_of(digits: str) -> list[int]:
    """Read sorted dice."""
    demand(re.fullmatch("[1-9]+", digits) is not None, f"no dice: {digits}")
    dice = [int(digit) for digit in digits]
    demand(dice == sorted(dice), f"not sorted: {digits}")
    return dice


# The course of the game.


def turns_of(record: Record) -> list[str]:
    """Give the turns in the order of play, and check that every round and the totals are complete."""
    *rounds, last = record.body
    totals = f"[=*](?: {NUMBER}){{{len(record.players)}}}"
    demand(re.fullmatch(totals, last) is not None, "there is not one total for each player")
    ended_early = last[0] == "*"
    turns: list[str] = []
    for number, line in enumerate(rounds, 1):
        start, *words = line.split(" ")
        demand(start == f"{number}.", f"this should be round {number}: {line}")
        full = len(words) == len(record.players)
        short = ended_early and number == len(rounds) and len(words) < len(record.players)
        demand(full or short, f"turns are missing, or there are too many: {line}")
        turns += words
    for place, turn in enumerate(turns, 1):
        if not (ended_early and place == len(turns)):
            demand("=" in turn, f"the turn has no score: {turn}")
    return turns


def check_turn(dice: Dice, number: int, turn: str, count: int, faces: int) -> int:
    """Derive every roll of a turn again; give how many there were."""
    play, scored, score = turn.partition("=")
    if scored:
        demand(re.fullmatch(f"[a-z0-9]{{2}}:{NUMBER}!?", score) is not None, f"not a box and its points: {turn}")
    kept: list[int] = []
    rolls = 0
    keeps = play.split("/")
    for place, part in enumerate(keeps, 1):
        rolled, divided, kept_digits = part.partition(">")
        last = place == len(keeps)
        demand(bool(divided) or last, f"the turn does not say what was kept: {turn}")
        demand(not (divided and last and scored), f"dice were kept for no roll: {turn}")
        roll = faces_of(rolled)
        demand(roll == dice.roll(number, place, kept, count, faces), f"turn {number}, roll {place} did not fall so")
        rolls += 1
        if divided:
            kept = [] if kept_digits == "-" else faces_of(kept_digits)
            demand(not Counter(kept) - Counter(roll), f"dice were kept that had not fallen: {turn}")
    return rolls


def throws_of(record: Record) -> list[list[int]]:
    """Read the throws of the roll-off."""
    return [faces_of(value) for value in record.tags["RollOff"]]


def roll_off(dice: Dice, players: int, count: int, faces: int) -> Iterator[tuple[int, list[int]]]:
    """Derive the throws of a roll-off, each with its seat; the seat of the last highest total begins."""
    seats, throw = list(range(players)), 0
    while len(seats) > 1:
        totals: dict[int, int] = {}
        for seat in seats:
            throw += 1
            fallen = dice.roll(0, throw, [], count, faces)
            totals[seat] = sum(fallen)
            yield seat, fallen
        seats = [seat for seat in seats if totals[seat] == max(totals.values())]
    yield seats[0], []


def check_start(dice: Dice, record: Record, count: int, faces: int) -> None:
    """Check who begins, and every throw of a roll-off."""
    players = len(record.players)
    first = record.value("First")
    demand(first in [str(seat) for seat in range(players)], f"no such seat begins: {first}")
    rematch = "Rematch" in record.tags
    if rematch:
        demand(record.value("Rematch") == "yes", "the tag Rematch does not say yes")
    if "RollOff" in record.tags:
        demand(players > 1 and not rematch, "there was no need of a roll-off")
        *derived, (begins, _) = roll_off(dice, players, count, faces)
        demand([fallen for _, fallen in derived] == throws_of(record), "the roll-off did not fall so")
        demand(first == str(begins), "another seat won the roll-off")
    elif players == 1:
        demand(first == "0", "a single player begins")
    elif not rematch:
        demand(record.value("Book") not in WITH_ROLL_OFF or "Rules" in record.tags, "these rules ask for a roll-off")
        demand(first == str(dice.face(0, 1, 0, players) - 1), "another seat was drawn")


def count_of_dice(record: Record, turns: list[str]) -> int:
    """Read from the first roll of all with how many dice the game is played."""
    if "RollOff" in record.tags:
        return len(throws_of(record)[0])
    return len(faces_of(re.split("[>/=]", turns[0])[0])) if turns else 0


# Seal, signature and receipt.


def check_seal(record: Record) -> None:
    """Refuse a record whose seal does not fit."""
    seal = hmac.new(record.value("Secret").encode(), record.without("Seal"), "sha256").hexdigest()
    demand(seal == record.value("Seal"), "the seal is broken")


def check_signature(record: Record) -> str | None:
    """Refuse a record whose signature does not fit its key; give the key of a signed one."""
    if "Key" not in record.tags and "Signature" not in record.tags:
        return None
    key = record.value("Key")
    signature = from_hex(record.value("Signature"), 128)
    message = b"fivedice-record-1\n" + record.without("Signature", "Seal")
    demand(is_signed(from_hex(key, 64), message, signature), "the signature of the record is wrong")
    return key


def no_part_twice(parts: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its parts, none of which may come twice."""
    demand(len({name for name, _ in parts}) == len(parts), "a part of the receipt comes twice")
    return dict(parts)


def check_receipt(receipt: str, record: Record) -> str:
    """Refuse a receipt that is not well signed or not for this record; give its key."""
    demand(len(receipt) <= LONGEST_RECEIPT, "the receipt is too long")
    try:
        parts = json.loads(receipt, object_pairs_hook=no_part_twice)
    except (ValueError, RecursionError) as error:
        raise Refused("the receipt is not JSON") from error
    demand(isinstance(parts, dict) and sorted(parts) == sorted(PARTS_OF_RECEIPT), "not the six parts of a receipt")
    demand(all(isinstance(part, str) for part in parts.values()), "a part of the receipt is no string")
    form, table, time, lock, key, signature = (parts[name] for name in PARTS_OF_RECEIPT)
    demand(form == "fivedice-receipt-1", "a receipt of another format")
    demand(re.fullmatch("[A-Za-z0-9_-]{1,32}", table) is not None, "no id of a table")
    check_time(time)
    from_hex(lock, 64)
    message = f"{form}\n{table}\n{time}\n{lock}\n".encode()
    demand(is_signed(from_hex(key, 64), message, from_hex(signature, 128)), "the signature of the receipt is wrong")
    demand(lock == record.value("Commitment"), "the receipt is for another dice lock")
    if "Table" in record.tags:
        hashed = hashlib.sha256(f"fivedice-table/{table}".encode()).hexdigest()
        demand(hashed[:32] == record.value("Table"), "the receipt is for another table")
    if "Begun" in record.tags:
        check_time(record.value("Begun"))
        demand(time <= record.value("Begun"), "the receipt is younger than the game")
    return str(key)


def verify(record: bytes, receipt: str | None = None, key: str | None = None, faces: int | None = None) -> int:
    """Refuse a record that breaks its dice lock, seal or signature, or is not that of the receipt and of the key.

    Give the number of throws in its turns, all derived again. Older records of house rules do not say `faces`.
    """
    read = Record(record)
    faces = number_of_faces(read) if faces is None else faces
    if "Bots" in read.tags:
        per_seat(read, "Bots")
    dice = Dice(read)
    check_seal(read)
    keys = {check_signature(read), None if receipt is None else check_receipt(receipt, read)} - {None}
    if key is not None:
        demand(is_good_key(from_hex(key, 64)), "the given key is none")
        demand(len(keys) > 0, "nothing is signed that the given key could be compared with")
        keys.add(key)
    demand(len(keys) <= 1, "record, receipt and given key do not have one and the same key")
    turns = turns_of(read)
    count = count_of_dice(read, turns)
    check_start(dice, read, count, faces)
    return sum(check_turn(dice, number, turn, count, faces) for number, turn in enumerate(turns, 1))


def is_signed_record(record: bytes) -> bool:
    """Say whether a record has a signature that fits its own key."""
    try:
        return check_signature(Record(record)) is not None
    except Refused:
        return False
