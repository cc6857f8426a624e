"""From a request to its answer: the JSON document of a worker is passed on as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from fastapi import Depends, Query, Request, Response

from lawmage.answers.source import Source
from lawmage.errors import InputError, suggestion
from lawmage.web.api.schemas import PROBLEM_SCHEMA
from lawmage.web.asking import ask_encoded
from lawmage.web.pool import Reply
from lawmage.web.problems import AT_FAULT, PROBLEM, problem, status_of

__all__ = ["KNOWN_PARAMETERS", "STATUS", "Release", "answer", "answer_as_turtle", "answer_on", "answered", "documented"]

#: The header with the exit status that the command line would have.
STATUS = "Lawmage-Status"
_BAD_INPUT = 2
#: What an answer on a file that could not be judged may say beside why: names that nothing has, and commanders to choose from.
_BESIDE_ERROR = ("not_found", "proposed")

Release: TypeAlias = Annotated[
    str | None,
    Query(max_length=100, description="Answer as of this release of the rules (default: the newest known).", examples=["2026-08-07"]),
]

_PROBLEMS = {
    404: "There is nothing of this name.",
    413: "The request is too large.",
    415: "The request is of a kind that is not read here.",
    422: "The request is not what was expected; `detail` says what was found, where, and what was expected.",
    429: "Too many requests wait already; `Retry-After` says when to come again.",
    500: "lawmage has a fault, which is not the request's.",
    503: "The answer would take more time or memory than a request may have, or needs data that the server lacks: as yet, or damaged.",
}
_ONLY_WITH_BODY = (413, 415)


def documented(schema: str, summary: str, *, body: bool = False, **more: Any) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of the responses: the document (a name of `schemas.SCHEMAS`), and problems.

    `more` are other media types of the answer and their examples.
    """
    media: dict[str, Any] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}, **more}
    headers = {
        STATUS: {
            "description": "The command line's exit status: 0 yes, legal or found; 1 no, illegal or not found; 2 bad input; 3 undecided.",
            "schema": {"type": "string", "enum": ["0", "1", "2", "3"]},
        }
    }
    found: dict[int | str, dict[str, Any]] = {200: {"description": summary, "content": media, "headers": headers}}
    for status, told in _PROBLEMS.items():
        if body or status not in _ONLY_WITH_BODY:
            found[status] = {"description": told, "content": {PROBLEM: {"schema": PROBLEM_SCHEMA}}}
    return found


async def answer(request: Request, name: str, /, **arguments: Any) -> Response:
    """Return the response with what the function `name` answers. Raises as `ask`."""
    return answered(await ask_encoded(request, name, **arguments))


def answered(reply: Reply) -> Response:
    """Return the response with an answer."""
    return Response(reply.body, media_type="application/json", headers={STATUS: str(reply.status)})


async def answer_on(request: Request, name: str, sources: Sequence[Source], /, **arguments: Any) -> Response:
    """Return the response on files; where the only one is not what was expected, that is the request's problem. Raises as `ask`."""
    reply = await ask_encoded(request, name, **arguments)
    refused = _refused(request, reply) if len(sources) == 1 else None
    return refused or answered(reply)


async def answer_as_turtle(request: Request, name: str, /, **arguments: Any) -> Response:
    """Return the response with an answer in RDF, which has no place for what is wrong with a file: that is the request's problem."""
    reply = await ask_encoded(request, name, form="turtle", **arguments)
    headers = {STATUS: str(reply.status)}
    return _refused(request, reply) or Response(reply.document["turtle"], media_type="text/turtle", headers=headers)


def _refused(request: Request, reply: Reply) -> Response | None:
    """Return the problem with the first file that is not what was expected, if there is one."""
    if reply.status == _BAD_INPUT:
        files = next((found for key in ("files", "decks") if isinstance(found := reply.document.get(key), list)), [])
        for file in (file for file in files if "error" in file):
            status = status_of(AT_FAULT.get(file.get("fault", ""), InputError)(file["error"]))
            return problem(request, status, file["error"], **{key: file[key] for key in _BESIDE_ERROR if key in file})
    return None


async def _known_parameters(request: Request) -> None:
    """Refuse a parameter of the address that nothing reads: who misspells one wants to know."""
    if not request.url.query:
        return
    dependant = request.scope["route"].dependant
    known = [parameter.alias for parameter in dependant.query_params]
    for name in request.query_params:
        if name not in known:
            expected = f"; expected {', '.join(known)}" if known else "; this takes none"
            raise InputError(f'the parameter "{name[:100]}" is not known here{suggestion(name[:100], known) or expected}')


KNOWN_PARAMETERS = Depends(_known_parameters)
