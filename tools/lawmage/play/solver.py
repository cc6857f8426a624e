"""Running clingo: one fresh control for each question, on the smallest program that decides it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import clingo
from clingo import ast

from lawmage.errors import LawmageError
from lawmage.play.stratified import Key, Row, Value, value_of

__all__ = [
    "SEARCHING",
    "Atom",
    "Best",
    "Model",
    "SolverError",
    "count_models",
    "facts_of",
    "ground",
    "maximise",
    "minimum",
    "models",
    "only_model",
]


#: The options for `maximise`. Its first search is by unsatisfiable cores, of which ordinary boards have few, and allows some conflicts.
SEARCHING = ("--opt-strategy=usc,oll,disjoint", "--solve-limit=60")
#: An atom: its name, and its arguments in the form of `lawmage.play.stratified`.
Atom: TypeAlias = tuple[str, tuple[Value, ...]]
#: The atoms that a model shows, and its value.
Model: TypeAlias = tuple[tuple[Atom, ...], int]


class SolverError(LawmageError):
    """A fault in lawmage's own programs, found by clingo."""


class Best(NamedTuple):
    """What a search found: the atoms shown in the best model, its value, and whether nothing better exists."""

    atoms: tuple[Atom, ...]
    value: int
    proved: bool


def _log(code: clingo.MessageCode, message: str) -> None:
    # A cut-down program may mention predicates that nothing gives; the whole program declares them (#defined), which a test checks.
    if code is not clingo.MessageCode.AtomUndefined:
        raise SolverError(f"lawmage's own program is faulty, please report this: {message.strip()}")


#: So many facts are kept as they were parsed, about 2 KiB each; of boards with many, none are.
_MOST_KEPT, _MANY = 8192, 2048


@lru_cache(maxsize=4096)
def _parsed(statement: str) -> ast.AST:
    return _statements(statement)[0]


def _statements(text: str) -> list[ast.AST]:
    found: list[ast.AST] = []
    ast.parse_string(text, found.append)
    return [each for each in found if each.ast_type is not ast.ASTType.Program]


class _ParsedFacts:
    """Facts that were parsed before: clingo takes them in in a fourth of the time that it takes to read them."""

    def __init__(self) -> None:
        self._known: dict[Key, dict[Row, ast.AST]] = {}
        self._number = 0

    def parsed(self, facts: Mapping[Key, Collection[Row]]) -> Iterator[ast.AST]:
        """Yield the statements of facts."""
        if self._number > _MOST_KEPT:
            self._known.clear()
            self._number = 0
        for key, rows in facts.items():
            known = self._known.setdefault(key, {})
            new = [row for row in rows if row not in known]
            if new:
                known.update(zip(new, _statements(_written(key, new)), strict=True))
                self._number += len(new)
            yield from map(known.__getitem__, rows)


def _written(key: Key, rows: Iterable[Row]) -> str:
    name, size = key
    return "\n".join(f"{name}({row if size == 1 else ','.join(map(str, row))})." for row in rows)


_FACTS = _ParsedFacts()


def ground(
    program: str, *options: str, rules: str | Sequence[str] = (), facts: Mapping[Key, Collection[Row]] | None = None
) -> clingo.Control:
    """Return a control with a program grounded.

    Args:
        program: facts and statements of asp/ that are parsed each time.
        options: clingo's.
        rules: statements of asp/, each on one line, that are parsed once.
        facts: more facts, that are parsed once: arguments by predicate, in the form of `lawmage.play.stratified`.

    Raises:
        SolverError: if clingo has anything to say about it.
    """
    problems: list[SolverError] = []

    def log(code: clingo.MessageCode, message: str) -> None:
        try:
            _log(code, message)
        except SolverError as error:
            problems.append(error)

    control = clingo.Control(options, logger=log)
    few = facts is not None and sum(map(len, facts.values())) < _MANY
    with suppress(RuntimeError):
        with ast.ProgramBuilder(control) as builder:
            for statement in map(_parsed, rules.split("\n") if isinstance(rules, str) else rules):
                builder.add(statement)
            if facts and few:
                for fact in _FACTS.parsed(facts):
                    builder.add(fact)
        if facts and not few:
            program = "\n".join((program, *(_written(key, rows) for key, rows in facts.items())))
        if program:
            control.add("base", [], program)
        control.ground([("base", [])])
    if problems:
        raise problems[0]
    return control


def facts_of(control: clingo.Control) -> tuple[clingo.Symbol, ...]:
    """Return the shown atoms of a program that has exactly one model."""
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise SolverError("lawmage's own program has no answer for this board, please report this")
        return tuple(model.symbols(shown=True))


def only_model(control: clingo.Control) -> Model | None:
    """Return the model of a program that has one or none, and its value."""
    with control.solve(yield_=True) as handle:
        return _last_model(handle)[0]


def maximise(control: clingo.Control, *, seconds: float | None, bound: Callable[[], tuple[int, Callable[[], Model | None]]]) -> Best:
    """Search for the model with the greatest value, and stop when it is proved greatest or the time is over.

    Args:
        control: grounded, with the options `SEARCHING`; what has no `#maximize` statement that matters has one value in all models.
        seconds: the time allowed, None or infinity for as long as it takes.
        bound: an upper bound on the value, and what may find a model that reaches it; asked for only if a short search has not settled it.
    """
    with control.solve(yield_=True) as handle:
        best, proved = _last_model(handle)
        if proved or handle.get().exhausted:
            return _found(best, proved=True)
    most, attempt = bound()
    if best is None or best[1] < most:
        other = attempt()
        if other is not None and (best is None or other[1] > best[1]):
            best = other
    if best is not None and best[1] >= most:
        return _found(best, proved=True)
    _go_on(control)
    deadline = _deadline(seconds)
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            if not handle.wait(_left(deadline)):
                handle.cancel()
                return _found(best, proved=False)
            model = handle.model()
            if model is None:
                return _found(best, proved=True)
            best = _read(model)
            if best[1] >= most:
                handle.cancel()
                return _found(best, proved=True)


def _deadline(seconds: float | None) -> float | None:
    """Return when so many seconds will be over, None for never."""
    return None if seconds is None or math.isinf(seconds) else time.monotonic() + seconds


def _left(deadline: float | None) -> float | None:
    """Return the seconds until then, as clingo waits for: None for as long as it takes; less than 0 would be that, too."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def _go_on(control: clingo.Control) -> None:
    """Let the search take as long as it takes, from models to better ones: what cores do not settle at once they seldom settle soon."""
    configuration = control.configuration
    assert isinstance(configuration.solve, clingo.Configuration)
    assert isinstance(configuration.solver, clingo.Configuration)
    configuration.solve.solve_limit = "umax"
    configuration.solver.opt_strategy = "bb"


def minimum(control: clingo.Control, *, seconds: float | None) -> tuple[clingo.Symbol, ...] | None:
    """Return the shown atoms of a model that `#minimize` makes best; None if there is no model, or it is not found in time."""
    found: tuple[clingo.Symbol, ...] | None = None
    deadline = _deadline(seconds)
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            if not handle.wait(_left(deadline)):
                handle.cancel()
                return None
            model = handle.model()
            if model is None:
                return found
            found = tuple(model.symbols(shown=True))


def _read(model: clingo.Model) -> Model:
    return _atoms(model.symbols(shown=True)), -sum(model.cost)


def _last_model(handle: clingo.SolveHandle) -> tuple[Model | None, bool]:
    """Return the last model, and whether no other can have a greater value, as nothing is maximised."""
    last: tuple[Sequence[clingo.Symbol], list[int]] | None = None
    for model in handle:
        last = model.symbols(shown=True), model.cost
    return (None, False) if last is None else ((_atoms(last[0]), -sum(last[1])), not last[1])


def _atoms(symbols: Iterable[clingo.Symbol]) -> tuple[Atom, ...]:
    """Return the atoms of a model; most of them were in another one before, and to read them takes clingo long."""
    return tuple(map(_atom, symbols))


@lru_cache(maxsize=8192)
def _atom(symbol: clingo.Symbol) -> Atom:
    return symbol.name, tuple(map(value_of, symbol.arguments))


def _found(best: Model | None, *, proved: bool) -> Best:
    if best is None and proved:
        raise SolverError("lawmage's own program has no answer for this board, please report this")
    return Best(*(best or ((), 0)), proved=proved)


def count_models(control: clingo.Control, *, seconds: float | None) -> tuple[int, bool]:
    """Return the number of models found, and whether they are all, without reading any of them."""
    configuration = control.configuration.solve
    assert isinstance(configuration, clingo.Configuration)
    configuration.models = 0
    with control.solve(async_=True) as handle:
        done = handle.wait(_left(_deadline(seconds)))
        if not done:
            handle.cancel()
    return int(control.statistics["summary"]["models"]["enumerated"]), done


def models(control: clingo.Control, *, limit: int | None = None) -> Iterator[clingo.Model]:
    """Yield every model of `control`, or the first `limit`."""
    configuration = control.configuration.solve
    assert isinstance(configuration, clingo.Configuration)
    configuration.models = limit or 0
    with control.solve(yield_=True) as handle:
        yield from handle
