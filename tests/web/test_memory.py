"""Memory that was needed for a moment goes back to the system."""

import platform
import re
import subprocess
import sys

import pytest

from long import takes_turns

pytestmark = takes_turns

HOLD = """
import sys
from pathlib import Path
from fivedice.web.server import give_memory_back
if sys.argv[1] == "told":
    give_memory_back()
b"x" * (24 << 20)  # from now on pieces of this size would be kept
much = [b"x" * (8 << 20) for _ in range(20)]
behind = b"x" * (9 << 20)  # fits into no gap of the heap, so it lies behind them
del much
print(Path("/proc/self/status").read_text())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries are not told")
def test_temporary_memory_is_returned() -> None:
    def held(how: str) -> int:
        status = subprocess.run([sys.executable, "-c", HOLD, how], capture_output=True, text=True, check=True).stdout
        found = re.search(r"RssAnon:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) >> 10

    assert held("told") + 100 < held("untold")
