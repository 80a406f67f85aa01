"""Keys and clicks at the table."""

import pytest
from textual.widgets import Static
from textual.widgets._footer import FooterKey

from fivedice.errors import FivediceError
from fivedice.solver import solve
from fivedice.table.state import Phase
from fivedice.terminal import end_report
from fivedice.terminal.game_lines import HintLines
from fivedice.terminal.session import Session
from fivedice.terminal.terminal_app import TableApp
from tui.keyboard import (
    TINY,
    best_box,
    cell,
    cells,
    click_box,
    deal,
    go_to,
    message_of,
    plan_of,
    press,
    score_by_key,
    screen_text,
    settle,
    walk_to,
)

pytestmark = pytest.mark.asyncio
ALONE, IN_PAIRS = [], []  # scenes that are played one after the other at a running table


def alone(scene):
    ALONE.append(scene)
    return scene


def in_pairs(scene):
    IN_PAIRS.append(scene)
    return scene


async def test_scenes_of_one_player(begin, show):
    app = show(begin())
    async with app.run_test(size=(80, 24)) as pilot:
        for scene in ALONE:
            await deal(pilot, begin())
            await scene(app, pilot)


async def test_scenes_of_two_players(begin, show):
    app = show(begin("yahtzee", "Ann", "Bob"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert message_of(app, "headline") == "Ann, your turn"
        assert message_of(app) == "Roll-off: Ann 20, Bob 10. Ann starts.", "the table opens with it"
        assert "Aces. Any dice showing 1: their total." in message_of(app, "why")
        for scene in IN_PAIRS:
            await deal(pilot, begin("yahtzee", "Ann", "Bob"))
            await scene(app, pilot)


@alone
async def held_dice_stay_and_are_marked_by_a_word(app, pilot):
    await pilot.press("r", "1", "3")
    before = app.session.state.slots
    assert app.table.board.dice.held == (0, 2)
    assert "1 kept" in str(app.table.board.dice.dice[0].render())
    await pilot.press("3", "r")
    assert app.session.state.slots[0] == before[0]
    assert app.session.state.held == (0,)
    assert message_of(app, "rolls") == "Roll 2 of 3, 1 left"


@alone
async def nothing_is_held_when_no_roll_is_left_or_none_was_made(app, pilot):
    await pilot.press("1")
    assert app.table.board.dice.held == ()
    await pilot.press("r", "r", "r", "1")
    assert app.table.board.dice.held == ()
    assert message_of(app) == "No rolls left. Score a box."
    await pilot.press("r")
    assert "left" in message_of(app)
    assert len(app.session.state.rolls) == 3


@alone
async def digits_instead_of_pips(app, pilot):
    await pilot.press("r", "d")
    faces = "".join(str(die.face) for die in app.table.board.dice.dice)
    assert all(face in str(die.render()) for face, die in zip(faces, app.table.board.dice.dice, strict=True))
    assert "●" not in str(app.table.board.dice.dice[0].render())
    await pilot.press("d")
    assert "●" in str(app.table.board.dice.dice[0].render())


@alone
async def an_avoidable_zero_is_asked_about_and_moving_away_forgets_the_question(app, pilot):
    await pilot.press("r")  # 5 1 3 1 3
    await go_to(pilot, "twos")
    await pilot.press("enter")
    assert "Twos would score 0" in message_of(app)
    await pilot.press("down", "up", "enter")
    assert app.session.state.slots, "asked again, not scored"
    await pilot.press("enter")
    assert app.session.game.position.cards[0].held("twos") == 0


@alone
async def a_double_click_on_a_zero_only_asks(app, pilot):
    await pilot.press("r")
    await click_box(pilot, "twos", times=2)
    assert app.session.state.slots
    assert "Twos would score 0" in message_of(app)
    await click_box(pilot, "twos")
    assert not app.session.state.slots, "a click of its own confirms"


@in_pairs
async def a_click_in_a_column_that_is_not_on_turn_only_looks(app, pilot):
    await pilot.press("r")
    await click_box(pilot, "chance", column=2)
    assert app.session.state.slots
    assert app.table.board.sheet.box_at_cursor() == "chance"
    await click_box(pilot, "threes", column=0)
    assert app.session.game.position.cards[0].held("threes") == 6


@alone
async def clicks_beside_the_boxes_score_nothing(app, pilot):
    await pilot.resize_terminal(80, 30)
    await pilot.press("r")
    before = app.session.state.version
    for y in (0, 2, 9, 22, 27):  # the header, a heading, a sum, the grand total, below the sheet
        await pilot.click(app.table.board.sheet, offset=(2, y))
    assert app.session.state.version == before
    await pilot.resize_terminal(80, 24)


async def test_repeated_keys_and_separate_presses(begin) -> None:
    app = TableApp(begin(), bot_pause=0, roll_pause=3600)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r", "r", "space")
        await pilot.click("#roll", times=2)
        assert len(app.session.state.rolls) == 1
    app = TableApp(begin(), bot_pause=0, roll_pause=3600)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"r13r2r")
        assert len(app.session.state.rolls) == 3
        assert app.session.state.held == (0, 1, 2)


@alone
async def scoring_before_a_roll_says_what_to_do(app, pilot):
    await pilot.press("enter")
    assert message_of(app) == "Roll first."


@alone
async def the_cursor_explains_boxes_that_are_filled_and_the_bonus(app, pilot):
    await pilot.press("r")
    await score_by_key(pilot, "threes")
    await pilot.press("r")
    await go_to(pilot, "threes")
    assert message_of(app, "why") == "Threes already has 6."
    await walk_to(pilot, "sixes")
    await pilot.press("down")
    assert message_of(app, "why") == "Bonus: 35 points for 63 or more above. You are 3 points behind pace."
    assert cells(app)["bonus-bonus"] == "\N{MINUS SIGN}3"


@in_pairs
async def undo_puts_the_dice_back(app, pilot):
    await pilot.press("r")
    dice = app.session.state.slots
    await score_by_key(pilot, "chance")
    assert cell(app, "chance") == "13"
    await pilot.press("u")
    assert app.session.state.slots == dice
    assert cell(app, "chance") == "[13]"
    assert message_of(app) == "Ann took back the last score."
    await pilot.press("u")
    assert message_of(app) == "There is no score to take back."


async def test_undo_discards_the_bots_pending_move(begin):
    app = TableApp(begin("yahtzee", "Ann", bots=("casual",)), bot_pause=3600, roll_pause=0)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.session.state.on_turn == 0
        await pilot.press("r")
        dice, box = app.session.state.slots, best_box(app.session)
        await score_by_key(pilot, box)
        assert app.session.bot_is_next
        await pilot.press("u")
        state = app.session.state
        assert (state.on_turn, state.slots, state.put_by) == (0, dice, ())
        app.session.refresh()
        assert app.session.state.slots == dice, "no move of the bot came after it"


async def test_resizing_during_a_turn_loses_nothing(begin, show):
    app = show(begin("yatzy", "Ann", "Bob", "Cy"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", "2", "5")
        await go_to(pilot, "full_house")
        dice, words = app.session.state.slots, message_of(app)
        for size in ((40, 20), (120, 40), (60, 40), (20, 8), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert app.table.board.dice.held == (1, 4), size
            assert app.table.board.sheet.box_at_cursor() == "full_house", size
            assert (app.session.state.slots, message_of(app)) == (dice, words), size
        await pilot.press("r")
        assert app.session.state.held == (1, 4)
        await pilot.press("enter", "enter")
        assert app.session.state.last_score is not None


async def test_many_players_scroll_sideways(begin, show):
    app = show(begin("yahtzee", *(f"Player {number}" for number in range(12))))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for number in range(12):
            if number % 3:  # every third by keys
                app.session.roll()
                app.session.score(best_box(app.session))
                continue
            await pilot.press("r")
            box, seat = best_box(app.session), app.session.state.on_turn
            await score_by_key(pilot, box)
            state = app.session.state
            assert (state.last_scorer, state.on_turn) == (seat, (seat + 1) % 12)
            assert state.last_score.move.box == box


@in_pairs
async def the_next_game_is_begun_by_the_next_player(app, pilot):
    first = app.session.game.first
    while app.session.state.phase is Phase.PLAYING:
        app.session.roll()
        app.session.score(best_box(app.session))
    finished = app.session.id
    await pilot.press("u", "n")
    assert app.session.id == finished, "nothing to begin while the last score is taken back"
    await press(pilot, "enter")
    await press(pilot, "n")
    assert app.session.id != finished
    assert app.session.game.first == 1 - first
    assert "Score to beat" in message_of(app)
    assert app.farewell() == "Saved. Continue with: fivedice play --resume"


@alone
async def help_and_record_open_and_close(app, pilot):
    await pilot.press("r", "question_mark")
    assert len(app.screen_stack) == 2
    await pilot.press("r", "1", "escape", "c")
    assert len(app.screen_stack) == 2
    await pilot.press("enter")
    assert len(app.screen_stack) == 1
    assert len(app.session.state.rolls) == 1, "keys on a page are not for the table below"


async def test_coach_with_quickly_solved_rules(tables, show):
    app = show(Session.start(tables, plan_of(TINY)))
    async with app.run_test(size=(80, 24)) as pilot:
        await hint_from_the_solver_itself(app, pilot)
        for scene in (one_key_takes_the_advice, training_speaks_up_before_a_move_is_made):
            await deal(pilot, Session.start(tables, plan_of(TINY, seed="21")))
            await scene(app, pilot)


async def hint_from_the_solver_itself(app, pilot):
    await press(pilot, "h")
    assert message_of(app) == "Roll first. There is nothing to choose yet."
    await press(pilot, "r", "h")
    assert message_of(app).startswith(("Keep", "Roll all 2 dice again", "Score"))
    assert " Expected points, and what each choice costs: " in message_of(app)
    assert " best " in message_of(app)
    assert "scores" not in message_of(app), "what they aim at is for those who ask again"
    await pilot.press("h")
    await pilot.pause()
    assert "scores" in str(app.screen.query_one("#page Static", Static).render())
    await press(pilot, "escape", "o")
    assert message_of(app).startswith("Expected totals, if everyone plays for points: Ann: ")
    assert message_of(app).endswith("Exact.")


async def one_key_takes_the_advice(app, pilot):
    """The dice are 6-1: the six is kept, and what falls then is scored."""
    await pilot.press("r", "y")
    assert len(app.session.state.rolls) == 1, "there is no advice yet"
    await press(pilot, "h")
    assert message_of(app).endswith("Y does it. H shows all of it.")
    await pilot.press("y")
    assert app.session.state.held == (0,)
    await press(pilot, "h")
    await pilot.press("h")
    await pilot.pause()
    await press(pilot, "y")
    assert len(app.screen_stack) == 1
    assert app.session.state.last_score is not None


async def test_hint_opens_a_page_in_small_windows(begin, show, monkeypatch):
    lines = [f"line {number} of the hint" for number in range(12)]
    monkeypatch.setattr("fivedice.terminal.live_table.hints", lambda *_, **__: HintLines(lines[:6], lines))
    app = show(begin())
    async with app.run_test(size=(40, 20)) as pilot:
        await press(pilot, "r", "h")
        assert len(app.screen_stack) == 2
        assert "line 11 of the hint" in screen_text(app)


async def test_wide_window_shows_coach_odds_and_log(begin, show, monkeypatch):
    monkeypatch.setattr(
        "fivedice.terminal.live_table.hints", lambda *_, **__: HintLines(["short"], ["all of the hint"])
    )
    monkeypatch.setattr("fivedice.terminal.live_table.expectations", lambda *_: ["Ann: 245"])
    app = show(begin("yahtzee", "Ann", "Bob"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "No turn yet." in screen_text(app)
        await press(pilot, "r", "s", "6", "enter", "enter", "r", "h")
        await press(pilot, "o")
        assert all(
            words in screen_text(app) for words in ("all of the hint", "Ann: 245", "1. Ann: 1-1-3-3-5 in Sixes, 0")
        )
        await press(pilot, "r")
        assert "all of the hint" not in screen_text(app), "it was for other dice"
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "The game so far" not in screen_text(app)


WAYS_TO_BOXES = [
    (["s", "4"], "fours"),
    (["s", "1", "3"], "chance"),
    (["s", "f", "h"], "full_house"),
    (["s", "l", "g"], "large_straight"),
    (["s", "4", "k"], "four_of_a_kind"),
    (["s", "c", "x", "backspace", "y"], "five_of_a_kind"),
    (["S", "L", "G"], "large_straight"),
    (["slash", "f", "h"], "full_house"),
    (["s", "9", "escape", "down"], "small_straight"),
]


async def test_numbers_and_letters_select_a_box(begin, show):
    app = show(begin())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        for keys, box in WAYS_TO_BOXES:
            await go_to(pilot, "aces")
            await pilot.press(*keys)
            assert app.table.board.sheet.box_at_cursor() == box, keys
            assert len(app.session.state.rolls) == 1, "letters of a box are no commands"
            await pilot.press("escape")


@alone
async def letters_of_no_box_are_said(app, pilot):
    await pilot.press("r", "s", "q")
    assert message_of(app).endswith("No box begins with 'q'.")
    assert len(app.session.state.rolls) == 1
    await pilot.press("escape")


async def test_capital_keys_act_even_if_boxes_start_with_them(begin, show, monkeypatch):
    """In Crag boxes begin with F, H, O, T and others."""
    hint = HintLines(["a hint"], ["all of the hint"])
    monkeypatch.setattr("fivedice.terminal.live_table.hints", lambda *_, **__: hint)
    monkeypatch.setattr("fivedice.terminal.live_table.expectations", lambda *_: ["the odds"])
    app = show(begin("crag"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("R", "2")
        assert len(app.session.state.rolls) == 1
        for key, words in {"H": "a hint", "O": "the odds", "T": "Training: you are warned", "S": "Box: "}.items():
            await press(pilot, key)
            assert message_of(app).startswith(words), key
        await press(pilot, "escape", "D", "H")
        assert "●" not in str(app.table.board.dice.dice[0].render())
        assert "all of the hint" in screen_text(app)
        await pilot.press("H")
        assert len(app.screen_stack) == 1, "capitals work on a page too"
        assert app.table.board.sheet.box_at_cursor() == "aces", "no key has moved the cursor"


@alone
async def the_foot_offers_only_what_works_while_a_box_is_looked_for(app, pilot):
    foot = lambda: {key.key_display for key in app.screen.query(FooterKey)}  # noqa: E731
    await press(pilot, "r")
    assert {"R", "S", "H", "⏎", "?"} <= foot()
    await press(pilot, "s")
    assert foot() == {"⏎", "?", "^P"}
    await press(pilot, "escape")
    assert {"R", "S", "H", "⏎", "?"} <= foot()


@alone
async def without_rolls_left_neither_button_nor_foot_offers_one(app, pilot):
    bright = app.table.board.button.styles.background
    await press(pilot, "r", "r", "r")
    assert app.table.board.button.disabled
    assert app.table.board.button.styles.background != bright
    roll = next(key for key in app.screen.query(FooterKey) if key.key_display == "R")
    assert roll._disabled
    await press(pilot, "enter")
    assert app.table.board.button.styles.background == bright


@alone
async def all_commands_can_be_searched(app, pilot):
    await press(pilot, "ctrl+p")
    await press(pilot, *"pips")
    await press(pilot, "enter")
    if len(app.screen_stack) > 1:
        await press(pilot, "enter")
    assert app.table.board.dice.dice[0].digits


async def test_end_shows_the_report(tables, show, monkeypatch):
    monkeypatch.setattr("fivedice.terminal.live_table.first_report", end_report.first_report)
    app = show(Session.start(tables, plan_of(TINY, seed="21")))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(2):
            await pilot.press("r")
            await score_by_key(pilot, best_box(app.session))
        await settle(pilot)
        assert "The report Ann: " in message_of(app)
        assert "expected at the start" in message_of(app)
        await pilot.press("e")
        await pilot.pause()
        assert "Accuracy: " in screen_text(app)


async def training_speaks_up_before_a_move_is_made(app, pilot):
    """The dice are 6-1: to hold the one is a mistake."""
    solve(app.session.state.book)
    await pilot.press("t")
    assert message_of(app) == "Training: you are warned before a move that costs more than 1 point."
    await pilot.press("r")
    assert app.session.state.slots == (6, 1)
    version = app.session.state.version
    await pilot.press("2", "r")
    assert message_of(app).startswith("That costs ")
    assert message_of(app).endswith(" Better: keep 6. Roll again to do it anyway; H shows more.")
    assert app.session.state.version == version, "nothing has happened"
    await go_to(pilot, "chance")
    await pilot.press("enter")
    assert message_of(app).startswith("That costs 4.9 points. Better: keep 6. Choose it again")
    assert app.session.state.version == version
    await pilot.press("r")
    assert message_of(app).startswith("That costs 5.8 points. Better: keep 6. Roll again")
    await pilot.press("r")
    assert app.session.state.version == version + 1, "said twice, it is meant"


async def test_no_hint_without_coach(begin, show):
    app = show(begin(coach=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r", "h")
        assert message_of(app) == "The coach is off in this game."


async def test_outdated_hint_is_not_shown(begin, show, monkeypatch):
    app = show(begin())

    def slow(position, progress, goal):  # noqa: ARG001
        app.session.score("chance")
        return HintLines(["keep 33"], ["keep 33"])

    monkeypatch.setattr("fivedice.terminal.live_table.hints", slow)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r", "h")
        assert "keep 33" not in message_of(app)


async def test_solving_shows_progress_and_stops_on_exit(begin, show, monkeypatch):
    app, seen = show(begin()), []

    def solving(position, progress, goal):  # noqa: ARG001
        progress(1, 4)
        app.table.leaving.set()
        with pytest.raises(FivediceError):
            progress(2, 4)
        seen.append("stopped")
        return HintLines([], [])

    monkeypatch.setattr("fivedice.terminal.live_table.hints", solving)
    monkeypatch.setattr("fivedice.terminal.board.Board.say", lambda _self, text: seen.append(text))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "r", "h")
    assert "Solving Yahtzee, only once: 25%. Play on." in seen
    assert "stopped" in seen


async def test_failed_write_is_reported_and_changes_nothing(begin, show, monkeypatch):
    app = show(begin())
    async with app.run_test(size=(80, 24)) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr("fivedice.store.table_store.Store.append", refuse)
            await pilot.press("r")
            assert "Games can’t be kept in" in message_of(app)
            assert "database is locked" in message_of(app)
        await pilot.press("r")
        assert app.session.state.slots


def refuse(*_, **__):
    import sqlite3

    from sqlalchemy.exc import OperationalError

    raise OperationalError("INSERT", {}, sqlite3.OperationalError("database is locked"))


async def test_failed_bot_waits_for_a_retry(begin, show, monkeypatch):
    app = show(begin("yahtzee", "Ann", bots=("random",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r")
        app.session.score("chance")
        with monkeypatch.context() as broken:
            broken.setattr("fivedice.store.table_store.Store.append", refuse)
            await press(pilot, "r")
            assert app.session.bot_is_next
        await press(pilot, "r")
        assert not app.session.bot_is_next


async def test_programming_error_leaves_the_screen(begin, show, monkeypatch):
    app = show(begin())
    monkeypatch.setattr(Session, "roll", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await press_roll(app)
    assert isinstance(app.failure, ZeroDivisionError)
    assert not app._exit_renderables, "no page of source code"


async def press_roll(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await pilot.pause()


async def test_changes_from_another_window_are_shown(begin, show, tables):
    app = show(begin())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        Session.resume(tables, app.session.id).score("chance")
        await score_by_key(pilot, "threes")
        assert "has changed since you looked" in message_of(app)
        assert cell(app, "chance") == "13"


async def test_exit_by_key_or_ctrl_c(begin, show):
    for key in ("q", "ctrl+c"):
        app = show(begin())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("r", key)
            await pilot.pause()
        assert app.table.leaving.is_set()
        assert app.return_code == 0
