"""A book in words, for patterns and rules that the shipped books do not have."""

import fivedice as fd
from fivedice.core.rules import FaceBox, ScoreAs, TargetBoxes
from fivedice.core.rules.book_facts import box_rule, brief_rule, differences, facts, find_renamed, joker_rule
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, face_box, load

COLOURS = "colours = [[1, 6], [2, 5], [3, 4]]"
PAIRS = 'pattern = "groups"\n'
THIRTEEN, A_PAIR = '{ pattern = "total", total = 13 }', '{ pattern = "groups", sizes = [2] }'


def house(changes: str, base: str = "yahtzee") -> fd.RuleBook:
    return fd.load_book(f'extends = "{base}"\n{changes}')


@for_each(
    ("box", "lines", "sentence"),
    [
        ("fours", "", "Any dice showing 4: their total."),
        ("fours", "points = 7", "Any dice showing 4: 7 points."),
        ("fours", "points = 1", "Any dice showing 4: 1 point."),
        ("fours", 'points = "all"', "Any dice showing 4: the total of all dice."),
        ("three_of_a_kind", "", "At least 3 of a kind: the total of all dice."),
        ("full_house", "", "3 and 2 of a kind, different numbers: 25 points."),
        ("full_house", "same_face = true", "3 and 2 of a kind, any numbers: 25 points."),
        ("full_house", "points = '15 + all'", "3 and 2 of a kind, different numbers: 15 plus the total of all dice."),
        ("full_house", 'points = "15 + matching"', "3 and 2 of a kind, different numbers: 15 plus their total."),
        ("small_straight", "", "4 numbers in a row: 30 points."),
        ("five_of_a_kind", "", "All 5 dice the same: 50 points."),
        ("chance", 'points = "matching"', "Any dice: their total."),
        ("chance", PAIRS + "sizes = [2]", "A pair: the total of all dice."),
        ("chance", PAIRS + "sizes = [2, 2]", "2 pairs of different numbers: the total of all dice."),
        ("chance", PAIRS + "sizes = [2, 2]\nsame_face = true", "2 pairs of any numbers: the total of all dice."),
        ("chance", 'pattern = "exactly"\nfaces = [6, 1]', "1-6: the total of all dice."),
    ],
)
def test_box_description(box: str, lines: str, sentence: str) -> None:
    book = house(f"[boxes.{box}]\n{lines}" if lines else "")
    assert str(box_rule(book.box(box), book)) == sentence


@for_each(
    ("pattern", "points", "words"),
    [
        ("face, face = 4", '"matching"', "Total of the 4s"),
        ("face, face = 4", "7", "Any dice showing 4: score 7"),
        ("face, face = 4", '"all"', "Any dice showing 4: total of all dice"),
        ("groups, sizes = [2]", '"matching"', "Total of the pair"),
        ("groups, sizes = [2]", "7", "2 of a kind: score 7"),
        ("groups, sizes = [2, 2]", '"matching"', "Total of the pairs"),
        ("groups, sizes = [2, 2]", "7", "Score 7"),
        ("groups, sizes = [3]", '"matching"', "Total of the 3"),
        ("groups, sizes = [3]", '"all"', "Total of all dice"),
        ("groups, sizes = [3]", "7", "3 of a kind: score 7"),
        ("groups, sizes = [3, 2]", '"matching"', "3 + 2 of a kind: their total"),
        ("groups, sizes = [3, 2]", "25", "3 + 2 of a kind: score 25"),
        ("run, length = 4", "30", "4 numbers in a row: score 30"),
        ("exactly, faces = [1, 2, 3]", '"all"', "1-2-3: total of all dice"),
        ("alike", "50", "All 5 dice the same: score 50"),
        ("alike", '"matching"', "All 5 dice the same: their total"),
        ("anything", '"all"', "Total of all dice"),
        ("anything", '"matching"', "Total of all dice"),
        ("anything", '"5 + all"', "Score 5 plus the total of all dice"),
        ("groups, sizes = [3, 2]", '"15 + all"', "3 + 2 of a kind: score 15 plus the total of all dice"),
        ("groups, sizes = [3, 2]", '"15 + matching"', "3 + 2 of a kind: score 15 plus their total"),
        ("groups, sizes = [2, 2]; one_colour = true", '"all"', "2 + 2 of one colour: total of all dice"),
        ("total, total = 13", "26", "A total of 13: score 26"),
        ("parity", "9", "Every die even: score 9"),
        ("parity, odd = true", "9", "Every die odd: score 9"),
        ("parity, of_total = true", "9", "An even total: score 9"),
        ("parity, of_total = true; odd = true", "9", "An odd total: score 9"),
        ("only, faces = [1, 2, 6]", '"all"', "Every die 1, 2 or 6: total of all dice"),
        ("flush", "35", "All dice of one colour (1+6, 2+5, 3+4): score 35"),
        (f"both, first = {THIRTEEN}; second = {A_PAIR}", "9", "A total of 13; A pair: score 9"),
    ],
)
def test_short_box_description(pattern: str, points: str, words: str) -> None:
    book = load(box("a", "aa", pattern, points), head=[COLOURS])
    assert str(brief_rule(book.boxes[0], book)) == words


LOW_BONUS = 'bonuses.a = { name = "Low", section = "lower", threshold = 90, points = 20 }'
PAIR_BONUS = """[bonuses.a]\nname = "Pair"\nboxes = ["aces", "twos"]
tiers = [{ from = 9, points = 1 }, { from = 12, points = 4 }]"""
TIERS = "bonus.tiers = [{ from = 63, points = 35 }, { from = 78, points = 75 }]"
OWN_LADDER = """[alike]
ladder = [{ boxes = "face", worth = "wild", extra = 5 }, { boxes = "any", worth = "zero", extra = 0 }]"""
SCORED_LADDER = """[alike]\napplies = "scored"
ladder = [{ boxes = "any", worth = "joker", face_box = "filled" }, { boxes = "any", worth = "zero" }]"""


@for_each(
    ("changes", "topic", "sentence"),
    [
        ("", "dice", "5 dice, each 1 to 6."),
        ("bonus = false", "bonus", "None."),
        ("", "bonus", "35 points for an upper total of 63 or more."),
        ("rolls = 1", "rolls", "1 roll per turn."),
        ("", "rolls", "Up to 3 rolls per turn."),
        ("fixed_order = true", "order", "From the top of the score sheet down."),
        ('start = "draw"', "start", "The first player is drawn by lot."),
        ("alike = false", "extra", "Nothing extra."),
        ("alike = false", "joker", "In any open box, like any other roll."),
        ("", "extra", "100 points each time, while YAHTZEE has points."),
        ("save_rolls = true", "rolls", "Up to 3 rolls per turn. Rolls not used are saved for later turns."),
        ('order = "upper_first"', "order", "The upper section first, then the lower."),
        ("", "more-bonuses", "None."),
        (LOW_BONUS, "more-bonuses", "Low, for the boxes of Lower Section: 20 points from 90."),
        (PAIR_BONUS, "more-bonuses", "Pair, for Aces and Twos together: 1 point from 9 and 4 points from 12."),
        (TIERS, "bonus", "For the upper total: 35 points from 63 and 75 points from 78."),
        ("alike.extra = [100, 200]", "extra", "100, 200 points and so on, while YAHTZEE has points."),
        (
            "alike.extra = [100, 200]\nalike.at_most = 2",
            "extra",
            "100, 200 points, at most 2 times per game, while YAHTZEE has points.",
        ),
        ("alike.at_most = 2", "extra", "100 points each time, at most 2 times per game, while YAHTZEE has points."),
        ("alike.at_most = 3", "extra", "100 points each time, at most 3 times per game, while YAHTZEE has points."),
        (
            OWN_LADDER,
            "joker",
            (
                "Once YAHTZEE is scored, even with 0: 1) the box of its number, as a joker that counts as any number, "
                "with 5 extra. 2) any open box, for 0, with nothing extra."
            ),
        ),
        ("[alike]\nrepeat = false", "extra", "100 points once per game, while YAHTZEE has points."),
        (
            "",
            "joker",
            (
                "Once YAHTZEE is scored, even with 0: 1) the box of its number, for its usual points. "
                "2) an open lower box, as a joker. 3) an open upper box, for 0."
            ),
        ),
        (
            SCORED_LADDER,
            "joker",
            (
                "Once YAHTZEE has points: 1) any open box, once the box of its number is scored, as a joker. "
                "2) any open box, for 0."
            ),
        ),
    ],
)
def test_rule_description(changes: str, topic: str, sentence: str) -> None:
    (fact,) = [fact for fact in facts(house(changes)) if fact.topic.kind == f"rules.topic-{topic}"]
    assert str(fact.value) == sentence


def test_differences_ignore_sheet_order_and_the_order_of_two_conditions() -> None:
    turned = ", ".join(f'"{key}"' for key in reversed(fd.book("yatzy").index))
    one, other = house("fixed_order = true", "yatzy"), house(f"fixed_order = true\nsequence = [{turned}]", "yatzy")
    (only,) = differences(one, other)
    assert only.topic.kind == "rules.topic-sheet-order"
    assert str(only.theirs).startswith("Yatzy, Chance, Full House, ")
    free = house(f"sequence = [{turned}]", "yatzy")
    assert differences(fd.book("yatzy"), free) == ()
    parts = (THIRTEEN, A_PAIR)
    one, other = (load(box("a", "aa", f"both, first = {x}; second = {y}", "9")) for x, y in (parts, parts[::-1]))
    assert differences(one, other) == ()
    assert differences(one, load(box("a", "aa", f"both, first = {parts[0]}; second = {parts[0]}", "9"))) != ()


@for_each(
    ("one", "other", "differ"),
    [
        ("run, length = 3", "run, length = 4", True),
        ("run, length = 3", "exactly, faces = [1, 2, 3]", True),
        ("total, total = 13", "total, total = 14", True),
        ("exactly, faces = [1, 2]", "exactly, faces = [2, 1]", False),
        ("only, faces = [1, 2]", "only, faces = [1, 3]", True),
        ("parity", "parity, odd = true", True),
        ("parity", "parity, of_total = true", True),
        ("groups, sizes = [3]", "groups, sizes = [3]; same_face = true", False),
        ("groups, sizes = [3]", "groups, sizes = [3]; one_colour = true", False),
        ("groups, sizes = [3]", "groups, sizes = [2]", True),
        ("groups, sizes = [3, 2]", "groups, sizes = [3, 2]; same_face = true", True),
        ("groups, sizes = [3, 2]", "groups, sizes = [3, 2]; one_colour = true", True),
    ],
)
def test_patterns_differ_only_in_play(one: str, other: str, differ: bool) -> None:
    ours, theirs = (load(box("a", "aa", pattern, "9"), head=[COLOURS]) for pattern in (one, other))
    assert [row.topic.kind for row in differences(ours, theirs)] == ["rules.topic-box"] * differ


@for_each(
    ("pattern", "differ"),
    [
        ("groups, sizes = [2]; one_colour = true", False),
        ("groups, sizes = [3, 2]", False),
        ("groups, sizes = [3, 2]; one_colour = true", True),
        ("flush", True),
    ],
)
def test_colours_differ_only_if_a_box_uses_them(pattern: str, differ: bool) -> None:
    books = [load(box("a", "aa", pattern, "9"), head=[head]) for head in (COLOURS, "colours = [[1, 2], [3, 4, 5, 6]]")]
    assert [row.topic.kind for row in differences(*books)] == ["rules.topic-box"] * differ


@for_each(
    ("one", "other", "differ"),
    [
        ('section = "lower"', 'section = "lower"', False),
        ('section = "lower"', 'section = "upper"', True),
        ('boxes = ["sixes", "chance"]', 'boxes = ["chance", "sixes"]', False),
        ('boxes = ["sixes", "chance"]', 'boxes = ["chance", "fives"]', True),
        ("threshold = 7", "threshold = 8", True),
        ("points = 7", "points = 8", True),
        ("tiers = [{ from = 7, points = 7 }]", "tiers = [{ from = 7, points = 8 }]", True),
        ('name = "One"', 'name = "Other"', False),
    ],
)
def test_further_bonuses_differ_only_in_play(one: str, other: str, differ: bool) -> None:
    usual = {"name": '"X"', "section": '"lower"', "threshold": "9", "points": "9"}
    instead = {"boxes": ["section"], "tiers": ["threshold", "points"]}

    def with_bonus(line: str) -> fd.RuleBook:
        key, _, value = line.partition(" = ")
        lines = {usually: said for usually, said in usual.items() if usually not in instead.get(key, [])} | {key: value}
        return house("[bonuses.x]\n" + "\n".join(f"{key} = {said}" for key, said in lines.items()))

    found = differences(with_bonus(one), with_bonus(other))
    assert [row.topic.kind for row in found] == ["rules.topic-more-bonuses"] * differ
    assert [row.topic.kind for row in differences(with_bonus(one), house(""))] == ["rules.topic-more-bonuses"]


def test_differences_name_added_boxes_but_not_new_names() -> None:
    shorter = house("[boxes]\nchance = false")
    (only,) = differences(shorter, fd.book("yahtzee"))
    assert (str(only.topic), str(only.ours)) == ("Chance", "No such box")
    assert str(only.theirs) == "Any dice: the total of all dice. (Lower Section)"
    ours = house('[boxes.chance]\nname = "Anything"\n[boxes.three_of_a_kind]\nsame_face = true')
    assert differences(ours, fd.book("yahtzee")) == ()
    assert [(pair.ours.name, pair.theirs.name) for pair in find_renamed(ours, fd.book("yahtzee"))] == [
        ("Anything", "Chance")
    ]


TWO_ALIKE = (*(face_box(face) for face in range(1, 7)), ALIKE, box("six_alike", "sx", "alike", "60"), CHANCE)


@for_each(
    ("lines", "topics"),
    [
        (["extra = 100"], ["rules.topic-extra"]),
        (['ladder = [{ boxes = "lower", worth = "zero" }, { boxes = "any", worth = "plain" }]'], ["rules.topic-joker"]),
        (["extra = 0"], []),
    ],
)
def test_policy_box_differs_only_if_it_matters(lines: list[str], topics: list[str]) -> None:
    one, other = (load(*TWO_ALIKE, "[alike]", f'box = "{key}"', *lines) for key in ("five_of_a_kind", "six_alike"))
    assert [row.topic.kind for row in differences(one, other)] == topics
    assert (one.fingerprint == other.fingerprint) == (not topics)


@for_each("target", TargetBoxes)
@for_each("face_box", FaceBox)
@for_each("worth", ScoreAs)
def test_every_ladder_step_has_a_description(target: TargetBoxes, face_box: FaceBox, worth: ScoreAs) -> None:
    step = f"{{ boxes = '{target}', worth = '{worth}', face_box = '{face_box}' }}"
    rule = str(joker_rule(house(f"alike.ladder = [{step}, {{ boxes = 'any', worth = 'plain' }}]")))
    assert rule.startswith("Once YAHTZEE is scored, even with 0: 1) ")
    assert "rules." not in rule
