"""Keys of browsers and of links, and what the server keeps of them."""

from __future__ import annotations

import secrets
from hashlib import sha256


def player_id(key: str) -> str:
    """What the server keeps of the key in a browser: enough to know it again, too little to use it."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def new_key() -> str:
    """A key for a browser or a seat: 256 random bits."""
    return secrets.token_urlsafe(32)
