"""The examples on the page of /sparql: stored queries that can be sent as they are."""

from __future__ import annotations

from lawmage.answers.answered import Answered
from lawmage.queries import stored_queries

__all__ = ["examples"]


def examples() -> Answered:
    """Return stored queries that need no parameter, as they can be sent: `{"examples": [{"name", "summary", "text"}]}`."""
    found = []
    for query in stored_queries().values():
        if not query.check and all(parameter.kind == "rows" for parameter in query.parameters):
            limit = "".join(f"LIMIT {parameter.example}\n" for parameter in query.parameters)
            found.append({"name": query.name, "summary": query.summary, "text": query.text + limit})
    return Answered({"examples": found})
