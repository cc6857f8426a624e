"""Evaluating programs of asp/ in which nothing is chosen: one model, found rule by rule.

Grounding is what a verdict on an ordinary board takes its time for, and clingo grounds anew for each board. Where a program has no
choices and no recursion, its one model can also be computed by running its rules in order, once each. Every rule becomes a Python
function of nested loops over the atoms of its body, made when it is first needed. What any predicate means plays no part here, and
clingo's own answers are what the tests compare with.

Atoms are rows of values: numbers are `int`, strings keep their quotes, constants and terms in facts such as `p(1)` are `str`, tuples
are `tuple`, and a term `f(a)` in a rule is the tuple of its name and arguments. An atom with one argument is that value, without a tuple.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from operator import itemgetter
from typing import Any, TypeAlias

import clingo
from clingo import ast

__all__ = ["Key", "NotEvaluatedError", "Plan", "Relation", "Row", "Value", "evaluate", "order", "plans", "value_of"]

#: A predicate: its name and the number of its arguments.
Key: TypeAlias = tuple[str, int]
#: A number, string, constant or tuple.
Value: TypeAlias = Any
#: The arguments of an atom.
Row: TypeAlias = Any
_Function: TypeAlias = Callable[..., None]
_Pick: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]

_OPERATORS = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "=="}
_ARITHMETIC = {3: "+", 4: "-", 5: "*"}
_ORDERED = {">", "<", "<=", ">="}
#: A loop over one value, which a comprehension needs in the place of an assignment.
_ASSIGNED = re.compile(r"for (\w+) in \[(\w+\[\d+\])\]")


class NotEvaluatedError(ValueError):
    """A program that only clingo can run."""


class Relation:
    """The rows of one predicate, and indexes on them, made when they are first asked for. Complete before it is read."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = rows if isinstance(rows, dict) else dict.fromkeys(rows)
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
class _Rule:
    """A rule: the predicate of its head, those of its body, what adds its rows, and the predicate that it only gives another name."""

    head: Key
    uses: tuple[Key, ...]
    run: _Function
    renames: Key | None


@dataclass(frozen=True, slots=True)
class _Step:
    """The rules that derive one predicate: what adds the rows of each, and what picks the relations that it reads.

    `place` is that of the predicate among the relations of the plan, `renames` that of the one whose rows it has, or -1.
    """

    key: Key
    place: int
    rules: tuple[tuple[_Function, _Pick], ...]
    renames: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Rules by what they derive, in an order in which all that a rule uses is complete before it runs.

    `keys` is all that is read or derived, `derived` the latter.
    """

    keys: tuple[Key, ...]
    steps: tuple[_Step, ...]
    derived: frozenset[Key]


def evaluate(plan: Plan, relations: dict[Key, Any], done: Collection[Key] = ()) -> None:
    """Add to `relations` what the rules of `plan` derive from them, but for the predicates `done`, which are complete.

    What is there has rows, and may be all that reads as a `Relation`.
    """
    found = [relations.get(key, _EMPTY) for key in plan.keys]
    for step in plan.steps:
        if step.key in done:
            continue
        given = found[step.place]
        if given is not _EMPTY:
            rows: dict[Row, None] = dict.fromkeys(given.rows)
        elif step.renames < 0:
            rows = {}
        else:
            if found[step.renames] is not _EMPTY:
                found[step.place] = relations[step.key] = found[step.renames]
            continue
        for run, pick in step.rules:
            run(rows, *pick(found))
        if rows:
            found[step.place] = relations[step.key] = Relation(rows)


@lru_cache(maxsize=512)
def plans(rules: tuple[str, ...], given: frozenset[Key]) -> tuple[Plan, Plan]:
    """Return a plan for the rules on which `given` has no bearing, and one for the rest.

    Args:
        rules: statements in clingo's own spelling; what is shown and what is maximised is passed over.
        given: predicates of facts that come later.

    Raises:
        NotEvaluatedError: for a program with choices or recursion, and for forms of statements that asp/ does not use.
    """
    by_head: defaultdict[Key, list[_Rule]] = defaultdict(list)
    for text in rules:
        for rule in _compiled(text):
            by_head[rule.head].append(rule)
    before = {key: {used for rule in those for used in rule.uses} for key, those in by_head.items()}
    settled: dict[Key, list[_Rule]] = {}
    rest: dict[Key, list[_Rule]] = {}
    later = set(given)
    try:
        in_order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        raise NotEvaluatedError(f"predicates that depend on themselves: {error.args[1]}") from error
    for key in in_order:
        if key in by_head:
            if not later.isdisjoint(before[key]):
                later.add(key)
            (rest if key in later else settled)[key] = by_head[key]
    return _plan(settled), _plan(rest)


def _plan(rules: Mapping[Key, Sequence[_Rule]]) -> Plan:
    keys = tuple(dict.fromkeys(used for key, those in rules.items() for used in (key, *(each for rule in those for each in rule.uses))))
    place = {key: index for index, key in enumerate(keys)}
    steps = []
    for key, those in rules.items():
        picked = tuple((rule.run, _picking([place[used] for used in rule.uses])) for rule in those)
        renamed = those[0].renames if len(those) == 1 else None
        steps.append(_Step(key, place[key], picked, -1 if renamed is None else place[renamed]))
    return Plan(keys, tuple(steps), frozenset(rules))


def _picking(places: Sequence[int]) -> _Pick:
    """Return what picks what stands at `places`, as a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1)) if places else itemgetter(slice(0, 0))


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
        return 3, (len(value), "", [order(part) for part in value])
    name, _, inside = value.partition("(")
    if value[0] == '"' or not inside:
        return 2 if value[0] == '"' else 1, value
    arguments = inside[:-1].split(",")
    return 3, (len(arguments), name, [order(int(part) if part.isdecimal() else part) for part in arguments])


# ------------------------------------------------------------ from rules to functions


@lru_cache(maxsize=2048)
def _compiled(text: str) -> tuple[_Rule, ...]:
    statements: list[ast.AST] = []
    ast.parse_string(text, statements.append)
    return tuple(_Writer(one).rule() for statement in statements if statement.ast_type is ast.ASTType.Rule for one in statement.unpool())


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
    """Writes the function of one rule."""

    def __init__(self, rule: ast.AST) -> None:
        self.source = rule
        self.uses: list[Key] = []
        self.prelude: list[str] = []
        self.lines: list[str] = []
        self.depth = 1
        self.bound: set[str] = set()
        self.fresh = 0
        self.gathered: dict[ast.AST, tuple[str, list[str]]] = {}
        body = list(rule.body)
        self.seen: defaultdict[str, int] = defaultdict(int)
        for part in [rule.head, *body]:
            for name in _variables(part):
                self.seen[name] += 1
        plain = [part for part in body if part.ast_type is ast.ASTType.Literal and not _is_aggregate(part.atom)]
        self.everywhere = {name for part in [rule.head, *plain] for name in _variables(part)}
        for part in body:
            if _is_aggregate(getattr(part, "atom", part)):
                self.everywhere |= {name for guard in _guards(part.atom) for name in _variables(guard.term)}

    def rule(self) -> _Rule:
        head = self.source.head
        if head.ast_type is not ast.ASTType.Literal or head.atom.ast_type is not ast.ASTType.SymbolicAtom:
            raise NotEvaluatedError(f"a head of a form that is not evaluated: {self.source}")
        left = list(self.source.body)
        self.uses = list(dict.fromkeys(_key(part.atom) for part in left if _is_positive_atom(part)))
        needed = [f"r{index}.rows" for index in range(len(self.uses))]
        while left:
            part = min(left, key=self._cost)
            if part.ast_type is ast.ASTType.ConditionalLiteral and part not in self.gathered:
                self._gather(part)
                continue
            left.remove(part)
            self._add(part)
        symbol = head.atom.symbol
        arguments = [self._value(argument) for argument in symbol.arguments]
        self._line(f"out[{self._tuple(arguments)}] = None")
        names = ", ".join(["out", *(f"r{index}" for index in range(len(self.uses)))])
        guard = [f" if not ({' and '.join(needed)}): return"] if len(needed) > 1 else []
        text = "\n".join([f"def run({names}):", *guard, *(f" {line}" for line in self.prelude), *self.lines])
        space: dict[str, Any] = {"order": order}
        exec(compile(text, f"<{self.source}>", "exec"), space)
        return _Rule((symbol.name, len(arguments)), tuple(self.uses), space["run"], self._renamed())

    def _renamed(self) -> Key | None:
        """Return the predicate of a body that is one atom with the arguments of the head, all of them different variables."""
        body = list(self.source.body)
        if len(body) != 1 or not _is_positive_atom(body[0]):
            return None
        inside, outside = list(body[0].atom.symbol.arguments), list(self.source.head.atom.symbol.arguments)
        names = {term.name for term in inside if term.ast_type is ast.ASTType.Variable and term.name != "_"}
        return _key(body[0].atom) if inside == outside and len(names) == len(inside) else None

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
