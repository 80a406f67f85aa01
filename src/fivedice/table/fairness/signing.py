"""Ed25519 signatures. They need the package `cryptography`, which is imported only when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivedice.core.notation.receipts import FORMAT, Receipt, signed_bytes
from fivedice.errors import FivediceError, IllegalRecord

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def public_key(seed: str) -> str:
    """Return the public key of a secret seed of 256 bits."""
    return _private(seed).public_key().public_bytes_raw().hex()


def sign(seed: str, table: str, time: str, lock: str) -> Receipt:
    """Return the receipt of a dice lock. Signing again gives the same receipt."""
    signature = _private(seed).sign(signed_bytes(table, time, lock)).hex()
    return Receipt(FORMAT, table, time, lock, public_key(seed), signature)


def sign_message(seed: str, message: bytes) -> str:
    """Return the signature of any message, as hexadecimal digits."""
    return _private(seed).sign(message).hex()


def check_signature(receipt: Receipt) -> None:
    """Raise IllegalRecord unless the holder of the key that the receipt names has signed it."""
    try:
        is_right = is_signed(receipt.key, receipt.signature, receipt.signed)
    except ModuleNotFoundError as error:
        raise FivediceError("notation.needs-package", missing=error.name) from None
    if not is_right:
        raise IllegalRecord("notation.bad-signature")


def is_signed(key: str, signature: str, message: bytes) -> bool:
    """Return whether the holder of a key signed a message. Raise ModuleNotFoundError without cryptography."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):  # ValueError: not a point of the curve
        return False
    return True


def _private(seed: str) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
