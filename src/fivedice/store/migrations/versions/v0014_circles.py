"""Add circles: people who play together, their games, and counts for their standings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

# Daily games that were played before; the names of other deals begin with a letter.
COUNTS = [
    f"INSERT INTO played_days (player, month, days, lost) SELECT player, {month}, count(*), sum(lost) "  # noqa: S608
    "FROM attempts WHERE lost IS NOT NULL AND deal < 'a' GROUP BY 1, 2"
    for month in ("substr(deal, 1, 7)", "''")
]


def upgrade() -> None:
    op.create_table(
        "circles",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("joined", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("deal", sa.String(32), sa.ForeignKey("deals.name")),
        sa.Column("made", sa.String(32), nullable=False),
    )
    op.create_table(
        "circle_members",
        sa.Column("circle", sa.String(32), sa.ForeignKey("circles.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("since", sa.String(32), nullable=False),
        sa.UniqueConstraint("circle", "player", name="one_member_per_person"),
    )
    op.create_index("circle_members_by_player", "circle_members", ["player"])
    op.create_table(
        "circle_games",
        sa.Column("circle", sa.String(32), sa.ForeignKey("circles.id"), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("asked", sa.Integer),
        sa.Column("opened", sa.String(32), nullable=False),
    )
    op.create_index("circle_games_by_time", "circle_games", ["circle", "opened"])
    op.create_index("circle_games_by_round", "circle_games", ["circle", "round"])
    op.create_table(
        "shared_games",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer),
        sa.Column("luck", sa.Integer),
    )
    op.create_index("shared_games_by_player", "shared_games", ["player", "ended"])
    op.create_table(
        "meetings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("month", sa.String(7), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("judged", sa.Integer, nullable=False),
        sa.Column("better", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("luck", sa.Integer, nullable=False),
    )
    op.create_index("meetings_by_other", "meetings", ["other"])
    op.create_table(
        "played_days",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("month", sa.String(7), primary_key=True),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
    )
    for statement in COUNTS:
        op.execute(statement)


def downgrade() -> None:
    for name in ("played_days", "meetings", "shared_games", "circle_games", "circle_members", "circles"):
        op.drop_table(name)
