"""Sentences of the command line. The help of each command is the docstring of its function."""

from __future__ import annotations

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # The first page
    "cli.title": N_("Fivedice: play Yahtzee, Yatzy and Yardzee, by their own rules."),
    "cli.welcome": N_(
        """{title}

  fivedice play                     play here, in the terminal
  fivedice serve --open-browser     play in the browser, alone or together
  fivedice rules                    the rules, and how they differ

fivedice --help lists all commands; fivedice COMMAND --help has examples."""
    ),
    "cli.first-page": N_(
        """{title}

Usage: fivedice COMMAND [...]

Commands
{commands}

Options
  --help                this page; after a command, its own help with examples
  --version             the version
  --install-completion  let your shell complete the commands

Examples
  fivedice play yatzy Ann Bob           two people at one keyboard
  fivedice play --bot steady            you against a bot
  fivedice play --resume                continue your last game
  fivedice rules diff yahtzee yardzee   how two sets of rules differ
  fivedice hint yahtzee 24466 --rolls-left 2

Exit codes: 0 success, 1 an error of ours, 2 bad input, 3 refused lines of a script, 130 interrupted."""
    ),
    "cli.command.play": N_("Play in the terminal: alone, with others, or against bots."),
    "cli.command.join": N_("Sit down at a web table, and play there from the terminal."),
    "cli.command.train": N_("Practise decisions at your own level."),
    "cli.command.games": N_("List the games of this terminal, or export them."),
    "cli.command.bots": N_("List the levels of bots, and how they play."),
    "cli.command.serve": N_("Serve the games to browsers, alone or together."),
    "cli.command.pad": N_("Write the score pad as a web site without a server."),
    "cli.command.backup": N_("Back up all games of a server to one file."),
    "cli.command.restore": N_("Restore a backup into SQLite or PostgreSQL."),
    "cli.command.data": N_("See, export or delete what is kept about a person."),
    "cli.command.rules": N_("List the rules, read or compare them, or check your own."),
    "cli.command.score": N_("Show what a roll scores in every box."),
    "cli.command.hint": N_("Show what to keep or score, best first."),
    "cli.command.odds": N_("Show how perfect play may end."),
    "cli.command.chase": N_("Show the best odds of reaching a total."),
    "cli.command.win": N_("Show who wins a position if all play to win, and what to do."),
    "cli.command.solve": N_("Solve rules exactly: the mean score of perfect play."),
    "cli.command.simulate": N_("Let a bot play many games."),
    "cli.command.match": N_("Let bots play each other, with the luck taken off."),
    "cli.command.engine": N_("Let a bot answer other programs, line by line."),
    "cli.command.scorecard": N_("Make a score sheet to print, empty or filled, as PDF."),
    "cli.command.replay": N_("Check a recorded game and print it."),
    "cli.command.report": N_("Show luck and points lost of a recorded game."),
    "cli.command.stats": N_("Compare many games with perfect play."),
    "cli.command.verify": N_("Check every roll of a recorded game."),
    "cli.command.demo": N_("Watch a game being played."),
    # Errors
    "cli.error": N_("fivedice: {error}"),
    "cli.unexpected": N_("fivedice: An unexpected error occurred ({error}). FIVEDICE_DEBUG=1 shows where."),
    "cli.unreadable": N_("{file} can’t be read: {reason}."),
    "cli.not-text": N_("{file} is not UTF-8 text. Save it as UTF-8."),
    "cli.unwritable": N_("{file} can’t be written: {reason}."),
    "cli.needs-package": N_("This needs more packages ({missing}). Run: pip install '{package}'"),
    "cli.needs-terminal": N_("This needs a terminal. Without one, use: fivedice play --plain"),
    "cli.no-screen": N_("This terminal can’t show the table, so the game goes line by line, as with: {command}"),
    "cli.game-unclear": P_(
        "{count} game begins with {game}. Add characters. List your games with: fivedice games",
        "{count} games begin with {game}. Add characters. List your games with: fivedice games",
    ),
    "cli.resume-alone": N_("Use --resume or --game without rules or names."),
    "cli.rules-first": N_("{error} Put the rules before the players: fivedice play yahtzee Ann Bob"),
    "cli.unknown-game": N_("There is no game {game}. List your games with: fivedice games"),
    "cli.several-records": N_("{file} has several records. Put each in a file of its own."),
    "cli.no-record": N_("{files} has no record."),
    "cli.which-record": N_("{file} has {count} records. Choose one: --game 1"),
    "cli.no-such-record": N_("{file} has games 1 to {count}, not {wanted}."),
    "cli.which-sheet": N_("Name the rules: fivedice scorecard yahtzee --out pad.pdf"),
    "cli.pad-not-a-folder": N_("{folder} is a file. Choose a new folder for the score pad."),
    "cli.pad-folder-taken": N_("{folder} holds something else. Choose a new or empty folder for the score pad."),
    "cli.bad-ending": N_("{file} must end in {endings}."),
    "cli.against-whom": N_("To play for the win, give the others’ score sheets: --against CARD."),
    "cli.bad-engine": N_('An engine is a command, such as "engine:awk -f greedy.awk". You entered {text}.'),
    "cli.workers": N_("Choose 1 to {most} workers. You entered {workers}."),
    "cli.top": N_("--top must be 1 or more. You entered {top}."),
    "cli.dice-and-rolls": N_("Use --dice and --rolls-left together."),
    # Games and records
    "cli.written": N_("Saved: {file}"),
    "cli.pad-written": P_(
        "Saved the score pad in {folder}: {size} MB, {count} set of rules.",
        "Saved the score pad in {folder}: {size} MB, {count} sets of rules.",
    ),
    "cli.pad-coaches": P_("The coach knows {count} set of rules.", "The coach knows {count} sets of rules."),
    "cli.pad-no-coach": N_("No coach for {rules}: not solved here, or too large for a phone. See: fivedice solve"),
    "cli.pad-open": N_(
        "Put the folder on any web space. To try it here: python3 -m http.server --bind 127.0.0.1 --directory {folder}"
    ),
    "cli.no-games": N_("No games yet. Start one with: fivedice play"),
    "cli.column.game": N_("Game"),
    "cli.column.rules": N_("Rules"),
    "cli.column.players": N_("Players"),
    "cli.column.played": N_("Played"),
    "cli.unfinished": N_("in progress"),
    "cli.go-on": N_("Continue one: fivedice play --game GAME"),
    "cli.take-out": N_("Export one:   fivedice games export GAME"),
    "cli.demo": N_("A game of {rules}. {player} starts."),
    "cli.demo-notation": N_("A turn reads roll>keep/roll=box:points."),
    "cli.demo-next": N_("Try next: fivedice rules, fivedice rules diff yahtzee yardzee, fivedice score yahtzee 44446"),
    "cli.game-of": N_("Game {number} of {count}"),
    "cli.in-progress": N_("In progress: {player}’s turn."),
    "cli.final-score": N_("Final score: {total}."),
    "cli.shared-win": N_("{winners} share the win with {total}."),
    "cli.winner": N_("{winner} wins with {total}."),
    "cli.verified": P_(
        "Verified: {dice} dice in {count} roll follow from the secret.",
        "Verified: {dice} dice in {count} rolls follow from the secret.",
    ),
    "cli.dice-verified": P_(
        "Dice verified: {dice} dice in {count} roll follow from the secret.",
        "Dice verified: {dice} dice in {count} rolls follow from the secret.",
    ),
    "cli.unchecked-promise": N_("Not checked: whether this dice lock was shown before the game. Add --promise."),
    "cli.unchecked-text": N_("Not checked: whether your text is in the dice. Add --text."),
    "cli.unchecked-names": N_(
        "Not checked: whether rules, names and texts belong to these dice. A player had their name deleted, and the "
        "record only has the hash that was kept."
    ),
    "cli.unchecked-receipt": N_("Not checked: who showed this dice lock, and when. Add --receipt."),
    "cli.unchecked-key": N_(
        "Not checked: whose key signed this. Compare it with the server’s at /api/key, or add --key."
    ),
    "cli.dice-lock": N_("Dice lock: {lock}"),
    # Scoring and rules
    "cli.column.box": N_("Box"),
    "cli.column.points": N_("Points"),
    "cli.joker": N_("joker"),
    "cli.book-roll": N_("{rules}: {roll}"),
    "cli.closed": N_("Not available: {boxes}. {reason}"),
    "cli.extra": N_("{name}: {points} more points, whichever box you choose."),
    "cli.column.boxes": N_("Boxes"),
    "cli.column.about": N_("What is special"),
    "cli.variant": N_("{summary} (variant)"),
    "cli.rules-next": N_("Read some: fivedice rules yahtzee. Compare two: fivedice rules diff yahtzee yardzee."),
    "cli.book-title": N_("{rules} ({key})"),
    "cli.the-game": N_("The game"),
    "cli.the-boxes": N_("The boxes"),
    "cli.column.code": N_("Code"),
    "cli.column.counts": N_("Scores"),
    "cli.note": N_("{title}: {text}"),
    "cli.note-ours": N_("{title} (our reading): {text}"),
    "cli.source": N_("Source: {source}"),
    "cli.same-play": N_("{first} and {second} play the same."),
    "cli.column.what": N_("What"),
    "cli.other-names": N_("Other names for the same box: {names}."),
    "cli.checked": P_(
        "{file} is fine: {rules} ({key}), {count} box.", "{file} is fine: {rules} ({key}), {count} boxes."
    ),
    "cli.read-it": N_("Read it with: fivedice rules {file}"),
    # Servers
    "cli.reading-games": N_("Reading all games"),
    "cli.backed-up": N_("Saved {file}: {tables} games with {events} events, {people} people."),
    "cli.data": P_(
        "Name: {name}. {count} game, {rules} house rules.", "Name: {name}. {count} games, {rules} house rules."
    ),
    "cli.data-ways": N_("All of it: fivedice data export. Delete it: fivedice data delete"),
    "cli.data-sure": N_("This can’t be undone. Add --yes to delete everything about this person."),
    "cli.data-key": N_("The key is empty. Give the key of a browser or a program."),
    "cli.data-deleted": P_(
        "Deleted. {count} game was changed or deleted.", "Deleted. {count} games were changed or deleted."
    ),
    "cli.restored": N_("Restored {file}: {tables} games with {events} events, {people} people."),
    "cli.checked-database": N_("The database is fine: {tables} games with {events} events, {people} people."),
    "cli.backup-where": N_("Name the file: fivedice backup games.backup. To check only, use --check."),
    "cli.column.setting": N_("Setting"),
    "cli.column.value": N_("Value"),
    "cli.column.from": N_("From"),
    "cli.database": N_("Database: {database}"),
    # Solving
    "cli.solving": N_("Solving {rules}"),
    "cli.playing": N_("Playing {rules}"),
    "cli.playing-perfectly": N_("Playing {rules} perfectly"),
    "cli.winning": N_("Chances of winning in {rules}"),
    "cli.chasing": N_("Aiming at {target}"),
    "cli.cannot-solve": N_("{rules} cannot be solved. That would need {memory} GB of memory."),
    "cli.solving-takes-minutes": N_(
        "Solving {rules} takes about {minutes} minutes, up to {memory} GB of memory and {stored} GB on disk. "
        "Run fivedice solve with --patient to do so once."
    ),
    "cli.solved": N_("{rules}: perfect play scores {value} on average."),
    "cli.solved-size": N_("{states} states, {seconds} seconds."),
    "cli.hint-title": P_("{rules}: {roll}, {count} roll left", "{rules}: {roll}, {count} rolls left"),
    "cli.more-options": N_("{count} more: --top {all} shows all."),
    "cli.more-options-json": N_("{count} more: --json shows all."),
    "cli.expected": N_("Expected: points still to come, this turn included."),
    "cli.column.do": N_("Do"),
    "cli.column.expected": N_("Expected"),
    "cli.column.odds": N_("Odds"),
    "cli.column.wins": N_("Wins"),
    "cli.column.cost": N_("Cost"),
    "cli.best": N_("best"),
    "cli.win-share": N_("Player {number} wins {share}."),
    "cli.win-exact": N_("Exact, if everyone plays to win. Ties are split."),
    "cli.win-planned": N_("Planned: the player on turn plays to win, the others for points. Ties are split."),
    "cli.win-this-turn": N_(
        "Planned for this turn: the player on turn plays it to win, then all play for points. Ties are split."
    ),
    "cli.chased": N_("{rules}: {target} or more with odds of {odds}."),
    "cli.odds-empty": N_("{rules}, from the empty score sheet: {mean} on average, standard deviation {sd}."),
    "cli.odds-sheet": N_("{rules}, from this score sheet: {mean} on average, standard deviation {sd}."),
    "cli.mean-empty": N_("{rules}, from the empty score sheet: {mean} on average."),
    "cli.mean-sheet": N_("{rules}, from this score sheet: {mean} on average."),
    "cli.quantiles": N_("This share of games ends at or below: {quantiles}."),
    "cli.upper-bonus": N_("Upper bonus: in {rate} of the games."),
    "cli.column.total": N_("Total"),
    "cli.all-bonuses": N_("All bonuses"),
    "cli.saved-rolls": N_("Saved rolls"),
    "cli.at-least": N_("At least"),
    "cli.on-average": N_("On average"),
    "cli.column.mean": N_("Mean"),
    "cli.column.level": N_("Level"),
    "cli.column.plays": N_("How it plays"),
    "cli.simulated": N_("{rules}, {games} games of the {bot} bot ({about}): {seconds} s"),
    "cli.simulated-mean": N_("Mean {mean} ± {error}, standard deviation {sd}, lowest {lowest}, highest {highest}."),
    "cli.simulated-shares": N_("This share of games scored at most this total:"),
}
