"""One person on several browsers: by a link or QR code that works once, on paper, and until they log out everywhere."""

import re

import httpx
import pytest

from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.web.http import client_limits
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.settings import Settings
from for_each import for_each
from web.inside import Inside, own_server
from web.stage import key_of

server = own_server
ANN, BOB, PHONE = (player_id(key_of(name)) for name in ("Ann", "Bob", "Phone"))


def link_of(server: Inside, who: str = "Ann", **form: str) -> str:
    """The path of a new link."""
    answer = server.ask("POST", "/devices/link", who, data=form)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    found = re.search(r'id="device-link">http://dice\.test(/devices/join/[\w-]{43})<', answer.text)
    assert found
    assert "<svg" in answer.text
    return found[1]


def key_in(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].partition("fivedice_player=")[2].partition(";")[0]


def a_game(server: Inside, *players: str) -> str:
    then: list[cmd.Command] = [cmd.SitDown(player, f"P{number}") for number, player in enumerate(players)]
    return str(server.app.state.services.tables.open(players[0], "yatzy", then=[*then, cmd.StartGame(players[0])]))


@for_each("spare", ["no", "yes"])
def test_link_gives_the_new_browser_the_same_games(server: Inside, spare: str) -> None:
    mine, theirs = a_game(server, ANN, BOB), a_game(server, PHONE, BOB)
    path = link_of(server, spare=spare)
    for _ in range(2):
        page = server.ask("GET", path, "Phone")
        assert page.status_code == 200, "looking uses nothing"
        assert "1 game of its own" in page.text
    answer = server.ask("POST", path, "Phone")
    assert (answer.status_code, answer.headers["location"]) == (303, "/devices?joined=true")
    assert key_in(answer) == key_of("Ann")
    found = server.ask("GET", "/you/data", "Ann").json()["games"]
    assert {game["id"] for game in found} >= {mine, theirs}
    assert server.ask("GET", "/you/data", "Phone").json()["games"] == [], "the key of before opens nothing"
    for again in ("Phone", "Bob", "Ann", ""):
        assert server.ask("POST", path, again).status_code == 404
        assert server.ask("GET", path, again).status_code == 404


def test_new_browser_joins_without_a_key_of_its_own(server: Inside) -> None:
    a_game(server, ANN, BOB)
    answer = server.ask("POST", link_of(server))
    assert key_in(answer) == key_of("Ann")


def test_own_link_changes_nothing(server: Inside) -> None:
    path = link_of(server)
    assert "the device that made the link" in server.ask("GET", path, "Ann").text
    answer = server.ask("POST", path, "Ann")
    assert "set-cookie" not in answer.headers


def test_no_one_sits_twice(server: Inside) -> None:
    table, path = a_game(server, ANN, PHONE), link_of(server)
    answer = server.ask("POST", path, "Phone")
    assert answer.status_code == 409
    assert f'href="/t/{table}"' in answer.text
    assert "set-cookie" not in answer.headers
    assert server.app.state.services.tables.state(table).seats_of(PHONE) == (1,)


@for_each(("path", "form"), [("/you/key", {}), ("/you/delete", {"sure": "yes"})])
def test_links_end_with_the_key(server: Inside, path: str, form: dict[str, str]) -> None:
    links = link_of(server), link_of(server, spare="yes")
    assert "You have one" in server.ask("GET", "/devices", "Ann").text
    server.ask("POST", path, "Ann", data=form)
    assert [server.ask("POST", link, "Phone").status_code for link in links] == [404, 404]


def test_stored_link_reveals_no_key(server: Inside) -> None:
    code = link_of(server).rpartition("/")[2]
    with server.stage.store.reading() as connection:
        row = str(connection.exec_driver_sql("SELECT * FROM device_links").one())
    assert code not in row
    assert key_of("Ann") not in row


def test_streams_of_the_joined_browser_end(server: Inside) -> None:
    ended: list[str] = []
    server.app.state.services.notifier.pass_hang_up = ended.append
    server.ask("POST", link_of(server), "Phone")
    assert ended == [PHONE]


def test_links_per_hour_are_limited(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_limits, "LINKS_PER_HOUR", 2)
    monkeypatch.setitem(server.app.state.services.limits._hourly, "links", Limits(Settings())._hourly["links"])
    found = [server.ask("POST", "/devices/link", "Ann").status_code for _ in range(3)]
    assert found == [200, 200, 429]
