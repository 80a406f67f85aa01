"""Read the pages of the score pad and post its forms."""

import json
import re
from html import unescape
from typing import Any

import httpx

from fivedice.table.state import TableState
from web.stage import Stage


def state_of(stage: Stage, path: str) -> TableState:
    return stage.tables.state(path.removeprefix("/t/"))


def pad_of(page: httpx.Response) -> dict[str, Any]:
    """Return the data that the page gives its script."""
    found = re.search("data-pad='(.*?)'", page.text)
    assert found is not None
    data: dict[str, Any] = json.loads(unescape(found[1]))
    return data


def alert_text(page: httpx.Response) -> str:
    return unescape(" ".join(re.findall(r'role="alert">(.*?)</', page.text)))


def post(client: httpx.Client, path: str, action: str, **fields: Any) -> httpx.Response:
    version = pad_of(client.get(path))["version"]
    return client.post(f"{path}/{action}", data={"version": version, **fields}, follow_redirects=True)
