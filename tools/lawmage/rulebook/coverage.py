"""Which rules of the encoded release are carried out, by what, and which cases show it; which are out of scope and why; which are open.

What is needed was found by leaving out each encoding in turn and judging the cases (`tests/cases/record.py`); kb/rules/coverage.ttl keeps
the answer. What bears on nothing that is judged stands in kb/rules/scope.ttl, by rules, chapters and sections, with the reasons.

A rule is `encoded` if some case gets another answer without one of its encodings, and cases show it kept and broken, or, where it says
what happens, applied. It is `supporting` if asp/ or kb/ relies on it but that isn't shown. Then comes what scope.ttl says of it.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.errors import DataError
from lawmage.resources import Stamp, data_folder, stamp_of
from lawmage.rulebook.encoded import encoded_release
from lawmage.rulebook.encodings import Encoding, encodings, named_in_data_and_programs
from lawmage.rulebook.model import sort_key
from lawmage.rulebook.rdf import RULES, VOCABULARY
from lawmage.rulebook.store import load_graph, write_aside

__all__ = [
    "DEFINITION",
    "ENCODED",
    "NOTHING",
    "OPEN",
    "OUT_OF_SCOPE",
    "STATUSES",
    "SUPPORTING",
    "Coverage",
    "Record",
    "Recorded",
    "RuleCoverage",
    "RuleEncoding",
    "Scope",
    "Shown",
    "coverage",
    "encoding_of",
    "load_scope",
    "read_record",
    "write_record",
]

ENCODED, SUPPORTING, DEFINITION, OUT_OF_SCOPE, OPEN = "encoded", "supporting", "definition only", "out of scope", "open"
#: What can become of a rule, and what each means.
STATUSES: Mapping[str, str] = {
    ENCODED: "without its encoding a case gets another answer, and cases show it kept and broken, or applied",
    SUPPORTING: "asp/ or kb/ relies on it, or on one that says the same, but no case shows it by itself",
    DEFINITION: "says what a word means, or is a heading: nothing to disobey",
    OUT_OF_SCOPE: "bears on nothing that is judged, for a reason in kb/rules/scope.ttl",
    OPEN: "not encoded yet",
}
_RECORD, _SCOPE = "coverage.ttl", "scope.ttl"
_HEADING = "heading"
_HEAD = """\
# Which encodings of rules are needed, and by which case of tests/cases/; and the cases that show a rule kept, broken and applied.
# A statement or fact has the fingerprint of what it says. One without lm:neededBy can be left out and no case gets another answer.
# Made by: python -m tests.cases.record

"""


@dataclass(frozen=True, slots=True)
class Shown:
    """The names of cases in which a rule is kept by something legal, broken by something illegal, and applied in an outcome."""

    kept: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether they show both sides of a rule on what is legal, or what a rule on outcomes does."""
        return bool((self.kept and self.broken) or self.applied)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is recorded of an encoding: its file and fingerprint, and the case that needs it; empty if none does."""

    file: str
    fingerprint: str
    needed_by: str


@dataclass(frozen=True, slots=True)
class Record:
    """What is recorded of all encodings, and of all rules that have any, by number."""

    encodings: tuple[Recorded, ...]
    shown: Mapping[str, Shown]

    @classmethod
    def of(cls, found: Iterable[Encoding], needed: Mapping[tuple[str, str], str], shown: Mapping[str, Shown]) -> Record:
        """Return a record of the encodings that were tried: `needed` has the case by file and fingerprint."""
        tried = (each for each in found if (each.file, each.fingerprint) in needed)
        return cls(tuple(Recorded(each.file, each.fingerprint, needed[each.file, each.fingerprint]) for each in tried), shown)

    @property
    def needed(self) -> dict[tuple[str, str], str]:
        """The case that needs an encoding, or an empty name, by the encoding's file and fingerprint."""
        return {(each.file, each.fingerprint): each.needed_by for each in self.encodings}


@dataclass(frozen=True, slots=True)
class Scope:
    """Why rules are not encoded, as status and reason.

    Attributes:
        exactly: by the number of a rule, without its subrules.
        by_number: by the number of a rule, chapter or section, with all that stands under it.
        by_kind: by a kind of what kb/keywords/ says of a rule.
    """

    exactly: Mapping[str, tuple[str, str]]
    by_number: Mapping[str, tuple[str, str]]
    by_kind: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RuleEncoding:
    """What encodes a rule: each encoding with the case that needs it; and the cases that show the rule.

    Where no case needs an encoding its name is empty; where it has not been tried, None.
    """

    encodings: tuple[tuple[Encoding, str | None], ...]
    shown: Shown

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "encodings": [
                {"file": each.file, "line": each.line or None, "text": each.text, "needed_by": case} for each, case in self.encodings
            ],
            "kept": list(self.shown.kept),
            "broken": list(self.shown.broken),
            "applied": list(self.shown.applied),
        }


#: Of a rule that nothing encodes.
NOTHING = RuleEncoding((), Shown())


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """What became of a rule: its status (of `STATUSES`), the reason where kb/ gives one, and what encodes it."""

    number: str
    status: str
    reason: str
    encoding: RuleEncoding


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of all rules of a release, in order; `untried` encodings changed since the record was made, or `forgotten` are gone."""

    release: str
    rules: tuple[RuleCoverage, ...]
    untried: tuple[Encoding, ...]
    forgotten: tuple[Recorded, ...]

    def by_chapter(self) -> dict[str, Counter[str]]:
        """Return how many rules of each chapter have each status."""
        found: dict[str, Counter[str]] = {}
        for rule in self.rules:
            found.setdefault(rule.number[:3], Counter())[rule.status] += 1
        return found

    def reasons(self, status: str) -> Counter[str]:
        """Return how many rules have a status for each reason."""
        return Counter(rule.reason for rule in self.rules if rule.status == status)


def coverage() -> Coverage:
    """Return what became of each rule of the release that is encoded.

    Raises:
        DataError: if a file of kb/ is damaged.
    """
    release = encoded_release()
    graph = load_graph(release)
    record, scope = read_record(), load_scope()
    needed, found = record.needed, encodings()
    by_rule: defaultdict[str, list[tuple[Encoding, str | None]]] = defaultdict(list)
    for encoding in found:
        for number in encoding.rules:
            by_rule[number].append((encoding, needed.get((encoding.file, encoding.fingerprint))))
    relied_on, kinds = named_in_data_and_programs()
    rules = []
    for place in graph.places:
        if place.kind not in ("rule", "subrule") or "~" in place.number:
            continue
        number = place.number
        shown = record.shown.get(number, Shown())
        is_needed = any(case for _, case in by_rule[number])
        reason = ""
        if is_needed and shown.enough:
            status = ENCODED
        elif place.heading and number in graph.children:
            status, reason = DEFINITION, _HEADING
        elif is_needed or number in relied_on:
            status = SUPPORTING
        else:
            status, reason = _of_scope(scope, number, kinds.get(number, frozenset()))
        rules.append(RuleCoverage(number, status, reason, RuleEncoding(tuple(by_rule[number]), shown)))
    present = {(each.file, each.fingerprint) for each in found}
    return Coverage(
        release,
        tuple(rules),
        tuple(each for each in found if (each.file, each.fingerprint) not in needed),
        tuple(each for each in record.encodings if (each.file, each.fingerprint) not in present),
    )


def encoding_of(number: str) -> RuleEncoding:
    """Return what encodes a rule, and the cases that show it."""
    record = read_record()
    needed = record.needed
    found = tuple((each, needed.get((each.file, each.fingerprint))) for each in encodings() if number in each.rules)
    return RuleEncoding(found, record.shown.get(number, Shown()))


def _of_scope(scope: Scope, number: str, kinds: frozenset[str]) -> tuple[str, str]:
    """Return status and reason: what is said of the number itself, of the rule above, of kinds of statement, of chapter and section."""
    if number in scope.exactly:
        return scope.exactly[number]
    for above in (number, number.rstrip("abcdefghijklmnopqrstuvwxyz")):
        if above in scope.by_number:
            return scope.by_number[above]
    if kinds and all(kind in scope.by_kind for kind in kinds):
        return scope.by_kind[min(kinds)]
    for above in (number[:3], number[:1]):
        if above in scope.by_number:
            return scope.by_number[above]
    return OPEN, ""


# ---------------------------------------------------------------- the files


def read_record() -> Record:
    """Return what kb/rules/coverage.ttl says; nothing where there is no such file yet.

    Raises:
        DataError: if it is damaged.
    """
    path = data_folder("kb") / "rules" / _RECORD
    return _record(stamp_of(path), path) if path.is_file() else Record((), {})


@lru_cache(maxsize=2)
def _record(_stamp: Stamp, path: Path) -> Record:
    about: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in _triples(path):
        about[subject][predicate].append(value)
    prefix = f"{RULES}{encoded_release()}:"
    found, shown = [], {}
    for subject, said in about.items():
        if subject.startswith(prefix):
            shown[subject.removeprefix(prefix)] = Shown(*(tuple(said[name]) for name in ("keptIn", "brokenIn", "appliedIn")))
        else:
            found.append(Recorded(said["standsIn"][0], said["printOf"][0], (said["neededBy"] or [""])[0]))
    return Record(tuple(found), shown)


def write_record(record: Record, folder: Path) -> Path:
    """Write coverage.ttl into `folder`, and return the file made."""
    lines = [_HEAD + f"@prefix lm: <{VOCABULARY}> .\n@prefix r:  <{RULES}{encoded_release()}:> .\n"]
    for number in sorted(record.shown, key=sort_key):
        shown = record.shown[number]
        parts = [
            f"lm:{name} " + " , ".join(f'"{case}"' for case in those)
            for name, those in (("keptIn", shown.kept), ("brokenIn", shown.broken), ("appliedIn", shown.applied))
            if those
        ]
        if parts:
            lines.append(f"r:{number} {' ; '.join(parts)} .")
    lines.append("")
    for each in record.encodings:
        needed = f' ; lm:neededBy "{each.needed_by}"' if each.needed_by else ""
        lines.append(f'[] lm:standsIn "{each.file}" ; lm:printOf "{each.fingerprint}"{needed} .')
    write_aside(folder / _RECORD, ("\n".join(lines) + "\n").encode())
    return folder / _RECORD


def load_scope() -> Scope:
    """Return what kb/rules/scope.ttl says.

    Raises:
        DataError: if it is missing or damaged, or says two things of one number.
    """
    path = data_folder("kb") / "rules" / _SCOPE
    about: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for subject, predicate, value in _triples(path):
        about[subject].setdefault(predicate, []).append(value)
    found: dict[str, dict[str, tuple[str, str]]] = {"coversOnly": {}, "covers": {}, "coversKind": {}}
    for said in about.values():
        if "status" in said:
            meaning = said["status"][0], said["label"][0]
            for predicate, known in found.items():
                for value in said.get(predicate, ()):
                    if meaning[0] not in STATUSES or value in known:
                        raise DataError(
                            f'{path}: "{value}" has two reasons, or the status "{meaning[0]}", which is none of {", ".join(STATUSES)}'
                        )
                    known[value.rpartition(":")[2]] = meaning
    return Scope(found["coversOnly"], found["covers"], found["coversKind"])


def _triples(path: Path) -> Iterable[tuple[str, str, str]]:
    from pyoxigraph import RdfFormat, parse

    def text(term: Any) -> str:
        return str(term.value)

    try:
        for quad in parse(path=os.fspath(path), format=RdfFormat.TURTLE):
            predicate = quad.predicate.value.rpartition("#")[2].rpartition(":")[2]
            yield text(quad.subject), predicate, text(quad.object)
    except (OSError, SyntaxError) as error:
        raise DataError(f"{path} can't be read ({error}); install lawmage again") from None
