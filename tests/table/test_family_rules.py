"""House rules of families: saved rolls, stepped and further bonuses, rising extras.

Each is a house book over a shipped one: the table knows no book, and plays what the data says.
"""

from random import Random

from fivedice.core.dice import Roll, seeded
from fivedice.core.game import Game, sheet_lines
from fivedice.core.notation import read_game, write_game
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.corrections import Consequences, consequences
from fivedice.table.refusals import AgainstTheRules
from fivedice.table.state import TableState
from fivedice.table.view.announcements import announcement
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import CellView, TableView
from for_each import for_each
from table.families import BY_STEP, FAMILIES, RISING, SAVING, STEPS, THREE_DICE, UPPER_FIRST
from table.table_harness import ANN, BOB, Parlour, pad, play_out, start_table, summary, write


def game_of(state: TableState) -> Game:
    return state.running


def view_of(parlour: Parlour, who: str = ANN) -> TableView:
    return view(parlour.state, who)


def bonus_cell(parlour: Parlour, role: str, seat: int = 0) -> CellView:
    return next(row.cells[seat] for row in view_of(parlour).rows if row.role == role)


# Every one of them, to the end


@for_each("family", FAMILIES)
def test_whole_game_matches_the_engine(family: str) -> None:
    parlour, random = start_table(ANN, BOB, rules=FAMILIES[family]), Random(family)
    parlour.dice = seeded(family)
    while (seat := parlour.state.on_turn) is not None:
        player, position = (ANN, BOB)[seat], game_of(parlour.state).position
        shown = view_of(parlour, player)
        assert (shown.rolls, shown.rolls_left) == (position.rolls_in_turn, position.rolls_left)
        if not parlour.state.slots or (position.rolls_left and random.random() < 0.4):
            slots = range(len(parlour.state.slots))
            parlour.do(cmd.RollDice(player, tuple(slot for slot in slots[1:] if random.random() < 0.5)))
        else:
            legal = position.ruling().legal
            offered = {row.box: row.cells[seat] for row in shown.rows if row.cells[seat].preview is not None}
            assert {box: (cell.preview, cell.extra) for box, cell in offered.items()} == {
                box: (entry.points, entry.bonus) for box, entry in legal.items()
            }
            parlour.score(player, random.choice(sorted(legal)))
    game = game_of(parlour.state)
    assert [seat.total for seat in view_of(parlour).seats] == [card.total for card in game.position.cards]
    for seat, card in enumerate(game.position.cards):
        assert [row.cells[seat].points for row in view_of(parlour).rows] == [line.value for line in sheet_lines(card)]
    again = read_game(write_game(game), game.book)
    assert [card.total for card in again.position.cards] == [card.total for card in game.position.cards]
    assert summary(parlour.replayed()) == summary(parlour.state)


# Saved rolls


def test_saved_rolls_are_spent_after_the_turns_own() -> None:
    parlour = start_table(ANN, BOB, rules=SAVING)
    parlour.turn(ANN, "12345", "small_straight")
    assert "You have 2 saved rolls." in announcement(parlour.state, ANN)
    assert "Ann has 2 saved rolls." in announcement(parlour.state, BOB)
    assert [seat.saved for seat in view_of(parlour, BOB).seats] == [2, 0]
    parlour.turn(BOB, "23456", "large_straight")
    shown = view_of(parlour)
    assert (shown.rolls, shown.rolls_each, shown.rolls_left) == (5, 3, 5)
    spent = []
    for _ in range(5):
        parlour.roll(ANN, "11111" if not parlour.state.slots else "1111", () if not parlour.state.slots else (0,))
        spent.append((view_of(parlour).rolls_left, view_of(parlour).seats[0].saved, view_of(parlour).can_roll))
    assert spent == [(4, 2, True), (3, 2, True), (2, 2, True), (1, 1, True), (0, 0, False)]
    assert parlour.refused(cmd.RollDice(ANN, (0,)), AgainstTheRules).startswith("No rolls left.")
    parlour.score(ANN, "aces")
    assert "saved" not in announcement(parlour.state, ANN)
    assert [seat.saved for seat in view_of(parlour).seats] == [0, 2]


def test_undo_and_other_books_leave_saved_rolls_right() -> None:
    parlour = start_table(ANN, rules=SAVING)
    parlour.turn(ANN, "12345", "small_straight")
    parlour.do(cmd.TakeBack(ANN))
    assert (view_of(parlour).rolls, view_of(parlour).rolls_left, view_of(parlour).seats[0].saved) == (3, 2, 0)
    parlour.roll(ANN, "5", (0, 1, 2, 3))
    parlour.score(ANN, "small_straight")
    assert (view_of(parlour).rolls_left, view_of(parlour).seats[0].saved) == (4, 1)
    assert summary(parlour.replayed()) == summary(parlour.state)
    parlour = pad("Ann")
    turn = cmd.WriteTurn(ANN, 0, 0, (1, 2, 3, 4, 5), "large_straight", 1)
    assert parlour.refused(turn, AgainstTheRules) == "This turn can leave 0 to 0 rolls for later. You entered 1."
    rolled, _ = write(parlour, "12345", "large_straight")
    assert set(rolled.data()) == {"seat", "dice", "held", "last"}
    parlour = pad("Ann", rules=SAVING)
    rolled, _ = write(parlour, "12345", "small_straight", saved=1)
    assert rolled.data()["saved"] == 1


def test_final_dice_record_saved_rolls() -> None:
    parlour = pad("Ann", rules=SAVING)
    for saved in (3, -1, 99):
        turn = cmd.WriteTurn(ANN, 0, 0, (1, 2, 3, 4, 5), "small_straight", saved)
        sentence = parlour.refused(turn, AgainstTheRules)
        assert sentence == f"This turn can leave 0 to 2 rolls for later. You entered {saved}."
    write(parlour, "12345", "small_straight", saved=2)
    parlour.do(cmd.EnterDice(ANN, (2, 3, 4, 5, 6), last=True, saved=4))
    assert not view_of(parlour).can_enter
    assert parlour.reason(cmd.EnterDice(ANN, (2,), hold=(1, 2, 3, 4)), AgainstTheRules) == "table.final-dice"
    parlour.score(ANN, "large_straight")
    assert game_of(parlour.state).position.rolls_in_turn == 7
    assert "~12345+2=ss:15" in write_game(game_of(parlour.state))
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_corrected_dice_keep_saved_rolls() -> None:
    parlour = pad("Ann", rules=SAVING)
    parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 6)), cmd.EnterDice(ANN, (5,), hold=(0, 1, 2, 3)))
    assert parlour.reason(cmd.EnterDice(ANN, (5,), hold=(0, 1, 2, 3), saved=1), AgainstTheRules)
    parlour.score(ANN, "small_straight")
    assert game_of(parlour.state).position.card.saved == 1
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "12345", "small_straight", saved=2)
    parlour.do(cmd.EnterDice(ANN, (2, 2, 3, 3, 6)))
    parlour.score(ANN, "two_pairs")
    assert game_of(parlour.state).position.card.saved == 4
    parlour.do(cmd.Correct(ANN, (change(0, "12346"), change(1, "22336", "twos"))))
    card = game_of(parlour.state).position.card
    assert (card.held("small_straight"), card.held("twos"), card.saved) == (0, 4, 4)
    assert summary(parlour.replayed()) == summary(parlour.state)


def change(turn: int, dice: str | None = None, box: str | None = None, saved: int | None = None) -> cmd.Change:
    return cmd.Change(0, turn, None if dice is None else tuple(map(int, dice)), box, saved)


def preview(parlour: Parlour, *changes: cmd.Change) -> Consequences:
    return consequences(parlour.state, changes)


def test_corrected_saved_rolls_apply_to_later_turns() -> None:
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "12345", "small_straight", saved=2)
    write(parlour, "23456", "large_straight", saved=4)
    assert not preview(parlour, change(0, saved=2)).problems, "nothing changes"
    lines = preview(parlour, change(1, saved=0)).lines
    assert [(line.label, line.before, line.after) for line in lines] == [("Saved rolls", 4, 0)]
    (problem,) = preview(parlour, change(0, saved=1)).problems
    assert (problem.turn, problem.boxes) == (1, ())
    assert problem.sentence == "This turn can leave 0 to 3 rolls for later. You entered 4."
    assert parlour.refused(cmd.Correct(ANN, (change(0, saved=1),)), AgainstTheRules).endswith(problem.sentence)
    parlour.do(cmd.Correct(ANN, (change(0, saved=1), change(1, saved=3))))
    assert game_of(parlour.state).position.card.saved == 3
    assert parlour.log[-1].data()["changes"] == ((0, 0, None, None, 1), (0, 1, None, None, 3))
    assert parlour.reason(cmd.Correct(ANN, (change(0, saved=99),)), AgainstTheRules) == "game.bad-rolls-left-over"
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_turn_with_too_many_rolls_is_named() -> None:
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "12345", "small_straight", saved=2)
    parlour.do(cmd.EnterDice(ANN, (6, 6, 1, 1, 2)))
    for _ in range(3):
        parlour.do(cmd.EnterDice(ANN, (2,), hold=(0, 1, 2, 3)))
    parlour.score(ANN, "sixes")
    (problem,) = preview(parlour, change(0, saved=0)).problems
    assert problem.sentence == "The turn took 4 rolls. It would have only 3."


def test_impossible_dice_of_the_current_turn_are_dropped() -> None:
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "12345", "small_straight", saved=2)
    parlour.do(cmd.EnterDice(ANN, (6, 6, 1, 1, 2)))
    for face in (3, 4, 5, 6):
        parlour.do(cmd.EnterDice(ANN, (face,), hold=(0, 1, 2, 3)))
    parlour.do(cmd.Correct(ANN, (change(0, saved=0),)))
    assert (parlour.state.slots, game_of(parlour.state).position.rolls_left) == ((6, 6, 1, 1, 4), 0)
    parlour.do(cmd.TakeBack(ANN))  # the score before, with these dice put by
    parlour.do(cmd.Withdraw(ANN), cmd.EnterDice(ANN, (1, 2, 3, 4, 5), last=True, saved=2))
    parlour.score(ANN, "small_straight")
    assert (len(parlour.state.rolls), game_of(parlour.state).position.rolls_left) == (3, 2)
    assert summary(parlour.replayed()) == summary(parlour.state)


@for_each(("saved", "laid"), [(3, True), (4, False)])
def test_impossible_final_dice_are_dropped(saved: int, laid: bool) -> None:
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "12345", "small_straight", saved=2)
    parlour.do(cmd.EnterDice(ANN, (2, 3, 4, 5, 6), last=True, saved=saved))
    parlour.do(cmd.Correct(ANN, (change(0, saved=1),)))
    assert parlour.state.slots == ((2, 3, 4, 5, 6) if laid else ())
    assert game_of(parlour.state).position.rolls_left == (3 if laid else 4)


def test_same_dice_in_another_order_keep_their_places() -> None:
    parlour = pad("Ann", rules=SAVING)
    write(parlour, "21543", "small_straight", saved=2)
    parlour.do(cmd.Correct(ANN, (change(0, "12345", saved=1),)))
    assert parlour.state.lain == [(ev.Rolled(0, (2, 1, 5, 4, 3), last=True, saved=1),)]
    assert parlour.do(cmd.Correct(ANN, (change(0, "54321"),))) == ()
    parlour.do(cmd.Correct(ANN, (change(0, "64321"),)))
    assert parlour.state.lain == [(ev.Rolled(0, (6, 4, 3, 2, 1), last=True, saved=1),)]


def test_long_turn_has_distinct_dice_at_every_place() -> None:
    """41 rolls, where six dice and twenty boxes save all they can: the places are all different."""
    parlour = start_table(ANN, rules='extends = "maxi-yatzy"\nkey = "all-saved"\nsave_rolls = true\n')
    play_out(parlour, until=1)
    assert view_of(parlour).rolls == 41
    parlour.dice, places = seeded("many"), set()
    while game_of(parlour.state).position.rolls_left:
        place = game_of(parlour.state).next_place
        places.add((place.turn, place.roll))
        parlour.do(cmd.RollDice(ANN))
    assert places == {(20, number) for number in range(1, 42)}


# Bonuses


UPPER = (("11123", "aces"), ("22213", "twos"), ("33312", "threes"), ("44412", "fours"), ("55512", "fives"))


def test_stepped_bonus_shows_the_next_reachable_step() -> None:
    parlour = pad("Ann", rules=STEPS)
    for dice, box in UPPER:
        write(parlour, dice, box)
    cell = bonus_cell(parlour, "bonus")
    assert (cell.points, cell.counted, cell.aim, cell.pace) == (0, 45, 63, "on pace")
    write(parlour, "66666", "sixes")
    assert announcement(parlour.state, ANN).startswith("You scored 30 in Sixes. Upper bonus: 55.")
    cell = bonus_cell(parlour, "bonus")
    assert (cell.points, cell.counted, cell.aim, cell.pace) == (55, 75, None, "reached"), "78 is out of reach"
    assert bonus_cell(parlour, "bonus.lower").aim == 30
    assert (bonus_cell(parlour, "bonus.lower").counted, bonus_cell(parlour, "bonus.lower").pace) == (0, None)
    for dice, box in (("12345", "small_straight"), ("23456", "large_straight")):
        write(parlour, dice, box)
    heard = announcement(parlour.state, ANN)
    assert "Lower bonus: 20. Both straights: 10." in heard
    assert bonus_cell(parlour, "bonus.straights").pace == "reached"


def test_stepped_and_lost_bonuses_are_reported() -> None:
    parlour = pad("Ann", rules=STEPS)
    for dice, box in (("66666", "sixes"), ("55551", "fives"), ("44412", "fours"), ("11123", "aces")):
        write(parlour, dice, box)
    assert bonus_cell(parlour, "bonus").points == 35
    cell = bonus_cell(parlour, "bonus")
    assert (cell.counted, cell.aim, cell.pace) == (65, 71, None)
    write(parlour, "33312", "threes")
    assert "Upper bonus: 55 now." in announcement(parlour.state, ANN)
    parlour = pad("Ann", rules=STEPS)
    write(parlour, "66666", "small_straight")
    cell = bonus_cell(parlour, "bonus.straights")
    assert (cell.points, cell.aim, cell.pace, cell.lost) == (0, None, "out of reach", True)
    assert not bonus_cell(parlour, "bonus.lower").lost
    parlour = pad("Ann", rules=STEPS)
    for dice, box in (*UPPER, ("66666", "sixes")):
        write(parlour, dice, box)
    lines = {line.label: (line.before, line.after) for line in preview(parlour, change(5, "66612")).lines}
    sheet = parlour.state.book.sheet
    assert lines[sheet.bonus] == (55, 35)
    assert lines[sheet.grand_total] == (75 + 55, 63 + 35)
    parlour.do(cmd.Correct(ANN, (change(5, "66612"),)))
    assert bonus_cell(parlour, "bonus").points == 35
    assert game_of(parlour.state).position.card.total == 63 + 35


# All dice alike


def alike(parlour: Parlour, *turns: tuple[str, str]) -> list[int]:
    """The extras that turns of the same face all over have paid."""
    paid = []
    for face, box in turns:
        scored = write(parlour, face * 5, box)[-1]
        assert isinstance(scored, ev.Scored)
        paid.append(scored.bonus or 0)
    return paid


def test_rising_extras_are_counted_and_survive_corrections() -> None:
    parlour = pad("Ann", rules=RISING)
    paid = alike(parlour, ("6", "five_of_a_kind"), ("6", "sixes"), ("5", "fives"), ("4", "fours"), ("3", "threes"))
    assert paid == [0, 100, 200, 300, 300]
    assert alike(parlour, ("2", "twos")) == [0], "at most four"
    cell = next(row.cells[0] for row in view_of(parlour).rows if row.kind == "extra")
    assert (cell.points, cell.ticks) == (900, 4)
    assert next(row.short for row in view_of(parlour).rows if row.kind == "extra") == "+100…"
    (sheet,) = sheets(parlour.state)
    assert next(row.cells[0].ticks for row in sheet.rows if row.kind == "extra") == 4
    changed = {line.label for line in preview(parlour, change(1, "66612")).lines}
    assert "Sixes" in changed
    assert parlour.state.book.sheet.extra not in changed, "the one that was one too many is paid instead"
    parlour = pad("Ann", rules=BY_STEP)
    assert alike(parlour, ("6", "five_of_a_kind"), ("6", "sixes"), ("6", "fives")) == [0, 50, 70]
    card = game_of(parlour.state).position.card
    assert (card.extra_total, card.held("fives")) == (120, 25)
    parlour.do(cmd.Correct(ANN, (change(1, "66612"),)))
    card = game_of(parlour.state).position.card
    assert (card.bonuses, card.extra_total, card.total) == (1, 70, 50 + 18 + 25 + 70)
    assert summary(parlour.replayed()) == summary(parlour.state)


# The order


def test_upper_first_order_and_three_dice() -> None:
    parlour = start_table(ANN, rules=UPPER_FIRST)
    parlour.roll(ANN, "12345")
    closed = {row.box: row.cells[0].closed for row in view_of(parlour).rows if row.cells[0].closed}
    assert set(closed) == {box.key for box in parlour.state.book.boxes if box.section == "lower"}
    assert parlour.reason(cmd.FillBox(ANN, "large_straight"), AgainstTheRules) == "game.upper-first"
    parlour = pad("Ann", rules=THREE_DICE)
    assert Roll((4, 4, 5)).total == 13
    for dice, box, points in (("445", "crag", 50), ("661", "thirteen", 26), ("112", "aces", 2)):
        scored = write(parlour, dice, box)[-1]
        assert isinstance(scored, ev.Scored)
        assert scored.points == points
    assert game_of(parlour.state).is_over
