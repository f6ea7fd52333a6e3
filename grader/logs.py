"""Structured logs: one JSON object a line on standard error, with the ids of request and job."""

from __future__ import annotations

import logging
import sys

import structlog


def set_up(level: str = "INFO", *, pretty: bool | None = None) -> None:
    """Send everything that is logged, by whatever library, through one formatter.

    Parameters
    ----------
    level : str
        "DEBUG", "INFO", "WARNING" or "ERROR".
    pretty : bool, optional
        For people instead of programs; by default when standard error is a terminal.
    """
    pretty = sys.stderr.isatty() if pretty is None else pretty
    renderer = (
        structlog.dev.ConsoleRenderer() if pretty else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *([] if pretty else [structlog.processors.format_exc_info]),
            renderer,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("matplotlib").setLevel(logging.WARNING)
