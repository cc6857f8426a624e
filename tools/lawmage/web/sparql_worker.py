"""Answers queries of /sparql, in processes that can be stopped and, while they work on a query, can open no file and no connection.

Loading this module loads the data: the newest release, all of kb/, and every release as a named graph. It is loaded once, by the process
that the workers are forked from, so they share its memory.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import pyoxigraph
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, QueryResultsFormat, RdfFormat, Store

from lawmage.answers.answered import Answered
from lawmage.errors import InputError
from lawmage.queries import Term, not_a_query
from lawmage.query_words import refuse_other_sources
from lawmage.rulebook.dataset import load_dataset, named_graph
from lawmage.rulebook.rdf import RULES
from lawmage.rulebook.store import choose_release, installed_releases
from lawmage.web.confined import cut_off, deeply

__all__ = ["ANSWERS", "LARGEST_ANSWER", "LONGEST_QUERY", "NAME", "answer"]

#: Characters.
LONGEST_QUERY = 16_000
#: Bytes. No answer is cut off: one that would be larger is an error.
LARGEST_ANSWER = 8 << 20
#: What messages call the query.
NAME = "query"
#: What a page shows of an answer: rows, and characters in all and in one term.
_PAGE_ROWS = 200
_PAGE_CHARACTERS = 40_000
_PAGE_TERM = 400

_TABLES = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
}
_GRAPHS = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "rdfxml": RdfFormat.RDF_XML,
    "trig": RdfFormat.TRIG,
    "nquads": RdfFormat.N_QUADS,
    "jsonld": RdfFormat.JSON_LD,
}
_Results = pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples


class _Data:
    """The store, and the release that is its default graph."""

    def __init__(self) -> None:
        from lawmage.answers.data import releases
        from lawmage.rulebook.dataset import LINEAGE

        known = releases().document
        self.release: str | None = known["newest"]
        self.releases = set(known["releases"])
        self.store = load_dataset(known["newest"], graphs=[*known["releases"], LINEAGE])

    @cached_property
    def graphs(self) -> frozenset[str]:
        """The names of the graphs."""
        return frozenset(graph.value for graph in self.store.named_graphs() if isinstance(graph, NamedNode))

    def catch_up(self) -> None:
        """Add the releases that have been installed since."""
        for name in sorted(installed_releases().keys() - self.releases):
            self.store.bulk_extend(named_graph(name))
            self.releases.add(name)
            vars(self).pop("graphs", None)

    def about(self, release: str) -> Store:
        """Return the store with another release as its default graph."""
        if release != self.release:
            other = load_dataset(release)
            self.release = None  # until all is there
            self.store.clear_graph(DefaultGraph())
            self.store.bulk_extend(other)
            self.release = release
        return self.store


_DATA = _Data()


def answer(
    text: str,
    *,
    release: str | None = None,
    table: str | None = None,
    graph: str | None = None,
    page: bool = False,
    default_graphs: Sequence[str] = (),
    named_graphs: Sequence[str] = (),
) -> Answered:
    """Answer a query.

    Args:
        text: SELECT, ASK, CONSTRUCT or DESCRIBE.
        release: the one in the default graph; by default the newest known.
        table: how to write the answer to SELECT: `json`, `xml`, `csv` or `tsv`; None if nothing will do.
        graph: how to write that to CONSTRUCT or DESCRIBE: `turtle`, `ntriples`, `rdfxml`, `trig`, `nquads` or `jsonld`; likewise.
        page: answer the first rows as JSON values for a page instead.
        default_graphs, named_graphs: the names of the graphs to ask in place of all; these win over FROM.

    Returns:
        `{"form": "select" | "ask" | "graph", "body": ..}`; a body is None where the answer has a form that nothing will do for. For a
        page, `{"form", "columns", "rows", "more"}`, with each term as `{"kind", "value", "note", "number", "release"}` or None.

    Raises:
        InputError: if it is no query, would read from elsewhere, or its answer is too large.
        UnknownNameError: if there is no such release.
    """
    if len(text) > LONGEST_QUERY:
        raise InputError(f"a query has at most {LONGEST_QUERY:,} characters, and this one {len(text):,}", file=NAME)
    _DATA.catch_up()
    for name in (*default_graphs, *named_graphs):
        if name not in _DATA.graphs:
            raise InputError(f'there is no graph "{name[:200]}" here; nothing is fetched from elsewhere')
    store = _DATA.about(choose_release(release))
    dataset: dict[str, Any] = {}
    if default_graphs or named_graphs:
        dataset = {"default_graph": [*map(NamedNode, default_graphs)], "named_graphs": [*map(NamedNode, named_graphs)]}

    def work() -> dict[str, Any]:
        refuse_other_sources(text, NAME, graphs=_DATA.graphs)
        results = _run(store, text, dataset)
        return _for_page(results) if page else _written(results, table, graph)

    with cut_off():
        return Answered(deeply(work))


#: What the pool asks.
ANSWERS: Mapping[str, Callable[..., Answered]] = {"sparql": answer}


def _run(store: Store, text: str, dataset: Mapping[str, Any]) -> _Results:
    try:
        return store.query(text, **dataset)
    except SyntaxError as error:
        raise not_a_query(error, NAME) from None
    except (RuntimeError, ValueError, OSError) as error:
        raise InputError(str(error), file=NAME) from None


class _FullError(Exception):
    """An answer is larger than it may be."""


class _Limited(io.BytesIO):
    """A buffer that takes so many bytes."""

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > LARGEST_ANSWER:
            raise _FullError
        return super().write(data)


def _written(results: _Results, table: str | None, graph: str | None) -> dict[str, Any]:
    form = _form(results)
    wanted = graph if form == "graph" else table
    if wanted is None:
        return {"form": form, "body": None}
    buffer = _Limited()
    try:
        if isinstance(results, pyoxigraph.QueryTriples):
            results.serialize(buffer, format=_GRAPHS[wanted])
        else:
            results.serialize(buffer, format=_TABLES[wanted])
    except _FullError:
        raise InputError(
            f"its answer has more than {LARGEST_ANSWER >> 20} MiB; ask for less, or for a part with LIMIT", file=NAME
        ) from None
    except (RuntimeError, ValueError, OSError) as error:
        raise InputError(str(error), file=NAME) from None
    return {"form": form, "body": buffer.getvalue().decode()}


def _form(results: _Results) -> str:
    if isinstance(results, pyoxigraph.QueryTriples):
        return "graph"
    return "ask" if isinstance(results, pyoxigraph.QueryBoolean) else "select"


def _for_page(results: _Results) -> dict[str, Any]:
    form = _form(results)
    if isinstance(results, pyoxigraph.QueryBoolean):
        return {"form": form, "columns": ["answer"], "rows": [[_plain("true" if results else "false")]], "more": False}
    if isinstance(results, pyoxigraph.QueryTriples):
        columns = ["subject", "predicate", "object"]
    else:
        columns = [variable.value for variable in results.variables]
    rows: list[list[dict[str, str] | None]] = []
    size = 0
    try:
        for solution in islice(results, _PAGE_ROWS + 1):
            row = [None if term is None else _shown(term) for term in solution]
            size += sum(50 + (0 if term is None else len(term["value"])) for term in row)
            if len(rows) == _PAGE_ROWS or size > _PAGE_CHARACTERS:
                return {"form": form, "columns": columns, "rows": rows, "more": True}
            rows.append(row)
    except (RuntimeError, ValueError, OSError) as error:
        raise InputError(str(error), file=NAME) from None
    return {"form": form, "columns": columns, "rows": rows, "more": False}


_RULE = re.compile(re.escape(RULES) + r"(\d{4}-\d\d-\d\d):(\d+(?:\.\d+[a-z]*)?)")


def _shown(term: Term) -> dict[str, str]:
    if isinstance(term, Literal):
        note = term.language or term.datatype.value.rpartition("#")[2]
        return _plain(term.value[:_PAGE_TERM], "" if note == "string" else note)
    if isinstance(term, NamedNode):
        rule = _RULE.fullmatch(term.value)
        return {"kind": "iri", "value": term.value[:_PAGE_TERM], "note": "", **_place(rule)}
    kind = "blank" if isinstance(term, BlankNode) else "triple"
    return {"kind": kind, "value": str(term)[:_PAGE_TERM], "note": "", **_place(None)}


def _place(rule: re.Match[str] | None) -> dict[str, str]:
    return {"release": rule[1], "number": rule[2]} if rule else {"release": "", "number": ""}


def _plain(value: str, note: str = "") -> dict[str, str]:
    return {"kind": "literal", "value": value, "note": note, **_place(None)}
