"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Bring the tables from ${down_revision} to ${up_revision}; a new column that is NOT NULL needs a server_default."""
    ${upgrades if upgrades else "pass"}
