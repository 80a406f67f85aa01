"""The score pad: final dice, whole turns, several games on a sheet, and the scorekeeper."""

import json
from typing import Any

import pytest
from sqlalchemy import Engine, TextClause, text

from fivedice.core.dice import Roll
from fivedice.core.notation import read_game
from fivedice.core.rules import shipped
from fivedice.store.database import migrate
from fivedice.store.migrations import downgrade
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import from_data, to_data
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import (
    AgainstTheRules,
    BadRequest,
    Conflict,
    NotAllowed,
    OtherBook,
    Refusal,
    StaleVersion,
    TurnMissing,
    WrongPhase,
)
from fivedice.table.service import Done, Tables, handing_over
from fivedice.table.state import Phase, TableState, fold_events
from fivedice.table.view.announcements import announcement, headline
from for_each import for_each
from support.tables import at_once, open_sheet
from table.families import SAVING
from table.table_harness import ANN, BOB, ZOE, pad, summary, write, write_out

FIVE = (1, 2, 3, 4, 5)


# Dice


def test_final_dice_end_the_turn_and_replace_entered_rolls() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.EnterDice(ANN, (6, 6, 6, 5, 5), last=True))
    assert announcement(parlour.state, None) == "Ann rolled 5-5-6-6-6."
    sentence = parlour.refused(cmd.EnterDice(ANN, (1, 2), hold=(0, 1, 2)), AgainstTheRules)
    assert sentence == "No rolls left. Score a box with 5-5-6-6-6."
    assert parlour.score(ANN, "full_house").points == 25
    assert "1. ~55666=fh:25\n" in summary(parlour.state)["record"]
    parlour = pad("Ann")
    parlour.do(cmd.EnterDice(ANN, (2, 4, 4, 6, 6)), cmd.EnterDice(ANN, (1, 1, 1), hold=(1, 2)))
    kinds = [type(event) for event in write(parlour, "44455", "full_house")]
    assert kinds == [ev.Withdrawn, ev.Withdrawn, ev.Rolled, ev.Scored]
    assert "1. ~44455=fh:25\n" in summary(parlour.state)["record"]


def test_entered_rolls_are_withdrawn_one_by_one() -> None:
    parlour = pad("Ann")
    parlour.do(cmd.EnterDice(ANN, (2, 4, 4, 6, 6)), cmd.EnterDice(ANN, (1, 1, 1), hold=(1, 2)))
    parlour.do(cmd.Withdraw(ANN))
    assert announcement(parlour.state, None) == "Ann’s dice were cleared."
    assert parlour.state.slots == (2, 4, 4, 6, 6)
    assert parlour.state.running.position.rolls_left == 2
    parlour.do(cmd.Withdraw(ANN))
    assert (parlour.state.slots, parlour.state.running.steps) == ((), ())
    assert parlour.reason(cmd.Withdraw(ANN), WrongPhase) == "table.nothing-entered"
    parlour.do(cmd.EnterDice(ANN, FIVE, last=True), cmd.Withdraw(ANN), cmd.EnterDice(ANN, FIVE))
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_scorekeeper_may_always_undo() -> None:
    parlour = pad("Ann")
    write(parlour, "11123", "aces")
    write(parlour, "12345", "chance")
    parlour.do(cmd.EnterDice(ANN, (6, 6, 6, 6, 6)))
    assert [type(event) for event in parlour.do(cmd.TakeBack(ANN))] == [ev.Undone]
    parlour.do(cmd.Withdraw(ANN))  # the dice themselves were wrong too
    write(parlour, "12344", "chance")
    assert parlour.state.slots == (6, 6, 6, 6, 6), "what was entered since lies there again"


@for_each("first", [0, 1, 2])
def test_players_with_real_dice_choose_the_first_player(first: int) -> None:
    parlour = pad("Ann", "Bob", "Cat")
    again = fold_events(TableState("T"), [*parlour.log[:-1]])
    parlour.state = again
    parlour.do(cmd.StartGame(ANN, first))
    assert parlour.state.on_turn == first


@for_each("first", [-1, 2])
def test_first_player_must_have_a_seat(first: int) -> None:
    parlour = pad("Ann", "Bob")
    parlour.state = fold_events(TableState("T"), parlour.log[:-1])
    assert parlour.reason(cmd.StartGame(ANN, first), BadRequest) == "table.no-seat"


def test_first_player_and_conflicting_turns() -> None:
    parlour = pad("Ann", "Bob")
    seats = [event for event in parlour.log if isinstance(event, ev.Sat)]
    parlour.state = fold_events(TableState("T"), [ev.Opened("yahtzee", ANN), *seats])
    assert parlour.reason(cmd.StartGame(ANN, 1), NotAllowed) == "table.dice-decide-start"
    parlour = pad("Ann", "Bob")
    write(parlour, "66644", "full_house")
    sentence = parlour.refused(cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"), Conflict)
    assert sentence == "Already scored: Ann has 4-4-6-6-6 in Full House for 25."
    sentence = parlour.refused(cmd.WriteTurn(ANN, 0, 5, FIVE, "chance"), TurnMissing)
    assert sentence == "First score Bob’s turn in round 1."


# Whole turns


@for_each(("game", "turn"), [(-1, 0), (0, -1), (1, 0), (10**9, 0)])
def test_impossible_turn_number_is_refused(game: int, turn: int) -> None:
    assert pad("Ann").reason(cmd.WriteTurn(ANN, game, turn, FIVE, "chance"), BadRequest) == "table.no-turn"


def test_whole_turn_follows_the_rules() -> None:
    parlour = pad("Ann")
    write(parlour, "44444", "five_of_a_kind")
    command = cmd.WriteTurn(ANN, 0, 1, (4, 4, 4, 4, 4), "full_house")
    assert "must go in Fours, which is open" in parlour.refused(command, AgainstTheRules)
    assert "'pairs'" in parlour.refused(cmd.WriteTurn(ANN, 0, 1, FIVE, "pairs"), AgainstTheRules)
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 1, (1, 2, 3, 4), "chance"), BadRequest) == "table.wrong-dice"
    scored = write(parlour, "44444", "4s")[-1]
    assert scored == ev.Scored(0, "fours", 20, bonus=100)


def roll_by_roll(*rolls: tuple[tuple[int, ...], tuple[int, ...]], turn: int = 0, box: str = "chance") -> cmd.WriteTurn:
    """A turn of Ann's, roll by roll: the dice by slot, and the slots that stayed."""
    return cmd.WriteTurn(ANN, 0, turn, None, box, rolls=rolls)


def test_turn_is_written_roll_by_roll() -> None:
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.EnterDice(ANN, FIVE))
    command = roll_by_roll(
        ((2, 4, 4, 6, 6), ()), ((1, 4, 4, 1, 1), (2, 1, 1)), ((1, 1, 5, 1, 1), (0, 3, 4)), box="aces"
    )
    assert parlour.do(command) == (
        ev.Withdrawn(0),
        ev.Rolled(0, (2, 4, 4, 6, 6)),
        ev.Rolled(0, (1, 4, 4, 1, 1), (1, 2)),
        ev.Rolled(0, (1, 1, 5, 1, 1), (0, 3, 4)),
        ev.Scored(0, "aces", 4),
    )
    assert "1. 24466>44/11144>111/11115=1s:4\n" in summary(parlour.state)["record"]
    assert parlour.do(command) == (), "it stands there already"
    assert parlour.reason(roll_by_roll(((1, 1, 1, 1, 1), ()), box="aces"), Conflict) == "table.turn-written"


def test_rolls_of_a_written_turn_are_bounded() -> None:
    parlour = pad("Ann")
    roll = (FIVE, ())
    assert len(pad("Ann").do(roll_by_roll(roll, roll, roll))) == 4
    with pytest.raises(AgainstTheRules) as caught:
        parlour.do(roll_by_roll(roll, roll, roll, roll))
    assert (caught.value.message.kind, caught.value.message.args) == ("table.rolls-missing", {"count": 4, "most": 3})
    events = pad("Ann").do(roll_by_roll((FIVE, ()), ((1, 6, 6, 6, 5), (0, 4)), ((1, 6, 6, 6, 1), (0, 1, 2, 3))))
    assert [event.held for event in events if isinstance(event, ev.Rolled)] == [(), (0, 4), (0, 1, 2, 3)]
    assert pad("Ann").reason(roll_by_roll((FIVE, (0,))), AgainstTheRules) == "table.dice-not-kept"


@for_each(
    ("second", "held"),
    [((1, 2, 3, 4, 6), (4,)), ((1, 2, 3, 4, 5), (0, 1, 2, 3, 4)), ((1, 2, 3, 4, 5), (5,)), ((1, 2, 3, 4, 5), (-1,))],
)
def test_kept_dice_are_equal_before_and_after_a_roll(second: tuple[int, ...], held: tuple[int, ...]) -> None:
    with pytest.raises(AgainstTheRules) as caught:
        pad("Ann").do(roll_by_roll((FIVE, ()), (second, held)))
    assert (caught.value.message.kind, caught.value.message.args) == ("table.dice-not-kept", {"dice": Roll(second)})


def test_equal_scores_with_other_dice_do_not_conflict() -> None:
    """Two phones wrote the same number: the dice of the sheet stay. An extra bonus is another score."""
    parlour = pad("Ann")
    parlour.do(cmd.WriteTurn(ANN, 0, 0, (4, 4, 4, 4, 4), "five_of_a_kind"))
    parlour.do(cmd.WriteTurn(ANN, 0, 1, (6, 6, 6, 5, 2), "chance"))
    assert parlour.do(cmd.WriteTurn(ANN, 0, 1, (6, 6, 6, 6, 1), "chance", points=25)) == ()
    assert "~25666=ch:25" in summary(parlour.state)["record"]
    for dice, points in (((5, 5, 5, 5, 5), 25), ((6, 6, 6, 6, 2), 26), ((6, 6, 6, 6, 1), None), ((6, 6, 6, 6, 9), 25)):
        other = cmd.WriteTurn(ANN, 0, 1, dice, "chance", points=points)
        assert parlour.reason(other, Conflict) == "table.turn-written", dice


@for_each("dice", [(1, 2, 3, 4), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)])
def test_every_roll_must_fit_the_book(dice: tuple[int, ...]) -> None:
    assert pad("Ann").reason(roll_by_roll((dice, ())), BadRequest) == "table.wrong-dice"
    assert pad("Ann").reason(roll_by_roll((FIVE, ()), (dice, ())), BadRequest) == "table.wrong-dice"


def test_saved_rolls_show_and_withdrawing_keeps_joins() -> None:
    parlour = pad("Ann", rules=SAVING)
    command = roll_by_roll((FIVE, ()))
    assert parlour.do(command) == (ev.Rolled(0, FIVE), ev.Scored(0, "chance", 15))
    assert parlour.do(command) == (), "the dice decide, whatever the number says"
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"), Conflict) == "table.turn-written"
    assert parlour.do(cmd.WriteTurn(ANN, 0, 0, FIVE, "chance", 2)) == ()
    rolls = [(FIVE, ())] * 6
    assert parlour.reason(roll_by_roll(*rolls, turn=1, box="aces"), AgainstTheRules) == "table.rolls-missing"
    assert len(parlour.do(roll_by_roll(*rolls[1:], turn=1, box="aces"))) == 6, (
        "three rolls, two saved ones, and the score"
    )
    parlour = pad("Ann", "Bob", "Cat")
    parlour.do(cmd.EnterDice(ANN, FIVE), cmd.JoinSheet(ANN, "Dan"), cmd.Retire(ANN, 2), cmd.Withdraw(ANN))
    position = parlour.state.running.position
    assert (position.seats_in, position.seat, parlour.state.rolls) == ((0, 1, 3), 0, ())


def write_turn(tables: Tables, table: str, dice: str, box: str, key: str | None = None) -> Done:
    state = tables.state(table)
    command = cmd.WriteTurn(ANN, state.game_number, state.turn, tuple(map(int, dice)), box)
    return tables.execute(table, command, key=key)


def test_repeated_turn_is_written_once(tables: Tables) -> None:
    table = open_sheet(tables)
    command = cmd.WriteTurn(ANN, 0, 0, FIVE, "chance")
    other = cmd.WriteTurn(ANN, 0, 0, (6, 6, 6, 6, 6), "sixes")
    found = at_once(*[lambda: tables.execute(table, command, key="k")] * 4, lambda: tables.execute(table, other))
    done = [one for one in found if isinstance(one, Done) and not one.repeated]
    assert len(done) == 1
    refused = [one for one in found if isinstance(one, Refusal)]
    assert all(isinstance(one, Conflict) and one.version for one in refused)
    state = tables.state(table)
    assert (state.turn, state.on_turn) == (1, 1)
    assert not tables.execute(table, cmd.WriteTurn(ANN, 0, 1, FIVE, "chance"), key="next").repeated


def test_entered_dice_need_the_version_and_whole_turns_do_not(tables: Tables) -> None:
    table = open_sheet(tables)
    write_turn(tables, table, "12345", "chance")
    for command in (cmd.EnterDice(ANN, FIVE), cmd.Withdraw(ANN), cmd.Correct(ANN, (cmd.Change(0, 0, box="fives"),))):
        with pytest.raises(BadRequest, match="which version"):
            tables.execute(table, command)
        with pytest.raises(StaleVersion, match="has changed since"):
            tables.execute(table, command, version=1)


# Several games


def test_sheet_moves_from_game_to_game() -> None:
    parlour = pad("Ann", "Bob", games=2)
    sentence = parlour.refused(cmd.NextGame(ANN, 1), WrongPhase)
    assert sentence == "Game 1 is not finished yet."
    write(parlour, "66666", "five_of_a_kind")
    write_out(parlour)
    state = parlour.state
    assert (state.phase, state.between_games, state.on_turn, state.game_number) == (Phase.PLAYING, True, None, 0)
    assert str(headline(state, ANN)).startswith("Game 1: Ann wins with ")
    assert parlour.reason(cmd.EnterDice(ANN, FIVE), WrongPhase) == "table.game-over"
    assert parlour.reason(cmd.WriteTurn(ANN, 1, 0, FIVE, "chance"), WrongPhase) == "table.game-not-begun"
    assert parlour.reason(cmd.WriteTurn(ANN, 0, 26, FIVE, "chance"), WrongPhase) == "table.game-full"
    for game in (2, 7, -1):
        assert parlour.reason(cmd.NextGame(ANN, game), WrongPhase) == "table.game-not-next"
    assert parlour.refused(cmd.NextGame(ANN, 7), WrongPhase) == "Game 8 can’t begin. Game 2 is the next of 2."
    lain = tuple(parlour.state.lain)
    parlour.do(cmd.NextGame(ANN, 1))
    state = parlour.state
    assert announcement(state, ANN) == "Game 2 begins. Bob starts."
    assert (state.on_turn, state.game_number, state.between_games, len(state.all_games)) == (1, 1, False, 2)
    assert (state.played[0].lain, state.lain, state.rolls) == (lain, [], ())
    assert parlour.do(cmd.NextGame(ANN, 1)) == ()
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Erased(0, 25, 1),), "back into the game before"
    assert parlour.do(cmd.TakeBack(ANN)) == (ev.Undone(0),), "and on"
    write_out(parlour)
    parlour.do(cmd.NextGame(ANN, 1))
    write_out(parlour)
    assert parlour.state.phase is Phase.FINISHED
    totals = [sum(game.position.cards[seat].total for game in parlour.state.all_games) for seat in (0, 1)]
    assert totals[0] > totals[1]
    assert str(headline(parlour.state, ANN)) == f"All 2 games: Ann wins with {totals[0]}"
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_next_game_is_started_by_the_next_seat_and_the_last_score_can_be_undone() -> None:
    parlour = pad("Ann", "Bob", "Cat", games=6)
    starters = []
    for game in range(1, 6):
        write_out(parlour)
        if game == 4:
            parlour.do(cmd.Retire(ANN, 1))
        parlour.do(cmd.NextGame(ANN, game))
        starters.append(parlour.state.running.first)
    assert starters == [1, 2, 0, 2, 0], "past Bob, who has left"
    parlour = pad("Ann", games=2, match_total=False)
    write_out(parlour)
    parlour.do(cmd.TakeBack(ANN))
    assert not parlour.state.between_games
    parlour.score(ANN, "chance")
    assert parlour.state.between_games
    assert str(headline(parlour.state, ANN)).startswith("Game 1: final score ")


@pytest.mark.parametrize(("games", "real_dice", "words"), [(0, True, "1 to 12"), (13, True, "13"), (2, False, "real")])
def test_number_of_games_is_checked(tables: Tables, games: int, real_dice: bool, words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        tables.open(ANN, "yahtzee", games=games, real_dice=real_dice)


def finish(tables: Tables, table: str) -> None:
    while (state := tables.state(table)).on_turn is not None:
        card = state.running.position.card
        write_turn(tables, table, "12346", next(box.key for box in state.book.boxes if card.held(box.key) is None))


def test_every_game_of_a_sheet_is_a_result(tables: Tables, store: Store) -> None:
    table = open_sheet(tables, ("Ann",), games=2)
    write_turn(tables, table, "66666", "five_of_a_kind")
    finish(tables, table)
    assert (store.results.best(ANN)["yahtzee"].games, store.own_tables.of(ANN)[0].games) == (1, 1)
    tables.execute(table, cmd.NextGame(ANN, 1))
    finish(tables, table)
    state = tables.state(table)
    totals = [game.position.cards[0].total for game in state.all_games]
    best, entry = store.results.best(ANN)["yahtzee"], store.own_tables.of(ANN)[0]
    assert (best.total, best.games, best.table) == (max(totals), 2, table)
    assert (entry.total, entry.games, entry.phase) == (max(totals), 2, "finished")
    change = cmd.Change(0, 0, (6, 6, 6, 6, 1))
    tables.execute(table, cmd.Correct(ANN, (change,)), version=state.version)
    assert store.results.best(ANN)["yahtzee"].total == max(totals[0] - 50, totals[1])
    following = Tables(store).state(tables.rematch(table, ANN))
    assert (following.games, following.match_total, following.planned_first) == (2, True, 0)


def test_results_of_older_databases_are_kept(engine: Engine, store: Store) -> None:
    """They were stored with the seats while a table had one game."""
    downgrade(engine, "0001")
    table = {"id": "old", "join_code": "j", "secret": "s", "version": 9, "book": "yatzy", "phase": "finished"}
    table |= {"house_to_move": False, "created": "2026-01-01", "updated": "2026-01-02"}
    seats = [("ann", "Ann", 250, True), ("bob", "Bob", 201, False), (None, "Bot", None, None)]
    with engine.begin() as connection:
        connection.execute(_insert("tables", table), table)
        for number, (player, name, total, won) in enumerate(seats):
            seat = {"table_id": "old", "seat": number, "player": player, "name": name, "total": total, "won": won}
            connection.execute(_insert("seats", seat), seat)
    migrate(engine)
    assert {player: _results(store, player) for player in (ANN, BOB)} == {ANN: (250, 1, True), BOB: (201, 1, False)}


def _insert(table: str, row: dict[str, Any]) -> TextClause:
    return text(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})")  # noqa: S608


def _results(store: Store, player: str) -> tuple[int, int, bool | None]:
    best = store.results.best(player)["yatzy"]
    return best.total, best.games, store.own_tables.of(player)[0].won


def test_records_of_a_pad_are_readable(tables: Tables) -> None:
    table = open_sheet(tables, ("Ann", "Bob"))
    finish(tables, table)
    game = tables.state(table).running
    assert read_game(summary(tables.state(table))["record"]).steps == game.steps


# The scorekeeper


def test_newest_code_makes_its_first_user_scorekeeper(tables: Tables) -> None:
    table = open_sheet(tables)
    old, code = handing_over.offer_pencil(tables, table, ANN), handing_over.offer_pencil(tables, table, ANN)
    assert tables.store.handovers.seat(player_id(code), table) is None
    for wrong in (old, "", "nonsense", ANN):
        with pytest.raises(NotAllowed, match="used or replaced"):
            handing_over.take_pencil(tables, table, BOB, wrong)
    with pytest.raises(NotAllowed, match="used or replaced"):
        handing_over.take_over(tables, table, BOB, code)
    found = at_once(
        lambda: handing_over.take_pencil(tables, table, BOB, code),
        lambda: handing_over.take_pencil(tables, table, ZOE, code),
    )
    assert sorted(isinstance(one, Done) for one in found) == [False, True]
    state = tables.state(table)
    keeper = state.host
    assert keeper in (BOB, ZOE)
    assert state.seats_of(keeper) == (0, 1)
    assert announcement(state, None) == "Someone else keeps score now."
    with pytest.raises(Refusal, match="Ann’s turn"):
        tables.execute(table, cmd.WriteTurn(ANN, 0, 0, FIVE, "chance"))
    with pytest.raises(NotAllowed, match="Only the scorekeeper"):
        handing_over.offer_pencil(tables, table, ANN)
    tables.execute(table, cmd.WriteTurn(keeper, 0, 0, FIVE, "chance"))


def test_seat_links_do_not_make_a_scorekeeper(tables: Tables) -> None:
    table = open_sheet(tables, ("Ann",))
    seat, pencil = handing_over.offer_seat(tables, table, ANN, 0), handing_over.offer_pencil(tables, table, ANN)
    with pytest.raises(NotAllowed, match="used or replaced"):
        handing_over.take_pencil(tables, table, BOB, seat)
    finish(tables, table)
    for action in (
        lambda: handing_over.take_pencil(tables, table, BOB, pencil),
        lambda: handing_over.offer_pencil(tables, table, ANN),
    ):
        with pytest.raises(WrongPhase, match="is finished"):
            action()
    tables.execute(table, cmd.TakeBack(ANN), version=tables.state(table).version)
    handing_over.take_pencil(tables, table, BOB, pencil)  # what was refused has not used the code up
    assert tables.state(table).host == BOB


def test_digital_table_has_no_scorekeeper(tables: Tables) -> None:
    table = tables.open(ANN, "yahtzee", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
    with pytest.raises(AgainstTheRules, match="Open a score pad"):
        handing_over.offer_pencil(tables, table, ANN)


# The log


def test_correction_json_round_trip() -> None:
    event = ev.Corrected(((0, 3, (1, 2, 3, 4, 5), None), (1, 0, None, "fours")))
    assert from_data(*json.loads(json.dumps(to_data(event)))) == event


def test_changed_rules_do_not_rescore_a_table(tables: Tables) -> None:
    table = open_sheet(tables)
    opening = tables.store.events_after(table, 0)[0]
    assert isinstance(opening, ev.Opened)
    assert opening.fingerprint == shipped("yahtzee").fingerprint
    state = TableState("T")
    with pytest.raises(OtherBook, match=r"other rules for Yahtzee.* fingerprint is 'feed'"):
        fold_events(state, [ev.Opened("yahtzee", ANN, fingerprint="feed")])
    assert state.version == 0
    assert fold_events(state, [ev.Opened("yahtzee", ANN)]).version == 1, "older logs have none"
