"""How strong a sandbox is."""

from __future__ import annotations

from enum import Enum


class Level(str, Enum):
    """What stands between a submission and the machine."""

    FULL = "full"  # bwrap, another uid where we are root, the filter of system calls, cgroups
    REDUCED = "reduced"  # without cgroups: limits per process, memory watched by the runner
    NONE = "none"  # nothing: one's own code only, and only when asked for
