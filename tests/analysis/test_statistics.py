"""Statistics of one player's games: sums agree, and files are readable."""

import csv
import io
import json
import re

import pytest

import fivedice as fd
from analysis.players import bot_game
from fivedice.drawing.theme import SEATS
from fivedice.reports.perfect import Perfect, known, perfect
from fivedice.reports.report_charts import charts, missing, stat_charts
from fivedice.reports.statistics import BookStatistics, GameFacts, by_book, facts_of, names_in
from fivedice.reports.statistics_lines import book_lines, statistics_to_json, to_csv
from fivedice.solver import Solution, solve

BOOK = fd.book("yatzy-forced")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(BOOK)


@pytest.fixture(scope="module")
def facts(solution: Solution) -> tuple[GameFacts, ...]:
    games = [bot_game(BOOK, level, f"game {number}", 2) for number, level in enumerate(["greedy", "perfect"] * 6)]
    return tuple(
        facts_of(game, 0, solution, when=f"2024-01-{number + 10}", where="here", number=number + 1)
        for number, game in enumerate(games)
    )


@pytest.fixture(scope="module")
def ideal(solution: Solution) -> Perfect:
    return perfect(solution)


def test_losses_by_place_add_up(facts: tuple[GameFacts, ...], ideal: Perfect) -> None:
    found = BookStatistics(BOOK, facts, ideal)
    assert found.lost is not None
    assert found.lost > 0
    assert sum(step.lost for step in found.steps) == pytest.approx(found.lost)
    assert sum(box.lost or 0 for box in found.boxes) == pytest.approx(found.lost)
    assert found.mean == pytest.approx(ideal.odds.mean + (found.luck or 0) - found.lost)
    boxes = sum(box.mean for box in found.boxes)
    assert found.mean == pytest.approx(boxes + 50 * found.bonus_rate)


def test_accuracy_of_perfect_games_over_time(facts: tuple[GameFacts, ...]) -> None:
    perfect_games = BookStatistics(BOOK, facts[1::2], None)
    assert perfect_games.accuracy == 100.0
    assert BookStatistics(BOOK, facts[::2], None).accuracy != 100.0
    over_time = BookStatistics(BOOK, facts, None).accuracies
    values = [each for _, each, _ in over_time]
    assert [when for when, _, _ in over_time] == [game.when for game in facts]
    assert over_time[0][2] == values[0]
    assert over_time[-1][2] == pytest.approx(sum(values[-10:]) / 10)


def test_no_judgement_without_a_solution(facts: tuple[GameFacts, ...]) -> None:
    plain = facts_of(bot_game(BOOK, "greedy", "game 0", 2), 0, None)
    found = BookStatistics(BOOK, (plain,), None)
    assert plain.judged is None
    assert (plain.total, plain.marks) == (facts[0].total, facts[0].marks)
    assert (found.accuracy, found.lost, found.luck, found.steps) == (None, None, None, ())
    assert stat_charts(found) == ()


@pytest.mark.parametrize(("games", "drawn"), [(1, 0), (4, 0), (5, 2), (6, 2)])
def test_distribution_needs_five_games(facts: tuple[GameFacts, ...], games: int, drawn: int) -> None:
    found = BookStatistics(BOOK, facts[:games], None)
    assert len(stat_charts(found)) == drawn
    assert (missing(found) == 0) == (drawn > 0)
    assert book_lines(found).missing == (None if drawn else word_for(5 - games))


def word_for(count: int) -> str:
    games = "game" if count == 1 else "games"
    return f"Finish {count} more {games} to see how your totals spread."


def test_perfect_play_is_stored_and_read(solution: Solution, ideal: Perfect) -> None:
    from fivedice.reports import perfect as module

    module._memory.clear()
    read = known(solution)
    assert read is not None
    assert read.exact
    assert dict(read.odds.pmf) == dict(ideal.odds.pmf)
    assert dict(read.odds.box_means) == dict(ideal.odds.box_means)


def test_percentile_counts_ties_half(ideal: Perfect) -> None:
    totals = list(ideal.odds.pmf)
    assert ideal.better_than(totals[0] - 1) == pytest.approx(0)
    assert ideal.better_than(totals[-1] + 1) == pytest.approx(1)
    middle = totals[len(totals) // 2]
    below = sum(chance for total, chance in ideal.odds.pmf.items() if total < middle)
    assert ideal.better_than(middle) == pytest.approx(below + ideal.odds.pmf[middle] / 2)


def test_large_odds_are_simulated(solution: Solution, monkeypatch: pytest.MonkeyPatch, ideal: Perfect) -> None:
    from fivedice.reports import perfect as module

    def too_large(*_: object, **__: object) -> None:
        raise fd.IllegalError("these odds would need 9.9 GB")

    monkeypatch.setattr(Solution, "odds", too_large)
    monkeypatch.setattr(module, "SIMULATED", 20_000)
    found = module._compute(solution, None)
    assert not found.exact
    assert "simulated" in found.source
    assert abs(found.odds.mean - ideal.odds.mean) < 4 * ideal.odds.sd / 20_000**0.5


def test_equivalent_books_are_counted_together(facts: tuple[GameFacts, ...]) -> None:
    other = facts_of(bot_game(fd.book("yahtzee-plain"), "greedy", "x"), 0, None)
    groups = by_book([other, *reversed(facts)])
    assert groups == [facts, (other,)]
    assert names_in([*facts, other]) == ["Ann"]


def test_statistics_files_are_read_back(facts: tuple[GameFacts, ...], ideal: Perfect) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(facts))))
    assert [int(row["total"]) for row in rows] == [game.total for game in facts]
    data = json.loads(json.dumps(statistics_to_json([BookStatistics(BOOK, facts, ideal)])))
    assert data["books"][0]["count"] == 12
    assert data["books"][0]["perfect"]["mean"] == pytest.approx(122.558527)


def test_drawings_are_complete_and_escape_names(solution: Solution, ideal: Perfect) -> None:
    from xml.etree import ElementTree

    game = fd.Game.new(BOOK, ["<b>&\"Ann'", "Bob"], dice=fd.dice.seeded(3), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    drawn = charts(fd.report(game, solution), ideal)
    assert [chart.name for chart in drawn] == ["course", "win", "perfect", "dice"]
    for chart in drawn:
        root = ElementTree.fromstring(chart.svg)  # noqa: S314 - our own drawing
        names = [element.tag.rpartition("}")[2] for element in root]
        assert names[:2] == ["title", "desc"]
        assert "style" not in chart.svg
        assert all(len(row) == len(chart.head) for row in chart.rows)
    assert "<b>" not in drawn[0].svg


def test_lines_have_the_colours_of_seats_and_labels_keep_off_the_axis(solution: Solution) -> None:
    from xml.etree import ElementTree

    for seed in range(4):
        game = fd.Game.new(BOOK, ["Ann", "Bob"], dice=fd.dice.seeded(seed), first=0)
        while not game.is_over:
            game.roll()
            game.mark(next(iter(game.position.ruling().legal)))
        found = fd.report(game, solution, win=False)
        chosen = charts(found, None, ("teal", "rose"))[0].svg
        assert 'class="line c-teal"' in chosen
        assert 'class="line c-rose"' in chosen
        drawn = charts(found, None)[0].svg
        lines = re.findall(r'class="line (c-\w+)"[^>]*stroke="(#\w+)"', drawn)
        assert dict(lines) == {f"c-{name}": SEATS[name].light for name in ("red", "blue")}
        for text in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 - our own
            if re.search("miss|lucky", text.get("class", "")):
                assert float(text.get("y", "")) < 206 - 9, "above the numbers of the axis"
                assert 36 <= float(text.get("x", "")) <= 346, "right of its numbers, and inside"


def test_statistics_without_games() -> None:
    found = fd.report(fd.Game.new(BOOK, ["Ann"], first=0))
    assert [chart.name for chart in charts(found, None)] == ["course", "dice"]


def test_twelve_players_are_distinct_and_fit(solution: Solution, ideal: Perfect) -> None:
    from fivedice.reports.report_charts import _look
    from fivedice.reports.share_picture import picture_svg

    assert len({_look(seat) for seat in range(12)}) == 12
    game = fd.Game.new(BOOK, [f"Player {number}" for number in range(1, 13)], dice=fd.dice.seeded(3), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    found = fd.report(game, solution, win=False)
    picture = picture_svg(game)
    assert all(f">Player {number}<" in charts(found, ideal)[0].svg for number in range(1, 13))
    best = max(found.players, key=lambda player: player.total)
    assert f">{best.name}<" in picture
