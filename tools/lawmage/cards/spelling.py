"""Spelling of names: what people type differently and means the same."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["key"]

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})
_NOT_A_LETTER = re.compile(r"[^a-z0-9/+]+")
_SLASHES = re.compile(r"\s*/+\s*")


def key(name: str) -> str:
    """Return what all spellings of `name` have in common: no case, accents, apostrophes, dashes or spaces; faces are parted by `/`."""
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(_LETTERS)
    return _SLASHES.sub("/", _NOT_A_LETTER.sub("", plain))
