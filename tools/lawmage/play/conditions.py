"""Open conditions that a scenario settles: by what it says of them, by counters and class levels, by designations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lawmage.board import Object
from lawmage.constraints import Condition, Constraint
from lawmage.play.keyword_uses import keyword_uses
from lawmage.text.headings import CLASS_LEVEL, asked_by_heading
from lawmage.text.words import turn
from lawmage.text.write import condition_in_words

__all__ = ["condition_behind", "functions_in", "names_of_open", "settle"]


def settle(stated: Iterable[Constraint], given: Mapping[str, bool], thing: Object | None = None) -> list[Constraint]:
    """Return what is stated and applies as far as the scenario tells, without the open conditions that it settles.

    Args:
        stated: what the texts of an object or effect state.
        given: whether conditions hold, by their words in lower case.
        thing: the object, whose counters, class level and designations settle conditions too.
    """
    found = []
    for constraint in stated:
        answers = [(condition, _holds(condition, given, thing)) for condition in constraint.conditions]
        if all(holds is None or holds != condition.negated for condition, holds in answers):
            left = tuple(condition for condition, holds in answers if holds is None)
            found.append(constraint if len(left) == len(answers) else replace(constraint, conditions=left))
    return found


def names_of_open(stated: Iterable[Constraint], name: str | None) -> dict[str, str]:
    """Return the words of the open conditions in what is stated, by the names by which a scenario can call them.

    These are the words themselves, and `condition 1 of NAME`, `condition 2 of NAME`, ..., by which the facts of cards call them.
    """
    conditions = (one for constraint in stated for one in constraint.conditions)
    texts = dict.fromkeys(condition_in_words(one) for one in conditions if one.kind == "open" or one.value)
    unsettled = (text for text in texts if asked_by_heading(text) is None)
    numbered = {f"condition {number} of {name}": text for number, text in enumerate(unsettled, 1)} if name else {}
    return numbered | {text: text for text in texts}


def condition_behind(condition: Condition) -> Condition | None:
    """Return what a keyword asks for that stands before an ability in the place of a condition (lm:while); None for any other condition."""
    uses = keyword_uses().get(condition.text.casefold()) if condition.text else None
    if uses is None or len(uses.conditions) != 1:
        return None
    (asked,) = uses.conditions
    return Condition(asked.kind, asked.who, number=asked.number, negated=condition.negated != asked.negated, value=asked.value)


def functions_in(condition: str) -> str:
    """Return the zone in which an ability functions that has this condition, for one that is not the battlefield (113.6)."""
    match = turn("functions_in").match(condition.lower())
    return match[1] if match else ""


def _holds(condition: Condition, given: Mapping[str, bool], thing: Object | None) -> bool | None:
    """Return whether a condition holds, before `negated` turns it round; None where the scenario does not tell."""
    if condition.value:
        return given.get(condition_in_words(condition).casefold())
    if condition.kind != "open":
        return None
    said = given.get(condition.text.casefold())
    if said is not None or thing is None:
        return said
    if condition.text.casefold() in map(str.casefold, thing.designations):
        return True
    if thing.zone == "battlefield" and functions_in(condition.text) == "graveyard":
        return False
    asked = asked_by_heading(condition.text)
    if asked is None:
        return None
    what, least, most = asked
    # 716.2d: a Class of which nothing is said is at level 1
    number = (thing.level or 1) if what == CLASS_LEVEL else thing.counters.get(what, 0)
    return least <= number and (most is None or number <= most)
