"""Players without a name: never stored as You, numbered for others, addressed as you themselves."""

import json
from pathlib import Path

from fivedice.core.notation.proof import verify_record
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import from_data
from fivedice.table.fairness.commitments import dice_of, record_of
from fivedice.table.refusals import BadRequest
from fivedice.table.seat_names import clean_name
from fivedice.table.service import Tables
from fivedice.table.state import TableState
from fivedice.table.view.table_view import view
from for_each import for_each
from table.table_harness import ANN, BOB, HAL, Parlour, open_table, play_out, start_table

OLD = json.loads(Path(__file__).parent.joinpath("old_unnamed.json").read_text("utf-8"))
WRONG = ("You is", "You has", "You scores", "You starts", "You wins", "You\N{RIGHT SINGLE QUOTATION MARK}s", "You's")


def start_unnamed(*others: str) -> Parlour:
    parlour = open_table(host=ANN)
    parlour.do(cmd.SitDown(ANN))
    for other in others:
        parlour.do(cmd.SitDown(other, other.capitalize()))
    parlour.do(cmd.StartGame(ANN))
    return parlour


def sentences(parlour: Parlour, player: str | None) -> str:
    seen = view(parlour.state, player)
    return f"{seen.headline}. {seen.announcement}"


def test_unnamed_players_are_numbered_and_never_stored_as_you() -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN), cmd.SitDown(BOB, " You "))
    assert [event.name for event in parlour.log if isinstance(event, ev.Sat)] == [None, None]
    assert [seat.name for seat in parlour.state.seats] == ["Player 1", "Player 2"]
    parlour = open_table()
    for player in (ANN, BOB):
        parlour.do(cmd.SitDown(player))
    parlour.do(cmd.StandUp(HAL, 0))
    assert [seat.name for seat in parlour.state.seats] == ["Player 1"]
    parlour = start_unnamed(BOB)
    parlour.roll(ANN, "24466")
    assert sentences(parlour, ANN) == "Your turn. You rolled 2-4-4-6-6. 2 rolls left."
    assert sentences(parlour, BOB) == "Player 1’s turn. Player 1 rolled 2-4-4-6-6. 2 rolls left."
    parlour.score(ANN, "chance")
    assert sentences(parlour, ANN) == "Bob’s turn. You scored 22 in Chance. Bob is next."
    assert sentences(parlour, BOB) == "Your turn. Player 1 scored 22 in Chance. Your turn next."
    parlour = open_table(host=ANN)
    for _ in range(2):
        parlour.do(cmd.SitDown(ANN))
    parlour.do(cmd.StartGame(ANN))
    assert sentences(parlour, ANN) == "Player 1, your turn. The game begins. Player 1 starts."
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "24466")
    assert sentences(parlour, BOB) == "Ann’s turn. Ann rolled 2-4-4-6-6. 2 rolls left."


@for_each("viewer", [ANN, BOB, None])
def test_whole_game_without_a_name(viewer: str | None) -> None:
    parlour = start_unnamed(BOB)
    said = [sentences(parlour, viewer)]
    while parlour.state.on_turn is not None:
        play_out(parlour, until=parlour.state.book.full.bit_count() * 2 - parlour.state.turn - 1)
        said.append(sentences(parlour, viewer))
    assert not [sentence for sentence in said for wrong in WRONG if wrong in sentence]
    assert '[Players "Player 1" "Bob"]' in record_of(parlour.state, parlour.state.running)


def old_table(events: int | None = None) -> Parlour:
    """Return an old table, in which players without a name were stored as You."""
    parlour = Parlour(TableState(OLD["id"]))
    parlour.append(*(from_data(kind, data) for kind, data in OLD["events"][:events]))
    return parlour


def test_old_tables_with_you_stay_verifiable() -> None:
    parlour = old_table()
    assert [seat.name for seat in parlour.state.seats] == ["Player 1", "Bob"]
    assert view(parlour.state, "q").seats[0].name == "Player 1"
    assert "Bob" in sentences(parlour, "p")
    assert not any(wrong in sentences(parlour, player) for player in ("p", "q") for wrong in WRONG)
    # Its dice follow from the name as it was stored.
    state = old_table().state
    record = record_of(state, state.running)
    assert record == OLD["record"]
    assert verify_record(record).throws == 35
    # At every roll of its log the dice match the commitment.
    events = [from_data(kind, data) for kind, data in OLD["events"]]
    secret = events[-1].secret  # type: ignore[union-attr]
    for number, event in enumerate(events):
        if isinstance(event, ev.Rolled):
            state = old_table(number).state
            thrown = tuple(face for slot, face in enumerate(event.dice) if slot not in event.held)
            assert dice_of(state, secret).throw(state.running.next_place, len(thrown), 6) == thrown


def test_new_table_without_names_verifies(tables: Tables) -> None:
    then = [cmd.SitDown(ANN), cmd.StartGame(ANN)]
    table = tables.open(ANN, "yahtzee", then=then)
    for _ in range(13):
        tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version)
        state = tables.state(table)
        box = next(iter(state.running.position.ruling().legal))
        tables.execute(table, cmd.FillBox(ANN, box), version=state.version)
    record = view(tables.state(table), ANN).record
    assert record is not None
    assert verify_record(record).throws == 13
    assert '[Players "Player 1"]' in record
    assert tables.store.own_tables.of(ANN)[0].names == ("Player 1",)
    assert tables.store.results.of(ANN, 1)[0].name == "Player 1"
    following = tables.state(tables.rematch(table, ANN))
    assert following.seats[0].name == "Player 1"


GOOD = [
    "Ann",
    "O'Brien <3",
    "<script>alert(1)</script>",
    "'; DROP TABLE seats; --",
    "{{ 7 * 7 }} %s {0}",
    "\N{FAMILY}",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}",
    "Zoë",
    "Zoe\N{COMBINING DIAERESIS}",
    "שרה",
    "محمد",
    "\N{RIGHT-TO-LEFT MARK}שרה 2",
    "李雷",
    "?",
    "x" * 60,
    "…",
]
BAD = [
    "",
    "   ",
    "x" * 61,
    "x" * 10_000,
    "Ann\nBob",
    "Ann\x00",
    "Ann\x1b[31m",
    "Ann\N{LINE SEPARATOR}Bob",
    "\ud800",
    "\N{RIGHT-TO-LEFT OVERRIDE}nnA",
    "Ann\N{LEFT-TO-RIGHT ISOLATE}",
    "\N{ZERO WIDTH SPACE}",
    "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}",
    "\N{COMBINING DIAERESIS}",
    "\N{NO-BREAK SPACE}",
]


@for_each("name", GOOD)
def test_visible_names_are_kept(name: str) -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, f"  {name} "), cmd.StartGame(HAL))
    assert parlour.state.seats[0].name == name
    assert parlour.replayed().seats[0].name == name


@for_each("name", BAD)
def test_other_names_are_refused_and_quoted(name: str) -> None:
    sentence = open_table().refused(cmd.SitDown(ANN, name), BadRequest)
    assert sentence.startswith("Choose another name. ")
    assert len(sentence) < 250
    assert sentence.isprintable()


def test_surrounding_space_is_trimmed() -> None:
    assert clean_name(" Ann ") == "Ann"
