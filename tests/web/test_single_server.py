"""Two servers on one SQLite file: the second says that they do not hear each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivedice.web.server import NOT_ALONE, claim


def test_the_second_server_is_warned(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    first = claim(url)
    assert first is not None
    assert not caplog.messages
    assert claim(url) is None
    assert caplog.messages == [NOT_ALONE]
    first.release()  # as the end of the process does
    again = claim(url)
    assert again is not None
    assert len(caplog.messages) == 1
    again.release()


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "postgresql://dice@host/dice", "sqlite:////nowhere/at/all/tables.db"]
)
def test_where_nothing_can_be_known_nothing_is_said(url: str, caplog: pytest.LogCaptureFixture) -> None:
    assert claim(url) is None
    assert not caplog.messages
