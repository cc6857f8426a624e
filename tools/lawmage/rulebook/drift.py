"""Drift: the rules that asp/ and kb/ encode, and what became of them in another release.

kb/rules/encoded.ttl keeps the fingerprint of the text that each of them was written from. It is made by

    python -m lawmage.rulebook.drift

from the numbers that the files of asp/ and kb/ name and the structure of the release that kb/vocabulary.ttl says they encode. Run it
when a rule was added, and after a look at what `lawmage drift` lists when that release changes; a test says when it is due.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lawmage.chores import run_chore
from lawmage.errors import DataError
from lawmage.resources import data_folder
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.history import Translation, follow, lineages_between
from lawmage.rulebook.lineage import SAME
from lawmage.rulebook.model import sort_key
from lawmage.rulebook.rdf import RULES, VOCABULARY
from lawmage.rulebook.store import load_graph, write_aside

__all__ = ["Drifted", "drift", "encoded_rules", "fingerprints_now", "load_fingerprints", "main", "named_numbers", "ship"]

_FILE = "encoded.ttl"
#: Not that of a file, which has zeros in front (702.019-trample.lp).
_NUMBER = re.compile(r"(?<![\d.])\d{3}\.[1-9]\d*[a-z]{0,2}(?![\da-z])")
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_HEAD = """\
# The rules that asp/ and kb/ encode, with the fingerprint of the text that each was written from (see `lawmage drift`).
# Made by: python -m lawmage.rulebook.drift

"""


@dataclass(frozen=True, slots=True)
class Drifted:
    """An encoded rule that isn't as it was encoded.

    Attributes:
        rule: its number in the release that is encoded.
        translation: what became of it in the other release.
        files: what encodes it, such as `asp/509-declare-blockers.lp`.
    """

    rule: str
    translation: Translation
    files: tuple[str, ...]


def encoded_rules() -> dict[str, tuple[str, ...]]:
    """Return the rule numbers that the programs of asp/ and the data of kb/ name, in order, with the files that name each.

    In a program any number of a rule counts, also in a comment; in Turtle a string that is one.
    """
    named: dict[str, list[str]] = {}
    for name, number in (*_in_programs(), *_in_data()):
        if name not in (files := named.setdefault(number, [])):
            files.append(name)
    return {number: tuple(named[number]) for number in sorted(named, key=sort_key)}


def _in_programs() -> Iterator[tuple[str, str]]:
    for path, name in _files("asp", "*.lp"):
        for number in named_numbers(path.read_text(encoding="utf-8")):
            yield name, number


def named_numbers(text: str) -> list[str]:
    """Return the rule numbers that a text names, in its order."""
    return _NUMBER.findall(text)


def _in_data() -> Iterator[tuple[str, str]]:
    from pyoxigraph import Literal, RdfFormat, parse

    for path, name in _files("kb", "*.ttl"):
        if path.parent != data_folder("kb") / "rules":
            for quad in parse(path=path, format=RdfFormat.TURTLE):
                value = quad.object
                if isinstance(value, Literal) and value.datatype.value == _STRING and _NUMBER.fullmatch(value.value):
                    yield name, value.value


def _files(folder: str, pattern: str) -> Iterator[tuple[Path, str]]:
    root = data_folder(folder)
    for path in sorted(root.rglob(pattern)):
        yield path, f"{folder}/{path.relative_to(root).as_posix()}"


def fingerprints_now() -> dict[str, str]:
    """Return the fingerprint of each encoded rule in the release that is encoded.

    Raises:
        DataError: if a file names a rule that this release doesn't have.
    """
    release = encoded_release()
    graph = load_graph(release)
    found: dict[str, str] = {}
    for number, files in encoded_rules().items():
        place = graph.by_number.get(number)
        if place is None:
            raise DataError(f"{files[0]} names {number}, which the release {release} doesn't have")
        found[number] = place.fingerprint
    return found


def load_fingerprints() -> Mapping[str, str]:
    """Return the fingerprints in kb/rules/encoded.ttl by rule number.

    Raises:
        DataError: if the file is missing or damaged.
    """
    from pyoxigraph import RdfFormat, parse

    path = data_folder("kb") / "rules" / _FILE
    prefix = f"{RULES}{encoded_release()}:"
    try:
        return {
            quad.subject.value.removeprefix(prefix): quad.object.value
            for quad in parse(path=path, format=RdfFormat.TURTLE)
            if quad.predicate.value == f"{VOCABULARY}encodedFrom"
        }
    except (OSError, SyntaxError) as error:
        raise DataError(f"{path} can't be read ({error}); install lawmage again") from None


def drift(release: str) -> list[Drifted]:
    """Return the encoded rules whose words, references or number are others in `release`, a known one, in order.

    Raises:
        DataError: if what became of the rules can't be told, as `lineages_between`, or kb/rules/encoded.ttl is damaged.
    """
    encoded = encoded_release()
    lineages = lineages_between(*sorted((encoded, release)))
    places = load_graph(release).by_number
    files = encoded_rules()
    drifted = []
    for number, fingerprint in load_fingerprints().items():
        translation = follow(number, encoded, release, lineages)
        place = places.get(number) if translation.became == (number,) else None
        unchanged = place is not None and place.fingerprint == fingerprint
        if translation.kind != SAME and not unchanged:
            drifted.append(Drifted(number, translation, files.get(number, ())))
    return drifted


def ship(folder: Path) -> Path:
    """Write the fingerprints of the encoded rules as they are now into `folder`, and return the file made."""
    lines = [f'r:{number} lm:encodedFrom "{fingerprint}" .' for number, fingerprint in fingerprints_now().items()]
    prefixes = f"@prefix lm: <{VOCABULARY}> .\n@prefix r:  <{RULES}{encoded_release()}:> .\n\n"
    write_aside(folder / _FILE, (_HEAD + prefixes + "\n".join(lines) + "\n").encode())
    return folder / _FILE


def main(arguments: list[str]) -> int:
    """Make kb/rules/encoded.ttl; return the exit status."""
    return run_chore(lambda _: [ship(data_folder("kb") / "rules")], arguments, __doc__, most=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
