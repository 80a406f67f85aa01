"""Keep what pages need of all games: the tally of their dice, facts of judged games, and which games wait for a bot.

The dice of the games that are there are counted once, about 4 seconds per 10,000 games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from fivedice.store.fair_dice import TALLY, is_counted
from fivedice.table.fairness.dice_statistics import Tally

revision = "0011"
down_revision = "0010"

_AT_ONCE = 5000


def upgrade() -> None:
    tallies = op.create_table(
        "tallies",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("content", sa.JSON, nullable=False),
    )
    op.create_table(
        "game_facts",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("release", sa.String(32), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )
    in_sqlite, in_postgresql = sa.text("house_to_move = 1"), sa.text("house_to_move")
    op.create_index("tables_waiting", "tables", ["id"], sqlite_where=in_sqlite, postgresql_where=in_postgresql)
    op.create_index("handovers_by_table", "handovers", ["table_id"])
    tally = _count(op.get_bind())
    if tally.games:
        op.bulk_insert(tallies, [{"name": TALLY, "content": tally.to_data()}])


def _count(connection: sa.Connection) -> Tally:
    """Count the dice of all games that are over."""
    tally = Tally()
    for book, log in _logs(connection):
        first, *rolls = log
        if is_counted(connection, book, first):
            tally.add_game((roll["dice"], roll.get("held", ())) for roll in rolls)
    return tally


def _logs(connection: sa.Connection) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Return the book of each game that is over, with its opening and its rolls."""
    table = sa.table("tables", sa.column("id"), sa.column("book"), sa.column("phase"))
    log = sa.table("events", sa.column("table_id"), sa.column("version"), sa.column("kind"), sa.column("data", sa.JSON))
    query = (
        sa.select(table.c.id, table.c.book, log.c.data)
        .join(log, log.c.table_id == table.c.id)
        .where(table.c.phase.in_(("finished", "given up")), log.c.kind.in_(("Opened", "Rolled")))
        .order_by(table.c.id, log.c.version)
    )
    found = connection.execute(query, execution_options={"yield_per": _AT_ONCE})
    for (_, book), rows in groupby(found, key=lambda row: (row.id, row.book)):
        yield book, [row.data for row in rows]


def downgrade() -> None:
    op.drop_index("handovers_by_table", "handovers")
    op.drop_index("tables_waiting", "tables")
    op.drop_table("game_facts")
    op.drop_table("tallies")
