"""The house-rules form: every rule as a field, errors at fields, presets and previews."""

import html
import re
from collections.abc import Mapping

import pytest

import fivedice as fd
from fivedice.core.rules import SumPlus, Tier
from fivedice.core.rules.catalog import apply, preset, presets_for
from fivedice.solver.runtime import solve_limits as limits
from fivedice.text.languages import PSEUDO
from fivedice.web.pages.house_rules.form_building import Built, build
from fivedice.web.pages.house_rules.form_fields import Draft, draft_of
from fivedice.web.pages.house_rules.house_rules_pages import solving
from fivedice.web.pages.house_rules.rule_examples import other_examples, roll_examples
from for_each import for_each
from long import takes_turns
from support.house_rules_pages import file_in, form_of, page_text, save_rules, submit_form as posted
from web.conftest import Caller

pytestmark = takes_turns

NO_STEPS = {"rule": "own"} | {f"ladder.{number}.boxes": "" for number in range(4)}
NO_CHOICE = "must be"  # a value that the list of a field does not have
UP_TO_1000 = "Enter a number from 1 to 1000."
ALL_OF_IT = """
extends = "yahtzee"
name = "All of it"
save_rolls = true
order = "upper_first"
colours = [[1, 6], [2, 5], [3, 4]]

[bonus]
tiers = [{ from = 63, points = 35 }, { from = 71, points = 55 }, { from = 78, points = 75 }, { from = 84, points = 85 }]

[bonuses.low]
name = "Lower bonus"
section = "lower"
threshold = 100
points = 50

[bonuses.straights]
name = "Both straights"
boxes = ["small_straight", "large_straight"]
tiers = [{ from = 30, points = 5 }, { from = 70, points = 25 }]

[alike]
extra = [100, 200, 300]
at_most = 4
applies = "scored"
ladder = [
  { boxes = "face", worth = "plain" },
  { boxes = "lower", worth = "joker", extra = 0 },
  { boxes = "upper", worth = "wild", extra = 25, face_box = "filled" },
]

[boxes.full_house]
points = "15 + all"
one_colour = true

[boxes.three_of_a_kind]
pattern = "both"
first = { pattern = "total", total = 13 }
second = { pattern = "groups", sizes = [3] }
points = 26

[boxes.chance]
pattern = "parity"
odd = true
of_total = true
points = "7 + matching"

[boxes.flush]
name = "Flush"
code = "fl"
section = "lower"
pattern = "flush"
points = 35

[boxes.low_ones]
name = "Low ones"
code = "lo"
section = "lower"
pattern = "only"
faces = [1, 2, 3]
points = "all"
"""


def fill_form(base: str = "yahtzee", **changes: str) -> tuple[Draft, Built | None]:
    """The form started from a shipped book, some fields changed (dots are written as two underscores), and built."""
    start = fd.book(base)
    draft = draft_of(start, base, "Ours")
    draft.values |= {name.replace("__", "."): value for name, value in changes.items()}
    return draft, build(draft, start)


def book_of(**changes: str) -> fd.RuleBook:
    draft, made = fill_form(**changes)
    assert made is not None, draft.errors
    return made.book


def test_complete_book_survives_the_form(caller: Caller) -> None:
    client = caller("Ann")
    answer = posted(client, save_rules(client, ALL_OF_IT).removeprefix("/house/"))
    assert fd.load_book(file_in(answer)).fingerprint == fd.load_book(ALL_OF_IT).fingerprint


@for_each(("pays", "roll", "points"), [("all", "33322", 13), ("+all", "33322", 28), ("+matching", "33322", 28)])
def test_points_are_a_number_dice_or_both(pays: str, roll: str, points: int) -> None:
    book = book_of(boxes__full_house__pays=pays, boxes__full_house__points="15")
    assert book.box("full_house").plain(fd.Roll.parse(roll).faces) == points


def test_order_tiers_and_sums_in_the_form() -> None:
    assert book_of(boxes__full_house__pays="all", boxes__full_house__points="").box("full_house").points == "all"
    draft, made = fill_form(boxes__full_house__pays="+all", boxes__full_house__points="")
    assert (made, draft.errors) == (None, {"boxes.full_house.points": "Enter a number."})
    assert fill_form("yatzy-forced", order="free")[1].book.order == "free"  # type: ignore[union-attr]
    tiers = {"bonus__tiers__2__from": "71", "bonus__tiers__2__points": "55", "bonus__tiers__3__from": "78"}
    bonus = book_of(**tiers, bonus__tiers__3__points="75").bonus
    assert bonus is not None
    assert bonus.tiers == (Tier(63, 35), Tier(71, 55), Tier(78, 75))


@for_each(
    ("needs", "made_by", "not_by"),
    [
        ({"pattern": "total", "dice": "13"}, "33322", "33333"),
        ({"pattern": "parity"}, "22466", "12466"),
        ({"pattern": "parity", "odd": "yes"}, "11355", "11356"),
        ({"pattern": "parity", "of_total": "yes"}, "11235", "11234"),
        ({"pattern": "only", "dice": "2 4 6"}, "22446", "22445"),
        ({"pattern": "flush"}, "11166", "11165"),
        ({"pattern": "groups", "dice": "3+2", "one_colour": "yes"}, "11166", "11122"),
        ({"pattern": "groups", "dice": "3+2", "same_face": "yes"}, "11111", "11112"),
        ({"pattern": "run", "dice": "3"}, "12366", "12466"),
        ({"pattern": "exactly", "dice": "1-2-3-4-5"}, "12345", "23456"),
        ({"pattern": "total", "dice": "13", "also__pattern": "groups", "also__dice": "3"}, "33322", "23344"),
        ({"pattern": "parity", "also__pattern": "run", "also__dice": "1"}, "22466", "12466"),
    ],
)
def test_box_can_use_every_pattern(needs: Mapping[str, str], made_by: str, not_by: str) -> None:
    changes = {f"boxes__full_house__{name}": value for name, value in needs.items()}
    box = book_of(colours="1+6, 2+5, 3+4", **changes).box("full_house")
    assert box.plain(fd.Roll.parse(made_by).faces) == 25
    assert box.plain(fd.Roll.parse(not_by).faces) == 0


@for_each("text", ["1+6, 2+5, 3+4", "16 25 34", "1 + 6; 2 + 5; 3 + 4", "1/6,2/5,3/4"])
def test_colours_are_read_in_plain_notation(text: str) -> None:
    assert book_of(colours=text).colours == ((1, 6), (2, 5), (3, 4))


@for_each(
    ("changes", "field", "value"),
    [
        ({"save_rolls": "yes"}, "save_rolls", True),
        ({"order": "upper_first"}, "order", "upper_first"),
        ({"order": "sheet"}, "order", "sheet"),
        ({"rolls": "4"}, "rolls", 4),
        ({"start": "draw"}, "start", "draw"),
    ],
)
def test_fields_of_the_game(changes: dict[str, str], field: str, value: object) -> None:
    assert getattr(book_of(**changes), field) == value


def test_further_bonuses_over_section_or_boxes() -> None:
    amounts = {"new_bonus__threshold": "70", "new_bonus__points": "25"}
    over = book_of(new_bonus__name="Lower bonus", new_bonus__over="lower", **amounts).more_bonuses
    assert [(each.key, each.section, each.boxes) for each in over] == [("lower_bonus", "lower", ())]
    ticked = {"new_bonus__box__small_straight": "yes", "new_bonus__box__large_straight": "yes"}
    over = book_of(new_bonus__name="Straights", new_bonus__over="boxes", **ticked, **amounts).more_bonuses
    assert [(each.section, each.boxes) for each in over] == [(None, ("small_straight", "large_straight"))]
    assert over[0].pays(70) == 25


def test_unticked_bonus_is_removed_but_stays_on_the_form(caller: Caller) -> None:
    client = caller("Ann")
    key = save_rules(client, ALL_OF_IT).removeprefix("/house/")
    answer = posted(client, key, bonuses__low__on=None)
    assert [each.key for each in fd.load_book(file_in(answer)).more_bonuses] == ["straights"]
    assert form_of(answer.text)["bonus"] == ["low", "straights"]


@for_each(
    ("extra", "most", "paid"),
    [
        ("100", "", [100, 100, 100, 100]),
        ("100, 200, 300", "", [100, 200, 300, 300]),
        ("50", "2", [50, 50, 0, 0]),
        ("50", "1", [50, 0, 0, 0]),
        ("0", "", [0, 0, 0, 0]),
        ("", "", [0, 0, 0, 0]),
    ],
)
def test_pay_of_another_five_of_a_kind(extra: str, most: str, paid: list[int]) -> None:
    policy = book_of(alike__extra=extra, alike__at_most=most).alike
    assert policy is not None
    assert [policy.pays(scored=True, before=number) for number in range(4)] == paid


def test_step_has_its_own_extra_and_wild_joker() -> None:
    step = {"alike__rule": "own", "alike__ladder__0__boxes": "any", "alike__ladder__0__worth": "wild"}
    policy = book_of(**step, alike__ladder__0__extra="25", alike__ladder__1__boxes="", alike__ladder__2__boxes="").alike
    assert policy is not None
    assert [(str(each.worth), each.extra) for each in policy.joker_steps] == [("wild", 25)]


@pytest.mark.parametrize(
    ("part", "changes", "field", "sentence"),
    [
        ("boxes.full_house", {"pattern": "run"}, "dice", "Write one whole number here, such as 4. You wrote '3+2'."),
        ("boxes.full_house", {"pattern": "total"}, "dice", "You wrote '3+2'."),
        ("boxes.full_house", {"pattern": "total", "dice": "99"}, "dice", "from 1 to 72"),
        ("boxes.full_house", {"pattern": "total", "dice": "31"}, "dice", "These dice give 5 to 30."),
        ("boxes.full_house", {"pattern": "flush"}, "pattern", "Enter the colours in “Dice and colours”."),
        ("boxes.full_house", {"one_colour": "yes"}, "one_colour", "asks for one colour"),
        ("boxes.small_straight", {"pays": "matching"}, "pays", "not the matching dice alone"),
        ("boxes.small_straight", {"pays": "+matching"}, "pays", "not the matching dice alone"),
        ("boxes.small_straight", {"pays": "much"}, "pays", NO_CHOICE),
        ("boxes.full_house", {"points": "1001"}, "points", UP_TO_1000),
        ("boxes.full_house", {"also.pattern": "total", "also.dice": "31"}, "also.dice", "These dice give 5 to 30."),
        ("boxes.full_house", {"also.pattern": "total", "also.dice": "x"}, "also.dice", "You wrote 'x'."),
        ("boxes.full_house", {"also.pattern": "parity", "dice": "9+9"}, "dice", "each from 1 to 8"),
        ("boxes.full_house", {"also.pattern": "alike"}, "also.pattern", "no roll shows at once"),
        ("boxes.full_house", {"also.pattern": "much"}, "also.pattern", NO_CHOICE),
        ("boxes.full_house", {"dice": "3+x"}, "dice", "Write digits such as 3+2 or 1-2-3-4-5. You wrote '3+x'."),
        ("boxes.full_house", {"dice": "3+3"}, "dice", "Full House needs 6 dice for groups of 3 and 3"),
        ("", {"boxes.aces.name": "Twos"}, "boxes.twos.name", "'Twos' is used twice"),
        ("", {"boxes.five_of_a_kind.on": None}, "alike.rule", "This needs a box for five of a kind"),
        ("", {"box": "nothing"}, "boxes", "A score sheet needs at least one box."),
        ("", {"rolls": "many"}, "rolls", "Enter a whole number. You entered 'many'."),
        ("", {"rolls": ""}, "rolls", "Enter a number."),
        ("", {"rolls": "12"}, "rolls", "Enter a number from 1 to 9. You entered 12."),
        ("", {"name": ""}, "name", "Enter a name of 1 to 80 characters."),
        ("", {"colours": "1+6, 1+5"}, "colours", "A number has one colour."),
        ("", {"colours": "red"}, "colours", "Join numbers of one colour by a plus"),
        ("", {"colours": "1+9"}, "colours", "The colours name 9."),
        ("", {"order": "<b>"}, "order", NO_CHOICE),
        ("bonus", {"tiers.2.from": "71"}, "tiers.2.points", "Enter a number."),
        ("bonus", {"tiers.2.points": "71"}, "tiers.2.from", "Enter a number."),
        (
            "bonus",
            {"tiers.2.from": "62", "tiers.2.points": "50"},
            "tiers.2.from",
            "Each step must start higher than the one before, and not pay less.",
        ),
        ("bonus", {"tiers.3.from": "71", "tiers.3.points": "1001"}, "tiers.3.points", UP_TO_1000),
        ("bonus", {"points": "0", "tiers.3.from": "71", "tiers.3.points": "9"}, "points", UP_TO_1000),
        ("bonus", {"tiers.2.from": "900", "tiers.2.points": "90"}, "tiers.2.from", "at most 105"),
        ("bonus", {"threshold": "900"}, "threshold", "The upper boxes give at most 105, so a bonus at 900"),
        ("alike", NO_STEPS, "rule", "Fill in at least one below"),
        ("alike", {"extra": "100, many"}, "extra", "Enter one number, or several such as 100, 200, 300."),
        ("alike", {"extra": "1001"}, "extra", "Enter a number from 0 to 1000."),
        ("alike", {"extra": "1, 1001"}, "extra", "each from 0 to 1000"),
        ("alike", {"at_most": "31"}, "at_most", "Enter a number from 1 to 30."),
        ("alike", {"at_most": "often"}, "at_most", "Enter a whole number."),
        ("alike", {"rule": "own", "ladder.1.extra": "1001"}, "ladder.1.extra", "from 0 to 1000"),
        (
            "alike",
            {"rule": "own", "ladder.1.boxes": "", "ladder.2.boxes": ""},
            "rule",
            "These steps leave no box for 1s when only",
        ),
        (
            "new_bonus",
            {"name": "X", "over": "boxes", "threshold": "9", "points": "9"},
            "bonuses.x.over",
            "Tick the boxes that count for this bonus.",
        ),
        ("new_bonus", {"name": "X", "points": "9"}, "bonuses.x.threshold", "Enter a number."),
        (
            "new_bonus",
            {"name": "X", "threshold": "9999", "points": "9"},
            "bonuses.x.threshold",
            "These boxes give at most",
        ),
        (
            "new_bonus",
            {"name": "X" * 90, "threshold": "9", "points": "9"},
            f"bonuses.{'x' * 24}.name",
            "Enter a name of 1 to 40 characters.",
        ),
    ],
)
def test_errors_are_shown_at_their_field(
    caller: Caller, part: str, changes: dict[str, str | None], field: str, sentence: str
) -> None:
    where = field if part in ("", "new_bonus") else f"{part}.{field}"
    filled = {f"{part}.{name}".lstrip("."): value for name, value in changes.items()}
    answer = posted(caller("Ann"), "yahtzee", **filled)
    assert answer.status_code == 422, page_text(answer)
    found = dict(re.findall(r'<span class="wrong" id="wrong-([^"]*)">(.*?)</span>', answer.text))
    assert list(found) == (["alike.rule", where] if "box" in changes else [where])
    assert sentence in html.unescape(found[where])
    assert f'id="{where}"' in answer.text, "the list of all errors leads to a field that is there"
    assert f'<a href="#{where}" ' in answer.text, "and in the list of all"
    assert f'aria-describedby="wrong-{where}"' in answer.text
    kept = form_of(answer.text)
    for name, value in filled.items():
        if value is not None and name != "box" and part != "new_bonus" and sentence != NO_CHOICE:
            assert kept.get(name, [""]) == [value], "what was filled in is not lost"
    folds = re.findall(rf'<details[^>]*>|</details>|id="{re.escape(where)}"', answer.text)
    around: list[str] = []
    for each in folds[: folds.index(f'id="{where}"')]:
        around = around[:-1] if each == "</details>" else [*around, each]
    assert all("open" in fold for fold in around), "and is not folded away"


@pytest.mark.parametrize("key", ["yahtzee", "yatzy", "kniffel"])
def test_presets_apply_to_the_form(caller: Caller, key: str) -> None:
    client, book = caller("Ann"), fd.book(key)
    assert presets_for(book)
    page = client.get(f"/house/build?base={key}").text
    for each in presets_for(book):
        assert f'name="preset" value="{each.key}"' in page
        answer = posted(client, key, preset=each.key, rolls="4")
        found = fd.load_book(file_in(answer))
        assert (found.rolls, found.boxes, found.order) == (4, apply(each, book).boxes, apply(each, book).order)
        assert found.alike == apply(each, book).alike
        assert f"{each.name} is in your rules now." in page_text(answer)
        assert form_of(answer.text)["rolls"] == ["4"], "what was filled in stays"


def test_preset_waits_for_errors_and_names_conflicts(caller: Caller) -> None:
    client = caller("Ann")
    answer = posted(client, "yahtzee", preset="upper-section-first", rolls="many")
    assert "is in your rules now" not in page_text(answer)
    assert form_of(answer.text)["order"] == ["free"]
    answer = posted(client, "yahtzee", preset="yams", boxes__full_house__on=None)
    assert answer.status_code == 422
    assert f"{preset('yams').name} needs boxes that are not on your score sheet." in page_text(answer)
    assert posted(client, "yahtzee", preset="<b>").status_code == 200


def test_script_gets_only_the_preview(caller: Caller) -> None:
    client = caller("Ann")
    fields = form_of(client.get("/house/build?base=yahtzee").text) | {"boxes.full_house.points": ["30"]}
    answer = client.post("/house/build", data=fields, headers={"Fivedice-Fragment": "1"})
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert 'data-gist="1 change"' in answer.text
    said = page_text(answer)
    assert "Here: 3 and 2 of a kind, different numbers: 30 points." in said
    assert "For example Box Yahtzee Here Full House 25 30" in said
    assert "ready a few seconds after you save" in said
    assert "3 and 2 of a kind, different numbers: 30 points." in _rule(answer.text, "full_house")
    wrong = client.post("/house/build", data=fields | {"rolls": ["many"]}, headers={"Fivedice-Fragment": "1"})
    assert (wrong.status_code, "<html" in wrong.text) == (200, False)
    assert 'data-field="rolls"' in wrong.text
    assert 'role="alert"' not in wrong.text, "screen readers are not interrupted while a person types"


def _rule(page: str, box: str) -> str:
    found = re.search(rf'data-rule="{box}">(.*?)<', page)
    assert found is not None
    return found[1]


def test_preview_uses_the_readers_language(caller: Caller) -> None:
    client = caller("Ann")
    fields = form_of(client.get("/house/build?base=yahtzee").text) | {"save_rolls": ["yes"], "order": ["sheet"]}
    headers = {"Fivedice-Fragment": "1", "Accept-Language": PSEUDO}
    assert "Stop after" not in page_text(client.post("/house/build", data=fields, headers=headers))


def examples(**changes: str) -> list[tuple[str, str | None, list[tuple[str, int | None, int | None]]]]:
    found = roll_examples(book_of(**changes), fd.book("yahtzee"))
    return [
        (
            str(each.roll),
            each.occasion and str(each.occasion),
            [(row.box.name, row.theirs, row.ours) for row in each.rows],
        )
        for each in found
    ]


def test_examples_show_the_largest_differences() -> None:
    assert examples() == []
    plus = examples(boxes__full_house__pays="+all", boxes__full_house__points="15")
    assert plus == [("55666", None, [("Full House", 25, 43)])]
    two = examples(boxes__full_house__points="30", boxes__large_straight__points="41")
    assert sorted(rows for _, _, rows in two) == [[("Full House", 25, 30)], [("Lg. Straight", 40, 41)]]
    new = examples(new__name="Evens", new__pattern="parity", new__pays="all")
    assert new == [("66666", None, [("Evens", None, 30)])]
    (roll, occasion, rows), *_ = examples(alike__extra="50")
    assert (roll, occasion, rows) == ("33333", "YAHTZEE already has points.", [("YAHTZEE Bonus", 100, 50)])
    free = examples(alike__rule="none")
    assert free[0][2][0] == ("3 of a Kind", None, 15)
    assert free[1][:2] == ("33333", "YAHTZEE and Threes already have points.")
    assert ("Lg. Straight", 40, 0) in free[1][2]
    assert examples(order="upper_first") == [("11111", "The score sheet is empty.", [("YAHTZEE", 50, None)])]
    assert examples(dice="6") == []


def test_examples_without_a_roll() -> None:
    def said(**changes: str) -> list[str]:
        return [str(each) for each in other_examples(book_of(**changes), fd.book("yahtzee"))]

    assert said() == []
    assert said(save_rolls="yes") == ["Stop after 1 roll, and your next turn has 5."]
    tier = said(bonus__tiers__2__from="71", bonus__tiers__2__points="55")
    assert tier == ["Bonus: a total of 71 pays 55, not 35."]
    assert said(bonus__threshold="60") == ["Bonus: a total of 60 pays 35, not 0."]
    assert said(alike__extra="100, 200") == ["Further five of a kind number 2 pays 200, not 100."]
    assert said(alike__at_most="3") == ["Further five of a kind number 4 pays 0, not 100."]
    assert said(alike__extra="50") == [], "a roll shows that"


def with_more_boxes(count: int) -> fd.RuleBook:
    boxes = "".join(
        f'[boxes.more_{number}]\nname = "More {number}"\ncode = "{number:02}"\nsection = "lower"\n'
        'pattern = "anything"\npoints = "all"\n'
        for number in range(count)
    )
    return fd.load_book(f'extends = "yahtzee"\n{boxes}')


def test_solvability_sums_and_all_errors_are_shown() -> None:
    assert str(solving(fd.book("yahtzee"))) == "Hints and perfect bots: ready a few seconds after you save."
    said = [str(solving(with_more_boxes(count))) for count in range(1, 16)]
    waits = [re.search(r"ready about (\d+) seconds", each) for each in said]
    seconds = [int(wait[1]) for wait in waits if wait]
    assert seconds == sorted(set(seconds))
    assert len(seconds) > 1, "the longer the larger"
    assert limits.too_large(with_more_boxes(15))
    assert said[-1] == "No hints and no perfect bots: this game is too large to work out. You can play it."
    draft, made = fill_form(boxes__full_house__pays="+matching", boxes__full_house__points="20")
    assert made is not None, draft.errors
    assert made.book.box("full_house").points == SumPlus(20, fd.rules.Summed.MATCHING)
    assert 'points = "20 + matching"' in made.text
    # Errors of the rules as a whole come with those of single fields.
    start = fd.book("yahtzee")
    draft = draft_of(start, "yahtzee", "Ours")
    draft.values |= {"dice": "99", "rolls": "many", "bonus.threshold": "", "boxes.full_house.dice": "39"}
    assert build(draft, start) is None
    assert set(draft.errors) == {"dice", "rolls", "bonus.threshold", "boxes.full_house.dice"}


def test_preview_is_there_before_the_first_change(caller: Caller) -> None:
    assert "Our Yahtzee plays exactly like Yahtzee." in caller("Ann").get("/house/build").text
