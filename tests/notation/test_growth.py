"""Reading takes time in proportion to the length of the input, and counts are bounded."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import fivedice as fd
from fivedice.core.dice import Keep, ProvableDice
from fivedice.core.dice.sources import seeded
from fivedice.core.game import Game
from fivedice.core.game.playthrough import MOST_PLAYERS
from fivedice.core.notation import (
    card_from_json,
    game_from_json,
    game_to_json,
    position_from_json,
    position_to_json,
    read_card,
    read_game,
    read_games,
    read_position,
    read_turn,
    write_game,
    write_position,
)
from fivedice.core.notation.jsonform import MOST_RECORDS
from fivedice.core.notation.proof import prove, verify_record
from fivedice.core.notation.records import LONGEST_RECORD, MOST_ROLL_OFFS, MOST_TAGS
from fivedice.core.rules import MAX_ROLLS, load_book
from fivedice.core.rules.book_tables import MAX_NOTES
from fivedice.core.rules.loader import MAX_FILE
from fivedice.errors import FivediceError
from for_each import for_each
from long import few
from work import calls, no_hang

YAHTZEE = fd.book("yahtzee")
HEAD = '[Fivedice "1"]\n[Book "yahtzee"]\n'
TWICE = 2.1  # "about": nothing but what takes longer with longer words may make it more


def names(count: int) -> list[str]:
    return [f"P{number}" for number in range(count)]


def play_out(game: Game) -> Game:
    luck = random.Random(1)
    while not game.is_over:
        game.roll()
        game.hold(game.position.dice.faces[:2])
        game.roll()
        game.mark(luck.choice(list(game.position.ruling().legal)))
    return game


def play_game(players: int) -> Game:
    return play_out(Game.new("yatzy", names(players), dice=seeded(1), first=0))


def proven(players: int) -> str:
    secret, texts = "ab" * 32, tuple(names(players))
    dice = ProvableDice(secret, fd.book("yardzee").fingerprint, texts, texts)
    return write_game(prove(play_out(Game.new("yardzee", texts, dice=dice)), secret, texts))


def roll_off(throws: int) -> list[str]:
    """Two who cannot agree, to the last throw."""
    return ["12345"] * (throws - 1) + ["12346"]


def rolled_off(throws: int) -> str:
    off = " ".join(f'"{throw}"' for throw in roll_off(throws))
    return f'{HEAD}[Players "Ann" "Bob"]\n[RollOff {off}]\n* 0 0\n'


def rolled_off_json(throws: int) -> dict[str, Any]:
    return game_to_json(Game.new("yahtzee", ["Ann", "Bob"], first=1)) | {"roll_off": roll_off(throws)}


def commented(players: int) -> Game:
    game = play_game(players)
    game.comments = dict.fromkeys(range(len(game.moves) + 1), "so it was")
    write_game(game)  # what a step remembers once it is asked
    return game


def tagged(count: int) -> str:
    return HEAD + "".join(f'[T{number} "x"]\n' for number in range(count)) + "* 0\n"


def open_game(players: int) -> Game:
    return Game.new("yahtzee", names(players), first=0)


def house(notes: int) -> str:
    told = "".join(f'[notes.n{number}]\ntitle = "a"\ntext = "b"\n' for number in range(notes))
    return f'extends = "yahtzee"\nkey = "ours"\n{told}'


Reading = Callable[[Any], object]

# Growing inputs, their readers, and a size that may be doubled.
GROWING: dict[str, tuple[Callable[[int], Any], Reading, int]] = {
    "throws of a roll-off": (rolled_off, read_game, MOST_ROLL_OFFS // 2),
    "throws of a roll-off in JSON": (rolled_off_json, game_from_json, MOST_ROLL_OFFS // 2),
    "turns": (lambda size: write_game(play_game(size)), read_game, 6),
    "turns of many players": (lambda size: write_game(play_game(size)), read_game, MOST_PLAYERS // 2),
    "turns in JSON": (lambda size: game_to_json(play_game(size)), game_from_json, 6),
    "records": (lambda size: write_game(play_game(2)) * size, read_games, 4),
    "records in JSON": (lambda size: json.dumps([game_to_json(play_game(2))] * size), read_games, 4),
    "comments": (lambda size: write_game(commented(size)), read_game, 6),
    "comments in JSON": (lambda size: game_to_json(commented(size)), game_from_json, 6),
    "comments to write": (commented, write_game, 6),
    "tags": (tagged, read_game, MOST_TAGS // 2),
    "players": (lambda size: write_game(open_game(size)), read_game, MOST_PLAYERS // 2),
    "cards": (lambda size: write_position(open_game(size).position), read_position, MOST_PLAYERS // 2),
    "cards in JSON": (lambda size: position_to_json(open_game(size).position), position_from_json, MOST_PLAYERS // 2),
    "a proof": (proven, verify_record, 6),
    "notes": (house, load_book, MAX_NOTES // 4),
}


@pytest.mark.campaign  # counts calls, and covers nothing more
@pytest.mark.parametrize("what", GROWING)
def test_work_grows_linearly(what: str) -> None:
    make, read, size = GROWING[what]
    once, twice = make(size), make(2 * size)
    read(once)  # fills the caches
    small, large = calls(lambda: read(once)), calls(lambda: read(twice))
    assert small < large < TWICE * small


def lines(entry: str, size: int) -> str:
    return (entry + "\n") * (size // (len(entry) + 1))


# Texts of the largest size that is looked at, by who reads them. Nearly all are refused; none may take long.
READERS: dict[str, tuple[Reading, int]] = {
    "game": (read_game, LONGEST_RECORD),
    "games": (read_games, LONGEST_RECORD),
    "record": (verify_record, LONGEST_RECORD),
    "card": (lambda text: read_card(text, YAHTZEE), LONGEST_RECORD),
    "card in JSON": (lambda text: card_from_json({"marks": {text: 1}}, YAHTZEE), LONGEST_RECORD),
    "position": (read_position, LONGEST_RECORD),
    "turn": (lambda text: read_turn(text, YAHTZEE), LONGEST_RECORD),
    "roll": (fd.Roll.parse, LONGEST_RECORD),
    "keep": (Keep.parse, LONGEST_RECORD),
    "book": (load_book, MAX_FILE),
}
HOSTILE: dict[str, Callable[[int], str]] = {
    "braces": lambda size: f"{HEAD}1. " + "{" * (size - 100) + "\n* 0\n",
    "comments": lambda size: f"{HEAD}1. 12345=ch:15" + " {a}" * (size // 4 - 100) + "\n* 15\n",
    "an open comment": lambda size: f"{HEAD}1. " + "{ a" * (size // 3 - 100) + "\n* 0\n",
    "lines of comments": lambda size: HEAD + "{a}\n" * (size // 4 - 100) + "* 0\n",
    "spaces": lambda size: "[" + " " * (size - 1),
    "spaces in a list": lambda size: "x = [\n[" + " " * (size - 10) + "\n]]",
    "a header of spaces": lambda size: "[a" + " " * (size - 3) + "b",
    "spaces and dots": lambda size: "a" + " ." * (size // 2 - 1),
    "parts of a key": lambda size: "a" + ".a" * (size // 2 - 4) + "=1",
    "parts of a header": lambda size: "[a" + ".a" * (size // 4) + "]\n" + lines("b.c=1", size // 3),
    "parts of quoted keys": lambda size: "'a'" + ".'a'" * (size // 4 - 8) + "=1",
    "parts of inner keys": lambda size: 'a = ["""x"""", {b' + ".b" * (size // 2 - 20) + "=1}]",
    "nesting": lambda size: "a=" + "[" * (size - 2),
    "inner tables": lambda size: "a=" + "{a=" * (size // 3 - 1),
    "digits": lambda size: "a=" + "1" * (size - 2),
    "quotation marks": lambda size: '[A "' + '\\"' * (size // 2 - 3),
    "strings": lambda size: "[A" + ' "a"' * (size // 4 - 1),
    "a long string": lambda size: "a='''" + "'' " * (size // 3 - 2),
    "an unknown key": lambda size: 'extends="yahtzee"\n"' + "a" * (size - 30) + '"=1',
    "an unknown book": lambda size: 'extends="' + "y" * (size - 10) + '"',
    "an unknown book of a record": lambda size: '[Book "' + "y" * (size - 12) + '"]\n',
    "lists of tables": lambda size: lines("[[a]]", size),
    "rounds": lambda size: HEAD + lines("1. 12345", size - 100) + "* 0",
    "turns": lambda size: HEAD + "1." + " 12345" * (size // 6 - 20) + "\n* 0",
    "rolls": lambda size: "12345" + ">1/12345" * (size // 8 - 1),
    "totals": lambda size: HEAD + "*" + " 1" * (size // 2 - 30),
    "roll-offs": lambda size: rolled_off(size // 8 - 20),
    "players": lambda size: HEAD + "[Players" + ' "A"' * (size // 4 - 20) + "]\n* 0",
    "tags": lambda size: HEAD + "".join(f'[T{n} "x"]\n' for n in range(size // 14)),
    "texts": lambda size: f'{HEAD}[Texts "{"[" * (size - 60)}"]\n* 0',
    "beginnings": lambda size: lines("[Fivedice ", size),
    "entries": lambda size: "1s:1," * (size // 5),
    "cards": lambda size: "yahtzee " + "-|" * (size // 2 - 10) + "- 0 - 3",
    "dice": lambda size: "1" * size,
}


@pytest.mark.campaign
@pytest.mark.parametrize("reader", READERS)
def test_longest_accepted_texts_are_read_quickly(reader: str) -> None:
    read, size = READERS[reader]
    for what, make in few(HOSTILE.items(), 8):
        text = make(size)
        assert size * 0.6 < len(text) <= size, what
        with no_hang(f"the {reader}, reading {what},"), suppress(FivediceError):
            read(text)


@for_each(
    ("read", "text", "message"),
    [
        (read_game, rolled_off(MOST_ROLL_OFFS + 1), f"at most {MOST_ROLL_OFFS} throws. '12346' is too many"),
        (game_from_json, rolled_off_json(MOST_ROLL_OFFS + 1), f"at most {MOST_ROLL_OFFS} throws"),
        (read_game, tagged(MOST_TAGS + 5), f"at most {MOST_TAGS} tags besides its own"),
        (
            game_from_json,
            {"book": "yahtzee", "players": ["A"], "tags": dict.fromkeys(map(str, range(101)), "x")},
            "'0'",
        ),
        (
            read_game,
            HEAD + "[Players" + ' "A"' * 101 + "]\n* 0",
            f"A game has at most {MOST_PLAYERS} players. You named 101",
        ),
        (read_position, f"yahtzee {'|'.join('-' * 101)} 0 - 3", "at most 100 players. There are 101 cards, '-' first"),
        (position_from_json, {"book": "yahtzee", "cards": [{}] * 101}, "There are 101 cards, {} first"),
        (read_games, (HEAD + "* 0\n") * (MOST_RECORDS + 1), "There are 10001; .* is too many"),
        (read_games, json.dumps([{}] * (MOST_RECORDS + 1)), "There are 10001; {} is too many"),
        (READERS["turn"][0], "12345" + ">1/12345" * 9, f"A turn has at most {MAX_ROLLS} rolls. This one has 10"),
    ],
)
def test_refusal_names_input_and_bound(read: Reading, text: Any, message: str) -> None:
    with pytest.raises(fd.MalformedError, match=message):
        read(text)


def test_bounds_of_accepted_input() -> None:
    turn = {"rolls": ["12345"] * 10, "keeps": ["1"] * 9}
    data = game_to_json(Game.new("yahtzee")) | {"turns": [turn]}
    with pytest.raises(fd.MalformedError, match=r"A turn has at most 9 rolls\. This one has 10"):
        game_from_json(data)
    assert len(read_game(tagged(MOST_TAGS)).tags) == MOST_TAGS
    assert len(read_game(rolled_off(MOST_ROLL_OFFS)).roll_off.throws) == MOST_ROLL_OFFS  # type: ignore[union-attr]
    assert len(read_position(write_position(open_game(MOST_PLAYERS).position)).cards) == MOST_PLAYERS
    text = proven(1).replace('[Texts "[', '[Texts "' + "[" * 100_000)
    with pytest.raises(fd.MalformedError, match="The tag Texts must be a JSON list"):
        verify_record(text)


def test_long_secret_is_hashed_once() -> None:
    """Which is what HMAC does with it, for every die."""
    import hmac

    secret = "x" * 100
    dice = ProvableDice(secret)
    word = f"fivedice-1/{dice.known}/1/1/0/0"
    first = next(byte for byte in hmac.digest(secret.encode(), word.encode(), "sha256") if byte < 252)
    assert dice.die(1, 1, 0, 6) == first % 6 + 1
    assert len(dice._key) == 32
