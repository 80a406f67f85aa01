"""House rules over HTTP: brought as text or as a file, built in a form, played, solved, and every trouble explained."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx
import pytest

import fivedice as fd
from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard, judge
from fivedice.core.rules import SHIPPED, shipped
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table.actions.rights import player_id
from fivedice.table.house_rules_text import LONGEST_TEXT, house_id
from fivedice.web.pages.house_rules.form_reading import book_key
from fivedice.web.pages.house_rules.rule_examples import box_dice, worked_examples
from for_each import for_each
from long import takes_turns
from web.conftest import Caller
from web.stage import Stage, key_of
from work import no_hang

pytestmark = takes_turns

OURS = 'extends = "yahtzee"\nname = "Ours"\n\n[boxes.full_house]\npoints = 30\n'
# Solved in the blink of an eye.
TINY = """key = "tiny"\nname = "Tiny"\ndice = 2\nrolls = 2
[boxes.pair]\nname = "Pair"\ncode = "pr"\nsection = "lower"\npattern = "groups"\nsizes = [2]\npoints = 10
[boxes.chance]\nname = "Chance"\ncode = "ch"\nsection = "lower"\npattern = "anything"\npoints = "all"
"""


def bring(client: httpx.Client, text: str) -> httpx.Response:
    return client.post("/house", files={"text": (None, text)})


def saved(client: httpx.Client, text: str) -> str:
    answer = bring(client, text)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def words(answer: httpx.Response) -> str:
    """What a page says, without its tags."""
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


def built(client: httpx.Client, base: str, **changes: str | None) -> httpx.Response:
    """Open the form, change some fields (dots are written as two underscores, None unticks), and look at the rules."""
    fields = form_of(client.get(f"/house/build?base={base}").text)
    for name, value in changes.items():
        fields[name.replace("__", ".")] = [] if value is None else [value]
    return client.post("/house/build", data=fields)


def file_in(answer: httpx.Response) -> str:
    found = re.search(r'<textarea id="text"[^>]*>\n(.*?)</textarea>', answer.text, flags=re.DOTALL)
    assert found is not None, words(answer)
    return html.unescape(found[1])


def test_a_text_becomes_a_book_with_its_differences_in_words(caller: Caller) -> None:
    client = caller("Ann")
    address = saved(client, OURS)
    page = client.get(address)
    assert page.status_code == 200
    said = words(page)
    assert "Differences from Yahtzee" in said
    assert "Yahtzee: 3 and 2 of a kind, different numbers: 25 points. (Lower Section)" in said
    assert "Here: 3 and 2 of a kind, different numbers: 30 points. (Lower Section)" in said
    assert "Saved house rules never change" in said
    compared = words(client.get(f"{address}?against=yatzy"))
    assert "Differences from Yatzy" in compared


def test_the_same_text_is_the_same_book_for_everybody(caller: Caller) -> None:
    address = saved(caller("Ann"), OURS)
    assert saved(caller("Bob"), OURS.replace("\n", "\r\n")) == address
    assert address == f"/house/{house_id(OURS)}"
    assert saved(caller("Bob"), OURS.replace("30", "31")) != address


@pytest.mark.parametrize(
    ("text", "line", "quoted", "reason", "way_out"),
    [
        (OURS.replace("30", "0"), 5, "points = 0", "must be from 1 to 1000. It is 0.", "Change it below"),
        ('extends = "yahtzee"\nname = Ours\n', 2, "name = Ours", "not TOML: Invalid value", "quotation marks"),
        (OURS.replace("points", "pionts"), 5, "pionts = 30", "Did you mean 'points'?", "Change it below"),
        (OURS + '[alike]\nladder = [{ boxes = "face", worth = "plain" }]\n', 7, "ladder", "leaves no box", ""),
        (OURS + "dice = 40", 6, "dice = 40", "'boxes.full_house.dice' is not a known key", "Change it below"),
        ("dice = 40\n" + OURS, 1, "dice = 40", "must be from 1 to 8. It is 40.", "Change it below"),
    ],
    ids=["bounds", "no TOML", "misspelt", "ladder", "wrong table", "absurd"],
)
def test_a_broken_text_is_explained_and_not_lost(
    caller: Caller, text: str, line: int, quoted: str, reason: str, way_out: str
) -> None:
    answer = bring(caller("Ann"), text)
    assert answer.status_code == 422
    said = words(answer)
    assert f"Line {line} cannot be used" in said
    assert reason in said
    assert way_out in said
    blamed = re.search(r'<li class="blamed" value="(\d+)">.*?<code>(.*?)</code>', answer.text)
    assert blamed is not None
    assert (int(blamed[1]), html.unescape(blamed[2])[: len(quoted)]) == (line, quoted)
    assert file_in(answer).rstrip("\n") == text.rstrip("\n"), "what was typed comes back"


def test_the_place_in_the_line_is_marked_where_it_is_known(caller: Caller) -> None:
    answer = bring(caller("Ann"), 'extends = "yahtzee"\nname = Ours\n')
    assert '<code class="caret" aria-hidden="true">       ^</code>' in answer.text


def test_files_are_taken_and_those_that_are_no_text_are_explained(caller: Caller) -> None:
    client = caller("Ann")
    answer = client.post("/house", files={"file": ("ours.toml", b"\xef\xbb\xbf" + OURS.encode())})
    assert answer.headers["location"] == f"/house/{house_id(OURS)}"
    latin = OURS.replace("Ours", "Zoë").encode("latin-1")
    answer = client.post("/house", files={"file": ("ours.toml", latin)})
    assert answer.status_code == 422
    assert "Line 2 cannot be used" in words(answer)
    assert "not UTF-8 text. The byte 0xeb cannot be read." in words(answer)
    assert "Save the file as UTF-8" in words(answer)
    assert "Zo\ufffd" in file_in(answer), "what can be read of it is there to be mended"


def test_what_is_too_long_is_refused_with_its_length(caller: Caller) -> None:
    client = caller("Ann")
    answer = bring(client, OURS + "#" * LONGEST_TEXT)
    assert answer.status_code == 422
    assert f"characters. Rules may have at most {LONGEST_TEXT}." in words(answer)
    assert "write down only what differs" in words(answer)
    assert bring(client, "#" * 400_000).status_code == 413
    assert bring(client, "").status_code == 422


def test_hostile_names_are_shown_and_never_run(caller: Caller) -> None:
    client = caller("Mallory")
    name = "<script>alert(1)</script>'&{{7*7}}"
    address = saved(client, OURS.replace("Ours", name))
    table = client.post(f"{address}/open", data={"action": "play"}).headers["location"]
    for path in (address, table, "/", "/tables", "/house", f"/house/build?base={address.removeprefix('/house/')}"):
        text = client.get(path).text
        assert "<script>alert" not in text, path
        assert "{{7*7}}" in text, path
    turned = bring(client, OURS.replace("Ours", "Ours \u202e srio"))
    assert turned.status_code == 422, "marks that turn the writing around are no part of a name"
    download = client.get(f"{address}.toml")
    assert '"' not in download.headers["content-disposition"].removeprefix('attachment; filename="').removesuffix('"')


def test_the_file_can_be_fetched_and_is_the_same_book_for_the_library(caller: Caller) -> None:
    client = caller("Ann")
    answer = client.get(f"{saved(client, OURS)}.toml")
    assert answer.headers["content-disposition"] == 'attachment; filename="yahtzee-house.toml"'
    assert answer.text == OURS
    assert fd.load_book(answer.text).fingerprint == fd.load_book(OURS).fingerprint
    assert client.get("/house/nothing.toml").status_code == 404
    assert client.get("/house/nothing").status_code == 404


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_a_form_that_is_not_touched_gives_the_book_it_was_started_from(caller: Caller, key: str) -> None:
    answer = built(caller("Ann"), key)
    assert answer.status_code == 200
    assert "plays exactly like" in words(answer)
    assert fd.load_book(file_in(answer)).fingerprint == fd.book(key).fingerprint
    told = [line.partition(" =")[0] for line in file_in(answer).splitlines()]
    assert told == ["extends", "key", "name", "summary"], "nothing is told that did not change"


def test_a_book_is_built_in_the_form(caller: Caller) -> None:
    client = caller("Ann")
    answer = built(
        client,
        "yahtzee",
        name="Grandma's Yahtzee",
        rolls="4",
        bonus__points="50",
        alike__extra="0",
        alike__rule="none",
        boxes__full_house__points="30",
        boxes__full_house__same_face="yes",
        boxes__chance__on=None,
        boxes__sixes__place="0",
        new__name="Two pairs",
        new__dice="2+2",
        new__pays="matching",
    )
    assert answer.status_code == 200, words(answer)
    text = file_in(answer)
    assert text.startswith('extends = "yahtzee"\nkey = "grandmas-yahtzee"\nname = "Grandma\'s Yahtzee"\n')
    book = fd.load_book(text)
    assert (book.rolls, book.bonus, book.alike) == (4, fd.rules.Bonus(63, 50), None)
    assert [box.key for box in book.boxes][:2] == ["sixes", "aces"]
    assert "chance" not in book.index
    assert book.box("Two pairs").plain((1, 1, 5, 5, 6)) == 12
    assert book.box("Full House").plain((3, 3, 3, 3, 3)) == 30, "five alike are a full house here"
    said = words(answer)
    assert "Here: Up to 4 rolls per turn." in said
    assert "Here: No such box" in said
    assert "full house by itself" not in text, "a note that would be untrue is dropped"
    again = built(client, saved(client, text).removeprefix("/house/"), rolls="3")
    assert fd.load_book(file_in(again)).rolls == 3
    assert "two_pairs" in file_in(again), "what was built before is still there"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Zoë's № 5", "zoes-no-5"),
        ("Yahtzee", "yahtzee-house"),
        ("7 up", "our-7-up"),
        ("骰子", "our-rules"),
        ("x" * 80, "x" * 30),
    ],
)
def test_a_key_is_made_from_the_name(caller: Caller, name: str, key: str) -> None:
    text = file_in(built(caller("Ann"), "yatzy", name=name, new__name="骰子", new__pattern="anything", new__pays="all"))
    book = fd.load_book(text)
    assert (book.key, book.name) == (key, name)
    assert (book.boxes[-1].key, book.boxes[-1].code) == ("box_new", "xa")


def test_a_joker_rule_is_built_step_by_step(caller: Caller) -> None:
    steps = {"alike__rule": "own", "alike__applies": "scored", "alike__extra": "25", "alike__at_most": "1"}
    steps |= {"alike__ladder__0__boxes": "face", "alike__ladder__0__worth": "plain"}
    steps |= {
        "alike__ladder__1__boxes": "any",
        "alike__ladder__1__worth": "joker",
        "alike__ladder__1__face_box": "filled",
    }
    answer = built(caller("Ann"), "yatzy", **steps)
    policy = fd.load_book(file_in(answer)).alike
    assert policy is not None
    assert (policy.box, policy.extra, policy.repeat, str(policy.applies)) == ("five_of_a_kind", 25, False, "scored")
    assert [str(rung.boxes) for rung in policy.joker_steps] == ["face", "any"]


def test_what_no_form_would_send_is_refused_too(caller: Caller) -> None:
    answer = built(caller("Mallory"), "yahtzee", boxes__aces__section="middle", boxes__twos__pattern="<b>")
    assert answer.status_code == 422
    assert "'boxes.aces.section' must be 'upper' or 'lower'" in words(answer)
    assert caller("Mallory").post("/house/build", data={"base": "nothing"}).status_code == 404
    many = form_of(caller("Mallory").get("/house/build?base=yahtzee").text) | {"box": [f"b{n}" for n in range(500)]}
    assert caller("Mallory").post("/house/build", data=many).status_code == 422


def test_a_house_book_is_played_by_its_link_and_read_at_its_table(caller: Caller) -> None:
    ann, bob = caller("Ann"), caller("Bob")
    address = saved(ann, OURS)
    table = bob.post(f"{address}/open", data={"action": "play"}).headers["location"]
    page = bob.get(table)
    assert f'href="{address}"' in page.text, "everyone at the table can read its rules"
    assert 'id="roll"' in page.text
    key = address.removeprefix("/house/")
    assert f'value="{key}" checked' in bob.get("/new").text, "remembered as the last choice"
    invited = bob.post(f"{address}/open", data={"action": "invite"}, follow_redirects=True)
    assert "Start game" in words(invited)
    assert f'href="{address}"' in invited.text


def test_a_score_pad_takes_a_house_book(caller: Caller) -> None:
    client = caller("Pat")
    key = saved(client, OURS).removeprefix("/house/")
    screen = client.get(f"/pad?book={key}")
    assert f'value="{key}" checked' in screen.text
    pad = client.post("/pad", data={"book": key, "name": ["Pat"], "games": "1"}, follow_redirects=True)
    assert pad.status_code == 200
    assert "Ours" in words(pad)
    assert "Opens Ours for Pat" in words(client.get("/pad"))
    assert "Ours" in words(client.get(f"/print/{key}")), "and so does paper"
    assert "There are no rules called" in words(client.post("/pad", data={"book": "nothing", "name": ["Pat"]}))


def test_ones_own_books_are_offered_and_can_be_forgotten(caller: Caller) -> None:
    ann, bob = caller("Shelfless"), caller("Visitor")
    address = saved(ann, OURS)
    key = address.removeprefix("/house/")
    assert f'name="book" value="{key}"' in ann.get("/new").text
    assert f'name="book" value="{key}"' not in bob.get("/new").text
    assert bob.post(f"{address}/keep").status_code == 303
    assert f'name="book" value="{key}"' in bob.get("/new").text
    assert ann.post(f"{address}/forget").headers["location"] == "/house"
    assert f'name="book" value="{key}"' not in ann.get("/new").text
    assert ann.get(address).status_code == 200, "the link still works"
    chosen = {"name": ["Ann"], "book": key, "action": "start"}
    assert ann.post("/tables", data=chosen).status_code == 303, "and so does setting up a table with it"


def test_tables_and_best_scores_show_the_name_of_the_book(stage: Stage, caller: Caller) -> None:
    client = caller("Scorer")
    key = saved(client, TINY).removeprefix("/house/")
    other = saved(client, TINY.replace('name = "Tiny"', 'name = "Tiny too"')).removeprefix("/house/")
    for each in (key, other):
        _play_to_the_end(client, each)
    best = stage.store.results.best(player_id(key_of("Scorer")))
    assert set(best) == {key, other}, "two books of one key are two books"
    said = words(client.get("/tables"))
    assert "Tiny too" in said
    assert key not in said


def _play_to_the_end(client: httpx.Client, book: str) -> None:
    api = {"authorization": f"Bearer {client.cookies['fivedice_player']}"}
    plan = {"book": book, "seats": [{"name": "Ann"}], "start": True}
    table = client.post("/api/tables", json=plan, headers=api).json()["id"]
    for box in ("pair", "chance"):
        for command in ({"command": "roll"}, {"command": "score", "box": box}):
            seen = client.get(f"/api/tables/{table}", headers=api).json()
            body = command | {"version": seen["version"]}
            assert client.post(f"/api/tables/{table}/commands", json=body, headers=api).status_code == 200


def test_programs_bring_books_and_hear_exactly_what_is_wrong(program: Caller) -> None:
    client = program("Prog")
    answer = client.post("/books", json={"text": OURS})
    assert answer.status_code == 201
    assert answer.json()["id"] == house_id(OURS)
    assert answer.json()["fingerprint"] == fd.load_book(OURS).fingerprint
    assert client.get(f"/books/{house_id(OURS)}/text").text == OURS
    assert client.get("/books/yahtzee/text").status_code == 404
    assert client.get(f"/books/{house_id(OURS)}").json()["name"] == "Ours"
    rows = client.get(f"/books/{house_id(OURS)}/differences?against=yahtzee").json()
    assert [row["topic"] for row in rows] == ["Full House"]
    broken = client.post("/books", json={"text": OURS.replace("30", "0")})
    assert broken.status_code == 422
    assert broken.json() | {"message": "", "args": {}} == {
        "error": "bad-book",
        "message": "",
        "kind": "table.rules-line",
        "args": {},
        "reason": "'boxes.full_house.points' must be from 1 to 1000. It is 0.",
        "line": 5,
        "column": None,
        "path": "boxes.full_house.points",
        "text": "points = 0",
    }
    opened = client.post("/tables", json={"rules": OURS.replace("30", "0"), "seats": [{"name": "Ann"}]})
    assert (opened.status_code, opened.json()["line"]) == (422, 5), "the same for a table that brings its rules"
    assert program("").post("/books", json={"text": OURS}).status_code == 401
    assert client.get("/books/nothing/solution").status_code == 404


def test_a_book_that_is_too_large_to_solve_says_so_and_can_be_played(caller: Caller) -> None:
    boxes = "".join(
        f'[boxes.more_{number}]\nname = "More {number}"\ncode = "{number:02}"\nsection = "lower"\n'
        'pattern = "anything"\npoints = "all"\n'
        for number in range(15)
    )
    text = f'extends = "yahtzee"\nname = "Large"\n{boxes}'
    client = caller("Ann")
    address = saved(client, text)
    book = fd.load_book(text)
    said = words(client.get(address))
    assert f"No hints: this game has {limits.states(book):,} states; the limit is {limits.MOST_STATES:,}" in said
    table = client.post(f"{address}/open", data={"action": "play"}, follow_redirects=True)
    assert 'id="roll"' in table.text


def test_a_book_is_solved_beside_the_pages_and_the_bots_know_it_then(caller: Caller, program: Caller) -> None:
    """A bot that plays by exact values waits for them, so a game that it has finished is the proof."""
    key = saved(caller("Ann"), TINY).removeprefix("/house/")
    client = program("Ann")
    plan = {"book": key, "seats": [{"bot": "perfect"}], "start": True}
    table = client.post("/tables", json=plan).json()["id"]
    with client.stream("GET", f"/tables/{table}/live", timeout=120) as stream:
        for _ in stream.iter_lines():
            if client.get(f"/tables/{table}").json()["phase"] == "finished":
                break
    book = fd.load_book(TINY)
    mean = fd.solve(book, cache=False).value(fd.Scorecard.empty(book))
    found = client.get(f"/books/{key}/solution").json()
    assert (found["state"], found["done"]) == ("ready", 1.0)
    assert found["mean"] == pytest.approx(mean)
    assert f"Perfect play averages {mean:.1f} points" in words(caller("Ann").get(f"/house/{key}"))


def test_the_way_to_house_rules_is_shown(caller: Caller) -> None:
    client = caller("")
    assert 'href="/house"' in client.get("/rules").text
    assert 'href="/house"' in client.get("/new").text
    schema = client.get("/schema/openapi.json").json()
    assert "/api/books/{key}/solution" in schema["paths"]
    assert "422" in schema["paths"]["/api/books"]["post"]["responses"]


def test_a_name_of_nothing_but_accents_is_soon_a_key() -> None:
    """Sorting them takes the square of their number, and a form has room for many."""
    with no_hang("the key of a name"):
        assert book_key("a" + "\u0315\u0300" * 100_000) == "a"


@for_each("key", SHIPPED)
def test_examples_on_rules_pages_hold_by_their_book(key: str) -> None:
    book = shipped(key)
    for example in worked_examples(book):
        card = Scorecard(book, tuple(example["filled"].get(box.key) for box in book.boxes))
        ruling = judge(card, Roll.parse(example["rolls"][-1]))
        assert {box: ruling.legal[box].points for box in example["scores"]} == example["scores"], example
        assert ruling.bonus == example["extra"]
        assert example["chosen"] in (None, *ruling.legal)
        for keep, before, after in zip(example["keeps"], example["rolls"], example["rolls"][1:], strict=False):
            assert Counter(keep) <= Counter(before) & Counter(after)
    assert box_dice(book).keys() == book.index.keys()
    assert all(book.box(box).plain(dice) for box, dice in box_dice(book).items())
