"""Circles on the web: who is let in, what members see of each other, standings, games, rounds, and what is deleted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from fivedice.core.dice import Roll
from fivedice.core.game import judge
from fivedice.store import schema
from fivedice.store.circles import ALL_TIME, MOST_CIRCLES, MOST_MEMBERS, Circle, Member, move_person, recount
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import Refusal
from fivedice.table.state import Phase
from fivedice.text.formatting import format_day
from fivedice.web.jobs.solutions import SPARE, JobQueue
from fivedice.web.services.app_services import AppServices
from fivedice.web.services.circle_games import groups_of
from fivedice.web.services.daily_games import DailyGames
from support.tables import finish
from web.inside import Inside
from web.stage import key_of

PEOPLE = ("Ann", "Bob", "Cleo", "Dora")
ANN, BOB, CLEO, DORA = (player_id(key_of(name)) for name in PEOPLE)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.setattr(DailyGames, "_judge_now", lambda *_: False)
    with Inside(tmp_path) as server:
        yield server


def services(server: Inside) -> AppServices:
    found: AppServices = server.app.state.services
    return found


def make(server: Inside, *names: str) -> Circle:
    """Make a circle of these people; the first owns it."""
    circles = server.stage.store.circles
    circle = circles.make(player_id(key_of(names[0])), "The Millers", names[0])
    for name in names[1:]:
        assert circles.join(circle.id, circle.code, player_id(key_of(name)), name)
    return circle


def seen(server: Inside, circle: Circle, who: str) -> Circle:
    found = server.stage.store.circles.find(circle.id, player_id(key_of(who)))
    assert found is not None
    return found


def play(server: Inside, *names: str, lost: tuple[int, ...] = ()) -> str:
    """Let people play a game to its end, and judge it if the tenths of a point that each lost are given."""
    tables, people = server.stage.tables, [player_id(key_of(name)) for name in names]
    seats = [cmd.SitDown(player, name) for player, name in zip(people, names, strict=True)]
    table = tables.open(people[0], "crag", then=[*seats, cmd.StartGame(people[0])])
    finish(tables, table)
    if lost:
        assert server.stage.store.circles.judge(table, {who: (each, 7) for who, each in zip(people, lost, strict=True)})
    return table


def play_day(server: Inside, who: str, lost: int, day: date | None = None) -> None:
    """Let someone play the game of a day, and judge it."""
    days, deals, player = services(server).daily.days, server.stage.store.deals, player_id(key_of(who))
    deal = days.of(day or days.today())
    assert deal is not None
    finish(server.stage.tables, server.stage.tables.open_deal(player, deal, practice=False))
    attempt = deals.attempt(deal.name, player)
    assert attempt is not None
    assert deals.settle(attempt, lost, {"turns": [lost / 10], "luck": 1.0})


def ask(server: Inside, who: str, path: str, **form: Any) -> Any:
    return server.ask("POST", path, who, data=form)


def test_three_people_make_and_join_a_circle_by_its_link(server: Inside) -> None:
    made = ask(server, "Ann", "/circles", circle="The Millers", name="Ann").headers["location"]
    page = server.ask("GET", made, "Ann").text
    link = re.search(r'id="link" readonly value="http://dice.test([^"]+)"', page)
    assert link is not None
    assert "The Millers" in server.ask("GET", link[1], "Bob").text
    assert server.ask("GET", made.removesuffix("/members"), "Bob").status_code == 404
    circle = ask(server, "Bob", link[1], name="Bob").headers["location"]
    assert server.ask("GET", circle, "Bob").status_code == 200
    taken = ask(server, "Cleo", link[1], name="bob")
    assert taken.status_code == 400
    assert "A member is called bob already. Choose another name." in taken.text
    assert ask(server, "Cleo", link[1], name="Cleo").status_code == 303
    assert ask(server, "Cleo", link[1], name="Once more").headers["location"] == circle  # nothing changes
    assert [member.name for member in server.stage.store.circles.members(circle.split("/")[2]).values()] == [
        "Ann",
        "Bob",
        "Cleo",
    ]


@pytest.mark.parametrize(("circle", "name"), [("", "Ann"), ("Ours", " "), ("x" * 100, "Ann"), ("\u202e", "Ann")])
def test_a_circle_without_a_proper_name_is_refused(server: Inside, circle: str, name: str) -> None:
    answer = ask(server, "Ann", "/circles", circle=circle, name=name)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert server.stage.store.circles.of(ANN) == []


def test_members_and_circles_are_bounded(server: Inside) -> None:
    circles = server.stage.store.circles
    full = make(server, "Ann")
    for number in range(MOST_MEMBERS - 1):
        circles.join(full.id, full.code, f"{number:064}", f"Player {number}")
    refused = ask(server, "Bob", f"/circle/{full.id}/join/{full.code}", name="Bob")
    assert (refused.status_code, "200 members" in refused.text) == (409, True)
    for _ in range(MOST_CIRCLES):
        make(server, "Bob")
    refused = ask(server, "Bob", "/circles", circle="One more", name="Bob")
    assert (refused.status_code, "limit" in refused.text) == (403, True)
    page = server.ask("GET", f"/circle/{full.id}", "Ann")
    assert page.status_code == 200
    assert len(page.text) < 200_000


def test_strangers_may_not_make_circles_without_end(tmp_path: Path) -> None:
    with Inside(tmp_path, tables_per_hour=3) as server:
        answers = [ask(server, f"Person {number}", "/circles", circle="X", name="Y") for number in range(4)]
        assert [answer.status_code for answer in answers] == [303, 303, 303, 429]


def test_a_removed_member_and_an_old_link_lead_nowhere(server: Inside) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    assert ask(server, "Ann", f"/circle/{circle.id}/remove", member="2").status_code == 303
    assert server.ask("GET", f"/circle/{circle.id}", "Bob").status_code == 404
    old = server.ask("GET", f"/circle/{circle.id}/join/{circle.code}", "Bob")
    assert old.status_code == 404
    assert "This link no longer works. Ask a member for the new one." in old.text
    code = seen(server, circle, "Ann").code
    assert code != circle.code
    ask(server, "Bob", f"/circle/{circle.id}/join/{code}", name="Bob")
    assert list(server.stage.store.circles.members(circle.id)) == [1, 3, 4]  # a number is never used again


def test_ownership_is_handed_over_and_inherited(server: Inside) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    assert ask(server, "Bob", f"/circle/{circle.id}/rename", circle="Ours").status_code == 403
    ask(server, "Ann", f"/circle/{circle.id}/hand-over", member="3")
    assert seen(server, circle, "Cleo").is_mine
    assert ask(server, "Ann", f"/circle/{circle.id}/renew").status_code == 403
    ask(server, "Cleo", f"/circle/{circle.id}/leave")
    assert seen(server, circle, "Ann").is_mine
    ask(server, "Ann", f"/circle/{circle.id}/leave")
    ask(server, "Bob", f"/circle/{circle.id}/leave")
    assert server.stage.store.circles.find_link(circle.id, circle.code) is None


def test_results_of_the_day_appear_after_one_s_own(server: Inside) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    play_day(server, "Ann", 137)
    before = server.ask("GET", f"/circle/{circle.id}", "Bob").text
    assert "13.7" not in before.partition("Standings")[0]
    assert "appear when your game is finished" in before
    play_day(server, "Bob", 52)
    after = server.ask("GET", f"/circle/{circle.id}", "Bob").text.partition("Standings")[0]
    assert after.index("5.2") < after.index("13.7")
    assert "13.7" not in server.ask("GET", f"/circle/{circle.id}", "Dora").text


def rows(server: Inside, table: Any) -> list[dict[str, Any]]:
    with server.stage.store._reading() as connection:
        return [dict(row) for row in connection.execute(select(table)).mappings()]


def counted(server: Inside) -> dict[str, set[tuple[Any, ...]]]:
    tables = (schema.played_days, schema.meetings)
    return {table.name: {tuple(row.values()) for row in rows(server, table) if row.get("days", 1)} for table in tables}


def count_again(server: Inside) -> dict[str, set[tuple[Any, ...]]]:
    """Count days and games from their rows, in a way of its own."""
    days: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for attempt in rows(server, schema.attempts):
        if attempt["lost"] is not None and re.fullmatch(r"\d{4}-\d\d-\d\d", attempt["deal"]):
            for month in (attempt["deal"][:7], ALL_TIME):
                found = days[attempt["player"], month]
                found[0] += 1
                found[1] += attempt["lost"]
    pairs: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0] * 6)
    games = rows(server, schema.shared_games)
    for one in games:
        for other in games:
            if one["table_id"] != other["table_id"] or one is other:
                continue
            for month in (one["ended"][:7], ALL_TIME):
                found = pairs[one["player"], month, other["player"]]
                judged = one["lost"] is not None
                more = [1, one["total"] > other["total"], judged, judged and one["lost"] < other["lost"]]
                more += [one["lost"] or 0, one["luck"] or 0]
                pairs[one["player"], month, other["player"]] = [a + b for a, b in zip(found, more, strict=True)]
    return {
        "played_days": {(*key, *value) for key, value in days.items()},
        "meetings": {(*key, *value) for key, value in pairs.items()},
    }


def test_standings_equal_a_recount_of_the_stored_rows(server: Inside) -> None:
    make(server, "Ann", "Bob", "Cleo", "Dora")
    random, today = Random(7), services(server).daily.days.today()
    for _ in range(6):
        people = random.sample(PEOPLE, random.randint(2, 4))
        play(server, *people, lost=tuple(random.randrange(200) for _ in people))
    play(server, "Ann", "Bob")  # not judged yet
    for who in PEOPLE:
        play_day(server, who, random.randrange(200))
    assert counted(server) == count_again(server)
    before = counted(server)
    for player in (ANN, BOB):
        server.stage.store.write(lambda connection, player=player: recount(connection, player))
    assert counted(server) == before
    server.stage.tables.forget(CLEO)
    assert counted(server) == count_again(server)
    assert not any(CLEO in str(row) for row in rows(server, schema.shared_games))
    assert today.isoformat()[:7] in {row["month"] for row in rows(server, schema.meetings)}


def test_only_games_between_members_with_digital_dice_count(server: Inside) -> None:
    play(server, "Ann", "Bob")  # before both are members
    make(server, "Ann", "Bob")
    play(server, "Ann", "Dora")  # with someone else
    tables = server.stage.tables
    pad = tables.open(ANN, "crag", real_dice=True, then=[cmd.SitDown(ANN, "A"), cmd.SitDown(BOB, "B")])
    tables.execute(pad, cmd.StartGame(ANN, first=0))
    while (state := tables.state(pad)).phase is Phase.PLAYING:
        box = next(iter(judge(state.running.position.card, Roll((1, 2, 3))).legal))
        tables.execute(pad, cmd.WriteTurn(ANN, 0, state.turn, (1, 2, 3), box))
    assert state.phase is Phase.FINISHED
    twice = [cmd.SitDown(ANN, "A"), cmd.SitDown(ANN, "A2"), cmd.SitDown(BOB, "B"), cmd.StartGame(ANN)]
    finish(tables, tables.open(ANN, "crag", then=twice))  # Ann has two seats
    assert rows(server, schema.shared_games) == []
    table = play(server, "Ann", "Bob", "Dora")
    assert {(row["table_id"], row["player"]) for row in rows(server, schema.shared_games)} == {
        (table, ANN),
        (table, BOB),
    }


def test_a_game_is_judged_once(server: Inside) -> None:
    make(server, "Ann", "Bob")
    table = play(server, "Ann", "Bob", lost=(10, 20))
    circles = server.stage.store.circles
    assert not circles.judge(table, {ANN: (0, 0), BOB: (90, 0)})
    one, other = circles.between(ANN, BOB)
    assert (one[ALL_TIME].lost, other[ALL_TIME].lost, one[ALL_TIME].better) == (10, 20, 1)


def test_a_game_is_judged_before_what_no_one_waits_for(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    circle, _ = make(server, "Ann", "Bob"), play(server, "Ann", "Bob")
    asked: list[int] = []
    monkeypatch.setattr(JobQueue, "put", lambda _, priority, __: asked.append(priority))
    server.ask("GET", f"/circle/{circle.id}/match/1/2", "Bob")
    assert asked
    assert max(asked) < SPARE


def test_two_members_are_rated_once_it_means_something(server: Inside) -> None:
    circle = make(server, "Ann", "Bob")
    path = f"/circle/{circle.id}/match/1/2"
    assert "You have not finished a game with each other" in server.ask("GET", path, "Bob").text
    for number in range(10):
        if number == 5:
            early = server.ask("GET", path, "Bob").text
            assert "Ratings appear after about ten judged games." in early
            assert "±" not in early
        play(server, "Ann", "Bob", lost=(10, 30))
    page = server.ask("GET", path, "Bob").text
    assert "±" in page
    pair = services(server).circles.pair(*server.stage.store.circles.members(circle.id).values())
    assert pair.ratings[0].value > 1600 > pair.ratings[1].value
    assert (pair.sides[0].better, pair.sides[0].mean_lost, pair.sides[1].mean_lost) == (10, 1.0, 3.0)
    assert server.ask("GET", f"/circle/{circle.id}/match/1/1", "Bob").status_code == 404


@pytest.fixture
def heard(server: Inside, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Who is notified of what, and what webhooks get."""
    heard: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        services(server).notices, "tell", lambda said, path, *players: heard.append((str(said), path, *players))
    )
    monkeypatch.setattr(services(server).notices, "call_webhook", lambda *call: heard.append(call))
    return heard


def test_a_game_of_the_circle_is_joined_by_one_tap(server: Inside, heard: list[tuple[Any, ...]]) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    table = ask(server, "Ann", f"/circle/{circle.id}/play").headers["location"].removeprefix("/t/")
    said, path = "Ann wants to play", f"/circle/{circle.id}"
    called = {"kind": "wants-to-play", "circle": "The Millers", "text": said, "link": path}
    assert heard == [(said, path, BOB, CLEO), (circle.id, called)]
    assert "Ann waits for you" in server.ask("GET", "/", "Bob").text
    assert "waits for you" not in server.ask("GET", "/", "Ann").text
    assert "waits for players" in server.ask("GET", f"/circle/{circle.id}", "Cleo").text
    assert ask(server, "Dora", f"/circle/{circle.id}/sit/{table}").status_code == 404
    assert ask(server, "Bob", f"/circle/{circle.id}/sit/{table}").headers["location"] == f"/t/{table}"
    state = server.stage.tables.state(table)
    assert [str(seat.name) for seat in state.seats] == ["Ann", "Bob"]
    assert state.game is not None
    ask(server, "Cleo", f"/circle/{circle.id}/sit/{table}")  # late
    assert len(server.stage.tables.state(table).seats) == 2
    finish(server.stage.tables, table)
    assert ask(server, "Cleo", f"/circle/{circle.id}/sit/{table}").status_code == 404


def test_a_game_for_one_member_is_seen_by_that_one(server: Inside, heard: list[tuple[Any, ...]]) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    table = ask(server, "Ann", f"/circle/{circle.id}/play", member="2").headers["location"].removeprefix("/t/")
    assert heard == [("Ann wants to play", f"/circle/{circle.id}", BOB)]
    assert "waits for players" in server.ask("GET", f"/circle/{circle.id}", "Bob").text
    assert "waits for players" not in server.ask("GET", f"/circle/{circle.id}", "Cleo").text
    assert "waits for you" not in server.ask("GET", "/", "Cleo").text
    assert ask(server, "Cleo", f"/circle/{circle.id}/sit/{table}").status_code == 404
    assert ask(server, "Ann", f"/circle/{circle.id}/play", member="9").status_code == 400


def test_a_circle_has_one_deal_at_a_time(server: Inside, heard: list[tuple[Any, ...]]) -> None:
    circle = make(server, "Ann", "Bob")
    closes = (services(server).daily.days.today() + timedelta(days=2)).isoformat()
    made = ask(server, "Bob", f"/circle/{circle.id}/deal", book="crag", closes=closes).headers["location"]
    assert (heard[0][2], heard[0][1], heard[1][1]["kind"], heard[1][1]["link"]) == (ANN, made, "new-deal", made)
    page = server.ask("GET", f"/circle/{circle.id}", "Ann").text
    assert made in page
    assert '<input type="hidden" name="name" value="Ann">' in page
    again = ask(server, "Ann", f"/circle/{circle.id}/deal", book="crag", closes=closes)
    assert again.status_code == 403
    assert f"The circle has dice until {format_day(closes)}." in again.text
    late = ask(server, "Ann", f"/circle/{make(server, 'Ann').id}/deal", book="crag", closes="2020-01-01")
    assert late.status_code == 400


def test_a_round_of_twelve_is_seen_on_one_page(server: Inside, heard: list[tuple[Any, ...]]) -> None:
    names = [f"Pupil {number}" for number in range(1, 13)]
    circle = make(server, *names)
    form = {"here": [str(number) for number in range(1, 13)], "size": "3", "how": "drawn", "book": "crag"}
    page = ask(server, names[0], f"/circle/{circle.id}/round", **form).headers["location"]
    tables = server.stage.store.circles.round(circle.id, 1)
    assert len(tables) == 4
    seated = [str(seat.name) for game in tables for seat in server.stage.tables.state(game.table).seats]
    assert sorted(seated) == sorted(names)
    assert {path for _, path, *_ in heard[:-1]} == {f"/t/{game.table}" for game in tables}
    assert len({player for _, _, *players in heard[:-1] for player in players}) == 11, "all but the owner"
    assert (len(heard), heard[-1][1]["link"]) == (5, page), "the webhook hears of it once"
    assert not server.stage.tables.state(tables[0].table).coach
    assert "0 of 4 games are over." in server.ask("GET", page, names[5]).text
    assert 'data-wait="5000"' in server.ask("GET", page, names[5]).text
    for game in tables:
        finish(server.stage.tables, game.table)
    over = server.ask("GET", page, names[0]).text
    assert "All games are over." in over
    totals = [int(each) for each in re.findall(r'<td class="num"><strong>(\d+)</strong>', over)]
    assert len(totals) == 12
    assert totals == sorted(totals, reverse=True)
    assert len(rows(server, schema.shared_games)) == 12
    form |= {"how": "standing", "here": ["1", "2", "3", "4", "5"], "size": "2"}
    ask(server, names[0], f"/circle/{circle.id}/round", **form)
    sizes = [
        len(server.stage.tables.state(game.table).seats) for game in server.stage.store.circles.round(circle.id, 2)
    ]
    assert sorted(sizes) == [2, 3]
    assert server.ask("GET", f"/circle/{circle.id}/round/3", names[0]).status_code == 404


def test_a_round_is_opened_whole_or_not_at_all(tmp_path: Path) -> None:
    with Inside(tmp_path, tables_per_hour=4) as server:
        circle = make(server, *(f"Pupil {number}" for number in range(10)))
        form = {"here": [str(number) for number in range(1, 11)], "size": "2", "how": "drawn", "book": "crag"}
        assert ask(server, "Pupil 0", f"/circle/{circle.id}/round", **form).status_code == 429
        assert rows(server, schema.circle_games) == []
        assert rows(server, schema.tables) == []
        form["size"] = "3"
        assert ask(server, "Pupil 0", f"/circle/{circle.id}/round", **form).status_code == 303


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"here": ["1"]}, "A round needs 2 players. You chose 1."),
        ({"here": ["1", "2"], "size": "7"}, "Choose 2 to 6 players per table. You chose 7."),
        ({"here": ["1", "2"], "size": "two"}, "two"),
        ({"here": ["1", "2"], "book": "chess"}, "chess"),
    ],
)
def test_a_round_that_cannot_be_opened_says_why(server: Inside, form: dict[str, Any], said: str) -> None:
    circle = make(server, "Ann", "Bob")
    answer = ask(server, "Ann", f"/circle/{circle.id}/round", **{"size": "2", "how": "drawn", "book": "crag"} | form)
    assert answer.status_code == 400
    assert said in answer.text


def test_groups_are_of_like_size() -> None:
    for count, size in product(range(2, 40), range(2, 7)):
        people = [Member(number, "", "", "") for number in range(count)]
        groups = groups_of(people, size)
        sizes = [len(group) for group in groups]
        assert list(chain(*groups)) == people
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= 2
        assert max(sizes) <= max(size, 3)


def test_own_data_names_everything_and_no_key_of_others(server: Inside) -> None:
    circle = make(server, "Ann", "Bob")
    play(server, "Ann", "Bob", lost=(10, 20))
    play_day(server, "Ann", 52)
    found = server.ask("GET", "/you/data", "Ann").json()
    assert [(each["name"], each["your_name"], each["owner"]) for each in found["circles"]] == [
        ("The Millers", "Ann", True)
    ]
    assert found["days"][0]["lost"] == 52
    assert (found["shared_games"][0]["lost"], found["shared_games"][0]["luck"]) == (10, 7)
    paths = ("", "/members", "/match/1/2", "/round", "/sheet")
    pages = [server.ask("GET", f"/circle/{circle.id}{path}", "Ann").text for path in paths]
    for text in (*pages, str(found)):
        assert BOB not in text
        assert key_of("Bob") not in text
    ask(server, "Ann", "/you/delete", sure="yes")
    assert seen(server, circle, "Bob").is_mine
    for table in schema.metadata.sorted_tables:
        assert ANN not in str(rows(server, table)), table.name


def test_a_new_key_takes_circles_and_counts_along(server: Inside) -> None:
    circle = make(server, "Ann", "Bob")
    play(server, "Ann", "Bob", lost=(10, 20))
    play_day(server, "Ann", 52)
    before = {name: len(found) for name, found in counted(server).items()}
    server.stage.store.own_data.change_key(ANN, CLEO)
    assert seen(server, circle, "Cleo").is_mine
    assert server.stage.store.circles.find(circle.id, ANN) is None
    assert {name: len(found) for name, found in counted(server).items()} == before
    assert counted(server) == count_again(server)
    assert not any(ANN in str(row) for row in rows(server, schema.meetings))


def test_two_keys_in_one_circle_become_one_member(server: Inside) -> None:
    circle = make(server, "Ann", "Bob", "Cleo")
    play(server, "Ann", "Bob", lost=(10, 20))
    play(server, "Cleo", "Bob", lost=(30, 20))
    play(server, "Ann", "Cleo", lost=(1, 2))
    server.stage.store.write(lambda connection: move_person(connection, ANN, CLEO))
    assert [member.name for member in server.stage.store.circles.members(circle.id).values()] == ["Bob", "Cleo"]
    assert seen(server, circle, "Cleo").is_mine
    assert counted(server) == count_again(server)
    assert server.stage.store.circles.between(CLEO, BOB)[0][ALL_TIME].games == 2


HOOK = "https://hook.example/T0/ours"


def webhook(server: Inside, circle: Circle) -> str:
    return services(server).notices.store.webhook(circle.id)


def test_the_owner_sets_changes_and_ends_the_webhook(server: Inside) -> None:
    circle = make(server, "Ann", "Bob")
    path, members = f"/circle/{circle.id}/webhook", f"/circle/{circle.id}/members"
    assert ask(server, "Bob", path, address=HOOK).status_code == 403
    assert 'name="address"' not in server.ask("GET", members, "Bob").text
    for address in ("https://hook.example/one", HOOK):
        assert ask(server, "Ann", path, address=f" {address} ").headers["location"] == members
        assert f'value="{address}"' in server.ask("GET", members, "Ann").text
    for wrong in ("http://hook.example/", "hook", "https://192.168.1.7/", "https://ann:word@hook.example/"):
        refused = ask(server, "Ann", path, address=wrong)
        assert (refused.status_code, f"You entered &#39;{wrong}&#39;." in refused.text) == (400, True)
        assert 'name="address"' in refused.text
    assert ask(server, "Ann", path, address=f"https://{'x' * 1000}.example").status_code == 400
    assert webhook(server, circle) == HOOK
    assert HOOK not in server.ask("GET", members, "Bob").text
    found = [server.ask("GET", "/you/data", who).json()["circles"][0]["webhook"] for who in ("Ann", "Bob")]
    assert found == [HOOK, None]
    ask(server, "Ann", path, address="")
    assert webhook(server, circle) == ""


@pytest.mark.parametrize("end", ["delete", "hand-over", "leave", "forget"])
def test_a_webhook_ends_with_its_owner_and_its_circle(server: Inside, end: str) -> None:
    circle = make(server, "Ann", "Bob")
    ask(server, "Ann", f"/circle/{circle.id}/webhook", address=HOOK)
    path = "/you/delete" if end == "forget" else f"/circle/{circle.id}/{end}"
    assert ask(server, "Ann", path, member="2", sure="yes").status_code == 303
    assert rows(server, schema.webhooks) == []
    services(server).notices.set_webhook("another circle", HOOK)
    assert rows(server, schema.webhooks) == []


def test_a_webhook_gets_the_full_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Inside(tmp_path, base_url="https://dice.example/") as server:
        circle, called = make(server, "Ann", "Bob"), list[Any]()
        monkeypatch.setattr(services(server).notices, "call_webhook", lambda *call: called.append(call))
        found, members = services(server).circles.require(circle.id, ANN)
        services(server).circles.play(found, members, "crag")
        assert called[0][1]["link"] == f"https://dice.example/circle/{circle.id}"


def test_no_webhook_where_notices_are_off(tmp_path: Path) -> None:
    with Inside(tmp_path, notices=False) as server:
        circle = make(server, "Ann", "Bob")
        assert 'name="address"' not in server.ask("GET", f"/circle/{circle.id}/members", "Ann").text
        assert ask(server, "Ann", f"/circle/{circle.id}/webhook", address=HOOK).status_code == 403


def test_days_played_before_are_counted_by_the_migration(server: Inside) -> None:
    from fivedice.store.migrations.later import COUNTS

    play_day(server, "Ann", 52)
    before = counted(server)["played_days"]
    with server.stage.store._engine.begin() as connection:
        connection.execute(schema.played_days.delete())
        for statement in COUNTS:
            connection.exec_driver_sql(statement)
    assert counted(server)["played_days"] == before


def test_a_refusal_leaves_the_circle_as_it_was(server: Inside) -> None:
    circle = make(server, "Ann", "Bob")
    with pytest.raises(Refusal):
        server.stage.store.circles.rename_member(circle.id, 2, "ANN")
    assert server.stage.store.circles.members(circle.id)[2].name == "Bob"
    assert not server.stage.store.circles.hand_over(circle.id, 1, 9)
