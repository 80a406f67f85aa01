"""Add links between the browsers of a person, subscriptions to notices, webhooks, and when a ten was begun."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "device_links",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("spare", sa.Boolean, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.UniqueConstraint("player", "spare", name="one_link_of_each_kind"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_index("subscriptions_by_player", "subscriptions", ["player"])
    op.create_table(
        "webhooks",
        sa.Column("circle", sa.String(64), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    with op.batch_alter_table("tens") as tens:
        tens.add_column(sa.Column("begun", sa.String(32)))


def downgrade() -> None:
    with op.batch_alter_table("tens") as tens:
        tens.drop_column("begun")
    for name in ("webhooks", "subscriptions", "device_links"):
        op.drop_table(name)
