"""Mark the tests that run with branch coverage."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TRACED = ("cli/test_rules.py", "dice", "game", "golden", "notation", "rules")


def mark_traced(items: list[pytest.Item]) -> None:
    """Campaigns are not traced: that would take long and cover nothing more."""
    places = [TESTS / name for name in TRACED]
    for item in items:
        if item.get_closest_marker("campaign") is None and any(item.path.is_relative_to(place) for place in places):
            item.add_marker("traced")
