"""House rules that are so small that every game of them can be walked through."""

TINY = """
format = 1
key = "tiny-house"
name = "Tiny house"
dice = 2
faces = 3
rolls = 2

[bonus]
threshold = 2
points = 5

[alike]
box = "pair"
name = "Joker"
extra = [4, 9]
repeat = true
applies = "filled"
ladder = [
  { boxes = "face", worth = "plain" },
  { boxes = "lower", worth = "joker" },
  { boxes = "upper", worth = "zero" },
]

[boxes.ones]
name = "Ones"
code = "1s"
section = "upper"
pattern = "face"
face = 1
points = "matching"

[boxes.pair]
name = "Pair"
code = "pr"
section = "lower"
pattern = "alike"
points = 7

[boxes.chance]
name = "Chance"
code = "ch"
section = "lower"
pattern = "anything"
points = "all"
"""
SAVING = TINY.replace("rolls = 2", "rolls = 2\nsave_rolls = true").replace("tiny-house", "saving-house")


def named(book: str) -> str:
    """A short name for the list of tests."""
    return book.split('"')[1] if "\n" in book else book
