"""Texts about score sheets and moves: why a box is closed, and why a move is refused."""

from fivedice.text.marks import N_, P_, Table

SENTENCES: Table = {
    # A sheet that is printed or drawn
    "game.rules-name": N_("{rules}"),
    "game.line-name": N_("{line}"),
    "game.player-number": N_("Player {number}"),
    "game.shown-turn": P_("{player} is next, with {left} roll.", "{player} is next, with {left} rolls.", by="left"),
    "game.shown-rolled": P_(
        "{player} rolled {dice}. {left} roll left.", "{player} rolled {dice}. {left} rolls left.", by="left"
    ),
    "game.shown-kept": P_(
        "{player} keeps {dice}. {left} roll left.", "{player} keeps {dice}. {left} rolls left.", by="left"
    ),
    "game.shown-total": N_("Final score: {total}"),
    "game.shown-winners": P_("{players} wins with {total}.", "{players} share the win with {total}."),
    "game.bad-comment": N_("A comment is text on one line, without braces. You entered {text}."),
    # Closed boxes
    "game.box-filled": N_("{box} is already filled with {points}."),
    "game.box-not-next": N_("Boxes are filled from the top. {box} comes next."),
    "game.upper-first": N_("The {section} comes first. Fill its open boxes before this one."),
    "game.forced-to-face": P_(
        "{roll} must go in {boxes}, which is open ({rule}).",
        "{roll} must go in {boxes}, which are open ({rule}).",
    ),
    "game.forced-to-section": N_("{roll} must go in an open box of the {section} ({rule})."),
    "game.forced-past-face": P_(
        "{boxes} is filled, so {roll} must go in an open box of the {section} ({rule}).",
        "{boxes} are filled, so {roll} must go in an open box of the {section} ({rule}).",
    ),
    # A number for a box, without dice
    "game.points-impossible": N_("{box} cannot take {points} now. It can take {possible}."),
    "game.points-ambiguous": N_("{points} in {box} may come with an extra bonus or without. Enter the dice."),
    # The upper bonus
    "game.bonus-reached": N_("reached"),
    "game.bonus-lost": N_("out of reach"),
    "game.bonus-on-pace": N_("on pace"),
    "game.bonus-ahead": N_("{ahead}"),
    # Cards
    "game.filled-twice": N_("{box} is filled twice. The second entry is {entry}."),
    "game.impossible-points": N_("{box} cannot hold {points}. It can hold {possible}."),
    "game.bad-number-of-extras": N_("The number of extra bonuses must be 0 or more. It is {count}."),
    "game.no-extras": N_("{book} has no extra bonus. This score sheet has {count}."),
    "game.extra-needs-points": N_("An extra bonus needs points in {box}. This score sheet has none there."),
    "game.too-many-extras": N_("This score sheet can have at most {most} extra bonuses. It has {count}."),
    "game.bad-extra": P_(
        "{count} extra bonus cannot come to {extra}. It can come to {possible}.",
        "{count} extra bonuses cannot come to {extra}. They can come to {possible}.",
    ),
    "game.missing-extra": P_(
        "Say what {count} extra bonus came to here: {possible}.",
        "Say what {count} extra bonuses came to here: {possible}.",
    ),
    "game.extra-follows": N_(
        "The points of the extra bonuses follow from their number here. They were given as {extra}; leave them out."
    ),
    "game.bad-saved-rolls": N_("This score sheet can have 0 to {most} saved rolls. It has {saved}."),
    "game.lower-too-early": N_("{book} fills the upper section first. {box} is still open."),
    "game.gap": N_("{book} fills its boxes from the top. {box} cannot be open above a filled box."),
    # Moves
    "game.over": N_("The game is over. Every box is filled."),
    "game.not-a-position": N_("Give a Position, such as game.position or read_position(text). You gave {given}."),
    "game.other-players": N_("The position has {count} score sheets. Give as many names. You gave {names}."),
    "game.not-a-move": N_("{move} is not a move. Use Throw, Hold, Mark, Skip, Leave or Come."),
    "game.no-such-seat": N_("There is no seat {seat}. Seats are numbered from 0 to {last}."),
    "game.bad-seats-out": N_("Seats are numbered from 0 to {last}, and one must play. It can’t be without {out}."),
    "game.plays-already": N_("Seat {seat} plays already."),
    "game.left-already": N_("Seat {seat} has left already."),
    "game.last-to-leave": N_("Seat {seat} is the last in the game and can’t leave it."),
    "game.turn-begun": N_("Dice were rolled in this turn. Score a box first."),
    "game.final-dice-late": N_("Final dice stand for a whole turn. This turn already has rolls."),
    "game.bad-rolls-left-over": N_("This turn can leave 0 to {most} rolls for later. You entered {saved}."),
    "game.final-dice-lie": N_("{roll} are the final dice of this turn. Score a box with them."),
    "game.final-dice-untold": N_("Final dice must be entered. Say what they show."),
    "game.nothing-to-roll": N_("All dice are rolled. Keep some and roll the others, or score a box."),
    "game.kept-dice-gone": N_("You kept {kept}, but {roll} does not contain them."),
    "game.roll-first": P_("Roll {count} die first.", "Roll {count} dice first."),
    "game.no-rolls-left": N_("No rolls left. Score a box with {roll}."),
    "game.cannot-keep": N_("You cannot keep {keep}. The dice are {roll}."),
    "game.keeps-all": N_("Keeping every die rolls none. Score a box instead."),
    "game.cannot-undo": P_(
        "You cannot take back {moves} moves. {count} move has been made.",
        "You cannot take back {moves} moves. {count} moves have been made.",
    ),
    # The start
    "game.no-players": N_("A game needs at least one player."),
    "game.too-many-players": N_("A game has at most {most} players. You named {count}: {names}."),
    "game.bad-name": N_("A name has 1 to {most} visible characters on one line. You entered {name}."),
    "game.bad-first-seat": N_("The first seat must be from 0 to {last} and match the roll-off. It is {first}."),
    "game.roll-off-seats": N_("A roll-off needs at least 1 player. It has {seats}."),
    "game.roll-off-over": N_("The roll-off is over. The first player is known."),
}
