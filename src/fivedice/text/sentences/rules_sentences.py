"""Texts about rules: what a book says, and why a file is refused."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # What decides play
    "rules.topic-dice": N_("Dice"),
    "rules.topic-rolls": N_("Rolls"),
    "rules.topic-order": N_("Order of boxes"),
    "rules.topic-start": N_("Start"),
    "rules.topic-bonus": N_("Upper bonus"),
    "rules.topic-more-bonuses": N_("Further bonuses"),
    "rules.topic-extra": N_("What another five of a kind pays"),
    "rules.topic-joker": N_("Where another five of a kind scores"),
    "rules.topic-box": N_("{box}"),
    "rules.topic-sheet-order": N_("Order of the score sheet"),
    "rules.dice": P_("{dice} die, 1 to {faces}.", "{dice} dice, each 1 to {faces}.", by="dice"),
    "rules.rolls": P_("{rolls} roll per turn.", "Up to {rolls} rolls per turn.", by="rolls"),
    "rules.rolls-saved": P_(
        "{rolls} roll per turn. Rolls not used are saved for later turns.",
        "Up to {rolls} rolls per turn. Rolls not used are saved for later turns.",
        by="rolls",
    ),
    "rules.order-free": N_("Any open box, in any order."),
    "rules.order-fixed": N_("From the top of the score sheet down."),
    "rules.order-upper-first": N_("The upper section first, then the lower."),
    "rules.start-roll-off": N_("A roll-off: the highest total starts. Ties roll again."),
    "rules.start-draw": N_("The first player is drawn by lot."),
    "rules.no-bonus": N_("None."),
    "rules.bonus": P_(
        "{points} point for an upper total of {threshold} or more.",
        "{points} points for an upper total of {threshold} or more.",
        by="points",
    ),
    "rules.bonus-tiers": N_("For the upper total: {tiers}."),
    "rules.tier": P_("{points} point from {threshold}", "{points} points from {threshold}", by="points"),
    "rules.more-bonuses": N_("{bonuses}"),
    "rules.bonus-of-section": N_("{name}, for the boxes of {section}: {tiers}."),
    "rules.bonus-of-boxes": N_("{name}, for {boxes} together: {tiers}."),
    "rules.no-extra": N_("Nothing extra."),
    "rules.extra-each-time": P_(
        "{extra} point each time, while {box} has points.",
        "{extra} points each time, while {box} has points.",
        by="extra",
    ),
    "rules.extra-once": P_(
        "{extra} point once per game, while {box} has points.",
        "{extra} points once per game, while {box} has points.",
        by="extra",
    ),
    "rules.extra-limited": N_("{extra} points each time, at most {most} times per game, while {box} has points."),
    "rules.extra-rising": N_("{extras} points and so on, while {box} has points."),
    "rules.extra-rising-limited": N_("{extras} points, at most {most} times per game, while {box} has points."),
    "rules.no-joker-steps": N_("In any open box, like any other roll."),
    "rules.joker-steps-scored": N_("Once {box} has points: {steps}"),
    "rules.joker-steps-filled": N_("Once {box} is filled, even with 0: {steps}"),
    "rules.joker-step": N_("{number}) {boxes}, {points}."),
    "rules.joker-step-extra": N_("{number}) {boxes}, {points}, with {extra} extra."),
    "rules.joker-step-no-extra": N_("{number}) {boxes}, {points}, with nothing extra."),
    "rules.target-face": N_("the box of its number"),
    "rules.target-face-filled": N_("the box of its number, once one is filled"),
    "rules.target-upper": N_("an open upper box"),
    "rules.target-upper-open": N_("an open upper box, while the box of its number is open"),
    "rules.target-upper-filled": N_("an open upper box, once the box of its number is filled"),
    "rules.target-lower": N_("an open lower box"),
    "rules.target-lower-open": N_("an open lower box, while the box of its number is open"),
    "rules.target-lower-filled": N_("an open lower box, once the box of its number is filled"),
    "rules.target-any": N_("any open box"),
    "rules.target-any-open": N_("any open box, while the box of its number is open"),
    "rules.target-any-filled": N_("any open box, once the box of its number is filled"),
    "rules.score-as-plain": N_("for its usual points"),
    "rules.score-as-joker": N_("as a joker"),
    "rules.score-as-zero": N_("for 0"),
    "rules.score-as-wild": N_("as a joker that counts as any number"),
    # Boxes
    "rules.box": N_("{asks}: {points}."),
    "rules.box-in-section": N_("{rule} ({section})"),
    "rules.no-such-box": N_("No such box"),
    "rules.sheet-order": N_("{boxes}"),
    "rules.points-fixed": P_("{points} point", "{points} points", by="points"),
    "rules.points-all": N_("the total of all dice"),
    "rules.points-plus-all": N_("{points} plus the total of all dice"),
    "rules.points-plus-own": N_("{points} plus their total"),
    "rules.points-own": N_("their total"),
    "rules.asks-face": N_("Any dice showing {face}"),
    "rules.asks-pair": N_("A pair"),
    "rules.asks-group": N_("At least {size} of a kind"),
    "rules.asks-pairs": N_("{count} pairs of different numbers"),
    "rules.asks-pairs-any": N_("{count} pairs of any numbers"),
    "rules.asks-groups": N_("{sizes} of a kind, different numbers"),
    "rules.asks-groups-any": N_("{sizes} of a kind, any numbers"),
    "rules.asks-run": N_("{length} numbers in a row"),
    "rules.asks-exactly": N_("{dice}"),
    "rules.asks-one-colour": N_("{asks}, of one colour ({colours})"),
    "rules.asks-only": N_("Every die {faces}"),
    "rules.asks-even": N_("Every die even"),
    "rules.asks-odd": N_("Every die odd"),
    "rules.asks-even-total": N_("An even total"),
    "rules.asks-odd-total": N_("An odd total"),
    "rules.asks-total": N_("A total of {total}"),
    "rules.asks-flush": N_("All dice of one colour ({colours})"),
    "rules.asks-both": N_("{first}; {second}"),
    "rules.asks-alike": P_("{dice} die, any number", "All {dice} dice the same", by="dice"),
    "rules.asks-anything": N_("Any dice"),
    "rules.pattern-face": N_("dice of one number"),
    "rules.pattern-groups": N_("groups of a kind"),
    "rules.pattern-run": N_("numbers in a row"),
    "rules.pattern-exactly": N_("exactly these numbers"),
    "rules.pattern-only": N_("only these numbers"),
    "rules.pattern-parity": N_("all even or all odd"),
    "rules.pattern-total": N_("a given total"),
    "rules.pattern-flush": N_("all of one colour"),
    "rules.pattern-both": N_("two things at once"),
    "rules.pattern-alike": N_("all dice the same"),
    "rules.pattern-anything": N_("any dice"),
    "rules.flag-one-colour": N_("All groups of one colour"),
    "rules.flag-odd": N_("Odd, not even"),
    "rules.flag-of-total": N_("The total, not every die"),
    "rules.flag-same-face": N_("Groups may show the same number: all dice the same count too"),
    # Boxes in few words, as on a printed pad
    "rules.brief-fixed": N_("{asks}: score {points}"),
    "rules.brief-fixed-alone": N_("Score {points}"),
    "rules.brief-all": N_("{asks}: total of all dice"),
    "rules.brief-all-alone": N_("Total of all dice"),
    "rules.brief-own": N_("{asks}: their total"),
    "rules.brief-groups-one-colour": N_("{sizes} of one colour"),
    "rules.brief-groups": N_("{sizes} of a kind"),
    "rules.total-of-face": N_("Total of the {face}s"),
    "rules.total-of-pairs": P_("Total of the pair", "Total of the pairs"),
    "rules.total-of-group": N_("Total of the {size}"),
    # Questions that a book refuses
    "rules.unknown-box": N_("{book} has no box {box}. Its boxes are {known}."),
    "rules.other-dice": P_(
        "{book} uses {dice} die, 1 to {faces}. You entered {roll}.",
        "{book} uses {dice} dice, each 1 to {faces}. You entered {roll}.",
        by="dice",
    ),
    "rules.not-a-book": N_("Give rules by their key, such as 'yatzy', or the path of a .toml file. You gave {given}."),
    "rules.unknown-book": N_("There are no rules {book}. Choose {known}, or give the path of a .toml file."),
    "rules.unknown-book-like": N_(
        "There are no rules {book}. Did you mean {meant}? Choose {known}, or give the path of a .toml file."
    ),
    "rules.unknown-base": N_("There are no rules {book}. Choose {known}."),
    "rules.unknown-base-like": N_("There are no rules {book}. Did you mean {meant}? Choose {known}."),
    "rules.base-is-a-file": N_(
        "{key} cannot name a file. It is {book}. Extend {known}, and copy the lines of that file into this one."
    ),
    # Files that are refused
    "rules.problem-in-file": N_("{file}: {reason}"),
    "rules.problem-in-line": N_("{file}, line {line}: {reason}"),
    "rules.unreadable-file": N_("The file cannot be read: {why}."),
    "rules.impossible-path": N_("No file can have this name."),
    "rules.bad-byte": N_("The file is not UTF-8 text. The byte {byte} cannot be read."),
    "rules.half-characters": N_("The text has incomplete characters, which cannot be saved."),
    "rules.not-utf-8": N_("The file is not UTF-8 text. Save it as UTF-8 and try again."),
    "rules.file-too-long": N_("The file has {length} characters. Rules may have at most {most}."),
    "rules.key-too-long": N_("A key may have at most {most} parts. The line is {text}."),
    "rules.not-toml": N_("This is not TOML: {reason}."),
    "rules.number-too-long": N_("This number has too many digits. Write a shorter one."),
    "rules.too-deep": N_("Lists and tables are nested too deep here. Rules need three levels at most."),
    "rules.shipped-key": N_("The key {key} belongs to rules that come with Fivedice and differ. Choose another key."),
    "rules.missing-key": N_("{key} is missing."),
    "rules.no-box-in-base-like": N_(
        "{base} has no box {box}. Did you mean {meant}? A new box needs a name and a pattern."
    ),
    "rules.no-box-in-base": N_("{base} has no box {box}, only {known}. A new box needs a name and a pattern."),
    "rules.unknown-key": N_("{key} is not a known key. Known keys here: {known}."),
    "rules.unknown-key-like": N_("{key} is not a known key. Did you mean {meant}?"),
    "rules.must-be-text": N_("{key} must be text. It is {value}."),
    "rules.must-be-number": N_("{key} must be a whole number. It is {value}."),
    "rules.must-be-flag": N_("{key} must be true or false. It is {value}."),
    "rules.must-be-table": N_("{key} must be a table. It is {value}."),
    "rules.must-be-list": N_("{key} must be a list. It is {value}."),
    "rules.must-be-line": N_("{key} must be one line of 1 to {most} characters. It is {value}."),
    "rules.must-be-prose": N_("{key} must be plain text of at most {most} characters."),
    "rules.must-be-numbers": N_(
        "{key} must be a list of 1 to {most} whole numbers from {low} to {high}. It is {value}."
    ),
    "rules.must-be-lists": N_(
        "{key} must be a list of 1 to {most} lists of whole numbers from {low} to {high}. It is {value}."
    ),
    "rules.must-be-texts": N_("{key} must be a list of texts. It is {value}."),
    "rules.must-be-tables": N_("{key} must be a list of at most {most} tables."),
    "rules.must-be-one-of": N_("{key} must be {options}. It is {value}."),
    "rules.out-of-range": N_("{key} must be from {low} to {high}. It is {value}."),
    "rules.bad-book-key": N_(
        "{key} must be lower-case letters, digits and hyphens, such as 'our-yatzy'. It is {value}."
    ),
    "rules.bad-box-key": N_(
        "The key of a box must be lower-case letters, digits and underscores, such as 'full_house'. It is {value}."
    ),
    "rules.bad-code": N_("{key} must be two lower-case letters or digits, such as 'fh'. It is {value}."),
    "rules.bad-language": N_("Names are given per language, such as [names.sv]. This language is {value}."),
    "rules.too-many-languages": N_("{key} may have at most {most} languages."),
    "rules.number-of-boxes": N_("A score sheet has 1 to {most} boxes. This one has {count}."),
    "rules.number-of-notes": N_("Rules may have at most {most} notes. These have {count}."),
    "rules.bad-sequence": N_("{key} must name every box once: {boxes}."),
    # Rules that are left out on purpose
    "rules.unsupported-columns": N_(
        "Several columns for one player are not supported. Remove {key}, and play one game per column."
    ),
    "rules.unsupported-roll-number": N_(
        "Points that depend on the number of the roll are not supported. Write one number of points instead of {key}."
    ),
    "rules.unsupported-announcement": N_(
        "Announcements are not supported. Remove {key}. A box is always chosen after the roll."
    ),
    "rules.unsupported-other-players": N_(
        "Effects on other players’ score sheets are not supported. Remove {key}, and pay the player who rolled."
    ),
    "rules.unsupported-code": N_(
        "Code is not supported. Nothing in a file is run. Use 'pattern' and 'points' instead of {key}."
    ),
    "rules.unsupported-other-box": N_(
        "Points that depend on another box are not supported. Make {key} a number or a total of the dice."
    ),
    "rules.unsupported-condition": N_(
        "Conditions between boxes are not supported. Remove {key}. The one order between boxes is 'order'."
    ),
    "rules.unsupported-repeated": N_(
        "Boxes that score several times, and a conversion of points at the end, are not supported. "
        "Write one box per time instead of {key}."
    ),
    # Rules that cannot be played
    "rules.used-twice": N_("{word} is used twice. It already means the box {other}."),
    "rules.tally-code": N_("The code {code} is reserved for extra bonuses. Choose another code."),
    "rules.no-such-face": N_("{box} counts the number {face}, but the dice go from 1 to {faces}."),
    "rules.groups-need-dice": N_("{box} needs {needed} dice for groups of {sizes}, but there are only {dice}."),
    "rules.groups-need-faces": N_("{box} needs {needed} different numbers, but the dice have only {faces}."),
    "rules.run-too-long": N_(
        "{box} needs {length} numbers in a row, which {dice} dice, each 1 to {faces}, cannot show."
    ),
    "rules.faces-impossible": N_("{box} needs {wanted}, each once, which {dice} dice, each 1 to {faces}, cannot show."),
    "rules.sums-itself": N_("{box} must score a fixed number or 'all', not 'matching'."),
    "rules.two-orders": N_("'fixed_order = true' and order {value} contradict each other. Leave one of them out."),
    "rules.face-of-two-colours": N_("{key} names a number twice. A number has one colour."),
    "rules.colour-of-no-face": N_("The colours name {face}. The dice show 1 to {faces}."),
    "rules.no-colours": N_("{box} asks for one colour. Add a line such as colours = [[1, 6], [2, 5], [3, 4]]."),
    "rules.no-such-faces": N_(
        "{box} asks for {wanted}. The dice show each of 1 to {faces}, so name each at most once."
    ),
    "rules.total-impossible": N_("{box} asks for a total of {total}. These dice give {low} to {high}."),
    "rules.never-both": N_("{box} asks for two things that no roll shows at once."),
    "rules.bad-points": N_(
        "{key} must be a number, 'all', 'matching', or a number plus one of these, such as '15 + all'. It is {value}."
    ),
    "rules.number-of-bonuses": N_("There may be at most {most} further bonuses. There are {count}."),
    "rules.one-too-many": N_("{key} and {other} contradict each other. Leave one of them out."),
    "rules.bad-tiers": N_("{key} must be a list of 1 or more steps whose 'from' and 'points' rise."),
    "rules.bonus-over-no-box": N_("There is no box {box} for this bonus. The boxes are {known}."),
    "rules.bonus-box-twice": N_("A box counts once for a bonus. Name each box once."),
    "rules.bonus-of-boxes-too-high": N_("These boxes give at most {most}, so a bonus at {threshold} is never paid."),
    "rules.bonus-too-high": N_("The upper boxes give at most {most}, so a bonus at {threshold} is never paid."),
    "rules.not-an-alike-box": N_("'alike.box' must name a box with the pattern 'alike'. It is {box}."),
    "rules.no-legal-box": N_("The ladder leaves no box for dice all showing {face} when only {boxes} are open."),
}
