"""The page of own data: contents, download, new key, and deletion."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace

import httpx
import pytest

from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.web.http.identity import COOKIE, Person
from fivedice.web.jobs import report_jobs
from fivedice.web.pages.play.stream import _events
from for_each import for_each
from support.tables import NO_DATA
from web.inside import Inside, own_server
from web.stage import key_of

server = own_server


def test_new_key_voids_the_old_one(server: Inside) -> None:
    ann = player_id(key_of("Ann"))
    tables = server.app.state.services.tables
    table = tables.open(ann, "yatzy", then=[cmd.SitDown(ann, "Ann"), cmd.StartGame(ann)])
    assert table in server.ask("GET", "/you/data", "Ann").text
    answer = server.ask("POST", "/you/key", "Ann")
    given = answer.headers["set-cookie"].partition("fivedice_player=")[2].partition(";")[0]
    assert tables.state(table).seats_of(player_id(given)) == (0,)
    assert server.ask("GET", "/you/data", "Ann").json()["games"] == []
    assert server.ask("POST", f"/t/{table}/roll", "Ann", data={"version": "3"}).status_code == 403


def cookie(answer: httpx.Response) -> str:
    (given,) = [each for each in answer.headers.get_list("set-cookie") if each.startswith("fivedice_player=")]
    return given.partition("=")[2].partition(";")[0]


def a_game(server: Inside) -> str:
    ann, bob = (player_id(key_of(name)) for name in ("Ann", "Bob"))
    then = [cmd.SitDown(ann, "Annabel"), cmd.SitDown(bob, "Bob"), cmd.StartGame(ann)]
    return str(server.app.state.services.tables.open(ann, "yatzy", then=then))


def test_deletion_is_confirmed_first(server: Inside) -> None:
    table = a_game(server)
    assert 'href="/you/delete"' in server.ask("GET", "/you", "Ann").text
    for answer in (server.ask("GET", "/you/delete", "Ann"), server.ask("POST", "/you/delete", "Ann")):
        assert answer.status_code == 200
        assert 'action="/you/delete"' in answer.text
        assert 'name="sure" value="yes"' in answer.text
    assert "Annabel" in server.ask("GET", f"/t/{table}", "Bob").text


@for_each(
    ("base", "names"),
    [("http://dice.test", {"fivedice_coach"}), ("https://dice.test", {"fivedice_coach", "__Host-fivedice_coach"})],
)
def test_coach_choices_are_deleted_too(server: Inside, base: str, names: set[str]) -> None:
    answer = server.ask("POST", "/you/delete", "Ann", base=base, data={"sure": "yes"})
    dropped = [cookie for cookie in answer.headers.get_list("set-cookie") if "Max-Age=0" in cookie]
    assert {cookie.partition("=")[0] for cookie in dropped} == names | {
        name.replace("coach", "opener") for name in names
    }
    for cookie in dropped:
        assert ("; Secure" in cookie) is cookie.startswith("__Host-"), "otherwise a browser takes no notice of it"
        assert "Path=/" in cookie


def test_everything_is_deleted_and_others_play_on(server: Inside) -> None:
    table = a_game(server)
    server.ask("POST", "/tables", "Ann", data={"name": "Annabel", "book": "yatzy"})
    answer = server.ask("POST", "/you/delete", "Ann", data={"sure": "yes"})
    assert answer.status_code == 303
    assert cookie(answer) not in ("", key_of("Ann"))
    assert answer.headers["clear-site-data"] == '"storage"'
    assert any("fivedice_coach=" in each and "Max-Age=0" in each for each in answer.headers.get_list("set-cookie"))
    assert "Deleted" in server.ask("GET", answer.headers["location"]).text
    for who in ("Ann", "Bob", ""):
        page = server.ask("GET", f"/t/{table}", who).text
        assert "Annabel" not in page
        assert "Former player 1" in page
    assert "Annabel" not in server.ask("GET", f"/api/tables/{table}/events").text
    found = server.ask("GET", "/you/data", "Ann").json()
    assert found == NO_DATA
    assert server.ask("POST", f"/t/{table}/roll", "Ann", data={"version": "5"}).status_code == 403


@for_each(("path", "form"), [("/you/key", {}), ("/you/delete", {"sure": "yes"})])
def test_streams_of_the_old_key_end(server: Inside, path: str, form: dict[str, str]) -> None:
    services, table = server.app.state.services, a_game(server)
    ann, bob = (player_id(key_of(name)) for name in ("Ann", "Bob"))
    shown: list[str] = []
    services.notifier.pass_hang_up = shown.append

    async def run() -> list[bool]:
        services.notifier.attach()
        streams = [_events(services, Person(who, "", fresh=False), table, 99) for who in (ann, bob)]
        for stream in streams:
            assert (await anext(stream)).startswith(b"retry")
        waiting = [asyncio.create_task(_drain(stream)) for stream in streams]
        while len(services.notifier._waiting.get(table, ())) < 2:
            await asyncio.sleep(0)
        await server._ask("POST", path, {COOKIE: key_of("Ann")}, "127.0.0.1", "http://dice.test", {"data": form})
        await waiting[0]
        ended = [task.done() for task in waiting]
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        services.notifier.close()
        return ended

    assert server._loop.run(run()) == [True, False]
    assert shown == [ann]
    assert ann not in services.presence._seen.get(table, {})


async def _drain(stream: AsyncIterator[bytes]) -> None:
    async for _ in stream:
        pass


def test_cached_report_is_renewed_without_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game has not changed by it, so its version has not either."""
    monkeypatch.setattr(report_jobs, "work", lambda _, kind, report, __: f"{kind} {report.players[0].name}".encode())
    reports, perfect = report_jobs.Reports(SimpleNamespace()), SimpleNamespace()  # type: ignore[arg-type]

    def made(name: str) -> bytes:
        report = SimpleNamespace(players=[SimpleNamespace(name=name)], wins=None)
        return reports.file("png", report, perfect, ("table", 9, 0))  # type: ignore[arg-type]

    assert [made("Annabel"), made("Former player 1")] == [b"png Annabel", b"png Former player 1"]
    assert len(reports._made) == 2
