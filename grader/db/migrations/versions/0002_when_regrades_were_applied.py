"""When regrades were applied."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those of before count as applied one after the other, long ago."""
    op.add_column("regrade", sa.Column("applied_at", sa.Double(), nullable=True))
    op.execute("UPDATE regrade SET applied_at = id WHERE state = 'applied'")


def downgrade() -> None:
    """Forget it."""
    with op.batch_alter_table("regrade") as batch:
        batch.drop_column("applied_at")
