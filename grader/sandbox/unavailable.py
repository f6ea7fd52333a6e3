"""The one exception of the sandbox that is not about a submission."""

from __future__ import annotations


class SandboxUnavailable(RuntimeError):
    """No safe sandbox can be had here, and what to do about it."""
