"""What Sphinx does not look at: links of the finished pages, what they load, and how large it all is."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

MOST_BYTES = 8_000_000
_LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class _Page(HTMLParser):
    """The names that a page has for links to it, the links that it has, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = {""}
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called by the parser."""
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.loads += [given[_LOADS[tag]]] if _LOADS.get(tag) in given else []


def problems(site: Path) -> Iterator[str]:
    """One line for each."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            reason = _broken(path, link, pages, loaded=link in page.loads)
            if reason:
                yield f"{path.relative_to(site)}: {link}: {reason}"
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        yield f"the site has {size} bytes, more than {MOST_BYTES}"


def _broken(path: Path, link: str, pages: dict[Path, _Page], *, loaded: bool) -> str | None:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return "loaded from elsewhere" if loaded and parts.scheme != "data" else None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    known = target not in pages or unquote(parts.fragment) in pages[target].names
    return None if known else "no such place"
