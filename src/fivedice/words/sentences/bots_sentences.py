"""Sentences about bots."""

from fivedice.words.marks import N_, Table

SENTENCES: Table = {
    "bots.random": N_("does anything that is allowed"),
    "bots.greedy": N_("grabs what pays now, misses a lot"),
    "bots.casual": N_("takes what pays most now"),
    "bots.steady": N_("plans by rule of thumb"),
    "bots.sharp": N_("knows the odds, slips now and then"),
    "bots.perfect": N_("plays for the highest mean, exactly"),
    "bots.unknown": N_("There is no bot {bot}. Choose {known}."),
    "bots.dice-not-rolled": N_("A bot can choose only after all dice are rolled."),
    "bots.other-book": N_("This bot plays {own}. The game is {book}."),
}
