"""Two servers on one SQLite file: the second warns."""

from pathlib import Path

import pytest

from fivedice.web.server import NOT_ALONE, claim


def test_second_server_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
def test_no_warning_without_knowledge(url: str, caplog: pytest.LogCaptureFixture) -> None:
    assert claim(url) is None
    assert not caplog.messages
