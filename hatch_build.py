"""What a wheel has otherwise than the repository: the README, and compiled catalogues.

The package index shows the README, where links into the repository lead nowhere. `home` in pyproject.toml, or
FIVEDICE_HOME when a release is built, is the address of the repository. With it all links are absolute, and the project
has its addresses. Without it a link is its text, and pictures are left out: better none than a dead one.
"""

from __future__ import annotations

import atexit
import os
import re
import runpy
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_IMAGE = re.compile(r"!\[[^\]]*\]\((?![a-z]+:)([^)]+)\)")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)")
_TAG = re.compile(r'<img src="(?![a-z]+:)([^"]+)"[^>]*>')
_EMPTY = re.compile(r"<p>\s*</p>\n*")


def for_the_index(readme: str, home: str) -> str:
    """The text with addresses that work anywhere."""
    if home:
        readme = _IMAGE.sub(lambda found: found[0].replace(f"]({found[1]})", f"]({home}/raw/main/{found[1]})"), readme)
        readme = _TAG.sub(lambda found: found[0].replace(found[1], f"{home}/raw/main/{found[1]}"), readme)
        return _LINK.sub(rf"[\1]({home}/blob/main/\2)", readme)
    readme = _EMPTY.sub("", _TAG.sub("", _IMAGE.sub("", readme)))
    return _LINK.sub(r"\1", readme)


def urls(home: str) -> dict[str, str]:
    """What the index lists beside the text."""
    pages = {"Documentation": "blob/main/docs/README.md", "Changelog": "blob/main/CHANGELOG.md", "Issues": "issues"}
    return {"Homepage": home, **{name: f"{home}/{page}" for name, page in pages.items()}} if home else {}


class ReadmeHook(MetadataHookInterface):
    """Called by the builder."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = (os.environ.get("FIVEDICE_HOME") or self.config.get("home", "")).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_the_index(text, home)}
        metadata["urls"] = urls(home)


class CatalogueHook(BuildHookInterface):
    """Compiles the translations for a wheel. An editable installation reads those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        text = Path(self.root) / "src" / "fivedice" / "text"
        compile_catalogue = runpy.run_path(str(text / "po_file.py"))["compile_catalogue"]
        folder = Path(mkdtemp())
        atexit.register(rmtree, folder)
        for path in text.glob("catalogues/*/LC_MESSAGES/fivedice.po"):
            target = path.with_suffix(".mo").relative_to(text.parents[1])
            compiled = folder / target.parts[-3]
            compiled.write_bytes(compile_catalogue(path.read_text(encoding="utf-8")))
            build_data["force_include"][str(compiled)] = target.as_posix()
