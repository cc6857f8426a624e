"""Real wordings, where the card files are at hand."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

from lawmage.play.knowledge import knowledge
from lawmage.text.read import TextReading, read_text

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


#: Of the wordings in the file, and of their occurrences, so many become what: `read` states something, `idle` is read and states nothing,
#: `passed` cannot bear on a declaration or damage by its words, `unread` could.
ROWS = {
    "static or effect": {"read": 156, "idle": 1, "passed": 30, "unread": 9},
    "triggered or activated": {"passed": 281},
}
OCCURRENCES = {
    "static or effect": {"read": 1162, "idle": 26, "passed": 138, "unread": 23},
    "triggered or activated": {"passed": 988},
}


def test_what_becomes_of_the_wordings(shared: Path) -> None:
    """A count that has changed is to be looked at: more should be read, and nothing that matters passed over."""
    forms = knowledge().forms
    rows: dict[str, Counter[str]] = {kind: Counter() for kind in ROWS}
    occurrences: dict[str, Counter[str]] = {kind: Counter() for kind in ROWS}
    with (shared / "data" / "cards" / "combat-sentences.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = re.sub(r"\bN\b", "2", row["sentence"]).replace("{COST}", "{2}")
            outcome = _outcome(read_text(text, names=[row["example card"]], keywords=forms))
            rows[row["kind"]][outcome] += 1
            occurrences[row["kind"]][outcome] += int(row["count"])
    assert (rows, occurrences) == (ROWS, OCCURRENCES)


def _outcome(reading: TextReading) -> str:
    if reading.unread or reading.unread_damage or reading.unread_outcome:
        return "unread"
    return "read" if reading.constraints or reading.keywords else "idle" if reading.idle else "passed"
