"""Saved rolls: values, reports, statistics, hints and bots."""

from dataclasses import replace

import pytest

import fivedice as fd
from analysis.saving import card_worth, roll_worth
from fivedice.coaching.hints import coach, wanted_points
from fivedice.core.dice import rolls
from fivedice.core.notation import read_card, read_game
from fivedice.players.bots.levels import ALL_LEVELS, FIRST_PLAY, find_level
from fivedice.players.bots.players import LevelBot, player_of
from fivedice.players.bots.solo_games import play
from fivedice.reports.decisions import TurnValues
from fivedice.reports.game_report import report
from fivedice.reports.report_json import report_to_json
from fivedice.reports.report_lines import report_lines
from fivedice.reports.statistics import BookStatistics, facts_of
from fivedice.reports.statistics_lines import book_lines
from for_each import for_each
from rules.houses import CHANCE, box, load
from rules.second_houses import COLOURED, RISING, SAVING, STEPPED

SOLUTION = fd.solve(SAVING)
CARDS = ("-", "1s:3+2", "1s:2,ch:9+4", "1s:2,2s:4,ch:9+5", "2s:4+1")


@for_each("text", CARDS)
def test_turn_value_matches_the_second_reading(text: str) -> None:
    card = read_card(text, SAVING)
    values = TurnValues(SOLUTION, card)
    assert values.start == pytest.approx(card.total + card_worth(card.filled, card.saved), abs=1e-9)
    for left in range(SAVING.rolls + card.saved):
        for roll in rolls(SAVING.dice, SAVING.faces):
            worth = card.total + roll_worth(card.filled, left, roll)
            assert values.roll(roll, left) == pytest.approx(worth, abs=1e-9)
            assert values.options(roll, left)[0].value == pytest.approx(worth, abs=1e-9)


def test_saved_rolls_have_a_value() -> None:
    worths = [card_worth(0b0001, saved) for saved in range(3)]
    assert worths[0] + 0.2 < worths[1] < worths[2]


GAME = """[Book "saving"]
[Players "Ann"]

1. 112=1s:2
2. 134>4/244>44/344>44/244>44/444=1p:8
3. ~224+1=2s:4
4. 123>3/134>-/123>3/344=ch:11
= 25
"""


def test_luck_and_points_lost_add_up_with_saved_rolls() -> None:
    told = report(read_game(GAME, SAVING), SOLUTION)
    (player,) = told.players
    assert player.start == pytest.approx(card_worth(0, 0))
    assert player.total == 25
    assert player.start + player.luck - player.lost == pytest.approx(25, abs=1e-9)
    for turn in player.turns:
        assert turn.start + turn.luck - turn.lost == pytest.approx(turn.end, abs=1e-9)
    assert [turn.saved for turn in player.turns] == [2, 0, 1, 0]
    assert player.turns[1].falls[0].rolls_left == 4
    assert [turn["saved"] for turn in report_to_json(told)["players"][0]["turns"]] == [2, 0, 1, 0]


def test_reports_count_saved_rolls() -> None:
    """The last score loses nothing of what saved rolls would be worth, the first one counts them."""
    told = report(read_game(GAME, SAVING), SOLUTION)
    first = told.players[0].turns[0].decisions[0]
    assert first.value == pytest.approx(2 + card_worth(0b0001, 2))
    best = roll_worth(0, 2, fd.Roll.parse("112"))
    assert first.loss == pytest.approx(best - first.value)
    lines = report_lines(report(read_game(GAME, SAVING), SOLUTION), None)
    assert [turn.box for turn in lines.players[0].turns] == [
        "Aces 2, 2 rolls saved",
        "Pair 8",
        "Twos 4, 1 roll saved",
        "Chance 11",
    ]


def test_statistics_count_long_turns() -> None:
    game = read_game(GAME, SAVING)
    facts = facts_of(game, 0, SOLUTION)
    assert facts.judged is not None
    assert len(facts.judged.by_step) == SAVING.rolls
    assert sum(facts.judged.by_step) == pytest.approx(facts.judged.lost)
    noted = replace(facts, judged=replace(facts.judged, fully_noted=True))  # a turn has its final dice alone
    lines = book_lines(BookStatistics(SAVING, (noted,), None))
    assert [line.name for line in lines.steps] == [
        "After roll 1",
        "After roll 2 and later ones",
        "Choosing the box at the end",
    ]


def reasons(card: str) -> dict[tuple[str, int], str]:
    sheet = read_card(card, SAVING)
    lefts = range(1, SAVING.rolls + sheet.saved)
    found = ((str(roll), left, coach(SOLUTION, sheet, roll, left)) for roll in rolls(3, 4) for left in lefts)
    return {(roll, left): told.because for roll, left, told in found}


def test_coach_and_bots_save_rolls_only_while_useful() -> None:
    told = reasons("1s:2+2")
    save = {place for place, because in told.items() if because.startswith("Save the ")}
    assert save
    assert "Save the roll: it is worth more in a later turn." in told.values()
    sheet = read_card("1s:2+2", SAVING)
    for roll, left in save:
        choices = coach(SOLUTION, sheet, fd.Roll.parse(roll), left, best=99).choices
        without = max(SAVING.worth(fd.Roll.parse(roll)).plain[p] + card_worth(1 | 1 << p, 0) for p in (1, 2, 3))
        assert max(each.value for each in choices if each.keep is not None) > without
    assert not any(because.startswith("Save the ") for because in reasons("1s:2,2s:4,1p:6+1").values())


@for_each("text", CARDS[1:])
def test_aims_of_a_keep_cover_all_outcomes(text: str) -> None:
    """The chances of all ends add up to one, and the value is that of the second reading."""
    card = read_card(text, SAVING)
    left = SAVING.rolls + card.saved - 1
    told = coach(SOLUTION, card, fd.Roll.parse("124"), left, best=99)
    assert told.choices[0].value == pytest.approx(roll_worth(card.filled, left, fd.Roll.parse("124")))
    for choice in told.choices:
        if choice.keep is not None:
            assert sum(aim.chance for aim in choice.aims) == pytest.approx(1.0)
            assert choice.now == pytest.approx(sum(aim.points for aim in choice.aims))


@for_each("level", ALL_LEVELS, ids=lambda level: level.name)
@for_each("book", [SAVING, STEPPED, RISING], ids=lambda book: book.key)
def test_every_bot_finishes_with_saved_rolls(book: fd.RuleBook, level: object) -> None:
    card = play(book, player_of(level, book, "salt"), "5")  # type: ignore[arg-type]
    assert card.is_full


def test_lookahead_bots_save_and_spend_rolls() -> None:
    """A saved roll counts for nothing at the end: rolling the 2 again brings half a point on average."""
    card = read_card("1s:2,2s:4,1p:6+1", SAVING)
    position = fd.Position((card,), 0, fd.Keep.parse("244"), 1)
    steady = find_level("steady", FIRST_PLAY)
    options = dict(LevelBot(steady, SAVING, "").weigh(position))
    assert max(options, key=lambda move: options[move]) == fd.Hold(fd.Keep.parse("44"))
    # A pair of fours is the most that this box can hold: another roll would be wasted.
    card = read_card("1s:2,2s:4", SAVING)
    position = fd.Position((card,), 0, fd.Keep.parse("144"), 1)
    options = dict(LevelBot(steady, SAVING, "").weigh(position))
    assert max(options, key=lambda move: options[move]) == fd.Mark("pair")


def aims(book: fd.RuleBook, dice: str, keep: str, card: str = "-") -> dict[str, float]:
    told = coach(fd.solve(book), read_card(card, book), fd.Roll.parse(dice), 1, best=99)
    (choice,) = (each for each in told.choices if each.keep == fd.Keep.parse(keep))
    return {aim.words: aim.chance for aim in choice.scores}


def test_aims_name_patterns_and_extras() -> None:
    found = aims(COLOURED, "114", "14")
    assert found["Flush"] == pytest.approx(1 / 4), "a 1; a 4 is worth more as a crag"
    assert found["Crag"] == pytest.approx(1 / 4)
    told = aims(RISING, "112", "11", "2s:6,yz:50,yb:10")
    assert told["another Five Of A Kind (+20)"] == pytest.approx(1 / 4)
    # Two of three dice are enough of a face, whatever is paid on top.
    ones = box("aces", "1s", "face, face = 1", '"5 + matching"', "upper")
    book = load(ones, CHANCE, head=["dice = 3", "faces = 4"])
    assert wanted_points(book, "aces") == 5 + 2
    assert "2 or more Aces" in aims(book, "112", "11")
