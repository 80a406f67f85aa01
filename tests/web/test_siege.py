"""The short version of campaign `siege`: a game during attacks from one address."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx

from long import LONG, few
from sharing.play import key_of, open_table, play_out
from web.attacks import ATTACKS, SLOW, Prey, ask_on
from web.serving import Serving

TIMES = 2 if LONG else 1
TRIED = dict(few(ATTACKS.items(), 7))
PLAIN = {"FIVEDICE_LOG_FORMAT": "text", "FIVEDICE_PREPARE": "no", "FIVEDICE_TABLES": ""}  # every limit as it comes
SAID = {200, 201, 202, 303, 400, 401, 403, 404, 409, 413, 422, 429, 503}


def test_game_continues_during_every_attack(tmp_path: Path) -> None:
    with Serving(tmp_path, settings=PLAIN) as server:
        prey, stop = Prey(server.port).prepare(), Event()
        with ThreadPoolExecutor(len(TRIED) + len(SLOW)) as crowd:
            slow = [crowd.submit(hold, prey, stop) for hold in SLOW.values()]
            asked = {name: crowd.submit(ask_on, prey, ask, stop, TIMES) for name, ask in TRIED.items()}
            try:
                headers = {"authorization": f"Bearer {key_of('Ann')}"}
                with httpx.Client(base_url=f"{server.url}/api", headers=headers, timeout=60) as client:
                    play_out(client, open_table(client, "Ann"))
                found = {name: one.result() for name, one in asked.items()}
            finally:
                stop.set()
            assert all(one.result() for one in slow)
        assert httpx.get(f"{server.url}/health").json()["status"] == "ok"
    assert {name: statuses for name, statuses in found.items() if not statuses.keys() <= SAID} == {}
    assert {statuses.total() for statuses in found.values()} == {TIMES}
