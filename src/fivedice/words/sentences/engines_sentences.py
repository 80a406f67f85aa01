"""What goes wrong with a bot that is another program."""

from __future__ import annotations

from fivedice.words.marks import N_, Table

SENTENCES: Table = {
    "engines.bad-command": N_(
        'An engine is a list of words, its program first, such as ["awk", "-f", "greedy.awk"]. You gave {command}.'
    ),
    "engines.bad-option": N_("An option is a name without spaces and a value on one line. You gave {option}."),
    "engines.bad-seconds": N_("An engine has more than 0 and up to 86400 seconds for a move. You gave {seconds}."),
    "engines.not-started": N_("The engine {command} can’t be started: {reason}."),
    "engines.deaf": N_("The engine {command} does not read its standard input."),
    "engines.silent": N_("The engine {command} did not answer in time to {asked}."),
    "engines.gone": N_("The engine {command} ended with status {status}. Its last words: {said}."),
    "engines.long-line": N_("The engine sent a line of more than {most} bytes: {line}."),
    "engines.bad-greeting": N_("The engine said {line}. Expected: name, author, option or ready."),
    "engines.talkative": N_("The engine sent {most} lines without an answer. The last was {line}."),
    "engines.other-version": N_("The engine speaks version {version} of the protocol. This is version {own}."),
    "engines.unknown-option": N_("The engine has no option {option}. It has {known}."),
    "engines.early": N_("The engine spoke without being asked: {line}."),
    "engines.gave-up": N_("The engine gave up: {line}."),
    "engines.bad-answer": N_("The engine answered {line}. Expected something like: move keep 44, or: move score 4k."),
    "engines.bad-box": N_("The engine answered {line}. These rules have the boxes {known}."),
    "engines.no-position": N_("Send a position before go."),
    "engines.bad-rules": N_("House rules are the text of their file as a JSON string, not {line}."),
}
