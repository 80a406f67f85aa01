"""Links between files and to headings exist, and every page can be reached from the first."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from documentation.pages import PAGES, ROOT, name_of, without_code

_LINK = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\""
)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def links(page: Path) -> list[str]:
    return [first or second for first, second in _LINK.findall(without_code(page.read_text(encoding="utf-8")))]


def anchors(text: str) -> set[str]:
    """Return anchors as code hosts make them: lower case, hyphens, repeated names numbered."""
    seen: dict[str, int] = {}
    found = set()
    for heading in _HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return found


def broken(page: Path, root: Path = ROOT) -> Iterator[str]:
    for link in links(page):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not target.exists() or not target.is_relative_to(root):
            yield f"{link}: no such file"
        elif parts.fragment and parts.fragment not in anchors(target.read_text(encoding="utf-8")):
            yield f"{link}: no such heading"


def test_links_exist() -> None:
    assert [f"{name_of(page)}: {link}" for page in PAGES for link in broken(page)] == []


def test_every_page_can_be_reached_from_the_first() -> None:
    """By links alone. Decisions are listed by their folder, on a code host as on the site."""
    reached, left = set(), [ROOT / "README.md"]
    while left:
        page = left.pop()
        if page in PAGES and page not in reached:
            reached.add(page)
            left += [(page.parent / urlsplit(link).path).resolve() for link in links(page) if not urlsplit(link).scheme]
            if page.name == "README.md" and page.parent.name == "decisions":
                left += page.parent.glob("0*.md")
    unreached = {name_of(page) for page in PAGES} - {name_of(page) for page in reached}
    assert not unreached, "list them in docs/README.md"


def test_broken_link_is_detected(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A `b` (c)!\n## Same\n## Same\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text('[a](a.md#a-b-c) [b](a.md#same-1) <img src="a.md"> `[f](g.md)`\n', encoding="utf-8")
    assert [*broken(page, tmp_path)] == []
    page.write_text("[a](a.md#same-2) ![b](die.svg) [c](../) [d](https://example.org)\n", encoding="utf-8")
    assert [*broken(page, tmp_path)] == ["a.md#same-2: no such heading", "die.svg: no such file", "../: no such file"]
