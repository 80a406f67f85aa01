"""Positions, moves, steps with their events, and whole games."""

import copy
import pickle
from itertools import product

import pytest

import fivedice as fd
from fivedice.core.game import BonusReached, ExtraPaid, GameEnded, Held, Scored, Thrown, TurnPassed
from for_each import for_each
from rules.houses import CHANCE, box, face_box, load

TINY = load(face_box(1), CHANCE, "[bonus]", "threshold = 2", "points = 5", head=["dice = 2", "rolls = 2"])


def enter_game(book: str | fd.RuleBook, *players: str) -> fd.Game:
    return fd.Game.new(book, players or ("Ann",), dice=fd.dice.real())


def play(game: fd.Game, *turns: tuple[str, str]) -> fd.Game:
    for dice, where in turns:
        game.roll(dice)
        game.mark(where)
    return game


# Moves and events


def test_throw_and_hold_events_give_dice_and_rolls_left() -> None:
    game = enter_game("yahtzee")
    step = game.roll("24466")
    assert step.events == (Thrown(0, fd.Roll.parse("24466"), (2, 4, 4, 6, 6), 2),)
    assert (step.before, step.after) == (game.start, game.position)
    assert step.move == fd.Throw(fd.Roll.parse("24466"))
    game = enter_game("yahtzee")
    game.roll("24466")
    step = game.hold("44")
    assert step.events == (Held(0, fd.Keep.parse("44")),)
    assert (game.position.dice, game.position.in_cup, game.position.rolls_left) == (fd.Keep.parse("44"), 3, 2)
    assert game.position.roll is None
    again = game.roll("136")
    assert again.events == (Thrown(0, fd.Roll.parse("13446"), (1, 3, 6), 1),)


def test_dice_order_and_kept_dice_thrown_again() -> None:
    game = enter_game("yahtzee")
    game.roll("24466")
    game.hold("44")
    game.roll("466")
    game.hold("")
    assert game.position.in_cup == 5
    game.roll("11111")
    assert game.position.rolls_left == 0
    for entered in ("136", "13446", fd.Roll.parse("136"), [6, 3, 1]):
        game = enter_game("yahtzee")
        game.roll("24466")
        game.hold([4, 4])
        assert game.roll(entered).after.dice.faces == (1, 3, 4, 4, 6)


def test_score_events_pass_the_turn_and_report_extra_joker_and_bonus() -> None:
    game = enter_game("yahtzee", "Ann", "Bob")
    game.roll("24466")
    step = game.mark("Chance")
    assert step.events == (Scored(0, "chance", 22, joker=False), TurnPassed(1))
    assert (step.after.seat, step.after.rolls_left, step.after.dice) == (1, 3, fd.Keep(()))
    game = play(enter_game("yahtzee"), ("66666", "yz"), ("66612", "6s"))
    game.roll("66666")
    assert game.mark("ls").events == (Scored(0, "large_straight", 40, joker=True), ExtraPaid(0, 100), TurnPassed(0))
    game = play(enter_game("yahtzee"), ("66666", "sixes"), ("55551", "fives"))
    game.roll("44441")
    assert game.mark("fours").events == (Scored(0, "fours", 16, joker=False), BonusReached(0, 35), TurnPassed(0))
    game.roll("33311")
    assert BonusReached(0, 35) not in game.mark("threes").events


def test_last_score_ends_the_game() -> None:
    game = play(enter_game(TINY, "Ann", "Bob"), ("11", "aces"), ("16", "aces"), ("66", "chance"))
    assert not game.is_over
    assert game.outcome is None
    assert game.winners == ()
    game.roll("11")
    step = game.mark("chance")
    assert step.events == (Scored(1, "chance", 2, joker=False), GameEnded((19, 3), (0,)))
    assert game.is_over
    assert game.outcome == fd.Outcome((19, 3), (0,))
    assert not game.outcome.is_tie
    assert game.winners == ("Ann",)


def test_equal_totals_share_the_win() -> None:
    game = play(enter_game(TINY, "Ann", "Bob", "Cid"), *[("12", "aces")] * 3, ("22", "ch"), ("12", "ch"), ("13", "ch"))
    assert game.outcome == fd.Outcome((5, 4, 5), (0, 2))
    assert game.outcome.is_tie
    assert game.winners == ("Ann", "Cid")


# Refusals


@pytest.fixture
def thrown() -> fd.Game:
    game = enter_game("yahtzee")
    game.roll("24466")
    return game


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (fd.Throw(fd.Roll.parse("11111")), "All dice are rolled. Keep some and roll the others"),
        (fd.Hold(fd.Keep.parse("444")), "You cannot keep 4-4-4. The dice are 2-4-4-6-6"),
        (fd.Hold(fd.Keep.parse("24466")), "Keeping every die rolls none. Score a box instead"),
        (fd.Hold(fd.Keep.parse("246666")), "You cannot keep 2-4-6-6-6-6"),
        (fd.Throw(fd.Roll.parse("1111")), "Yahtzee uses 5 dice, each 1 to 6. You entered 1-1-1-1"),
        (fd.Mark("nines"), "has no box 'nines'"),
        ("chance", "'chance' is not a move. Use Throw, Hold, Mark, Skip, Leave or Come"),
        (None, "None is not a move"),
    ],
)
def test_illegal_moves_after_a_throw(thrown: fd.Game, move: fd.Throw | fd.Hold | fd.Mark, reason: str) -> None:
    before = thrown.position
    with pytest.raises(fd.IllegalError, match=reason):
        thrown.play(move)
    assert thrown.position is before
    assert not before.allows(move)
    with pytest.raises(fd.IllegalError, match=reason):
        fd.apply(before, move)


@for_each(
    ("move", "reason"),
    [
        (fd.Mark("chance"), "Roll 5 dice first"),
        (fd.Hold(fd.Keep.parse("44")), "Roll 5 dice first"),
        (fd.Throw(fd.Roll.parse("112345")), "Yahtzee uses 5 dice"),
    ],
)
def test_illegal_moves_before_a_throw(move: fd.Throw | fd.Hold | fd.Mark, reason: str) -> None:
    with pytest.raises(fd.IllegalError, match=reason):
        enter_game("yahtzee").play(move)


def test_held_dice_must_be_part_of_the_throw(thrown: fd.Game) -> None:
    thrown.hold("44")
    with pytest.raises(fd.IllegalMove, match="You kept 4-4, but 1-1-2-3-4 does not contain them"):
        thrown.roll("11234")
    with pytest.raises(fd.IllegalMove, match="Roll 3 dice first"):
        thrown.mark("chance")


def test_box_must_be_scored_after_the_last_roll() -> None:
    game = enter_game(TINY)
    game.roll("12")
    game.hold("1")
    game.roll("1")
    with pytest.raises(fd.IllegalMove, match=r"No rolls left\. Score a box with 1-1"):
        game.hold("1")


def test_refused_roll_says_what_to_do(thrown: fd.Game) -> None:
    thrown.dice = fd.dice.seeded(1)
    with pytest.raises(fd.IllegalMove, match="Keep some and roll the others, or score a box"):
        thrown.roll()


def test_finished_games_and_filled_boxes_are_closed() -> None:
    game = play(enter_game(TINY), ("11", "aces"), ("11", "chance"))
    for act in (lambda: game.roll("11"), game.roll, lambda: game.mark("aces"), lambda: game.hold("")):
        with pytest.raises(fd.IllegalMove, match=r"The game is over\. Every box is scored"):
            act()
    with pytest.raises(fd.IllegalMove, match="The game is over"):
        game.position.ruling()
    assert list(game.position.choices()) == list(game.position.chances()) == []
    game = play(enter_game("yahtzee"), ("12345", "chance"))
    game.roll("12345")
    with pytest.raises(fd.IllegalMove, match="Chance already has 15"):
        game.mark("chance")


# Choices and chances


def within(start: fd.Position, moves: int) -> set[fd.Position]:
    """Yield every position reachable in at most that many moves."""
    seen, edge = {start}, {start}
    for _ in range(moves):
        edge = {fd.apply(position, move).after for position in edge for move in possible(position)} - seen
        seen |= edge
    return seen


def possible(position: fd.Position) -> list[fd.Throw | fd.Hold | fd.Mark]:
    return [*(throw for throw, _ in position.chances()), *position.choices()]


def test_choices_and_chances_match_check() -> None:
    book = load(face_box(1), CHANCE, head=["dice = 2", "faces = 3", "rolls = 2"])
    dice = [keep for count in range(3) for keep in map(fd.Keep, product((1, 2, 3), repeat=count))]
    every_move: set[fd.Throw | fd.Hold | fd.Mark] = {fd.Hold(keep) for keep in dice}
    every_move |= {fd.Throw(fd.Roll(keep.faces)) for keep in dice if len(keep)}
    every_move |= {fd.Mark(key) for key in book.index}
    seen = within(fd.Position.start(book, 2), 7)
    assert len(seen) > 300
    for position in seen:
        assert set(possible(position)) == {move for move in every_move if position.allows(move)}


@for_each(("held", "outcomes"), [("", 252), ("4", 126), ("2446", 6)])
def test_weights_of_chance_add_up(held: str, outcomes: int) -> None:
    game = enter_game("yahtzee")
    game.roll("24466")
    game.hold(held)
    chances = list(game.position.chances())
    assert len(chances) == len({throw for throw, _ in chances}) == outcomes
    assert sum(weight for _, weight in chances) == 6**game.position.in_cup
    assert all(game.position.allows(throw) for throw, _ in chances)


def test_no_chance_outcomes_after_a_throw(thrown: fd.Game) -> None:
    assert list(thrown.position.chances()) == []
    holds = [move for move in thrown.position.choices() if isinstance(move, fd.Hold)]
    assert len(holds) == 2 * 3 * 3 - 1
    assert fd.Hold(fd.Keep(())) in holds


def test_no_choices_before_the_throw() -> None:
    assert list(enter_game("yahtzee").position.choices()) == []


# Games


def test_undo_repeats_seeded_throws() -> None:
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.seeded(7))
    game.roll()
    first = game.position
    game.hold(first.dice.faces[:2])
    game.roll()
    second = game.position
    game.mark("chance")
    assert game.undo() == second
    assert game.undo(2) == first
    game.hold(first.dice.faces[:2])
    game.roll()
    assert game.position == second
    assert game.undo(3) == game.start


def test_undo_repeats_recorded_throws() -> None:
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.scripted("24466 111"), first=0)
    game.roll()
    game.hold("44")
    game.roll()
    game.undo()
    game.roll()
    assert str(game.position.dice) == "11144"
    game.undo(3)
    game.roll()
    assert str(game.position.dice) == "24466"


@pytest.mark.parametrize("moves", [0, -1, 2])
def test_undo_of_more_moves_than_played_is_refused(thrown: fd.Game, moves: int) -> None:
    with pytest.raises(fd.IllegalMove, match=f"You cannot take back {moves} moves. 1 move has been made"):
        thrown.undo(moves)


def test_copy_is_independent(thrown: fd.Game) -> None:
    thrown.tags = {"Date": "today"}
    twin = thrown.copy()
    assert (twin.position, twin.tags, twin.players) == (thrown.position, thrown.tags, thrown.players)
    twin.mark("chance")
    twin.tags["Date"] = "tomorrow"
    assert len(thrown.moves) == 1
    assert thrown.tags == {"Date": "today"}


def test_games_and_positions_are_values() -> None:
    game = play(enter_game("yatzy", "Ann", "Bob"), ("12345", "ss"), ("66655", "fh"))
    position = game.start
    for move, step in zip(game.moves, game.steps, strict=True):
        assert step.before == position
        position = fd.apply(position, move).after
    assert position == game.position
    full, half = fd.Scorecard.of(TINY, {"aces": 1, "chance": 7}), fd.Scorecard.of(TINY, {"aces": 1})
    position = fd.Position((half, full, fd.Scorecard.empty(TINY)), 0, fd.Keep.parse("12"), 1)
    assert fd.apply(position, fd.Mark("chance")).after.seat == 2
    position = enter_game("yahtzee", "Ann", "Bob").position
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position  # noqa: S301
    assert repr(position) == "<Position yahtzee: seat 0, dice -, 3 rolls left>"
    game = enter_game(fd.book("yahtzee"))
    game.roll("12345")
    assert game.position.ruling() is game.position.ruling()


@for_each(
    ("players", "wrong"),
    [
        ([], "at least one player"),
        ([""], "You entered ''"),
        (["  "], "You entered '  '"),
        (["Ann", "x" * 61], "A name has 1 to 60 visible characters on one line"),
        (["Ann\nBob"], "You entered 'Ann.nBob'"),
        (["A\u2028B"], "A name has 1 to 60 visible characters"),
        (["A\u2029B"], "A name has 1 to 60 visible characters"),
        (["A\ud800"], "A name has 1 to 60 visible characters"),
        (["\t"], "A name has 1 to 60 visible characters"),
    ],
)
def test_names_are_checked(players: list[str], wrong: str) -> None:
    with pytest.raises(fd.MalformedError, match=wrong):
        fd.Game.new("yahtzee", players)


def test_names_are_trimmed_and_unknown_books_refused() -> None:
    assert fd.Game.new("yahtzee", [" Ann ", "Zoë", "李"], first=0).players == ("Ann", "Zoë", "李")
    assert fd.Game.new("yahtzee", "Ann").players == ("Ann",)
    assert fd.Game.new("yahtzee").players == ("Player",)
    with pytest.raises(fd.UnknownBook, match="There are no rules 'yatzee'"):
        fd.Game.new("yatzee")
    game = enter_game(load(CHANCE, box("high", "hi", "anything"), head=["rolls = 1"]))
    game.roll("12345")
    assert set(game.position.choices()) == {fd.Mark("chance"), fd.Mark("high")}


def test_every_throw_has_its_own_place_even_if_entered() -> None:
    game, places = enter_game("yahtzee"), []
    for dice, move in (("12345", fd.Hold(fd.Keep.parse("12"))), ("666", fd.Mark("chance")), ("11111", fd.Mark("aces"))):
        places.append(game.next_place)
        game.roll(dice)
        game.play(move)
    places.append(game.next_place)
    assert places == [fd.dice.Place(1, 1, 0), fd.dice.Place(1, 2, 1), fd.dice.Place(2, 1, 2), fd.dice.Place(3, 1, 3)]


# Final dice: a turn of which only the end was noted


def test_no_roll_is_left_after_final_dice() -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.real())
    step = game.roll("14444", last=True)
    assert step.move == fd.Throw(fd.Roll.parse("14444"), last=True)
    assert (game.position.rolls_left, step.events[0].rolls_left) == (0, 0)
    with pytest.raises(fd.IllegalMove, match="No rolls left"):
        game.hold("4444")
    assert game.position.final
    game.mark("four_of_a_kind")
    assert (game.position.seat, game.position.rolls_left, game.position.final) == (1, 3, False)
    game.undo(2)
    assert game.position == game.start


@for_each("held", [None, "44"])
def test_final_dice_cannot_follow_recorded_rolls(held: str | None) -> None:
    game = fd.Game.new("yahtzee", dice=fd.dice.real())
    game.roll("14444")
    if held:
        game.hold(held)
    with pytest.raises(fd.IllegalMove, match="This turn already has rolls"):
        game.roll("14444", last=True)
    assert len(game.moves) == 1 + bool(held)


def test_final_dice_last_box_and_order_of_players() -> None:
    game = fd.Game.new("yahtzee", dice=fd.dice.seeded("final"))
    with pytest.raises(fd.IllegalMove, match="Say what they show"):
        game.roll(last=True)
    assert not game.moves
    game = fd.Game.new("yatzy", dice=fd.dice.real())
    assert game.last_mark is None
    game.roll("11111")
    assert game.last_mark is None
    mark = game.mark("aces")
    game.roll("22222")
    assert game.last_mark is mark
    game = fd.Game.new("crag", ["Ann", "Bob", "Cleo", "Dan"], dice=fd.dice.real(), first=0)
    game.leave(1)
    game.skip()
    before = game.position
    game.roll("123")
    after = game.position
    assert (after.seat, after.out, after.after, after.skipped) == (2, {1}, before.after, {0})
