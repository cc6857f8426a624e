"""Real wordings, where the card files are at hand."""

from __future__ import annotations

import csv
import json
import lzma
import re
from collections import Counter
from pathlib import Path

import pytest

from lawmage.play.knowledge import knowledge
from lawmage.text.read import read_text

#: Sentences about blocking that change what blocks, or are answers to a die or another sentence: not in the vocabulary.
_ELSEWHERE = re.compile(
    r"becomes blocked|assign|damage|token|where X|goad|its owner's|^Activate|^Choose|^At |^Destroy|^Exile|^Put|^Untap|^Tap|exert"
)


def test_wordings_about_blocking_are_read(shared: Path) -> None:
    forms = knowledge().forms
    with (shared / "data" / "cards" / "combat-sentences.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["kind"] == "static or effect"]
    about = [row["sentence"] for row in rows if re.search(r"\bblock", row["sentence"]) and not _ELSEWHERE.search(row["sentence"])]
    assert len(about) > 80
    # The numbers are generalised to N in the file.
    unread = [text for text in about if not read_text(re.sub(r"\bN\b", "2", text).replace("{COST}", "{2}"), keywords=forms).constraints]
    assert len(unread) <= 3, unread


@pytest.mark.slow
def test_all_cards(shared: Path) -> None:
    """`pytest -m slow -s tests/text/test_corpus.py` prints the figures and what is most often unread."""
    forms = knowledge().forms
    with lzma.open(shared / "data" / "cards" / "oracle-cards.json.xz") as file:
        cards = json.load(file)
    read = 0
    unread: Counter[str] = Counter()
    for face in (
        face | {"type_line": face.get("type_line") or card["type_line"]} for card in cards for face in card.get("card_faces") or [card]
    ):
        names = [face["name"], face["name"].split(",")[0]]
        reading = read_text(face.get("oracle_text") or "", names=names, keywords=forms)
        if re.search("Creature|Aura|Equipment|Vehicle", face["type_line"]):
            read += sum(bool(re.search("attack|block", source)) for source in {made.source for made in reading.constraints})
            unread.update(sentence.replace(face["name"], "~") for sentence in reading.unread if re.search("attack|block", sentence))
    print(f"\n{len(cards)} cards; sentences on attacking or blocking: {read} read, {unread.total()} not")
    for sentence, times in unread.most_common(30):
        print(times, sentence)
    assert read / (read + unread.total()) > 0.9
