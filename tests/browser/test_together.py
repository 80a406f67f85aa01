"""Several people at one table, each with a screen of their own."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Person
from browser.player import Player, at, open_more
from browser.settled import PAINTED
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import player_id
from fivedice.web.http.page_files import static_address
from long import long_only
from web.gate import Gate
from web.serving import Serving
from web.stage import Seat, Stage, key_of

LOOK = "(live) => { import(live).then(({ look }) => look(true)); }"  # as when another player has come


def test_a_missed_move_arrives_after_the_connection_is_back(stage: Stage, person: Person, server: Serving) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    with Gate(server.port) as gate:
        bob = at(person("Bob", url=gate.url), path)
        gate.shut()
        expect(bob.page.locator("body")).to_have_class(re.compile("offline"))
        table = path.removeprefix("/t/")
        done = stage.tables.execute(table, cmd.RollDice(player_id(key_of("Ann"))), version=bob.version)
        gate.open()
        bob.expect_version(done.version)
        assert len(bob.dice) == 5


def test_held_dice_survive_somebody_elses_news(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().roll("24466"))
    ann, bob = at(regular("Ann"), path), at(regular("Bob"), path)
    ann.hold(3, 4)
    bob.page.locator("#around > summary").click()
    bob.page.get_by_role("button", name="Leave game").click()
    expect(ann.page.locator(".last")).to_contain_text("Bob left the game.")
    expect(ann.page.locator("#die-3")).to_be_checked()
    expect(ann.page.locator("#die-0")).not_to_be_checked()


def test_roll_counts_also_where_news_come_under_the_finger(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann = at(regular("Ann"), path)
    ann.page.locator("#roll").hover()
    ann.page.mouse.down()
    with ann.page.expect_response(f"**{path}") as fresh:
        ann.page.evaluate(LOOK, static_address("core/live.js"))
    fresh.value.finished()
    ann.page.evaluate(PAINTED)
    ann.page.mouse.up()
    expect(ann.page.locator(".dice .digit")).to_have_count(5)


def test_each_event_is_announced_once(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann, bob = at(regular("Ann"), path), at(regular("Bob"), path)
    bob.page.evaluate("""() => {
        window.heard = [];
        const live = document.getElementById('live');
        new MutationObserver(() => { if (live.textContent) heard.push(live.textContent); })
            .observe(live, { childList: true, characterData: true, subtree: true });
    }""")
    ann.roll()
    bob.expect_version(ann.version)
    bob.page.wait_for_function("() => heard.length === 1")
    ann.score()
    bob.page.wait_for_function("() => heard.length === 2")
    bob.roll()
    bob.page.wait_for_function("() => heard.length === 3")
    heard = bob.page.evaluate("heard")
    assert heard[0].startswith("Ann rolled ")
    assert heard[0].endswith(". 2 rolls left.")
    assert re.fullmatch(r"Ann scored \d+ in .*\. Your turn next\.", heard[1])
    assert heard[2].startswith("You rolled ")


def test_the_title_says_whose_turn_it_is(stage: Stage, regular: Person) -> None:
    seats = ("Ann", Seat("Grandpa", owner="Ann"), "Bob")
    path = stage.put(stage.scene("yahtzee", *seats).start())
    ann, bob = at(regular("Ann"), path), at(regular("Bob"), path)
    expect(ann.page).to_have_title("Ann, your turn · Yahtzee · Fivedice")
    expect(bob.page).to_have_title("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn · Yahtzee · Fivedice")
    ann.turn()
    expect(ann.page).to_have_title("Grandpa, your turn · Yahtzee · Fivedice")
    ann.turn()
    expect(bob.page).to_have_title("Your turn · Yahtzee · Fivedice")


def test_undo_with_consent(stage: Stage, regular: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start().turn("55521", "fives").roll("12346")
    path = stage.put(scene)
    bob = at(regular("Bob"), path)  # first: whose turn it is and who is not here could be played for
    ann = at(regular("Ann"), path)
    ann.page.get_by_role("button", name="Ask to undo the score").click()
    expect(bob.page.locator(".question")).to_contain_text("Ann would like to take back the last score.")
    bob.page.get_by_role("button", name="Allow", exact=True).click()
    expect(ann.page.locator("#headline")).to_have_text("Your turn")
    ann.expect_dice("55521")
    ann.score("three_of_a_kind")
    expect(bob.page.locator("#headline")).to_have_text("Your turn")
    bob.expect_dice("12346")  # Bob's roll stays rolled


def test_a_seat_is_handed_over_once(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann, dora, zoe = at(regular("Ann"), path), regular("Dora"), regular("Zoe")
    open_more(ann.page)
    ann.page.get_by_role("button", name="Let someone take over").click()
    link = ann.page.locator("#handover-link").input_value()
    for page in (dora, zoe):
        page.goto(link)
    dora.get_by_role("button", name="Take over").click()
    expect(dora.locator("#headline")).to_have_text("Your turn")
    expect(ann.page.locator("#headline")).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")
    zoe.get_by_role("button", name="Take over").click()
    expect(zoe.get_by_role("alert")).to_contain_text("used or replaced")


def test_the_roll_off_is_shown_until_somebody_rolls(stage: Stage, regular: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start(roll_off=("11111", "66666"))
    bob = at(regular("Bob"), stage.put(scene))
    expect(bob.page.locator(".rolloff")).to_contain_text("30")
    expect(bob.page.locator(".last")).to_contain_text("You won the roll-off and start.")
    bob.roll()
    expect(bob.page.locator(".rolloff")).to_have_count(0)


@long_only
def test_the_house_plays_for_whoever_left(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().add(ev.Left(0)))
    bob = at(regular("Bob"), path)
    expect(bob.page.locator(".question")).to_contain_text("Ann has left.")
    bob.page.get_by_role("button", name="Let a bot play once").click()
    expect(bob.page.locator("#headline")).to_have_text("Your turn")
    bob.turn()
    expect(bob.page.locator(".question")).to_contain_text("Ann has left.")
    bob.page.get_by_role("button", name="Let a bot finish for Ann").click()
    expect(bob.page.locator("#headline")).to_have_text("Your turn")
    ann = at(regular("Ann"), path)
    ann.page.get_by_role("button", name="Come back").click()
    expect(ann.page.get_by_role("button", name="Come back")).to_have_count(0)
    bob.turn()
    expect(ann.page.locator("#headline")).to_have_text("Your turn")
    ann.turn()


@long_only
def test_a_hot_seat_a_remote_player_and_a_bot(person: Person) -> None:
    """Set up on the screen, played to the next round; the bot's moves are seen by all."""
    host, guest = person(size="phone"), person()
    host.goto("/new")
    host.get_by_label("Your name").fill("Ann")
    host.get_by_label("Player 2").fill("Grandpa")
    host.get_by_label("Bot 1").select_option("hopeful")
    host.get_by_role("button", name="Invite friends first").click()
    guest.goto(host.get_by_label("Invitation link").input_value())
    guest.get_by_label("Name").fill("Bob")
    guest.get_by_role("button", name="Join game").click()
    expect(host.locator(".people-list li")).to_have_count(4)
    host.get_by_role("button", name="Start game").click()
    expect(guest.locator(".scores thead th")).to_have_text(
        [re.compile(name) for name in ("Yahtzee", "Ann", "Grandpa", "Hopeful bot", "Bob")]
    )
    people = {"Ann": Player(host), "Grandpa": Player(host), "Bob": Player(guest)}
    seen: set[str] = set()
    while seen != people.keys():
        on_turn = host.locator("th.on-turn")
        expect(host.locator("th.on-turn bdi")).not_to_have_text("Hopeful bot")
        name = on_turn.locator("bdi").inner_text()
        expect(people[name].page.locator("#roll")).to_be_visible()
        people[name].turn()
        seen.add(name)
        for page in (host, guest):
            Player(page).table.page.wait_for_function(
                "name => document.querySelector('th.on-turn bdi')?.textContent !== name", arg=name
            )
    expect(host.locator("th.on-turn bdi")).not_to_have_text("Hopeful bot")
    marks = host.locator("tr.row-box td:nth-child(4)").all_inner_texts()
    assert sum(mark.strip().isdigit() for mark in marks) >= 1, "the bot has played"


def test_the_rematch_is_started_by_the_next_seat(stage: Stage, regular: Person) -> None:
    """All say yes, and all screens show the next game, without seating again."""
    scene = stage.scene("yahtzee", "Ann", "Bob").start(first=0).play_until(0)
    path = stage.put(scene)
    ann, bob, watcher = at(regular("Ann", "phone"), path), at(regular("Bob"), path), at(regular("Dora"), path)
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page.locator("#again")).to_have_text("Waiting…")
    expect(bob.page.locator("#again-said")).to_have_text("Ann wants to play again.")
    expect(bob.page.locator("#live")).to_have_text("Ann wants to play again.")
    bob.page.get_by_role("button", name="Play again").click()
    expect(bob.page.locator("#headline")).to_have_text("Your turn")
    expect(ann.page).to_have_url(bob.page.url)  # the headline of the finished game may name Bob as well
    assert not bob.page.url.endswith(path)
    expect(watcher.page.get_by_role("link", name="Go to next game")).to_be_visible()
    bob.turn()
    ann.expect_version(bob.version)
    ann.page.go_back()
    expect(ann.page.locator("#again")).to_have_text("Go to next game")  # and it stays there: to look back is free


@long_only
def test_three_people_play_again_two_of_them(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob", "Cat").start(first=0).play_until(0))
    ann, bob, cat = (at(regular(name), path) for name in ("Ann", "Bob", "Cat"))
    ann.page.locator("#again").click()
    bob.page.locator("#again").click()
    expect(cat.page.locator("#again-said")).to_have_text("Ann and Bob want to play again.")
    cat.page.get_by_role("button", name="No thanks").click()
    expect(ann.page.locator("#again")).to_have_text("Start without Cat")
    ann.page.locator("#again").click()
    expect(bob.page.locator("#headline")).to_have_text("Your turn")
    expect(ann.page).to_have_url(bob.page.url)
    expect(cat.page.get_by_role("link", name="Go to next game")).to_be_visible()
    assert cat.page.url.endswith(path)


def test_both_press_at_once(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start(first=0).play_until(0))
    ann, bob = at(regular("Ann"), path), at(regular("Bob"), path)
    for each in (ann, bob):
        each.page.evaluate("document.getElementById('again').click()")
    for each in (ann, bob):
        each.page.wait_for_url(lambda url: not url.endswith(path))
    assert ann.page.url == bob.page.url


def test_the_end_has_the_focus_on_again_and_tells_luck_and_miss(stage: Stage, regular: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start().play_until(1, spare=("chance",)).roll("66655")
    path = stage.put(scene)
    bob, ann = at(regular("Bob", "phone"), path), at(regular("Ann"), path)
    bob.page.locator("#box-chance").focus()
    bob.page.keyboard.press("Enter")
    expect(bob.page.locator(".end-title")).to_have_text(re.compile(r"You win by \d+"))
    expect(bob.page.locator("#again")).to_be_focused()
    expect(bob.page.locator("#undo")).not_to_be_visible()
    expect(bob.page.locator(".end-luck").first).to_contain_text("The dice gave you")
    bob.page.locator("#ending > summary").click()
    expect(bob.page.locator("#again")).not_to_be_visible()
    expect(ann.page.locator(".end-title")).to_have_text(re.compile(r"Bob wins by \d+"))
    ann.page.locator("#again").click()
    expect(bob.page.locator("#again-said")).to_be_visible()  # the sheet comes back with the question
    expect(bob.page.locator(".end-luck").first).to_contain_text("The dice gave you")
    expect(ann.page.locator("#again")).to_be_focused()


def test_a_spectator_sees_everything_and_can_do_nothing(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann = at(regular("Ann"), path)
    ann.page.locator("#around > summary").click()
    watcher = at(regular("Dora"), ann.page.locator("#around a[href^=http]").get_attribute("href") or "")
    ann.roll()
    watcher.expect_version(ann.version)
    watcher.expect_dice(ann.dice)
    free = "#toggle-odds, [data-setting], [data-copy], [data-share]"  # the odds, one's own screen, the link
    expect(watcher.page.locator(f"#table button:not({free})")).to_have_count(0)
    expect(watcher.page.locator("#table input[type=checkbox]")).to_have_count(0)
    watcher.page.keyboard.press("r")
    ann.expect_version(ann.version)


def test_dice_that_are_chosen_are_seen_by_all_at_once_and_stay_after_a_reload(
    stage: Stage, person: Person, regular: Person
) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().roll("24466"))
    ann, bob, watcher = at(regular("Ann", "phone"), path), at(regular("Bob"), path), at(regular("Dora"), path)
    version = ann.version
    ann.hold(1, 2)
    for other in (bob, watcher):
        expect(other.page.locator(".die-slot.held")).to_have_count(2)
        expect(other.page.locator("#die-1.held, #die-2.held")).to_have_count(2)
    ann.page.reload()
    expect(ann.page.locator("input[name=hold]:checked")).to_have_count(2)
    second = at(person("Ann"), path)
    expect(second.page.locator("input[name=hold]:checked")).to_have_count(2)
    second.hold(1)
    expect(ann.page.locator("input[name=hold]:checked")).to_have_count(1)
    expect(bob.page.locator(".die-slot.held")).to_have_count(1)
    assert ann.version == version, "nothing has happened yet"
    ann.roll()
    bob.expect_version(ann.version)
    expect(bob.page.locator("#die-2.held")).to_have_count(1)
    expect(bob.page.locator(".die-slot.held")).to_have_count(1)


def test_holds_of_others_are_read_out_on_request(stage: Stage, person: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().roll("24466"))
    ann, bob = at(person("Ann"), path), at(person("Bob"), path)
    ann.hold(1)
    expect(bob.page.locator("#die-1.held")).to_have_count(1)
    expect(bob.page.locator("#live")).to_have_text("")
    open_more(bob.page)
    bob.page.get_by_role("button", name="Read out kept dice").click()
    ann.hold(2)
    expect(bob.page.locator("#live")).to_have_text("Keeps 4-4")
    bob.page.reload()
    ann.hold(1, 2)
    expect(bob.page.locator("#live")).to_have_text("Keeps no dice")
    expect(ann.page.locator("#live")).to_have_text("")


def test_a_name_that_is_being_typed_survives_the_news(stage: Stage, regular: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann"))
    bob, cat = regular("Bob"), regular("Cat")
    for page in (bob, cat):
        page.goto(f"{path}/join/invitation-code")
    bob.get_by_label("Name").fill("Bobb")
    cat.get_by_label("Name").fill("Cat")
    cat.get_by_role("button", name="Join game").click()
    expect(bob.locator(".people-list")).to_contain_text("Cat")
    expect(bob.get_by_label("Name")).to_have_value("Bobb")
    bob.get_by_role("button", name="Join game").click()
    expect(cat.locator(".people-list")).to_contain_text("Bobb")
