"""Our advice against yatzy-solver, an independent program in another language."""

import json

import pytest
import yatzy_solver

from fivedice.solver import solve
from for_each import for_each
from long import few, long_only
from solver import peer

VARIANTS = peer.variants()
ANSWERS = json.loads(peer.ANSWERS.read_text())


def test_every_variant_of_the_peer_is_a_book_of_ours() -> None:
    assert set(VARIANTS) == set(ANSWERS) == set(yatzy_solver.builtin_variants())


@for_each("name", few(VARIANTS, 3))
def test_stored_answers_of_the_peer_agree(name: str) -> None:
    solution = solve(VARIANTS[name])
    for situation in ANSWERS[name]:
        assert solution.value(peer.card_of(solution.book, situation)) == pytest.approx(situation["value"], abs=1e-9)
        assert peer.ours(solution, situation) == pytest.approx(situation["options"], abs=1e-9), situation


@long_only
def test_current_answers_of_the_peer_agree() -> None:
    """The peer itself, on many more situations; its kept answers are always compared."""
    name = "american+forced-joker"
    solver = yatzy_solver.Solver.build(yatzy_solver.Variant(name))
    solution = solve(VARIANTS[name])
    for situation in peer.situations(solution.book, 300, "now"):
        theirs = peer.theirs(solver, solution.book, situation)
        assert peer.ours(solution, situation) == pytest.approx(theirs, abs=1e-9), situation
