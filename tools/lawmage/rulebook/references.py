"""Finding every place in a release where one text points at a rule, a chapter, a section or a glossary entry.

Rules are named by number (`rule 702.2c`, `rules 601.2b and 601.2f–h`, `rule 702, “Keyword Abilities,”`, `section 8`, a bare
`101.4a`), glossary entries by term (`See also Haste.`). A number with a dot is always a reference; three digits without one only
after the word rule or in a list of rules, a single digit only after the word section or in a list of sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lawmage.rulebook.model import GLOSSARY, INTRODUCTION, Reference, Rulebook, Unresolved, sort_key

__all__ = ["CITES", "DEFINED_BY", "EXCEPTION_TO", "KINDS", "SEE_ALSO", "Misprint", "find_misprints", "find_references", "text_of"]

CITES = "cites"
EXCEPTION_TO = "exception to"
DEFINED_BY = "defined by"
SEE_ALSO = "see also"
KINDS = (CITES, EXCEPTION_TO, DEFINED_BY, SEE_ALSO)

#: Begins with a digit so that the search is fast; single digits only where they may be sections.
_NUMBER = re.compile(
    r"[0-9](?:[0-9]{2}(?:\.[0-9]+[a-z]{0,2}(?![a-z0-9])|(?![0-9]))"
    r"|(?:(?<=ection [0-9])|(?<=ections [0-9])|(?<=and [0-9]))(?![0-9]|\.[0-9]))"
)
_RANGE_END = re.compile(r"[-–—](?:(\d{3})\.(?=\d))?(\d*)([a-z]{0,2})(?![\w’'])")
_NEXT_LETTER = re.compile(r",? (?:and|or) ([b-z])(?![\w’'])")
#: What may stand between two items of one list: a title, an aside in brackets, a connecting word.
_GLUE = re.compile(r"(?:,? [“\"][^”\"]+[”\"])?(?: \([^()]*\))?(?:,|,? and|,? or|, then)? (?:(?:sub)?rules? |sections? )?")
_TITLE = re.compile(r",? [“\"]([^”\"]{1,80}?)[,.]?[”\"]")
_TERMS = re.compile(r"\b(?:See|See also|Also see) [“\"]?([^\sa-z\d“\"][^.]{0,120})\.")
_LIST = re.compile(r", (?:and )?| and | or ")
#: The words before a number without a dot, by how many digits it has.
_WORDS = {1: ("section", "sections"), 3: ("rule", "rules", "subrule", "subrules", "see")}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_OPENING = ' (“"‘—\n'
_CLOSING = '.,;:)”"\n'
_EXCEPTION = re.compile(r"exceptions? to\b[^.,;:()]*")
#: How far back the words that introduce a reference, and the bracket around it, are looked for.
_LONGEST_LEAD = 80
_LONGEST_ASIDE = 1000
_LONGEST_GLUE = 120
_ALSO = ("see also ", "See also ", "also see ", "Also see ")
_SEE = ("see ", "See ")


def find_references(rulebook: Rulebook) -> tuple[list[Reference], list[Unresolved]]:
    """Return all references of a release in the order of the book, and those whose target doesn't exist in it.

    A range such as 601.2f-h gives one reference for each number of it that exists. A reference is an `exception to` where the text
    says so, `see also` after these words and for a "see" inside brackets, `defined by` from a glossary entry to a rule, else
    `cites`.
    """
    scanner = _Scanner(rulebook)
    scanner.scan(INTRODUCTION, "text", rulebook.introduction)
    for node in rulebook.nodes:
        scanner.scan(node.number, "text", node.text)
        for count, example in enumerate(node.examples, 1):
            scanner.scan(node.number, f"example {count}", example)
    for entry in rulebook.glossary:
        scanner.scan(GLOSSARY + entry.term, "text", entry.text)
        scanner.scan_terms(GLOSSARY + entry.term, entry.text)
    return scanner.references, scanner.unresolved


@dataclass(frozen=True, slots=True)
class Misprint:
    """A reference whose number exists, but whose printed title is that of another number: a slip of the publisher."""

    reference: Reference
    title: str
    meant: str


def find_misprints(rulebook: Rulebook, references: Iterable[Reference]) -> list[Misprint]:
    """Return the references of a release that give a number and the title of something else."""
    titles = {node.heading: node.number for node in reversed(rulebook.nodes) if node.heading}
    misprints = []
    for reference in references:
        node = rulebook.by_number.get(reference.target)
        if node is not None and node.heading:
            title = _TITLE.match(text_of(rulebook, reference.source, reference.part), reference.end)
            if title and title[1] != node.heading and title[1] in titles:
                misprints.append(Misprint(reference, title[1], titles[title[1]]))
    return misprints


def text_of(rulebook: Rulebook, source: str, part: str) -> str:
    """Return the text that a reference's span counts in."""
    if source == INTRODUCTION:
        return rulebook.introduction
    if source.startswith(GLOSSARY):
        return rulebook.by_term[source.removeprefix(GLOSSARY)].text
    node = rulebook.by_number[source]
    return node.text if part == "text" else node.examples[int(part.removeprefix("example ")) - 1]


class _Mention(NamedTuple):
    """A number in a text that is meant as a rule's, or a range from `first` to `last`.

    `lead` is where the words that introduce it end, or None where it continues a list.
    """

    first: str
    last: str
    start: int
    end: int
    lead: int | None


def _mentions(text: str) -> Iterator[_Mention]:
    """Yield the rule numbers in a text, whether they exist or not."""
    last_end, last_digits = 0, 0
    for match in _NUMBER.finditer(text):
        number, start, end = match[0], match.start(), match.end()
        chapter, dot, tail = number.partition(".")
        digits = len(chapter)
        if start < last_end or (start and text[start - 1] not in _OPENING):
            continue
        place = text.rfind(" ", max(start - _LONGEST_LEAD, 0), max(start - 1, 0)) + 1
        word = text[place:start].strip(_OPENING).lower()
        named = word in _WORDS[digits]
        listed = digits == last_digits and start < last_end + _LONGEST_GLUE and _GLUE.fullmatch(text, last_end, start) is not None
        if not dot and not named and not (listed and text[end : end + 1] in _CLOSING):
            continue
        last = number
        if dot and text[end : end + 1] in "-–—" and (range_end := _RANGE_END.match(text, end)):
            last = _range_end(number, *range_end.groups(default=""))
            end = range_end.end() if last != number else end
        yield _Mention(number, last, start, end, None if listed else place if named and word != "see" else start)
        while tail[-1:].isalpha() and (letter := _NEXT_LETTER.match(text, end)):
            more, end = number.rstrip(_LETTERS) + letter[1], letter.end()
            yield _Mention(more, more, letter.start(1), end, None)
        last_end, last_digits = end, digits


def _range_end(first: str, chapter: str, rule: str, letters: str) -> str:
    """Complete the end of a range, of which only what differs from `first` is written; `first` itself where it isn't a range."""
    if rule:
        last = f"{chapter or first.partition('.')[0]}.{rule}{letters}"
    elif letters and first[-1].isalpha():
        last = first.rstrip(_LETTERS) + letters
    else:
        return first
    return last if sort_key(last) > sort_key(first) else first


def _kind(source: str, text: str, lead: int) -> str:
    """Return the kind of a reference that the words before `lead` introduce."""
    exception = text.rfind("exception", max(0, lead - _LONGEST_LEAD), lead)
    if exception >= 0 and _EXCEPTION.fullmatch(text, exception, lead):
        return EXCEPTION_TO
    if text.endswith(_ALSO, 0, lead):
        return SEE_ALSO
    if source.startswith(GLOSSARY):
        return DEFINED_BY
    near = max(0, lead - _LONGEST_ASIDE)
    in_brackets = text.rfind("(", near, lead) > text.rfind(")", near, lead)
    return SEE_ALSO if in_brackets and text.endswith(_SEE, 0, lead) else CITES


class _Scanner:
    """Resolves the mentions of one release."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.references: list[Reference] = []
        self.unresolved: list[Unresolved] = []
        self._parents: dict[str, str | None] = {}
        self._children: dict[str | None, list[str]] = {}
        self._headings: dict[str, str] = {}
        self._second: dict[str, str] = {}
        for node in rulebook.nodes:
            self._parents[node.number] = node.parent
            self._headings[node.number] = node.heading
            self._children.setdefault(node.parent, []).append(node.number)
            if "~" in node.number:
                self._second[node.number.partition("~")[0]] = node.number
        self._terms = _aliases(entry.term for entry in rulebook.glossary)

    def scan(self, source: str, part: str, text: str) -> None:
        """Collect the references by number in one text."""
        kind = CITES
        for first, last, start, end, lead in _mentions(text):
            if lead is not None:
                kind = _kind(source, text, lead)
            for target in (first,) if first == last else self._range(first, last):
                if target in self._second and self._means_second(target, text, end):
                    target = self._second[target]
                if target in self._parents:
                    self.references.append(Reference(source, part, target, kind, start, end))
                else:
                    self.unresolved.append(Unresolved(source, part, target, start, end))

    def scan_terms(self, source: str, text: str) -> None:
        """Collect the references by term in the text of a glossary entry."""
        for match in _TERMS.finditer(text):
            for term, start in self._split(match[1].strip('“”"'), match.start(1)):
                folded, end = term.casefold(), start + len(term)
                target = self._terms.get(folded) or self._terms.get(folded.removesuffix("s"))
                if target is not None:
                    self.references.append(Reference(source, "text", GLOSSARY + target, SEE_ALSO, start, end))
                else:
                    self.unresolved.append(Unresolved(source, "text", GLOSSARY + term, start, end))

    def _range(self, first: str, last: str) -> list[str]:
        """Return the numbers from `first` to `last`; the two themselves even where they don't exist."""
        parent = self._parents.get(first, self._parents.get(last))
        low, high = sort_key(first), sort_key(last)
        between = [number for number in self._children.get(parent, ()) if low < sort_key(number) < high]
        return [first, *between, last]

    def _means_second(self, number: str, text: str, end: int) -> bool:
        """Tell whether the title that follows a number used twice is that of the second."""
        title = _TITLE.match(text, end)
        return title is not None and title[1] == self._headings[self._second[number]]

    def _split(self, terms: str, start: int) -> Iterator[tuple[str, int]]:
        """Yield the terms that a "See ..." names and where each starts: one term with commas in it, or a list of terms."""
        if terms.casefold() in self._terms:
            yield terms, start
            return
        place = 0
        for separator in _LIST.finditer(terms):
            yield terms[place : separator.start()], start + place
            place = separator.end()
        yield terms[place:], start + place


def _aliases(terms: Iterable[str]) -> dict[str, str]:
    """Return glossary terms by how a text may name them: whole, without "(Obsolete)", or one of several given together."""
    whole = list(terms)
    aliases: dict[str, str] = {}
    for term in whole:
        plain = term.partition(" (")[0]
        for alias in (*plain.split(", "), plain):
            aliases.setdefault(alias.casefold(), term)
    return aliases | {term.casefold(): term for term in whole}
