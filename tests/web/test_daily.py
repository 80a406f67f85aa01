"""The daily game and deals on the web: nothing is shown early, the first attempt counts, and results are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

import fivedice as fd
from fivedice.store import schema
from fivedice.store.deals import Attempt
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.daily import book_of_day, end_of, read_day
from fivedice.web.services.app_services import AppServices
from fivedice.web.services.daily_games import DailyGames
from support.tables import finish
from web.access_matrix import ACCESS
from web.inside import Inside
from web.stage import key_of

NOON = datetime.now(UTC).replace(hour=12)  # of this day, because the end of a game is noted by the real clock
DAY = NOON.date().isoformat()
BOOKS = [fd.book(book_of_day(NOON.date() + timedelta(days=number))).name for number in (0, 1)]
TOMORROW, SOON, YESTERDAY, LATE = ((NOON.date() + timedelta(days=number)).isoformat() for number in (1, 2, -1, 365))
ANN, BOB, DORA = (player_id(key_of(name)) for name in ("Ann", "Bob", "Dora"))


class Clock:
    """The time of the server."""

    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.setattr(DailyGames, "_judge_now", lambda *_: False)
    with Inside(tmp_path) as server:
        services(server).daily.days.clock = clock
        yield server


def services(server: Inside) -> AppServices:
    found: AppServices = server.app.state.services
    return found


def begin(server: Inside, who: str, path: str = "/daily/game", **form: str) -> str:
    answer = server.ask("POST", path, who, data=form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/t/")


def settle(server: Inside, deal: str, player: str, lost: int) -> Attempt:
    """Judge a finished game as the solver would; here nothing is solved."""
    deals = server.stage.store.deals
    attempt = deals.attempt(deal, player)
    assert attempt is not None
    facts = {"luck": 3.0, "turns": [lost / 10], "dearest": [1, "24466", "66", "=sixes", 2.5]}
    assert deals.settle(attempt, lost, facts)
    return attempt


def dice(server: Inside, table: str) -> list[tuple[int, ...]]:
    return [roll.dice for rolls in server.stage.tables.state(table).lain for roll in rolls]


def test_no_address_shows_the_secret_before_the_day_is_over(server: Inside, clock: Clock) -> None:
    table = begin(server, "Ann")
    finish(server.stage.tables, table)
    settle(server, DAY, ANN, 52)
    secret = server.stage.store.deals.find(DAY).secret  # type: ignore[union-attr]
    given = {"table": table, "day": DAY, "name": "x", "sheet": "yatzy", "file_path": "core/style.css", "key": "yatzy"}
    given |= {
        "one": "1",
        "two": "2",
        "number": "1",
        "code": "x",
        "book": "yatzy",
        "box": "chance",
        "seat": "0",
        "path": "x",
    }
    paths = {re.sub(r"\{(\w+)\}", lambda found: given[found[1]], each.path) for each in ACCESS if each.method == "GET"}
    clock.now = end_of(read_day(DAY)) - timedelta(seconds=1)
    for path in sorted(path for path in paths if "/live" not in path):
        for who in ("Ann", "Dora"):
            assert secret not in server.ask("GET", path, who).text, path
    assert server.ask("GET", f"/t/{table}/dice", "Ann").status_code == 404
    clock.now = end_of(read_day(DAY))
    assert secret in server.ask("GET", f"/daily/{DAY}", "Dora").text
    assert secret == server.ask("GET", f"/api/daily/{DAY}").json()["secret"]
    assert "Verified" in server.ask("GET", f"/t/{table}/dice", "Dora").text


def test_reload_second_tab_and_repeated_requests_find_the_same_game(server: Inside) -> None:
    tables = {begin(server, "Ann", path) for path in ("/daily/game", "/daily/game", f"/daily/{DAY}")}
    assert len(tables) == 1
    table = tables.pop()
    headers = {"authorization": f"Bearer {key_of('Ann')}"}
    assert server.ask("POST", "/api/daily", headers=headers).json()["id"] == table
    assert server.ask("GET", "/daily/game", "Ann").headers["location"] == f"/t/{table}"
    rolled = {"version": str(server.stage.tables.state(table).version), "key": "once"}
    for _ in range(2):
        server.ask("POST", f"/t/{table}/roll", "Ann", data=rolled)
    assert len(server.stage.tables.state(table).rolls) == 1
    assert server.ask("GET", f"/t/{table}/hint", "Ann").status_code == 403
    finish(server.stage.tables, table)
    practice = begin(server, "Ann")
    assert server.stage.tables.state(practice).practice
    assert "Practice: this game does not count" in server.ask("GET", f"/t/{practice}", "Ann").text
    assert server.stage.store.deals.attempt(DAY, ANN).table_id == table  # type: ignore[union-attr]


def test_today_says_at_a_glance_how_it_went(server: Inside, clock: Clock) -> None:
    def door() -> str:
        found = re.search(r'id="today-about">(.*?)</span>', server.ask("GET", "/", "Ann").text)
        assert found is not None
        return found[1]

    assert door() == BOOKS[0]
    table = begin(server, "Ann")
    assert door() == "in progress"
    assert "Continue" in server.ask("GET", "/daily", "Ann").text
    finish(server.stage.tables, table)
    waiting = server.ask("GET", "/daily", "Ann").text
    assert "data-wait" in waiting
    settle(server, DAY, ANN, 52)
    assert door() == "5.2 points lost"
    shown = server.ask("GET", "/daily", "Ann").text
    assert "data-wait" not in shown
    sixes = fd.book(book_of_day(NOON.date())).box("sixes").name
    assert f"Turn 1, 2-4-4-6-6: keep 6-6. Better: score {sixes}. 2.5 points lost." in shown
    assert f"Fivedice {DAY} · {BOOKS[0]}\n5.2 points lost\n🟥\nhttp://dice.test/daily/{DAY}" in shown
    assert "24466" not in server.ask("GET", f"/daily/{DAY}/picture.svg", "Ann").text
    assert server.ask("GET", f"/daily/{DAY}/picture.svg", "Dora").status_code == 404
    assert "Rank" not in shown, "no rank among one"
    finish(server.stage.tables, begin(server, "Dora"))
    settle(server, DAY, DORA, 31)
    both = server.ask("GET", "/daily", "Ann").text
    assert "Rank 2 of 2 players" in both
    columns = re.findall(
        r'<li( class="yours")?><b>(\d)</b><i class="h-\d+" aria-hidden="true"></i><span>(\S+ \d+)', both
    )
    assert columns == [
        ("", "1", "≤ 5"),
        (' class="yours"', "1", "≤ 10"),
        *(("", "0", end) for end in ("≤ 20", "≤ 40", "≤ 80", "&gt; 80")),
    ]
    for number in range(10):
        server.stage.store.decisions.answer_ten(ANN, DAY, number, "=ch", 0.31, late=False)
    assert door() == "Game 5.2, ten 3.1"
    assert "3.1 points lost" in server.ask("GET", "/daily", "Ann").text
    clock.now += timedelta(days=1)
    assert door() == BOOKS[1]
    assert f'class="s1" href="/daily/{DAY}"' in server.ask("GET", "/daily", "Ann").text


def test_a_day_that_is_over_is_practice(server: Inside, clock: Clock) -> None:
    server.ask("GET", "/daily", "Ann")
    clock.now += timedelta(days=1)
    table = begin(server, "Ann", f"/daily/{DAY}")
    assert server.stage.tables.state(table).practice
    assert server.stage.store.deals.attempt(DAY, ANN) is None
    assert "This day is over" in server.ask("GET", f"/daily/{DAY}", "Ann").text


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/daily/2026-02-30", 400, "Write the date as 2026-11-17."),
        ("/daily/yesterday", 400, "yesterday"),
        ("/daily/2020-01-01", 404, f"The first one here was on {DAY}."),
        (f"/daily/{TOMORROW}", 404, "There is no daily game for"),
        ("/deal/nothing", 404, "There is no deal at this address."),
        (f"/deal/{DAY}", 404, "There is no deal at this address."),
    ],
)
def test_an_address_without_a_game_says_why(server: Inside, path: str, status: int, said: str) -> None:
    answer = server.ask("GET", path, "Ann")
    assert answer.status_code == status
    assert said in answer.text


def finished_game(server: Inside) -> str:
    """Ann and Bob have played with digital dice."""
    tables = server.stage.tables
    seats = [cmd.SitDown(player, name) for player, name in ((ANN, "Ann"), (BOB, "Bob"))]
    table = tables.open(ANN, "crag", then=[*seats, cmd.StartGame(ANN)])
    finish(tables, table)
    return table


def test_a_stranger_plays_the_same_dice_and_both_games_are_compared(server: Inside) -> None:
    table = finished_game(server)
    assert "Play the same dice" in server.ask("GET", f"/t/{table}", "Bob").text
    link = server.ask("POST", f"/t/{table}/deal", "Bob").headers["location"]
    assert server.ask("POST", f"/t/{table}/deal", "Bob").headers["location"] == link
    name = link.removeprefix("/deal/")
    before = server.ask("GET", link, "Dora").text
    assert "its players know them" in before
    assert "Results of others appear" in before
    assert "Bob" not in before
    mine = begin(server, "Dora", link, name="Dora")
    finish(server.stage.tables, mine)
    state = server.stage.tables.state(table)
    seat = next(number for number, each in enumerate(state.seats) if each.player == BOB)
    theirs = [roll.dice for rolls in state.lain if rolls[0].seat == seat for roll in rolls]
    assert dice(server, mine) == theirs  # both roll once per turn
    settle(server, name, DORA, 31)
    after = server.ask("GET", link, "Dora").text
    assert "Bob" in after
    assert "3.1" in after
    knows = begin(server, "Ann", link)
    assert server.stage.tables.state(knows).practice
    assert server.ask("POST", f"/t/{mine}/deal", "Dora").status_code == 403  # a deal has its link already


def test_a_deal_numbers_players_without_a_name_in_the_language_of_the_reader(server: Inside) -> None:
    link = server.ask("POST", "/deal", "Host", data={"book": "crag", "title": "4b", "closes": SOON}).headers["location"]
    finish(server.stage.tables, begin(server, "Dora", link))
    settle(server, link.removeprefix("/deal/"), DORA, 31)
    text = server.ask("GET", link, "Dora", headers={"accept-language": "fi"}).text
    assert "Pelaaja 1" in text
    assert "Player 1" not in text


def test_a_group_ranks_by_points_lost_and_shows_them_late(server: Inside, clock: Clock) -> None:
    form = {"book": "crag", "title": "Class 4b", "closes": SOON}
    link = server.ask("POST", "/deal", "Host", data=form).headers["location"]
    name = link.removeprefix("/deal/")
    people = {"Ann": ANN, "Bob": BOB, "Dora": DORA}
    for (who, player), lost in zip(people.items(), (52, 31, 31), strict=True):
        finish(server.stage.tables, begin(server, who, link, name=who))
        settle(server, name, player, lost)
    answer = server.ask("GET", f"/api/deals/{name}", headers={"authorization": f"Bearer {key_of('Ann')}"}).json()
    assert [(each["rank"], each["name"], each["yours"]) for each in answer["standings"]] == [
        (1, "Bob", False),
        (1, "Dora", False),
        (3, "Ann", True),
    ]
    assert server.ask("GET", f"/api/deals/{name}").json()["standings"] is None
    assert "Bob" not in server.ask("GET", link, "Host").text
    secret = server.stage.store.deals.find(name).secret  # type: ignore[union-attr]
    assert secret not in server.ask("GET", link, "Ann").text
    clock.now = end_of(read_day(SOON))
    over = server.ask("GET", link, "Host").text
    assert "Bob" in over
    assert secret in over
    assert server.stage.tables.state(begin(server, "Host", link)).practice


def test_a_dice_lock_is_explained_where_it_is_shown(server: Inside) -> None:
    group = server.ask("POST", "/deal", "Ann", data={"book": "crag", "closes": SOON}).headers["location"]
    running = begin(server, "Ann")
    seating = server.stage.tables.open(ANN, "yatzy")
    for path in ("/new", "/daily", group, f"/t/{running}", f"/t/{seating}"):
        page = server.ask("GET", path, "Ann").text
        assert re.findall(r"Dice lock:.*?</p>", page, re.DOTALL), path
        assert all("/verify" in shown for shown in re.findall(r"Dice lock:.*?</p>", page, re.DOTALL)), path


@pytest.mark.parametrize("closes", [YESTERDAY, LATE, "soon", ""])
def test_a_last_day_out_of_range_is_refused(server: Inside, closes: str) -> None:
    answer = server.ask("POST", "/deal", "Ann", data={"book": "crag", "closes": closes})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_deleting_one_s_data_deletes_results_and_keeps_counts(server: Inside) -> None:
    finish(server.stage.tables, begin(server, "Ann"))
    settle(server, DAY, ANN, 52)
    assert server.ask("GET", "/you/data", "Ann").json()["daily"][0]["lost"] == 52
    server.ask("POST", "/you/delete", "Ann", data={"sure": "yes"})
    assert server.stage.store.deals.attempt(DAY, ANN) is None
    assert server.ask("GET", "/api/daily").json()["field"] == {"52": 1}


def test_a_result_after_the_secret_could_be_known_does_not_count(server: Inside, clock: Clock) -> None:
    table = begin(server, "Ann")
    finish(server.stage.tables, table)
    late = (NOON + timedelta(days=3)).isoformat()
    change = update(schema.attempts).values(finished=late)
    server.stage.store.write(lambda connection: connection.execute(change).close())
    clock.now += timedelta(days=3)
    assert "it does not count" in server.ask("GET", f"/daily/{DAY}", "Ann").text
    assert server.ask("GET", f"/api/daily/{DAY}").json()["players"] == 0
