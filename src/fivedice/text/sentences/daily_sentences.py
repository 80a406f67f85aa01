"""Sentences of the daily game and of deals."""

from __future__ import annotations

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # What is refused.
    "daily.not-a-date": N_("Write the date as 2026-11-17. You wrote {text}."),
    "daily.no-such-day": N_("There is no daily game for {day}. The first one here was on {first}."),
    "daily.no-such-deal": N_("There is no deal at this address. Ask for the link again."),
    "daily.cannot-deal": N_("Only a finished game with digital dice can be played again with the same dice."),
    "daily.closes-range": N_("Choose a last day from today to {last}. You chose {closes}."),
    "daily.table-or-date": N_("A deal needs the table of a finished game, or the last day on which it can be begun."),
    "daily.full": N_("{most} people play this deal, which is the limit."),
    # Results.
    "daily.players": P_("{count} player", "{count} players"),
    "daily.rank": N_("Rank {rank} of {players}"),
    "daily.lost": N_("{points} points lost"),
    "daily.next-hours": P_("Next game in {count} hour", "Next game in {count} hours"),
    "daily.next-minutes": P_("Next game in {count} minute", "Next game in {count} minutes"),
    "daily.preview": N_("Daily game {day}: {book}"),
    "daily.preview-about": N_("Everyone plays the same dice. How many points do you lose?"),
    "daily.deal-preview": N_("Play the same dice: {book}"),
    # In the terminal.
    "daily.counts": N_("This game counts. There are no hints."),
    "daily.practice": N_("Practice: this game does not count."),
    "daily.total": N_("Total {total}"),
    "daily.no-total": N_("This game was ended early, so it has no result."),
    "daily.practise": N_("Practise with the same dice: {command}"),
    "daily.no-zone": N_("There is no time zone {zone}. Write one such as Europe/Berlin."),
    "daily.no-result": N_("You have no result for this day yet."),
    "daily.dearest": N_("Turn {turn}, {dice}: {did}. Better: {best}."),
}
