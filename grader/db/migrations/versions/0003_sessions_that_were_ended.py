"""Sessions that someone has logged out of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """None so far."""
    op.create_table(
        "ended_session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ended_session")),
    )
    op.create_index(op.f("ix_ended_session_ends_at"), "ended_session", ["ends_at"])


def downgrade() -> None:
    """Forget them: copies of their cookies are good again until they end."""
    op.drop_index(op.f("ix_ended_session_ends_at"), "ended_session")
    op.drop_table("ended_session")
