"""The coach without a server: it never waits for missing solutions, and chases once per game."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from fivedice.coaching.training import AUTO, BEAT, POINTS, WIN, Goal
from fivedice.coaching.win_hints import stakes
from fivedice.core.dice import Keep
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import book
from fivedice.reports.race import race
from fivedice.solver import Solution, solve
from fivedice.solver.bonus import bonus_chances
from fivedice.solver.runtime import solve_limits as limits
from fivedice.solver.runtime.solution_cache import MappedCache
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import NotAllowed, NotYourTurn, WrongPhase
from fivedice.web.jobs.table_coach import Chases, Coaches, OddsBoard, Question
from solver.tiny_books import tiny_book
from web.stage import Scene, key_of

PATIENCE = 60.0
ANN, BOB = player_id(key_of("Ann")), player_id(key_of("Bob"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))


@pytest.fixture
def coaches() -> Iterator[Coaches]:
    coaches = Coaches()
    yield coaches
    coaches.solutions.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """A solver that continues only on request."""
    go_on, real = Event(), solve

    def patiently(rules: Any, *, progress: Any) -> Any:
        progress(1, 2)
        assert go_on.wait(PATIENCE)
        return real(rules, progress=progress)

    monkeypatch.setattr("fivedice.solver.solve", patiently)
    monkeypatch.setattr("fivedice.solver.solution.known", lambda _: None)
    yield go_on
    go_on.set()


def scene(*names: str) -> Scene:
    return Scene("table", "yahtzee-plain", names or ("Ann",)).start().roll("44126")


def test_hints_do_not_wait_for_a_solution(coaches: Coaches, slow: Event) -> None:
    names, spared = ("Ann", "Bob"), ("chance", "five_of_a_kind")
    late = Scene("table", "yahtzee-plain", names).start().play_until(4, spared).roll("44126")  # no odds to prepare
    state, board = late.state, OddsBoard(coaches)
    hint = coaches.hint(state, ANN, POINTS, None)
    assert hint.coaching is None
    assert hint.readiness.state in {"waiting", "running"}
    assert board.odds(state, None).race is None
    assert coaches.caution(state, cmd.FillBox(ANN, "five_of_a_kind"), 1) is None, "what is not known is not spoken of"
    slow.set()
    coaches.solutions.jobs.join()
    assert coaches.hint(state, ANN, POINTS, None).coaching is not None
    assert board.odds(state, None).race is not None
    assert coaches.caution(state, cmd.FillBox(ANN, "five_of_a_kind"), 1) is not None


def test_pages_do_not_wait_for_early_odds(coaches: Coaches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here all cards are early ones. Nothing but how far it is is shown until the exact numbers are there."""
    state, board = Scene("table", "yatzy-forced", ("Ann", "Bob")).start().roll("44126").state, OddsBoard(coaches)
    go_on, real = Event(), Solution.prepare
    expected = race(state.running.position, solve(state.book))

    def patiently(solution: Solution, progress: Any) -> None:
        progress(1, 4)
        half.set()
        assert go_on.wait(PATIENCE)
        real(solution, progress)

    half = Event()
    monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
    monkeypatch.setattr("fivedice.solver.endings._kept", MappedCache("ends"))
    monkeypatch.setattr("fivedice.reports.race._endings", {})
    monkeypatch.setattr(Solution, "prepare", patiently)
    coaches.solutions.want(state.book)
    coaches.solutions.jobs.join()
    first = board.odds(state, None)
    assert (first.race, first.readiness.state) == (None, "running")
    assert half.wait(PATIENCE)
    assert board.odds(state, None).readiness.sentence == "Working out the odds: 25% done. You can play meanwhile."
    go_on.set()
    coaches.solutions.jobs.join()
    found = board.odds(state, None).race
    assert found is not None
    for one, other in zip(found.players, expected.players, strict=True):
        assert one.share == pytest.approx(other.share, abs=1e-12)
    coaches.solutions.jobs.join()


def test_failed_preparation_is_not_retried_forever(
    coaches: Coaches, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    state, board, tried = Scene("table", "yatzy-forced", ("Ann",)).start().roll("44126").state, OddsBoard(coaches), []

    def fails(solution: Solution, _: Any) -> None:
        tried.append(solution.book.key)
        raise MemoryError

    monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
    monkeypatch.setattr("fivedice.solver.endings._kept", MappedCache("ends"))
    monkeypatch.setattr(Solution, "prepare", fails)
    coaches.solutions.want(state.book)
    coaches.solutions.jobs.join()
    for _ in range(3):
        board.odds(state, None)
        coaches.solutions.jobs.join()
    assert board.odds(state, None).readiness.sentence == "No odds: an error occurred. See the server log."
    assert tried == ["yatzy-forced"]
    assert "the odds of yatzy-forced cannot be prepared" in caplog.text


def test_unprepared_books_say_when_odds_appear(coaches: Coaches, monkeypatch: pytest.MonkeyPatch) -> None:
    state, board = scene("Ann", "Bob").state, OddsBoard(coaches)
    monkeypatch.setattr("fivedice.solver.endings.MOST_STATES", 1)
    coaches.solutions.want(state.book)
    coaches.solutions.jobs.join()
    found = board.odds(state, None)
    assert (found.race, found.readiness.state) == (None, "too-large")
    assert found.readiness.sentence == "Odds are known when 11 boxes are left."


def test_oversized_book_is_named(coaches: Coaches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_WORK", 1)
    monkeypatch.setattr(limits, "LONG_WORK", 1)
    hint = coaches.hint(scene().state, ANN, POINTS, None)
    assert hint.coaching is None
    assert (hint.readiness.about.kind, "Yahtzee" in hint.readiness.sentence) == ("web.solution-too-large", True)


@pytest.mark.parametrize(
    ("state", "who", "why"),
    [
        (replace(scene().state, coach=False), ANN, NotAllowed),
        (scene("Ann", "Bob").state, BOB, NotYourTurn),
        (scene().state, "", NotYourTurn),
        (Scene("table", "yahtzee-plain", ["Ann"]).start().state, ANN, WrongPhase),
        (Scene("table", "yahtzee-plain", ["Ann"]).state, ANN, WrongPhase),
        (Scene("table", "yahtzee-plain", ["Ann"]).start().play_until(0).state, ANN, WrongPhase),
    ],
)
def test_hint_refused_and_no_caution_shown(coaches: Coaches, state: Any, who: str, why: type[Exception]) -> None:
    with pytest.raises(why):
        coaches.hint(state, who, POINTS, None)
    assert coaches.caution(state, cmd.FillBox(who, "chance"), 1) is None


def test_cautions_are_for_legal_moves(coaches: Coaches) -> None:
    state = scene().state
    solve(state.book)
    for wrong in (cmd.FillBox(ANN, "nonsense"), cmd.RollDice(ANN, (7,)), cmd.RollDice(ANN, (0, 1, 2, 3, 4))):
        assert coaches.caution(state, wrong, 1) is None
    assert coaches.caution(state, cmd.RollDice(ANN, (0, 1)), 1) is None, "the best move"
    caution = coaches.caution(state, cmd.RollDice(ANN, (2,)), 1)
    assert caution is not None
    assert (caution.instead, caution.action, caution.hold) == ("keep 4-4", "roll", (2,))
    written = coaches.caution(state, cmd.FillBox(ANN, "fours"), 5)
    assert written is not None
    assert (written.instead, written.action, written.box) == ("keep 4-4", "score", "fours")


def late(open_boxes: int) -> Scorecard:
    rules = book("yahtzee-plain")
    return Scorecard.of(rules, {box.key: 0 for box in rules.boxes[: len(rules.boxes) - open_boxes]})


def test_one_chase_answers_for_the_rest_of_the_game(coaches: Coaches) -> None:
    hunts = Chases(coaches.solutions.jobs)
    card = late(3)
    assert hunts.ready("table", card, 50) is None
    assert hunts.want("table", card, 50).state == "running"
    coaches.solutions.jobs.join()
    found = hunts.ready("table", card, 50)
    assert found is not None
    after = card.write(card.book.index["chance"], 20, bonus=False)
    assert hunts.ready("table", after, 50) is found
    assert hunts.want("table", after, 50).state == "ready"
    assert hunts.ready("table", late(4), 50) is None, "an undo leads back behind it"
    assert hunts.ready("table", card, 55) is None, "and a higher score asks for more"
    assert hunts.ready("another", card, 50) is None


def test_long_chases_are_postponed_with_points_meanwhile(coaches: Coaches) -> None:
    hunts = Chases(coaches.solutions.jobs)
    put_off = hunts.want("table", late(13), 200)
    assert (put_off.state, put_off.sentence) == ("too-large", "Playing for 200: known when 11 boxes are left.")
    assert not limits.chase_takes_long(book("yahtzee-plain"), 11)
    assert limits.chase_takes_long(book("yahtzee-plain"), 12)
    state = scene().state
    solve(state.book)
    hint = coaches.hint(state, ANN, BEAT, 300)
    assert hint.note == "Playing for 300: known when 11 boxes are left. Until then, hints are for points."
    assert hint.coaching is not None
    assert hint.coaching.target is None
    assert hint.slots[0] == (0, 1)


def test_old_chases_are_evicted(coaches: Coaches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.web.jobs.table_coach.MOST_BYTES", 1)
    hunts = Chases(coaches.solutions.jobs)
    for table in ("one", "two"):
        hunts.want(table, late(1), 20)
    coaches.solutions.jobs.join()
    assert hunts.ready("one", late(1), 20) is None
    assert hunts.ready("two", late(1), 20) is not None


@pytest.mark.parametrize("number", range(6))
def test_house_rules_are_coached(coaches: Coaches, number: int) -> None:
    rules = tiny_book(Random(number))
    solution = solve(rules)
    bonus_chances(solution)
    roll = next(iter(_rolls(rules)))
    position = Position((Scorecard.empty(rules),), 0, Keep(roll.faces), 0)
    result = coaches.answer(Question(position, roll, "house"), AUTO).coaching
    assert result is not None
    assert result.sentence


def _rolls(rules: Any) -> Any:
    from fivedice.core.dice import rolls

    return rolls(rules.dice, rules.faces)


# --- what is played for ---


def at_the_end(*names: str) -> Scene:
    """Two boxes are left for everyone."""
    return Scene("table", "yahtzee-plain", names).start().play_until(2 * len(names), ("chance", "sixes")).roll("44166")


def test_coach_plays_for_the_win_near_the_end(coaches: Coaches) -> None:
    for names in (("Ann", "Bob"), ("Ann", "Bob", "Cleo")):
        state = at_the_end(*names).state
        wanted = stakes(state.running.position, solve(state.book))
        for aim in (AUTO, WIN):
            hint = coaches.hint(state, ANN, aim, None)
            assert hint.coaching is not None
            assert (hint.coaching.goal, hint.others) == ("win", True)
            assert hint.coaching.choices[0].value == pytest.approx(wanted.best.share, abs=1e-12)
        points = coaches.hint(state, ANN, POINTS, None).coaching
        assert points is not None
        assert (points.goal, "to win" in points.beside) == ("points", True)


def test_no_win_hints_for_single_players(coaches: Coaches) -> None:
    state = at_the_end("Ann").state
    solve(state.book)
    hint = coaches.hint(state, ANN, WIN, None)
    assert hint.coaching is not None
    assert (hint.coaching.goal, hint.others) == ("points", False)
    assert hint.note == "You play alone, so this is for points."
    assert coaches.hint(state, ANN, AUTO, None).note is None


def test_totals_are_computed_in_the_background(coaches: Coaches) -> None:
    """Odds show with several players too; until they are ready, nothing is shown."""
    state = at_the_end("Ann", "Bob").state
    target = state.running.position.card.total + 20
    first = coaches.hint(state, ANN, Goal("target", target), None)
    assert (first.coaching, first.readiness.state) == (None, "running")
    assert first.readiness.sentence == f"Working out how to reach {target}: 0%."
    coaches.solutions.jobs.join()
    hint = coaches.hint(state, ANN, Goal("target", target), None)
    assert hint.coaching is not None
    assert (hint.coaching.goal, hint.coaching.target) == ("target", target)


def test_worth_of_a_roll_is_computed_once(coaches: Coaches, monkeypatch: pytest.MonkeyPatch) -> None:
    state, asked, real = at_the_end("Ann", "Bob").state, [], stakes
    solve(state.book)
    monkeypatch.setattr("fivedice.coaching.win_hints.stakes", lambda *given: (asked.append(1), real(*given))[1])
    for aim in (AUTO, WIN, POINTS, AUTO):
        coaches.hint(state, ANN, aim, None)
    assert len(asked) == 1
