"""Rules that were renamed: the rows of their games are listed under the new key, with the best scores of those rules.

The logs stay as they are: they have the fingerprint of what was played, and that decides which rules a key means.
Earlier versions know neither the new rules nor rolls that are saved, and refuse a database with this number.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from fivedice.core.rules import RENAMED

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for then, now in RENAMED.items():
        _rename(then, now)


def downgrade() -> None:
    for then, now in RENAMED.items():
        _rename(now, then)


def _rename(before: str, after: str) -> None:
    tables = sa.table("tables", sa.column("book"))
    op.execute(tables.update().where(tables.c.book == before).values(book=after))
