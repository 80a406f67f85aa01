"""Texts for the scripts of a page. They are sent with the page, so that scripts and styles contain no sentence."""

from __future__ import annotations

from functools import cache

from fivedice.text import current, translate
from fivedice.text.marks import N_, P_, Plural, Table

# `say("die-added", {face: 4, count: 2})` in a script; values are named in braces, forms are chosen by `count`.
SCRIPT: Table = {
    # every page that is live
    "not-sent": N_("No connection. Try again; the move counts once."),
    # a table: dice that another player is about to keep
    "others-keep": N_("Keeps {dice}"),
    "others-keep-none": N_("Keeps no dice"),
    "coach-works": N_("The coach is working it out…"),
}
# Pages of the score pad alone.
PAD: Table = {
    # whose turn it is, and how it stands
    "turn-of": N_("{name}’s turn"),
    "game-of": N_("Game {game} of {games}"),
    "round-of": N_("Round {round} of {rounds}"),
    "rolls-saved": P_("{count} saved roll", "{count} saved rolls"),
    "saved": P_("{count} saved", "{count} saved"),
    "game-won": N_("{names} wins with {points}"),
    "game-shared": N_("{names} share the win with {points}"),
    "game-points": N_("Final score: {points}"),
    "game-result": N_("Game {game}: {result}"),
    "match-won": N_("{names} wins the match with {points}"),
    "match-shared": N_("{names} share the match with {points}"),
    "match-led": N_("{names} leads the match with {points}"),
    "match-level": N_("{names} lead the match with {points}"),
    "start-game": N_("Start game {game} of {games}"),
    "ended": N_("This score sheet ended early"),
    # entering dice
    "tap-rolled": N_("Roll {roll} of {rolls}: tap the rolled dice"),
    "tap-kept": N_("Roll {roll} of {rolls}: tap the dice you keep, then the rolled dice"),
    "tap-some": P_("Roll {roll} of {rolls}: tap the rolled die", "Roll {roll} of {rolls}: tap the {count} rolled dice"),
    "tap-final": N_("Tap the final dice, or a box"),
    "dice-missing": P_("1 more die, then a box", "{count} more dice, then a box"),
    "die-added": P_("{face}. 1 more die", "{face}. {count} more dice"),
    "last-die-added": N_("{face}. Choose a box"),
    "die-removed": N_("{face} removed"),
    "roll-removed": N_("Roll removed"),
    "keep-die": N_("Keep die {number}: {face}"),
    "clear-dice": N_("Clear dice"),
    # the box first
    "which-number": N_("{box}: how many points?"),
    "numbers": N_("Points"),
    "tap-dice-instead": N_("Tap dice"),
    "tell-dice": N_("Several rolls give these points. Tap the dice."),
    "tell-dice-of": N_("{box}: tap the final dice"),
    # rolls that a turn has saved
    "rolls-left-over": N_("Rolls left over"),
    "one-fewer": N_("One fewer"),
    "one-more": N_("One more"),
    # boxes
    "which-box": N_("Which box?"),
    "joker": N_("joker"),
    "closed": N_("closed"),
    "open": N_("open"),
    "zero-question": N_("Score 0 in {box}? Another box would score."),
    "zero-yes": N_("Score 0"),
    "zero-no": N_("Choose another box"),
    "written": N_("{name}: {points} in {box}"),
    # the sheet
    "score-sheet": N_("Score sheet"),
    "sheet-of": N_("{name}’s score sheet"),
    "box": N_("Box"),
    "game": N_("Game"),
    "games": N_("Games"),
    "match": N_("Match"),
    "player": N_("Player"),
    "total": N_("Total"),
    "playing": N_("playing"),
    "winner": N_("winner"),
    "won": N_("won"),
    "left": N_("left"),
    "bonus-reached": N_("reached"),
    "bonus-lost": N_("out of reach"),
    "bonus-on-pace": N_("on pace"),
    "correct-cell": N_("Correct {points} in {box}, {name}"),
    "correct-cell-game": N_("Correct {points} in {box}, game {game}"),
    "open-cell": N_("{box}, {name}: open"),
    "cell-waiting": N_("waiting to be sent"),
    # taking back, and correcting
    "taken-back": N_("{name}’s entry in {box} was undone"),
    "correct-entry": N_("Correct an entry"),
    "correcting": N_("Correct {name}’s entry in {box}"),
    "fix-dice": N_("{name}, {box}: {points} with {dice}"),
    "fix-points": N_("{name}, {box}: {points}"),
    "corrected": N_("Corrected"),
    "save-correction": N_("Save correction"),
    "change-again": N_("Change again"),
    "cancel": N_("Cancel"),
    "no-score-changes": N_("No score changes."),
    "line-of": N_("{name}: {line}"),
    "line-of-game": N_("{name}: {line}, game {number}"),
    "match-total": N_("Match total"),
    "saved-rolls": N_("Saved rolls"),
    "later-entry": N_("{name}’s {box}, scored later: {reason}"),
    "box-points": N_("{box} {points}"),
    "box-points-later": N_("{box} {points}, used later"),
    # what waits, and what was refused
    "no-connection": N_("No connection"),
    "kept-here": P_("No connection. {count} entry kept here", "No connection. {count} entries kept here"),
    "only-here": N_("Your browser’s storage is full or off. Keep this page open."),
    "needs-connection": N_("No connection. This opens when it is back."),
    "stays-here": N_("The server needs a passphrase. This sheet stays on this phone."),
    "waiting": N_("Waiting to be sent ({count})"),
    "entry-dice": N_("{name}: {dice}, {box} {points}"),
    "entry-points": N_("{name}: {box} {points}"),
    "op-next": N_("Start game {game}"),
    "op-erase": N_("Undo an entry"),
    "op-correct": N_("Correct an entry"),
    "correct-to": N_("Correct {before} to {after}"),
    "undo-entry": N_("Undo {entry}"),
    "op-pass": N_("{name} skips a turn"),
    "op-join": N_("{name} joins"),
    "op-retire": N_("{name} leaves"),
    "op-rejoin": N_("{name} comes back"),
    "op-rename": N_("New name: {name}"),
    "op-end": N_("End the score sheet"),
    "conflict": N_("Someone else wrote here. Which one is right?"),
    "not-taken": N_("This could not be scored."),
    "mine": N_("Here:"),
    "theirs": N_("On the sheet:"),
    "take-mine": P_("Use the one from here", "Use all {count} from here"),
    "take-theirs": P_("Keep the sheet’s", "Keep all {count} of the sheet’s"),
    "change": N_("Change entry"),
    "discard": N_("Discard entry"),
    "changed-elsewhere": N_("Another window has changed the score sheet"),
    "left-behind": P_("{count} entry from this phone", "{count} entries from this phone"),
    "left-why": N_("Someone else keeps the score now, so this phone can’t send them."),
    "left-send": N_("Send to the scorekeeper"),
    "left-discard": N_("Discard entries"),
    "left-open-there": N_("Open this link on the scorekeeper’s phone."),
    "lost": P_("{count} entry is missing on the server", "{count} entries are missing on the server"),
    "lost-why": N_("The server has gone back to an older copy of this score sheet."),
    "brought": P_("{count} entry from another phone", "{count} entries from another phone"),
    "brought-take": N_("Write it all down"),
    # who plays
    "name-of-player": N_("Name of player {number}"),
    "name-refused": N_("A name has 1 to {most} visible characters on one line. You entered {name}."),
    "rename": N_("Rename"),
    "renamed": N_("New name: {name}"),
    "join-label": N_("Name of a new player"),
    "join": N_("Add player"),
    "has-joined": N_("{name} joined"),
    "leave": N_("Leaves"),
    "leave-name": N_("{name} leaves"),
    "rejoin": N_("Comes back"),
    "rejoin-name": N_("{name} comes back"),
    "has-left": N_("{name} left"),
    "came-back": N_("{name} came back"),
    "skip": N_("{name} skips this turn"),
    "skip-why": N_("The missing turn is played at the end."),
    "skipped": N_("{name} skipped a turn"),
    "end-sheet": N_("End score sheet"),
    "end-why": N_("The totals as they stand decide who wins."),
    "end-why-games": N_("The unfinished game does not count."),
    "end-why-empty": N_("Nothing has been scored yet."),
    "end-now": N_("End now"),
    # sheets that leave this device
    "share": N_("Save, share or print"),
    "save-sheet": N_("Save file"),
    "share-sheet": N_("Share link"),
    "code-sheet": N_("Show QR code"),
    "print-sheet": N_("Print"),
    "share-saved": N_("Saved: {file}"),
    "share-copied": N_("Link copied."),
    "share-too-large": N_("Too large for a QR code."),
    # the score pad: the coach on the phone
    "coach-title": N_("Coach"),
    "coach-moment": N_("One moment…"),
    "coach-total": N_("Expected total: {total}"),
    "coach-choices": N_("Choices, best first"),
    "coach-rolls-left": N_("Rolls left"),
    "coach-note": N_("Expected totals, and points lost, with perfect play afterwards."),
    "coach-about": N_("Fetch it once. Then it gives hints without a connection."),
    "coach-fetch": N_("Keep the coach on this phone ({size}\N{NO-BREAK SPACE}MB)"),
    "coach-fetching": N_("Fetching the coach"),
    "coach-progress": N_("{done} of {size}\N{NO-BREAK SPACE}MB"),
    "coach-keep-these": N_("Keep these"),
    "coach-keep-none": N_("Keep none"),
    "coach-remove": N_("Remove from this phone"),
    "coach-again": N_("Try again"),
    "coach-close": N_("Close"),
    "coach-offline": N_("No connection. Nothing was kept. Try again when you are online."),
    "coach-damaged": N_("The download was damaged. Nothing was kept. Try again."),
    "coach-browser": N_("This browser can’t unpack the coach. Nothing was kept. Update the browser."),
    "coach-no-room": N_("This phone has no room for the coach. It works until you close this page."),
    "coach-too-large": N_("The coach for these rules is too large for a phone. Ask it with a connection."),
    # the score pad: the screen of the phone
    "screen-stays-on": N_("The screen stays on during the game."),
    "screen-needs-https": N_("Without https the screen may turn off, and a reload needs the server."),
    "screen-unknown": N_("The screen may turn off. This browser can’t keep it on."),
    "screen-refused": N_("The screen may turn off. The phone may be saving power."),
}

# Only where a score sheet is set up: the page of a score pad is large enough.
BRING: Table = {
    "player-number": N_("Player {number}"),
    "local-sheet": P_("{day}, {count} entry", "{day}, {count} entries"),
    "delete-sheet": N_("Delete"),
    "delete-sheet-of": N_("Delete the score sheet of {names}"),
    "history-average": N_("Average"),
    "history-best": N_("Best"),
    "history-wins": N_("Wins"),
    "history-delete": N_("Delete results"),
    "history-sure": N_("Delete all results on this device? Score sheets stay."),
    "history-delete-now": N_("Delete all results"),
    "begin-total": P_("{name}’s total of {count} die", "{name}’s total of {count} dice"),
    "begin-won": N_("{names} begins with {points}."),
    "begin-tie": N_("{names} tie with {points}. They roll again."),
    "begin-missing": N_("Enter what {name} rolled."),
    "begin-wrong": P_(
        "The total of {count} die is {least} to {most}. You entered {text}.",
        "The total of {count} dice is {least} to {most}. You entered {text}.",
    ),
    "begin-alone": N_("Enter the names of at least two players."),
    "import-found": P_(
        "{rules} for {names}, {count} score. Open it beside your other score sheets?",
        "{rules} for {names}, {count} scores. Open it beside your other score sheets?",
    ),
    "import-open": N_("Open score sheet"),
    "import-unreadable": N_("This is not a score sheet. Choose a file or link that a score pad made."),
    "import-too-large": N_("This is too large for a score sheet. Nothing was opened."),
    "import-broken": N_("Entry {number} of this score sheet is damaged. Nothing was opened."),
    "import-other-rules": N_("This score sheet follows {rules}, which this score pad does not have."),
    "import-illegal": N_("Entry {number} of this score sheet breaks the rules. Nothing was opened."),
    "import-name": N_("A name in this score sheet can’t be shown: {name}. Nothing was opened."),
    "import-browser": N_("This browser is too old for links to score sheets. Open a file instead."),
    "import-no-room": N_("There is no room for another score sheet. Delete one first."),
}


def script_words(*, pad: bool = False, bring: bool = False) -> dict[str, str | dict[str, str]]:
    """Return the texts for a page, in the reader's language."""
    return _in_language(current(), pad, bring)


@cache
def _in_language(_: str, pad: bool, bring: bool) -> dict[str, str | dict[str, str]]:
    table = SCRIPT | (PAD if pad else {}) | (BRING if bring else {})
    return {key: forms(text) if isinstance(text, Plural) else translate(text) for key, text in table.items()}


def forms(text: Plural) -> dict[str, str]:
    """Return the plural forms by the names that browsers use, and by number where a language has more forms."""
    by_number = {number: translate(text, {text.by: number}) for number in (*range(20), 100)}
    other = by_number.pop(100)
    more = {str(number): form for number, form in by_number.items() if number != 1 and form != other}
    return {"one": by_number[1], "other": other} | more
