"""The model of a sheet: the lines of `game.card_lines` with short descriptions, and page layout."""

import pytest

import fivedice as fd
from fivedice.core.game import LineKind, sheet_lines
from fivedice.drawing.paper import Row, SheetModel, sheet_model
from fivedice.errors import PaperError
from paper.sheets import play_sheet
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load


def rows(model: SheetModel, leaf: int = 0) -> list[Row]:
    return [row for block in model.leaves[leaf].blocks for row in block.rows]


def row(model: SheetModel, label: str) -> Row:
    return next(row for row in rows(model) if row.label == label)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_empty_sheet_has_the_lines_of_the_card(key: str) -> None:
    book = fd.book(key)
    model = sheet_model(key)
    lines = [(line.kind, line.label) for line in sheet_lines(fd.Scorecard.empty(book)) if line.kind != "extra"]
    if book.sheet.upper_again:
        lines.insert(-1, (LineKind.TOTAL, book.sheet.upper_with_bonus))
    own = [(row.kind, row.label) for row in rows(model) if row.kind not in ("ticks", "extra", "saved", "match")]
    assert own == lines
    assert not any(cell.text or cell.ticks for row in rows(model) for cell in row.cells)
    assert all(row.how for row in rows(model) if row.kind == "box")
    assert len(model.leaves[0].heads) == book.sheet.columns


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_filled_sheet_matches_the_card(key: str) -> None:
    game = play_sheet(key, ["Ann", "Bob"], seed=4)
    model = sheet_model(key, played=[game])
    for seat, card in enumerate(game.position.cards):
        answer = [str(line.value) for line in sheet_lines(card) if line.kind is not LineKind.HEADING]
        if card.book.sheet.upper_again:
            answer.insert(-1, str(card.totals.upper_with_bonus))
        shown = [row.cells[seat].text for row in rows(model) if row.kind not in ("heading", "ticks", "saved")]
        assert shown == answer


def test_grand_total_adds_up_on_its_page() -> None:
    """Yardzee's card has the upper total twice; large print has the sections on two pages."""

    def below(book: str | fd.RuleBook, *, large: bool) -> list[str]:
        last = sheet_model(book, large=large, players=1).leaves[0].blocks[-1]
        return [row.label for row in last.rows if row.kind in ("total", "grand")]

    for large in (False, True):
        assert below("yardzee", large=large) == ["Total of Lower Half", "Total of Upper Half", "Grand Total"], large
    totals = ["Total (Lower Section)", "Grand Total"]
    assert below("yahtzee", large=False) == totals
    assert below("yahtzee", large=True) == [totals[0], "Upper Section: Total", totals[1]]
    assert below("crag", large=True)[1] == "Numbers: Total of the numbers", "a book without a bonus"
    assert below(load(CHANCE), large=True) == ["Lower total", "Grand total"], "a book of one section"


@pytest.mark.parametrize("key", ["yardzee", "yahtzee", "yatzy", "maxi-yatzy"])
def test_minimums_add_up_to_the_bonus(key: str) -> None:
    book, model = fd.book(key), sheet_model(key)
    assert book.bonus is not None
    assert sum(int(row.minimum) for row in rows(model) if row.kind == "box" and row.minimum) == book.bonus.threshold
    assert row(model, book.sheet.upper_total).minimum == str(book.bonus.threshold)
    words = "If {} or over: score {}" if book.sheet.captions == "card" else "{} or more: score {}"
    assert row(model, book.sheet.bonus).how == words.format(book.bonus.threshold, book.bonus.points)


def test_minimums_are_rounded_up_and_equal_names_kept_apart() -> None:
    labels = ("upper", "lower", "upper_total", "upper_with_bonus", "lower_total")
    book = extend("yahtzee", *(f'sheet.{label} = "Boxes"' for label in labels))
    lines = [line for line in rows(sheet_model(book)) if line.label == "Boxes"]
    assert [line.kind for line in lines] == ["heading", "total", "total", "heading", "total"]
    assert [line.minimum for line in lines] == ["", "63", "", "", ""]
    book = load(face_box(1), face_box(2), CHANCE, "[bonus]\nthreshold = 8\npoints = 10")
    model = sheet_model(book)
    assert [row.minimum for row in rows(model) if row.kind == "box"] == ["3", "6", ""]
    assert model.hint == "8 or more in the upper section earn 10. Only the total counts."
    upper = sheet_model(load(face_box(1), face_box(2)))
    lower = sheet_model(load(CHANCE))
    assert [len(model.leaves[0].blocks) for model in (upper, lower)] == [1, 1]
    assert rows(upper)[-1].kind == rows(lower)[-1].kind == "grand"


def test_descriptions_are_short_and_true() -> None:
    def how(key: str, first: int) -> str:
        return "; ".join([row.how for row in rows(sheet_model(key)) if row.kind == "box"][first:])

    for key in ("yardzee", "yahtzee"):  # the words of their cards
        assert how(key, 3) == (
            "Count and add only Fours; Count and add only Fives; Count and add only Sixes; "
            "Add total of all dice; Add total of all dice; Score 25; Sequence of 4: score 30; Sequence of 5: score 40; "
            "5 of a kind: score 50; Score total of all 5 dice"
        ), key
    assert sheet_model("yardzee").texts["for-bonus"] == "Minimum required for bonus"
    assert how("yahtzee-classic", 3) == (
        "Total of the 4s; Total of the 5s; Total of the 6s; Total of all dice; Total of all dice; "
        "3 + 2 of a kind: score 25; 4 numbers in a row: score 30; 5 numbers in a row: score 40; "
        "All 5 dice the same: score 50; Total of all dice"
    )
    assert how("maxi-yatzy", 6) == (
        "Total of the pair; Total of the pairs; Total of the pairs; Total of the 3; Total of the 4; Total of the 5; "
        "1-2-3-4-5: score 15; 2-3-4-5-6: score 20; 1-2-3-4-5-6: score 21; 3 + 2 of a kind: their total; "
        "3 + 3 of a kind: their total; 4 + 2 of a kind: their total; Total of all dice; All 6 dice the same: score 100"
    )


def test_descriptions_are_true_under_house_rules() -> None:
    book = extend(
        "yardzee",
        *("boxes.full_house.points = 30", 'boxes.chance.points = "10 + all"', "boxes.three_of_a_kind.points = 20"),
        "bonus.tiers = [{ from = 63, points = 35 }, { from = 71, points = 55 }]",
    )
    model = sheet_model(book)
    assert row(model, "Full house").how == "Score 30"
    assert row(model, "Chance").how == "Score 10 plus the total of all dice"
    assert row(model, "3 of a kind").how == "3 of a kind: score 20"
    assert row(model, "Bonus").how == "63 or more: 35, 71 or more: 55"


def test_unusual_boxes_have_descriptions() -> None:
    book = load(
        box("any_ones", "ao", "face, face = 1"),
        box("trio", "t3", "groups, sizes = [3]", "30"),
        box("boat", "bo", "groups, sizes = [3, 2]"),
        CHANCE,
        head=["fixed_order = true"],
    )
    model = sheet_model(book)
    hows = [row.how for row in rows(model) if row.kind == "box"]
    assert hows == [
        "Any dice showing 1: total of all dice",
        "3 of a kind: score 30",
        "3 + 2 of a kind: total of all dice",
        "Total of all dice",
    ]
    assert model.hint == "Score the boxes from the top down."
    assert not model.has_minimum


def test_extras_are_tick_squares() -> None:
    book = fd.book("yahtzee")
    ticks = row(sheet_model(book), book.sheet.extra)
    assert ticks.kind == "ticks"
    assert {(cell.squares, cell.ticks) for cell in ticks.cells} == {(4, 0)}
    once = load(ALIKE, CHANCE, '[alike]\nbox = "five_of_a_kind"\nextra = 70\nrepeat = false')
    assert {cell.squares for cell in row(sheet_model(once), "Extra bonus").cells} == {1}
    assert row(sheet_model(once), "Points for the ticks").how == "Score 70"
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.real())
    for key in (
        "five_of_a_kind",
        "aces",
        *["chance", "three_of_a_kind", "four_of_a_kind", "full_house", "small_straight"],
    ):
        game.roll("11111")
        game.mark(key)
    model = sheet_model("yahtzee", played=[game])
    (cell,) = row(model, game.book.sheet.extra).cells
    assert (cell.squares, cell.ticks) == (6, 6)


def test_equal_section_names_are_distinguished() -> None:
    """Lines are found by what they are, never by what they are called."""
    names = 'upper = "Boxes"\nlower = "Boxes"\nupper_total = "Sum"\nlower_total = "Sum"\nupper_with_bonus = "Sum"'
    book = load(face_box(1), face_box(2), CHANCE, f"[bonus]\nthreshold = 8\npoints = 10\n[sheet]\n{names}")
    game = fd.Game.new(book, ["Ann"], dice=fd.dice.seeded(1))
    for key in list(book.index)[:2]:
        game.roll()
        game.mark(key)
    sums = [row for row in rows(sheet_model(book, played=[game])) if row.label == "Sum"]
    assert [row.minimum for row in sums] == ["8", "", ""]
    assert [bool(row.cells[0].text) for row in sums] == [True, True, False]


def test_sums_stay_blank_until_complete() -> None:
    game = play_sheet("yatzy", ["Ann"], seed=1, turns=14)
    model = sheet_model("yatzy", played=[game])
    blank = {row.label for row in rows(model) if row.cells and not row.cells[0].text}
    card = game.position.cards[0]
    (open_box,) = (box for box, mark in zip(card.book.boxes, card.marks, strict=True) if mark is None)
    sheet = card.book.sheet
    upper = {sheet.upper_total, sheet.bonus, sheet.upper_with_bonus}
    expected = upper if open_box.section == "upper" else {sheet.lower_total}
    assert blank == {open_box.name, sheet.grand_total} | expected


def test_columns_of_a_page() -> None:
    def heads(model: SheetModel) -> list[list[str]]:
        return [[head.text for head in leaf.heads] for leaf in model.leaves]

    assert heads(sheet_model("yardzee"))[0] == [f"Game {number}" for number in range(1, 7)]
    assert heads(sheet_model("yatzy", players=2)) == [["", ""]]
    assert heads(sheet_model("yatzy", games=2)) == [["Game 1", "Game 2"]]
    assert heads(sheet_model("yatzy", games=2, players=3)) == [["Game 1", "Game 2"]] * 3
    assert [leaf.name for leaf in sheet_model("yatzy", games=1, players=2).leaves] == ["", ""]
    assert sheet_model("yatzy", players=2).leaves[0].name is None
    assert not sheet_model("yatzy", players=6).landscape
    assert sheet_model("yatzy", players=7).landscape
    assert len(sheet_model(load(CHANCE, "[sheet]\ncolumns = 12"), large=True).leaves[0].heads) == 6


def test_one_game_has_a_column_per_player() -> None:
    game = play_sheet("yahtzee", ["Ann", "Bob", "Cleo"], seed=3)
    (leaf,) = sheet_model("yahtzee", played=[game]).leaves
    assert [head.text for head in leaf.heads] == ["Ann", "Bob", "Cleo"]
    assert [head.text for head in leaf.heads if head.note == "winner"] == list(game.winners)
    assert not any(
        head.note for head in sheet_model("yahtzee", played=[play_sheet("yahtzee", ["Ann"], seed=1)]).leaves[0].heads
    )


def test_several_games_have_a_page_per_player() -> None:
    games = [play_sheet("yardzee", ["Ann", "Bob"], seed=seed) for seed in (1, 2)]
    games.append(play_sheet("yardzee", ["Bob", "Bob"], seed=3))
    model = sheet_model("yardzee", played=games)
    assert [(leaf.name, [head.text for head in leaf.heads]) for leaf in model.leaves] == [
        ("Ann", ["Game 1", "Game 2"]),
        ("Bob", ["Game 1", "Game 2", "Game 3"]),
        ("Bob", ["Game 3"]),
    ]
    totals = [game.position.cards[0].total for game in games[:2]]
    assert rows(model)[-1] == Row("match", "All games together", rows(model)[-1].cells)
    assert rows(model)[-1].cells[0].text == str(sum(totals))
    without = sheet_model("yardzee", played=games, match_total=False)
    assert rows(without)[-1].kind == "grand"


def test_empty_columns_and_further_pages() -> None:
    game = play_sheet("yardzee", ["Ann", "Bob"], seed=1)
    model = sheet_model("yardzee", played=[game], games=4)
    assert [len(leaf.heads) for leaf in model.leaves] == [4, 4]
    grand = next(row for row in rows(model) if row.kind == "grand")
    assert [bool(cell.text) for cell in grand.cells] == [True, False, False, False]
    assert rows(model)[-1].cells[0].text == ""
    names = [f"P{number}" for number in range(8)]
    game = play_sheet("yatzy", names, seed=1, turns=0)
    assert [len(leaf.heads) for leaf in sheet_model("yatzy", played=[game], large=True).leaves] == [4, 4]
    many = [play_sheet("yatzy", names, seed=1, turns=0)] * 40
    with pytest.raises(PaperError, match=r"These games need 32 pages\. At most 24 are printed at once"):
        sheet_model("yatzy", played=many)


def test_shared_win_date_and_long_names() -> None:
    game = fd.Game.new(load(CHANCE), ["Ann", "B" * 60], dice=fd.dice.real())
    for _ in range(2):
        game.roll("11111")
        game.mark("chance")
    game.tags["Date"] = "2024-05-01"
    (leaf,) = sheet_model(game.book, played=[game]).leaves
    assert [head.note for head in leaf.heads] == ["shared win"] * 2
    assert leaf.date == "2024-05-01"
    assert leaf.heads[1].text == "B" * 23 + "…"
