"""A whole game as text: tags in brackets, one line a round, the totals last."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from fivedice.dice import Roll, real
from fivedice.errors import IllegalError, IllegalRecord, MalformedError, quote
from fivedice.game import Come, Game, Leave, RollOff, Skip
from fivedice.message import Either, message
from fivedice.notation.cards import Noted, Turn, notes_of, read_turn, replay, resolve_book, write_turn
from fivedice.rules import RuleBook

FORMAT = "1"
SKIP, COME = "-", "+"
LONGEST_RECORD = 1024 * 1024
MOST_TAGS = 100  # that people add
MOST_ROLL_OFFS = 1000  # throws of a roll-off: the chance of as many is nil, even at the largest table
MOST_MARKS = 10_000  # of people who were skipped, left or came
OWN_TAGS = ("Fivedice", "Book", "Fingerprint", "Players", "First", "RollOff", "Absent")

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*").fullmatch
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*)((?: "(?:[^"\\]|\\.)*")+)\]').fullmatch
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')  # all are closed; not to insist on it keeps it from trying again
_ROUND = re.compile(r"([0-9]{1,4})\. (\S+(?: \S+)*)").fullmatch
_ORDER = re.compile(r"(-|\+(?=[0-9]))([0-9]{1,3})?").fullmatch
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
    if game.start.out:
        own["Absent"] = map(str, sorted(game.start.out))
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
    for number, line in enumerate(rounds_of(game), start=1):
        yield f"{number}. {' '.join(write_noted(noted, game.book) for noted in line)}"


def rounds_of(game: Game) -> Iterator[list[Noted]]:
    """What stands in a record, a line for each time round the table."""
    line: list[Noted] = []
    last: int | None = None  # who was on turn before
    waiting: list[Noted] = []  # what belongs to the next turn
    for noted in notes_of(game.steps):
        waiting.append(noted)
        if not noted.takes_turn:
            continue
        if last is not None and _is_round(game, last, noted.seat):
            yield line
            line = []
        line, waiting, last = line + waiting, [], noted.seat
    if line or waiting:
        yield line + waiting


def _is_round(game: Game, before: int, seat: int) -> bool:
    """Whether a seat on turn after another one begins a new round: the table was gone round from its first seat."""
    seats = len(game.players)
    return (seat - game.first) % seats <= (before - game.first) % seats


def write_noted(noted: Noted, book: RuleBook) -> str:
    """A turn as text, or the sign for somebody who was skipped (`-`), left (`-2`) or came (`+2`)."""
    what = noted.what
    if isinstance(what, Turn):
        return write_turn(what, book)
    if isinstance(what, Skip):
        return SKIP
    return f"{SKIP if isinstance(what, Leave) else COME}{what.seat}"


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
    if sum(line.count(f" {SKIP}") + line.count(f" {COME}") for line in body) > MOST_MARKS:
        raise MalformedError("notation.too-many-marks", most=MOST_MARKS)
    last = None
    for number, line in enumerate(body[:-1], start=1):
        last = _replay_round(game, number, line, last, is_last=number == len(body) - 1)
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
        if found[1] not in OWN_TAGS and len(tags.keys() - OWN_TAGS) == MOST_TAGS:
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
    absent = [_seat(text) for text in tags.get("Absent", [])]
    game = Game.new(rules, players, dice=real(), first=first, roll_off=roll_off, out=absent)
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


def _replay_round(game: Game, number: int, line: str, last: int | None, *, is_last: bool) -> int | None:
    """Play what a line has; `last` is who was on turn at the end of the one before, and the answer, of this one."""
    found = _ROUND(line)
    if found is None or int(found[1]) != number:
        raise MalformedError("notation.bad-round", number=number, text=quote(line))
    texts, begun = found[2].split(" "), False
    for text in texts:
        move, place = _order_move(text), {"number": number, "text": quote(text)}
        if isinstance(move, Leave | Come):
            replay_order(game, move, "notation.in-round", **place)
            continue
        seat = game.position.seat
        _check_place(game, number, last, len(texts), begun=begun)
        last, begun = seat, True
        if move is not None:
            replay_order(game, move, "notation.in-round", **place)
        else:
            replay_turn(game, read_turn(text, game.book), "notation.in-round", **place)
    if not is_last and isinstance(_order_move(texts[-1]), Leave | Come):  # they go before the next turn
        raise MalformedError("notation.bad-round", number=number, text=quote(line))
    return last


def _order_move(text: str) -> Skip | Leave | Come | None:
    """What a sign stands for; None for a turn."""
    found = _ORDER(text)
    if found is None:
        return None
    if found[2] is None:
        return Skip()
    return Leave(int(found[2])) if found[1] == SKIP else Come(int(found[2]))


def _check_place(game: Game, number: int, last: int | None, turns: int, *, begun: bool) -> None:
    """A line is once round the table, complete but for the last."""
    if last is None:
        return
    unfinished = game.position.rolls_left < game.position.rolls_in_turn
    new_round = _is_round(game, last, game.position.seat)
    if begun and new_round and not unfinished:
        raise MalformedError("notation.too-many-turns", number=number, turns=turns, count=len(game.players))
    if not begun and (unfinished or not new_round):
        raise MalformedError("notation.round-too-early", number=number, before=number - 1)


def replay_turn(game: Game, turn: Turn, kind: str, **place: object) -> None:
    """Play one recorded turn; what the rules refuse is reported with its place in the record."""
    player = game.players[game.position.seat]
    if game.position.rolls_left < game.position.rolls_in_turn:
        raise IllegalRecord(kind, **place, player=player, reason=message("notation.unfinished-turn"))
    try:
        replay(game, turn)
    except IllegalError as error:
        raise IllegalRecord(kind, **place, player=player, reason=error.message) from None


def replay_order(game: Game, move: Skip | Leave | Come, kind: str, **place: object) -> None:
    """Let somebody be skipped, leave or come as recorded."""
    player = game.players[game.position.seat]
    try:
        game.play(move)
    except IllegalError as error:
        raise IllegalRecord(kind, **place, player=player, reason=error.message) from None


def check_totals(game: Game, line: str) -> None:
    """The last line must say what the cards add up to, and whether the game is finished."""
    if line != _totals(game):
        raise IllegalRecord("notation.other-totals", right=quote(_totals(game)), written=quote(line))
