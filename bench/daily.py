"""Today's page on a day with 10,000 results, and the same page on an empty day: processor time of one request.

Both servers are in this process, and requests take turns, so that what else the machine does affects both alike. Also
prints what a person's year of daily games takes on disk, and how long the first look at a new day takes.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TypeVar

from sqlalchemy import insert, text

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from fivedice.store import schema
from fivedice.table.actions.rights import player_id
from fivedice.table.service.days import Days
from support.tables import finish
from web.inside import Inside
from web.stage import key_of

RESULTS = 10_000
TIMES = 60
YEAR = 365
T = TypeVar("T")
ANN = player_id(key_of("Ann"))


def known(value: T | None) -> T:
    if value is None:
        raise LookupError
    return value


def fill(server: Inside, results: int) -> None:
    """Let Ann finish today's game, and add results of others, with the counts that belong to them."""
    days = Days(server.stage.store)
    deal = known(days.of(days.today()))
    table = server.stage.tables.open_deal(ANN, deal, practice=False)
    finish(server.stage.tables, table)
    attempt = known(server.stage.store.deals.attempt(deal.name, ANN))
    server.stage.store.deals.settle(attempt, 123, {"luck": 1.0, "turns": [1.0] * 13, "dearest": None})
    random, now = Random(1), datetime.now(UTC).isoformat()
    lost = [min(9999, int(random.gammavariate(4, 40))) for _ in range(results)]
    rows = [
        {"deal": deal.name, "player": f"player {number}", "table_id": table, "name": "", "begun": now}
        | {"finished": now, "total": 200, "lost": each, "facts": {"luck": 1.0, "turns": [1.0] * 13, "dearest": None}}
        for number, each in enumerate(lost)
    ]
    counts = [{"deal": deal.name, "lost": each, "count": lost.count(each)} for each in sorted(set(lost) - {123})]
    for name, values in ((schema.attempts, rows), (schema.fields, counts)):
        if values:
            server.stage.store.write(lambda link, name=name, values=values: link.execute(insert(name), values).close())


def measure(server: Inside, path: str = "/daily") -> float:
    began = process_time()
    server.ask("GET", path, "Ann").raise_for_status()
    return 1000 * (process_time() - began)


def size(server: Inside) -> int:
    """Return the bytes of the database, without its log of recent writes."""
    pages = text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    return int(server.stage.store.write(lambda connection: connection.execute(pages).scalar_one()))


def year_on_disk(folder: Path) -> float:
    """Return the kilobytes that the daily games of a year take for one person."""
    now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    with Inside(folder) as server:
        clock = [now]
        days = Days(server.stage.store, clock=lambda: clock[0])
        days.of(days.today())
        before = size(server)
        for number in range(0, YEAR, 10):
            clock[0] = now + timedelta(days=number)
            deal = known(days.of(days.today()))
            finish(server.stage.tables, server.stage.tables.open_deal(ANN, deal, practice=False))
        return 10 * (size(server) - before) / 1000


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as other,
        Inside(Path(one)) as empty,
        Inside(Path(other)) as full,
    ):
        new_day = measure(empty)
        fill(empty, 0)
        fill(full, RESULTS)
        pairs = [(measure(empty), measure(full)) for _ in range(TIMES)]
    quiet, busy = (median(column) for column in zip(*pairs, strict=True))
    print(f"/daily with {RESULTS:,} results: {busy:.1f} ms of processor time, {busy / quiet:.2f} times an empty day")
    print(f"the first look at a new day: {new_day:.0f} ms, with everything that a first request loads")
    with tempfile.TemporaryDirectory() as folder:
        print(f"a year of daily games of one person: {year_on_disk(Path(folder)):.0f} KB")


if __name__ == "__main__":
    main()
