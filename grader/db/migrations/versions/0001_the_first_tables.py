"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from grader.db.clock import Instant

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "course",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("join_code", sa.String(), nullable=False),
        sa.Column("join_open", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_course")),
        sa.UniqueConstraint("join_code", name=op.f("uq_course_join_code")),
        sa.UniqueConstraint("slug", name=op.f("uq_course_slug")),
    )
    op.create_table(
        "user",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(), nullable=True),
        sa.Column("sessions", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("login", name=op.f("uq_user_login")),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("timed", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("used_at", Instant(), nullable=True),
        sa.Column("expires_at", Instant(), nullable=True),
        sa.Column("revoked_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_api_token_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_token_digest")),
    )
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_token_user_id"), ["user_id"], unique=False)

    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("course_id", sa.Integer(), nullable=True),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["user.id"], name=op.f("fk_audit_entry_actor_id_user")),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_audit_entry_course_id_course")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_entry_course_id"), ["course_id"], unique=False)

    op.create_table(
        "enrolment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("course_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            sa.Enum("student", "assistant", "teacher", name="role", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("pseudonym", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_enrolment_course_id_course")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_enrolment_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolment")),
        sa.UniqueConstraint("course_id", "user_id", name=op.f("uq_enrolment_course_id")),
    )
    with op.batch_alter_table("enrolment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_enrolment_user_id"), ["user_id"], unique=False)

    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("used_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_link_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link")),
        sa.UniqueConstraint("digest", name=op.f("uq_link_digest")),
    )
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_link_user_id"), ["user_id"], unique=False)

    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("course_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("opens_at", Instant(), nullable=True),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("late_percent", sa.Double(), nullable=False),
        sa.Column("late_days", sa.Integer(), nullable=False),
        sa.Column("counts", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["course.id"], name=op.f("fk_task_course_id_course")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("course_id", "slug", name=op.f("uq_task_course_id")),
    )
    op.create_table(
        "extension",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_extension_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_extension_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extension")),
        sa.UniqueConstraint("task_id", "user_id", name=op.f("uq_extension_task_id")),
    )
    op.create_table(
        "regrade",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("which", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("open", "applied", "discarded", name="regradestate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_regrade_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_regrade_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regrade")),
    )
    with op.batch_alter_table("regrade", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_regrade_task_id"), ["task_id"], unique=False)

    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column(
            "kind", sa.Enum("final", "draft", name="kind", native_enum=False, length=20), nullable=False
        ),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("submitted_at", Instant(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("single", sa.Boolean(), nullable=False),
        sa.Column("track", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_submission_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_submission_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index("ix_submission_task_user", ["task_id", "user_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submission_user_id"), ["user_id"], unique=False)

    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("regrade_id", sa.Integer(), nullable=True),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "queued",
                "running",
                "graded",
                "error",
                "cancelled",
                name="runstate",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("max_score", sa.Double(), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("speed", sa.Double(), nullable=True),
        sa.Column("speed_low", sa.Double(), nullable=True),
        sa.Column("speed_high", sa.Double(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("level", sa.String(), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("finished_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["regrade_id"], ["regrade.id"], name=op.f("fk_run_regrade_id_regrade")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_run_submission_id_submission")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_regrade_id"), ["regrade_id"], unique=False)
        batch_op.create_index("ix_run_submission_counts", ["submission_id", "counts"], unique=False)
        batch_op.create_index(
            "uq_run_counts",
            ["submission_id"],
            unique=True,
            sqlite_where=sa.text("counts"),
            postgresql_where=sa.text("counts"),
        )

    op.create_table(
        "submitted_file",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_submitted_file_submission_id_submission")
        ),
        sa.PrimaryKeyConstraint("submission_id", "name", name=op.f("pk_submitted_file")),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("timed", sa.Boolean(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "queued", "leased", "done", "dead", "cancelled", name="jobstate", native_enum=False, length=20
            ),
            nullable=False,
        ),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("queued_at", sa.Double(), nullable=False),
        sa.Column("not_before", sa.Double(), nullable=False),
        sa.Column("leased_at", sa.Double(), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_job_run_id_run")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_job_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("run_id", name=op.f("uq_job_run_id")),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index("ix_job_order", ["state", "priority", "turn", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_job_worker"), ["worker"], unique=False)

    op.create_table(
        "picture",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("test", sa.String(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_picture_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", "test", name=op.f("pk_picture")),
    )
    op.create_table(
        "report_text",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_report_text_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", "language", name=op.f("pk_report_text")),
    )
    op.create_table(
        "result",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("test", sa.String(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("max_score", sa.Double(), nullable=False),
        sa.Column("mistakes", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_result_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_result")),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("result")
    op.drop_table("report_text")
    op.drop_table("picture")
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_job_worker"))
        batch_op.drop_index("ix_job_order")

    op.drop_table("job")
    op.drop_table("submitted_file")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_run_counts", sqlite_where=sa.text("counts"), postgresql_where=sa.text("counts")
        )
        batch_op.drop_index("ix_run_submission_counts")
        batch_op.drop_index(batch_op.f("ix_run_regrade_id"))

    op.drop_table("run")
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_user_id"))
        batch_op.drop_index("ix_submission_task_user")

    op.drop_table("submission")
    with op.batch_alter_table("regrade", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_regrade_task_id"))

    op.drop_table("regrade")
    op.drop_table("extension")
    op.drop_table("task")
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_link_user_id"))

    op.drop_table("link")
    with op.batch_alter_table("enrolment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_enrolment_user_id"))

    op.drop_table("enrolment")
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_entry_course_id"))

    op.drop_table("audit_entry")
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_token_user_id"))

    op.drop_table("api_token")
    op.drop_table("worker")
    op.drop_table("user")
    op.drop_table("course")
