"""The footer and the sheet's columns are never cut off, in any window and language."""

import pytest
from textual.binding import ActiveBinding, Binding
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from fivedice.table.state import Phase
from fivedice.terminal.layout import fit_keys
from fivedice.text import using
from fivedice.text.languages import ENGLISH, PSEUDO
from tui.keyboard import best_box, press, screen_text, settle


def bindings(**labels: str) -> dict[str, ActiveBinding]:
    return {
        action: ActiveBinding(None, Binding(action[0], action, label, key_display=action[0].upper()), True, "")  # type: ignore[arg-type]
        for action, label in labels.items()
    }


def named(found: dict[str, ActiveBinding]) -> list[str]:
    return [f"{each.binding.key_display} {each.binding.description}" for each in found.values()]


ALL = {"roll": "Roll", "odds": "Odds", "training": "Train", "help": "Help", "app.leave": "Quit", "palette": "All"}


def test_footer_drops_the_least_important_keys_first() -> None:
    found = bindings(**ALL)
    whole = len("R Roll O Odds T Train H Help A Quit P All")
    assert named(fit_keys(found, whole)) == named(found)
    assert list(fit_keys(found, whole - 1)) == [action for action in ALL if action != "palette"]
    assert list(fit_keys(found, 20)) == ["roll", "help", "app.leave"]
    assert list(fit_keys(found, 1)) == ["help", "app.leave"], "the way out stays, whatever happens"
    found = bindings(roll="Abcdefghij", odds="Klmnopqrst", help="Uvwxyz", **{"app.leave": "Quit"})
    assert named(fit_keys(found, 37)) == ["R Abcdefg…", "O Klmnopq…", "H Uvwxyz", "A Quit"]
    assert named(fit_keys(found, 30)) == ["R Abcd…", "O Klmn…", "H Uvwx…", "A Quit"]


@pytest.mark.asyncio
@pytest.mark.parametrize("language", [ENGLISH, PSEUDO])
async def test_footer_keys_are_whole_in_every_window(begin, show, language):
    with using(language):
        app = show(begin("yahtzee", "Ann", "Bob"))
        async with app.run_test(size=(80, 24)) as pilot:
            for width, height in ((80, 24), (40, 20), (30, 12), (200, 50), (61, 30)):
                await pilot.resize_terminal(width, height)
                await settle(pilot)
                keys = list(app.screen.query_one(Footer).query(FooterKey))
                assert {"?", "Q"} <= {key.key_display for key in keys}
                assert all(key.region.x >= 0 and key.region.right <= width for key in keys), (width, keys)


@pytest.mark.asyncio
async def test_column_on_turn_is_in_view(begin, show):
    app = show(begin("yahtzee", *(f"P{number}" for number in range(1, 11))))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(10):
            await press(pilot, "r", "enter")
            sheet, seat = app.table.board.sheet, app.session.state.on_turn
            column = sheet._get_column_region(seat + 1).translate((-round(sheet.scroll_x), 0))
            assert sheet._get_column_region(0).right <= column.x, "not below the names of the boxes"
            assert column.right <= sheet.scrollable_content_region.width


@pytest.mark.asyncio
async def test_long_sheet_scrolls_in_one_direction(begin, show):
    app = show(begin("maxi-yatzy", "Ann", "Bob"))
    async with app.run_test(size=(80, 22)) as pilot:
        await settle(pilot)
        assert app.table.board.sheet.max_scroll_y > 0
        assert app.table.board.sheet.max_scroll_x == 0


@pytest.mark.asyncio
async def test_no_hints_after_the_game(begin, show):
    session = begin("yahtzee", "Ann")
    while session.state.phase is Phase.PLAYING:
        session.roll()
        session.score(best_box(session))
    app = show(session)
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        side = screen_text(app)
        assert "The game so far" in side
        assert "H shows the best moves" not in side
        assert "O shows expected totals" not in side
