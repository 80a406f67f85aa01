"""Migrations from 0011 on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from fivedice.store.fair_dice import TALLY, is_counted
from fivedice.store.migrations.first_ten import drop_tables
from fivedice.table.fairness.dice_statistics import Tally

_AT_ONCE = 5000


def _count(connection: sa.Connection) -> Tally:
    """Count the dice of all games that are over."""
    tally = Tally()
    for book, log in _logs(connection):
        first, *rolls = log
        if is_counted(connection, book, first):
            tally.add_game((roll["dice"], roll.get("held", ())) for roll in rolls)
    return tally


def _logs(connection: sa.Connection) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Return the book of each game that is over, with its opening and its rolls."""
    table = sa.table("tables", sa.column("id"), sa.column("book"), sa.column("phase"))
    log = sa.table("events", sa.column("table_id"), sa.column("version"), sa.column("kind"), sa.column("data", sa.JSON))
    query = (
        sa.select(table.c.id, table.c.book, log.c.data)
        .join(log, log.c.table_id == table.c.id)
        .where(table.c.phase.in_(("finished", "given up")), log.c.kind.in_(("Opened", "Rolled")))
        .order_by(table.c.id, log.c.version)
    )
    found = connection.execute(query, execution_options={"yield_per": _AT_ONCE})
    for (_, book), rows in groupby(found, key=lambda row: (row.id, row.book)):
        yield book, [row.data for row in rows]


def upgrade_0011() -> None:
    """Store what pages need of all games: the tally of their dice, facts of judged games, games that wait for a bot.

    The dice of earlier games are counted once. This takes about 4 seconds per 10,000 games.
    """
    tallies = op.create_table(
        "tallies",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("content", sa.JSON, nullable=False),
    )
    op.create_table(
        "game_facts",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("release", sa.String(32), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )
    in_sqlite, in_postgresql = sa.text("house_to_move = 1"), sa.text("house_to_move")
    op.create_index("tables_waiting", "tables", ["id"], sqlite_where=in_sqlite, postgresql_where=in_postgresql)
    op.create_index("handovers_by_table", "handovers", ["table_id"])
    tally = _count(op.get_bind())
    if tally.games:
        op.bulk_insert(tallies, [{"name": TALLY, "content": tally.to_data()}])


def downgrade_0011() -> None:
    op.drop_index("handovers_by_table", "handovers")
    op.drop_index("tables_waiting", "tables")
    op.drop_table("game_facts")
    op.drop_table("tallies")


def upgrade_0012() -> None:
    """Add dice that several people play, each alone: the daily game and deals."""
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


def downgrade_0012() -> None:
    op.drop_table("fields")
    op.drop_table("attempts")
    op.drop_table("deals")


def upgrade_0013() -> None:
    """Add answers to the ten decisions of a day, and the trainer."""
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


def downgrade_0013() -> None:
    drop_tables("position_ratings", "trainees", "ten_fields", "tens")


# Daily games that were played before; the names of other deals begin with a letter.
COUNTS = [
    f"INSERT INTO played_days (player, month, days, lost) SELECT player, {month}, count(*), sum(lost) "  # noqa: S608
    "FROM attempts WHERE lost IS NOT NULL AND deal < 'a' GROUP BY 1, 2"
    for month in ("substr(deal, 1, 7)", "''")
]


def upgrade_0014() -> None:
    """Add circles: people who play together, their games, and counts for their standings."""
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


def downgrade_0014() -> None:
    drop_tables("played_days", "meetings", "shared_games", "circle_games", "circle_members", "circles")


def upgrade_0015() -> None:
    """Add links between the browsers of a person, subscriptions to notices, webhooks, and when a ten was begun."""
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


def downgrade_0015() -> None:
    with op.batch_alter_table("tens") as tens:
        tens.drop_column("begun")
    drop_tables("webhooks", "subscriptions", "device_links")
