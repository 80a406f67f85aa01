"""The print view and the PDFs of the web table."""

import re
from dataclasses import replace

import pytest

from fivedice.core.game import LineKind, sheet_lines
from fivedice.core.rules import SHIPPED
from fivedice.table.actions import events as ev
from paper.sheets import text_of
from web.conftest import Caller
from web.stage import Scene, Stage


def fields(page: str, kind: str) -> list[list[str]]:
    """The fields of every row of a kind."""
    rows = re.findall(rf'<tr class="row-{kind}">(.*?)</tr>', page, flags=re.DOTALL)
    return [[text.strip() for text in re.findall(r'<td class="field"[^>]*>(.*?)</td>', row)] for row in rows]


def all_blank(rows: list[list[str]]) -> bool:
    return bool(rows) and not any(text for row in rows for text in row)


def test_empty_sheet_of_every_book(caller: Caller) -> None:
    client = caller("")
    shelf = re.findall(r'href="/rules/([a-z-]+)"', client.get("/rules").text)
    assert shelf == list(SHIPPED)
    for key in shelf:
        assert f'href="/print/{key}"' in client.get(f"/rules/{key}").text
        page = client.get(f"/print/{key}")
        assert page.status_code == 200
        assert all_blank(fields(page.text, "box"))
        assert f'href="/print/{key}.pdf"' in page.text
        assert "style=" not in page.text
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=", page.text)


def test_pdf_has_the_same_choices(caller: Caller) -> None:
    client = caller("")
    page = client.get("/print/yatzy?games=2&players=&large=yes&paper=letter").text
    assert page.count("Game 2") == 2, "the sections have a page each"
    assert "large-print" in page
    (link,) = re.findall(r'href="(/print/yatzy\.pdf[^"]*)"', page)
    answer = client.get(link.replace("&amp;", "&"))
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'inline; filename="yatzy.pdf"'
    assert text_of(answer.content).count("Game 2") == 2


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/print/nope", 404, "There are no rules called"),
        ("/print/nope.pdf", 404, "There are no rules called"),
        ("/print/..%2Fetc", 404, ""),
        ("/print/yatzy?games=13", 400, "A sheet shows 1 to 12 games side by side, not 13."),
        (
            "/print/yatzy.pdf?players=7&large=yes",
            400,
            "A sheet in large print shows 1 to 6 players side by side, not 7.",
        ),
        ("/print/yatzy?games=%3Cb%3E", 400, "Enter a number. You entered"),
        ("/print/yatzy?games=99999999999999999999", 400, "Enter a number. You entered"),
        ("/print/yatzy.pdf?paper=a3", 400, "Paper can be a4 or letter."),
        ("/t/nowhere/print", 404, "There is no game"),
        ("/t/nowhere/sheet.pdf", 404, "There is no game"),
    ],
)
def test_invalid_print_requests_are_refused(caller: Caller, path: str, status: int, sentence: str) -> None:
    answer = caller("").get(path)
    assert answer.status_code == status
    assert sentence in answer.text
    assert "<b>" not in answer.text


def test_anyone_who_sees_a_table_may_print_it(stage: Stage, caller: Caller) -> None:
    scene = stage.scene("yahtzee", "Ann", "<i>Bob</i>").start().play_until(0)
    path = stage.put(scene)
    assert f'href="{path}/print"' in caller("Ann").get(path).text
    page = caller("").get(f"{path}/print").text
    cards = scene.state.running.position.cards
    lines = [sheet_lines(card) for card in cards]
    for kind in (LineKind.BOX, LineKind.TOTAL, LineKind.BONUS, LineKind.GRAND):
        found = [[str(line.value) for line in row] for row in zip(*lines, strict=True) if row[0].kind is kind]
        assert fields(page, kind) == found
    assert "&lt;i&gt;Bob&lt;/i&gt;" in page
    assert "<i>Bob" not in page
    shown = text_of(caller("").get(f"{path}/sheet.pdf?large=yes").content)
    assert f"Grand Total {cards[0].total} {cards[1].total}" in shown
    assert "<i>Bob</i>" in shown


def test_date_of_a_table_is_printed(stage: Stage, caller: Caller) -> None:
    for played in (True, False):
        scene = stage.scene("yatzy", "Ann", "Bob")
        scene.log[0] = replace(scene.log[0], at="2026-05-04T20:15:00Z")
        scene = replay(scene)
        path = stage.put(scene.start() if played else scene)
        shown = caller("").get(f"{path}/print").text, text_of(caller("").get(f"{path}/sheet.pdf").content)
        assert ["4 May 2026" in text for text in shown] == [played] * 2


def test_house_rules_are_printed_by_address(caller: Caller) -> None:
    client = caller("Ann")
    saved = client.post("/house", data={"text": 'extends = "yatzy"\nkey = "ours"\nname = "Our Yatzy"'})
    address = saved.headers["location"]
    assert "Our Yatzy" in client.get(address.replace("/house/", "/print/")).text
    assert "Our Yatzy" in text_of(client.get(f"{address.replace('/house/', '/print/')}.pdf").content)


def test_sheet_is_empty_before_the_first_roll(stage: Stage, caller: Caller) -> None:
    seating, begun = stage.put(stage.scene("yatzy", "Ann")), stage.put(stage.scene("yatzy", "Ann", "Bob").start())
    assert "Date" in text_of(caller("").get(f"{seating}/sheet.pdf").content)
    page = caller("").get(f"{begun}/print").text
    assert all_blank(fields(page, "box"))
    assert "Ann" in page


def test_house_rules_and_several_games_are_printed(stage: Stage, caller: Caller) -> None:
    scene = Scene("scene-house", "yatzy", ["Ann"])
    scene.log[0] = ev.Opened("yatzy", scene.state.host, rules='extends = "yatzy"\nkey = "ours"\nname = "Ours"', games=3)
    scene = replay(scene).start().play_until(0)
    path = stage.put(scene)
    page = caller("").get(f"{path}/print").text
    assert "Ours" in page
    assert "Game 3" in page
    assert fields(page, "grand") == [[str(scene.state.running.position.cards[0].total), "", ""]]
    assert "Ours" in text_of(caller("").get(f"{path}/sheet.pdf").content)


def replay(scene: Scene) -> Scene:
    """The same table from its changed first event on."""
    from fivedice.table.state import TableState, fold_events

    scene.state = fold_events(TableState(scene.state.id), scene.log)
    return scene
