"""The server's public key, and the signed receipt of each dice lock."""

from __future__ import annotations

from fivedice.core.notation.receipts import Receipt, key_id
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import LOOKS, get
from fivedice.web.pages.fairness.fairness_pages import receipt_of
from fivedice.web.services.app_services import AppServices


@get("/key", summary="The public key of this server", responses=shapes.NO_KEY)
def public_key(services: AppServices) -> shapes.PublicKey:
    """Return the Ed25519 key that signs receipts. Note it once: it stays the same as long as the database does."""
    key = services.tables.store.receipts.public_key
    return shapes.PublicKey("Ed25519", key, key_id(key))


@get("/tables/{table:str}/receipt", lane=LOOKS, summary="The signed dice lock of a table", responses=shapes.UNKNOWN)
def receipt(services: AppServices, table: str) -> Receipt:
    """Return the receipt to keep before the game: `fivedice verify --receipt` compares the record with it."""
    return receipt_of(services, table)
