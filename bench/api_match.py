"""Play a match of programs at a server: games one after the other, by `fivedice.client`, from one address.

`FIVEDICE_GAMES=1000` plays 1,000 instead of 20. The server has the limits that any server has; this address is named
in `unlimited_from`. The same run plays games of the same players without a server. It then shows how long the limits of
a stranger would make the same match take, computed without waiting.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench._servers import processor_seconds
from fivedice.client import Server, Table
from fivedice.core.dice import seeded
from fivedice.core.game import Game
from fivedice.core.rules import shipped
from fivedice.players import bots

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from web.match_clock import as_a_stranger
from web.serving import Serving

GAMES = int(os.environ.get("FIVEDICE_GAMES", "20"))
BOOK, BOT = "yahtzee", "casual"
SETTINGS = {"FIVEDICE_UNLIMITED_FROM": "127.0.0.1", "FIVEDICE_LOG_FORMAT": "text", "FIVEDICE_PREPARE": "no"}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Serving(Path(folder), bot_pause=0.9, settings=SETTINGS) as server:
        played, wins, began = 0, 0, perf_counter()
        before = processor_seconds(server.pid)
        for game in Server(server.url).open(BOOK, name="Program", bots=[BOT]).games(GAMES):
            _play(game)
            played, wins = played + 1, wins + (game.position.winners == (0,))
            if played % 100 == 0:
                print(f"   {played} games, {perf_counter() - began:.0f} s", flush=True)
        seconds, used = perf_counter() - began, processor_seconds(server.pid) - before
    alone = _without_a_server(min(GAMES, 100))
    print(f"   {played} games against {BOT} in {seconds:.1f} s: {played / seconds:.2f} games/s, {wins} won")
    print(f"   {1000 * used / played:.0f} ms of the server's processor a game")
    print(f"   {seconds / played / alone:.1f} times as long as the same players without a server")
    told = as_a_stranger(1000, writes=26)
    print(f"   a stranger's 1,000 games: {told.minutes:.0f} min, {told.waits} waits, the longest of {told.longest} s")


def _play(game: Table) -> None:
    """One roll, and what pays most."""
    for position in game.turns():
        if position.boxes:
            game.score(max(position.boxes, key=lambda box: position.boxes[box].points))
        else:
            game.roll()


def _without_a_server(games: int) -> float:
    """Seconds a game of the engine alone."""
    began = perf_counter()
    bot = bots.bot(BOT, shipped(BOOK))
    for number in range(games):
        game = Game.new(shipped(BOOK), ("Program", "Bot"), dice=seeded(number))
        while not game.is_over:
            position = game.position
            if position.chance_moves_next:
                game.roll()
            elif position.seat == 1:
                game.play(bot.choose(position))
            else:
                legal = position.ruling().legal
                game.mark(max(legal, key=lambda box: legal[box].points))
    return (perf_counter() - began) / games
