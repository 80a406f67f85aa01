"""Alembic asks this file how to reach the database: over the connection that the store hands in."""

from alembic import context

from fivedice.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
