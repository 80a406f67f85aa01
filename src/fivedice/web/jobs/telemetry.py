"""What the operator needs: the log, the metrics for Prometheus, the health check, and hourly housekeeping.

No label of a metric contains an id, a name or anything else that a caller chose. Housekeeping archives and deletes old
games, a few at a time. At the start it checks the pages of a large database file once. Each time, it first finishes
deletions that were interrupted.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TextIO

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from fivedice import __version__
from fivedice.store.access import DatabaseAway, VersionConflict
from fivedice.store.forgetting import Forgetting
from fivedice.store.retention import AT_ONCE, Retention
from fivedice.store.table_store import Store
from fivedice.table.refusals import Refusal
from fivedice.table.service import TableMetrics


def set_up_logs(wanted: str, stream: TextIO | None = None) -> None:
    """Send all logs of this process to one stream in one format."""
    out = stream or sys.stderr
    as_json = wanted == "json" or (wanted == "auto" and not out.isatty())
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO if as_json else logging.WARNING, force=True)
    for chatty in ("alembic", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(
        logging.ERROR
    )  # otherwise any caller could fill the log with invalid requests


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message, the fields of a request, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)  # ASCII: some readers treat other characters as line ends too


# Leave out the series with the creation time of each metric.
disable_created_metrics()  # type: ignore[no-untyped-call]

METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
NO_ROUTE = "(none)"
CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4.partition("; charset")[0]  # the framework adds the charset


class Metrics(TableMetrics):
    """The metrics of one process. Prometheus distinguishes several processes by their addresses."""

    def __init__(self) -> None:
        self.registry = here = CollectorRegistry()
        self._lines: dict[tuple[Counter | Histogram, tuple[str, ...]], Any] = {}  # one entry per metric and labels
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

    def count_answer(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a finished request, and its time unless it was a stream (None)."""
        known = method if method in METHODS else "OTHER"
        self._of(self._requests, known, route, str(status)).inc()
        if seconds is not None:
            self._of(self._seconds, route).observe(seconds)

    def _of(self, figure: Counter | Histogram, *labels: str) -> Any:
        """Return a metric with labels. Cached, because the package takes a lock for each lookup."""
        found = self._lines.get((figure, labels))
        if found is None:
            found = self._lines[figure, labels] = figure.labels(*labels)
        return found

    def count_move(self, command: str, *, by_house: bool) -> None:
        self._of(self._moves, command, "house" if by_house else "person").inc()

    def count_table(self) -> None:
        self._opened.inc()

    def count_refusal(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def count_limit(self, kind: str) -> None:
        self._limited.labels(kind).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


log = logging.getLogger(__name__)

FRESH = 1.0  # seconds for which a result is reused
DAMAGED = "damaged"
UNREACHABLE = "unreachable"
PATIENCE = 5.0  # seconds; a slower database counts as unreachable


class Health:
    """Checks that moves can be saved, by a write to the database at most once per second."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._asked = float("-inf")
        self._problem: str | None = UNREACHABLE
        self._one_at_a_time = asyncio.Lock()
        self._damaged = False

    def note_damage(self) -> None:
        """Report the database as damaged until the server restarts."""
        self._damaged = True

    async def problem(self) -> str | None:
        """Return the code of the reason why moves cannot be saved, or None if they can."""
        if self._damaged:
            return DAMAGED
        async with self._one_at_a_time:
            if self._clock() - self._asked >= FRESH:
                self._problem = await self._ask()
                self._asked = self._clock()
        return self._problem

    async def _ask(self) -> str | None:
        try:
            await asyncio.wait_for(asyncio.to_thread(self._store.probe), PATIENCE)
        except VersionConflict:
            return None  # another process is writing the same row, so writing works
        except Refusal as refusal:
            log.error("moves cannot be saved: %s", refusal.code)  # noqa: TRY400 - its text may reveal too much
            return UNREACHABLE if isinstance(refusal, DatabaseAway) else refusal.code
        except Exception as error:  # the drivers raise different classes
            log.error("the database cannot be reached: %s", type(error).__name__)  # noqa: TRY400 - likewise
            return UNREACHABLE
        return None


HOURLY = 3600.0
BETWEEN = 1.0  # seconds between two batches, so that players do not wait


class Housekeeping:
    """The background task that archives and deletes old games."""

    def __init__(self, store: Store, keep: Retention, on_damage: Callable[[], None] = lambda: None) -> None:
        self._store, self._on_damage = store, on_damage
        self._attic = store.attic
        self._forgetting = Forgetting(store)
        self._keep = keep
        self._task: asyncio.Task[None] | None = None

    def attach(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        await self._check_pages()
        while True:
            await asyncio.sleep(BETWEEN if await self._handful() == AT_ONCE else HOURLY)

    async def _check_pages(self) -> None:
        found = await asyncio.to_thread(self._store.find_broken_page)
        if found is not None:
            log.error("the database is damaged: %s. Restore a backup.", found)
            self._on_damage()

    async def _handful(self) -> int:
        try:
            await asyncio.to_thread(self._forgetting.finish)
            count = await asyncio.to_thread(self._attic.sweep, self._keep)
        except Exception as error:  # such as a full disk or an unreachable database: retry later
            log.warning("old games could not be put away: %s", type(error).__name__)
            return 0
        if count:
            log.info("old games moved: %d", count)
        return count
