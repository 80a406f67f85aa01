"""A whole game as text: tags in brackets, one line a round, the totals last."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import and_
from types import MappingProxyType
from typing import NamedTuple

from fivedice.dice import Roll, real
from fivedice.errors import BookError, IllegalError, IllegalRecord, MalformedError, UnknownBook, quote
from fivedice.game import Come, Game, Leave, RollOff, Skip
from fivedice.game.playthrough import RULES, checked_comment
from fivedice.message import Either, message
from fivedice.notation.cards import Noted, Turn, notes_of, read_turn, replay, resolve_book, write_turn
from fivedice.rules import AnyBook, RuleBook, load_kept

FORMAT = "1"
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
NOWHERE: Mapping[str, int] = MappingProxyType({})
SKIP, COME = "-", "+"
LONGEST_RECORD = 1024 * 1024
MOST_TAGS = 100  # that people add
MOST_ROLL_OFFS = 1000  # throws of a roll-off: the chance of as many is nil, even at the largest table
MOST_MARKS = 10_000  # of people who were skipped, left or came
OWN_TAGS = ("Fivedice", "Book", "Fingerprint", "Players", "First", "RollOff", "Absent")

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*").fullmatch
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*)((?: "(?:[^"\\]|\\.)*")+)\]').fullmatch
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')  # all are closed; not to insist on it keeps it from trying again
_PIECES = re.compile(r"\{[^{}]*\}|\S+").finditer
_ROUND = re.compile(r"([0-9]{1,4})\.").fullmatch
_COMMENT = re.compile(r"\{([^{}]*)\}").fullmatch
_ORDER = re.compile(r"(-|\+(?=[0-9]))([0-9]{1,3})?").fullmatch
_TOTALS = re.compile(r"([=*])((?: [0-9]{1,6})+)").fullmatch


def write_game(game: Game) -> str:
    """The record of a game, finished or not. Reading it and writing it again gives the same text."""
    return "\n".join([*_tags(game), "", *_opening(game), *_rounds(game), _totals(game), ""])


def check_from_start(game: Game) -> None:
    """Refuse a game that began from a position: its record could not be read again."""
    if not game.is_from_start:
        raise IllegalRecord("notation.from-a-position")


def _tags(game: Game) -> Iterator[str]:
    check_from_start(game)
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


def _opening(game: Game) -> Iterator[str]:
    """What was said before the first move."""
    if 0 in game.comments:
        yield f"{{{checked_comment(game.comments[0])}}}"


def _rounds(game: Game) -> Iterator[str]:
    said = Comments(game)
    for number, line in enumerate(rounds_of(game), start=1):
        written = (f"{write_noted(noted, game.book)}{said.written(noted)}" for noted in line)
        yield f"{number}. {' '.join(written)}"


class Comments:
    """What was said of the moves of a game, handed out as it is written down: a comment stands behind its turn."""

    def __init__(self, game: Game) -> None:
        self._waiting = sorted(((made, said) for made, said in game.comments.items() if made), reverse=True)

    def of(self, noted: Noted) -> str | None:
        """All that was said up to the end of what is noted, and not before it."""
        found: list[str] = []
        while self._waiting and self._waiting[-1][0] <= noted.made:
            found.append(checked_comment(self._waiting.pop()[1]))
        return " ".join(found) or None

    def written(self, noted: Noted) -> str:
        said = self.of(noted)
        return "" if said is None else f" {{{said}}}"


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


def read_game(text: str, book: AnyBook | None = None) -> Game:
    """A game from its record, with every move, every score and the totals checked."""
    return read_record(text, book, 1)


def read_record(text: str, book: AnyBook | None, first: int) -> Game:
    """The same for a part of a longer text, which begins at this line of it."""
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    lines = [Line(number, line.rstrip()) for number, line in enumerate(_lines(text), first) if line.strip()]
    tags = _read_tags(line for line in lines if line.text.startswith("["))
    body = [line for line in lines if not line.text.startswith("[")]
    game = open_game({name: values for name, (values, _) in tags.items()}, book, {n: at for n, (_, at) in tags.items()})
    with placed(lines[-1].number if lines else first):
        if not body or not _TOTALS(body[-1].text):
            raise MalformedError("notation.no-totals")
        if sum(line.text.count(f" {SKIP}") + line.text.count(f" {COME}") for line in body) > MOST_MARKS:
            raise MalformedError("notation.too-many-marks", most=MOST_MARKS)
    opening = _COMMENT(body[0].text)
    if opening is not None:
        _comment(game, opening[1])
        del body[0]
    last = None
    for number, line in enumerate(body[:-1], start=1):
        last = _replay_round(game, number, line, last, is_last=number == len(body) - 1)
    with placed(body[-1].number):
        check_totals(game, body[-1].text)
    return game


class Line(NamedTuple):
    """A line of a record with its number in the text."""

    number: int
    text: str


def _lines(text: str) -> list[str]:
    """However a computer ends its lines, and without the mark that some put before a text."""
    return text.removeprefix(BYTE_ORDER_MARK).split("\n")  # what ends in a carriage return loses it as it loses blanks


class placed:  # noqa: N801 - used like a function; as a generator it would take three times as long for every turn
    """What is refused within is told with its place in the text, unless something within knew a closer one."""

    def __init__(self, line: int | None, column: int = 1) -> None:
        self._line, self._column = line, column

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MalformedError | IllegalError | UnknownBook) and error.line is None and self._line:
            error.line, error.column = self._line, self._column


def _read_tags(lines: Iterable[Line]) -> dict[str, tuple[list[str], int]]:
    """The values of each tag, and its line."""
    tags: dict[str, tuple[list[str], int]] = {}
    for line in lines:
        with placed(line.number):
            name, values = _read_tag(line.text)
            if name in tags:
                raise MalformedError("notation.tag-twice", name=quote(name))
            if name not in OWN_TAGS and len(tags.keys() - OWN_TAGS) == MOST_TAGS:
                raise MalformedError("notation.tag-too-many", text=quote(line.text), most=MOST_TAGS)
            tags[name] = values, line.number
    return tags


def _read_tag(line: str) -> tuple[str, list[str]]:
    found = _TAG(line)
    if found is None:
        raise MalformedError("notation.bad-tag", text=quote(line))
    return found[1], [_unquoted(value) for value in _STRING.findall(found[2])]


def _unquoted(value: str) -> str:
    try:
        text: str = json.loads(value)
    except ValueError:
        raise MalformedError("notation.bad-quotes", text=quote(value)) from None
    return text


def open_game(tags: dict[str, list[str]], book: AnyBook | None, lines: Mapping[str, int] = NOWHERE) -> Game:
    """The game before its first move, from the tags of a record, whose lines say where something is wrong."""
    anywhere = min(lines.values(), default=None)
    with placed(lines.get("Fivedice")):
        _check_format(_single(tags, "Fivedice", FORMAT))
    with placed(lines.get("Book", anywhere)):
        key = _single(tags, "Book", None)
    with placed(lines.get("Fingerprint", lines.get("Book"))):
        recorded = _single(tags, "Fingerprint", None) if "Fingerprint" in tags else None
    with placed(lines.get(RULES)):
        own = _read_rules(_single(tags, RULES, None)) if RULES in tags and book is None else book
    with placed(lines.get("Book")):
        rules = resolve_book(key, own, recorded)
    with placed(lines.get("Fingerprint")):
        _check_fingerprint(rules, recorded)
    players = tags.get("Players", ["Player"])
    with placed(lines.get("RollOff")):
        roll_off = _roll_off(rules, len(players), tags["RollOff"]) if "RollOff" in tags else None
    with placed(lines.get("First")):
        first = None if roll_off is not None and "First" not in tags else _seat(_single(tags, "First", "0"))
    with placed(lines.get("Absent")):
        absent = [_seat(text) for text in tags.get("Absent", [])]
    with placed(lines.get("Players", anywhere)):
        game = Game.new(rules, players, dice=real(), first=first, roll_off=roll_off, out=absent)
    for name in tags.keys() - OWN_TAGS:
        with placed(lines.get(name)):
            _single(tags, name, None)
    game.tags = {name: values[0] for name, values in tags.items() if name not in OWN_TAGS}
    game.recorded_as = key
    return game


@lru_cache(maxsize=64)  # the games of a file often share theirs
def _read_rules(text: str) -> RuleBook:
    """Read the house rules that a record carries; they can extend shipped rules only, so no file is opened."""
    try:
        return load_kept(text)
    except BookError as error:
        raise IllegalRecord("notation.bad-rules", line=error.line or 1, reason=error.message) from None


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


def _replay_round(game: Game, number: int, line: Line, last: int | None, *, is_last: bool) -> int | None:
    """Play what a line has; `last` is who was on turn at the end of the one before, and the answer, of this one."""
    with placed(line.number):
        pieces = _pieces(number, line.text)
    noted = [text for _, text in pieces if not _COMMENT(text)]
    begun = False
    for column, text in pieces:
        with placed(line.number, column):
            said = _COMMENT(text)
            if said is not None:
                _comment(game, said[1])
                continue
            seat, move = game.position.seat, _order_move(text)
            if not isinstance(move, Leave | Come):
                _check_place(game, number, last, len(noted), begun=begun)
                last, begun = seat, True
            _replay_noted(game, text, move, number)
    if not is_last and isinstance(_order_move(noted[-1]), Leave | Come):  # they go before the next turn
        with placed(line.number):
            raise MalformedError("notation.bad-round", number=number, text=quote(line.text))
    return last


def _pieces(number: int, line: str) -> list[tuple[int, str]]:
    """What stands in a line behind its number, each with its column."""
    first, *pieces = [(piece.start() + 1, piece[0]) for piece in _PIECES(line)]
    found = _ROUND(first[1])
    said = [_COMMENT(text) is not None for _, text in pieces]
    plain = " ".join([first[1], *(text for _, text in pieces)]) == line
    in_order = not any(map(and_, said, [True, *said]))  # a comment stands behind what it is about, and is one
    if found is None or int(found[1]) != number or not plain or not in_order or not pieces:
        raise MalformedError("notation.bad-round", number=number, text=quote(line))
    return pieces


def _replay_noted(game: Game, text: str, move: Skip | Leave | Come | None, number: int) -> None:
    if move is not None:
        replay_order(game, move, "notation.in-round", number=number, text=quote(text))
    else:
        replay_turn(game, read_turn(text, game.book), "notation.in-round", number=number, text=quote(text))


def _comment(game: Game, text: str) -> None:
    if text.strip():
        game.comment(text)


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
