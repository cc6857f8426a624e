"""What counts as the same words: texts without typography, without references, and as bare words.

The publisher's files differ in quotation marks and dashes, web copies lose the numbers that they make links of, and people
retype. Three forms of a text, each forgetting more:

- `plain`: without typography. Two texts with the same plain form are the same text.
- `skeleton`: its words alone, in small letters, without any number that could be a reference, or what is left of one.
- `tokens`: the words and the references of a text with their places, from which lost references can be put back.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["Token", "has_reference", "plain", "skeleton", "tokens"]

_TYPOGRAPHY = {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-", "™": "", "®": "", "\u00a0": " "}
_DASHES = re.compile(r" ?-+ ?")
#: A rule number with or without a range, a chapter's number, a section's, or the end of a range that lost its beginning.
_REFERENCE = (
    r"\b\d{3}\.\d+[a-z]{0,2}(?:[-–—](?:\d{3}\.)?\d*[a-z]{0,2})?(?![\w’'])"
    r"|(?<![\d.,])\b\d{3}(?!\w|[.,]\d)"
    r"|(?<=\bsection )\d\b(?!\.\d)"
    r"|(?<![\w.”\"’)])[-–—][a-z]{1,2}(?![\w’'-])"
)
_WORD = r"[^\W_]+"
_CUT = re.compile(_REFERENCE)
_WORDS = re.compile(_WORD)
_TOKENS = re.compile(f"(?P<reference>{_REFERENCE})|{_WORD}")


@dataclass(frozen=True, slots=True)
class Token:
    """A word in small letters, or a reference, or what is left of one (`–d`); `start` and `end` are its place in the text."""

    text: str
    is_reference: bool
    start: int
    end: int


def plain(text: str) -> str:
    """Return `text` with straight quotation marks, one kind of dash, and one space for each run of white space."""
    if not text.isascii():
        for printed, typed in _TYPOGRAPHY.items():
            text = text.replace(printed, typed)
    return _DASHES.sub("-", " ".join(text.split()))


def skeleton(text: str) -> str:
    """Return the words of `text` in small letters, one space between them, without anything that looks like a reference."""
    return _fold(" ".join(_WORDS.findall(_CUT.sub(" ", text))))


def has_reference(text: str) -> bool:
    """Tell whether `text` has anything that looks like a reference."""
    return _CUT.search(text) is not None


def tokens(text: str) -> list[Token]:
    """Return the words and references of `text`; its words are those of its skeleton."""
    return [
        Token(
            match[0].replace("—", "-").replace("–", "-") if match["reference"] else _fold(match[0]), bool(match["reference"]), *match.span()
        )
        for match in _TOKENS.finditer(text)
    ]


def _fold(text: str) -> str:
    folded = text.casefold()
    if folded.isascii():
        return folded
    return "".join(character for character in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(character))
