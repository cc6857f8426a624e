"""The history of rule numbers through all known releases: shipped lineage, and translation from one release's numbering to another's.

What became of what between the releases that come with lawmage is in kb/rules/lineage.trig.xz, made from the publisher's texts by

    python -m lawmage.rulebook.history FILE...

with the text files of all those releases, and holds no text. Run it in a checkout when a release is added or lineage is found in
another way; a test compares the file with the texts. To and from a release that the user has installed, lineage is computed from
the two texts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lawmage.chores import run_chore
from lawmage.errors import DataError
from lawmage.resources import data_folder
from lawmage.rulebook import lineage as kinds
from lawmage.rulebook.lineage import Lineage, Link, compare, compare_all
from lawmage.rulebook.model import GLOSSARY
from lawmage.rulebook.parse import read
from lawmage.rulebook.rdf import RULES, VOCABULARY, pack, unpack
from lawmage.rulebook.store import load_graph, load_installed, shipped_releases, write_aside

if TYPE_CHECKING:
    from pyoxigraph import Quad

__all__ = [
    "Step",
    "Translation",
    "follow",
    "lineages_between",
    "load_shipped",
    "main",
    "quads",
    "read_shipped",
    "ship",
    "translate",
]

_FILE = "lineage.trig.xz"
_GRAPH = f"{RULES}lineage"
_DATE_LENGTH = len("2026-08-07")
#: What an IRI may hold unescaped, beside letters and digits; as in lawmage.rulebook.rdf.
_PLAIN = ":~.-_,()'!"
#: The predicates that say each kind of link; both where it is moved and reworded.
_PREDICATES = {
    kinds.REWORDED: ("rewords",),
    kinds.MOVED: ("movedFrom",),
    kinds.MOVED_AND_REWORDED: ("movedFrom", "rewords"),
    kinds.SPLIT: ("splitFrom",),
    kinds.MERGED: ("mergedFrom",),
}
_KINDS = {frozenset(names): kind for kind, names in _PREDICATES.items()} | {frozenset[str](): kinds.SAME}


# ---------------------------------------------------------------- shipped lineage


def quads(lineages: Iterable[Lineage]) -> Iterator[Quad]:
    """Yield the statements about links, all in the named graph of lineage. kb/rules/vocabulary.ttl says what they mean."""
    from pyoxigraph import NamedNode, Quad

    graph = NamedNode(_GRAPH)

    def iri(release: str, number: str) -> NamedNode:
        return NamedNode(f"{RULES}{release}:{quote(number, safe=_PLAIN)}")

    for lineage in lineages:
        newer = NamedNode(RULES + lineage.newer)
        for link in lineage.links:
            if link.new is None:
                assert link.old is not None
                yield Quad(iri(lineage.older, link.old), NamedNode(f"{VOCABULARY}goneIn"), newer, graph)
            elif link.old is None:
                yield Quad(iri(lineage.newer, link.new), NamedNode(f"{VOCABULARY}newIn"), newer, graph)
            else:
                for name in _names(link):
                    yield Quad(iri(lineage.newer, link.new), NamedNode(VOCABULARY + name), iri(lineage.older, link.old), graph)


def _names(link: Link) -> Iterator[str]:
    for name in _PREDICATES.get(link.kind, ()):
        yield "renumbers" if name == "rewords" and link.references_only else name
    if link.examples_changed:
        yield "changesExamplesOf"


def load_shipped() -> dict[tuple[str, str], Lineage]:
    """Return the lineage that comes with lawmage, by its older and newer release.

    Raises:
        DataError: if its file is missing or damaged.
    """
    path = data_folder("kb") / "rules" / _FILE
    try:
        return read_shipped(unpack(path.read_bytes()), list(shipped_releases()))
    except (OSError, SyntaxError, KeyError, ValueError) as error:
        raise DataError(f"{path} can't be read ({error}); install lawmage again") from None


def read_shipped(document: bytes, releases: Sequence[str]) -> dict[tuple[str, str], Lineage]:
    """Return the lineage in a TriG document with the statements of `quads`, given the releases that it is about, oldest first."""
    from pyoxigraph import RdfFormat, parse

    older = {newer: older for older, newer in pairwise(releases)}
    found: dict[str, dict[tuple[str | None, str | None], set[str]]] = {newer: {} for newer in older}
    for quad in parse(document, format=RdfFormat.TRIG):
        name = quad.predicate.value.removeprefix(VOCABULARY)
        subject_release, subject = _split(quad.subject.value)
        object_release, target = _split(quad.object.value)
        if name == "goneIn":
            found[object_release][subject, None] = {name}
        else:
            found[subject_release].setdefault((None if name == "newIn" else target, subject), set()).add(name)
    return {
        (older[newer], newer): Lineage(older[newer], newer, tuple(_link(old, new, names) for (old, new), names in links.items()))
        for newer, links in found.items()
    }


def _link(old: str | None, new: str | None, names: set[str]) -> Link:
    if old is None or new is None:
        return Link(old, new, kinds.NEW if old is None else kinds.GONE)
    renumbers, examples = "renumbers" in names, "changesExamplesOf" in names
    rest = names - {"renumbers", "changesExamplesOf"} | ({"rewords"} if renumbers else set())
    return Link(old, new, _KINDS[frozenset(rest)], renumbers, examples)


def _split(iri: str) -> tuple[str, str]:
    """Return the release and the number of an IRI; the number is empty for a release."""
    release, number = iri[len(RULES) :][:_DATE_LENGTH], iri[len(RULES) + _DATE_LENGTH + 1 :]
    return release, unquote(number) if number.startswith(GLOSSARY) else number


# ---------------------------------------------------------------- any two releases


def lineages_between(older: str, newer: str) -> list[Lineage]:
    """Return the lineages that lead from one known release to a later one, through all shipped releases between.

    Raises:
        DataError: if one of them is neither shipped nor computable, because a text isn't installed.
    """
    if older == newer:
        return []
    shipped = load_shipped()
    between = [release for release in shipped_releases() if older < release < newer]
    return [shipped.get(pair) or _computed(*pair) for pair in pairwise([older, *between, newer])]


def _computed(older: str, newer: str) -> Lineage:
    old, new = load_installed(older), load_installed(newer)
    if old is None or new is None:
        missing = " and ".join(release for release, found in ((older, old), (newer, new)) if found is None)
        raise DataError(
            f"what became of the rules of {older} in {newer} can be told only from both texts; "
            f"install that of {missing} with: lawmage data import FILE"
        )
    return compare(old.rulebook, new.rulebook)


# ---------------------------------------------------------------- translation


@dataclass(frozen=True, slots=True)
class Step:
    """The links from one release to the next (in time) that changed what is being followed."""

    older: str
    newer: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """What a number of one release is in another.

    Attributes:
        number, start: the number, and the release in whose numbering it is.
        end: the release asked about; it may be the older one.
        became: the numbers there; several where the rule was split, none where it is gone (or, backwards, didn't exist yet).
        steps: in the order followed, only where something changed.
    """

    number: str
    start: str
    end: str
    became: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def reworded(self) -> bool:
        """Whether its words ever changed on the way, be it in the numbers that it refers to."""
        return any(link.kind != kinds.MOVED for step in self.steps for link in step.links)

    @property
    def references_only(self) -> bool:
        """Whether nothing in its words ever changed but the numbers that it refers to."""
        return all(link.kind == kinds.MOVED or link.references_only for step in self.steps for link in step.links)

    @property
    def kind(self) -> str:
        """What became of it, as the kind of a link, in the direction asked about: `gone` also for what is not there yet."""
        if not self.became:
            return kinds.GONE
        if len(self.became) > 1:
            return kinds.SPLIT
        if self.became == (self.number,):
            return kinds.REWORDED if self.reworded else kinds.SAME
        return kinds.MOVED_AND_REWORDED if self.reworded else kinds.MOVED


def translate(number: str, start: str, end: str) -> Translation:
    """Follow a rule or glossary entry from one release to another, forwards or backwards.

    Args:
        number: a number as a person writes it, or `glossary:` and a term.
        start: the known release in whose numbering it is.
        end: the known release whose numbers are wanted.

    Raises:
        UnknownNameError: if the release `start` has no such number.
        DataError: as `lineages_between`.
    """
    found = load_graph(start).find(number).number
    return follow(found, start, end, lineages_between(*sorted((start, end))))


def follow(number: str, start: str, end: str, lineages: Sequence[Lineage]) -> Translation:
    """As `translate`, for a number that exists in `start`, along the lineages between the two releases (in order of time)."""
    forwards = start <= end
    numbers: tuple[str, ...] = (number,)
    steps: list[Step] = []
    for lineage in lineages if forwards else reversed(lineages):
        links = [link for each in numbers for link in (lineage.after(each) if forwards else lineage.before(each))]
        if changed := tuple(link for link in links if link.kind != kinds.SAME):
            steps.append(Step(lineage.older, lineage.newer, changed))
        following = dict.fromkeys(link.new if forwards else link.old for link in links)
        numbers = tuple(each for each in following if each is not None)
    return Translation(number, start, end, numbers, tuple(steps))


# ---------------------------------------------------------------- the chore


def ship(lineages: Iterable[Lineage], folder: Path) -> Path:
    """Write the lineages between the shipped releases into `folder`, and return the file made."""
    from pyoxigraph import RdfFormat, serialize

    document = serialize(quads(lineages), format=RdfFormat.TRIG, prefixes={"lm": VOCABULARY, "r": RULES})
    assert document is not None  # None is for output to a file
    write_aside(folder / _FILE, pack(document))
    return folder / _FILE


def main(arguments: list[str]) -> int:
    """Ship the lineage between the releases in the files named; return the exit status."""
    return run_chore(_ship_files, arguments, __doc__, least=1)


def _ship_files(names: Sequence[str]) -> Iterator[Path]:
    rulebooks = [read(name) for name in names]
    missing = sorted(set(shipped_releases()) ^ {rulebook.release for rulebook in rulebooks})
    if missing:
        raise DataError(f"the files must be those of all releases in kb/rules/; too few or too many: {', '.join(missing)}")
    yield ship(compare_all(rulebooks), data_folder("kb") / "rules")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
