"""Promises of dice that were made before there was a table, and the key that they follow from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
    op.create_table(
        "promises",
        sa.Column("nonce", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
    )
    op.create_index("tables_by_end", "tables", ["phase", "updated", "id"])


def downgrade() -> None:
    op.drop_index("tables_by_end", "tables")
    for name in ("promises", "facts"):
        op.drop_table(name)
