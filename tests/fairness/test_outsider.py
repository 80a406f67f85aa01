"""A verifier written from docs/fair-dice.md alone agrees with ours."""

import json
import random
import re
from dataclasses import asdict, dataclass, replace

import pytest

import fivedice as fd
from fairness import outsider
from fivedice.core.dice import ProvableDice, commitment
from fivedice.core.game import Game
from fivedice.core.notation import write_game
from fivedice.core.notation.proof import prove
from fivedice.core.notation.receipts import table_mark, write_receipt
from fivedice.core.rules import SHIPPED
from fivedice.errors import IllegalRecord
from fivedice.table.fairness.commitments import Noted, check_record, public_key, sign, sign_message
from for_each import for_each
from rules.houses import extend
from support.proofs import VERIFIER, flip_bit, play_out, reseal

SEED, TIME = "07" * 32, "2026-11-16T02:50:00.123Z"
OTHER_SEED = "08" * 32
NAMES = ('Ann "A\\"', "Béla 🎲", "Čapek", "D")
TEXTS = ("rain\t\b\u007f", "ümlaut 🎲", "", "\\")
SIGNED = ("yahtzee", "yatzy", "kniffel", "crag", "maxi-yatzy", "yahtzee-free-choice")
FLIPS = 60
GAMES = 40
STARTS = 150


def play_proven(number: int) -> Game:
    """A proven game of one of the shipped rules, with one to four players, some of them a rematch."""
    luck = random.Random(number)
    book, players = fd.book(SHIPPED[number % len(SHIPPED)]), luck.randint(1, 4)
    secret, names, texts = f"{luck.getrandbits(256):064x}", NAMES[:players], TEXTS[:players]
    rematch = players > 1 and number % 5 == 0
    dice = ProvableDice(secret, book.fingerprint, names, texts)
    game = Game.new(book, names, dice=dice, first=luck.randrange(players) if rematch else None)
    play_out(game, luck)
    game.tags |= {"Table": table_mark(f"t-{number}"), "Begun": TIME} | ({"Rematch": "yes"} if rematch else {})
    return prove(game, secret, texts)


def start_only(number: int) -> Game:
    """A roll-off, and a game that was ended before the first turn."""
    secret, players = f"{random.Random(number).getrandbits(256):064x}", 2 + number % 3
    dice = ProvableDice(secret, fd.book("yahtzee").fingerprint, NAMES[:players], TEXTS[:players])
    return prove(Game.new("yahtzee", NAMES[:players], dice=dice), secret, TEXTS[:players])


def test_both_verify_the_same_games() -> None:
    for number in range(GAMES):
        game = play_proven(number)
        text, receipt = write_game(game), write_receipt(sign(SEED, f"t-{number}", TIME, game.tags["Commitment"]))
        ours = check_record(text, noted=Noted(receipt=receipt, key=public_key(SEED)))
        assert outsider.verify(text.encode(), receipt if number % 10 == 0 else None) == ours.verdict.throws


def test_all_verifiers_handle_long_turns() -> None:
    book, secret = fd.book("maxi-yatzy"), "5a" * 32
    game = Game.new(book, ("Ann",), dice=ProvableDice(secret, book.fingerprint, ("Ann",), ("",)))
    while not game.is_over:
        game.roll()
        while game.position.rolls_left and sum(points is None for points in game.position.card.marks) == 1:
            game.hold("-")
            game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    text = write_game(prove(game, secret, ("",)))
    assert outsider.verify(text.encode()) == check_record(text).verdict.throws == 19 + book.most_rolls
    assert VERIFIER(text).startswith(f"Dice verified: {19 + book.most_rolls} throws ")
    head, late, end = text.rsplit("/", 2)
    lie = "111111>-" if late != "111111>-" else "222222>-"
    with pytest.raises(IllegalRecord, match="Turn 20, roll 40"):
        check_record(f"{head}/{lie}/{end}")


def test_both_agree_on_roll_offs_with_ties() -> None:
    games = [start_only(number) for number in range(STARTS)]
    for game in games:
        text = write_game(game)
        assert outsider.verify(text.encode()) == check_record(text).verdict.throws == 0
    tied = [game for game in games if game.roll_off is not None and len(game.roll_off.throws) > len(game.players)]
    assert len(tied) > 5, "too few roll-offs went into a second round"


def test_both_refuse_the_same_lies() -> None:
    game = play_proven(1)  # with a roll-off
    text, receipt = write_game(game), sign(SEED, "t-1", TIME, game.tags["Commitment"])
    assert game.roll_off is not None
    assert outsider.verify(text.encode(), write_receipt(receipt))
    lies = [
        (text, sign(SEED, "t-2", TIME, receipt.lock)),
        (text, sign(SEED, "t-1", "2026-11-16T02:50:00.124Z", receipt.lock)),
        (text, sign(SEED, "t-1", TIME, "00" * 32)),
        (text, replace(receipt, key=public_key("08" * 32))),
        (text, replace(receipt, time="2026-11-16T02:50:00.122Z")),
        (text, replace(receipt, signature=f"{int(receipt.signature[0], 16) ^ 1:x}{receipt.signature[1:]}")),
        (re.sub(r'\[First "\d+"\]', '[First "9"]', text), receipt),
        (text.replace("[Begun ", "[Date "), receipt),
        (text.replace(game.tags["Seal"], "00" * 32), receipt),
    ]
    for record, kept in lies:
        with pytest.raises(fd.FivediceError):
            check_record(record, noted=Noted(receipt=write_receipt(kept)))
        with pytest.raises(outsider.Refused):
            outsider.verify(record.encode(), json.dumps(asdict(kept)))


def test_page_detects_a_changed_bit() -> None:
    luck = random.Random(5)
    for number in range(1, 40):
        text = flip_bit(write_game(play_proven(number % 8)), luck)
        with pytest.raises(outsider.Refused):
            outsider.verify(text.encode("utf-8", "surrogateescape"))


def test_documented_example_is_signed() -> None:
    """By an Ed25519 that shares nothing with ours, and the third example of RFC 8032."""
    receipt = sign(bytes(range(32)).hex(), "Zm9vYmFy_-0", TIME, "ab" * 32)
    assert outsider.is_signed(bytes.fromhex(receipt.key), receipt.signed, bytes.fromhex(receipt.signature))
    key = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
    signature = (
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    assert outsider.is_signed(bytes.fromhex(key), bytes.fromhex("af82"), bytes.fromhex(signature))
    assert not outsider.is_signed(bytes.fromhex(key), bytes.fromhex("af83"), bytes.fromhex(signature))


@dataclass(frozen=True)
class Server:
    """Signs records with the key of a seed."""

    seed: str

    @property
    def public_key(self) -> str:
        return public_key(self.seed)

    def sign_record(self, message: bytes) -> str:
        return sign_message(self.seed, message)


def proven(book: str, moves: int, signer: Server | None) -> Game:
    """Return a game by these rules; secret, names and start are always the same, the moves are drawn by a seed."""
    secret, names, texts = "c4" * 32, NAMES[:3], TEXTS[:3]
    dice = ProvableDice(secret, fd.book(book).fingerprint, names, texts)
    game = Game.new(book, names, dice=dice)
    play_out(game, random.Random(moves))
    game.tags |= {"Table": table_mark("t-1"), "Begun": TIME}
    return prove(game, secret, texts, signer=signer)


def with_tags(game: Game, **tags: str) -> str:
    """Return the record of a game with other tags, sealed again with its secret."""
    lie = game.copy()
    lie.tags |= tags
    return reseal(write_game(lie), game.tags["Secret"])


def by_us(text: str, receipt: str | None = None, key: str | None = None) -> tuple[int, bool] | None:
    """Return how many throws we derived again and whether the moves are signed; None if we refuse."""
    try:
        found = check_record(text, noted=Noted(receipt=receipt, key=key))
    except fd.FivediceError:
        return None
    return found.verdict.throws, found.signer is not None


def by_page(text: str, receipt: str | None = None, key: str | None = None) -> tuple[int, bool] | None:
    """Return the same by the verifier that was written from the page."""
    record = text.encode("utf-8", "surrogateescape")
    try:
        return outsider.verify(record, receipt, key), outsider.is_signed_record(record)
    except outsider.Refused:
        return None


def both(text: str, receipt: str | None = None, key: str | None = None) -> tuple[int, bool] | None:
    """Return what both verifiers say, who must agree."""
    ours = by_us(text, receipt, key)
    assert by_page(text, receipt, key) == ours
    return ours


RECEIPT = sign(SEED, "t-1", TIME, commitment("c4" * 32))
KEPT = write_receipt(RECEIPT)


@for_each("book", SHIPPED)
def test_both_verify_signed_games(book: str) -> None:
    text = write_game(proven(book, 1, Server(SEED)))
    found = both(text)
    assert found is not None
    assert found[1]
    assert found == both(text, KEPT) == both(text, key=RECEIPT.key) == both(text, KEPT, RECEIPT.key)
    assert both(text, key=public_key(OTHER_SEED)) is None
    assert both(text, KEPT, public_key(OTHER_SEED)) is None
    assert both(text, write_receipt(sign(OTHER_SEED, "t-1", TIME, RECEIPT.lock))) is None


@for_each("book", SIGNED)
def test_both_detect_forged_moves_with_true_dice(book: str) -> None:
    true, forged = proven(book, 1, Server(SEED)), proven(book, 2, None)
    assert forged.moves != true.moves
    assert both(with_tags(forged, Key=true.tags["Key"], Signature=true.tags["Signature"])) is None
    assert both(with_tags(forged, Key=public_key(OTHER_SEED), Signature=true.tags["Signature"])) is None

    unsigned = write_game(forged)
    found = both(unsigned)
    assert found is not None
    assert not found[1]
    assert both(unsigned, KEPT) == both(unsigned, KEPT, RECEIPT.key) == found
    assert both(unsigned, key=RECEIPT.key) is None, "nothing is signed that the key could be compared with"

    others = write_game(proven(book, 2, Server(OTHER_SEED)))
    assert both(others) == both(others, key=public_key(OTHER_SEED)) == (found[0], True)
    assert both(others, KEPT) is both(others, key=RECEIPT.key) is None


def test_both_refuse_partial_and_malformed_signatures() -> None:
    bare, true = proven("yatzy", 1, None), proven("yatzy", 1, Server(SEED))
    key, signature = true.tags["Key"], true.tags["Signature"]
    assert both(with_tags(bare, Key=key, Signature=signature)) is not None, "the tags alone are no lie"
    scalar = int.from_bytes(bytes.fromhex(signature[64:]), "little") + outsider.Q
    for tags in (
        {"Key": key},
        {"Signature": signature},
        {"Key": "", "Signature": ""},
        {"Key": key, "Signature": ""},
        {"Key": key, "Signature": signature[:-2]},
        {"Key": key, "Signature": signature.upper()},
        {"Key": key, "Signature": signature[:64] + scalar.to_bytes(32, "little").hex()},
        {"Key": key[:-2], "Signature": signature},
    ):
        assert both(with_tags(bare, **tags)) is None, tags


def test_both_refuse_keys_of_small_order() -> None:
    """Forge without a private key: R = the neutral point and S = 0 fit one message in eight, or more."""
    neutral, game = (1).to_bytes(32, "little").hex(), proven("yatzy", 1, None)
    points = (outsider.point_of(number.to_bytes(32, "little")) for number in range(2, 50))
    small = [outsider.times(outsider.Q, point) for point in points if point is not None]
    heights = {y * pow(z, -1, outsider.P) % outsider.P for _, y, z, _ in small} | {1}
    assert len(heights) == 5
    for height in heights:
        for half in (0, 1 << 255):
            key = (height | half).to_bytes(32, "little").hex()
            assert both(with_tags(game, Key=key, Signature=neutral + "00" * 32)) is None, key
            assert both(write_game(game), KEPT, key) is None, key
            assert (
                both(write_game(game), write_receipt(replace(RECEIPT, key=key, signature=neutral + "00" * 32))) is None
            )


def test_both_check_parts_of_receipts() -> None:
    text, parts = write_game(proven("yatzy", 1, Server(SEED))), asdict(RECEIPT)
    assert both(text, json.dumps(parts)) is not None
    for name in parts:
        assert both(text, json.dumps({other: part for other, part in parts.items() if other != name})) is None, name
        assert both(text, json.dumps(parts | {name: None})) is None, name
        assert both(text, json.dumps(parts | {name: parts[name].upper() + " "})) is None, name
    for other in (parts | {"note": ""}, [parts], parts | {"format": "fivedice-receipt-2"}, ""):
        assert both(text, json.dumps(other)) is None, other
    assert both(text, "") is both(text, KEPT[:-3]) is None
    # Compare the dice lock alone where the tags Table and Begun are missing.
    game = proven("yatzy", 1, None)
    for name in ("Table", "Begun"):
        del game.tags[name]
    text = write_game(prove(game, "c4" * 32, TEXTS[:3]))
    assert both(text, KEPT) is not None
    assert both(text, write_receipt(sign(SEED, "t-1", TIME, "00" * 32))) is None
    text = write_game(proven("yatzy", 1, None))
    assert both(text, KEPT) is not None
    assert both(text, KEPT.replace("{", '{"table": "t-1",', 1)) is None
    assert both(text, KEPT + " " * 2000) is None

    class Shouting(Server):
        @property
        def public_key(self) -> str:
            return public_key(self.seed).upper()

    assert both(write_game(proven("yatzy", 1, Shouting(SEED)))) is None


@for_each("book", SIGNED)
def test_both_refuse_a_flipped_bit_in_a_signed_game_even_with_a_new_seal(book: str) -> None:
    game, luck = proven(book, 1, Server(SEED)), random.Random(book)
    text, secret = write_game(game), game.tags["Secret"]
    assert reseal(with_tags(game), secret) == reseal(text, secret)
    assert both(reseal(text, secret)) is not None
    for _ in range(FLIPS // len(SIGNED)):
        assert both(flip_bit(text, luck)) is None
    bare = "\n".join(line for line in text.split("\n") if not line.startswith("[Seal "))
    for _ in range(FLIPS // len(SIGNED)):
        changed = flip_bit(bare, luck)
        if "[Secret " in changed and is_text(changed):
            assert both(reseal(changed, secret)) is None, changed


def is_text(text: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    return not re.search("[\ud800-\udfff]", text)


def test_both_handle_other_faces_removed_names_and_early_ends() -> None:
    book = extend("yatzy", "faces = 8", 'key = "octo"')
    game = Game.new(book, NAMES[:2], dice=ProvableDice("ef" * 32, book.fingerprint, NAMES[:2], TEXTS[:2]))
    play_out(game, random.Random(2))
    text = write_game(prove(game, "ef" * 32, TEXTS[:2], signer=Server(SEED)))
    assert outsider.verify(text.encode(), key=public_key(SEED), faces=8) == check_record(text, book).verdict.throws
    with pytest.raises(outsider.Refused):
        outsider.verify(text.encode(), faces=6)
    game = proven("yahtzee", 1, None)
    known = ProvableDice("", game.book.fingerprint, NAMES[:3], TEXTS[:3]).known
    game.players = ("Former player 1", *NAMES[1:3])
    texts = ("", *TEXTS[1:3])
    assert both(write_game(prove(game, "c4" * 32, texts))) is None
    assert both(write_game(prove(game, "c4" * 32, texts, known, Server(SEED))), KEPT) is not None
    # End it after each of the moves of the first rounds: thrown, kept or scored.
    whole = proven("yatzy", 1, None)
    for made in range(25):
        game = Game.new("yatzy", whole.players, dice=fd.dice.seeded(1), first=whole.first)
        for move in whole.moves[:made]:
            game.play(move)
        found = both(write_game(prove(game, "c4" * 32, TEXTS[:3], signer=Server(SEED))))
        assert found is not None, made
        assert found[1], made
    game = proven("yahtzee", 1, None)
    drawn = ProvableDice("c4" * 32, game.book.fingerprint, NAMES[:3], TEXTS[:3]).die(0, 1, 0, 3) - 1
    text = "\n".join(line for line in write_game(game).split("\n") if not line.startswith("[RollOff "))
    text = re.sub(r'\[First "\d"\]', f'[First "{drawn}"]', text)
    assert both(reseal(text, "c4" * 32)) is None
    rules = 'key = "octo"\nextends = "yatzy"\nfaces = 8\n'
    book = fd.load_book(rules)
    game = Game.new(book, NAMES[:2], dice=ProvableDice("ef" * 32, book.fingerprint, NAMES[:2], TEXTS[:2]))
    play_out(game, random.Random(2))
    game.tags["Rules"] = rules
    assert both(write_game(prove(game, "ef" * 32, TEXTS[:2]))) is not None


REAL_DICE_ONLY = {
    "a comment on the game": (r"\n1\. ", r"\n{hello}\n1. "),
    "a comment on a turn": (r"(\n1\. \S+)", r"\1 {a pity}"),
    "a turn by its final dice": (r" ([1-6]{5}=)", r" ~\1"),
    "a turn by its points": (r" [1-6]{5}=", " ~="),
    "a skipped turn": (r"\n1\. ", "\n1. - "),
    "a player who leaves": (r"\n1\. ", "\n1. -1 "),
    "an absent player": (r"\n\[Dice ", '\n[Absent "1"]\n[Dice '),
}


@for_each("name", REAL_DICE_ONLY)
def test_both_refuse_parts_of_real_dice_records(name: str) -> None:
    """Seal it into an unsigned record, whose secret every reader knows."""
    change, secret = REAL_DICE_ONLY[name], "c4" * 32
    text = write_game(first_rolls())
    assert both(text) is not None
    changed = re.sub(*change, text, count=1)
    assert changed != text
    assert both(reseal(changed, secret)) is None


def first_rolls() -> Game:
    """Return an unsigned game in which every turn is scored after its first roll."""
    dice = ProvableDice("c4" * 32, fd.book("yatzy").fingerprint, NAMES[:2], TEXTS[:2])
    game = Game.new("yatzy", NAMES[:2], dice=dice)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    return prove(game, "c4" * 32, TEXTS[:2])


OTHER_FORMS = {
    "a rematch that is none": (r"\n\[Dice ", '\n[Rematch "no"]\n[Dice '),
    "a rematch with a roll-off": (r"\n\[Dice ", '\n[Rematch "yes"]\n[Dice '),
    "an empty hash": (r"\n\[Dice ", '\n[Known ""]\n[Dice '),
    "a tag with two values": (r"\n\[Dice ", '\n[Date "1" "2"]\n[Dice '),
    "bots without a list": (r"\n\[Dice ", '\n[Bots "steady"]\n[Dice '),
    "an escape without need": ('"Ann', r'"\\u0041nn'),
    "tags in another order": (r"(\[Book .*\n)(\[Fingerprint .*\n)", r"\2\1"),
    "a missing start": (r'\[First "."\]\n', ""),
    "an empty line more": (r"\n2\. ", "\n\n2. "),
    "no last line feed": (r"\n\Z", ""),
    "points with a leading zero": (r"(=\w\w:)", r"\g<1>0"),
    "a total with a leading zero": (r"\n= ", "\n= 0"),
}


@for_each("name", OTHER_FORMS)
def test_both_refuse_records_of_another_form(name: str) -> None:
    text = write_game(proven("yahtzee", 1, None))
    changed = re.sub(*OTHER_FORMS[name], text, count=1)
    assert changed != text
    assert both(reseal(changed, "c4" * 32)) is None
