"""Another game with the same players starts as soon as all agree."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from fivedice.store import schema
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState, fold_events
from fivedice.table.view.table_view import view
from support.tables import at_once, finish, rows, start_game
from table.table_harness import ANN, BOB, CAT, ZOE, Parlour, play_out, start_table, summary


def over(*players: str, bots: tuple[str, ...] = ()) -> Parlour:
    parlour = start_table(*players, bots=bots)
    play_out(parlour)
    return parlour


def rematch_view(state: TableState, viewer: str, present: frozenset[str] | None = None) -> tuple[str, bool]:
    again = view(state, viewer, present).again
    assert again is not None
    return again.sentence, again.can_begin


@pytest.fixture
def finished(tables: Tables) -> Callable[..., str]:
    def make(*players: str) -> str:
        table = start_game(tables, *players)
        finish(tables, table)
        return table

    return make


# Answers


def test_answers_and_missing_answers_are_shown() -> None:
    parlour = over(ANN, BOB, CAT)
    assert rematch_view(parlour.state, ANN) == ("", False), "no player has asked yet"
    parlour.do(cmd.PlayAgain(ANN))
    assert rematch_view(parlour.state, ANN)[0] == "Waiting for Bob and Cat."
    assert rematch_view(parlour.state, BOB)[0] == "Ann wants to play again."
    assert rematch_view(parlour.state, ZOE)[0] == "Ann wants to play again.", "spectators read it too"
    parlour.do(cmd.PlayAgain(BOB))
    assert rematch_view(parlour.state, ANN)[0] == "Waiting for Cat."
    assert rematch_view(parlour.state, CAT)[0] == "Ann and Bob want to play again."
    parlour.do(cmd.PlayAgain(CAT, agree=False))
    assert rematch_view(parlour.state, ANN) == ("Cat doesn’t want to play again.", True)
    assert rematch_view(parlour.state, CAT) == ("Ann and Bob want to play again.", False)
    assert view(parlour.state, ANN).announcement == "Cat doesn’t want to play again."
    assert view(parlour.state, CAT).announcement == "You don’t want to play again."
    again = view(parlour.state, CAT).again
    assert again is not None
    assert (again.yours, again.wanted, again.waiting, again.can_answer) == (False, (0, 1), (), True)


def test_rematch_is_asked_after_the_end_and_undo_withdraws_answers() -> None:
    parlour = start_table(ANN, BOB)
    assert view(parlour.state, ANN).again is None
    assert parlour.reason(cmd.PlayAgain(ANN), WrongPhase) == "table.not-finished"
    parlour = over(ANN, BOB)
    parlour.do(cmd.PlayAgain(ANN), cmd.TakeBack(BOB))
    assert (parlour.state.again_yes, view(parlour.state, ANN).again) == ((), None)
    parlour = start_table(ANN, BOB)
    parlour.append(ev.HandedOver(1, ANN))
    play_out(parlour)
    parlour.do(cmd.PlayAgain(ANN))
    assert cmd.PlayAgain(ANN).begins(parlour.state, None)


def test_repeated_answers_do_nothing_and_answers_can_change() -> None:
    parlour = over(ANN, BOB)
    assert parlour.do(cmd.PlayAgain(ANN)) == (ev.AgainSaid(0, True),)
    assert parlour.do(cmd.PlayAgain(ANN)) == ()
    assert parlour.do(cmd.PlayAgain(ANN, agree=False)) == (ev.AgainSaid(0, False),)
    assert parlour.do(cmd.PlayAgain(ANN, agree=False)) == ()
    assert rematch_view(parlour.state, BOB)[0] == "", "no player wants to any more"
    assert parlour.do(cmd.PlayAgain(ANN, agree=True)) == (ev.AgainSaid(0, True),)
    assert (parlour.state.again_yes, parlour.state.again_no) == ((ANN,), frozenset())
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_only_present_players_can_block_the_rematch() -> None:
    parlour = over(ANN, BOB, CAT)
    parlour.do(cmd.PlayAgain(ANN))
    parlour.present = frozenset({ANN, BOB})
    assert rematch_view(parlour.state, ANN, parlour.present) == ("Cat is away. Waiting for Bob.", False)
    assert parlour.reason(cmd.PlayAgain(ANN, now=True), NotAllowed) == "table.again-waiting"
    assert parlour.refused(cmd.PlayAgain(ANN, now=True), NotAllowed) == "Waiting for Bob."
    parlour.do(cmd.PlayAgain(BOB))
    assert rematch_view(parlour.state, BOB, parlour.present) == ("Cat is away.", True)
    assert cmd.PlayAgain(ANN, now=True).begins(parlour.state, parlour.present)
    assert not cmd.PlayAgain(ANN).begins(parlour.state, parlour.present), "Cat may still answer until a player decides"
    assert not cmd.PlayAgain(ANN, now=True).begins(parlour.state, None), "presence of Cat is not known yet"


# Consequences


def test_rematch_starts_when_all_agree(tables: Tables, finished: Callable[..., str]) -> None:
    table = finished(ANN, BOB)
    before = tables.state(table)
    assert tables.execute(table, cmd.PlayAgain(BOB)).following is None
    done = tables.execute(table, cmd.PlayAgain(ANN))
    assert done.following is not None
    state = tables.state(done.state.rematch or "")
    assert state.id == done.following.id
    assert (state.phase, state.on_turn) == (Phase.PLAYING, before.running.next_first)
    looks = [[(seat.name, seat.player, seat.color, seat.token) for seat in each.seats] for each in (before, state)]
    assert looks[0] == looks[1]
    assert state.host == BOB, "whose table it was does not sit here: the first one who asked is the host"
    assert state.promise == before.secret, "the dice that were settled before the first game"


def test_host_stays_host_in_the_rematch(tables: Tables) -> None:
    table = tables.open(ANN, "yatzy", then=[cmd.SitDown(ANN, "Ann"), cmd.SitDown(BOB, "Bob"), cmd.StartGame(ANN)])
    finish(tables, table)
    tables.execute(table, cmd.PlayAgain(BOB))
    following = tables.execute(table, cmd.PlayAgain(ANN)).following
    assert following is not None
    assert following.host == ANN


def test_single_player_rematch_starts_at_once(tables: Tables, finished: Callable[..., str]) -> None:
    table = finished(ANN)
    following = tables.execute(table, cmd.PlayAgain(ANN)).state.rematch
    assert following is not None
    assert tables.state(following).on_turn == 0
    assert tables.execute(table, cmd.PlayAgain(ANN)).state.rematch == following


def test_starting_bot_is_notified(store: Store) -> None:
    """No other event would wake it."""
    found: list[TableState] = []
    tables = Tables(store, found.append)
    table = tables.open(ANN, "yatzy", then=[cmd.SitDown(ANN, "Ann")])
    state = tables.state(table)
    with_bot = [ev.Sat("Bot", "red", "●", bot="steady"), ev.Started(0)]
    store.append(state, fold_events(state, with_bot), with_bot)
    finish(tables, table)
    following = tables.execute(table, cmd.PlayAgain(ANN)).state.rematch
    assert found[-1].id == following
    assert found[-1].house_to_move, "the bot sits to the left of who began"


def test_withdrawn_bot_is_replaced_under_its_own_name(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once the perfect bot played Maxi Yatzy by par."""
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    tables = Tables(store)
    table = tables.open(ANN, "maxi-yatzy", then=[cmd.SitDown(ANN, "Ann"), cmd.SeatBot(ANN, "sharp")])
    state = tables.state(table)
    with_bot = [ev.Sat("Perfect bot", "red", "●", bot="perfect"), ev.Started(0)]
    store.append(state, fold_events(state, with_bot), with_bot)
    finish(tables, table)
    following = tables.execute(table, cmd.PlayAgain(ANN)).state.rematch
    assert following is not None
    seats = tables.state(following).seats
    assert [(seat.name, seat.bot) for seat in seats] == [
        ("Ann", None),
        ("Sharp bot", "sharp"),
        ("Sharp bot 2", "sharp"),
    ]


def test_rematch_without_those_who_declined(tables: Tables, finished: Callable[..., str]) -> None:
    table = finished(ANN, BOB, CAT)
    game = tables.state(table).running
    leaver, (first, second) = game.next_first, [seat for seat in range(3) if seat != game.next_first]
    people = (ANN, BOB, CAT)
    tables.execute(table, cmd.PlayAgain(people[leaver], agree=False))
    tables.execute(table, cmd.PlayAgain(people[first]))
    assert tables.execute(table, cmd.PlayAgain(people[second])).following is None, "not all have said yes"
    state = tables.execute(table, cmd.PlayAgain(people[second], now=True)).following
    assert state is not None
    assert [seat.player for seat in state.seats] == [people[first], people[second]]
    assert state.on_turn == (0 if leaver in (0, 2) else 1), "the next one to the left who came along"
    assert state.host in (people[first], people[second])


def test_omitted_player_still_finds_the_next_game(tables: Tables, finished: Callable[..., str]) -> None:
    table = finished(ANN, BOB)
    tables.execute(table, cmd.PlayAgain(BOB, agree=False))
    following = tables.execute(table, cmd.PlayAgain(ANN, now=True)).state.rematch
    assert tables.execute(table, cmd.PlayAgain(BOB)).state.rematch == following
    assert [seat.player for seat in tables.state(following or "").seats] == [ANN]


def test_concurrent_answers_open_one_game(tables: Tables, neighbour: Tables, engine: Engine, finished) -> None:
    table = finished(ANN, BOB, CAT)
    known = len(rows(engine, schema.tables))

    def send(number: int) -> Callable[[], str | None]:
        through, player = (tables, neighbour)[number % 2], (ANN, BOB, CAT)[number // 2 % 3]
        return lambda: through.execute(table, cmd.PlayAgain(player)).state.rematch

    answers = at_once(*map(send, range(12)))
    following = tables.state(table).rematch
    assert set(answers) - {None} == {following}
    assert len(rows(engine, schema.tables)) == known + 1
    assert tables.state(following or "").phase is Phase.PLAYING


def test_client_opened_rematch_does_not_interfere(tables: Tables, finished: Callable[..., str]) -> None:
    table = finished(ANN, BOB)
    tables.execute(table, cmd.PlayAgain(ANN))
    following = tables.rematch(table, BOB)
    assert tables.execute(table, cmd.PlayAgain(BOB)).state.rematch == following


def test_answer_that_starts_the_rematch() -> None:
    parlour = start_table(ANN, BOB)
    play_out(parlour)
    parlour.do(cmd.PlayAgain(ANN))
    assert cmd.PlayAgain(ANN).begins(parlour.state, None) is False, "Bob is asked yet"
    parlour.do(cmd.PlayAgain(BOB))
    assert cmd.PlayAgain(BOB).begins(parlour.state, None) is True
    assert cmd.PlayAgain(BOB, agree=False).begins(parlour.state, None) is False
    parlour.append(ev.Rematched("other"))
    assert cmd.PlayAgain(BOB).begins(parlour.state, None) is False
