"""Constraints in plain words, for people: `can't be blocked by any with power at most 2, if you control at least 1 artifact`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Knowledge, deck_statements
from lawmage.text.write import condition_in_words

__all__ = ["constraint_in_words"]

_POINTERS = {"self": "", "attached": "what it is attached to", "affected": "what the effect names"}
#: What stands in a label for the number, for a growth and for the word of a constraint.
_NUMBER, _GROWTH, _WORD = re.compile(r"\bN\b"), "+N/+N", re.compile(r"\ba keyword\b")
#: Where a label says of what is attacked that it is; labels that go on with the other side, and what comes after it.
_ATTACK = re.compile(r"\battacks?\b")
_IF_ABLE = " if able"
_GOES_ON = re.compile(r"(\balso|\bby|\bonly|\bhave|\beach|\bblock)$")
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
#: Tests that stand before the rest of a description as one word, their own names or what they ask for, the first in the place of a noun.
_NOUNS = frozenset({"commander", "subtype", "token", "type"})
_ADJECTIVES = _NOUNS | {"attacking", "blocking", "color", "colorless", "enchanted", "equipped", "modified", "monocolored", "multicolored"}
_ADJECTIVES |= {"other", "supertype", "tapped", "untapped"}
#: Tests that stand after what is described, in words of their own.
_RELATED = {
    "attached_to_own": "attached to it",
    "attached_to_source": "attached to the source",
    "blocked_by_own": "it blocks",
    "blocking_own": "blocking it",
    "shares_color_with_own": "that shares a color with it",
}
#: Whose something is, by the words of a test.
_CONTROLLED = {"you": "you control", "opponent": "an opponent controls"}
#: Whose turn it is, by who is named.
_TURNS = {"you": "your turn", "opponent": "an opponent's turn"}
_AS_THOUGH = " as though it had"


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
        other = _whom(constraint.object, "" if does.endswith((" each", " also")) else "any") or "it"
        doing = does.removesuffix(_IF_ABLE)
        joint = " by" if doing.endswith("blocked") else ""
        if does.endswith(_AS_THOUGH):
            does, beside = f"{does.removesuffix(_AS_THOUGH)} {other}{_AS_THOUGH} {constraint.value}", []
        elif joint or doing != does or _GOES_ON.search(does):
            does = f"{doing}{joint} {other}{does[len(doing) :]}"
        else:
            beside.append(other)
    whom = _whom(constraint.subject, "each")
    told = (f"{whom}: " if whom else "") + does + (f" ({'; '.join(beside)})" if beside else "")
    return ", ".join([told, *map(_when, constraint.conditions)])


def _whom(whom: Subject, each: str = "any") -> str:
    """Return a description of objects, as in `each red creature you control`; nothing for the object itself and for all objects."""
    if not isinstance(whom, Filter):
        return _POINTERS[whom]
    if () in whom.any_of:
        return ""
    return " or ".join(_described(tests, each) for tests in whom.any_of)


def _described(tests: Iterable[Test], each: str) -> str:
    """Return whom a combination of tests describes."""
    parts, after = [each] if each else [], []
    named = False
    for test in sorted(tests, key=lambda test: (test.kind != "other", test.kind in _NOUNS, test.kind == "type")):
        if test.kind in _ADJECTIVES:
            told = str(test.value) if test.value is not None else test.kind
            parts.append(f"non-{told}" if test.negated else told)
            named = named or (test.kind in _NOUNS and not test.negated)
        else:
            after.append(_related(test))
    if not named and (len(parts) > 1 or each == "each") and each:
        parts.append("one")
    owned = [told for told in after if told in _CONTROLLED.values()]
    return " ".join([*parts, *owned, " and ".join([told for told in after if told not in owned])]).strip()


def _related(test: Test) -> str:
    """Return a test that stands after what it is about, as in `with flying` or `you control`."""
    value = "" if test.value is None else f" {test.value}"
    if test.kind == "controlled_by" and not test.negated:
        return _CONTROLLED.get(value.strip(), f"controlled by{value}")
    if test.kind in _RELATED and not test.negated:
        return _RELATED[test.kind]
    if test.kind == "attacking_player" and not test.negated:
        return f"attacking{value}"
    joint = "without" if test.negated else "with"
    if test.kind == "keyword":
        return joint + value
    told = test.kind.replace("_", " ") + value
    if test.kind == "has_counter":
        return f"{joint} a{value} counter"
    if _MEASURED.match(test.kind):
        return f"{joint} {told.replace('than own', 'than its own').replace('than source', 'than that of the source')}"
    return f"that {_test(test)}"


def _test(test: Test) -> str:
    """Return what a test says of an object, as in `has flying`, `isn't red`, `has power at least 4`."""
    value = "" if test.value is None else f" {test.value}"
    if test.kind == "keyword":
        return f"{'does not have' if test.negated else 'has'}{value}"
    told = test.kind.replace("_", " ") + value
    if _MEASURED.match(test.kind) or test.kind.startswith("has_"):
        return f"{'does not have' if test.negated else 'has'} {told.removeprefix('has ')}"
    return f"{'is not' if test.negated else 'is'} {value.strip() if test.kind in _NAMED else told}"


def _is(filtered: Filter) -> str:
    """Return what objects have to be, as in `is red or has flying`."""
    return " or ".join(" and ".join(map(_test, tests)) for tests in filtered.any_of)


def _when(condition: Condition) -> str:
    joint = "unless" if condition.negated else "if"
    if condition.kind == "open" or condition.value or condition.who == "any player":
        return f"{joint} {condition_in_words(condition)}"
    if condition.kind == "turn" and condition.who in _TURNS:
        return f"{joint} it is {_TURNS[condition.who]}"
    if condition.kind == "is" and condition.filter is not None:
        return f"{joint} it {_is(condition.filter)}"
    if condition.kind == "attached_is" and condition.filter is not None:
        return f"{joint} {_POINTERS['attached']} {_is(condition.filter)}"
    if condition.kind == "controls" and condition.filter is not None:
        who = "an opponent" if condition.who == "opponent" else f"the {condition.who}"
        does = "you control" if condition.who == "you" else f"{who} controls"
        return f"{joint} {does} at least {condition.number} {_whom(condition.filter, '') or 'permanent'}"
    told = f"{condition.who}: " * bool(condition.who) + condition.kind.replace("_", " ")
    filtered = f" {condition.number} or more: {_whom(condition.filter) or 'anything'}" if condition.filter is not None else ""
    if not condition.who and not filtered and condition.kind.startswith(("attacking", "blocking")):
        told = f"it is {told}"
    return f"{joint} {told}{filtered}"
