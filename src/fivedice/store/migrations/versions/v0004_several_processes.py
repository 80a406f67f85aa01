"""Several processes on one database: each is told of every new version, and of a table that was restored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# In the transaction that appends: told if it commits, never told if it does not.
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


def upgrade() -> None:
    op.add_column("tables", sa.Column("edition", sa.Integer, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_TELL)
        op.execute(_TRIGGER)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER fivedice_tell ON tables")
        op.execute("DROP FUNCTION fivedice_tell()")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("edition")
