"""Magic: The Gathering's rulebook as data, and a solver that proves what it allows."""

__version__ = "0.1.0"
