"""What changed between two releases: rule by rule, word by word, and through the releases between."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from lawmage.errors import UnknownNameError
from lawmage.rulebook.graph import Place, RulesGraph
from lawmage.rulebook.lineage import GONE, MERGED, MOVED, MOVED_AND_REWORDED, NEW, REWORDED, SAME, SPLIT, Lineage, Link
from lawmage.rulebook.model import GLOSSARY, Rulebook, number_above
from lawmage.rulebook.wording import plain

__all__ = [
    "DELETE",
    "EQUAL",
    "INSERT",
    "Change",
    "History",
    "HistoryStep",
    "Piece",
    "changes",
    "compose",
    "heading_of",
    "histories",
    "shortened",
    "text_of_part",
    "word_changes",
]

EQUAL, DELETE, INSERT = "equal", "delete", "insert"

#: How many words of an unchanged stretch are shown at each end, beside what changed.
_CONTEXT = 12
#: So many words between two changes may be equal by chance.
_CHANCE = 3
_WORD = re.compile(r"\s*(?:\w(?:[\w’'./-]*\w)?|[^\w\s])")


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
    matcher = SequenceMatcher(None, [plain(word) for word in before], [plain(word) for word in after], autojunk=False)
    pieces: list[Piece] = []
    for equal, start, end, new_start, new_end in _stretches(matcher.get_opcodes()):
        if equal:
            pieces.append(Piece(EQUAL, "".join(after[new_start:new_end])))
            continue
        if start < end:
            pieces.append(Piece(DELETE, "".join(before[start:end])))
        if new_start < new_end:
            pieces.append(Piece(INSERT, "".join(after[new_start:new_end])))
    return pieces


def shortened(text: str, *, first: bool, last: bool) -> str:
    """Return an unchanged stretch with no more of its words than stand beside a change; `first` and `last` say where there is none."""
    words = text.split(" ")
    head, tail = (0 if first else _CONTEXT), (0 if last else _CONTEXT)
    if len(words) <= head + tail + 2:
        return text
    return " ".join([*words[:head], "…", *words[len(words) - tail :]])


def _stretches(opcodes: Iterable[tuple[str, int, int, int, int]]) -> list[tuple[bool, int, int, int, int]]:
    """Return alternately equal and changed stretches; words equal by chance between two longer changes count as changed."""
    found: list[tuple[bool, int, int, int, int]] = []
    for operation, start, end, new_start, new_end in opcodes:
        equal = operation == "equal"
        found.append((equal, start, end, new_start, new_end))
        if len(found) > 2 and not equal and found[-2][2] - found[-2][1] <= min(_size(found[-3]), _size(found[-1]), _CHANCE):
            _, first, _, new_first, _ = found[-3]
            found[-3:] = [(False, first, end, new_first, new_end)]
    return found


def _size(stretch: tuple[bool, int, int, int, int]) -> int:
    _, start, end, new_start, new_end = stretch
    return max(end - start, new_end - new_start)


def text_of_part(rulebook: Rulebook | None, number: str | None) -> str | None:
    """Return the text of a part with its examples, or its heading; None where it isn't there or no text is installed."""
    if rulebook is None or number is None:
        return None
    if number.startswith(GLOSSARY):
        entry = rulebook.by_term.get(number.removeprefix(GLOSSARY))
        return entry.text if entry else None
    node = rulebook.by_number.get(number)
    return "\n".join([node.text or node.heading, *(f"Example: {example}" for example in node.examples)]) if node else None


@dataclass(frozen=True, slots=True)
class Change:
    """One link with what a person needs to understand it.

    Attributes:
        link: what became of what.
        heading: the nearest heading: of the part itself, its rule or its chapter, or the term of a glossary entry; empty if not asked for.
        words: how the old text became the new one; None where a text is not installed.
    """

    link: Link
    heading: str
    words: list[Piece] | None


def changes(links: Iterable[Link], old: Rulebook | None, new: Rulebook | None, *graphs: RulesGraph) -> list[Change]:
    """Return links with words where both texts are given, and with headings where both structures are."""
    found = []
    for link in links:
        words = None
        if old is not None and new is not None:
            words = word_changes(text_of_part(old, link.old) or "", text_of_part(new, link.new) or "")
        found.append(Change(link, _heading(link, graphs), words))
    return found


def heading_of(graph: RulesGraph, number: str) -> str:
    """Return the heading of a part, or of the nearest part above that has one; empty if the graph doesn't have the part."""
    return next((place.heading for each in graph.above(number) if (place := graph.by_number.get(each)) and place.heading), "")


def _heading(link: Link, graphs: Sequence[RulesGraph]) -> str:
    if not graphs:
        return ""
    old, new = graphs
    return heading_of(new, link.new) if link.new is not None else heading_of(old, link.old or "")


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """What changed between two consecutive releases in the rule that is followed and in everything under it."""

    older: str
    newer: str
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class History:
    """The history of a rule, oldest step first.

    Attributes:
        number, release, heading: the rule that is followed, in the release whose number it has.
        steps: only where something changed.
    """

    number: str
    release: str
    heading: str
    steps: list[HistoryStep]


def histories(
    name: str, old: RulesGraph, new: RulesGraph, lineages: Sequence[Lineage], text: Callable[[str], Rulebook | None]
) -> list[History]:
    """Return the history between two releases of the rule with a number in the newer one, and of the one with it in the older.

    If both are the same rule there is one history, else the newer release's comes first.

    Args:
        name: a number as a person writes it, or `glossary:` and a term.
        old, new: the two releases.
        lineages: what became of what between them, oldest first.
        text: gives the text of a release, or None where it isn't installed.

    Raises:
        UnknownNameError: if neither release has that number.
    """
    found: list[History] = []
    roots: list[set[str]] = []
    for graph in (new, old):
        try:
            place = graph.find(name)
        except UnknownNameError:
            if graph is old and not found:
                raise
            continue
        if found and place.number in roots[0]:
            break
        roots = _roots(place.number, lineages, forwards=graph is old)
        steps = []
        for lineage, olds, news in zip(lineages, roots, roots[1:], strict=False):
            links = [link for link in lineage.links if _is_within(link.new, news) or _is_within(link.old, olds)]
            if links:
                steps.append(HistoryStep(lineage.older, lineage.newer, changes(links, text(lineage.older), text(lineage.newer))))
        found.append(History(place.number, graph.release, heading_of(graph, place.number), steps))
    return found


def _roots(number: str, lineages: Sequence[Lineage], *, forwards: bool) -> list[set[str]]:
    """Return the numbers of a rule in each release, oldest first."""
    roots = [{number}]
    for lineage in lineages if forwards else reversed(lineages):
        links = (link for each in roots[-1] for link in (lineage.after(each) if forwards else lineage.before(each)))
        following = (link.new if forwards else link.old for link in links)
        roots.append({each for each in following if each is not None})
    return roots if forwards else roots[::-1]


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
