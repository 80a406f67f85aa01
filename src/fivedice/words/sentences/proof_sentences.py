"""Sentences about what checking a recorded game has shown."""

from fivedice.words.marks import N_, Table

SENTENCES: Table = {
    "proof.needs-package": N_("Receipts need one more package ({missing}). Run: pip install 'fivedice[web]'"),
    "proof.bad-signature": N_("The signature of the receipt is wrong. The receipt was changed, or never signed."),
    "proof.other-key": N_("The receipt is signed by the key {signed}, not by {known}."),
    "proof.lock-noted": N_("The dice lock is the one that you noted."),
    "proof.text-noted": N_("Your text {text} is in the dice."),
    "proof.signed-before": N_("The receipt was signed at {time}, before the game began, by the key {key}."),
    "proof.signed": N_("The receipt was signed at {time} by the key {key}."),
    "proof.key-known": N_("The key is the one that you gave."),
    "proof.no-bots": N_("The record names no bots."),
}
