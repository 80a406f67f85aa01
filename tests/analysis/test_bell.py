"""Normal curves over whole totals."""

import pytest
from hypothesis import example, given, strategies as st

from fivedice.analysis.race import bell


@example(2.6, 0.001, 5)  # narrower than a point, and nearer to the one above
@given(st.floats(0, 500), st.floats(0, 80), st.integers(0, 40))
def test_a_curve_is_a_whole_distribution_that_begins_where_the_points_are(mean: float, sd: float, lead: int) -> None:
    least = max(0, round(mean) - lead)
    curve = bell(mean, sd, least)
    assert curve.chances.sum() == pytest.approx(1.0)
    assert curve.first >= least
    assert (curve.chances >= 0).all()


def test_an_end_that_is_certain_but_for_rounding() -> None:
    curve = bell(249.99999999, 1e-8, 250)
    assert (curve.first, list(curve.chances)) == (250, [1.0])
