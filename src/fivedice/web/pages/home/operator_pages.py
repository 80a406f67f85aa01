"""Pages for the operator: /health and /metrics."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from litestar import MediaType, get
from litestar.response import Response

from fivedice import __version__
from fivedice.table.refusals import NotAllowed, Refusal
from fivedice.web.http.client_limits import VISIT
from fivedice.web.http.handling import in_thread
from fivedice.web.http.settings import networks
from fivedice.web.jobs.telemetry import CONTENT_TYPE
from fivedice.web.services.app_services import AppServices

_NEVER_KEPT = {"cache-control": "no-store"}


@get("/health", media_type=MediaType.JSON)
async def health(services: AppServices) -> Response[dict[str, Any]]:
    problem = await services.health.problem()
    found = {
        "status": "ok" if problem is None else "unavailable",
        "ready": problem is None,
        "database": problem or "ok",
        "version": __version__,
    }
    return Response(found, status_code=200 if problem is None else 503, headers=_NEVER_KEPT)


@get("/metrics")
async def metrics(services: AppServices) -> Response[bytes]:
    visit = VISIT.get()
    if visit is None or not visit.comes_from(networks(services.settings.metrics_from)):
        raise NotAllowed("web.metrics-not-yours")
    await _take_stock(services)
    return Response(services.metrics.text(), media_type=CONTENT_TYPE, headers=_NEVER_KEPT)


async def _take_stock(services: AppServices) -> None:
    """Update the gauges, which are only measured on request."""
    services.metrics.streams.set(services.limits.streams)
    services.metrics.solving.set(services.solutions.running)
    with suppress(Refusal):  # an unreachable database, which /health reports
        for phase, count in (await in_thread(services.tables.store.tables_by_phase)).items():
            services.metrics.tables.labels(phase).set(count)
