"""The texts of the rulebook and of cards belong to others: no file of the project is made of them.

Single sentences as cards have them are what readers are tested with, so a few lines of a file may be like theirs.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: So many words in a row that are the same are copied.
WORDS = 16
#: More lines than this with such words are no single sentences.
MOST_LINES = 20
#: Larger files are tables of names and numbers.
MOST_CHARACTERS = 2_000_000
_WORD = re.compile(r"[a-z0-9'/{}+-]+")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Yield all words in a row that stand on one line."""
    for line in text.lower().splitlines():
        words = _WORD.findall(line)
        for start in range(len(words) - WORDS + 1):
            yield tuple(words[start : start + WORDS])


def copied(text: str, theirs: set[int]) -> int:
    """Return on how many lines words of theirs stand in a row."""
    return sum(any(hash(run) in theirs for run in runs(line)) for line in text.splitlines())


def texts(shared: Path) -> Iterator[str]:
    """Yield the texts of all cards, and the newest rulebook."""
    for card in json.loads(lzma.decompress((shared / "data" / "cards" / "oracle-cards.json.xz").read_bytes())):
        for face in (card, *card.get("card_faces", ())):
            yield face.get("oracle_text") or ""
    yield max((shared / "data" / "rules").iterdir()).read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def theirs(shared: Path) -> set[int]:
    return {hash(run) for text in texts(shared) for run in runs(text)}


def files() -> Iterator[Path]:
    """Yield the files of the project; what is hidden or was built is none of them."""
    for file in ROOT.rglob("*"):
        hidden = any(part.startswith((".", "__pycache__", "build", "dist")) for part in file.relative_to(ROOT).parts)
        if not hidden and file.is_file() and file.stat().st_size < MOST_CHARACTERS:
            yield file


def test_no_file_is_made_of_their_text(theirs: set[int]) -> None:
    found = {}
    for file in files():
        number = copied(file.read_text(encoding="utf-8", errors="replace"), theirs)
        if number > MOST_LINES:
            found[file.relative_to(ROOT).as_posix()] = number
    assert found == {}


def test_what_is_copied_is_found(shared: Path, theirs: set[int]) -> None:
    rulebook = max((shared / "data" / "rules").iterdir()).read_text(encoding="utf-8", errors="replace")
    assert copied(rulebook[:50_000], theirs) > MOST_LINES
    assert copied("The quick brown fox jumps over the lazy dog and then it does so again and again, all day long.\n" * 50, theirs) == 0
