"""Announced keeps: who may show which dice they are about to keep, without changing the game."""

import pytest
from hypothesis import given, settings, strategies as st

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.playing import intended_hold
from fivedice.table.refusals import BadRequest, NotYourTurn, Refusal, StaleVersion, WrongPhase
from table.table_harness import ANN, BOB, Parlour, pad, play_out, started, summary


def _reason(parlour: Parlour, player: str, moment: int | None = None, hold: tuple[int, ...] = (0,)) -> type[Refusal]:
    with pytest.raises(Refusal) as caught:
        intended_hold(parlour.state, player, parlour.state.game_version if moment is None else moment, hold)
    return caught.type


def test_only_the_player_who_may_roll_shows_holds() -> None:
    parlour = started(ANN, BOB)
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
    told = started(ANN, BOB)
    told.roll(ANN, "12345")
    told.append(ev.SecretRevealed("5" * 64))
    assert _reason(told, ANN) is WrongPhase, "the dice of this game are known: nobody rolls any more"
    real = pad("Ann", "Bob")
    real.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
    assert _reason(real, ANN) is WrongPhase, "real dice lie where they lie"
    parlour = started(ANN, BOB)
    parlour.roll(ANN, "12345")
    parlour.append(ev.Left(0), ev.StoodIn(0, rest=True))
    assert _reason(parlour, ANN) is WrongPhase


@given(st.lists(st.tuples(st.sampled_from((ANN, BOB)), st.lists(st.integers(-2, 7), max_size=6), st.booleans())))
@settings(max_examples=60, deadline=None)
def test_shown_holds_never_change_the_game(said: list[tuple[str, list[int], bool]]) -> None:
    """Announcements between moves do not change the table."""
    spoken, silent = started(ANN, BOB), started(ANN, BOB)
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
