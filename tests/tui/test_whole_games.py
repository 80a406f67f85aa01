"""A whole game of each book but variants, by keyboard only and by mouse only.

`make exhaustive` plays all of them whole; `make test` plays the last turns of one by each hand.
"""

import pytest

from fivedice.core.game import sheet_lines
from fivedice.core.notation import read_game, write_game
from fivedice.table.state import Phase
from long import every_run, few, long_only
from tui.keyboard import best_box, cells, click_box, message_of, play_most, score_by_key, settle, walk_to

BOOKS = ("yardzee", "yahtzee", "yatzy", "yahtzee-classic", "kniffel", "kismet", "yacht", "crag", "maxi-yatzy")
pytestmark = [pytest.mark.asyncio, every_run]


@pytest.mark.parametrize("key", few(BOOKS, 1))
async def test_whole_game_by_keyboard_against_a_bot(begin, show, key):
    session = begin(key, "Ann", bots=("random",))
    play_most(session)
    app = show(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        while app.session.state.phase is Phase.PLAYING:
            await pilot.press("r", "3", "space")
            await score_by_key(pilot, next(iter(app.session.game.position.ruling().legal)), walk_to)
            await settle(pilot)
        assert_finished(app)


@long_only
@pytest.mark.parametrize("key", few(BOOKS[-2:] + BOOKS[:-2], 1))
async def test_whole_game_by_mouse_only(begin, show, key):
    session = begin(key, "Ann")
    play_most(session)
    app = show(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        while app.session.state.phase is Phase.PLAYING:
            await pilot.click("#roll")
            await pilot.click("#die-1")
            assert app.table.board.dice.held == (1,)
            await click_box(pilot, best_box(app.session))
            await settle(pilot)
        assert_finished(app)


def assert_finished(app):
    game = app.session.game
    assert game.is_over
    assert write_game(read_game(write_game(game))) == write_game(game)
    labels = [str(app.table.board.sheet.get_row(row.key)[0]).strip() for row in app.table.board.sheet.ordered_rows]
    assert len(labels) == len(sheet_lines(game.position.card)), "the finished sheet has every line"
    for seat, card in enumerate(game.position.cards):
        assert list(cells(app, seat).values())[-1] == str(card.total)
    assert "the new score to beat" in message_of(app)
    assert str(max(game.outcome.totals)) in message_of(app, "headline")
