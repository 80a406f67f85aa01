from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _shipped_tables() -> Iterator[None]:
    """Read the shipped tables of values, as every player does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("FIVEDICE_TABLES", raising=False)
        yield
