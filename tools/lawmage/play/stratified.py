"""Evaluating programs of asp/ in which nothing is chosen: one model, of which only what is asked for is found.

Grounding is what a verdict on an ordinary board takes its time for, and clingo grounds anew for each board. Where a program has no
choices and no recursion, a predicate of its one model can also be found by running the rules that derive it, once, after those that
derive what they use. So `Derived` begins with what is asked for and looks at a rule only if something is there for each atom that it
needs; rules for which there cannot be, as there are no facts for them, are left out beforehand, once for each set of predicates with
facts (`Rules.narrowed`). Every rule becomes a Python function of nested loops over the atoms of its body, made when it first matters,
without the parts that hold because nothing is there that they speak of (`rule_functions`). What is asked for together often becomes one
function, in which a rule costs next to nothing where it does not matter (`Rules.straight`). What any predicate means plays no part
here, and clingo's own answers are what the tests compare with.

Atoms are rows of values: numbers are `int`, strings keep their quotes, constants and terms in facts such as `p(1)` are `str`, tuples
are `tuple`, and a term `f(a)` in a rule is the tuple of its name and arguments. An atom with one argument is that value, without a tuple.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeAlias

from clingo import ast

from lawmage.play.rule_functions import (
    KEYS,
    NUMBERS,
    Constant,
    Guarded,
    Key,
    NotEvaluatedError,
    Step,
    Value,
    Written,
    function_of,
    in_order,
    is_positive_atom,
    key_of,
    number_of,
    order,
    program_of,
    value_of,
    written,
)

__all__ = ["Derived", "Key", "NotEvaluatedError", "Relation", "Row", "RowsLater", "Rules", "Value", "in_order", "order", "value_of"]

#: The arguments of an atom.
Row: TypeAlias = Any
_Function: TypeAlias = Callable[..., None]


class Relation:
    """The rows of one predicate, and indexes on them, made when they are first asked for. Complete before it is read.

    `indexes` has the indexes that there are, by their places.
    """

    __slots__ = ("_values", "indexes", "rows")

    def __init__(self, rows: dict[Row, None] | None = None) -> None:
        self.rows: dict[Row, None] = {} if rows is None else rows
        self.indexes: dict[tuple[int, ...], dict[Any, list[Row]]] = {}
        self._values: dict[tuple[int, ...], set[Any]] | None = None

    def index(self, places: tuple[int, ...]) -> Mapping[Any, Sequence[Row]]:
        """Return the rows by what stands at `places`: a value for one place, a tuple for several."""
        found = self.indexes.get(places)
        if found is None:
            make = _INDEXING[len(places) - 1] if len(places) <= len(_INDEXING) else _by_several
            found = self.indexes[places] = make(self.rows, *places)
        return found

    def values(self, places: tuple[int, ...]) -> Collection[Any]:
        """Return what stands at `places` of any row: a value for one place, a tuple for several."""
        if self._values is None:
            self._values = {}
        found = self.indexes.get(places) or self._values.get(places)
        if found is None:
            found = self._values[places] = set(map(itemgetter(*places), self.rows))
        return found


def _by_one(rows: Iterable[Row], place: int) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        key = row[place]
        if key in found:
            found[key].append(row)
        else:
            found[key] = [row]
    return found


def _by_two(rows: Iterable[Row], one: int, other: int) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        key = row[one], row[other]
        those = found.get(key)
        if those is None:
            found[key] = [row]
        else:
            those.append(row)
    return found


def _by_several(rows: Iterable[Row], *places: int) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    at = itemgetter(*places)
    for row in rows:
        found.setdefault(at(row), []).append(row)
    return found


class RowsLater(Relation):
    """A relation of which some rows are known to be there, made when they are first asked for: often none of a board's are.

    Args:
        make: returns them.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], dict[Row, None]]) -> None:
        self._make = make
        self.indexes = {}
        self._values = None

    def __getattr__(self, name: str) -> Any:
        # `rows` has no value yet.
        if name != "rows":
            raise AttributeError(name)
        self.rows = self._make()
        return self.rows


#: How to make an index on one place, and on two.
_INDEXING: tuple[Callable[..., dict[Any, list[Row]]], ...] = (_by_one, _by_two)
_EMPTY = Relation()


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A rule without pools, in whatever programs it stands. Predicates are given by their numbers.

    Attributes:
        heads: what it derives.
        uses: all predicates in its body.
        needs: the atoms that have to be there: the predicate of each, and the place of a constant in it, and that, or None.
        doubtful: the parts of its body that hold where one of some predicates is empty: a bit for the part, and these predicates.
        needed: the predicates in `needs`.
        ways, functions: the rule in Python, by the bits of the parts left out.
    """

    rule: ast.AST
    text: str
    heads: tuple[Key, ...]
    uses: frozenset[int]
    needs: tuple[tuple[int, tuple[int] | None, Value], ...]
    doubtful: tuple[tuple[int, tuple[int, ...]], ...]
    needed: frozenset[int]
    ways: dict[int, Written] = field(default_factory=dict)
    functions: dict[int, tuple[_Function, Written]] = field(default_factory=dict)

    def written(self, left_out: int) -> Written:
        """Return the rule in Python without the parts `left_out`."""
        found = self.ways.get(left_out)
        if found is None:
            found = self.ways[left_out] = written(self.rule, left_out)
        return found

    def function(self, left_out: int) -> tuple[_Function, Written]:
        """Return the function without the parts `left_out`, which is made when it is first needed, and what it is made of."""
        found = self.functions.get(left_out)
        if found is None:
            way = self.written(left_out)
            found = self.functions[left_out] = function_of(way), way
        return found


#: A rule, the bits of the parts of its body that can be left out in any case, the predicates that are derived and have to be there for
#: it to matter, and its parts that may hold because a predicate is empty.
_Rule: TypeAlias = tuple[_Source, int, tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]


@dataclass(slots=True)
class _Deriving:
    """The rules that derive a predicate.

    `rules` may matter whatever is there; those in `chosen` only if a given predicate has one of the constants at a place.
    """

    rules: list[_Rule] = field(default_factory=list)
    chosen: dict[tuple[int, tuple[int]], dict[Value, list[_Rule]]] = field(default_factory=dict)

    def add(self, source: _Source, given: frozenset[int], possible: set[int]) -> None:
        """Add a rule, where some predicates are `given` and there, and only others that are `possible` can be there."""
        asked = tuple(dict.fromkeys(number for number, _, _ in source.needs if number not in given))
        doubtful = tuple((bit, numbers) for bit, numbers in source.doubtful if possible.issuperset(numbers))
        left_out = sum(bit for bit, _ in source.doubtful) - sum(bit for bit, _ in doubtful)
        rule = source, left_out, asked, doubtful
        for number, place, constant in source.needs:
            if place is not None and number in given:
                self.chosen.setdefault((number, place), {}).setdefault(constant, []).append(rule)
                return
        self.rules.append(rule)

    def sort(self) -> None:
        """Put the rules that matter for some constants in an order that is the same whichever of them there are."""
        self.chosen = {
            where: dict(sorted(table.items(), key=lambda each: str(each[0])))
            for where, table in sorted(self.chosen.items(), key=lambda each: (KEYS[each[0][0]], each[0][1]))
        }

    def guarded(self) -> Iterator[Guarded]:
        """Yield all rules, in that order, with what they need. Raises NotEvaluatedError for what only clingo can run."""
        for source, left_out, asked, doubtful in self.rules:
            least = source.written(left_out | sum(bit for bit, _ in doubtful))
            yield Guarded(source.written(left_out), asked, but_for=tuple(numbers for _, numbers in doubtful) if least.renames else ())
        for (number, (place,)), table in self.chosen.items():
            for value, rules in table.items():
                constant = Constant(number, place, value)
                yield from (Guarded(source.written(left_out), asked, constant) for source, left_out, asked, _ in rules)


#: Adds what it derives to the relations by their numbers, given a function that returns those taken from elsewhere, `Derived.also`, and
#: those that are there already of what is taken as it is.
_Straight: TypeAlias = Callable[[list[Any], Callable[[int], Any] | None, Mapping[int, Any], list[Any]], None]


@dataclass(frozen=True, slots=True)
class _Apart:
    """What there is at first, where some predicates are taken from elsewhere.

    Attributes:
        start: the relations by the numbers of their predicates: None for those that may be derived or taken.
        alone, also: the predicates of which there may be facts, by their numbers: those that are only given, and those also derived.
    """

    start: list[Any]
    alone: frozenset[int]
    also: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Narrowed:
    """A program where there are facts of some predicates alone.

    Attributes:
        deriving: the rules that can matter, by the number of what they derive.
        possible: the numbers of the predicates that can be there.
        apart: what there is at first: see `Rules.apart`.
    """

    deriving: Mapping[int, _Deriving]
    possible: frozenset[int]
    apart: dict[frozenset[int], _Apart] = field(default_factory=dict)


#: How often a program is asked for at once where there are facts of predicates that its function was not made for, before it is made anew
#: for these as well; and twice as often the next time.
OFTEN = 20
#: So many sets of predicates are remembered for that.
_MOST_WANTED = 32
#: For so many sets of predicates a program is kept narrowed.
_MOST_NARROWED = 512
#: What rules without a head derive.
_FORBIDDEN: Key = ("#false", 0)
_FALSE = number_of(_FORBIDDEN)
#: The rules of all programs by what is written.
_SOURCES: dict[str, tuple[_Source, ...]] = {}


class Rules:
    """The rules of a program by the predicate that they derive.

    Args:
        texts: statements; what is maximised is passed over.

    Attributes:
        keys: the predicates in it.
        heads, shown: those that it derives, and shows.
        shown_at: the names of the latter, with their numbers.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        parsed: list[ast.AST] = []
        ast.parse_string("\n".join(texts), parsed.append)
        self.shown = tuple((each.name, each.arity) for each in parsed if each.ast_type is ast.ASTType.ShowSignature)
        self.shown_at = tuple((key[0], number_of(key)) for key in self.shown)
        self.sources: dict[int, list[_Source]] = {_FALSE: []}
        for each in parsed:
            for source in _sources(each) if each.ast_type is ast.ASTType.Rule else ():
                for key in source.heads:
                    self.sources.setdefault(number_of(key), []).append(source)
        every = [source for sources in self.sources.values() for source in sources]
        self._numbers = frozenset(self.sources).union(*(source.uses for source in every))
        self.keys = frozenset(KEYS[number] for number in self._numbers)
        self.heads = frozenset(KEYS[number] for number in self.sources)
        self._narrowed: dict[frozenset[int], _Narrowed] = {}
        self._settled: dict[frozenset[int], frozenset[int]] = {}
        self._shared: dict[Rules, frozenset[int]] = {}
        self._used: dict[frozenset[int], frozenset[int]] = {}
        # The predicates with facts that functions for several predicates at once are made for, these functions by what is shared and asked,
        # and what they did not serve lately.
        self._wide: frozenset[int] = frozenset()
        # Predicates with facts that these functions serve: all that any of them were, as others are not in the program.
        self._served: frozenset[int] = frozenset()
        self._made: dict[tuple[frozenset[int], frozenset[int]], _Straight] = {}
        self._wanted: dict[frozenset[int], None] = {}
        self._missed, self._patience = 0, OFTEN

    def narrowed(self, given: frozenset[int]) -> _Narrowed:
        """Return the program where there are facts of the predicates `given` alone."""
        found = self._narrowed.get(given)
        if found is None:
            if len(self._narrowed) >= _MOST_NARROWED:
                self._narrowed.clear()
            found = self._narrowed[given] = self._narrow(given)
        return found

    def _narrow(self, given: frozenset[int]) -> _Narrowed:
        possible = set(given & self._numbers)
        only_given = self._numbers - self.sources.keys()
        left = [(number, source) for number, sources in self.sources.items() for source in sources]
        rules: list[tuple[int, _Source]] = []
        while True:
            more: list[tuple[int, _Source]] = []
            rest: list[tuple[int, _Source]] = []
            for each in left:
                (more if each[1].needed <= possible else rest).append(each)
            if not more:
                break
            possible.update(number for number, _ in more)
            rules += more
            left = rest
        # Rows come in the order of the program, whatever else there are facts of.
        place = {source: index for index, source in enumerate(source for sources in self.sources.values() for source in sources)}
        deriving: defaultdict[int, _Deriving] = defaultdict(_Deriving)
        for number, source in sorted(rules, key=lambda each: place[each[1]]):
            deriving[number].add(source, only_given, possible)
        for each_ in deriving.values():
            each_.sort()
        return _Narrowed(deriving, frozenset(possible))

    def apart(self, given: frozenset[int], shared: frozenset[int]) -> _Apart:
        """Return what there is at first, where there are facts of `given` alone, and the predicates `shared` are taken from elsewhere."""
        narrowed = self.narrowed(given)
        found = narrowed.apart.get(shared)
        if found is None:
            start: list[Any] = [_EMPTY] * len(KEYS)
            for number in (*narrowed.deriving, *(narrowed.possible & shared)):
                start[number] = None
            there = (given & self._numbers) - shared
            derived = there.intersection(narrowed.deriving)
            found = narrowed.apart[shared] = _Apart(start, there - derived, derived)
        return found

    def widened(self, given: frozenset[int]) -> frozenset[int]:
        """Return the predicates to take for those with facts where several are asked for at once: `given`, or more that serve often."""
        if given <= self._served:
            return self._wide
        here = given & self._numbers
        if not here <= self._wide:
            self._missed += 1
            if len(self._wanted) < _MOST_WANTED:
                self._wanted[here] = None
            if self._missed < self._patience:
                return here
            self._widen()
        if not here <= self._wide:
            return here
        self._served = self._wide | self._served | given
        return self._wide

    def _widen(self) -> None:
        wanted = list(self._wanted)
        together = self._wide.union(*wanted)
        for more in [together] if self._fit(together) else wanted:
            if self._fit(self._wide | more):
                self._wide |= more
        self._wanted.clear()
        self._served = self._wide
        self._made.clear()
        self._missed, self._patience = 0, 2 * self._patience

    def _fit(self, given: frozenset[int]) -> bool:
        """Tell whether all that can be derived where there are facts of `given` is, one predicate after another."""
        heads = self.narrowed(given).deriving.keys() - {_FALSE}
        return len(self._steps(given, frozenset(), frozenset(heads))) == len(heads)

    def straight(self, given: frozenset[int], shared: frozenset[int], asked: frozenset[int]) -> _Straight | None:
        """Return what derives the predicates `asked` at once, or None if `given` does not serve often; the rest is as in `apart`."""
        if given is not self._wide:
            return None
        made = self._made.get((shared, asked))
        if made is None:
            steps = self._steps(given, shared, asked)
            made = self._made[shared, asked] = program_of(steps, asked, shared, {"Relation": Relation, "EMPTY": _EMPTY})
        return made

    def _steps(self, given: frozenset[int], shared: frozenset[int], asked: frozenset[int]) -> list[Step]:
        """Return how to derive the predicates `asked`, and those before them; without what only clingo can run."""
        deriving = self.narrowed(given).deriving
        steps: dict[int, Step | None] = {}

        def add(number: int) -> bool:
            """Add a step, after those for what it uses; tell whether there can be one."""
            if number in shared or number not in deriving:
                return True
            if number not in steps:
                steps[number] = None
                try:
                    step = Step(number, tuple(deriving[number].guarded()), number in given)
                except NotEvaluatedError:
                    return False
                if all(add(read) for each in step.rules for read in each.reads):
                    steps[number] = steps.pop(number) or step
            return steps[number] is not None

        for number in asked:
            add(number)
        return [step for step in steps.values() if step is not None]

    def used(self, shared: frozenset[int]) -> frozenset[int]:
        """Return which of the predicates `shared` are used where others are derived."""
        found = self._used.get(shared)
        if found is None:
            others = (source for number, sources in self.sources.items() if number not in shared for source in sources)
            found = self._used[shared] = shared.intersection(*[frozenset().union(*(source.uses for source in others))])
        return found

    def settled(self, given: frozenset[int]) -> frozenset[int]:
        """Return the predicates on which what is `given` later has no bearing."""
        found = self._settled.get(given)
        if found is None:
            later = set(given)
            uses = {number: frozenset().union(*(source.uses for source in sources)) for number, sources in self.sources.items()}
            while more := {number for number, used in uses.items() if number not in later and not later.isdisjoint(used)}:
                later |= more
            found = self._settled[given] = self._numbers - later
        return found

    def shared(self, other: Rules) -> frozenset[int]:
        """Return the predicates that `other` derives by the same rules from the same."""
        found = self._shared.get(other)
        if found is None:
            same = {number for number in self._numbers & other._numbers if self._texts(number) == other._texts(number)}
            while fewer := {number for number in same if any(not source.uses <= same for source in self.sources.get(number, ()))}:
                same -= fewer
            found = self._shared[other] = frozenset(same)
        return found

    def _texts(self, number: int) -> list[str]:
        return [source.text for source in self.sources.get(number, ())]


class Derived:
    """What a program derives from facts.

    Args:
        rules: the program.
        facts: what is given, by the numbers of the predicates.
        below: what another program derives, or the same from fewer facts.
        shared: the predicates that are taken from there.
        lifted: returns what to take for one of these, by its number; if there is none, they are taken as they are.
        asked: predicates, by their numbers, that are derived at once where that pays off; all others are when they are asked for.
    """

    def __init__(
        self,
        rules: Rules,
        facts: Mapping[int, Any],
        below: Derived | None = None,
        shared: frozenset[int] = frozenset(),
        lifted: Callable[[int], Any] | None = None,
        asked: frozenset[int] | None = None,
    ) -> None:
        self.rules = rules
        self._facts = facts
        self._shared = shared
        self._taken: Callable[[int], Any] | None = below.at if lifted is None and below is not None else lifted
        here: Iterable[int] = facts
        if below is None:
            here = self._given = frozenset(facts)
        elif facts is below._facts:
            here = self._given = below._given
        else:
            self._given = below._given.union(facts)
        given = self._given if asked is None else rules.widened(self._given)
        self._deriving = rules.narrowed(given).deriving
        apart = rules.apart(given, shared)
        # Relations by the numbers of their predicates: None where it was not asked for yet, False where it is being derived.
        self._found: list[Any] = apart.start.copy()
        self._also: dict[int, Any] = {}
        for number in apart.alone.intersection(here):
            self._found[number] = facts[number]
        for number in apart.also.intersection(here) if apart.also else ():
            self._also[number] = facts[number]
        straight = None if asked is None else rules.straight(given, shared, asked)
        if straight is not None:
            straight(self._found, self._taken, self._also, self._found if below is None or lifted is not None else below._found)

    def get(self, key: Key) -> Any:
        """Return the relation of a predicate, which may be all that reads as a `Relation`.

        Raises:
            NotEvaluatedError: if it depends on itself or on something chosen, and for rules of forms that asp/ does not use.
        """
        return self.at(NUMBERS[key]) if key in self.rules.keys else self._facts.get(number_of(key), _EMPTY)

    def at(self, number: int) -> Any:
        """Return the relation of the predicate with a number. Raises as `get`."""
        return self._found[number] or self._derive(number)

    def check(self) -> None:
        """Raise NotEvaluatedError if a rule that forbids something could matter."""
        self.at(_FALSE)

    def _derive(self, number: int) -> Any:
        found = self._found
        if self._taken is not None and number in self._shared:
            found[number] = relation = self._taken(number)
            return relation
        if found[number] is False:
            raise NotEvaluatedError("predicates that depend on themselves")
        found[number] = False
        rows: dict[Row, None] | None = None
        renamed = self._also.get(number)
        deriving = self._deriving[number]
        rules = deriving.rules
        for (used, place), table in deriving.chosen.items():
            there = (found[used] or self._derive(used)).index(place)
            for constant in table:
                if constant in there:
                    rules = rules + table[constant]
        for source, left_out, asked, doubtful in rules:
            for used in asked:
                if (found[used] or self._derive(used)) is _EMPTY:
                    break
            else:
                for part, needed in doubtful:
                    for used in needed:
                        if (found[used] or self._derive(used)) is _EMPTY:
                            left_out |= part
                            break
                run, way = source.functions.get(left_out) or source.function(left_out)
                relations = []
                for used in way.uses:
                    relations.append(found[used] or self._derive(used))
                if way.renames and rows is None and renamed is None:
                    renamed = relations[0]
                    continue
                if rows is None:
                    rows = {} if renamed is None else dict.fromkeys(renamed.rows)
                run(rows, *relations)
        found[number] = relation = Relation(rows) if rows else renamed or _EMPTY
        return relation


def _sources(statement: ast.AST) -> tuple[_Source, ...]:
    """Return what is to be known of a rule, one for each way to take its pools."""
    text = str(statement)
    found = _SOURCES.get(text)
    if found is None:
        found = _SOURCES[text] = tuple(_source(rule) for rule in statement.unpool())
    return found


def _source(rule: ast.AST) -> _Source:
    needs: list[tuple[int, tuple[int] | None, Value]] = []
    doubtful: list[tuple[int, tuple[int, ...]]] = []
    uses: set[int] = set()
    for place, part in enumerate(rule.body):
        literal = part.ast_type is ast.ASTType.Literal
        atom = part.atom if literal else part
        if atom.ast_type is not ast.ASTType.SymbolicAtom:
            uses.update(map(number_of, _atoms(part)))
            if part.ast_type is ast.ASTType.ConditionalLiteral:
                doubtful.append((1 << place, tuple(number_of(key_of(each.atom)) for each in part.condition if is_positive_atom(each))))
            continue
        symbol = atom.symbol
        arguments = list(symbol.arguments)
        number = number_of((symbol.name, len(arguments)))
        uses.add(number)
        if part.sign:
            doubtful.append((1 << place, (number,)))
        elif len(arguments) > 1:
            constants = ((index, term) for index, term in enumerate(arguments) if term.ast_type is ast.ASTType.SymbolicTerm)
            index, term = next(constants, (None, None))
            needs.append((number, None, None) if index is None or term is None else (number, (index,), value_of(term.symbol)))
        else:
            needs.append((number, None, None))
    needed = frozenset(number for number, _, _ in needs)
    return _Source(rule, str(rule), _heads(rule.head), frozenset(uses), tuple(needs), tuple(doubtful), needed)


def _heads(head: ast.AST) -> tuple[Key, ...]:
    """Return the predicates that a rule with this head derives."""
    if head.ast_type is ast.ASTType.Aggregate:
        return tuple(key_of(element.literal.atom) for element in head.elements)
    if head.ast_type is ast.ASTType.Literal and head.atom.ast_type is ast.ASTType.SymbolicAtom:
        return (key_of(head.atom),)
    return (_FORBIDDEN,)


def _atoms(node: ast.AST) -> Iterator[Key]:
    """Yield the predicates of the atoms in a part of a body."""
    if node.ast_type is ast.ASTType.SymbolicAtom:
        yield key_of(node)
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if part is not None:
                yield from _atoms(part)
