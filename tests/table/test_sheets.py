"""The view of a score pad: every player's sheet, what the viewer may do, and the worth of rolls."""

import json
from random import Random

import pytest

from fivedice.core.dice import Roll, rolls
from fivedice.core.game import Outcome, judge
from fivedice.core.notation import read_game
from fivedice.core.rules import SHIPPED
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import BadRequest, WrongPhase
from fivedice.table.state import TableState
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import PlayerSheet, SheetCell
from fivedice.text import using
from fivedice.text.languages import PSEUDO
from fivedice.web.pages.pad.rule_data import options_table
from for_each import for_each
from support.tables import pad_walk
from table.table_harness import ANN, BOB, ZOE, Parlour, pad, write, write_out


def cell(sheet: PlayerSheet, box: str, game: int = 0) -> SheetCell:
    return next(row for row in sheet.rows if row.box == box).cells[game]


def test_every_scored_box_knows_its_turn() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write(parlour, "44444", "five_of_a_kind")
    write(parlour, "66612", "sixes")
    parlour.do(cmd.EnterDice(ANN, (4, 4, 4, 4, 4)))
    parlour.score(ANN, "fours")
    ann, bob = sheets(parlour.state)
    assert cell(bob, "sixes") == SheetCell(0, 18, turn=1, dice=(6, 6, 6, 1, 2), final_dice=True)
    assert cell(ann, "fours") == SheetCell(0, 20, turn=2, dice=(4, 4, 4, 4, 4), extra=100)
    assert cell(ann, "fours", 1) == cell(ann, "sixes", 1) == SheetCell(1)
    assert (cell(ann, "sixes"), cell(bob, "sixes").game) == (SheetCell(0), 0)
    extra = next(row for row in ann.rows if row.kind == "extra")
    assert (extra.cells[0].points, extra.cells[0].ticks, extra.cells[1]) == (100, 1, SheetCell(1))
    assert (ann.totals, ann.match_total, bob.totals, bob.match_total) == ((170, None), 170, (18, None), 18)
    sections = {row.box: row.section for row in ann.rows if row.box}
    assert (sections["sixes"], sections["chance"]) == ("upper", "lower")
    assert next(row.par for row in ann.rows if row.box == "sixes") == 18


def test_sections_with_the_same_name_stay_separate() -> None:
    rules = 'extends = "yahtzee"\nkey = "ours"\n[sheet]\nupper = "Boxes"\nlower = "Boxes"\n'
    parlour = Parlour(TableState("T"))
    parlour.append(ev.Opened("ours", ANN, rules=rules, real_dice=True))
    parlour.do(cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN))
    (ann,) = sheets(parlour.state)
    sections = {row.box: row.section for row in ann.rows if row.box}
    assert (sections["sixes"], sections["chance"]) == ("upper", "lower")
    assert [row.section for row in ann.rows if row.label == "Boxes"] == ["upper", "lower"]


def test_games_are_added_up_on_request() -> None:
    parlour = pad("Ann", "Bob", games=2)
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    assert [sheet.won for sheet in sheets(parlour.state)] == [(True, False), (False, False)]
    parlour.do(cmd.NextGame(ANN, 1))
    write_out(parlour)
    for seat, sheet in enumerate(sheets(parlour.state)):
        totals = tuple(game.position.cards[seat].total for game in parlour.state.all_games)
        assert (sheet.totals, sheet.match_total) == (totals, sum(totals))
    assert {sheet.match_total for sheet in sheets(pad("Ann", games=2, match_total=False).state)} == {None}
    assert {sheet.match_total for sheet in sheets(pad("Ann").state)} == {None}


def test_last_game_decides_otherwise() -> None:
    parlour = pad("Ann", "Bob", games=2, match_total=False)
    write(parlour, "66666", "five_of_a_kind")
    write(parlour, "66666", "sixes")
    write_out(parlour)
    first = tuple(card.total for card in parlour.state.running.position.cards)
    assert parlour.state.match == Outcome(first, (0,))
    parlour.do(cmd.NextGame(ANN, 1))
    write(parlour, "66644", "full_house")  # of Bob, who begins
    write_out(parlour)
    second = tuple(card.total for card in parlour.state.running.position.cards)
    assert sum(first) > sum(second)
    assert parlour.state.match == Outcome(second, (1,))


@for_each("seed", range(3))
def test_sheet_matches_the_cards(seed: int) -> None:
    """After corrections, undo and rewriting."""
    state = pad_walk("yahtzee", 2, seed, steps=120)[0].state
    for seat, sheet in enumerate(sheets(state)):
        for number, game in enumerate(state.all_games):
            if seat >= len(game.players):
                continue
            card = game.position.cards[seat]
            boxes = {row.box: row.cells[number] for row in sheet.rows if row.box}
            assert {box: held.points for box, held in boxes.items()} == {box: card.held(box) for box in boxes}
            for box, held in boxes.items():
                if held.turn is not None:
                    marks = [step for step in game.steps if getattr(step.move, "box", None)]
                    step = marks[held.turn]
                    assert (step.move.box, step.before.seat) == (box, seat)  # type: ignore[union-attr]
                    assert held.by_points == (not held.dice)
                    assert held.by_points or step.before.roll == Roll(held.dice)


# Allowed actions


def test_scorekeeper_writes_and_others_watch() -> None:
    parlour = pad("Ann", "Bob", games=6)
    seen = view(parlour.state, ANN)
    assert (seen.real_dice, seen.games, seen.game_number, seen.turn, seen.match_total) == (True, 6, 0, 0, True)
    assert (seen.pencil, seen.can_enter, seen.can_withdraw, seen.can_score, seen.between_games) == (
        True,
        True,
        False,
        False,
        False,
    )
    parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5), last=True))
    seen, other = view(parlour.state, ANN), view(parlour.state, ZOE)
    assert (seen.can_enter, seen.can_withdraw, seen.can_score) == (False, True, True)
    assert (other.pencil, other.can_enter, other.can_withdraw, other.can_score) == (False, False, False, False)
    assert [row.cells[0].preview for row in seen.rows if row.box == "large_straight"] == [40]
    assert [row.cells[0].preview for row in other.rows if row.box == "large_straight"] == [None]


def test_scorekeeper_sees_worth_of_other_players_dice() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.TakePencil(BOB), cmd.TakeOver(ZOE, 0), cmd.EnterDice(BOB, (1, 2, 3, 4, 5)))
    seen = view(parlour.state, BOB)
    assert (seen.your_turn, seen.can_enter, seen.can_score, seen.undo) == (False, True, True, None)
    assert [row.cells[0].preview for row in seen.rows if row.box == "chance"] == [15]


def test_every_finished_game_has_its_record() -> None:
    parlour = pad("Ann", games=2)
    assert (view(parlour.state, ANN).record, view(parlour.state, ANN).records) == (None, ())
    write_out(parlour)
    seen = view(parlour.state, ANN)
    assert (seen.between_games, seen.phase, seen.on_turn, seen.undo) == (True, "playing", None, "free")
    assert (seen.record,) == seen.records
    parlour.do(cmd.NextGame(ANN, 1))
    write(parlour, "12345", "chance")
    assert view(parlour.state, ANN).records == seen.records
    write_out(parlour)
    seen = view(parlour.state, ANN)
    assert [read_game(text).is_over for text in seen.records] == [True, True]
    assert seen.record == seen.records[-1]


# Without a connection


@for_each("book", SHIPPED)
def test_offline_options_match_the_engine(book: str) -> None:
    state = pad_walk(book, 2, seed=3, steps=60)[0].state
    table = json.loads(json.dumps(options_table(state, 1)))
    card = state.running.position.cards[1]
    assert len(table["rolls"]) == len(list(rolls(card.book.dice, card.book.faces)))
    some = min(60, len(table["rolls"]))
    for text, told in Random(1).sample(sorted(table["rolls"].items()), some) + list(table["rolls"].items())[:1]:
        ruling = judge(card, Roll.parse(text))
        legal = {box: [entry.points, entry.bonus, int(entry.joker)] for box, entry in ruling.legal.items()}
        assert told["boxes"] == legal
        assert told.get("zero_asks", False) == any(ruling.wastes(box) for box in legal)
        closed = {box: why for box, why in ruling.closed.items() if card.held(box) is None}
        assert {box: table["sentences"][str(why)] for box, why in told.get("closed", {}).items()} == closed


def test_forced_jokers_are_listed_once_per_face() -> None:
    parlour = pad("Ann")
    write(parlour, "44444", "five_of_a_kind")
    table = options_table(parlour.state, 0)
    assert table["rolls"]["44444"]["boxes"] == {"fours": [20, 100, 0]}
    assert len(table["sentences"]) == 6
    assert options_table(parlour.state, 0) is table, "asked again, it is not worked out again"


def test_option_reasons_follow_language_and_need_a_game() -> None:
    parlour = pad("Ann")
    write(parlour, "44444", "five_of_a_kind")
    assert options_table(parlour.state, 0)["sentences"]["0"].isascii()
    with using(PSEUDO):
        assert not options_table(parlour.state, 0)["sentences"]["0"].isascii()
    with pytest.raises(BadRequest, match="There is no seat 2"):
        options_table(pad("Ann").state, 2)
    waiting = TableState("T", seats=pad("Ann").state.seats)
    with pytest.raises(WrongPhase):
        options_table(waiting, 0)
