"""What the operator of a server asks it: /health and /metrics."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, get
from litestar.datastructures import State
from litestar.exceptions import PermissionDeniedException
from litestar.response import Response

from fivedice import __version__
from fivedice.web.http.visits import VISIT
from fivedice.web.runtime.metrics import CONTENT_TYPE
from fivedice.web.runtime.services import AppServices, in_thread, services_of
from fivedice.web.settings import networks

Req = Request[Any, Any, State]

NOT_YOURS = "Metrics are for the operator: the setting metrics_from says which addresses may read them."
_NEVER_KEPT = {"cache-control": "no-store"}


@get("/health", media_type=MediaType.JSON)
async def health(request: Req) -> Response[dict[str, Any]]:
    reachable = await services_of(request).health.database()
    found = {
        "status": "ok" if reachable else "unavailable",
        "ready": reachable,
        "database": "ok" if reachable else "unreachable",
        "version": __version__,
    }
    return Response(found, status_code=200 if reachable else 503, headers=_NEVER_KEPT)


@get("/metrics")
async def metrics(request: Req) -> Response[bytes]:
    services, visit = services_of(request), VISIT.get()
    if visit is None or not visit.comes_from(networks(services.settings.metrics_from)):
        raise PermissionDeniedException(NOT_YOURS)
    await _take_stock(services)
    return Response(services.metrics.text(), media_type=CONTENT_TYPE, headers=_NEVER_KEPT)


async def _take_stock(services: AppServices) -> None:
    """What is not counted as it happens is looked at when somebody asks."""
    services.metrics.streams.set(services.limits.streams)
    services.metrics.solving.set(services.solutions.running)
    if await services.health.database():
        for phase, count in (await in_thread(services.tables.store.tables_by_phase)).items():
            services.metrics.tables.labels(phase).set(count)


handlers = [health, metrics]
