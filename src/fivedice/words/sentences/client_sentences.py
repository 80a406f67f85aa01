"""What is said by programs that play at a server, and by `fivedice join`. Commands to type are arguments."""

from __future__ import annotations

from fivedice.words.marks import N_, P_, Table

SENTENCES: Table = {
    "client.bad-link": N_("{link} is not a link to a table. It looks like https://example.org/t/TABLE/join/CODE."),
    "client.unreachable": N_("{server} can’t be reached: {reason}."),
    "client.no-fivedice": N_("The answer is not from a Fivedice server (status {status})."),
    "client.not-begun": N_("The game has not started."),
    "client.joined": N_("You sit at the table, {rules}. Type {command} for the commands."),
    "client.waiting-start": N_("Waiting for the game to start."),
    "client.waiting-turn": N_("Waiting for {name}."),
    "client.left": N_("You left. Your seat waits for you: {command}"),
    "client.help": N_("Type {roll}, {keep}, {score}, {boxes}, {sheet}, {undo} or {quit}."),
    "client.roll-alone": N_("The dice are rolled for you. Type {roll} alone, or {keep} to keep dice."),
    "client.ask-roll": N_("Your turn. Roll?"),
    "client.ask-keep": P_(
        "Your turn. Dice {dice}. {count} roll left. Keep or score?",
        "Your turn. Dice {dice}. {count} rolls left. Keep or score?",
    ),
    "client.ask-box": N_("Your turn. Dice {dice}. No rolls left. Score which box?"),
    "client.total": N_("{name}: {total}"),
}
