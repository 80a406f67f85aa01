"""Send the requests of the access matrix."""

import re
from typing import Any

from web.access_matrix import SITUATIONS, Access
from web.inside import Inside

SHEET = "yatzy"


FILE = "core/style.css"


def _fill(value: Any, given: dict[str, str]) -> Any:
    if isinstance(value, str):
        if value == "{version:int}":
            return int(given["version"])
        return re.sub(r"\{(\w+)\}", lambda found: given[found[1]], value)
    if isinstance(value, dict):
        return {name: _fill(part, given) for name, part in value.items()}
    return value


def send(server: Inside, access: Access, who: str, **more: Any) -> Any:
    given = {
        "sheet": SHEET,
        "file_path": FILE,
        "action": access.say,
        "path": "x",
        "seat": "0",
        "box": "chance",
    } | SITUATIONS[access.at](server)
    body = {"json": _fill(access.json, given)} if access.json is not None else {"data": _fill(access.form, given)}
    return server.ask(
        access.method,
        _fill(access.path + access.query, given),
        who,
        **(body if access.method == "POST" else {}),
        **more,
    )


def fits(status: str, wanted: str) -> bool:
    return any(status.startswith(one.rstrip("x")) for one in wanted.split("|"))
