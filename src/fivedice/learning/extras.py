"""The packages that the environments stand on: said by name, with their extra, where one is missing."""

from __future__ import annotations

from importlib.util import find_spec

from fivedice.errors import FivediceError

_EXTRAS = {"gymnasium": "learning", "pettingzoo": "learning", "pyspiel": "openspiel"}


def is_installed(package: str) -> bool:
    return find_spec(package) is not None


def need(package: str) -> None:
    """Refuse, and say what to install."""
    if not is_installed(package):
        raise FivediceError("bots.learning-package", missing=package, package=f"fivedice[{_EXTRAS[package]}]")
