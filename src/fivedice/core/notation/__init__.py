"""Score sheets, positions, turns and games as text and JSON. The grammar is in docs/notation.md."""

from fivedice.core.notation.cards import (
    Turn,
    read_card,
    read_position,
    read_turn,
    turns_of,
    write_card,
    write_position,
    write_turn,
)
from fivedice.core.notation.jsonform import (
    card_from_json,
    card_to_json,
    game_from_json,
    game_to_json,
    position_from_json,
    position_to_json,
    read_games,
)
from fivedice.core.notation.records import read_game, write_game

__all__ = [
    "Turn",
    "card_from_json",
    "card_to_json",
    "game_from_json",
    "game_to_json",
    "position_from_json",
    "position_to_json",
    "read_card",
    "read_game",
    "read_games",
    "read_position",
    "read_turn",
    "turns_of",
    "write_card",
    "write_game",
    "write_position",
    "write_turn",
]
