"""Sentences about dice."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    "dice.not-dice": N_("Enter at most {most} dice, each 1 to {highest}. You entered {faces}."),
    "dice.not-a-roll": N_("Enter one digit per die, such as 24466. You entered {text}."),
    "dice.script-used-up": P_(
        "The script has only {count} throw. Add more throws to it.",
        "The script has only {count} throws. Add more throws to it.",
    ),
    "dice.script-mismatch": P_(
        "Throw {number} of the script is {dice}. It must be {count} die, 1 to {faces}.",
        "Throw {number} of the script is {dice}. It must be {count} dice, each 1 to {faces}.",
    ),
    "dice.script-unreadable": N_("The script has the throw {text}. Write one digit per die, such as 24466."),
    "dice.roll-real-dice": P_(
        "Roll {count} real die and enter it, as in roll({example}).",
        "Roll {count} real dice and enter them, as in roll({example}).",
    ),
}
