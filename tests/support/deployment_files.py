"""Read the files that describe a deployment."""

from dataclasses import fields
from pathlib import Path

from fivedice.web.http.settings import Settings

ROOT = Path(__file__).parents[2]


KNOWN = {setting.name.upper() for setting in fields(Settings)} | {"DATA", "CACHE"}


def read_dockerfile() -> tuple[list[tuple[str, ...]], list[str]]:
    """Return what the first stage copies, as sources and target, and the commands that it runs."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    stage = text.split("\nFROM ")[1].splitlines()
    copies = [tuple(line.split()[1:]) for line in stage if line.startswith("COPY ")]
    commands = [part.strip() for line in stage if line.startswith("RUN ") for part in line[4:].split("&&")]
    return copies, commands
