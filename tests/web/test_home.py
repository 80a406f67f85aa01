"""The first page, invitations, link previews, and the installable site."""

import re
import struct
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import httpx
import pytest

from fivedice.drawing.theme import PAGE
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.web.pages.home.pages import ago, progress
from web.conftest import Caller
from web.inside import Inside
from web.stage import CODE, Scene, Seat, Stage, key_of


def words(answer: httpx.Response | str) -> str:
    text = answer if isinstance(answer, str) else answer.text
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))


def heading(client: httpx.Client, path: str = "/") -> str:
    found = re.search(r"<h1>(.*?)</h1>", client.get(path).text)
    assert found is not None
    return unescape(found[1])


# The first door


def test_newcomer_starts_with_one_click(caller: Caller) -> None:
    client = caller("Nina")
    home = client.get("/").text
    assert len(re.findall(r'class="door[ "]', home)) == 6
    assert 'action="/play"' in home
    assert 'id="continue"' not in home
    assert not re.search(r'<(?:select|textarea|input (?!type="hidden"|name="text"))', home), "four doors and no form"
    assert 'id="roll"' in client.post("/play", follow_redirects=True).text


def test_running_game_comes_first(stage: Stage, caller: Caller) -> None:
    scene = stage.scene("yahtzee", "Carla", "Walt").start().turn("55521", "fives").turn("66663", "sixes")
    path = stage.put(scene)
    carla, walt = caller("Carla"), caller("Walt")
    home = carla.get("/").text
    assert heading(carla) == "Your turn against Walt"
    assert "Yahtzee · round 2 of 13 · 15 to 24" in words(home)
    assert f'id="continue" href="{path}"' in home
    assert 'action="/play"' not in home
    assert heading(walt) == "Carla’s turn"
    assert "24 to 15" in words(walt.get("/")), "own points first"


def test_game_in_which_others_wait_comes_first(stage: Stage, caller: Caller) -> None:
    alone = stage.put(stage.scene("yatzy", "Vera").start())
    waits = stage.put(stage.scene("yatzy", "Vera", "Bob").start(first=0))
    client = caller("Vera")
    stage.put(stage.scene("yatzy", "Bob", "Vera").start(first=0))
    assert heading(client) == "Your turn against Bob"
    assert f'id="continue" href="{waits}"' in client.get("/").text
    table = alone.removeprefix("/t/")
    version = stage.tables.state(table).version
    stage.tables.execute(table, cmd.RollDice(player_id(key_of("Vera"))), version=version)
    assert f'id="continue" href="{alone}"' in client.get("/").text, "the newest, and one's own turn"


def test_other_games_are_one_step_away(stage: Stage, caller: Caller) -> None:
    client = caller("Olga")
    first = stage.put(stage.scene("yatzy", "Olga"))
    assert "1 game waits for players" in words(client.get("/")), "which does not hide Play"
    assert f'class="more" href="{first}"' in client.get("/").text
    assert 'action="/play"' in client.get("/").text
    stage.put(stage.scene("yatzy", "Olga").start())
    assert "1 more game" in words(client.get("/"))
    stage.put(stage.scene("yatzy", "Olga").start())
    assert "2 more games" in words(client.get("/"))
    assert 'class="more" href="/tables"' in client.get("/").text


@pytest.mark.parametrize(
    ("seats", "says", "totals"),
    [
        (["Ann"], "Your game is waiting", ["0 points"]),
        (["Ann", "Bob"], "Your turn against Bob", ["0 to 0"]),
        (["Ann", "Bob", "Cleo"], "Your turn against Bob and Cleo", ["Ann 0", "Bob 0", "Cleo 0"]),
        (["Ann", "Bob", "Cleo", "Dora"], "Your turn against 3 others", ["Ann 0", "Bob 0", "Cleo 0", "Dora 0"]),
        ([Seat("Ann"), Seat("Joe", owner="Ann")], "Ann, your turn", ["Ann 0", "Joe 0"]),
        (["Bob", "Ann"], "Bob’s turn", ["0 to 0"]),
    ],
)
def test_game_names_whom_it_waits_for(stage: Stage, seats: list[Seat | str], says: str, totals: list[str]) -> None:
    found = progress(stage.scene("yahtzee", *seats).start().state, player_id(key_of("Ann")))
    assert (str(found.says), [str(total) for total in found.totals]) == (says, totals)
    assert found.yours == (seats[0] != "Bob")


def test_elapsed_time_in_any_time_zone() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def said(**before: int) -> str:
        return str(ago((now - timedelta(**before)).isoformat(), now))

    assert [said(seconds=59), said(minutes=1), said(minutes=59)] == ["just now", "1 minute ago", "59 minutes ago"]
    assert [said(hours=1), said(hours=23), said(days=1), said(days=29)] == [
        "1 hour ago",
        "23 hours ago",
        "1 day ago",
        "29 days ago",
    ]
    assert ago((now - timedelta(days=30)).isoformat(), now) is None, "the date says more"
    assert str(ago((now + timedelta(seconds=5)).isoformat(), now)) == "just now", "clocks differ"


def test_bots_start_beatable_and_games_alone_are_distinguished(stage: Stage, caller: Caller) -> None:
    stage.put(stage.scene("yahtzee", "Solo").start())
    stage.put(stage.scene("yahtzee", "Solo").start().turn("55521", "fives").turn("66663", "sixes"))
    found = re.findall(r"<li>(.*?)</li>", caller("Solo").get("/tables").text, re.DOTALL)
    lines = [words(line).strip() for line in found]
    assert lines[0].endswith("Yahtzee Your game is waiting · round 3 of 13 · 39 points · just now")
    assert lines[1].endswith("Yahtzee Your game is waiting · round 1 of 13 · 0 points · just now")
    path = stage.put(stage.scene("yahtzee", "Ann"))
    assert re.findall(r'<option value="(\w+)" selected>', caller("Ann").get(path).text) == ["steady"]


# A friend


def test_one_click_makes_a_link_and_the_friend_starts_the_game(stage: Stage, caller: Caller) -> None:
    ann, bob = caller("Frieda"), caller("Bert")
    answer = ann.post("/friend", follow_redirects=True)
    path = answer.url.path
    link = re.search(r'id="join-link" readonly value="([^"]+)"', answer.text)
    assert link is not None
    assert 'role="img" aria-label="QR code of this link"' in answer.text
    assert "Waiting for your friend" in answer.text
    state = stage.tables.state(path.removeprefix("/t/"))
    assert [seat.given for seat in state.seats] == [None], "seated already; a name can come later"
    version = str(state.version)
    ann.post(f"{path}/introduce", data={"seat": "0", "name": "Ann", "version": version})
    join = httpx.URL(link[1]).path
    page = bob.get(join).text
    assert "<bdi>Ann</bdi> invites you to Yahtzee" in page
    assert "The game starts when you join." in page
    code = join.rpartition("/")[2]
    assert bob.post(f"{path}/sit", data={"name": "", "join": code}).status_code == 303
    state = stage.tables.state(path.removeprefix("/t/"))
    assert state.phase == "playing"
    assert [seat.name for seat in state.seats] == ["Ann", "Player 2"], "a name is optional"
    assert 'value="Ann"' in ann.get("/new").text, "remembered"


def test_host_waits_for_players_on_other_devices(stage: Stage, caller: Caller) -> None:
    host, one = caller("Hugo"), caller("Olaf")
    path = host.post("/friend", follow_redirects=True).url.path
    table = path.removeprefix("/t/")
    host.post(f"{path}/start-with", data={})
    one.post(f"{path}/sit", data={"name": "Olaf", "join": stage.tables.join_code(table)})
    assert stage.tables.state(table).phase == "seating"
    assert "Wait for more players" not in host.get(path).text
    assert host.post(f"{path}/start", data={}).status_code == 303
    assert stage.tables.state(table).phase == "playing"
    host = caller("Hedi")
    path = host.post("/friend", follow_redirects=True).url.path
    host.post(f"{path}/sit", data={"name": "Grandpa"})
    state = stage.tables.state(path.removeprefix("/t/"))
    assert (state.phase, len(state.seats)) == ("seating", 2)
    assert 'value="Grandpa"' not in host.get("/new").text, "the name of another player is not remembered as the own one"


def test_double_click_opens_one_game(caller: Caller) -> None:
    client = caller("Dolly")
    word = re.search(r'action="/friend".*?name="word" value="([^"]+)"', client.get("/").text, re.DOTALL)
    assert word is not None
    first, second = (client.post("/friend", data={"word": word[1]}).headers["location"] for _ in range(2))
    assert first == second


# Link previews


def tags(answer: httpx.Response) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', answer.text)
    return {name: unescape(value) for name, value in found}


def test_link_previews_name_their_target(stage: Stage, caller: Caller) -> None:
    nobody = caller("")
    base = str(nobody.base_url).rstrip("/")
    home = tags(nobody.get("/"))
    assert home["og:title"] == "Fivedice: play Yahtzee, Yatzy and Yardzee"
    assert home["og:description"] == home["description"]
    assert home["og:image"].startswith(f"{base}/static/")
    picture = nobody.get(home["og:image"]).content
    size = (int(home["og:image:width"]), int(home["og:image:height"]))
    assert struct.unpack(">II", picture[16:24]) == size == (1200, 630)

    waiting = stage.put(stage.scene("yahtzee", "Ann"))
    invited = tags(nobody.get(f"{waiting}/join/{CODE}"))
    assert invited["og:title"] == "Ann invites you to Yahtzee"
    assert tags(nobody.get(f"{waiting}/join/wrong"))["og:title"] == "Ann: Yahtzee"
    playing = stage.put(stage.scene("yatzy", "Ann", "Bob").start())
    assert tags(nobody.get(playing))["og:title"] == "Ann and Bob: Yatzy"
    over = tags(nobody.get(stage.put(stage.scene("yahtzee", "Ann", "Bob").start().play_until(0))))
    assert re.fullmatch(r"Ann and Bob share the win with \d+ · Yahtzee|\w+ wins with \d+ · Yahtzee", over["og:title"])
    assert re.fullmatch(r"Final scores: Ann \d+ and Bob \d+\.", over["og:description"])
    assert over["og:image"].startswith(base)


def test_watch_link_does_not_reveal_the_invitation(stage: Stage, caller: Caller) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann"))
    for who in ("Ann", "", "Dora"):
        answer = caller(who).get(path)
        assert not any(CODE in value for value in tags(answer).values()), who
    assert CODE in caller("Ann").get(path).text, "though the page of a player has it"
    assert not any(CODE in value for value in tags(caller("").get(f"{path}/join/{CODE}")).values())


def test_preview_pictures_use_the_public_address(tmp_path: Path) -> None:
    with Inside(tmp_path, base_url="https://dice.example") as server:
        found = tags(server.ask("GET", "/"))
    assert found["og:image"].startswith("https://dice.example/static/")


def test_names_are_escaped_in_previews(stage: Stage, caller: Caller) -> None:
    name = '"><script>alert(1)</script>'
    path = stage.put(stage.scene("yahtzee", Seat(name, owner="Ann"), host="Ann"))
    answer = caller("").get(f"{path}/join/{CODE}")
    assert "<script>alert" not in answer.text
    assert tags(answer)["og:title"] == f"{name} invites you to Yahtzee"


# Among the apps of a phone


def test_site_can_be_installed(caller: Caller) -> None:
    client = caller("")
    home = client.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in home.text
    assert "manifest-src 'self'" in home.headers["content-security-policy"]
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    assert answer.headers["vary"].startswith("accept-language, cookie"), "its words are in the language of the reader"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert manifest["theme_color"] == PAGE["felt"].light
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"), ("any", "any")}
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert picture.headers["content-type"].partition(";")[0] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", picture.content[16:24])) == icon["sizes"]
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200
    touch = re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', home.text)
    assert touch is not None
    assert struct.unpack(">II", client.get(touch[1]).content[16:24]) == (180, 180)


def test_browser_bar_has_the_page_colour(caller: Caller) -> None:
    client = caller("")
    for path, ground in (("/", "felt"), ("/help", "page")):
        text = client.get(path).text
        for scheme, colour in (("light", PAGE[ground].light), ("dark", PAGE[ground].dark)):
            assert f'<meta name="theme-color" media="(prefers-color-scheme: {scheme})" content="{colour}">' in text


def test_running_pad_comes_first(caller: Caller) -> None:
    client = caller("Paula")
    path = client.post("/pad", data={"book": "yatzy", "name": ["Paula", "Bob"]}, follow_redirects=True).url.path
    assert f'id="continue" href="{path}"' in client.get("/").text
    assert "round 1 of 15" in words(client.get("/"))


def test_bot_level_is_remembered(caller: Caller) -> None:
    client = caller("Wanda")
    assert 'value="steady" aria-current="true"' in client.get("/").text
    assert 'value="steady"><strong id="bot-name">' in client.get("/").text, "the name of the door leads on too"
    page = client.post("/bot", data={"level": "hopeful"}, follow_redirects=True)
    assert page.status_code == 200
    assert "Hopeful bot" in page.text
    assert 'value="hopeful" aria-current="true"' in client.get("/").text
    assert client.post("/bot", data={"level": "unknown"}).status_code >= 400


def test_tips_are_shown_in_the_first_game_only(stage: Stage, caller: Caller) -> None:
    scene = stage.scene("yahtzee", "Yves").start()
    path = stage.put(scene.roll("24466"))
    assert "then roll again" in caller("Yves").get(path).text
    assert "tap a number to score it" in caller("Yves").get(stage_after(stage, scene)).text
    other = stage.put(stage.scene("yahtzee", "Yves").start().roll("24466"))
    assert "then roll again" not in caller("Yves").get(other).text
    assert "then roll again" not in caller("Zora").get(path).text, "those who watch need none"


def stage_after(stage: Stage, scene: Scene) -> str:
    """Roll a second time through the server."""
    table = scene.state.id
    stage.tables.execute(table, cmd.RollDice(player_id(key_of("Yves"))), version=scene.state.version)
    return f"/t/{table}"
