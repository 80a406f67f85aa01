"""Receipts that a server signs never change and match the game."""

import json
from pathlib import Path

import pytest

from fivedice.core.notation.proof import Verdict
from fivedice.core.notation.receipts import Receipt, read_receipt, table_mark, write_receipt
from fivedice.errors import IllegalRecord
from fivedice.message import Message, message
from fivedice.players.bots.replayed import ReplayedSeat
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.fairness.commitments import (
    Findings,
    Noted,
    check_record,
    check_signature,
    public_key,
    record_of,
    sign,
)
from fivedice.table.service import Tables
from fivedice.table.state import TableState
from for_each import for_each
from support.tables import finish, play_house

SEED = bytes(range(32)).hex()


def tables_in(folder: Path) -> Tables:
    return Tables(Store(open_database(f"sqlite:///{folder / 'tables.db'}")))


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return tables_in(tmp_path)


def open_game(tables: Tables, *bots: str, **options: object) -> str:
    then = [cmd.SitDown("ann", "Ann", text="rain"), *(cmd.SeatBot("ann", bot) for bot in bots), cmd.StartGame("ann")]
    return tables.open("ann", "yatzy", then=then, **options)  # type: ignore[arg-type]


def text_of(tables: Tables, table: str) -> str:
    receipt = tables.store.receipts.of(tables.state(table))
    assert receipt is not None
    return write_receipt(receipt)


def record(state: TableState) -> str:
    return record_of(state, state.running)


def test_signature_matches_the_documented_example() -> None:
    """A golden vector, since old receipts must stay verifiable."""
    receipt = sign(SEED, "Zm9vYmFy_-0", "2026-11-16T02:50:00.123Z", "ab" * 32)
    assert receipt.key == public_key(SEED) == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    page = (Path(__file__).parents[2] / "docs" / "fair-dice.md").read_text(encoding="utf-8")
    assert write_receipt(receipt) in page
    check_signature(receipt)


def test_receipt_survives_restart_and_other_processes(tables: Tables, tmp_path: Path) -> None:
    table = open_game(tables)
    kept = text_of(tables, table)
    beside = tables_in(tmp_path)
    assert text_of(beside, table) == kept
    finish(tables, table)
    tables.store.close()
    again = tables_in(tmp_path)
    assert text_of(again, table) == kept
    assert again.store.receipts.public_key == read_receipt(kept).key == beside.store.receipts.public_key
    other = tmp_path / "other"
    other.mkdir()
    assert tables_in(other).store.receipts.public_key != read_receipt(kept).key


def test_signing_key_is_separate_and_never_shown(tables: Tables) -> None:
    table = open_game(tables)
    receipts = tables.store.receipts
    assert receipts._seed != tables.store.promises._key
    assert receipts._seed not in text_of(tables, table) + str(tables.store.events_after(table, 0))


def test_record_matches_only_its_own_receipt(tables: Tables) -> None:
    table = open_game(tables)
    kept, other = text_of(tables, table), text_of(tables, open_game(tables))
    finish(tables, table)
    state = tables.state(table)
    text = record_of(state, state.running, tables.store.receipts)
    found = check_record(text, noted=Noted(text="rain", receipt=kept, key=tables.store.receipts.public_key))
    assert (found.unchecked, found.begun) == ((), True)
    assert check_record(text).unchecked == ("promise", "text", "receipt", "key")
    assert check_record(record(state)).unchecked == ("promise", "text", "receipt", "moves")
    with pytest.raises(ValueError, match="for the dice lock"):
        check_record(text, noted=Noted(receipt=other))
    assert table not in text, "a published record must not lead strangers to the table"


def test_rematches_have_receipts_and_unlocked_dice_none(tables: Tables) -> None:
    table = open_game(tables)
    finish(tables, table)
    following = tables.rematch(table, "ann")
    receipt = read_receipt(text_of(tables, following))
    assert (receipt.table, receipt.lock) == (following, tables.state(following).promise)
    tables.execute(following, cmd.StartGame("ann"))
    finish(tables, following)
    check_record(record(tables.state(following)), noted=Noted(receipt=write_receipt(receipt)))
    for options in ({"real_dice": True}, {"seed": "foreseeable"}):
        assert tables.store.receipts.of(tables.state(open_game(tables, **options))) is None, options
    state = tables.state(open_game(tables)).copy()
    state.opened = None  # a log of earlier versions
    assert tables.store.receipts.of(state) is None


def test_game_never_starts_before_it_was_opened(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two machines of one server may have clocks that differ."""
    table = tables.open("ann", "yatzy", then=[cmd.SitDown("ann", "Ann")])
    monkeypatch.setattr("fivedice.table.action.utc_now.__code__", (lambda: "2020-01-01T00:00:00.000Z").__code__)
    tables.execute(table, cmd.StartGame("ann"))
    state = tables.state(table)
    assert state.begun == state.opened
    finish(tables, table)
    check_record(record(tables.state(table)), noted=Noted(receipt=text_of(tables, table)))


def test_record_names_its_bots_and_they_are_replayed(tables: Tables) -> None:
    table = open_game(tables, "steady", "random")
    play_house(tables, table)
    state = tables.state(table)
    text = record(state)
    assert (tags(text)["Table"], tags(text)["Begun"]) == (table_mark(table), state.begun)
    assert '[Bots "[\\"\\", \\"steady/2\\", \\"random/2\\"]"]' in text
    found = check_record(text)
    assert [seat.name for seat in found.bots] == ["Steady bot", "Random bot"]
    assert all(seat.decisions > len(state.book.boxes) for seat in found.bots)
    assert found.unreplayed == ()


STEADY, STRANGE = ReplayedSeat("Steady", 17), ReplayedSeat("Odd", unchecked=message("bots.stand-in", name="Odd"))


@for_each(
    ("bots", "replayed", "unreplayed"),
    [
        ((), (message("notation.no-bots"),), ()),
        ((STEADY,), (STEADY.about,), ()),
        ((STRANGE,), (), (STRANGE.about,)),
        ((STRANGE, STEADY), (STEADY.about,), (STRANGE.about,)),
    ],
)
def test_replayed_and_unreplayed_bots(
    bots: tuple[ReplayedSeat, ...], replayed: tuple[Message, ...], unreplayed: tuple[Message, ...]
) -> None:
    found = Findings(Verdict(5, 1, "ab" * 32, ("rain",)), Noted(), None, bots, begun=True)
    assert (found.replayed, found.unreplayed) == (replayed, unreplayed)


RECEIPT = sign(SEED, "Zm9vYmFy_-0", "2026-11-16T02:50:00.123Z", "ab" * 32)
SIGNED = {"time": RECEIPT.time, "key": RECEIPT.key_id}


@for_each(
    ("noted", "receipt", "begun", "agreed", "unchecked"),
    [
        (Noted(), None, True, [], ("promise", "text", "receipt")),
        (Noted(lock="ab" * 32), None, True, ["notation.lock-noted"], ("text", "receipt")),
        (Noted(text=""), None, True, ["notation.text-noted"], ("promise", "receipt")),
        (Noted(receipt="{}"), RECEIPT, True, ["notation.signed-before"], ("text", "key")),
        (Noted(receipt="{}"), RECEIPT, False, ["notation.signed"], ("text", "key")),
        (Noted(receipt="{}", key="x"), RECEIPT, False, ["notation.signed", "notation.key-known"], ("text",)),
    ],
)
def test_verified_and_unchecked_parts(
    noted: Noted, receipt: Receipt | None, begun: bool, agreed: list[str], unchecked: tuple[str, ...]
) -> None:
    found = Findings(Verdict(5, 1, "ab" * 32, ("rain",)), noted, receipt, (), begun)
    assert [about.kind for about in found.agreed] == agreed
    assert [about.args for about in found.agreed if "signed" in about.kind] == ([SIGNED] if receipt else [])
    assert found.unchecked == (*unchecked, "moves")
    signed = Findings(Verdict(5, 1, "ab" * 32, ("rain",)), noted, receipt, (), begun, signer=RECEIPT.key)
    assert set(signed.unchecked) == {*unchecked, *(() if noted.key else ("key",))}
    assert (found.moves.kind, signed.moves.kind) == ("notation.moves-unchecked", "notation.moves-signed")
    removed = Findings(Verdict(5, 1, "ab" * 32, ("rain",), kept=True), noted, receipt, (), begun)
    assert removed.unchecked == (*unchecked, "moves", "names")


def test_game_continues_with_its_bot_version(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of the version before: its bots choose as they did then, and so its record verifies."""
    monkeypatch.setattr("fivedice.table.actions.seating.PLAY", "1")
    table = open_game(tables, "steady", "casual")
    monkeypatch.undo()
    play_house(tables, table)
    state = tables.state(table)
    assert json.loads(tags(record(state))["Bots"]) == ["", "steady/1", "casual/1"]
    assert [seat.unchecked for seat in check_record(record(state)).bots] == [None, None]
    state = state.copy()
    state.bots = "2"
    with pytest.raises(IllegalRecord, match="This bot would choose"):
        check_record(record(state))


def test_helped_player_is_named_in_the_record(tables: Tables) -> None:
    table = open_game(tables, "random")
    state = tables.state(table).copy()
    state.change_seat(0, helped=True)
    state.secret, state.given_up = "00" * 32, True
    assert json.loads(tags(record(state))["Bots"]) == ["stand-in", "random/2"]
    state.begun = None  # a log of earlier versions: its record stays as it was
    assert not {"Bots", "Table", "Begun"} & set(tags(record(state)))


def tags(text: str) -> dict[str, str]:
    found = (line[1:-1].split(" ", 1) for line in text.split("\n") if line.startswith("["))
    return {name: json.loads(value) for name, value in found if name != "Players"}
