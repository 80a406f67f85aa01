"""`fivedice daily`: the game of the day in the terminal, with the day of this computer or of a server."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fivedice.cli.output import tell
from fivedice.cli.play_cmd import REFUSED_LINES, choose_way, run_session
from fivedice.errors import FivediceError, quote
from fivedice.table.daily import read_day
from fivedice.text import name_of
from fivedice.text.squares import result_text, squares_of

if TYPE_CHECKING:
    from fivedice.store.deals import Attempt, Deal
    from fivedice.table.service import Tables
    from fivedice.table.service.days import Days


def daily(
    day: str | None = None,
    /,
    *,
    ten: bool = False,
    practice: bool = False,
    server: str | None = None,
    zone: Annotated[str, Parameter(env_var="FIVEDICE_ZONE")] = "UTC",
    theme: Annotated[str, Parameter(env_var="FIVEDICE_THEME")] = "auto",
    plain: bool = False,
    json: bool = False,
) -> int:
    """Play the game of the day: its dice are the same for everyone on this computer, or on a server.

    The first game counts and has no hints. Ask again on the same day to go on, or to see the result.

    Examples: `fivedice daily`, `fivedice daily --ten`, `fivedice daily --practice`, `fivedice daily 2026-11-17`,
    `fivedice daily --server https://example.org`.

    Parameters
    ----------
    day
        A day before today, such as 2026-11-17, to practise its game.
    ten
        The daily ten instead: ten decisions.
    practice
        Play the same dice again once your game is finished. It does not count.
    server
        Play the game of this Fivedice server, line by line.
    zone
        The time zone in which a day begins, such as Europe/Berlin.
    theme
        A light or a dark screen, as in `fivedice play`.
    plain
        Line by line with no screen control, as in `fivedice play`.
    json
        For programs: JSON, as in `fivedice play`.
    """
    wanted = None if day is None else read_day(day)
    if ten:
        return _play_ten(wanted, zone)
    if server is not None:
        return _play_at_server(server, wanted, practice=practice)
    return _play_here(wanted, zone, theme, practice=practice, way=choose_way(plain=plain, json=json))


def _play_ten(wanted: date | None, zone: str) -> int:
    from importlib import import_module

    from fivedice.core.rules import shipped
    from fivedice.terminal.session import open_tables

    days, tables = _open(zone, open_tables)
    with closing(tables.store):
        day, today = wanted or days.today(), days.today()
        deal = _find(days, day)
        secret = days.secret(day)
    asked = import_module("fivedice.cli.train_cmd").play_ten
    return int(asked(day, shipped(deal.book), secret, late=day < today))


def _find(days: Days, day: date) -> Deal:
    from fivedice.terminal.session import storing

    with storing():
        found = days.of(day)
    if found is None:
        raise FivediceError("home.daily-no-such-day", day=quote(day.isoformat()), first=days.first().isoformat())
    return found


def _play_here(wanted: date | None, zone: str, theme: str, *, practice: bool, way: Any) -> int:
    from fivedice.terminal.session import TERMINAL, Session, open_tables, storing

    days, tables = _open(zone, open_tables)
    with closing(tables.store):
        deal = _find(days, wanted or days.today())
        attempt = tables.store.deals.attempt(deal.name, TERMINAL)
        if attempt is not None and attempt.finished is not None and not practice:
            _show_result(deal, _judge(tables, attempt))
            return 0
        if attempt is None or attempt.finished is not None:
            counts = attempt is None and days.is_open(deal)
            with storing():
                table = tables.open_deal(TERMINAL, deal, practice=not counts)
        else:
            table = attempt.table_id
        session = Session(tables, table)
        if way == "plain":
            tell("home.daily-practice" if session.state.practice else "home.daily-counts")
        fine = run_session(session, way, training=0, theme=theme)
        found: Attempt | None = tables.store.deals.attempt(deal.name, TERMINAL)
        if way != "json" and found is not None and found.finished is not None and found.table_id == table:
            _show_result(deal, _judge(tables, found))
        return 0 if fine else REFUSED_LINES


def _open(zone: str, open_tables: Any) -> tuple[Days, Tables]:
    """Open the games of this computer, with the days that follow from its own key."""
    from zoneinfo import ZoneInfo

    from fivedice.table.service import Tables
    from fivedice.table.service.days import Days

    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise FivediceError("home.daily-no-zone", zone=quote(zone)) from None
    store = open_tables().store
    days = Days(store, zone)
    return days, Tables(store, is_over=days.is_over)


def _judge(tables: Tables, attempt: Attempt) -> Attempt:
    """Return the attempt with the points lost, which are worked out and stored the first time."""
    from fivedice.reports.game_report import report
    from fivedice.reports.report_json import attempt_facts

    game = tables.state(attempt.table_id).game
    if attempt.lost is not None or attempt.total is None or game is None:
        return attempt
    player = report(game).players[0]
    tables.store.deals.settle(attempt, round(10 * player.lost), attempt_facts(player))
    return tables.store.deals.attempt(attempt.deal, attempt.player) or attempt


def _show_result(deal: Deal, attempt: Attempt) -> None:
    from fivedice.core.rules import shipped

    turns = (attempt.facts or {}).get("turns", [])
    _print_result(deal.name, name_of(shipped(deal.book)), attempt.total, attempt.points_lost, squares_of(turns))


def _print_result(day: str, book: str, total: int | None, lost: float | None, squares: str) -> None:
    print(f"Fivedice {day} · {book}" if lost is None else result_text(day, book, lost, squares))
    if total is None:
        tell("home.daily-no-total")
        return
    tell("home.daily-total", total=total)
    tell("home.daily-practise", command="fivedice daily --practice")  # no sentence


def _play_at_server(link: str, wanted: date | None, *, practice: bool) -> int:
    from fivedice.terminal.remote_table import play_daily

    found, fine = play_daily(link, "" if wanted is None else wanted.isoformat(), practice=practice)
    yours = found["yours"] or {}
    if yours.get("finished"):
        _print_result(found["day"], found["book"], yours["total"], yours["points_lost"], yours["squares"])
        print(found["link"])
    return 0 if fine else REFUSED_LINES
