"""Decks: reading and writing the forms that people keep them in, and judging them."""
