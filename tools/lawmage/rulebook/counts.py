"""How much is in a release: what `lawmage data import` reports and the table of our tests holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawmage.rulebook.model import Reference, Rulebook, Unresolved

__all__ = ["Counts", "count"]


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a release.

    Attributes:
        rules, subrules: numbered rules and subrules, headings among them.
        glossary: entries.
        examples: worked examples.
        references: distinct pairs of source and target that exist, ranges expanded, glossary and introduction included.
        mentions: distinct places in texts that refer to something that exists.
        unresolved: places that refer to something that doesn't.
    """

    rules: int
    subrules: int
    glossary: int
    examples: int
    references: int
    mentions: int
    unresolved: int


def count(rulebook: Rulebook, references: Iterable[Reference], unresolved: Iterable[Unresolved]) -> Counts:
    """Count what is in a release."""
    found = list(references)
    kinds = [node.kind for node in rulebook.nodes]
    return Counts(
        rules=kinds.count("rule"),
        subrules=kinds.count("subrule"),
        glossary=len(rulebook.glossary),
        examples=sum(len(node.examples) for node in rulebook.nodes),
        references=len({(reference.source, reference.target) for reference in found}),
        mentions=len({(reference.source, reference.part, reference.start, reference.end) for reference in found}),
        unresolved=len(list(unresolved)),
    )
