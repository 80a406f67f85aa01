"""Pages in the reader's language."""

import pytest

from fivedice.text.languages import PSEUDO
from fivedice.web.middleware import negotiate_language
from for_each import for_each
from long import few, takes_turns
from support.access_requests import send
from web.access_matrix import ACCESS, Access
from web.inside import Inside, shared_server
from words.unaccented import Unaccented

pytestmark = takes_turns

THERE_ARE = ("en", "da", "pt-BR")


@for_each(
    ("header", "language"),
    [
        ("", "en"),
        ("da", "da"),
        ("da-DK, da;q=0.9, en;q=0.8", "da"),
        ("fr, en;q=0.5, da;q=0.7", "da"),
        ("da;q=0, pt-br;q=0.1", "pt-BR"),
        ("pt", "en"),
        ("da;q=much, *", "en"),
        (", ;q=, -", "en"),
    ],
)
def test_language_follows_the_browser(header: str, language: str) -> None:
    assert negotiate_language(header, THERE_ARE) == language


def test_server_language_can_be_set(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Inside(tmp_path_factory.mktemp("language"), language=PSEUDO) as server:
        page = server.ask("GET", "/", headers={"accept-language": "en"}).text
    assert '<html lang="en-XA" dir="ltr">' in page
    assert "Ķîŕ" not in page
    assert "Ŕûļéš" in page


server = shared_server


PAGES = [access for access in ACCESS if not access.path.startswith(("/api", "/schema", "/static"))]


@for_each("access", few(PAGES, len(PAGES) // 3), ids=lambda access: access.name)
def test_every_page_text_is_in_the_catalogue(server: Inside, access: Access) -> None:
    """Asked for in English first: what is kept for the next reader is not kept in the language of the last."""
    send(server, access, "Ann")
    answers = [send(server, access, who, headers={"accept-language": PSEUDO}) for who in ("Ann", "Host")]
    pages = [answer.text for answer in answers if answer.headers.get("content-type", "").startswith("text/html")]
    english = sorted({text for page in pages for text in Unaccented(page).found})
    assert english == []
