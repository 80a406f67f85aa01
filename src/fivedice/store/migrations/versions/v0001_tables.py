"""The first schema: tables, their events, seats, players, handovers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("join_code", sa.String(32), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("book", sa.String(40), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("house_to_move", sa.Boolean, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("key", sa.String(64)),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_id", "key", name="one_command_once"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(64)),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("total", sa.Integer),
        sa.Column("won", sa.Boolean),
    )
    op.create_index("seats_by_player", "seats", ["player"])
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("choices", sa.JSON, nullable=False),
        sa.Column("seen", sa.String(32), nullable=False),
    )
    op.create_table(
        "handovers",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for name in ("handovers", "players", "seats", "events", "tables"):
        op.drop_table(name)
