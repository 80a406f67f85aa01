"""Solving from nothing: our time against that of yatzy-solver, the peer, side by side in one run."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, TypeAlias

PAIRS = {"yahtzee": "american+forced-joker", "yatzy": "yatzy-scandinavian"}
EMPTY = "upper 0 | filled -"
ROUNDS = 2  # ours and the peer's by turns, so that a busy minute does not fall on one of them alone
REPEATS = {"ours": 5, "peer": 1}

Report: TypeAlias = dict[str, Any]


def main() -> None:
    """Fresh processes, so that neither side profits from what the other has loaded."""
    with tempfile.TemporaryDirectory() as kernels:
        cold = _measured("ours", kernels)
        rounds = [(_measured("ours", kernels), _measured("peer", kernels)) for _ in range(ROUNDS)]
    print(f"{'book':<10}{'ours':>9}{'peer':>9}{'ratio':>8}{'of CPU':>8}{'first':>9}{'cold':>9}   value (ours - peer)")
    for key in PAIRS:
        _print_line(key, cold[key], [ours[key] for ours, _ in rounds], [peer[key] for _, peer in rounds])
    ours, peer = rounds[0]
    print(f"peak memory of a process that solves both: ours {ours['peak']:.0f} MB, the peer's {peer['peak']:.0f} MB")
    print("ours, peer: the best of several; of CPU: ratio of processor time, which busy neighbours disturb less")
    print("first: kernels read from numba's cache; cold: kernels compiled")


def _print_line(key: str, cold: Report, ours: list[Report], peer: list[Report]) -> None:
    best, other = (_least(side, "seconds") for side in (ours, peer))
    ratio, cpu = other / best, _least(peer, "cpu") / _least(ours, "cpu")
    first = min(report["seconds"][0] for report in ours)
    value, difference = ours[0]["value"], ours[0]["value"] - peer[0]["value"]
    times = f"{best:>7.3f} s{other:>7.2f} s{ratio:>7.1f}x{cpu:>7.1f}x{first:>7.2f} s{cold['seconds'][0]:>7.2f} s"
    print(f"{key:<10}{times}   {value:.8f} ({difference:+.0e})")


def _least(reports: list[Report], what: str) -> float:
    return min(each for report in reports for each in report[what])


def _measured(side: str, kernels: str) -> Report:
    environment = os.environ | {"NUMBA_CACHE_DIR": kernels}
    command = [sys.executable, "-m", "bench.solver_peer", side]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    report: Report = json.loads(run.stdout)
    return report


def _measure(side: str) -> Report:
    job = {"ours": _ours, "peer": _peer}[side]
    times = {key: _timed(job, key, REPEATS[side]) for key in PAIRS}
    return times | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _timed(job: Callable[[str], float], key: str, repeats: int) -> Report:
    seconds, cpu = [], []
    for _ in range(repeats):
        start, work = perf_counter(), process_time()
        value = job(key)
        seconds.append(perf_counter() - start)
        cpu.append(process_time() - work)
    return {"seconds": seconds, "cpu": cpu, "value": value}


def _ours(key: str) -> float:
    import fivedice as fd
    from fivedice.solver import solve

    book = fd.book(key)
    return solve(book, cache=False).value(fd.Scorecard.of(book, {}))


def _peer(key: str) -> float:
    import yatzy_solver

    return yatzy_solver.Solver.build(yatzy_solver.Variant(PAIRS[key])).state_value(EMPTY)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_measure(sys.argv[1])))
    else:
        main()
