"""The SPARQL queries in queries/report/ and queries/check/: what there is, with which parameters, and the rows that they give.

A query file opens with a comment: a line that says what it answers, perhaps more, and then tables of its parameters and columns.
A parameter is a variable of the SELECT that is given a value; values are bound as RDF terms and never become part of a query's text.
A user's own query is run by `lawmage.query_process`, which can stop it.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias
from urllib.parse import unquote

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, Store, Triple, Variable

from lawmage.errors import InputError, UnknownNameError, suggestion
from lawmage.resources import data_folder
from lawmage.rulebook.dataset import LINEAGE, load_dataset
from lawmage.rulebook.model import GLOSSARY
from lawmage.rulebook.rdf import RULES, VOCABULARY, number_iri
from lawmage.rulebook.store import choose_release, installed_releases, load_graph, shipped_releases

__all__ = [
    "ROW_LIMIT",
    "Answer",
    "Parameter",
    "Query",
    "Term",
    "Value",
    "ask",
    "bind",
    "evaluate",
    "not_a_query",
    "read_query",
    "rows_wanted",
    "solve",
    "stored_queries",
    "values",
]

Value: TypeAlias = str | int | float | bool | None
Term: TypeAlias = NamedNode | BlankNode | Literal | Triple

ROW_LIMIT = 10_000
#: How many characters the values of an answer may have together.
_LARGEST_ANSWER = 20_000_000

_KEYWORDS = "urn:lawmage:keyword:"
_COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS: Mapping[str, Callable[[str], int | float]] = {
    f"{_XSD}integer": int,
    f"{_XSD}decimal": float,
    f"{_XSD}double": float,
    f"{_XSD}boolean": {"true": True, "1": True, "false": False, "0": False}.__getitem__,
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query.

    Attributes:
        name: that of the variable.
        kind: `rule` (a rule number, or `glossary:` and a term), `keyword`, `term` (of a vocabulary), `date`, `text`, or `rows` (how many
            rows there shall be; no variable).
        example: a value that makes sense.
        default: the value unless another is given, or None.
        required: whether it has to be given.
        meaning: what it says, for people.
    """

    name: str
    kind: str
    example: str
    default: str | None
    required: bool
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}={self.default}" if self.default is not None else self.name if self.required else f"[{self.name}]"


@dataclass(frozen=True, slots=True)
class Query:
    """A query and what its opening comment says.

    Attributes:
        name: that of its file, without the ending.
        text: the whole file.
        summary: what it answers, in one line.
        parameters: what can be given with it.
        columns: the names and meanings of the columns of its answer; none for a query that doesn't say.
        graphs: the named graphs that it reads.
        check: whether its rows are faults.
    """

    name: str
    text: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    graphs: tuple[str, ...] = ()
    check: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows that a query gave about a release; `more` says that there were more than were asked for."""

    release: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool = False


# ---------------------------------------------------------------- which queries there are


def stored_queries() -> dict[str, Query]:
    """Return the queries that come with lawmage by their names: reports, then checks."""
    folder = data_folder("queries")
    paths = [path for name in ("report", "check") for path in sorted((folder / name).glob("*.rq"))]
    return {path.stem: read_query(path.read_text(encoding="utf-8"), path.stem, check=path.parent.name == "check") for path in paths}


_TABLE = re.compile(r"(Parameters|Columns|Named graphs): *(.*)")


def read_query(text: str, name: str, *, check: bool = False) -> Query:
    """Return a query with what its opening comment says about it; a comment that says nothing of that kind is no fault."""
    summary, parameters, columns, graphs = "", [], [], ""
    table = ""
    for line in _opening_comment(text):
        heading = _TABLE.fullmatch(line.strip())
        if heading:
            table = heading[1]
            graphs = heading[2] if table == "Named graphs" else graphs
        elif not summary:
            summary = line.strip()
        elif line.startswith("  ") and table == "Parameters" and len(line.split()) >= 3:
            parameters.append(_parameter(*line.split(maxsplit=3)))
        elif line.startswith("  ") and table == "Columns":
            column, _, meaning = line.strip().partition(" ")
            columns.append((column, meaning.strip()))
    return Query(name, text, summary, tuple(parameters), tuple(columns), _graphs(graphs, text), check)


def _opening_comment(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("#"):
            return
        yield line[1:].rstrip()


def _parameter(name: str, kind: str, value: str, meaning: str = "") -> Parameter:
    mark, example = (value[0], value[1:]) if value[0] in "=?" else ("", value)
    return Parameter(name, kind, example, default=example if mark == "=" else None, required=not mark, meaning=meaning.strip())


def _graphs(said: str, text: str) -> tuple[str, ...]:
    """Return the named graphs to load: those that the comment says, else all if the query could look into any."""
    unsaid = not said and re.search(r"\b(GRAPH|NAMED)\b", text, re.IGNORECASE)
    releases = sorted({*shipped_releases(), *installed_releases()}) if unsaid or "all releases" in said else []
    return (*releases, LINEAGE) if unsaid or LINEAGE in said else tuple(releases)


# ---------------------------------------------------------------- parameters


def values(query: Query, given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each parameter that has one: as given, or its default.

    Raises:
        InputError: if a parameter is missing, or is none of the query's.
    """
    known = {parameter.name: parameter for parameter in query.parameters}
    for name in given:
        if name not in known:
            raise InputError(f'the query {query.name} has no parameter "{name}"; {_takes(query)}{suggestion(name, known)}')
    for name, parameter in known.items():
        if parameter.required and name not in given:
            raise InputError(f"the query {query.name} needs the parameter {name}; {_takes(query)}")
    defaults = {name: parameter.default for name, parameter in known.items() if parameter.default is not None}
    return defaults | dict(given)


def _takes(query: Query) -> str:
    return "it takes " + (", ".join(f"{parameter.name} (such as {parameter.example})" for parameter in query.parameters) or "none")


def bind(query: Query, given: Mapping[str, str], store: Store, release: str) -> dict[str, Term]:
    """Return the terms that a query's variables shall have.

    Raises:
        InputError: if a parameter is not as it has to be.
        UnknownNameError: if a parameter names a rule, keyword or term that does not exist.
    """
    for name, value in given.items():
        if not f"{name}{value}".isprintable():
            raise InputError(f"the parameter {name!a} holds characters that can't be printed")
    if not query.columns and not query.parameters:  # somebody's own, which doesn't say
        return {name: _own_term(value) for name, value in given.items()}
    found = values(query, given)
    return {
        parameter.name: _term(parameter, found[parameter.name], store, release)
        for parameter in query.parameters
        if parameter.name in found and parameter.kind != "rows"
    }


def _term(parameter: Parameter, value: str, store: Store, release: str) -> Term:
    match parameter.kind:
        case "rule":
            return _rule(value, store, release)
        case "keyword":
            from lawmage.keywords import find_keyword

            return NamedNode(_KEYWORDS + find_keyword(value).id)
        case "term":
            return _vocabulary_term(parameter, value, store)
        case "date":
            return Literal(_date(parameter, value), datatype=NamedNode(_XSD + "date"))
        case _:
            return Literal(value)


def _rule(value: str, store: Store, release: str) -> NamedNode:
    node = number_iri(release, value.strip())
    if next(store.quads_for_pattern(node, None, None, None), None) is None:
        node = number_iri(release, load_graph(release).find(value).number)
    return node


def _vocabulary_term(parameter: Parameter, value: str, store: Store) -> NamedNode:
    described = [quad.subject for quad in store.quads_for_pattern(None, NamedNode(_COMMENT), None, None)]
    terms = sorted(node.value.removeprefix(VOCABULARY) for node in described if isinstance(node, NamedNode))
    folded = value.replace(" ", "").casefold()
    for term in terms:
        if term.casefold() == folded:
            return NamedNode(VOCABULARY + term)
    raise UnknownNameError(f'the vocabulary has no term "{value}" for {parameter.name}{suggestion(value, terms)}')


def _date(parameter: Parameter, value: str) -> str:
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise InputError(f'the parameter {parameter.name} has to be a date such as {parameter.example}, not "{value}"') from None


def _own_term(value: str) -> Term:
    """Return the term that is meant in a query that doesn't say: an IRI in angle brackets, else a text."""
    if value.startswith("<") and value.endswith(">"):
        try:
            return NamedNode(value[1:-1])
        except ValueError:
            raise InputError(f"{value} is not an IRI") from None
    return Literal(value)


def rows_wanted(query: Query, given: Mapping[str, str]) -> int | None:
    """Return how many rows a parameter of the kind `rows` asks for, or None if there is no such parameter.

    Raises:
        InputError: if it is no number.
    """
    for parameter in query.parameters:
        if parameter.kind == "rows":
            value = given.get(parameter.name, parameter.default or "")
            if not re.fullmatch(r"0*[1-9][0-9]{0,8}", value):
                raise InputError(f'the parameter {parameter.name} has to be a number from 1, such as {parameter.example}, not "{value}"')
            return int(value)
    return None


# ---------------------------------------------------------------- rows


def ask(
    query: Query,
    given: Mapping[str, str] | None = None,
    *,
    release: str | None = None,
    limit: int = ROW_LIMIT,
    added: Mapping[str, str] | None = None,
) -> Answer:
    """Run a query that can be trusted to end, and return its rows.

    Args:
        query: a stored query.
        given: values of its parameters, as a person writes them.
        release: the date of the release that is asked about, by default the newest known.
        limit: how many rows there are at most.
        added: Turtle documents to ask about besides (see `load_dataset`).

    Raises:
        InputError, UnknownNameError: if the query, a parameter or a document is not as it has to be.
    """
    chosen = choose_release(release)
    return evaluate(load_dataset(chosen, graphs=query.graphs, added=added), query, given or {}, release=chosen, limit=limit)


def evaluate(store: Store, query: Query, given: Mapping[str, str], *, release: str, limit: int = ROW_LIMIT) -> Answer:
    """Run a query on a store made by `load_dataset`; see `ask`."""
    terms = bind(query, given, store, release)
    return solve(store, query, terms, release=release, wanted=rows_wanted(query, given), limit=limit)


def solve(
    store: Store, query: Query, terms: Mapping[str, Term], *, release: str, wanted: int | None = None, limit: int = ROW_LIMIT
) -> Answer:
    """Run a query with what `bind` returned; `wanted` is how many rows a parameter asks for. It opens no files."""
    result = _run(store, query, terms)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return Answer(release, ("answer",), ((bool(result),),))
    if isinstance(result, pyoxigraph.QueryTriples):
        return _collect(release, ("subject", "predicate", "object"), result, limit)
    selected = [variable.value for variable in result.variables]
    described = [name for name, _ in query.columns if name in selected]
    columns = tuple(name for name in described or selected if name not in terms)
    solutions = ([solution[name] for name in columns] for solution in islice(result, wanted))
    return _collect(release, columns, solutions, limit)


def _run(
    store: Store, query: Query, terms: Mapping[str, Term]
) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples:
    try:
        return store.query(query.text, substitutions={Variable(name): term for name, term in terms.items()})
    except SyntaxError as error:
        raise not_a_query(error, query.name) from None
    except (RuntimeError, ValueError) as error:
        unknown = re.search(r"\?\w+", str(error))
        reason = f"{unknown[0]} is no variable of its SELECT, and a parameter gives a value to one" if unknown else str(error)
        raise InputError(reason, file=query.name) from None


def not_a_query(error: SyntaxError, name: str) -> InputError:
    """Return the error that says where the engine found that a text is no query."""
    place = re.match(r"error at (\d+):(\d+): *(.*)", str(error), re.DOTALL)
    line, message = (int(place[1]), f"column {place[2]}: {place[3]}") if place else (None, str(error))
    return InputError(f"this is not a SPARQL query that only asks ({message})", file=name, line=line)


def _collect(release: str, columns: tuple[str, ...], solutions: Iterable[Iterable[Term | None]], limit: int) -> Answer:
    rows: list[tuple[Value, ...]] = []
    size = 0
    for solution in solutions:
        if len(rows) == limit or size > _LARGEST_ANSWER:
            return Answer(release, columns, tuple(rows), more=True)
        row = tuple(_value(term, release) for term in solution)
        size += sum(len(value) for value in row if isinstance(value, str))
        rows.append(row)
    return Answer(release, columns, tuple(rows))


def _value(term: Term | None, release: str) -> Value:
    """Return a term as a person writes it: rule numbers, dates of releases, names of keywords and terms without what precedes them."""
    if isinstance(term, NamedNode):
        text = term.value
        if text.startswith(RULES):
            part = text.removeprefix(RULES).removeprefix(f"{release}:")
            return unquote(part) if GLOSSARY in part else part
        return text.removeprefix(VOCABULARY).removeprefix(_KEYWORDS)
    if isinstance(term, Literal):
        return _literal(term.value, term.datatype.value)
    return None if term is None else str(term)


def _literal(text: str, datatype: str) -> Value:
    read = _NUMBERS.get(datatype)
    if read is None:
        return text
    try:
        value = read(text)
    except (ValueError, KeyError):  # RDF lets anything be called a number
        return text
    return value if math.isfinite(value) else text
