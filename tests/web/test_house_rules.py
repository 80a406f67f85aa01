"""House rules over HTTP: by text, file or form; played, solved and shared."""

import html
import re
from collections import Counter

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
from support.house_rules_pages import bring, file_in, form_of, page_text, save_rules, submit_form
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


def test_text_becomes_a_book_with_listed_differences(caller: Caller) -> None:
    client = caller("Ann")
    address = save_rules(client, OURS)
    page = client.get(address)
    assert page.status_code == 200
    said = page_text(page)
    assert "Differences from Yahtzee" in said
    assert "Yahtzee: 3 and 2 of a kind, different numbers: 25 points. (Lower Section)" in said
    assert "Here: 3 and 2 of a kind, different numbers: 30 points. (Lower Section)" in said
    assert "Saved house rules never change" in said
    compared = page_text(client.get(f"{address}?against=yatzy"))
    assert "Differences from Yatzy" in compared


def test_same_text_is_one_book_for_everyone(caller: Caller) -> None:
    address = save_rules(caller("Ann"), OURS)
    assert save_rules(caller("Bob"), OURS.replace("\n", "\r\n")) == address
    assert address == f"/house/{house_id(OURS)}"
    assert save_rules(caller("Bob"), OURS.replace("30", "31")) != address


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
def test_broken_text_is_explained_and_kept(
    caller: Caller, text: str, line: int, quoted: str, reason: str, way_out: str
) -> None:
    answer = bring(caller("Ann"), text)
    assert answer.status_code == 422
    said = page_text(answer)
    assert f"Line {line} cannot be used" in said
    assert reason in said
    assert way_out in said
    blamed = re.search(r'<li class="blamed" value="(\d+)">.*?<code>(.*?)</code>', answer.text)
    assert blamed is not None
    assert (int(blamed[1]), html.unescape(blamed[2])[: len(quoted)]) == (line, quoted)
    assert file_in(answer).rstrip("\n") == text.rstrip("\n"), "what was typed comes back"


def test_known_error_column_is_marked(caller: Caller) -> None:
    answer = bring(caller("Ann"), 'extends = "yahtzee"\nname = Ours\n')
    assert '<code class="caret" aria-hidden="true">       ^</code>' in answer.text


def test_uploaded_files_must_be_text(caller: Caller) -> None:
    client = caller("Ann")
    answer = client.post("/house", files={"file": ("ours.toml", b"\xef\xbb\xbf" + OURS.encode())})
    assert answer.headers["location"] == f"/house/{house_id(OURS)}"
    latin = OURS.replace("Ours", "Zoë").encode("latin-1")
    answer = client.post("/house", files={"file": ("ours.toml", latin)})
    assert answer.status_code == 422
    assert "Line 2 cannot be used" in page_text(answer)
    assert "not UTF-8 text. The byte 0xeb cannot be read." in page_text(answer)
    assert "Save the file as UTF-8" in page_text(answer)
    assert "Zo\ufffd" in file_in(answer), "what can be read of it is there to be mended"


def test_long_texts_are_refused_with_their_length(caller: Caller) -> None:
    client = caller("Ann")
    answer = bring(client, OURS + "#" * LONGEST_TEXT)
    assert answer.status_code == 422
    assert f"characters. Rules may have at most {LONGEST_TEXT}." in page_text(answer)
    assert "write down only what differs" in page_text(answer)
    assert bring(client, "#" * 400_000).status_code == 413
    assert bring(client, "").status_code == 422


def test_hostile_names_are_shown_and_never_run(caller: Caller) -> None:
    client = caller("Mallory")
    name = "<script>alert(1)</script>'&{{7*7}}"
    address = save_rules(client, OURS.replace("Ours", name))
    table = client.post(f"{address}/open", data={"action": "play"}).headers["location"]
    for path in (address, table, "/", "/tables", "/house", f"/house/build?base={address.removeprefix('/house/')}"):
        text = client.get(path).text
        assert "<script>alert" not in text, path
        assert "{{7*7}}" in text, path
    turned = bring(client, OURS.replace("Ours", "Ours \u202e srio"))
    assert turned.status_code == 422, "marks that turn the writing around are no part of a name"
    download = client.get(f"{address}.toml")
    assert '"' not in download.headers["content-disposition"].removeprefix('attachment; filename="').removesuffix('"')


def test_downloaded_file_is_the_same_book(caller: Caller) -> None:
    client = caller("Ann")
    answer = client.get(f"{save_rules(client, OURS)}.toml")
    assert answer.headers["content-disposition"] == 'attachment; filename="yahtzee-house.toml"'
    assert answer.text == OURS
    assert fd.load_book(answer.text).fingerprint == fd.load_book(OURS).fingerprint
    assert client.get("/house/nothing.toml").status_code == 404
    assert client.get("/house/nothing").status_code == 404


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_unchanged_form_gives_the_base_book(caller: Caller, key: str) -> None:
    answer = submit_form(caller("Ann"), key)
    assert answer.status_code == 200
    assert "plays exactly like" in page_text(answer)
    assert fd.load_book(file_in(answer)).fingerprint == fd.book(key).fingerprint
    shown = [line.partition(" =")[0] for line in file_in(answer).splitlines()]
    assert shown == ["extends", "key", "name", "summary"], "only changes are written"


def test_book_is_built_in_the_form(caller: Caller) -> None:
    client = caller("Ann")
    answer = submit_form(
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
    assert answer.status_code == 200, page_text(answer)
    text = file_in(answer)
    assert text.startswith('extends = "yahtzee"\nkey = "grandmas-yahtzee"\nname = "Grandma\'s Yahtzee"\n')
    book = fd.load_book(text)
    assert (book.rolls, book.bonus, book.alike) == (4, fd.rules.Bonus(63, 50), None)
    assert [box.key for box in book.boxes][:2] == ["sixes", "aces"]
    assert "chance" not in book.index
    assert book.box("Two pairs").plain((1, 1, 5, 5, 6)) == 12
    assert book.box("Full House").plain((3, 3, 3, 3, 3)) == 30, "five alike are a full house here"
    said = page_text(answer)
    assert "Here: Up to 4 rolls per turn." in said
    assert "Here: No such box" in said
    assert "full house by itself" not in text, "a note that would be untrue is dropped"
    again = submit_form(client, save_rules(client, text).removeprefix("/house/"), rolls="3")
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
def test_key_is_made_from_the_name(caller: Caller, name: str, key: str) -> None:
    text = file_in(
        submit_form(caller("Ann"), "yatzy", name=name, new__name="骰子", new__pattern="anything", new__pays="all")
    )
    book = fd.load_book(text)
    assert (book.key, book.name) == (key, name)
    assert (book.boxes[-1].key, book.boxes[-1].code) == ("box_new", "xa")


def test_joker_rule_is_built_step_by_step(caller: Caller) -> None:
    steps = {"alike__rule": "own", "alike__applies": "scored", "alike__extra": "25", "alike__at_most": "1"}
    steps |= {"alike__ladder__0__boxes": "face", "alike__ladder__0__worth": "plain"}
    steps |= {
        "alike__ladder__1__boxes": "any",
        "alike__ladder__1__worth": "joker",
        "alike__ladder__1__face_box": "filled",
    }
    answer = submit_form(caller("Ann"), "yatzy", **steps)
    policy = fd.load_book(file_in(answer)).alike
    assert policy is not None
    assert (policy.box, policy.extra, policy.repeat, str(policy.applies)) == ("five_of_a_kind", 25, False, "scored")
    assert [str(rung.boxes) for rung in policy.joker_steps] == ["face", "any"]


def test_impossible_form_values_are_refused(caller: Caller) -> None:
    answer = submit_form(caller("Mallory"), "yahtzee", boxes__aces__section="middle", boxes__twos__pattern="<b>")
    assert answer.status_code == 422
    assert "'boxes.aces.section' must be 'upper' or 'lower'" in page_text(answer)
    assert caller("Mallory").post("/house/build", data={"base": "nothing"}).status_code == 404
    many = form_of(caller("Mallory").get("/house/build?base=yahtzee").text) | {"box": [f"b{n}" for n in range(500)]}
    assert caller("Mallory").post("/house/build", data=many).status_code == 422


def test_house_rules_are_played_by_link(caller: Caller) -> None:
    ann, bob = caller("Ann"), caller("Bob")
    address = save_rules(ann, OURS)
    table = bob.post(f"{address}/open", data={"action": "play"}).headers["location"]
    page = bob.get(table)
    assert f'href="{address}"' in page.text, "everyone at the table can read its rules"
    assert 'id="roll"' in page.text
    key = address.removeprefix("/house/")
    assert f'value="{key}" checked' in bob.get("/new").text, "remembered as the last choice"
    invited = bob.post(f"{address}/open", data={"action": "invite"}, follow_redirects=True)
    assert "Start game" in page_text(invited)
    assert f'href="{address}"' in invited.text


def test_score_pad_accepts_house_rules(caller: Caller) -> None:
    client = caller("Pat")
    key = save_rules(client, OURS).removeprefix("/house/")
    screen = client.get(f"/pad?book={key}")
    assert f'value="{key}" checked' in screen.text
    pad = client.post("/pad", data={"book": key, "name": ["Pat"], "games": "1"}, follow_redirects=True)
    assert pad.status_code == 200
    assert "Ours" in page_text(pad)
    assert "Opens Ours for Pat" in page_text(client.get("/pad"))
    assert "Ours" in page_text(client.get(f"/print/{key}")), "and so does paper"
    assert "There are no rules called" in page_text(client.post("/pad", data={"book": "nothing", "name": ["Pat"]}))


def test_own_rules_are_offered_and_removable(caller: Caller) -> None:
    ann, bob = caller("Shelfless"), caller("Visitor")
    address = save_rules(ann, OURS)
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


def test_tables_and_best_scores_show_the_rules_name(stage: Stage, caller: Caller) -> None:
    client = caller("Scorer")
    key = save_rules(client, TINY).removeprefix("/house/")
    other = save_rules(client, TINY.replace('name = "Tiny"', 'name = "Tiny too"')).removeprefix("/house/")
    for each in (key, other):
        _play_to_the_end(client, each)
    best = stage.store.results.best(player_id(key_of("Scorer")))
    assert set(best) == {key, other}, "two books of one key are two books"
    said = page_text(client.get("/tables"))
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


def test_programs_save_rules_and_get_exact_errors(program: Caller) -> None:
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


def test_unsolvable_book_is_marked_and_playable(caller: Caller) -> None:
    boxes = "".join(
        f'[boxes.more_{number}]\nname = "More {number}"\ncode = "{number:02}"\nsection = "lower"\n'
        'pattern = "anything"\npoints = "all"\n'
        for number in range(15)
    )
    text = f'extends = "yahtzee"\nname = "Large"\n{boxes}'
    client = caller("Ann")
    address = save_rules(client, text)
    book = fd.load_book(text)
    said = page_text(client.get(address))
    assert f"No hints: this game has {limits.states(book):,} states; the limit is {limits.MOST_STATES:,}" in said
    table = client.post(f"{address}/open", data={"action": "play"}, follow_redirects=True)
    assert 'id="roll"' in table.text


def test_book_is_solved_in_the_background_for_bots(caller: Caller, program: Caller) -> None:
    """A bot that plays by exact values waits for them, so a game that it has finished is the proof."""
    key = save_rules(caller("Ann"), TINY).removeprefix("/house/")
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
    assert f"Perfect play averages {mean:.1f} points" in page_text(caller("Ann").get(f"/house/{key}"))


def test_house_rules_are_linked(caller: Caller) -> None:
    client = caller("")
    assert 'href="/house"' in client.get("/rules").text
    assert 'href="/house"' in client.get("/new").text
    schema = client.get("/schema/openapi.json").json()
    assert "/api/books/{key}/solution" in schema["paths"]
    assert "422" in schema["paths"]["/api/books"]["post"]["responses"]


def test_name_of_accents_becomes_a_key_quickly() -> None:
    """Sorting them takes the square of their number, and a form has room for many."""
    with no_hang("the key of a name"):
        assert book_key("a" + "\u0315\u0300" * 100_000) == "a"


@for_each("key", SHIPPED)
def test_examples_on_rules_pages_are_true(key: str) -> None:
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
