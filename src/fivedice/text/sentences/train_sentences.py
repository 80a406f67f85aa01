"""Texts of the daily ten, the trainer and one's own strength."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # Refusals.
    "train.bad-move": N_("Enter dice to keep such as 44, or a box such as fh. You entered {text}."),
    "train.keeps-all": N_("Keep at least one die fewer, or score a box."),
    "train.nothing-chosen": N_("Choose a box, or the dice to keep."),
    "train.nothing-asked": N_("No decision is open. Ask for the next one."),
    "train.no-mistakes": N_("Your finished games have no mistakes to practise yet. Choose a theme."),
    "train.none-found": N_("{rules}: no decision was found. Try again."),
    "train.not-solved": N_("{rules} is not solved yet. Choose other rules, or try again later."),
    "train.no-such-day": N_("There is no ten for {day}. Choose a day from {first} to {last}."),
    "train.answered": N_("Decision {number} is answered already."),
    # Themes.
    "train.theme-": N_("All themes"),
    "train.theme-mistakes": N_("My mistakes"),
    "train.theme-jokers": N_("Jokers"),
    "train.theme-last-boxes": N_("The last three boxes"),
    "train.theme-straights": N_("Straights"),
    "train.theme-full-house": N_("Full house"),
    "train.theme-chance": N_("Chance"),
    "train.theme-bonus": N_("Upper bonus"),
    "train.theme-sets": N_("Pairs and sets"),
    # Answers.
    "train.best": N_("Best move"),
    "train.costs": N_("Costs {cost}"),
    "train.yours-keep": N_("You kept {dice}."),
    "train.yours-all": N_("You rolled all dice again."),
    "train.yours-box": N_("You scored {box}."),
    "train.hint": N_("Hint: {why}"),
    # The ten of a day.
    "train.ten-share": N_("Fivedice, ten decisions, {day}: {lost}"),
    "train.given-away": N_("{points} given away"),
    "train.rank": P_("Rank {rank} of {count} player", "Rank {rank} of {count} players"),
    # Strength.
    "train.gives-away": N_("You give away {lost} points per game."),
    "train.gives-away-within": N_("You give away {lost} ± {within} points per game."),
    "train.between": N_("Between {weaker} and {stronger}."),
    "train.above-all": N_("Stronger than {level}."),
    "train.below-all": N_("Not yet as strong as {level}."),
    "train.trend-better": N_("Lately {change} points better."),
    "train.trend-worse": N_("Lately {change} points worse."),
    "train.trend-even": N_("No clear trend yet ({change})."),
    "train.level-newcomer": N_("newcomer"),
    "train.level-hopeful": N_("hopeful"),
    "train.level-casual": N_("casual"),
    "train.level-steady": N_("steady"),
    "train.level-sharp": N_("sharp"),
    "train.strength-head": N_("Your strength"),
    "train.by-theme-head": N_("Given away by theme"),
    "train.levels-head": N_("What bots give away"),
    "train.values-of": N_("Table of values: {fingerprint}"),
    # The terminal.
    "train.terminal-help": N_("Type the dice to keep (44), or a box (fh). - rolls all, h hint, q ends."),
    "train.terminal-ten-help": N_("Type the dice to keep (44), or a box (fh). - rolls all, q ends."),
    "train.terminal-number": N_("Decision {number} of {count}"),
    "train.terminal-rating": N_("Your rating: {rating} ± {deviation}"),
    "train.terminal-summary": P_(
        "Last answer: {best} best, {lost} points given away, {hints} with a hint.",
        "Last {count} answers: {best} best, {lost} points given away, {hints} with a hint.",
    ),
    "train.terminal-dice": P_("Dice {dice}, {count} roll left", "Dice {dice}, {count} rolls left"),
    "train.terminal-next": N_("Enter for the next decision, q to end."),
    "train.terminal-played": N_("You have answered the ten of {day}."),
}
