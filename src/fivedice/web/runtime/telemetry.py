"""What the server counts, for Prometheus. No label ever holds an id, a name or anything else that a caller chose."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE

from fivedice import __version__

__all__ = ["CONTENT_TYPE", "METHODS", "NO_ROUTE", "Metrics"]

# A second series for each, with the time when it began: nobody asks for it.
disable_created_metrics()  # type: ignore[no-untyped-call]

METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
NO_ROUTE = "(none)"


class Metrics:
    """The figures of one process; several of them are told apart by their addresses when they are read."""

    def __init__(self) -> None:
        self.registry = here = CollectorRegistry()
        ProcessCollector(registry=here)
        self._requests = Counter("fivedice_requests", "Answered requests", ["method", "route", "status"], registry=here)
        self._seconds = Histogram(
            "fivedice_request_seconds", "Time to answer", ["route"], buckets=SECONDS, registry=here
        )
        self._moves = Counter("fivedice_commands", "Commands acknowledged", ["command", "by"], registry=here)
        self._refusals = Counter("fivedice_refusals", "Commands refused by a table", ["code"], registry=here)
        self._limited = Counter("fivedice_limited", "Requests turned away by a limit", ["limit"], registry=here)
        self._opened = Counter("fivedice_tables_opened", "Tables opened", registry=here)
        self.tables = Gauge("fivedice_tables", "Tables in the database", ["phase"], registry=here)
        self.streams = Gauge("fivedice_live_streams", "Live streams held open", registry=here)
        self.solving = Gauge("fivedice_solves_running", "Books that are being solved now", registry=here)
        Gauge("fivedice_version_info", "Always 1", ["version"], registry=here).labels(__version__).set(1)

    def answered(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """A request is over; streams have no time that would mean anything."""
        known = method if method in METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    def moved(self, command: str, *, by_house: bool) -> None:
        self._moves.labels(command, "house" if by_house else "person").inc()

    def opened(self) -> None:
        self._opened.inc()

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def limited(self, kind: str) -> None:
        self._limited.labels(kind).inc()

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
