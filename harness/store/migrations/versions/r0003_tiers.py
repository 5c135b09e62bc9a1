"""Records say in a column how well their bots were contained."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; before it there was nothing but bare."""
    with op.batch_alter_table("record_files") as record_files:
        record_files.add_column(sa.Column("tier", sa.String(), nullable=False, server_default="bare"))
