"""Record which encodings of rules are needed: leave out each, and see whether some file of this folder gets another answer.

    python -m tests.cases.record [--changed] [--jobs N]

writes kb/rules/coverage.ttl, from which `lawmage coverage` and `lawmage rule` answer: for each statement of asp/ and each fact of kb/ that
encodes rules (`lawmage.rulebook.encodings`) its fingerprint and the case that another answer shows it to be needed by, if any; and for
each rule the cases in which it is kept, broken and applied. The case that needed an encoding last time is tried first; with --changed,
what was needed by a case that is still there isn't tried again.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NoReturn

import pytest

from lawmage import resources
from lawmage.board import Scenario
from lawmage.decks import legality, pairings
from lawmage.decks import repair as decks_repair
from lawmage.decks.cases import DeckCase, is_deck_case, load_deck_case, outcomes
from lawmage.play import declarations, derived, program, quick
from lawmage.play.expectation import compared
from lawmage.play.rule_functions import NotEvaluatedError
from lawmage.play.verdict import Answer
from lawmage.resources import data_folder
from lawmage.rulebook.coverage import Record, Shown, read_record, write_record
from lawmage.rulebook.encodings import Encoding, encodings, facts_with_rules, fingerprint_of
from lawmage.scenario import load_scenario

from .expectations import CASES, answers, disagreements, rule_of

#: What a search may take where something is left out, in seconds.
_LONGEST = 20.0
_ENTRY = Path("entry") / "deck.lp"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a case shows as things are: the statements of asp/ that bear on it, the rules that are kept, broken and applied in it."""

    name: str
    statements: frozenset[str]
    kept: frozenset[str]
    broken: frozenset[str]
    applied: frozenset[str]
    seconds: float
    words: str = field(repr=False)


@cache
def cases() -> dict[str, Path]:
    """Return the files of this folder by their names without ending, which are unique."""
    found = {file.stem: file for file in sorted(CASES.rglob("*.yaml"))}
    assert len(found) == len(list(CASES.rglob("*.yaml"))), "two files have the same name"
    return found


@cache
def _scenario(name: str) -> Scenario:
    return load_scenario(cases()[name])


@cache
def _is_of_decks(name: str) -> bool:
    return is_deck_case(cases()[name])


def answers_change(name: str) -> bool:
    """Return whether a case gets another answer than it expects."""
    try:
        if _is_of_decks(name):
            return any(expected != actual for _, expected, actual in outcomes(load_deck_case(cases()[name])))
        return any(disagreements(_scenario(name), _LONGEST))
    except Exception:
        # Without it the program makes no sense any more, and clingo, or who reads its answer, says so in one way or another.
        return True


# ---------------------------------------------------------------- as things are


def look(name: str) -> Seen | None:
    """Return what a case shows; None if it doesn't get the answer that it expects."""
    kept, broken, applied = set[str](), set[str](), set[str]()
    rule, start = rule_of(cases()[name]), time.perf_counter()
    if _is_of_decks(name):
        if answers_change(name):
            return None
        used, words = set(program.statements(data_folder("asp") / _ENTRY)), ""
        kept, broken = _of_decks(load_deck_case(cases()[name]), rule)
    else:
        scenario = _scenario(name)
        words = repr(scenario).lower()
        used, (answer, *others) = _watched(scenario)
        if not all(one.holds for each in (answer, *others) for one in compared(scenario.expect or {}, each)):
            return None
        for verdict in answer.proposals.values():
            cited = {*verdict.cites, *re.findall(r"\d{3}\.\d+[a-z]*", " ".join(verdict.not_understood))}
            if scenario.judge == "lethal":
                applied |= {rule}
            elif scenario.judge == "outcome":
                applied |= {rule, *cited}
            elif verdict.verdict == "legal":
                kept |= {rule, *cited}
            elif verdict.verdict == "illegal":
                # A file is named after the rule that makes the difference between its proposals.
                broken |= {rule, *(violation.rule for violation in verdict.violations)}
        # What is broken on a board, a legal proposal on it keeps.
        kept |= broken if kept else set()
    return Seen(name, frozenset(used), frozenset(kept), frozenset(broken), frozenset(applied), time.perf_counter() - start, words)


def _of_decks(case: DeckCase, rule: str) -> tuple[set[str], set[str]]:
    """Return the rules that a legal deck of a file keeps, which are all that others break, and those that others break."""
    verdicts = list(case.judge.judge(list(case.decks.values())))
    broken = {violation.rule for verdict in verdicts for violation in verdict.violations}
    broken |= {rule} if any(verdict.violations for verdict in verdicts) else set()
    return ({rule, *broken} if any(verdict.verdict == "legal" for verdict in verdicts) else set()), broken


def _watched(scenario: Scenario) -> tuple[set[str], list[Answer]]:
    """Return the statements of asp/ that are left in the programs that were run for a scenario, and the answers."""
    used: set[str] = set()
    original = program._without_idle

    def watched(rule: Any, reached: set[Any]) -> str:
        used.add(rule.text)
        return original(rule, reached)

    program.specialise.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "_without_idle", watched)
        patch.setattr(derived.Model, "__init__", _not_evaluated)
        return used, list(answers(scenario, _LONGEST))


def _not_evaluated(*_: Any) -> NoReturn:
    """Leave what can be derived without a search to clingo, too, whose programs show what bears on a case."""
    raise NotEvaluatedError


# ---------------------------------------------------------------- without an encoding


@dataclass(frozen=True, slots=True)
class Trial:
    """An encoding, as clingo writes it where it is a statement, and the cases that may need it, in the order in which they are tried."""

    encoding: Encoding
    statement: str
    names: tuple[str, ...]


def needed_by(trial: Trial) -> tuple[Encoding, str, int]:
    """Return the first case that gets another answer without the encoding, or an empty name, and how many were tried."""
    found, tried = "", 0
    with _left_out(trial.encoding, trial.statement):
        for name in trial.names:
            tried += 1
            if answers_change(name):
                found = name
                break
    assert not (found and answers_change(found)), f"{found} doesn't get the answer that it expects, whatever is left out"
    return trial.encoding, found, tried


@contextmanager
def _left_out(encoding: Encoding, statement: str) -> Iterator[None]:
    """Leave out an encoding: a statement from the programs as they were read, a fact from a copy of its file."""
    try:
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="without-") as temporary:
            if statement:
                left = _all_but(statement, Path(encoding.file).name)
                for module in (derived, program, quick):
                    patch.setattr(module, "statements", left)
                patch.setattr(program, "_analysed", cache(lambda entry: tuple(_analyse(line) for line in left(entry))))
            else:
                area, _, rest = encoding.file.partition("/")
                copy = Path(temporary) / area
                _linked(data_folder(area), copy, rest)
                (copy / rest).write_text(_without_fact(encoding, (copy / rest).read_text(encoding="utf-8")), encoding="utf-8")
                original = resources._found
                patch.setattr(resources, "_found", lambda name, chosen: copy if name == area else original(name, chosen))
            _forget()
            yield
    finally:
        _forget()


def _forget() -> None:
    """Forget the programs that were put together, which may lack what was left out, and whatever was kept of them."""
    for module in (resources, derived, program, quick, declarations, legality, pairings, decks_repair):
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


_statements = cache(program.statements.__wrapped__)
_analyse = cache(program._analyse)


def _all_but(statement: str, file: str) -> Callable[[Path], tuple[str, ...]]:
    """Return a function that gives the statements of an entry program without one of them, where it includes the file with it."""

    def left(entry: Path) -> tuple[str, ...]:
        found = _statements(entry)
        place = found.index(statement) if statement in found and file in _included(entry) else len(found)
        return found[:place] + found[place + 1 :]

    return left


@cache
def _included(entry: Path) -> frozenset[str]:
    """Return the names of the files that an entry program includes. (Two files may state the same in the same words.)"""
    return frozenset(re.findall(r'#include "\.\./([^"]+)"', entry.read_text(encoding="utf-8")))


def _linked(source: Path, target: Path, own: str) -> None:
    """Make `target` a copy of a folder in which all is linked but the file `own` and the folders above it."""
    target.mkdir()
    first, _, rest = own.partition("/")
    for path in source.iterdir():
        if path.name != first:
            (target / path.name).symlink_to(path)
        elif rest:
            _linked(path, target / first, rest)
        else:
            shutil.copyfile(path, target / first)


def _without_fact(encoding: Encoding, text: str) -> str:
    from pyoxigraph import RdfFormat, parse, serialize

    triples = [quad.triple for quad in parse(text.encode(), format=RdfFormat.TURTLE)]
    described = triples
    if "/formats/" in encoding.file:
        others = (file for file in (data_folder("kb") / "formats").glob("*.ttl") if file.name != Path(encoding.file).name)
        described = triples + [quad.triple for file in others for quad in parse(path=file, format=RdfFormat.TURTLE)]
    gone = {str(triple) for triple, _, words in facts_with_rules(triples, described) if fingerprint_of(words) == encoding.fingerprint}
    assert gone, encoding
    return (serialize((triple for triple in triples if str(triple) not in gone), format=RdfFormat.TURTLE) or b"").decode()


def trials(
    found: Iterable[Encoding], statements: dict[tuple[str, int, str], str], seen: dict[str, Seen], last: dict[tuple[str, str], str]
) -> Iterator[Trial]:
    """Yield what is to be tried: for each encoding cases that it may bear on, those likeliest to need it first.

    Args:
        found: the encodings.
        statements: as clingo writes them, by file, line and fingerprint.
        seen: what each case shows.
        last: the case that needed an encoding last time, by file and fingerprint.
    """
    for encoding in found:
        of_decks, text = "/formats/" in encoding.file, ""
        if encoding.line:
            text = statements[encoding.file, encoding.line, encoding.fingerprint]
            # What is evaluated without clingo leaves no trace, so the others come last.
            names = [name for name, case in seen.items() if text in case.statements or not _is_of_decks(name)]
        elif of_decks:
            names = [name for name in seen if _is_of_decks(name)]
        else:
            number, _, word = Path(encoding.file).stem.partition("-")
            rule = f"{number[:3]}.{int(number[4:])}"
            # Without its last letter, so that `suspected` and `goading` are found, too.
            mention = re.compile(rf"\b{re.escape(word.replace('-', ' ')[:-1])}")
            of_rule = re.compile(rf"{re.escape(rule)}[a-z]*")
            names = [name for name, case in seen.items() if mention.search(case.words) or of_rule.fullmatch(rule_of(cases()[name]))]
        first = last.get((encoding.file, encoding.fingerprint), "")

        def order(name: str, encoding: Encoding = encoding, first: str = first, text: str = text) -> tuple[bool, bool, bool, bool, float]:
            case = seen[name]
            unseen = bool(text) and text not in case.statements
            cited = case.broken | case.applied
            return name != first, unseen, rule_of(cases()[name]) not in encoding.rules, cited.isdisjoint(encoding.rules), case.seconds

        yield Trial(encoding, text, tuple(sorted(names, key=order)))


def clingo_statements() -> dict[tuple[str, int, str], str]:
    """Return the statements of asp/ as clingo writes them by file, line and fingerprint."""
    from clingo import ast

    found = {}
    for path in sorted(data_folder("asp").glob("*.lp")):
        nodes: list[ast.AST] = []
        ast.parse_files([str(path)], nodes.append)
        rules = [node for node in nodes if node.ast_type == ast.ASTType.Rule]
        text = path.read_text(encoding="utf-8")
        lines = [0, *(match.end() for match in re.finditer("\n", text))]
        for node in rules:
            begin, end = node.location.begin, node.location.end
            words = " ".join(text[lines[begin.line - 1] + begin.column - 1 : lines[end.line - 1] + end.column - 1].split())
            found[f"asp/{path.name}", begin.line, fingerprint_of(words)] = str(node)
    return found


# ---------------------------------------------------------------- the record


def shown(seen: Iterable[Seen], numbers: Iterable[str]) -> dict[str, Shown]:
    """Return for each rule the cases that show it: first those that are named after it, then a few others."""
    found: defaultdict[str, tuple[list[str], list[str], list[str]]] = defaultdict(lambda: ([], [], []))
    for case in sorted(seen, key=lambda case: case.name):
        for names, which in zip(("kept", "broken", "applied"), range(3), strict=True):
            for number in getattr(case, names):
                found[number][which].append(case.name)
    return {
        number: Shown(
            *(tuple(sorted(names, key=lambda name: rule_of(cases()[name]) != number)[: _most(names, number)]) for names in found[number])
        )
        for number in numbers
        if number in found
    }


def _most(names: list[str], number: str) -> int:
    return max(3, sum(rule_of(cases()[name]) == number for name in names))


def main() -> int:
    """Make kb/rules/coverage.ttl; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 64), help="how many processes judge")
    parser.add_argument("--changed", action="store_true", help="try only what is new or changed, and what no case needed")
    parser.add_argument("--only", default="", metavar="FILE", help="try only what stands in files with this in their name")
    arguments = parser.parse_args()
    start = time.monotonic()
    found, statements, last = encodings(), clingo_statements(), read_record().needed
    with tempfile.TemporaryDirectory() as empty:
        os.environ["LAWMAGE_HOME"] = empty
        for name in cases():
            if not _is_of_decks(name):
                _scenario(name)
        with get_context().Pool(arguments.jobs) as pool:
            seen = {case.name: case for case in pool.imap_unordered(look, cases(), chunksize=8) if case}
            failing = sorted(cases().keys() - seen)
            print(f"{len(seen)} cases judged after {time.monotonic() - start:.0f} s", file=sys.stderr)
            stays = {key for key, case in last.items() if arguments.changed and case in seen}
            wanted = [each for each in found if arguments.only in each.file and (each.file, each.fingerprint) not in stays]
            needed: dict[tuple[str, str], str] = {}
            tries = Counter[str]()
            for done, (encoding, name, tried) in enumerate(pool.imap_unordered(needed_by, trials(wanted, statements, seen, last)), 1):
                needed[encoding.file, encoding.fingerprint] = name
                tries["judged"] += tried
                if done % 100 == 0:
                    print(f"{done} of {len(wanted)} after {time.monotonic() - start:.0f} s, {tries['judged']} cases", file=sys.stderr)
    rules = {number for encoding in found for number in encoding.rules}
    write_record(
        Record.of(found, {**(last if arguments.changed or arguments.only else {}), **needed}, shown(seen.values(), sorted(rules))),
        data_folder("kb") / "rules",
    )
    idle = [encoding for encoding in wanted if not needed[encoding.file, encoding.fingerprint]]
    for encoding in idle:
        print(f"{encoding.file}:{encoding.line}: no case needs {encoding.text[:150]}")
    print(f"{len(wanted)} encodings, {len(idle)} of them needed by no case; {time.monotonic() - start:.0f} s")
    for name in failing:
        print(f"{name} doesn't get the answer that it expects, so it shows nothing")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
