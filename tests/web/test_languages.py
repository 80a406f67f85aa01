"""Pages in the reader's language."""

import re
from functools import partial
from itertools import product

import httpx
import pytest

from fivedice.text.languages import PSEUDO, menu
from fivedice.web.http.identity import LANGUAGE_COOKIE
from fivedice.web.middleware import negotiate_language
from for_each import for_each
from long import LONG, few, takes_turns
from support.access_requests import send
from web.access_matrix import ACCESS, Access
from web.inside import Inside, shared_server
from words.unaccented import Unaccented
from words.vocabulary import LANGUAGES, foreign_words

pytestmark = takes_turns

THERE_ARE = ("en", "da", "nb", "pt-BR")


@for_each(
    ("header", "language"),
    [
        ("", "sv"),
        ("da", "da"),
        ("da-DK, da;q=0.9, en;q=0.8", "da"),
        ("fr, en;q=0.5, da;q=0.7", "da"),
        ("da;q=0, pt-br;q=0.1", "pt-BR"),
        ("pt", "pt-BR"),
        ("pt-PT, en;q=0.5", "pt-BR"),
        ("ja, nn-NO;q=0.5, en;q=0.3", "nb"),
        ("da;q=much, *", "sv"),
        (", ;q=, -", "sv"),
    ],
)
def test_language_follows_the_browser(header: str, language: str) -> None:
    assert negotiate_language(header, "sv", THERE_ARE) == language


server = shared_server


def language_of(answer: httpx.Response) -> str:
    return re.findall(r'<html lang="([\w-]+)" dir="ltr">', answer.text)[0]


def test_order_of_choice(server: Inside, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A link, then the last choice, then the browser, then the operator, then English."""
    asks, chose = {"accept-language": "pt-PT"}, {"cookie": f"{LANGUAGE_COOKIE}=sv"}
    assert language_of(server.ask("GET", "/?lang=fi", headers=asks | chose)) == "fi"
    assert language_of(server.ask("GET", "/?lang=klingon", headers=asks | chose)) == "sv"
    assert language_of(server.ask("GET", "/", headers=asks)) == "pt-BR"
    assert language_of(server.ask("GET", "/", headers={"accept-language": "ja"})) == "en"
    with Inside(tmp_path_factory.mktemp("language"), language=PSEUDO) as other:
        assert language_of(other.ask("GET", "/", headers=asks)) == "pt-BR"
        page = other.ask("GET", "/", headers={"accept-language": "ja"})
    assert language_of(page) == PSEUDO
    assert "Ŕûļéš" in page.text


def test_choice_is_a_link_that_is_remembered(server: Inside) -> None:
    table = server.stage.put(server.stage.scene("yahtzee", "Ann").start())
    for path, address in (("/", ""), ("/rules/yahtzee", ""), ("/pad", ""), (table, table)):
        page = server.ask("GET", path, "Ann").text
        link = r'<a href="([^"]*)\?lang=([\w-]+)" lang="([\w-]+)" hreflang="([\w-]+)"[^>]*>([^<]+)</a>'
        links = re.findall(link, page)
        assert {link[0] for link in links} == {address}
        assert [link[1] for link in links] == [link[2] for link in links] == [link[3] for link in links]
        assert {link[1]: link[4] for link in links} == menu()
    assert list(menu().values()) == sorted(menu().values())
    answer = server.ask("GET", "/rules?lang=nn-NO", "Ann")
    cookie = f"{LANGUAGE_COOKIE}=nb; HttpOnly; Max-Age=34560000; Path=/; SameSite=lax"
    assert cookie in answer.headers.get_list("set-cookie")
    assert LANGUAGE_COOKIE not in str(server.ask("GET", "/rules?lang=klingon", "Ann").headers)
    renewed = server.ask("GET", "/", headers={"cookie": f"{LANGUAGE_COOKIE}=nb"})
    assert f"{LANGUAGE_COOKIE}=nb" in str(renewed.headers), "or it would end after 400 days"


def test_only_a_page_that_a_link_can_repeat_offers_languages(server: Inside) -> None:
    assert 'hreflang="de"' not in server.ask("POST", "/devices/link", "Ann", data={}).text


def test_chosen_language_goes_to_other_devices(server: Inside) -> None:
    assert re.search(
        r"/devices/join/[\w-]+\?lang=sv<", server.ask("POST", "/devices/link?lang=sv", "Ann", data={}).text
    )
    assert "?lang=" not in server.ask("POST", "/devices/link", "Ann", data={}, headers={"accept-language": "sv"}).text


def test_programs_get_english(server: Inside) -> None:
    headers = {"authorization": "Bearer " + "k" * 30, "accept-language": "de"}
    assert server.ask("GET", "/api/tables/none", headers=headers).json()["message"] == (
        "There is no game 'none'. Check the link, or start a new game."
    )


PAGES = [access for access in ACCESS if not access.path.startswith(("/api", "/schema", "/static"))]
DAY = few(LANGUAGES, 2)  # the languages of the day; all of them in the campaign `languages`
NO_LANGUAGE = re.compile("The record needs one value")  # what is wrong in a text in notation


@for_each("access", few(PAGES, len(PAGES) // 3), ids=lambda access: access.name)
def test_every_page_text_is_in_the_catalogue(server: Inside, access: Access) -> None:
    """Asked for in English first: what is kept for the next reader is not kept in the language of the last."""
    send(server, access, "Ann")
    pages = [send_in(server, access, who, PSEUDO) for who in ("Ann", "Host")]
    english = sorted({text for page in pages for text in Unaccented(page).found})
    assert english == []


@for_each("access", few(PAGES, len(PAGES) // 6), ids=lambda access: access.name)
def test_every_page_has_words_of_its_language_alone(server: Inside, access: Access) -> None:
    for language, who in product(DAY, ("Ann", "Host") if LONG else ("Ann",)):
        page = Unaccented(send_in(server, access, who, language), partial(foreign_words, language=language))
        assert [text for text in page.found if not NO_LANGUAGE.match(text)] == [], language


def send_in(server: Inside, access: Access, who: str, language: str) -> str:
    """Return the page that someone with a browser of this language gets; nothing for what is not a page."""
    answer = send(server, access, who, headers={"accept-language": language})
    return answer.text if answer.headers.get("content-type", "").startswith("text/html") else ""
