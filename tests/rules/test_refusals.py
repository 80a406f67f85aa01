"""Files that are refused: each kind with its file, its line and its sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest

import fivedice as fd
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load, text

UPPER = "".join(face_box(face) for face in range(1, 7))


def refused(source: str) -> fd.BookError:
    with pytest.raises(fd.BookError) as caught:
        fd.load_book(source, file="house.toml")
    return caught.value


def line_of(source: str, needle: str) -> int:
    return next(number for number, line in enumerate(source.split("\n"), start=1) if needle in line)


LADDER = text(
    UPPER, ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', 'ladder = [{ boxes = "face", worth = "plain" }]'
)
CASES = {
    # what is wrong: (the file, a piece of the line to blame, a piece of the sentence)
    "unknown key with a suggestion": (
        text(CHANCE, head=["dise = 5"]),
        "dise",
        "'dise' is not a known key. Did you mean 'dice'?",
    ),
    "unknown key without one": (
        text(CHANCE, head=["zzzz = 5"]),
        "zzzz",
        "'zzzz' is not a known key. Known keys here: alike, bonus",
    ),
    "a misspelt table that may be left out": (
        text(CHANCE, "[bonnus]", "threshold = 63"),
        "bonnus",
        "'bonnus' is not a known key. Did you mean 'bonus'?",
    ),
    "unknown key in a box": (text(CHANCE + "colour = 1"), "colour", "'boxes.chance.colour' is not a known key."),
    "unknown key in a rung": (
        LADDER.replace('"plain" }', '"plain", cost = 1 }'),
        "ladder",
        "'alike.ladder.1.cost' is not a known key.",
    ),
    "unknown key in the bonus": (
        text(UPPER, "[bonus]", "threshold = 63", "points = 35", "once = true"),
        "once",
        "'bonus.once' is not a known key.",
    ),
    "points that are no sum": (
        text(box("a", "aa", "anything", '"2 * all"')),
        "points",
        "'boxes.a.points' must be 'all' or 'matching'. It is '2 * all'.",
    ),
    "points plus nothing": (
        text(box("a", "aa", "anything", '"15 + dice"')),
        "points",
        "must be a number, 'all', 'matching', or a number plus one of these, such as '15 + all'. It is '15 + dice'.",
    ),
    "too many points plus dice": (
        text(box("a", "aa", "anything", '"1001 + all"')),
        "points",
        "'boxes.a.points' must be from 1 to 1000. It is 1001.",
    ),
    "plus its own dice where it has none": (
        text(box("a", "aa", "run, length = 2", '"5 + matching"')),
        "points",
        "A",
    ),
    "one colour without colors": (
        text(box("a", "aa", "flush", "9")),
        "pattern",
        "A asks for one colour. Add a line such",
    ),
    "groups of one colour without colors": (
        text(box("a", "aa", "groups, sizes = [2]; one_colour = true", "9")),
        "one_colour",
        "A asks for one colour. Add a line such",
    ),
    "more groups than a color has numbers": (
        text(box("a", "aa", "groups, sizes = [2, 2]; one_colour = true", "9"), head=["colours = [[1], [2]]"]),
        "sizes",
        "1",
    ),
    "a color of no face": (
        text(CHANCE, head=["colours = [[1, 7]]"]),
        "colours",
        "The colors name 7. The dice show 1 to 6.",
    ),
    "a face of two colors": (text(CHANCE, head=["colours = [[1, 2], [2]]"]), "colours", "names a number twice"),
    "colors that are no lists": (text(CHANCE, head=["colours = [1, 2]"]), "colours", "must be a list of 1 to 9 lists"),
    "a total that dice cannot give": (
        text(box("a", "aa", "total, total = 31", "9")),
        "total = 31",
        "A asks for a total of 31. These dice give 5 to 30.",
    ),
    "a total that dice cannot fall below": (
        text(box("a", "aa", "total, total = 4", "9")),
        "total = 4",
        "A asks for a total of 4. These dice give 5 to 30.",
    ),
    "only faces that there are": (
        text(box("a", "aa", "only, faces = [1, 7]", "9")),
        "faces",
        "A asks for 1 and 7. The dice show each of 1 to 6",
    ),
    "only faces twice": (text(box("a", "aa", "only, faces = [1, 1]", "9")), "faces", "so name each at most once"),
    "two things that never meet": (
        text(box("a", "aa", 'both, first = {pattern = "parity"}; second = {pattern = "run", length = 2}', "9")),
        "second",
        "A asks for two things that no roll shows at once.",
    ),
    "a fault in the first of two things": (
        text(box("a", "aa", 'both, first = {pattern = "total", total = 31}; second = {pattern = "anything"}', "9")),
        "first",
        "A asks for a total of 31",
    ),
    "a fault in the second of two things": (
        text(box("a", "aa", 'both, first = {pattern = "anything"}; second = {pattern = "total", total = 31}', "9")),
        "second",
        "A asks for a total of 31",
    ),
    "two things inside two things": (
        text(box("a", "aa", 'both, first = {pattern = "both"}; second = {pattern = "anything"}', "9")),
        "first",
        "It is 'both'.",
    ),
    "an unknown key in one of two things": (
        text(box("a", "aa", 'both, first = {pattern = "parity", even = 1}; second = {pattern = "anything"}', "9")),
        "first",
        "'boxes.a.first.even' is not a known key.",
    ),
    "two orders": (
        text(CHANCE, head=["fixed_order = true", 'order = "free"']),
        'order = "free"',
        "'fixed_order = true' and order 'free' contradict each other. Leave one of them out.",
    ),
    "tiers that fall": (
        text(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35 }, { from = 60, points = 40 }]"),
        "tiers",
        "'bonus.tiers' must be a list of 1 or more steps whose 'from' and 'points' rise.",
    ),
    "tiers that pay less": (
        text(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35 }, { from = 70, points = 30 }]"),
        "tiers",
        "'bonus.tiers' must be a list of 1 or more steps whose 'from' and 'points' rise.",
    ),
    "tiers and a threshold": (
        text(UPPER, "[bonus]", "threshold = 63", "tiers = [{ from = 63, points = 35 }]"),
        "tiers",
        "'bonus.tiers' and 'threshold' contradict each other. Leave one of them out.",
    ),
    "tiers from one threshold": (
        text(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35 }, { from = 63, points = 40 }]"),
        "tiers",
        "'bonus.tiers' must be a list of 1 or more steps whose 'from' and 'points' rise.",
    ),
    "unknown key in a tier": (
        text(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35, once = true }]"),
        "tiers",
        "'bonus.tiers.1.once' is not a known key.",
    ),
    "tiers and points": (
        text(UPPER, "[bonus]", "points = 35", "tiers = [{ from = 63, points = 35 }]"),
        "tiers",
        "'bonus.tiers' and 'points' contradict each other. Leave one of them out.",
    ),
    "no tiers": (text(UPPER, "[bonus]", "tiers = []"), "tiers", "must be a list of 1 or more steps"),
    "a tier that is never reached": (
        text(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35 }, { from = 106, points = 40 }]"),
        "tiers",
        "The upper boxes give at most 105, so a bonus at 106 is never paid.",
    ),
    "a further bonus that is never reached": (
        text(CHANCE, "[bonuses.low]", 'name = "Low"', 'section = "lower"', "threshold = 31", "points = 5"),
        "threshold",
        "These boxes give at most 30, so a bonus at 31 is never paid.",
    ),
    "a further bonus over no box": (
        text(CHANCE, "[bonuses.low]", 'name = "Low"', 'boxes = ["chanse"]', "threshold = 3", "points = 5"),
        'boxes = ["chanse"]',
        "There is no box 'chanse' for this bonus. The boxes are chance.",
    ),
    "a further bonus over a box twice": (
        text(CHANCE, "[bonuses.low]", 'name = "Low"', 'boxes = ["chance", "chance"]', "threshold = 3", "points = 5"),
        'boxes = ["chance"',
        "Name each box once.",
    ),
    "a further bonus over both": (
        text(
            CHANCE,
            "[bonuses.low]",
            'name = "Low"',
            'boxes = ["chance"]',
            'section = "lower"',
            "threshold = 3",
            "points = 5",
        ),
        'boxes = ["chance"',
        "'bonuses.low.boxes' and 'section' contradict each other. Leave one of them out.",
    ),
    "a further bonus with an odd key": (
        text(CHANCE, "[bonuses.Low]", 'name = "Low"', 'section = "lower"', "threshold = 3", "points = 5"),
        "[bonuses.Low]",
        "'Low'",
    ),
    "too many further bonuses": (
        text(
            CHANCE,
            *(f'[bonuses.b{n}]\nname = "B"\nsection = "lower"\nthreshold = 3\npoints = 5' for n in range(9)),
        ),
        "[bonuses.b8]",
        "There may be at most 8 further bonuses. There are 9.",
    ),
    "rising extras that are too many": (
        LADDER.replace('box = "five', f'extra = {[1] * 31}\nbox = "five'),
        "extra",
        "'alike.extra' must be a list of 1 to 30 whole numbers",
    ),
    "unknown key in a further bonus": (
        text(
            CHANCE, "[bonuses.low]", 'name = "Low"', 'section = "lower"', "threshold = 3", "points = 5", "once = true"
        ),
        "once",
        "'bonuses.low.once' is not a known key.",
    ),
    "unknown key in the sheet": (text(CHANCE, "[sheet]", "rows = 3"), "rows", "'sheet.rows' is not a known key."),
    "a ladder that leaves one nowhere to go, with its box on top": (
        text(ALIKE, face_box(1), '[alike]\nbox = "five_of_a_kind"\nladder = [{ boxes = "lower", worth = "plain" }]'),
        "ladder",
        "Aces",
    ),
    "unknown key in a note": (
        text(CHANCE, "[notes.a]", 'title = "A"', 'text = "b"', "size = 2"),
        "size",
        "'notes.a.size' is not a known key.",
    ),
    "unknown key in the policy": (LADDER + "\nonce = true", "once", "'alike.once' is not a known key."),
    "a number that is text": (text(CHANCE, head=['dice = "5"']), "dice", "'dice' must be a whole number. It is '5'."),
    "a number that is a truth": (
        text(CHANCE, head=["dice = true"]),
        "dice",
        "'dice' must be a whole number. It is true.",
    ),
    "a text that is a number": (text(CHANCE).replace('"House"', "7"), "name", "'name' must be text. It is 7."),
    "a flag that is a number": (
        text(CHANCE, head=["fixed_order = 1"]),
        "fixed_order",
        "'fixed_order' must be true or false. It is 1.",
    ),
    "a list that is a number": (
        text(box("a", "aa", "groups, sizes = 3")),
        "sizes",
        "'boxes.a.sizes' must be a list. It is 3.",
    ),
    "a table that is a number": (text(CHANCE, head=["bonus = 5"]), "bonus", "'bonus' must be a table. It is 5."),
    "a number too large": (text(CHANCE, head=["dice = 9"]), "dice", "'dice' must be from 1 to 8. It is 9."),
    "a number too small": (text(CHANCE, head=["faces = 1"]), "faces", "'faces' must be from 2 to 9. It is 1."),
    "a number of thousands of digits": (
        text(CHANCE, head=["dice = 0x" + "f" * 6000]),
        "dice",
        "'dice' must be from 1 to 8. It is ….",
    ),
    "a number of more digits than can be read": (
        text(CHANCE, head=["rolls = 2", "dice = -" + "9" * 6000, "faces = 6"]),
        "dice",
        "This number has too many digits. Write a shorter one.",
    ),
    "a number of more digits than can be read, with a line between them": (
        text(CHANCE, head=["rolls = 11", "dice = 1" + "9" * 6000 + "_9", "faces = 66"]),
        "dice",
        "This number has too many digits. Write a shorter one.",
    ),
    "a number that is a day": (
        text(CHANCE, head=["dice = 2024-05-01"]),
        "dice",
        "'dice' must be a whole number. It is 2024-05-01.",
    ),
    "a number that is a moment": (
        text(CHANCE, head=["dice = 2024-05-01T12:30:00Z"]),
        "dice",
        "'dice' must be a whole number. It is 2024-05-01 12:30:00+00:00.",
    ),
    "a text that is a table": (
        text(CHANCE, head=['summary = { short = "a", "long one" = [true, 1.5] }']),
        "summary",
        """'summary' must be text. It is { short = "a", "long one" = [true, 1.5] }.""",
    ),
    "a number that is a long list": (
        text(CHANCE, head=[f"dice = {list(range(100))}"]),
        "dice",
        "'dice' must be a whole number. It is [ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,….",
    ),
    "a number that is a hundred lists in each other": (
        text(CHANCE, head=["dice = " + "[" * 300 + "]" * 300]),
        "dice",
        "'dice' must be a whole number. It is",
    ),
    "lists nested too deep": (
        text(CHANCE, head=["rolls = 2", "dice = " + "[" * 20_000 + "]" * 20_000, "faces = [6]"]),
        "dice",
        "Lists and tables are nested too deep here.",
    ),
    "a name that turns the writing around": (
        text(CHANCE).replace('"House"', '"Ho\u202euse"'),
        "name",
        "must be one line of 1 to 80",
    ),
    "a name of which nothing is to be seen": (
        text(CHANCE).replace('"House"', '"\u200d\u200c"'),
        "name",
        "must be one line of 1 to 80",
    ),
    "a list of texts": (
        text(box("a", "aa", 'groups, sizes = ["3"]')),
        "sizes",
        "must be a list of 1 to 8 whole numbers from 1 to 8",
    ),
    "an empty list": (text(box("a", "aa", "exactly, faces = []")), "faces", "must be a list of 1 to 9 whole numbers"),
    "a choice that is none": (
        text(CHANCE, head=['start = "coin"']),
        "start",
        "must be 'roll-off' or 'draw'. It is 'coin'.",
    ),
    "a name over two lines": (text(CHANCE).replace('"House"', '"a\\nb"'), "name", "must be one line of 1 to 80"),
    "an empty name": (text(CHANCE).replace('"House"', '"  "'), "name", "must be one line of 1 to 80 characters"),
    "a name too long for the sheet": (
        text(box("a", "aa", "anything", name="x" * 41)),
        "xxx",
        "must be one line of 1 to 40 characters",
    ),
    "prose too long": (text(CHANCE, head=[f'summary = "{"x" * 1001}"']), "summary", "at most 1000 characters"),
    "prose with control characters": (text(CHANCE, head=['summary = "a\\u0000"']), "summary", "must be plain text"),
    "an unknown pattern": (
        text(box("a", "aa", "poker")),
        "pattern",
        "'total', 'flush', 'both', 'alike' or 'anything'. It is 'poker'.",
    ),
    "a key with capitals": (
        text(CHANCE, key="House"),
        "key",
        "'key' must be lower-case letters, digits and hyphens, such as 'our-yatzy'. It is 'House'.",
    ),
    "a box key with capitals": (
        text(box("Chance", "ch", "anything")),
        "[boxes.Chance]",
        "The key of a box must be lower-case letters, digits and underscores, such as 'full_house'. It is 'Chance'.",
    ),
    "a code of three letters": (text(box("a", "abc", "anything")), "code", "must be two lower-case letters or digits"),
    "points of zero": (
        text(box("a", "aa", "anything", "0")),
        "points",
        "'boxes.a.points' must be from 1 to 1000. It is 0.",
    ),
    "points by a strange sum": (
        text(box("a", "aa", "anything", '"most"')),
        "points",
        "must be 'all' or 'matching'. It is 'most'.",
    ),
    "no boxes": (text(head=["boxes = {}"]), "boxes", "A score sheet has 1 to 30 boxes. This one has 0"),
    "too many boxes": (
        text("[boxes]", *(box(f"b{n}", f"{n:02}", "anything") for n in range(31))),
        "[boxes]",
        "A score sheet has 1 to 30 boxes. This one has 31",
    ),
    "a box that is no table": (text(head=["boxes = { a = 3 }"]), "boxes", "'boxes.a' must be a table. It is 3."),
    "a sequence that forgets a box": (
        text(face_box(1), CHANCE, head=['sequence = ["chance"]']),
        "sequence",
        "'sequence' must name every box once: aces and chance.",
    ),
    "a sequence of numbers": (text(CHANCE, head=["sequence = [1]"]), "sequence", "must be a list of texts. It is [1]."),
    "a straight longer than the faces": (
        text(box("a", "aa", "run, length = 5"), head=["faces = 4"]),
        "length",
        "A needs 5 numbers in a row, which 5 dice, each 1 to 4, cannot show.",
    ),
    "a straight longer than the dice": (
        text(box("a", "aa", "run, length = 4"), head=["dice = 3"]),
        "length",
        "A needs 4 numbers in a row, which 3 dice, each 1 to 6, cannot show.",
    ),
    "a straight of its own dice": (
        text(box("a", "aa", "run, length = 4", '"matching"')),
        "points",
        "A must score a fixed number or 'all', not 'matching'.",
    ),
    "exact faces that are not there": (
        text(box("a", "aa", "exactly, faces = [5, 6, 7]")),
        "faces",
        "A needs 5, 6 and 7, each once, which 5 dice, each 1 to 6, cannot show.",
    ),
    "exact faces twice": (
        text(box("a", "aa", "exactly, faces = [5, 5]")),
        "faces",
        "A needs 5 and 5, each once, which 5 dice",
    ),
    "more exact faces than dice": (
        text(box("a", "aa", "exactly, faces = [1, 2, 3]"), head=["dice = 2"]),
        "faces = ",
        "A needs 1, 2 and 3, each once, which 2 dice",
    ),
    "a face that is not there": (
        text(box("a", "aa", "face, face = 7")),
        "face = 7",
        "A counts the number 7, but the dice go from 1 to 6.",
    ),
    "groups of too many dice": (
        text(box("a", "aa", "groups, sizes = [2, 4]")),
        "sizes",
        "A needs 6 dice for groups of 4 and 2, but there are only 5.",
    ),
    "groups of too many faces": (
        text(box("a", "aa", "groups, sizes = [1, 1, 1]"), head=["faces = 2"]),
        "sizes",
        "A needs 3 different numbers, but the dice have only 2.",
    ),
    "a code twice": (
        text(box("a", "aa", "anything").replace('code = "aa"', 'code="aa"'), box("b", "aa", "anything")),
        'code = "aa"',
        "'aa' is used twice. It already means the box a.",
    ),
    "a name twice": (
        text(box("a", "aa", "anything", name="Same"), box("b", "bb", "anything", name="SAME")),
        '"SAME"',
        "'SAME' is used twice. It already means the box a.",
    ),
    "a name that is the key of another box": (
        text(box("a", "aa", "anything", name="b"), box("b", "bb", "anything", name="Other")),
        'name = "b"',
        "'b' is used twice. It already means the box b.",
    ),
    "a code that is the key of another box": (
        text(box("aa", "xx", "anything"), box("b", "aa", "anything")),
        'code = "aa"',
        "'aa' is used twice. It already means the box aa.",
    ),
    "the code of the tally": (text(box("a", "yb", "anything")), "code", "The code 'yb' is reserved for extra bonuses."),
    "a bonus that cannot be reached": (
        text(UPPER, "[bonus]", "threshold = 106", "points = 35"),
        "threshold",
        "The upper boxes give at most 105, so a bonus at 106 is never paid.",
    ),
    "a bonus without upper boxes": (
        text(CHANCE, "[bonus]", "threshold = 1", "points = 35"),
        "threshold",
        "The upper boxes give at most 0",
    ),
    "a ladder that leaves no legal box": (
        LADDER,
        "ladder",
        "The ladder leaves no box for dice all showing 1 when only Twos, Threes, Fours, Fives and Sixes are open.",
    ),
    "a policy for a box that is not there": (
        text(CHANCE, "[alike]", 'box = "yams"'),
        "yams",
        "'alike.box' must name a box with the pattern 'alike'. It is 'yams'.",
    ),
    "a policy for a box of another pattern": (
        text(CHANCE, "[alike]", 'box = "chance"'),
        'box = "chance"',
        "'alike.box' must name a box with the pattern 'alike'. It is 'chance'.",
    ),
    "a ladder of numbers": (LADDER.replace("[{", "[3, {"), "ladder", "must be a list of at most 8 tables"),
    "a ladder with too many rungs": (
        LADDER.replace("[{", "[" + '{ boxes = "any", worth = "zero" },' * 8 + "{"),
        "ladder",
        "must be a list of at most 8 tables",
    ),
    "a box that the base has not": (
        'extends = "yatzy"\n[boxes.pair]\npoints = 5',
        "[boxes.pair]",
        "'yatzy' has no box 'pair'. Did you mean 'one_pair'?",
    ),
    "removing a box that the base has not": (
        'extends = "yatzy"\n[boxes]\nstraight_flush = false',
        "straight_flush",
        "'yatzy' has no box 'straight_flush'",
    ),
    "a new box without its parts": ('extends = "crag"\n[boxes.zz]\npoints = 5', "[boxes.zz]", "no box 'zz', only aces"),
    "a box of the base whose new pattern needs more": (
        'extends = "crag"\n[boxes.aces]\npattern = "total"',
        "[boxes.aces]",
        "'boxes.aces.total' is missing.",
    ),
    "extending the unknown": ('name = "x"\nextends = "yatzee"', "extends", "There are no rules 'yatzee'. Did you mean"),
    "extending the unknown, whose way out is no path": (
        'extends = "ludo"',
        "extends",
        f"There are no rules 'ludo'. Choose {', '.join(fd.SHIPPED[:-1])} or {fd.SHIPPED[-1]}.",
    ),
    "extending a path": (
        'extends = "../ours.toml"',
        "extends",
        "'extends' cannot name a file. It is '../ours.toml'. Extend yardzee, yahtzee,",
    ),
    "extending a path without an ending": ('extends = "./ours"', "extends", "'extends' cannot name a file."),
    "extending a number": ("extends = 3", "extends", "'extends' must be text. It is 3."),
    "another format": (text(CHANCE, head=["format = 2"]), "format", "'format' must be from 1 to 1. It is 2."),
    "broken TOML": ('key = "a"\nname = \n', "name", "This is not TOML: Invalid value"),
    "TOML that breaks off in a list": ('key = "a"\ndice = [\n', "dice", "This is not TOML: "),
    "TOML that breaks off": ('key = "a"\nname = "x', "name", "This is not TOML: "),
    "a key twice": ('key = "a"\nkey = "b"', '"b"', "This is not TOML: Cannot overwrite a value"),
    "the key of a shipped book": (
        'extends = "yahtzee"\nkey = "yahtzee"\nrolls = 4',
        "key",
        "The key 'yahtzee' belongs to rules that come with Fivedice and differ. Choose another key.",
    ),
    "inherited boxes that no longer fit": (
        '# smaller dice\nextends = "yahtzee"\ndice = 3',
        "extends",
        "4 of a Kind needs 4 dice for groups of 4, but there are only 3.",
    ),
}


@for_each("kind", CASES)
def test_refused_with_file_line_and_sentence(kind: str) -> None:
    source, blamed, sentence = CASES[kind]
    error = refused(source)
    line = line_of(source, blamed)
    assert (error.file, error.line) == ("house.toml", line)
    assert sentence in error.reason
    assert str(error) == f"house.toml, line {line}: {error.reason}"


RICH = "".join(box(f"rich{n}", f"r{n}", "anything", "1000", "upper") for n in range(10))
BOUNDS: dict[str, tuple[str, int, int]] = {
    # a line with its number left open: (the file, the lowest and the highest number)
    "dice": (text(CHANCE, head=["dice = {}"]), 1, 8),
    "faces": (text(CHANCE, head=["faces = {}"]), 2, 9),
    "rolls": (text(CHANCE, head=["rolls = {}"]), 1, 9),
    "format": (text(CHANCE, head=["format = {}"]), 1, 1),
    "sheet.columns": (text(CHANCE, "[sheet]", "columns = {}"), 1, 12),
    "boxes.a.points": (text(box("a", "aa", "anything", "{}")), 1, 1000),
    "boxes.plus.points": (text(box("plus", "aa", "anything", '"{} + all"')), 1, 1000),
    "boxes.a.face": (text(box("a", "aa", "face, face = {}"), head=["faces = 9"]), 1, 9),
    "bonus.threshold": (text(RICH, "[bonus]", "threshold = {}", "points = 1"), 1, 10_000),
    "bonus.points": (text(RICH, "[bonus]", "threshold = 1", "points = {}"), 1, 1000),
    "bonus.tiers.1.from": (text(RICH, "[[bonus.tiers]]", "from = {}", "points = 1"), 1, 10_000),
    "bonus.tiers.1.points": (text(RICH, "[[bonus.tiers]]", "from = 1", "points = {}"), 1, 1000),
    "alike.extra": (text(ALIKE, "[alike]", 'box = "five_of_a_kind"', "extra = {}"), 0, 1000),
    "alike.at_most": (text(ALIKE, "[alike]", 'box = "five_of_a_kind"', "at_most = {}"), 1, 30),
    "alike.ladder.1.extra": (
        text(
            *(ALIKE, "[alike]", 'box = "five_of_a_kind"'),
            *("[[alike.ladder]]", 'boxes = "any"', 'worth = "plain"', "extra = {}"),
        ),
        0,
        1000,
    ),
}


@for_each("key", BOUNDS)
def test_a_number_is_right_up_to_its_bounds_and_refused_beyond(key: str) -> None:
    source, low, high = BOUNDS[key]
    for number in (low, high):
        fd.load_book(source.replace("{}", str(number)))
    for number in (low - 1, high + 1):
        assert refused(source.replace("{}", str(number))).reason == (
            f"'{key}' must be from {low} to {high}. It is {number}."
        )


STEP = '{ boxes = "any", worth = "plain" }'
MOST: dict[str, tuple[Callable[[int], str], int, str]] = {
    # how much there may be of something, and how one more is refused
    "the name of a book": (lambda most: text(CHANCE).replace("House", "x" * most), 80, "must-be-line"),
    "the name of a box": (lambda most: text(box("a", "aa", "anything", name="x" * most)), 40, "must-be-line"),
    "the title of a note": (
        lambda most: text(CHANCE, "[notes.a]", f'title = "{"x" * most}"', 'text = "b"'),
        80,
        "must-be-line",
    ),
    "the name of a further bonus": (
        lambda most: text(
            CHANCE, "[bonuses.a]", f'name = "{"x" * most}"', 'section = "lower"', "threshold = 3", "points = 5"
        ),
        40,
        "must-be-line",
    ),
    "the name of a line": (lambda most: text(CHANCE, "[sheet]", f'upper = "{"x" * most}"'), 40, "must-be-line"),
    "the name of the joker rules": (
        lambda most: text(ALIKE, "[alike]", 'box = "five_of_a_kind"', f'name = "{"x" * most}"'),
        40,
        "must-be-line",
    ),
    "a short form": (lambda most: text(CHANCE + f'short = "{"x" * most}"'), 8, "must-be-line"),
    "a summary": (lambda most: text(CHANCE, head=[f'summary = "{"x" * most}"']), 1000, "must-be-prose"),
    "a source": (lambda most: text(CHANCE, head=[f'source = "{"x" * most}"']), 1000, "must-be-prose"),
    "boxes": (
        lambda most: text(*(box(f"b{n}", f"{n:02}", "anything") for n in range(most))),
        30,
        "number-of-boxes",
    ),
    "notes": (
        lambda most: text(CHANCE, *(f'[notes.n{n}]\ntitle = "a"\ntext = "b"' for n in range(most))),
        200,
        "number-of-notes",
    ),
    "tiers": (
        lambda most: text(
            UPPER, "[bonus]", f"tiers = [{', '.join(f'{{from={n + 1},points=1}}' for n in range(most))}]"
        ),
        8,
        "must-be-tables",
    ),
    "steps": (
        lambda most: text(ALIKE, "[alike]", 'box = "five_of_a_kind"', f"ladder = [{', '.join([STEP] * most)}]"),
        8,
        "must-be-tables",
    ),
    "rising extras": (
        lambda most: text(ALIKE, "[alike]", 'box = "five_of_a_kind"', f"extra = {[1] * most}"),
        30,
        "must-be-numbers",
    ),
    "rising extras, the highest": (
        lambda most: text(ALIKE, "[alike]", 'box = "five_of_a_kind"', f"extra = [0, {most}]"),
        1000,
        "must-be-numbers",
    ),
    "faces of a pattern": (
        lambda most: text(box("a", "aa", f"only, faces = {list(range(1, most + 1))}"), head=["faces = 9"]),
        9,
        "must-be-numbers",
    ),
    "colours": (
        lambda most: text(CHANCE, head=["faces = 9", f"colours = {[[n + 1] for n in range(most)]}"]),
        9,
        "must-be-lists",
    ),
    "faces of a colour": (
        lambda most: text(CHANCE, head=["faces = 9", f"colours = [{list(range(1, most + 1))}]"]),
        9,
        "must-be-lists",
    ),
}


@for_each("what", MOST)
def test_there_may_be_just_so_much_of_it(what: str) -> None:
    written, most, kind = MOST[what]
    fd.load_book(written(most))
    assert refused(written(most + 1)).message.kind == f"rules.{kind}"


MISSING = {
    "key": ('name = "x"\n' + CHANCE, "'key' is missing."),
    "name": ('key = "x"\n' + CHANCE, "'name' is missing."),
    "boxes": (text(), "'boxes' is missing."),
}


@for_each("key", MISSING)
def test_what_is_missing_at_the_top_has_a_file_but_no_line(key: str) -> None:
    source, sentence = MISSING[key]
    error = refused(source)
    assert error.line is None
    assert str(error) == f"house.toml: {sentence}"


def test_what_is_missing_in_a_table_has_the_line_of_its_table() -> None:
    source = text(CHANCE.replace('code = "ch"\n', ""))
    error = refused(source)
    assert (error.line, error.reason) == (line_of(source, "[boxes.chance]"), "'boxes.chance.code' is missing.")


def test_a_nested_mistake_too_deep_for_toml_is_refused() -> None:
    assert "nested too deep" in str(refused("a = " + "[" * 20_000))


@for_each(
    ("source", "line", "column"),
    [
        ('key = "a"\nname = \n', 2, 8),
        ('key = "a"\nname = [\n', 2, None),
        ('key = "a"\nname = [', 2, None),
        ('key = "a"\nname = [\n\n', 3, None),
    ],
)
def test_what_is_no_toml_is_shown_where_it_breaks(source: str, line: int, column: int | None) -> None:
    error = refused(source)
    assert (error.message.kind, error.line, error.column) == ("rules.not-toml", line, column)


FITTING = [
    ("run, length = 5", []),
    ("run, length = 3", ["faces = 3"]),
    ("exactly, faces = [2, 3, 4, 5, 6]", []),
    ("only, faces = [6]", []),
    ("face, face = 6", []),
    ("groups, sizes = [3, 2]", []),
    ("groups, sizes = [1, 1]", ["faces = 2"]),
    ("groups, sizes = [1, 1, 1]; same_face = true", ["faces = 2"]),
    ("groups, sizes = [2, 2]; one_colour = true", ["colours = [[1, 2], [3]]"]),
    ("total, total = 5", []),
    ("total, total = 30", []),
    ("only, faces = [1]", ["colours = [[1, 6]]"]),
]


@for_each(("pattern", "head"), FITTING)
def test_what_the_dice_can_just_show_may_be_asked_for(pattern: str, head: list[str]) -> None:
    book = load(box("a", "aa", pattern, "9"), head=head)
    assert any(book.worth(roll).plain == (9,) for roll in fd.dice.rolls(5, book.faces))


def test_an_empty_file_is_refused() -> None:
    assert str(refused("")) == "house.toml: 'key' is missing."


def test_a_text_too_long_is_refused() -> None:
    error = refused("#" * 65_537)
    assert str(error) == "house.toml: The file has 65537 characters. Rules may have at most 65536."
    assert str(refused("#" * 65_536)) == "house.toml: 'key' is missing."


def test_a_mistake_is_named_without_a_file_name_too() -> None:
    with pytest.raises(fd.BookError, match=r"^<text>, line 3: 'dise' is not a known key"):
        fd.load_book(text(CHANCE, head=["dise = 5"]))


# Lines


def test_lines_are_counted_as_editors_do() -> None:
    source = text(CHANCE, head=['summary = """\n[dice]\ndice = 3\n"""', 'source = "a\u2028b"', "dice = 99"])
    assert refused(source).line == source.split("\n").index("dice = 99") + 1


def test_dotted_and_quoted_keys_are_found() -> None:
    source = text(CHANCE, head=["sheet.rows = 3"])
    assert refused(source).line == 3
    assert refused(text(CHANCE, '[notes."our note"]', 'title = "A"', "text = 3")).line == 12


def test_tables_in_lists_are_found_by_their_number() -> None:
    rungs = [f'[[alike.ladder]]\nboxes = "{reach}"\nworth = "plain"' for reach in ("face", "all")]
    source = text(UPPER, ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', *rungs)
    error = refused(source)
    assert error.reason.startswith("'alike.ladder.2.boxes' must be 'face', 'upper', 'lower' or 'any'.")
    assert error.line == line_of(source, 'boxes = "all"')


# Files


def test_a_book_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("\ufeff" + text(CHANCE, key="ours"), encoding="utf-8")
    assert fd.book(path).key == fd.book(str(path)).key == "ours"


def test_a_refusal_names_the_file_it_came_from(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("dice = 99", encoding="utf-8")
    with pytest.raises(fd.BookError) as caught:
        fd.book(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfe", "The file is not UTF-8 text"),
        (b"#" * 70_000, "The file has 70000 characters"),
        (b"#" * 300_000, "The file has 262144 characters. Rules may have at most 65536"),
        (("🎲" * 65_537).encode(), "The file has 65537 characters"),
        (b"#\r\n" * 65_536, "The file has 196608 characters"),
    ],
    ids=["no text", "large", "huge", "four bytes each", "lines of two characters"],
)
def test_a_file_that_is_no_book_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(data)
    with pytest.raises(fd.BookError, match=reason):
        fd.book(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(fd.BookError, match="The file cannot be read: No such file or directory"):
        fd.book(tmp_path / "none.toml")
    with pytest.raises(fd.BookError, match="The file cannot be read: Is a directory"):
        fd.book(tmp_path)
    with pytest.raises(fd.BookError, match="No file can have this name"):
        fd.book("a\0.toml")


@for_each("name", ["yatzee", "", "YAHTZEE", "house"])
def test_a_name_that_is_on_no_shelf_is_refused(name: str) -> None:
    with pytest.raises(fd.UnknownBook) as caught:
        fd.book(name)
    assert repr(name) in str(caught.value)
    assert "yahtzee-free-choice" in str(caught.value)
    assert ("Did you mean 'yahtzee'?" in str(caught.value)) == (name == "yatzee")


# What looks wrong and is right


def test_the_key_of_a_shipped_book_may_stay_where_play_is_the_same() -> None:
    ours = extend("yahtzee", 'key = "yahtzee"', 'name = "Kniffel"')
    assert (ours.key, ours.name, ours.fingerprint) == ("yahtzee", "Kniffel", fd.book("yahtzee").fingerprint)


def test_a_face_box_that_sums_all_dice_can_reach_a_high_bonus() -> None:
    all_dice = box("aces", "1s", "face, face = 1", '"all"', "upper")
    book = load(all_dice, CHANCE, "[bonus]", "threshold = 25", "points = 5")
    assert fd.Scorecard.of(book, {"aces": 25}).upper_bonus == 5


def test_an_upper_box_of_fixed_points_counts_towards_the_bonus() -> None:
    fixed = box("pair", "1p", "groups, sizes = [2]", "40", "upper")
    book = load(fixed, "[bonus]", "threshold = 40", "points = 5")
    assert fd.Scorecard.of(book, {"pair": 40}).total == 45
    assert "at most 40" in refused(text(fixed, "[bonus]", "threshold = 41", "points = 5")).reason


def test_an_upper_box_of_its_own_dice_counts_towards_the_bonus() -> None:
    pair = box("pair", "1p", "groups, sizes = [2]", '"matching"', "upper")
    assert load(pair, "[bonus]", "threshold = 30", "points = 5").bonus is not None
    assert "at most 30" in refused(text(pair, "[bonus]", "threshold = 31", "points = 5")).reason


def test_many_small_groups_are_priced_without_trying_every_order() -> None:
    """Eight groups have 40,320 orders; each of these rolls would take a second if all were tried."""
    ones = box("ones", "aa", "groups, sizes = [1, 1, 1, 1, 1, 1, 1, 1]", '"matching"')
    book = load(ones, head=["dice = 8", "faces = 9"])
    spread = [roll for roll in fd.dice.rolls(8, 9) if len(roll.counts) >= 7]
    worths = [book.worth(roll).plain[0] for roll in spread]
    assert sum(points > 0 for points in worths) == 9
    assert max(worths) == sum(range(2, 10))
