"""Tables with real dice: players enter their rolls, and the rules still apply."""

from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotAllowed
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState, fold_events
from for_each import for_each
from table.table_harness import ANN, BOB, Parlour

HOUSE_RULES = 'extends = "yatzy"\nkey = "our-yatzy"\nrolls = 2\n'


def lawn(book: str = "yardzee") -> Parlour:
    parlour = Parlour(fold_events(TableState("lawn"), [ev.Opened(book, ANN, real_dice=True)]))
    for player in (ANN, BOB):
        parlour.do(cmd.SitDown(player, player.capitalize()))
    parlour.do(cmd.StartGame(ANN))
    return parlour


def test_rolls_are_entered_one_by_one_or_as_final_dice() -> None:
    parlour = lawn()
    assert parlour.state.on_turn == 0
    parlour.do(cmd.EnterDice(ANN, (2, 4, 4, 6, 6)), cmd.EnterDice(ANN, (4, 1, 2), hold=(1, 2)))
    assert parlour.state.slots == (4, 4, 4, 1, 2)
    assert parlour.state.running.position.rolls_left == 1
    parlour.score(ANN, "fours")
    assert parlour.state.on_turn == 1
    parlour = lawn()
    parlour.do(cmd.EnterDice(ANN, (6, 6, 6, 5, 5)))
    assert parlour.score(ANN, "full_house").points == 25
    parlour = lawn()
    assert parlour.reason(cmd.EnterDice(ANN, (1, 2, 3), hold=(0, 1)), AgainstTheRules) == "table.first-roll"
    parlour.do(cmd.EnterDice(ANN, (1, 2, 3, 4, 5)))
    assert "Keeping every die rolls none" in parlour.refused(
        cmd.EnterDice(ANN, (), hold=(0, 1, 2, 3, 4)), AgainstTheRules
    )


@for_each("thrown", [(1, 2, 3), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6), ()])
def test_impossible_dice_are_refused_and_quoted(thrown: tuple[int, ...]) -> None:
    sentence = lawn().refused(cmd.EnterDice(ANN, thrown), BadRequest)
    assert "".join(map(str, thrown)) in sentence
    assert "Enter 5 dice, each 1 to 6." in sentence


def test_server_and_bots_cannot_play_with_real_dice() -> None:
    parlour = lawn()
    assert parlour.reason(cmd.RollDice(ANN), AgainstTheRules) == "table.real-dice"
    parlour.do(cmd.Leave(BOB, 1))
    assert parlour.reason(cmd.Dismiss(ANN, 1), NotAllowed) == "table.stand-in-real-dice"
    assert parlour.reason(cmd.SkipTurn(ANN, 1), NotAllowed) == "table.stand-in-real-dice"
    parlour = Parlour(fold_events(TableState("lawn"), [ev.Opened("yatzy", ANN, real_dice=True)]))
    assert parlour.reason(cmd.SeatBot(ANN, "steady"), NotAllowed) == "table.bot-real-dice"


def test_rules_and_seed_are_stored_and_kept_by_a_rematch(tables: Tables) -> None:
    then = (cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN))
    ids = [tables.open(ANN, "our-yatzy", rules=HOUSE_RULES, seed="7", then=then) for _ in range(2)]
    for table in ids:
        tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version)
    one, other = (Tables(tables.store).state(table) for table in ids)
    assert one.book.key == "our-yatzy"
    assert one.book.rolls == 2
    assert one.slots == other.slots
    table = tables.open(ANN, "our-yatzy", rules=HOUSE_RULES, real_dice=True, then=then)
    while tables.state(table).phase is Phase.PLAYING:
        version = tables.state(table).version
        tables.execute(table, cmd.EnterDice(ANN, (1, 2, 3, 4, 6)), version=version)
        legal = tables.state(table).game.position.ruling().legal  # type: ignore[union-attr]
        tables.execute(table, cmd.FillBox(ANN, next(iter(legal))), version=version + 1)
    following = tables.state(tables.rematch(table, ANN))
    assert (following.book.key, following.real_dice) == ("our-yatzy", True)
