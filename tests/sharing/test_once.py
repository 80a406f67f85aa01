"""Repeated and racing commands and broken streams, on both databases."""

import os
import random
from collections.abc import Iterator
from functools import partial
from threading import Thread

import httpx

from long import LONG
from sharing.conftest import Doors
from sharing.play import at_once, look, next_move, open_table, play_out, send
from web.serving import Serving

MOVES = 30 if LONG else 6  # a game has 30
RACES = 5
BREAKS = int(os.environ.get("FIVEDICE_BREAKS", "8"))  # `make crash`: thousands


def test_commands_act_once_and_no_event_is_missed(servers: list[Serving], doors: Doors) -> None:
    """One test, since tests may be spread over processes, each of which would start servers of its own."""
    check_every_command_sent_one_to_five_times_is_one_event(doors)
    check_eight_race_for_one_turn(doors)
    check_a_stream_that_breaks_again_and_again_misses_nothing(doors)
    if len(servers) > 1:
        check_one_process_is_killed_and_play_goes_on_at_the_other(servers, doors)


def check_every_command_sent_one_to_five_times_is_one_event(doors: Doors) -> None:
    chance = random.Random(5)
    clients = doors(2)
    table = open_table(clients[0], "Ann")
    seen = look(clients[0], table)
    moves = 0
    while seen["phase"] != "finished" and moves < MOVES:
        move = next_move(seen) | {"key": f"key-{moves}"}
        times = chance.randint(1, 5)
        answers = at_once(partial(send, clients[turn % 2], table, move) for turn in range(times))
        assert [answer.status_code for answer in answers] == [200] * times, [answer.text for answer in answers]
        assert sum(not answer.json()["repeated"] for answer in answers) == 1
        seen, moves = look(clients[moves % 2], table), moves + 1
        assert {answer.json()["version"] for answer in answers} == {seen["version"]}
    log = clients[1].get(f"/tables/{table}/events").json()
    kinds = [event["kind"] for event in log["events"] if event["kind"] in {"Rolled", "Scored"}]
    assert len(kinds) == moves == MOVES
    assert kinds == ["Rolled", "Scored"] * (MOVES // 2)


def check_eight_race_for_one_turn(doors: Doors) -> None:
    clients = doors(8)
    table = open_table(clients[0], "Ann")
    for race in range(RACES):
        seen = look(clients[race], table)
        moves = [next_move(seen) | {"key": f"{race}-{number}"} for number in range(8)]
        answers = at_once(partial(send, *pair) for pair in zip(clients, [table] * 8, moves, strict=True))
        refused = [answer.json() for answer in answers if answer.status_code == 409]
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
        assert {refusal["error"] for refusal in refused} == {"stale"}
        assert {refusal["version"] for refusal in refused} == {seen["version"] + 1}


def check_a_stream_that_breaks_again_and_again_misses_nothing(doors: Doors) -> None:
    """Follow a table over changing servers during play, to its end."""
    chance = random.Random(7)
    (player,) = doors(1)
    end = play_out(player, open_table(player, "Ann"))  # every such game has as many events
    table = open_table(player, "Ann")
    begun = look(player, table)
    heard, breaks = [begun["version"]], 0
    playing = Thread(target=play_out, args=(player, table))
    playing.start()
    watchers = doors(2, "Bob")
    while heard[-1] < end or breaks < BREAKS:
        after = heard[-1] if heard[-1] < end else chance.randrange(begun["version"], end)
        headers = {"last-event-id": str(after)}
        with watchers[breaks % 2].stream("GET", f"/tables/{table}/live", headers=headers) as stream:
            news = read_events(stream)
            for _ in range(chance.randint(1, 3)):
                version = next(news)
                assert version > after, "a stream never goes back"
                after = version
                if version == end:
                    break
            heard.append(max(after, heard[-1]))
        breaks += 1
    playing.join()
    assert heard[-1] == end
    assert look(watchers[0], table)["version"] == look(watchers[1], table)["version"] == end


def check_one_process_is_killed_and_play_goes_on_at_the_other(servers: list[Serving], doors: Doors) -> None:
    (ann, elsewhere), (_, bob) = doors(2, "Ann"), doors(2, "Bob")
    opening = ann.post("/tables", json={"book": "yatzy", "seats": [{"name": "Ann"}]}).json()
    table, code = opening["id"], opening["join_code"]
    sit = {"command": "sit", "name": "Bob", "join_code": code}
    assert send(bob, table, sit).status_code == 200
    assert send(ann, table, {"command": "start"}).status_code == 200
    for _ in range(4):  # both play, each at a process of their own
        acknowledged = move(table, ann, bob)
    servers[0].kill()
    try:
        with bob.stream("GET", f"/tables/{table}/live", params={"after": acknowledged}) as stream:
            assert look(bob, table)["version"] == acknowledged, "what one process acknowledged, the other has"
            assert move(table, elsewhere, bob) == acknowledged + 1
            assert next(read_events(stream)) == acknowledged + 1
    finally:
        servers[0].start()
    version = look(ann, table)["version"]
    assert version == acknowledged + 1, "back again, it knows what it missed"
    with bob.stream("GET", f"/tables/{table}/live", params={"after": version}) as stream:
        assert move(table, ann, bob) == version + 1
        assert next(read_events(stream)) == version + 1


def move(table: str, *clients: httpx.Client) -> int:
    """Make the next move and return its acknowledged version."""
    client = clients[look(clients[-1], table)["on_turn"]]
    answer = send(client, table, next_move(look(client, table)))
    assert answer.status_code == 200, answer.text
    return int(answer.json()["version"])


def read_events(stream: httpx.Response) -> Iterator[int]:
    return (int(line.removeprefix("data: ")) for line in stream.iter_lines() if line.startswith("data: "))
