"""Migrations 0001 to 0010."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from fivedice.core.rules import RENAMED


def drop_tables(*names: str) -> None:
    for name in names:
        op.drop_table(name)


def upgrade_0001() -> None:
    """Create the first schema: tables, their events, seats, players, handovers."""
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


def downgrade_0001() -> None:
    drop_tables("handovers", "players", "seats", "events", "tables")


def upgrade_0002() -> None:
    """Give each result its own row: a sheet has several games, so a seat has several results."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
    )
    op.execute(
        "INSERT INTO results (table_id, game, seat, total, won) "
        "SELECT table_id, 0, seat, total, won FROM seats WHERE total IS NOT NULL AND won IS NOT NULL"
    )
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("total")
        seats.drop_column("won")


def downgrade_0002() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("total", sa.Integer))
        seats.add_column(sa.Column("won", sa.Boolean))
    for column in ("total", "won"):
        op.execute(
            f"UPDATE seats SET {column} = (SELECT {column} FROM results WHERE results.table_id = seats.table_id "  # noqa: S608
            "AND results.seat = seats.seat AND results.game = 0)"
        )
    op.drop_table("results")


def upgrade_0003() -> None:
    """Add house rules, and who saved them."""
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


def downgrade_0003() -> None:
    drop_tables("shelves", "books")


# PostgreSQL sends it if the transaction that appends commits, and not otherwise.
_TELL = """
CREATE FUNCTION fivedice_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('fivedice_tables', NEW.id || ' ' || NEW.version || ' ' || current_setting('application_name'));
  RETURN NULL;
END $$
"""
_TRIGGER = """
CREATE TRIGGER fivedice_tell AFTER INSERT OR UPDATE OF version ON tables
FOR EACH ROW EXECUTE FUNCTION fivedice_tell()
"""


def upgrade_0004() -> None:
    """Notify other processes on the same database of every new version, and of a table that was restored."""
    op.add_column("tables", sa.Column("edition", sa.Integer, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_TELL)
        op.execute(_TRIGGER)


def downgrade_0004() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER fivedice_tell ON tables")
        op.execute("DROP FUNCTION fivedice_tell()")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("edition")


def upgrade_0005() -> None:
    """Add commitments to dice that were made before there was a table, and the key that they follow from."""
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


def downgrade_0005() -> None:
    op.drop_index("tables_by_end", "tables")
    drop_tables("promises", "facts")


def upgrade_0006() -> None:
    """Change nothing: earlier versions must refuse this database.

    House rules are stored once now, and logs name them. An earlier version would not find the rules of a new table.
    """


def downgrade_0006() -> None:
    """Change nothing: the earlier version cannot read tables with house rules that were opened since."""


_AT_ONCE = 1000
_NAMED = ("Opened", "Sat", "HandedOver", "PencilPassed", "GivenUp", "UndoAnswered")


def _people(connection: sa.Connection) -> Any:
    """Yield rows in batches, from all logs: each person once per table."""
    log = sa.table("events", sa.column("table_id"), sa.column("kind"), sa.column("data", sa.JSON))
    query = sa.select(log.c.table_id, log.c.data).where(log.c.kind.in_(_NAMED)).order_by(log.c.table_id)
    table, known, rows = "", set[str](), list[dict[str, str]]()
    for table_id, data in connection.execute(query).all():
        if table_id != table:
            table, known = table_id, set()
        found = data if isinstance(data, dict) else json.loads(data)
        new = {found[name] for name in ("host", "player") if found.get(name)} - known
        known |= new
        rows += [{"player": player, "table_id": table_id} for player in sorted(new)]
        if len(rows) >= _AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows


def upgrade_0007() -> None:
    """Add who has a part in which table, keys of openings, and deletions that have begun."""
    parts = op.create_table(
        "parts",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Index("parts_by_table", "table_id"),
    )
    op.create_table(
        "openings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Index("openings_by_table", "table_id"),
    )
    op.create_table("leaving", sa.Column("player", sa.String(64), primary_key=True))
    for found in _people(op.get_bind()):
        op.bulk_insert(parts, found)


def downgrade_0007() -> None:
    drop_tables("leaving", "openings", "parts")


def _rename(before: str, after: str) -> None:
    tables = sa.table("tables", sa.column("book"))
    op.execute(tables.update().where(tables.c.book == before).values(book=after))


def upgrade_0008() -> None:
    """List the games of renamed rules under the new key, with the best scores of those rules.

    The logs do not change: they have the fingerprint of what was played, which decides the rules that a key means.
    Earlier versions know neither the new rules nor saved rolls, and refuse a database with this number.
    """
    for then, now in RENAMED.items():
        _rename(then, now)


def downgrade_0008() -> None:
    for then, now in RENAMED.items():
        _rename(now, then)


def upgrade_0009() -> None:
    """Keep games that were put away for a while, so that a wrong clock loses none."""
    op.create_table(
        "attic",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("since", sa.String(32), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Index("attic_by_time", "since"),
    )


def downgrade_0009() -> None:
    op.drop_table("attic")


def upgrade_0010() -> None:
    """Store a key with its command, so that another command with the same key is noticed."""
    op.add_column("events", sa.Column("command", sa.String(64)))


def downgrade_0010() -> None:
    op.drop_column("events", "command")
