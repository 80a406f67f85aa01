"""The bank of positions: real choices, exact values, every theme, and the ten of a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from importlib.resources import files

import pytest
from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

import fivedice as fd
from fivedice.core.game import Mark
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.positions.bank import (
    FILE,
    TEN,
    BankPosition,
    bank,
    choose_next,
    choose_ten,
    level_losses,
    positions_of,
    read_bank,
    refuse_win,
    themes_of,
)
from fivedice.positions.judging import explain
from fivedice.positions.lessons import CHEAPEST, CHEAPEST_TO_WIN, DEAREST, DEAREST_TO_WIN, MOST_BOXES, find_in_games
from fivedice.positions.trainer import Rating, rate_answer
from fivedice.reports.decisions import THEMES, Theme, theme_of
from for_each import for_each
from long import LONG, few

# Six dice take minutes and gigabytes to solve: they are compared in the campaign alone.
SOLVED = [key for key in SHIPPED if LONG or shipped(key).dice <= 5]
POSITIONS = [each for key in SOLVED for each in positions_of(shipped(key))]
WINS = [each for key in SHIPPED for each in positions_of(shipped(key), "wins")]


@for_each("each", few(POSITIONS, 60), ids=lambda each: each.id)
def test_a_position_has_one_best_move_and_a_fair_second(each: BankPosition) -> None:
    first, second, *_ = (solution := fd.solve(each.book)).advise(each.position)
    assert first.best
    assert not second.best
    assert CHEAPEST <= second.loss <= DEAREST
    position = each.position
    assert position.roll is not None
    theme = theme_of(solution, position.card, position.roll, position.rolls_left, first.move, second.move)
    assert theme is each.theme


@for_each("each", few(WINS, 12), ids=lambda each: each.id)
def test_a_position_of_two_players_is_a_choice_for_the_win(each: BankPosition) -> None:
    position, found = each.position, fd.win(each.position)
    (mine, theirs), (first, second, *_) = (card.marks.count(None) for card in position.cards), found.advise()
    assert found.exact
    assert (each.theme, mine - theirs in {0, 1}, 1 <= theirs <= mine <= MOST_BOXES) == (Theme.WIN, True, True)
    assert (first.best, second.best, CHEAPEST_TO_WIN <= second.loss <= DEAREST_TO_WIN) == (True, False, True)


def test_many_positions_of_two_players_have_another_best_move_for_points() -> None:
    assert {key for key in SHIPPED if shipped(key).dice <= 5} == {each.book.key for each in WINS}
    some = few(WINS, 40)
    hints = [explain(fd.solve(each.book), each.position) for each in some]
    different = [hint for hint in hints if hint.reason.kind != "win-agreed"]
    # 313 of all 495 do. Of a sample of 40 it may be half or fewer on one day in twenty, and a quarter or fewer never.
    assert len(different) > len(some) / (2 if LONG else 4)


def test_playing_to_win_is_offered_where_it_can_be_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert themes_of(shipped("crag"))[-1] is Theme.WIN
    assert "Maxi Yatzy" in str(refuse_win(shipped("maxi-yatzy")))
    monkeypatch.setattr("fivedice.positions.bank.has_compiler", lambda: False)
    assert Theme.WIN not in themes_of(shipped("crag"))
    assert "needs the solver" in str(refuse_win(shipped("crag")))


def test_every_book_and_theme_is_there_and_the_file_is_small() -> None:
    assert all(len(positions_of(shipped(key))) >= 400 for key in SHIPPED)
    assert {each.theme for each in bank().values()} == set(Theme)
    assert len((files("fivedice.positions") / FILE).read_bytes()) < 300_000
    kinds = {isinstance(fd.solve(each.book).advise(each.position)[0].move, Mark) for each in few(POSITIONS, 40)}
    assert kinds == {True, False}, "dice to keep, and boxes to score"
    cards = [(each.book.key, each.card) for each in bank().values()]
    assert len(set(cards)) == len(cards), "no two positions of one card"


def test_other_rules_have_no_position() -> None:
    house = fd.load_book('extends = "yahtzee"\nname = "Ours"\n[boxes.full_house]\npoints = 30\n')
    assert positions_of(house) == ()
    assert level_losses(house) == {}
    assert themes_of(house) == THEMES
    assert Theme.JOKERS not in themes_of(shipped("yatzy"))
    same_key: RuleBook = replace(house, key="yahtzee")
    assert positions_of(same_key) == ()


def test_stronger_levels_lose_less_and_are_rated_higher() -> None:
    ratings = list(read_bank()["levels"].values())
    assert ratings == sorted(ratings)
    for key in SHIPPED:
        lost = list(level_losses(shipped(key)).values())
        assert lost == sorted(lost, reverse=True)


def test_the_ten_go_from_easy_to_hard_and_do_not_come_back_for_a_month() -> None:
    books = [shipped(key) for key in SHIPPED if shipped(key).dice <= 5]
    seen: dict[str, int] = {}
    for number in range(120):
        day = date(2026, 11, 18) + timedelta(number)
        ten = choose_ten(books[day.toordinal() % len(books)], day, f"secret {number}")
        assert len({each.id for each in ten}) == TEN
        assert [each.rating for each in ten] == sorted(each.rating for each in ten)
        assert len({each.theme for each in ten}) in {3, 4, 5}
        assert all(len(each.position.cards) == 1 for each in ten)
        assert all(number - seen.get(each.id, -99) > 31 for each in ten)
        seen |= {each.id: number for each in ten}


def test_the_ten_follow_from_the_seed() -> None:
    book, day = shipped("yatzy"), date(2026, 11, 18)
    assert choose_ten(book, day, "a") == choose_ten(book, day, "a")
    assert choose_ten(book, day, "a") != choose_ten(book, day, "b")


def test_training_asks_near_the_own_rating_and_nothing_seen_lately() -> None:
    found = positions_of(shipped("yahtzee"))
    near = choose_next(found, {}, 1800, (), 5)
    assert near is not None
    assert abs(near.rating - 1800) < 100
    again = choose_next(found, {near.id: 3000.0}, 1800, [each.id for each in found if each != near], 0)
    assert again == near, "the only one that is left"


def test_the_library_gives_the_answer_of_glickmans_paper() -> None:
    met = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]
    games = [(rating_to_mu(value), rd_to_phi(deviation), score) for value, deviation, score in met]
    found = update_rating(rating_to_mu(1500), rd_to_phi(200), 0.06, games, 0.5)
    assert mu_to_rating(found.mu) == pytest.approx(1464.06, abs=0.02)
    assert phi_to_rd(found.phi) == pytest.approx(151.52, abs=0.01)
    assert found.sigma == pytest.approx(0.05999, abs=1e-5)


def test_a_good_answer_raises_the_person_and_lowers_the_position() -> None:
    person, position = Rating(), Rating(1600, 110)
    better, easier = rate_answer(person, position, 0)
    worse, harder = rate_answer(person, position, 3)
    assert worse.value < person.value < better.value
    assert easier.value < position.value < harder.value
    assert better.deviation < person.deviation
    assert rate_answer(person, Rating(2000, 110), 0)[0].value > better.value, "a hard one counts more"


def test_rules_without_a_bank_get_a_decision_from_a_game() -> None:
    house = fd.load_book('extends = "crag"\nname = "Ours"\n[boxes.crag]\npoints = 40\n')
    solution = fd.solve(house)
    found = find_in_games(solution, "a")
    assert found is not None
    options = solution.advise(found.position)
    assert options[0].move == found.best
    assert not options[1].best
