"""What things cost in a small database and in a large one: `python -m bench.growth --sizes 1000 10000 100000`.

Each database is filled by copying games that were really played; one person has 500 of them. A server is then started
on it and asked. A wait is the median of several, by the clock of the client. While the person with 500 games is
deleted, another one plays on, and their slowest move is measured. `--kind postgresql` does the same there. Processor
time is that of the server; it depends less on what else the machine does.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Any

import httpx

from bench._fill import HEAVY_KEY, fill

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from bench._servers import DURABLE, Meter, processor_seconds
from postgres import NoServer, serving_postgres
from sharing.play import caller, look, next_move, opened, send
from web.serving import NO_CERTIFICATES, START, Serving

SIZES = (0, 1000, 10_000)
ASKED = 20  # times that a page is asked for
MOVES = 40
TURNS = 6  # by turns with an empty database, since what else the machine does changes meanwhile
STARTS = 3
IDLE = 0.01  # seconds of processor time that a server takes in two seconds in which it has nothing to do
PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
LONGEST = 120.0  # seconds until statistics are complete, or the bench goes on


class Costs(dict[str, str]):
    """What was measured, by name; printed as it comes, since a large database takes long."""

    def __setitem__(self, name: str, cost: str) -> None:
        super().__setitem__(name, cost)
        print(f"{name}: {cost}", file=sys.stderr, flush=True)


def measure(url: str, folder: Path, empty: Serving, costs: Costs, *, backups: bool) -> None:
    """Ask a server on this database for everything, and for some of it by turns with one on an empty database."""
    server = _start(url, folder, costs)
    try:
        _wait_until_idle(server)  # a large file is checked after the start
        _compare_with_empty(server, empty, costs)
        _measure_pages(server, costs)
        _measure_statistics(server, costs)
        server.stop()  # games of the one who is to be deleted are still being judged
        server.start()
        _measure_deletion(server, costs)
    finally:
        server.__exit__()
    if backups:
        with _timed(costs, "backup --check"):
            _command("backup", "--check", "--database", url)
        with _timed(costs, "backup"):
            _command("backup", str(folder / "file.backup"), "--database", url, "--replace")


def _start(url: str, folder: Path, costs: Costs) -> Serving:
    """Start a server some times, write down the best start, and return the server."""
    waits, used = [], []
    for _ in range(STARTS):
        began = perf_counter()
        server = Serving(folder, database=url).__enter__()
        httpx.get(f"{server.url}/health", verify=NO_CERTIFICATES).raise_for_status()
        waits.append(perf_counter() - began)
        used.append(processor_seconds(server.pid))
        server.stop()
    costs["start"], costs["start, processor"] = f"{min(waits):.2f} s", f"{min(used):.2f} s"
    server.start()
    return server


def _wait_until_idle(server: Serving) -> None:
    meter = Meter([server])
    sleep(2)
    while meter.read() > IDLE:
        sleep(2)


def _compare_with_empty(server: Serving, empty: Serving, costs: Costs) -> None:
    """Measure the home page and moves of both by turns; each figure is the median of all turns."""
    sides = {"": server, ", empty database": empty}
    found: dict[str, list[float]] = {}
    for turn in range(TURNS):
        for name, side in list(sides.items())[:: 1 if turn % 2 else -1]:
            for what, taken in _take_turn(side).items():
                found.setdefault(what + name, []).append(taken)
    for what in ("home page", "home page, processor", "a move", "a move, processor"):
        for name in sides:
            costs[what + name] = _ms(median(found[what + name]))


def _take_turn(server: Serving) -> dict[str, float]:
    with _browser(server, "") as newcomer, caller(server.url, "mover") as mover:
        newcomer.get("/").raise_for_status()
        list(_play(mover, 1))
        meter = Meter([server])
        pages = [_wait(lambda: newcomer.get("/")) for _ in range(ASKED)]
        for_pages = meter.read()
        moves = list(_play(mover, MOVES))
        for_moves = meter.read()
    return {
        "home page": median(pages),
        "home page, processor": for_pages / ASKED,
        "a move": median(moves),
        "a move, processor": for_moves / MOVES,
    }


def _measure_pages(server: Serving, costs: Costs) -> None:
    with _browser(server, "") as newcomer, _browser(server, HEAVY_KEY) as heavy:
        for name, page in (("home page", "/"), ("list of games", "/tables"), ("own data", "/you")):
            costs[f"{name}, 500 games"] = _median(lambda page=page: heavy.get(page))  # type: ignore[misc]
        with _timed(costs, "fairness, first"):
            newcomer.get("/fairness").raise_for_status()
        costs["fairness, then"] = _median(lambda: newcomer.get("/fairness"))


def _measure_statistics(server: Serving, costs: Costs) -> None:
    """Look at games that were never judged; wait until they are; and look again after a restart."""
    with _browser(server, HEAVY_KEY) as heavy:
        with _timed(costs, "statistics, 500 games never judged"):
            heavy.get("/statistics").raise_for_status()
        with _timed(costs, "until they are judged"):
            end = perf_counter() + LONGEST
            while not heavy.get("/statistics.json").json()["complete"] and perf_counter() < end:
                sleep(0.5)
        costs["statistics, 500 judged games"] = _median(lambda: heavy.get("/statistics"))
    server.stop()
    server.start()
    with _browser(server, "") as newcomer:
        newcomer.get("/statistics").raise_for_status()  # loads the modules that make the page
    with _browser(server, HEAVY_KEY) as heavy, _timed(costs, "the same, first look after a restart"):
        heavy.get("/statistics").raise_for_status()


def _measure_deletion(server: Serving, costs: Costs) -> None:
    """Delete the person with many games while another one plays."""
    over, waits = Event(), list[float]()
    with caller(server.url, "neighbour") as neighbour, _browser(server, HEAVY_KEY) as heavy:

        def play_on() -> None:
            while not over.is_set():
                waits.extend(_play(neighbour, 30))

        playing = Thread(target=play_on)
        playing.start()
        try:
            with _timed(costs, "delete 500 games"):
                heavy.post("/you/delete", data={"sure": "yes"})
        finally:
            over.set()
            playing.join()
    costs["slowest move meanwhile"] = _ms(max(waits))


def _play(client: httpx.Client, moves: int) -> Iterator[float]:
    """Play a new game, and return how long each move took."""
    seen = look(client, opened(client, "Ann"))
    for _ in range(moves):
        if seen["phase"] == "finished":
            seen = look(client, opened(client, "Ann"))
        began = perf_counter()
        answer = send(client, seen["id"], next_move(seen))
        yield perf_counter() - began
        seen = answer.json()["table"]


@contextmanager
def _browser(server: Serving, key: str) -> Iterator[httpx.Client]:
    cookies = {"fivedice_player": key} if key else {}
    with httpx.Client(base_url=server.url, cookies=cookies, timeout=600, verify=NO_CERTIFICATES) as client:
        client.headers["origin"] = server.url
        yield client


def _median(ask: Callable[[], httpx.Response]) -> str:
    return _ms(median(_wait(ask) for _ in range(ASKED)))


def _wait(ask: Callable[[], httpx.Response]) -> float:
    began = perf_counter()
    ask().raise_for_status()
    return perf_counter() - began


@contextmanager
def _timed(costs: Costs, name: str) -> Iterator[None]:
    began = perf_counter()
    yield
    costs[name] = f"{perf_counter() - began:.2f} s"


def _command(*words: str) -> None:
    subprocess.run([sys.executable, "-c", START, *words], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


def table(sizes: Sequence[int], found: Sequence[Costs]) -> str:
    """Return what was measured as a table of Markdown, one column per size."""
    lines = [f"| games | {' | '.join(f'{size:,}' for size in sizes)} |", "|---" * (len(sizes) + 1) + "|"]
    lines += [f"| {name} | {' | '.join(costs.get(name, '') for costs in found)} |" for name in found[0]]
    return "\n".join(lines)


def print_into_page(kind: str, written: str) -> None:
    """Replace the table of this kind of database in docs/performance.md."""
    block = re.compile(f"(<!-- growth:{kind} -->\n).*?(<!-- /growth -->)", re.DOTALL)
    moment = f"{datetime.now(UTC):%Y-%m-%d}, load average {os.getloadavg()[1]:.0f} at the end:"
    text = PAGE.read_text(encoding="utf-8")
    after = block.sub(lambda found: f"{found[1]}{moment}\n\n{written}\n{found[2]}", text)
    PAGE.write_text(after, encoding="utf-8")


def run(arguments: Any) -> None:
    found: list[Costs] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=arguments.folder)))
        os.environ |= {"FIVEDICE_CACHE": str(folder / "cache"), "FIVEDICE_PREPARE": "no"}
        postgres = stack.enter_context(serving_postgres(DURABLE)) if arguments.kind == "postgresql" else None
        (folder / "empty").mkdir()
        empty = stack.enter_context(Serving(folder / "empty", database=postgres.database() if postgres else ""))
        for size in arguments.sizes:
            own = folder / str(size)
            own.mkdir()
            url = f"sqlite:///{own / 'tables.db'}" if postgres is None else postgres.database()
            found.append(Costs())
            with _timed(found[-1], "filling, for this bench"):
                fill(url, size)
                os.sync()  # else the start waits for what the filling left to the disk
            measure(url, own, empty, found[-1], backups=not arguments.no_backups)
            print(table(arguments.sizes[: len(found)], found), flush=True)
    if arguments.write:
        print_into_page(arguments.kind, table(arguments.sizes, found))


def main(words: Sequence[str] = ()) -> None:
    parser = ArgumentParser("python -m bench.growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of games")
    parser.add_argument("--kind", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--folder", help="where the databases are made; 100,000 games need 6 GB")
    parser.add_argument("--write", action="store_true", help="print the table into docs/performance.md, too")
    parser.add_argument("--no-backups", action="store_true", help="leave backups out: each replays all games")
    try:
        run(parser.parse_args(list(words)))
    except NoServer as problem:
        print(f"PostgreSQL cannot be started here: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
