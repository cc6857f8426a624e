"""One release of the Comprehensive Rules as plain values.

A release is read by `lawmage.rulebook.parse`; its references are found by `lawmage.rulebook.references`. Numbers are strings
("702.10" is not 702.1) with `sort_key`.

Where the publisher used a number twice in one release (702.175 in 2024-09-20), the second bearer is told apart by its
*id*, `702.175~2`. Everywhere else the id is the number, and "number" below means the id.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

__all__ = [
    "GLOSSARY",
    "INTRODUCTION",
    "GlossaryEntry",
    "Node",
    "Reference",
    "Rulebook",
    "Slip",
    "Unresolved",
    "fingerprint",
    "number_above",
    "sort_key",
]

#: How the sources and targets of references name a glossary entry (`glossary:Deathtouch`) and the introduction.
GLOSSARY = "glossary:"
INTRODUCTION = "introduction"

_NUMBER = re.compile(r"(\d)(?:(\d\d)(?:\.(\d+)([a-z]*))?)?(~\d+)?")


@lru_cache(maxsize=8192)
def sort_key(number: str) -> tuple[int, int, int, str]:
    """Return the key by which rule numbers sort as they stand in the rulebook.

    `7`, `702`, `702.2`, `702.2z`, `702.2aa`, `702.10`, `702.10a`; a second use of a number (`702.10~2`) comes after the first
    with all of its subrules.

    Raises:
        ValueError: if `number` is not a section, chapter, rule or subrule number.
    """
    match = _NUMBER.fullmatch(number)
    if match is None:
        raise ValueError(f"{number!r} is not a rule number")
    section, chapter, rule, letters, again = match.groups()
    return int(section), int(section + chapter) if chapter else -1, int(rule) if rule else -1, f"{again or '':2}{letters or '':>2}"


def number_above(number: str) -> str:
    """Return the number under which a printed number stands by its form: `702.2c`, `702.2`, `702`, `7`, and then nothing."""
    above = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    if above != number:
        return above
    return number.partition(".")[0] if "." in number else number[:1] if len(number) > 1 else ""


def fingerprint(text: str) -> str:
    """Return 12 hexadecimal digits that identify `text` whatever its white space."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


class Node(NamedTuple):
    """A numbered part of the rulebook: a section (`7`), chapter (`702`), rule (`702.2`) or subrule (`702.2c`).

    Attributes:
        number: without a final dot; unique in its release (see the module's docstring).
        kind: `section`, `chapter`, `rule` or `subrule`.
        parent: the number it stands under, or None for a section.
        heading: its title where it has one rather than a text (sections, chapters, the keyword rules of 701 and 702).
        text: its own text with single line breaks between its paragraphs; empty where it is only a heading.
        examples: the texts of its worked examples, without the word Example.
        label: the number as printed where it isn't printed as usual (a dot too many or missing), else empty.
    """

    number: str
    kind: str
    parent: str | None
    heading: str = ""
    text: str = ""
    examples: tuple[str, ...] = ()
    label: str = ""

    @property
    def printed_number(self) -> str:
        """The number as the publisher prints it, with a final dot except for subrules."""
        return self.label or self.number.partition("~")[0] + ("" if self.kind == "subrule" else ".")

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its text, or of its heading where it has no text."""
        return fingerprint(self.text or self.heading)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A glossary entry: its term or terms as printed, and its text with single line breaks."""

    term: str
    text: str


class Reference(NamedTuple):
    """One place in one text that points at one rule or glossary entry.

    Attributes:
        source: a rule number, a glossary term (`glossary:Deathtouch`) or `introduction`.
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
class Unresolved:
    """A reference whose target doesn't exist in the release: a slip of the publisher.

    `target` is the number or term that is missing; the other attributes are as in `Reference`.
    """

    source: str
    part: str
    target: str
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
    """A whole release.

    Attributes:
        release: the ISO date on which it took effect.
        nodes: in the order of the book.
        introduction, credits: with single line breaks between paragraphs.
        contents: the lines of the table of contents.
        title: what stands before the introduction.
    """

    release: str
    nodes: tuple[Node, ...]
    glossary: tuple[GlossaryEntry, ...]
    introduction: str
    credits: str
    contents: tuple[str, ...]
    slips: tuple[Slip, ...] = ()
    title: str = ""

    @cached_property
    def by_number(self) -> dict[str, Node]:
        """Each node by its number."""
        return {node.number: node for node in self.nodes}

    @cached_property
    def by_term(self) -> dict[str, GlossaryEntry]:
        """Each glossary entry by its term as printed."""
        return {entry.term: entry for entry in self.glossary}
