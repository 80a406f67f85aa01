"""The secret of the dice: committed before the game, revealed after it, and hidden in between."""

import json
import re
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from fivedice.core.dice import commitment
from fivedice.core.notation import read_game
from fivedice.core.notation.proof import verify_record
from fivedice.store import schema
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import to_data
from fivedice.table.actions.rights import player_id
from fivedice.table.fairness import commitments
from fivedice.table.fairness.commitments import following, record_of, secret_from, secret_of_word
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotAllowed, PromiseServed, WrongPhase
from fivedice.table.service import Tables
from fivedice.table.service.handing_over import offer_seat, take_over
from fivedice.table.state import Phase, fold_events
from fivedice.table.view.table_view import view
from support.tables import at_once, everything, finish, play
from table.table_harness import ANN, BOB, HAL, ZOE, summary


def open_seated(tables: Tables, *texts: str, book: str = "yahtzee") -> str:
    table = tables.open(HAL, book)
    for player, text in zip((ANN, BOB), texts, strict=False):
        tables.execute(table, cmd.SitDown(player, player.capitalize(), text=text))
    return table


def start_seated(tables: Tables, *texts: str, book: str = "yahtzee") -> str:
    table = open_seated(tables, *texts, book=book)
    tables.execute(table, cmd.StartGame(HAL))
    return table


def secret_of(store: Store, table: str) -> str:
    header = store.header(table)
    assert header is not None
    return header.secret


def everything_shown(tables: Tables, store: Store, table: str) -> str:
    state = tables.state(table)
    views = [view(state, player, frozenset()) for player in (ANN, BOB, HAL, "")]
    return json.dumps([to_data(event) for event in store.events_after(table, 0)]) + repr((views, state))


def test_commitment_precedes_players_and_hides_the_secret(tables: Tables, store: Store) -> None:
    table = tables.open(HAL, "yatzy")
    assert view(tables.state(table), "").promise == commitment(secret_of(store, table))
    table = start_seated(tables, "rain", "sun")
    secret = secret_of(store, table)
    while tables.state(table).phase is Phase.PLAYING:
        assert secret not in everything_shown(tables, store, table)
        play(tables, table)
    assert view(tables.state(table), "").secret == secret
    assert store.events_after(table, 0)[-1] == ev.SecretRevealed(secret)


@pytest.mark.parametrize("book", ["yahtzee", "yatzy", "yardzee"])
def test_finished_game_and_rematch_verify(tables: Tables, book: str) -> None:
    table = start_seated(tables, "rain", 'sun "and" snow', book=book)
    finish(tables, table)
    again = tables.rematch(table, ANN)
    tables.execute(again, cmd.StartGame(ANN))
    finish(tables, again)
    for one in (table, again):
        record = view(tables.state(one), "").record
        assert record is not None
        assert verify_record(record).throws > 25
        assert "Texts" in read_game(record).tags
    assert tables.state(table).promise != tables.state(again).promise


def test_game_ended_early_reveals_its_secret_and_stops(tables: Tables, store: Store) -> None:
    table = start_seated(tables, "rain", "sun")
    play(tables, table)
    with pytest.raises(NotAllowed):
        tables.execute(table, cmd.GiveUp(ANN))
    tables.execute(table, cmd.GiveUp(HAL), present=frozenset({HAL}))
    state = tables.state(table)
    assert state.phase is Phase.GIVEN_UP
    assert state.secret == secret_of(store, table)
    assert state.on_turn is None
    assert verify_record(record_of(state, state.all_games[0])).throws == 1
    for command in (cmd.RollDice(ANN), cmd.TakeBack(ANN), cmd.GiveUp(HAL)):
        with pytest.raises(WrongPhase):
            tables.execute(table, command, version=state.version)
    assert store.results.best(ANN) == {}


def reopen_game(tables: Tables) -> str:
    """Return a game whose last score was undone after its secret was revealed, as in old logs."""
    table = start_seated(tables, "rain", "sun")
    finish(tables, table)
    state = tables.state(table)
    assert state.last_scorer is not None
    undone = (ev.Undone(state.last_scorer),)
    tables.store.append(state, fold_events(state, undone), undone)
    assert tables.state(table).phase is Phase.PLAYING
    return table


def refusal_of(tables: Tables, table: str, command: cmd.Command) -> str:
    """Why it is refused; who won, and everything else, must be as before."""
    before, results = tables.state(table), tables.store.results.best(ANN)
    with pytest.raises(WrongPhase) as caught:
        tables.execute(table, command, version=before.version)
    assert summary(tables.state(table)) == summary(before)
    assert tables.store.results.best(ANN) == results
    return caught.value.message.kind


def test_result_is_final_once_the_secret_is_revealed(tables: Tables) -> None:
    """A reopened game could be ended early or handed over, which would change the winner."""
    table = start_seated(tables, "rain", "sun")
    finish(tables, table)
    won = tables.state(table).all_games[0].outcome
    for player in (ANN, BOB):
        assert refusal_of(tables, table, cmd.TakeBack(player)) == "table.settled"
        assert view(tables.state(table), player).undo is None
    for command in (
        cmd.GiveUp(HAL),
        cmd.TakeOver(ZOE, 0),
        cmd.RollDice(ANN),
        cmd.Dismiss(ANN, 1),
        cmd.SkipTurn(ANN, 1),
    ):
        assert refusal_of(tables, table, command) == "table.not-playing"
    with pytest.raises(WrongPhase):
        offer_seat(tables, table, ANN, 0)
    assert tables.state(table).all_games[0].outcome == won


def test_reopened_game_of_an_old_log_can_only_be_finished(tables: Tables) -> None:
    table = reopen_game(tables)
    state = tables.state(table)
    scorer = state.seats[state.last_scorer or 0].player or ""
    tables.store.handovers.offer(player_id("code"), table, 0)
    for command in (cmd.GiveUp(HAL), cmd.TakeOver(ZOE, 0)):
        assert refusal_of(tables, table, command) == "table.settled"
    for attempt in (lambda: offer_seat(tables, table, ANN, 0), lambda: take_over(tables, table, ZOE, "code")):
        with pytest.raises(WrongPhase):
            attempt()
    assert tables.store.handovers.seat(player_id("code"), table) == 0, "a refusal does not use up the code"
    assert not view(state, scorer).can_roll
    with pytest.raises(AgainstTheRules, match="you can’t roll"):
        tables.execute(table, cmd.RollDice(state.seats[state.on_turn or 0].player or ""), version=state.version)
    finish(tables, table)
    record = view(tables.state(table), "").record
    assert record is not None
    assert verify_record(record)
    assert sum(isinstance(event, ev.SecretRevealed) for event in tables.store.events_after(table, 0)) == 1


def test_player_text_changes_the_dice_and_must_be_writable(tables: Tables) -> None:
    table = open_seated(tables, "rain")
    for text in ("x" * 201, "two\nlines", "\ud800"):
        with pytest.raises(BadRequest, match="Write at most"):
            tables.execute(table, cmd.SitDown(BOB, "Bob", text=text))
    tables.execute(table, cmd.SitDown(BOB, "Bob", text="  日本  "))
    assert [seat.text for seat in tables.state(table).seats] == ["rain", "日本"]


def test_seeded_and_real_dice_have_no_commitment(tables: Tables) -> None:
    assert tables.state(tables.open(HAL, "yatzy", seed="7")).promise is None
    assert tables.state(tables.open(HAL, "yatzy", real_dice=True)).promise is None


def test_secret_is_stored_in_one_column_only(tables: Tables, store: Store, engine: Engine) -> None:
    table = start_seated(tables, "rain", "sun")
    play(tables, table)
    elsewhere = {name: rows for name, rows in everything(engine).items() if name != "tables"}
    assert secret_of(store, table) not in repr(elsewhere)


def test_reserved_commitments_serve_one_table(tables: Tables) -> None:
    promise = tables.store.promises.make()
    begin = [cmd.SitDown(ANN, "Ann", text="rain"), cmd.StartGame(ANN)]
    table = tables.open(ANN, "yatzy", word=promise.word, then=begin)
    assert tables.state(table).promise == promise.commitment
    finish(tables, table)
    record = view(tables.state(table), "").record
    assert record is not None
    assert verify_record(record).commitment == promise.commitment
    # As much as 22 letters hold, for a shown secret and for a drawn one.
    made = tables.store.promises
    words = [made.make().word, made.make().word, made.claim(None), made.claim("none of ours")]
    assert len(set(words)) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", word) for word in words)
    promise = tables.store.promises.make()
    begin = [cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)]
    first = tables.open(ANN, "yatzy", word=promise.word, then=begin)
    assert tables.open(ANN, "yatzy", word=promise.word, then=begin) == first
    play(tables, first)
    for player in (ANN, BOB):  # a used or other commitment opens no table
        with pytest.raises(PromiseServed, match="out of date"):
            tables.open(player, "yatzy", word=promise.word, then=[cmd.SitDown(player, "Me"), cmd.StartGame(player)])


def test_one_commitment_fixes_all_rematches(tables: Tables, store: Store) -> None:
    """Texts are kept from game to game, so a secret drawn later could be chosen to fit them."""
    table = start_seated(tables, "rain", "sun")
    for _ in range(2):
        finish(tables, table)
        again = tables.rematch(table, ANN)
        answer, next_secret = tables.state(table).secret, secret_of(store, again)
        assert answer == commitment(next_secret) == tables.state(again).promise
        assert next_secret not in everything_shown(tables, store, table) + everything_shown(tables, store, again)
        assert [seat.text for seat in tables.state(again).seats] == ["rain", "sun"]
        tables.execute(again, cmd.StartGame(ANN))
        table = again


def test_chain_of_secrets_ends_and_restarts(tables: Tables, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commitments, "IN_A_ROW", 1)
    table = start_seated(tables, "rain")
    finish(tables, table)
    again = tables.rematch(table, ANN)
    assert tables.state(again).promise == commitment(secret_of(store, again))
    assert secret_of(store, again) != secret_of(store, table) == tables.state(table).secret
    assert tables.state(again).promise != tables.state(table).promise


def test_no_game_reuses_a_revealed_secret(tables: Tables) -> None:
    """Each secret is committed by the game before; after the last rematch a new chain starts."""
    state = tables.state(open_seated(tables, "rain"))
    word, made = state.word, tables.store.promises
    answer, row = set(), []
    while word is not None:
        row.append(made.secret(word))
        word, last = following(word), word
    assert len(row) == len(set(row)) == 256
    assert all(one == commitment(later) for one, later in pairwise(row))
    answer |= {*row, *map(commitment, row)}
    fresh, secret = tables._next_dice(replace(state, word=last))
    assert secret not in answer
    assert fresh is not None
    assert fresh.partition(".")[0] != last.partition(".")[0]
    assert made.secret(fresh) == secret


def test_derivation_of_secrets_never_changes() -> None:
    """Old tables must always find their secret again."""
    known = secret_from("AAAAAAAAAAAAAAAAAAAAAA", "00" * 32)
    assert known == sha256(b"fivedice/secret/" + b"00" * 32 + b"/AAAAAAAAAAAAAAAAAAAAAA").hexdigest()
    assert known == "8a2421f3cd7b6049ef7e91f7fe30b4e803212a60e8797b1c7b67d694ede9214c"
    word, key = "AAAAAAAAAAAAAAAAAAAAAA", "00" * 32
    assert secret_of_word(f"{word}.255", key) == known
    assert secret_of_word(f"{word}.254", key) == commitment(known)
    assert secret_of_word(word, key) == "02c75ad2b0773e03c46785d8eb2f9a845204ec35a256e368865f65c77c4e7792"
    assert [following("a"), following("a.1"), following("a.254"), following("a.255")] == ["a.1", "a.2", "a.255", None]
    assert following(None) is None


def key_in(engine: Engine) -> str:
    with engine.connect() as connection:
        return str(connection.execute(select(schema.facts.c.value)).scalar_one())


def test_secrets_derive_from_a_key_per_database(tables: Tables, engine: Engine, tmp_path: Path) -> None:
    """A commitment on a page is public; without the key it must reveal nothing."""
    word = tables.store.promises.make().word
    secret = tables.store.promises.secret(word)
    elsewhere = open_database(f"sqlite:///{tmp_path}/elsewhere.db")
    other = Store(elsewhere)
    assert other.promises.secret(word) != secret, "the same word at another server"
    keys = [key_in(engine), key_in(elsewhere)]
    elsewhere.dispose()
    assert len(set(keys)) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)
    chain = secret_from(word, keys[0])
    for _ in range(255):
        chain = commitment(chain)
    assert chain == secret


def test_reservation_of_a_table_opens_no_other(tables: Tables, store: Store) -> None:
    """Knowing it could otherwise reveal the same dice at another table."""
    table = start_seated(tables, "rain")
    finish(tables, table)
    again = tables.rematch(table, ANN)
    for one in (table, again):
        word = tables.state(one).word
        assert word is not None
        assert tables.store.promises.table(word) == one
        try:
            other = tables.open(BOB, "yatzy", word=word)
        except PromiseServed:
            continue
        assert secret_of(store, other) not in {secret_of(store, table), secret_of(store, again)}


def test_concurrent_clicks_open_one_table(tables: Tables) -> None:
    word = tables.store.promises.make().word
    begin = [cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)]
    opened = at_once(*[lambda: tables.open(ANN, "yatzy", word=word, then=begin)] * 4)
    assert len(set(opened)) == 1


@pytest.mark.parametrize("word", ["", "x" * 15, "x" * 61, "no spaces allowed here"])
def test_unknown_reservation_commits_to_nothing(tables: Tables, word: str) -> None:
    table = tables.open(ANN, "yatzy", word=word)
    state = tables.state(table)
    assert state.word not in (None, word)
    assert state.promise == commitment(secret_of(tables.store, table))
    assert secret_of(tables.store, table) == tables.store.promises.secret(state.word or "")


def test_two_processes_make_the_same_commitments(tables: Tables, neighbour: Tables) -> None:
    promise = tables.store.promises.make()
    table = neighbour.open(ANN, "yatzy", word=promise.word)
    assert tables.state(table).promise == promise.commitment
