"""Evaluating programs of asp/ in which nothing is chosen: one model, of which only what is asked for is found.

Grounding is what a verdict on an ordinary board takes its time for, and clingo grounds anew for each board. Where a program has no
choices and no recursion, a predicate of its one model can also be found by running the rules that derive it, once, after those that
derive what they use. So `Derived` begins with what is asked for and looks at a rule only if something is there for each atom that it
needs; rules for which there cannot be, as there are no facts for them, are left out beforehand, once for each set of predicates with
facts (`Rules.narrowed`). Every rule becomes a Python function of nested loops over the atoms of its body, made when it first matters,
without the parts that hold because nothing is there that they speak of. What any predicate means plays no part here, and clingo's own
answers are what the tests compare with.

Atoms are rows of values: numbers are `int`, strings keep their quotes, constants and terms in facts such as `p(1)` are `str`, tuples
are `tuple`, and a term `f(a)` in a rule is the tuple of its name and arguments. An atom with one argument is that value, without a tuple.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

import clingo
from clingo import ast

__all__ = ["Derived", "Key", "NotEvaluatedError", "Relation", "Row", "Rules", "Value", "order", "value_of"]

#: A predicate: its name and the number of its arguments.
Key: TypeAlias = tuple[str, int]
#: A number, string, constant or tuple.
Value: TypeAlias = Any
#: The arguments of an atom.
Row: TypeAlias = Any
_Function: TypeAlias = Callable[..., None]

_OPERATORS = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "=="}
_ARITHMETIC = {2: "&", 3: "+", 4: "-", 5: "*"}
_ORDERED = {">", "<", "<=", ">="}
#: A loop over one value, which a comprehension needs in the place of an assignment.
_ASSIGNED = re.compile(r"for (\w+) in \[(\w+\[\d+\])\]")


class NotEvaluatedError(ValueError):
    """A program that only clingo can run."""


class Relation:
    """The rows of one predicate, and indexes on them, made when they are first asked for. Complete before it is read."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = rows if rows.__class__ is dict else dict.fromkeys(rows)
        self._indexes: dict[tuple[int, ...], Mapping[Any, Sequence[Row]]] = {}

    def index(self, places: tuple[int, ...]) -> Mapping[Any, Sequence[Row]]:
        """Return the rows by what stands at `places`: a value for one place, a tuple for several."""
        found = self._indexes.get(places)
        if found is None:
            rows: dict[Any, list[Row]] = {}
            at = _at(places)
            for row in self.rows:
                key = at(row)
                if key in rows:
                    rows[key].append(row)
                else:
                    rows[key] = [row]
            found = self._indexes[places] = rows
        return found


@lru_cache(maxsize=256)
def _at(places: tuple[int, ...]) -> Callable[[Row], Any]:
    return itemgetter(*places)


_EMPTY = Relation()


@dataclass(frozen=True, slots=True)
class _Variant:
    """A rule without parts that need not be looked at: what adds its rows, from which predicates, and if it only renames the first."""

    run: _Function
    uses: tuple[int, ...]
    renames: bool


#: The numbers of all predicates of programs.
_NUMBERS: dict[Key, int] = {}


def _number(key: Key) -> int:
    return _NUMBERS.setdefault(key, len(_NUMBERS))


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A rule without pools, in whatever programs it stands. Predicates are given by their numbers.

    Attributes:
        heads: what it derives.
        uses: all predicates in its body.
        needs: the atoms that have to be there: the predicate of each, and the place of a constant in it, and that, or None.
        doubtful: the parts of its body that hold where one of some predicates is empty: a bit for the part, and these predicates.
        needed: the predicates in `needs`.
        variants: by the bits of the parts left out.
    """

    rule: ast.AST
    text: str
    heads: tuple[Key, ...]
    uses: frozenset[int]
    needs: tuple[tuple[int, tuple[int] | None, Value], ...]
    doubtful: tuple[tuple[int, tuple[int, ...]], ...]
    needed: frozenset[int]
    variants: dict[int, _Variant] = field(default_factory=dict)

    def variant(self, left_out: int) -> _Variant:
        """Return the function without the parts `left_out`, which is written when it is first needed."""
        found = self.variants.get(left_out)
        if found is None:
            found = self.variants[left_out] = _Writer(self.rule, left_out).variant()
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


#: Numbers and relations as in `_Narrowed.start`, and predicates with their numbers: those that are only given, and those also derived.
_Apart: TypeAlias = tuple[tuple[tuple[int, Any], ...], tuple[tuple[Key, int], ...], tuple[tuple[Key, int], ...]]


@dataclass(frozen=True, slots=True)
class _Narrowed:
    """A program where there are facts of some predicates alone.

    Attributes:
        deriving: the rules that can matter, by the number of what they derive.
        possible: the numbers of the predicates that can be there.
        start: the relations by the numbers of their predicates before anything is there: None for those that may be derived.
        apart: what else there is where some predicates are taken from elsewhere: see `Rules.apart`.
    """

    deriving: Mapping[int, _Deriving]
    possible: frozenset[int]
    start: list[Any]
    apart: dict[frozenset[int], _Apart] = field(default_factory=dict)


#: For so many sets of predicates a program is kept narrowed.
_MOST_NARROWED = 512
#: What rules without a head derive.
_FORBIDDEN: Key = ("#false", 0)
#: The rules of all programs by what is written.
_SOURCES: dict[str, tuple[_Source, ...]] = {}


class Rules:
    """The rules of a program by the predicate that they derive.

    Args:
        texts: statements; what is maximised is passed over.

    Attributes:
        keys: the predicates in it.
        heads, shown: those that it derives, and shows.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        parsed: list[ast.AST] = []
        ast.parse_string("\n".join(texts), parsed.append)
        self.shown = tuple((each.name, each.arity) for each in parsed if each.ast_type is ast.ASTType.ShowSignature)
        self.sources: dict[int, list[_Source]] = {_number(_FORBIDDEN): []}
        for each in parsed:
            for source in _sources(each) if each.ast_type is ast.ASTType.Rule else ():
                for key in source.heads:
                    self.sources.setdefault(_number(key), []).append(source)
        every = [source for sources in self.sources.values() for source in sources]
        self._numbers = frozenset(self.sources).union(*(source.uses for source in every))
        self.keys = frozenset(key for key, number in _NUMBERS.items() if number in self._numbers)
        self.heads = frozenset(key for key in self.keys if _NUMBERS[key] in self.sources)
        self._narrowed: dict[frozenset[Key], _Narrowed] = {}
        self._settled: dict[frozenset[Key], frozenset[int]] = {}
        self._shared: dict[Rules, frozenset[int]] = {}

    def narrowed(self, given: frozenset[Key]) -> _Narrowed:
        """Return the program where there are facts of the predicates `given` alone."""
        found = self._narrowed.get(given)
        if found is None:
            if len(self._narrowed) >= _MOST_NARROWED:
                self._narrowed.clear()
            found = self._narrowed[given] = self._narrow(given)
        return found

    def _narrow(self, given: frozenset[Key]) -> _Narrowed:
        possible = {_NUMBERS[key] for key in given & self.keys}
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
        deriving: defaultdict[int, _Deriving] = defaultdict(_Deriving)
        for number, source in rules:
            deriving[number].add(source, only_given, possible)
        start: list[Any] = [_EMPTY] * len(_NUMBERS)
        for number in deriving:
            start[number] = None
        return _Narrowed(deriving, frozenset(possible), start)

    def apart(self, given: frozenset[Key], shared: frozenset[int]) -> _Apart:
        """Return what `narrowed` says of all but the predicates `shared`: how they start, and which of them are given."""
        narrowed = self.narrowed(given)
        found = narrowed.apart.get(shared)
        if found is None:
            start = tuple((number, narrowed.start[number]) for number in self._numbers - shared)
            keys = [(key, _NUMBERS[key]) for key in given & self.keys if _NUMBERS[key] not in shared]
            alone = tuple((key, number) for key, number in keys if number not in narrowed.deriving)
            also = tuple((key, number) for key, number in keys if number in narrowed.deriving)
            found = narrowed.apart[shared] = start, alone, also
        return found

    def settled(self, given: frozenset[Key]) -> frozenset[int]:
        """Return the predicates on which what is `given` later has no bearing."""
        found = self._settled.get(given)
        if found is None:
            later = {_number(key) for key in given}
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
        facts: what is given.
        below: what another program derives, or the same from fewer facts.
        shared: the predicates that are taken from there.
        lifted: returns what to take for one of these, by its number; if there is none, they are taken as they are.
    """

    def __init__(
        self,
        rules: Rules,
        facts: Mapping[Key, Any],
        below: Derived | None = None,
        shared: frozenset[int] = frozenset(),
        lifted: Callable[[int], Any] | None = None,
    ) -> None:
        self.rules = rules
        self._facts = facts
        self._shared = shared
        self._taken = below.at if lifted is None and below is not None else lifted
        if below is None:
            self._given = frozenset(facts)
        else:
            self._given = below._given if facts is below._facts else below._given.union(facts)
        narrowed = rules.narrowed(self._given)
        start, alone, also = rules.apart(self._given, shared)
        self._deriving = narrowed.deriving
        # Relations by the numbers of their predicates: None where it was not asked for yet, False where it is being derived.
        if below is None or lifted is not None:
            found = narrowed.start.copy()
            for number in narrowed.possible & shared:
                found[number] = None
        else:
            found = below._found.copy()
            found += [_EMPTY] * (len(narrowed.start) - len(found))
            for number, relation in start:
                found[number] = relation
        for key, number in alone:
            found[number] = facts[key]
        self._found: list[Any] = found
        self._also = {number: facts[key] for key, number in also}

    def get(self, key: Key) -> Any:
        """Return the relation of a predicate, which may be all that reads as a `Relation`.

        Raises:
            NotEvaluatedError: if it depends on itself or on something chosen, and for rules of forms that asp/ does not use.
        """
        return self.at(_NUMBERS[key]) if key in self.rules.keys else self._facts.get(key, _EMPTY)

    def at(self, number: int) -> Any:
        """Return the relation of the predicate with a number. Raises as `get`."""
        return self._found[number] or self._derive(number)

    def check(self) -> None:
        """Raise NotEvaluatedError if a rule that forbids something could matter."""
        self.at(_NUMBERS[_FORBIDDEN])

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
                variant = source.variants.get(left_out) or source.variant(left_out)
                relations = []
                for used in variant.uses:
                    relations.append(found[used] or self._derive(used))
                if variant.renames and rows is None and renamed is None:
                    renamed = relations[0]
                    continue
                if rows is None:
                    rows = {} if renamed is None else dict.fromkeys(renamed.rows)
                variant.run(rows, *relations)
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
            uses.update(map(_number, _atoms(part)))
            if part.ast_type is ast.ASTType.ConditionalLiteral:
                doubtful.append((1 << place, tuple(_number(_key(each.atom)) for each in part.condition if _is_positive_atom(each))))
            continue
        symbol = atom.symbol
        arguments = list(symbol.arguments)
        number = _number((symbol.name, len(arguments)))
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
        return tuple(_key(element.literal.atom) for element in head.elements)
    if head.ast_type is ast.ASTType.Literal and head.atom.ast_type is ast.ASTType.SymbolicAtom:
        return (_key(head.atom),)
    return (_FORBIDDEN,)


def _atoms(node: ast.AST) -> Iterator[Key]:
    """Yield the predicates of the atoms in a part of a body."""
    if node.ast_type is ast.ASTType.SymbolicAtom:
        yield _key(node)
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if part is not None:
                yield from _atoms(part)


def value_of(symbol: clingo.Symbol) -> Value:
    """Return the value that clingo calls `symbol`, as facts and rules without terms `f(a)` have it."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.Function and not symbol.name:
        return tuple([value_of(part) for part in symbol.arguments])
    return str(symbol)


def order(value: Value) -> tuple[int, Any]:
    """Return what sorts values as clingo does: numbers, constants, strings, and terms by how many arguments they have."""
    if isinstance(value, int):
        return 0, value
    if isinstance(value, tuple):
        return 3, (len(value), "", [*map(order, value)])
    name, _, inside = value.partition("(")
    if value[0] == '"' or not inside:
        return 2 if value[0] == '"' else 1, value
    arguments = inside[:-1].split(",")
    return 3, (len(arguments), name, [order(int(part) if part.isdecimal() else part) for part in arguments])


# ------------------------------------------------------------ from rules to functions


def _variables(node: ast.AST) -> Iterator[str]:
    """Yield the names of the variables of a term or literal, as often as they occur."""
    if node.ast_type is ast.ASTType.Variable:
        yield node.name
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if part is not None:
                yield from _variables(part)


class _Writer:
    """Writes the function of one rule, without the parts of its body that the bits of `left_out` stand for."""

    def __init__(self, rule: ast.AST, left_out: int = 0) -> None:
        self.source = rule
        self.uses: list[Key] = []
        self.prelude: list[str] = []
        self.lines: list[str] = []
        self.depth = 1
        self.bound: set[str] = set()
        self.fresh = 0
        self.gathered: dict[ast.AST, tuple[str, list[str]]] = {}
        self.body = body = [part for place, part in enumerate(rule.body) if not left_out >> place & 1]
        self.seen: defaultdict[str, int] = defaultdict(int)
        for part in [rule.head, *body]:
            for name in _variables(part):
                self.seen[name] += 1
        plain = [part for part in body if part.ast_type is ast.ASTType.Literal and not _is_aggregate(part.atom)]
        self.everywhere = {name for part in [rule.head, *plain] for name in _variables(part)}
        for part in body:
            if _is_aggregate(getattr(part, "atom", part)):
                self.everywhere |= {name for guard in _guards(part.atom) for name in _variables(guard.term)}

    def variant(self) -> _Variant:
        head = self.source.head
        if head.ast_type is not ast.ASTType.Literal or head.atom.ast_type is not ast.ASTType.SymbolicAtom:
            raise NotEvaluatedError(f"a head of a form that is not evaluated: {self.source}")
        left = list(self.body)
        self.uses = list(dict.fromkeys(_key(part.atom) for part in left if _is_positive_atom(part)))
        while left:
            part = min(left, key=self._cost)
            if part.ast_type is ast.ASTType.ConditionalLiteral and part not in self.gathered:
                self._gather(part)
                continue
            left.remove(part)
            self._add(part)
        arguments = [self._value(argument) for argument in head.atom.symbol.arguments]
        self._line(f"out[{self._tuple(arguments)}] = None")
        names = ", ".join(["out", *(f"r{index}" for index in range(len(self.uses)))])
        text = "\n".join([f"def run({names}):", *(f" {line}" for line in self.prelude), *self.lines])
        space: dict[str, Any] = {"order": order}
        exec(compile(text, f"<{self.source}>", "exec"), space)
        return _Variant(space["run"], tuple(map(_number, self.uses)), self._renames())

    def _renames(self) -> bool:
        """Tell whether the body is one atom with the arguments of the head, all of them different variables."""
        if len(self.body) != 1 or not _is_positive_atom(self.body[0]):
            return False
        inside, outside = list(self.body[0].atom.symbol.arguments), list(self.source.head.atom.symbol.arguments)
        names = {term.name for term in inside if term.ast_type is ast.ASTType.Variable and term.name != "_"}
        return inside == outside and len(names) == len(inside)

    # ------------------------------------------------------------ the order of a body

    def _cost(self, part: ast.AST) -> tuple[int, int]:
        """Return how late a part of the body comes: tests as soon as they can, then the atoms that are best known."""
        unknown = {name for name in _variables(part) if name in self.everywhere and name != "_"} - self.bound
        if _is_positive_atom(part):
            arguments = part.atom.symbol.arguments
            open_ = sum(1 for argument in arguments if not self._known(argument))
            known = len(arguments) - open_
            return (1, 0) if not unknown else (3, 4 * open_ - known) if known else (4, 0)
        if part.ast_type is ast.ASTType.Literal and part.atom.ast_type is ast.ASTType.SymbolicAtom:
            return (1, 1) if not unknown else (9, 0)
        if _is_aggregate(part.atom if part.ast_type is ast.ASTType.Literal else part):
            assigned = {name for guard in _guards(part.atom) for name in _assigned(guard)}
            return (8, 0) if unknown <= assigned else (9, 0)
        if part.ast_type is ast.ASTType.Literal:
            assigned = {name for guard in part.atom.guards for name in _assigned(guard)}
            return (0, 0) if not unknown or unknown <= assigned else (9, 0)
        if part not in self.gathered:
            asked = {name for literal in part.condition for name in _variables(literal) if name in self.everywhere}
            return (0, 1) if asked <= self.bound else (9, 0)
        return (2, 0) if not unknown else (9, 0)

    def _known(self, term: ast.AST, bound: set[str] | None = None) -> bool:
        names = set(_variables(term))
        return "_" not in names and names <= (self.bound if bound is None else bound)

    # ------------------------------------------------------------ lines

    def _line(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    def _open(self, text: str) -> None:
        self._line(text)
        self.depth += 1

    def _relation(self, key: Key) -> int:
        if key not in self.uses:
            self.uses.append(key)
        return self.uses.index(key)

    def _hoist(self, expression: str) -> str:
        name = f"x{len(self.prelude)}"
        for line in self.prelude:
            if line.partition(" = ")[2] == expression:
                return line.partition(" = ")[0]
        self.prelude.append(f"{name} = {expression}")
        return name

    def _add(self, part: ast.AST) -> None:
        if part.ast_type is ast.ASTType.ConditionalLiteral:
            name, local = self.gathered[part]
            self._line(f"for {self._tuple(local)} in {name}:")
            self._line(f" if not ({self._test(part.literal, self.bound | {each[1:] for each in local})}): break")
            self._open("else:")
        elif _is_aggregate(part.atom):
            self._aggregate(part)
        elif part.atom.ast_type is ast.ASTType.Comparison:
            self._comparison(part)
        elif part.sign or self._settled(part):
            self._open(f"if {self._test(part, self.bound)}:")
        else:
            loops, self.bound = self._loops([part], self.bound)
            for loop in loops:
                assigned = _ASSIGNED.fullmatch(loop)
                if assigned:
                    self._line(f"{assigned[1]} = {assigned[2]}")
                else:
                    self._open(f"{loop}:")

    def _gather(self, part: ast.AST) -> None:
        """Write down the values for which the literal of a conditional one has to hold, as soon as they are known."""
        loops, bound = self._loops(part.condition, self.bound)
        local = [f"v{name}" for name in sorted(bound - self.bound)] or ["_"]
        name = f"c{len(self.gathered)}"
        self.gathered[part] = name, local
        self._line(f"{name} = [{self._tuple(local)} {self._clauses(loops)}]")

    def _settled(self, part: ast.AST) -> bool:
        """Tell whether an atom brings nothing that is used elsewhere."""
        return all(self._known(argument) or self._idle(argument) for argument in part.atom.symbol.arguments)

    def _idle(self, argument: ast.AST) -> bool:
        variable = argument.ast_type is ast.ASTType.Variable
        return variable and (argument.name == "_" or (argument.name not in self.bound and self.seen[argument.name] == 1))

    def _test(self, literal: ast.AST, bound: set[str]) -> str:
        """Return an expression for whether a literal holds, all its variables but idle ones being bound."""
        if literal.atom.ast_type is not ast.ASTType.SymbolicAtom:
            raise NotEvaluatedError(f"a condition of a form that is not evaluated: {self.source}")
        arguments = list(literal.atom.symbol.arguments)
        relation = self._relation(_key(literal.atom))
        places = [place for place, argument in enumerate(arguments) if self._known(argument, bound)]
        operator = "not in" if literal.sign else "in"
        if not places:
            return f"{'not ' if literal.sign else ''}r{relation}.rows"
        key = self._tuple([self._value(arguments[place]) for place in places])
        if len(places) == len(arguments):
            return f"{key} {operator} {self._hoist(f'r{relation}.rows')}"
        return f"{key} {operator} {self._hoist(f'r{relation}.index({tuple(places)!r})')}"

    @staticmethod
    def _clauses(loops: Sequence[str]) -> str:
        """Return the clauses of a comprehension, which begin with a loop."""
        return " ".join(loops if loops and loops[0].startswith("for ") else ["for _ in '.'", *loops])

    @staticmethod
    def _row(values: Sequence[str]) -> str:
        return f"({', '.join(values)},)" if values else "()"

    def _tuple(self, values: Sequence[str]) -> str:
        return values[0] if len(values) == 1 else self._row(values)

    def _loops(self, atoms: Sequence[ast.AST], bound: set[str]) -> tuple[list[str], set[str]]:
        """Return `for` and `if` clauses that run through what makes `atoms` true, and the variables bound after them."""
        bound = set(bound)
        clauses: list[str] = []
        left = list(atoms)
        while left:
            open_ = {id(atom): {name for name in _variables(atom) if name != "_"} - bound for atom in left}
            atom = min(left, key=lambda each: (not _is_positive_atom(each) and bool(open_[id(each)]), len(open_[id(each)])))
            left.remove(atom)
            if not open_[id(atom)]:
                compares = atom.atom.ast_type is ast.ASTType.Comparison
                clauses.append(f"if {self._comparison_text(atom) if compares else self._test(atom, bound)}")
                continue
            if not _is_positive_atom(atom):
                raise NotEvaluatedError(f"a condition with a variable of its own: {self.source}")
            clauses += self._loop(atom, bound)
        return clauses, bound

    def _loop(self, atom: ast.AST, bound: set[str]) -> list[str]:
        arguments = list(atom.atom.symbol.arguments)
        relation = self._relation(_key(atom.atom))
        places, pattern, tests = [], [], []
        new: set[str] = set()
        for place, argument in enumerate(arguments):
            if self._known(argument, bound):
                places.append(place)
                pattern.append("_")
            elif argument.ast_type is ast.ASTType.Variable:
                if argument.name == "_":
                    pattern.append("_")
                elif argument.name in new:
                    self.fresh += 1
                    pattern.append(f"y{self.fresh}")
                    tests.append(f"if y{self.fresh} == v{argument.name}")
                else:
                    new.add(argument.name)
                    pattern.append(f"v{argument.name}")
            else:
                self.fresh += 1
                whole = f"y{self.fresh}"
                pattern.append(whole)
                tests += self._unpack(whole, argument, bound, new)
        bound |= new
        if not places:
            rows = self._hoist(f"r{relation}.rows")
        else:
            index = self._hoist(f"r{relation}.index({tuple(places)!r})")
            rows = f"{index}.get({self._tuple([self._value(arguments[place]) for place in places])}, ())"
        return [f"for {', '.join(pattern)} in {rows}", *tests]

    def _unpack(self, whole: str, term: ast.AST, bound: set[str], new: set[str]) -> list[str]:
        """Return the clauses that take a term with variables apart."""
        if term.ast_type is not ast.ASTType.Function or any(part.ast_type is not ast.ASTType.Variable for part in term.arguments):
            raise NotEvaluatedError(f"a term of a form that is not evaluated: {self.source}")
        offset = 1 if term.name else 0
        tests = [f"if {whole}.__class__ is tuple and len({whole}) == {len(term.arguments) + offset}"]
        if term.name:
            tests.append(f"if {whole}[0] == {term.name!r}")
        for place, part in enumerate(term.arguments):
            if part.name == "_":
                continue
            if part.name in new or part.name in bound:
                tests.append(f"if {whole}[{place + offset}] == v{part.name}")
            else:
                new.add(part.name)
                tests.append(f"for v{part.name} in [{whole}[{place + offset}]]")
        return tests

    # ------------------------------------------------------------ comparisons and aggregates

    def _comparison(self, part: ast.AST) -> None:
        guard = part.atom.guards[0]
        for one, other in ((guard.term, part.atom.term), (part.atom.term, guard.term)):
            if guard.comparison == 5 and one.ast_type is ast.ASTType.Variable and one.name not in self.bound:
                self._line(f"v{one.name} = {self._value(other)}")
                self.bound.add(one.name)
                return
        self._open(f"if {self._comparison_text(part)}:")

    def _comparison_text(self, part: ast.AST) -> str:
        if len(part.atom.guards) != 1 or part.sign:
            raise NotEvaluatedError(f"a comparison of a form that is not evaluated: {self.source}")
        guard = part.atom.guards[0]
        return self._compared(self._value(part.atom.term), _OPERATORS[guard.comparison], self._value(guard.term))

    @staticmethod
    def _compared(one: str, operator: str, other: str) -> str:
        if operator not in _ORDERED:
            return f"{one} {operator} {other}"
        if one.isidentifier() and other.isidentifier():
            numbers = f"{one}.__class__ is {other}.__class__ is int"
            return f"({one} {operator} {other} if {numbers} else order({one}) {operator} order({other}))"
        return f"order({one}) {operator} order({other})" if "," in one + other else f"{one} {operator} {other}"

    def _aggregate(self, part: ast.AST) -> None:
        aggregate = part.atom
        rows: list[str] = []
        function = "count"
        for element in aggregate.elements:
            conditions = list(element.condition)
            if aggregate.ast_type is ast.ASTType.Aggregate:
                conditions = [element.literal, *conditions]
                terms = list(element.literal.atom.symbol.arguments)
            else:
                terms = list(element.terms)
            loops, bound = self._loops(conditions, self.bound)
            rest, self.bound = self.bound, bound
            values = [self._value(term) for term in terms]
            self.bound = rest
            rows.append(f"[{self._row(values)} {self._clauses(loops)}]")
        if aggregate.ast_type is ast.ASTType.BodyAggregate:
            function = {0: "count", 1: "sum", 3: "min", 4: "max"}[aggregate.function]
        joined = f"{{*{', *'.join(rows)}}}" if len(rows) > 1 else f"set({rows[0]})"
        text = {
            "count": f"len({joined})",
            "sum": f"sum([t[0] for t in {joined}])",
            "min": f"min([t[0] for t in {joined}], default='#sup')",
            "max": f"max([t[0] for t in {joined}], default='#inf')",
        }[function]
        if part.sign:
            raise NotEvaluatedError(f"a negated aggregate: {self.source}")
        self.fresh += 1
        name = f"n{self.fresh}"
        self._line(f"{name} = {self._plain_count(aggregate) or text}")
        for guard, left in ((aggregate.left_guard, True), (aggregate.right_guard, False)):
            if guard is None:
                continue
            if _assigned(guard) and guard.term.name not in self.bound:
                self._line(f"v{guard.term.name} = {name}")
                self.bound.add(guard.term.name)
            else:
                value, operator = self._value(guard.term), _OPERATORS[guard.comparison]
                self._open(f"if {value} {operator} {name}:" if left else f"if {name} {operator} {value}:")

    def _plain_count(self, aggregate: ast.AST) -> str:
        """Return an expression that counts the rows of one atom with nothing but what is known and what is counted; nothing for others."""
        if len(aggregate.elements) != 1 or getattr(aggregate, "function", 0) != 0:
            return ""
        element = aggregate.elements[0]
        atoms = [element.literal, *element.condition] if aggregate.ast_type is ast.ASTType.Aggregate else list(element.condition)
        if len(atoms) != 1 or not _is_positive_atom(atoms[0]):
            return ""
        arguments = list(atoms[0].atom.symbol.arguments)
        known = [place for place, argument in enumerate(arguments) if self._known(argument)]
        free = [argument for place, argument in enumerate(arguments) if place not in known]
        names = [argument.name for argument in free if argument.ast_type is ast.ASTType.Variable]
        counted = names if aggregate.ast_type is ast.ASTType.Aggregate else [str(term) for term in element.terms]
        if not known or "_" in names or len({*names}) < len(free) or {*names} != {*counted} or len(names) < len(free):
            return ""
        index = self._hoist(f"r{self._relation(_key(atoms[0].atom))}.index({tuple(known)!r})")
        return f"len({index}.get({self._tuple([self._value(arguments[place]) for place in known])}, ()))"

    def _value(self, term: ast.AST) -> str:
        """Return an expression for the value of a term whose variables are bound."""
        kind = term.ast_type
        if kind is ast.ASTType.Variable:
            return f"v{term.name}"
        if kind is ast.ASTType.SymbolicTerm:
            symbol = term.symbol
            return str(symbol.number) if symbol.type is clingo.SymbolType.Number else repr(str(symbol))
        if kind is ast.ASTType.BinaryOperation and term.operator_type in _ARITHMETIC:
            return f"({self._value(term.left)} {_ARITHMETIC[term.operator_type]} {self._value(term.right)})"
        if kind is ast.ASTType.UnaryOperation and term.operator_type == 0:
            return f"(-{self._value(term.argument)})"
        if kind is ast.ASTType.Function:
            return self._row([*([repr(term.name)] if term.name else []), *(self._value(part) for part in term.arguments)])
        raise NotEvaluatedError(f"a term of a form that is not evaluated: {self.source}")


def _key(atom: ast.AST) -> Key:
    return atom.symbol.name, len(atom.symbol.arguments)


def _is_aggregate(atom: ast.AST) -> bool:
    return atom.ast_type in (ast.ASTType.Aggregate, ast.ASTType.BodyAggregate)


def _is_positive_atom(part: ast.AST) -> bool:
    return part.ast_type is ast.ASTType.Literal and part.atom.ast_type is ast.ASTType.SymbolicAtom and not part.sign


def _guards(aggregate: ast.AST) -> list[ast.AST]:
    return [guard for guard in (aggregate.left_guard, aggregate.right_guard) if guard is not None]


def _assigned(guard: ast.AST) -> list[str]:
    return [guard.term.name] if guard.comparison == 5 and guard.term.ast_type is ast.ASTType.Variable else []
