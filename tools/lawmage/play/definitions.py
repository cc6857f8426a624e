"""What is said on a board, whoever says it: keywords, constraints, filters, tests and conditions by integers, and facts of them.

Most boards have the same keywords. What those mean that are written without more words has the same integers on all boards, in the
order of their names, so that facts of it are made once. The rest is numbered after that, in the order of the board. The shapes of the
facts are described in the headers of the programs in asp/.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Kind, Knowledge
from lawmage.play.mana import mana_amounts, term_of
from lawmage.play.reading import Says, substitute
from lawmage.play.rows import Facts, quoted
from lawmage.text.forms import KeywordUse, parse_keywords
from lawmage.text.words import types_of

__all__ = ["Definitions", "Template", "common_of"]

#: A keyword, and what is written after it: its quality and number.
UseKey: TypeAlias = tuple[str, Filter | None, int | None]
#: The layer in which power and toughness are changed (613.4); what is changed in earlier ones, and isn't a keyword, is a characteristic.
_CHANGES_POWER = 7
#: So much of what is said together is remembered. All of it is forgotten when there is more.
_MOST_REMEMBERED = 512


@dataclass(frozen=True, slots=True, eq=False)
class _FilterShape:
    """A filter as kb/ sees it, one for all boards: whom its tests compare with, and whether a change can alter what one of them says."""

    alternatives: tuple[tuple[Test, ...], ...]
    asks: tuple[str, ...]
    keyed: bool


@lru_cache(maxsize=4096)
def _filter_shape(described: Filter, known: Knowledge) -> _FilterShape:
    kinds = [known.tests[test.kind] for alternative in described.any_of for test in alternative]
    asks = {kind.asks: None for kind in kinds if kind.asks}
    return _FilterShape(described.any_of, tuple(asks), any(kind.layer for kind in kinds))


@dataclass(frozen=True, slots=True, eq=False)
class _ConstraintShape:
    """A constraint with the words for the keyword that imposes it, one for all boards."""

    constraint: Constraint
    kind: Kind
    keyword: str | None
    every_subtype: bool


@lru_cache(maxsize=4096)
def _constraint_shape(constraint: Constraint, keyword: str | None, known: Knowledge) -> _ConstraintShape:
    alternatives = constraint.object.any_of if isinstance(constraint.object, Filter) else ()
    every_subtype = any(test.kind == "every_subtype" for tests in alternatives for test in tests)
    return _ConstraintShape(constraint, known.kinds[constraint.kind], keyword, every_subtype)


@lru_cache(maxsize=4096)
def _imposed(use: KeywordUse, judge: str, known: Knowledge) -> tuple[_ConstraintShape, ...]:
    """Return what the use of a keyword imposes that bears on `judge`."""
    return tuple(
        _constraint_shape(substitute(constraint, use.quality, use.number), f"has {use.written}", known)
        for constraint in known.keywords[use.keyword].imposes
        if judge in known.kinds[constraint.kind].judges
    )


@dataclass(frozen=True, slots=True)
class Template:
    """What is stated about an object that says something, but for its own integer: keywords, and constraints with how often each."""

    keywords: tuple[int, ...]
    counters: tuple[int, ...]
    about_itself: tuple[tuple[int, int], ...]
    about_others: tuple[tuple[int, int], ...]


#: What `Definitions` has that is remembered: what has integers by what it is, sets, and the rest.
_NUMBERED = ("own", "constraints", "rules", "keyword_of", "uses", "written", "imposed", "conditions", "filters", "tests")
_COLLECTED = ("groups", "kinds", "asked")
_LISTED = ("named", "listed")
_ALL = (*_NUMBERED, *_COLLECTED, *_LISTED)


class Definitions:
    """Numbers what is said, and states as facts what it means."""

    #: Whether what is said is taken from other boards, where the same is said there; what isn't begins with nothing.
    remembers: ClassVar[bool] = False

    def __init__(self, known: Knowledge, judge: str, common: Common | None = None) -> None:
        self.known = known
        self.judge = judge
        self.common = common or Common(known, judge)
        #: Whether this is what one keyword means, whatever others there will be.
        self.alone = False
        if not self.remembers:
            self.begin()

    def begin(self) -> None:
        """Let nothing be defined."""
        #: What was defined before, whoever says it, and what is added to it.
        self.defined = Facts()
        self.facts = Facts(self.defined)
        self.add = self.facts.add
        #: The last integers of what has not the same on all boards, by kind.
        self.own: dict[str, int] = {}
        self.constraints: dict[_ConstraintShape, int] = {}
        self.listed: list[Constraint | None] = [None] * (len(self.common.constraints) + 1)
        self.rules: dict[int, str] = {}
        self.keyword_of: dict[int, str] = {}
        self.named: list[tuple[int, str]] = []
        self.groups: set[str] = set()
        self.kinds: set[str] = set()
        self.uses: dict[UseKey, int] = {}
        self.written: dict[int, str] = {}
        self.imposed: dict[int, list[int]] = {}
        self.conditions: dict[Condition, int] = {}
        self.filters: dict[_FilterShape, int] = {}
        self.asked: set[tuple[str, int]] = set()
        self.tests: dict[Test, int] = {}
        #: How many tests, uses of keywords, named keywords and rules there were when what follows from them was last stated.
        self.ended = 0, 0, 0, 0
        #: What those state that say more than keywords in one word, but for their integers, where the same is said on several boards.
        self.templates: dict[Says, Template | None] | None = None

    # ------------------------------------------------------------ what is remembered

    def define(self, says: Iterable[Says]) -> None:
        """Number all of what is said, and state what it means; what is known from another board is taken as it is."""
        common = self.common
        bare: set[str] = set()
        more: list[Says] = []
        for each in says:
            words, rest = _parts(each)
            bare.update(words)
            if rest:
                more.append(each)
        keywords = frozenset(bare)
        self._take(common.together(keywords))
        if more:
            key = keywords, tuple(more)
            known = common.defined.get(key)
            if known is not None:
                self._take(known)
                return
            self._go_on()
            for each in more:
                self._define(each)
            self.end_definitions()
            # What is said once is seldom said again.
            _remember(common.defined, key, self.remembered(templates={}) if key in common.defined else None)

    def _define(self, says: Says) -> None:
        for use in _parts(says)[1]:
            if isinstance(use, KeywordUse):
                self._use(use)
        for constraint in says.states:
            kind = self.known.kinds[constraint.kind]
            if kind.group == "designating":
                list(self._imposed_by(constraint))
            elif self.judge in kind.judges:
                self._constraint(constraint, kind.by, None)

    def _take(self, remembered: Mapping[str, Any]) -> None:
        self.__dict__.update(remembered)
        self.facts = Facts(self.defined)
        self.add = self.facts.add

    def _go_on(self) -> None:
        """Let more be defined on top of what is remembered."""
        for name in _ALL:
            self.__dict__[name] = self.__dict__[name].copy()

    def remembered(self, templates: dict[Says, Template | None] | None = None) -> dict[str, Any]:
        """Return all that was defined, to be taken elsewhere and not changed any more."""
        found = {name: self.__dict__[name] for name in _ALL}
        return {**found, "defined": self.facts.joined(), "ended": self.ended, "templates": templates}

    def end_definitions(self) -> None:
        """State what is found out once all is numbered; where more is numbered after that, the same of what is new."""
        before = self.ended
        self._keyword_words(*before[:3])
        self._subtype_words()
        self.facts.add_rows("rule", 2, [(number, quoted(rule)) for number, rule in islice(self.rules.items(), before[3], None)])
        self.ended = len(self.tests), len(self.uses), len(self.named), len(self.rules)

    def template(self, says: Says | None) -> Template | None:
        """Return what is stated about an object that says this, or None where that depends on more than its integer.

        What is said on a board for the first time, and is more than keywords in one word, has none.
        """
        if says is None:
            return None
        templates = self.templates if _parts(says)[1] else self.common.templates
        if templates is None:
            return None
        if says not in templates:
            _remember(templates, says, self._template(says))
        return templates[says]

    def _template(self, says: Says) -> Template | None:
        stated = [
            (constraint, time)
            for use, times in Counter(says.keywords).items()
            for constraint in self.imposed[self._use(use)]
            for time in range(1, 2 if self.known.keywords[use.keyword].redundant else times + 1)
        ]
        written: Counter[int] = Counter()
        for constraint in says.states:
            kind = self.known.kinds[constraint.kind]
            if kind.group == "designating":
                return None
            if self.judge in kind.judges:
                number = self._constraint(constraint, kind.by, None)
                written[number] += 1
                stated.append((number, written[number]))
        about_itself: list[tuple[int, int]] = []
        about_others: list[tuple[int, int]] = []
        for number, time in stated:
            said = self.listed[number]
            assert said is not None
            if isinstance(said.object, str) or any(condition.kind == "open" for condition in said.conditions):
                return None
            if said.subject == "self":
                about_itself.append((number, time))
            elif isinstance(said.subject, Filter):
                about_others.append((number, time))
            else:
                return None
        keywords, counters = (tuple(dict.fromkeys(map(self._use, uses))) for uses in (says.keywords, says.counters))
        return Template(keywords, counters, tuple(about_itself), tuple(about_others))

    # ------------------------------------------------------------ keywords and constraints

    def _number(self, what: Hashable, kind: str, common: Mapping[Any, int]) -> int:
        """Return the integer of something new: the one that it has on all boards, or the next one after all of these."""
        number = common.get(what)
        if number is None:
            number = self.own[kind] = self.own.get(kind, len(common)) + 1
        return number

    def _imposed_by(self, designating: Constraint) -> Iterator[int]:
        """Yield the constraints that the designation imposes that `designating` gives, about the same objects under the same conditions."""
        for place, imposed in enumerate(self.known.designations[designating.value or ""]):
            if self.judge in self.known.kinds[imposed.kind].judges:
                said = replace(imposed, subject=designating.subject, conditions=designating.conditions, source=designating.source)
                number = self._constraint(said, imposed.source, None if designating.source else f"has {designating.value} it")
                self.add("designating", number, f'("{designating.value}",{place})')
                yield number

    def _use(self, use: KeywordUse) -> int:
        key = (use.keyword, use.quality, use.number)
        number = self.uses.get(key)
        if number is None:
            number = self.uses[key] = self._number(key, "uses", self.common.uses)
            self.written[number] = use.written
            if self.known.keywords[use.keyword].redundant:
                self.add("redundant", number)
            self.imposed[number] = [self._numbered(shape, shape.constraint.source) for shape in _imposed(use, self.judge, self.known)]
            for constraint in self.imposed[number]:
                self.add("imposes", number, constraint)
        return number

    def _constraint(self, constraint: Constraint, rule: str, keyword: str | None) -> int:
        return self._numbered(_constraint_shape(constraint, keyword, self.known), rule)

    def _numbered(self, shape: _ConstraintShape, rule: str) -> int:
        """Return the integer of a constraint, and state what it says where it is a new one."""
        number = self.constraints.get(shape)
        if number is not None:
            return number
        constraint, kind = shape.constraint, shape.kind
        number = self.constraints[shape] = self._number(shape, "constraints", self.common.constraints)
        self.listed += [None] * (number + 1 - len(self.listed))
        self.listed[number] = constraint
        self.rules[number] = rule
        self.groups.add(kind.group)
        self.kinds.add(constraint.kind)
        if shape.keyword is not None:
            self.keyword_of[number] = shape.keyword
        early = bool(kind.layer)
        self.add("plain" if constraint.object is None else "toward", number, constraint.kind)
        self._described("subject_filter", number, constraint.subject, early=early)
        if not early or kind.layer == _CHANGES_POWER:
            self._described("object_filter", number, constraint.object, early=early)
        if constraint.number is not None:
            self.add("number", number, constraint.number)
            if constraint.number > 1 and constraint.object is None:
                self.add("several", number, constraint.kind)
        if constraint.target is not None:
            self.add("aimed", number, quoted(constraint.target))
        if constraint.value is None:
            if early and kind.layer < _CHANGES_POWER:
                for test in constraint.object.any_of[0] if isinstance(constraint.object, Filter) else ():
                    self.add("also", number, test.kind, quoted(str(test.value)))
            elif early:
                adds = "adds" if constraint.object is None else "adds_each"
                self.add(adds, number, constraint.power, constraint.toughness)
        elif early:
            for use in parse_keywords(constraint.value, self.known.forms):
                self.add("grants", number, self._use(use))
        else:
            self.named.append((number, constraint.value))
            for use in parse_keywords(constraint.value, self.known.forms):
                # What it means to have the keyword, though nothing on the board has it.
                self._use(use)
            for symbol, amount in mana_amounts(constraint.value).items():
                self.add("price", number, term_of(symbol), amount)
        for condition in constraint.conditions:
            index = self._condition(condition, early=early)
            self.add("conditional", number, index)
            self.add("unless" if condition.negated else "when", number, index)
        return number

    def _condition(self, condition: Condition, *, early: bool) -> int:
        same = replace(condition, negated=False)
        described: list[int | str] = [] if same.filter is None else [self._filter(same.filter, early=early)]
        described += [quoted(same.value)] if same.value else []
        if same not in self.conditions:
            index = self.conditions[same] = self._number(same, "conditions", self.common.conditions)
            if same.who:
                self.add("condition", index, same.kind, quoted(same.who), *described, same.number)
            else:
                self.add("condition", index, same.kind, *described)
        return self.conditions[same]

    # ------------------------------------------------------------ filters and tests

    def _described(self, name: str, number: int, whom: Subject | None, *, early: bool) -> None:
        if isinstance(whom, Filter):
            self.add(name, number, self._filter(whom, early=early))

    def _filter(self, described: Filter, *, early: bool) -> int:
        shape = _filter_shape(described, self.known)
        number = self.filters.get(shape)
        if number is None:
            number = self.filters[shape] = self._number(shape, "filters", self.common.filters)
            self.add("relative_filter" if shape.asks else "absolute_filter", number)
            for whom in shape.asks:
                self.add(whom, number)
            for index, alternative in enumerate(shape.alternatives):
                self.add("alternative", number, index)
                for test in alternative:
                    self.add("part_not" if test.negated else "part", number, index, self._test(Test(test.kind, test.value)))
                if len(alternative) == 1 and not alternative[0].negated:
                    self.add("sole_test", number, self._test(Test(alternative[0].kind, alternative[0].value)))
                else:
                    self.add("compound", number, index)
            if shape.keyed:
                self.add("keyed", number)
        when = "early" if early else "late"
        if (when, number) not in self.asked:
            self.asked.add((when, number))
            self.add(when, number)
        return number

    def _test(self, test: Test) -> int:
        number = self.tests.get(test)
        if number is None:
            number = self.tests[test] = self._number(test, "tests", self.common.tests)
            self.add("relative" if self.known.tests[test.kind].asks else "absolute", number)
            if test.kind != "keyword":
                value = [] if test.value is None else [test.value if isinstance(test.value, int) else quoted(test.value)]
                self.add("test", number, test.kind, *value)
        return number

    # ------------------------------------------------------------ words

    def _keyword_words(self, tests: int, uses: int, named: int) -> None:
        """State which keywords on the board a word in a test or constraint means: the one so written, or all of a family.

        Of the first so many tests, uses of keywords and named keywords it has been stated.
        """
        asking = [(number, str(test.value)) for test, number in self.tests.items() if test.kind == "keyword"]
        old = set(islice(self.tests.values(), tests)) if asking else ()
        more = set(islice(self.uses.values(), uses, None))
        for number, word in asking:
            if more or number not in old:
                self.facts.add_rows("test", 3, [(number, "keyword", use) for use in self._meant(word) if use in more or number not in old])
        for place, (constraint, word) in enumerate(self.named):
            if more or place >= named:
                self.facts.add_rows("names", 2, [(constraint, use) for use in self._meant(word) if use in more or place >= named])
            for number, asked in asking:
                if (place >= named or number not in old) and asked.casefold() == word.casefold():
                    self.add("pretends", constraint, number)

    def _subtype_words(self) -> None:
        """State of which card types the subtypes are that tests ask about, where something has all subtypes of one."""
        if any(shape.every_subtype for shape in self.constraints):
            for test in self.tests:
                if test.kind == "subtype":
                    for kind in types_of(str(test.value).lower()):
                        self.add("subtype_of", quoted(str(test.value)), quoted(kind))

    def _meant(self, word: str) -> list[int]:
        exact = {(use.keyword, use.quality, use.number) for use in parse_keywords(word, self.known.forms)}
        uses = self.common.uses if self.alone else self.uses
        return [number for key, number in uses.items() if key in exact or key[0] == word.casefold()]


class Common:
    """What keywords mean that are written without more words, with integers that are the same on all boards.

    Empty where nothing is to be the same.
    """

    def __init__(self, known: Knowledge, judge: str) -> None:
        self.known = known
        self.judge = judge
        self.uses: dict[UseKey, int] = {}
        self.constraints: dict[_ConstraintShape, int] = {}
        self.conditions: dict[Condition, int] = {}
        self.filters: dict[_FilterShape, int] = {}
        self.tests: dict[Test, int] = {}
        self.templates: dict[Says | None, Template | None] = {}
        #: What boards define beside keywords in one word, by these and by what is said; None where it was said once.
        self.defined: dict[tuple[frozenset[str], tuple[Says, ...]], dict[str, Any] | None] = {}
        self._together: dict[frozenset[str], dict[str, Any]] = {}
        self._alone: dict[str, Definitions] = {}

    def number(self) -> None:
        """Number all keywords of kb/, and what they mean."""
        every = Definitions(self.known, self.judge)
        for name in sorted(self.known.keywords):
            every._use(KeywordUse(name, name))
        self.uses, self.constraints, self.conditions = every.uses, every.constraints, every.conditions
        self.filters, self.tests = every.filters, every.tests

    def together(self, keywords: frozenset[str]) -> dict[str, Any]:
        """Return what keywords, each in one word, mean together."""
        found = self._together.get(keywords)
        if found is None:
            found = self._joined(keywords)
            _remember(self._together, keywords, found)
        return found

    def _joined(self, keywords: Iterable[str]) -> dict[str, Any]:
        joined = Definitions(self.known, self.judge, self)
        parts = [self._of(name) for name in sorted(keywords)]
        for part in parts:
            for name in (*_NUMBERED, *_COLLECTED):
                joined.__dict__[name].update(part.__dict__[name])
            joined.named += part.named
        for shape, number in joined.constraints.items():
            joined.listed[number] = shape.constraint
        joined.facts = Facts.union([part.facts for part in parts])
        joined.ended = len(joined.tests), len(joined.uses), len(joined.named), len(joined.rules)
        return joined.remembered()

    def _of(self, name: str) -> Definitions:
        """Return what one keyword means."""
        found = self._alone.get(name)
        if found is None:
            found = self._alone[name] = Definitions(self.known, self.judge, self)
            found.alone = True
            found._use(KeywordUse(name, name))
            found.end_definitions()
            found.facts = found.facts.joined()
        return found


@lru_cache(maxsize=16)
def common_of(known: Knowledge, judge: str) -> Common:
    """Return what is the same on all boards for a judgement of the kind `judge`."""
    common = Common(known, judge)
    common.number()
    return common


def _remember(known: dict[Any, Any], key: object, value: object) -> None:
    if len(known) >= _MOST_REMEMBERED:
        known.clear()
    known[key] = value


@lru_cache(maxsize=4096)
def _parts(says: Says) -> tuple[tuple[str, ...], tuple[object, ...]]:
    """Return the keywords in one word that something says, and the rest of it."""
    uses = dict.fromkeys((*says.keywords, *says.counters))
    bare = [use for use in uses if use == KeywordUse(use.keyword, use.keyword)]
    return tuple(use.keyword for use in bare), (*(use for use in uses if use not in bare), *says.states)
