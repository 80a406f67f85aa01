"""House rules of families, one per feature beyond the first shipped books."""

SAVING = 'extends = "yatzy"\nkey = "saving"\nsave_rolls = true\n'
STEPS = """extends = "yatzy"
key = "steps"
[bonus]
tiers = [{ from = 63, points = 35 }, { from = 71, points = 55 }, { from = 78, points = 75 }]
[bonuses.lower]
name = "Lower bonus"
section = "lower"
threshold = 30
points = 20
[bonuses.straights]
name = "Both straights"
boxes = ["small_straight", "large_straight"]
threshold = 35
points = 10
"""
RISING = """extends = "yahtzee"
key = "rising"
[alike]
box = "five_of_a_kind"
extra = [100, 200, 300]
at_most = 4
applies = "scored"
ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker" }]
"""
BY_STEP = """extends = "yahtzee"
key = "by-step"
[alike]
box = "five_of_a_kind"
extra = 100
applies = "scored"
ladder = [{ boxes = "face", worth = "plain", extra = 50 }, { boxes = "any", worth = "wild", extra = 70 }]
"""
UPPER_FIRST = 'extends = "yahtzee"\nkey = "upper-first"\norder = "upper_first"\n'
THREE_DICE = """name = "Thirteen"
key = "thirteen"
format = 1
dice = 3
faces = 6
rolls = 2
start = "roll-off"
summary = "s"
[boxes.aces]
name = "Ones"
code = "1s"
section = "upper"
pattern = "face"
face = 1
points = "matching"
[boxes.thirteen]
name = "Thirteen"
code = "13"
section = "lower"
pattern = "total"
total = 13
points = 26
[boxes.crag]
name = "Crag"
code = "cr"
section = "lower"
pattern = "both"
first = { pattern = "total", total = 13 }
second = { pattern = "groups", sizes = [2] }
points = 50
"""
FAMILIES = {
    "saving": SAVING,
    "steps": STEPS,
    "rising": RISING,
    "by step": BY_STEP,
    "upper first": UPPER_FIRST,
    "three dice": THREE_DICE,
}
