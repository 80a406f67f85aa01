import json
from collections.abc import Callable
from typing import Any

import pytest

from fivedice.cli.command_list import run

Result = tuple[int, str, str]


@pytest.fixture
def fivedice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command line in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> Result:
        code = run(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return call


@pytest.fixture
def fivedice_json(fivedice: Callable[..., Result]) -> Callable[..., Any]:
    def call(*arguments: str) -> Any:
        code, out, err = fivedice(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return call
