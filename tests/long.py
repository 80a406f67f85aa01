"""What only `make exhaustive` has the time for."""

import os

import pytest

LONG = os.environ.get("FIVEDICE_EXHAUSTIVE") == "1"
long_only = pytest.mark.skipif(not LONG, reason="takes long: make exhaustive")
