"""Score pads brought to a chosen situation, through the same commands that a phone sends."""

from collections.abc import Iterable

from fivedice.core.dice import Roll
from fivedice.core.game import judge
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from web.stage import Stage, key_of

KEEPER = "Ann"
# Worth something in most boxes, and never five alike: what they give can be added up by hand.
DICE = ("11234", "22361", "33341", "44462", "55521", "66643", "22255", "12345", "23456", "13456", "66522", "44411")


def who(name: str) -> str:
    return player_id(key_of(name))


def open_pad(
    stage: Stage, book: str, names: Iterable[str], *, games: int = 1, first: int = 0, keeper: str = KEEPER
) -> str:
    """A pad for these people, written by one of them; its path."""
    seats = [cmd.SitDown(who(keeper), name) for name in names]
    start = cmd.StartGame(who(keeper), first=first)
    table = stage.tables.open(who(keeper), book, real_dice=True, games=games, then=[*seats, start])
    return f"/t/{table}"


def write(stage: Stage, path: str, dice: str, box: str, player: str = "") -> None:
    """The next turn, by the keeper of these tests or by another player id."""
    table = path.removeprefix("/t/")
    state = stage.tables.state(table)
    faces = tuple(map(int, dice))
    stage.tables.execute(table, cmd.WriteTurn(player or who(KEEPER), state.game_number, state.turn, faces, box))


def turns(stage: Stage, path: str, *written: tuple[str, str]) -> None:
    for dice, box in written:
        write(stage, path, dice, box)


def fill(stage: Stage, path: str, leave: int = 0, key: str = "") -> None:
    """Write turns and start games until that many turns of the sheet are left."""
    player = player_id(key or key_of(KEEPER))
    table = path.removeprefix("/t/")
    while True:
        state = stage.tables.state(table)
        each = len(state.seats) * len(state.book.boxes)
        if each * (state.games - state.game_number) - state.turn <= leave:
            return
        if state.between_games:
            stage.tables.execute(table, cmd.NextGame(player, state.game_number + 1))
            continue
        write(stage, path, *_sensible(stage, table), player)


def _sensible(stage: Stage, table: str) -> tuple[str, str]:
    """Some dice, and the box that they give most in."""
    state = stage.tables.state(table)
    dice = DICE[(5 * state.turn + 7 * state.game_number) % len(DICE)][: state.book.dice]
    dice += "6" * (state.book.dice - len(dice))
    legal = judge(state.running.position.cards[state.on_turn or 0], Roll.parse(dice)).legal
    return dice, max(legal, key=lambda box: legal[box].points)
