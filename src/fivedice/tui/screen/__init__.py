"""The terminal table as a screen: sheet, dice, and the pages over them."""
