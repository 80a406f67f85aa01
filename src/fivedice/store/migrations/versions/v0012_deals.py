"""Add dice that several people play, each alone: the daily game and deals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "deals",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("book", sa.String(40), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("known", sa.String(64), nullable=False),
        sa.Column("turns", sa.JSON, nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id")),
        sa.Column("seat", sa.Integer),
        sa.Column("player", sa.String(64)),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("closes", sa.String(10)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_id", "seat", name="one_deal_per_seat"),
    )
    op.create_index("deals_by_player", "deals", ["player"])
    op.create_table(
        "attempts",
        sa.Column("deal", sa.String(32), sa.ForeignKey("deals.name"), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("begun", sa.String(32), nullable=False),
        sa.Column("finished", sa.String(32)),
        sa.Column("total", sa.Integer),
        sa.Column("lost", sa.Integer),
        sa.Column("facts", sa.JSON),
    )
    op.create_index("attempts_by_player", "attempts", ["player"])
    op.create_index("attempts_by_table", "attempts", ["table_id"])
    op.create_index("attempts_by_end", "attempts", ["deal", "finished"])
    op.create_table(
        "fields",
        sa.Column("deal", sa.String(32), sa.ForeignKey("deals.name"), primary_key=True),
        sa.Column("lost", sa.Integer, primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("fields")
    op.drop_table("attempts")
    op.drop_table("deals")
