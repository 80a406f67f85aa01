# A bot in awk that speaks the engine protocol of Fivedice (docs/engine-protocol.md). It knows no rules: it keeps the
# dice that show what most of them show, and scores the box that pays most.
#
#     fivedice match steady "engine:awk -f docs/examples/greedy.awk" --book yatzy

BEGIN {
    while (heard() && word[1] != "quit") {
        if (word[1] == "fivedice") { say("name Greedy in awk"); say("ready 1") }
        if (word[1] == "position") { dice = word[5]; rolls_left = word[6] }
        if (word[1] == "legal") box = best_box()
        if (word[1] == "go") { keep = most_common(); say(rolls_left > 0 && keep != dice ? "move keep " keep : "move score " box) }
    }
}

# Some awks read ahead and would wait for more than one line, so the shell reads each line.
function heard(    ask, line, got) {
    ask = "IFS= read -r line && printf '%s\\n' \"$line\""
    got = (ask | getline line) > 0
    close(ask)
    count = split(line, word, " ")
    return got
}

function say(line) { print line; fflush() }

function best_box(    i, part, box, most) {
    most = -1
    for (i = 2; i <= count; i++) { split(word[i], part, ":"); if (part[2] + 0 > most) { box = part[1]; most = part[2] + 0 } }
    return box
}

function most_common(    i, face, shown, best, kept) {
    for (i = 1; i <= length(dice); i++) shown[substr(dice, i, 1)]++
    for (face in shown) if (shown[face] > shown[best] || (shown[face] == shown[best] && face > best)) best = face
    for (i = 1; i <= shown[best]; i++) kept = kept best
    return kept
}
