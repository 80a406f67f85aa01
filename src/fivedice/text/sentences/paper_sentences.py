"""Texts on printed score sheets, and why one cannot be printed."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    "paper.document": N_("{book} score sheet"),
    "paper.name": N_("Name"),
    "paper.date": N_("Date"),
    "paper.how": N_("How to score"),
    "paper.for-bonus": N_("For the bonus"),
    "paper.game": N_("Game {number}"),
    "paper.winner": N_("winner"),
    "paper.shared-win": N_("shared win"),
    "paper.tick-points": N_("Points for the ticks"),
    "paper.tick-each-time": N_("One tick each time"),
    "paper.tick-once": N_("One tick per game"),
    "paper.tick-up-to": N_("At most {most} ticks per game"),
    "paper.tick-scores-in-turn": N_("Score {points} in turn"),
    "paper.tick-scores-each": N_("Score {points} each"),
    "paper.tick-scores": N_("Score {points}"),
    "paper.all-games": N_("All games together"),
    "paper.bonus": N_("{threshold} or more: score {points}"),
    "paper.tiers": N_("{tiers}"),
    "paper.tier": N_("{threshold} or more: {points}"),
    "paper.bonus-over": N_("{boxes}: {rule}"),
    "paper.saved-rolls": N_("Saved rolls"),
    "paper.saved-how": N_("One stroke per roll not used; cross out the ones you use"),
    "paper.carried": N_("{section}: {total}"),
    # The words of the cards of Yardzee and Yahtzee.
    "paper.card-minimum": N_("Minimum required for bonus"),
    "paper.card-count": N_("Count and add only {box}"),
    "paper.card-all-dice": N_("Add total of all dice"),
    "paper.card-sequence": N_("Sequence of {length}: score {points}"),
    "paper.card-alike": N_("{dice} of a kind: score {points}"),
    "paper.card-any": N_("Score total of all {dice} dice"),
    "paper.card-bonus": N_("If {threshold} or over: score {points}"),
    # The line at the foot.
    "paper.way-to-bonus": N_("{each} of each make {threshold} and earn {points}. Only the total counts."),
    "paper.bonus-from": N_("{threshold} or more in the upper section earn {points}. Only the total counts."),
    "paper.in-order": N_("Score the boxes from the top down."),
    "paper.upper-first": N_("Fill {section} first."),
    # Refusals.
    "paper.players-known": N_("A filled sheet shows the players of its games. Leave out the number of players."),
    "paper.unknown-paper": N_("Paper can be {papers}. You entered {given}."),
    "paper.too-few-columns": P_(
        "{count} game was played. Choose {count} column or more.",
        "{count} games were played. Choose {count} columns or more.",
    ),
    "paper.other-rules": N_(
        "A sheet shows games of one set of rules. Game {number} was played by {other}, not {book}."
    ),
    "paper.columns-games": N_("A sheet shows 1 to {most} games side by side, not {count}."),
    "paper.columns-games-large": N_("A sheet in large print shows 1 to {most} games side by side, not {count}."),
    "paper.columns-players": N_("A sheet shows 1 to {most} players side by side, not {count}."),
    "paper.columns-players-large": N_("A sheet in large print shows 1 to {most} players side by side, not {count}."),
    "paper.sheets": N_("1 to {most} players can have a sheet each, not {count}."),
    "paper.pages": N_("These games need {count} pages. At most {most} are printed at once."),
    "paper.no-pdf": N_("PDFs need one more package. Install it: pip install 'fivedice[reports]'"),
    "paper.no-png": N_("Pictures need one more package. Install it: pip install 'fivedice[reports]'"),
    "paper.not-a-number": N_("Enter a number. You entered {given}."),
}
