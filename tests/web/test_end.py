"""The page at the end of a game: the result for each viewer, late parts, and the next game."""

import re
from types import SimpleNamespace
from typing import Any, cast

from httpx import Client

from fivedice.reports.report_lines import choices_message
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import player_id
from fivedice.web.pages.page_parts import _place
from for_each import for_each
from web.conftest import Caller
from web.stage import Scene, Seat, Stage, key_of
from web.waiting import ask_until, ready

ANN = player_id(key_of("Ann"))


def _almost(stage: Stage, *names: str | Seat) -> Scene:
    """Return a game with only the chance boxes open."""
    scene = stage.scene("yahtzee", *names).start()
    return scene.play_until(len(names), spare=("chance",))


def _finish(stage: Stage, caller: Caller, name: str, dice: str = "66655") -> str:
    """A game played to its end through the server, which writes its result."""
    scene = _almost(stage, name).roll(dice)
    path = stage.put(scene)
    caller(name).post(f"{path}/score", data={"version": str(scene.state.version), "box": "chance"})
    return path


def _over(stage: Stage, *names: str | Seat) -> Scene:
    scene = _almost(stage, *names)
    for dice in ("66655", "11112", "11113")[: len(names)]:
        scene.turn(dice, "chance")
    return scene


def _title(page: str) -> str:
    found = re.search(r'class="end-title">(.*?)(?: <span.*)?</h2>', page)
    assert found is not None
    return found[1]


def _again(page: str) -> str:
    """Return the text of the main button."""
    found = re.search(r'<(?:a|button)[^>]* id="again".*?>(.*?)</(?:a|button)>', page, re.DOTALL)
    return "" if found is None else re.sub("<.*?>", "", found[1])


def test_result_in_words_for_each_viewer(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob"))
    assert _title(caller("Ann").get(path).text) == "You win by 22"
    assert _title(caller("Bob").get(path).text) == _title(caller("Dora").get(path).text) == "Ann wins by 22"
    assert _again(caller("Ann").get(path).text) == "Play again"
    assert _again(caller("Dora").get(path).text) == "", "spectators have nothing to answer"


def test_rank_among_own_results(stage: Stage, caller: Caller) -> None:
    name = "Faye"  # who has played nowhere else
    page = caller(name).get(_finish(stage, caller, name, "11112")).text
    assert "Your first game with these rules." in page
    assert 'data-celebrate="best"' not in page
    page = caller(name).get(_finish(stage, caller, name, "66665")).text
    assert "Your best: 23 more than before." in page
    assert 'data-celebrate="best"' in page
    assert "Your second best of 3." in caller(name).get(_finish(stage, caller, name, "55555")).text
    assert "Your third best of 4." in caller(name).get(_finish(stage, caller, name, "44445")).text
    page = caller(name).get(_finish(stage, caller, name, "11113")).text
    assert re.search(r"Your best of 5: \d+\.", page)
    path = _finish(stage, caller, name, "66665")
    assert "The same as your best." in caller(name).get(path).text
    assert "end-place" not in caller("Dora").get(path).text, "these games belong to others"


@for_each(
    ("mine", "others", "kind"),
    [
        (200, [], "web.end-first"),
        (200, [199], "web.end-best"),
        (200, [200], "web.end-best-again"),
        (200, [201, 200], "web.end-second"),
        (200, [201, 202, 100], "web.end-third"),
        (200, [201, 202], "web.end-other"),
        (200, [201, 202, 203], "web.end-other"),
    ],
)
def test_places_among_own_results(mine: int, others: list[int], kind: str) -> None:
    place = _place(mine, others)
    assert place.about.kind == kind
    assert place.is_new_best is (kind == "web.end-best")


def test_undo_is_in_the_menu(stage: Stage, caller: Caller) -> None:
    scene = _almost(stage, "Ann").roll("66655")
    path = stage.put(scene)
    form = {"version": str(scene.state.version), "box": "chance"}
    page = caller("Ann").post(f"{path}/score", data=form, headers={"fivedice-fragment": "1"}).text
    assert page.count('id="undo"') == page.count('id="again"') == 1
    assert page.index('id="end-more"') < page.index('id="undo"') < page.index("</details>", page.index('id="end-more"'))
    assert re.search(r'id="again" data-focus="next"', page)


def test_best_turn_at_once_luck_and_mistakes_later(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob"))
    page = caller("Ann").get(path).text
    assert f'data-wait="{path}/end"' in page
    assert re.search(r"Best turn</h3><span [^>]*Dice 1-2-3-4-6.*Sm. Straight: <strong>30<", page)
    found = ask_until(lambda answer: "data-wait" not in answer.text, lambda: caller("Ann").get(f"{path}/end")).text
    assert re.search(r"The dice gave you \d+ points? (more|less) than usual\.", found)
    miss = r'Biggest miss, turn \d+ <span class="cost">−[\d.]+ points</span></h3><span class="minis"'
    assert re.search(miss + ".*Your choice: (keep|score|roll) .*Better: <strong>(keep|score) ", found)
    ask_until(lambda answer: "data-wait" not in answer.text, lambda: caller("Ann").get(f"{path}/report"))
    assert re.search(miss, caller("Ann").get(f"{path}/end").text), "in points, also once the odds of winning are known"
    both = caller("Dora").get(f"{path}/end").text
    assert re.findall(r"The dice gave (\w+) ", both) == ["Ann", "Bob"], "a spectator reads about all players"
    assert "Biggest miss" not in both


def test_words_for_the_loser_are_kind_and_true(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob"))
    found = ask_until(lambda answer: "data-wait" not in answer.text, lambda: caller("Bob").get(f"{path}/end")).text
    assert "Well played" not in caller("Bob").get(path).text + found, "after many points given away it is not true"
    assert re.search(r"Better choices would have given \d+ points more\.", found)
    scene = _almost(stage, "Ann", "Bob").turn("66655", "chance").turn("66654", "chance")
    assert "So close: only 1 point behind." in caller("Bob").get(stage.put(scene)).text
    assert "So close" not in caller("Ann").get(path).text


def _play_the_day(player: Client) -> str:
    """Play the game of the day with its first dice, and return its path."""
    path = str(player.post("/daily/game").headers["location"])
    page = player.get(path).text
    while 'id="roll-form"' in page and "Game over" not in page:
        paying = re.findall(r'<button name="box" value="(\w+)" id="[\w-]+" class="box (?!.*?zero)', page)
        found = paying or re.findall(r'<button name="box" value="(\w+)"', page)
        version = re.search(r'data-version="(\d+)"', page)
        assert version is not None
        action, form = ("score", {"box": found[0]}) if found else ("roll", {})
        page = player.post(f"{path}/{action}", data={"version": version[1], **form}, follow_redirects=True).text
    return path


def test_luck_is_the_same_number_on_every_page(caller: Caller) -> None:
    luise = caller("Luise")  # who plays no other game here
    path = _play_the_day(luise)
    ended = ask_until(lambda answer: "data-wait" not in answer.text, lambda: luise.get(f"{path}/end")).text
    day = ask_until(lambda answer: "<dt>luck</dt>" in answer.text, lambda: luise.get("/daily")).text
    report = ready(luise.get, f"{path}/report").text
    statistics = ready(luise.get, "/statistics").text
    (luck,) = re.findall(r"<dt>luck</dt><dd>([+−±]?[\d.]+)<", day)
    assert re.findall(r"Luck</summary>.*?</dt><dd>([+−±]?[\d.]+)<", report) == [luck]
    assert re.findall(r"luck ([+−±]?[\d.]+)\.<", statistics) == [luck]
    whole = abs(round(float(luck.replace("−", "-").replace("±", ""))))
    assert re.search(rf"The dice gave you (as much as|{whole} points?)", ended)
    assert re.search(rf"The dice gave Player 1 (as much as|{whole} points?)", report)


@for_each(("lost", "accuracy", "kind"), [(0.2, 99.9, "best"), (9, 96.0, "well"), (60, 75.0, "cost")])
def test_choices_are_praised_where_they_deserve_it(lost: float, accuracy: float, kind: str) -> None:
    assert choices_message(cast("Any", SimpleNamespace(lost=lost, accuracy=accuracy))).kind == f"report.choices-{kind}"


def test_loser_reads_who_had_the_luck_if_it_decided(stage: Stage, caller: Caller) -> None:
    scene = _almost(stage, "Ann", "Bob").turn("66651", "chance").roll("11111").roll("11111")
    path = stage.put(scene.turn("11111", "chance"))
    found = ask_until(lambda answer: "data-wait" not in answer.text, lambda: caller("Bob").get(f"{path}/end")).text
    assert re.search(r"Ann had luckier dice, by \d+ points\.", found)


def test_a_bonus_is_marked_only_where_it_was_earned(stage: Stage, caller: Caller) -> None:
    page = caller("Ann").get(stage.put(_over(stage, "Ann"))).text
    assert re.search(r'<div class="none"><dt><span aria-hidden="true">Bonus', page)
    assert 'class="bonus"' not in page


def test_boxes_and_bonuses_of_the_card_add_up(stage: Stage, caller: Caller) -> None:
    scene = stage.scene("yahtzee", "Ann").start().turn("44444", "five_of_a_kind").turn("66666", "sixes").play_until(0)
    page = caller("Ann").get(stage.put(scene)).text
    assert sum(map(int, re.findall(r"<dd>(\d+)</dd>", page))) == scene.state.all_games[0].position.cards[0].total
    assert re.search(r'<div class="bonus"><dt><span aria-hidden="true">[^<]*</span>.*?<dd>100</dd>', page)


def test_loser_with_a_new_best_gets_no_star_of_a_winner(stage: Stage, caller: Caller) -> None:
    _finish(stage, caller, "Lou", "11112")
    scene = _almost(stage, "Lou", "Bob").turn("66655", "chance").roll("66666")
    path = stage.put(scene)
    caller("Bob").post(f"{path}/score", data={"version": str(scene.state.version), "box": "chance"})
    page = caller("Lou").get(path).text
    assert 'drawer ending"' in page
    assert re.search(r'class="end-place">Your best: .*? <span class="star"', page)


def test_equal_totals_share_a_place(stage: Stage, caller: Caller) -> None:
    page = caller("Ann").get(stage.put(_over(stage, "Ann", "Bob", "Cleo"))).text
    totals = re.findall(r'<span class="place">(\d)\.</span>.*?<strong>(\d+)<', page)
    assert all((one[0] == other[0]) is (one[1] == other[1]) for one in totals for other in totals), totals
    assert len(totals) == 3


def test_share_leads_to_the_picture_and_home_is_under_more(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann"))
    page = caller("Ann").get(path).text
    assert re.search(rf'id="share" href="{path}/picture" data-link="http[^"]*{path}"', page)
    more = page[page.index('id="end-more"') :]
    assert 'id="home"' in more
    assert 'id="new-dice"' in more
    picture = caller("Ann").get(f"{path}/picture").text
    assert f'src="{path}/report.svg"' in picture
    assert f'href="{path}">Back</a>' in picture


def test_no_summary_before_the_end_or_for_slow_books(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    assert caller("Ann").get(f"{path}/end").status_code == 404
    assert caller("Ann").get("/t/nowhere/end").status_code == 404
    path = stage.put(stage.scene("maxi-yatzy", "Ann").start().play_until(0))
    found = caller("Ann").get(f"{path}/end").text
    assert "data-wait" not in found
    assert "end-luck" not in found
    assert f'href="{path}/report"' in caller("Ann").get(path).text


# The next game


def _press(caller: Caller, name: str, path: str, **fields: str) -> str:
    return caller(name).post(f"{path}/again", data=fields, follow_redirects=False).headers["location"]


def test_agreed_rematch_starts_without_seating(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob"))
    assert _press(caller, "Ann", path) == path, "she waits where she is"
    page = caller("Bob").get(path).text
    assert "Ann wants to play again." in page
    assert (_again(page), "No thanks" in page) == ("Play again", True)
    waiting = caller("Ann").get(path).text
    assert (_again(waiting), "Waiting for Bob." in waiting) == ("Waiting…", True)
    following = _press(caller, "Bob", path)
    assert following != path
    assert 'id="roll"' in caller("Bob").get(following).text, "the next seat starts, and the game has begun"
    for name, goes in (("Ann", True), ("Bob", True), ("Dora", False)):
        page = caller(name).get(path, headers={"fivedice-fragment": "1"}).text
        assert (f'data-next="{following}"' in page) is goes, name
        assert _again(page) == "Go to next game"


def test_rematch_without_a_player_who_declined(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob", "Cat"))
    assert _press(caller, "Cat", path, agree="no") == path
    assert _press(caller, "Ann", path) == path
    caller("Bob").get(path)  # he is here, however long the server has been running
    assert caller("Ann").post(f"{path}/again", data={"now": "yes"}).status_code == 403, "Bob has not answered"
    assert _press(caller, "Bob", path) == path
    page = caller("Bob").get(path).text
    assert (_again(page), "Cat doesn’t want to play again." in page) == ("Start without Cat", True)
    following = _press(caller, "Bob", path, now="yes")
    names = [seat.name for seat in stage.tables.state(following.removeprefix("/t/")).seats]
    assert names == ["Ann", "Bob"]
    page = caller("Cat").get(path, headers={"fivedice-fragment": "1"}).text
    assert "data-next" not in page, "who said no stays"


def test_older_pages_can_ask_for_a_rematch(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", "Bob"))
    assert caller("Ann").post(f"{path}/rematch").headers["location"] == path
    following = caller("Bob").post(f"{path}/rematch").headers["location"]
    assert caller("Ann").post(f"{path}/rematch").headers["location"] == following != path
    assert stage.tables.state(following.removeprefix("/t/")).game is not None


def test_rematch_with_a_bot_starts(stage: Stage, caller: Caller) -> None:
    """Ann began, so the bot begins the next one: it has to be woken."""
    scene = stage.scene("yatzy", "Ann", Seat("Greedy bot", bot="greedy")).start().play_until(0)
    path = stage.put(scene)
    following = _press(caller, "Ann", path)
    table = following.removeprefix("/t/")
    with caller("Ann").stream("GET", f"{following}/live") as stream:
        for _ in stream.iter_lines():
            if stage.tables.state(table).on_turn == 0:
                break
    assert stage.tables.state(table).turn == 1


def test_game_ended_early_has_no_rematch(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().add(ev.GivenUp(ANN)))
    page = caller("Ann").get(path).text
    assert (_title(page), _again(page)) == ("This game ended early", "")
    assert caller("Ann").post(f"{path}/again").status_code == 409
    assert cmd.COMMANDS["again"] is cmd.PlayAgain


def test_new_dice_restart_with_another_secret(stage: Stage, caller: Caller) -> None:
    path = stage.put(_over(stage, "Ann", Seat("Grandpa", owner="Ann"), Seat("Steady bot", bot="steady")))
    page = caller("Ann").get(path).text
    fields = re.findall(
        r'<input type="hidden" name="(book|name|bot|coach)" value="([^"]*)"', page.partition("/tables")[2]
    )
    answer = caller("Ann").post("/tables", data={name: [v for n, v in fields if n == name] for name, _ in fields})
    before, after = (stage.tables.state(one.rpartition("/")[2]) for one in (path, answer.headers["location"]))
    assert [(seat.name, seat.bot) for seat in after.seats] == [(seat.name, seat.bot) for seat in before.seats]
    assert (after.book, after.coach, after.game is not None) == (before.book, before.coach, True)
    assert 'id="new-dice"' not in caller("Bob").get(path).text, "who only watches is shown the way home"


def test_wins_of_rematches_are_counted_up(stage: Stage, caller: Caller) -> None:
    first = _over(stage, "Ann", "Bob")
    stage.put(first)
    table, ann, bob = first.state.id, caller("Ann"), caller("Bob")
    assert "1 : 0" not in ann.get(f"/t/{table}").text, "a single game is no series"
    for client in (ann, bob):
        client.post(f"/t/{table}/again")
    following = stage.tables.state(table).rematch
    assert following is not None
    assert "Ann 1 : 0 Bob" in ann.get(f"/t/{following}").text


def test_boxes_and_coloured_faces_are_explained(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann").start())
    page = caller("Ann").get(f"{path}/box/full_house")
    assert (page.status_code, "For example 6-6-6-5-5" in page.text) == (200, True)
    assert "For example 6-6-6-5-4" in caller("Ann").get(f"{path}/box/three_of_a_kind").text
    assert caller("Ann").get(f"{path}/box/nothing").status_code == 404


def inks_in(page: str) -> str:
    """The ink of each drawn face, in order; a dot where it is the usual one."""
    return "".join(ink or "." for ink in re.findall(r'<svg class="pips(?: ink-(\d))?"', page))


def test_faces_with_colours_have_their_ink(stage: Stage, caller: Caller) -> None:
    """On sheet and felt, where a box is explained, at the end, on the pad, to print, in rules and report."""
    ann, sheet = caller("Ann"), ".1221."
    path = stage.put(stage.scene("kismet", "Ann").start().roll("12345"))
    over = stage.put(stage.scene("kismet", "Ann").start().play_until(0))
    pad = ann.post("/pad", data={"book": "kismet", "name": "Ann"}).headers["location"]
    assert 'data-inks="012210"' in ann.get(path).text
    felt = example = ".1221"  # 1-2-3-4-5, 6-5-4-3-2
    expected = {path: sheet + felt, f"{path}/box/straight": sheet + felt + example, pad: sheet, "/print/kismet": sheet}
    assert {page: inks_in(ann.get(page).text) for page in expected} == expected
    for page in (over, f"{over}/report", "/rules/kismet"):
        assert {"1", "2"} <= set(inks_in(ann.get(page).text).removeprefix(sheet)), page
    for page in (stage.put(stage.scene("yahtzee", "Ann").start().roll("12345")), "/rules/yahtzee", "/print/yahtzee"):
        assert set(inks_in(ann.get(page).text)) == {"."}, page
