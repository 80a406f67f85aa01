"""What the coach says: choices, reasons, costs, training and odds."""

from fivedice.words.marks import N_, P_, Table

SENTENCES: Table = {
    # A choice, in a list and inside a sentence.
    "coach.keep": N_("keep {dice}"),
    "coach.roll-all": N_("roll all {count} dice again"),
    "coach.score": N_("score {entry}"),
    # The same at the beginning of a sentence.
    "coach.keep-first": N_("Keep {dice}"),
    "coach.roll-all-first": N_("Roll all {count} dice again"),
    "coach.score-first": N_("Score {entry}"),
    "coach.entry": N_("{box} for {points}"),
    "coach.entry-bonus": N_("{box} for {points} plus {bonus} bonus"),
    "coach.entry-joker": N_("{box} for {points} as a joker"),
    "coach.entry-bonus-joker": N_("{box} for {points} plus {bonus} bonus as a joker"),
    # How the turn may end: a chance and what it is for.
    "coach.aims": N_("{aims}"),
    "coach.aim": N_("{chance} for {aim}"),
    "coach.aim-bonus": N_("upper bonus {chance}"),
    "coach.aim-box": N_("{box}"),
    "coach.aim-zero": N_("a zero"),
    "coach.aim-again": N_("another {box} (+{bonus})"),
    # So many dice of a face; "-in" for boxes whose name is more than the name of the face.
    "coach.aim-all": N_("{count} {box}"),
    "coach.aim-all-in": N_("{count} in {box}"),
    "coach.aim-or-more": N_("{count} or more {box}"),
    "coach.aim-or-more-in": N_("{count} or more in {box}"),
    "coach.aim-one": N_("1 in {box}"),
    "coach.aim-one-in": N_("1 in {box}"),
    "coach.aim-one-or-two": N_("1 or 2 {box}"),
    "coach.aim-one-or-two-in": N_("1 or 2 in {box}"),
    "coach.aim-few": N_("1 to {most} {box}"),
    "coach.aim-few-in": N_("1 to {most} in {box}"),
    # Why the best is best.
    "coach.best": N_("{do}: {aims}."),
    "coach.best-alone": N_("{do}."),
    "coach.only": N_("{do}: there is no other choice."),
    "coach.reach": N_("The odds of reaching {target} are {chance}."),
    "coach.out-of-reach": N_("{target} is out of reach, whatever you do."),
    "coach.as-good": N_("Just as good: {others}."),
    "coach.another": N_("another choice"),
    "coach.next": N_("Next best: {do}."),
    "coach.cost": N_("It costs {cost}."),
    "coach.cost-nothing": N_("It costs almost nothing."),
    "coach.cost-both": N_("It costs {cost}: {now} this turn, {later} later."),
    "coach.cost-more-later": N_("It costs {cost}: {now} fewer this turn, {later} more later."),
    "coach.cost-more-now": N_("It costs {cost}: {now} more this turn, {later} fewer later."),
    "coach.cost-now": N_("It costs {cost}, all of it this turn."),
    "coach.cost-later": N_("It costs {cost}, all of it later."),
    "coach.cost-bonus": N_("Upper bonus: {chance} instead of {best}."),
    "coach.points": P_("{points} point", "{points} points"),
    "coach.percentage-points": P_("{points} percentage point", "{points} percentage points"),
    "coach.joker": N_("All dice the same: they are a joker here ({rule})."),
    # Who may ask what.
    "coach.off": N_("The coach is off in this game."),
    "coach.roll-first": N_("Roll first. There is nothing to choose yet."),
    "coach.bot-plays": N_("A bot plays this turn."),
    "coach.no-game": N_("No game is in progress."),
    "coach.not-a-choice": N_("You cannot choose {move} here."),
    "coach.how-many": N_("The coach shows 1 choice or more, not {count}."),
    "coach.which-aim": N_("The coach can aim for points or to beat a score, not for {aim}."),
    # Training.
    "coach.training-limits": N_("Training can be off, {limits} points. You entered {given}."),
    "coach.training-off": N_("Training is off."),
    "coach.training-on": P_(
        "Training: you are warned before a move that costs more than {count} point.",
        "Training: you are warned before a move that costs more than {count} points.",
    ),
    "coach.caution": N_("That costs {cost}. Better: {instead}."),
    # Lists of choices.
    "coach.choices-head": N_("Expected points, and what each choice costs:"),
    "coach.choice-best": N_("best"),
    "coach.choice-costs": N_("−{cost}"),
    "coach.choice-aims": N_("{do}: {aims}"),
    # Odds of a game.
    "coach.odds-head": N_("Expected totals, if everyone plays for points:"),
    "coach.odds-total": N_("{name}: {mean} ±{spread}"),
    "coach.odds-total-and-win": N_("{name}: {mean} ±{spread}, wins {chance}"),
    "coach.odds-beat": N_("Odds of beating {best}: {chance}"),
    "coach.odds-chased": N_("Playing to beat it: {chance}"),
    "coach.odds-chased-later": N_("Playing to beat it: known later in the game"),
    "coach.odds-exact": N_("Exact."),
    "coach.odds-estimated": N_("Estimated; exact later in the game."),
    # How far a chase is.
    "coach.chase-ready": N_("Playing to beat it: ready."),
    "coach.chase-running": N_("Playing to beat it: {share}% worked out."),
    "coach.chase-later": P_(
        "Playing to beat it: known when {count} box is left.", "Playing to beat it: known when {count} boxes are left."
    ),
    "coach.chase-until-then": N_("Until then, hints are for the most points."),
}
