"""A key is kept with the command that it came with, so that another command with the same key is noticed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("events", sa.Column("command", sa.String(64)))


def downgrade() -> None:
    op.drop_column("events", "command")
