"""Every page in every situation worth looking at, for axe and for the screenshots."""

from __future__ import annotations

from dataclasses import dataclass

from browser.pad_sights import pad_sights
from fivedice.core.rules import SHIPPED
from fivedice.table.actions import events as ev
from fivedice.table.actions.rights import player_id
from fivedice.table.service import handing_over
from web.stage import CODE, Scene, Seat, Stage, key_of

HOST = "Ann"
OURS = """extends = "yahtzee"
key = "grandmas-yahtzee"
name = "Grandma's Yahtzee"
summary = "Yahtzee, except for: Upper bonus, Full House."

[bonus]
points = 50

[boxes.full_house]
same_face = true
points = 30
"""


@dataclass(frozen=True)
class Sight:
    """A page, and who looks at it."""

    name: str
    path: str
    who: str = HOST
    status: int = 200
    shot: bool = True  # whether a screenshot is kept


def all_sights(stage: Stage) -> list[Sight]:
    """Stage the tables and list the pages. The order matters: home is first seen by a newcomer."""
    pads = [Sight(*found) for found in pad_sights(stage)]
    first = [Sight("home", "/", "Newcomer"), Sight("new-game", "/new", "Newcomer"), *_at_tables(stage), *pads]
    return [*first, *_of_a_regular(stage), *_to_read(), *_house_rules(stage)]


def _at_tables(stage: Stage) -> list[Sight]:
    put, who = stage.put, "Ann"
    solo = stage.scene("yahtzee", who)
    return [
        Sight("seating", put(_seating(stage))),
        Sight("play-a-friend", put(stage.scene("yahtzee", who).add(ev.StartsWith(2)))),
        Sight("joining", f"{put(_seating(stage))}/join/{CODE}", "Dora"),
        Sight("seating-watching", put(_seating(stage)), "Dora", shot=False),
        Sight("roll-off", put(_three(stage, "yahtzee").start(roll_off=("24466", "55321", "11362")))),
        Sight("before-the-roll", put(solo.start())),
        Sight("after-the-roll", put(_turned(stage.scene("yatzy", who).start()).roll("33526").roll("33123", (0, 1)))),
        Sight("three-players", put(_mid_game(stage))),
        Sight("waiting", put(_mid_game(stage)), "Bob", shot=False),
        Sight("watching", put(_mid_game(stage)), "Dora", shot=False),
        Sight("avoidable-zero", f"{put(_zero(stage))}?confirm=full_house"),
        Sight("joker-forced", put(_joker(stage))),
        Sight("joker-choice", put(_joker(stage, "44411", "fours"))),
        Sight("order-of-the-sheet", put(stage.scene("yatzy-forced", who).start().roll("13526")), shot=False),
        Sight("six-dice", put(_six_dice(stage))),
        Sight("undo-question", put(_asked(stage)), "Bob"),
        Sight("somebody-left", put(_mid_game(stage).add(ev.Left(0))), "Bob"),
        Sight("come-back", put(_mid_game(stage).add(ev.Left(0), ev.StoodIn(0, rest=True))), shot=False),
        Sight("seat-for-you", _handed_over(stage), "Dora"),
    ]


def _of_a_regular(stage: Stage) -> list[Sight]:
    alone = _turned(stage.scene("yahtzee", HOST).start()).play_until(0)
    together = _turned(_three(stage, "yahtzee").start()).play_until(0)
    asked = _turned(_three(stage, "yahtzee").start()).play_until(0).add(ev.AgainSaid(1, agreed=True))
    path = stage.put(alone)
    finished = [
        Sight("finished", path),
        Sight("picture", f"{path}/picture"),
        Sight("finished-together", stage.put(together)),
        Sight("asked-again", stage.put(asked)),
    ]
    return [*finished, Sight("home-again", "/"), Sight("tables", "/tables")]


def _to_read() -> list[Sight]:
    books = [Sight(f"rules-{key}", f"/rules/{key}?against=yatzy", shot=key == "yahtzee") for key in SHIPPED]
    return [
        Sight("tables-empty", "/tables", "Newcomer", shot=False),
        Sight("rules", "/rules"),
        *books,
        Sight("help", "/help"),
        Sight("devices", "/devices", shot=False),
        Sight("programs", "/api"),
        Sight("not-found", "/t/nowhere", status=404),
    ]


def _house_rules(stage: Stage) -> list[Sight]:
    key = stage.store.shelf.save(OURS, player_id(key_of(HOST)))
    return [
        Sight("house", "/house"),
        Sight("house-form", "/house/build?base=yahtzee"),
        Sight("house-book", f"/house/{key}"),
    ]


def _three(stage: Stage, book: str) -> Scene:
    """A hot seat of two, a remote player and a bot."""
    seats = (HOST, Seat("Grandpa Joe", owner=HOST), "Bob", Seat("Steady bot", bot="steady"))
    return stage.scene(book, *(seats if book == "yatzy" else seats[:1] + seats[2:]))


def _seating(stage: Stage) -> Scene:
    return _three(stage, "yatzy")


def _turned(scene: Scene) -> Scene:
    """A few turns with something to show: an upper bonus on its way, a full house, a zero."""
    seats = len(scene.seats)
    book = scene.state.book
    five = next(box.key for box in book.boxes if box.name.lower() in {"yahtzee", "yatzy", "yardzee"})
    turns = [("55521", "fives"), ("33366", "full_house"), ("66663", "sixes"), ("44444", five), ("12346", "twos")]
    for dice, box in turns:
        for _ in range(seats):
            scene.turn(dice, box)
    return scene


def _mid_game(stage: Stage) -> Scene:
    return _turned(_three(stage, "yahtzee").start()).roll("24461").roll("24464", (1, 2))


def _zero(stage: Stage) -> Scene:
    return stage.scene("yahtzee", HOST).start().roll("23345").roll("23346", (0, 1, 2, 3))


def _joker(stage: Stage, *first: str) -> Scene:
    scene = stage.scene("yahtzee", HOST, "Bob").start()
    turns = [("44444", "five_of_a_kind"), ("11234", "aces")]
    turns += [(first[0], first[1]), ("22345", "twos")] if first else []
    for dice, box in turns:
        scene.turn(dice, _box(scene, box))
    return scene.roll("44444")


def _box(scene: Scene, box: str) -> str:
    """The first box of the sheet has two names."""
    return scene.state.book.boxes[0].key if box == "aces" else box


def _six_dice(stage: Stage) -> Scene:
    scene = stage.scene("maxi-yatzy", HOST, "Bob").start()
    return scene.turn("555213", "fives").turn("666613", "sixes").roll("224461").roll("244461", (1, 2, 3, 4))


def _asked(stage: Stage) -> Scene:
    scene = stage.scene("yahtzee", HOST, "Bob").start().turn("55521", "fives").roll("12346")
    return scene.add(ev.UndoAsked(0))


def _handed_over(stage: Stage) -> str:
    path = stage.put(_mid_game(stage))
    code = handing_over.offer_seat(stage.tables, path.removeprefix("/t/"), player_id(key_of(HOST)), 0)
    return f"{path}/seat/{code}"
