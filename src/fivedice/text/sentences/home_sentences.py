"""Sentences of the first page and of the list of games."""

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
}
