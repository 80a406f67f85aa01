"""The table service: versions, idempotency keys, threads, processes, and failing commits."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Engine, event, update

from fivedice.store import schema
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import to_data
from fivedice.table.actions.rights import HOUSE, new_key, player_id
from fivedice.table.refusals import BadRequest, KeyUsed, NotAllowed, Refusal, StaleVersion, UnknownTable, WrongPhase
from fivedice.table.service import Done, Tables, handing_over
from fivedice.table.state import Phase
from support.tables import at_once, everything, finish, on_turn, play, rows, start_game
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, summary

# Versions


@pytest.mark.parametrize("command", [cmd.RollDice(ANN), cmd.FillBox(ANN, "chance"), cmd.TakeBack(ANN)])
def test_move_needs_its_version(tables: Tables, command: cmd.Command) -> None:
    table = start_game(tables, ANN)
    state = tables.state(table)
    with pytest.raises(BadRequest, match="which version"):
        tables.execute(table, command)
    for version in (-1, 0, state.game_version - 1, state.version + 1, 10**12):
        with pytest.raises(StaleVersion) as refusal:
            tables.execute(table, command, version=version)
        assert refusal.value.version == state.version
    assert tables.state(table) is state


def test_double_rolls_joins_and_moved_seats(tables: Tables) -> None:
    table = start_game(tables, ANN)
    version = tables.state(table).version
    tables.execute(table, cmd.RollDice(ANN), version=version, key="first")
    with pytest.raises(StaleVersion) as refusal:
        tables.execute(table, cmd.RollDice(ANN), version=version, key="second")
    assert refusal.value.version == tables.state(table).version == version + 1
    table = start_game(tables, ANN, BOB)
    version, player = tables.state(table).version, on_turn(tables, table)
    other, seat = (BOB, 1) if player == ANN else (ANN, 0)
    tables.execute(table, cmd.Leave(other, seat))
    assert tables.execute(table, cmd.RollDice(player), version=version).version == version + 2
    # Two players are removed from one page: the second click must not hit the player who moved up.
    table = tables.open(HAL, "yatzy")
    for player in (ANN, BOB, CAT):
        tables.execute(table, cmd.SitDown(player, player))
    version = tables.state(table).version
    tables.execute(table, cmd.StandUp(ANN, 0), version=version)
    with pytest.raises(StaleVersion):
        tables.execute(table, cmd.StandUp(HAL, 1), version=version)
    assert [seat.player for seat in tables.state(table).seats] == [BOB, CAT]


def test_answer_refers_to_the_seen_question(tables: Tables) -> None:
    table = start_game(tables, ANN, BOB)
    play(tables, table)
    scorer = BOB if on_turn(tables, table) == ANN else ANN
    other = on_turn(tables, table)
    before = tables.execute(table, cmd.RollDice(other), version=tables.state(table).version).version
    asked = tables.execute(table, cmd.TakeBack(scorer), version=before).version
    with pytest.raises(BadRequest, match="which version"):
        tables.execute(table, cmd.AnswerUndo(other, agree=True))
    with pytest.raises(StaleVersion):
        tables.execute(table, cmd.AnswerUndo(other, agree=True), version=before)
    assert tables.execute(table, cmd.AnswerUndo(other, agree=True), version=asked).events[-1] == ev.Undone(
        tables.state(table).on_turn or 0
    )


def test_skip_refers_to_the_seen_turn(tables: Tables) -> None:
    table = start_game(tables, ANN, BOB)
    player = on_turn(tables, table)
    other, seat = (BOB, 0) if player == ANN else (ANN, 1)
    version = tables.execute(table, cmd.Leave(player, seat)).version
    tables.execute(table, cmd.RollDice(player), version=version)
    tables.execute(table, cmd.Leave(player, seat))
    with pytest.raises(StaleVersion):
        tables.execute(table, cmd.SkipTurn(other, seat), version=version)


# Keys


def test_repeated_command_acts_once(tables: Tables) -> None:
    table = start_game(tables, ANN)
    version = tables.state(table).version
    answers = [tables.execute(table, cmd.RollDice(ANN), version=version, key="k") for _ in range(5)]
    assert [answer.repeated for answer in answers] == [False, True, True, True, True]
    assert {answer.version for answer in answers} == {version + 1}
    assert len(tables.state(table).rolls) == 1


def test_concurrent_repeats_through_two_processes_act_once(tables: Tables, neighbour: Tables) -> None:
    table = start_game(tables, ANN)
    version = tables.state(table).version
    five = (tables, neighbour, tables, neighbour, tables)
    answers = at_once(*(partial(one.execute, table, cmd.RollDice(ANN), version=version, key="k") for one in five))
    done = [answer for answer in answers if isinstance(answer, Done)]
    assert len(done) == 5, answers
    assert sorted(answer.repeated for answer in done) == [False, True, True, True, True]
    assert len(tables.state(table).rolls) == len(neighbour.state(table).rolls) == 1
    assert tables.state(table).version == version + 1


def test_repeat_during_another_process_acts_once(
    tables: Tables, neighbour: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row says that the key is new; before the log is read the first one is through."""
    table = start_game(neighbour, ANN)
    version, look = neighbour.state(table).version, tables.store.header

    def slow(*question: Any) -> Any:
        monkeypatch.setattr(tables.store, "header", look)
        row = look(*question)
        assert not neighbour.execute(table, cmd.RollDice(ANN), version=version, key="k").repeated
        return row

    monkeypatch.setattr(tables.store, "header", slow)
    done = tables.execute(table, cmd.RollDice(ANN), version=version, key="k")
    assert (done.repeated, done.version, len(done.state.rolls)) == (True, version + 1, 1)


def test_repeated_command_notifies_no_one(store: Store) -> None:
    rung: list[int] = []
    tables = Tables(store, listener=lambda state: rung.append(state.version))
    table = tables.open(ANN, "yatzy")
    rung.clear()
    for _ in range(3):
        tables.execute(table, cmd.SitDown(ANN, "Ann"), key="k")
    assert rung == [2]


def test_keys_belong_to_sender_and_table(tables: Tables) -> None:
    """Otherwise one could use up the keys of others, or of the house."""
    table = tables.open(HAL, "yatzy")
    for player in (ANN, BOB, HAL):
        assert not tables.execute(table, cmd.SitDown(player, player), key="house-1").repeated
    assert len(tables.state(table).seats) == 3
    table = start_game(tables, ANN)
    version = tables.state(table).version
    with pytest.raises(Refusal):
        tables.execute(table, cmd.FillBox(ANN, "chance"), version=version, key="k")
    assert not tables.execute(table, cmd.RollDice(ANN), version=version, key="k").repeated
    for _ in range(2):
        table = tables.open(ANN, "yatzy")
        assert not tables.execute(table, cmd.SitDown(ANN, "Ann"), key="k").repeated


def test_other_command_with_a_used_key_is_refused(tables: Tables, neighbour: Tables) -> None:
    """It was answered as a repeat, and not done."""
    table = start_game(tables, ANN)
    done = tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version, key="k")
    others = (cmd.RollDice(ANN, (0,)), cmd.FillBox(ANN, "chance"), cmd.Leave(ANN, 0))
    for through, other in product((tables, neighbour), others):
        with pytest.raises(KeyUsed, match="Something else was sent with this key"):
            through.execute(table, other, version=done.version, key="k")
    assert tables.state(table).version == done.version
    assert neighbour.execute(table, cmd.RollDice(ANN), version=done.version, key="k").repeated
    assert not tables.execute(table, cmd.FillBox(ANN, "chance"), version=done.version, key="new").repeated


def test_key_of_an_older_version_counts_as_a_repeat(tables: Tables, engine: Engine) -> None:
    """Its row does not say what the command was."""
    table = tables.open(ANN, "yatzy")
    tables.execute(table, cmd.SitDown(ANN, "Ann"), key="k")
    with engine.begin() as connection:
        connection.execute(update(schema.events).values(command=None))
    assert tables.execute(table, cmd.SitDown(ANN, "Bob"), key="k").repeated
    assert len(tables.state(table).seats) == 1


@pytest.mark.parametrize("key", ["", "rematch", "x" * 10_000, "\ud800", "\x00", "'; --", "é"])
def test_any_text_is_a_valid_key(tables: Tables, key: str) -> None:
    table = tables.open(ANN, "yatzy")
    for repeated in (False, True):
        assert tables.execute(table, cmd.SitDown(ANN, "Ann"), key=key).repeated is repeated
    assert len(tables.state(table).seats) == 1


# Races


def test_eight_threads_race_for_one_turn(tables: Tables) -> None:
    table = start_game(tables, ANN)
    version = tables.state(table).version
    roll = partial(tables.execute, table, cmd.RollDice(ANN), version=version)
    answers = at_once(*(partial(roll, key=f"k{number}") for number in range(8)))
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refusals) == 7
    assert {(type(refusal), refusal.version) for refusal in refusals} == {(StaleVersion, version + 1)}
    assert len(tables.state(table).rolls) == 1


def test_two_processes_race_for_each_turn(tables: Tables, neighbour: Tables) -> None:
    table = start_game(tables, ANN)
    for number in range(3):
        roll = {"command": cmd.RollDice(ANN), "version": tables.state(table).version}
        named = enumerate([tables, neighbour] * 2)
        answers = at_once(*(partial(through.execute, table, **roll, key=f"{number}{name}") for name, through in named))
        assert sum(isinstance(answer, Done) for answer in answers) == 1
        assert {type(answer) for answer in answers} == {Done, StaleVersion}
        assert summary(tables.state(table)) == summary(neighbour.state(table))
    assert len(tables.state(table).rolls) == 3


def test_people_sitting_down_at_once_all_get_a_seat(tables: Tables, neighbour: Tables) -> None:
    table = tables.open(HAL, "yatzy")
    six = enumerate((tables, neighbour) * 3)
    answers = at_once(*(partial(one.execute, table, cmd.SitDown(f"p{number}", f"P{number}")) for number, one in six))
    assert all(isinstance(answer, Done) for answer in answers), answers
    seats = tables.state(table).seats
    assert {seat.player for seat in seats} == {f"p{number}" for number in range(6)}
    assert len({seat.color for seat in seats}) == 6


def test_changes_of_another_process_are_seen(tables: Tables, neighbour: Tables) -> None:
    table = start_game(tables, ANN)
    assert neighbour.state(table).phase is Phase.PLAYING
    play(neighbour, table)
    assert summary(tables.state(table)) == summary(neighbour.state(table))


def test_endless_conflicts_end_in_a_refusal(tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from fivedice.store.access import VersionConflict

    def lose(*_: object) -> None:
        raise VersionConflict

    table = tables.open(ANN, "yatzy")
    monkeypatch.setattr(store, "append", lose)
    with pytest.raises(StaleVersion, match="busy"):
        tables.execute(table, cmd.SitDown(ANN, "Ann"))


# All or nothing


@contextmanager
def failing(engine: Engine, statement: str) -> Iterator[None]:
    """A disk that gives up in the middle of a transaction."""

    def fail(_c: Any, _k: Any, text: str, *_: Any) -> None:
        if text.startswith(statement):
            raise OSError("disk full")

    event.listen(engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", fail)


@pytest.mark.parametrize("statement", ["UPDATE tables", "INSERT INTO events", "DELETE FROM seats", "INSERT INTO seats"])
def test_failed_write_changes_nothing(store: Store, engine: Engine, statement: str) -> None:
    rung: list[int] = []
    tables = Tables(store, lambda state: rung.append(state.version))
    table = tables.open(ANN, "yatzy")
    rung.clear()
    state, before = tables.state(table), everything(engine)
    with failing(engine, statement), pytest.raises(OSError, match="disk full"):
        tables.execute(table, cmd.SitDown(ANN, "Ann"), key="k")
    assert tables.state(table) is state
    assert everything(engine) == before
    assert rung == []
    assert not tables.execute(table, cmd.SitDown(ANN, "Ann"), key="k").repeated


def test_failed_commit_changes_nothing(tables: Tables, engine: Engine) -> None:
    table = start_game(tables, ANN)
    state, before = tables.state(table), everything(engine)

    def fail(_: Any) -> None:
        raise OSError("disk full")

    event.listen(engine, "commit", fail)
    with pytest.raises(OSError, match="disk full"):
        tables.execute(table, cmd.RollDice(ANN), version=state.version)
    event.remove(engine, "commit", fail)
    assert tables.state(table) is state
    assert everything(engine) == before


@pytest.mark.parametrize("statement", ["INSERT INTO tables", "INSERT INTO events", "INSERT INTO seats"])
def test_failed_rematch_leaves_no_table(tables: Tables, engine: Engine, statement: str) -> None:
    table = start_game(tables, ANN)
    finish(tables, table)
    before = everything(engine)
    with failing(engine, statement), pytest.raises(OSError, match="disk full"):
        tables.rematch(table, ANN)
    assert everything(engine) == before
    assert tables.state(table).rematch is None


def test_restart_continues_the_turn(tables: Tables, store: Store) -> None:
    table = start_game(tables, ANN, BOB)
    play(tables, table)
    tables.execute(table, cmd.RollDice(on_turn(tables, table)), version=tables.state(table).version)
    restarted = Tables(store)
    assert summary(restarted.state(table)) == summary(tables.state(table))
    assert restarted.join_code(table) == tables.join_code(table)
    play_on = restarted.execute(
        table, cmd.RollDice(on_turn(restarted, table), (0, 1)), version=restarted.state(table).version
    )
    assert not play_on.repeated


def test_evicted_table_is_read_again(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.table.service.KEPT_IN_MEMORY", 2)
    tables = Tables(tables.store)
    first = start_game(tables, ANN)
    before = summary(tables.state(first))
    for _ in range(3):
        start_game(tables, BOB)
    assert first not in tables._cache._known
    assert summary(tables.state(first)) == before


# Unknown tables


@pytest.mark.parametrize("table", ["nothing", "", "../../etc", "x" * 10_000, "\ud800", "a\x00b", "T' OR 1=1 --"])
def test_unknown_table_is_named_and_not_cached(tables: Tables, table: str) -> None:
    for ask_for in (
        lambda: tables.state(table),
        lambda: tables.join_code(table),
        lambda: tables.execute(table, cmd.SitDown(ANN, "Ann")),
        lambda: tables.rematch(table, ANN),
        lambda: handing_over.offer_seat(tables, table, ANN, 0),
        lambda: handing_over.take_over(tables, table, ANN, "code"),
    ):
        with pytest.raises(UnknownTable, match="There is no game") as refusal:
            ask_for()
        assert len(str(refusal.value)) < 150
    assert not tables._cache._known


def test_unknown_book_is_named_by_the_service(tables: Tables, engine: Engine) -> None:
    with pytest.raises(BadRequest, match=r"There are no rules '\.\./x'\. Choose one of .*yatzy"):
        tables.open(ANN, "../x")
    assert rows(engine, schema.tables) == []


def test_opening_a_table_is_atomic(tables: Tables, engine: Engine) -> None:
    commands = [cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)]
    with pytest.raises(NotAllowed):
        tables.open(HAL, "yatzy", then=commands)
    kept = everything(engine) | {"facts": []}  # the key behind all commitments belongs to no table
    assert kept == {table.name: [] for table in schema.metadata.sorted_tables}
    table = tables.open(ANN, "yatzy", then=commands)
    assert (tables.state(table).phase, tables.state(table).version) == (Phase.PLAYING, 3)


# Rematch


def test_rematch_seats_the_same_players_and_next_starter(tables: Tables) -> None:
    table = start_game(tables, ANN, BOB)
    game = tables.state(table).running
    with pytest.raises(WrongPhase, match="not finished"):
        tables.rematch(table, ANN)
    finish(tables, table)
    for player in (ZOE, HAL, HOUSE, ""):
        with pytest.raises(NotAllowed, match="Only players"):
            tables.rematch(table, player)
    following = tables.rematch(table, BOB)
    assert tables.rematch(table, ANN) == tables.rematch(table, BOB) == following
    state = tables.state(following)
    assert [(seat.name, seat.player) for seat in state.seats] == [("Ann", ANN), ("Bob", BOB)]
    assert (state.host, state.phase, state.book.key) == (BOB, Phase.SEATING, "yatzy")
    tables.execute(following, cmd.StartGame(BOB))
    assert tables.state(following).on_turn == game.next_first
    assert tables.state(table).rematch == following


def test_empty_player_id_does_not_match_bots(tables: Tables, store: Store) -> None:
    table = tables.open(ANN, "yatzy")
    state = tables.state(table)
    with_bot = [ev.Sat("Bot", "red", "●", bot="steady"), ev.Started(0)]
    from fivedice.table.state import fold_events

    store.append(state, fold_events(state, with_bot), with_bot)
    finish(tables, table)
    with pytest.raises(NotAllowed, match="Only players"):
        tables.rematch(table, None)  # type: ignore[arg-type]


def test_concurrent_rematches_open_one_table(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    table = start_game(tables, ANN, BOB)
    finish(tables, table)
    known = len(rows(engine, schema.tables))
    both = product((ANN, BOB), (tables, neighbour))
    answers = at_once(*[partial(through.rematch, table, player) for player, through in both] * 2)
    assert len(set(answers)) == 1, answers
    assert len(rows(engine, schema.tables)) == known + 1


# Handing over


def test_seat_goes_to_the_first_code(tables: Tables, neighbour: Tables) -> None:
    table = start_game(tables, ANN, BOB)
    code = handing_over.offer_seat(tables, table, ANN, 0)
    six = enumerate((tables, neighbour) * 3)
    answers = at_once(*(partial(handing_over.take_over, one, table, f"p{number}", code) for number, one in six))
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refusals) == 5
    assert {type(refusal) for refusal in refusals} == {NotAllowed}
    winner = next(number for number, answer in enumerate(answers) if isinstance(answer, Done))
    assert [seat.player for seat in tables.state(table).seats] == [f"p{winner}", BOB]


def test_only_own_seats_are_offered_during_a_game(tables: Tables) -> None:
    table = tables.open(HAL, "yatzy")
    tables.execute(table, cmd.SitDown(ANN, "Ann"))
    with pytest.raises(WrongPhase):
        handing_over.offer_seat(tables, table, ANN, 0)
    tables.execute(table, cmd.StartGame(HAL))
    for player in (HAL, ZOE, "", HOUSE):
        with pytest.raises(NotAllowed):
            handing_over.offer_seat(tables, table, player, 0)
    code = handing_over.offer_seat(tables, table, ANN, 0)
    finish(tables, table)
    with pytest.raises(WrongPhase):
        handing_over.take_over(tables, table, BOB, code)


def test_seat_codes_are_voided_and_bound_to_their_table(tables: Tables) -> None:
    table = start_game(tables, ANN)
    older, newer = (handing_over.offer_seat(tables, table, ANN, 0) for _ in range(2))
    with pytest.raises(NotAllowed, match="used or replaced"):
        handing_over.take_over(tables, table, BOB, older)
    handing_over.take_over(tables, table, BOB, newer)
    assert tables.state(table).seats[0].player == BOB
    table, other = start_game(tables, ANN), start_game(tables, BOB)
    code = handing_over.offer_seat(tables, table, ANN, 0)
    for wrong in (code[:-1], "", player_id(code)):
        with pytest.raises(NotAllowed):
            handing_over.take_over(tables, table, CAT, wrong)
    with pytest.raises(NotAllowed):
        handing_over.take_over(tables, other, CAT, code)
    handing_over.take_over(tables, table, CAT, code)


# Secrets


def test_ids_and_codes_are_unguessable(tables: Tables, store: Store) -> None:
    headers = [store.header(tables.open(ANN, "yatzy")) for _ in range(20)]
    found = [(header.id, header.join_code, header.secret) for header in headers if header is not None]
    assert len({text for texts in found for text in texts}) == 60
    for id_, join_code, secret in found:
        assert len(id_) * 6 >= 96  # six bits a character
        assert len(join_code) * 6 >= 96
        assert len(secret) * 4 >= 128
    assert len(new_key()) * 6 >= 128


def test_secrets_stay_in_their_row(tables: Tables, store: Store, engine: Engine) -> None:
    from fivedice.table.view.table_view import view

    key = new_key()
    ann = player_id(key)
    table = start_game(tables, ann, BOB)
    code = handing_over.offer_seat(tables, table, ann, tables.state(table).seats_of(ann)[0])
    finish(tables, table)
    tables.rematch(table, ann)
    header = store.header(table)
    assert header is not None
    state = tables.state(table)
    logged = json.dumps([to_data(event) for event in store.events_after(table, 0)])
    shown = repr([view(state, player, frozenset()) for player in (ann, BOB, HAL, "")])
    listed = repr([store.own_tables.of(ann), store.results.best(ann), state])
    for secret in (header.join_code, code, key):  # the secret of the dice is revealed at the end: see test_proving
        for text in (logged, shown, listed):
            assert secret not in text
    assert ann not in shown
    stored = repr({name: found for name, found in everything(engine).items() if name != "tables"})
    assert code not in stored
    assert key not in stored


def test_same_opening_key_opens_one_table(tables: Tables, neighbour: Tables) -> None:
    then = [cmd.SitDown(ANN, "Ann")]
    first = tables.open(ANN, "yatzy", key="k", then=then)
    assert tables.open(ANN, "yatzy", key="k", then=then) == first
    assert neighbour.open(ANN, "yatzy", key="k", then=iter(then)) == first, "at another process too"
    assert tables.open(BOB, "yatzy", key="k", then=then) != first, "a key belongs to who sends it"
    assert tables.open(ANN, "yatzy", key="other", then=then) != first
    assert tables.open(ANN, "yatzy", then=then) != tables.open(ANN, "yatzy", then=then)
    changed: list[dict[str, Any]] = [{"coach": False}, {"then": [cmd.SitDown(ANN, "Anna")]}, {"real_dice": True}]
    for other in changed:
        with pytest.raises(KeyUsed, match="This key has opened another game already"):
            tables.open(ANN, "yatzy", key="k", **{"then": then} | other)
    with pytest.raises(KeyUsed):
        tables.open(ANN, "yahtzee", key="k", then=then)


def test_concurrent_openings_with_one_key_open_one_table(tables: Tables, neighbour: Tables) -> None:
    opened = at_once(*(partial(one.open, ANN, "yatzy", key="k") for one in (tables, neighbour) * 4))
    assert len(set(opened)) == 1, opened
