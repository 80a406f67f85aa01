"""Rolling, holding by slot, and scoring boxes."""

import pytest
from hypothesis import given, settings, strategies as st

from fivedice.core.dice import seeded
from fivedice.errors import IllegalError
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.playing import intended_hold
from fivedice.table.actions.rights import HOUSE
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotYourTurn, Refusal, StaleVersion, WrongPhase
from for_each import for_each
from table.table_harness import ANN, BOB, HAL, ZOE, Parlour, open_table, pad, play_out, start_table, summary


def test_held_slots_stay_and_other_dice_are_rolled() -> None:
    parlour = start_table(ANN)
    parlour.roll(ANN, "52461")
    assert (parlour.state.slots, parlour.state.held) == ((5, 2, 4, 6, 1), ())
    parlour.roll(ANN, "333", hold=(3, 0))
    assert (parlour.state.slots, parlour.state.held) == ((5, 3, 3, 6, 3), (0, 3))
    parlour.roll(ANN, "11112")
    assert (parlour.state.slots, parlour.state.held) == ((1, 1, 1, 1, 2), ())
    assert parlour.state.running.position.rolls_left == 0
    parlour = start_table(ANN)
    parlour.roll(ANN, "44244")
    parlour.roll(ANN, "156", hold=(1, 4))
    assert parlour.state.slots == (1, 4, 5, 6, 4)
    parlour = start_table(ANN)
    parlour.roll(ANN, "44244")
    before = parlour.state
    parlour.roll(ANN, "44244")
    assert parlour.state.slots == before.slots
    assert parlour.state.game_version > before.game_version
    parlour = start_table(ANN)
    parlour.roll(ANN, "12345")
    parlour.roll(ANN, "6666", hold=(2, 2, 2))
    assert parlour.state.slots == (6, 6, 3, 6, 6)
    assert parlour.state.held == (2,)


@for_each("slots", [(5,), (-1,), (0, 99), (10**40,)])
def test_unknown_slots_are_refused(slots: tuple[int, ...]) -> None:
    parlour = start_table(ANN)
    parlour.roll(ANN, "12345")
    sentence = parlour.refused(cmd.RollDice(ANN, slots), BadRequest)
    assert "from 0 to 4" in sentence
    assert len(sentence) < 150


def test_illegal_rolls_and_scores_are_refused() -> None:
    parlour = start_table(ANN)
    parlour.roll(ANN, "12345")
    sentence = parlour.refused(cmd.RollDice(ANN, (0, 1, 2, 3, 4)), AgainstTheRules)
    assert sentence == "Keeping every die rolls none. Score a box instead."
    sentence = start_table(ANN).refused(cmd.RollDice(ANN, (0,)), AgainstTheRules)
    assert sentence == "The first roll of a turn is all dice. You can’t keep any."
    parlour = start_table(ANN)
    for _ in range(3):
        parlour.roll(ANN, "12345")
    for hold in ((), (0,)):
        sentence = parlour.refused(cmd.RollDice(ANN, hold), AgainstTheRules)
        assert sentence == "No rolls left. Score a box with 1-2-3-4-5."
    sentence = start_table(ANN).refused(cmd.FillBox(ANN, "chance"), AgainstTheRules)
    assert sentence == "Roll 5 dice first."
    parlour = start_table(ANN)
    parlour.turn(ANN, "12345", "chance")
    parlour.roll(ANN, "12345")
    assert parlour.refused(cmd.FillBox(ANN, "Chance"), AgainstTheRules) == "Chance already has 15."


@for_each("box", ["", "nonsense", "<script>", "x" * 10_000, "\ud800", "0"])
def test_unknown_box_is_quoted(box: str) -> None:
    parlour = start_table(ANN)
    parlour.roll(ANN, "12345")
    sentence = parlour.refused(cmd.FillBox(ANN, box), AgainstTheRules)
    assert sentence.startswith("Yahtzee has no box '")
    assert len(sentence) < 400
    sentence.encode()


@for_each("name", ["full_house", "fh", "FULL HOUSE"])
def test_box_is_found_by_key_code_and_name_at_the_table(name: str) -> None:
    parlour = start_table(ANN)
    assert parlour.turn(ANN, "22333", name) == ev.Scored(0, "full_house", 25)


def joker(book: str) -> Parlour:
    """Five Fours with the box for them filled and Fours open."""
    parlour = start_table(ANN, book=book)
    parlour.turn(ANN, "11111", "five_of_a_kind")
    parlour.roll(ANN, "44444")
    return parlour


@for_each("book", ["yahtzee", "yardzee"])
@for_each("box", ["full_house", "chance", "threes"])
def test_forced_joker_is_refused_with_the_engine_reason(book: str, box: str) -> None:
    parlour = joker(book)
    game = parlour.state.running
    with pytest.raises(IllegalError) as engine:
        game.position.ruling().check(box)
    sentence = parlour.refused(cmd.FillBox(ANN, box), AgainstTheRules)
    assert sentence == str(engine.value) == game.position.ruling().closed[box]
    assert sentence.startswith("4-4-4-4-4 must go in Fours, which is open")


def test_joker_scores_like_the_engine() -> None:
    parlour = joker("yahtzee")
    assert parlour.score(ANN, "fours") == ev.Scored(0, "fours", 20, bonus=100)
    parlour.roll(ANN, "44444")
    assert parlour.score(ANN, "large_straight") == ev.Scored(0, "large_straight", 40, bonus=100, joker=True)


def test_only_the_seat_on_turn_or_its_server_player_plays() -> None:
    parlour = start_table(ANN, BOB)
    for player in (BOB, HAL, ZOE, "", HOUSE):
        assert parlour.reason(cmd.RollDice(player), NotYourTurn) == "table.not-your-turn"
        assert parlour.reason(cmd.FillBox(player, "chance"), NotYourTurn) == "table.not-your-turn"
    parlour = start_table(ANN, ANN)
    parlour.turn(ANN, "12345", "chance")
    assert parlour.turn(ANN, "12346", "chance").seat == 1
    parlour = start_table(ANN, bots=["steady"])
    parlour.turn(ANN, "12345", "chance")
    for player in (ANN, HAL, "", "steady"):
        assert parlour.reason(cmd.RollDice(player), NotYourTurn) == "table.not-your-turn"
    parlour.turn(HOUSE, "12345", "chance")
    assert not parlour.state.seats[1].helped


@for_each("command", [cmd.RollDice(ANN), cmd.FillBox(ANN, "chance")])
def test_no_play_before_the_start_or_after_the_end(command: cmd.Command) -> None:
    seating = open_table()
    seating.do(cmd.SitDown(ANN, "Ann"))
    over = start_table(ANN)
    play_out(over)
    for parlour in (seating, over):
        assert parlour.reason(command, WrongPhase) == "table.not-playing"


def test_dice_depend_on_the_place_not_the_command() -> None:
    """Refused commands do not change the next roll."""
    parlour = start_table(ANN)
    parlour.dice = seeded("secret")
    parlour.do(cmd.RollDice(ANN))
    dice = parlour.state.slots
    for command in (cmd.RollDice(ANN, (7,)), cmd.FillBox(ANN, "no"), cmd.RollDice(BOB)):
        with_refusal(parlour, command)
    other = start_table(ANN)
    other.dice = seeded("secret")
    other.do(cmd.RollDice(ANN))
    assert other.state.slots == dice
    parlour.do(cmd.RollDice(ANN, (0,)))
    other.do(cmd.RollDice(ANN, (0,)))
    assert parlour.state.slots == other.state.slots


def with_refusal(parlour: Parlour, command: cmd.Command) -> None:
    with pytest.raises(Refusal):
        parlour.do(command)


def test_round_number_follows_the_player_on_turn() -> None:
    parlour, rounds = start_table(ANN, BOB), []
    for player, box in ((ANN, "aces"), (BOB, "aces"), (ANN, "twos"), (BOB, "twos")):
        rounds.append(parlour.state.round)
        parlour.turn(player, "12345", box)
    assert [*rounds, parlour.state.round] == [1, 1, 2, 2, 3]


def _reason(parlour: Parlour, player: str, moment: int | None = None, hold: tuple[int, ...] = (0,)) -> type[Refusal]:
    with pytest.raises(Refusal) as caught:
        intended_hold(parlour.state, player, parlour.state.game_version if moment is None else moment, hold)
    return caught.type


def test_only_the_player_who_may_roll_shows_holds() -> None:
    parlour = start_table(ANN, BOB)
    assert _reason(parlour, ANN) is WrongPhase, "there are no dice yet"
    parlour.roll(ANN, "12345")
    assert intended_hold(parlour.state, ANN, parlour.state.game_version, (3, 0, 3)) == (0, 3)
    assert intended_hold(parlour.state, ANN, parlour.state.game_version, (0, 1, 2, 3, 4)) == (0, 1, 2, 3, 4)
    assert _reason(parlour, BOB) is NotYourTurn
    assert _reason(parlour, "") is NotYourTurn
    with pytest.raises(StaleVersion) as caught:
        intended_hold(parlour.state, ANN, 1, (0,))
    assert caught.value.message.kind == "table.stale"
    assert _reason(parlour, ANN, hold=(5,)) is BadRequest
    parlour.roll(ANN, "12345")
    parlour.roll(ANN, "12345")
    assert _reason(parlour, ANN) is WrongPhase, "no roll is left"
    play_out(parlour)
    assert _reason(parlour, ANN) is WrongPhase
    answer = start_table(ANN, BOB)
    answer.roll(ANN, "12345")
    answer.append(ev.SecretRevealed("5" * 64))
    assert _reason(answer, ANN) is WrongPhase, "the dice of this game are known, so rolling is over"
    real = pad("Ann", "Bob")
    real.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
    assert _reason(real, ANN) is WrongPhase, "real dice lie where they lie"
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "12345")
    parlour.append(ev.Left(0), ev.StoodIn(0, rest=True))
    assert _reason(parlour, ANN) is WrongPhase


@given(st.lists(st.tuples(st.sampled_from((ANN, BOB)), st.lists(st.integers(-2, 7), max_size=6), st.booleans())))
@settings(max_examples=60, deadline=None)
def test_shown_holds_never_change_the_game(said: list[tuple[str, list[int], bool]]) -> None:
    """Announcements between moves do not change the table."""
    spoken, silent = start_table(ANN, BOB), start_table(ANN, BOB)
    for player, slots, roll_on in said:
        before = summary(spoken.state)
        try:
            held = intended_hold(spoken.state, player, spoken.state.game_version, tuple(slots))
        except Refusal:
            pass
        else:
            assert set(held) <= set(range(5))
        assert summary(spoken.state) == before
        on_turn = spoken.state.on_turn
        assert on_turn is not None
        mover = (ANN, BOB)[on_turn]
        for parlour in (spoken, silent):
            position = parlour.state.running.position
            if roll_on and position.rolls_left:
                parlour.roll(mover, "12346")
            elif parlour.state.slots and parlour.state.turn < 12:
                parlour.score(mover, next(iter(position.ruling().legal)))
        assert summary(spoken.state) == summary(silent.state)
