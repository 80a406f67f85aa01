"""Save house rules by text and by form, and read the answers."""

import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


def bring(client: httpx.Client, text: str) -> httpx.Response:
    return client.post("/house", files={"text": (None, text)})


def save_rules(client: httpx.Client, text: str) -> str:
    answer = bring(client, text)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def page_text(answer: httpx.Response) -> str:
    """Return the text of a page without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


@dataclass
class Fields(HTMLParser):
    """The fields of the form on a page, as a browser would send them back."""

    found: dict[str, list[str]] = field(default_factory=dict)
    _select: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._select = given["name"]
        elif tag == "option" and "selected" in given:
            self.found[self._select] = [given["value"]]
        elif tag == "input" and "name" in given:
            ticked = given.get("type") not in {"checkbox", "radio"} or "checked" in given
            if ticked and given.get("type") != "file":
                self.found.setdefault(given["name"], []).append(given.get("value", ""))


def form_of(page: str) -> dict[str, list[str]]:
    fields = Fields()
    fields.feed(page[page.index('<form method="post" action="/house/build') :])
    return fields.found


def submit_form(client: httpx.Client, base: str, **changes: str | None) -> httpx.Response:
    """Open the form, change some fields (dots are written as two underscores, None unticks), and look at the rules."""
    fields = form_of(client.get(f"/house/build?base={base}").text)
    for name, value in changes.items():
        fields[name.replace("__", ".")] = [] if value is None else [value]
    return client.post("/house/build", data=fields)


def file_in(answer: httpx.Response) -> str:
    found = re.search(r'<textarea id="text"[^>]*>\n(.*?)</textarea>', answer.text, flags=re.DOTALL)
    assert found is not None, page_text(answer)
    return html.unescape(found[1])
