"""Why the solver can't answer."""

from __future__ import annotations

from fivedice.text.marks import N_, Table

SENTENCES: Table = {
    "solver.odds-title": N_("Odds of the final total"),
    "solver.odds-about": N_("Mean {mean}, standard deviation {sd}. Half of all games end with {low} to {high}."),
    "solver.odds-mean": N_("mean {mean}"),
    "solver.odds-axis": N_("final total"),
    "solver.odds-chance": N_("odds"),
    "solver.odds-share": N_("{chance}"),
    "solver.compiling": N_("Compiling once, about 8 s"),
    "solver.needs-extra": N_("This needs the solver. Run: pip install 'fivedice[solver]'"),
    "solver.chase-too-large": N_("This needs {size} GB. Aim lower, or start from a fuller score sheet."),
    "solver.duel-too-large": N_("This needs {size} GB. Start from fuller score sheets."),
    "solver.duel-out-of-turn": N_("These score sheets are not from one game: players take turns."),
    "solver.equilibrium-players": N_("A whole game is solved for two or three players, not for {count}."),
    "solver.equilibrium-order": N_("{rules}: a whole game of three is solved where boxes are filled in order."),
    "solver.equilibrium-too-large": N_("{rules}: too many states for a whole game of two players."),
    "solver.chase-start": N_("The rules are {rules}. The score sheet is for {other}."),
    "solver.chase-other-card": N_("This was prepared from a score sheet that does not lead to this one."),
    "solver.chase-most": N_("This was prepared for totals up to {most}. Ask with most={target}."),
    "solver.chase-least": N_("This was prepared for totals from {least} on. Ask with least={target}."),
    "solver.too-many-states": N_("Too many states may follow ({states}). Start from a fuller score sheet."),
    "solver.quantile": N_("A quantile is from 0 to 1. You entered {share}."),
    "solver.odds-too-large": N_("This needs {size} GB. Start from a fuller score sheet."),
    "solver.games": N_("Choose 1 to {most} games. You entered {games}."),
    "solver.full-card": N_("Every box of this score sheet is filled, so there is no move."),
    "solver.rolls-left": N_("With dice rolled, 0 to {most} rolls are left. You entered {rolls}."),
    "solver.column-choice": N_("Keep or box"),
    "solver.column-value": N_("Value"),
    "solver.column-cost": N_("Cost"),
    "solver.turn-not-given": N_(
        "Give a position whose dice are rolled, or a score sheet, a roll and rolls_left. You gave {given}."
    ),
    "solver.no-target": N_("Give a target: the total to reach, such as target=300."),
    "solver.no-roll": N_("Rolls left need a roll. Enter the dice, too."),
    "solver.other-book": N_("This solution is for {rules}. The score sheet is for {other}."),
    "solver.saves-rolls": N_("{rules} saves rolls. Expected points are exact there, but odds cannot be worked out."),
    "solver.too-many-totals": N_("These rules have too many bonuses to solve. Up to {most} totals can be told apart."),
    "solver.too-much-memory": N_("These rules are too large to solve. That needs {size} GB of memory."),
    "solver.too-large": N_("These rules are too large to solve: {size} states (sheets, flags, upper totals)."),
}
