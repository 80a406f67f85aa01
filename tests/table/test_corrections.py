"""Corrections: afterwards the table is as if it had been written right from the start."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from fivedice.core.dice import Roll
from fivedice.core.game import judge, sheet_lines
from fivedice.core.rules import SHIPPED
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.corrections import BoxChoice, consequences
from fivedice.table.refusals import AgainstTheRules, BadRequest, Refusal, WrongPhase
from for_each import for_each
from long import examples
from table.table_harness import ANN, Parlour, pad, summary, write, write_out

# By hand


def change(turn: int, dice: str | None = None, box: str | None = None, game: int = 0) -> cmd.Change:
    return cmd.Change(game, turn, None if dice is None else tuple(map(int, dice)), box)


def correct(parlour: Parlour, *changes: cmd.Change) -> None:
    parlour.do(cmd.Correct(ANN, changes))


def record(parlour: Parlour) -> str:
    return str(summary(parlour.state)["record"])


def test_corrected_die_also_corrects_the_bonus() -> None:
    parlour = pad("Ann", book="yatzy")
    for face, box in enumerate(("aces", "twos", "threes", "fours", "fives", "sixes"), start=1):
        write(parlour, f"{face}{face}{face}11" if face > 1 else "11166", box)
    card = parlour.state.game.position.cards[0]  # type: ignore[union-attr]
    assert (card.upper_total, card.upper_bonus) == (63, 50)
    told = consequences(parlour.state, [change(5, "66123")])
    assert not told.problems
    sheet = parlour.state.book.sheet
    assert [(line.label, line.before, line.after) for line in told.lines] == [
        ("Sixes", 18, 12),
        (sheet.upper_total, 63, 57),
        (sheet.bonus, 50, 0),
        (sheet.upper_with_bonus, 113, 57),
        (sheet.grand_total, 113, 57),
    ]
    correct(parlour, change(5, "66123"))
    card = parlour.state.game.position.cards[0]  # type: ignore[union-attr]
    assert (card.upper_total, card.upper_bonus) == (57, 0)
    assert "~12366=6s:12" in record(parlour)


def test_skipped_players_stay_skipped() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "66644", "full_house")
    parlour.do(cmd.PassTurn(ANN, 0, 1, 1))
    assert parlour.state.on_turn == 0
    correct(parlour, change(0, "66655"))
    assert parlour.state.on_turn == 0, "Bob catches up later"


def test_new_box_keeps_the_rolls_and_new_dice_do_not() -> None:
    parlour = pad("Ann")
    parlour.do(cmd.EnterDice(ANN, (2, 4, 4, 6, 6)), cmd.EnterDice(ANN, (4, 1, 4), hold=(1, 2)))
    parlour.score(ANN, "fours")
    correct(parlour, change(0, box="four_of_a_kind"))
    assert "24466>44/14444=4k:17" in record(parlour)
    correct(parlour, change(0, dice="44441"))
    assert "24466>44/14444=4k:17" in record(parlour), "the same dice in another order are no change"
    correct(parlour, change(0, dice="44442"))
    assert "~24444=4k:18" in record(parlour)


def test_two_boxes_can_be_swapped_but_not_reused() -> None:
    parlour = pad("Ann", "Bob")
    for dice, box in (("11123", "aces"), ("22233", "twos"), ("22234", "twos"), ("11144", "fours")):
        write(parlour, dice, box)
    sentence = parlour.refused(cmd.Correct(ANN, (change(0, box="twos"),)), AgainstTheRules)
    assert sentence.startswith("This makes a later score invalid: Ann’s Twos in round 2 of game 1. Twos already has")
    correct(parlour, change(0, box="twos"), change(2, box="aces"))
    assert "11123=2s:2" in record(parlour)
    assert "22234=1s:0" in record(parlour)


def test_later_joker_lost_by_a_correction_is_reported() -> None:
    parlour = pad("Bob")
    write(parlour, "44444", "five_of_a_kind")
    write(parlour, "44444", "fours")
    write(parlour, "44444", "full_house")
    card = parlour.state.game.position.cards[0]  # type: ignore[union-attr]
    assert (card.bonuses, card.held("full_house")) == (2, 25)
    assert not consequences(parlour.state, [change(0, "44441")]).problems, "a zero there still makes a joker"
    (problem,) = consequences(parlour.state, [change(1, box="sixes", dice="66612")]).problems
    assert (problem.turn, problem.round, problem.player, problem.box) == (2, 3, "Bob", "full_house")
    reason = "4-4-4-4-4 must go in Fours, which is open (Joker Rules)."
    assert problem.sentence == reason
    assert [(box.box, box.points, box.extra, box.free) for box in problem.boxes] == [("fours", 20, 100, True)]
    sentence = parlour.refused(cmd.Correct(ANN, (change(1, box="sixes", dice="66612"),)), AgainstTheRules)
    assert sentence == f"This makes a later score invalid: Bob’s Full House in round 3 of game 1. {reason}"
    correct(parlour, change(1, box="sixes", dice="66612"), change(2, box="fours"))
    card = parlour.state.game.position.cards[0]  # type: ignore[union-attr]
    assert (card.bonuses, card.held("fours"), card.total) == (1, 20, 50 + 18 + 20 + 100)


def test_offered_boxes_of_a_correction() -> None:
    parlour = pad("Ann")
    for dice, box in (("11123", "aces"), ("22233", "twos"), ("66543", "chance")):
        write(parlour, dice, box)
    (problem,) = consequences(parlour.state, [change(0, box="twos")]).problems
    free = {box.box: box.free for box in problem.boxes}
    assert (free["aces"], free["chance"], "twos" in free) == (True, False, False)
    parlour = pad("Ann", "Bob")
    for dice, box in (("11123", "aces"), ("22233", "twos"), ("22233", "twos"), ("66543", "chance")):
        write(parlour, dice, box)
    (problem,) = consequences(parlour.state, [change(0, box="twos")]).problems
    assert (problem.seat, problem.turn) == (0, 2)
    assert next(box for box in problem.boxes if box.box == "chance") == BoxChoice(
        "chance", "Chance", 12, 0, False, True
    )


def test_points_alone_are_offered_only_fitting_boxes() -> None:
    """Twenty for three of a kind may be five Fours, which pay an extra, or not; for four of a kind it must be."""
    parlour = pad("Ann")
    for dice, box in (("66666", "five_of_a_kind"), ("44412", "sixes"), ("12345", "fives")):
        write(parlour, dice, box)
    parlour.do(cmd.WriteTurn(ANN, 0, 3, None, "chance", points=20))
    (problem,) = consequences(parlour.state, [change(1, box="fours"), change(2, box="chance")]).problems
    assert (problem.turn, problem.dice, problem.points) == (3, (), 20)
    assert problem.boxes == (
        BoxChoice("fives", "Fives", 20, 0, joker=False, free=True),
        BoxChoice("four_of_a_kind", "4 of a Kind", 20, 100, joker=False, free=True),
    )


@for_each(
    ("changes", "kind", "words"),
    [
        ((), BadRequest, "Say which turn"),
        ((change(0, "11111"),) * 101, BadRequest, "at most 100 turns"),
        ((change(0, "11111"),) * 100, BadRequest, "Turn 1 of game 1 is corrected twice"),
        ((change(0, "11111"), change(0, "22222")), BadRequest, "Turn 1 of game 1 is corrected twice"),
        ((change(1, "11111"),), WrongPhase, "Turn 2 of game 1 is not scored yet"),
        ((change(-1, "11111"),), WrongPhase, "Turn 0 of game 1"),
        ((change(0, "11111", game=1),), WrongPhase, "game 2"),
        ((change(0, "11111", game=-1),), WrongPhase, "game 0"),
        ((change(0, "1111"),), BadRequest, "Enter 5 dice, each 1 to 6. You entered '1111'."),
        ((change(0, "11117"),), BadRequest, "'11117'"),
        ((change(0, box="pairs"),), AgainstTheRules, "'pairs'"),
        ((cmd.Change(0, 0, saved=1),), AgainstTheRules, "can leave 0 to 0 rolls for later. You entered 1."),
        ((cmd.Change(0, 0, saved=-1),), AgainstTheRules, "can leave 0 to 0 rolls for later. You entered -1."),
        ((cmd.Change(0, 0, points=-1),), BadRequest, "Points are 0 to 99999. You entered -1."),
        ((cmd.Change(0, 0, points=100_000),), BadRequest, "Points are 0 to 99999. You entered 100000."),
    ],
)
def test_invalid_changes_are_refused(changes: tuple[cmd.Change, ...], kind: type[Refusal], words: str) -> None:
    parlour = pad("Ann")
    write(parlour, "12345", "chance")
    assert words in parlour.refused(cmd.Correct(ANN, changes), kind)
    with pytest.raises(kind):
        consequences(parlour.state, changes)


def test_impossible_points_and_doubled_corrections_are_refused() -> None:
    parlour = pad("Ann")
    write(parlour, "12345", "chance")
    sentence = parlour.refused(cmd.Correct(ANN, (cmd.Change(0, 0, points=99_999),)), AgainstTheRules)
    assert sentence.startswith("This makes a later score invalid: Ann’s Chance in round 1 of game 1.")
    parlour = pad("Ann")
    for dice, box in (("11123", "aces"), ("22233", "twos")):
        write(parlour, dice, box)
    twice = (change(0, "11112"), change(1, "22222"), change(1, "22223"))
    sentence = parlour.refused(cmd.Correct(ANN, twice), BadRequest)
    assert sentence.startswith("Turn 2 of game 1 is corrected twice")


def test_corrections_keep_dice_on_the_table() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "12345", "chance")
    write(parlour, "66665", "sixes")
    parlour.do(cmd.EnterDice(ANN, (1, 1, 2, 3, 3)), cmd.EnterDice(ANN, (1, 6, 6), hold=(0, 1)))
    parlour.do(cmd.TakeBack(ANN))  # Bob's sixes, with Ann's dice put by
    correct(parlour, change(0, "12346"))
    assert parlour.state.slots == (6, 6, 6, 6, 5)
    parlour.score(ANN, "four_of_a_kind")
    assert parlour.state.slots == (1, 1, 1, 6, 6)
    correct(parlour, change(0, "12356"), change(1, "66664"))
    assert (parlour.state.slots, parlour.state.held) == ((1, 1, 1, 6, 6), (0, 1))
    assert record(parlour).splitlines()[-3:-1] == ["1. ~12356=ch:17 ~46666=4k:28", "2. 11233>11/11166"]


def test_correction_of_a_finished_game_changes_its_winner() -> None:
    parlour = pad("Ann", "Bob")
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    assert parlour.state.game.winners == ("Ann",)  # type: ignore[union-attr]
    correct(parlour, change(0, "66661"), change(1, "66666", "five_of_a_kind"), change(23, box="aces"))
    assert parlour.state.game.winners == ("Bob",)  # type: ignore[union-attr]
    parlour.append(ev.Rematched("next"))
    assert parlour.reason(cmd.Correct(ANN, (change(0, "11111"),)), WrongPhase) == "table.rematch-exists"


def test_earlier_game_is_corrected_during_the_next() -> None:
    parlour = pad("Ann", "Bob", games=3)
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1))
    write(parlour, "12345", "chance")
    parlour.do(cmd.EnterDice(ANN, (6, 6, 6, 1, 1)))
    before = parlour.state
    earlier = summary(before)
    told = consequences(parlour.state, [change(0, "11123")])
    assert [line.game for line in told.lines] == [0, 0, 0, 0, None]
    assert (told.lines[-1].label, told.lines[-1].before, told.lines[-1].after) == ("Match total", 62, 64)
    correct(parlour, change(0, "11123"), change(0, "12344", game=1))
    assert parlour.state.played[0].game.position.cards[0].held("aces") == 3
    assert parlour.state.slots == (6, 6, 6, 1, 1)
    assert "~12344=ch:14" in record(parlour)
    assert summary(before) == earlier, "states that were handed out never change"
    assert summary(parlour.replayed()) == summary(parlour.state)


# At random


@dataclass
class Draft:
    """A game as it is written: the rolls of each turn, whether they are noted, and the box."""

    book: str
    seats: int
    turns: list[tuple[tuple[tuple[int, ...], ...], str]]

    def write(self) -> Parlour:
        parlour = pad(*("Ann", "Bob", "Cat")[: self.seats], book=self.book)
        for rolls, box in self.turns:
            if len(rolls) == 1:
                write(parlour, "".join(map(str, rolls[0])), box)
                continue
            for dice in rolls:
                parlour.do(cmd.EnterDice(ANN, dice))
            parlour.do(cmd.FillBox(ANN, box))
        return parlour

    def changed(self, changes: list[cmd.Change]) -> Draft:
        turns = list(self.turns)
        for one in changes:
            rolls, box = turns[one.turn]
            if one.dice is not None and sorted(one.dice) != sorted(rolls[-1]):
                rolls = (one.dice,)
            turns[one.turn] = rolls, one.box or box
        return Draft(self.book, self.seats, turns)


def throw(random: Random, count: int) -> tuple[int, ...]:
    """Dice that are often all alike, so that ladders, jokers and extras matter."""
    if random.random() < 0.4:
        return (random.randint(1, 6),) * count
    return tuple(random.choices(range(1, 7), k=count))


def draft_game(random: Random, book: str) -> Draft:
    """A legal game up to some turn."""
    draft = Draft(book, random.randint(1, 3), [])
    parlour = pad(*("Ann", "Bob", "Cat")[: draft.seats], book=book)
    dice = parlour.state.book.dice
    cards = list(parlour.state.game.position.cards)  # type: ignore[union-attr]
    for number in range(random.randint(1, draft.seats * len(cards[0].marks))):
        rolls = tuple(throw(random, dice) for _ in range(min(parlour.state.book.rolls, random.choice((1, 1, 2, 3)))))
        seat = number % draft.seats
        legal = judge(cards[seat], Roll(rolls[-1])).legal
        box = random.choice(list(legal))
        cards[seat] = cards[seat].write(cards[seat].book.index[box], legal[box].points, bonus=legal[box].bonus)
        draft.turns.append((rolls, box))
    return draft


def some_changes(random: Random, draft: Draft) -> list[cmd.Change]:
    numbers = random.sample(range(len(draft.turns)), min(len(draft.turns), random.choice((1, 1, 1, 2, 3))))
    boxes = [box for _, box in draft.turns]
    dice = len(draft.turns[0][0][0])
    return [
        cmd.Change(
            0,
            number,
            throw(random, dice) if random.random() < 0.7 else None,
            random.choice(boxes) if random.random() < 0.4 else None,
        )
        for number in numbers
    ]


def visible_state(parlour: Parlour) -> dict[str, Any]:
    """All that matters of a table, without how it came about."""
    shown = summary(parlour.state)
    return {name: value for name, value in shown.items() if name not in ("version", "game_version", "last", "undo")}


@settings(max_examples=examples(150), deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(SHIPPED))
def test_corrected_table_equals_one_written_right(random: Random, book: str) -> None:
    draft = draft_game(random, book)
    parlour = draft.write()
    changes = some_changes(random, draft)
    try:
        right = draft.changed(changes).write()
    except AgainstTheRules:
        told = consequences(parlour.state, changes)
        assert told.problems
        assert parlour.refused(cmd.Correct(ANN, tuple(changes)), AgainstTheRules) == told.problems[0].told
        return
    told = consequences(parlour.state, changes)
    before = parlour.state.game.position.cards  # type: ignore[union-attr]
    parlour.do(cmd.Correct(ANN, tuple(changes)))
    assert visible_state(parlour) == visible_state(right)
    assert summary(parlour.replayed()) == summary(parlour.state)
    after = parlour.state.game.position.cards  # type: ignore[union-attr]
    lines = [
        (seat, was.label, was.value, now.value)
        for seat, cards in enumerate(zip(before, after, strict=True))
        for was, now in zip(*map(sheet_lines, cards), strict=True)
        if was.value != now.value
    ]
    assert [(line.seat, line.label, line.before, line.after) for line in told.lines] == lines
    assert not told.problems
