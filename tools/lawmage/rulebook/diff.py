"""What changed between two releases: rule by rule, word by word, and through the releases between."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from lawmage.rulebook.graph import Place, RulesGraph
from lawmage.rulebook.lineage import GONE, MERGED, MOVED, MOVED_AND_REWORDED, NEW, REWORDED, SAME, SPLIT, Lineage, Link
from lawmage.rulebook.model import GLOSSARY, Rulebook, number_above
from lawmage.rulebook.wording import plain

__all__ = ["DELETE", "EQUAL", "INSERT", "Piece", "changes_within", "compose", "text_of_part", "word_changes"]

EQUAL, DELETE, INSERT = "equal", "delete", "insert"

_WORD = re.compile(r"\w(?:[\w’'./-]*\w)?\s*|[^\w\s]\s*|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of words that is in both texts, only in the old one or only in the new one (`equal`, `delete`, `insert`)."""

    operation: str
    text: str


def word_changes(old: str, new: str) -> list[Piece]:
    """Return how `old` becomes `new`; without what was deleted it reads as `new`, without what was inserted as `old`.

    Words that differ only in quotation marks or dashes are equal, and shown as in `new`.
    """
    before, after = _WORD.findall(old), _WORD.findall(new)
    pieces: list[Piece] = []
    matcher = SequenceMatcher(None, [plain(word) for word in before], [plain(word) for word in after], autojunk=False)
    for operation, start, end, new_start, new_end in matcher.get_opcodes():
        if operation == "equal":
            pieces.append(Piece(EQUAL, "".join(after[new_start:new_end])))
            continue
        if start < end:
            pieces.append(Piece(DELETE, "".join(before[start:end])))
        if new_start < new_end:
            pieces.append(Piece(INSERT, "".join(after[new_start:new_end])))
    return pieces


def text_of_part(rulebook: Rulebook | None, number: str | None) -> str | None:
    """Return the text of a part with its examples, or its heading; None where it isn't there or no text is installed."""
    if rulebook is None or number is None:
        return None
    if number.startswith(GLOSSARY):
        entry = rulebook.by_term.get(number.removeprefix(GLOSSARY))
        return entry.text if entry else None
    node = rulebook.by_number.get(number)
    return "\n".join([node.text or node.heading, *(f"Example: {example}" for example in node.examples)]) if node else None


def changes_within(lineage: Lineage, older: Iterable[str], newer: Iterable[str]) -> tuple[Link, ...]:
    """Return the links of `lineage` that end in one of the numbers `newer` or begin in one of `older`, or in anything under them."""
    olds, news = set(older), set(newer)
    return tuple(link for link in lineage.links if _is_within(link.new, news) or _is_within(link.old, olds))


def _is_within(number: str | None, numbers: set[str]) -> bool:
    while number:
        if number in numbers:
            return True
        number = "" if number.startswith(GLOSSARY) else _above(number)
    return False


def _above(number: str) -> str:
    """As `number_above`, also for the second bearer of a number (`702.175a~2`)."""
    printed, mark, again = number.partition("~")
    above = number_above(printed)
    return above + mark + again if "." in above else above


def compose(lineages: Sequence[Lineage], old: RulesGraph, new: RulesGraph) -> Lineage:
    """Return what became of each part of one release in a later one, from the lineages between and the two structures.

    Whatever happened between, a text that ends as it began is not reworded, and a rule that was dropped and came back is not new.
    """
    sources: dict[str, dict[str, _Path]] = defaultdict(dict)
    for place in old.places:
        for number, path in _follow(place.number, lineages):
            sources[number][place.number] = path
    for place in new.places:
        before = old.by_number.get(place.number)
        if place.number not in sources and before is not None and before.fingerprint == place.fingerprint:
            sources[place.number][place.number] = _Path()
    results: dict[str, int] = defaultdict(int)
    for olds in sources.values():
        for number in olds:
            results[number] += 1
    links = [link for place in new.places for link in _links(place, sources.get(place.number, {}), results, old)]
    gone = [Link(place.number, None, GONE) for place in old.places if place.number not in results]
    return Lineage(old.release, new.release, (*links, *gone))


@dataclass(frozen=True, slots=True)
class _Path:
    """What happened on the way from one number to another."""

    reworded: bool = False
    references_only: bool = True
    examples_changed: bool = False

    def then(self, link: Link) -> _Path:
        reworded = link.kind not in (SAME, MOVED)
        return replace(
            self,
            reworded=self.reworded or reworded,
            references_only=self.references_only and (not reworded or link.references_only),
            examples_changed=self.examples_changed or link.examples_changed,
        )


def _follow(number: str, lineages: Sequence[Lineage]) -> Iterator[tuple[str, _Path]]:
    paths: Mapping[str, _Path] = {number: _Path()}
    for lineage in lineages:
        following: dict[str, _Path] = {}
        for each, path in paths.items():
            for link in lineage.after(each):
                if link.new is not None:
                    following.setdefault(link.new, path.then(link))
        paths = following
    yield from paths.items()


def _links(place: Place, olds: Mapping[str, _Path], results: Mapping[str, int], old: RulesGraph) -> Iterator[Link]:
    if not olds:
        yield Link(None, place.number, NEW)
    for number, path in olds.items():
        before = old.by_number[number]
        reworded = path.reworded and before.fingerprint != place.fingerprint
        examples_changed = path.examples_changed and before.examples != place.examples
        if len(olds) > 1:
            kind = MERGED
        elif results[number] > 1:
            kind = SPLIT
        elif number == place.number:
            kind = REWORDED if reworded else SAME
        else:
            kind = MOVED_AND_REWORDED if reworded else MOVED
        if kind != SAME or examples_changed:
            only = kind in (REWORDED, MOVED_AND_REWORDED) and path.references_only
            yield Link(number, place.number, kind, only, examples_changed)
