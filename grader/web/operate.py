"""What machines ask: /healthz and /metrics."""

from __future__ import annotations

import dataclasses
import hmac
import time
from collections.abc import Iterator

from flask import Blueprint, Response, g, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from werkzeug.wrappers import Response as Answer

from grader.services import health
from grader.services.refusals import Refused
from grader.web.guard import limiter
from grader.web.transactions import database, engine, settings

bp = Blueprint("operate", __name__)

_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_registry = CollectorRegistry()
_seconds = Histogram(
    "grader_request_seconds", "Time of a request", ["endpoint", "method", "status"], registry=_registry
)


class _Figures:
    """The figures of health as metrics, looked up when they are asked for."""

    def collect(self) -> Iterator[Metric]:
        found = health.look(database(), engine(), settings())
        jobs = GaugeMetricFamily("grader_jobs", "Jobs by state", labels=["state"])
        for state, count in found.queue.items():
            jobs.add_metric([state], count)
        yield jobs
        workers = GaugeMetricFamily("grader_workers", "Workers by level of the sandbox", labels=["level"])
        for level in ("full", "reduced", "none"):
            workers.add_metric([level], sum(worker["level"] == level for worker in found.workers))
        yield workers
        yield GaugeMetricFamily(
            "grader_oldest_job_seconds", "Age of the oldest job queued", found.oldest_seconds
        )
        yield GaugeMetricFamily("grader_disk_free_bytes", "Free where the data is", found.free_bytes)
        yield GaugeMetricFamily("grader_healthy", "1 when nothing is wrong", float(found.ok))


@bp.get("/healthz")
@limiter.exempt
def healthz() -> Answer:
    """Whether the service does its work: 200 or 503. Names of machines and reasons are for /admin."""
    found = health.look(database(), engine(), settings())
    shown = dataclasses.asdict(found) | {"ok": found.ok}
    shown["workers"] = [worker["level"] for worker in found.workers]
    answer = jsonify(shown)
    answer.status_code = 200 if found.ok else 503
    return answer


@bp.get("/metrics")
@limiter.exempt
def metrics() -> Response:
    """For Prometheus: with the token of the settings, or from this machine when there is none."""
    token = settings().metrics_token
    if token:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        allowed = hmac.compare_digest(given.encode(), token.encode())
    else:
        allowed = request.remote_addr in ("127.0.0.1", "::1") and "X-Forwarded-For" not in request.headers
    if not allowed:
        raise Refused("not-allowed")
    figures = CollectorRegistry()
    figures.register(_Figures())
    return Response(generate_latest(_registry) + generate_latest(figures), content_type=CONTENT_TYPE_LATEST)


@bp.after_app_request
def observe(response: Response) -> Response:
    """Count every request. Whatever a request may say, the figures stay few."""
    method = request.method if request.method in _METHODS else "other"
    labels = request.endpoint or "–", method, response.status_code
    _seconds.labels(*labels).observe(time.perf_counter() - g.began)
    return response
