"""The headers that guard every response, also those that no handler of ours has made."""

from __future__ import annotations

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ONLY_SECURELY = "max-age=31536000"  # a year; without subdomains, which are not ours to promise


async def add_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers[name] = value
        if served_securely(scope):
            headers["strict-transport-security"] = ONLY_SECURELY


def served_securely(scope: Scope) -> bool:
    """Whether the browser came over HTTPS: it did itself, or the operator says that everybody does."""
    outside: str = scope["litestar_app"].state.services.settings.base_url
    return scope["scheme"] == "https" or outside.startswith("https:")
