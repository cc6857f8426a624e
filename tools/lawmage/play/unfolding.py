"""Fewer rules with the same models: what a rule only names is asked where its name is.

A program that is cut down (`lawmage.play.program`) keeps many rules that have become the only ones for their predicate. Grounding takes
time for each of them and for each atom that they derive. So

- a literal that only asks whether there are facts of a predicate is left out where there are;
- a rule is left out where another one derives the same from less;
- a literal is left out where the rest of its rule asks for all that some rule for it does, and a condition where its rule asks the same;
- where a predicate has one rule, the body of that rule stands in the place of every literal of the predicate (unfolding);
- where it is asked once, that is repeated for each of its few rules;
- where a rule is all that asks for a predicate, and derives another with the same arguments, both become one;
- what one literal alone leaves open (`_`) gets a name: else clingo makes a predicate without it, and rules for that.

Each keeps the stable models, but for the predicates that are gone; none of these is shown. What any name means plays no part here.
Rules are the same object where they are written the same, and what becomes of two of them is found once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

__all__ = ["split", "unfolded"]

#: A predicate: its name and the number of its arguments.
_Key: TypeAlias = tuple[str, int]

_ATOM = re.compile(r"(_*[a-z]\w*)(?:\((.*)\))?$")
_STRING = r'"(?:[^"\\]|\\.)*"'
_APPLIED = re.compile(rf"{_STRING}|\b(_*[a-z]\w*)(\()?")
_BRACKETS = re.compile(rf"{_STRING}|[()]")
_VARIABLES = re.compile(rf"{_STRING}|\b(_*[A-Z]\w*)\b|(?<!\w)(_)(?!\w)")
_VARIABLE = re.compile(r"_*[A-Z]\w*$")
#: A term that means the same wherever it stands: no arithmetic, no range, no pool.
_TERM = re.compile(rf"(?:{_STRING}|[\w(),])+$")
_DIRECTIVES = ("#show", ":~", "#minimize", "#maximize")
#: A body of several literals is not repeated where that makes more than this many more literals.
_MOST_REPEATED = 2
#: Nor does it stand in the place of a literal at all if it has more than this many more.
_MOST_MORE = 4
#: A literal is not asked in several rules where that repeats more than this many others; a rule less is worth about so many.
_MOST_BESIDE = 4


@dataclass(frozen=True, slots=True)
class _Atom:
    name: str
    arguments: tuple[str, ...]

    @property
    def key(self) -> _Key:
        return self.name, len(self.arguments)

    @property
    def text(self) -> str:
        return f"{self.name}({','.join(self.arguments)})" if self.arguments else self.name


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """A rule.

    Attributes:
        derives: the atom that it derives; None for a choice, a constraint and what is not a rule.
        gives: the predicates of what it derives or chooses.
        asks: those in the rest of it.
    """

    text: str
    head: str
    body: tuple[str, ...]
    derives: _Atom | None
    gives: frozenset[_Key]
    asks: frozenset[_Key]


def unfolded(statements: Iterable[str], given: Collection[_Key]) -> list[str]:
    """Return statements with the same shown atoms in every model, where facts are given of the predicates `given` and of no others."""
    program = _Program(_without_subsumed(_without_true(_read(line), given) for line in statements), given)
    while program.shorten():
        pass
    return [_with_names(rule) for rule in program.rules()]


def split(text: str, separator: str) -> list[str]:
    """Split `text` at the separators that stand in no brackets and no string."""
    parts, depth, start, string = [], 0, 0, False
    for index, character in enumerate(text):
        if character == '"' and text[index - 1] != "\\":
            string = not string
        elif string:
            continue
        elif character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


# ------------------------------------------------------------ rules


@lru_cache(maxsize=8192)
def _read(line: str) -> _Rule:
    if line.startswith(_DIRECTIVES):
        return _Rule(line, line, (), None, frozenset(), frozenset(_keys(line)))
    head, _, body = line.removesuffix(".").partition(" :- ")
    parts = tuple(dict.fromkeys(part.strip() for part in split(body, ";")))
    derives = _atom(head)
    gives = {derives.key} if derives else set(_chosen(head))
    asks = {key for part in parts for key in _keys(part)}
    if derives is None:
        asks |= {key for condition in _conditions_in(head) for key in _keys(condition)}
    return _Rule(_written(head, parts), head, parts, derives, frozenset(gives), frozenset(asks))


def _written(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {'; '.join(body)}." if body else f"{head}."


@lru_cache(maxsize=8192)
def _atom(text: str) -> _Atom | None:
    match = _ATOM.match(text)
    if match is None or (match[2] is not None and _closing(text, match.end(1)) != len(text) - 1):
        return None
    return _Atom(match[1], tuple(each.strip() for each in split(match[2] or "", ",")))


def _closing(text: str, start: int) -> int:
    """Return the place of the bracket that closes the one at `start`."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return len(text)


@lru_cache(maxsize=8192)
def _simple(literal: str) -> tuple[bool, _Atom] | None:
    """Return whether a literal is negated, and its atom; None for any other kind of literal."""
    atom = _atom(literal.removeprefix("not "))
    return None if atom is None else (literal.startswith("not "), atom)


def _elements(text: str) -> list[str]:
    """Return the elements of a choice or aggregate."""
    return split(text.partition("{")[2].rpartition("}")[0], ";")


def _chosen(head: str) -> Iterator[_Key]:
    """Yield the predicates that a head other than an atom can derive."""
    for element in _elements(head) or [head]:
        yield from _keys(split(element, ":")[0])


def _conditions_in(head: str) -> Iterator[str]:
    for element in _elements(head) or [head]:
        yield from split(element, ":")[1:]


def _keys(text: str) -> Iterator[_Key]:
    """Yield the predicates in a part of a rule, and whatever looks like one."""
    for found in _APPLIED.finditer(text):
        if found[1] and not found[2]:
            yield found[1], 0
        elif found[1]:
            yield found[1], len(split(text[found.end() : _closing(text, found.end() - 1)], ","))


# ------------------------------------------------------------ programs


def _without_true(rule: _Rule, given: Collection[_Key]) -> _Rule:
    """Return the rule without the literals that ask for any fact of a predicate that there are facts of."""
    if given.isdisjoint(rule.asks) if isinstance(given, frozenset) else False:
        return rule
    rest = tuple(literal for literal in rule.body if _asks_for_any(literal) not in given)
    return rule if len(rest) == len(rule.body) else _read(_written(rule.head, rest))


@lru_cache(maxsize=8192)
def _asks_for_any(literal: str) -> _Key | None:
    """Return the predicate of which a literal asks for any atom, or None if it asks for something else."""
    atom = _atom(literal)
    return atom.key if atom and set(atom.arguments) <= {"_"} else None


def _without_subsumed(rules: Iterable[_Rule]) -> list[_Rule]:
    """Return the rules but those that another one with the same head makes superfluous, as it asks for less."""
    alike: defaultdict[str, list[_Rule]] = defaultdict(list)
    found = list(dict.fromkeys(rules))
    for rule in found:
        alike[rule.head].append(rule)
    return [rule for rule in found if len(alike[rule.head]) == 1 or not any(_asks_less(other, rule) for other in alike[rule.head])]


def _asks_less(rule: _Rule, other: _Rule) -> bool:
    return len(rule.body) < len(other.body) and set(rule.body) < set(other.body)


class _Program:
    """Rules in their order, and which of them give and ask for a predicate."""

    def __init__(self, rules: Iterable[_Rule], given: Collection[_Key]) -> None:
        self._rules: dict[int, _Rule] = dict(enumerate(rules))
        self._gives: defaultdict[_Key, set[int]] = defaultdict(set)
        self._asks: defaultdict[_Key, set[int]] = defaultdict(set)
        self._kept: set[_Key] = set(given)
        for number, rule in self._rules.items():
            if rule.head.startswith(_DIRECTIVES):
                self._kept |= rule.asks
            self._enter(number, rule)
        shown = {rule.head.removeprefix("#show ").removesuffix(".") for rule in self._rules.values() if rule.head.startswith("#show")}
        self._kept.update(key for key in self._gives if f"{key[0]}/{key[1]}" in shown)

    def rules(self) -> list[_Rule]:
        """Return the rules."""
        return _without_subsumed(map(_without_repeated, self._rules.values()))

    def shorten(self) -> bool:
        """Do without some predicates; return whether there were any."""
        before = len(self._rules)
        for number in list(self._rules):
            self._change(self._without_implied(number))
        for key in list(self._gives):
            if key not in self._kept and self._gives[key]:
                changed = self._unfold(key) or self._rename(key) or self._unfold_each(key) if self._asks[key] else self._unasked(key)
                if changed is not None:
                    self._change(changed)
        return len(self._rules) < before

    def _without_implied(self, number: int) -> dict[int, _Rule | None]:
        """Return what becomes of a rule without the literals that hold where the rest of it does."""
        before = rule = self._rules[number]
        for literal in before.body:
            simple = _simple(literal)
            if simple and not simple[0]:
                givers = (self._rules[giver] for giver in self._gives[simple[1].key] if giver != number)
                if any(_implies(rule, literal, giver) for giver in givers):
                    rule = _read(_written(rule.head, [other for other in rule.body if other != literal]))
        return {} if rule is before else {number: rule}

    def _unasked(self, key: _Key) -> dict[int, _Rule | None] | None:
        """Return that nothing becomes of the rules for `key`, which nothing asks for; None if they choose it or it is derived otherwise."""
        return None if any(self._rules[number].derives is None for number in self._gives[key]) else dict.fromkeys(self._gives[key])

    def _unfold_each(self, key: _Key) -> dict[int, _Rule | None] | None:
        """Return what becomes of the rules where each rule for `key` asks what the only one that asks for it does; None if it can't."""
        givers, askers = sorted(self._gives[key]), self._asks[key]
        if len(askers) != 1 or not self._gives[key].isdisjoint(askers):
            return None
        (place,) = askers
        asking = self._rules[place]
        beside = len(asking.body) - 1
        asked = [simple for simple in map(_simple, asking.body) if simple and simple[1].key == key]
        if (asking.derives is None and asking.head != "#false") or len(asked) != 1 or asked[0][0]:
            return None
        if beside * (len(givers) - 1) > _MOST_BESIDE:
            return None
        changed: dict[int, _Rule | None] = {place: None}
        for number in givers:
            found = _replaced(self._rules[number], asking)
            if found is None or found[1] != 1 or len(found[0].body) - beside - 1 > _MOST_MORE:
                return None
            changed[number] = found[0]
        return changed

    def _enter(self, number: int, rule: _Rule) -> None:
        for key in rule.gives:
            self._gives[key].add(number)
        for key in rule.asks:
            self._asks[key].add(number)

    def _change(self, changed: Mapping[int, _Rule | None]) -> None:
        for number, rule in changed.items():
            old = self._rules[number]
            for key in old.gives:
                self._gives[key].discard(number)
            for key in old.asks:
                self._asks[key].discard(number)
            if rule is None:
                del self._rules[number]
            else:
                self._rules[number] = rule
                self._enter(number, rule)

    def _unfold(self, key: _Key) -> dict[int, _Rule | None] | None:
        """Return what becomes of the rules where the body of the one rule for `key` stands where that is asked; None if it can't."""
        if len(self._gives[key]) != 1 or not self._gives[key].isdisjoint(self._asks[key]):
            return None
        (place,) = self._gives[key]
        definition = self._rules[place]
        changed: dict[int, _Rule | None] = {place: None}
        times = 0
        for number in self._asks[key]:
            found = _replaced(definition, self._rules[number])
            if found is None:
                return None
            changed[number] = found[0]
            times += found[1]
        more = len(definition.body) - 1
        # What several literals say of one variable would be said once for each value of another one.
        repeated = times > 1 and more and (more * times > _MOST_REPEATED or _has_others(definition))
        return None if repeated or more > _MOST_MORE else changed

    def _rename(self, key: _Key) -> dict[int, _Rule | None] | None:
        """Return what becomes of the rules where those for `key` derive at once all that is derived from it; None if that is not so."""
        if len(self._asks[key]) != 1 or not self._gives[key].isdisjoint(self._asks[key]):
            return None
        (place,) = self._asks[key]
        asking = self._rules[place]
        of = _atom(asking.body[0]) if len(asking.body) == 1 else None
        if asking.derives is None or of is None or of.key != key or of.arguments != asking.derives.arguments:
            return None
        if len(set(of.arguments)) < key[1] or not all(_VARIABLE.match(each) for each in of.arguments):
            return None
        changed: dict[int, _Rule | None] = {place: None}
        for number in self._gives[key]:
            rule = self._rules[number]
            if rule.derives is None:
                return None
            changed[number] = _read(_written(_Atom(asking.derives.name, rule.derives.arguments).text, rule.body))
        return changed


@lru_cache(maxsize=8192)
def _implies(rule: _Rule, literal: str, giver: _Rule) -> bool:
    """Tell whether `giver` derives what a literal of a rule asks for from what the other literals ask for."""
    atom = _atom(literal)
    if atom is None or giver.derives is None or any(_simple(part) is None for part in giver.body):
        return False
    often = Counter(_occurrences(giver.text))
    values = _matched(giver.derives.arguments, atom.arguments, {}, often)
    rest = [other for other in map(_simple, rule.body) if other and other[1] != atom]
    return values is not None and _all_matched([part for part in map(_simple, giver.body) if part], rest, values, often)


def _all_matched(
    parts: Sequence[tuple[bool, _Atom]], others: Sequence[tuple[bool, _Atom]], values: dict[str, str], often: Mapping[str, int]
) -> bool:
    """Tell whether each literal is one of `others` where its variables have the same values in all of them."""
    if not parts:
        return True
    (negated, atom), *later = parts
    for denied, other in others:
        if denied == negated and other.key == atom.key and (not negated or _alike_open(atom, other)):
            found = _matched(atom.arguments, other.arguments, values, often)
            if found is not None and _all_matched(later, others, found, often):
                return True
    return False


def _alike_open(atom: _Atom, other: _Atom) -> bool:
    """Tell whether two atoms leave the same arguments open."""
    return [each == "_" for each in atom.arguments] == [each == "_" for each in other.arguments]


def _matched(asked: Sequence[str], said: Sequence[str], values: dict[str, str], often: Mapping[str, int]) -> dict[str, str] | None:
    """Return the values of variables with which `asked` are the arguments `said`, beside those that are known; None if there are none."""
    found = dict(values)
    for argument, value in zip(asked, said, strict=True):
        if not _TERM.match(value):
            return None
        if argument == "_" or (value == "_" and often[argument] == 1):
            continue
        if not _VARIABLE.match(argument):
            if argument != value or _variables(argument):
                return None
        elif "_" in _variables(value) or found.setdefault(argument, value) != value:
            return None
    return found


@lru_cache(maxsize=8192)
def _without_repeated(rule: _Rule) -> _Rule:
    """Return the rule without the conditions in a choice or aggregate that its body states, too."""
    if "{" not in rule.text or rule.head.startswith(_DIRECTIVES):
        return rule
    stated = frozenset(rule.body)
    return _read(_written(_less_asked(rule.head, stated), [_less_asked(literal, stated) for literal in rule.body]))


def _less_asked(text: str, stated: frozenset[str]) -> str:
    if "{" not in text:
        return text
    elements = []
    for element in _elements(text):
        what, *conditions = split(element, ":")
        rest = [literal for literal in map(str.strip, split(conditions[0], ",")) if literal not in stated] if conditions else []
        elements.append(f"{what.strip()}: {', '.join(rest)}" if rest else what.strip())
    return f"{text.partition('{')[0]}{{ {'; '.join(elements)} }}{text.rpartition('}')[2]}"


# ------------------------------------------------------------ unfolding


class _RefusedError(Exception):
    """A place where a literal can't be unfolded."""


@lru_cache(maxsize=8192)
def _has_others(definition: _Rule) -> bool:
    """Tell whether variables stand in the body of a rule that don't stand in its head."""
    return not _variables("; ".join(definition.body)) <= _variables(definition.head) | {"_"}


@lru_cache(maxsize=8192)
def _replaced(definition: _Rule, rule: _Rule) -> tuple[_Rule, int] | None:
    """Return a rule in which the body of another one stands where its head was asked, and how often; None if that can't be done."""
    head = definition.derives
    if head is None or any(_simple(literal) is None for literal in definition.body):
        return None
    variables = [argument for argument in head.arguments if _VARIABLE.match(argument)]
    if len(set(variables)) < len(variables) or any(
        _variables(each) or not _TERM.match(each) for each in head.arguments if each not in variables
    ):
        return None
    unfolding = _Unfolding(head, definition.body, frozenset(variables), rule)
    try:
        return unfolding.result(), unfolding.times
    except _RefusedError:
        return None


class _Unfolding:
    """Puts a body in the place of the literals of an atom in a rule.

    Attributes:
        times: how often that was done.
    """

    def __init__(self, head: _Atom, body: Sequence[str], variables: frozenset[str], rule: _Rule) -> None:
        self.head, self.body, self.variables, self.rule = head, body, variables, rule
        self.often = Counter(name for literal in body for name in _occurrences(literal))
        self.times = 0
        self.taken = set(_variables(rule.text))
        self.constants: dict[str, str] = {}

    def result(self) -> _Rule:
        """Return the rule with the body in the place of all literals of the atom."""
        body = [part for literal in self.rule.body for part in self._literal(literal)]
        head = self._braces(self.rule.head) if "{" in self.rule.head else self.rule.head
        if self.constants:
            head, *body = (_substituted(text, self.constants) for text in (head, *body))
        found = _read(_written(head, body))
        if self.head.key in found.asks:
            raise _RefusedError
        return found

    def _literal(self, literal: str) -> Iterator[str]:
        simple = _simple(literal)
        if simple:
            yield from self._place(*simple, whole=True)
        elif self.head.key not in _keys(literal):
            yield literal
        elif "{" in literal:
            yield self._braces(literal)
        elif len(parts := split(literal, ":")) == 2:
            yield f"{self._alone(parts[0].strip())}: {self._conditions(parts[1])}"
        else:
            raise _RefusedError

    def _braces(self, text: str) -> str:
        """Return a choice or aggregate with what its elements depend on unfolded."""
        elements = []
        for element in _elements(text):
            what, *conditions = split(element, ":")
            elements.append(f"{what.strip()}: {self._conditions(conditions[0])}" if conditions else what.strip())
        return f"{text.partition('{')[0]}{{ {'; '.join(elements)} }}{text.rpartition('}')[2]}"

    def _conditions(self, text: str) -> str:
        found: list[str] = []
        for literal in map(str.strip, split(text, ",")):
            simple = _simple(literal)
            found += self._place(*simple, whole=False) if simple else [literal]
        return ", ".join(dict.fromkeys(found))

    def _alone(self, literal: str) -> str:
        """Return what stands for a literal that has a condition, which has to be one literal with the same variables."""
        simple = _simple(literal)
        if simple is None or simple[1].key != self.head.key:
            return literal
        if len(self.body) > 1 or set(self.often) - self.variables:
            raise _RefusedError
        return next(self._place(*simple, whole=False))

    def _place(self, negated: bool, atom: _Atom, *, whole: bool) -> Iterator[str]:
        """Yield what stands for a literal; `whole`: it is one of the rule's body, and its variables are the rule's."""
        if atom.key != self.head.key:
            yield f"not {atom.text}" if negated else atom.text
            return
        if negated and (len(self.body) > 1 or self.body[0].startswith("not ")):
            raise _RefusedError
        self.times += 1
        values: dict[str, str] = {}
        for asked, said in zip(atom.arguments, self.head.arguments, strict=True):
            if said in self.variables:
                values[said] = self._value(asked, often=self.often[said], negated=negated)
            elif asked not in ("_", said):
                if negated or not whole or not _VARIABLE.match(asked) or self.constants.get(asked, said) != said:
                    raise _RefusedError
                self.constants[asked] = said
        for name in sorted(self.often.keys() - self.variables - {"_"}):
            if negated and self.often[name] > 1:
                raise _RefusedError
            values[name] = "_" if negated else self._new()
        for literal in self.body:
            yield f"not {_substituted(literal, values)}" if negated else _substituted(literal, values)

    def _value(self, asked: str, *, often: int, negated: bool) -> str:
        """Return what stands for a variable that stands so often in the body."""
        if not _TERM.match(asked):
            raise _RefusedError
        if often < 2 or "_" not in _variables(asked):
            return asked
        if negated or asked != "_":
            raise _RefusedError
        return self._new()

    def _new(self) -> str:
        """Return a variable that the rule doesn't have."""
        return _new_name(self.taken)


def _new_name(taken: set[str]) -> str:
    """Return a variable that is not among those taken, and add it to them."""
    number = 1
    while (name := f"X{number}") in taken:
        number += 1
    taken.add(name)
    return name


@lru_cache(maxsize=8192)
def _with_names(rule: _Rule) -> str:
    """Return the text of a rule in which what one literal leaves open has names.

    Nothing is named where several literals leave something open, whose values would all be combined, nor beside an aggregate or a choice,
    which would be repeated for each value.
    """
    if (rule.derives is None and rule.head != "#false") or "{" in rule.text:
        return rule.text
    places = [place for place, literal in enumerate(rule.body) if not literal.startswith("not ") and "_" in _variables(literal)]
    if len(places) != 1 or _simple(rule.body[places[0]]) is None:
        return rule.text
    taken = set(_variables(rule.text))
    body = [*rule.body]
    body[places[0]] = _VARIABLES.sub(lambda found: _new_name(taken) if found[2] else found[0], body[places[0]])
    return _written(rule.head, body)


def _occurrences(text: str) -> Iterator[str]:
    return (found[1] or found[2] for found in _VARIABLES.finditer(text) if found[1] or found[2])


@lru_cache(maxsize=8192)
def _variables(text: str) -> frozenset[str]:
    return frozenset(_occurrences(text))


def _substituted(text: str, values: Mapping[str, str]) -> str:
    return _VARIABLES.sub(lambda found: values.get(found[1], found[0]) if found[1] else found[0], text)
