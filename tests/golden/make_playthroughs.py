"""Write the golden playthroughs anew: `python -m golden.make_playthroughs`, run in the folder of the tests.

A changed file means that recorded games read differently from now on: look at every line of the difference.

The dice are seeded, and loaded: one throw in four shows all faces alike, so that the rules for that come up often.
One player plays greedily, one begins by wasting the box for all dice alike, one marks whatever comes.
"""

from pathlib import Path

import fivedice as fd
from fivedice.core.dice import Place

FOLDER = Path(__file__).parent / "playthroughs"
# Chosen so that the games show what is peculiar to their books: see the test.
SEED = "playthrough 282"
SEEDS = {"kniffel": "playthrough 1", "kismet": "playthrough 138", "yacht": "playthrough 6", "crag": "playthrough 18"}
PLAYERS = ("Greedy", "Wasteful", "Careless")


def chance(game: fd.Game, purpose: int, sides: int) -> int:
    """A number from 0 that depends on the book, the place in the game and what it is for."""
    place = Place(turn=len(game.moves), roll=purpose, throw=0)
    return fd.dice.seeded(seed(game.book.key)).throw(place, 1, sides)[0] - 1


def seed(key: str) -> str:
    return f"{SEEDS.get(key, SEED)} {key}"


def dice(game: fd.Game) -> list[int]:
    position = game.position
    if chance(game, 1, 4) == 0:
        face = position.dice.faces[0] if len(position.dice) else 1 + chance(game, 2, game.book.faces)
        return [face] * position.in_cup
    return [1 + chance(game, 3 + die, game.book.faces) for die in range(position.in_cup)]


def keep(game: fd.Game) -> list[int]:
    """The most frequent face, the higher of two."""
    counts = game.position.dice.counts
    face = max(counts, key=lambda face: (counts[face], face))
    return [face] * min(counts[face], game.book.dice - 1)


def choose(game: fd.Game) -> str:
    legal = game.position.ruling().legal
    player = game.players[game.position.seat]
    waste = game.book.boxes[game.book.alike_box or 0].key
    if player == "Wasteful" and waste in legal and legal[waste].points == 0:
        return waste
    if player == "Careless":
        return list(legal)[chance(game, 20, len(legal))]
    return max(legal, key=lambda box: legal[box].points + legal[box].bonus)


def play(key: str) -> fd.Game:
    players = PLAYERS if fd.book(key).alike else PLAYERS[:2]
    game = fd.Game.new(key, players, dice=fd.dice.seeded(seed(key)))
    game.tags = {"Event": f"Golden playthrough of {game.book.name}"}
    while not game.is_over:
        game.roll(dice(game))
        while game.position.rolls_left and game.position.dice.alike is None and chance(game, 21, 3):
            game.hold(keep(game))
            game.roll(dice(game))
        game.mark(choose(game))
    return game


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for key in fd.SHIPPED:
        (FOLDER / f"{key}.txt").write_text(fd.write_game(play(key)), encoding="utf-8")


if __name__ == "__main__":
    main()
