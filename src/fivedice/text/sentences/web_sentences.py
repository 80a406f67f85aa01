"""Texts of the web server, for pages, programs and the operator."""

from __future__ import annotations

from fivedice.text.marks import N_, P_, Table

_WHOLE: Table = {
    # Who is asking, and what is refused.
    "web.no-key": N_("API key missing. Get one from POST /api/players and send it as 'Authorization: Bearer KEY'."),
    "web.bad-key": N_("API keys have {shortest} to {longest} characters. Get one from POST /api/players."),
    "web.bot-without-text": N_("Only a person adds a text to the dice. Leave {text} out for a bot."),
    "web.plain-text": N_("This request has plain text. Send JSON, or a form."),
    "web.json-needed": N_(
        "A body sent with a cookie must be JSON. Add “Content-Type: application/json”. This request has {kind}."
    ),
    "web.other-site": N_("This request came from another site and was refused."),
    "web.passphrase-needed": N_(
        "This server needs a passphrase to open games and save rules. "
        "Enter it on the home page; programs send it as the header {header}."
    ),
    "web.passphrase-wrong": N_("This is not the passphrase. Ask the person who runs this server for it."),
    "web.sign-in-needed": N_("Only people who signed in can open games and save rules here. Ask the operator."),
    "web.not-invited": N_("You need an invitation link to join. You can watch."),
    "web.metrics-not-yours": N_("Metrics are for the operator. The setting metrics_from lists who may read them."),
    "web.players-invite": N_("Only players in this game can invite others."),
    "web.link-used": N_("This link was used or replaced. Ask for a new one."),
    "web.broken": N_("Something went wrong on the server. Try again."),
    "web.nothing-here": N_("There is nothing at this address."),
    "web.no-file": N_("There is no such file."),
    "web.no-action": N_("There is no action {action} in a game."),
    "web.wrong-method": N_("This address does not accept this kind of request."),
    "web.too-large": N_("This is too large. At most {most} KiB are accepted."),
    "web.bad-host": N_("The request does not say which host it is for."),
    "web.other-host": N_(
        "This server is not known by this name. If it is yours, add the name to its setting hosts, or set base_url."
    ),
    # What cannot be read.
    "web.nested": N_("The JSON is nested too deeply."),
    "web.not-utf-8": N_("The text is not UTF-8. Save it as UTF-8 and try again."),
    "web.invalid": N_("This cannot be read: {parts}."),
    "web.invalid-field": N_("{field}: {problem}"),
    "web.invalid-body": N_("the body: {problem}"),
    "web.unknown-command": N_("There is no command {command}. Choose one of {commands}."),
    "web.command-needs": N_("The command {command} needs {field}."),
    "web.dice-are-digits": N_("Enter dice as digits, such as 24466. You entered {text}."),
    "web.not-a-whole-number": N_("{field} must be a whole number, not {text}."),
    "web.name-or-bot": N_("Each seat needs either a name or a bot."),
    # How much one client may ask for.
    "web.too-many-reads": N_("Too many requests from your address. Wait {wait} and try again."),
    "web.too-many-writes": N_("Too many moves and changes from your address. Wait {wait} and try again."),
    "web.too-many-tables": N_("Too many new games from your address. Wait {wait} and try again."),
    "web.too-many-guesses": N_("Too many wrong passphrases from your address. Wait {wait} and try again."),
    "web.too-many-bytes": N_("Too much was saved from your address today. Wait {wait} and try again."),
    "web.too-many-books": N_("Too many new house rules from your address. Wait {wait} and try again."),
    "web.too-many-work": N_("Your address asks for too much work. Games go on. Wait {wait} and try again."),
    "web.too-many-looks": N_("Your address looks at too many games. Moves go on. Wait {wait} and try again."),
    "web.too-many-options": N_("These rules have too many different rolls to send them all at once."),
    "web.head-too-long": N_("The headers of a request may have at most {most} KiB."),
    "web.busy": N_("The server has too much to do. Games go on. Try again in a few seconds."),
    "web.stopping": N_("The server is stopping. Try again in a few seconds."),
    "web.too-many-streams": N_("Too many games are open at your address. Close some, wait {wait} and try again."),
    "web.seconds": P_("{count} second", "{count} seconds"),
    "web.minutes": P_("{count} minute", "{count} minutes"),
    # The coach.
    "web.coach-busy": N_("The coach is busy: too many others are waiting. Try again in a minute."),
    "web.coach-beyond-a-phone": N_("The coach for {book} is too large for a phone. Ask it with a connection."),
    "web.coach-not-at-hand": N_("Ask the coach about {book} once with a connection. Then a phone can keep it."),
    "web.solution-ready": N_("The best moves for {book} are known."),
    "web.solution-running": N_("Working out the best moves for {book}: {done} done. You can play meanwhile."),
    "web.solution-compiling": N_("Compiling once, about 8 s. You can play meanwhile."),
    "web.solution-waiting": N_("The best moves for {book} are worked out next. You can play meanwhile."),
    "web.solution-failed": N_("No hints for {book}: an error occurred. See the server log."),
    "web.solution-too-large": N_("No hints for {book}: working it out would take too long."),
    "web.solution-mean": N_("The best moves are known. Perfect play averages {mean} points."),
    "web.too-many-states": N_("No hints: this game has {size} states; the limit is {most}. You can play it."),
    "web.too-much-work": N_("No hints: this game takes {size} steps; the limit is {most}. You can play it."),
    "web.odds-running": N_("Working out the odds: {done} done. You can play meanwhile."),
    "web.odds-failed": N_("No odds: an error occurred. See the server log."),
    # The end of a game, among one's own.
    "web.end-first": N_("Your first game with these rules."),
    "web.end-best": N_("Your best: {more} more than before."),
    "web.end-best-again": N_("As many as your best."),
    "web.end-second": N_("Your second best of {games}."),
    "web.end-third": N_("Your third best of {games}."),
    "web.end-other": N_("Your best of {games}: {best}."),
    # Games, records and reports.
    "web.no-record": N_("The game is not finished, so it has no record yet."),
    "web.no-report": N_("The game is not finished, so it has no report yet."),
    "web.no-such-game": P_(
        "There is no game {game}: this sheet has {count} finished game.",
        "There is no game {game}: this sheet has {count} finished games.",
    ),
    "web.record-too-long": P_(
        "The record has {count} character. At most {most} are read here.",
        "The record has {count} characters. At most {most} are read here.",
    ),
    "web.record-missing": N_("Paste a record, from its first bracket to the line with the totals."),
    "web.too-many-games": P_(
        "There is {count} game. At most {most} are read at once.",
        "There are {count} games. At most {most} are read at once.",
    ),
    "web.too-many-rules": N_("The records are by more than {most} house rules. Bring fewer at once."),
    "web.choose-a-game": P_(
        "There is {count} game, so choose game 1. You chose {game}.",
        "Choose a game from 1 to {count}. You chose {game}.",
    ),
    # Fair dice.
    "web.verify-house-rules": N_(
        "This game used house rules. Use “Check every roll” on the page of the game, "
        "“fivedice verify FILE”, or the short program below."
    ),
    "web.verify-other-record": N_(
        "This server has the game of your receipt, with other moves. The record was changed."
    ),
    "web.dice-not-revealed": N_("You can check the dice when the game is over."),
    "web.no-receipt": N_("This game has no receipt. Only games with fair dice have one."),
    "web.dice-too-few": N_("too few dice so far to tell"),
    "web.dice-usual": N_("as fair dice fall"),
    "web.dice-unusual": N_("a little unusual"),
    "web.dice-unfair": N_("not how fair dice fall"),
    # The score pad.
    "web.no-scorekeeper": N_("This game rolls its own dice, so it has no scorekeeper."),
    "web.turn-not-scored": N_("This turn has no score yet, so there is nothing to correct."),
    "web.scored-turn": N_("{name}, round {round}: {dice} in {box}"),
    "web.box-free": N_("{box} {points}"),
    "web.box-used-later": N_("{box} {points}, used later"),
    "web.turn-of": N_("{name}’s turn"),
    "web.match-led": P_("{names} leads the match with {points}", "{names} lead the match with {points}"),
    "web.match-won": P_("{names} wins the match with {points}", "{names} share the match with {points}"),
    # House rules.
    "web.no-book": N_("There are no rules called {key}. Choose {known}, or use the id of saved house rules."),
    "web.no-house-rules": N_("There are no house rules at this address."),
    "web.our-rules": N_("Our {book}"),
    "web.rules-differ": N_("{base}, except for: {topics}."),
    "web.rules-same": N_("Plays like {base}."),
    "web.rules-not-toml": N_(
        "Put text in quotation marks, write true and false in small letters, and put lists and the names of tables in "
        "square brackets."
    ),
    "web.rules-change": N_("Change it below and try again. The end of this page lists what a line can say."),
    "web.rules-shorten": N_("Extend shipped rules and write down only what differs. A few lines are enough."),
    "web.rules-not-text": N_("Save the file as UTF-8 and choose it again, or paste the text below."),
    "web.part-name": N_("Name"),
    "web.part-bonus": N_("Upper bonus"),
    "web.part-alike": N_("Another five of a kind"),
    "web.part-box": N_("A box"),
    "web.part-game": N_("The game"),
    "web.part-bonuses": N_("A further bonus"),
    "web.pays-fixed": N_("a fixed number"),
    "web.pays-all": N_("the total of all dice"),
    "web.pays-matching": N_("the matching dice"),
    "web.pays-plus-all": N_("a number plus all dice"),
    "web.pays-plus-matching": N_("a number plus the matching dice"),
    "web.needs-no-more": N_("nothing more"),
    "web.dice-face": N_("The number, such as 4"),
    "web.dice-sizes": N_("How many of a kind, such as 3+2"),
    "web.dice-length": N_("How many in a row, such as 4"),
    "web.dice-faces": N_("The numbers, such as 1-3-5"),
    "web.dice-total": N_("The total, such as 13"),
    "web.over-upper": N_("the upper section"),
    "web.over-lower": N_("the lower section"),
    "web.over-boxes": N_("the boxes ticked below"),
    "web.order-free": N_("Any open box"),
    "web.order-upper-first": N_("The upper section first"),
    "web.order-sheet": N_("From the top of the score sheet down"),
    "web.section-upper": N_("upper, counts for the bonus"),
    "web.section-lower": N_("lower"),
    "web.start-roll-off": N_("A roll-off: the highest total starts"),
    "web.start-draw": N_("Drawn by lot"),
    "web.step-none": N_("no further step"),
    "web.step-face": N_("the box of their number"),
    "web.step-upper": N_("an open upper box"),
    "web.step-lower": N_("an open lower box"),
    "web.step-any": N_("any open box"),
    "web.step-plain": N_("for what they show"),
    "web.step-joker": N_("as a joker"),
    "web.step-wild": N_("as a joker, also in other upper boxes"),
    "web.step-zero": N_("for 0"),
    "web.step-always": N_("always"),
    "web.step-face-open": N_("while the box of their number is open"),
    "web.step-face-filled": N_("once the box of their number is scored"),
    "web.steps-once-filled": N_("once their own box is scored, even with 0"),
    "web.steps-while-scored": N_("only while their own box has points"),
    "web.joker-rules": N_("Joker rules"),
    "web.needs-alike-box": N_("This needs a box for five of a kind, and the sheet has none."),
    "web.no-own-steps": N_("You chose your own steps. Fill in at least one below."),
    "web.needs-a-box": N_("A score sheet needs at least one box."),
    "web.pattern-digits": N_("Write digits such as 3+2 or 1-2-3-4-5. You wrote {text}."),
    "web.pattern-one-number": N_("Write one whole number here, such as 4. You wrote {text}."),
    "web.colours-digits": N_("Join numbers of one colour by a plus: 1+6, 2+5, 3+4. Each number has one colour."),
    "web.amounts-wrong": N_("Enter one number, or several such as 100, 200, 300. You entered {text}."),
    "web.bonus-needs-boxes": N_("Tick the boxes that count for this bonus."),
    "web.field-range": N_("Enter a number from {low} to {high}. You entered {value}."),
    "web.field-line": N_("Enter a name of 1 to {most} characters."),
    "web.field-numbers": N_("Enter 1 to {most} numbers, each from {low} to {high}."),
    "web.field-sums": N_("{box} can score a number or all dice, but not the matching dice alone."),
    "web.field-colours": N_("{box} asks for one colour. Enter the colours in “Dice and colours”."),
    "web.no-reaction": N_("Picture {picture} is unknown. Choose 0 to 5."),
    "web.field-two-colours": N_("A number has one colour. Enter each number once."),
    "web.field-tiers": N_("Each step must start higher than the one before, and not pay less."),
    "web.field-no-legal-box": N_("These steps leave no box for {face}s when only {boxes} are open. Add a step."),
    "web.preset-does-not-fit": N_("{preset} needs boxes that are not on your score sheet."),
    "web.part-presets": N_("Well-known house rules"),
    "web.example-filled": P_("{boxes} already has points.", "{boxes} already have points."),
    "web.example-empty": N_("The score sheet is empty."),
    "web.example-bonus": N_("{bonus}: a total of {total} pays {now}, not {then}."),
    "web.example-extra": N_("Further five of a kind number {number} pays {now}, not {then}."),
    "web.example-saved": N_("Stop after 1 roll, and your next turn has {rolls}."),
    "web.solving-soon": N_("Hints and perfect bots: ready a few seconds after you save."),
    "web.solving-long": N_("Hints and perfect bots: ready about {wait} after you save."),
    "web.solving-never": N_("No hints and no perfect bots: this game is too large to work out. You can play it."),
    "web.number-missing": N_("Enter a number."),
    "web.number-wrong": N_("Enter a whole number. You entered {text}."),
}
_OPERATOR: Table = {
    "web.serving": N_("Fivedice is at {address} (Ctrl-C stops it; games are kept)"),
    "web.cannot-listen": N_("Cannot listen on {host} port {port}: {problem}. Choose another with --port."),
    "web.settings-unreadable": N_("The settings file {file} cannot be read: {error}."),
    "web.setting-unknown": N_("{file}: there is no setting {setting}. Use {known}."),
    "web.setting-bool": N_("The setting {setting} must be true or false, not {value}."),
    "web.setting-str": N_("The setting {setting} must be text, not {value}."),
    "web.setting-int": N_("The setting {setting} must be a whole number, not {value}."),
    "web.setting-float": N_("The setting {setting} must be a number, not {value}."),
    "web.setting-host": N_("The setting {setting} must be an address to listen on, such as 127.0.0.1, not {value}."),
    "web.setting-port": N_("The setting {setting} must be from 0 to {most}, not {value}."),
    "web.setting-bot-pause": N_("The setting {setting} must be from 0 to {most} seconds, not {value}."),
    "web.setting-limit": N_("The setting {setting} must be from 0 (no limit) to {most}, not {value}."),
    "web.setting-opener-header": N_(
        "The setting {setting} must be the name of a header such as Remote-User, not {value}. It needs trusted_proxies."
    ),
    "web.setting-passphrase": N_(
        "A passphrase has {least} to {most} characters in one line. Change the setting passphrase, or its file."
    ),
    "web.passphrase-unreadable": N_("The file {file} of the setting passphrase_file cannot be read: {error}."),
    "web.passphrase-twice": N_("Set passphrase or passphrase_file, not both."),
    "web.setting-base-url": N_(
        "The setting {setting} must be an address such as https://dice.example, not {value}. "
        "A path goes into the setting path."
    ),
    "web.setting-path": N_(
        "The setting {setting} must look like /dice or /games/dice, with letters, digits, - and _ only, not {value}."
    ),
    "web.setting-path-taken": N_(
        "The setting {setting} is {value}, but {taken} is an address of Fivedice itself. "
        "Choose another path, such as /dice."
    ),
    "web.setting-hosts": N_("The setting {setting} must be names such as dice.example, 10.0.0.5, or *, not {value}."),
    "web.setting-database": N_(
        "The setting {setting} must be a database URL such as sqlite:////var/lib/fivedice/tables.db or "
        "postgresql://user@host/name, not {value}."
    ),
    "web.setting-networks": N_(
        "The setting {setting} must be addresses or networks such as 127.0.0.1, 10.0.0.0/8, not {value}."
    ),
    "web.setting-language": N_("The setting {setting} must be {known}, not {value}."),
    "web.setting-zone": N_("The setting {setting} must be a time zone such as Europe/Berlin, not {value}."),
    "web.setting-log-format": N_("The setting {setting} must be json, text or auto, not {value}."),
}
SENTENCES: Table = _WHOLE | _OPERATOR
