"""Own statistics on the web: counted, judged in the background, exported."""

import csv
import io
from collections.abc import Iterator

import pytest
from sqlalchemy import delete, select, update

import fivedice as fd
from fivedice.core.notation import read_games
from fivedice.reports.statistics import facts_of
from fivedice.store import schema
from fivedice.store.results import StoredFacts
from fivedice.table.actions.rights import player_id
from fivedice.web.jobs.report_jobs import Counted, GameCounts, Reports
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.pages.report_pages import StatisticsView
from long import takes_turns
from web.conftest import Caller
from web.games import put_finished, staged
from web.stage import Seat, Stage, key_of
from web.waiting import ready

pytestmark = takes_turns

WHO = "Stella"


def play_game(seed: int, *names: str) -> fd.Game:
    game = fd.Game.new("yatzy-forced", names, dice=fd.dice.seeded(seed), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    return game


@pytest.fixture(scope="module")
def games(stage: Stage) -> list[fd.Game]:
    """Three finished tables: alone, shared device, and against another player; and a running one."""
    found = [play_game(1, WHO), play_game(2, WHO, "Friend"), play_game(3, WHO, "Bob")]
    seats: list[list[Seat | str]] = [[WHO], [WHO, Seat("Friend", owner=WHO)], [WHO, "Bob"]]
    for game, sitting in zip(found, seats, strict=True):
        put_finished(stage, staged(stage, game, *sitting))
    return found


def test_newcomer_sees_how_to_get_statistics(caller: Caller) -> None:
    page = caller("").get("/statistics")
    assert page.status_code == 200
    assert "No finished game yet" in page.text


def test_own_seats_are_counted_and_no_others(caller: Caller, games: list[fd.Game]) -> None:
    page = ready(caller(WHO).get, "/statistics").text
    mine = [games[0].position.cards[0], *games[1].position.cards, games[2].position.cards[0]]
    mean = sum(card.total for card in mine) / 4
    assert f"4 games, {mean:.1f} on average, best {max(card.total for card in mine)}." in page
    assert "Perfect play: 122.6 on average." in page
    assert "Where points are lost" in page
    assert page.count('class="chart"') == 0, "four games are no distribution"
    assert "Finish 1 more game to see how your totals spread." in page
    assert "data-wait" not in page or "to go." in page, "chances of winning may follow"
    assert 'aria-current="page">Statistics' in page
    assert "style=" not in page


def test_five_games_make_a_chart(caller: Caller, stage: Stage) -> None:
    for seed in range(5):
        put_finished(stage, staged(stage, play_game(10 + seed, "Five"), "Five"))
    page = ready(caller("Five").get, "/statistics").text
    assert page.count('class="chart"') == 2
    assert "more game" not in page


def test_choices_of_players_in_statistics(caller: Caller, games: list[fd.Game]) -> None:
    page = ready(caller(WHO).get, "/statistics?name=Friend").text
    assert f"1 game, {games[1].position.cards[1].total:.1f} on average" in page
    assert "No finished game of <bdi>Zoe</bdi>" in caller(WHO).get("/statistics?name=Zoe").text
    assert games
    assert "4 games," in ready(caller(WHO).get, "/statistics?name=").text


def test_statistics_are_exported(caller: Caller, games: list[fd.Game]) -> None:
    client = caller(WHO)
    ready(client.get, "/statistics")
    rows = list(csv.DictReader(io.StringIO(client.get("/statistics.csv").text)))
    assert len(rows) == 4
    assert all(122.5585 + float(row["luck"]) - float(row["lost"]) == pytest.approx(int(row["total"]), abs=0.001)
               for row in rows)  # fmt: skip
    data = client.get("/statistics.json").json()
    assert data["complete"]
    assert data["games"] == data["books"][0]["count"] == data["books"][0]["judged"] == 4
    answer = client.get("/statistics.txt")
    assert answer.headers["content-disposition"] == 'attachment; filename="fivedice.txt"'
    records = [fd.write_game(game) for game in read_games(answer.text)]
    assert sorted(records) == sorted(map(fd.write_game, games))


def test_helped_games_do_not_count(caller: Caller, stage: Stage) -> None:
    from fivedice.table.actions import events as ev

    game = play_game(4, "Helga")
    scene = stage.scene("yatzy-forced", "Helga").start()
    scene.add(ev.Left(0), ev.StoodIn(0, rest=False))
    for step in game.steps:
        if isinstance(step.move, fd.Throw):
            scene.roll(str(step.move.roll))
        else:
            scene.score(step.move.box)  # type: ignore[union-attr]
    put_finished(stage, scene)
    assert scene.state.seats[0].helped
    assert "No finished game yet" in caller("Helga").get("/statistics").text


def test_statistics_do_not_disturb_running_games(caller: Caller, stage: Stage, games: list[fd.Game]) -> None:  # noqa: ARG001
    running = stage.put(stage.scene("yatzy-forced", WHO).start().roll("13526"))
    before = stage.store.header(running.removeprefix("/t/"))
    client = caller(WHO)
    page = ready(client.get, "/statistics").text
    for kind in ("csv", "json", "txt"):
        assert client.get(f"/statistics.{kind}").status_code == 200
    assert f'href="{running}"' in page
    assert stage.store.header(running.removeprefix("/t/")) == before


@pytest.fixture
def counts(stage: Stage) -> Iterator[GameCounts]:
    """Return the state of a new server without judged games."""
    solutions = Solutions()
    stage.store.write(lambda connection: connection.execute(delete(schema.game_facts)))
    yield GameCounts(stage.store, solutions, Reports(solutions))
    solutions.close()


def test_games_are_judged_in_the_background(
    counts: GameCounts, games: list[fd.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert games
    monkeypatch.setattr(counts, "_without_wins", lambda _: [])  # they are the next test's
    monkeypatch.setattr("fivedice.web.jobs.report_jobs.PATIENCE", 0.0)
    person = player_id(key_of(WHO))
    first = counts.look(person)
    assert (len(first.facts), len(first.results), first.is_complete) == (0, 4, False)
    monkeypatch.setattr("fivedice.web.jobs.report_jobs.PATIENCE", 60.0)
    counts._solutions.jobs.join()
    for _ in range(3):  # the book first, then the games
        counts.look(person)
        counts._solutions.jobs.join()
    assert counts.look(person).is_complete


def test_chances_of_winning_follow_the_points(
    counts: GameCounts, games: list[fd.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Game by game, and once for both seats of one; solo games have none."""
    assert games
    monkeypatch.setattr("fivedice.web.jobs.report_jobs.work", lambda action, *arguments: action(*arguments))
    monkeypatch.setattr("fivedice.web.jobs.report_jobs.PATIENCE", 60.0)
    person = player_id(key_of(WHO))
    for _ in range(4):
        counts.look(person)
        counts._solutions.jobs.join()
    found = counts.look(person)
    assert (found.is_complete, found.wins_wait) == (True, 0)
    wins = [(each.players, each.judged is not None and each.judged.win is not None) for each in found.facts]
    assert sorted(wins) == [(1, False), (2, True), (2, True), (2, True)]
    statistics = counts.books(found.facts)[0]
    assert statistics.even_luck is not None
    assert statistics.even_luck.count == 3


def test_stored_judgements_equal_new_ones(
    counts: GameCounts, games: list[fd.Game], stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert games
    monkeypatch.setattr(counts, "_without_wins", lambda _: [])
    monkeypatch.setattr("fivedice.web.jobs.report_jobs.PATIENCE", 60.0)
    person = player_id(key_of(WHO))
    for _ in range(3):  # the book first, then the games
        judged = counts.look(person)
        counts._solutions.jobs.join()
    assert judged.is_complete

    def look_anew() -> Counted:
        """As a server that was just started."""
        anew = GameCounts(stage.store, counts._solutions, Reports(counts._solutions))
        monkeypatch.setattr(anew, "_without_wins", lambda _: [])
        return anew.look(person)

    monkeypatch.setattr("fivedice.web.jobs.report_jobs.PATIENCE", 0.0)
    assert look_anew() == judged
    stale = update(schema.game_facts).values(version=1)
    stage.store.write(lambda connection: connection.execute(stale))
    assert look_anew().facts == (), "the tables have moved on since"
    counts._solutions.jobs.join()


def test_deleted_results_store_no_judgement(stage: Stage, games: list[fd.Game]) -> None:
    assert games
    result = stage.store.results.of(player_id(key_of(WHO)), 1)[0]
    table, game, seat = result.game_key
    stage.store.results.store_facts(
        {
            (table, game, 7): StoredFacts(result.version, {}),
            (table, game, seat): StoredFacts(result.version - 1, {}),
            ("unknown", 0, 0): StoredFacts(1, {}),
        }
    )
    with stage.store._reading() as connection:
        assert all(row.content for row in connection.execute(select(schema.game_facts)))


def test_unjudged_games_are_not_counted_as_analysed(stage: Stage, games: list[fd.Game]) -> None:
    results = tuple(stage.store.results.of(player_id(key_of(WHO)), 1))
    counted = Counted((facts_of(games[0], 0, None),), results)
    seen = StatisticsView.of(counted, None, lambda _: [], {})
    assert (seen.known, seen.games, seen.complete) == (0, 1, False)
