"""Sentences about bots."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    "bots.newcomer": N_("plays a first game: keeps equal dice and stops early"),
    "bots.hopeful": N_("chases straights and five of a kind"),
    "bots.casual": N_("takes what pays most now, forgets the bonus"),
    "bots.steady": N_("keeps good boxes open, spends Chance early"),
    "bots.sharp": N_("plans ahead, but thinks of one box at a time"),
    "bots.perfect": N_("plays for the highest mean, exactly"),
    "bots.champion": N_("plays to win: watches all score sheets, gambles when behind"),
    "bots.no-champion": N_("The champion can’t play {rules}, where rolls are saved. Choose another level."),
    "bots.no-perfect": N_("The perfect bot can’t play {rules}: its best moves are not known. Choose another level."),
    "bots.needs-extra": N_(
        "The bot {bot} needs the solver to play {rules}. Run: pip install 'fivedice[solver]', or choose another level."
    ),
    "bots.not-offered": N_("No perfect bot for {books}: the best moves are not known here."),
    # Of games that began with an earlier version
    "bots.random": N_("does anything that is allowed"),
    "bots.greedy": N_("grabs what pays now, misses a lot"),
    "bots.first-casual": N_("takes what pays most now"),
    "bots.first-steady": N_("plans by rule of thumb"),
    "bots.first-sharp": N_("knows the odds, slips now and then"),
    "bots.unknown": N_("There is no bot {bot}. Choose {known}."),
    "bots.dice-not-rolled": N_("A bot can choose only after all dice are rolled."),
    "bots.other-book": N_("This bot plays {own}. The game is {book}."),
    # Bots of one’s own
    "bots.own": N_("a bot of your own"),
    "bots.installed": N_("of an installed package"),
    "bots.bad-name": N_(
        "A bot’s name has up to 40 lower-case letters, digits, - and _, a letter first. You entered {name}."
    ),
    "bots.name-taken": N_("{name} is the name of a level. Choose another name for your bot."),
    "bots.no-choose": N_("{bot} is not a bot: {given} has no method choose(position). See docs/matches.md."),
    "bots.not-loaded": N_("The bot {bot} of an installed package can’t be loaded from {place}: {error}."),
    "bots.not-in-file": N_("No bot can be loaded from {place}: {error}."),
    "bots.not-made": N_("The bot {bot} can’t be made: {error}. It is made or copied once per block of games."),
    "bots.raised": N_("The bot {bot} failed in game {game} with {error}. Position: {position}"),
    "bots.stopped": N_("The bot {bot} failed in game {game}. {reason} Position: {position}"),
    "bots.raised-before": N_("The bot {bot} failed before game {game} with {error}."),
    "bots.stopped-before": N_("The bot {bot} failed before game {game}. {reason}"),
    "bots.no-move": N_("The bot {bot} chose {move} in game {game}. Return a Hold or a Mark. Position: {position}"),
    "bots.illegal": N_("The bot {bot} chose {move} in game {game}. {reason} Position: {position}"),
    "bots.no-executor": N_("{given} is not an executor: it has no method submit. Try concurrent.futures."),
    "bots.workers-lost": N_(
        'The workers stopped: {error}. In a program, start them below: if __name__ == "__main__". Bots must be in a '
        "module that workers can import."
    ),
    "bots.cannot-travel": N_(
        "The bot {bot} can’t be sent to other processes: {error}. Define its class in a module, not in a function."
    ),
    # Matches
    "bots.no-records": N_("Give records as a path, a list or a function. You gave {given}."),
    "bots.match-bounded": N_("In a short match a share without luck can pass 0% or 100%. It is shown up to there."),
    "bots.match-players": N_("A match has 2 to {most} players in a list. You gave {given}."),
    "bots.match-games": N_("Choose 1 to {most} games. You entered {games}."),
    "bots.match-title": P_("{rules}, {count} game, seed {seed}", "{rules}, {count} games, seed {seed}"),
    "bots.match-column.player": N_("Player"),
    "bots.match-column.wins": N_("Won"),
    "bots.match-column.draws": N_("Tied"),
    "bots.match-column.losses": N_("Lost"),
    "bots.match-column.share": N_("Share of wins"),
    "bots.match-column.points": N_("Points"),
    "bots.match-column.adjusted-share": N_("Share without luck"),
    "bots.match-column.adjusted-points": N_("Points without luck"),
    "bots.match-between": N_("{value} ({low} to {high})"),
    "bots.match-intervals": N_("In brackets: 95% intervals. Ties are split."),
    "bots.match-share-worth": N_("Without luck, the share of {name} is as precise as in {times} times as many games."),
    "bots.match-points-worth": N_(
        "Without luck, the points of {name} are as precise as in {times} times as many games."
    ),
    "bots.match-share-exact": N_("Without luck, the share of {name} does not vary."),
    "bots.match-points-exact": N_("Without luck, the points of {name} do not vary: it lost none, or always as many."),
    "bots.match-not-adjusted": N_("Luck is not taken off: {rules} is not solved here. Solve it first: fivedice solve."),
    # Bots that are other programs
    "bots.engine-bad-command": N_(
        'An engine is a list of words, its program first, such as ["awk", "-f", "greedy.awk"]. You gave {command}.'
    ),
    "bots.engine-bad-option": N_("An option is a name without spaces and a value on one line. You gave {option}."),
    "bots.engine-bad-seconds": N_("An engine has more than 0 and up to 86400 seconds for a move. You gave {seconds}."),
    "bots.engine-not-started": N_("The engine {command} can’t be started: {reason}."),
    "bots.engine-deaf": N_("The engine {command} does not read its standard input."),
    "bots.engine-silent": N_("The engine {command} did not answer in time to {asked}."),
    "bots.engine-gone": N_("The engine {command} ended with status {status}. Its last words: {said}."),
    "bots.engine-long-line": N_("The engine sent a line of more than {most} bytes: {line}."),
    "bots.engine-bad-greeting": N_("The engine said {line}. Expected: name, author, option or ready."),
    "bots.engine-talkative": N_("The engine sent {most} lines without an answer. The last was {line}."),
    "bots.engine-other-version": N_("The engine speaks version {version} of the protocol. This is version {own}."),
    "bots.engine-unknown-option": N_("The engine has no option {option}. It has {known}."),
    "bots.engine-early": N_("The engine spoke without being asked: {line}."),
    "bots.engine-gave-up": N_("The engine gave up: {line}."),
    "bots.engine-bad-answer": N_(
        "The engine answered {line}. Expected something like: move keep 44, or: move score 4k."
    ),
    "bots.engine-bad-box": N_("The engine answered {line}. These rules have the boxes {known}."),
    "bots.engine-no-position": N_("Send a position before go."),
    "bots.engine-bad-rules": N_("House rules are the text of their file as a JSON string, not {line}."),
    # Played again from a record
    "bots.replayed": P_(
        "{name} was played again: its {count} decision is the bot’s own.",
        "{name} was played again: all {count} decisions are the bot’s own.",
    ),
    "bots.other-move": N_("Round {number}: {name} chose “{written}”. This bot would choose “{right}”."),
    "bots.keeps": N_("keep {dice}"),
    "bots.keeps-none": N_("keep no dice"),
    "bots.scores": N_("score {box}"),
    "bots.bad-tag": N_("The tag Bots needs a list with one text per player, not {text}."),
    "bots.stand-in": N_("Not checked: a stand-in made some moves of {name}. The record does not say which."),
    "bots.other-play": N_("Not checked: the decisions of {name}. This version cannot play the bot {written} again."),
    "bots.no-values": N_("Not checked: the decisions of {name}. The solution of {rules} is not at hand."),
    "bots.too-many": N_("Not checked: the decisions of {name}. The game is too large."),
    # Programs that learn
    "bots.learning-package": N_("This needs one package more: {missing}. Install it with pip install '{package}'."),
    "bots.no-such-action": N_("Actions are numbered from 0 to {last}. You entered {action}."),
    "bots.games-at-once": N_("Choose 1 to {most} games at once. You entered {games}."),
    "bots.one-action-each": N_("There are {games} games: give one action for each. You gave {shape}."),
    "bots.no-saved-rolls": N_("{rules} saves rolls. This works only for rules that do not."),
    "bots.no-regret": N_("{rules}: the best moves are not known. Solve the rules first, with regret=True."),
    "bots.regret-needs-extra": N_(
        "Regrets for {rules} need the solver. Run: pip install 'fivedice[solver]', or pass regret=False."
    ),
    "bots.learning-players": N_("Choose {least} to {most} players. You entered {players}."),
    "bots.learning-goal": N_("Choose {known} as the goal. You entered {goal}."),
    "bots.trained": N_("{rules}: learned for {seconds} s, from {games} games."),
    "bots.graded": N_("Mean score {mean} ± {error}, by the exact regrets of {games} other games."),
    "bots.graded-share": N_("That is {share}% of the optimum, {optimum}."),
    "bots.graded-scores": N_("As the dice fell: {score} ± {error}."),
}
