"""Entries say what was done: a bot on the bench is told apart from one that was withdrawn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; whoever plays no more was benched by a run, since nothing else took a bot out before."""
    with op.batch_alter_table("entries") as entries:
        entries.add_column(sa.Column("act", sa.String(), nullable=False, server_default="entered"))
    known = sa.table("entries", sa.column("plays", sa.Boolean()), sa.column("act", sa.String()))
    op.execute(known.update().where(sa.not_(known.c.plays)).values(act="benched"))
