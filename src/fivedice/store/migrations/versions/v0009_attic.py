"""Games that were put away are kept for a while, so that a wrong clock loses none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "attic",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("since", sa.String(32), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Index("attic_by_time", "since"),
    )


def downgrade() -> None:
    op.drop_table("attic")
