"""House books, and who brought them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "books",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "shelves",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("book_id", sa.String(32), sa.ForeignKey("books.id"), primary_key=True),
        sa.Column("saved", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    for name in ("shelves", "books"):
        op.drop_table(name)
