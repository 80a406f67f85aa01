"""Rule books and their parts, by the names of their lines in a file. Implemented in `fivedice.core.rules`.

>>> dice = (2, 4, 4, 6, 6)
>>> FaceSum(4).matching(dice), Groups((2, 2)).matching(dice), Anything().matching(dice)
(8, 20, 22)
>>> [each.meets(dice) for each in (Run(3), Exactly((2, 4, 6)), Only((2, 4)), AllAlike(), Flush(((1, 6), (2, 5))))]
[False, True, False, False, False]
>>> [each.meets(dice) for each in (Parity(odd=True), Total(22), Both(Groups((2,)), Parity()))]
[False, True, True]
>>> Bonus(63, 35, (Tier(78, 75),)).pays(80), str(SumPlus(15, Summed.ALL)), book("yahtzee").order is Order.FREE
(75, '15 + all', True)
>>> yahtzee, step = shipped("yahtzee"), JokerStep(TargetBoxes.FACE, ScoreAs.PLAIN, FaceBox.EITHER)
>>> box, sheet, words = yahtzee.boxes[0], yahtzee.sheet, (Section.UPPER, Start.ROLL_OFF, Layout.GAMES, Captions.CARD)
>>> words == (box.section, yahtzee.start, sheet.layout, sheet.captions), step in yahtzee.alike.joker_steps
(True, True)
>>> parts = sheet, box, box.pattern, yahtzee.notes[0], yahtzee.alike, yahtzee.alike.applies
>>> all(map(isinstance, parts, (Sheet, Box, Pattern, Note, AlikePolicy, ActiveWhen)))
True
>>> fingerprint("yahtzee") == yahtzee.fingerprint == played_by("yahtzee", None).fingerprint
True
>>> house = extending('extends = "yahtzee"', "crag")
>>> extended_by(house), load_kept(house).key, len(canonical_order("crag"))
('crag', 'crag-house', 13)
>>> from importlib.resources import files
>>> read_book(files("fivedice") / "core" / "rules" / "books" / "yatzy.toml").name
'Yatzy'
"""

from fivedice.core.rules import *  # noqa: F403
from fivedice.core.rules import __all__ as __all__
