"""Texts about records: what cannot be read, and what contradicts the rules."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # Cards and positions
    "notation.filled-twice": N_("{text} fills the box {code} twice."),
    "notation.unknown-code": N_("{book} has no box {code}. Its codes are {known}."),
    "notation.bad-entry": N_("Write code:points, such as 4s:12. You entered {text}."),
    "notation.no-tally": N_("{book} has no extra bonus. The tally is {points}."),
    "notation.bad-tally": N_("The tally must be a multiple of {extra}. It is {points}."),
    "notation.impossible-tally": N_("Extra bonuses cannot come to {points} here."),
    "notation.tally-with-count": N_("Write how many extra bonuses there were: yb:{points}/2 for two."),
    "notation.tally-alone": N_("Write the extra bonuses as yb:{points}, without a count."),
    "notation.bad-saved-rolls": N_("Write saved rolls as a number behind a plus, such as 4s:12+2. You entered {text}."),
    "notation.bad-position": N_(
        "Write book, cards, seat, dice and rolls left, such as 'yahtzee 1s:3|yz:50 1 24466 2'. You entered {text}."
    ),
    "notation.too-many-cards": N_("A game has at most {most} players. There are {count} cards, {card} first."),
    "notation.bad-rules": N_("The rules in this record can’t be read. Their line {line}: {reason}"),
    "notation.other-book": N_("The text is about {key}. The rules given are {book}."),
    "notation.impossible-position": N_("{text} cannot happen in {book}. {reason}"),
    "notation.no-such-seat": N_("There is no seat {seat}. Seats are numbered from 0 to {last}."),
    "notation.seat-is-full": N_("The score sheet of seat {seat} is full."),
    "notation.too-many-rolls": P_("A turn has {rolls} roll.", "A turn has {rolls} rolls.", by="rolls"),
    "notation.rolled-too-early": N_("Dice are rolled before the first roll."),
    "notation.kept-too-early": N_("Dice are kept before the first roll."),
    "notation.dice-after-the-end": N_("The game is over, so no dice are in play."),
    "notation.no-roll-for-dice": N_("Dice must still be rolled, but no roll is left."),
    "notation.from-a-position": N_("This game began from a position, so it has no record. Write its position instead."),
    # JSON
    "notation.not-json": N_("This is not JSON: {why}. The text is {text}."),
    "notation.not-an-object": N_("Give a JSON object. This is {value}."),
    "notation.wrong-type": N_("{key} must be of type {type}. It is {value}."),
    "notation.too-large": N_("{key} must not be beyond {most}. It is {value}."),
    "notation.not-texts": N_("{values} must contain only texts."),
    "notation.no-cards": N_("A position needs at least one card. 'cards' is empty."),
    "notation.rolls-and-keeps": N_("Rolls and keeps must alternate, a roll first. The turn is {turn}."),
    "notation.too-many-marks": N_("A record tells at most {most} times that someone was skipped, left or came."),
    "notation.points-alone": N_("A turn by its points has no rolls and no final dice. The turn is {turn}."),
    "notation.final-dice-alone": N_("Final dice are one roll with nothing kept before it. The turn is {turn}."),
    "notation.other-state": N_("The totals are {totals}, finished is {finished}. The record says otherwise."),
    # Turns and games
    "notation.bad-turn": N_(
        "Write a turn as '24466>44/24446=4s:12', or its final dice as '~24446=4s:12'. You entered {text}."
    ),
    "notation.too-many-rolls-noted": N_("A turn has at most {most} rolls. This one has {count}: {text}."),
    "notation.bad-score": N_("After = write code:points, such as 4k:17. You entered {text}."),
    "notation.unknown-box": N_("{book} has no box {code}. The turn is {text}."),
    "notation.other-points": N_("{box} scores {right}. The record says {written}."),
    "notation.points": N_("{points}"),
    "notation.points-by-joker": N_("{points} as a joker"),
    "notation.too-long": N_("The record has {length} characters. At most {most} can be read."),
    "notation.too-many-records": N_(
        "At most {most} records can be read at once. There are {count}; {text} is too many."
    ),
    "notation.no-totals": N_("The record has no last line of totals, such as '= 254 231'. It may be cut off."),
    "notation.bad-tag": N_('Write a tag as [Name "value"]. The record has {text}.'),
    "notation.tag-twice": N_("The tag {name} occurs twice."),
    "notation.too-many-tags": N_("A record has at most {most} tags. There are {count}, {name} first."),
    "notation.tag-too-many": N_("A record has at most {most} tags besides its own. {text} is too many."),
    "notation.bad-quotes": N_("Write {text} in quotation marks as JSON does."),
    "notation.own-tag": N_(
        "A tag needs a word with a capital, a text, and a name other than {taken}. This is {name}: {value}."
    ),
    "notation.one-value": P_(
        "The record needs one value for the tag {name}. It has {count} value.",
        "The record needs one value for the tag {name}. It has {count} values.",
    ),
    "notation.unknown-format": N_("This record has the format {format}. Only format {known} can be read."),
    "notation.other-fingerprint": N_(
        "The game was played by other rules named {key}. Their fingerprint is {recorded}, not {fingerprint}. "
        "Give the rules it was played by."
    ),
    "notation.bad-seat": N_("A seat is a number from 0. The record has {text}."),
    "notation.roll-off-too-long": N_("A roll-off has at most {most} throws. {text} is too many; there are {count}."),
    "notation.bad-round": N_("Round {number} must be written as '{number}. ' and one turn per player. It is {text}."),
    "notation.round-too-early": N_("Round {number} begins before every player has finished round {before}."),
    "notation.too-many-turns": P_(
        "Round {number} has {turns} turns for {count} player.",
        "Round {number} has {turns} turns for {count} players.",
    ),
    "notation.in-turn": N_("Turn {number} ({player}): {reason}"),
    "notation.in-round": N_("Round {number}, {text} ({player}): {reason}"),
    "notation.unfinished-turn": N_("The turn before it is not finished."),
    "notation.other-totals": N_("The totals are {right}. The record says {written}."),
    # Proofs
    "notation.no-proof": N_(
        "The record has no tag {name}, so its dice cannot be checked. "
        "Only finished games with fair dice can, once their secret is revealed."
    ),
    "notation.bad-texts": N_("The tag Texts must be a JSON list with one text per player. It is {text}."),
    "notation.bad-known": N_("The tag Known must be 64 hexadecimal digits. It is {text}."),
    "notation.unknown-scheme": N_("The dice use the scheme {scheme}. Only {known} can be checked."),
    "notation.other-secret": N_("The secret does not match the dice lock {commitment}."),
    "notation.other-promise": N_("You noted the dice lock {noted}. The record has {written}."),
    "notation.text-missing": N_("The text {text} is not in the dice of this record."),
    "notation.other-start": N_("The dice gave the start to seat {right}. The record says seat {written}."),
    "notation.other-roll-off": N_("The roll-off in the record is not the one that the dice gave."),
    "notation.not-dealt": N_(
        "This record has comments, skipped turns or turns without rolls. A game with a dice lock has none of these."
    ),
    "notation.bad-rematch": N_("The tag Rematch must be yes, in a record without a roll-off. It is {text}."),
    "notation.other-dice": N_("Turn {turn}, roll {roll}: the dice were {right}. The record says {written}."),
    "notation.other-seal": N_("The dice are right, but the seal is not. Something else in the record was changed."),
    "notation.rewritten": N_("The dice are right, but the record is written differently than when it was sealed."),
    # Receipts of dice locks
    "notation.bad-receipt": N_("This is not a receipt: {text}. Use the whole text of the file."),
    "notation.receipt-extra": N_("The receipt cannot be read: it has a part {name}, which no receipt has."),
    "notation.receipt-twice": N_("The receipt cannot be read: its part {name} stands there twice."),
    "notation.bad-receipt-part": N_("The receipt cannot be read: its part {name} is {value}."),
    "notation.bad-key": N_(
        "A public key has 64 digits from 0 to 9 and a to f, as the server shows it at /api/key. This is {text}."
    ),
    "notation.bad-signature-form": N_("The tag Signature must be 128 hexadecimal digits. It is {text}."),
    "notation.bad-time": N_("The tag Begun needs a time such as 2026-11-16T02:50:00.000Z, not {text}."),
    "notation.other-lock": N_("The receipt is for the dice lock {signed}. The record has {written}."),
    "notation.other-table": N_("The receipt is for the game {table}. The record is of another one."),
    "notation.receipt-late": N_("The receipt was signed at {signed}. The game had begun at {begun}."),
    # What checking has shown
    "notation.needs-package": N_("Receipts need the package {missing}. Install fivedice[web]."),
    "notation.bad-signature": N_("The signature of the receipt is wrong. The receipt was changed, or never signed."),
    "notation.bad-record-signature": N_("The signature of the record is wrong. The record was changed."),
    "notation.other-signer": N_("The record is signed by the key {signed}, not by {known}."),
    "notation.signature-needs-package": N_(
        "The signature can’t be compared with your key: the package {missing} is missing. Install fivedice[web]."
    ),
    "notation.key-without-signature": N_(
        "A key is compared with that of a signature. This record has none; add a receipt."
    ),
    "notation.moves-signed": N_("This record was signed with the key {key}, and not changed since."),
    "notation.moves-unchecked": N_("The dice match the secret. The moves are not checked: no signature was verified."),
    "notation.other-key": N_("The receipt is signed by the key {signed}, not by {known}."),
    "notation.lock-noted": N_("The dice lock is the one that you noted."),
    "notation.text-noted": N_("Your text {text} is in the dice."),
    "notation.signed-before": N_("The receipt was signed at {time}, before the game began, by the key {key}."),
    "notation.signed": N_("The receipt was signed at {time} by the key {key}."),
    "notation.key-known": N_("The key is the one that you gave."),
    "notation.no-bots": N_("The record names no bots."),
}
