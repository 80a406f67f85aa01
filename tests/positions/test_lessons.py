"""Training step by step, answers to the ten, the field, and one's own strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import fivedice as fd
from fivedice.core.game import Hold
from fivedice.core.rules import shipped
from fivedice.errors import IllegalError, IllegalMove
from fivedice.players.bots.players import choice
from fivedice.positions.bank import bank, level_losses
from fivedice.positions.lessons import Lessons
from fivedice.positions.strength import Strength, strength_of
from fivedice.positions.trainer import MISTAKES, summarize
from fivedice.reports.statistics import BookStatistics, facts_from_data, facts_of, facts_to_data
from fivedice.store.access import VersionConflict
from fivedice.store.database import open_database
from fivedice.store.decision_store import Decisions, tenths
from fivedice.store.forgetting import Forgetting
from fivedice.store.table_store import Store

ANN, BOB, DAY = "a" * 64, "b" * 64, "2026-11-18"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(open_database(f"sqlite:///{tmp_path}/tables.db"))
    yield found
    found.close()


@pytest.fixture
def lessons(store: Store) -> Lessons:
    return Lessons(store.decisions, shipped, fd.solve)


def answer_best(lessons: Lessons, person: str, place: int = 0) -> float:
    asked = lessons.look(person).asked
    assert asked is not None
    position = lessons.position_of(asked)
    return lessons.answer(person, fd.solve(position.book).advise(position)[place].move)[1].lost


def test_an_answer_is_counted_once_and_moves_both_ratings(lessons: Lessons, store: Store) -> None:
    first = lessons.ask(ANN, "crag", "")
    assert first.asked is not None
    assert lessons.ask(ANN, "crag", "").asked == first.asked, "asked again, it is the same"
    assert answer_best(lessons, ANN) == 0
    after = lessons.look(ANN)
    assert (after.answered, after.rating.value > 1500) == (1, True)
    (moved,) = store.decisions.position_ratings([first.asked.id]).values()
    assert moved[0] < bank()[first.asked.id].rating
    with pytest.raises(IllegalError):
        answer_best(lessons, ANN)
    lessons.ask(ANN, "crag", "")
    answer_best(lessons, ANN, -1)
    assert lessons.look(ANN).rating.value < after.rating.value


def test_a_hint_counts_once_and_leaves_the_rating(lessons: Lessons) -> None:
    asked = lessons.ask(ANN, "crag", "straights").asked
    assert asked is not None
    assert asked.theme == "straights"
    assert str(lessons.hint(ANN)[1]) == str(lessons.hint(ANN)[1])
    answer_best(lessons, ANN)
    after = lessons.look(ANN)
    assert (after.hints, after.rating.value, summarize(after).hints) == (1, 1500, 1)


def test_playing_to_win_is_judged_by_odds_and_never_added_to_points(lessons: Lessons) -> None:
    with pytest.raises(IllegalError, match="cannot be practised with Maxi Yatzy"):
        lessons.ask(ANN, "maxi-yatzy", "win")
    asked = lessons.ask(ANN, "crag", "win").asked
    assert asked is not None
    position = lessons.position_of(asked)
    *_, worst = fd.win(position).advise()
    hint = str(lessons.hint(BOB)[1]) if lessons.ask(BOB, "crag", "win").asked else ""
    assert "Odds to win" in hint
    judged = lessons.answer(ANN, choice(worst.keep, worst.box))[1]
    assert (judged.lost, judged.share) == (pytest.approx(100 * worst.loss, abs=1e-9), pytest.approx(worst.share))
    after = summarize(lessons.look(ANN))
    assert (after.lost, str(after.odds), after.weakest) == (0, f"Playing to win: {judged.cost}.", None)
    assert lessons.look(ANN).rating.value < 1500
    assert str(judged.cost).endswith("percentage points lost")
    assert str(replace(judged, lost=0.04).cost) == "Almost as good"


def test_two_windows_of_one_person_cannot_both_answer(lessons: Lessons, store: Store) -> None:
    lessons.ask(ANN, "crag", "")
    version, content = store.decisions.trainee(ANN)
    answer_best(lessons, ANN)
    with pytest.raises(VersionConflict):
        store.decisions.save_trainee(ANN, version, content)


def test_own_mistakes_come_worst_first_and_are_not_rated(lessons: Lessons) -> None:
    with pytest.raises(IllegalError, match="no mistakes"):
        lessons.ask(ANN, "crag", MISTAKES)
    mistakes = [("crag", "crag - 0 466 1"), ("crag", "crag - 0 113 1")]
    asked = lessons.ask(ANN, "crag", MISTAKES, mistakes).asked
    assert asked is not None
    assert asked.text == mistakes[0][1]
    answer_best(lessons, ANN, 3)
    assert lessons.look(ANN).rating.value == 1500
    second = lessons.ask(ANN, "crag", MISTAKES, mistakes).asked
    assert second is not None
    assert second.text == mistakes[1][1]


def test_impossible_answers_are_refused_and_the_summary_counts_twenty(lessons: Lessons) -> None:
    asked = lessons.ask(ANN, "crag", "", []).asked
    assert asked is not None
    position = lessons.position_of(asked)
    with pytest.raises(IllegalMove):
        lessons.answer(ANN, Hold(position.dice))
    for _ in range(21):
        lessons.ask(ANN, "crag", "")
        answer_best(lessons, ANN, 1)
    found = summarize(lessons.look(ANN))
    assert (found.count, found.best) == (20, 0)
    assert found.lost == pytest.approx(sum(found.losses))
    assert found.weakest is not None


def finish(store: Decisions, person: str, losses: list[float], *, late: bool = False) -> None:
    for number, lost in enumerate(losses):
        store.answer_ten(person, DAY, number, "=ch", lost, late=late)


def test_one_answer_each_and_the_field_equals_a_recount(store: Store) -> None:
    tens = store.decisions
    people = {f"{number:064}": [0.0, 0.05 * (number % 7), 2.0 * (number % 3), *[0.0] * 7] for number in range(20)}
    for person, losses in people.items():
        finish(tens, person, losses)
    finish(tens, ANN, [9.0] * 10, late=True)
    with pytest.raises(VersionConflict):
        tens.answer_ten(ANN, DAY, 9, "=ch", 0.0, late=True)
    with pytest.raises(VersionConflict):
        tens.answer_ten(BOB, DAY, 3, "=ch", 0.0, late=False)
    totals = {person: sum(losses) for person, losses in people.items()}
    field = tens.field(DAY)
    assert field.counts == Counter(map(tenths, totals.values())), "late ones are practice"
    for person, total in totals.items():
        result = tens.ten_result(person, DAY)
        assert result is not None
        assert result.lost == pytest.approx(total)
        assert field.rank(tenths(total)) == 1 + sum(tenths(other) < tenths(total) for other in totals.values())
    assert tens.ten_result(BOB, DAY) is None
    late = tens.ten_result(ANN, DAY)
    assert late is not None
    assert late.squares == "🟥" * 10


def test_a_deleted_person_is_gone_and_the_field_keeps_counts(store: Store, lessons: Lessons) -> None:
    finish(store.decisions, ANN, [1.0] * 10)
    lessons.ask(ANN, "crag", "")
    assert store.own_data.of(ANN)["tens"][0]["day"] == DAY
    store.own_data.change_key(ANN, BOB)
    assert store.decisions.ten_result(ANN, DAY) is None
    assert lessons.look(BOB).asked is not None
    Forgetting(store).all_of(BOB)
    assert store.decisions.ten_result(BOB, DAY) is None
    assert store.decisions.trainee(BOB) == (0, {})
    assert store.decisions.field(DAY).players == 1


def test_the_facts_of_a_game_have_its_mistakes_and_themes() -> None:
    game = fd.Game.new("crag", ["Ann"], dice=fd.dice.seeded(3))
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    judged = facts_of(game, 0, fd.solve("crag")).judged
    assert judged is not None
    assert sum(judged.by_theme.values()) == pytest.approx(judged.lost)
    text, lost = judged.mistakes[0]
    position = fd.read_position(text)
    assert position.roll is not None
    assert lost == max(loss for _, loss in judged.mistakes)
    again = facts_from_data(facts_to_data(facts_of(game, 0, fd.solve("crag"))), fd.book("crag"), "Ann")
    assert again is not None
    assert again.judged == judged


def strength(*losses: float) -> Strength:
    noted = [SimpleNamespace(lost=lost, fully_noted=True, by_theme={"bonus": lost}) for lost in losses]
    games = tuple(SimpleNamespace(judged=each) for each in noted)
    found = strength_of(BookStatistics(shipped("yahtzee"), games, None))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_strength_names_interval_trend_and_the_levels_around() -> None:
    levels = level_losses(shipped("yahtzee"))
    for weaker, stronger in pairwise(levels):
        middle = (levels[weaker] + levels[stronger]) / 2
        assert strength(middle).between == (weaker, stronger)
    assert strength(0.0).between[1] is None
    assert strength(999.0).between[0] is None
    better = strength(30, 32, 31, 12, 11, 13)
    assert str(better.course) == "Lately 19.0 points better."
    assert better.interval == pytest.approx(8.3, abs=0.1)
    assert better.by_theme == {"bonus": 21.5}
    assert "give or take" in str(better.headline)
    assert "No clear trend" in str(strength(10, 30, 11, 29).course)
    assert better.to_json()["fingerprint"] == shipped("yahtzee").fingerprint
