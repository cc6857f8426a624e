"""From a board and what was read on it to facts for asp/.

Objects, effects, filters, tests, constraints and conditions become small integers for each problem (clingo keeps every symbol for
ever). The shapes of the facts are described in the headers of the programs in asp/.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from operator import attrgetter
from typing import Any

from lawmage.board import Board, Object
from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.alike import Alike, Member
from lawmage.play.knowledge import Kind, Knowledge
from lawmage.play.mana import mana_amounts, term_of
from lawmage.play.program import Places, Signature, signatures_of
from lawmage.play.reading import Holder, Reading, Says, substitute
from lawmage.play.stratified import Key, Relation, Row
from lawmage.text.forms import KeywordUse, parse_keywords
from lawmage.text.words import types_of

__all__ = ["Builder", "Facts", "Problem", "build", "quoted"]

#: What a counter's name says that it adds to power and toughness (122.1a).
_PT_COUNTER = re.compile(r"([+-]\d+)/([+-]\d+)$")
#: The layer in which power and toughness are changed (613.4); what is changed in earlier ones, and isn't a keyword, is a characteristic.
_CHANGES_POWER = 7
_STATUSES = ("sick", "tapped", "token", "commander", "face_down", "phased_out")
_status = attrgetter(*_STATUSES)


class Facts:
    """Facts by predicate, on top of those of `base`, in the form that `lawmage.play.stratified` reads."""

    def __init__(self, base: Facts | None = None) -> None:
        self._base = base
        self._own: defaultdict[Key, Relation] = defaultdict(Relation)

    def add(self, name: str, *arguments: int | str) -> None:
        """Add the fact `name(arguments)`; strings are written as they are."""
        size = len(arguments)
        self._own[name, size].rows[arguments if size != 1 else arguments[0]] = None

    def add_rows(self, name: str, size: int, rows: Iterable[Row]) -> None:
        """Add the facts of the predicate `name` with `size` arguments; where it is one, rows are that argument alone."""
        found = dict.fromkeys(rows)
        key = name, size
        if key in self._own:
            self._own[key].rows.update(found)
        elif found:
            self._own[key] = Relation(found)

    def rows(self, name: str, arity: int) -> Iterator[tuple[int | str, ...]]:
        """Yield the arguments of the facts of one predicate."""
        if self._base is not None:
            yield from self._base.rows(name, arity)
        if (name, arity) in self._own:
            yield from _arguments((name, arity), self._own[name, arity])

    def copy(self) -> Facts:
        """Return facts that start with these, to which others can be added; nothing may be added to these any more."""
        return Facts(self)

    @property
    def predicates(self) -> frozenset[Key]:
        """The predicates that there are facts of."""
        return frozenset(self._own) if self._base is None else self._base.predicates.union(self._own)

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates and constants that occur (see `lawmage.play.program`)."""
        return self.signatures_at(None)

    def signatures_at(self, places: Places | None) -> frozenset[Signature]:
        """Return the predicates that occur, and the constants that occur at `places`."""
        own = signatures_of({key: relation.rows for key, relation in self._own.items()}, places)
        return frozenset(own if self._base is None else own | self._base.signatures_at(places))

    def relations(self) -> dict[Key, Relation]:
        """Return the facts as `lawmage.play.stratified` reads them, for as long as no others are added."""
        if self._base is None:
            return dict(self._own)
        found = self._base.relations()
        for key, own in self._own.items():
            found[key] = Relation(found[key].rows | own.rows) if key in found else own
        return found

    def text(self, names: Iterable[str] | None = None) -> str:
        """Return the facts as a program: all of them, or those of the predicates `names`."""
        chosen = None if names is None else set(names)
        own = "\n".join(
            f"{key[0]}({','.join(map(str, arguments))})."
            for key, relation in self._own.items()
            if chosen is None or key[0] in chosen
            for arguments in _arguments(key, relation)
        )
        return own if self._base is None else f"{self._base.text(chosen)}\n{own}"


def _arguments(key: Key, relation: Relation) -> Iterable[tuple[int | str, ...]]:
    return ((row,) for row in relation.rows) if key[1] == 1 else relation.rows


@dataclass(frozen=True)
class Problem:
    """The facts of a board, and what their integers mean.

    Attributes:
        facts: all but those about a defending player and proposals.
        numbers: the integer of each permanent.
        holders: the name of the object or effect behind each integer.
        constraints: the constraint behind each integer; index 0 is not used.
        rules: the rule that each constraint comes from, by its integer.
        keyword_of: for a constraint that a keyword or designation imposes, what its holder has or has done, in words.
        conditions: the open conditions in words, by their integer and that of the object or effect that has them.
        groups: the groups of the vocabulary (`requirement`, `cost`, ...) that occur.
        players: the integer of each player.
    """

    facts: Facts
    numbers: dict[str, int]
    holders: dict[int, str]
    constraints: list[Constraint | None]
    rules: dict[int, str]
    keyword_of: dict[int, str]
    conditions: dict[tuple[int, int], str]
    groups: frozenset[str]
    players: dict[str, int]
    uses: dict[tuple[str, Filter | None, int | None], int]
    written: dict[int, str]

    def sentence_of(self, restriction: Any) -> Any:
        """Return a key that the restrictions have in common which one sentence of an object or effect states, as clashes name them."""
        if isinstance(restriction, str) or len(restriction) > 2 or restriction[0] in self.keyword_of:
            return restriction
        number, holder = restriction
        constraint = self.constraints[number]
        return (holder, constraint.source) if constraint is not None and constraint.source else restriction


def build(board: Board, reading: Reading, known: Knowledge, judge: str, alike: Alike | None = None) -> Problem:
    """Return the facts of `board` for a judgement of the kind `judge` (`block`, ...); without those about objects that others speak for.

    What the integers mean is the same whether others speak for an object or not.
    """
    return Builder(board, reading, known, judge, alike).problem()


@lru_cache(maxsize=4096)
def quoted(word: str) -> str:
    """Return `word` as an ASP string, in lower case."""
    escaped = word.casefold().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


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


@lru_cache(maxsize=4096)
def _constraint_shape(constraint: Constraint, keyword: str | None, known: Knowledge) -> _ConstraintShape:
    return _ConstraintShape(constraint, known.kinds[constraint.kind], keyword)


@lru_cache(maxsize=4096)
def _imposed(use: KeywordUse, judge: str, known: Knowledge) -> tuple[_ConstraintShape, ...]:
    """Return what the use of a keyword imposes that bears on `judge`."""
    return tuple(
        _constraint_shape(substitute(constraint, use.quality, use.number), f"has {use.written}", known)
        for constraint in known.keywords[use.keyword].imposes
        if judge in known.kinds[constraint.kind].judges
    )


@dataclass(frozen=True, slots=True)
class _Template:
    """What is stated about an object that says something, but for its own integer: keywords, and constraints with how often each."""

    keywords: tuple[int, ...]
    counters: tuple[int, ...]
    about_itself: tuple[tuple[int, int], ...]
    about_others: tuple[tuple[int, int], ...]


#: What a `Builder` has that depends on what is said alone, not on by whom.
_DEFINITIONS = (
    "defined",
    "constraints",
    "listed",
    "rules",
    "keyword_of",
    "named",
    "groups",
    "uses",
    "written",
    "imposed",
    "conditions",
    "filters",
    "asked",
    "tests",
    "templates",
)
#: That, by what is said, in the order of the board; None where it was said once. All of it is forgotten when there is too much.
_DEFINED: dict[tuple[object, ...], dict[str, Any] | None] = {}
_MOST_DEFINED = 512


class Builder:
    """Makes the facts of a board; those of other questions than combat are added by subclasses (`extend`)."""

    #: The zones whose objects are among the facts.
    zones: tuple[str, ...] = ("battlefield",)

    def __init__(self, board: Board, reading: Reading, known: Knowledge, judge: str, alike: Alike | None = None) -> None:
        self.board = board
        self.reading = reading
        self.alike = alike or Alike((), 0)
        self.known = known
        self.judge = judge
        #: What keywords, constraints, filters and tests are, whoever has or states them: the same on many boards.
        self.defined = Facts()
        self.facts = Facts(self.defined)
        self.add = self.facts.add
        self.templates: dict[Says, _Template] = {}
        self.players = {name: index for index, name in enumerate(board.players, start=1)}
        self.terms = {name: f"p({index})" for name, index in self.players.items()}
        self.numbers: dict[str, int] = {}
        self.holders: dict[int, str] = {}
        self.constraints: dict[_ConstraintShape, int] = {}
        self.listed: list[Constraint | None] = [None]
        self.rules: dict[int, str] = {}
        self.keyword_of: dict[int, str] = {}
        self.named: list[tuple[int, str]] = []
        self.groups: set[str] = set()
        self.uses: dict[tuple[str, Filter | None, int | None], int] = {}
        self.written: dict[int, str] = {}
        self.imposed: dict[int, list[int]] = {}
        self.conditions: dict[Condition, int] = {}
        self.open: dict[tuple[int, int], str] = {}
        self.filters: dict[_FilterShape, int] = {}
        self.asked: set[tuple[str, int]] = set()
        self.tests: dict[Test, int] = {}

    def problem(self) -> Problem:
        """Return the facts, and what their integers mean."""
        there = [thing for thing in self.board.objects.values() if thing.zone in self.zones]
        members, left_out = self.alike.members, self.alike.left_out
        self.numbers = {thing.id: index for index, thing in enumerate(there, start=1)}
        self.numbers |= {name: Member(self.numbers[name]) for name in members}
        self.holders = {index: name for name, index in self.numbers.items()}
        spoken_of = [thing for thing in there if thing.id not in left_out]
        said = [(self.numbers[thing.id], thing, holder) for thing, holder in zip(there, self.reading.objects, strict=True) if holder.says]
        if left_out:
            said = [each for each in said if each[1].id not in left_out]
        effects = [holder for holder in self.reading.effects if holder.says]
        # What is given to objects may mean something as well, and other questions speak of more.
        alone = self.__class__ is Builder and not any(thing.goaded_by or thing.designations for thing in spoken_of)
        defined = alone and self._define_all([*(holder for _, _, holder in said), *effects])
        if self.templates:
            self._fill_in([(index, self.templates[holder.says]) for index, _, holder in said if holder.says in self.templates])
            said = [each for each in said if each[2].says not in self.templates]
        for index, thing, holder in said:
            self._keywords(index, holder)
            attached = self.numbers.get(thing.attached_to or "")
            self._texts(index, holder, {"self": [index], "attached": [] if attached is None else [attached], "affected": []})
        for index, (effect, holder) in enumerate(zip(self.board.effects, self.reading.effects, strict=True), start=len(there) + 1):
            self.holders[index] = holder.name
            self.add("controls", self._player(effect.controller), index)
            source = self.numbers.get(holder.source or "")
            if source is not None:
                self.add("stands_for", index, source)
            for name in holder.affects:
                self.add("affects", index, self._player(name) if name in self.players else self.numbers.get(name, "gone"))
            affected = [self.numbers[name] for name in holder.affects if name in self.numbers]
            if any(name in self.players for name in holder.affects):
                # What is said about players that are pointed at is stated about the effect itself.
                affected.append(index)
            self._texts(index, holder, {"self": [source or index], "attached": [], "affected": affected})
        if not defined:
            self._designations(spoken_of)
            self.extend()
            self._end_definitions()
        self._objects(spoken_of)
        self._combat(left_out)
        return Problem(
            facts=self.facts,
            numbers=self.numbers,
            holders=self.holders,
            constraints=self.listed,
            rules=self.rules,
            keyword_of=self.keyword_of,
            conditions=self._open_conditions(),
            groups=frozenset(self.groups),
            players=self.players,
            uses=self.uses,
            written=self.written,
        )

    def _define_all(self, holders: Iterable[Holder]) -> bool:
        """Number all that `holders` say, in that order, and state what it means, or take that from a board where the same was said.

        False, and nothing is done, where it is said for the first time: most of what is said on a board is not said again.
        """
        said = tuple(dict.fromkeys([holder.says for holder in holders if holder.says is not None]))
        key = (self.known, self.judge, said)
        if key not in _DEFINED:
            if len(_DEFINED) >= _MOST_DEFINED:
                _DEFINED.clear()
            _DEFINED[key] = None
            return False
        known = _DEFINED[key]
        if known is None:
            self.facts = self.defined
            self.add = self.facts.add
            for each in said:
                self._define(each)
            self._end_definitions()
            self.templates = {each: template for each in said if (template := self._template(each)) is not None}
            known = _DEFINED[key] = {name: getattr(self, name) for name in _DEFINITIONS}
        self.__dict__.update(known)
        self.facts = Facts(self.defined)
        self.add = self.facts.add
        return True

    def _define(self, says: Says) -> None:
        for use in (*says.keywords, *says.counters):
            self._use(use)
        for constraint in says.states:
            kind = self.known.kinds[constraint.kind]
            if kind.group == "designating":
                list(self._imposed_by(constraint))
            elif self.judge in kind.judges:
                self._constraint(constraint, kind.by, None)

    def _end_definitions(self) -> None:
        self._keyword_words()
        self._subtype_words()
        self.facts.add_rows("rule", 2, [(number, quoted(rule)) for number, rule in self.rules.items()])

    def _template(self, says: Says) -> _Template | None:
        """Return what is stated about an object that says this, or None where that depends on more than its integer."""
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
        return _Template(keywords, counters, tuple(about_itself), tuple(about_others))

    def _fill_in(self, templates: Sequence[tuple[int, _Template]]) -> None:
        """State of each object, by its integer, what its template has."""
        add = self.facts.add_rows
        add("keyword", 2, [(index, use) for index, template in templates for use in template.keywords])
        add("keyword_counter", 2, [(index, use) for index, template in templates for use in template.counters])
        add("states", 4, [(number, index, time, index) for index, template in templates for number, time in template.about_itself])
        add("states", 3, [(number, index, time) for index, template in templates for number, time in template.about_others])

    def extend(self) -> None:
        """Add what a subclass has to add: all filters are numbered before what keywords in them mean is stated."""

    def _player(self, name: str) -> str:
        return self.terms[name]

    # ------------------------------------------------------------ what is said

    def _keywords(self, index: int, holder: Holder) -> None:
        for use, times in Counter(holder.keywords).items() if len(holder.keywords) > 1 else zip(holder.keywords, (1,), strict=False):
            number = self._use(use)
            self.add("keyword", index, number)
            for constraint in self.imposed[number]:
                for time in range(1, 2 if self.known.keywords[use.keyword].redundant else times + 1):
                    self._states(constraint, index, time, {"self": [index]})
        for number in dict.fromkeys(self._use(use) for use in holder.counters):
            self.add("keyword_counter", index, number)

    def _texts(self, index: int, holder: Holder, pointers: dict[str, list[int]]) -> None:
        times: Counter[int] = Counter()
        for constraint in holder.states:
            kind = self.known.kinds[constraint.kind]
            if kind.group == "designating":
                for number in self._imposed_by(constraint):
                    self._states(number, index, 1, pointers)
            elif self.judge in kind.judges:
                number = self._constraint(constraint, kind.by, None)
                times[number] += 1
                self._states(number, index, times[number], pointers)

    def _states(self, number: int, index: int, time: int, pointers: dict[str, list[int]]) -> None:
        constraint = self.listed[number]
        assert constraint is not None
        for condition in constraint.conditions:
            if condition.kind == "open":
                self.open[self._condition(condition, early=False), index] = condition.text
        if isinstance(constraint.subject, Filter):
            self.add("states", number, index, time)
        else:
            for subject in pointers[constraint.subject]:
                self.add("states", number, index, time, subject)
        if isinstance(constraint.object, str):
            for named in pointers[constraint.object]:
                self.add("object_named", number, index, named)

    def _designations(self, there: Iterable[Object]) -> None:
        """State what each designation imposes, for each player who gave it; one who gives it twice adds nothing (701.15d)."""
        givers: dict[str, int] = {}
        for thing in there:
            for player in dict.fromkeys(thing.goaded_by) if thing.goaded_by else ():
                if player not in givers:
                    givers[player] = len(self.holders) + 1
                    self.holders[givers[player]] = player
                    self.add("controls", self._player(player), givers[player])
                for number in self._imposed_by(Constraint("", value="goaded")):
                    self.add("states", number, givers[player], 1, self.numbers[thing.id])
            for word in thing.designations:
                self._designated(thing, word)

    def _designated(self, thing: Object, word: str) -> None:
        """State what a designation imposes that no matter who gave; it is no ability of the object, which may be face down."""
        imposed = [one for one in self.known.imposed_by(word) if self.judge in self.known.kinds[one.kind].judges]
        if imposed:
            giver = len(self.holders) + 1
            self.holders[giver] = thing.id
            self.add("controls", self._player(thing.controller), giver)
            for one in imposed:
                self.add("states", self._constraint(one, one.source, f"is {word}"), giver, 1, self.numbers[thing.id])

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
            number = self.uses[key] = len(self.uses) + 1
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
        number = self.constraints[shape] = len(self.listed)
        self.listed.append(constraint)
        self.rules[number] = rule
        self.groups.add(kind.group)
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
            for use in parse_keywords(constraint.value, self.reading.forms):
                self.add("grants", number, self._use(use))
        else:
            self.named.append((number, constraint.value))
            for use in parse_keywords(constraint.value, self.reading.forms):
                # What it means to have the keyword, though nothing on the board has it.
                self._use(use)
            for symbol, amount in mana_amounts(constraint.value).items():
                self.add("price", number, term_of(symbol), amount)
        for condition in constraint.conditions:
            index = self._condition(condition, early=early)
            self.add("conditional", number, index)
            self.add("unless" if condition.negated else "when", number, index)
        return number

    def _open_conditions(self) -> dict[tuple[int, int], str]:
        """Return the open conditions; where several objects have the same one, each may stand differently and is named."""
        if not self.open:
            return {}
        often = Counter(self.open.values())
        return {key: text if often[text] == 1 else f"{text} ({self.holders[key[1]]})" for key, text in self.open.items()}

    def _condition(self, condition: Condition, *, early: bool) -> int:
        same = Condition(condition.kind, condition.who, condition.filter, condition.number, text=condition.text)
        described = [] if same.filter is None else [self._filter(same.filter, early=early)]
        if same not in self.conditions:
            index = self.conditions[same] = len(self.conditions) + 1
            if same.who:
                self.add("condition", index, same.kind, quoted(same.who), *described, same.number)
            else:
                self.add("condition", index, same.kind, *described)
        return self.conditions[same]

    # ------------------------------------------------------------ filters

    def _described(self, name: str, number: int, whom: Subject | None, *, early: bool) -> None:
        if isinstance(whom, Filter):
            self.add(name, number, self._filter(whom, early=early))

    def _filter(self, described: Filter, *, early: bool) -> int:
        shape = _filter_shape(described, self.known)
        number = self.filters.get(shape)
        if number is None:
            number = self.filters[shape] = len(self.filters) + 1
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
            number = self.tests[test] = len(self.tests) + 1
            self.add("relative" if self.known.tests[test.kind].asks else "absolute", number)
            if test.kind != "keyword":
                value = [] if test.value is None else [test.value if isinstance(test.value, int) else quoted(test.value)]
                self.add("test", number, test.kind, *value)
        return number

    def _keyword_words(self) -> None:
        """State which keywords on the board a word in a test or constraint means: the one so written, or all of a family."""
        for test, number in self.tests.items():
            if test.kind == "keyword":
                for use in self._meant(str(test.value)):
                    self.add("test", number, test.kind, use)
        for constraint, word in self.named:
            for use in self._meant(word):
                self.add("names", constraint, use)
            for test, number in self.tests.items():
                if test.kind == "keyword" and str(test.value).casefold() == word.casefold():
                    self.add("pretends", constraint, number)

    def _subtype_words(self) -> None:
        """State of which card types the subtypes are that tests ask about, where something has all subtypes of one."""
        said = (constraint.object for constraint in self.listed if constraint is not None)
        if any(test.kind == "every_subtype" for one in said if isinstance(one, Filter) for tests in one.any_of for test in tests):
            for test in self.tests:
                if test.kind == "subtype":
                    for kind in types_of(str(test.value).lower()):
                        self.add("subtype_of", quoted(str(test.value)), quoted(kind))

    def _meant(self, word: str) -> list[int]:
        exact = {(use.keyword, use.quality, use.number) for use in parse_keywords(word, self.reading.forms)}
        return [number for key, number in self.uses.items() if key in exact or key[0] == word.casefold()]

    # ------------------------------------------------------------ objects

    def _objects(self, things: Sequence[Object]) -> None:
        numbered = [(self.numbers[thing.id], thing) for thing in things]
        there = [(index, thing) for index, thing in numbered if thing.zone == "battlefield"]
        add, terms = self.facts.add_rows, self.terms
        add("permanent", 1, [index for index, _ in there])
        add("controls", 2, [(terms[thing.controller], index) for index, thing in there])
        if len(there) < len(numbered):
            add("card", 1, [index for index, thing in numbered if thing.zone != "battlefield"])
        add("owns", 2, [(terms[thing.owner], index) for index, thing in numbered])
        both = [(index, thing.power, thing.toughness) for index, thing in numbered if thing.power is not None]
        add("printed_pt", 3, [row for row in both if row[2] is not None])
        add("printed", 3, [(index, kind, word) for index, thing in numbered for kind, word in _characteristics(thing)])
        # What few objects have. Attributes are faster to ask for by name, one by one, than by `_status`.
        for index, thing in numbered:
            if thing.sick or thing.tapped or thing.token or thing.commander or thing.face_down or thing.phased_out:
                for status in compress(_STATUSES, _status(thing)):
                    self.add(status, index)
            if thing.attached_to is not None and thing.attached_to in self.numbers:
                self.add("attached", index, self.numbers[thing.attached_to])
            if thing.protector is not None:
                self.add("protects", terms[thing.protector], index)
            if thing.counters:
                self._pt_counters(index, thing.counters)

    def _pt_counters(self, index: int, counters: Mapping[str, int]) -> None:
        power = toughness = 0
        for name, count in counters.items():
            if match := _PT_COUNTER.match(name):
                power, toughness = power + int(match[1]) * count, toughness + int(match[2]) * count
        if power or toughness:
            self.add("pt_counter", index, power, toughness)

    def _combat(self, left_out: frozenset[str]) -> None:
        numbers, terms = self.numbers, self.terms
        self.facts.add_rows("player", 1, terms.values())
        self.add("active", self._player(self.board.active))
        attacks = [each for each in self.board.attacks or () if each.attacker in numbers and each.attacker not in left_out]
        at_players = [(numbers[each.attacker], terms[each.target]) for each in attacks if each.target in terms]
        self.facts.add_rows("attacks_player", 2, at_players)
        permanents: list[Row] = []
        for attack in attacks if len(at_players) < len(attacks) else ():
            attacker, target = numbers[attack.attacker], attack.target
            if target in terms:
                continue
            if target in numbers:
                permanents.append((attacker, numbers[target]))
            else:
                gone = self.board.objects[target]
                self.add("attacks_nothing", attacker, self._player(gone.protector or gone.controller))
        self.facts.add_rows("attacks_permanent", 2, permanents)


def _characteristics(thing: Object) -> Sequence[tuple[str, str]]:
    own = _printed(thing.types, thing.subtypes, thing.supertypes, thing.colors, thing.name)
    return (*own, *(("has_counter", quoted(name)) for name, count in thing.counters.items() if count)) if thing.counters else own


@lru_cache(maxsize=4096)
def _printed(
    types: tuple[str, ...], subtypes: tuple[str, ...], supertypes: tuple[str, ...], colors: tuple[str, ...], name: str | None
) -> tuple[tuple[str, str], ...]:
    kinds = {"type": types, "subtype": subtypes, "supertype": supertypes, "color": colors, "named": (name,) if name else ()}
    return tuple((kind, quoted(word)) for kind, words in kinds.items() for word in words)
