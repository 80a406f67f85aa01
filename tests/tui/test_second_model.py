"""Books with saved rolls, several bonuses and steps, on screen and line by line."""

import io

import pytest

from fivedice.core.notation import read_game
from fivedice.core.rules import RuleBook, write_book
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from fivedice.terminal.plain_table import PlainTable
from fivedice.terminal.session import PlayOptions, Session
from rules.second_houses import SAVING, STEPPED
from tui.keyboard import best_box, cells, message_of, press, score_by_key, settle, walk_to


def start(tables: Tables, book: RuleBook, *names: str) -> Session:
    return Session.start(tables, PlayOptions(book, names or ("Ann",), write_book(book), seed="3"))


def say(session: Session, *lines: str) -> list[str]:
    out = io.StringIO()
    PlainTable(session, io.StringIO("".join(f"{line}\n" for line in lines)), out).play()
    return out.getvalue().splitlines()


@pytest.mark.asyncio
async def test_whole_game_with_saved_rolls(tables, show):
    app = show(start(tables, SAVING, "Ann", "Bob"))
    most = 0
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        assert message_of(app, "rolls") == "3 rolls this turn"
        while app.session.state.phase is Phase.PLAYING:
            card = app.session.game.position.card
            most = max(most, card.saved)
            waits = card.filled.bit_count() % 2  # every other turn uses all that it has
            await pilot.press("r")
            while waits and app.session.game.position.rolls_left:
                await pilot.press("1", "r")
            assert message_of(app, "rolls").startswith("No rolls left" if waits else "Roll 1 of ")
            await score_by_key(pilot, best_box(app.session), walk_to)
            await settle(pilot)
        assert most == 2, "rolls were saved"
        assert app.session.game.is_over
        assert "extra-saved_rolls" not in cells(app), "saved rolls count for nothing at the end"
        record = app.session.record
    again = read_game(record, SAVING)
    assert [card.saved for card in again.position.cards] == [0, 0]


@pytest.mark.asyncio
async def test_saved_rolls_are_shown_below_every_column(tables, show):
    app = show(start(tables, SAVING, "Ann", "Bob"))
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("r")
        assert message_of(app, "rolls") == "Roll 1 of 3, 2 left to use or save"
        first = app.session.state.on_turn
        await score_by_key(pilot, "chance")
        await settle(pilot)
        assert cells(app, first)["extra-saved_rolls"] == "2"
        assert cells(app, 1 - first)["extra-saved_rolls"] == "0"
        await pilot.press("r")
        await score_by_key(pilot, "chance")
        assert message_of(app, "rolls") == "5 rolls this turn, 2 of them saved"


@pytest.mark.asyncio
async def test_each_bonus_shows_its_requirement(tables, show):
    session = start(tables, STEPPED)
    app = show(session)

    async def at(role: str) -> str:
        sheet = app.table.board.sheet
        sheet.move_cursor(row=sheet.get_row_index(f"bonus-{role}"))
        await pilot.pause()
        return message_of(app, "why")

    async with app.run_test(size=(80, 40)) as pilot:
        upper = "Bonus: 10 points from 5 and 25 points from 8 above."
        assert await at("bonus") == f"{upper} You are on pace."
        assert await at("bonus.odd") == "Odd couple, for Aces and Chance together: 3 points from 9. You have 0 so far."
        assert cells(app)["bonus-bonus.low"] == "0"


def test_line_by_line_with_steps_and_further_bonuses(tables):
    session = start(tables, STEPPED)
    out = say(session, "roll", "score chance", "score twos", "roll", "score aces", "sheet", "quit")
    assert any("The Upper section comes first." in line for line in out)
    assert "  Lower bonus: 0" in out
    assert "  Odd couple: 0" in out


def test_line_by_line_shows_saved_rolls(tables):
    session = start(tables, SAVING)
    out = say(
        session,
        "roll",
        "score chance",
        "score chance",
        "sheet",
        *["roll", "keep -", "keep -", "keep -", "keep -"],
        "quit",
    )
    assert any(line.endswith(". 5 rolls, 2 of them saved. Roll?") for line in out)
    assert "  Saved rolls: 2" in out
    assert any("4 rolls left. Keep or score?" in line for line in out)
    assert any("No rolls left. Score which box?" in line for line in out)


def pad(tables: Tables) -> Session:
    return Session.start(tables, PlayOptions(SAVING, ("Ann",), write_book(SAVING), pad=True))


def test_line_by_line_real_dice_save_rolls(tables):
    session = pad(tables)
    out = say(
        session,
        "final 144+1",
        "keep 4 11",
        "score pair",
        "final 122",
        "score twos",
        "written",
        "correct 1 -+2",
        "sheet",
    )
    assert any("Dice 1-4-4. 1 roll saved. Score which box?" in line for line in out)
    assert any(line.startswith("No:") for line in out), "final dice are not rolled again"
    assert "1. Ann: 1-4-4 in Pair, 8, 1 roll saved" in out
    assert session.game.position.card.saved == 0, "the second turn noted none"
    assert session.game.steps[0].move.saved == 2


def test_invalid_number_of_saved_rolls_is_refused(tables):
    out = say(pad(tables), "final 144+x", "final 144+7")
    assert sum(line.startswith("No:") for line in out) == 2


@pytest.mark.asyncio
async def test_real_dice_on_screen_save_rolls(tables, show):
    app = show(pad(tables))
    async with app.run_test(size=(80, 30)) as pilot:
        await press(pilot, "f", *"144", "plus", "1", "enter")
        assert message_of(app, "rolls") == "Final dice, 1 roll saved"
        assert app.table.board.button.disabled
        await score_by_key(pilot, "pair")
        await settle(pilot)
        assert message_of(app, "rolls") == "4 rolls this turn, 1 of them saved"
