"""Games with provable dice, falsified records, and their verifiers."""

import hmac
import random
import runpy
from pathlib import Path

import fivedice as fd
from fivedice.core.dice import ProvableDice
from fivedice.core.game import Game
from fivedice.core.notation.proof import prove, verify_record
from fivedice.errors import FivediceError

PROGRAM = Path(__file__).parents[2] / "src" / "fivedice" / "web" / "static" / "verify_dice.py"


VERIFIER = runpy.run_path(str(PROGRAM))["verify"]


NAMES = ("Ann", 'Béla "B" ö', "Čapek")


def play_out(game: Game, luck: random.Random) -> None:
    """Play any legal moves to the end with the dice of the game."""
    while not game.is_over:
        position = game.position
        if position.chance_moves_next:
            game.roll()
        elif position.rolls_left and luck.random() < 0.5:
            game.hold(luck.sample(position.dice.faces, luck.randrange(len(position.dice))))
        else:
            game.mark(luck.choice(list(position.ruling().legal)))


def play_proven_game(number: int, book: str = "yahtzee", players: int = 2) -> Game:
    """Return a complete game with its own dice, played carelessly."""
    luck = random.Random(number)
    secret, names = f"{luck.getrandbits(256):064x}", NAMES[:players]
    texts = tuple(f"text {number} of {name}" for name in names)
    dice = ProvableDice(secret, fd.book(book).fingerprint, names, texts)
    game = Game.new(book, names, dice=dice)
    play_out(game, luck)
    return prove(game, secret, texts)


def reseal(text: str, secret: str) -> str:
    """Return a record with a new seal, as a server that lies could hand out."""
    lines = [line for line in text.split("\n") if not line.startswith('[Seal "')]
    seal = hmac.digest(secret.encode(), "\n".join(lines).encode(), "sha256").hex()
    place = next(number for number, line in enumerate(lines) if line.startswith("[Secret")) + 1
    return "\n".join([*lines[:place], f'[Seal "{seal}"]', *lines[place:]])


def flip_bit(text: str, luck: random.Random) -> str:
    """Return the record with one bit changed."""
    data = bytearray(text.encode())
    place = luck.randrange(len(data))
    data[place] ^= 1 << luck.randrange(8)
    return data.decode("utf-8", "surrogateescape")


def is_verified(text: str) -> bool:
    try:
        verify_record(text)
    except FivediceError:
        return False
    return True


def is_verified_by_the_short_program(text: str) -> bool:
    try:
        VERIFIER(text)
    except (SystemExit, LookupError, ValueError, UnicodeError):
        return False
    return True
