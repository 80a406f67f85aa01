"""Read what the modules of the package import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import fivedice as fd

ROOT = Path(fd.__file__).parent


def imports_of(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, at the top or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative imports hide where they lead"
            assert node.module is not None
            yield node.module
            if node.module == "fivedice":
                yield from (f"fivedice.{alias.name}" for alias in node.names)
