"""The packages that the environments need, and the extras that install them."""

from __future__ import annotations

from importlib.util import find_spec

from fivedice.errors import FivediceError

_EXTRAS = {"gymnasium": "learning", "pettingzoo": "learning", "pyspiel": "openspiel"}


def is_installed(package: str) -> bool:
    return find_spec(package) is not None


def require_package(package: str) -> None:
    """Raise FivediceError, which says what to install, if a package is missing."""
    if not is_installed(package):
        raise FivediceError("bots.learning-package", missing=package, package=f"fivedice[{_EXTRAS[package]}]")
