"""Circles on both databases, with two processes at once: limits hold, and counts equal a recount."""

from __future__ import annotations

from functools import partial
from random import Random

from sqlalchemy import Engine

from fivedice.store import schema
from fivedice.store.circles import ALL_TIME, MOST_CIRCLES, recount
from fivedice.table.actions import commands as cmd
from fivedice.table.service import Tables
from support.tables import at_once, finish, rows

PEOPLE = [f"{number:064x}" for number in range(1, 7)]


def start(tables: Tables, people: list[str]) -> str:
    seats = [cmd.SitDown(player, player[-4:]) for player in people]
    return tables.open(people[0], "crag", then=[*seats, cmd.StartGame(people[0])])


def test_games_that_end_at_once_are_counted_once(tables: Tables, neighbour: Tables, engine: Engine) -> None:
    circles, random = tables.store.circles, Random(3)
    circle = circles.make(PEOPLE[0], "Club", "1")
    for number, player in enumerate(PEOPLE[1:], 2):
        circles.join(circle.id, circle.code, player, str(number))
    for _ in range(3):
        games = [start(tables, random.sample(PEOPLE, 4)) for _ in range(2)]
        at_once(*(partial(finish, side, game) for side, game in zip((tables, neighbour), games, strict=True)))
        for game in games:
            facts = {player: (random.randrange(99), random.randrange(99)) for player in PEOPLE}
            done = at_once(*(partial(side.store.circles.judge, game, facts) for side in (tables, neighbour) * 2))
            assert sorted(map(bool, done)) == [False, False, False, True]
    before = sorted(rows(engine, schema.meetings))
    assert sum(row[3] for row in before if row[1] == ALL_TIME) == 6 * 4 * 3
    for player in PEOPLE:
        tables.store.write(partial(recount, player=player))
    assert sorted(rows(engine, schema.meetings)) == before


def test_limits_hold_for_people_who_join_at_once(tables: Tables, neighbour: Tables) -> None:
    circles, sides = tables.store.circles, (tables, neighbour)
    made = [circles.make(f"owner {number}", "Club", "Ann") for number in range(MOST_CIRCLES + 4)]
    for circle in made[: MOST_CIRCLES - 2]:
        circles.join(circle.id, circle.code, "bob", "Bob")
    last = made[MOST_CIRCLES - 2 :]
    at_once(
        *(
            partial(sides[number % 2].store.circles.join, circle.id, circle.code, "bob", "Bob")
            for number, circle in enumerate(last)
        )
    )
    assert len(circles.of("bob")) == MOST_CIRCLES
    names = [
        partial(sides[each % 2].store.circles.join, made[0].id, made[0].code, f"p{each}", "Eve") for each in range(6)
    ]
    at_once(*names)
    assert sorted(member.name for member in circles.members(made[0].id).values()) == ["Ann", "Bob", "Eve"]


def test_an_owner_who_leaves_while_others_leave_has_an_heir(tables: Tables, neighbour: Tables) -> None:
    circles = tables.store.circles
    circle = circles.make(PEOPLE[0], "Club", "1")
    for number, player in enumerate(PEOPLE[1:], 2):
        circles.join(circle.id, circle.code, player, str(number))
    sides = (tables, neighbour)
    at_once(*(partial(sides[number % 2].store.circles.leave, circle.id, number) for number in range(1, 6)))
    found = circles.find(circle.id, PEOPLE[5])
    assert found is not None
    assert found.is_mine
    circles.leave(circle.id, 6)
    assert circles.find_link(circle.id, circle.code) is None
