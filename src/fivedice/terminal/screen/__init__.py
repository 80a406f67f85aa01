"""The game on a full screen: score sheet, dice, and the dialogs over them."""
