"""Constraints in plain words, for people: `can't be blocked by what has power at most 2, if you control 1 or more: ...`."""

from __future__ import annotations

import re

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Knowledge, deck_statements

__all__ = ["constraint_in_words"]

_POINTERS = {"self": "", "attached": "what it is attached to", "affected": "what the effect names"}
#: What stands in a label for the number, for a growth and for the word of a constraint.
_NUMBER, _GROWTH, _WORD = re.compile(r"\bN\b"), "+N/+N", re.compile(r"\ba keyword\b")
#: Where a label says of what is attacked that it is; labels that go on with the other side, and what comes after it.
_ATTACK = re.compile(r"\battacks?\b")
_IF_ABLE = " if able"
_GOES_ON = re.compile(r"(\bby|\bonly|\bhad|\bhave|\beach|\bblock)$")
#: What a constraint speaks of attacking, where it is not said as it is.
_AIMS = {
    "planeswalker you control": "a planeswalker you control",
    "permanent you control": "a permanent you control",
    "planeswalker its owner controls": "a planeswalker its owner controls",
    "controller of attached": "the controller of what it is attached to",
    "this": "it",
    "named": "what is named",
}
#: How tests of numbers and of words are told; all others are told by their names.
_MEASURED = re.compile(r"(power|toughness|mana_value)_")
_NAMED = frozenset({"color", "type", "subtype", "supertype", "named", "quality"})


def constraint_in_words(constraint: Constraint, known: Knowledge) -> str:
    """Return what `constraint` says: whom it is about, what it does (as kb/ says of its kind), the other side, when."""
    kind = known.kinds.get(constraint.kind)
    does = kind.label if kind else deck_statements().get(constraint.kind, constraint.kind.replace("_", " ")).rstrip(".")
    if constraint.power or constraint.toughness:
        does = does.replace(_GROWTH, f"{constraint.power:+d}/{constraint.toughness:+d}")
    beside = []
    if constraint.number is not None:
        does, times = _NUMBER.subn(str(constraint.number), does)
        beside += [] if times or constraint.number == 1 else [f"number {constraint.number}"]
    if constraint.value:
        does, times = _WORD.subn(constraint.value, does)
        beside += [] if times else [constraint.value]
    if constraint.target:
        aim = _AIMS.get(constraint.target, constraint.target)
        does, times = _ATTACK.subn(lambda found: f"{found[0]} {aim}", does, count=1)
        beside += [] if times else [f"for: {aim}"]
    if constraint.object is not None:
        other = _whom(constraint.object) or "it"
        doing = does.removesuffix(_IF_ABLE)
        joint = " by" if doing.endswith("blocked") else ""
        if joint or doing != does or _GOES_ON.search(does):
            does = f"{doing}{joint} {other}{does[len(doing) :]}"
        else:
            beside.append(other)
    whom = _whom(constraint.subject)
    told = (f"{whom}: " if whom else "") + does + (f" ({'; '.join(beside)})" if beside else "")
    return ", ".join([told, *map(_when, constraint.conditions)])


def _whom(whom: Subject) -> str:
    """Return a description of objects; nothing for the object itself and for all objects."""
    if not isinstance(whom, Filter):
        return _POINTERS[whom]
    if () in whom.any_of:
        return ""
    return "what " + " or ".join(" and ".join(map(_test, tests)) for tests in whom.any_of)


def _test(test: Test) -> str:
    """Return what a test says of an object, as in `has flying`, `isn't red`, `has power at least 4`."""
    value = "" if test.value is None else f" {test.value}"
    if test.kind == "keyword":
        return f"{'does not have' if test.negated else 'has'}{value}"
    told = test.kind.replace("_", " ") + value
    if _MEASURED.match(test.kind) or test.kind.startswith("has_"):
        return f"{'does not have' if test.negated else 'has'} {told.removeprefix('has ')}"
    return f"{'is not' if test.negated else 'is'} {value.strip() if test.kind in _NAMED else told}"


def _when(condition: Condition) -> str:
    joint = "unless" if condition.negated else "if"
    if condition.kind == "open":
        return f"{joint} {condition.text}"
    told = f"{condition.who}: " * bool(condition.who) + condition.kind.replace("_", " ")
    filtered = f" {condition.number} or more: {_whom(condition.filter) or 'anything'}" if condition.filter is not None else ""
    if condition.kind == "is" and condition.filter is not None:
        told, filtered = "it", f" {_whom(condition.filter).removeprefix('what ')}"
    return f"{joint} {told}{filtered}"
