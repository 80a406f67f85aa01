"""Score pads worth looking at: name, path, who looks, the status, and whether a picture is kept."""

from __future__ import annotations

from fivedice.table.actions import commands as cmd
from web.pads import fill, open_pad, turns, who
from web.stage import Stage

NAMES = ("Ann", "Bob", "Cleo")
WRITTEN = (
    ("66663", "sixes"),
    ("44444", "five_of_a_kind"),
    ("12345", "large_straight"),
    ("55523", "fives"),
    ("33344", "full_house"),
    ("12346", "small_straight"),
    ("44423", "fours"),
    ("44444", "fours"),
)


def pad_sights(stage: Stage) -> list[tuple[str, str, str, int, bool]]:
    running = _running(stage)
    chosen = _running(stage)
    _enter(stage, chosen, "33362", last=True)
    rolling = open_pad(stage, "yatzy", [*NAMES, "Dan"])
    _enter(stage, rolling, "33526", last=False)
    between = open_pad(stage, "yardzee", NAMES, games=6)
    fill(stage, between, leave=4 * 39)
    finished = open_pad(stage, "yatzy", NAMES, games=2)
    fill(stage, finished)
    return [
        ("pad-set-up", "/pad", "Ann", 200, True),
        ("pad", running, "Ann", 200, True),
        ("pad-following", running, "Dora", 200, True),
        ("pad-boxes", chosen, "Ann", 200, True),
        ("pad-roll-by-roll", rolling, "Ann", 200, False),
        ("pad-between-games", between, "Ann", 200, False),
        ("pad-sheet", f"{between}?sheet=1", "Ann", 200, True),
        ("pad-finished", finished, "Ann", 200, False),
        ("pad-correction", f"{running}/correct?game=0&turn=0", "Ann", 200, True),
        ("pad-pencil", f"{running}/pencil/a-code", "Dora", 200, False),
    ]


def _running(stage: Stage) -> str:
    path = open_pad(stage, "yardzee", NAMES, games=6)
    turns(stage, path, *WRITTEN)
    return path


def _enter(stage: Stage, path: str, dice: str, *, last: bool) -> None:
    table = path.removeprefix("/t/")
    faces = tuple(map(int, dice))
    version = stage.tables.state(table).version
    stage.tables.execute(table, cmd.EnterDice(who("Ann"), faces, last=last), version=version)
