"""What the sandbox's tests allow a call: little, so that whatever breaks a limit does it soon."""

from grader.models import Limits

LIMITS = Limits(
    wall_seconds=2.0,
    cpu_seconds=4.0,
    memory_bytes=128 << 20,
    processes=12,
    file_bytes=8 << 20,
    run_seconds=60.0,
)
