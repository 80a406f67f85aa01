"""Cards, positions and games as dictionaries for JSON; and texts with several games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Come, Game, Hold, Leave, Mark, Position, Scorecard, Skip, Throw
from fivedice.core.game.playthrough import check_comment
from fivedice.core.notation.cards import (
    RecordEntry,
    Turn,
    TurnMove,
    check_card_count,
    check_position,
    iterate_notes,
    resolve_book,
)
from fivedice.core.notation.records import (
    BYTE_ORDER_MARK,
    FORMAT,
    LONGEST_RECORD,
    Comments,
    check_from_start,
    check_tags,
    open_game,
    placed,
    read_record,
    replay_order,
    replay_turn,
)
from fivedice.core.rules import MAX_ROLLS, AnyBook, RuleBook
from fivedice.errors import IllegalRecord, MalformedError, quote

LARGEST = 10**6  # far above any valid number


def card_to_json(card: Scorecard) -> dict[str, Any]:
    """Return a card with its totals. `card_from_json` ignores the totals.

    >>> fd.notation.card_to_json(fd.Scorecard.of("yahtzee", {"aces": 3}))["marks"]
    {'aces': 3}
    """
    boxes = zip(card.book.boxes, card.marks, strict=True)
    totals = card.totals
    rarely = {"saved": card.saved} if card.book.save_rolls else {}
    rarely |= {} if card.extra is None else {"extra": card.extra}
    return {
        "marks": {box.key: points for box, points in boxes if points is not None},
        "bonuses": card.bonuses,
        **rarely,
        "upper_total": totals.upper,
        "upper_bonus": totals.bonus,
        "lower_total": totals.lower,
        "total": totals.grand,
    }


def card_from_json(data: object, book: AnyBook) -> Scorecard:
    """Return a card from its JSON form; totals are not read. `book` is a key, a path or a `RuleBook`.

    Raise MalformedError if `data` is not such a form, IllegalCard if the rules do not allow the card.

    >>> fd.notation.card_from_json({"marks": {"aces": 3}}, "yahtzee").total
    3
    """
    extra = _read_field(data, "extra", int) if _has_value(data, "extra") else None
    saved, marks = _read_field(data, "saved", int, 0), _read_field(data, "marks", dict)
    return Scorecard.of(book, marks, _read_field(data, "bonuses", int, 0), saved=saved, extra=extra)


def position_to_json(position: Position) -> dict[str, Any]:
    """Return the five fields of a position. Dice are written as in the text form.

    >>> fd.notation.position_to_json(fd.Position.start("yahtzee", 1))["rolls_left"]
    3
    """
    return {
        "book": position.book.key,
        "cards": [card_to_json(card) for card in position.cards],
        "seat": position.seat,
        "dice": str(position.dice),
        "rolls_left": position.rolls_left,
    }


def position_from_json(data: object, book: AnyBook | None = None) -> Position:
    """Return a position from its JSON form. House rules must be given as `book`: a path or a `RuleBook`.

    Raise MalformedError if the form is wrong, IllegalError if no game has this position, UnknownBook for other rules.

    >>> data = fd.notation.position_to_json(fd.read_position("yahtzee - 0 24466 2"))
    >>> fd.notation.position_from_json(data).roll
    Roll.parse('24466')
    """
    rules = resolve_book(_read_field(data, "book", str), book)
    cards = tuple(card_from_json(card, rules) for card in check_card_count(_read_field(data, "cards", list)))
    if not cards:
        raise MalformedError("notation.no-cards")
    dice = Keep.parse(_read_field(data, "dice", str))
    position = Position(cards, _read_field(data, "seat", int), dice, _read_field(data, "rolls_left", int))
    check_position(position, data)
    return position


def game_to_json(game: Game) -> dict[str, Any]:
    """Return a game, finished or not. Turns have a seat only if players were skipped, left or came.

    Raise IllegalRecord if the game did not begin with empty cards.

    >>> game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.scripted("24466"))
    >>> _ = game.roll(), game.mark("chance")
    >>> fd.notation.game_to_json(game)["totals"]
    [22]
    """
    check_from_start(game)
    notes, said = tuple(iterate_notes(game.steps)), Comments(game)
    odd = bool(game.start.out) or not all(isinstance(noted.what, Turn) for noted in notes)
    return {
        "format": int(FORMAT),
        "book": game.recorded_as,
        "fingerprint": game.book.fingerprint,
        "players": list(game.players),
        "first": game.first,
        "roll_off": None if game.roll_off is None else [str(roll) for roll in game.roll_off.throws],
        "tags": dict(check_tags(game.tags)),
        **({"absent": sorted(game.start.out)} if game.start.out else {}),
        **({"comment": check_comment(game.comments[0])} if 0 in game.comments else {}),
        "turns": [_noted_to_json(noted, said.of(noted), odd=odd) for noted in notes],
        "finished": game.is_over,
        "totals": [card.total for card in game.position.cards],
    }


def game_from_json(data: object, book: AnyBook | None = None) -> Game:
    """Return a game from its JSON form, with every move, all points and the totals checked.

    House rules must be given as `book`, or be in the tags. Raise MalformedError if `data` is not such a form,
    IllegalRecord if the moves break the rules, UnknownBook for other rules.

    >>> game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.scripted("24466"))
    >>> _ = game.roll(), game.mark("chance")
    >>> fd.notation.game_from_json(fd.notation.game_to_json(game)) == game
    True
    """
    game = open_game(_tags_from_json(data), book)
    _comment_from_json(game, data)
    for number, turn in enumerate(_read_field(data, "turns", list), start=1):
        move = _order_from_json(turn)
        if move is None:
            replay_turn(game, _turn_from_json(turn, game.book), "notation.in-turn", number=number)
        else:
            replay_order(game, move, "notation.in-turn", number=number)
        _comment_from_json(game, turn)
    totals = [card.total for card in game.position.cards]
    if _read_field(data, "totals", list) != totals or _read_field(data, "finished", bool) != game.is_over:
        raise IllegalRecord("notation.other-state", totals=tuple(totals), finished=str(game.is_over).lower())
    return game


def _tags_from_json(data: object) -> dict[str, list[str]]:
    """Return the head of the game as the tags of its text form."""
    tags = {
        "Fivedice": [str(_read_field(data, "format", int, int(FORMAT)))],
        "Book": [_read_field(data, "book", str)],
        "Players": _check_texts(_read_field(data, "players", list)),
        "First": [str(_read_field(data, "first", int, 0))],
    }
    if _has_value(data, "fingerprint"):
        tags["Fingerprint"] = [_read_field(data, "fingerprint", str)]
    if _has_value(data, "roll_off"):
        tags["RollOff"] = _check_texts(_read_field(data, "roll_off", list))
    if _has_value(data, "absent"):
        tags["Absent"] = [str(seat) for seat in _read_field(data, "absent", list)]
    extra = check_tags(_read_field(data, "tags", dict, {}))
    return tags | {name: [value] for name, value in extra.items()}


def _comment_from_json(game: Game, data: object) -> None:
    if _has_value(data, "comment"):
        game.comment(_read_field(data, "comment", str))


def _noted_to_json(noted: RecordEntry, said: str | None, *, odd: bool) -> dict[str, Any]:
    what, comment = noted.what, {} if said is None else {"comment": said}
    if isinstance(what, Turn):
        return ({"seat": noted.seat} if odd else {}) | _turn_to_json(what) | comment
    kind = "skip" if isinstance(what, Skip) else "leave" if isinstance(what, Leave) else "come"
    return {kind: noted.seat} | comment


def _order_from_json(data: object) -> Skip | Leave | Come | None:
    if _has_value(data, "skip"):
        return Skip()
    if _has_value(data, "leave"):
        return Leave(_read_field(data, "leave", int))
    return Come(_read_field(data, "come", int)) if _has_value(data, "come") else None


def _turn_to_json(turn: Turn) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "rolls": [str(move.roll) for move in turn.moves if isinstance(move, Throw)],
        "keeps": [str(move.keep) for move in turn.moves if isinstance(move, Hold)],
    }
    if turn.by_points:
        shown |= {"by_points": True} | ({"saved": turn.saved} if turn.saved else {})
    for move in turn.moves:
        if isinstance(move, Throw) and move.last:
            shown |= {"final_dice": True} | ({"saved": move.saved} if move.saved else {})
    last = turn.moves[-1]
    if isinstance(last, Mark):
        shown |= {"box": last.box, "points": turn.points, "joker": turn.joker}
    return shown


def _turn_from_json(data: object, book: RuleBook) -> Turn:
    if _read_field(data, "by_points", bool, default=False):
        return _points_from_json(data, book)
    final = _read_field(data, "final_dice", bool, default=False)
    saved, most = _read_field(data, "saved", int, 0), max(MAX_ROLLS, book.most_rolls)
    rolls = [Throw(Roll.parse(text), final, saved) for text in _check_texts(_read_field(data, "rolls", list))]
    keeps = [Hold(Keep.parse(text)) for text in _check_texts(_read_field(data, "keeps", list))]
    if not rolls or len(rolls) - len(keeps) not in (0, 1):
        raise MalformedError("notation.rolls-and-keeps", turn=quote(data))
    if len(rolls) > most:
        raise MalformedError("notation.too-many-rolls-noted", text=quote(data), count=len(rolls), most=most)
    if final and (len(rolls) > 1 or keeps):
        raise MalformedError("notation.final-dice-alone", turn=quote(data))
    moves: list[TurnMove] = [move for pair in zip(rolls, keeps, strict=False) for move in pair]
    moves += rolls[len(keeps) :]
    if not _has_value(data, "box"):
        return Turn(tuple(moves))
    mark, points = _read_mark(data, book), _read_field(data, "points", int)
    return Turn((*moves, mark), points, _read_field(data, "joker", bool, default=False))


def _points_from_json(data: object, book: RuleBook) -> Turn:
    """Return a turn of which only the points were noted."""
    if _has_value(data, "final_dice") or any(_read_field(data, name, list, []) for name in ("rolls", "keeps")):
        raise MalformedError("notation.points-alone", turn=quote(data))
    joker, saved = _read_field(data, "joker", bool, default=False), _read_field(data, "saved", int, 0)
    return Turn((_read_mark(data, book),), _read_field(data, "points", int), joker, by_points=True, saved=saved)


def _read_mark(data: object, book: RuleBook) -> Mark:
    return Mark(book.box(_read_field(data, "box", str)).key)


def _has_value(data: object, key: str) -> bool:
    return isinstance(data, dict) and data.get(key) is not None


def _read_field(data: object, key: str, kind: type, default: Any = None) -> Any:
    """Return a value of a JSON object. Raise MalformedError if it has another type; a bool is not a number here."""
    if not isinstance(data, dict):
        raise MalformedError("notation.not-an-object", value=quote(data))
    value = data.get(key, default)
    if type(value) is not kind:
        raise MalformedError("notation.wrong-type", key=quote(key), type=kind.__name__, value=quote(value))
    if isinstance(value, int) and abs(value) > LARGEST:
        raise MalformedError("notation.too-large", key=quote(key), most=LARGEST, value=quote(value))
    return value


def _check_texts(values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise MalformedError("notation.not-texts", values=quote(values))
    return values


MOST_RECORDS = 10_000  # in one text

_is_json = re.compile(r"\s*(\{|\[\s*[\]{])").match
_BEGINNINGS = re.compile(rf"^(?={BYTE_ORDER_MARK}?\[Fivedice )", flags=re.MULTILINE)


def read_games(text: str, book: AnyBook | None = None) -> list[Game]:
    """Return all games of a text: one or several records, or the JSON of one game or a list of games.

    House rules must be given as `book`, or be in the records. Raise as `read_game` does.

    >>> game = fd.Game.new("yahtzee", ["Ann"])
    >>> len(fd.read_games(fd.write_game(game) + fd.write_game(game)))
    2
    """
    return list(iterate_games(text, book))


def iterate_games(text: str, book: AnyBook | None = None) -> Iterator[Game]:
    """Yield the games of `read_games` one by one, for callers that may stop early."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if _is_json(text):
        read = _parse_json(text)
        yield from (game_from_json(each, book) for each in _check_count(read if isinstance(read, list) else [read]))
        return
    several = len(_BEGINNINGS.findall(text)) > 1  # the tags of a single record may have any order
    parts = _BEGINNINGS.split(text) if several else [text]
    firsts = accumulate((part.count("\n") for part in parts), initial=1)
    kept = [(part, first) for part, first in zip(parts, firsts, strict=False) if part.strip()]
    _check_count([part for part, _ in kept])
    yield from (read_record(part, book, first) for part, first in kept)


def _check_count(records: list[Any]) -> list[Any]:
    if len(records) > MOST_RECORDS:
        beyond = quote(records[MOST_RECORDS])
        raise MalformedError("notation.too-many-records", most=MOST_RECORDS, count=len(records), text=beyond)
    return records


def _parse_json(text: str) -> Any:
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        with placed(getattr(error, "lineno", None), getattr(error, "colno", 1)):
            raise MalformedError("notation.not-json", text=quote(text), why=str(error)) from None
