"""Who has a part in which table, so that all of it can be found again; keys of openings; deletions under way."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_AT_ONCE = 1000
_NAMED = ("Opened", "Sat", "HandedOver", "PencilPassed", "GivenUp", "UndoAnswered")


def upgrade() -> None:
    parts = op.create_table(
        "parts",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Index("parts_by_table", "table_id"),
    )
    op.create_table(
        "openings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Index("openings_by_table", "table_id"),
    )
    op.create_table("leaving", sa.Column("player", sa.String(64), primary_key=True))
    for found in _people(op.get_bind()):
        op.bulk_insert(parts, found)


def _people(connection: sa.Connection) -> Any:
    """Handfuls of rows, from the logs that there are; each person once at each table."""
    log = sa.table("events", sa.column("table_id"), sa.column("kind"), sa.column("data", sa.JSON))
    query = sa.select(log.c.table_id, log.c.data).where(log.c.kind.in_(_NAMED)).order_by(log.c.table_id)
    table, known, rows = "", set[str](), list[dict[str, str]]()
    for table_id, data in connection.execute(query).all():
        if table_id != table:
            table, known = table_id, set()
        told = data if isinstance(data, dict) else json.loads(data)
        new = {told[name] for name in ("host", "player") if told.get(name)} - known
        known |= new
        rows += [{"player": player, "table_id": table_id} for player in sorted(new)]
        if len(rows) >= _AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows


def downgrade() -> None:
    for name in ("leaving", "openings", "parts"):
        op.drop_table(name)
