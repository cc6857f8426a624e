"""What `lawmage query` answers: the rows of stored queries and analyses, and which there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawmage.answers.answered import NO, YES, Answered
from lawmage.errors import UnknownNameError, suggestion
from lawmage.queries import ROW_LIMIT, Answer, Query, ask, stored_queries
from lawmage.rulebook.analyse import analyse, analyses
from lawmage.rulebook.store import load_graph

__all__ = ["answer_on", "find_query", "grouped", "queries", "query", "rows_of"]


def query(name: str, *, parameters: Mapping[str, str] | None = None, release: str | None = None, limit: int = ROW_LIMIT) -> Answered:
    """Run a stored query or an analysis of the network of rules.

    Args:
        name: of the query; never a file.
        parameters: values of its parameters, as a person writes them.
        release: by default the newest known.
        limit: the most rows; `more` says whether there are others.

    Raises:
        UnknownNameError: if there is no such query, release, or thing that a parameter names.
        InputError: if a parameter is not as it has to be.
    """
    found = find_query(name)
    given = dict(parameters or {})
    return answer_on(found, given, rows_of(found, given, release=release, limit=limit))


def queries() -> Answered:
    """List the stored queries and analyses, with their parameters and columns."""
    return Answered({"queries": [_described(one, group) for group, those in grouped().items() for one in those]})


def grouped() -> dict[str, list[Query]]:
    """Return the queries by what they are: reports, analyses, and checks, whose rows are faults."""
    stored = stored_queries().values()
    return {
        "report": [one for one in stored if not one.check],
        "analysis": list(analyses().values()),
        "check": [one for one in stored if one.check],
    }


def find_query(name: str) -> Query:
    """Return the stored query or analysis of that name.

    Raises:
        UnknownNameError: if there is none.
    """
    known = stored_queries() | analyses()
    if name not in known:
        raise UnknownNameError(f'there is no query "{name}" (lawmage query lists them all){suggestion(name, known)}')
    return known[name]


def rows_of(query: Query, given: Mapping[str, str], *, release: str | None, limit: int, added: Mapping[str, str] | None = None) -> Answer:
    """Return the rows of a stored query or analysis; `added` are Turtle documents to ask about besides. Raises as `query`."""
    if query.name in analyses():
        return analyse(load_graph(release), query, given, limit=limit)
    return ask(query, given, release=release, limit=limit, added=added)


def answer_on(query: Query, given: Mapping[str, str], answer: Answer) -> Answered:
    """Return the answer: the rows, and the status that says whether there are any (for a check: whether there are none)."""
    document = {
        "query": query.name,
        "release": answer.release,
        "parameters": dict(given),
        "columns": list(answer.columns),
        "rows": [dict(zip(answer.columns, row, strict=True)) for row in answer.rows],
        "count": len(answer.rows),
        "more": answer.more,
    }
    found = answer.rows == ((True,),) if answer.columns == ("answer",) else bool(answer.rows)
    return Answered(document, YES if found != query.check else NO)


def _described(query: Query, group: str) -> dict[str, Any]:
    return {
        "name": query.name,
        "group": group,
        "summary": query.summary,
        "parameters": [
            {
                "name": parameter.name,
                "kind": parameter.kind,
                "example": parameter.example,
                "default": parameter.default,
                "required": parameter.required,
                "meaning": parameter.meaning,
            }
            for parameter in query.parameters
        ],
        "columns": [{"name": name, "meaning": meaning} for name, meaning in query.columns],
    }
