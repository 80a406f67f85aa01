"""The same as JSON, for programs: cards, positions and games as plain dictionaries; and several games at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from fivedice.dice import Keep, Roll
from fivedice.errors import IllegalRecord, MalformedError, quote
from fivedice.game import Come, Game, Hold, Leave, Mark, Position, Scorecard, Skip, Throw
from fivedice.game.playthrough import checked_comment
from fivedice.notation.cards import Noted, Turn, TurnMove, bounded_cards, check_position, notes_of, resolve_book
from fivedice.notation.records import (
    BYTE_ORDER_MARK,
    FORMAT,
    LONGEST_RECORD,
    Comments,
    check_from_start,
    checked_tags,
    open_game,
    placed,
    read_record,
    replay_order,
    replay_turn,
)
from fivedice.rules import MAX_ROLLS, AnyBook, RuleBook

LARGEST = 10**6  # no number in a document is anywhere near


def card_to_json(card: Scorecard) -> dict[str, Any]:
    """A card with its totals; only the marks and the bonuses are read back."""
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
    """A card from its JSON form, checked against the book; totals that stand beside it are not read."""
    extra = _field(data, "extra", int) if _has(data, "extra") else None
    saved = _field(data, "saved", int, 0)
    return Scorecard.of(book, _field(data, "marks", dict), _field(data, "bonuses", int, 0), saved=saved, extra=extra)


def position_to_json(position: Position) -> dict[str, Any]:
    """The five fields of a position; dice are written as in the text form."""
    return {
        "book": position.book.key,
        "cards": [card_to_json(card) for card in position.cards],
        "seat": position.seat,
        "dice": str(position.dice),
        "rolls_left": position.rolls_left,
    }


def position_from_json(data: object, book: AnyBook | None = None) -> Position:
    """A position from its JSON form; give the book if it is not one of the shipped ones."""
    rules = resolve_book(_field(data, "book", str), book)
    cards = tuple(card_from_json(card, rules) for card in bounded_cards(_field(data, "cards", list)))
    if not cards:
        raise MalformedError("notation.no-cards")
    dice = Keep.parse(_field(data, "dice", str))
    position = Position(cards, _field(data, "seat", int), dice, _field(data, "rolls_left", int))
    check_position(position, data)
    return position


def game_to_json(game: Game) -> dict[str, Any]:
    """A game, finished or not; whose each turn is said only where people were skipped, left or came."""
    check_from_start(game)
    notes, said = tuple(notes_of(game.steps)), Comments(game)
    odd = bool(game.start.out) or not all(isinstance(noted.what, Turn) for noted in notes)
    return {
        "format": int(FORMAT),
        "book": game.recorded_as,
        "fingerprint": game.book.fingerprint,
        "players": list(game.players),
        "first": game.first,
        "roll_off": None if game.roll_off is None else [str(roll) for roll in game.roll_off.throws],
        "tags": dict(checked_tags(game.tags)),
        **({"absent": sorted(game.start.out)} if game.start.out else {}),
        **({"comment": checked_comment(game.comments[0])} if 0 in game.comments else {}),
        "turns": [_noted_to_json(noted, said.of(noted), odd=odd) for noted in notes],
        "finished": game.is_over,
        "totals": [card.total for card in game.position.cards],
    }


def game_from_json(data: object, book: AnyBook | None = None) -> Game:
    """A game from its JSON form, with every move, every score and the totals checked."""
    game = open_game(_tags(data), book)
    _comment_from_json(game, data)
    for number, turn in enumerate(_field(data, "turns", list), start=1):
        move = _order_from_json(turn)
        if move is None:
            replay_turn(game, _turn_from_json(turn, game.book), "notation.in-turn", number=number)
        else:
            replay_order(game, move, "notation.in-turn", number=number)
        _comment_from_json(game, turn)
    totals = [card.total for card in game.position.cards]
    if _field(data, "totals", list) != totals or _field(data, "finished", bool) != game.is_over:
        raise IllegalRecord("notation.other-state", totals=tuple(totals), finished=str(game.is_over).lower())
    return game


def _tags(data: object) -> dict[str, list[str]]:
    """The head of the game, as the tags that its text form would have."""
    tags = {
        "Fivedice": [str(_field(data, "format", int, int(FORMAT)))],
        "Book": [_field(data, "book", str)],
        "Players": _texts(_field(data, "players", list)),
        "First": [str(_field(data, "first", int, 0))],
    }
    if _has(data, "fingerprint"):
        tags["Fingerprint"] = [_field(data, "fingerprint", str)]
    if _has(data, "roll_off"):
        tags["RollOff"] = _texts(_field(data, "roll_off", list))
    if _has(data, "absent"):
        tags["Absent"] = [str(seat) for seat in _field(data, "absent", list)]
    extra = checked_tags(_field(data, "tags", dict, {}))
    return tags | {name: [value] for name, value in extra.items()}


def _comment_from_json(game: Game, data: object) -> None:
    if _has(data, "comment"):
        game.comment(_field(data, "comment", str))


def _noted_to_json(noted: Noted, said: str | None, *, odd: bool) -> dict[str, Any]:
    what, comment = noted.what, {} if said is None else {"comment": said}
    if isinstance(what, Turn):
        return ({"seat": noted.seat} if odd else {}) | _turn_to_json(what) | comment
    kind = "skip" if isinstance(what, Skip) else "leave" if isinstance(what, Leave) else "come"
    return {kind: noted.seat} | comment


def _order_from_json(data: object) -> Skip | Leave | Come | None:
    if _has(data, "skip"):
        return Skip()
    if _has(data, "leave"):
        return Leave(_field(data, "leave", int))
    return Come(_field(data, "come", int)) if _has(data, "come") else None


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
    if _field(data, "by_points", bool, default=False):
        return _points_from_json(data, book)
    final = _field(data, "final_dice", bool, default=False)
    saved, most = _field(data, "saved", int, 0), max(MAX_ROLLS, book.most_rolls)
    rolls = [Throw(Roll.parse(text), final, saved) for text in _texts(_field(data, "rolls", list))]
    keeps = [Hold(Keep.parse(text)) for text in _texts(_field(data, "keeps", list))]
    if not rolls or len(rolls) - len(keeps) not in (0, 1):
        raise MalformedError("notation.rolls-and-keeps", turn=quote(data))
    if len(rolls) > most:
        raise MalformedError("notation.too-many-rolls-noted", text=quote(data), count=len(rolls), most=most)
    if final and (len(rolls) > 1 or keeps):
        raise MalformedError("notation.final-dice-alone", turn=quote(data))
    moves: list[TurnMove] = [move for pair in zip(rolls, keeps, strict=False) for move in pair]
    moves += rolls[len(keeps) :]
    if not _has(data, "box"):
        return Turn(tuple(moves))
    return Turn((*moves, _mark(data, book)), _field(data, "points", int), _field(data, "joker", bool, default=False))


def _points_from_json(data: object, book: RuleBook) -> Turn:
    """A turn of which only the points were noted."""
    if _has(data, "final_dice") or any(_field(data, name, list, []) for name in ("rolls", "keeps")):
        raise MalformedError("notation.points-alone", turn=quote(data))
    joker, saved = _field(data, "joker", bool, default=False), _field(data, "saved", int, 0)
    return Turn((_mark(data, book),), _field(data, "points", int), joker, by_points=True, saved=saved)


def _mark(data: object, book: RuleBook) -> Mark:
    return Mark(book.box(_field(data, "box", str)).key)


def _has(data: object, key: str) -> bool:
    return isinstance(data, dict) and data.get(key) is not None


def _field(data: object, key: str, kind: type, default: Any = None) -> Any:
    """A value of the right type out of a JSON object; a bool is not a number here."""
    if not isinstance(data, dict):
        raise MalformedError("notation.not-an-object", value=quote(data))
    value = data.get(key, default)
    if type(value) is not kind:
        raise MalformedError("notation.wrong-type", key=quote(key), type=kind.__name__, value=quote(value))
    if isinstance(value, int) and abs(value) > LARGEST:
        raise MalformedError("notation.too-large", key=quote(key), most=LARGEST, value=quote(value))
    return value


def _texts(values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise MalformedError("notation.not-texts", values=quote(values))
    return values


MOST_RECORDS = 10_000  # in one text

_is_json = re.compile(r"\s*(\{|\[\s*[\]{])").match
_BEGINNINGS = re.compile(rf"^(?={BYTE_ORDER_MARK}?\[Fivedice )", flags=re.MULTILINE)


def read_games(text: str, book: AnyBook | None = None) -> list[Game]:
    """All games of a text: one record, or several one after the other; or the JSON of one, or a list of them."""
    return list(iterate_games(text, book))


def iterate_games(text: str, book: AnyBook | None = None) -> Iterator[Game]:
    """Read the same games one by one, for callers that may stop early."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if _is_json(text):
        read = _json(text)
        yield from (game_from_json(each, book) for each in _bounded(read if isinstance(read, list) else [read]))
        return
    several = len(_BEGINNINGS.findall(text)) > 1  # the tags of one alone may come in any order
    parts = _BEGINNINGS.split(text) if several else [text]
    firsts = accumulate((part.count("\n") for part in parts), initial=1)
    kept = [(part, first) for part, first in zip(parts, firsts, strict=False) if part.strip()]
    _bounded([part for part, _ in kept])
    yield from (read_record(part, book, first) for part, first in kept)


def _bounded(records: list[Any]) -> list[Any]:
    if len(records) > MOST_RECORDS:
        beyond = quote(records[MOST_RECORDS])
        raise MalformedError("notation.too-many-records", most=MOST_RECORDS, count=len(records), text=beyond)
    return records


def _json(text: str) -> Any:
    if len(text) > LONGEST_RECORD:
        raise MalformedError("notation.too-long", length=len(text), most=LONGEST_RECORD)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        with placed(getattr(error, "lineno", None), getattr(error, "colno", 1)):
            raise MalformedError("notation.not-json", text=quote(text), why=str(error)) from None
