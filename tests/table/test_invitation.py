"""Players who join one by one: names and looks, and a game that waits for a number of players."""

from fivedice.table.actions import commands as cmd
from fivedice.table.fairness.promises import dice_of
from fivedice.table.refusals import BadRequest, NotAllowed
from for_each import for_each
from table.table_harness import ANN, BOB, HAL, opened


def test_name_and_looks_can_come_later() -> None:
    parlour = opened()
    parlour.do(cmd.SitDown(ANN))
    parlour.do(cmd.SitDown(BOB, "Bob", "teal", "★"))
    first = parlour.state.seats[0]
    parlour.do(cmd.Introduce(ANN, 0, "Ann"))
    named = parlour.state.seats[0]
    assert (named.name, named.color, named.token) == ("Ann", first.color, first.token), "looks stay, unless named"
    parlour.do(cmd.Introduce(ANN, 0, "Ann", "rose", "★"))
    dressed = parlour.state.seats[0]
    assert dressed.color == "rose"
    assert dressed.token != parlour.state.seats[1].token, "what somebody else has is not taken from them"
    assert parlour.do(cmd.Introduce(ANN, 0, "Ann")) == (), "nothing new"
    parlour.do(cmd.Introduce(ANN, 0))
    assert (parlour.state.seats[0].name, parlour.state.seats[0].color) == ("Player 1", "rose")
    assert parlour.reason(cmd.Introduce(ANN, 1, "Bobby"), NotAllowed) == "table.own-seat-only"
    assert parlour.reason(cmd.Introduce(ANN, 2, "Ann"), BadRequest) == "table.no-seat"
    assert parlour.reason(cmd.Introduce(ANN, 0, "\u202e"), BadRequest) == "table.name-refused"


def test_dice_follow_from_the_last_given_name() -> None:
    parlour = opened()
    parlour.state.promise = "a promise"
    parlour.do(cmd.SitDown(ANN, "Ann"))
    before = dice_of(parlour.state, "5" * 64)
    parlour.do(cmd.Introduce(ANN, 0, "Anna"))
    other = opened()
    other.state.promise = "a promise"
    other.do(cmd.SitDown(ANN, "Anna"))
    assert dice_of(parlour.state, "5" * 64) == dice_of(other.state, "5" * 64) != before


@for_each("players", [2, 12])
def test_host_sets_the_number_of_players(players: int) -> None:
    parlour = opened()
    assert parlour.state.starts_with is None
    parlour.do(cmd.StartWith(HAL, players))
    assert parlour.state.starts_with == players
    assert parlour.do(cmd.StartWith(HAL, players)) == ()
    parlour.do(cmd.StartWith(HAL))
    assert parlour.state.starts_with is None
    assert parlour.reason(cmd.StartWith(ANN, players), NotAllowed) == "table.host-only"


@for_each("players", [-1, 0, 1, 13, 10**30])
def test_impossible_number_of_players_is_refused(players: int) -> None:
    assert "2 to 12 players" in opened().refused(cmd.StartWith(HAL, players), BadRequest)
