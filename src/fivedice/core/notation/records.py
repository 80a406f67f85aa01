"""A whole game as text: tags in brackets, one line per round, and the totals last."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import and_
from types import MappingProxyType
from typing import NamedTuple

from fivedice.core.dice import Roll, real
from fivedice.core.game import Come, Game, Leave, RollOff, Skip
from fivedice.core.game.playthrough import RULES, check_comment
from fivedice.core.notation.cards import RecordEntry, Turn, iterate_notes, read_turn, replay, resolve_book, write_turn
from fivedice.core.rules import AnyBook, RuleBook, load_kept
from fivedice.errors import BookError, IllegalError, IllegalRecord, MalformedError, UnknownBook, quote
from fivedice.message import Either, message

FORMAT = "1"
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
NOWHERE: Mapping[str, int] = MappingProxyType({})
SKIP, COME = "-", "+"
LONGEST_RECORD = 1024 * 1024
MOST_TAGS = 100  # added by people
MOST_ROLL_OFFS = 1000  # throws of a roll-off; more are practically impossible
MOST_MARKS = 10_000  # signs of players who were skipped, left or came
OWN_TAGS = ("Fivedice", "Book", "Fingerprint", "Players", "First", "RollOff", "Absent")

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*").fullmatch
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*)((?: "(?:[^"\\]|\\.)*")+)\]').fullmatch
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')  # all are closed; the optional quote prevents backtracking
_PIECES = re.compile(r"\{[^{}]*\}|\S+").finditer
_ROUND = re.compile(r"([0-9]{1,4})\.").fullmatch
_COMMENT = re.compile(r"\{([^{}]*)\}").fullmatch
_ORDER = re.compile(r"(-|\+(?=[0-9]))([0-9]{1,3})?").fullmatch
_TOTALS = re.compile(r"([=*])((?: [0-9]{1,6})+)").fullmatch


def write_game(game: Game) -> str:
    """Return the record of a game, finished or not. `read_game` reads it, and writing that again gives the same text.

    Raise IllegalRecord if the game did not begin with empty cards.

    >>> game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.scripted("24466"))
    >>> _ = game.roll(), game.mark("chance")
    >>> fd.write_game(game).splitlines()[-2:]
    ['1. 24466=ch:22', '* 22']
    """
    opening = [f"{{{check_comment(game.comments[0])}}}"] if 0 in game.comments else []
    return "\n".join([*_write_tags(game), "", *opening, *_write_rounds(game), _write_totals(game), ""])


def check_from_start(game: Game) -> None:
    """Raise IllegalRecord if a game began from a position, because its record could not be read again."""
    if not game.is_from_start:
        raise IllegalRecord("notation.from-a-position")


def _write_tags(game: Game) -> Iterator[str]:
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
    for name, values in (own | {name: [value] for name, value in check_tags(game.tags).items()}).items():
        yield f"[{name} {' '.join(json.dumps(value, ensure_ascii=False) for value in values)}]"


def check_tags(tags: dict[str, str]) -> dict[str, str]:
    """Return the tags that people add to a record. Raise MalformedError if one could not be read back."""
    if len(tags) > MOST_TAGS:
        first = quote(next(iter(tags)))
        raise MalformedError("notation.too-many-tags", most=MOST_TAGS, count=len(tags), name=first)
    for name, value in tags.items():
        if name in OWN_TAGS or not _TAG_NAME(name) or not isinstance(value, str):
            raise MalformedError("notation.own-tag", name=quote(name), value=quote(value), taken=Either(OWN_TAGS))
    return tags


def _write_rounds(game: Game) -> Iterator[str]:
    comments = Comments(game)
    for number, line in enumerate(rounds_of(game), start=1):
        written = (f"{write_noted(noted, game.book)}{comments.write(noted)}" for noted in line)
        yield f"{number}. {' '.join(written)}"


class Comments:
    """The comments of a game, taken in order while the record is written: a comment follows its turn."""

    def __init__(self, game: Game) -> None:
        self._waiting = sorted(((made, said) for made, said in game.comments.items() if made), reverse=True)

    def of(self, noted: RecordEntry) -> str | None:
        """Return the comments that belong to an entry, or None.

        Comments of earlier entries must have been taken before.
        """
        found: list[str] = []
        while self._waiting and self._waiting[-1][0] <= noted.made:
            found.append(check_comment(self._waiting.pop()[1]))
        return " ".join(found) or None

    def write(self, noted: RecordEntry) -> str:
        said = self.of(noted)
        return "" if said is None else f" {{{said}}}"


def rounds_of(game: Game) -> Iterator[list[RecordEntry]]:
    """Yield the entries of a record, one list per round of the table."""
    line: list[RecordEntry] = []
    last: int | None = None  # the seat of the turn before
    waiting: list[RecordEntry] = []  # entries that belong to the next turn
    for noted in iterate_notes(game.steps):
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
    """Return whether a new round begins when `seat` is on turn after `before`."""
    seats = len(game.players)
    return (seat - game.first) % seats <= (before - game.first) % seats


def write_noted(noted: RecordEntry, book: RuleBook) -> str:
    """Return an entry as text: a turn, or the sign for a player who was skipped (`-`), left (`-2`) or came (`+2`)."""
    what = noted.what
    if isinstance(what, Turn):
        return write_turn(what, book)
    if isinstance(what, Skip):
        return SKIP
    return f"{SKIP if isinstance(what, Leave) else COME}{what.seat}"


def _write_totals(game: Game) -> str:
    totals = " ".join(str(card.total) for card in game.position.cards)
    return f"{'=' if game.is_over else '*'} {totals}"


def read_game(text: str, book: AnyBook | None = None) -> Game:
    """Return a game from its record, with every move, all points and the totals checked.

    House rules must be given as `book` (a path or a `RuleBook`), or be in the record. Raise MalformedError if the text
    cannot be read, IllegalRecord if the moves break the rules, UnknownBook for other rules. Errors have `line` and
    `column`.

    >>> game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.seeded(7))
    >>> _ = game.roll(), game.mark("chance")
    >>> fd.read_game(fd.write_game(game)) == game
    True
    """
    return read_record(text, book, 1)


def read_record(text: str, book: AnyBook | None, first: int) -> Game:
    """Return the game of a record that begins at line `first` of a longer text."""
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    lines = [RecordLine(number, line.rstrip()) for number, line in enumerate(_split_lines(text), first) if line.strip()]
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
        _add_comment(game, opening[1])
        del body[0]
    last = None
    for number, line in enumerate(body[:-1], start=1):
        last = _replay_round(game, number, line, last, is_last=number == len(body) - 1)
    with placed(body[-1].number):
        check_totals(game, body[-1].text)
    return game


class RecordLine(NamedTuple):
    """A line of a record with its number in the text."""

    number: int
    text: str


def _split_lines(text: str) -> list[str]:
    """Return the lines of a text without its byte order mark. Carriage returns are stripped later, like blanks."""
    return text.removeprefix(BYTE_ORDER_MARK).split("\n")


class placed:  # noqa: N801 - used like a function; a generator-based context manager takes three times as long
    """Add the place in the text to errors that are raised inside, unless they have one already."""

    def __init__(self, line: int | None, column: int = 1) -> None:
        self._line, self._column = line, column

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MalformedError | IllegalError | UnknownBook) and error.line is None and self._line:
            error.line, error.column = self._line, self._column


def _read_tags(lines: Iterable[RecordLine]) -> dict[str, tuple[list[str], int]]:
    """Return the values of each tag, with its line."""
    tags: dict[str, tuple[list[str], int]] = {}
    for line in lines:
        with placed(line.number):
            found = _TAG(line.text)
            if found is None:
                raise MalformedError("notation.bad-tag", text=quote(line.text))
            name, values = found[1], [_unquote(value) for value in _STRING.findall(found[2])]
            if name in tags:
                raise MalformedError("notation.tag-twice", name=quote(name))
            if name not in OWN_TAGS and len(tags.keys() - OWN_TAGS) == MOST_TAGS:
                raise MalformedError("notation.tag-too-many", text=quote(line.text), most=MOST_TAGS)
            tags[name] = values, line.number
    return tags


def _unquote(value: str) -> str:
    try:
        text: str = json.loads(value)
    except ValueError:
        raise MalformedError("notation.bad-quotes", text=quote(value)) from None
    return text


def open_game(tags: dict[str, list[str]], book: AnyBook | None, lines: Mapping[str, int] = NOWHERE) -> Game:
    """Return the game before its first move, from the tags of a record.

    `lines` has the lines of the tags, for errors.
    """
    anywhere = min(lines.values(), default=None)
    with placed(lines.get("Fivedice")):
        if (version := _read_single(tags, "Fivedice", FORMAT)) != FORMAT:
            raise MalformedError("notation.unknown-format", format=quote(version), known=FORMAT)
    with placed(lines.get("Book", anywhere)):
        key = _read_single(tags, "Book", None)
    with placed(lines.get("Fingerprint", lines.get("Book"))):
        recorded = _read_single(tags, "Fingerprint", None) if "Fingerprint" in tags else None
    with placed(lines.get(RULES)):
        own = _read_rules(_read_single(tags, RULES, None)) if RULES in tags and book is None else book
    with placed(lines.get("Book")):
        rules = resolve_book(key, own, recorded)
    with placed(lines.get("Fingerprint")):
        if recorded not in (None, rules.fingerprint):
            args = {"key": quote(rules.key), "recorded": quote(recorded), "fingerprint": rules.fingerprint}
            raise IllegalRecord("notation.other-fingerprint", **args)
    players = tags.get("Players", ["Player"])
    with placed(lines.get("RollOff")):
        roll_off = _read_roll_off(rules, len(players), tags["RollOff"]) if "RollOff" in tags else None
    with placed(lines.get("First")):
        first = None if roll_off is not None and "First" not in tags else _read_seat(_read_single(tags, "First", "0"))
    with placed(lines.get("Absent")):
        absent = [_read_seat(text) for text in tags.get("Absent", [])]
    with placed(lines.get("Players", anywhere)):
        game = Game.new(rules, players, dice=real(), first=first, roll_off=roll_off, out=absent)
    for name in tags.keys() - OWN_TAGS:
        with placed(lines.get(name)):
            _read_single(tags, name, None)
    game.tags = {name: values[0] for name, values in tags.items() if name not in OWN_TAGS}
    game.recorded_as = key
    return game


@lru_cache(maxsize=64)  # the games of a file often have the same rules
def _read_rules(text: str) -> RuleBook:
    """Return the house rules in a record. They can extend shipped rules only, so no file is opened."""
    try:
        return load_kept(text)
    except BookError as error:
        raise IllegalRecord("notation.bad-rules", line=error.line or 1, reason=error.message) from None


def _read_single(tags: dict[str, list[str]], name: str, default: str | None) -> str:
    values = tags.get(name, [default] if default is not None else [])
    if len(values) != 1:
        raise MalformedError("notation.one-value", name=quote(name), count=len(values))
    return values[0]


def _read_seat(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise MalformedError("notation.bad-seat", text=quote(text))
    return int(text)


def _read_roll_off(rules: RuleBook, seats: int, throws: list[str]) -> RollOff:
    if len(throws) > MOST_ROLL_OFFS:
        beyond = quote(throws[MOST_ROLL_OFFS])
        raise MalformedError("notation.roll-off-too-long", most=MOST_ROLL_OFFS, count=len(throws), text=beyond)
    return RollOff.of(rules, seats, map(Roll.parse, throws))


def _replay_round(game: Game, number: int, line: RecordLine, last: int | None, *, is_last: bool) -> int | None:
    """Play one line of a record. `last` is the seat on turn at the end of the line before; return that of this line."""
    with placed(line.number):
        pieces = _split_line(number, line.text)
    noted = [text for _, text in pieces if not _COMMENT(text)]
    begun = False
    for column, text in pieces:
        with placed(line.number, column):
            said = _COMMENT(text)
            if said is not None:
                _add_comment(game, said[1])
                continue
            seat, move = game.position.seat, _read_order_move(text)
            if not isinstance(move, Leave | Come):
                _check_place(game, number, last, len(noted), begun=begun)
                last, begun = seat, True
            if move is not None:
                replay_order(game, move, "notation.in-round", number=number, text=quote(text))
            else:
                replay_turn(game, read_turn(text, game.book), "notation.in-round", number=number, text=quote(text))
    if not is_last and isinstance(_read_order_move(noted[-1]), Leave | Come):  # they belong to the next turn
        with placed(line.number):
            raise MalformedError("notation.bad-round", number=number, text=quote(line.text))
    return last


def _split_line(number: int, line: str) -> list[tuple[int, str]]:
    """Return the entries of a line with their columns. Raise MalformedError if the line has another form."""
    first, *pieces = [(piece.start() + 1, piece[0]) for piece in _PIECES(line)]
    found = _ROUND(first[1])
    said = [_COMMENT(text) is not None for _, text in pieces]
    plain = " ".join([first[1], *(text for _, text in pieces)]) == line
    in_order = not any(map(and_, said, [True, *said]))  # one comment at most, after its turn
    if found is None or int(found[1]) != number or not plain or not in_order or not pieces:
        raise MalformedError("notation.bad-round", number=number, text=quote(line))
    return pieces


def _add_comment(game: Game, text: str) -> None:
    if text.strip():
        game.comment(text)


def _read_order_move(text: str) -> Skip | Leave | Come | None:
    """Return the move that a sign stands for, or None for a turn."""
    found = _ORDER(text)
    if found is None:
        return None
    if found[2] is None:
        return Skip()
    return Leave(int(found[2])) if found[1] == SKIP else Come(int(found[2]))


def _check_place(game: Game, number: int, last: int | None, turns: int, *, begun: bool) -> None:
    """Raise MalformedError unless each line is one round of the table; the last may be incomplete."""
    if last is None:
        return
    unfinished = game.position.rolls_left < game.position.rolls_in_turn
    new_round = _is_round(game, last, game.position.seat)
    if begun and new_round and not unfinished:
        raise MalformedError("notation.too-many-turns", number=number, turns=turns, count=len(game.players))
    if not begun and (unfinished or not new_round):
        raise MalformedError("notation.round-too-early", number=number, before=number - 1)


def replay_turn(game: Game, turn: Turn, kind: str, **place: object) -> None:
    """Play a recorded turn. Raise IllegalRecord with its place in the record if the rules refuse it."""
    player = game.players[game.position.seat]
    if game.position.rolls_left < game.position.rolls_in_turn:
        raise IllegalRecord(kind, **place, player=player, reason=message("notation.unfinished-turn"))
    try:
        replay(game, turn)
    except IllegalError as error:
        raise IllegalRecord(kind, **place, player=player, reason=error.message) from None


def replay_order(game: Game, move: Skip | Leave | Come, kind: str, **place: object) -> None:
    """Let a player be skipped, leave or come as recorded. Raise IllegalRecord if the rules refuse it."""
    player = game.players[game.position.seat]
    try:
        game.play(move)
    except IllegalError as error:
        raise IllegalRecord(kind, **place, player=player, reason=error.message) from None


def check_totals(game: Game, line: str) -> None:
    """Raise IllegalRecord unless the last line has the totals of the cards and says whether the game is finished."""
    if line != _write_totals(game):
        raise IllegalRecord("notation.other-totals", right=quote(_write_totals(game)), written=quote(line))
