"""Stored and live tables are equal after any commands, and old logs stay readable."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fivedice.core.dice import seeded
from fivedice.core.notation import read_game, write_game
from fivedice.core.rules import SHIPPED
from fivedice.errors import MalformedError
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import from_data, to_data
from fivedice.table.actions.rights import HOUSE
from fivedice.table.refusals import Refusal
from fivedice.table.state import Phase, TableState, fold_events
from for_each import for_each
from long import few
from support.tables import PEOPLE, pad_walk
from table.table_harness import HAL, Parlour, open_table, pad, summary, write_out

LOGS = sorted(Path(__file__).parent.joinpath("logs").glob("v*/*.json"))


def anything(random: Random, parlour: Parlour) -> cmd.Command:
    """Return a command, mostly sensible, often not."""
    state = parlour.state
    who = random.choice([*PEOPLE, HAL, HOUSE, "zoe", "", *(3 * [seat.player or HOUSE for seat in state.seats])])
    if state.on_turn is not None and random.random() < 0.6:
        return _about_the_turn(random, state, state.on_turn, who)
    if state.last_scorer is not None and random.random() < 0.1:
        return cmd.TakeBack(state.seats[state.last_scorer].player or HOUSE)
    if state.phase is Phase.FINISHED and random.random() < 0.2:
        return cmd.PlayAgain(who, agree=random.random() < 0.7, now=random.random() < 0.2)
    seat = random.choice([-1, *range(len(state.seats) + 1), *state.seats_of(who), *state.seats_of(who)])
    return random.choice(
        [
            cmd.SitDown(who, "Somebody"),
            cmd.StandUp(who, seat),
            cmd.StartGame(who),
            cmd.TakeBack(who),
            cmd.AnswerUndo(who, agree=random.random() < 0.8),
            cmd.Leave(who, seat),
            cmd.ComeBack(who, seat),
            cmd.TakeOver(who, seat),
            cmd.SkipTurn(who, seat),
            cmd.Dismiss(who, seat),
        ]
    )


def _about_the_turn(random: Random, state: TableState, seat: int, who: str) -> cmd.Command:
    if state.undo_asked is not None and random.random() < 0.5:
        return cmd.AnswerUndo(who, agree=random.random() < 0.8)
    if state.seats[seat].away and random.random() < 0.5:
        return random.choice([cmd.SkipTurn, cmd.Dismiss])(who, seat)
    owner = state.seats[seat].player or HOUSE
    return _sensible(random, state, HOUSE if state.house_plays(seat) and random.random() < 0.9 else owner)


def _sensible(random: Random, state: TableState, who: str) -> cmd.Command:
    if not state.slots or random.random() < 0.3:
        return cmd.RollDice(who, tuple(slot for slot in range(len(state.slots)) if random.random() < 0.5))
    boxes = [box.key for box in state.book.boxes]
    if state.game is not None and random.random() < 0.8:
        boxes = list(state.game.position.ruling().legal)
    return cmd.FillBox(who, random.choice(boxes))


def walk(book: str, seats: int, seed: int, steps: int) -> tuple[Parlour, list[tuple[TableState, str]]]:
    """A table after that many commands, and states that were handed out on the way with what they showed then."""
    random = Random(seed)
    parlour = open_table(book)
    parlour.dice = seeded(seed)
    for player in random.sample(PEOPLE, seats):
        parlour.do(cmd.SitDown(player, player.capitalize()))
    if random.random() < 0.3:
        parlour.append(ev.Sat("Bot", "red", "●", bot="steady"))
    parlour.do(cmd.StartGame(HAL))
    shown = []
    for number in range(steps):
        if number % 8 == 0:
            shown.append((parlour.state, json.dumps(summary(parlour.state))))
        with suppress(Refusal):
            parlour.do(anything(random, parlour))
    return parlour, shown


@for_each(("book", "seats"), few([(book, seats) for book in SHIPPED for seats in (1, 2, 3, 4)], 16))
def test_stored_log_folds_to_the_live_table(book: str, seats: int) -> None:
    parlour, shown = walk(book, seats, seed=seats, steps=150 * seats)
    state, replayed = parlour.state, parlour.replayed()
    assert summary(replayed) == summary(state)
    assert state.version == len(parlour.log)
    assert replayed.running.steps == state.running.steps
    assert write_game(read_game(write_game(state.running))) == write_game(state.running)
    for earlier, seen in shown:
        assert json.dumps(summary(earlier)) == seen


@for_each("book", SHIPPED)
def test_stored_log_of_a_pad_folds_to_the_live_one(book: str) -> None:
    parlour, shown = pad_walk(book, 2, seed=len(book), steps=250)
    assert summary(parlour.replayed()) == summary(parlour.state)
    for game in parlour.state.all_games:
        assert write_game(read_game(write_game(game))) == write_game(game)
    for earlier, seen in shown:
        assert json.dumps(summary(earlier)) == seen


# Only the service writes these events; no walk does.
NOT_WALKED = {"Stood", "StartsWith", "Rematched", "GivenUp", "SheetEnded", "Told", "HostPassed"}


def test_random_walks_reach_every_command_and_event() -> None:
    """Otherwise the tests above would prove less than they claim."""
    kinds: set[str] = set()
    finished = 0
    for seed in range(6):
        parlour, _ = walk("yahtzee", 1 + seed % 3, seed, steps=500)
        sheet, _ = pad_walk("yahtzee", 1 + seed % 2, seed, steps=250)
        kinds |= {event.kind for event in (*parlour.log, *sheet.log)}
        finished += parlour.state.phase is Phase.FINISHED and sheet.state.game_number > 0
    assert kinds == set(ev.EVENTS) - NOT_WALKED
    assert finished


def test_log_folded_in_two_parts_is_the_same() -> None:
    parlour, _ = walk("yatzy", 3, seed=11, steps=200)
    whole = summary(parlour.state)
    for cut in range(0, len(parlour.log), 7):
        first = fold_events(TableState("T"), parlour.log[:cut])
        assert summary(fold_events(first, parlour.log[cut:])) == whole
        assert first.version == cut


@for_each("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_old_logs_stay_readable(path: Path) -> None:
    """These files are never rewritten: they are tables that players left behind."""
    stored = json.loads(path.read_text("utf-8"))
    state = fold_events(TableState(stored["id"]), [from_data(kind, data) for kind, data in stored["events"]])
    assert _as_expected(stored["expected"], _summary(state)) == stored["expected"]


def _summary(state: TableState) -> dict[str, Any]:
    """The summary without the fingerprint, which tells how a book is hashed and not what was played."""
    shown = summary(state)
    played = [[_lines(record), lain] for record, lain in shown["played"]]
    return shown | {"record": _lines(shown["record"]), "played": played}


def _lines(record: str) -> list[str]:
    return [line for line in record.splitlines() if not line.startswith("[Fingerprint ")]


def _as_expected(expected: Any, found: Any) -> Any:
    """Return the summary without facts newer than the log."""
    if isinstance(expected, dict):
        return {name: _as_expected(value, found[name]) for name, value in expected.items()}
    if isinstance(expected, list) and len(expected) == len(found):
        return [_as_expected(*pair) for pair in zip(expected, found, strict=True)]
    return found


def test_old_logs_cover_every_kind_of_event() -> None:
    stored = [json.loads(path.read_text("utf-8")) for path in LOGS]
    kinds = {kind for file in stored for kind, _ in file["events"]}
    assert kinds == set(ev.EVENTS)
    scores = [data for file in stored for kind, data in file["events"] if kind == "Scored"]
    assert any(score["joker"] for score in scores)
    assert any(data["roll_off"] for file in stored for kind, data in file["events"] if kind == "Started")


# Events as data


@for_each("event", [ev.Rolled(1, (1, 2, 3, 4, 5), (0, 4)), ev.Started(1, ("11123", "66666"))])
def test_event_json_round_trip(event: ev.Event) -> None:
    assert from_data(*json.loads(json.dumps(to_data(event)))) == event


def test_fields_of_other_versions_are_ignored_or_defaulted() -> None:
    assert from_data("Left", {"seat": 1, "why": "bored", "nested": {"a": [1]}}) == ev.Left(1)
    assert from_data("Opened", {"book": "yatzy", "host": "h"}) == ev.Opened("yatzy", "h")
    with pytest.raises(MalformedError, match="'Rolled' that lacks a part"):
        from_data("Rolled", {"dice": [1, 2, 3, 4, 5]})


@for_each("kind", ["", "rolled", "Exploded", "Seat", "__class__", "x" * 10_000])
def test_unknown_event_kinds_are_named(kind: str) -> None:
    with pytest.raises(MalformedError, match="this version of Fivedice does not know") as error:
        from_data(kind, {})
    assert len(str(error.value)) < 200


@for_each(
    ("event", "people"),
    [
        (ev.Opened("yatzy", "hal"), {"hal"}),
        (ev.Sat("Ann", "red", "●", "ann"), {"ann"}),
        (ev.Sat("Bot", "red", "●", bot="steady"), set()),
        (ev.PencilPassed("bob"), {"bob"}),
        (ev.UndoAnswered("bob", True), {"bob"}),
        (ev.Left(1), set()),
    ],
)
def test_events_know_the_players_they_name(event: ev.Event, people: set[str]) -> None:
    assert event.people == people


def test_default_values_are_not_stored() -> None:
    assert ev.PencilPassed("bob").data() == {"player": "bob"}
    assert ev.PencilPassed("bob", spare=True).data() == {"player": "bob", "spare": True}
    assert ev.Rolled(1, (1, 2)).data() == {"seat": 1, "dice": (1, 2), "held": (), "last": False}
    later = ev.Rolled(1, (1, 2), (0,), last=True, saved=2, told=False).data()
    assert later == {"seat": 1, "dice": (1, 2), "held": (0,), "last": True, "saved": 2, "told": False}
    assert "pace" not in ev.Opened("yatzy", "hal").data()
    assert ev.Opened("yatzy", "hal", pace="brisk").data()["pace"] == "brisk"


def test_tables_without_a_game() -> None:
    with pytest.raises(AssertionError, match="before the game has started"):
        fold_events(TableState("T"), [ev.Opened("yatzy", "hal"), ev.Withdrawn(0)])
    with pytest.raises(NotImplementedError):
        cmd.Command("ann").decide(TableState("T"), Context(seeded(1)))
    state = open_table().state
    assert (state.phase, state.round, state.turn, state.game_number, state.on_turn) == (Phase.SEATING, 1, 0, 0, None)
    assert (state.all_games, state.finished_games, state.counted, state.games_over) == ([], [], [], [])
    assert (state.slots, state.held, state.final, state.last_score, state.last_scorer) == ((), (), False, None, None)
    assert (state.between_games, state.next_has_rolled, state.house_to_move) == (False, False, False)
    assert state.outcome_of(0) is None


def test_folding_further_leaves_earlier_states_unchanged() -> None:
    parlour = pad("Ann", games=2)
    write_out(parlour, until=1)
    before, seats, lain = parlour.state, list(parlour.state.seats), list(parlour.state.lain)
    moves = before.running.moves
    write_out(parlour)
    parlour.do(cmd.NextGame("ann", 1), cmd.JoinSheet("ann", "Bob"))
    assert (before.seats, before.lain, before.played, before.running.moves) == (seats, lain, [], moves)
    assert (len(parlour.state.seats), len(parlour.state.lain), len(parlour.state.played)) == (2, 0, 1)
