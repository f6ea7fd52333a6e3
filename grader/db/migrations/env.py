"""How Alembic reaches the database: by the connection that `grader.db.history` hands it."""

from alembic import context

from grader.db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes tables by copying them
    compare_type=True,
    user_module_prefix="",
)
context.run_migrations()
