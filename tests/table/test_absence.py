"""Leaving, coming back and handing over; the server plays for players who are away."""

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.absence import deletion_events
from fivedice.table.actions.rights import HOUSE, is_absent
from fivedice.table.refusals import BadRequest, NotAllowed, NotYourTurn, WrongPhase
from fivedice.table.view.table_view import view
from for_each import for_each
from table.table_harness import ANN, BOB, CAT, HAL, ZOE, open_table, pad, play_out, start_table


def test_leaving_and_returning_by_command_roll_or_score() -> None:
    parlour = start_table(ANN, BOB)
    assert parlour.do(cmd.Leave(ANN, 0)) == (ev.Left(0),)
    assert parlour.do(cmd.Leave(ANN, 0)) == ()
    assert parlour.state.people() == {BOB}
    assert parlour.do(cmd.ComeBack(ANN, 0)) == (ev.Returned(0),)
    assert parlour.do(cmd.ComeBack(ANN, 0)) == ()
    assert parlour.state.people() == {ANN, BOB}
    parlour = start_table(ANN)
    parlour.do(cmd.Leave(ANN, 0))
    parlour.roll(ANN, "12345")
    assert isinstance(parlour.log[-2], ev.Returned)
    parlour.do(cmd.Leave(ANN, 0))
    parlour.score(ANN, "chance")
    assert not parlour.state.seats[0].away


@for_each("kind", [cmd.Leave, cmd.ComeBack])
def test_only_own_seats_are_left_or_taken_back(kind: type[cmd.Leave] | type[cmd.ComeBack]) -> None:
    parlour = start_table(ANN, BOB)
    for player in (BOB, HAL, ZOE, "", HOUSE):
        assert parlour.reason(kind(player, 0), NotAllowed) == "table.own-seat-only"
    for seat in (-1, 2):
        assert parlour.reason(kind(ANN, seat), BadRequest) == "table.no-seat"


# Who is absent


def test_absence_means_left_or_silent() -> None:
    parlour = start_table(ANN, BOB, bots=["steady"])
    ann, _, bot = parlour.state.seats
    assert is_absent(ann, frozenset({BOB}))
    assert not is_absent(ann, frozenset({ANN}))
    assert not is_absent(ann, None)
    assert not is_absent(bot, frozenset())
    parlour.do(cmd.Leave(ANN, 0))
    assert is_absent(parlour.state.seats[0], frozenset({ANN}))
    assert is_absent(parlour.state.seats[0], None)


@for_each("kind", [cmd.SkipTurn, cmd.Dismiss])
def test_skipping_and_dismissing_need_an_absent_player_and_a_present_one(
    kind: type[cmd.SkipTurn] | type[cmd.Dismiss],
) -> None:
    parlour = start_table(ANN, BOB)
    for present in (None, frozenset({ANN, BOB}), frozenset({ANN})):
        parlour.present = present
        assert parlour.reason(kind(BOB, 0), NotAllowed) == "table.not-away"
    parlour.present = frozenset()
    assert parlour.reason(kind(ANN, 0), NotAllowed) == "table.not-away"
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(ANN, 0))
    for player in (HAL, ZOE, "", HOUSE, ANN):
        assert parlour.reason(kind(player, 0), NotAllowed) == "table.players-only"
    assert parlour.reason(kind(BOB, 9), BadRequest) == "table.no-seat"
    assert parlour.do(kind(BOB, 0)) == (ev.StoodIn(0, rest=kind is cmd.Dismiss),)
    assert parlour.do(kind(BOB, 0)) == ()
    parlour = start_table(ANN, bots=["steady"])
    parlour.present = frozenset()
    assert parlour.reason(kind(ANN, 1), NotAllowed) == "table.is-bot"
    parlour = start_table(ANN, BOB)
    play_out(parlour)
    parlour.present = frozenset({BOB})
    assert parlour.reason(kind(BOB, 0), WrongPhase) == "table.not-playing"


def test_server_plays_for_skipped_and_dismissed_players() -> None:
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(BOB, 1))
    assert parlour.reason(cmd.SkipTurn(ANN, 1), WrongPhase) == "table.not-on-turn"
    parlour = start_table(ANN, BOB)
    parlour.present = frozenset({BOB})
    parlour.do(cmd.SkipTurn(BOB, 0))
    assert parlour.state.house_plays(0)
    assert not parlour.state.house_plays(1)
    parlour.turn(HOUSE, "12345", "chance")
    parlour.turn(BOB, "12345", "chance")
    assert not parlour.state.house_plays(0)
    assert parlour.reason(cmd.RollDice(HOUSE), NotYourTurn) == "table.not-your-turn"
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(ANN, 0), cmd.Dismiss(BOB, 0))
    for _ in range(2):
        assert parlour.state.house_plays(0)
        parlour.turn(HOUSE, "12345", "chance" if parlour.state.version < 10 else "aces")
        parlour.turn(BOB, "12345", "chance" if parlour.state.version < 12 else "aces")
    parlour.do(cmd.ComeBack(ANN, 0))
    assert not parlour.state.house_plays(0)


# The house


@for_each("kind", [cmd.SkipTurn, cmd.Dismiss])
@for_each("away", [False, True])
def test_returning_player_finishes_the_current_turn(
    kind: type[cmd.SkipTurn] | type[cmd.Dismiss], *, away: bool
) -> None:
    parlour = start_table(ANN, BOB)
    if away:
        parlour.do(cmd.Leave(ANN, 0))
    parlour.present = frozenset({BOB})
    parlour.do(kind(BOB, 0))
    parlour.roll(HOUSE, "12345")
    assert parlour.do(cmd.ComeBack(ANN, 0)) == (ev.Returned(0),)
    assert parlour.reason(cmd.RollDice(HOUSE), NotYourTurn) == "table.not-your-turn"
    assert parlour.do(cmd.FillBox(ANN, "chance")) == (ev.Scored(0, "chance", 15),)


@for_each("kind", [cmd.SkipTurn, cmd.Dismiss])
def test_server_stops_when_the_player_moves(kind: type[cmd.SkipTurn] | type[cmd.Dismiss]) -> None:
    parlour = start_table(ANN, BOB)
    parlour.present = frozenset({BOB})
    parlour.do(kind(BOB, 0))
    parlour.roll(ANN, "12345")
    assert isinstance(parlour.log[-2], ev.Returned)
    assert parlour.reason(cmd.FillBox(HOUSE, "aces"), NotYourTurn) == "table.not-your-turn"
    assert not parlour.state.seats[0].helped


def test_skips_survive_undo_and_help_is_recorded() -> None:
    parlour = start_table(ANN, BOB)
    parlour.turn(ANN, "12345", "chance")
    parlour.do(cmd.Leave(BOB, 1), cmd.SkipTurn(ANN, 1), cmd.TakeBack(ANN))
    assert not parlour.state.house_plays(0)
    assert not parlour.state.house_plays(1)  # the turn is Ann's again
    parlour.score(ANN, "aces")
    assert parlour.state.house_plays(1)
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(ANN, 0), cmd.Dismiss(BOB, 0))
    assert not parlour.state.seats[0].helped  # nothing was played yet
    parlour.roll(HOUSE, "12345")
    parlour.do(cmd.ComeBack(ANN, 0))
    assert parlour.state.seats[0].helped
    assert not parlour.state.seats[1].helped


# Handing over


def test_handing_over_a_seat() -> None:
    parlour = start_table(ANN, BOB)
    parlour.roll(ANN, "12345")
    assert parlour.do(cmd.TakeOver(CAT, 0)) == (ev.HandedOver(0, CAT),)
    assert parlour.reason(cmd.FillBox(ANN, "chance"), NotYourTurn) == "table.not-your-turn"  # the name stays
    assert parlour.score(CAT, "chance").points == 15
    parlour = start_table(ANN, BOB)
    parlour.do(cmd.Leave(ANN, 0), cmd.SkipTurn(BOB, 0), cmd.TakeOver(CAT, 0))
    assert not parlour.state.house_plays(0)
    assert parlour.state.people() == {BOB, CAT}
    parlour = start_table(ANN, BOB)
    assert parlour.do(cmd.TakeOver(ANN, 0)) == ()
    parlour.do(cmd.Leave(ANN, 0))
    assert parlour.do(cmd.TakeOver(ANN, 0)) == (ev.Returned(0),)
    parlour = start_table(ANN, bots=["steady"])
    assert parlour.reason(cmd.TakeOver(BOB, 1), NotAllowed) == "table.seat-is-bot"
    assert parlour.reason(cmd.TakeOver(BOB, 2), BadRequest) == "table.no-seat"
    for nobody in ("", HOUSE):
        assert parlour.reason(cmd.TakeOver(nobody, 0), NotAllowed) == "table.people-only"


def test_seats_are_left_and_handed_over_only_during_the_game() -> None:
    """Before it they may still move up, and after it the result belongs to its players."""
    seating, over = open_table(), start_table(ANN)
    seating.do(cmd.SitDown(ANN, "Ann"))
    play_out(over)
    for parlour in (seating, over):
        for command in (cmd.Leave(ANN, 0), cmd.TakeOver(BOB, 0)):
            assert parlour.reason(command, WrongPhase) == "table.not-playing"


# Ending a game early


def test_host_cannot_end_a_game_that_others_play() -> None:
    """Otherwise a game after 25 of 26 turns would not count."""
    parlour = start_table(HAL, BOB)
    parlour.turn(HAL, "12346", "aces")
    for present in (None, frozenset({HAL, BOB})):
        parlour.present = present
        assert parlour.refused(cmd.GiveUp(HAL), NotAllowed) == "You can end the game early once Bob has left."
        shown = [view(parlour.state, who, present).end_refused for who in (HAL, BOB)]
        assert shown == ["You can end the game early once Bob has left.", None]
    play_out(parlour, until=1)
    assert parlour.reason(cmd.GiveUp(HAL), NotAllowed) == "table.others-play"


@for_each("way", ["left", "silent", "stand-in", "not begun"])
def test_game_ends_early_if_no_one_else_plays(way: str) -> None:
    parlour = start_table(HAL, BOB)
    if way != "not begun":
        parlour.turn(HAL, "12346", "aces")
    if way == "left":
        parlour.do(cmd.Leave(BOB, 1))
    elif way in ("silent", "stand-in"):
        parlour.present = frozenset({HAL})
    if way == "stand-in":
        parlour.do(cmd.Dismiss(HAL, 1))
    assert view(parlour.state, HAL, parlour.present).end_refused is None
    assert parlour.do(cmd.GiveUp(HAL)) == (ev.GivenUp(HAL),)


def test_game_alone_or_with_bots_ends_at_any_time() -> None:
    for parlour in (start_table(HAL), start_table(HAL, HAL), start_table(HAL, bots=["steady"])):
        parlour.turn(HAL, "12346", "aces")
        assert parlour.do(cmd.GiveUp(HAL)) == (ev.GivenUp(HAL),)


# Deletion of a player's data


def test_deleted_players_free_their_seats_or_leave() -> None:
    seating = open_table(host=BOB)
    for player in ("former-1", BOB, "former-2"):
        seating.append(ev.Sat(None, "red", "●", player))
    assert deletion_events(seating.state) == (ev.Stood(2), ev.Stood(0))
    seating.do(cmd.StartGame(BOB))
    assert deletion_events(seating.state) == (ev.Left(0), ev.Left(2))
    seating.append(ev.Left(0))
    assert deletion_events(seating.state) == (ev.Left(2),)
    seating.do(cmd.GiveUp(BOB))
    assert deletion_events(seating.state) == ()


def test_deleted_host_is_replaced_and_the_opener_keeps_their_right() -> None:
    parlour = open_table(host="former-1")
    assert deletion_events(parlour.state) == (), "nobody is"
    parlour.append(ev.Sat("Bot", "red", "●", bot="steady"))
    assert deletion_events(parlour.state) == ()
    for player in ("former-1", CAT, BOB):
        parlour.append(ev.Sat(None, "red", "●", player))
    assert deletion_events(parlour.state) == (ev.Stood(1), ev.HostPassed(CAT))
    parlour.append(*deletion_events(parlour.state))
    assert (parlour.state.host, parlour.state.opener) == (CAT, CAT)
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.TakePencil("former-1"), cmd.TakeOver(BOB, 1))
    assert deletion_events(parlour.state) == (ev.Left(0), ev.HostPassed(BOB))
    parlour.append(ev.HostPassed(BOB))
    assert (parlour.state.host, parlour.state.opener) == (BOB, ANN)


# The scorekeeper


@for_each(
    ("player", "spare", "events"),
    [
        (ANN, False, ()),
        (ANN, True, ()),
        (BOB, False, (ev.PencilPassed(BOB),)),
        (BOB, True, (ev.PencilPassed(BOB, spare=True),)),
    ],
)
def test_taking_over_as_scorekeeper(player: str, spare: bool, events: tuple[ev.Event, ...]) -> None:
    assert pad("Ann").do(cmd.TakePencil(player, spare)) == events


def test_spare_links_and_stand_ins() -> None:
    parlour = pad("Ann")
    parlour.do(cmd.TakePencil(BOB))
    assert parlour.do(cmd.TakePencil(BOB)) == ()
    assert (parlour.state.host, parlour.state.opener) == (BOB, ANN)
    assert parlour.do(cmd.TakePencil(BOB, spare=True)) == (ev.PencilPassed(BOB, spare=True),)
    assert (parlour.state.host, parlour.state.opener, parlour.state.seats_of(BOB)) == (BOB, BOB, (0,))
    parlour = pad("Ann", "Bob")
    parlour.do(cmd.TakeOver(BOB, 1), cmd.Leave(BOB, 1))
    for command in (cmd.SkipTurn(ANN, 1), cmd.Dismiss(ANN, 1)):
        assert parlour.reason(command, NotAllowed) == "table.stand-in-real-dice"
