"""Pages of circles with 10,000 people in 1,000 circles: processor time of one request, on SQLite or `--postgresql`.

One more circle has 200 members, each of whom met twelve others in each month; its owner is in 20 circles. Each page is
asked for in many circles, the first time for each of them, since that is what people do. The exit status says whether
all medians are below 15 milliseconds.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import combinations, count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from sqlalchemy import Table, insert

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from fivedice.store import schema
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.service import Tables
from fivedice.table.service.days import Days
from postgres import serving_postgres
from support.tables import finish
from web.inside import Inside
from web.stage import key_of

CIRCLES, EACH, LARGE, MOST = 1000, 10, 200, 20
MONTHS, GAMES = 3, 4  # of each person, and between two people in each month
ASKED = 30  # circles
BOUND = 15.0  # milliseconds
PAGES = ("", "?all_time=true", "/members", "/match/1/2", "/round", "/round/1")
NOW = datetime.now(UTC)


def month(back: int) -> str:
    return (NOW.replace(day=15) - timedelta(days=30 * back)).isoformat()[:7]


def people(circle: int) -> list[str]:
    size = LARGE if circle == CIRCLES else EACH
    return [player_id(key_of(f"{circle}-{number}")) for number in range(1, size + 1)]


def rows() -> Iterator[tuple[Table, dict[str, Any]]]:
    """All rows of people and their counts, the circles first."""
    random, since = Random(1), NOW.isoformat(timespec="milliseconds")
    for circle in range(CIRCLES + 1):
        name, mates = f"circle-{circle}", people(circle)
        code = {"code": f"code-{circle}", "name": f"Circle {circle}", "deal": None, "made": since}
        yield schema.circles, {"id": name, "owner": 1, "joined": len(mates), "rounds": 0, **code}
        for number, player in enumerate(mates, 1):
            row = {"circle": name, "number": number, "player": player, "name": f"Member {number}", "since": since}
            yield schema.circle_members, row
            for back in range(MONTHS + 1):
                when = month(back) if back < MONTHS else ""
                days = 20 if when else 20 * MONTHS
                yield schema.played_days, {"player": player, "month": when, "days": days, "lost": days * 120}
        met = [pair for pair in combinations(mates, 2) if len(mates) == EACH or random.random() < 0.06]
        for one, other in (*met, *((other, one) for one, other in met)):
            for back in range(MONTHS + 1):
                when, games = (month(back), GAMES) if back < MONTHS else ("", GAMES * MONTHS)
                counts = {"games": games, "wins": games // 2, "judged": games, "better": games // 2}
                counts |= {"lost": games * 110, "luck": games}
                yield schema.meetings, {"player": one, "other": other, "month": when, **counts}
    owner = people(CIRCLES)[0]
    for circle in range(MOST - 1):
        row = {"circle": f"circle-{circle}", "number": EACH + 1, "player": owner, "name": "Owner", "since": since}
        yield schema.circle_members, row


def fill(store: Store) -> int:
    """Store everything, and return the number of rows."""
    waiting: dict[str, tuple[Table, list[dict[str, Any]]]] = {}
    done = 0

    def write(table: Table, found: list[dict[str, Any]]) -> None:
        store.write(lambda connection: connection.execute(insert(table), found).close())

    for table, row in rows():
        found = waiting.setdefault(table.name, (table, []))[1]
        found.append(row)
        done += 1
        if len(found) == 5000:
            for name in [each.name for each in schema.metadata.sorted_tables if each.name in waiting]:
                write(*waiting.pop(name))
    for each in schema.metadata.sorted_tables:
        if each.name in waiting:
            write(*waiting.pop(each.name))
    return done


def play(server: Inside, tables: Tables, circle: int) -> None:
    """Let members of a circle play today, finish games, begin others, and open a round."""
    mates, store = people(circle), tables.store
    days = Days(store)
    deal = days.of(days.today())
    for player in mates[:6]:
        if deal is not None and store.deals.attempt(deal.name, player) is None:
            finish(tables, tables.open_deal(player, deal, practice=False))
            attempt = store.deals.attempt(deal.name, player)
            if attempt is not None:
                store.deals.settle(attempt, 123, {"luck": 1.0, "turns": [1.0] * 13, "dearest": None})
    for number in count():
        seats = [cmd.SitDown(player, "Member") for player in mates[:2]]
        table = tables.open(mates[0], "crag", then=[*seats, cmd.StartGame(mates[0])])
        if number == 4:
            break
        finish(tables, table)
        store.circles.judge(table, dict.fromkeys(mates[:2], (10, 10)))
    store.circles.note_game(f"circle-{circle}", table)
    games = server.app.state.services.circles
    found, members = games.require(f"circle-{circle}", mates[0])
    games.play(found, members, "yatzy")
    games.open_round(found, members, list(members.values())[:60], 2, "drawn", "crag")


def measure(server: Inside, path: str, who: str) -> float:
    began = process_time()
    server.ask("GET", path, who).raise_for_status()
    return 1000 * (process_time() - began)


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(serving_postgres()).database() if "--postgresql" in sys.argv else ""
        server = stack.enter_context(Inside(folder, **({"database": url} if url else {})))
        tables: Tables = server.app.state.services.tables
        print(f"{fill(tables.store):,} rows")
        asked = Random(2).sample(range(MOST, CIRCLES), ASKED)
        for circle in (*asked, CIRCLES):
            play(server, tables, circle)
        measure(server, f"/circle/circle-{asked[0]}", f"{asked[0]}-1")  # compiles the templates
        fine = True
        for page in PAGES:
            waits = [measure(server, f"/circle/circle-{circle}{page}", f"{circle}-2") for circle in asked]
            large = median(measure(server, f"/circle/circle-{CIRCLES}{page}", f"{CIRCLES}-2") for _ in range(9))
            fine &= max(median(waits), large) < BOUND
            most = quantiles(waits, n=20)[18]
            print(f"{page or '(the circle)'}: {median(waits):.1f} ms, 95% {most:.1f} ms; of {LARGE}: {large:.1f} ms")
        for path in ("/", "/circles"):
            own = median(measure(server, path, f"{CIRCLES}-1") for _ in range(9))
            fine &= own < BOUND
            print(f"{path} of someone in {MOST} circles: {own:.1f} ms")
        sys.exit(not fine)


if __name__ == "__main__":
    main()
