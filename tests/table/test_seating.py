"""Joining, leaving the seat, bots, and the start."""

from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from fivedice.core.dice import seeded
from fivedice.players.bots.levels import PLAY
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE, MOST_OF_A_GUEST, MOST_SEATS, new_key, player_id
from fivedice.table.fairness.commitments import dice_of
from fivedice.table.refusals import BadRequest, NotAllowed, TableFull, WrongPhase
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.table.state import Phase
from fivedice.text import using
from for_each import for_each
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, open_table, start_table


def test_colours_and_tokens_are_unique_and_known() -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Ann", "teal", "★"), cmd.SitDown(BOB, "Bob", "teal", "★"))
    ann, bob = parlour.state.seats
    assert (ann.player, ann.name, ann.color, ann.token) == (ANN, "Ann", "teal", "★")
    assert (bob.color, bob.token) == (COLORS[0], TOKENS[0])
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Ann", "url(//evil)", "<b>"))
    assert (parlour.state.seats[0].color, parlour.state.seats[0].token) == (COLORS[0], TOKENS[0])
    parlour = start_table(ANN, ANN, BOB)
    assert parlour.state.seats_of(ANN) == (0, 1)
    assert parlour.state.people() == {ANN, BOB}


@for_each("nobody", ["", HOUSE])
def test_only_people_take_seats(nobody: str) -> None:
    assert open_table().reason(cmd.SitDown(nobody, "Ann"), NotAllowed) == "table.people-only"


def test_full_and_running_tables_refuse_seats() -> None:
    parlour = open_table()
    for number in range(MOST_SEATS):
        parlour.do(cmd.SitDown(f"p{number}", f"P{number}"))
    assert parlour.refused(cmd.SitDown(ANN, "Ann"), TableFull) == (
        f"This game is full: it has {MOST_SEATS} players. You can watch."
    )
    assert {seat.color for seat in parlour.state.seats} == set(COLORS)
    parlour = start_table(ANN)
    for command in (cmd.SitDown(BOB, "Bob"), cmd.StandUp(ANN, 0), cmd.StartGame(HAL)):
        assert parlour.reason(command, WrongPhase) == "table.not-seating"


@pytest.mark.usefixtures("two_levels")
def test_bot_names_are_unique() -> None:
    parlour = open_table()
    for _ in range(3):
        parlour.do(cmd.SeatBot(HAL, "careless"))
    assert [seat.name for seat in parlour.state.seats] == ["Careless bot", "Careless bot 2", "Careless bot 3"]
    assert {seat.bot for seat in parlour.state.seats} == {"careless"}
    assert parlour.state.people() == frozenset()
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Steady bot"), cmd.SeatBot(HAL, "steady"))
    assert parlour.state.seats[1].name == "Steady bot 2"
    parlour = open_table()
    for _ in range(MOST_SEATS):
        parlour.do(cmd.SeatBot(HAL, "steady"))
    numbers = ["", *(f" {number}" for number in range(2, MOST_SEATS + 1))]
    assert [seat.name for seat in parlour.state.seats] == [f"Steady bot{number}" for number in numbers]
    parlour = open_table()
    with using("fr"):
        parlour.do(cmd.SeatBot(HAL, "steady"), cmd.SeatBot(HAL, "steady"))
    assert [seat.name for seat in parlour.state.seats] == ["Bot Régulier", "Bot Régulier 2"], "in the language of HAL"


@pytest.mark.usefixtures("two_levels")
def test_unknown_bots_and_other_callers_are_refused() -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Ann"))
    assert parlour.refused(cmd.SeatBot(HAL, "god"), BadRequest) == (
        "There is no bot 'god'. Choose one of careless and steady."
    )
    assert len(parlour.refused(cmd.SeatBot(HAL, "x" * 10_000), BadRequest)) < 200
    assert parlour.reason(cmd.SeatBot(ANN, "steady"), NotAllowed) == "table.host-only"


def test_perfect_bot_is_refused_where_it_is_not_perfect(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    parlour = open_table(book="maxi-yatzy")
    assert "The perfect bot can’t play Maxi Yatzy" in parlour.refused(cmd.SeatBot(HAL, "perfect"), NotAllowed)
    parlour.do(cmd.SeatBot(HAL, "sharp"), cmd.SeatBot(HAL, "greedy"))
    assert [seat.name for seat in parlour.state.seats] == ["Sharp bot", "Greedy bot"], "old names are still played"


def test_seats_are_cleared_by_host_or_owner() -> None:
    parlour = open_table()
    for player in (ANN, BOB, CAT):
        parlour.do(cmd.SitDown(player, player))
    parlour.do(cmd.StandUp(BOB, 1))
    assert [seat.player for seat in parlour.state.seats] == [ANN, CAT]
    parlour.do(cmd.StandUp(HAL, 0))
    assert [seat.player for seat in parlour.state.seats] == [CAT]
    assert parlour.reason(cmd.StandUp(ANN, 0), NotAllowed) == "table.remove-own-only"
    parlour = open_table()
    parlour.append(ev.Sat("Bot", "red", "●", bot="steady"))
    assert parlour.reason(cmd.StandUp("", 0), NotAllowed) == "table.remove-own-only"


@for_each("seat", [-1, 1, 10**40])
def test_unknown_seat_is_refused(seat: int) -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Ann"))
    sentence = parlour.refused(cmd.StandUp(HAL, seat), BadRequest)
    assert "There is no seat" in sentence
    assert len(sentence) < 150


def test_start_needs_a_player_and_the_host() -> None:
    parlour = open_table()
    assert parlour.reason(cmd.StartGame(HAL), WrongPhase) == "table.nobody-joined"
    parlour.do(cmd.SitDown(ANN, "Ann"))
    assert parlour.reason(cmd.StartGame(ANN), NotAllowed) == "table.host-only"
    assert parlour.reason(cmd.StartGame(ZOE), NotAllowed) == "table.host-only"
    parlour.do(cmd.StartGame(HAL))
    assert parlour.state.phase is Phase.PLAYING


def test_roll_off_decides_the_start_visibly() -> None:
    parlour = open_table("yahtzee")
    for player in (ANN, BOB, CAT):
        parlour.do(cmd.SitDown(player, player))
    parlour.dice = seeded(3)
    (event,) = parlour.do(cmd.StartGame(HAL))
    assert isinstance(event, ev.Started)
    game = parlour.state.running
    assert game.roll_off is not None
    assert len(event.roll_off) >= 3
    assert game.roll_off.winner == event.first == game.first == parlour.state.on_turn


def test_drawn_start_shows_no_throws() -> None:
    firsts = set()
    for seed in range(20):
        parlour = open_table("yatzy")
        for player in (ANN, BOB, CAT):
            parlour.do(cmd.SitDown(player, player))
        parlour.dice = seeded(seed)
        (event,) = parlour.do(cmd.StartGame(HAL))
        assert isinstance(event, ev.Started)
        assert event.roll_off == ()
        firsts.add(event.first)
    assert firsts == {0, 1, 2}


@for_each(("cleared", "starter"), [(0, CAT), (1, CAT), (2, ANN), (None, CAT)])
def test_planned_starter_is_followed_when_seats_move(cleared: int | None, starter: str) -> None:
    parlour = open_table()
    parlour.state.planned_first = 2
    for player in (ANN, BOB, CAT):
        parlour.do(cmd.SitDown(player, player))
    if cleared is not None:
        parlour.do(cmd.StandUp(HAL, cleared))
    parlour.do(cmd.StartGame(HAL))
    assert parlour.state.on_turn is not None
    assert parlour.state.seats[parlour.state.on_turn].player == starter


def test_guests_have_fewer_seats_than_the_host():
    parlour = open_table()
    for number in range(MOST_OF_A_GUEST):
        parlour.do(cmd.SitDown(ANN, f"Ann {number}"))
    said = parlour.refused(cmd.SitDown(ANN, "One more"), NotAllowed)
    assert said == "You have 4 seats on this device. Others need a device of their own."
    parlour.do(cmd.SitDown(BOB, "Bob"))
    for number in range(MOST_SEATS - MOST_OF_A_GUEST - 1):
        parlour.do(cmd.SitDown(HAL, f"Hal {number}"))
    assert len(parlour.state.seats) == MOST_SEATS


@for_each(("opened_at", "begun"), [(None, "2026-01-02"), ("2026-01-01", "2026-01-02"), ("2026-01-03", "2026-01-03")])
def test_start_records_time_and_bot_version(opened_at: str | None, begun: str) -> None:
    """A game never starts before it was opened, even if clocks of two machines differ."""
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN, "Ann"))
    parlour.state.opened = opened_at
    (event,) = cmd.StartGame(HAL).decide(parlour.state, Context(seeded(1), now=lambda: "2026-01-02"))
    assert isinstance(event, ev.Started)
    assert (event.first, event.roll_off, event.at, event.bots) == (0, (), begun, PLAY)
    parlour.append(event)
    assert (parlour.state.begun, parlour.state.bots, parlour.state.known) == (begun, PLAY, "")


def test_keys_are_random_and_any_text_hashes() -> None:
    keys = {new_key() for _ in range(20)}
    assert len(keys) == 20
    assert {len(urlsafe_b64decode(key + "=")) for key in keys} == {32}
    assert player_id("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert len({player_id(text) for text in ("", "ä", "\ud800", "\ud801")}) == 4


@for_each(("players", "fits"), [(1, False), (2, True), (12, True), (13, False), (None, True)])
def test_awaited_players_are_two_to_twelve(players: int | None, fits: bool) -> None:
    parlour = open_table()
    parlour.append(ev.StartsWith(3))
    if fits:
        assert parlour.do(cmd.StartWith(HAL, players)) == (ev.StartsWith(players),)
        assert parlour.do(cmd.StartWith(HAL, players)) == ()
        assert parlour.state.starts_with == players
    else:
        with pytest.raises(BadRequest) as caught:
            parlour.do(cmd.StartWith(HAL, players))
        expected = {"players": repr(players), "fewest": 2, "most": 12}
        assert (caught.value.message.kind, caught.value.message.args) == ("table.start-with", expected)


def test_introduction_keeps_looks_that_are_not_given() -> None:
    parlour = open_table()
    for player in (ANN, BOB):
        parlour.do(cmd.SitDown(player, player.capitalize()))
    ann, bob = parlour.state.seats
    assert parlour.do(cmd.Introduce(BOB, 1, "Bob")) == ()
    assert parlour.do(cmd.Introduce(BOB, 1, "Bo")) == (ev.Introduced(1, "Bo", bob.color, bob.token),)
    free = next(color for color in COLORS if color not in (ann.color, bob.color))
    assert parlour.do(cmd.Introduce(BOB, 1, "Bo", color=free)) == (ev.Introduced(1, "Bo", free, bob.token),)
    other = next(token for token in TOKENS if token not in (ann.token, bob.token))
    assert parlour.do(cmd.Introduce(BOB, 1, "Bo", token=other)) == (ev.Introduced(1, "Bo", free, other),)
    assert parlour.do(cmd.Introduce(BOB, 1, None)) == (ev.Introduced(1, None, free, other),)
    seat = parlour.state.seats[1]
    assert (seat.given, seat.logged, seat.name, seat.color, seat.token) == (None, None, "Player 2", free, other)
    (taken,) = parlour.do(cmd.Introduce(BOB, 1, "Bo", color=ann.color))
    assert isinstance(taken, ev.Introduced)
    assert taken.color != ann.color


def test_name_and_looks_can_come_later() -> None:
    parlour = open_table()
    parlour.do(cmd.SitDown(ANN), cmd.SitDown(BOB, "Bob", "teal", "★"))
    first = parlour.state.seats[0]
    parlour.do(cmd.Introduce(ANN, 0, "Ann"))
    named = parlour.state.seats[0]
    assert (named.name, named.color, named.token) == ("Ann", first.color, first.token), "looks stay, unless named"
    parlour.do(cmd.Introduce(ANN, 0, "Ann", "rose", "★"))
    dressed = parlour.state.seats[0]
    assert dressed.color == "rose"
    assert dressed.token != parlour.state.seats[1].token, "a seat of another person is not taken away"
    assert parlour.do(cmd.Introduce(ANN, 0, "Ann")) == (), "nothing new"
    parlour.do(cmd.Introduce(ANN, 0))
    assert (parlour.state.seats[0].name, parlour.state.seats[0].color) == ("Player 1", "rose")
    assert parlour.reason(cmd.Introduce(ANN, 1, "Bobby"), NotAllowed) == "table.own-seat-only"
    assert parlour.reason(cmd.Introduce(ANN, 2, "Ann"), BadRequest) == "table.no-seat"
    assert parlour.reason(cmd.Introduce(ANN, 0, "\u202e"), BadRequest) == "table.name-refused"


def test_dice_follow_from_the_last_given_name() -> None:
    parlour = open_table()
    parlour.state.promise = "a promise"
    parlour.do(cmd.SitDown(ANN, "Ann"))
    before = dice_of(parlour.state, "5" * 64)
    parlour.do(cmd.Introduce(ANN, 0, "Anna"))
    other = open_table()
    other.state.promise = "a promise"
    other.do(cmd.SitDown(ANN, "Anna"))
    assert dice_of(parlour.state, "5" * 64) == dice_of(other.state, "5" * 64) != before


@for_each("players", [2, 12])
def test_host_sets_the_number_of_players(players: int) -> None:
    parlour = open_table()
    assert parlour.state.starts_with is None
    parlour.do(cmd.StartWith(HAL, players))
    assert parlour.state.starts_with == players
    assert parlour.do(cmd.StartWith(HAL, players)) == ()
    parlour.do(cmd.StartWith(HAL))
    assert parlour.state.starts_with is None
    assert parlour.reason(cmd.StartWith(ANN, players), NotAllowed) == "table.host-only"


@for_each("players", [-1, 0, 1, 13, 10**30])
def test_impossible_number_of_players_is_refused(players: int) -> None:
    assert "2 to 12 players" in open_table().refused(cmd.StartWith(HAL, players), BadRequest)
