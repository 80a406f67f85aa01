"""Run every benchmark, or those named: `python -m bench engine`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    for name in sys.argv[1:] or found:
        print(f"== {name}", flush=True)
        import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
