"""A whole game as text: tags in brackets, one line a round, the totals last."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from fivedice.dice import Roll, real
from fivedice.errors import IllegalError, IllegalRecord, MalformedError, quote
from fivedice.game import Game, RollOff
from fivedice.message import Either, message
from fivedice.notation.cards import Turn, read_turn, replay, resolve_book, turns_of, write_turn
from fivedice.rules import RuleBook

FORMAT = "1"
LONGEST_RECORD = 1024 * 1024
MOST_TAGS = 100  # that people add
MOST_ROLL_OFFS = 1000  # throws of a roll-off: the chance of as many is nil, even at the largest table
OWN_TAGS = ("Fivedice", "Book", "Fingerprint", "Players", "First", "RollOff")

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*").fullmatch
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*)((?: "(?:[^"\\]|\\.)*")+)\]').fullmatch
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')  # all are closed; not to insist on it keeps it from trying again
_ROUND = re.compile(r"([0-9]{1,4})\. (\S+(?: \S+)*)").fullmatch
_TOTALS = re.compile(r"([=*])((?: [0-9]{1,6})+)").fullmatch


def write_game(game: Game) -> str:
    """The record of a game, finished or not. Reading it and writing it again gives the same text."""
    return "\n".join([*_tags(game), "", *_rounds(game), _totals(game), ""])


def _tags(game: Game) -> Iterator[str]:
    own: dict[str, Iterable[str]] = {
        "Fivedice": [FORMAT],
        "Book": [game.recorded_as],
        "Fingerprint": [game.book.fingerprint],
        "Players": game.players,
        "First": [str(game.first)],
    }
    if game.roll_off is not None and game.roll_off.throws:
        own["RollOff"] = map(str, game.roll_off.throws)
    for name, values in (own | {name: [value] for name, value in checked_tags(game.tags).items()}).items():
        yield f"[{name} {' '.join(json.dumps(value, ensure_ascii=False) for value in values)}]"


def checked_tags(tags: dict[str, str]) -> dict[str, str]:
    """Tags that people add to a record, refused if reading the record again would not give them back."""
    if len(tags) > MOST_TAGS:
        first = quote(next(iter(tags)))
        raise MalformedError("notation.too-many-tags", most=MOST_TAGS, count=len(tags), name=first)
    for name, value in tags.items():
        if name in OWN_TAGS or not _TAG_NAME(name) or not isinstance(value, str):
            raise MalformedError("notation.own-tag", name=quote(name), value=quote(value), taken=Either(OWN_TAGS))
    return tags


def _rounds(game: Game) -> Iterator[str]:
    turns = (write_turn(turn, game.book) for turn in turns_of(game.steps))
    number = 1
    while line := list(islice(turns, len(game.players))):
        yield f"{number}. {' '.join(line)}"
        number += 1


def _totals(game: Game) -> str:
    totals = " ".join(str(card.total) for card in game.position.cards)
    return f"{'=' if game.is_over else '*'} {totals}"


def read_game(text: str, book: RuleBook | None = None) -> Game:
    """A game from its record, with every move, every score and the totals checked."""
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    tags = _read_tags(line for line in lines if line.startswith("["))
    body = [line for line in lines if not line.startswith("[")]
    game = open_game(tags, book)
    if not body or not _TOTALS(body[-1]):
        raise MalformedError("notation.no-totals")
    for number, line in enumerate(body[:-1], start=1):
        _replay_round(game, number, line)
    check_totals(game, body[-1])
    return game


def _read_tags(lines: Iterable[str]) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    for line in lines:
        found = _TAG(line)
        if found is None:
            raise MalformedError("notation.bad-tag", text=quote(line))
        if found[1] in tags:
            raise MalformedError("notation.tag-twice", name=quote(found[1]))
        if len(tags) == MOST_TAGS + len(OWN_TAGS):
            raise MalformedError("notation.tag-too-many", text=quote(line), most=MOST_TAGS)
        tags[found[1]] = [_unquoted(value) for value in _STRING.findall(found[2])]
    return tags


def _unquoted(value: str) -> str:
    try:
        text: str = json.loads(value)
    except ValueError:
        raise MalformedError("notation.bad-quotes", text=quote(value)) from None
    return text


def open_game(tags: dict[str, list[str]], book: RuleBook | None) -> Game:
    """The game before its first move, from the tags of a record."""
    _check_format(_single(tags, "Fivedice", FORMAT))
    key = _single(tags, "Book", None)
    recorded = _single(tags, "Fingerprint", None) if "Fingerprint" in tags else None
    rules = resolve_book(key, book, recorded)
    _check_fingerprint(rules, recorded)
    players = tags.get("Players", ["Player"])
    roll_off = _roll_off(rules, len(players), tags["RollOff"]) if "RollOff" in tags else None
    first = None if roll_off is not None and "First" not in tags else _seat(_single(tags, "First", "0"))
    game = Game.new(rules, players, dice=real(), first=first, roll_off=roll_off)
    game.tags = {name: _single(tags, name, None) for name in tags if name not in OWN_TAGS}
    game.recorded_as = key
    return game


def _check_format(version: str) -> None:
    if version != FORMAT:
        raise MalformedError("notation.unknown-format", format=quote(version), known=FORMAT)


def _check_fingerprint(rules: RuleBook, recorded: str | None) -> None:
    if recorded not in (None, rules.fingerprint):
        told = {"key": quote(rules.key), "recorded": quote(recorded), "fingerprint": rules.fingerprint}
        raise IllegalRecord("notation.other-fingerprint", **told)


def _single(tags: dict[str, list[str]], name: str, default: str | None) -> str:
    values = tags.get(name, [default] if default is not None else [])
    if len(values) != 1:
        raise MalformedError("notation.one-value", name=quote(name), count=len(values))
    return values[0]


def _seat(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise MalformedError("notation.bad-seat", text=quote(text))
    return int(text)


def _roll_off(rules: RuleBook, seats: int, throws: list[str]) -> RollOff:
    if len(throws) > MOST_ROLL_OFFS:
        beyond = quote(throws[MOST_ROLL_OFFS])
        raise MalformedError("notation.roll-off-too-long", most=MOST_ROLL_OFFS, count=len(throws), text=beyond)
    return RollOff.of(rules, seats, map(Roll.parse, throws))


def _replay_round(game: Game, number: int, line: str) -> None:
    found = _ROUND(line)
    if found is None or int(found[1]) != number:
        raise MalformedError("notation.bad-round", number=number, text=quote(line))
    turns = found[2].split(" ")
    # By the cards: counting the moves would look at all of them again with every round.
    if sum(card.filled.bit_count() for card in game.position.cards) != (number - 1) * len(game.players):
        raise MalformedError("notation.round-too-early", number=number, before=number - 1)
    if len(turns) > len(game.players):
        raise MalformedError("notation.too-many-turns", number=number, turns=len(turns), count=len(game.players))
    for text in turns:
        replay_turn(game, read_turn(text, game.book), "notation.in-round", number=number, text=quote(text))


def replay_turn(game: Game, turn: Turn, kind: str, **place: object) -> None:
    """Play one recorded turn; what the rules refuse is reported with its place in the record."""
    player = game.players[game.position.seat]
    if game.position.rolls_left < game.position.rolls_in_turn:
        raise IllegalRecord(kind, **place, player=player, reason=message("notation.unfinished-turn"))
    try:
        replay(game, turn)
    except IllegalError as error:
        raise IllegalRecord(kind, **place, player=player, reason=error.message) from None


def check_totals(game: Game, line: str) -> None:
    """The last line must say what the cards add up to, and whether the game is finished."""
    if line != _totals(game):
        raise IllegalRecord("notation.other-totals", right=quote(_totals(game)), written=quote(line))
