"""Sentences of the first page, of the list of games, and of the daily game and deals."""

from __future__ import annotations

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # The game in progress.
    "home.alone": N_("Your game is waiting"),
    "home.against": N_("Your turn against {others}"),
    "home.against-many": P_("Your turn against {count} other", "Your turn against {count} others"),
    "home.round": N_("round {round} of {rounds}"),
    "home.points": P_("{count} point", "{count} points"),
    "home.two-totals": N_("{mine} to {theirs}"),
    "home.total-of": N_("{name} {total}"),
    # When a player was last present.
    "home.just-now": N_("just now"),
    "home.minutes-ago": P_("{count} minute ago", "{count} minutes ago"),
    "home.hours-ago": P_("{count} hour ago", "{count} hours ago"),
    "home.days-ago": P_("{count} day ago", "{count} days ago"),
    # The preview of a shared link.
    "home.preview": N_("Play Yahtzee, Yatzy and Yardzee by their published rules. No ads, no accounts."),
    "home.invites": N_("{name} invites you to {game}"),
    "home.invited": N_("You are invited to {game}"),
    "home.invited-about": N_("Open the link, say your name and play. No app, no account."),
    "home.result": N_("{result} · {game}"),
    "home.watch": N_("{names}: {game}"),
    "home.watch-about": N_("Watch the game live."),
    "home.finished-about": N_("Final scores: {scores}."),
    # The site as an app on a phone.
    "home.shortcut-new": N_("New game"),
    "home.shortcut-pad": N_("Score pad"),
    "home.shortcut-games": N_("Your games"),
    # The daily game and deals: what is refused,
    "home.daily-not-a-date": N_("Write the date as 2026-11-17. You wrote {text}."),
    "home.daily-no-such-day": N_("There is no daily game for {day}. The first one here was on {first}."),
    "home.daily-no-such-deal": N_("There is no deal at this address. Ask for the link again."),
    "home.daily-cannot-deal": N_("Only a finished game with digital dice can be played again with the same dice."),
    "home.daily-closes-range": N_("Choose a last day from today to {last}. You chose {closes}."),
    "home.daily-table-or-date": N_(
        "A deal needs the table of a finished game, or the last day on which it can be begun."
    ),
    "home.daily-full": N_("{most} people play this deal, which is the limit."),
    # results,
    "home.daily-rank": N_("Rank {rank} of {players}"),
    "home.daily-lost": N_("{points} points lost"),
    "home.daily-next-hours": P_("Next game in {count} hour", "Next game in {count} hours"),
    "home.daily-next-minutes": P_("Next game in {count} minute", "Next game in {count} minutes"),
    "home.daily-preview": N_("Daily game {day}: {book}"),
    "home.daily-preview-about": N_("Everyone plays the same dice. How many points do you lose?"),
    "home.daily-deal-preview": N_("Play the same dice: {book}"),
    # and in the terminal.
    "home.daily-counts": N_("This game counts. There are no hints."),
    "home.daily-practice": N_("Practice: this game does not count."),
    "home.daily-total": N_("Total {total}"),
    "home.daily-no-total": N_("This game was ended early, so it has no result."),
    "home.daily-practise": N_("Practise with the same dice: {command}"),
    "home.daily-no-zone": N_("There is no time zone {zone}. Write one such as Europe/Berlin."),
    "home.daily-no-result": N_("You have no result for this day yet."),
    "home.daily-dearest": N_("Turn {turn}, {dice}: {did}. Better: {best}."),
}
