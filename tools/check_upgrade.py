"""Make games by the code of an earlier commit, and use them by the code of this tree: campaign `upgrade`.

`PYTHONPATH=tests python tools/check_upgrade.py COMMIT [sqlite|postgresql]`. A server of that commit runs from a git
worktree in a temporary folder, on a free port of the loopback, with the packages that are installed here. Over the
API it makes finished and unfinished games of all rules that both versions ship, with roll-offs and bots, house rules,
score pads with corrections, records, receipts, links, and a backup. Then this tree opens the same database, and one
that was restored from the backup: tables show the same, records verify, games and pads go on to their end, links
work. All stop by themselves.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from fivedice.core.rules import SHIPPED, load_book
from fivedice.table.fairness.commitments import Noted, check_record
from postgres import serving_postgres
from sharing.play import caller, look, next_move, open_table, play_out, send
from web.serving import NO_LIMITS, START, Serving

ROOT = Path(__file__).parents[1]
OLD_COMMIT = "a10ed8e3~60"
RULES = 'extends = "yahtzee"\nname = "Our Yahtzee"\n\n[boxes.full_house]\npoints = 30\n'
HOUSE_KEY = '[Book "yahtzee-house"]'  # without the rules themselves, as in earlier records, they must be given
PAD_TURNS = (("11234", "ones"), ("22361", "twos"), ("33341", "threes"), ("44462", "fours"))
# What a table shows that an upgrade must not change; other fields may be added or reworded.
SHOWN = ("id", "phase", "version", "turn", "on_turn", "rolls_left")


@dataclass
class Made:
    """What the earlier code made, and what it showed."""

    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)
    pads: list[str] = field(default_factory=list)
    records: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, str] = field(default_factory=dict)
    key: str | None = None  # of the server; earlier ones had none, and no receipts
    book: str = ""  # the id of the saved house rules
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)  # table and code, by the kind of link


def make_games(server: Serving) -> Made:
    """Play on a server of the earlier code, and keep what it hands out."""
    made = Made()
    with caller(server.url, "Ann") as ann:
        found = ann.get("/key")
        made.key = found.json()["key"] if found.status_code == 200 else None
        made.book = _post(ann, "/books", {"text": RULES}).json()["id"]
        for book in _shipped(ann):
            _play(ann, made, {"book": book, "seats": [{"name": "Ann"}, {"name": "Bob"}]}, moves=None)
            _play(ann, made, {"book": book, "seats": [{"name": "Ann"}]}, moves=7)
        for plan in ({"book": made.book}, {"rules": RULES}, {"book": "yatzy", "bots": True}):
            for moves in (None, 5):
                _play(ann, made, _with_seats(plan), moves)
        for moves in (len(PAD_TURNS), 2):
            _write_pad(ann, made, moves)
        _make_links(ann, made)
        for table in {*made.tables}:
            made.tables[table] = look(ann, table)
    return made


def _shipped(client: httpx.Client) -> list[str]:
    """Return the keys of the rules that both versions know."""
    return [book["key"] for book in _get(client, "/books").json() if book["key"] in SHIPPED]


def _with_seats(plan: dict[str, Any]) -> dict[str, Any]:
    others = [{"bot": "casual"}] if plan.pop("bots", False) else [{"name": "Bob"}]
    return plan | {"seats": [{"name": "Ann"}, *others]}


def _play(client: httpx.Client, made: Made, plan: dict[str, Any], moves: int | None) -> None:
    """Open a game and play it to its end, or so many moves."""
    table = str(_post(client, "/tables", plan | {"start": True, "pace": "at-once"}).json()["id"])
    if made.key is not None:
        made.receipts[table] = _get(client, f"/tables/{table}/receipt").text
    if moves is None:
        _finish(client, table)
        made.records[table] = _get(client, f"/tables/{table}/record").text
    else:
        seen = look(client, table)
        for _ in range(moves):
            seen = _move(client, table, seen)
        made.unfinished.append(table)
    made.tables[table] = {}


def _finish(client: httpx.Client, table: str) -> dict[str, Any]:
    seen = look(client, table)
    while seen["phase"] != "finished":
        seen = _move(client, table, seen)
    return seen


def _move(client: httpx.Client, table: str, seen: dict[str, Any]) -> dict[str, Any]:
    """Make the next move; look again where a bot was quicker."""
    if seen["phase"] == "finished" or not seen["your_turn"]:
        return look(client, table)
    answer = send(client, table, next_move(seen))
    return answer.json()["table"] if answer.status_code == 200 else look(client, table)


def _write_pad(client: httpx.Client, made: Made, turns: int) -> None:
    """Write some turns on a score pad, those of Bob by their points alone, and correct one."""
    plan = {"book": "yatzy", "seats": [{"name": "Ann"}, {"name": "Bob"}], "start": True, "real_dice": True, "first": 0}
    table = str(_post(client, "/tables", plan | {"games": 2}).json()["id"])
    for turn, (dice, box) in enumerate(PAD_TURNS[:turns]):
        by_points = turn % 2 and made.key is not None  # earlier pads took dice only
        entry = {"dice": None, "points": int(dice[0]) * dice.count(dice[0])} if by_points else {"dice": dice}
        _command(client, table, "write", game=0, turn=turn, seat=turn % 2, box=box, **entry)
    change = {"game": 0, "turn": 0, "dice": "11134", "box": "ones"}
    _command(client, table, "correct", changes=[change], version=look(client, table)["version"])
    made.pads.append(table)
    made.tables[table] = {}


def _make_links(client: httpx.Client, made: Made) -> None:
    """Make an invitation, a seat to take over, and a spare link to a score pad."""
    waiting = str(_post(client, "/tables", {"book": "yatzy", "seats": [{"name": "Ann"}]}).json()["id"])
    made.tables[waiting] = {}
    made.codes["invitation"] = waiting, _get(client, f"/tables/{waiting}/invitation").json()["join_code"]
    table = open_table(client, "Ann", "Zoe")
    made.tables[table] = {}
    made.codes["seat"] = table, _post(client, f"/tables/{table}/handover", {"seat": 1}).json()["code"]
    link = "spare" if made.key is not None else "pencil"  # earlier pads had no spare link
    made.codes["keeper"] = made.pads[0], _post(client, f"/tables/{made.pads[0]}/{link}", None).json()["code"]


def use_games(server: Serving, made: Made) -> dict[str, int]:
    """Check on a server of this tree that everything is there and goes on; return how often each check was made."""
    done: dict[str, int] = {}

    def check(what: str, *, holds: object) -> None:
        done[what] = done.get(what, 0) + 1
        if not holds:
            raise SystemExit(f"UPGRADE FAILED: {what}")

    with caller(server.url, "Ann") as ann, caller(server.url, "Dora") as dora:
        key = _get(ann, "/key").json()["key"]
        check("the key of the server is the same", holds=made.key in {None, key})
        for table, before in made.tables.items():
            after = look(ann, table)
            other = [name for name, fact in _facts(before).items() if _facts(after)[name] != fact]
            check(" ".join(["tables show the same", *other]), holds=not other)
            check("pages open", holds=ann.get(f"{server.url}/t/{table}").status_code == 200)
        for table, record in made.records.items():
            now = _get(ann, f"/tables/{table}/record").text
            receipt = made.receipts.get(table)
            book = load_book(RULES) if HOUSE_KEY in record and "\n[Rules " not in record else None
            check("records of then verify", holds=check_record(record, book, Noted(receipt=receipt)))
            noted = Noted(receipt=receipt, key=key)
            check("records of now verify", holds=check_record(now, noted=noted).is_verified)
            if receipt is not None:
                check("receipts are the same", holds=_get(ann, f"/tables/{table}/receipt").text == receipt)
        _use_links(dora, made, check)
        for table in made.unfinished:
            _finish(ann, table)
            noted = Noted(receipt=made.receipts.get(table), key=key)
            record = _get(ann, f"/tables/{table}/record").text
            check("games end and verify", holds=check_record(record, noted=noted).is_verified)
        for table, keeper in zip(made.pads, (dora, ann), strict=True):  # Dora used the spare link to the first one
            check("pads go on", holds=_fill_pad(keeper, table)["phase"] == "finished")
            check("pads have a record", holds=_get(ann, f"/tables/{table}/record").text.startswith("[Fivedice"))
        check("house rules are there", holds=_get(ann, f"/books/{made.book}/text").text.strip() == RULES.strip())
        play_out(ann, open_table(ann, "Ann", book=made.book))
        check("new games by old house rules end", holds=True)
        check("own games are listed", holds=_get(ann, "/tables").json())
    return done


def _facts(seen: dict[str, Any]) -> dict[str, Any]:
    """Return what must stay: the moment, the dice, and every number of the sheet."""
    facts = {name: seen[name] for name in SHOWN if name in seen}
    facts["dice"] = [die["face"] for die in seen["dice"]]
    facts["totals"] = [seat["total"] for seat in seen["seats"]]
    facts["names"] = [seat["name"] for seat in seen["seats"]]
    facts["cells"] = [[cell.get("points") for cell in row["cells"]] for row in seen["rows"]]
    return facts


def _use_links(client: httpx.Client, made: Made, check: Callable[..., None]) -> None:
    table, code = made.codes["invitation"]
    joined = _command(client, table, "sit", name="Dora", join_code=code)
    check("links work", holds="Dora" in [seat["name"] for seat in joined["seats"]])
    for kind in ("seat", "keeper"):
        table, code = made.codes[kind]
        answer = client.post(f"/tables/{table}/{kind}", json={"code": code})
        check("links work", holds=answer.status_code in {200, 201})


def _fill_pad(client: httpx.Client, table: str) -> dict[str, Any]:
    """Write the same dice into every open box until the whole sheet is full."""
    seen = look(client, table)
    while seen["phase"] != "finished":
        if seen["between_games"]:
            seen = _command(client, table, "next", game=seen["game_number"] + 1)
            continue
        box = next(row["box"] for row in seen["rows"] if row["box"] and _is_open(row, seen))
        where = {"game": seen["game_number"], "turn": seen["turn"], "seat": seen["on_turn"]}
        seen = _command(client, table, "write", **where, dice="12346", box=box)
    return seen


def _is_open(row: dict[str, Any], seen: dict[str, Any]) -> bool:
    cell = row["cells"][seen["on_turn"]]
    return cell.get("points") is None


def _command(client: httpx.Client, table: str, command: str, **fields: Any) -> dict[str, Any]:
    answer = _post(client, f"/tables/{table}/commands", {"command": command} | fields)
    return dict(answer.json()["table"])


def _get(client: httpx.Client, path: str) -> httpx.Response:
    answer = client.get(path)
    if answer.status_code != 200:
        raise SystemExit(f"GET {path}: {answer.status_code} {answer.text}")
    return answer


def _post(client: httpx.Client, path: str, body: Any) -> httpx.Response:
    answer = client.post(path, json=body)
    if answer.status_code not in {200, 201}:
        raise SystemExit(f"POST {path} {body}: {answer.status_code} {answer.text}")
    return answer


@contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """Check a commit out into a folder for a while, without touching this tree; return its sources."""
    place = folder / "earlier"
    _git("worktree", "add", "--quiet", "--detach", str(place), commit)
    try:
        yield place / "src"
    finally:
        _git("worktree", "remove", "--force", str(place))


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)  # noqa: S607 - our own repository


def _command_line(*words: str, sources: Path | None = None) -> None:
    environment = os.environ | ({"PYTHONPATH": str(sources)} if sources else {})
    command = [sys.executable, "-c", START, *words]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def upgrade(commit: str, kind: str) -> dict[str, int]:
    """Do all of it on one kind of database; return how often each check was made."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"FIVEDICE_CACHE": str(folder / "cache"), "FIVEDICE_PREPARE": "no"}
        postgres = stack.enter_context(serving_postgres()) if kind == "postgresql" else None
        urls = [postgres.database() if postgres else f"sqlite:///{folder / name}.db" for name in ("first", "second")]
        sources = stack.enter_context(checked_out(commit, folder))
        with Serving(folder, database=urls[0], settings=NO_LIMITS | {"PYTHONPATH": str(sources)}) as earlier:
            made = make_games(earlier)
        backup = folder / "earlier.backup"
        _command_line("backup", str(backup), "--database", urls[0], sources=sources)
        _command_line("restore", str(backup), "--database", urls[1])
        counts: dict[str, int] = {}
        for url in urls:
            with Serving(folder, database=url) as now:
                for what, times in use_games(now, made).items():
                    counts[what] = counts.get(what, 0) + times
            _command_line("backup", "--check", "--database", url)
        return counts


def main(commit: str = OLD_COMMIT, *kinds: str) -> None:
    """Print what was checked, by the kind of database."""
    for kind in kinds or ("sqlite", "postgresql"):
        for what, times in upgrade(commit, kind).items():
            print(f"{kind}: {what}: {times}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
