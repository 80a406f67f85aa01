"""Run a campaign of campaigns.toml, or list them all with the time that each took last.

A campaign that passes writes its time to campaign_times.json, so that the list stays true.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TIMES = HERE / "campaign_times.json"
CAMPAIGNS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "campaigns.toml").read_text(encoding="utf-8"))


def read_times() -> dict[str, dict[str, Any]]:
    """Return the last known time of each campaign: seconds and date."""
    found: dict[str, dict[str, Any]] = json.loads(TIMES.read_text(encoding="utf-8")) if TIMES.exists() else {}
    return found


def describe_time(known: dict[str, Any] | None) -> str:
    """Return the time in words, such as "12 min (2026-11-17)"."""
    if known is None:
        return "not measured"
    seconds = known["seconds"]
    taken = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
    return f"{taken} ({known['date']})"


def list_campaigns() -> None:
    """Print every campaign with its time and what it does."""
    times = read_times()
    for name, campaign in CAMPAIGNS.items():
        print(f"{name:14}{describe_time(times.get(name)):22}{campaign['what']}")


def run_campaign(name: str) -> int:
    """Run the commands of one campaign, and keep its time if all of them pass."""
    if name not in CAMPAIGNS:
        print(f"There is no campaign {name!r}. Known: {', '.join(CAMPAIGNS)}.", file=sys.stderr)
        return 2
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    cores = os.environ.get("CORES", "2")
    environment = {"PARALLEL": f"-n {int(cores) + 1} --dist worksteal"} | os.environ | {"PATH": path, "CORES": cores}
    begin = time.monotonic()
    for command in CAMPAIGNS[name]["run"]:
        print(f"$ {command}", flush=True)
        status = subprocess.run(["/bin/sh", "-c", command], env=environment, cwd=HERE.parent, check=False).returncode
        if status:
            return status
    known = {"seconds": round(time.monotonic() - begin), "date": datetime.now(UTC).date().isoformat()}
    times = read_times() | {name: known}
    TIMES.write_text(json.dumps(times, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{name} passed: {describe_time(known)}")
    return 0


if __name__ == "__main__":
    sys.exit(run_campaign(sys.argv[1]) if len(sys.argv) > 1 else list_campaigns())
