"""What a match says, and what can be no match."""

from __future__ import annotations

from fivedice.words.marks import N_, P_, Table

SENTENCES: Table = {
    "matches.players": N_("A match has 2 to {most} players in a list. You gave {given}."),
    "matches.games": N_("Choose 1 to {most} games. You entered {games}."),
    "matches.title": P_("{rules}, {count} game, seed {seed}", "{rules}, {count} games, seed {seed}"),
    "matches.column.player": N_("Player"),
    "matches.column.wins": N_("Won"),
    "matches.column.draws": N_("Tied"),
    "matches.column.losses": N_("Lost"),
    "matches.column.share": N_("Share of wins"),
    "matches.column.points": N_("Points"),
    "matches.column.adjusted-share": N_("Share without luck"),
    "matches.column.adjusted-points": N_("Points without luck"),
    "matches.between": N_("{value} ({low} to {high})"),
    "matches.intervals": N_("In brackets: 95% intervals. Ties are split."),
    "matches.share-worth": N_("Without luck, the share of {name} is as precise as in {times} times as many games."),
    "matches.points-worth": N_("Without luck, the points of {name} are as precise as in {times} times as many games."),
    "matches.share-exact": N_("Without luck, the share of {name} does not vary."),
    "matches.points-exact": N_("Without luck, the points of {name} do not vary: it lost none, or always as many."),
    "matches.not-adjusted": N_("Luck is not taken off: {rules} is not solved here. Try: fivedice solve"),
}
