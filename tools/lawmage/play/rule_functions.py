"""Rules of asp/ as Python: nested loops over the atoms of a body that add the rows of what the head derives.

A rule becomes lines of text, and these a function for the rule (`function_of`) or, one rule after another, for a program (`program_of`).
In them `out` is what rows are added to, and `r7` the relation of the predicate with the number 7 (see `lawmage.play.stratified`).
What any predicate means plays no part here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import clingo
from clingo import ast

__all__ = [
    "KEYS",
    "NUMBERS",
    "NUMBERS_OF_SIZE",
    "Constant",
    "Guarded",
    "Key",
    "NotEvaluatedError",
    "Step",
    "Value",
    "Written",
    "function_of",
    "in_order",
    "is_positive_atom",
    "key_of",
    "number_of",
    "order",
    "program_of",
    "value_of",
    "written",
]

#: A predicate: its name and the number of its arguments.
Key: TypeAlias = tuple[str, int]
#: A number, string, constant or tuple.
Value: TypeAlias = Any
_OPERATORS = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "=="}
_ARITHMETIC = {2: "&", 3: "+", 4: "-", 5: "*"}
_ORDERED = {">", "<", "<=", ">="}
#: A loop over one value, which a comprehension needs in the place of an assignment.
_ASSIGNED = re.compile(r"for (\w+) in \[(\w+\[\d+\])\]")


class NotEvaluatedError(ValueError):
    """A program that only clingo can run."""


@dataclass(frozen=True, slots=True)
class Written:
    """A rule, without parts that need not be looked at, in Python.

    Attributes:
        source: the rule.
        lines: statements, each with one space for each statement that it is inside.
        uses: the predicates that it reads, by their numbers.
        renames: whether it only gives what the first of these has another name.
    """

    source: str
    lines: tuple[str, ...]
    uses: tuple[int, ...]
    renames: bool


#: The numbers of all predicates of programs and facts, and the predicates by their numbers.
NUMBERS: dict[Key, int] = {}
KEYS: list[Key] = []


def number_of(key: Key) -> int:
    """Return the number of a predicate, which it gets when it is first asked for."""
    found = NUMBERS.get(key)
    if found is None:
        found = NUMBERS[key] = len(KEYS)
        KEYS.append(key)
    return found


class _OfSize(dict[str, int]):
    """The numbers of the predicates with so many arguments, by their names: faster to ask than by both."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __missing__(self, name: str) -> int:
        number = self[name] = number_of((name, self._size))
        return number


#: The numbers of predicates, by how many arguments they have and by their names. No predicate of asp/ has as many.
NUMBERS_OF_SIZE = tuple(map(_OfSize, range(16)))


def written(rule: ast.AST, left_out: int = 0) -> Written:
    """Return a rule in Python, without the parts of its body that the bits of `left_out` stand for.

    Raises:
        NotEvaluatedError: for rules of forms that asp/ does not use, or that choose.
    """
    return _Writer(rule, left_out).written()


def function_of(rule: Written) -> Callable[..., None]:
    """Return a function of what rows are added to, and of the relations that the rule uses."""
    return _function(", ".join(["out", *(f"r{number}" for number in rule.uses)]), rule.lines, rule.source, {})


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant that has to stand at a place of some atom of a predicate, of which all atoms are given."""

    number: int
    place: int
    value: Value

    def test(self) -> str:
        """Return an expression for whether it does."""
        return f"{self.value!r} in t{self.number}_{self.place}"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A rule, and what has to be there for it to matter: predicates by their numbers, and a constant.

    Where one predicate of each tuple in `but_for` is empty, the rule only gives the first that it uses another name.
    """

    rule: Written
    needs: tuple[int, ...]
    constant: Constant | None = None
    but_for: tuple[tuple[int, ...], ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """The predicates that it looks at."""
        return tuple(dict.fromkeys((*self.rule.uses, *self.needs)))

    def test(self) -> str:
        """Return an expression for whether the rule matters."""
        tests = [f"r{number} is not EMPTY" for number in (self.needs if not self.rule.renames else self.rule.uses)]
        if self.constant is not None:
            tests.append(self.constant.test())
        return " and ".join(tests) or "True"


@dataclass(frozen=True, slots=True)
class Step:
    """How a predicate is derived from those before it; `given`: there may be facts of it as well."""

    number: int
    rules: tuple[Guarded, ...]
    given: bool

    def lines(self, wanted: Iterable[Constant] | None) -> Iterator[str]:
        """Yield statements that put its relation where it is kept, if one of the constants `wanted` is there (or in any case)."""
        if wanted is None:
            yield from self._lines()
        else:
            yield f"r{self.number} = EMPTY"
            yield f"if {' or '.join(each.test() for each in wanted) or False}:"
            yield from (f" {line}" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        first = self.rules[0]
        if len(self.rules) == 1 and not self.given and first.rule.renames:
            yield f"found[{self.number}] = r{self.number} = r{first.rule.uses[0]}"
            return
        if len(self.rules) == 1 and not self.given and first.but_for:
            empty = [" or ".join(f"r{number} is EMPTY" for number in numbers) for numbers in first.but_for]
            yield f"if {' and '.join(f'({each})' for each in empty)}:"
            yield f" found[{self.number}] = r{self.number} = r{first.rule.uses[0]}"
            yield "else:"
            yield from (f" {line}" for line in Step(self.number, (replace(first, but_for=()),), given=False).lines(None))
            return
        # Where nothing else is derived, what has another name is taken as it is.
        same = self.given or any(each.rule.renames for each in self.rules)
        if same:
            yield f"same = also.get({self.number}, EMPTY)" if self.given else "same = EMPTY"
        yield "out = {}"
        for each in self.rules:
            yield f"if {each.test()}:"
            if each.rule.renames:
                (used,) = each.rule.uses
                yield f" if out or same is not EMPTY: out.update(r{used}.rows)"
                yield f" else: same = r{used}"
            else:
                yield from (f" {line}" for line in each.rule.lines)
        found = "Relation(out) if out else EMPTY"
        if same:
            found = f"({found}) if same is EMPTY else Relation({{**same.rows, **out}}) if out else same"
        yield f"found[{self.number}] = r{self.number} = {found}"


def program_of(steps: Sequence[Step], asked: Collection[int], shared: Collection[int], space: dict[str, Any]) -> Callable[..., None]:
    """Return a function that derives predicates one after another.

    Args:
        steps: how; what they use and none of them derives is there or `shared`.
        asked: the predicates that are to be derived in any case; others are if a rule that looks at them could matter.
        shared: the predicates that are taken from elsewhere.
        space: what `Relation` and `EMPTY` are.

    The function has the arguments `found`: the relations by the numbers of their predicates, to which it adds; `take`: a function that
    returns the shared one with a number; `also`: what is given of predicates that are derived as well, by their numbers; `there`: as
    `found`, with the shared ones that are known already.
    """
    wanted = _wanted(steps, asked)
    rules = [each for step in steps for each in step.rules]
    used = sorted({number for each in rules for number in each.reads} - {step.number for step in steps})
    tables = sorted({(each.constant.number, each.constant.place) for each in rules if each.constant is not None})
    lines = [f"r{number} = found[{number}]" + (f" or there[{number}] or take({number})" if number in shared else "") for number in used]
    lines += [f"t{number}_{place} = {_index(f'r{number}', (place,))}" for number, place in tables]
    lines += [line for step in steps for line in step.lines(wanted[step.number])]
    return _function("found, take, also, there", lines or ["pass"], "a program", space)


def _index(relation: str, places: tuple[int, ...]) -> str:
    """Return an expression for the index of a relation on some places: the one that there is, without a call."""
    return f"{relation}.indexes.get({places!r}) or {relation}.index({places!r})"


def _wanted(steps: Sequence[Step], asked: Collection[int]) -> dict[int, dict[Constant, None] | None]:
    """Return for each step of which constants one has to be there for it to matter, or None for those that may in any case."""
    wanted: dict[int, dict[Constant, None] | None] = {step.number: None if step.number in asked else {} for step in steps}
    for step in reversed(steps):
        for rule in step.rules:
            here = wanted[step.number] if rule.constant is None else {rule.constant: None}
            for number in rule.reads:
                before = wanted.get(number)
                if before is not None:
                    wanted[number] = None if here is None else before | here
    return wanted


def _function(arguments: str, lines: Iterable[str], name: str, space: dict[str, Any]) -> Callable[..., None]:
    space = {"order": order, **space}
    exec(compile("\n".join([f"def run({arguments}):", *(f" {line}" for line in lines)]), f"<{name}>", "exec"), space)
    run: Callable[..., None] = space["run"]
    return run


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
        return 3, (len(value), "", [(0, part) if part.__class__ is int else order(part) for part in value])
    name, _, inside = value.partition("(")
    if value[0] == '"' or not inside:
        return 2 if value[0] == '"' else 1, value
    arguments = inside[:-1].split(",")
    return 3, (len(arguments), name, [order(int(part) if part.isdecimal() else part) for part in arguments])


def in_order(rows: Collection[tuple[Value, ...]]) -> Sequence[tuple[Value, ...]]:
    """Return atoms sorted as clingo sorts them."""
    if len(rows) < 2:
        return list(rows)
    classes = {part.__class__ for row in rows for part in row}
    if tuple in classes:
        inside = [part for row in rows for part in row if part.__class__ is tuple]
        if len(set(map(len, inside))) == 1:
            classes = classes - {tuple} | {part.__class__ for parts in inside for part in parts}
    if all(issubclass(each, int) for each in classes):
        # What is sorted as Python does it, if numbers need not be compared with tuples.
        with suppress(TypeError):
            return sorted(rows)
    return sorted(rows, key=order)


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
    """Writes one rule in Python, without the parts of its body that the bits of `left_out` stand for."""

    def __init__(self, rule: ast.AST, left_out: int = 0) -> None:
        self.source = rule
        self.uses: list[int] = []
        self.prelude: list[str] = []
        self.lines: list[str] = []
        self.depth = 0
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

    def written(self) -> Written:
        head = self.source.head
        if head.ast_type is not ast.ASTType.Literal or head.atom.ast_type is not ast.ASTType.SymbolicAtom:
            raise NotEvaluatedError(f"a head of a form that is not evaluated: {self.source}")
        left = list(self.body)
        self.uses = list(dict.fromkeys(number_of(key_of(part.atom)) for part in left if is_positive_atom(part)))
        while left:
            part = min(left, key=self._cost)
            if part.ast_type is ast.ASTType.ConditionalLiteral and part not in self.gathered:
                self._gather(part)
                continue
            left.remove(part)
            tests = [each for each in left if self._tests(each, part)] if self.depth and self._scans(part) else []
            if tests:
                left = [each for each in left if each not in tests]
                self._scan(part, tests)
            else:
                self._add(part)
        arguments = [self._value(argument) for argument in head.atom.symbol.arguments]
        self._line(f"out[{self._tuple(arguments)}] = None")
        return Written(str(self.source), (*self.prelude, *self.lines), tuple(self.uses), self._renames())

    def _renames(self) -> bool:
        """Tell whether the body is one atom with the arguments of the head, all of them different variables."""
        if len(self.body) != 1 or not is_positive_atom(self.body[0]):
            return False
        inside, outside = list(self.body[0].atom.symbol.arguments), list(self.source.head.atom.symbol.arguments)
        names = {term.name for term in inside if term.ast_type is ast.ASTType.Variable and term.name != "_"}
        return inside == outside and len(names) == len(inside)

    # ------------------------------------------------------------ the order of a body

    def _cost(self, part: ast.AST) -> tuple[int, int]:
        """Return how late a part of the body comes: tests as soon as they can, then the atoms that are best known."""
        unknown = {name for name in _variables(part) if name in self.everywhere and name != "_"} - self.bound
        if is_positive_atom(part):
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

    def _relation(self, atom: ast.AST) -> str:
        """Return the name of the relation of an atom's predicate."""
        number = number_of(key_of(atom))
        if number not in self.uses:
            self.uses.append(number)
        return f"r{number}"

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

    def _scans(self, part: ast.AST) -> bool:
        """Tell whether a part runs through all rows of a predicate whatever is known: its arguments are different new variables."""
        if not is_positive_atom(part):
            return False
        arguments = list(part.atom.symbol.arguments)
        names = {argument.name for argument in arguments if argument.ast_type is ast.ASTType.Variable} - {"_"} - self.bound
        return bool(names) and len(names) == len(arguments)

    @staticmethod
    def _tests(part: ast.AST, scanned: ast.AST) -> bool:
        """Tell whether a part is an atom of another predicate with the same arguments."""
        return is_positive_atom(part) and list(part.atom.symbol.arguments) == list(scanned.atom.symbol.arguments)

    def _scan(self, part: ast.AST, tests: Sequence[ast.AST]) -> None:
        """Run through the rows that a predicate has in common with others; they are found once, whatever this is inside of."""
        rows = self._hoist(f"{self._relation(part.atom)}.rows")
        for each in tests:
            other = self._hoist(f"{self._relation(each.atom)}.rows")
            rows = self._hoist(f"[*filter({other}.__contains__, {rows})]")
        names = [argument.name for argument in part.atom.symbol.arguments]
        self._open(f"for {', '.join(f'v{name}' for name in names)} in {rows}:")
        self.bound.update(names)

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
        relation = self._relation(literal.atom)
        places = [place for place, argument in enumerate(arguments) if self._known(argument, bound)]
        operator = "not in" if literal.sign else "in"
        if not places:
            return f"{'not ' if literal.sign else ''}{relation}.rows"
        key = self._tuple([self._value(arguments[place]) for place in places])
        if len(places) == len(arguments):
            return f"{key} {operator} {self._hoist(f'{relation}.rows')}"
        return f"{key} {operator} {self._hoist(f'{relation}.values({tuple(places)!r})')}"

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
            atom = min(left, key=lambda each: (not is_positive_atom(each) and bool(open_[id(each)]), len(open_[id(each)])))
            left.remove(atom)
            if not open_[id(atom)]:
                compares = atom.atom.ast_type is ast.ASTType.Comparison
                clauses.append(f"if {self._comparison_text(atom) if compares else self._test(atom, bound)}")
                continue
            if not is_positive_atom(atom):
                raise NotEvaluatedError(f"a condition with a variable of its own: {self.source}")
            clauses += self._loop(atom, bound)
        return clauses, bound

    def _loop(self, atom: ast.AST, bound: set[str]) -> list[str]:
        arguments = list(atom.atom.symbol.arguments)
        relation = self._relation(atom.atom)
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
            rows = self._hoist(f"{relation}.rows")
        else:
            index = self._hoist(_index(relation, tuple(places)))
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
        if len(atoms) != 1 or not is_positive_atom(atoms[0]):
            return ""
        arguments = list(atoms[0].atom.symbol.arguments)
        known = [place for place, argument in enumerate(arguments) if self._known(argument)]
        free = [argument for place, argument in enumerate(arguments) if place not in known]
        names = [argument.name for argument in free if argument.ast_type is ast.ASTType.Variable]
        counted = names if aggregate.ast_type is ast.ASTType.Aggregate else [str(term) for term in element.terms]
        if not known or "_" in names or len({*names}) < len(free) or {*names} != {*counted} or len(names) < len(free):
            return ""
        index = self._hoist(f"{self._relation(atoms[0].atom)}.index({tuple(known)!r})")
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


def key_of(atom: ast.AST) -> Key:
    """Return the predicate of an atom."""
    return atom.symbol.name, len(atom.symbol.arguments)


def _is_aggregate(atom: ast.AST) -> bool:
    return atom.ast_type in (ast.ASTType.Aggregate, ast.ASTType.BodyAggregate)


def is_positive_atom(part: ast.AST) -> bool:
    """Tell whether a part of a body is an atom that has to be there."""
    return part.ast_type is ast.ASTType.Literal and part.atom.ast_type is ast.ASTType.SymbolicAtom and not part.sign


def _guards(aggregate: ast.AST) -> list[ast.AST]:
    return [guard for guard in (aggregate.left_guard, aggregate.right_guard) if guard is not None]


def _assigned(guard: ast.AST) -> list[str]:
    return [guard.term.name] if guard.comparison == 5 and guard.term.ast_type is ast.ASTType.Variable else []
