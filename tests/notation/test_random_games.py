"""Ten thousand random games over all books: what is written can be read back, and everything adds up.

The campaign `exhaustive` plays all of them; `make test` every thirtieth, others every day.
"""

import json
import random

import pytest

import fivedice as fd
from fivedice.core import notation
from for_each import for_each
from long import few
from notation.players import Ledger, play_on, seat_game

pytestmark = pytest.mark.campaign

GAMES_EACH = 26
ALL_CHUNKS = range(30)  # 13 books x 30 x 26 = 10,140 games


def test_ten_thousand_games_are_planned() -> None:
    assert len(fd.SHIPPED) * len(ALL_CHUNKS) * GAMES_EACH >= 10_000


@for_each("chunk", few(ALL_CHUNKS, 1))
@for_each("book", fd.SHIPPED)
def test_random_games_round_trip(book: str, chunk: int) -> None:
    draw = random.Random(f"{book} {chunk}")
    for _ in range(GAMES_EACH):
        game = seat_game(book, draw)
        ledger = Ledger(book, len(game.players))
        stop = draw.random() < 0.1
        for position in play_on(game, ledger, draw):
            if draw.random() < 0.02:
                check_position(position)
                if stop:
                    break
        check_cards(game, ledger)
        check_text(game)
        check_json(game)


def check_position(position: fd.Position) -> None:
    text = fd.write_position(position)
    assert fd.read_position(text) == position
    data = notation.position_to_json(position)
    assert notation.position_from_json(json.loads(json.dumps(data))) == position


def check_cards(game: fd.Game, ledger: Ledger) -> None:
    for seat, card in enumerate(game.position.cards):
        held, extras = ledger.cards[seat], ledger.extras[seat]
        assert card == fd.Scorecard.of(game.book, held, extras, saved=ledger.saved(seat))
    totals = ledger.totals()
    assert [card.total for card in game.position.cards] == totals
    if game.is_over:
        assert game.winners == tuple(
            name for name, total in zip(game.players, totals, strict=True) if total == max(totals)
        )


def check_text(game: fd.Game) -> None:
    text = fd.write_game(game)
    again = fd.read_game(text)
    assert again.position == game.position
    assert again.moves == game.moves
    assert (again.players, again.first, again.tags) == (game.players, game.first, game.tags)
    assert fd.write_game(again) == text


def check_json(game: fd.Game) -> None:
    data = notation.game_to_json(game)
    again = notation.game_from_json(json.loads(json.dumps(data)))
    assert again.position == game.position
    assert again.moves == game.moves
    assert notation.game_to_json(again) == data
