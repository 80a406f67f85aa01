"""Check a database: no gap, nothing twice, and nothing lost that was acknowledged."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import httpx
from sqlalchemy import Engine, select

from fivedice.core.notation.proof import Signer
from fivedice.store import schema, table_store as rows
from fivedice.table.actions.events import from_data
from fivedice.table.actions.rights import player_id
from fivedice.table.state import TableState, fold_events
from fivedice.table.view.table_view import view
from sharing.play import key_of

Promised = Mapping[tuple[str, str, str], int]
NOTHING: Promised = {}


def check_log(engine: Engine, promised: Promised = NOTHING) -> dict[str, TableState]:
    """Fold every log, compare it with derived rows and acknowledgements, and return the states."""
    with engine.connect() as connection:
        heads = connection.execute(select(schema.tables)).mappings().all()
        events = connection.execute(select(schema.events).order_by(schema.events.c.version)).mappings().all()
    logs: dict[str, list[Any]] = defaultdict(list)
    keys: dict[tuple[str, str], list[int]] = defaultdict(list)
    for event in events:
        logs[event["table_id"]].append(event)
        if event["key"] is not None:
            keys[event["table_id"], event["key"]].append(event["version"])
    assert set(logs) == {head["id"] for head in heads}
    assert all(len(versions) == 1 for versions in keys.values()), "a command was applied twice"
    states = {head["id"]: _state(head, logs[head["id"]]) for head in heads}
    for (table, player, key), version in promised.items():
        stored = player_id(f"{player_id(key_of(player))}/{key}")
        (found,) = keys.get((table, stored), [None])
        assert found is not None, f"table {table}: the acknowledged command {key} is lost"
        assert found <= version <= states[table].version
    return states


def check_nothing_else(engine: Engine, promised: Promised) -> None:
    """Check that every logged move was acknowledged once, with its key, and not refused."""
    log = schema.events.c
    moves = select(log.table_id, log.key).where(log.kind.in_(("Rolled", "Scored")))
    with engine.connect() as connection:
        found = [(table, key) for table, key in connection.execute(moves)]
    wanted = [(table, player_id(f"{player_id(key_of(player))}/{key}")) for table, player, key in promised]
    assert sorted(found, key=str) == sorted(wanted, key=str)


def _state(head: Mapping[str, Any], log: list[Any]) -> TableState:
    versions = [event["version"] for event in log]
    assert versions == list(range(1, len(log) + 1)), f"table {head['id']}: a gap in {versions}"
    assert head["version"] == len(log)
    state = fold_events(TableState(head["id"]), [from_data(event["kind"], event["data"]) for event in log])
    derived = rows.summary(state)
    assert {name: head[name] for name in derived} == derived
    return state


def check_served(client: httpx.Client, states: Mapping[str, TableState], player: str, signer: Signer) -> None:
    """Compare what the server shows with what the log says; records are signed with the key in the database."""
    for table, state in states.items():
        shown = client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {key_of(player)}"}).json()
        seen = view(state, player_id(key_of(player)), None, signer=signer)
        expected = json.loads(json.dumps(asdict(seen), default=str))
        for seat in (*shown["seats"], *expected["seats"]):
            del seat["away"]  # who is at a screen is not in the log
        for part in ("version", "phase", "dice", "seats", "rows", "record"):
            assert shown[part] == expected[part], (table, part)


def check_receipts(client: httpx.Client, receipts: Mapping[str, dict[str, Any]]) -> None:
    """Check that receipts are the same from the next server."""
    assert receipts
    for table, kept in receipts.items():
        assert kept["signature"], table
        assert client.get(f"/api/tables/{table}/receipt").json() == kept
