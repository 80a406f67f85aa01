"""Links between the browsers of a person: offer one, look at it, and join another browser by it."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet

from fivedice.store.people.device_store import DeviceLink, Devices
from fivedice.table.actions.rights import new_key, player_id
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.handling import NotFound
from fivedice.web.http.identity import Person

_PURPOSE = b"fivedice device link"  # no sentence


class DeviceLinks:
    """Created once per server process."""

    def __init__(self, devices: Devices, limits: Limits) -> None:
        self.store, self._limits = devices, limits

    def offer(self, person: Person, *, spare: bool) -> str:
        """Return the code of a new link, which only its address holds; an earlier one of its kind ends."""
        code = new_key()
        with self._limits.one_more("links"):
            sealed = _cipher(code).encrypt(person.key.encode()).decode()
            self.store.offer(player_id(code), person.id, sealed, spare=spare)
        return code

    def find(self, code: str) -> DeviceLink:
        """Return a link without using it. Raise NotFound if it does not work any more."""
        return _require(self.store.find(player_id(code)))

    def join(self, code: str, other: Person) -> str:
        """Use a link, join what the other browser has kept, and return the key of the person.

        Raise NotFound if the link does not work any more, and SitsTwice if both sit in the same unfinished game.
        """
        link = _require(self.store.join(player_id(code), other.id))
        return _cipher(code).decrypt(link.sealed.encode()).decode()


def _require(link: DeviceLink | None) -> DeviceLink:
    if link is None:
        raise NotFound("web.link-used")
    return link


def _cipher(code: str) -> Fernet:
    """Return the cipher for the key of a browser; the code has 256 random bits and is used for one key only."""
    return Fernet(urlsafe_b64encode(hmac.digest(code.encode("utf-8", "surrogatepass"), _PURPOSE, sha256)))
