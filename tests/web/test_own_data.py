"""The page about one's own data: what it shows, the file, and a new key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.table import commands as cmd
from fivedice.table.decide.rights import player_id
from web.inside import Inside
from web.stage import key_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Inside]:
    with Inside(tmp_path) as server:
        yield server


def test_a_new_key_is_given_and_the_old_one_is_void(server: Inside) -> None:
    ann = player_id(key_of("Ann"))
    tables = server.app.state.services.tables
    table = tables.open(ann, "yatzy", then=[cmd.SitDown(ann, "Ann"), cmd.StartGame(ann)])
    assert table in server.ask("GET", "/you/data", "Ann").text
    answer = server.ask("POST", "/you/key", "Ann")
    given = answer.headers["set-cookie"].partition("fivedice_player=")[2].partition(";")[0]
    assert tables.state(table).seats_of(player_id(given)) == (0,)
    assert server.ask("GET", "/you/data", "Ann").json()["games"] == []
    assert server.ask("POST", f"/t/{table}/roll", "Ann", data={"version": "3"}).status_code == 403
