"""The log: JSON for machines, one object a line; text for somebody at a terminal, who is spared the requests."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO


def set_up_logs(wanted: str, stream: TextIO | None = None) -> None:
    """Send everything that this process logs to one stream, in one format."""
    out = stream or sys.stderr
    as_json = wanted == "json" or (wanted == "auto" and not out.isatty())
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO if as_json else logging.WARNING, force=True)
    for chatty in ("alembic", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, what a request was, and the traceback of a mistake."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
