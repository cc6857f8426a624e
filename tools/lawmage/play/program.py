"""The programs of asp/, cut down to the rules that the facts at hand can make fire and that bear on what is shown.

Grounding takes time for every rule, whether it fires or not. A rule of which some positive body literal can be true neither by a
fact nor by another rule changes no answer, and neither does one whose head nothing shown, forbidden or maximised depends on. Which
rules those are is found by comparing names and constants alone, once for each combination of them; what any of them means plays no part.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from clingo import ast

from lawmage.play.rule_functions import KEYS
from lawmage.play.stratified import Key, Relation, Row
from lawmage.play.unfolding import split as _split
from lawmage.play.unfolding import unfolded

__all__ = ["Places", "Program", "Signature", "places_in", "signatures_of", "specialise", "statements"]

#: A predicate (name, number of arguments), or one with a constant at one place (name, number of arguments, place, constant).
Signature: TypeAlias = tuple[str, int] | tuple[str, int, int, str]

#: Where a predicate has constants that matter.
Places: TypeAlias = Mapping[tuple[str, int], tuple[int, ...]]

_ATOM = re.compile(r"(_*[a-z]\w*)(?:\((.*)\))?$")
_CHOICE = re.compile(r"(?:\S+ [<>=]+ )?\{(.*)\}(?: [<>=]+ \S+)?$")
_HEADLESS = re.compile(r"(#false|:~) (?::- )?(.*?)\.(?: \[[^]]*\])?$")
_NAMES = re.compile(r"\b(_*[a-z]\w*)\b")
_CONSTANTS = re.compile(r"\(?([a-z]\w*(?:;[a-z]\w*)*)\)?$")


@dataclass(frozen=True, slots=True)
class Program:
    """A cut-down program, its statements, and the names of the predicates that it takes facts of."""

    rules: tuple[str, ...]
    takes: frozenset[str]

    @property
    def text(self) -> str:
        """The program as text."""
        return "\n".join(self.rules)

    def taken(self, facts: Mapping[int, Relation]) -> dict[Key, Collection[Row]]:
        """Return the facts that the program takes, of those given by the numbers of their predicates."""
        takes = self.takes
        return {KEYS[number]: relation.rows for number, relation in facts.items() if KEYS[number][0] in takes}


@dataclass(frozen=True, slots=True)
class _Literal:
    """A body literal. `options` are the signatures of which one has to be given for it to hold, or for its condition where it has one."""

    text: str
    negated: bool
    conditional: bool
    options: tuple[tuple[Signature, ...], ...]


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    head: str
    body: tuple[_Literal, ...]
    gives: frozenset[Signature]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Index:
    """The statements of a program, and what is looked up about them by number.

    Attributes:
        needs: how many conditions each statement has; a condition is met by any of some signatures.
        owners: the statement of each condition.
        conditions: those that a signature meets.
        givers: the statements that give atoms of a name.
    """

    statements: tuple[_Statement, ...]
    needs: tuple[int, ...]
    owners: tuple[int, ...]
    conditions: Mapping[Signature, Sequence[int]]
    givers: Mapping[str, Sequence[int]]


@lru_cache(maxsize=32)
def statements(entry: Path) -> tuple[str, ...]:
    """Return the statements of an entry program and all that it includes, each on one line in clingo's own spelling."""
    parsed: list[str] = []
    ast.parse_files([str(entry)], lambda statement: parsed.append(str(statement)))
    return tuple(line for line in parsed if not line.startswith(("%", "#program", "#defined", "#include")))


@lru_cache(maxsize=128)
def specialise(entry: Path, facts: frozenset[Signature], apart: frozenset[Key] = frozenset()) -> Program:
    """Return the program of `entry` as far as it can matter where only atoms of the signatures `facts` are given.

    Of the predicates `apart` all that is so is among the facts, and the rules that derive it are left out.

    What is left is unfolded (`lawmage.play.unfolding`): predicates that are neither shown nor in `facts` may be gone from it.
    """
    index = _index(entry)
    firing, reached = _firing(index, facts)
    if apart:
        firing = {
            number for number in firing if not (gives := index.statements[number].gives) or any(key[:2] not in apart for key in gives)
        }
    useful = (index.statements[number] for number in sorted(_useful(index, firing)))
    rules = unfolded([_without_idle(rule, reached) for rule in useful], {key for key in facts if len(key) == 2})
    names = {name for rule in rules for name in _NAMES.findall(rule)}
    return Program(tuple(rules), frozenset({key[0] for key in facts} & names))


def _firing(index: _Index, facts: frozenset[Signature]) -> tuple[set[int], set[Signature]]:
    """Return the statements that can fire, and the signatures that facts and they give."""
    missing = list(index.needs)
    met = bytearray(len(index.owners))
    firing = {number for number, needed in enumerate(missing) if not needed}
    reached: set[Signature] = set()
    new = [*facts, *(key for number in firing for key in index.statements[number].gives)]
    while new:
        key = new.pop()
        if key in reached:
            continue
        reached.add(key)
        for condition in index.conditions.get(key, ()):
            if met[condition]:
                continue
            met[condition] = True
            owner = index.owners[condition]
            missing[owner] -= 1
            if not missing[owner]:
                firing.add(owner)
                new += index.statements[owner].gives
    return firing, reached


def _useful(index: _Index, firing: set[int]) -> set[int]:
    """Return the statements of those that fire on which something shown, forbidden or maximised depends."""
    found: set[int] = set()
    new = [number for number in firing if not index.statements[number].gives]
    asked: set[str] = set()
    while new:
        number = new.pop()
        if number in found:
            continue
        found.add(number)
        for name in index.statements[number].names - asked:
            asked.add(name)
            new += firing.intersection(index.givers.get(name, ()))
    return found


def signatures_of(facts: Mapping[Key, Iterable[Row]], places: Places | None = None) -> set[Signature]:
    """Return the signatures of facts, given by predicate in the form of `lawmage.play.stratified`.

    Arguments that are identifiers are constants. They are looked for at `places` only, where these are given.
    """
    found: set[Signature] = set(facts)
    for key in facts if places is None else facts.keys() & places.keys():
        name, size = key
        for place in range(size) if places is None else places[key]:
            values = set(facts[key]) if size == 1 else {row[place] for row in facts[key]}
            found.update([(name, size, place, value) for value in values if isinstance(value, str) and value.isidentifier()])
    return found


@lru_cache(maxsize=32)
def places_in(*entries: Path) -> Places:
    """Return where in facts a constant can matter to any of the entry programs: what their rules ask about."""
    found: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for entry in entries:
        for rule in _analysed(entry):
            for literal in rule.body:
                for options in literal.options:
                    for option in options:
                        if len(option) == 4 and option[2] >= 0:
                            found[option[0], option[1]].add(option[2])
    return {key: tuple(sorted(those)) for key, those in found.items()}


@lru_cache(maxsize=32)
def _analysed(entry: Path) -> tuple[_Statement, ...]:
    return tuple(_analyse(line) for line in statements(entry))


@lru_cache(maxsize=32)
def _index(entry: Path) -> _Index:
    analysed = _analysed(entry)
    needs: list[int] = []
    owners: list[int] = []
    conditions: defaultdict[Signature, list[int]] = defaultdict(list)
    givers: defaultdict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(analysed):
        needed = [options for literal in rule.body if not (literal.negated or literal.conditional) for options in literal.options]
        needs.append(len(needed))
        for options in needed:
            for key in dict.fromkeys(options):
                conditions[key].append(len(owners))
            owners.append(number)
        for name in {key[0] for key in rule.gives}:
            givers[name].append(number)
    return _Index(analysed, tuple(needs), tuple(owners), conditions, givers)


def _analyse(line: str) -> _Statement:
    names = frozenset(_NAMES.findall(line))
    if line.startswith(("#show", ":~", "#false")):
        found = _HEADLESS.match(line)
        return _Statement(line, found[1] if found else line, tuple(_literals(found[2])) if found else (), frozenset(), names)
    head, _, body = line.removesuffix(".").partition(" :- ")
    gives: set[Signature] = set()
    choice = _CHOICE.match(head)
    for element in _split(choice[1], ";") if choice else [head]:
        match = _ATOM.match(_split(element, ":")[0].strip())
        if match:
            size = len(_split(match[2], ",")) if match[2] else 0
            gives |= {(match[1], size), (match[1], size, -1, "")}
    if not gives:
        raise ValueError(f"a head of a form that is not analysed: {line}")
    return _Statement(line, head, tuple(_literals(body)), frozenset(gives), names)


def _literals(body: str) -> Iterator[_Literal]:
    for text in _split(body, ";"):
        literal = text.strip()
        negated = literal.startswith("not ")
        head, *condition = _split(literal, ":")
        needed = _split(condition[0], ",") if condition else [head.removeprefix("not ")]
        atoms = [match for part in needed if (match := _ATOM.match(part.strip()))]
        yield _Literal(literal, negated, bool(condition), tuple(options for match in atoms for options in _options(match[1], match[2])))


def _options(name: str, inside: str | None) -> Iterator[tuple[Signature, ...]]:
    arguments = [argument.strip() for argument in _split(inside, ",")] if inside else []
    size = len(arguments)
    by_rule: Signature = (name, size, -1, "")
    found = [(index, match[1].split(";")) for index, argument in enumerate(arguments) if (match := _CONSTANTS.match(argument))]
    if not found:
        yield ((name, size),)
    for index, values in found:
        yield (by_rule, *((name, size, index, value) for value in values))


def _without_idle(rule: _Statement, reached: set[Signature]) -> str:
    """Return the rule without what is idle where nothing can make certain predicates true.

    These are literals `not p(..)`, those that hold for all `p(..)`, and constants that are only one of several that an argument may be.
    """
    if rule.head == ":~":
        return rule.text
    fine = [literal for literal in rule.body if not ((literal.negated or literal.conditional) and _idle(literal, reached))]
    body = [literal.text if literal.negated or literal.conditional else _narrowed(literal, reached) for literal in fine]
    if body == [literal.text for literal in rule.body]:
        return rule.text
    return f"{rule.head} :- {'; '.join(body)}." if body else f"{rule.head}."


def _narrowed(literal: _Literal, reached: set[Signature]) -> str:
    """Return a literal in which an argument is one of those constants only with which it can be true."""
    text = literal.text
    for by_rule, *given in literal.options:
        values = [key[3] for key in given if len(key) == 4]
        left = [key[3] for key in given if len(key) == 4 and key in reached]
        if len(left) < len(values) and by_rule not in reached and text.count(several := f"({';'.join(values)})") == 1:
            text = text.replace(several, left[0] if len(left) == 1 else f"({';'.join(left)})")
    return text


def _idle(literal: _Literal, reached: set[Signature]) -> bool:
    return any(not any(key in reached for key in options) for options in literal.options)
