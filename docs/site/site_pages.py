"""What the site adds to the Markdown files: the contents at its side, the list of decisions, and docstrings.

docs/README.md is the one list of pages, by reader; its headings and links become the contents. A page that it does not
name yet is there too, below *More*. In docs/api.md the docstrings of names replace the list that stands between
`<!-- api: book load_book -->` and `<!-- /api -->`; public names that are in no list follow at the end.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

from pygments.lexers.special import TextLexer
from site_check import problems
from sphinx.util.logging import getLogger

import fivedice

INDEX, API, DECISIONS, START = "docs/README", "docs/api", "docs/decisions/README", "README"
MORE = "More"
_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_PAGE = re.compile(r"\]\(([^)#:]+)\.md(?:#[^)]*)?\)")
_MARK = re.compile(r"<!-- api: ([\w. ]+) -->.*?<!-- /api -->", re.DOTALL)
_FILE = re.compile(r"\[[\w./-]+\.md\](\([^)]+\))")  # a link that is called as its file: the site has titles
FEW = 3  # arguments that fit beside the name of a class; the others stand below as its fields


def contents(index: str, pages: set[str]) -> Mapping[str, list[str]]:
    """The pages of each heading of docs/README.md, each where it is named first, and those that it does not name."""
    left = {page for page in pages if not page.startswith("docs/decisions/0")} - {START, INDEX}
    parts: dict[str, list[str]] = {}
    for heading, text in _SECTION.findall(index):
        named = [posixpath.normpath(f"docs/{link}") for link in _PAGE.findall(text)]
        parts[heading] = [page for page in dict.fromkeys(named) if page in left]
        left -= set(parts[heading])
    return parts | ({MORE: sorted(left)} if left else {})


def toctree(pages: list[str], *options: str) -> str:
    """The directive, for pages from the root of the site, or titles with a page each."""
    entries = [page if page.endswith(">") else f"/{page}" for page in pages]
    return "\n".join(["", "```{toctree}", *options, "", *entries, "```", ""])


def _numbered(root: Path, page: str) -> str:
    """A decision as the contents have it: its number and its title."""
    title = (root / f"{page}.md").read_text(encoding="utf-8").partition("\n")[0]
    return f"{posixpath.basename(page)[:4]} {title.removeprefix('# ')} </{page}>"


def documented(page: str) -> str:
    """docs/api.md with a directive for every name."""
    named = {name for names in _MARK.findall(page) for name in names.split()}
    rest = [name for name in fivedice.__all__ if name not in named and not inspect.ismodule(getattr(fivedice, name))]
    if rest:
        page += f"\n## {MORE}\n\n<!-- api: {' '.join(rest)} --><!-- /api -->\n"
    return _MARK.sub(lambda found: "\n".join(_directives(found[1].split())), page)


def _directives(names: list[str]) -> Iterator[str]:
    yield "```{eval-rst}"
    for name in names:
        home, _, last = f"fivedice.{name}".rpartition(".")
        value = getattr(import_module(home), last)
        yield f".. auto{_kind(value)}:: {home}.{last}"
        if _kind(value) == "class" and value.__base__.__module__.startswith("fivedice."):
            yield "   :inherited-members:"
    yield "```"


def _kind(value: object) -> str:
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if callable(value) else "data"


def add(app: Any, name: str, source: list[str]) -> None:
    """What a page has on the site and not in the repository."""
    pages = set(app.env.found_docs)
    source[0] = _FILE.sub(r"[]\1", source[0])
    if name == START:
        index = Path(app.srcdir, f"{INDEX}.md").read_text(encoding="utf-8")
        parts = contents(index, pages)
        source[0] += toctree([INDEX], ":hidden:")
        source[0] += "".join(toctree(part, ":hidden:", f":caption: {title}") for title, part in parts.items())
    elif name == DECISIONS:
        numbered = sorted(page for page in pages if page.startswith("docs/decisions/0"))
        source[0] += toctree([_numbered(Path(app.srcdir), page) for page in numbered], ":maxdepth: 1")
    elif name == API:
        source[0] = documented(source[0])


def shorten(_app: Any, what: str, _name: str, value: Any, _options: Any, signature: str, returned: str) -> Any:
    """A class of many fields without all of them in its first line."""
    if what != "class":
        return ("", returned) if what == "exception" else (signature, returned)
    shown = len(inspect.signature(value).parameters) <= FEW and not getattr(value, "_is_protocol", False)
    return (signature if shown else "", returned)


def silence(_app: Any, what: str, _name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """What Python says of tuples says nothing about ours."""
    if what == "data":
        lines.clear()


def finish(app: Any, error: Exception | None) -> None:
    """The first page by the name that servers look for, and the pictures that are named in HTML."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    copyfile(out / f"{START}.html", out / "index.html")
    copytree(Path(app.srcdir, "docs", "screenshots"), out / "docs" / "screenshots", dirs_exist_ok=True)
    for problem in problems(out):
        getLogger(__name__).warning(problem)


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("record", TextLexer)  # of a game: docs/notation.md
    app.connect("source-read", add)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", silence)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
