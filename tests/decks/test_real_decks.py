"""The real decks beside the checkout: every line of each is accounted for, by a count that knows nothing of our readers."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from lawmage.decks.reading import load_decks

#: For each folder: files, decks, and the cards by section that they have together.
EXPECTED = {
    "archidekt_txt": (6, 6, {"main": 600}),
    "cockatrice_cod": (25, 25, {"commander": 22, "main": 2466, "sideboard": 13}),
    "forge_dck": (13, 13, {"commander": 13, "main": 1287}),
    "forge_dck_not100": (20, 20, {"commander": 20, "main": 912}),
    "format_samples_xmage": (10, 10, {"commander": 1, "main": 368, "sideboard": 57}),
    "moxfield_cedh_txt": (6, 6, {"commander": 7, "main": 593}),
    "moxfield_dec": (2, 2, {"commander": 3, "main": 197}),
    "moxfield_style_txt": (83, 83, {"commander": 87, "main": 8213}),
    "mtggoldfish_json": (1, 10, {"main": 1000}),
    "non_commander_dec": (8, 8, {"main": 522, "sideboard": 105}),
    "taw_precon_txt": (99, 99, {"commander": 99, "main": 9721, "tokens": 15, "beside": 117}),
    "xmage_dck": (49, 49, {"main": 4851, "sideboard": 49}),
}
FOLDERS = sorted(EXPECTED)
_CARD = re.compile(r"\s*(?:(?:COMMANDER|SB):\s*)?(\d+)\s")


def decks_of(shared: Path, folder: str) -> list[Path]:
    return sorted((shared / "data" / "decks" / folder).iterdir())


def naive(file: Path) -> tuple[int, set[int] | None]:
    """How many cards a file lists, and on which lines, by the plainest means."""
    text = file.read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    match file.suffix:
        case ".json":
            return _counts(json.loads(text)), None
        case ".cod" | ".dek" | ".o8d":
            cards = {number: line for number, line in enumerate(lines, start=1) if re.search(r"<card |<Cards ", line)}
            copies = [re.search(r' (?:number|Quantity|qty)="(\d+)"', line) for line in cards.values()]
            return sum(int(found[1]) if found else 1 for found in copies), set(cards)
        case ".draft":
            picks = {number for number, line in enumerate(lines, start=1) if line.startswith("-->")}
            return len(picks), picks
        case _:
            found = {number: card for number, line in enumerate(lines, start=1) if (card := _CARD.match(line))}
            return sum(int(card[1]) for card in found.values()), set(found)


def _counts(value: object) -> int:
    if isinstance(value, list):
        return sum(map(_counts, value))
    if isinstance(value, dict):
        return value["count"] if isinstance(value.get("count"), int) else sum(map(_counts, value.values()))
    return 0


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_line_is_accounted_for(shared: Path, folder: str) -> None:
    for file in decks_of(shared, folder):
        decks = load_decks(file)
        copies, lines = naive(file)
        assert sum(entry.count for deck in decks for entry in deck.entries) == copies, file
        if lines is not None:
            assert {entry.line for deck in decks for entry in deck.entries} == lines, file


@pytest.mark.parametrize("folder", FOLDERS)
def test_cards_by_section(shared: Path, folder: str) -> None:
    files = decks_of(shared, folder)
    decks = [deck for file in files for deck in load_decks(file)]
    total: Counter[str] = Counter()
    for deck in decks:
        total.update(deck.counts())
    assert (len(files), len(decks), dict(total)) == EXPECTED[folder]


def test_all_of_them_are_there(shared: Path) -> None:
    folders = sorted(folder.name for folder in (shared / "data" / "decks").iterdir())
    assert folders == FOLDERS
    assert sum(files for files, _, _ in EXPECTED.values()) == 322
