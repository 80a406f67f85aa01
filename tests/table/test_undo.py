"""Undoing a score: free until the next player has rolled, by consent after that; rolls stay rolled."""

import pytest

from fivedice.core.dice import seeded
from fivedice.core.notation import write_card
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE
from fivedice.table.actions.undo import undo_way
from fivedice.table.refusals import NotAllowed, NotYourTurn, WrongPhase
from fivedice.table.state import Phase
from for_each import for_each
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, Parlour, pad, play_out, start_table, write

UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")


def cards(parlour: Parlour) -> list[str]:
    return [write_card(card) for card in parlour.state.running.position.cards]


def score_then_roll(*players: str, bots: tuple[str, ...] = ()) -> Parlour:
    """Ann has scored 15 in Chance, and the next seat has rolled twice."""
    parlour = start_table(*players, bots=bots)
    parlour.turn(ANN, "12345", "chance")
    following = parlour.state.seats[parlour.state.on_turn or 0].player or HOUSE
    parlour.roll(following, "66123")
    parlour.roll(following, "645", hold=(0, 1))
    return parlour


# Freely


def test_undo_restores_dice_and_leaves_no_trace() -> None:
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "52461")
    parlour.roll(ANN, "333", hold=(0, 3))
    before = parlour.state
    parlour.score(ANN, "chance")
    assert undo_way(parlour.state, ANN) == "free"
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    after = parlour.state
    assert (after.slots, after.held, after.rolls, after.on_turn) == (before.slots, (0, 3), before.rolls, 0)
    assert (after.game and after.game.position) == (before.game and before.game.position)
    parlour.roll(ANN, "4444", hold=(2,))  # a score is taken back, not the rolls that were left
    assert parlour.score(ANN, "fours").points == 16
    parlour, plain = start_table(ANN, BOB), start_table(ANN, BOB)
    parlour.turn(ANN, "12345", "chance")
    parlour.do(cmd.TakeBack(ANN))
    parlour.score(ANN, "aces")
    plain.turn(ANN, "12345", "aces")
    assert parlour.state.running.steps == plain.state.running.steps


def test_undo_removes_the_upper_bonus() -> None:
    parlour = start_table(ANN)
    for number, box in enumerate(UPPER[:-1], start=1):
        parlour.turn(ANN, f"{number}{number}{number}" + ("66" if number != 6 else ""), box)
    parlour.roll(ANN, "66612")
    before = cards(parlour)
    parlour.score(ANN, "sixes")
    assert parlour.state.running.position.cards[0].upper_bonus == 35
    parlour.do(cmd.TakeBack(ANN))
    assert cards(parlour) == before
    assert parlour.state.running.position.cards[0].upper_bonus == 0
    parlour.score(ANN, "chance")
    assert parlour.state.running.position.cards[0].upper_bonus == 0


@for_each("book", ["yahtzee", "yardzee"])
def test_undo_removes_the_extra_bonus(book: str) -> None:
    parlour = start_table(ANN, book=book)
    parlour.turn(ANN, "11111", "five_of_a_kind")
    parlour.roll(ANN, "44444")
    before = cards(parlour)
    for _ in range(3):
        assert parlour.score(ANN, "fours").bonus == 100
        assert cards(parlour) != before
        parlour.do(cmd.TakeBack(ANN))
        assert cards(parlour) == before
        assert parlour.state.slots == (4, 4, 4, 4, 4)
    parlour.score(ANN, "fours")
    assert parlour.state.running.position.cards[0].bonuses == 1


def test_last_score_can_be_undone_until_the_next_game_exists() -> None:
    parlour = start_table(ANN, BOB)
    play_out(parlour, until=1)
    parlour.roll(BOB, "12345")
    parlour.score(BOB, "chance")
    assert parlour.state.phase is Phase.FINISHED
    assert parlour.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-others"
    parlour.do(cmd.TakeBack(BOB))
    assert parlour.state.phase is Phase.PLAYING
    parlour.roll(BOB, "6666", hold=(0,))
    parlour.score(BOB, "chance")
    assert parlour.state.phase is Phase.FINISHED
    assert cards(parlour)[1].endswith("ch:25")
    parlour = start_table(ANN)
    play_out(parlour)
    parlour.append(ev.Rematched("other"))
    assert parlour.reason(cmd.TakeBack(ANN), WrongPhase) == "table.rematch-exists"


def test_only_the_scorer_undoes_each_seat_its_own() -> None:
    parlour = start_table(ANN, BOB)
    assert parlour.reason(cmd.TakeBack(ANN), WrongPhase) == "table.nothing-to-undo"
    parlour.turn(ANN, "12345", "chance")
    for player in (BOB, HAL, ZOE, "", HOUSE):
        assert parlour.reason(cmd.TakeBack(player), NotAllowed) == "table.undo-others"
    parlour = start_table(ANN, ANN)
    parlour.turn(ANN, "12345", "chance")
    parlour.turn(ANN, "12345", "chance")
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(1),)
    assert parlour.state.on_turn == 1
    parlour = start_table(ANN, BOB, CAT)
    for player in (ANN, BOB):
        parlour.turn(player, "12345", "chance")
    with pytest.raises(NotAllowed) as caught:
        parlour.do(cmd.TakeBack(ANN))
    assert (caught.value.message.kind, caught.value.message.args) == (
        "table.undo-others",
        {"player": parlour.state.who(1)},
    )


# Never with foresight


def test_only_the_last_unseen_score_can_be_undone() -> None:
    parlour = start_table(ANN)
    parlour.turn(ANN, "12345", "chance")
    parlour.do(cmd.TakeBack(ANN))
    parlour.score(ANN, "large_straight")
    parlour.roll(ANN, "66666")
    assert parlour.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-rolled"
    # Otherwise one could go back and back, and choose knowing one's own later dice.
    parlour = start_table(ANN, ANN)
    parlour.turn(ANN, "12345", "chance")
    parlour.turn(ANN, "12345", "chance")
    parlour.roll(ANN, "66666")
    parlour.do(cmd.TakeBack(ANN))
    assert parlour.reason(cmd.TakeBack(ANN), WrongPhase) == "table.undone-already"
    parlour.roll(ANN, "22222")
    assert parlour.reason(cmd.TakeBack(ANN), WrongPhase) == "table.undone-already"
    parlour.score(ANN, "twos")
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(1),)
    parlour = score_then_roll(ANN, BOB)
    parlour.score(BOB, "sixes")
    parlour.roll(ANN, "11111")
    parlour.do(cmd.TakeBack(BOB), cmd.AnswerUndo(ANN, agree=True))
    assert parlour.state.on_turn == 1
    for player in (ANN, BOB):
        assert parlour.reason(cmd.TakeBack(player), WrongPhase) == "table.undone-already"


def test_next_players_dice_return_after_the_undo() -> None:
    """A seen roll is not undone, so that no one can roll again with foresight."""
    parlour = score_then_roll(ANN, BOB)
    before = parlour.state
    assert before.slots == (6, 6, 6, 4, 5)
    parlour.do(cmd.TakeBack(ANN), cmd.AnswerUndo(BOB, agree=True))
    assert (parlour.state.on_turn, parlour.state.slots) == (0, (1, 2, 3, 4, 5))
    assert parlour.reason(cmd.RollDice(BOB), NotYourTurn) == "table.not-your-turn"
    parlour.score(ANN, "large_straight")
    after = parlour.state
    assert (after.on_turn, after.slots, after.held, after.rolls) == (1, (6, 6, 6, 4, 5), (0, 1), before.rolls)
    assert after.running.position.rolls_left == 1
    parlour.roll(BOB, "66", hold=(0, 1, 2))
    assert parlour.score(BOB, "sixes").points == 30
    parlour = score_then_roll(ANN, BOB)
    parlour.do(cmd.TakeBack(ANN), cmd.AnswerUndo(BOB, agree=True))
    parlour.roll(ANN, "555", hold=(0, 4))
    parlour.score(ANN, "fives")
    assert parlour.state.slots == (6, 6, 6, 4, 5)


def test_undo_does_not_change_seeded_dice() -> None:
    """The same places give the same dice despite an undo."""
    rolls = []
    for undo in (False, True):
        parlour = start_table(ANN, BOB)
        parlour.dice = seeded(7)
        parlour.do(cmd.RollDice(ANN), cmd.FillBox(ANN, "chance"))
        if undo:
            parlour.do(cmd.TakeBack(ANN), cmd.FillBox(ANN, "aces"))
        parlour.do(cmd.RollDice(BOB), cmd.RollDice(BOB, (0,)))
        rolls.append(parlour.state.rolls)
    assert rolls[0] == rolls[1]


# By consent


def test_all_other_players_must_agree_once() -> None:
    parlour = score_then_roll(ANN, BOB, CAT)
    assert undo_way(parlour.state, ANN) == "ask"
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.UndoAsked(0),)
    assert parlour.do(cmd.AnswerUndo(CAT, agree=True)) == (ev.UndoAnswered(CAT, True),)
    assert parlour.state.undo_agreed == {CAT}
    assert parlour.do(cmd.AnswerUndo(BOB, agree=True)) == (ev.UndoAnswered(BOB, True), ev.Undone(0))
    assert parlour.state.undo_asked is None
    assert cards(parlour) == ["-", "-", "-"]
    parlour = score_then_roll(ANN, BOB, CAT)
    parlour.do(cmd.TakeBack(ANN))
    for _ in range(2):
        assert parlour.do(cmd.AnswerUndo(BOB, agree=True)) == (ev.UndoAnswered(BOB, True),)


def test_one_refusal_ends_the_question() -> None:
    parlour = score_then_roll(ANN, BOB, CAT)
    parlour.do(cmd.TakeBack(ANN), cmd.AnswerUndo(BOB, agree=True))
    assert parlour.do(cmd.AnswerUndo(CAT, agree=False)) == (ev.UndoAnswered(CAT, False),)
    assert cards(parlour)[0] == "ch:15"
    assert parlour.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-declined"
    assert parlour.reason(cmd.AnswerUndo(BOB, agree=True), WrongPhase) == "table.undo-not-asked"
    parlour.score(BOB, "sixes")
    parlour.roll(CAT, "12345")
    assert undo_way(parlour.state, BOB) == "ask"


def test_only_other_players_answer_until_the_next_score() -> None:
    parlour = score_then_roll(ANN, BOB)
    assert parlour.reason(cmd.AnswerUndo(BOB, agree=True), WrongPhase) == "table.undo-not-asked"
    parlour.do(cmd.TakeBack(ANN))
    for player in (ANN, HAL, ZOE, "", HOUSE):
        for agree in (True, False):
            assert parlour.reason(cmd.AnswerUndo(player, agree), NotAllowed) == "table.undo-not-yours"
    assert parlour.reason(cmd.TakeBack(ANN), WrongPhase) == "table.undo-waiting"
    parlour = score_then_roll(ANN, BOB)
    parlour.do(cmd.TakeBack(ANN))
    parlour.score(BOB, "sixes")
    assert parlour.state.undo_asked is None
    assert parlour.reason(cmd.AnswerUndo(BOB, agree=True), WrongPhase) == "table.undo-not-asked"
    parlour = score_then_roll(ANN, BOB)
    parlour.do(cmd.TakeBack(ANN))
    parlour.present = frozenset({HAL})
    assert parlour.do(cmd.GiveUp(HAL)) == (ev.GivenUp(HAL),)
    assert (parlour.state.undo_asked, parlour.state.on_turn) == (None, None)
    assert parlour.reason(cmd.AnswerUndo(BOB, agree=True), WrongPhase) == "table.undo-not-asked"


def ask_on_a_pad() -> Parlour:
    """Ann keeps the score and agrees to Bob's undo; Cat's dice are on the table."""
    parlour = pad("Ann", "Bob", "Cat", "Dan")
    for player, seat in ((BOB, 1), (CAT, 2)):
        parlour.do(cmd.TakeOver(player, seat))
    parlour.do(cmd.Retire(ANN, 3))
    write(parlour, "12345", "chance")
    write(parlour, "66644", "full_house", player=BOB)
    parlour.do(cmd.EnterDice(CAT, (1, 1, 1, 1, 2)))
    assert parlour.do(cmd.TakeBack(BOB)) == (ev.UndoAsked(1),)
    parlour.do(cmd.AnswerUndo(ANN, agree=True))
    assert (parlour.state.undo_asked, parlour.state.undo_agreed) == (1, {ANN})
    return parlour


@for_each("refused", [False, True])
@for_each(
    "command",
    [
        cmd.Correct(ANN, (cmd.Change(0, 0, box="aces"),)),
        cmd.PassTurn(ANN, 0, 2, 2),
        cmd.Retire(ANN, 0),
        cmd.Rejoin(ANN, 3),
        cmd.Erase(ANN, 0, 1),
        cmd.TakeBack(ANN),
        cmd.EndSheet(ANN),
        cmd.GiveUp(ANN),
    ],
    ids=lambda command: type(command).__name__,
)
def test_changes_to_the_sheet_end_the_question(command: cmd.Command, *, refused: bool) -> None:
    parlour = ask_on_a_pad()
    if refused:
        parlour.do(cmd.AnswerUndo(CAT, agree=False))
        assert parlour.state.undo_refused
    parlour.do(command)
    state = parlour.state
    assert (state.undo_asked, state.undo_agreed, state.undo_refused) == (None, frozenset(), False)


def test_players_at_one_device_need_no_question() -> None:
    parlour = score_then_roll(ANN, ANN)
    assert undo_way(parlour.state, ANN) == "free"
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    parlour.score(ANN, "aces")
    assert parlour.state.slots == (6, 6, 6, 4, 5)
    parlour = score_then_roll(ANN, ANN, BOB)
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.UndoAsked(0),)


def test_undo_with_bots() -> None:
    parlour = score_then_roll(ANN, bots=("steady",))
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    parlour.score(ANN, "large_straight")
    assert parlour.state.slots == (6, 6, 6, 4, 5)
    parlour.score(HOUSE, "sixes")
    assert parlour.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-others"
    # Its rolls would stay although it kept dice for another score, and a replay would differ.
    parlour = start_table(ANN, bots=("champion",))
    parlour.turn(ANN, "12345", "chance")
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),), "before it rolls, as ever"
    rolled = score_then_roll(ANN, bots=("champion",))
    assert rolled.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-watched"
    parlour = start_table(ANN, BOB, bots=("steady",))
    parlour.turn(ANN, "12345", "chance")
    parlour.turn(BOB, "12345", "chance")
    parlour.roll(HOUSE, "66666")
    assert parlour.do(cmd.TakeBack(BOB)) == (ev.UndoAsked(1),)
    assert parlour.do(cmd.AnswerUndo(ANN, agree=True))[-1] == ev.Undone(1)


def test_leavers_neither_agree_nor_vote() -> None:
    parlour = score_then_roll(ANN, BOB)
    parlour.do(cmd.Leave(BOB, 1))
    assert parlour.reason(cmd.TakeBack(ANN), NotAllowed) == "table.undo-nobody"
    parlour.do(cmd.Dismiss(ANN, 1))
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),)
    parlour = score_then_roll(ANN, BOB, CAT)
    parlour.do(cmd.TakeBack(ANN))
    for player, seat in ((BOB, 1), (CAT, 2)):
        assert parlour.do(cmd.Leave(player, seat)) == (ev.Left(seat),)
    assert cards(parlour)[0] == "ch:15"
    parlour = score_then_roll(ANN, BOB, CAT)
    parlour.do(cmd.Leave(CAT, 2), cmd.TakeBack(ANN))
    assert parlour.reason(cmd.AnswerUndo(CAT, agree=False), NotAllowed) == "table.undo-not-yours"
    parlour.do(cmd.ComeBack(CAT, 2))
    assert parlour.do(cmd.AnswerUndo(BOB, agree=True)) == (ev.UndoAnswered(BOB, True),)
    assert parlour.do(cmd.AnswerUndo(CAT, agree=True))[-1] == ev.Undone(0)


@for_each("dismissed", [False, True])
def test_question_does_not_wait_for_leavers(*, dismissed: bool) -> None:
    parlour = score_then_roll(ANN, BOB, CAT)
    parlour.do(cmd.TakeBack(ANN), cmd.AnswerUndo(BOB, agree=True))
    parlour.present = frozenset({ANN, BOB})
    gone = parlour.do(cmd.Dismiss(BOB, 2)) if dismissed else parlour.do(cmd.Leave(CAT, 2))
    assert gone[1:] == (ev.Undone(0),)
    assert parlour.state.on_turn == 0


def test_owner_can_undo_a_score_of_the_server() -> None:
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(ANN, 0), cmd.Dismiss(BOB, 0))
    parlour.turn(HOUSE, "12345", "aces")
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Returned(0), ev.Undone(0))
    assert not parlour.state.house_plays(0)
    assert parlour.reason(cmd.FillBox(HOUSE, "chance"), NotYourTurn) == "table.not-your-turn"
    assert parlour.score(ANN, "large_straight").points == 40
