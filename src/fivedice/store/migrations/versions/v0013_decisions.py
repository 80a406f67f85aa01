"""Add answers to the ten decisions of a day, and the trainer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "tens",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("late", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ten_fields",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("lost", sa.Integer, primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_table(
        "trainees",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )
    op.create_table(
        "position_ratings",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("position_ratings", "trainees", "ten_fields", "tens"):
        op.drop_table(name)
