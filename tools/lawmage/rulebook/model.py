"""One release of the Comprehensive Rules as plain values.

A release is read by `lawmage.rulebook.parse`; its references are found by `lawmage.rulebook.references`. Numbers are strings
("702.10" is not 702.1) with `sort_key`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

__all__ = ["GlossaryEntry", "Node", "Reference", "Rulebook", "Slip", "sort_key"]

_NUMBER = re.compile(r"(\d)(?:(\d\d)(?:\.(\d+)([a-z]*))?)?$")


def sort_key(number: str) -> tuple[int, int, int, str]:
    """Return the key by which rule numbers sort as they stand in the rulebook: `7`, `702`, `702.2`, `702.10`, `702.10a`.

    Raises:
        ValueError: if `number` is not a section, chapter, rule or subrule number.
    """
    match = _NUMBER.match(number)
    if match is None:
        raise ValueError(f"{number!r} is not a rule number")
    section, chapter, rule, letters = match.groups()
    return int(section), int(section + chapter) if chapter else -1, int(rule) if rule else -1, letters or ""


@dataclass(frozen=True, slots=True)
class Node:
    """A numbered part of the rulebook: a section (`7`), chapter (`702`), rule (`702.2`) or subrule (`702.2c`).

    Attributes:
        number: without a final dot.
        kind: `section`, `chapter`, `rule` or `subrule`.
        parent: the number it stands under, or None for a section.
        heading: its title where it has one rather than a text (sections, chapters, the keyword rules of 701 and 702).
        text: its own text with single line breaks between its paragraphs; empty where it is only a heading.
        examples: the texts of its worked examples, without the word Example.
    """

    number: str
    kind: str
    parent: str | None
    heading: str = ""
    text: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A glossary entry: its term or terms as printed, and its text with single line breaks."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One place in one text that points at one rule or glossary entry.

    Attributes:
        source: a rule number, or a glossary term (`glossary:Deathtouch`).
        part: `text`, or `example 1`, `example 2`, ...
        target: a number that exists in the release, or a glossary term (`glossary:Commander`).
        kind: `cites`, `exception to`, `defined by` or `see also`.
        start, end: the span in the source's text (of that part), in characters.
    """

    source: str
    part: str
    target: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slip:
    """Something in the publisher's file that is not as everywhere else. `line` counts from 1."""

    kind: str
    line: int
    detail: str


@dataclass(frozen=True)
class Rulebook:
    """A whole release. `release` is the ISO date on which it took effect; `nodes` stand in the order of the book."""

    release: str
    nodes: tuple[Node, ...]
    glossary: tuple[GlossaryEntry, ...]
    introduction: str
    credits: str
    contents: tuple[str, ...]
    slips: tuple[Slip, ...] = ()

    @cached_property
    def by_number(self) -> dict[str, Node]:
        """Each node by its number."""
        return {node.number: node for node in self.nodes}
