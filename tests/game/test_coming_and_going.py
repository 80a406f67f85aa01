"""Players who are skipped, leave or join: whose turn follows, who can win, and which moves are refused."""

import pytest

import fivedice as fd
from fivedice.core.game import Come, Game, GameEnded, Leave, Skip, TurnPassed
from fivedice.core.game.position import Position, turns_to_come
from for_each import for_each


def game_of(*names: str, first: int = 0, out: tuple[int, ...] = ()) -> Game:
    return Game.new("yahtzee", names, dice=fd.dice.real(), first=first, out=out)


def turn(game: Game, box: str | None = None) -> int:
    """The next turn by worthless dice; who had it."""
    seat = game.position.seat
    game.roll("12346", last=True)
    game.mark(box or next(iter(game.position.ruling().legal)))
    return seat


def order(game: Game, turns: int) -> list[int]:
    return [turn(game) for _ in range(turns)]


def play_out(game: Game) -> list[int]:
    return order(game, len(turns_to_come(game.position)))


def test_skipped_player_plays_at_the_end() -> None:
    game = game_of("Ann", "Bob", "Cat")
    assert game.skip().events == (TurnPassed(1),)
    assert order(game, 2) == [1, 2]
    later = turns_to_come(game.position)
    assert (later[:3], later[-1], len(later)) == ([0, 1, 2], 0, 37)
    assert play_out(game) == later
    assert game.is_over


@for_each(("first", "following"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_next_player_follows_a_skipped_first_player(first: int, following: int) -> None:
    """Before the first turn the order still starts at the first player."""
    for move in (Skip(), Leave(first)):
        game = game_of("Ann", "Bob", "Cat", "Dan", first=first)
        game.play(move)
        assert (game.position.seat, game.position.after) == (following, (first - 1) % 4)


@for_each(
    ("position", "coming"),
    [
        ("yahtzee 1s:3|1s:3,2s:2|- 0 - 3", [0, 1, 2] * 11 + [0, 2, 2]),
        ("yahtzee 1s:3|1s:3,2s:2|- 2 - 3", [2, 0, 1] * 11 + [2, 0, 2]),
    ],
)
def test_turns_still_to_play(position: str, coming: list[int]) -> None:
    """Ann has twelve, Bob eleven and Cat thirteen."""
    found = fd.read_position(position)
    assert turns_to_come(found) == coming
    without = [seat for seat in coming if seat != 1]
    assert turns_to_come(fd.apply(found, Leave(1)).after) == without


def test_skipped_rounds_restart_and_newcomers_wait() -> None:
    game = game_of("Ann", "Bob")
    game.skip()
    game.skip()
    assert game.position.seat == 0
    game.skip()
    assert game.position.seat == 1
    turn(game)
    assert game.position.seat == 0
    game = game_of("Ann", "Bob", "Cat", out=(2,))
    assert order(game, 2) == [0, 1]
    game.roll("12346")
    assert game.come(2).events == ()
    assert (game.position.seat, len(game.position.dice)) == (0, 5)
    game.mark("chance")
    assert order(game, 3) == [1, 2, 0]


def test_leaver_is_skipped_and_cannot_win() -> None:
    game = game_of("Ann", "Bob", "Cat", first=1)
    game.roll("66666", last=True)
    game.mark("five_of_a_kind")
    order(game, 2)
    game.roll("66666", last=True)
    game.mark("sixes")
    assert game.leave(1).events == ()
    assert game.leave(2).events == (TurnPassed(0),)
    assert set(play_out(game)) == {0}
    assert game.outcome is not None
    assert (game.outcome.winners, max(game.outcome.totals)) == ((0,), game.outcome.totals[1])


def test_game_ends_when_the_last_open_card_leaves() -> None:
    game = game_of("Ann", "Bob")
    order(game, 25)
    (ended,) = game.leave(1).events
    assert isinstance(ended, GameEnded)
    assert ended.winners == (0,)
    assert game.come(1).events == (TurnPassed(1),)
    assert play_out(game) == [1]
    assert game.outcome is not None
    assert game.outcome.winners == (0, 1)


def test_full_card_may_rejoin_a_finished_game() -> None:
    game = game_of("Ann", "Bob")
    order(game, 25)
    game.skip()
    game.leave(0)
    play_out(game)
    assert game.outcome is not None
    assert game.outcome.winners == (1,)
    (ended,) = game.come(0).events
    assert isinstance(ended, GameEnded)
    assert ended.winners == (0, 1)


def test_absent_first_player_and_position_without_a_previous_turn() -> None:
    assert game_of("Ann", "Bob", "Cat", first=1, out=(1,)).position.seat == 2
    assert Position.start(fd.book("yahtzee"), 2, 1, {0, 1}).seat == 1, "no player is active"
    # The one before the seat on turn is taken for it.
    for seat, following in ((0, 1), (1, 2), (2, 3), (3, 0)):
        position = fd.read_position(f"yahtzee -|-|-|- {seat} - 3")
        for move in (Skip(), Leave(seat)):
            after = fd.apply(position, move).after
            assert (after.seat, after.after) == (following, (seat - 1) % 4), (seat, move)


@for_each("out", [(2,), (-1,), (0, 1), ("0",), (True,)])
def test_unknown_seats_cannot_be_absent(out: tuple[int, ...]) -> None:
    with pytest.raises(fd.IllegalMove, match="from 0 to 1, and one must play"):
        game_of("Ann", "Bob", out=out)


@for_each(
    ("moves", "reason"),
    [
        ([Leave(2)], "There is no seat 2. Seats are numbered from 0 to 1."),
        ([Come(-1)], "There is no seat -1"),
        ([Come(True)], "There is no seat True"),
        ([Come(0)], "Seat 0 plays already"),
        ([Leave(1), Leave(1)], "Seat 1 has left already"),
        ([Leave(1), Leave(0)], "the last in the game"),
        ([fd.Throw(fd.Roll.parse("12346")), Skip()], "Dice were rolled in this turn"),
        ([fd.Throw(fd.Roll.parse("12346")), Leave(0)], "Dice were rolled in this turn"),
        ([fd.Throw(fd.Roll.parse("12346"), told=False)], "Final dice must be entered"),
    ],
)
def test_impossible_moves_are_refused(moves: list[object], reason: str) -> None:
    game = game_of("Ann", "Bob")
    *before, last = moves
    for move in before:
        game.play(move)  # type: ignore[arg-type]
    position = game.position
    with pytest.raises(fd.IllegalMove, match=reason):
        game.play(last)  # type: ignore[arg-type]
    assert game.position == position


def test_finished_game_cannot_be_left() -> None:
    game = game_of("Ann", "Bob")
    play_out(game)
    for move in (Leave(0), Skip()):
        with pytest.raises(fd.IllegalMove, match="The game is over"):
            game.play(move)
