"""What Alembic runs to migrate a store: on the connection that it is given, in that connection's transaction."""

from __future__ import annotations

from alembic import context

from harness.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by copying it
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
