"""Real dice at the terminal: what fell is typed in, and the rules are the table's."""

import pytest

from fivedice.core.dice import Roll
from tui.keyboard import cell, cells, deal, enter, go_to, message_of, score_by_key, screen_text

SCENES = []


def scene(key):
    return lambda play: SCENES.append((key, play))


@pytest.mark.asyncio
async def test_scenes_with_real_dice(begin, show):
    app = show(begin(pad=True))
    async with app.run_test(size=(80, 24)) as pilot:
        for key, play in SCENES:
            await deal(pilot, begin(key, pad=True))
            await play(app, pilot)
            await pilot.press("escape")


@scene("yahtzee")
async def dice_are_typed_and_held_ones_are_not_typed_again(app, pilot):
    assert "Roll your own dice" in message_of(app)
    await enter(pilot, "24466")
    assert app.session.state.slots == (2, 4, 4, 6, 6)
    await pilot.press("2", "3")
    await enter(pilot, "416")
    assert app.session.state.slots == (1, 4, 4, 4, 6)
    await score_by_key(pilot, "fours")
    assert cell(app, "fours") == "12"


@scene("yahtzee")
async def typing_a_face_opens_the_question(app, pilot):
    await pilot.press("5", "5", "5", "5", "5", "enter")
    await pilot.pause()
    assert app.session.state.slots == (5, 5, 5, 5, 5)


@scene("yahtzee")
async def too_few_dice_keep_the_question_open_and_escape_leaves_it(app, pilot):
    await pilot.press("r", "1", "7", "x", "2", "enter")  # neither a seven nor an x is on these dice
    assert "3 more digits: type 5." in str(app.screen.query_one("#question").render())
    await pilot.press("escape")
    await pilot.pause()
    assert not app.session.state.slots


@scene("yahtzee")
async def the_question_is_not_asked_when_there_is_nothing_to_throw(app, pilot):
    await enter(pilot, "11111")
    await pilot.press("1", "2", "3", "4", "5", "r")
    assert message_of(app) == "You keep all dice. Let one go first."
    await pilot.press("1", "2", "3", "4", "5")
    await enter(pilot, "12345")
    await enter(pilot, "12346")
    await pilot.press("r")
    assert message_of(app) == "No rolls left. Score a box."
    assert len(app.screen_stack) == 1


@scene("yahtzee")
async def a_joker_is_forced_and_explained(app, pilot):
    await enter(pilot, "44444")
    await score_by_key(pilot, "five_of_a_kind")
    await enter(pilot, "44444")
    reason = "4-4-4-4-4 must go in Fours, which is open (Joker Rules)."
    assert reason in message_of(app)
    assert "YAHTZEE Bonus: 100 more points" in message_of(app)
    assert app.table.board.sheet.box_at_cursor() == "fours", "the only choice is under the cursor"
    assert (cell(app, "fours"), cell(app, "full_house")) == ("[20]", "-")
    await go_to(pilot, "full_house")
    assert message_of(app, "why") == reason
    await pilot.press("enter")
    assert message_of(app) == reason
    assert app.session.state.slots, "refused: nothing has changed"
    await score_by_key(pilot, "fours")
    await enter(pilot, "44444")
    await go_to(pilot, "full_house")
    assert cell(app, "full_house") == "[25!]"
    assert "These dice are a joker: they score 25 here (Joker Rules)." in message_of(app, "why")


@scene("yahtzee")
async def undo_of_a_bonus(app, pilot):
    await enter(pilot, "44444")
    await score_by_key(pilot, "five_of_a_kind")
    await enter(pilot, "44444")
    await pilot.press("enter")
    assert app.session.game.position.cards[0].total == 170
    await pilot.press("u")
    card = app.session.game.position.cards[0]
    assert (card.total, card.bonuses) == (50, 0)
    assert list(cells(app).values())[-1] == "50"
    await pilot.press("enter")
    assert app.session.game.position.cards[0].total == 170
    assert message_of(app) == "You scored 20 in Fours. YAHTZEE Bonus: 100."


@scene("yatzy")
async def undo_of_the_upper_bonus(app, pilot):
    for face, box in enumerate(("aces", "twos", "threes", "fours", "fives"), start=1):
        app.session.enter(Roll.parse(f"{face}{face}{face}66"))
        app.session.score(box)
    await enter(pilot, "66611")
    await score_by_key(pilot, "sixes")
    assert "Upper bonus: 50." in message_of(app)
    assert cells(app)["bonus-bonus"] == "50"
    await pilot.press("u")
    assert cells(app)["bonus-bonus"] == "±0"
    assert app.session.game.position.cards[0].total == 45


@scene("yahtzee")
async def final_dice_and_a_mistyped_roll(app, pilot):
    await pilot.press("w")
    assert message_of(app) == "No dice are entered in this turn. Undo takes back the last score."
    await pilot.press("f")
    assert "What do the 5 dice show at the end of the turn?" in str(app.screen.query_one("#question").render())
    await pilot.press("1", "4", "4", "4", "4", "enter")
    await pilot.pause()
    assert app.session.game.position.rolls_left == 0
    await pilot.press("f")
    assert "Press W to clear them" in message_of(app)
    await pilot.press("w")
    assert not app.session.state.slots
    await pilot.press("f", "1", "4", "4", "4", "5", "enter")
    await pilot.pause()
    await score_by_key(pilot, "three_of_a_kind")
    assert "~14445=3k:18" in app.session.record
    await pilot.press("question_mark")
    await pilot.pause()
    assert "clear the dice you entered last" in screen_text(app)
