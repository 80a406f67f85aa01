"""Who starts: the roll-off, the draw, and what the caller decides."""

from collections import Counter

import pytest

import fivedice as fd
from fivedice.core.game.playthrough import settle_start
from for_each import for_each

YAHTZEE = fd.book("yahtzee")


def roll_off(seats: int, *throws: str) -> fd.RollOff:
    state = fd.RollOff(YAHTZEE, seats)
    for throw in throws:
        state = state.throw(fd.Roll.parse(throw))
    return state


def test_roll_off_in_seat_order_with_the_dice_of_the_book() -> None:
    state = roll_off(3, "12345", "66666", "11111")
    assert (state.winner, state.next_seat) == (1, None)
    assert [roll_off(3, *["12345", "66666"][:done]).next_seat for done in range(3)] == [0, 1, 2]
    assert roll_off(3, "12345", "66666").winner is None
    with pytest.raises(fd.IllegalMove, match="The roll-off is over"):
        roll_off(2, "12345", "66666", "66666")
    with pytest.raises(fd.IllegalError, match=r"Yahtzee uses 5 dice, each 1 to 6\. You entered 1-2-3-4-5-6"):
        roll_off(2, "123456")
    dice = Noting("66666", "11111", "66666", "11111", "22222")
    first, rolled = settle_start(YAHTZEE, 3, dice)
    assert (first, rolled) == (2, roll_off(3, "66666", "11111", "66666", "11111", "22222"))
    assert dice.asked == [(fd.dice.Place(turn=0, roll=number + 1, throw=number), 5, 6) for number in range(5)]


def test_only_tied_seats_throw_again() -> None:
    state = roll_off(4, "66661", "12345", "66652", "66661")
    assert (state.next_seat, state.winner) == (0, None)
    state = state.throw(fd.Roll.parse("11111"))
    assert state.next_seat == 2
    state = state.throw(fd.Roll.parse("66666")).throw(fd.Roll.parse("66666"))
    assert state.next_seat == 2
    state = state.throw(fd.Roll.parse("11112"))
    assert state.next_seat == 3
    state = state.throw(fd.Roll.parse("11113"))
    assert (state.winner, state.next_seat) == (3, None)
    assert [[seat for seat, _ in group] for group in state.rounds] == [[0, 1, 2, 3], [0, 2, 3], [2, 3]]


def test_single_player_needs_no_start() -> None:
    assert (roll_off(1).winner, roll_off(1).next_seat, roll_off(1).rounds) == (0, None, ())
    with pytest.raises(fd.IllegalMove, match=r"at least 1 player\. It has 0"):
        roll_off(0)


def test_digital_dice_settle_the_start_by_roll_off_even_with_ties() -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob", "Cid"], dice=fd.dice.seeded(3))
    assert game.roll_off is not None
    assert game.first == game.roll_off.winner == game.position.seat
    assert [seat for seat, _ in game.roll_off.rounds[0]] == [0, 1, 2]
    games = [fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.seeded(seed)) for seed in range(60)]
    tied = [game for game in games if game.roll_off is not None and len(game.roll_off.rounds) > 1]
    assert tied
    assert all(game.roll_off is not None and game.roll_off.winner == game.first for game in games)
    rolling = {key for key in fd.SHIPPED if fd.book(key).start == "roll-off"}
    assert rolling == {"yahtzee", "yahtzee-free-choice", "yahtzee-plain"}


@for_each("key", [key for key in fd.SHIPPED if fd.book(key).start == "draw"])
def test_first_seat_is_drawn_fairly_without_a_roll_off(key: str) -> None:
    games = [fd.Game.new(key, ["Ann", "Bob", "Cid"], dice=fd.dice.seeded(seed)) for seed in range(300)]
    drawn = Counter(game.first for game in games)
    assert all(game.roll_off is None for game in games)
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 75


@for_each("dice", [fd.dice.real(), fd.dice.scripted("12345")])
def test_first_seat_starts_with_real_and_scripted_dice(dice: fd.dice.DiceSource) -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=dice)
    assert (game.first, game.roll_off) == (0, None)


def test_caller_may_settle_the_start_and_a_draw_is_one_die() -> None:
    assert fd.Game.new("yahtzee", ["Ann", "Bob"], first=1).position.seat == 1
    settled = roll_off(2, "12345", "66666")
    assert fd.Game.new("yahtzee", ["Ann", "Bob"], roll_off=settled).first == 1
    assert fd.Game.new("yahtzee", ["Ann", "Bob"], roll_off=settled, first=1).first == 1
    dice = Noting("2")
    assert settle_start(fd.book("yatzy"), 3, dice) == (1, None)
    assert dice.asked == [(fd.dice.Place(turn=0, roll=1, throw=0), 1, 3)]


@for_each(
    ("first", "state"),
    [
        (2, None),
        (-1, None),
        (True, None),
        ("0", None),
        (0, roll_off(2, "12345", "66666")),
        (None, roll_off(2, "12345")),
        (None, roll_off(3, "12345", "66666", "11111")),
    ],
)
def test_impossible_start_is_refused(first: int | None, state: fd.RollOff | None) -> None:
    with pytest.raises(fd.IllegalMove, match="The first seat must be from 0 to 1 and match the roll-off"):
        fd.Game.new("yahtzee", ["Ann", "Bob"], first=first, roll_off=state)


class Noting:
    """Scripted dice that record where they were thrown."""

    decides_start = True

    def __init__(self, *falls: str) -> None:
        self.falls = list(falls)
        self.asked: list[tuple[fd.dice.Place, int, int]] = []

    def throw(self, place: fd.dice.Place, count: int, faces: int) -> tuple[int, ...]:
        self.asked.append((place, count, faces))
        return tuple(map(int, self.falls.pop(0)))


@for_each(("first", "following"), [(0, 1), (1, 2), (2, 0)])
def test_seat_to_the_left_starts_the_rematch(first: int, following: int) -> None:
    assert fd.Game.new("yatzy", ["Ann", "Bob", "Cid"], first=first).next_first == following
