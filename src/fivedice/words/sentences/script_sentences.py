"""What the scripts of the page say: sent with the page, so that no sentence stands in a script or a style."""

from __future__ import annotations

from functools import cache

from fivedice.words import current, translated
from fivedice.words.marks import N_, P_, Plural, Table

# `say("die-added", {face: 4, count: 2})` in a script; values are named in braces, forms are chosen by `count`.
SCRIPT: Table = {
    # every page that is live
    "not-sent": N_("No connection. Try again; the move counts once."),
    # a table: dice that somebody else is about to keep
    "others-keep": N_("Keeps {dice}"),
    "others-keep-none": N_("Keeps no dice"),
    # the score pad: typing dice
    "tap-rolled": N_("Tap the rolled dice"),
    "tap-kept": N_("Tap the dice you keep, then the rolled dice"),
    "tap-some": P_("Tap the rolled die", "Tap the {count} rolled dice"),
    "tap-final": N_("Tap the final dice"),
    "tap-final-offline": N_("No connection. Tap the final dice"),
    "all-kept": N_("All dice kept. Choose a box"),
    "die-added": P_("{face}. 1 more die", "{face}. {count} more dice"),
    "last-die-added": N_("{face}. Choose a box"),
    "die-removed": N_("{face} removed"),
    # the score pad: rolls that a turn left over, where they are saved
    "rolls-left-over": N_("Rolls left over"),
    "one-fewer": N_("One fewer"),
    "one-more": N_("One more"),
    "rolls-saved": P_("{count} saved roll", "{count} saved rolls"),
    # the score pad: boxes
    "which-box": N_("Which box?"),
    "joker": N_("joker"),
    "closed": N_("closed"),
    "no-points-yet": N_("No connection. Points and rules are checked later."),
    "zero-question": N_("Score 0 in {box}? Another box would score."),
    "zero-yes": N_("Score 0"),
    "zero-no": N_("Choose another box"),
    "sheet-full": N_("This game’s score sheet is full"),
    # the score pad: what waits
    "waiting": N_("Waiting to be sent ({count})"),
    "waiting-entry": N_("{name}: {dice}, {box}"),
    "waiting-entry-points": N_("{name}: {dice}, {box} {points}"),
    "cell-waiting": N_("waiting to be sent"),
    "change": N_("Change entry"),
    "correct": N_("Correct score"),
    "discard": N_("Discard entry"),
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
    "screen-needs-https": N_("The screen may turn off without https. Set a longer screen time-out."),
    "screen-unknown": N_("The screen may turn off. This browser can’t keep it on."),
    "screen-refused": N_("The screen may turn off. The phone may be saving power."),
}


def script_words() -> dict[str, str | dict[str, str]]:
    """The table as the page gets it, in the reader's language."""
    return _in_language(current())


@cache
def _in_language(_: str) -> dict[str, str | dict[str, str]]:
    return {key: forms(text) if isinstance(text, Plural) else translated(text) for key, text in SCRIPT.items()}


def forms(text: Plural) -> dict[str, str]:
    """By the names that browsers have for them, and by number where a language has more: of dice there are few."""
    by_number = {number: translated(text, {text.by: number}) for number in (*range(20), 100)}
    other = by_number.pop(100)
    more = {str(number): form for number, form in by_number.items() if number != 1 and form != other}
    return {"one": by_number[1], "other": other} | more
