"""A sheet has several games, so a seat has several results: they get rows of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
    )
    op.execute(
        "INSERT INTO results (table_id, game, seat, total, won) "
        "SELECT table_id, 0, seat, total, won FROM seats WHERE total IS NOT NULL AND won IS NOT NULL"
    )
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("total")
        seats.drop_column("won")


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("total", sa.Integer))
        seats.add_column(sa.Column("won", sa.Boolean))
    for column in ("total", "won"):
        op.execute(
            f"UPDATE seats SET {column} = (SELECT {column} FROM results WHERE results.table_id = seats.table_id "  # noqa: S608
            "AND results.seat = seats.seat AND results.game = 0)"
        )
    op.drop_table("results")
