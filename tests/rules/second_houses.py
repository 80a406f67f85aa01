"""Small house books that use what the second rule model can say, quick to play and to solve."""

from rules.houses import ALIKE, CHANCE, box, face_box, load

_TIERS = "tiers = [{ from = 5, points = 10 }, { from = 8, points = 25 }]"

SAVING = load(
    face_box(1),
    face_box(2),
    box("pair", "1p", "groups, sizes = [2]", '"matching"'),
    CHANCE,
    head=["save_rolls = true", "dice = 3", "faces = 4", "rolls = 3"],
    key="saving",
)

STEPPED = load(
    face_box(1),
    face_box(2),
    box("pair", "1p", "groups, sizes = [2]", '"10 + matching"'),
    CHANCE,
    f"[bonus]\n{_TIERS}",
    '[bonuses.low]\nname = "Lower bonus"\nsection = "lower"\nthreshold = 20\npoints = 7',
    '[bonuses.odd]\nname = "Odd couple"\nboxes = ["aces", "chance"]\nthreshold = 9\npoints = 3',
    head=["dice = 3", "faces = 4", "rolls = 2", 'order = "upper_first"'],
    key="stepped",
)

RISING = load(
    face_box(1),
    face_box(2),
    face_box(3),
    ALIKE,
    CHANCE,
    """[alike]
box = "five_of_a_kind"
extra = [10, 20, 40]
at_most = 3
applies = "scored"
ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker" }]""",
    head=["dice = 3", "faces = 4"],
    key="rising",
)

BY_STEP = load(
    face_box(1),
    face_box(2),
    face_box(3),
    ALIKE,
    CHANCE,
    """[alike]
box = "five_of_a_kind"
extra = 50
applies = "scored"
ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker", extra = 20 }]""",
    head=["dice = 3", "faces = 4"],
    key="by-step",
)

_NINE = "{ pattern = 'total', total = 9 }"
COLOURED = load(
    box("even", "ev", "parity", "20"),
    box("odd", "od", "parity, odd = true; of_total = true", "5"),
    box("low", "lo", "only, faces = [1, 2]", '"5 + all"'),
    box("nine", "n9", "total, total = 9", "15"),
    box("flush", "fl", "flush", "35"),
    box("crag", "cr", f"both, first = {_NINE}; second = {{ pattern = 'groups', sizes = [2] }}", "50"),
    head=["dice = 3", "faces = 4", "colours = [[1, 4], [2, 3]]"],
    key="coloured",
)
