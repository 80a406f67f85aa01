"""The rules that a phone fetches: addresses, languages, caching and refusals."""

import gzip
from typing import Any

import pytest

from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.table.house_rules_text import house_book
from fivedice.text import text_of, using
from fivedice.web.http.page_files import content
from fivedice.web.pages.pad import rule_data
from fivedice.web.pages.pad.rule_data import KINDS, encode_rules, rules_link
from for_each import for_each
from rules.houses import CHANCE, face_box, text
from web.inside import Inside, shared_server

BUDGET = 13 * 1024  # bytes, compressed: the scripts that judge, and one book
SCRIPTS = ("pad/judge.js", "pad/sheet.js")


server = shared_server


def house(server: Inside, rules: str) -> tuple[str, RuleBook]:
    return server.stage.tables.store.shelf.save(rules, None), house_book(rules)


def link(book: RuleBook, address: str) -> str:
    found = rules_link(book, address)
    assert found is not None
    return found


@for_each("key", SHIPPED)
def test_shipped_rules_are_cached_for_ever(server: Inside, key: str) -> None:
    answer = server.ask("GET", link(shipped(key), key))
    assert (answer.status_code, answer.json()["rules"]["fingerprint"]) == (200, shipped(key).fingerprint)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_rules_links_depend_on_version_names_and_language(server: Inside) -> None:
    answer = server.ask("GET", "/pad/rules/yatzy?of=0123456789ab")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    again = server.ask("GET", "/pad/rules/yatzy", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for key in ("nothing", "x" * 5000, "%00", "..%2f"):
        assert server.ask("GET", f"/pad/rules/{key}").status_code == 404
    # Their fingerprint is the same.
    one = house(server, text(face_box(1), face_box(2), CHANCE))
    other = house(server, text(face_box(2), CHANCE.replace("Chance", "Whatever"), face_box(1)))
    assert one[1].fingerprint == other[1].fingerprint
    found = [server.ask("GET", link(book, address)).json()["names"]["boxes"] for address, book in (one, other)]
    assert found == [["Aces", "Twos", "Chance"], ["Twos", "Whatever", "Aces"]]
    english = link(shipped("yatzy"), "yatzy")
    with using("en-XA"):
        assert link(shipped("yatzy"), "yatzy") != english
        shown = encode_rules(shipped("yatzy"), "yatzy").body.decode()
    assert "Çĥåñçé" in shown
    assert server.ask("GET", english).json()["names"]["boxes"][-2] == "Chance"


def test_oversized_rules_are_refused_early(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = [face_box(face) for face in range(1, 7)]
    address, book = house(server, text(*faces, CHANCE, head=["dice = 8", "faces = 9"]))  # 90,090
    monkeypatch.setattr(rule_data, "rule_table", None)
    answer = server.ask("GET", f"/pad/rules/{address}")
    assert answer.status_code == 422
    assert "These rules have too many different rolls to send them all at once." in answer.text
    assert rules_link(book, address) is None


def test_cached_rules_are_bounded(server: Inside) -> None:
    for number in range(rule_data._KEPT + 3):
        address, _ = house(server, text(face_box(1), CHANCE, key=f"house-{number}"))
        assert server.ask("GET", f"/pad/rules/{address}").status_code == 200
    assert len(rule_data._encoded) == rule_data._KEPT


def test_every_sent_sentence_exists() -> None:
    assert all(text_of(kind) for kind in KINDS)


@for_each("key", SHIPPED)
def test_scripts_and_one_book_are_small(key: str) -> None:
    parts: list[Any] = [encode_rules(shipped(key), key).body, *map(content, SCRIPTS)]
    assert sum(len(gzip.compress(part)) for part in parts) < BUDGET + max(0, shipped(key).dice - 5) * 1024
