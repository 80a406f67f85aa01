"""Bots in any language, by lines of text over standard input and output, as chess has UCI.

See docs/engine-protocol.md.
"""
