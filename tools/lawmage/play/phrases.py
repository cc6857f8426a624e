"""Constraints in plain words, for people: `can't be blocked (other side: power at most 2), if you control 1 or more that are ...`."""

from __future__ import annotations

import re

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Knowledge, deck_statements

__all__ = ["constraint_in_words"]

_POINTERS = {"self": "", "attached": "what it is attached to", "affected": "what the effect names"}
#: What stands in a label for the number and for the word of a constraint.
_NUMBER, _WORD = re.compile(r"\bN\b"), re.compile(r"\ba keyword\b")


def constraint_in_words(constraint: Constraint, known: Knowledge) -> str:
    """Return what `constraint` says: whom it is about, what it does (as kb/ says of its kind), the other side, when."""
    kind = known.kinds.get(constraint.kind)
    does = kind.label if kind else deck_statements().get(constraint.kind, constraint.kind.replace("_", " ")).rstrip(".")
    does = does.replace("+N/+N", f"{constraint.power:+d}/{constraint.toughness:+d}")
    beside = []
    if constraint.number is not None:
        does, times = _NUMBER.subn(str(constraint.number), does)
        beside += [] if times else [f"number {constraint.number}"]
    if constraint.value:
        does, times = _WORD.subn(constraint.value, does)
        beside += [] if times else [constraint.value]
    if constraint.object is not None:
        beside.append(f"other side: {_whom(constraint.object) or 'it'}")
    if constraint.target:
        beside.append(f"{'attacks on' if kind is not None and 'attack' in kind.judges else 'for'}: {constraint.target}")
    whom = _whom(constraint.subject)
    told = (f"{whom}: " if whom else "") + does + (f" ({'; '.join(beside)})" if beside else "")
    return ", ".join([told, *map(_when, constraint.conditions)])


def _whom(whom: Subject) -> str:
    """Return a description of objects; nothing for the object itself and for all objects."""
    if not isinstance(whom, Filter):
        return _POINTERS[whom]
    if () in whom.any_of:
        return ""
    return " or ".join(" and ".join(map(_test, tests)) for tests in whom.any_of)


def _test(test: Test) -> str:
    value = "" if test.value is None else f" {test.value}"
    return f"{'not ' if test.negated else ''}{test.kind.replace('_', ' ')}{value}"


def _when(condition: Condition) -> str:
    joint = "unless" if condition.negated else "if"
    if condition.kind == "open":
        return f"{joint} {condition.text}"
    told = f"{condition.who}: " * bool(condition.who) + condition.kind.replace("_", " ")
    filtered = f" {condition.number} or more: {_whom(condition.filter) or 'anything'}" if condition.filter is not None else ""
    if condition.kind == "is" and condition.filter is not None:
        told, filtered = "it is", f" {_whom(condition.filter)}"
    return f"{joint} {told}{filtered}"
