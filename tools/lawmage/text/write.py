"""Constraints -> sentences of rules text, in one wording each, that read back as the same.

The wordings are data (wordings.toml). What fits them is tried in order, and only a sentence that the grammar reads back is an answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from pathlib import Path
from typing import Any

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.text.forms import KeywordForms
from lawmage.text.read import read_text
from lawmage.text.words import plural, types_of_cards

__all__ = ["condition_in_words", "how_told", "in_these_words", "same", "write_sentence"]

#: No more wordings than this are tried for one constraint.
_MOST_TRIED = 400
#: Longer ones are not read as conditions.
_LONGEST_CONDITION = 200
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
#: Words for cards of several types.
_CARDS = ("permanent", "instant and/or sorcery")
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def write_sentence(constraint: Constraint, keywords: KeywordForms) -> str | None:
    """Return a sentence that states `constraint`, alone or beside another that the same words state; None if there is no wording for it."""
    for sentence in islice(_sentences(constraint), _MOST_TRIED):
        reading = read_text(sentence, keywords=keywords)
        if not reading.unread and any(same(constraint, read) for read in reading.constraints):
            return sentence
    return None


@lru_cache(maxsize=1024)
def condition_in_words(condition: Condition) -> str:
    """Return the words for a condition: its own, where the board does not settle it, else those of wordings.toml."""
    return next(_condition(condition), condition.kind)


@lru_cache(maxsize=1024)
def in_these_words(written: str) -> str:
    """Return the words of wordings.toml for a condition that is written in some words; these, where they say nothing that is told."""
    if len(written) > _LONGEST_CONDITION:
        return written
    found = [one for made in read_text(f"This creature can't block as long as {written}.").constraints for one in made.conditions]
    return condition_in_words(found[0]) if len(found) == 1 and found[0].value and not found[0].negated else written


def how_told(condition: Condition) -> str:
    """Return the words behind a condition of which a file does not tell what it asks for: what would tell it."""
    value = condition.value if condition.filter is None else f"cards_in_{condition.value}"
    keys = _table("told_by")
    return f" ({keys[value]} would tell)" if value in keys else ""


def same(one: Constraint, other: Constraint) -> bool:
    """Return whether two constraints say the same, in whatever order their tests and conditions stand, and whatever their sources are."""
    return _plain(one) == _plain(other)


def _plain(constraint: Constraint) -> tuple[Any, ...]:
    conditions = frozenset((replace(each, filter=None), _sides(each.filter)) for each in constraint.conditions)
    plain = replace(constraint, subject="self", object=None, conditions=(), source="")
    return plain, _sides(constraint.subject), _sides(constraint.object), conditions


def _sides(side: Subject | None) -> object:
    return frozenset(map(frozenset, side.any_of)) if isinstance(side, Filter) else side


# ---------------------------------------------------------------- sentences


def _sentences(constraint: Constraint) -> Iterator[str]:
    """Yield what could be a sentence for `constraint`."""
    several = isinstance(constraint.subject, Filter)
    for template in _table("kinds").get(constraint.kind, ()):
        chosen = _CHOICE.sub(r"\2" if several else r"\1", template)
        for clause in _filled(chosen, _slots(constraint)):
            for conditions in product(*(list(_condition(condition)) for condition in constraint.conditions)):
                yield from _with_conditions(clause, conditions, constraint.conditions)


def _with_conditions(clause: str, texts: Sequence[str], conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield the sentence with its conditions: one behind it, the others before."""
    words = ["unless" if condition.negated else "as long as" for condition in conditions]
    for last in range(len(texts)) or (-1,):
        before = [f"{words[index]} {text}, " for index, text in enumerate(texts) if index != last]
        behind = f" {words[last]} {texts[last]}" if texts else ""
        sentence = f"{''.join(before)}{clause}{behind}."
        yield sentence[0].upper() + sentence[1:]
    for index, condition in enumerate(conditions):
        if condition.kind == "open" and not condition.negated:
            # A label before a dash is such a condition too, and may be in words that no sentence has there.
            rest = [(text, other) for place, (text, other) in enumerate(zip(texts, conditions, strict=True)) if place != index]
            for sentence in _with_conditions(clause, [text for text, _ in rest], [other for _, other in rest]):
                yield f"{texts[index]} — {sentence}"


def _filled(template: str, slots: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield `template` with its slots filled in all ways; nothing where one has no filling."""
    names = list(dict.fromkeys(_SLOT.findall(template)))
    if all(name in slots for name in names):
        for words in product(*(list(slots[name]) for name in names)):
            yield template.format(**dict(zip(names, words, strict=True)))


def _slots(constraint: Constraint) -> dict[str, list[str]]:
    if (constraint.value or "") in _table("acts") and isinstance(constraint.object, Filter) and str(constraint.value).startswith("tap"):
        untapped = Test("tapped", negated=True)
        constraint = replace(constraint, object=Filter(tuple((untapped, *tests) for tests in constraint.object.any_of)))
    slots: dict[str, list[str]] = {"subject": list(_side(constraint.subject))}
    if isinstance(constraint.object, Filter):
        slots["object"] = list(_nouns(constraint.object))
        slots["a"] = [_article(noun) for noun in _nouns(constraint.object, one=True)]
        slots["one"] = [_article(noun) for noun in _nouns(constraint.object, one=True, typed=True)] if constraint.number == 1 else []
        slots["counted"] = list(_nouns(constraint.object, one=True, typed=True))
        slots["all"] = list(_nouns(constraint.object, typed=True))
        named = constraint.object.any_of[0][0].value if constraint.object.any_of[0] else None
        whose = "counter on that creature" if isinstance(constraint.subject, Filter) else "counter on it"
        slots["counters"] = [f"{named} {whose}" if named else whose]
        slots["added"] = [" ".join(str(test.value) for test in constraint.object.any_of[0])]
    elif constraint.object is not None:
        slots["object"] = list(_side(constraint.object))
    if constraint.number is not None:
        slots["number"] = [_number(constraint.number)]
        slots["times"] = [{2: "double", 3: "triple"}.get(constraint.number, "")]
    if constraint.value is not None:
        slots["value"] = [constraint.value]
        slots["x"] = ["{X}"] if constraint.value == "{1}" else []
    if constraint.target is not None and constraint.target in _table("targets"):
        slots["target"] = [_table("targets")[constraint.target]]
    slots["change"] = [f"{constraint.power:+}/{constraint.toughness:+}"]
    described = isinstance(constraint.subject, Filter)
    payer = "their controller pays" if described else "you pay" if constraint.subject == "self" else "its controller pays"
    slots["payer"], slots["each"] = [payer], [" for each of those creatures"] if described else [""]
    slots["who"], slots["s"] = [payer.rsplit(" ", 1)[0]], ["" if payer == "you pay" else "s"]
    slots["act"] = [text for template in _table("acts").get(constraint.value or "", ()) for text in _filled(template, slots)]
    slots["of"] = ["a source", "a source you control"] + [_article(noun) for noun in slots["subject"]] + slots["subject"]
    return slots


def _condition(condition: Condition) -> Iterator[str]:
    if condition.kind == "open":
        yield condition.text
        return
    slots: dict[str, list[str]] = {"number": [_number(condition.number)]}
    if condition.value:
        slots = _told(condition)
    elif condition.who in _table("who"):
        slots["who"] = [_table("who")[condition.who]]
    if condition.filter is not None and not condition.value:
        slots["noun"] = list(_nouns(condition.filter, one=True, typed=True, head=""))
        slots["a"] = [_article(noun) for noun in _nouns(condition.filter, one=True, typed=True)]
        slots["several"] = list(_nouns(condition.filter, typed=True))
    for template in _table("conditions").get(condition.kind, ()):
        yield from _filled(template, slots)


def _told(condition: Condition) -> dict[str, list[str]]:
    """Return the slots of a condition that asks for what a board can tell."""
    who, value = condition.who, condition.value
    slots = {"number": [_number(condition.number)]} if condition.number else {"no": ["no"]}
    slots |= {name: [table[who]] for name in ("owner", "being", "thing") if who in (table := _table(f"{name}s"))}
    if condition.filter is not None:
        sorts = frozenset(str(test.value) for tests in condition.filter.any_of for test in tests)
        slots["cards"] = [next((word for word in _CARDS if types_of_cards(word) == sorts), next(iter(sorts)))]
        return slots | ({"card": [_article(slots["cards"][0])]} if condition.number == 1 else {})
    of_whom = {"you": ("above", "half", "gathered", "done"), "self": ("suffered",)}.get(who, ())
    of_whom += () if condition.number else ("level",)
    for name in ("points", "stock", "ruling", "blessing", "marked", *of_whom):
        if value in (table := _table(name)):
            slots[name] = list(_filled(table[value], {**slots, "their": ["your" if who == "you" else "their"]}))
    return slots | ({"counters": [value]} if value.endswith("counters") else {})


# ---------------------------------------------------------------- nouns


def _side(side: Subject) -> Iterator[str]:
    if isinstance(side, Filter):
        yield from _nouns(side)
    else:
        yield _table("pointers")[side]


def _nouns(described: Filter, *, one: bool = False, typed: bool = False, head: str | None = None) -> Iterator[str]:
    """Yield descriptions of the objects that a filter describes.

    `one`: as a single object. `typed`: "creature" says something. `head`: the noun where the filter names none.
    """
    head = head if head is not None else ("permanent" if typed else "creature") + ("" if one else "s")
    alternatives = described.any_of
    if len(alternatives) == 1:
        yield from (_noun(alternatives[0], one=one, head=word) for word in dict.fromkeys([head, "creature" if one else "creatures"]))
        rest = [test for test in alternatives[0] if test != Test("type", "creature")]
        if len(rest) < len(alternatives[0]) and not one:
            yield f"{_noun(rest, one=one, head='')} that are creatures"
        return
    common = [test for test in alternatives[0] if all(test in tests for tests in alternatives)]
    each = [[test for test in tests if test not in common] for tests in alternatives]
    joint = "or" if one else "and/or"
    if all(len(tests) == 1 for tests in each):
        differing = [test for (test,) in each]
        if all(test.kind == "keyword" for test in differing):
            yield _noun((*common, Test("keyword", _joined([str(test.value) for test in differing], "or"))), one=one, head=head)
        either = _table("either").get(" ".join(test.kind for test in differing))
        if either and len({test.value for test in differing}) == 1:
            yield f"{_noun(common, one=one, head=head)} {either.format(value=differing[0].value)}"
        if all(test.kind in _table("adjectives") for test in differing):
            other = ("another " if one else "other ") if Test("other") in common else ""
            behind = "".join(f" {_behind(test)}" for test in common if test.kind in _kinds_behind())
            yield other + _joined([_noun((test,), one=one, head=head) for test in differing], joint) + behind
            words = _joined([_adjective(test) for test in differing], joint)
            adjectives = "".join(
                f"{_adjective(test)} " for test in common if test.kind in _table("adjectives") and test.value != "creature"
            )
            yield f"{other}{adjectives}{words} {head}{behind}"
            yield f"{other}{adjectives}{words} {'creature' if one else 'creatures'}{behind}"
    for bare in (head, ""):
        yield _joined([_noun(tests, one=one, head=bare if any(map(_is_noun, tests)) else head) for tests in alternatives], joint)
    yield _joined(
        [_article(_noun(tests, one=one, head=head)) if one else _noun(tests, one=one, head=head) for tests in alternatives], joint
    )
    if all(test.kind in _kinds_behind() for tests in each for test in tests):
        yield _joined([_noun((*common, *each[0]), one=one, head=head), *(" ".join(map(_behind, tests)) for tests in each[1:])], "or")


def _noun(tests: Sequence[Test], *, one: bool, head: str) -> str:
    """Return a description by one alternative: words before the noun, the noun, words behind it."""
    before = [_adjective(test) for test in tests if test.kind in _table("adjectives") and not _is_noun(test)]
    nouns = [test for test in tests if test.kind in ("type", "subtype") and not test.negated]
    creature = Test("type", "creature") in nouns
    if creature:
        nouns.remove(Test("type", "creature"))
    names = [str(test.value) for test in nouns]
    if creature:
        names.append("creature" if one else "creatures")
    elif names and (head == "" or head.startswith("permanent") or any(test.kind == "type" for test in nouns)):
        names[-1] = names[-1] if one else plural(names[-1])
    else:
        names.append(head)
    other = [("another" if one else "other")] if Test("other") in tests else []
    behind = [_behind(test) for test in tests if test.kind in _kinds_behind()]
    return " ".join(part for part in (*other, *before, *names, *behind) if part)


def _is_noun(test: Test) -> bool:
    return test.kind in ("type", "subtype") and not test.negated


def _adjective(test: Test) -> str:
    table = _table("adjectives")
    if test.negated and f"not {test.kind}" in table:
        return str(table[f"not {test.kind}"])
    word: str = table[test.kind].format(value=test.value)
    return f"non{word}" if test.negated else word


def _behind(test: Test) -> str:
    table, denied = _table("behind"), "not " if test.negated else ""
    value = "any" if test.value is None else test.value
    for name in (f"{denied}{test.kind} {value}", f"{denied}{test.kind}"):
        if name in table:
            return str(table[name].format(value=test.value))
    return "with what has no wording"


@lru_cache(maxsize=1)
def _kinds_behind() -> frozenset[str]:
    return frozenset(name.removeprefix("not ").split(" ")[0] for name in _table("behind"))


def _article(noun: str) -> str:
    return noun if noun.startswith("another ") else f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _joined(words: Sequence[str], joint: str) -> str:
    return f" {joint} ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])}, {joint} {words[-1]}"


def _number(number: int) -> str:
    return _NUMBERS[number] if 0 < number < len(_NUMBERS) else str(number)


def _table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = _tables()[name]
    return table


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("wordings.toml").read_text(encoding="utf-8"))
