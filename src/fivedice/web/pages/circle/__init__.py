"""The pages of circles, of two members compared, and of rounds."""
