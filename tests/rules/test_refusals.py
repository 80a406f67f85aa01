"""Files that are refused: each kind with its file, its line and its sentence."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import fivedice as fd
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load, text

UPPER = "".join(face_box(face) for face in range(1, 7))


def load_error(source: str) -> fd.BookError:
    with pytest.raises(fd.BookError) as caught:
        fd.load_book(source, file="house.toml")
    return caught.value


def line_of(source: str, needle: str) -> int:
    return next(number for number, line in enumerate(source.split("\n"), start=1) if needle in line)


Case = tuple[str, str, str]  # a file, a piece of the line to blame, a piece of the sentence


def refusal(blamed: str, sentence: str, *parts: str, head: Iterable[str] = (), key: str = "house") -> Case:
    return text(*parts, head=head, key=key), blamed, sentence


def top(line: str, sentence: str) -> Case:
    """Blame one line above the boxes."""
    return refusal(line.partition(" ")[0], sentence, CHANCE, head=[line])


def between(line: str, sentence: str) -> Case:
    """Blame a line between two others."""
    return refusal(line.partition(" ")[0], sentence, CHANCE, head=["rolls = 11", line, "faces = [66]"])


def named(name: str, sentence: str) -> Case:
    return text(CHANCE).replace('"House"', name), "name", sentence


def one_box(pattern: str, sentence: str, head: str = "", blamed: str = "") -> Case:
    """Blame the first detail of a pattern, or the pattern where it has none."""
    details = pattern.partition(", ")[2]
    return refusal(blamed or details.partition(";")[0] or "pattern", sentence, any_box("a", pattern), head=[head])


def priced(pattern: str, points: str, sentence: str) -> Case:
    return refusal("points", sentence, box("a", "aa", pattern, points))


def any_box(key: str, pattern: str = "anything", code: str = "aa", name: str = "") -> str:
    return box(key, code, pattern, "9", name=name)


def both(first: str, second: str, blamed: str, sentence: str) -> Case:
    parts = [
        f'{{pattern = "{kind}"{comma}{rest}}}' for kind, comma, rest in (p.partition(",") for p in (first, second))
    ]
    return one_box(f"both, first = {parts[0]}; second = {parts[1]}", sentence, blamed=blamed)


def bonus(blamed: str, sentence: str, *lines: str) -> Case:
    return refusal(blamed, sentence, UPPER, "[bonus]", *lines)


def tiers(sentence: str, *steps: tuple[int, int], more: str = "") -> Case:
    listed = ", ".join(f"{{ from = {threshold}, points = {points} }}" for threshold, points in steps)
    return bonus("tiers", sentence, more, f"tiers = [{listed}]")


def further(blamed: str, sentence: str, *lines: str) -> Case:
    return refusal(blamed, sentence, CHANCE, "[bonuses.low]", 'name = "Low"', "points = 5", *lines)


def ladder(old: str, new: str, blamed: str, sentence: str) -> Case:
    return LADDER.replace(old, new), blamed, sentence


def extending(base: str, sentence: str, lines: str = "", blamed: str = "") -> Case:
    """Blame the first of the lines that are added to shipped rules, or the line that names the rules."""
    return f'extends = "{base}"\n{lines}', blamed or lines.partition("\n")[0] or "extends", sentence


def contradiction(both_keys: str) -> str:
    return f"'{both_keys}' contradict each other. Leave one of them out."


def used_twice(word: str, key: str) -> str:
    return f"'{word}' is used twice. It already means the box {key}."


POLICY = '[alike]\nbox = "five_of_a_kind"'
LOWER = 'section = "lower"\nthreshold = 3'
DIGITS = "This number has too many digits. Write a shorter one."
NEVER = "The upper boxes give at most 105, so a bonus at 106 is never paid."
NOT_ALIKE = "'alike.box' must name a box with the pattern 'alike'. It is "
RISE = "'bonus.tiers' must be a list of 1 or more steps whose 'from' and 'points' rise."
LADDER = text(UPPER, ALIKE, CHANCE, POLICY, 'ladder = [{ boxes = "face", worth = "plain" }]')
CASES = {  # by what is wrong
    "unknown key with a suggestion": top("dise = 5", "'dise' is not a known key. Did you mean 'dice'?"),
    "unknown key without one": top("zzzz = 5", "'zzzz' is not a known key. Known keys here: alike, bonus"),
    "a misspelt table that may be left out": refusal(
        "bonnus", "'bonnus' is not a known key. Did you mean 'bonus'?", CHANCE, "[bonnus]", "threshold = 63"
    ),
    "unknown key in a box": refusal("colour", "'boxes.chance.colour' is not a known key.", CHANCE + "colour = 1"),
    "unknown key in a rung": ladder(
        '"plain" }', '"plain", cost = 1 }', "ladder", "'alike.ladder.1.cost' is not a known key."
    ),
    "unknown key in the bonus": bonus(
        "once", "'bonus.once' is not a known key.", "threshold = 63", "points = 35", "once = true"
    ),
    "points that are no sum": priced(
        "anything", '"2 * all"', "'boxes.a.points' must be 'all' or 'matching'. It is '2 * all'."
    ),
    "points plus nothing": priced(
        "anything",
        '"15 + dice"',
        "must be a number, 'all', 'matching', or a number plus one of these, such as '15 + all'. It is '15 + dice'.",
    ),
    "too many points plus dice": priced(
        "anything", '"1001 + all"', "'boxes.a.points' must be from 1 to 1000. It is 1001."
    ),
    "plus its own dice where it has none": priced("run, length = 2", '"5 + matching"', "A"),
    "one colour without colors": one_box("flush", "A asks for one colour. Add a line such"),
    "groups of one colour without colors": one_box(
        "groups, one_colour = true; sizes = [2]", "A asks for one colour. Add a line such"
    ),
    "more groups than a color has numbers": one_box(
        "groups, sizes = [2, 2]; one_colour = true", "1", head="colours = [[1], [2]]"
    ),
    "a color of no face": top("colours = [[1, 7]]", "The colours name 7. The dice show 1 to 6."),
    "a face of two colors": top("colours = [[1, 2], [2]]", "names a number twice"),
    "colors that are no lists": top("colours = [1, 2]", "must be a list of 1 to 9 lists"),
    "a total that dice cannot give": one_box("total, total = 31", "A asks for a total of 31. These dice give 5 to 30."),
    "a total that dice cannot fall below": one_box(
        "total, total = 4", "A asks for a total of 4. These dice give 5 to 30."
    ),
    "only faces that there are": one_box("only, faces = [1, 7]", "A asks for 1 and 7. The dice show each of 1 to 6"),
    "only faces twice": one_box("only, faces = [1, 1]", "so name each at most once"),
    "two things that never meet": both(
        "parity", "run, length = 2", "second", "A asks for two things that no roll shows at once."
    ),
    "a fault in the first of two things": both("total, total = 31", "anything", "first", "A asks for a total of 31"),
    "a fault in the second of two things": both("anything", "total, total = 31", "second", "A asks for a total of 31"),
    "two things inside two things": both("both", "anything", "first", "It is 'both'."),
    "an unknown key in one of two things": both(
        "parity, even = 1", "anything", "first", "'boxes.a.first.even' is not a known key."
    ),
    "two orders": refusal(
        'order = "free"',
        contradiction("fixed_order = true' and order 'free"),
        CHANCE,
        head=["fixed_order = true", 'order = "free"'],
    ),
    "tiers that fall": tiers(RISE, (63, 35), (60, 40)),
    "tiers that pay less": tiers(RISE, (63, 35), (70, 30)),
    "tiers and a threshold": tiers(contradiction("bonus.tiers' and 'threshold"), (63, 35), more="threshold = 63"),
    "tiers from one threshold": tiers(RISE, (63, 35), (63, 40)),
    "unknown key in a tier": bonus(
        "tiers", "'bonus.tiers.1.once' is not a known key.", "tiers = [{ from = 63, points = 35, once = true }]"
    ),
    "tiers and points": tiers(contradiction("bonus.tiers' and 'points"), (63, 35), more="points = 35"),
    "no tiers": tiers("must be a list of 1 or more steps"),
    "a tier that is never reached": tiers(NEVER, (63, 35), (106, 40)),
    "a further bonus that is never reached": further(
        "threshold", "These boxes give at most 30, so a bonus at 31 is never paid.", LOWER + "1"
    ),
    "a further bonus over no box": further(
        "chanse",
        "There is no box 'chanse' for this bonus. The boxes are chance.",
        'boxes = ["chanse"]',
        "threshold = 3",
    ),
    "a further bonus over a box twice": further(
        'boxes = ["chance"', "Name each box once.", 'boxes = ["chance", "chance"]', "threshold = 3"
    ),
    "a further bonus over both": further(
        'boxes = ["chance"', contradiction("bonuses.low.boxes' and 'section"), 'boxes = ["chance"]', LOWER
    ),
    "a further bonus with an odd key": refusal(
        "[bonuses.Low]", "'Low'", CHANCE, '[bonuses.Low]\nname = "Low"\npoints = 5', LOWER
    ),
    "too many further bonuses": refusal(
        "[bonuses.b8]",
        "There may be at most 8 further bonuses. There are 9.",
        CHANCE,
        *(f'[bonuses.b{n}]\nname = "B"\npoints = 5\n{LOWER}' for n in range(9)),
    ),
    "rising extras that are too many": ladder(
        "box =", f"extra = {[1] * 31}\nbox =", "extra", "'alike.extra' must be a list of 1 to 30 whole numbers"
    ),
    "unknown key in a further bonus": further("once", "'bonuses.low.once' is not a known key.", LOWER, "once = true"),
    "unknown key in the sheet": refusal("rows", "'sheet.rows' is not a known key.", CHANCE, "[sheet]", "rows = 3"),
    "a ladder that leaves one nowhere to go, with its box on top": refusal(
        "ladder", "Aces", ALIKE, face_box(1), POLICY, 'ladder = [{ boxes = "lower", worth = "plain" }]'
    ),
    "unknown key in a note": refusal(
        "size", "'notes.a.size' is not a known key.", CHANCE, "[notes.a]", 'title = "A"', 'text = "b"', "size = 2"
    ),
    "unknown key in the policy": (LADDER + "\nonce = true", "once", "'alike.once' is not a known key."),
    "a number that is text": top('dice = "5"', "'dice' must be a whole number. It is '5'."),
    "a number that is a truth": top("dice = true", "'dice' must be a whole number. It is true."),
    "a text that is a number": named("7", "'name' must be text. It is 7."),
    "a flag that is a number": top("fixed_order = 1", "'fixed_order' must be true or false. It is 1."),
    "a list that is a number": one_box("groups, sizes = 3", "'boxes.a.sizes' must be a list. It is 3."),
    "a table that is a number": top("bonus = 5", "'bonus' must be a table. It is 5."),
    "a number too large": top("dice = 9", "'dice' must be from 1 to 8. It is 9."),
    "a number too small": top("faces = 1", "'faces' must be from 2 to 9. It is 1."),
    "a number of thousands of digits": top("dice = 0x" + "f" * 6000, "'dice' must be from 1 to 8. It is …."),
    "a number of more digits than can be read": between("dice = -" + "9" * 6000, DIGITS),
    "a number of more digits than can be read, with a line between them": between(
        "dice = 1" + "9" * 6000 + "_9", DIGITS
    ),
    "a number that is a day": top("dice = 2024-05-01", "'dice' must be a whole number. It is 2024-05-01."),
    "a number that is a moment": top(
        "dice = 2024-05-01T12:30:00Z", "'dice' must be a whole number. It is 2024-05-01 12:30:00+00:00."
    ),
    "a text that is a table": top(
        'summary = { short = "a", "long one" = [true, 1.5] }',
        """'summary' must be text. It is { short = "a", "long one" = [true, 1.5] }.""",
    ),
    "a number that is a long list": top(
        f"dice = {list(range(100))}",
        "'dice' must be a whole number. It is [ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,….",
    ),
    "a number that is a hundred lists in each other": top(
        "dice = " + "[" * 300 + "]" * 300, "'dice' must be a whole number. It is"
    ),
    "lists nested too deep": between(
        "dice = " + "[" * 20_000 + "]" * 20_000, "Lists and tables are nested too deep here."
    ),
    "a name that turns the writing around": named('"Ho\u202euse"', "must be one line of 1 to 80"),
    "a name of which nothing is to be seen": named('"\u200d\u200c"', "must be one line of 1 to 80"),
    "a list of texts": one_box('groups, sizes = ["3"]', "must be a list of 1 to 8 whole numbers from 1 to 8"),
    "an empty list": one_box("exactly, faces = []", "must be a list of 1 to 9 whole numbers"),
    "a choice that is none": top('start = "coin"', "must be 'roll-off' or 'draw'. It is 'coin'."),
    "a name over two lines": named('"a\\nb"', "must be one line of 1 to 80"),
    "an empty name": named('"  "', "must be one line of 1 to 80 characters"),
    "a name too long for the sheet": refusal(
        "xxx", "must be one line of 1 to 40 characters", any_box("a", name="x" * 41)
    ),
    "prose too long": top(f'summary = "{"x" * 1001}"', "at most 1000 characters"),
    "prose with control characters": top('summary = "a\\u0000"', "must be plain text"),
    "an unknown pattern": one_box("poker", "'total', 'flush', 'both', 'alike' or 'anything'. It is 'poker'."),
    "a key with capitals": refusal(
        "key",
        "'key' must be lower-case letters, digits and hyphens, such as 'our-yatzy'. It is 'House'.",
        CHANCE,
        key="House",
    ),
    "a box key with capitals": refusal(
        "[boxes.Chance]",
        "The key of a box must be lower-case letters, digits and underscores, such as 'full_house'. It is 'Chance'.",
        box("Chance", "ch", "anything"),
    ),
    "a code of three letters": refusal("code", "must be two lower-case letters or digits", box("a", "abc", "anything")),
    "points of zero": priced("anything", "0", "'boxes.a.points' must be from 1 to 1000. It is 0."),
    "points by a strange sum": priced("anything", '"most"', "must be 'all' or 'matching'. It is 'most'."),
    "no boxes": refusal("boxes", "A score sheet has 1 to 30 boxes. This one has 0", head=["boxes = {}"]),
    "too many boxes": refusal(
        "[boxes]",
        "A score sheet has 1 to 30 boxes. This one has 31",
        "[boxes]",
        *(box(f"b{n}", f"{n:02}", "anything") for n in range(31)),
    ),
    "a box that is no table": refusal("boxes", "'boxes.a' must be a table. It is 3.", head=["boxes = { a = 3 }"]),
    "a sequence that forgets a box": refusal(
        "sequence",
        "'sequence' must name every box once: aces and chance.",
        face_box(1),
        CHANCE,
        head=['sequence = ["chance"]'],
    ),
    "a sequence of numbers": top("sequence = [1]", "must be a list of texts. It is [1]."),
    "a straight longer than the faces": one_box(
        "run, length = 5", "A needs 5 numbers in a row, which 5 dice, each 1 to 4, cannot show.", head="faces = 4"
    ),
    "a straight longer than the dice": one_box(
        "run, length = 4", "A needs 4 numbers in a row, which 3 dice, each 1 to 6, cannot show.", head="dice = 3"
    ),
    "a straight of its own dice": priced(
        "run, length = 4", '"matching"', "A must score a fixed number or 'all', not 'matching'."
    ),
    "exact faces that are not there": one_box(
        "exactly, faces = [5, 6, 7]", "A needs 5, 6 and 7, each once, which 5 dice, each 1 to 6, cannot show."
    ),
    "exact faces twice": one_box("exactly, faces = [5, 5]", "A needs 5 and 5, each once, which 5 dice"),
    "more exact faces than dice": one_box(
        "exactly, faces = [1, 2, 3]", "A needs 1, 2 and 3, each once, which 2 dice", head="dice = 2"
    ),
    "a face that is not there": one_box("face, face = 7", "A counts the number 7, but the dice go from 1 to 6."),
    "groups of too many dice": one_box(
        "groups, sizes = [2, 4]", "A needs 6 dice for groups of 4 and 2, but there are only 5."
    ),
    "groups of too many faces": one_box(
        "groups, sizes = [1, 1, 1]", "A needs 3 different numbers, but the dice have only 2.", head="faces = 2"
    ),
    "a code twice": refusal(
        'code = "aa"', used_twice("aa", "a"), any_box("a").replace("code = ", "code="), any_box("b")
    ),
    "a name twice": refusal(
        '"SAME"', used_twice("SAME", "a"), any_box("a", name="Same"), any_box("b", code="bb", name="SAME")
    ),
    "a name that is the key of another box": refusal(
        'name = "b"', used_twice("b", "b"), any_box("a", name="b"), any_box("b", code="bb", name="Other")
    ),
    "a code that is the key of another box": refusal(
        'code = "aa"', used_twice("aa", "aa"), any_box("aa", code="xx"), any_box("b")
    ),
    "the code of the tally": refusal(
        "code", "The code 'yb' is reserved for extra bonuses.", box("a", "yb", "anything")
    ),
    "a bonus that cannot be reached": bonus("threshold", NEVER, "threshold = 106", "points = 35"),
    "a bonus without upper boxes": refusal(
        "threshold", "The upper boxes give at most 0", CHANCE, "[bonus]", "threshold = 1", "points = 35"
    ),
    "a ladder that leaves no legal box": (
        LADDER,
        "ladder",
        "The ladder leaves no box for dice all showing 1 when only Twos, Threes, Fours, Fives and Sixes are open.",
    ),
    "a policy for a box that is not there": refusal("yams", NOT_ALIKE + "'yams'.", CHANCE, "[alike]", 'box = "yams"'),
    "a policy for a box of another pattern": refusal(
        'box = "chance"', NOT_ALIKE + "'chance'.", CHANCE, "[alike]", 'box = "chance"'
    ),
    "a ladder of numbers": ladder("[{", "[3, {", "ladder", "must be a list of at most 8 tables"),
    "a ladder with too many rungs": ladder(
        "[{", "[" + '{ boxes = "any", worth = "zero" },' * 8 + "{", "ladder", "must be a list of at most 8 tables"
    ),
    "a box that the base has not": extending(
        "yatzy", "'yatzy' has no box 'pair'. Did you mean 'one_pair'?", "[boxes.pair]\npoints = 5"
    ),
    "removing a box that the base has not": extending(
        "yatzy", "'yatzy' has no box 'straight_flush'", "[boxes]\nstraight_flush = false", blamed="straight_flush"
    ),
    "a new box without its parts": extending("crag", "no box 'zz', only aces", "[boxes.zz]\npoints = 5"),
    "a box of the base whose new pattern needs more": extending(
        "crag", "'boxes.aces.total' is missing.", '[boxes.aces]\npattern = "total"'
    ),
    "extending the unknown": ('name = "x"\nextends = "yatzee"', "extends", "There are no rules 'yatzee'. Did you mean"),
    "extending the unknown, whose way out is no path": extending(
        "ludo", f"There are no rules 'ludo'. Choose {', '.join(fd.SHIPPED[:-1])} or {fd.SHIPPED[-1]}."
    ),
    "extending a path": extending(
        "../ours.toml", "'extends' cannot name a file. It is '../ours.toml'. Extend yardzee, yahtzee,"
    ),
    "extending a path without an ending": extending("./ours", "'extends' cannot name a file."),
    "extending a number": ("extends = 3", "extends", "'extends' must be text. It is 3."),
    "another format": top("format = 2", "'format' must be from 1 to 1. It is 2."),
    "broken TOML": ('key = "a"\nname = \n', "name", "This is not TOML: Invalid value"),
    "TOML that breaks off in a list": ('key = "a"\ndice = [\n', "dice", "This is not TOML: "),
    "TOML that breaks off": ('key = "a"\nname = "x', "name", "This is not TOML: "),
    "a key twice": ('key = "a"\nkey = "b"', '"b"', "This is not TOML: Cannot overwrite a value"),
    "the key of a shipped book": extending(
        "yahtzee",
        "The key 'yahtzee' belongs to rules that come with Fivedice and differ. Choose another key.",
        'key = "yahtzee"\nrolls = 4',
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
    error = load_error(source)
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
    "alike.extra": (text(ALIKE, POLICY, "extra = {}"), 0, 1000),
    "alike.at_most": (text(ALIKE, POLICY, "at_most = {}"), 1, 30),
    "alike.ladder.1.extra": (
        text(ALIKE, POLICY, '[[alike.ladder]]\nboxes = "any"\nworth = "plain"\nextra = {}'),
        0,
        1000,
    ),
}


@for_each("key", BOUNDS)
def test_numbers_are_accepted_up_to_their_bounds(key: str) -> None:
    source, low, high = BOUNDS[key]
    for number in (low, high):
        fd.load_book(source.replace("{}", str(number)))
    for number in (low - 1, high + 1):
        assert load_error(source.replace("{}", str(number))).reason == (
            f"'{key}' must be from {low} to {high}. It is {number}."
        )


STEP = '{ boxes = "any", worth = "plain" }'
LONGEST: dict[str, tuple[str, int, str]] = {
    # a file with a text left open, the most characters of that text, and how one more is refused
    "the name of a book": (text(CHANCE).replace("House", "{}"), 80, "line"),
    "the name of a box": (text(any_box("a", name="{}")), 40, "line"),
    "the title of a note": (text(CHANCE, '[notes.a]\ntitle = "{}"\ntext = "b"'), 80, "line"),
    "the name of a further bonus": (text(CHANCE, '[bonuses.a]\nname = "{}"\npoints = 5', LOWER), 40, "line"),
    "the name of a line": (text(CHANCE, '[sheet]\nupper = "{}"'), 40, "line"),
    "the name of the joker rules": (text(ALIKE, POLICY, 'name = "{}"'), 40, "line"),
    "a short form": (text(CHANCE + 'short = "{}"'), 8, "line"),
    "a summary": (text(CHANCE, head=['summary = "{}"']), 1000, "prose"),
    "a source": (text(CHANCE, head=['source = "{}"']), 1000, "prose"),
}


@for_each("what", LONGEST)
def test_texts_are_accepted_up_to_their_length(what: str) -> None:
    source, most, kind = LONGEST[what]
    fd.load_book(source.replace("{}", "x" * most))
    assert load_error(source.replace("{}", "x" * (most + 1))).message.kind == f"rules.must-be-{kind}"


def numbers(most: int) -> list[int]:
    return list(range(1, most + 1))


MOST: dict[str, tuple[int, str, Callable[[int], str]]] = {
    # how much there may be of something, how one more is refused, and the file
    "boxes": (30, "number-of-boxes", lambda most: text(*(any_box(f"b{n}", code=f"{n:02}") for n in range(most)))),
    "notes": (
        200,
        "number-of-notes",
        lambda most: text(CHANCE, *(f'[notes.n{n}]\ntitle = "a"\ntext = "b"' for n in range(most))),
    ),
    "tiers": (8, "must-be-tables", lambda most: tiers("", *((n, 1) for n in numbers(most)))[0]),
    "steps": (8, "must-be-tables", lambda most: text(ALIKE, POLICY, f"ladder = [{', '.join([STEP] * most)}]")),
    "rising extras": (30, "must-be-numbers", lambda most: text(ALIKE, POLICY, f"extra = {[1] * most}")),
    "rising extras, the highest": (1000, "must-be-numbers", lambda most: text(ALIKE, POLICY, f"extra = [0, {most}]")),
    "faces of a pattern": (
        9,
        "must-be-numbers",
        lambda most: text(any_box("a", f"only, faces = {numbers(most)}"), head=["faces = 9"]),
    ),
    "colours": (9, "must-be-lists", lambda most: many_colours([[n] for n in numbers(most)])),
    "faces of a colour": (9, "must-be-lists", lambda most: many_colours([numbers(most)])),
}


def many_colours(colours: list[list[int]]) -> str:
    return text(CHANCE, head=["faces = 9", f"colours = {colours}"])


@for_each("what", MOST)
def test_counts_are_accepted_up_to_their_bound(what: str) -> None:
    most, kind, written = MOST[what]
    fd.load_book(written(most))
    assert load_error(written(most + 1)).message.kind == f"rules.{kind}"


MISSING = {
    "key": ('name = "x"\n' + CHANCE, "'key' is missing."),
    "name": ('key = "x"\n' + CHANCE, "'name' is missing."),
    "boxes": (text(), "'boxes' is missing."),
}


@for_each("key", MISSING)
def test_missing_top_level_key_names_the_file(key: str) -> None:
    source, sentence = MISSING[key]
    error = load_error(source)
    assert error.line is None
    assert str(error) == f"house.toml: {sentence}"


def test_missing_keys_and_unreadable_texts_are_located() -> None:
    source = text(CHANCE.replace('code = "ch"\n', ""))
    error = load_error(source)
    assert (error.line, error.reason) == (line_of(source, "[boxes.chance]"), "'boxes.chance.code' is missing.")
    assert "nested too deep" in str(load_error("a = " + "[" * 20_000))
    assert str(load_error("")) == "house.toml: 'key' is missing."
    error = load_error("#" * 65_537)
    assert str(error) == "house.toml: The file has 65537 characters. Rules may have at most 65536."
    assert str(load_error("#" * 65_536)) == "house.toml: 'key' is missing."


@for_each(
    ("source", "line", "column"),
    [
        ('key = "a"\nname = \n', 2, 8),
        ('key = "a"\nname = [\n', 2, None),
        ('key = "a"\nname = [', 2, None),
        ('key = "a"\nname = [\n\n', 3, None),
    ],
)
def test_invalid_toml_is_located(source: str, line: int, column: int | None) -> None:
    error = load_error(source)
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
def test_patterns_at_the_limit_of_the_dice_are_accepted(pattern: str, head: list[str]) -> None:
    book = load(box("a", "aa", pattern, "9"), head=head)
    assert any(book.worth(roll).plain == (9,) for roll in fd.dice.rolls(5, book.faces))


def test_mistakes_are_located_by_line_key_and_list_position() -> None:
    with pytest.raises(fd.BookError, match=r"^<text>, line 3: 'dise' is not a known key"):
        fd.load_book(text(CHANCE, head=["dise = 5"]))
    source = text(CHANCE, head=['summary = """\n[dice]\ndice = 3\n"""', 'source = "a\u2028b"', "dice = 99"])
    assert load_error(source).line == source.split("\n").index("dice = 99") + 1
    source = text(CHANCE, head=["sheet.rows = 3"])
    assert load_error(source).line == 3
    assert load_error(text(CHANCE, '[notes."our note"]', 'title = "A"', "text = 3")).line == 12
    rungs = [f'[[alike.ladder]]\nboxes = "{reach}"\nworth = "plain"' for reach in ("face", "all")]
    source = text(UPPER, ALIKE, CHANCE, POLICY, *rungs)
    error = load_error(source)
    assert error.reason.startswith("'alike.ladder.2.boxes' must be 'face', 'upper', 'lower' or 'any'.")
    assert error.line == line_of(source, 'boxes = "all"')


# Lines


# Files


def test_books_from_files_name_their_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("\ufeff" + text(CHANCE, key="ours"), encoding="utf-8")
    assert fd.book(path).key == fd.book(str(path)).key == "ours"
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
def test_non_book_file_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(data)
    with pytest.raises(fd.BookError, match=reason):
        fd.book(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(fd.BookError, match="The file cannot be read: No such file or directory"):
        fd.book(tmp_path / "none.toml")
    with pytest.raises(fd.BookError, match="The file cannot be read: Is a directory"):
        fd.book(tmp_path)
    with pytest.raises(fd.BookError, match="No file can have this name"):
        fd.book("a\0.toml")


@for_each("name", ["yatzee", "", "YAHTZEE", "house"])
def test_unknown_book_name_is_refused(name: str) -> None:
    with pytest.raises(fd.UnknownBook) as caught:
        fd.book(name)
    assert repr(name) in str(caught.value)
    assert "yahtzee-free-choice" in str(caught.value)
    assert ("Did you mean 'yahtzee'?" in str(caught.value)) == (name == "yatzee")


# Unusual but valid


def test_shipped_key_may_stay_if_play_is_unchanged() -> None:
    ours = extend("yahtzee", 'key = "yahtzee"', 'name = "Kniffel"')
    assert (ours.key, ours.name, ours.fingerprint) == ("yahtzee", "Kniffel", fd.book("yahtzee").fingerprint)


def test_upper_boxes_of_any_pattern_count_towards_the_bonus() -> None:
    all_dice = box("aces", "1s", "face, face = 1", '"all"', "upper")
    book = load(all_dice, CHANCE, "[bonus]", "threshold = 25", "points = 5")
    assert fd.Scorecard.of(book, {"aces": 25}).upper_bonus == 5
    fixed = box("pair", "1p", "groups, sizes = [2]", "40", "upper")
    book = load(fixed, "[bonus]", "threshold = 40", "points = 5")
    assert fd.Scorecard.of(book, {"pair": 40}).total == 45
    assert "at most 40" in load_error(text(fixed, "[bonus]", "threshold = 41", "points = 5")).reason
    pair = box("pair", "1p", "groups, sizes = [2]", '"matching"', "upper")
    assert load(pair, "[bonus]", "threshold = 30", "points = 5").bonus is not None
    assert "at most 30" in load_error(text(pair, "[bonus]", "threshold = 31", "points = 5")).reason


def test_many_small_groups_are_scored_without_trying_every_order() -> None:
    """Eight groups have 40,320 orders; each of these rolls would take a second if all were tried."""
    ones = box("ones", "aa", "groups, sizes = [1, 1, 1, 1, 1, 1, 1, 1]", '"matching"')
    book = load(ones, head=["dice = 8", "faces = 9"])
    spread = [roll for roll in fd.dice.rolls(8, 9) if len(roll.counts) >= 7]
    worths = [book.worth(roll).plain[0] for roll in spread]
    assert sum(points > 0 for points in worths) == 9
    assert max(worths) == sum(range(2, 10))
