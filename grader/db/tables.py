"""Every table. People and courses in `people`, what is handed in and graded in `work`."""

from grader.db.base import Base
from grader.db.people import ApiToken, AuditEntry, Course, EndedSession, Enrolment, Link, Role, User
from grader.db.work import (
    Extension,
    Job,
    JobState,
    Kind,
    Picture,
    Regrade,
    RegradeState,
    ReportText,
    Result,
    Run,
    RunState,
    Submission,
    SubmittedFile,
    Task,
    Worker,
)

__all__ = [
    "ApiToken", "AuditEntry", "Base", "Course", "EndedSession", "Enrolment", "Extension", "Job", "JobState", "Kind",
    "Link", "Picture", "Regrade", "RegradeState", "ReportText", "Result", "Role", "Run", "RunState", "Submission",
    "SubmittedFile", "Task", "User", "Worker",
]  # fmt: skip
