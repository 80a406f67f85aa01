"""House rules are kept once, and logs name them; tables can be put away.

No column changes, and old rows stay as they are. The number alone matters: earlier versions would not find the rules of
a new table, and refuse a database with a number that they do not know.
"""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing to change."""


def downgrade() -> None:
    """Likewise: tables of house rules that were opened meanwhile cannot be read by the earlier version."""
